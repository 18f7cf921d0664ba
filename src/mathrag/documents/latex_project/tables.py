"""Rows and cells of a table while it is being read, and the blocks they become.

A row that is one cell across all columns is no data: a title splits the table and becomes a heading, anything longer
becomes a paragraph. Knows cells, not commands.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from mathrag.documents.latex_project.files import ProjectFiles
from mathrag.documents.latex_project.inlines import Inlines, Span
from mathrag.documents.latex_project.tokens import TexToken
from mathrag.types.document import Block, Break, Cell, Content, Heading, Math, Paragraph, Table, Text, plain_text

_MOST_COLUMNS = 500
MOST_CELLS_OF_ROW = 2_000
_LONGEST_TITLE = 120
_GROUP = re.compile(r"\s*\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}")
_BRACKETS = re.compile(r"\s*\[[^\[\]]*\]")
_COLUMN_LIST = re.compile(r"colspec\s*=\s*\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}")


@dataclass(slots=True)
class OpenCell:
    """A cell being filled."""

    inlines: Inlines
    token: TexToken
    columns: int = 1
    rows: int = 1
    is_spanning: bool = False
    has_box: bool = False
    nested: list[Block] = field(default_factory=list)
    only_nested: int = -1


@dataclass(slots=True)
class OpenTable:
    """A table being filled. `contents_rank` is what `\\addcontentsline` said about the row that is to come, `rank` that
    of the section around it."""

    token: TexToken
    columns: int
    cell: OpenCell
    is_nested: bool = False
    row: list[OpenCell] = field(default_factory=list)
    rows: list[list[OpenCell]] = field(default_factory=list)
    rules: dict[int, list[str]] = field(default_factory=dict)
    header: list[list[OpenCell]] = field(default_factory=list)
    caption: Content = ()
    parts: list[Block] = field(default_factory=list)
    deferred: list[Block] = field(default_factory=list)
    span: Span = field(default_factory=Span)
    contents_rank: int | None = None
    rank: int = 2

    def rule(self, name: str) -> None:
        """A line across the table stands before the row to come."""
        self.rules.setdefault(len(self.rows), []).append(name)

    def next_cell(self, token: TexToken) -> OpenCell:
        """Begin another cell of the row."""
        self.row.append(self.cell)
        self.cell = OpenCell(Inlines(), token)
        return self.cell


def count_columns(specification: str) -> int:
    """How many columns `p{5cm} *{3}{c} @{}r` has."""
    listed = _COLUMN_LIST.search(specification)
    if listed is not None:
        specification = listed.group(1)
    count = place = 0
    while place < len(specification) and count < _MOST_COLUMNS:
        letter = specification[place]
        place += 1
        if letter in "@!><":
            place = _after(_GROUP, specification, place)
        elif letter == "*":
            times = _GROUP.match(specification, place)
            place = times.end() if times else place
            repeated = _GROUP.match(specification, place)
            place = repeated.end() if repeated else place
            if times and repeated and times.group(1).strip().isdigit() and len(times.group(1)) < 5:
                inner = repeated.group(1)
                count += int(times.group(1)) * (count_columns(inner) if "*" not in inner else 1)
        elif letter.isalpha():
            count += 1
            while (after := _after(_GROUP, specification, _after(_BRACKETS, specification, place))) > place:
                place = after
    return max(1, min(count, _MOST_COLUMNS))


def _after(pattern: re.Pattern[str], text: str, place: int) -> int:
    match = pattern.match(text, place)
    return match.end() if match else place


def end_row(table: OpenTable, files: ProjectFiles, *, token: TexToken) -> None:
    """The row is complete: data, a title, a remark across the table, or nothing."""
    table.row.append(table.cell)
    row, table.row = table.row, []
    table.cell = OpenCell(Inlines(), token)
    for cell in row:
        if cell.inlines.span.file >= 0:
            table.span.add(
                TexToken("space", "", cell.inlines.span.file, cell.inlines.span.start, cell.inlines.span.stop)
            )
    visible = [cell for cell in row if not cell.inlines.is_blank]
    if not visible:
        return
    only = visible[0]
    spans_all = len(visible) == 1 and only.is_spanning and (only.columns >= table.columns or len(row) == 1)
    if not spans_all or table.is_nested or table.columns < 2:
        table.rows.append(row)
        return
    close_part(table, files, is_before_title=True)
    place, quote = only.inlines.span.place(files), only.inlines.span.quote(files)
    pieces = len(only.inlines.pieces)
    content = only.inlines.content()
    rank, table.contents_rank = table.contents_rank, None
    if only.nested and only.only_nested == pieces:
        table.parts.extend(only.nested)
    elif rank is not None or (not only.has_box and _is_title(content)):
        table.rank = rank or table.rank
        table.parts.append(Heading(place, quote, rank or min(table.rank + 1, 7), content))
    else:
        table.parts.append(Paragraph(place, quote, content))


def _is_title(content: Content) -> bool:
    text = plain_text(content).strip()
    has_break = any(isinstance(piece, Break) for piece in content)
    is_formula = all(isinstance(piece, Math) for piece in content)
    return len(text) <= _LONGEST_TITLE and not text.endswith(".") and not has_break and not is_formula


def close_part(table: OpenTable, files: ProjectFiles, *, is_before_title: bool = False) -> None:
    """The rows so far become a table; one cut off from its header by a title row gets it again."""
    rows, rules = table.rows, table.rules
    table.rows, table.rules = [], {}
    if not rows:
        return
    if is_before_title and not table.header and not table.parts and len(rows) in rules:
        table.header = rows
        return
    head = _header_length(rows, rules) if not table.header or table.parts else 0
    header = rows[:head] or table.header
    if head:
        table.header = header
    span = Span()
    for row in rows:
        for cell in row:
            if cell.inlines.span.file >= 0:
                span.add(TexToken("space", "", cell.inlines.span.file, cell.inlines.span.start, cell.inlines.span.stop))
    if span.file < 0:
        span.add(table.token)
    table.parts.append(
        Table(
            span.place(files),
            span.quote(files),
            tuple(_cells(row, files, is_header=True) for row in header),
            tuple(_cells(row, files, is_header=False) for row in rows[head:]),
        )
    )


def _cells(row: list[OpenCell], files: ProjectFiles, *, is_header: bool) -> tuple[Cell, ...]:
    return tuple(
        Cell(
            cell.inlines.content(),
            cell.inlines.span.place(files)
            if cell.inlines.span.file >= 0
            else files.place(cell.token.file, cell.token.start),
            columns=cell.columns,
            rows=cell.rows,
            is_header=is_header,
        )
        for cell in row
    )


def _header_length(rows: list[list[OpenCell]], rules: dict[int, list[str]]) -> int:
    """How many of the first rows are the header: those above the first rule that is not everywhere."""
    inner = [index for index in range(1, min(4, len(rows))) if index in rules]
    if any("midrule" in rules[index] for index in inner):
        return next(index for index in inner if "midrule" in rules[index])
    if inner:
        return inner[0] if _parts_header(rows, rules, inner[0]) else 0
    has_bold_later = any(_is_bold([cell]) for row in rows[1:] for cell in row)
    return 1 if len(rows) > 1 and len(rows[0]) > 1 and _is_bold(rows[0]) and not has_bold_later else 0


def _parts_header(rows: list[list[OpenCell]], rules: dict[int, list[str]], first: int) -> bool:
    """Whether the first rule inside a table stands under its header and not merely between any two rows."""
    lined = sum(1 for index in range(1, len(rows)) if index in rules)
    if lined < len(rows) - 1 or len(rules[first]) > 1 or (len(rows) == 2 and len(rules) > 1):
        return True
    return _is_worded(rows[0]) and not all(_is_worded(row) for row in rows[1:])


def _is_worded(row: list[OpenCell]) -> bool:
    """Only words in every cell: no formula, no digit."""
    contents = [cell.inlines.content() for cell in row]
    return all(
        isinstance(piece, Text) and not any(character.isdigit() for character in piece.text)
        for content in contents
        for piece in content
    )


def _is_bold(row: list[OpenCell]) -> bool:
    contents = [content for cell in row if (content := cell.inlines.content())]
    pieces = [piece for content in contents for piece in content if not (isinstance(piece, Text) and piece.text == " ")]
    return bool(contents) and all(isinstance(piece, Text) and piece.bold for piece in pieces)


def end_head(table: OpenTable, name: str) -> None:
    """`\\endfirsthead`, `\\endhead`, `\\endfoot` of longtable: the rows so far repeat on every page."""
    rows, table.rows, table.rules = table.rows, [], {}
    if name in ("endfirsthead", "endhead") and not table.header:
        table.header = rows


def flattened(table: OpenTable) -> Content:
    """The cells of a table inside a cell, one after the other: formulas on lines of their own, words side by side."""
    pieces: list[Text | Math | Break] = []
    for row in [*table.header, *table.rows]:
        contents = [content for cell in row if (content := cell.inlines.content())]
        is_formulas = all(any(isinstance(piece, Math) for piece in content) for content in contents)
        for number, content in enumerate(contents):
            if pieces:
                pieces.append(Break() if is_formulas or not number else Text("; "))
            pieces.extend(content)
    return tuple(pieces)
