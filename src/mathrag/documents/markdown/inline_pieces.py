"""The pieces an inline scan leaves, put together into content: styles, formulas in plain words, numbers, spaces."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from mathrag.documents.markdown.emphasis import Run, match_runs
from mathrag.documents.source_map import Fragment
from mathrag.documents.text_formulas import find_formula
from mathrag.types.document import Break, Content, Inline, Math, Text

_SPACES = re.compile(r"[ \t\n\u00a0]{2,}|[\t\n\u00a0]")
_NUMBER = re.compile(r"\s*\(\s*(?:[Ee]q(?:uation|n)?\.?\s*)?([A-Z]{0,2}\.?\d+(?:[.\-–]\d+)*[a-z]?)\s*\)\s*[.,;]?\s*")


@dataclass(slots=True)
class Piece:
    """A stretch of the fragment from `start` to `end` and what it shows. A `run` shows nothing: marks of emphasis."""

    kind: Literal["text", "math", "break", "line", "run"]
    start: int
    end: int
    text: str = ""
    bold: bool = False
    italic: bool = False
    math: Math | None = None
    is_literal: bool = False


def assemble(fragment: Fragment, pieces: list[Piece], runs: list[Run]) -> Content:
    """The content that pieces make."""
    if runs:
        _apply_styles(pieces, runs)
    _number_displays(pieces)
    if "=" in fragment.text or "≈" in fragment.text:
        pieces = _with_formulas_in_words(fragment, pieces)
    return _merge(pieces)


def _apply_styles(pieces: list[Piece], runs: list[Run]) -> None:
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


def _number_displays(pieces: list[Piece]) -> None:
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


def _with_formulas_in_words(fragment: Fragment, pieces: list[Piece]) -> list[Piece]:
    result: list[Piece] = []
    line: list[Piece] = []
    for piece in (*pieces, None):
        if piece is not None and piece.kind in ("text", "run"):
            line.append(piece)
            continue
        is_alone = (piece is None or piece.kind != "math") and (not result or result[-1].kind != "math")
        result.extend(_formula_in_line(fragment, line) if is_alone and line else line)
        line = []
        if piece is not None:
            result.append(piece)
    return result


def _formula_in_line(fragment: Fragment, line: list[Piece]) -> list[Piece]:
    text = "".join(piece.text for piece in line)
    found = find_formula(text)
    if found is None:
        return line
    line, first = _cut_at(line, found.start)
    line, last = _cut_at(line, found.end)
    first, last = _whole_marks(line, first, last)
    start, end = line[first].start, line[last - 1].end
    math = Math(found.source, found.notation, fragment.place(start, end), fragment.quote(start, end))
    return [*line[:first], Piece("math", start, end, math=math), *line[last:]]


def _cut_at(line: list[Piece], position: int) -> tuple[list[Piece], int]:
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


def _whole_marks(line: list[Piece], first: int, last: int) -> tuple[int, int]:
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


def _merge(pieces: list[Piece]) -> Content:
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

    def add_words(self, piece: Piece) -> None:
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
