"""Cells of tables by the names of rows and columns, extremes of a column, and what is computed from such cells.

Every word of the question that names something must be accounted for by a name of the table, by its caption or by what
is computed. Where two rows or columns answer to the same words, both are named and no number is given.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import Literal, TypeAlias

from mathrag.compute.evaluate import Failure, evaluate
from mathrag.compute.pythontext import read_python_text
from mathrag.language.word_classes import word_class, word_pairs
from mathrag.reason.direct.documents.asked import Asked, Selector
from mathrag.reason.direct.documents.cell_numbers import CellNumber, cell_number, is_missing
from mathrag.reason.direct.documents.facts import Desk
from mathrag.reason.direct.documents.grids import Grid, Line, ends_open, grids_of, shown
from mathrag.reason.direct.documents.laid_out import laid_tables
from mathrag.reason.direct.documents.names import Mention, mentions_of
from mathrag.reason.direct.documents.numbered import Captioned, Numbered
from mathrag.reason.direct.documents.parameters import SPREADSHEETS, cell_place, words_left
from mathrag.reason.direct.documents.seams import Found, Looked, Source, Unclear
from mathrag.reason.direct.documents.spreads import is_own, number_meant, spread_asked, spread_beside
from mathrag.reason.direct.documents.words import LEAST_SHARED, are_forms, class_keys, keys_of, term_keys
from mathrag.retrieve.document_parts import TablePart
from mathrag.types.answer import WorkingLine
from mathrag.types.expression import Declined

End: TypeAlias = Literal["highest", "lowest"]
# Words of so many letters that another form of one can be known by its beginning.
_LONG_WORD = re.compile(rf"[^\W\d_]{{{LEAST_SHARED},}}")
_MOST_CELLS, _MOST_NAMED, _MOST_COMPUTED = 12, 6, 500
_FEWEST_LISTED = 2
_MEANS = re.compile(r"\bwhat (?:do|does|did) .{1,60} mean\b", re.IGNORECASE)
_ENDS: tuple[tuple[str, End], ...] = (("documents.highest", "highest"), ("documents.lowest", "lowest"))


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table as the question meets it: its grid, what it is called, the question, the document."""

    grid: Grid
    label: str
    caption: str
    table: TablePart
    asked: Asked
    document: str
    is_area: bool = False

    def source(self, row: Line, column: Line) -> Source:
        """A cell with its names; the quote is the whole row, as it is printed."""
        quote = " | ".join(text for text in self.grid.cells[row.place] if text.strip())
        place = cell_place(self.table, row.place, column.place, self.grid.text(row, column))
        names = f"row “{shown(row.name)}”, column “{shown(column.name)}”"
        return Source(place, shown(quote), f"{self.label}, {names}", (self.caption,))


def look_up_cells(desk: Desk) -> Looked:
    """What the tables of a document answer: the one that is named, else all of them, where only one has an answer."""
    named = desk.asked.selected("table")
    if len(named) > 1 or desk.asked.selected("figure", "equation", "reference"):
        return None
    tables = laid_tables(desk.parts, desk.card.id)
    if named:
        return _of_named(desk, tables.numbered, named[0])
    wanted = {is_area: _wanted(desk.asked.in_terms(), is_area=is_area) for is_area in (False, True)}
    answers: list[tuple[Sheet, Looked]] = []
    for each, grids in tables.sure:
        near = [laid.grid for laid in grids if wanted[_is_area(desk, each)] <= laid.words]
        answers.extend((sheet, look_up_in(sheet, is_named=False)) for sheet in _sheets(desk, each, near))
    return _one_of(desk, answers)


def _of_named(desk: Desk, listed: Numbered, named: Selector) -> Looked:
    found = listed.select(named)
    if found is None:
        return None
    if found.table is None:
        return Unclear(f"Table {named.written} of {desk.name} is there, but its cells could not be read")
    if listed.is_doubtful(found):
        page = found.place.page
        return Unclear(f"which table on page {page} of {desk.name} is Table {named.written} was not surely read")
    sheets = _sheets(desk, found, grids_of(found.table))
    return _one_of(desk, [(sheet, look_up_in(sheet, is_named=True)) for sheet in sheets])


def _wanted(asked: Asked, *, is_area: bool) -> frozenset[str]:
    """The words that a table must have to answer at all; none where one of them may be a value to come near to."""
    if asked.has("documents.nearest"):
        return frozenset()
    places = words_left(asked) if is_area else asked.left("documents.generic", *_COMPUTING, *_SUPERLATIVES)
    return frozenset(asked.words[place].key for place in places)


def _one_of(desk: Desk, answers: Sequence[tuple[Sheet, Looked]]) -> Looked:
    """The answer of several tables or parts of one, where those that answer say the same."""
    if len(answers) == 1:
        return answers[0][1]
    sure = [(sheet, one) for sheet, one in answers if isinstance(one, Found)]
    if len({one.core for _, one in sure}) == 1 and sure:
        return sure[0][1]
    if sure:
        places = "; ".join(f"{sheet.label}: {one.core}" for sheet, one in sure[:_MOST_NAMED])
        return Unclear(f"several tables of {desk.name} answer, and not alike ({places})", ("name the table",))
    unclear = [one for _, one in answers if isinstance(one, Unclear)]
    return unclear[0] if len(unclear) == 1 else None


def _sheets(desk: Desk, found: Captioned, grids: Iterable[Grid]) -> list[Sheet]:
    assert found.table is not None
    is_area = _is_area(desk, found)
    bare = found.place.path if is_area else "a table without a number"
    label = f"Table {found.number.upper()}" if found.number else bare
    table = replace(found.table, place=found.place)
    asked = desk.asked.in_terms()
    return [Sheet(grid, label, found.caption, table, asked, desk.name, is_area) for grid in grids]


def _is_area(desk: Desk, found: Captioned) -> bool:
    """Whether a table is a part of a sheet of a spreadsheet."""
    return desk.card.media_type in SPREADSHEETS and "!" in found.place.path


def look_up_in(sheet: Sheet, *, is_named: bool) -> Looked:
    """What one table answers; None where the question is not about its cells."""
    if sheet.asked.words and sheet.asked.words[0].lower in word_class("documents.yes_or_no"):
        return None
    mentions = mentions_of(sheet.grid, sheet.asked, sheet.caption)
    end = _end(sheet.asked, mentions.covered)
    left = _left(sheet, mentions.covered, is_extreme=end is not None)
    if left:
        if is_named and mentions.all:
            said = sheet.asked.said(left)
            return Unclear(f"{sheet.label} of {sheet.document} has no row and no column called “{said}”", _names(sheet))
        return None
    is_timed = end is not None and end[0] in ("documents.quickest", "documents.slowest")
    if not mentions.all and not (is_named and is_timed):
        return None
    if end is not None and len(mentions.below) > 1:
        # Compared is what stands below a title that is named: the highest of the age groups.
        sheet = replace(sheet, grid=replace(sheet.grid, rows=mentions.below))
        mentions = replace(mentions, rows=(), unclear="")
    if mentions.unclear:
        return Unclear(f"in {sheet.label} of {sheet.document} {mentions.unclear}", ("name the row and the column",))
    listed = _listed_in(sheet, mentions.columns) if not mentions.rows else None
    if listed is not None and is_named:
        return listed
    if end is not None and sheet.grid.is_torn:
        return Unclear(_torn(sheet))
    if end is not None:
        return _extreme(sheet, mentions.rows, mentions.columns, end)
    if not is_named and not (mentions.rows and mentions.columns):
        return None
    return _cells(sheet, mentions.rows, mentions.columns, covered=mentions.covered)


def _torn(sheet: Sheet) -> str:
    return f"rows of {sheet.label} of {sheet.document} run together as they were read"


def _listed_in(sheet: Sheet, columns: Sequence[Mention]) -> Looked:
    """How many texts a column lists, where it is asked how many of what the column names there are."""
    if not sheet.asked.is_counting or len(columns) != 1 or len(columns[0].lines) != 1:
        return None
    column = columns[0].lines[0]
    texts, has_titles = _column_texts(sheet.grid, column)
    filled = [text for text in texts if not is_missing(text)]
    if len(filled) < _FEWEST_LISTED or any(cell_number(text) is not None for text in filled):
        return None
    if sheet.grid.is_torn or has_titles or len(set(filled)) < len(filled):
        return Unclear(f"how many are listed under “{shown(column.name)}” in {sheet.label} cannot be told surely")
    said = f"{sheet.label} of {sheet.document} lists {len(filled)} under “{shown(column.name)}”."
    row = sheet.grid.rows[0]
    return Found(said, str(len(filled)), (sheet.source(row, column),), number=str(len(filled)))


def _column_texts(grid: Grid, column: Line) -> tuple[list[str], bool]:
    """The texts of a column, and whether one may be a title of the rows below it: with none below, it is no title."""
    lines = {row.place for row in grid.rows}
    places = range(min(lines), len(grid.cells))
    last = max(lines)
    texts = [grid.cells[place][column.place].strip() for place in places if column.place < len(grid.cells[place])]
    titles = [place for place in range(min(lines), last) if place not in lines and any(grid.cells[place])]
    return texts, bool(titles) and column.place in grid.labels


def _names(sheet: Sheet) -> tuple[str, ...]:
    rows = ", ".join(row.name for row in sheet.grid.rows[:_MOST_NAMED])
    columns = ", ".join(column.name for column in sheet.grid.columns[:_MOST_NAMED])
    return (
        f"its rows are {rows}…" if len(sheet.grid.rows) > _MOST_NAMED else f"its rows are {rows}",
        f"its columns are {columns}",
    )


_COMPUTING = (
    "documents.differences",
    "documents.ratios",
    "documents.sums",
    "documents.averages",
    "documents.everything",
    "documents.best",
    "documents.worst",
)


def _left(sheet: Sheet, covered: frozenset[int], *, is_extreme: bool) -> tuple[int, ...]:
    """The places of words that name something which the table does not know."""
    classes = ("documents.generic", *_COMPUTING, *(_SUPERLATIVES if is_extreme else ()))
    around = frozenset(term_keys(sheet.caption)) | frozenset(term_keys(sheet.grid.corner))
    end = _end(sheet.asked, covered) if is_extreme else None
    if end is not None and end[0] == "documents.nearest" and _target(sheet.asked, end) is not None:
        covered = covered | {end[1] + 2}
    rest = words_left(sheet.asked, covered) if sheet.is_area else sheet.asked.using(covered).left(*classes)
    if is_extreme:
        # "Which category has the lowest": the word behind "which" says what the rows or columns are.
        words = sheet.asked.words
        rest = tuple(place for place in rest if not place or words[place - 1].lower not in ("which", "what"))
    return tuple(place for place in rest if sheet.asked.words[place].key not in around)


# ---- which of them is the highest


_SUPERLATIVES = (
    "documents.highest",
    "documents.lowest",
    "documents.best",
    "documents.worst",
    "documents.quickest",
    "documents.slowest",
    "documents.nearest",
)


def _end(asked: Asked, covered: frozenset[int]) -> tuple[str, int] | None:
    """The superlative of a question, and its place."""
    for place in asked.open_places():
        word = asked.words[place].lower
        if place in covered:
            continue
        for name in _SUPERLATIVES:
            if word in word_class(name):
                return name, place
    return None


def _direction(name: str, measure: str) -> End | None:
    """Which end of a measure is meant; None where nothing says which one is better."""
    for plain, end in _ENDS:
        if name == plain:
            return end
    if name in ("documents.quickest", "documents.slowest"):
        keys = frozenset(keys_of(measure))
        is_time, is_speed = bool(keys & class_keys("documents.times")), bool(keys & class_keys("documents.speeds"))
        if is_time == is_speed:
            return None
        return "lowest" if is_time == (name == "documents.quickest") else "highest"
    if "↑" in measure or "↓" in measure:
        is_more = "↑" in measure
    else:
        keys = frozenset(keys_of(measure))
        more, less = (bool(keys & class_keys(f"documents.{each}_is_better")) for each in ("more", "less"))
        if more == less:
            return None
        is_more = more
    return "highest" if is_more == (name == "documents.best") else "lowest"


def _extreme(sheet: Sheet, rows: Sequence[Mention], columns: Sequence[Mention], end: tuple[str, int]) -> Looked:
    """The row with the largest or smallest number in a column, or the column with it in a row of measures."""
    grid = sheet.grid
    columns = _without_whole(grid, columns) if rows else columns
    is_measured = any(line.place not in grid.labels for each in columns for line in each.lines)
    if not is_measured and not rows and end[0] in ("documents.quickest", "documents.slowest"):
        columns = _timed(grid)
    columns, named = _without_texts(grid, columns) if not rows else (columns, None)
    if len(columns) == 1 and not rows:
        return _named_by(sheet, named, _extreme_of_column(sheet, columns[0].lines, end))
    if len(rows) == 1 and not columns:
        return _extreme_of_row(sheet, rows[0].lines, end)
    if not columns and not rows and len(grid.values) == 1 and any(grid.values[0].names):
        pairs = [(row, grid.values[0]) for row in grid.rows]
        return _ranked(sheet, pairs, end, measure=grid.values[0].name, is_by_row=True)
    return Unclear(f"which numbers of {sheet.label} are to be compared is not clear", ("name one column",))


def _extreme_of_column(sheet: Sheet, lines: Sequence[Line], end: tuple[str, int]) -> Looked:
    if len(lines) != 1:
        return Unclear(_both(sheet, "column", lines))
    if _is_mixed(sheet.grid) and not _is_one_measure(sheet.grid.rows, ""):
        return Unclear(f"the rows of {sheet.label} are different measures; their numbers cannot be compared")
    pairs = [(row, lines[0]) for row in sheet.grid.rows]
    return _ranked(sheet, pairs, end, measure=lines[0].name, is_by_row=True)


def _extreme_of_row(sheet: Sheet, lines: Sequence[Line], end: tuple[str, int]) -> Looked:
    if len(lines) != 1:
        return Unclear(_both(sheet, "row", lines))
    is_one = _share_a_title(sheet.grid) or _is_one_measure(sheet.grid.values, sheet.caption)
    if not _is_mixed(sheet.grid) and not _is_measure(lines[0].name) and not is_one:
        return Unclear(f"the columns of {sheet.label} may be different measures; name the one that is meant")
    pairs = [(lines[0], column) for column in sheet.grid.values]
    return _ranked(sheet, pairs, end, measure=lines[0].name, is_by_row=False)


def _without_whole(grid: Grid, columns: Sequence[Mention]) -> Sequence[Mention]:
    """The columns that are named, without a title over all of them: it names the table, and none of them."""
    everything = {column.place for column in grid.values}
    if len(everything) < 2:
        return columns
    return [each for each in columns if {line.place for line in each.lines} != everything]


def _timed(grid: Grid) -> tuple[Mention, ...]:
    """The one column of times or speeds; none where there are several."""
    telling = class_keys("documents.times") | class_keys("documents.speeds")
    found = [column for column in grid.values if frozenset(keys_of(column.name)) & telling]
    return (Mention((), (found[0],)),) if len(found) == 1 else ()


def _without_texts(grid: Grid, columns: Sequence[Mention]) -> tuple[Sequence[Mention], Line | None]:
    """The columns to be compared, and the one of texts that says what is to be named: "which author has the most
    pages"."""
    if len(columns) < 2:
        return columns, None
    texts = [each for each in columns if not any(_has_numbers(grid, line) for line in each.lines)]
    named = texts[0].lines[0] if len(texts) == 1 and len(texts[0].lines) == 1 else None
    return [each for each in columns if each not in texts], named


def _has_numbers(grid: Grid, column: Line) -> bool:
    return any(cell_number(grid.text(row, column)) is not None for row in grid.rows)


def _named_by(sheet: Sheet, column: Line | None, found: Looked) -> Looked:
    """What was found with what a column of texts says of it, where that is asked for."""
    if column is None or not isinstance(found, Found) or not found.sources:
        return found
    first = found.sources[0].label
    row = next((each for each in sheet.grid.rows if f"row “{shown(each.name)}”," in first), None)
    text = "" if row is None else sheet.grid.text(row, column)
    return found if not text else replace(found, text=f"{found.text} Its {column.name} is {text}.")


def _is_mixed(grid: Grid) -> bool:
    """Whether the rows are measures, so that a column holds different things."""
    corner = frozenset(keys_of(grid.corner))
    return bool(corner) and corner <= class_keys("documents.measure_corners")


def _share_a_title(grid: Grid) -> bool:
    """Whether one title stands over all columns of values: they are cases of one thing."""
    titles = {column.names[0] for column in grid.values if len(column.names) > 1}
    return (
        len(titles) == 1 and all(titles) and len(grid.values) > 1 and all(len(each.names) > 1 for each in grid.values)
    )


def _is_one_measure(lines: Sequence[Line], caption: str) -> bool:
    """Whether rows or columns are cases of one measure: all names have its word, or none has a word of a measure and
    the caption has one alone."""
    measures = class_keys("documents.measures")
    own = [measures.intersection(key for name in line.names for key in keys_of(name)) for line in lines]
    if own and frozenset.intersection(*own):
        return True
    return not any(own) and len(measures.intersection(keys_of(caption))) == 1


def _is_measure(name: str) -> bool:
    return bool(frozenset(keys_of(name)) & class_keys("documents.measures"))


def _ranked(
    sheet: Sheet, pairs: Sequence[tuple[Line, Line]], end: tuple[str, int], *, measure: str, is_by_row: bool
) -> Looked:
    target = _target(sheet.asked, end) if end[0] == "documents.nearest" else None
    direction: End | None = "lowest" if target is not None else _direction(end[0], measure)
    if direction is None:
        return Unclear(f"whether more or less of “{measure}” is better is not said; ask for the highest or the lowest")
    compared = _compared(sheet, pairs, end[1], measure, is_by_row=is_by_row)
    if isinstance(compared, Unclear):
        return compared
    numbers, unread, references = compared
    if unread or len(numbers) < 2 or len({number.unit for number, _, _ in numbers}) > 1:
        why = f" (“{unread[0][:40]}” is not one number)" if unread else ""
        return Unclear(f"the numbers under “{measure}” in {sheet.label} cannot all be compared{why}")
    if target is not None:
        return _nearest(sheet, numbers, target, measure, is_by_row=is_by_row)
    numbers.sort(key=lambda each: each[0].value, reverse=direction == "highest")
    rank = _rank(sheet.asked, end[1])
    if rank > 1:
        found = _at_rank(sheet, numbers, rank, measure, direction, is_by_row=is_by_row)
    else:
        found = _first_of(sheet, numbers, measure, direction, is_by_row=is_by_row)
    if isinstance(found, Found) and references:
        return replace(found, text=f"{found.text} The reference, without a number, is {_listed(references)}.")
    return found


def _compared(
    sheet: Sheet, pairs: Sequence[tuple[Line, Line]], end: int, measure: str, *, is_by_row: bool
) -> tuple[list[tuple[CellNumber, Line, Line]], list[str], list[str]] | Unclear:
    """The numbers to compare, the texts that are none, and the names of what the others are measured against."""
    numbers: list[tuple[CellNumber, Line, Line]] = []
    unread: list[str] = []
    references: list[str] = []
    for row, column in pairs:
        text = sheet.grid.text(row, column)
        number = number_meant(text, sheet.asked, end, row.name, column.name)
        line = row if is_by_row else column
        if text.casefold() in word_class("documents.references"):
            references.append(line.name)
        elif number is not None and is_by_row and not any(row.names):
            return Unclear(f"a row of {sheet.label} of {sheet.document} has no name as it was read")
        elif number is not None:
            if not _sums_up(line):
                numbers.append((number, row, column))
        elif not is_missing(text):
            unread.append(text)
        elif is_by_row and not row.is_head and not text.strip() and _has_other_numbers(sheet.grid, row, column):
            # A row of two lines may have left its number in the other one.
            return Unclear(f"“{shown(row.name)}” has no number under “{measure}” in {sheet.label} as it was read")
    return numbers, unread, references


def _has_other_numbers(grid: Grid, row: Line, column: Line) -> bool:
    others = (each for each in grid.values if each.place != column.place)
    return any(cell_number(grid.text(row, each)) is not None for each in others)


def _target(asked: Asked, end: tuple[str, int]) -> Decimal | None:
    """The number behind "closest to"."""
    behind = asked.words[end[1] + 1 : end[1] + 3]
    number = cell_number(behind[1].text) if len(behind) == 2 and behind[0].lower == "to" else None
    return None if number is None else number.value


def _nearest(
    sheet: Sheet, numbers: Sequence[tuple[CellNumber, Line, Line]], target: Decimal, measure: str, *, is_by_row: bool
) -> Looked:
    ordered = sorted(numbers, key=lambda each: abs(each[0].value - target))
    if abs(ordered[0][0].value - target) == abs(ordered[1][0].value - target):
        return Unclear(f"two numbers under “{measure}” in {sheet.label} are equally near to {target}")
    _, row, column = ordered[0]
    name, text = (row if is_by_row else column).name, sheet.grid.text(row, column)
    said = f"In {sheet.label} of {sheet.document} “{name}” has the {measure} nearest to {target}: {text}."
    return Found(said, f"{name} {text}", (sheet.source(row, column),), number=text)


def _rank(asked: Asked, place: int) -> int:
    """Which place is asked for: 2 for "the second highest"."""
    before = asked.words[place - 1].lower if place else ""
    return max(1, int(word_pairs("documents.first").get(before, "1")))


def _at_rank(
    sheet: Sheet,
    numbers: Sequence[tuple[CellNumber, Line, Line]],
    rank: int,
    measure: str,
    end: End,
    *,
    is_by_row: bool,
) -> Looked:
    values = [number.value for number, _, _ in numbers]
    if rank > len(numbers) or values.count(values[rank - 1]) > 1 or len(set(values[:rank])) < rank:
        return Unclear(f"which number under “{measure}” in {sheet.label} is at that place is not clear: some are equal")
    _, row, column = numbers[rank - 1]
    name, text = (row if is_by_row else column).name, sheet.grid.text(row, column)
    said = f"In {sheet.label} of {sheet.document} “{name}” is number {rank} from the {end} {measure}: {text}."
    return Found(said, f"{name} {text}", (sheet.source(row, column),), number=text)


def _sums_up(line: Line) -> bool:
    keys = [key for name in line.names for key in keys_of(name)]
    return bool(keys) and frozenset(keys) <= class_keys("documents.summary_rows")


def _first_of(
    sheet: Sheet, numbers: Sequence[tuple[CellNumber, Line, Line]], measure: str, end: End, *, is_by_row: bool
) -> Looked:
    best = numbers[0][0].value
    first = [each for each in numbers if each[0].value == best]
    names = [(row if is_by_row else column).name for _, row, column in first]
    texts = [shown(sheet.grid.text(row, column)) for _, row, column in first]
    verb = "has" if len(names) == 1 else "have"
    said = f"In {sheet.label} of {sheet.document} {_listed(names)} {verb} the {end} {shown(measure)}: {texts[0]}"
    sources = [sheet.source(row, column) for _, row, column in first[:_MOST_NAMED]]
    core = f"{_listed(names)} {texts[0]}"
    if len(first) > 1 or len(first) == len(numbers):
        return Found(f"{said}.", core, tuple(sources), number=texts[0])
    _, row, column = second = numbers[1]
    gap = _computed("-", [numbers[0], second] if end == "highest" else [second, numbers[0]])
    if gap is None:
        return Found(f"{said}.", core, tuple(sources), number=texts[0])
    other = (row if is_by_row else column).name
    way = "more" if end == "highest" else "less"
    return Found(
        f"{said}, {gap[1]} {way} than {shown(other)} ({shown(sheet.grid.text(row, column))}).",
        core,
        (*sources, sheet.source(row, column)),
        (gap[0],),
        number=texts[0],
    )


def _listed(names: Sequence[str]) -> str:
    quoted = [f"“{shown(name)}”" for name in names[:_MOST_NAMED]]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def _both(sheet: Sheet, what: str, lines: Iterable[Line]) -> str:
    names = _listed([line.name for line in lines])
    return f"in {sheet.label} of {sheet.document} several {what}s can be meant: {names}"


# ---- cells, and what is computed from them


def _cells(sheet: Sheet, rows: Sequence[Mention], columns: Sequence[Mention], *, covered: frozenset[int]) -> Looked:
    """The cells that are named, or what is computed from them."""
    operation = _operation(sheet.asked.using(covered))
    rows, columns = _completed(sheet, rows, columns, operation)
    if not rows or not columns or len(rows) * len(columns) > (_MOST_CELLS if operation is None else _MOST_COMPUTED):
        return None
    picked: list[tuple[Line, Line]] = []
    for named in product(rows, columns):
        cell = _one_cell(sheet, *named)
        if isinstance(cell, Unclear):
            return cell
        picked.append(cell)
    each_once = list(dict.fromkeys(picked))
    if any(sheet.grid.is_torn_at(row) for row, _ in each_once):
        return Unclear(_torn(sheet))
    if operation is not None:
        # Two names of one cell leave nothing to compute.
        return _operated(sheet, picked, operation) if 1 < len(picked) == len(each_once) else None
    return _quoted(sheet, each_once)


def _quoted(sheet: Sheet, picked: Sequence[tuple[Line, Line]]) -> Looked:
    """Cells as they are printed."""
    grid = sheet.grid
    unusable = next((why for cell in picked if (why := _unusable(sheet, *cell))), "")
    if unusable:
        return Unclear(unusable)
    if sheet.asked.is_counting and any(cell_number(grid.text(*cell)) is None for cell in picked):
        return None
    parts = [f"{shown(row.name)}, {shown(column.name)}: {shown(grid.text(row, column))}" for row, column in picked]
    core = "; ".join(shown(grid.text(row, column)) for row, column in picked)
    said = f"{'; '.join(parts)} ({sheet.label} of {sheet.document})."
    spread = spread_asked(sheet.asked)
    if spread and not any(is_own(spread, row.name, column.name) for row, column in picked):
        beside = [
            spread_beside(spread, grid.text(row, column), row.name, column.name, grid.corner, sheet.caption)
            for row, column in picked
        ]
        if not all(beside):
            return Unclear(f"{sheet.label} of {sheet.document} does not say a {spread} there")
        core = "; ".join(map(shown, beside))
        said = f"{said} The {spread} is what stands beside the value: {core}."
        return Found(said, core, tuple(sheet.source(row, column) for row, column in picked))
    number = core if len(picked) == 1 and cell_number(core) is not None else ""
    return Found(said, core, tuple(sheet.source(row, column) for row, column in picked), number=number)


def _unusable(sheet: Sheet, row: Line, column: Line) -> str:
    """Why a cell says nothing that can be passed on; empty where it does."""
    text, where = sheet.grid.text(row, column), f"row “{row.name}”, column “{column.name}”"
    if is_missing(text):
        return f"{sheet.label} of {sheet.document} has nothing in {where}"
    if ends_open(text) or _is_odd(sheet.grid, row, column):
        return f"what {sheet.label} of {sheet.document} has in {where} was not surely read; look at its page"
    return ""


def _is_odd(grid: Grid, row: Line, column: Line) -> bool:
    """Whether a cell has letters and digits in one where all others of its row are numbers: signs read wrongly."""
    text = grid.text(row, column)
    if cell_number(text) is not None or not text.isalnum() or text.isalpha():
        return False
    others = [grid.text(row, each) for each in grid.values if each.place != column.place]
    return len(others) > 1 and all(cell_number(each) is not None for each in others)


def _completed(
    sheet: Sheet, rows: Sequence[Mention], columns: Sequence[Mention], operation: str | None
) -> tuple[Sequence[Mention], Sequence[Mention]]:
    """The names with those that need not be said: the only row, the only column of values, all rows together."""
    grid = sheet.grid
    if not columns and len(grid.values) == 1 and any(grid.values[0].names):
        columns = (Mention((), (grid.values[0],)),)
    if not rows and len(grid.rows) == 1:
        rows = (Mention((), (grid.rows[0],)),)
    is_over_all = operation in ("+", "mean") and sheet.asked.has("documents.everything") and not _is_mixed(grid)
    if not rows and is_over_all:
        rows = tuple(Mention((), (row,)) for row in grid.rows if not _sums_up(row))
    return rows, columns


def _one_cell(sheet: Sheet, row: Mention, column: Mention) -> tuple[Line, Line] | Unclear:
    """The cell that two names mean. Several rows of one name will do where they say the same."""
    texts = {sheet.grid.text(r, c) for r in row.lines for c in column.lines}
    if len(texts) == 1:
        return row.lines[0], column.lines[0]
    filled = [(r, c) for r in row.lines for c in column.lines if sheet.grid.text(r, c).strip()]
    if len(filled) == 1 and len(row.lines) == 1:
        # A row may have one cell under a title over several columns.
        return filled[0]
    rows, columns = _told_apart(row.lines, sheet.asked), _told_apart(column.lines, sheet.asked)
    if len(rows) > 1:
        return Unclear(_both(sheet, "row", rows), ("name one of them",))
    if len(columns) > 1:
        return Unclear(_both(sheet, "column", columns), ("name one of them",))
    return rows[0], columns[0]


def _told_apart(lines: Sequence[Line], asked: Asked) -> Sequence[Line]:
    """The one of several rows or columns of which a word is in the question in another form: that which expires has a
    date of expiration. All of them where that tells nothing."""
    if len(lines) < 2:
        return lines
    own = [frozenset(_LONG_WORD.findall(line.name.casefold())) for line in lines]
    shared = frozenset.intersection(*own)
    said = frozenset(_LONG_WORD.findall(asked.text.casefold()))
    named = [
        line
        for line, words in zip(lines, own, strict=True)
        if any(are_forms(one, other) for one in words - shared for other in said)
    ]
    return named if len(named) == 1 else lines


def _operation(asked: Asked) -> str | None:
    if _MEANS.search(asked.text):
        return None
    for name, sign in (
        ("documents.ratios", "/"),
        ("documents.averages", "mean"),
        ("documents.sums", "+"),
        ("documents.differences", "-"),
    ):
        if asked.has(name):
            return sign
    return None


def _operated(sheet: Sheet, picked: Sequence[tuple[Line, Line]], operation: str) -> Looked:
    numbers = []
    for row, column in picked:
        number = number_meant(sheet.grid.text(row, column), sheet.asked, None, row.name, column.name)
        if number is None:
            if is_missing(sheet.grid.text(row, column)) and operation in ("+", "mean") and len(picked) > 2:
                continue
            return Unclear(f"“{sheet.grid.text(row, column)[:40]}” in {sheet.label} is not one number")
        numbers.append((number, row, column))
    if len({number.unit for number, _, _ in numbers}) > 1 or len(numbers) < 2:
        return Unclear(f"the numbers of {sheet.label} that are named have different units or are missing")
    if operation in ("-", "/") and len(numbers) != 2:
        return Unclear(f"a {'difference' if operation == '-' else 'ratio'} is of two numbers; {len(numbers)} are named")
    lowered = sheet.asked.text.lower()
    if operation == "-" and "percent" in lowered and "point" not in lowered:
        return Unclear("whether a difference in points or a share of one of the numbers is meant is not clear")
    note = _premise(sheet, picked, numbers) if operation == "-" else ""
    if operation == "-":
        numbers.sort(key=lambda each: -each[0].value)
    computed = _computed(operation, numbers)
    if computed is None:
        return Unclear("the numbers cannot be computed with")
    line, result = computed
    names = {"-": "difference", "/": "ratio", "+": "sum", "mean": "average"}
    cells = "; ".join(
        f"{shown(row.name)}, {shown(column.name)}: {shown(sheet.grid.text(row, column))}"
        for _, row, column in numbers[:_MOST_CELLS]
    )
    said = f"The {names[operation]} is {result}: {line.text} ({sheet.label} of {sheet.document}; {cells}).{note}"
    sources = tuple(sheet.source(row, column) for _, row, column in numbers[:_MOST_CELLS])
    return Found(said, result, sources, (line,), number=result)


def _premise(
    sheet: Sheet, picked: Sequence[tuple[Line, Line]], numbers: Sequence[tuple[CellNumber, Line, Line]]
) -> str:
    """What to say where the question takes the larger number for the smaller one, or the other way round."""
    (first, *line), (second, *_) = numbers[0], numbers[1]
    if first.value == second.value:
        return ""
    is_larger = first.value > second.value
    if not sheet.asked.has("documents.says_smaller" if is_larger else "documents.says_larger"):
        return ""
    return f" The {'larger' if is_larger else 'smaller'} one is that of {_thing(picked, line[0], line[1])}."


def _thing(picked: Sequence[tuple[Line, Line]], row: Line, column: Line) -> str:
    """What tells a cell from the others that are named: its row, or its column."""
    return f"“{row.name if len({each.place for each, _ in picked}) > 1 else column.name}”"


def _computed(operation: str, numbers: Sequence[tuple[CellNumber, Line, Line]]) -> tuple[WorkingLine, str] | None:
    """A line of working and its result, by the calculator."""
    values = [number.value for number, _, _ in numbers]
    shown = [f"{value:f}" for value in values]
    bracketed = [text if not text.startswith("-") else f"({text})" for text in shown]
    if operation == "mean":
        expression = f"({' + '.join(bracketed)}) / {len(values)}"
    else:
        expression = f" {operation} ".join(bracketed)
    reading = read_python_text(expression)
    if isinstance(reading, Declined) or reading.expression is None:
        return None
    exact = evaluate(reading.expression, {})
    if isinstance(exact, Failure):
        return None
    decimals = max(number.decimals for number, _, _ in numbers)
    unit = numbers[0][0].unit if operation != "/" else ""
    value = _decimal(exact)
    if operation == "/":
        result = f"{value:.4g}"
    else:
        result = f"{value:.{decimals + (operation == 'mean')}f}"
    sign = "=" if Decimal(result) == value else "≈"
    if unit == "%" and operation == "-":
        unit = " percentage points"
    elif unit and unit != "%":
        unit = f" {unit}"
    return WorkingLine(f"{expression} {sign} {result}{unit}"), f"{result}{unit}"


def _decimal(exact: int | float | Fraction) -> Decimal:
    fraction = Fraction(exact)
    return Decimal(fraction.numerator) / Decimal(fraction.denominator)
