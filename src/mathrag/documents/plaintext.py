"""Plain text to a `Document`: paragraphs, headings, lists, tables and formulas told by how the lines look."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from pathlib import PurePath

from mathrag.documents.arrangement import arrange, find_abstract, names_references
from mathrag.documents.decoding import decode
from mathrag.documents.math_in_text.delimiters import DelimiterReader, formula_source, number_of
from mathrag.documents.math_in_text.explicit_lines import formulas_in_line
from mathrag.documents.math_in_text.several_lines import Stretch, displays_of, stretch_of_several
from mathrag.documents.math_in_text.typed_lines import find_formula
from mathrag.documents.seams import ReadingLimits, Source
from mathrag.documents.source_map import SourceText
from mathrag.errors import DocumentError
from mathrag.types.document import (
    Block,
    Cell,
    Content,
    Display,
    Document,
    Heading,
    Inline,
    ListItem,
    Math,
    Paragraph,
    Place,
    Table,
    Text,
    plain_text,
)

# One line of plain text as words and formulas: between dollar signs, in LaTeX brackets, or in plain words.

_SPACES = re.compile(r" {2,}")
_SIGN = re.compile(r"[$\\]|@(?=f[$\[({])")
_NUMBER = re.compile(r"[\s.…·]*\(\s*([A-Z]{0,2}\.?\d+(?:[.\-–]\d+)*[a-z]?)\s*\)\s*")


def line_content(source: SourceText, start: int, end: int, *, is_alone: bool) -> Content:
    """The pieces of a line. With `is_alone`, a formula that fills it counts as displayed."""
    text = source.text[start:end]
    pieces: list[Inline] = []
    place = source.place(start, end)
    if _SIGN.search(text):
        pieces.extend(_delimited(source, start, text))
    if not any(isinstance(piece, Math) for piece in pieces):
        pieces = _undelimited(text, place)
    return _numbered(pieces, is_alone=is_alone)


def _undelimited(text: str, place: Place) -> list[Inline]:
    """The formulas in plain words or with whole names, and the words around them."""
    pieces: list[Inline] = []
    done = 0
    for found in formulas_in_line(text):
        if found.start > done:
            pieces.append(Text(text[done : found.start]))
        pieces.append(Math(found.source, found.notation, place, text[found.start : found.end]))
        done = found.end
    if done < len(text):
        pieces.append(Text(text[done:]))
    return pieces


def _delimited(source: SourceText, offset: int, text: str) -> list[Inline]:
    finder = DelimiterReader(text)
    pieces: list[Inline] = []
    done = 0
    found = _SIGN.search(text)
    while found:
        at = found.start()
        if text[at] == "@":
            span = finder.at_doxygen(at)
        else:
            span = finder.at_dollar(at) if text[at] == "$" else finder.at_backslash(at)
        if span is None:
            found = _SIGN.search(text, at + (2 if text[at] == "\\" else 1))
            continue
        if span.start > done:
            pieces.append(Text(text[done : span.start]))
        inner = text[span.inner_start : span.inner_end]
        place = source.place(offset + span.start, offset + span.end)
        quote = text[span.start : span.end]
        pieces.append(Math(formula_source(inner), "latex", place, quote, span.is_display, number_of(inner)))
        done = span.end
        found = _SIGN.search(text, done)
    if done < len(text):
        pieces.append(Text(text[done:]))
    return pieces


def _numbered(pieces: list[Inline], *, is_alone: bool) -> Content:
    """A number at the end of the line belongs to the formula that fills the rest of it."""
    if not pieces or not isinstance(pieces[0], Math) or len(pieces) > 2:
        return tuple(pieces)
    math = pieces[0]
    if len(pieces) == 1:
        return (replace(math, is_display=True),) if is_alone else (math,)
    last = pieces[1]
    found = _NUMBER.fullmatch(last.text) if isinstance(last, Text) else None
    if found:
        return (replace(math, number=found.group(1), is_display=True),)
    return tuple(pieces)


# Tables drawn in plain text: with bars, with tabs, or with columns that line up. Takes only what is clear.

_DASHES = re.compile(r"[-=]{2,}")
_GAP = re.compile(r"\s{2,}")
_MOST_ROWS = 5_000
Span = tuple[int, int]


def find_table(source: SourceText, first: int, after: int) -> tuple[Table, int] | None:
    """The table that begins on a line, and how many lines it takes; None where there is none."""
    if after - first < 2:
        return None
    text = _line(source, first)
    if "|" not in text and "\t" not in text and "  " not in text.strip() and not text.startswith("+"):
        return None
    stop = min(after, first + _MOST_ROWS)
    return (
        _barred(source, first, stop)
        or _ruled(source, first, stop)
        or _tabbed(source, first, stop)
        or _aligned(source, first, stop)
    )


def _line(source: SourceText, line: int) -> str:
    start, end = source.line_span(line)
    return source.text[start:end]


def _barred(source: SourceText, first: int, after: int) -> tuple[Table, int] | None:
    """`| a | b |` rows with a rule below the header; rules elsewhere only frame."""
    rows: list[tuple[int, list[Span]]] = []
    header, stop = 0, first
    for line in range(first, after):
        text = _line(source, line)
        if _is_rule(text):
            if line > first and stop == line and _is_rule(_line(source, line - 1)):
                break
            header = header or len(rows)
        elif "|" in text:
            cells = _between_bars(text)
            if len(cells) < 2 or (rows and len(cells) != len(rows[0][1])) or (len(rows) > 2 and not header):
                break
            rows.append((line, cells))
        else:
            break
        stop = line + 1
    is_clear = len(rows) >= 2 and header
    return (_table(source, first, stop, rows, header=header), stop - first) if is_clear else None


def _is_rule(text: str) -> bool:
    return ("--" in text or "==" in text) and not text.strip(" \t-=+|:")


def _between_bars(text: str) -> list[Span]:
    edges = [-1, *(found.start() for found in re.finditer(r"\|", text)), len(text)]
    cells = [(before + 1, after) for before, after in pairwise(edges)]
    cells = cells[1:] if not text[: cells[0][1]].strip() else cells
    return cells[:-1] if cells and not text[cells[-1][0] :].strip() else cells


def _ruled(source: SourceText, first: int, after: int) -> tuple[Table, int] | None:
    """A header, a line of dashes with gaps that shows the columns, and rows below."""
    rule_line = first + 1
    rule = _line(source, rule_line)
    columns = [found.span() for found in _DASHES.finditer(rule)]
    if len(columns) < 2 or _DASHES.sub("", rule).strip() or after - rule_line < 2:
        return None
    starts = [start for start, _ in columns]
    rows = []
    stop = first
    for line in range(first, after):
        text = _line(source, line)
        if line == rule_line or not _DASHES.sub("", text).strip():
            stop = line + 1
            continue
        cells = _cut_at(text, starts)
        if cells is None:
            break
        rows.append((line, cells))
        stop = line + 1
    is_clear = len(rows) >= 2 and stop > rule_line
    return (_table(source, first, stop, rows, header=1), stop - first) if is_clear else None


def _cut_at(text: str, starts: list[int]) -> list[Span] | None:
    """The cells of a row by the columns of its rule; None where words run across a border."""
    if any(0 < start < len(text) and text[start - 1] not in " \t" for start in starts[1:]):
        return None
    edges = [0, *starts[1:], max(len(text), starts[-1])]
    return [(edges[at], min(edges[at + 1], len(text))) for at in range(len(edges) - 1)]


def _tabbed(source: SourceText, first: int, after: int) -> tuple[Table, int] | None:
    count = _line(source, first).strip().count("\t")
    stop = first
    while stop < after and count and _line(source, stop).rstrip().count("\t") == count:
        stop += 1
    if stop - first < 2:
        return None
    rows = []
    for line in range(first, stop):
        text = _line(source, line)
        edges = [-1, *(found.start() for found in re.finditer("\t", text)), len(text)]
        rows.append((line, [(edges[at] + 1, edges[at + 1]) for at in range(count + 1)]))
    return _table(source, first, stop, rows, header=1), stop - first


def _aligned(source: SourceText, first: int, after: int) -> tuple[Table, int] | None:
    """Three rows or more whose columns all begin at the same places."""
    columns = _columns(_line(source, first))
    if len(columns) < 2:
        return None
    starts = [start for start, _ in columns]
    rows = [(first, columns)]
    for line in range(first + 1, after):
        cells = _columns(_line(source, line))
        if [start for start, _ in cells] != starts:
            break
        rows.append((line, cells))
    if len(rows) < 3:
        return None
    stop = first + len(rows)
    return _table(source, first, stop, rows, header=1), len(rows)


def _columns(text: str) -> list[Span]:
    start = len(text) - len(text.lstrip())
    end = len(text.rstrip())
    cells: list[Span] = []
    for gap in _GAP.finditer(text, start, end):
        cells.append((start, gap.start()))
        start = gap.end()
    if end > start:
        cells.append((start, end))
    return cells


def _table(source: SourceText, first: int, stop: int, rows: list[tuple[int, list[Span]]], *, header: int) -> Table:
    made = [
        tuple(_cell(source, line, span, is_header=index < header) for span in cells)
        for index, (line, cells) in enumerate(rows)
    ]
    start, end = source.lines_quote(first, stop)
    return Table(source.place(start, end), source.text[start:end], tuple(made[:header]), tuple(made[header:]))


def _cell(source: SourceText, line: int, span: Span, *, is_header: bool) -> Cell:
    offset = source.line_span(line)[0]
    text = source.text[offset + span[0] : offset + span[1]]
    start = offset + span[0] + len(text) - len(text.lstrip())
    end = max(start, offset + span[1] - (len(text) - len(text.rstrip())))
    content = line_content(source, start, end, is_alone=False)
    return Cell(content, source.place(start, end), is_header=is_header)


_UNDERLINE = re.compile(r"(=|-|~|\*|_|\^)\1{2,}\s*")
_NUMBERED_HEADING = re.compile(r"((?:\d{1,3}\.)*\d{1,3}\.?|[IVX]{1,5}\.|[A-Z]\.(?:\d{1,3}\.?)*)\s{1,4}([A-Z][^.=]*)")
_NAMED_HEADING = re.compile(r"(?:chapter|section|part|appendix)\s+[\dA-Z]{1,4}\b[^=]*", re.IGNORECASE)
_BULLET = re.compile(r"(\s*)([-*•‣–▪◦+]|\[\d{1,3}\]|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,4})[.)])\s+(?=\S)")
_MEANING = re.compile(r"\s*(\S{1,12}(?:\s*\([a-z]\))?)\s*(=|:|-|–|—|\bis\b|\bare\b)\s+(?=[^\W\d_]{2})")
_WHERE = re.compile(
    r"(?:where|with|in which|here|symbols|nomenclature|notation|variables|legend)\b[^.=]{0,40}[:,]?", re.IGNORECASE
)
_LEVELS = {"=": 1, "*": 1, "-": 2, "~": 3, "_": 3, "^": 4}
_LONGEST_HEADING = 80
_MOST_TOGETHER = 12


def read_plain_text(source: Source) -> Document:
    """Read a plain text document. Raises `DocumentError` for what is no text or too large."""
    decoded = decode(source)
    blocks = read_plain_blocks(decoded.text, limits=source.limits)
    title = next((plain_text(block.content) for block in blocks if isinstance(block, Heading)), "")
    return Document(
        source=source.name,
        media_type="text/plain",
        hash=source.hash,
        blocks=tuple(blocks),
        title=title or PurePath(source.name).stem,
        abstract=find_abstract(blocks),
        notes=decoded.notes,
    )


def read_plain_blocks(text: str, *, limits: ReadingLimits, path: str = "") -> list[Block]:
    """The blocks of plain text, in order."""
    reader = _Reader(SourceText(text, path=path), limits)
    reader.read()
    return arrange(reader.blocks)


def _fills(line: str, stretch: Stretch) -> bool:
    """Whether one line is the formula and nothing else; in prose, formulas by cases are found with the others."""
    return bool(stretch.formulas) and line.strip(" .,;") == line[stretch.formulas[0].start : stretch.formulas[0].end]


class _Reader:
    """Walks the lines once, group by group; blank lines separate groups."""

    def __init__(self, source: SourceText, limits: ReadingLimits) -> None:
        self.source = source
        self.limits = limits
        self.blocks: list[Block] = []
        self.indents: list[int] = []
        self._last_table: tuple[int, tuple[Table, int] | None] = (-1, None)

    def read(self) -> None:
        count = len(self.source.starts)
        line = 0
        while line < count:
            if not self.line(line).strip():
                line += 1
                continue
            after = line
            while after < count and self.line(after).strip():
                after += 1
            self.group(line, after)
            line = after

    def line(self, number: int) -> str:
        start, end = self.source.line_span(number)
        return self.source.text[start:end]

    def add(self, block: Block) -> None:
        if len(self.blocks) >= self.limits.blocks:
            raise DocumentError(
                "too_large", f"the document has more than {self.limits.blocks:,} blocks; split it or raise the limit"
            )
        self.blocks.append(block)

    def group(self, first: int, after: int) -> None:
        """Lines without a blank one between them: each stretch of one kind is a block."""
        line = first
        while line < after:
            taken = self.several_lines(line, after) or self.heading(line, first, after)
            taken = taken or self.table(line, after) or self.items(line, after)
            taken = taken or self.meanings(line, first, after)
            line += taken or self.paragraph(line, after)

    # -- the kinds of block; each says how many lines it took

    def several_lines(self, line: int, after: int) -> int:
        """A formula that lines make up together: a drawn fraction, or one line a case."""
        stretch = self._several(line, after)
        if stretch is None:
            return 0
        start, end = self._bare(line)[0], self._bare(stretch.stop - 1)[1]
        start = self.source.line_span(line)[0] if stretch.stop - stretch.first > 1 else start
        for display in displays_of(stretch, self.source.text[start:end], self.source.place(start, end)):
            self.add(display)
        return stretch.stop - stretch.first

    def _several(self, line: int, after: int) -> Stretch | None:
        lines = [self.line(number) for number in range(line, min(after, line + _MOST_TOGETHER))]
        found = stretch_of_several(lines, 0)
        if found is None or (found.stop == 1 and not _fills(lines[0], found)):
            return None
        return replace(found, first=line, stop=line + found.stop)

    def heading(self, line: int, first: int, after: int) -> int:
        text = self.line(line).strip()
        if len(text) > _LONGEST_HEADING or text.endswith((",", ";")):
            return 0
        if line + 1 < after:
            rule = _UNDERLINE.fullmatch(self.line(line + 1).strip())
            width = len(self.line(line + 1).strip())
            if rule and line == first and width * 2 >= len(text) and re.search(r"\w", text) and "  " not in text:
                self._add_heading(line, _LEVELS[rule.group(1)], taken=2)
                return 2
        if line != first or after != first + 1 or "=" in text:
            return 0
        numbered = _NUMBERED_HEADING.fullmatch(text)
        if numbered and not text.endswith("."):
            above = any(isinstance(block, Heading) and block.level == 1 for block in self.blocks[:1])
            self._add_heading(line, min(6, 1 + above + numbered.group(1).strip(".").count(".")))
            return 1
        shouts = text.isupper() and re.search(r"[^\W\d_]{3}", text) and not text.endswith(".")
        if shouts or _NAMED_HEADING.fullmatch(text) or names_references(text):
            self._add_heading(line, 1 if _NAMED_HEADING.fullmatch(text) else 2)
            return 1
        return 0

    def _add_heading(self, line: int, level: int, *, taken: int = 1) -> None:
        start, end = self._bare(line)
        content = (Text(re.sub(r"\s+", " ", self.source.text[start:end])),)
        place = self.source.place(start, self.source.line_span(line + taken - 1)[1])
        self.add(Heading(place, self.source.text[start:end], level, content))

    def table(self, line: int, after: int) -> int:
        found = self._find_table(line, after)
        if found is None:
            return 0
        self.add(found[0])
        return found[1]

    def items(self, line: int, after: int) -> int:
        """One item of a list with the lines that hang below its first."""
        found = _BULLET.match(self.line(line))
        if found is None or self._is_formula_with_sign(line, found.group(2)):
            return 0
        indent, hang = len(found.group(1)), found.end()
        stop = line + 1
        while stop < after and self._hangs(stop, indent, hang):
            stop += 1
        self.indents = [known for known in self.indents if known < indent]
        self.indents.append(indent)
        start = self.source.line_span(line)[0] + hang
        spans = [(start, self._bare(line)[1]), *(self._bare(below) for below in range(line + 1, stop))]
        content = self._content(spans)
        quote = self.source.text[start : spans[-1][1]]
        place = self.source.place(start, spans[-1][1])
        self.add(ListItem(place, quote, content, len(self.indents), found.group(2)))
        return stop - line

    def _is_formula_with_sign(self, line: int, marker: str) -> bool:
        """`- b = c` set as a formula, or `a) …`: a letter that starts a sentence is no marker."""
        text = self.line(line).strip()
        return marker in "+*" and not re.search(r"[^\W\d_]{3}", text)

    def _hangs(self, line: int, indent: int, hang: int) -> bool:
        text = self.line(line)
        width = len(text) - len(text.lstrip())
        return not _BULLET.match(text) and (width >= hang or (width > indent) or (indent == 0 and width == 0))

    def meanings(self, line: int, first: int, after: int) -> int:
        """Lines `F = force (N)` after "where": symbols with what they mean, not formulas."""
        before = self.line(line - 1).strip() if line > first else ""
        is_list = bool(_WHERE.fullmatch(before)) or self._follows_where()
        stop = line
        while stop < after and self._meaning(stop) is not None:
            stop += 1
        if stop == line or not (is_list or stop - line >= 2):
            return 0
        for number in range(line, stop):
            found = self._meaning(number)
            assert found is not None
            offset = self.source.line_span(number)[0]
            start, end = self._bare(number)
            term = self._content([(offset + found.start(1), offset + found.end(1))])
            content = self._content([(offset + found.end(), end)])
            place, quote = self.source.place(start, end), self.source.text[start:end]
            self.add(ListItem(place, quote, content, 1, found.group(2), term))
        return stop - line

    def _follows_where(self) -> bool:
        last = self.blocks[-1] if self.blocks else None
        if isinstance(last, ListItem):
            return bool(last.term)
        return isinstance(last, Paragraph) and bool(_WHERE.fullmatch(plain_text(last.content).strip()))

    def _meaning(self, line: int) -> re.Match[str] | None:
        text = self.line(line)
        found = _MEANING.match(text)
        if found is None or any(isinstance(piece, Math) for piece in self._content([self._bare(line)])):
            return None
        symbol = found.group(1)
        is_symbol = len(re.sub(r"[^A-Za-z]", "", symbol)) <= 3 or "_" in symbol or not symbol.isascii()
        return found if is_symbol and not symbol.endswith((".", ",")) else None

    def paragraph(self, line: int, after: int) -> int:
        """Prose up to where another kind of block begins. Formulas alone on all its lines are displayed ones."""
        stop = line + 1
        while stop < after and not self._begins_other(stop, after):
            stop += 1
        spans = [self._bare(number) for number in range(line, stop)]
        content = self._content(spans)
        formulas = [piece for piece in content if isinstance(piece, Math)]
        words = "".join(piece.text for piece in content if isinstance(piece, Text))
        if formulas and not words.strip(" .,;"):
            for math in formulas:
                shown = replace(math, is_display=True)
                self.add(Display(shown.place, shown.quote, shown))
            return stop - line
        start, end = spans[0][0], spans[-1][1]
        self.add(Paragraph(self.source.place(start, end), self.source.text[start:end], content))
        return stop - line

    def _begins_other(self, line: int, after: int) -> bool:
        if _WHERE.fullmatch(self.line(line - 1).strip()) and self._meaning(line) is not None:
            return True
        found = _BULLET.match(self.line(line))
        if found and not self._is_formula_with_sign(line, found.group(2)):
            marker = found.group(2)
            # In the middle of prose a dash or a `3.` at the start of a line is most often no marker.
            if marker[-1] not in ".)–" or re.fullmatch(r"\(?(?:1|a|i)[.)]", marker):
                return True
        if self._several(line, after) is not None:
            return True
        return self._find_table(line, after) is not None

    def _find_table(self, line: int, after: int) -> tuple[Table, int] | None:
        """Looked for twice, where a paragraph ends and where the table begins; so the last one is kept."""
        if self._last_table[0] != line:
            self._last_table = (line, find_table(self.source, line, after))
        return self._last_table[1]

    # -- text

    def _bare(self, line: int) -> tuple[int, int]:
        start, end = self.source.line_span(line)
        text = self.source.text[start:end]
        return start + len(text) - len(text.lstrip()), end - (len(text) - len(text.rstrip()))

    def _content(self, spans: list[tuple[int, int]]) -> Content:
        """The lines one after another; a formula alone on its line is a displayed one."""
        wrapped = self._wrapped(spans)
        if wrapped is not None:
            return wrapped
        pieces: list[Inline] = []
        for start, end in spans:
            found = line_content(self.source, start, end, is_alone=len(spans) > 1)
            if pieces and found and isinstance(pieces[-1], Text) and isinstance(found[0], Text):
                pieces[-1] = Text(f"{pieces[-1].text} {found[0].text}")
                found = found[1:]
            elif pieces and found and isinstance(pieces[-1], Text):
                pieces[-1] = Text(f"{pieces[-1].text} ")
            elif pieces and found:
                pieces.append(Text(" "))
            pieces.extend(found)
        return tuple(pieces)

    def _wrapped(self, spans: list[tuple[int, int]]) -> Content | None:
        """The lines of a paragraph that was broken to a width, as one text: a formula may run on over the break."""
        if len(spans) < 2:
            return None
        lines = [self.source.text[start:end] for start, end in spans]
        if any(_SIGN.search(line) or find_formula(line) for line in lines):
            return None
        # White for the breaks and what is indented, so that every place is that in the file.
        start, end = spans[0][0], spans[-1][1]
        text = re.sub(r"\s", " ", self.source.text[start:end])
        found = formulas_in_line(text)
        if not found:
            return None
        pieces: list[Inline] = []
        done = 0
        for one in found:
            pieces.append(Text(_SPACES.sub(" ", text[done : one.start])))
            place = self.source.place(start + one.start, start + one.end)
            pieces.append(Math(one.source, one.notation, place, _SPACES.sub(" ", text[one.start : one.end])))
            done = one.end
        pieces.append(Text(_SPACES.sub(" ", text[done:])))
        return tuple(piece for piece in pieces if not isinstance(piece, Text) or piece.text)
