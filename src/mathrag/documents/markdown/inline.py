"""Inline Markdown to content: code before formulas, formulas before emphasis and escapes, everything with its place.

One pass over the text, jumping from one sign that may mean something to the next.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from mathrag.documents.markdown.emphasis import Run, make_run
from mathrag.documents.markdown.html_tags import (
    AUTOLINK,
    BREAKING,
    ENTITY,
    attributes_of,
    match_tag,
    script_text,
)
from mathrag.documents.markdown.inline_links import formula_in_address, match_brackets, read_link
from mathrag.documents.markdown.inline_pieces import Piece, assemble
from mathrag.documents.markdown.shortcodes import ATTRIBUTES, SHORTCODE, Shortcode, read_shortcode
from mathrag.documents.math_spans import (
    MathFinder,
    MathSpan,
    formula_source,
    number_of,
    without_trailing_number,
)
from mathrag.documents.source_map import Fragment
from mathrag.documents.text_formulas import find_formula
from mathrag.types.document import Content, Math

_SPECIAL = re.compile(r"[\\`$*_~\[\]\n]|<(?=[A-Za-z/!])|&(?=[#A-Za-z])|!(?=\[)|\{(?=\{[<%]|%|[#.:]|[\w-]+=)")
_ESCAPABLE = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_CODE_RUN = re.compile(r"`+")
_LOWERED = re.compile(r"~([A-Za-z0-9+-]{1,6})~")
_AFTER_ATTRIBUTES = re.compile(r"$|[\s.,;:)]")
_DEEPEST = 3


@dataclass(frozen=True, slots=True)
class FoundImage:
    """A picture met in running text, with the stretch of the fragment that names it."""

    start: int
    end: int
    caption: Content
    alternative: str
    source: str


@dataclass(slots=True)
class InlineFindings:
    """What inline text holds besides words: pictures, and shortcodes that were left out."""

    images: list[FoundImage] = field(default_factory=list)
    shortcodes: list[Shortcode] = field(default_factory=list)


def read_inline(
    fragment: Fragment,
    *,
    labels: frozenset[str] = frozenset(),
    findings: InlineFindings | None = None,
    depth: int = 0,
) -> Content:
    """The content of a fragment. `labels` are those that the document defines addresses for."""
    scanner = _Scanner(fragment, labels, findings or InlineFindings(), depth)
    return scanner.read()


class _Scanner:
    """The state of one pass."""

    def __init__(self, fragment: Fragment, labels: frozenset[str], findings: InlineFindings, depth: int) -> None:
        self.fragment = fragment
        self.text = fragment.text
        self.labels = labels
        self.findings = findings
        self.depth = depth
        self.finder = MathFinder(self.text)
        self.pieces: list[Piece] = []
        self.runs: list[Run] = []
        self.jumps: dict[int, int] = {}
        self.scripts: list[tuple[str, int, int]] = []
        self.styles = {"bold": 0, "italic": 0}
        self._pairs: dict[int, int] | None = None
        self._code_runs: dict[int, list[int]] | None = None

    def read(self) -> Content:
        """Scan to the end and put the pieces together."""
        text, position, length = self.text, 0, len(self.text)
        search = _SPECIAL.search
        while position < length:
            found = search(text, position)
            if found is None:
                self.add_text(position, length)
                break
            at = found.start()
            if at > position:
                self.add_text(position, at)
            after = _HANDLERS[text[at]](self, at)
            if after is None:
                after = _after_run(text, at)
                self.add_text(at, after)
            position = after
        self._cut_out_words(0)
        return assemble(self.fragment, self.pieces, self.runs)

    def _cut_out_words(self, first: int) -> None:
        for index in range(first, len(self.pieces)):
            piece = self.pieces[index]
            if piece.is_literal:
                piece.text = self.text[piece.start : piece.end]

    # -- pieces

    def add_text(self, start: int, end: int, shown: str | None = None) -> None:
        """Words from `start` to `end`; `shown` where they are not shown as written."""
        last = self.pieces[-1] if self.pieces else None
        bold, italic = self.styles["bold"] > 0, self.styles["italic"] > 0
        continues = last is not None and last.is_literal and shown is None and last.end == start
        if last is not None and continues and (last.bold, last.italic) == (bold, italic):
            # Its words are cut out once, at the end: joined bit by bit, a long text would take time squared.
            last.end = end
            return
        self.pieces.append(Piece("text", start, end, shown or "", bold, italic, is_literal=shown is None))

    def add_math(self, span: MathSpan) -> int:
        """A formula between delimiters."""
        inner = self.text[span.inner_start : span.inner_end]
        number = number_of(inner) if span.is_display else ""
        source = formula_source(without_trailing_number(inner) if number else inner)
        self._add_formula(source, span.start, span.end, is_display=span.is_display, number=number)
        return span.end

    def _add_formula(self, source: str, start: int, end: int, *, is_display: bool = False, number: str = "") -> None:
        place, quote = self.fragment.place(start, end), self.fragment.quote(start, end)
        math = Math(source, "latex", place, quote, is_display, number)
        self.pieces.append(Piece("math", start, end, math=math))

    # -- signs

    def backslash(self, at: int) -> int | None:
        following = self.text[at + 1 : at + 2]
        if following in ("(", "[", "\\", "b"):
            span = self.finder.at_backslash(at)
            if span is not None:
                return self.add_math(span)
        if following == "\n":
            self.pieces.append(Piece("break", at, at + 2))
            return at + 2
        if following in _ESCAPABLE and following:
            self.add_text(at, at + 2, following)
            return at + 2
        return None

    def dollar(self, at: int) -> int | None:
        span = self.finder.at_dollar(at)
        return None if span is None else self.add_math(span)

    def backtick(self, at: int) -> int:
        opening = _CODE_RUN.match(self.text, at)
        assert opening is not None
        after = opening.end()
        closing = self._closing_backticks(after - at, after)
        if closing is None:
            self.add_text(at, after)
            return after
        inner = self.text[after:closing].replace("\n", " ")
        end = closing + (after - at)
        found = find_formula(inner, strict=True)
        if found is not None:
            place, quote = self.fragment.place(at, end), self.fragment.quote(at, end)
            math = Math(found.source, found.notation, place, quote)
            self.pieces.append(Piece("math", at, end, math=math))
        else:
            bare = inner[1:-1] if inner[:1] == inner[-1:] == " " and inner.strip() else inner
            self.add_text(at, end, bare)
        return end

    def _closing_backticks(self, length: int, after: int) -> int | None:
        if self._code_runs is None:
            self._code_runs = {}
            for found in reversed(list(_CODE_RUN.finditer(self.text))):
                self._code_runs.setdefault(found.end() - found.start(), []).append(found.start())
        places = self._code_runs.get(length, [])
        while places and places[-1] < after:
            places.pop()
        return places[-1] if places else None

    def less_than(self, at: int) -> int | None:
        text = self.text
        if text.startswith("<!--", at):
            end = self.finder.find("-->", at + 4)
            return end + 3 if end >= 0 else None
        tag = match_tag(text, at)
        if tag is not None:
            return self.tag(tag)
        link = AUTOLINK.match(text, at)
        if link is None:
            return None
        self.add_text(at, link.end(), link.group(1))
        return link.end()

    def tag(self, found: re.Match[str]) -> int:
        """An HTML tag: most only go, a few mean something."""
        name, closes = found.group(2).lower(), bool(found.group(1))
        if name == "br":
            self.pieces.append(Piece("break", found.start(), found.end()))
        elif name in ("sub", "sup"):
            self._script_tag(name, found, closes=closes)
        elif name in ("b", "strong", "i", "em", "var", "cite", "dfn"):
            style = "bold" if name in ("b", "strong") else "italic"
            self.styles[style] = max(0, self.styles[style] + (-1 if closes else 1))
        elif name == "img" and not closes:
            attributes = attributes_of(found.group(3))
            self._image(found.start(), found.end(), (), attributes.get("alt", ""), attributes.get("src", ""))
        elif name in ("script", "style", "math") and not closes:
            return self._whole_element(name, found)
        elif name in BREAKING:
            self.pieces.append(Piece("line", found.start(), found.end()))
        return found.end()

    def _whole_element(self, name: str, found: re.Match[str]) -> int:
        end = self.finder.find(f"</{name}>", found.end())
        if end < 0:
            return found.end()
        end += len(name) + 3
        if name == "math":
            quote = self.fragment.quote(found.start(), end)
            is_display = 'display="block"' in found.group(3)
            math = Math(
                self.text[found.start() : end], "mathml", self.fragment.place(found.start(), end), quote, is_display
            )
            self.pieces.append(Piece("math", found.start(), end, math=math))
        return end

    def _script_tag(self, name: str, found: re.Match[str], *, closes: bool) -> None:
        if not closes:
            self.scripts.append((name, len(self.pieces), found.start()))
            return
        if not self.scripts or self.scripts[-1][0] != name:
            return
        _, first, start = self.scripts.pop()
        self._cut_out_words(first)
        inside = self.pieces[first:]
        if any(piece.kind not in ("text", "line") for piece in inside):
            return
        del self.pieces[first:]
        shown = script_text("".join(piece.text for piece in inside).strip(), raised=name == "sup")
        self.add_text(start, found.end(), shown)

    def ampersand(self, at: int) -> int | None:
        found = ENTITY.match(self.text, at)
        if found is None:
            return None
        shown = html.unescape(found.group())
        if shown == found.group() or "\0" in shown:
            return None
        self.add_text(at, found.end(), shown)
        return found.end()

    def emphasis(self, at: int) -> int:
        end = at + 1
        while end < len(self.text) and self.text[end] == self.text[at]:
            end += 1
        run = make_run(self.text, at, end)
        if not run.opens and not run.closes:
            self.add_text(at, end)
            return end
        run.index = len(self.pieces)
        self.runs.append(run)
        bold, italic = self.styles["bold"] > 0, self.styles["italic"] > 0
        self.pieces.append(Piece("run", at, end, self.text[at:end], bold, italic))
        return end

    def tilde(self, at: int) -> int | None:
        if self.text.startswith("~~", at):
            self.add_text(at, at + 2, "")
            return at + 2
        found = _LOWERED.match(self.text, at)
        if found is None or at == 0 or not self.text[at - 1].isalpha():
            return None
        self.add_text(at, found.end(), script_text(found.group(1), raised=False))
        return found.end()

    def exclamation(self, at: int) -> int | None:
        if not self.text.startswith("[", at + 1):
            return None
        link = read_link(self.text, at + 1, self.pairs, labels=self.labels)
        if link is None:
            return None
        formula = formula_in_address(link.address)
        if formula:
            self._add_formula(formula, at, link.after)
            return link.after
        start, end = link.title or (link.start, link.end)
        caption: Content = ()
        if self.depth < _DEEPEST and end > start:
            caption = read_inline(self.fragment.part(start, end), labels=self.labels, depth=self.depth + 1)
        self._image(at, link.after, caption, self.text[link.start : link.end], link.address)
        return link.after

    def _image(self, start: int, end: int, caption: Content, alternative: str, source: str) -> None:
        self.findings.images.append(FoundImage(start, end, caption, alternative, source))
        self.add_text(start, end, "")

    @property
    def pairs(self) -> dict[int, int]:
        """The brackets of the text, matched when the first one is met."""
        if self._pairs is None:
            self._pairs = match_brackets(self.text)
        return self._pairs

    def opening_bracket(self, at: int) -> int | None:
        if self.text.startswith("[^", at) and (end := self.pairs.get(at)) is not None and " " not in self.text[at:end]:
            return end + 1
        link = read_link(self.text, at, self.pairs, labels=self.labels)
        if link is None:
            return None
        self.jumps[link.end] = link.after
        return link.start

    def closing_bracket(self, at: int) -> int | None:
        return self.jumps.get(at)

    def brace(self, at: int) -> int | None:
        found = SHORTCODE.match(self.text, at)
        if found is not None:
            self.findings.shortcodes.append(read_shortcode(found))
            return found.end()
        # Attributes belong to what stands right before them or end the line; other braces are braces.
        attributes = ATTRIBUTES.match(self.text, at)
        if attributes is None or not _AFTER_ATTRIBUTES.match(self.text, attributes.end()):
            return None
        return attributes.end()

    def newline(self, at: int) -> int:
        hard = self.text.endswith("  ", 0, at)
        self.pieces.append(Piece("break" if hard else "line", at, at + 1))
        after = at + 1
        while after < len(self.text) and self.text[after] in " \t":
            after += 1
        return after


def _after_run(text: str, at: int) -> int:
    """Past a sign that means nothing here; past all of them where three or more stand in a row."""
    after = at + 1
    if text.startswith(text[at] * 3, at):
        while after < len(text) and text[after] == text[at]:
            after += 1
    return after


_HANDLERS: dict[str, Callable[[_Scanner, int], int | None]] = {
    "\\": _Scanner.backslash,
    "$": _Scanner.dollar,
    "`": _Scanner.backtick,
    "<": _Scanner.less_than,
    "&": _Scanner.ampersand,
    "*": _Scanner.emphasis,
    "_": _Scanner.emphasis,
    "~": _Scanner.tilde,
    "!": _Scanner.exclamation,
    "[": _Scanner.opening_bracket,
    "]": _Scanner.closing_bracket,
    "{": _Scanner.brace,
    "\n": _Scanner.newline,
}
