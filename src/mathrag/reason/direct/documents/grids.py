"""A table read for whoever looks up a cell by names: which rows are its header, what each row and column is called,
which rows were not told apart. Headers of several rows, merged cells and titles among the rows each give a name.

Knows no question. What is not surely a number is none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from mathrag.reason.direct.documents.cell_numbers import RAISED, STYLE, cell_number, is_missing, runs_together
from mathrag.reason.direct.documents.plain_signs import readable
from mathrag.reason.direct.documents.whole_rows import whole_rows
from mathrag.retrieve.document_parts import TablePart

_MOST_HEADER_ROWS = 6
_LONGEST_NAME = 40
_STARS = re.compile(r"\\ast\b|[∗⋆★]|\\star\b")
_STYLED = re.compile(r"\\(?:text|math)(?:bf|it|rm|tt|sf|sc)?\s?\{([^{}]*)\}|\\boldsymbol(?=\s?\{)")
_SHORT_GROUP = re.compile(r"([_^])\{(\w{1,4}|-\d{1,2})\}")
_EMPTY_BOLD = 4
_CAPTION = re.compile(r"\s*(?:table|tab\.)\s*(?:\d|[IVX])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Line:
    """A row or a column: its place in the table, from 0, and its names, one for each level. `also` are the short texts
    in other columns, by which a row may be known. `is_head` where a row is the title of those below it and has cells
    of its own, a test of them all."""

    place: int
    names: tuple[str, ...]
    also: tuple[str, ...] = ()
    is_head: bool = False

    @property
    def name(self) -> str:
        """Its names in one, each once."""
        return " / ".join(dict.fromkeys(each for each in self.names if each)) or f"number {self.place + 1}"


@dataclass(frozen=True, slots=True)
class Grid:
    """A table with the names of its rows and columns. `labels` are the columns that name the rows,
    `broken` the places of rows whose numbers go on in the next line."""

    rows: tuple[Line, ...]
    columns: tuple[Line, ...]
    cells: tuple[tuple[str, ...], ...]
    labels: tuple[int, ...]
    has_header: bool
    has_groups: bool
    corner: str
    broken: frozenset[int] = frozenset()

    def text(self, row: Line, column: Line) -> str:
        """What stands in a cell; empty where the row ends before."""
        line = self.cells[row.place]
        return line[column.place].strip() if column.place < len(line) else ""

    @property
    def is_torn(self) -> bool:
        """Whether rows run together in it, so that its rows cannot be counted or compared."""
        return any(self.is_torn_at(row) for row in self.rows)

    def is_torn_at(self, row: Line) -> bool:
        """Whether a row holds several that were not told apart, so that no cell of it can be trusted."""
        return row.place in self.broken or any(runs_together(self.text(row, column)) for column in self.values)

    @property
    def values(self) -> tuple[Line, ...]:
        """The columns that do not name rows."""
        return tuple(each for each in self.columns if each.place not in self.labels)


def shown(text: str) -> str:
    """What a cell or a name says, for people: without marks of style, stars behind a number as stars."""
    stars = RAISED.sub(lambda match: "".join(re.findall(r"[*†‡§¶]", _STARS.sub("*", match[1]))), text)
    plain = _SHORT_GROUP.sub(r"\1\2", readable(_STYLED.sub(lambda match: match[1] or "\\mathbf", stars))).strip()
    return plain[2:-2] if plain.startswith("**") and plain.endswith("**") and len(plain) > _EMPTY_BOLD else plain


def grids_of(table: TablePart) -> tuple[Grid, ...]:
    """The names of the rows and columns of a table; where a row in the middle names the columns anew, one grid for each
    part."""
    header = _header_rows(table)
    table = _parted(_in_one_block(table, header), header)
    rows, doubtful = whole_rows(table.cells[header:])
    broken = frozenset(header + place for place in doubtful)
    cells = (*table.cells[:header], *rows)
    width = max((len(row) for row in cells), default=0)
    body = [place for place in range(header, len(cells)) if any(cells[place])]
    bands = _bands(cells, body, header)
    labels = _label_columns(
        cells, [place for place in body if place not in bands and not _is_group(cells[place])], width
    )
    if not bands:
        return (_grid(cells, cells[:header], body, labels, broken),)
    made = []
    heads = cells[:header]
    starts = [body[0], *bands]
    for start, end in zip(starts, [*bands, len(cells)], strict=True):
        if start in bands:
            heads = _renamed(cells[:header], cells[start])
        part = [place for place in body if start <= place < end and place not in bands]
        if part:
            made.append(_grid(cells, heads, part, labels, broken))
    return tuple(made)


def _in_one_block(table: TablePart, header: int) -> TablePart:
    """A long table that was set in several blocks side by side, each under the same titles, as one below the other."""
    width = max((len(row) for row in table.cells), default=0)
    if not header or any(len(row) != width for row in table.cells):
        return table
    for block in range(2, width // 2 + 1):
        titles = [[text.strip().casefold() for text in row] for row in table.cells[:header]]
        is_repeated = width % block == 0 and all(row == row[:block] * (width // block) for row in titles)
        if is_repeated and len(set(titles[-1][:block])) == block and all(titles[-1][:block]):
            starts = range(0, width, block)
            body = [row[start : start + block] for start in starts for row in table.cells[header:]]
            heads = [row[:block] for row in table.cells[:header]]
            return replace(table, cells=(*heads, *(row for row in body if any(text.strip() for text in row))))
    return table


# Two columns printed so near to each other that they were read as one: a value with its interval, and a probability.
_TWO_TITLES = re.compile(r"(?P<first>[^()]{1,40}\([^()]{1,40}\))\s*(?P<second>p(?:[ -]?values?)?)", re.IGNORECASE)
_TWO_CELLS = re.compile(
    r"(?P<first>[^()\[\]]{1,40}[(\[][^()\[\]]{1,40}[)\]])\s*(?P<second>[<>=≤≥]?\s?\d?\.\d{1,12}\**)"
)


def _parted(table: TablePart, header: int) -> TablePart:
    """The table with columns of values and probabilities apart that were read as one."""
    width = max((len(row) for row in table.cells), default=0)
    if not header or any(len(row) != width for row in table.cells):
        return table
    columns: list[list[tuple[str, ...]]] = []
    for column in range(width):
        texts = [row[column] for row in table.cells]
        columns.append(_halves(texts, header) or [(text,) for text in texts])
    rows = tuple(tuple(text for column in columns for text in column[row]) for row in range(len(table.cells)))
    return replace(table, cells=rows)


def _halves(texts: Sequence[str], header: int) -> list[tuple[str, ...]]:
    """A column as two; empty where it is one."""
    titles = _TWO_TITLES.fullmatch(shown(texts[header - 1]))
    if titles is None:
        return []
    made: list[tuple[str, ...]] = [(text, "") for text in texts[: header - 1]]
    made.append((titles["first"], titles["second"]))
    found = 0
    for text in texts[header:]:
        cells = _TWO_CELLS.fullmatch(shown(text))
        if cells is not None and cell_number(cells["first"]) is not None:
            made.append((cells["first"].strip(), cells["second"].strip()))
            found += 1
        elif any(map(str.isdigit, text)):
            return []
        else:
            made.append((text, ""))
    return made if found else []


def grid_of(table: TablePart) -> Grid:
    """The names of the rows and columns of a table, of its first part where columns are named anew further down."""
    return grids_of(table)[0]


def _grid(
    cells: Sequence[tuple[str, ...]],
    header: Sequence[tuple[str, ...]],
    body: Sequence[int],
    labels: tuple[int, ...],
    broken: frozenset[int],
) -> Grid:
    width = max((len(row) for row in cells), default=0)
    groups = {place for place in body if width > 1 and _is_group(cells[place])}
    lines = [place for place in body if place not in groups]
    heads = _heads(cells, body, groups, labels)
    spread = _spread_titles(header, labels, width)
    names = [_column_names(spread, column) for column in range(width)]
    return Grid(
        rows=tuple(_row_lines(cells, body, groups, heads, labels, _text_columns(cells, lines, labels, width))),
        columns=tuple(Line(column, names[column]) for column in range(width)),
        cells=tuple(cells),
        labels=labels,
        has_header=bool(header),
        has_groups=bool(groups),
        corner=" ".join(names[0]) if names else "",
        broken=broken,
    )


# In parts of the rows: a table of numbers has them in so many; only there can a row without any be a second header.
_NUMBERED = 0.6


def _bands(cells: Sequence[tuple[str, ...]], body: Sequence[int], header: int) -> list[int]:
    """The rows that name the columns anew: no number, no name of a row, or the one that the header has there."""
    corners = {row[0].strip() for row in cells[:header] if row}
    found = []
    for place in body[1:]:
        row = cells[place]
        others = {text.strip() for text in row[1:] if text.strip()}
        is_unnamed = not row[0].strip() or row[0].strip() in corners
        if is_unnamed and not _has_number(row) and len(others) > (0 if row[0].strip() else 1):
            found.append(place)
    numbered = sum(_has_number(cells[place]) for place in body)
    return found if header and numbered >= _NUMBERED * len(body) else []


def _renamed(header: Sequence[tuple[str, ...]], band: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """The header of the rows below a band: it stands for the level with as many titles, else it is one more."""
    count = len(_titles(band))
    same = [level for level, row in enumerate(header) if len(_titles(row)) == count]
    if not same:
        return (*header, band)
    return tuple(band if level == same[-1] else row for level, row in enumerate(header))


def _titles(row: Sequence[str]) -> list[tuple[int, int, str]]:
    """The titles of a row behind its first column, each with its first and last column: what spans columns is repeated
    in all of them."""
    found: list[tuple[int, int, str]] = []
    for column, text in enumerate(row):
        said = text.strip()
        if column and said:
            if found and found[-1][1] == column - 1 and found[-1][2] == said:
                found[-1] = (found[-1][0], column, said)
            else:
                found.append((column, column, said))
    return found


def _spread_titles(header: Sequence[tuple[str, ...]], labels: Sequence[int], width: int) -> tuple[tuple[str, ...], ...]:
    """The header with titles over groups of columns repeated over all of a group. Such titles stand in the middle of
    groups of one size; what does not is left as it is."""
    values = [column for column in range(width) if column not in labels]
    has_names = any(2 * len(_titles(row)) > len(values) for row in header)
    made = []
    for row in header:
        titles = [each for each in _titles(row) if each[0] in values]
        size = len(values) // len(titles) if titles else 0
        is_even = len(titles) > 1 and size > 1 and size * len(titles) == len(values)
        is_titled = all(text[0].isupper() or text[0].isdigit() for _, _, text in titles)
        groups = [values[place * size : (place + 1) * size] for place in range(len(titles))]
        is_inside = all(
            first in group and last in group for (first, last, _), group in zip(titles, groups, strict=True)
        )
        if has_names and is_even and is_titled and is_inside:
            line = [*row, *[""] * (width - len(row))]
            for (_, _, text), group in zip(titles, groups, strict=True):
                for column in group:
                    line[column] = text
            made.append(tuple(line))
        else:
            made.append(row)
    return tuple(made)


def ends_open(text: str) -> bool:
    """Whether a text cannot end where it does: the rest of it was read into another cell, or not at all."""
    plain = STYLE.sub("", text).strip()
    return len(plain) > 1 and (plain.endswith((",", ";", "-", "(", "/", "&")) or plain.count("(") > plain.count(")"))


def _header_rows(table: TablePart) -> int:
    """How many rows are the header: those said to be, and those below that have no name of their own and no number."""
    cells = table.cells
    count = min(table.header_rows, _MOST_HEADER_ROWS)
    if count == 0 and len(cells) > 1:
        later = any(_has_number(row) for row in cells[1:])
        is_first = not _has_number(cells[0]) and sum(map(bool, cells[0])) > 1
        is_first = is_first or _is_over_titles(cells)
        count = 1 if is_first and later and not _CAPTION.match(" ".join(cells[0])) else 0
    while 0 < count < min(len(cells) - 1, _MOST_HEADER_ROWS):
        if not _is_further_header(cells, count):
            break
        count += 1
    return count


def _is_further_header(cells: Sequence[Sequence[str]], place: int) -> bool:
    """Whether a row below a header is one, too: no number, and no name of its own but that of the first column, which
    may stand beside the lowest titles only."""
    row = cells[place]
    if _has_number(row) or len(set(row) - {""}) < 2:
        return False
    is_lowest = not cells[place - 1][0].strip() and all(text.strip() for text in row)
    return not row[0].strip() or (is_lowest and _has_number(cells[place + 1]))


def _is_over_titles(cells: Sequence[Sequence[str]]) -> bool:
    """Whether the first row holds titles over groups of columns, which may say a measure ("100 seconds"): nothing
    stands in its corner, and the row below has a title for each column."""
    first, second = cells[0], cells[1]
    titles = [text for text in first if text.strip()]
    is_worded = bool(titles) and all(any(map(str.isalpha, text)) for text in titles)
    is_below = not _has_number(second) and sum(bool(text.strip()) for text in second) > len(titles)
    return not first[0].strip() and not second[0].strip() and is_worded and is_below


def _has_number(row: Sequence[str]) -> bool:
    return any(cell_number(text) is not None or runs_together(text) for text in row)


def _is_group(row: Sequence[str]) -> bool:
    """Whether a row is a title for those below it, or a caption among them: one text and no number in all of it."""
    filled = [place for place, text in enumerate(row) if text.strip()]
    texts = {row[place] for place in filled}
    if len(texts) != 1 or cell_number(row[filled[0]]) is not None:
        return False
    # It stands at the left, or beside a column that only counts the rows, and may reach over others.
    return filled[0] <= 1


# So many titles in a table make it one of titles and what stands below them.
_FEWEST_TITLES = 2


def _heads(
    cells: Sequence[Sequence[str]], body: Sequence[int], groups: set[int], labels: Sequence[int]
) -> frozenset[int]:
    """The rows that are titles of those below and have cells of their own: a test of all that stands below. Such a row
    has nothing where those below it have something, and the reverse, to the right of that."""
    filled = {
        place: frozenset(at for at, text in enumerate(cells[place]) if at not in labels and text.strip())
        for place in body
    }
    heads = set()
    for place, below in pairwise(body):
        own, under = filled[place], filled[below]
        is_named = bool(cells[place][labels[0]].strip()) and below not in groups and place not in groups
        if is_named and own and under and own.isdisjoint(under) and max(under) < min(own):
            heads.add(place)
    return frozenset(heads) if len(heads) + len(groups) >= _FEWEST_TITLES else frozenset()


def _label_columns(cells: Sequence[Sequence[str]], lines: Sequence[int], width: int) -> tuple[int, ...]:
    """The columns from the left that hold names; the first always, and it alone where no column holds numbers."""
    worded = []
    for column in range(width):
        texts = [cells[line][column] for line in lines if column < len(cells[line])]
        filled = [text for text in texts if not is_missing(text)]
        numbers = sum(cell_number(text) is not None for text in filled)
        worded.append(2 * numbers < len(filled) or not filled)
    if all(worded) or width == 1:
        return (0,)
    # A first column of numbers before one of words counts the rows.
    start = 1 if not worded[0] and width > 2 and worded[1] else 0
    count = next((column for column in range(start, width) if not worded[column]), width)
    return tuple(range(max(1, count))) if count < width else (0,)


def _text_columns(cells: Sequence[Sequence[str]], lines: Sequence[int], labels: Sequence[int], width: int) -> list[int]:
    """Further columns of short texts, no two of them alike: each is another name of its row."""
    found = []
    for column in range(width):
        texts = [cells[line][column].strip() for line in lines if column < len(cells[line])]
        is_short = all(text and len(text) <= _LONGEST_NAME and cell_number(text) is None for text in texts)
        if column not in labels and is_short and len(set(texts)) == len(texts):
            found.append(column)
    return found


def _column_names(header: Sequence[Sequence[str]], column: int) -> tuple[str, ...]:
    """The names of a column, from the highest level down. A name that spans several columns was read into the first of
    them: a level above the lowest reaches to the right up to the next name."""
    names = []
    for level, row in enumerate(header):
        text = row[column].strip() if column < len(row) else ""
        if not text and level < len(header) - 1 and column > 0:
            below = [line[column].strip() if column < len(line) else "" for line in header[level + 1 :]]
            before = next((row[place].strip() for place in range(min(column, len(row)) - 1, 0, -1) if row[place]), "")
            # A title that begins after the first column of values stands in the middle of its group: how far it
            # reaches is not known.
            first = next((place for place, each in enumerate(row) if place and each.strip()), 0)
            text = before if any(below) and not _is_centred(header, first) else ""
        names.append(text)
    return tuple(names)


def _is_centred(header: Sequence[Sequence[str]], first: int) -> bool:
    return first > 1 and any(len(row) > 1 and row[1].strip() for row in header)


def _row_lines(
    cells: Sequence[Sequence[str]],
    body: Sequence[int],
    groups: set[int],
    heads: frozenset[int],
    labels: Sequence[int],
    texts: Sequence[int],
) -> list[Line]:
    """The rows with their names: the title above them, then what stands in the columns that name rows; a name that is
    left out is that of the row above where a further name stands beside it."""
    found: list[Line] = []
    group = ""
    above: tuple[str, ...] = ()
    for place in body:
        row = cells[place]
        if place in groups:
            title = next(text.strip() for text in row if text.strip())
            group = "" if _CAPTION.match(title) else title
            above = ()
            continue
        own = [row[column].strip() if column < len(row) else "" for column in labels]
        if place in heads:
            group, above = own[0], ()
            found.append(Line(place, ("", *own), is_head=True))
            continue
        for spot, text in enumerate(own):
            if text:
                break
            if above and len(labels) > 1:
                own[spot] = above[spot]
        above = tuple(own)
        found.append(Line(place, (group, *own), tuple(row[column].strip() for column in texts if column < len(row))))
    return found
