"""Inline Markdown to content: code before formulas, formulas before emphasis and escapes, everything with its place.

One pass over the text, jumping from one sign that may mean something to the next.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from mathrag.compute.mathml import tex_annotation
from mathrag.documents.markdown.block_rules import ATTRIBUTES, SHORTCODE, Shortcode, read_shortcode
from mathrag.documents.math_in_text.delimiters import (
    DelimiterReader,
    MathSpan,
    formula_source,
    number_of,
    without_trailing_number,
)
from mathrag.documents.math_in_text.explicit_lines import formula_in_code, formulas_in_line, formulas_in_sentences
from mathrag.documents.math_in_text.picture_addresses import formula_in_address
from mathrag.documents.math_in_text.tokens import SUBSCRIPTS, SUPERSCRIPTS
from mathrag.documents.source_map import Fragment
from mathrag.documents.two_forms import Form, compared, doubted
from mathrag.types.document import Break, Content, Inline, Math, Text

# Square brackets in Markdown text: links, images, footnote marks. Addresses are kept as text and never followed.

_BRACKETS = re.compile(r"\\.|``[^`]*``|`[^`\n]*`|[\[\]]", re.DOTALL)
_DESTINATION = re.compile(
    r"\(\s*(?:<([^<>\n]*)>|([^\s<>()]*(?:\([^\s()]*\)[^\s<>()]*)*))"
    r"(?:\s+(?:\"((?:[^\"\\]|\\.)*)\"|'((?:[^'\\]|\\.)*)'|\(([^()]*)\)))?\s*\)"
)


@dataclass(frozen=True, slots=True)
class Link:
    """A link or image: its words from `start` to `end`, where it is over, its address, the span of its title."""

    start: int
    end: int
    after: int
    address: str = ""
    title: tuple[int, int] | None = None


def match_brackets(text: str) -> dict[int, int]:
    """Where the bracket that closes each opening bracket stands; code and escapes aside."""
    pairs: dict[int, int] = {}
    opened: list[int] = []
    for found in _BRACKETS.finditer(text):
        if found.group() == "[":
            opened.append(found.start())
        elif found.group() == "]" and opened:
            pairs[opened.pop()] = found.start()
    return pairs


def read_link(text: str, start: int, pairs: dict[int, int], *, labels: frozenset[str]) -> Link | None:
    """The link whose words begin with the bracket at `start`; None where the bracket is only a bracket."""
    end = pairs.get(start)
    if end is None:
        return None
    following = text[end + 1 : end + 2]
    if following == "(":
        found = _DESTINATION.match(text, end + 1)
        if found:
            title = next((found.span(group) for group in (3, 4, 5) if found.group(group) is not None), None)
            return Link(start + 1, end, found.end(), found.group(1) or found.group(2) or "", title)
    if following == "[" and (second := pairs.get(end + 1)) is not None:
        label = text[end + 2 : second] or text[start + 1 : end]
        if normal_label(label) in labels:
            return Link(start + 1, end, second + 1, label)
    if labels and normal_label(text[start + 1 : end]) in labels:
        return Link(start + 1, end, end + 1, text[start + 1 : end])
    return None


def normal_label(label: str) -> str:
    """A label as the references are kept: case and spaces do not count."""
    return re.sub(r"\s+", " ", label.strip()).lower().upper()


# Which stars and underscores make text bold or italic, by the delimiter rules of CommonMark. Knows runs, not words.

_FLANKING_SPACES = frozenset(" \t\n\x0b\x0c\r\u00a0\u2003\u2009\u202f")


@dataclass(slots=True)
class MarkRun:
    """A row of equal marks at `index` in the pieces; `length` shrinks while marks are used up."""

    index: int
    mark: str
    length: int
    opens: bool
    closes: bool
    original: int = 0


@dataclass(frozen=True, slots=True)
class Styled:
    """Pieces between two indexes (both excluded) that are bold, or else italic."""

    first: int
    last: int
    bold: bool


def make_run(text: str, start: int, end: int) -> MarkRun:
    """The run of marks from `start` to `end`, with what it may do there. Its index is set by the caller."""
    before = text[start - 1] if start else " "
    after = text[end] if end < len(text) else " "
    space_before, space_after = before in _FLANKING_SPACES, after in _FLANKING_SPACES
    sign_before, sign_after = _is_sign(before), _is_sign(after)
    if text[start] == "*" and _is_factor(before) and _is_factor(after):
        # Set tight between letters or digits, a star multiplies: `2*3*4`, `r**2`.
        return MarkRun(-1, "*", end - start, False, False, end - start)
    left = not space_after and (not sign_after or space_before or sign_before)
    right = not space_before and (not sign_before or space_after or sign_after)
    if text[start] == "_":
        opens, closes = left and (not right or sign_before), right and (not left or sign_after)
    else:
        opens, closes = left, right
    return MarkRun(-1, text[start], end - start, opens, closes, end - start)


def _is_factor(character: str) -> bool:
    return (character.isalnum() and character < "Ѐ") or character in "()"


def _is_sign(character: str) -> bool:
    return not character.isalnum() and character not in _FLANKING_SPACES


def match_runs(runs: list[MarkRun]) -> list[Styled]:
    """Pair opening and closing runs. What is left in `length` of each run are plain characters."""
    styled: list[Styled] = []
    openers: list[MarkRun] = []
    # Below these heights of the stack a closer of the kind has already searched in vain.
    floors: dict[tuple[str, bool, int], int] = {}
    for run in runs:
        if run.closes:
            _close(run, openers, styled, floors)
        if run.length and run.opens:
            openers.append(run)
    return styled


def _close(
    run: MarkRun, openers: list[MarkRun], styled: list[Styled], floors: dict[tuple[str, bool, int], int]
) -> None:
    while run.length:
        kind = (run.mark, run.opens, run.original % 3)
        floor = min(floors.get(kind, 0), len(openers))
        place = len(openers) - 1
        while place >= floor and not _pair(openers[place], run):
            place -= 1
        if place < floor:
            floors[kind] = len(openers)
            return
        opener = openers[place]
        del openers[place + 1 :]
        for key, height in floors.items():
            floors[key] = min(height, len(openers))
        used = 2 if opener.length >= 2 and run.length >= 2 else 1
        styled.append(Styled(opener.index, run.index, used == 2))
        opener.length -= used
        run.length -= used
        if not opener.length:
            openers.pop()


def _pair(opener: MarkRun, closer: MarkRun) -> bool:
    if opener.mark != closer.mark:
        return False
    if not (opener.closes or closer.opens):
        return True
    total = opener.original + closer.original
    return total % 3 != 0 or (opener.original % 3 == 0 and closer.original % 3 == 0)


# The pieces an inline scan leaves, put together into content: styles, formulas in plain words, numbers, spaces.

_SPACES = re.compile(r"[ \t\n\u00a0]{2,}|[\t\n\u00a0]")
_NUMBER = re.compile(r"\s*\(\s*(?:[Ee]q(?:uation|n)?\.?\s*)?([A-Z]{0,2}\.?\d+(?:[.\-–]\d+)*[a-z]?)\s*\)\s*[.,;]?\s*")


@dataclass(slots=True)
class InlinePiece:
    """A stretch of the fragment from `start` to `end` and what it shows. A `run` shows nothing: marks of emphasis."""

    kind: Literal["text", "math", "break", "line", "run"]
    start: int
    end: int
    text: str = ""
    bold: bool = False
    italic: bool = False
    math: Math | None = None
    is_literal: bool = False


def assemble(fragment: Fragment, pieces: list[InlinePiece], runs: list[MarkRun]) -> Content:
    """The content that pieces make."""
    if runs:
        _apply_styles(pieces, runs)
    _number_displays(pieces)
    if "=" in fragment.text or "≈" in fragment.text:
        pieces = _with_formulas_in_words(fragment, pieces)
    return _merge(pieces)


def _apply_styles(pieces: list[InlinePiece], runs: list[MarkRun]) -> None:
    styled = match_runs(runs)
    for run in runs:
        pieces[run.index].text = run.mark * run.length
    if not styled:
        return
    bold, italic = [0] * (len(pieces) + 1), [0] * (len(pieces) + 1)
    for span in styled:
        depth = bold if span.bold else italic
        depth[span.first] += 1
        depth[span.last] -= 1
    now_bold = now_italic = 0
    for index, piece in enumerate(pieces):
        now_bold += bold[index]
        now_italic += italic[index]
        piece.bold |= now_bold > 0
        piece.italic |= now_italic > 0


def _number_displays(pieces: list[InlinePiece]) -> None:
    """`$$…$$ (3.2)`: the number after a displayed formula belongs to it."""
    for index in range(len(pieces) - 1):
        math, after = pieces[index].math, pieces[index + 1]
        if math is None or not math.is_display or math.number or after.kind != "text":
            continue
        ends_line = index + 2 == len(pieces) or pieces[index + 2].kind in ("line", "break")
        found = _NUMBER.fullmatch(after.text) if ends_line else None
        if found:
            pieces[index].math = replace(math, number=found.group(1))
            after.text = ""


def _with_formulas_in_words(fragment: Fragment, pieces: list[InlinePiece]) -> list[InlinePiece]:
    result: list[InlinePiece] = []
    line: list[InlinePiece] = []
    for piece in (*pieces, None):
        if piece is not None and piece.kind in ("text", "run"):
            line.append(piece)
            continue
        is_alone = (piece is None or piece.kind != "math") and (not result or result[-1].kind != "math")
        result.extend(_formula_in_line(fragment, line, is_alone=is_alone) if line else line)
        line = []
        if piece is not None:
            result.append(piece)
    return result


def _formula_in_line(fragment: Fragment, line: list[InlinePiece], *, is_alone: bool) -> list[InlinePiece]:
    """Words with the formulas among them; what touches a formula of another kind would be half a formula."""
    text = "".join(piece.text for piece in line)
    formulas = formulas_in_line(text) if is_alone else formulas_in_sentences(text)
    # The last first, so that what stands before it keeps its place in the text.
    for found in reversed(formulas):
        if not is_alone and not (text[: found.start].strip() and text[found.end :].strip()):
            continue
        line, first = _cut_at(line, found.start)
        line, last = _cut_at(line, found.end)
        first, last = _whole_marks(line, first, last)
        start, end = line[first].start, line[last - 1].end
        math = Math(found.source, found.notation, fragment.place(start, end), fragment.quote(start, end))
        line = [*line[:first], InlinePiece("math", start, end, math=math), *line[last:]]
    return line


def _cut_at(line: list[InlinePiece], position: int) -> tuple[list[InlinePiece], int]:
    """The pieces with a boundary at a position of their joined text, and the index of the piece after it."""
    passed = 0
    for index, piece in enumerate(line):
        if passed == position and piece.text:
            return line, index
        inside = position - passed
        if 0 < inside < len(piece.text) and piece.end - piece.start == len(piece.text):
            middle = piece.start + inside
            before = replace(piece, end=middle, text=piece.text[:inside])
            after = replace(piece, start=middle, text=piece.text[inside:])
            return [*line[:index], before, after, *line[index + 1 :]], index + 1
        passed += len(piece.text)
        if passed >= position and inside <= len(piece.text) and passed == position:
            return line, index + 1
    return line, len(line)


def _whole_marks(line: list[InlinePiece], first: int, last: int) -> tuple[int, int]:
    """Take in the marks of emphasis at the edges where that pairs them: `*F* = *m*·*a*`."""
    while first < last and line[first].kind == "run" and not line[first].text:
        first += 1
    while last > first and line[last - 1].kind == "run" and not line[last - 1].text:
        last -= 1
    inside = sum(1 for piece in line[first:last] if piece.kind == "run" and not piece.text)
    left = first > 0 and line[first - 1].kind == "run" and not line[first - 1].text
    right = last < len(line) and line[last].kind == "run" and not line[last].text
    if inside % 2:
        return (first - 1, last) if left else (first, last + 1) if right else (first, last)
    return (first - 1, last + 1) if left and right else (first, last)


def _merge(pieces: list[InlinePiece]) -> Content:
    """Neighbours of one style become one text; spaces at line breaks and at both ends go."""
    joiner = _Joiner()
    for piece in pieces:
        if piece.kind == "line":
            joiner.add_space()
        elif piece.kind in ("text", "run"):
            joiner.add_words(piece)
        elif piece.kind == "break":
            joiner.flush()
            _strip_end(joiner.result)
            joiner.result.append(Break())
        elif piece.math is not None:
            joiner.flush()
            joiner.result.append(piece.math)
    joiner.flush()
    result = joiner.result
    _strip_end(result)
    while result and isinstance(result[-1], Break):
        result.pop()
        _strip_end(result)
    return tuple(result)


class _Joiner:
    """Collects words of one style. A space between two styles belongs to neither and goes to the plainer one."""

    def __init__(self) -> None:
        self.result: list[Inline] = []
        self._words: list[str] = []
        self._style = (False, False)
        self._has_space = False

    def add_space(self) -> None:
        self._has_space = True

    def add_words(self, piece: InlinePiece) -> None:
        if not piece.text:
            return
        if piece.text.isspace():
            self._has_space = True
            return
        style = (piece.bold, piece.italic)
        if style != self._style and self._words:
            if self._has_space and self._style == (False, False):
                self._words.append(" ")
                self._has_space = False
            self._emit()
        self._style = style
        if self._has_space:
            if style != (False, False) and not self._words:
                self._emit_space()
            else:
                self._words.append(" ")
            self._has_space = False
        self._words.append(piece.text)

    def flush(self) -> None:
        """All that was collected, with its last space, to the result."""
        if self._has_space and self._words and self._style == (False, False):
            self._words.append(" ")
            self._has_space = False
        self._emit()
        if self._has_space:
            self._emit_space()
            self._has_space = False

    def _emit(self) -> None:
        text = _SPACES.sub(" ", "".join(self._words))
        self._words.clear()
        if not self.result or isinstance(self.result[-1], Break):
            text = text.lstrip()
        if text:
            self.result.append(Text(text, *self._style))

    def _emit_space(self) -> None:
        if self.result and not isinstance(self.result[-1], Break):
            self.result.append(Text(" "))


def _strip_end(result: list[Inline]) -> None:
    while result and isinstance(result[-1], Text):
        text = result[-1].text.rstrip()
        if text == result[-1].text:
            return
        if text:
            result[-1] = replace(result[-1], text=text)
            return
        result.pop()


# HTML inside Markdown text: which `<…>` are tags, and what small ones such as `<sub>` mean. No tree, no blocks.

TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]*)((?:[^<>\"']|\"[^\"]{0,2000}\"|'[^']{0,2000}'){0,400})>")
AUTOLINK = re.compile(r"<([A-Za-z][A-Za-z0-9+.\-]{1,30}:[^\s<>]{0,2000}|[\w.+-]{1,64}@[\w.-]{1,250})>")
ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_ATTRIBUTE = re.compile(r"([A-Za-z-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))")
_KNOWN = frozenset(
    "a abbr acronym address article aside b bdi bdo big blockquote br button caption center cite code col colgroup "
    "data dd del details dfn dialog div dl dt em embed fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 "
    "header hr i iframe img input ins kbd label legend li link main map mark math meta nav nobr noscript object ol "
    "option p param picture pre q rp rt ruby s samp script section select small source span strike strong style sub "
    "summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr".split()
)
BREAKING = frozenset("p div li tr h1 h2 h3 h4 h5 h6 center summary details section article dt dd ul ol".split())
_TO_RAISED = {chr(plain): chr(raised) for raised, plain in SUPERSCRIPTS.items()} | {"−": "⁻", "–": "⁻"}
_TO_LOWERED = {chr(plain): chr(lowered) for lowered, plain in SUBSCRIPTS.items()} | {"−": "₋", "–": "₋"}


def match_tag(text: str, position: int) -> re.Match[str] | None:
    """The tag that begins here; None for a `<` that means less than, as in `r<R and x>0`."""
    found = TAG.match(text, position)
    if found is None or found.group(2).lower() not in _KNOWN:
        return None
    rest = found.group(3).strip().rstrip("/").strip()
    # A one-letter name is a tag only with real attributes: `<b and c>` compares.
    if rest and len(found.group(2)) == 1 and "=" not in rest:
        return None
    return found


def attributes_of(text: str) -> dict[str, str]:
    """The attributes of a tag by name in small letters."""
    return {
        found.group(1).lower(): html.unescape(found.group(2) or found.group(3) or found.group(4) or "")
        for found in _ATTRIBUTE.finditer(text)
    }


def script_text(text: str, *, raised: bool) -> str:
    """Small raised or lowered text: in Unicode where it has the letters, else behind `^` or `_`."""
    table = _TO_RAISED if raised else _TO_LOWERED
    if text and all(character in table for character in text):
        return "".join(table[character] for character in text)
    mark = "^" if raised else "_"
    return f"{mark}{text}" if re.fullmatch(r"\w+", text) else f"{mark}({text})" if text else ""


_SPECIAL = re.compile(
    r"[\\`$*_~\[\]\n]|@(?=f[$\[({])|<(?=[A-Za-z/!])|&(?=[#A-Za-z])|!(?=\[)|\{(?=\{[<%]|%|[#.:]|[\w-]+=)"
)
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
        self.finder = DelimiterReader(self.text)
        self.pieces: list[InlinePiece] = []
        self.runs: list[MarkRun] = []
        self.jumps: dict[int, int] = {}
        self.scripts: list[tuple[str, int, int]] = []
        self.styles = {"bold": 0, "italic": 0, "struck": 0}
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
        self.pieces.append(InlinePiece("text", start, end, shown or "", bold, italic, is_literal=shown is None))

    def add_math(self, span: MathSpan) -> int:
        """A formula between delimiters."""
        inner = self.text[span.inner_start : span.inner_end]
        number = number_of(inner) if span.is_display else ""
        source = formula_source(without_trailing_number(inner) if number else inner)
        self._add_formula(source, span.start, span.end, is_display=span.is_display, number=number)
        return span.end

    def _add_formula(
        self,
        source: str,
        start: int,
        end: int,
        *,
        is_display: bool = False,
        number: str = "",
        others: Sequence[Form] = (),
    ) -> None:
        place, quote = self.fragment.place(start, end), self.fragment.quote(start, end)
        self._append_math(Math(source, "latex", place, quote, is_display, number), start, end, others)

    def _append_math(self, math: Math, start: int, end: int, others: Sequence[Form] = ()) -> None:
        math = compared(math, others) if others else math
        math = doubted(math, "it is struck out") if self.styles["struck"] else math
        self.pieces.append(InlinePiece("math", start, end, math=math))

    # -- signs

    def backslash(self, at: int) -> int | None:
        following = self.text[at + 1 : at + 2]
        if following in ("(", "[", "\\", "b", "f"):
            span = self.finder.at_backslash(at)
            if span is not None:
                return self.add_math(span)
        if following == "\n":
            self.pieces.append(InlinePiece("break", at, at + 2))
            return at + 2
        if following in _ESCAPABLE and following:
            self.add_text(at, at + 2, following)
            return at + 2
        return None

    def at_sign(self, at: int) -> int | None:
        span = self.finder.at_doxygen(at)
        return None if span is None else self.add_math(span)

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
        found = formula_in_code(inner)
        if found is not None:
            place, quote = self.fragment.place(at, end), self.fragment.quote(at, end)
            self._append_math(Math(found.source, found.notation, place, quote), at, end)
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
            self.pieces.append(InlinePiece("break", found.start(), found.end()))
        elif name in ("sub", "sup"):
            self._script_tag(name, found, closes=closes)
        elif name in ("b", "strong", "i", "em", "var", "cite", "dfn"):
            style = "bold" if name in ("b", "strong") else "italic"
            self.styles[style] = max(0, self.styles[style] + (-1 if closes else 1))
        elif name in ("del", "s", "strike"):
            self.styles["struck"] = max(0, self.styles["struck"] + (-1 if closes else 1))
        elif name == "img" and not closes:
            attributes = attributes_of(found.group(3))
            formula = formula_in_address(attributes.get("src", ""))
            if formula:
                others = _forms_in_words(attributes.get("alt", ""))
                self._add_formula(formula, found.start(), found.end(), others=others)
                return found.end()
            self._image(found.start(), found.end(), (), attributes.get("alt", ""), attributes.get("src", ""))
        elif name in ("script", "style", "math") and not closes:
            return self._whole_element(name, found)
        elif name in BREAKING:
            self.pieces.append(InlinePiece("line", found.start(), found.end()))
        return found.end()

    def _whole_element(self, name: str, found: re.Match[str]) -> int:
        end = self.finder.find(f"</{name}>", found.end())
        if end < 0:
            return found.end()
        end += len(name) + 3
        if name == "math":
            quote = self.fragment.quote(found.start(), end)
            is_display = 'display="block"' in found.group(3)
            source = self.text[found.start() : end]
            math = Math(source, "mathml", self.fragment.place(found.start(), end), quote, is_display)
            tex = tex_annotation(source)
            self._append_math(math, found.start(), end, [(tex, "latex")] if tex else ())
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
        self.pieces.append(InlinePiece("run", at, end, self.text[at:end], bold, italic))
        return end

    def tilde(self, at: int) -> int | None:
        if self.text.startswith("~~", at):
            if self.styles["struck"]:
                self.styles["struck"] -= 1
            elif self.text.find("~~", at + 2) >= 0:
                self.styles["struck"] += 1
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
            others = _forms_in_words(self.text[link.start : link.end])
            self._add_formula(formula, at, link.after, others=others)
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
        self.pieces.append(InlinePiece("break" if hard else "line", at, at + 1))
        after = at + 1
        while after < len(self.text) and self.text[after] in " \t":
            after += 1
        return after


def _forms_in_words(words: str) -> Sequence[Form]:
    """What stands in place of a picture of a formula, where it is a formula itself and no description."""
    bare = words.strip().strip("$").strip()
    is_formula = any(sign in bare for sign in ("\\", "^", "_", "=")) and len(bare) <= 2_000
    return [(bare, "latex")] if is_formula else ()


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
    "@": _Scanner.at_sign,
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
