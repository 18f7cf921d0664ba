"""Plain text to a `Document`: paragraphs, headings, lists, tables and formulas told by how the lines look."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import PurePath

from mathrag.documents.arrangement import arrange, find_abstract, names_references
from mathrag.documents.decoding import decode
from mathrag.documents.plaintext_lines import line_content
from mathrag.documents.plaintext_tables import find_table
from mathrag.documents.reader import ReadingLimits, Source
from mathrag.documents.source_map import SourceText
from mathrag.errors import DocumentError
from mathrag.types.document import (
    Block,
    Content,
    Display,
    Document,
    Heading,
    Inline,
    ListItem,
    Math,
    Paragraph,
    Table,
    Text,
    plain_text,
)

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
            taken = self.heading(line, first, after) or self.table(line, after) or self.items(line, after)
            taken = taken or self.meanings(line, first, after)
            line += taken or self.paragraph(line, after)

    # -- the kinds of block; each says how many lines it took

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
