"""Pair delimiters that MathML writes as loose operators, so that `( x )` becomes one fence. Knows nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from mathrag.compute.mathml.characters import BARS, CLOSING, OPENING
from mathrag.compute.notation import Fence, Grid, Mark, Row, Script, Sign, Space
from mathrag.errors import ExpressionLimitError, FormulaError
from mathrag.types.expression import MAXIMUM_DEPTH

RELATIONS = frozenset(("=", "≈", "≡", "<", ">", "<=", ">=", "!=", "∝", "~", "≪", "≫", "→", "⇌"))
# Signs that stand after what they belong to: a bar that follows them closes.
_POSTFIX_SIGNS = frozenset("!%°′″‴…∞†‡")
_ROUND_OR_SQUARE = frozenset("()[]")


@dataclass(frozen=True, slots=True)
class Delimiter:
    """A bracket or bar not paired yet. A closing one may carry the scripts of the whole fence, as in `(x)^2`."""

    text: str
    position: int
    form: str = ""
    sub: Row | None = None
    sup: Row | None = None


@dataclass(frozen=True, slots=True)
class LineBreak:
    """The author ended a line here."""

    position: int


Piece: TypeAlias = Mark | Delimiter | LineBreak


@dataclass(slots=True)
class _Frame:
    opening: Delimiter | None
    items: list[Mark] = field(default_factory=list)

    def last(self) -> Mark | None:
        return next((item for item in reversed(self.items) if not isinstance(item, Space)), None)


def is_balanced(pieces: Sequence[Piece]) -> bool:
    """Whether every bracket has its partner among the pieces; bars count as balanced when even."""
    depth, bars = 0, 0
    for piece in pieces:
        if isinstance(piece, Delimiter):
            if piece.text in BARS:
                bars += 1
            elif not piece.text:
                return False
            else:
                depth += 1 if piece.text in OPENING else -1
                if depth < 0:
                    return False
    return depth == 0 and bars % 2 == 0


def nest(pieces: Sequence[Piece]) -> list[Mark]:
    """The pieces with every delimiter paired into a `Fence`."""
    bars = [piece for piece in pieces if isinstance(piece, Delimiter) and piece.text in BARS]
    if bars and len(bars) == len(pieces) <= 2:
        # A subscript of two bars alone means "parallel".
        return [Sign("∥" if len(bars) == 2 or bars[0].text == "‖" else "|", bars[0].position)]
    frames = [_Frame(None)]
    for index, piece in enumerate(pieces):
        if isinstance(piece, LineBreak):
            continue
        if not isinstance(piece, Delimiter):
            frames[-1].items.append(piece)
            continue
        role = _role(piece, frames, pieces, index)
        if role == "open":
            if piece.sub or piece.sup:
                raise FormulaError("fence", f"{piece.text} carries a script but opens a group", position=piece.position)
            if len(frames) > MAXIMUM_DEPTH:
                raise ExpressionLimitError(f"brackets nested deeper than {MAXIMUM_DEPTH}", position=piece.position)
            frames.append(_Frame(piece))
        elif role == "close":
            _close(frames, piece)
        else:
            _append_bar(frames[-1], piece)
    while len(frames) > 1:
        _give_up(frames)
    return frames[0].items


def _role(piece: Delimiter, frames: list[_Frame], pieces: Sequence[Piece], index: int) -> str:
    if piece.text in OPENING:
        return "open"
    if piece.text in CLOSING:
        return "close"
    top = frames[-1]
    if not piece.text:
        return (
            "open" if piece.form == "prefix" or (not piece.form and top.opening is None and not top.items) else "close"
        )
    is_inside = top.opening is not None and top.opening.text == piece.text
    if piece.sub or piece.sup or piece.form == "postfix":
        return "close" if is_inside or (top.opening is not None and not top.opening.text) else "sign"
    if piece.form == "prefix":
        return "open"
    last = top.last()
    if last is None or (isinstance(last, Sign) and last.text not in _POSTFIX_SIGNS):
        return "open"
    if is_inside:
        return "close"
    return "open" if _comes_again(piece.text, pieces, index) else "sign"


def _comes_again(text: str, pieces: Sequence[Piece], index: int) -> bool:
    """Whether the same bar stands again before the group around it ends."""
    depth = 0
    for following in range(index + 1, len(pieces)):
        piece = pieces[following]
        if isinstance(piece, Delimiter):
            if piece.text == text and depth == 0:
                return True
            depth += 1 if piece.text in OPENING else -1 if piece.text in CLOSING else 0
            if depth < 0:
                return False
    return False


def _append_bar(frame: _Frame, piece: Delimiter) -> None:
    bar: Mark = Sign(piece.text, piece.position)
    frame.items.append(Script(bar, piece.sub, piece.sup, piece.position) if piece.sub or piece.sup else bar)


def _close(frames: list[_Frame], piece: Delimiter) -> None:
    while True:
        opening = frames[-1].opening
        if opening is None:
            raise FormulaError(
                "fence", f"{piece.text or 'this end'} closes nothing that was opened", position=piece.position
            )
        if opening.text not in BARS or piece.text in BARS or not piece.text:
            break
        _give_up(frames)
    if not _fits(opening.text, piece.text):
        raise FormulaError("fence", f"{opening.text} is closed by {piece.text}", position=piece.position)
    frame = frames.pop()
    fenced: Mark = _fence(opening, piece, frame.items, is_alone=frames[-1].last() is None)
    if piece.sub or piece.sup:
        fenced = Script(fenced, piece.sub, piece.sup, fenced.position)
    frames[-1].items.append(fenced)


def _fits(opening: str, closing: str) -> bool:
    """Half-open intervals pair a round with a square bracket; an invisible delimiter pairs with anything."""
    if not opening or not closing or opening == closing or OPENING.get(opening) == closing:
        return True
    return opening in _ROUND_OR_SQUARE and closing in _ROUND_OR_SQUARE


def _fence(opening: Delimiter, closing: Delimiter, items: list[Mark], *, is_alone: bool) -> Mark:
    inside = [item for item in items if not isinstance(item, Space)]
    if len(inside) == 1 and isinstance(inside[0], Grid):
        if opening.text == "{" and not closing.text:
            return _cases(inside[0], is_alone=is_alone)
        if inside[0].kind != "cases":
            items = [replace(inside[0], kind="matrix")]
    body = Row(tuple(items), items[0].position if items else opening.position)
    return Fence(opening.text, closing.text, body, opening.position)


def _give_up(frames: list[_Frame]) -> None:
    """A group that nothing closed: a bar was only a sign, a brace before a table begins cases, all else is wrong."""
    frame = frames.pop()
    opening = frame.opening
    assert opening is not None
    outer = frames[-1]
    if opening.text in BARS:
        outer.items.append(Sign(opening.text, opening.position))
        outer.items.extend(frame.items)
        return
    inside = [item for item in frame.items if not isinstance(item, Space)]
    if opening.text == "{" and inside and isinstance(inside[0], Grid):
        outer.items.append(_cases(inside[0], is_alone=outer.last() is None))
        outer.items.extend(inside[1:])
        return
    raise FormulaError("fence", f"{opening.text or 'this group'} is never closed", position=opening.position)


def _cases(grid: Grid, *, is_alone: bool) -> Grid:
    """Lines after a brace are cases, unless nothing stands before it and each is an equation: then a system."""
    is_system = is_alone and all(any(has_relation(cell) for cell in line[:1]) for line in grid.lines)
    return replace(grid, kind="lines" if is_system else "cases")


def has_relation(row: Row) -> bool:
    """Whether a relation stands in the row itself, not inside a group."""
    return any(isinstance(item, Sign) and item.text in RELATIONS for item in row.items)
