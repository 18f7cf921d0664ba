"""Tokens of markdown-it to blocks of the document, in reading order. Decides which kind; reads no inline text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from markdown_it.token import Token

from mathrag.documents.markdown.block_rules import Shortcode, find_shortcodes, split_row
from mathrag.documents.markdown.html_fragments import is_only_dropped, is_structured, read_html_fragment
from mathrag.documents.markdown.inline import InlineFindings, read_inline
from mathrag.documents.math_in_text.delimiters import DelimiterReader, MathSpan, number_of, without_trailing_number
from mathrag.documents.math_in_text.explicit_lines import formulas_in_line
from mathrag.documents.math_in_text.typed_cases import may_have_cases
from mathrag.documents.seams import ReadingLimits
from mathrag.documents.source_map import Fragment, SourceText
from mathrag.errors import DocumentError
from mathrag.types.document import (
    Block,
    Cell,
    Code,
    Content,
    Display,
    Heading,
    Image,
    ListItem,
    Math,
    Paragraph,
    ReaderNote,
    Reference,
    Table,
    Text,
    plain_text,
)

# Fenced and indented blocks: which are formulas, and which are programs to be left alone. Runs nothing.

_LATEX_DOCUMENT = re.compile(
    r"\\(?:documentclass|usepackage|section|chapter|newcommand|def|begin\{(?:document|tabular|itemize|table|figure|tikzpicture))"
)
_OPTION = re.compile(r"[ \t]*:[\w-]+:.*")
_BLANK = re.compile(r"\n[ \t]*\n")
_MATH_LANGUAGES = frozenset(("math", "{math}", "katex", "mathjax", "eqn", "equation"))
_LATEX_LANGUAGES = frozenset(("latex", "tex"))
_NO_LANGUAGES = frozenset(("", "text", "txt", "plain", "plaintext", "none"))


def formulas_of_block(fragment: Fragment, language: str) -> list[Math]:
    """The displayed formulas that a block of code consists of; none where it is a program or a mixture."""
    name = language.strip().lower()
    if not fragment.text.strip():
        return []
    if name in _MATH_LANGUAGES:
        return _displays(fragment)
    if name in _LATEX_LANGUAGES:
        return [] if _LATEX_DOCUMENT.search(fragment.text) else _displays(fragment)
    if name in _NO_LANGUAGES:
        return _plain_formulas(fragment)
    return []


def _displays(fragment: Fragment) -> list[Math]:
    """Delimited formulas where there are any; else each paragraph of the block is one formula."""
    text = fragment.text
    if "$" in text or "\\[" in text or "\\(" in text or "\\begin{" in text:
        pieces = read_inline(fragment)
        formulas = [piece for piece in pieces if isinstance(piece, Math)]
        if formulas and all(isinstance(piece, Math) or not piece_text(piece) for piece in pieces):
            return formulas
    found: list[Math] = []
    start = 0
    for stop in (*(blank.start() for blank in _BLANK.finditer(text)), len(text)):
        math = _display(fragment, start, stop)
        if math is not None:
            found.append(math)
        start = stop
    return found


def piece_text(piece: object) -> str:
    """The words of a piece that is no formula, without spaces and full stops."""
    return str(getattr(piece, "text", "")).strip(" .,;\n")


def _display(fragment: Fragment, start: int, stop: int) -> Math | None:
    text = fragment.text
    while start < stop:
        line_end = text.find("\n", start, stop)
        line_end = stop if line_end < 0 else line_end
        if text[start:line_end].strip() and not _OPTION.fullmatch(text[start:line_end]):
            break
        start = line_end + 1
    while start < stop and text[start].isspace():
        start += 1
    while stop > start and text[stop - 1].isspace():
        stop -= 1
    if start >= stop:
        return None
    inner = text[start:stop]
    number = number_of(inner)
    source = without_trailing_number(inner).strip() if number else inner
    return Math(source, "latex", fragment.place(start, stop), fragment.quote(start, stop), True, number)


def _plain_formulas(fragment: Fragment) -> list[Math]:
    """The formulas of a block whose every line is one; a block with any other line is a program."""
    found: list[Math] = []
    position = 0
    if any(map(may_have_cases, fragment.text.split("\n"))):
        # Several lines may be the cases of one formula.
        return []
    for line in fragment.text.split("\n"):
        start, position = position, position + len(line) + 1
        if not line.strip():
            continue
        span = _delimited(line)
        formulas = [] if span else formulas_in_line(line)
        if span is not None:
            first, last = start + span.start, start + span.end
            source = line[span.inner_start : span.inner_end].strip()
            found.append(Math(source, "latex", fragment.place(first, last), fragment.quote(first, last), True))
        elif formulas and formulas[0].start == len(line) - len(line.lstrip()):
            for formula in formulas:
                first, last = start + formula.start, start + formula.end
                place, quote = fragment.place(first, last), fragment.quote(first, last)
                found.append(Math(formula.source, formula.notation, place, quote, True))
        else:
            return []
    return found


def _delimited(line: str) -> MathSpan | None:
    start = len(line) - len(line.lstrip())
    if not line.startswith("$", start):
        return None
    span = DelimiterReader(line).at_dollar(start)
    return span if span is not None and not line[span.end :].strip() else None


# Pipe tables from the spans of their rows. Which lines are rows was decided before; captions are found later.


@dataclass(slots=True)
class ReadTable:
    """A table, and what its cells hold besides words and formulas."""

    table: Table
    findings: list[tuple[Fragment, InlineFindings]] = field(default_factory=list)


def read_table(source: SourceText, spans: list[tuple[int, int]], *, after: int, labels: frozenset[str]) -> ReadTable:
    """The table whose header and rows stand at the spans; `after` is the number of the line that follows it."""
    findings: list[tuple[Fragment, InlineFindings]] = []

    def cell(fragment: Fragment, *, is_header: bool) -> Cell:
        found = InlineFindings()
        content = read_inline(fragment, labels=labels, findings=found)
        if found.images or found.shortcodes:
            findings.append((fragment, found))
        return Cell(content, source.place(*fragment.span(0, len(fragment.text))), is_header=is_header)

    header = split_row(source, spans[0], columns=-1)
    titles = tuple(cell(fragment, is_header=True) for fragment in header)
    rows = tuple(
        tuple(cell(fragment, is_header=False) for fragment in split_row(source, span, columns=len(header)))
        for span in spans[1:]
    )
    start, end = spans[0][0], max(spans[-1][1], source.line_span(after - 1)[1])
    while source.text[end - 1].isspace():
        end -= 1
    # A header of empty cells only frames the table; it names no column.
    named = (titles,) if any(title.content for title in titles) else ()
    return ReadTable(Table(source.place(start, end), source.text[start:end], named, rows), findings)


_TASK = re.compile(r"\[([ xX])\]\s+")
_CALLOUT = re.compile(r"\[!(\w+)\][+-]?\s*")
_BULLET = re.compile(r"[ \t]*([-*+]|\d{1,3}[.)])[ \t]+(?=\S)")
_ENTRY = re.compile(r"^\[\d{1,4}\]\s+(?=\S)", re.MULTILINE)
_LONGEST_PROSE = 500_000
_EDGE_SIGNS = re.compile(r"[\s.,;:]*")


class BlockBuilder:
    """Walks the tokens of one document once."""

    def __init__(self, source: SourceText, *, labels: frozenset[str], limits: ReadingLimits) -> None:
        self.source = source
        self.labels = labels
        self.limits = limits
        self.blocks: list[Block] = []
        self.notes: list[ReaderNote] = []
        self.shortcodes: dict[str, list[tuple[int, int]]] = {}
        self._cells = 0
        self._lists = 0
        self._marker: str | None = None
        self._term: Content = ()
        self._in_definition = False
        self._footnote: str | None = None

    def build(self, tokens: Sequence[Token]) -> None:
        """Make the blocks of all tokens."""
        before: Token | None = None
        for token in tokens:
            method = _METHODS.get(token.type)
            if method is not None:
                method(self, token, before)
            before = token

    def add(self, block: Block) -> None:
        """One more block, within the limit."""
        if len(self.blocks) >= self.limits.blocks:
            raise DocumentError(
                "too_large", f"the document has more than {self.limits.blocks:,} blocks; split it or raise the limit"
            )
        self.blocks.append(block)

    # -- containers

    def _list_open(self, _token: Token, _before: Token | None) -> None:
        self._lists += 1

    def _list_close(self, _token: Token, _before: Token | None) -> None:
        self._lists -= 1

    def _list_item_open(self, token: Token, _before: Token | None) -> None:
        self._marker = f"{token.info}{token.markup}"

    def _list_item_close(self, _token: Token, _before: Token | None) -> None:
        self._marker = None

    def _dt_open(self, _token: Token, _before: Token | None) -> None:
        self._in_definition = True

    def _dd_open(self, _token: Token, _before: Token | None) -> None:
        self._marker = ":"

    def _dd_close(self, _token: Token, _before: Token | None) -> None:
        self._marker = None

    def _dl_close(self, _token: Token, _before: Token | None) -> None:
        self._term = ()

    def _footnote_reference_open(self, token: Token, _before: Token | None) -> None:
        self._footnote = str(token.meta.get("label", ""))

    def _footnote_reference_close(self, _token: Token, _before: Token | None) -> None:
        self._footnote = None

    # -- text

    def _inline(self, token: Token, before: Token | None) -> None:
        fragment = self._fragment(token)
        if fragment is None:
            return
        findings = InlineFindings()
        if before is not None and before.type == "heading_open":
            content = read_inline(fragment, labels=self.labels, findings=findings)
            if content:
                place, quote = self._whole(fragment)
                self.add(Heading(place, quote, int(before.tag[1:]), content))
        elif self._in_definition:
            self._in_definition = False
            self._term = read_inline(fragment, labels=self.labels, findings=findings)
        else:
            for part in _entries(fragment):
                self._text(part, findings)
        self._add_findings(fragment, findings)

    def _fragment(self, token: Token) -> Fragment | None:
        spans: list[tuple[int, int]] | None = token.meta.get("spans") if token.meta else None
        if spans is None:
            if token.map is None or not token.content:
                return None
            start, end = self.source.line_span(token.map[0])
            found = self.source.text.find(token.content, start, end)
            if found < 0:
                return None
            spans = [(found, found + len(token.content))]
        text, (start, end) = self.source.text, spans[-1]
        while end > start and text[end - 1].isspace():
            end -= 1
        return Fragment.of_spans(self.source, [*spans[:-1], (start, end)])

    def _whole(self, fragment: Fragment) -> tuple[Any, str]:
        start, end = fragment.span(0, len(fragment.text))
        return self.source.place(start, end), self.source.text[start:end]

    def _text(self, fragment: Fragment, findings: InlineFindings) -> None:
        marker, fragment = self._take_marker(fragment)
        if len(fragment.text) > _LONGEST_PROSE:
            content: Content = (Text(fragment.text),)
            note = f"a paragraph of {len(fragment.text):,} characters was not searched for formulas"
            self.notes.append(ReaderNote("too_long", note, self._whole(fragment)[0]))
        else:
            content = read_inline(fragment, labels=self.labels, findings=findings)
        if not content:
            return
        place, quote = self._whole(fragment)
        if marker is not None:
            depth = max(1, self._lists)
            self.add(ListItem(place, quote, content, depth, marker, self._term if marker == ":" else ()))
        elif self._footnote is not None and not any(isinstance(piece, Math) for piece in content):
            self.add(Reference(place, quote, plain_text(content), self._footnote))
        elif _is_displays(content):
            for piece in content:
                if isinstance(piece, Math):
                    self.add(Display(piece.place, piece.quote, replace(piece, is_display=True)))
        else:
            self.add(Paragraph(place, quote, content))

    def _take_marker(self, fragment: Fragment) -> tuple[str | None, Fragment]:
        """The marker that this text is the first of, with the box of a task; the fragment without the box."""
        marker, self._marker = self._marker, None
        pattern = _TASK if marker is not None else _CALLOUT
        found = pattern.match(fragment.text)
        if found is None:
            return marker, fragment
        rest = fragment.part(found.end(), len(fragment.text))
        return (None if marker is None else f"{marker} [{found.group(1)}]"), rest

    def _add_findings(self, fragment: Fragment, findings: InlineFindings) -> None:
        for image in findings.images:
            place, quote = fragment.place(image.start, image.end), fragment.quote(image.start, image.end)
            self.add(Image(place, quote, image.caption, image.alternative, image.source))
        for shortcode in findings.shortcodes:
            self._note_shortcode(shortcode, fragment.span(shortcode.start, shortcode.end))

    # -- code

    def _fence(self, token: Token, _before: Token | None) -> None:
        self._code(token, token.info.split(maxsplit=1)[0] if token.info.strip() else "", inner=1)

    def _code_block(self, token: Token, _before: Token | None) -> None:
        if not self._indented_list(token):
            self._code(token, "", inner=0)

    def _indented_list(self, token: Token) -> bool:
        """A list that stands so far to the right that it counts as code: what is left of a removed wrapper."""
        lines = [line for line in token.content.split("\n") if line.strip()]
        if token.map is None or not lines or not all(_BULLET.match(line) for line in lines):
            return False
        indents: list[int] = []
        for number in range(token.map[0], token.map[1]):
            start, end = self._bare_span(self.source.line_span(number))
            found = _BULLET.match(self.source.text, start, end)
            if found is None:
                continue
            indent = start - self.source.starts[number]
            indents = [*(known for known in indents if known < indent), indent]
            findings = InlineFindings()
            fragment = Fragment.of_spans(self.source, [(found.end(), end)])
            content = read_inline(fragment, labels=self.labels, findings=findings)
            if content:
                place, quote = self._whole(fragment)
                self.add(ListItem(place, quote, content, max(1, self._lists) + len(indents) - 1, found.group(1)))
            self._add_findings(fragment, findings)
        return True

    def _code(self, token: Token, language: str, *, inner: int) -> None:
        if token.map is None:
            return
        first, after = token.map
        start, end = self.source.lines_quote(first, after)
        fragment = self._code_fragment(token.content, first + inner)
        formulas = formulas_of_block(fragment, language) if fragment else []
        marker, self._marker = self._marker, None
        if formulas and marker is not None and len(formulas) == 1:
            math = formulas[0]
            self.add(ListItem(math.place, math.quote, (math,), max(1, self._lists), marker))
            return
        for math in formulas:
            self.add(Display(math.place, math.quote, math))
        if not formulas and token.content.strip():
            place = self.source.place(start, end)
            self.add(Code(place, self.source.text[start:end], token.content.rstrip("\n"), language.strip("{}.")))

    def _code_fragment(self, content: str, first: int) -> Fragment | None:
        """The lines of a block of code where they stand in the document, without their indent."""
        if not content or len(content) > 20_000:
            return None
        spans: list[tuple[int, int]] = []
        for offset, line in enumerate(content.rstrip("\n").split("\n")):
            if first + offset >= len(self.source.starts):
                return None
            start, end = self.source.line_span(first + offset)
            bare = line.strip()
            found = self.source.text.find(bare, start, end) if bare else end
            if found < 0:
                return None
            spans.append((found, found + len(bare)))
        return Fragment.of_spans(self.source, spans)

    # -- tables

    def _pipe_table(self, token: Token, _before: Token | None) -> None:
        assert token.map is not None
        spans: list[tuple[int, int]] = token.meta["rows"]
        self._count_cells(sum(self.source.text.count("|", *span) for span in spans))
        self._marker = None
        read = read_table(self.source, spans, after=token.map[1], labels=self.labels)
        self.add(read.table)
        for fragment, found in read.findings:
            self._add_findings(fragment, found)

    def _count_cells(self, cells: int) -> None:
        self._cells += cells
        if self._cells > 4 * self.limits.blocks:
            raise DocumentError(
                "too_large", f"the tables have more than {4 * self.limits.blocks:,} cells; split the document"
            )

    # -- HTML and shortcodes

    def _html_block(self, token: Token, _before: Token | None) -> None:
        if token.map is None:
            return
        first, after = token.map
        start, end = self.source.lines_quote(first, after)
        text = self.source.text[start:end]
        if is_only_dropped(text):
            return
        if is_structured(text):
            read = read_html_fragment(self.source, start, end, limits=self.limits)
            if read is not None:
                blocks, notes = read
                for block in blocks:
                    self.add(block)
                self.notes.extend(notes)
                return
            note = "an HTML element could not be read as such; its text was kept"
            self.notes.append(ReaderNote("html", note, self.source.place(start, end)))
        lines = [self.source.line_span(line) for line in range(first, min(after, len(self.source.starts)))]
        findings = InlineFindings()
        fragment = Fragment.of_spans(self.source, [self._bare_span(span) for span in lines])
        self._text(fragment, findings)
        self._add_findings(fragment, findings)

    def _bare_span(self, span: tuple[int, int]) -> tuple[int, int]:
        start, end = span
        text = self.source.text
        while start < end and text[start] in " \t>":
            start += 1
        while end > start and text[end - 1].isspace():
            end -= 1
        return start, end

    def _shortcode(self, token: Token, _before: Token | None) -> None:
        (start, end) = token.meta["spans"][0]
        text = self.source.text[start:end]
        for found in find_shortcodes(text):
            span = (start + found.start, start + found.end)
            if found.is_image:
                self._add_picture(found, start)
                continue
            self._note_shortcode(found, span)
            title = found.named.get("title") or found.named.get("caption")
            if title and not found.is_closing:
                fragment = Fragment.of_spans(self.source, [(start + title[0], start + title[1])])
                content = read_inline(fragment, labels=self.labels)
                place, quote = self._whole(fragment)
                self.add(Paragraph(place, quote, _bold(content)))

    def _add_picture(self, found: Shortcode, start: int) -> None:
        def value(*names: str) -> tuple[int, int] | None:
            return next((found.named[name] for name in names if name in found.named), None)

        def words(span: tuple[int, int] | None) -> str:
            return self.source.text[start + span[0] : start + span[1]] if span else ""

        caption = value("caption", "title", "alt")
        content: Content = ()
        if caption:
            fragment = Fragment.of_spans(self.source, [(start + caption[0], start + caption[1])])
            content = read_inline(fragment, labels=self.labels)
        first, last = start + found.start, start + found.end
        address = words(value("src", "link", "url", "path") or (found.others[0] if found.others else None))
        self.add(
            Image(self.source.place(first, last), self.source.text[first:last], content, words(value("alt")), address)
        )

    def _note_shortcode(self, shortcode: Shortcode, span: tuple[int, int]) -> None:
        if not shortcode.is_closing:
            self.shortcodes.setdefault(shortcode.name, []).append(span)


def _is_displays(content: Content) -> bool:
    """Whether a content is nothing but displayed formulas with signs between them, or one equation of any kind."""
    if len(content) == 1 and isinstance(content[0], Math) and "=" in content[0].source:
        return True
    has_display = False
    for piece in content:
        if isinstance(piece, Math):
            if not piece.is_display:
                return False
            has_display = True
        elif isinstance(piece, Text) and not _EDGE_SIGNS.fullmatch(piece.text):
            return False
    return has_display


def _entries(fragment: Fragment) -> list[Fragment]:
    """A paragraph whose lines begin with `[1]`, `[2]`, … is as many entries; any other is one."""
    if not fragment.text.startswith("["):
        return [fragment]
    starts = [found.start() for found in _ENTRY.finditer(fragment.text)]
    if len(starts) < 2 or starts[0] != 0:
        return [fragment]
    edges = [*starts, len(fragment.text) + 1]
    return [fragment.part(start, end - 1) for start, end in pairwise(edges)]


def _bold(content: Content) -> Content:
    return tuple(Text(piece.text, True, piece.italic) if isinstance(piece, Text) else piece for piece in content)


_METHODS: dict[str, Callable[[BlockBuilder, Token, Token | None], None]] = {
    "bullet_list_open": BlockBuilder._list_open,
    "ordered_list_open": BlockBuilder._list_open,
    "bullet_list_close": BlockBuilder._list_close,
    "ordered_list_close": BlockBuilder._list_close,
    "list_item_open": BlockBuilder._list_item_open,
    "list_item_close": BlockBuilder._list_item_close,
    "dt_open": BlockBuilder._dt_open,
    "dd_open": BlockBuilder._dd_open,
    "dd_close": BlockBuilder._dd_close,
    "dl_close": BlockBuilder._dl_close,
    "footnote_reference_open": BlockBuilder._footnote_reference_open,
    "footnote_reference_close": BlockBuilder._footnote_reference_close,
    "inline": BlockBuilder._inline,
    "fence": BlockBuilder._fence,
    "code_block": BlockBuilder._code_block,
    "pipe_table": BlockBuilder._pipe_table,
    "html_block": BlockBuilder._html_block,
    "shortcode": BlockBuilder._shortcode,
}
