"""Put together what MathML cut apart: numbers over several elements, letters of one word, scripts without a base."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from mathrag.compute.mathml.characters import APPLY_FUNCTION, BARS, CLOSING, OPENING
from mathrag.compute.mathml.elements import Element, Text
from mathrag.compute.notation import (
    Accent,
    Digits,
    Fence,
    Grid,
    Mark,
    Name,
    Root,
    Row,
    Script,
    Sign,
    Space,
    Stack,
    Words,
)
from mathrag.errors import ExpressionLimitError, FormulaError
from mathrag.types.expression import MAXIMUM_DEPTH

# Upright words that converters write letter by letter, joined again while the spaces between words are still there.
#
# `\mathrm{mol^{-1}}` comes as three `<mi mathvariant="normal">`, the last one carrying the script; LaTeX has one
# name.


def join_upright(row: Row) -> Row:
    """The same row, at every depth, with upright letters that stand side by side joined into names."""
    joined: list[Mark] = []
    for item in row.items:
        mark = _inside(_opened(item))
        base = mark.base if isinstance(mark, Script) else mark
        before = joined[-1] if joined else None
        follows = isinstance(before, Name) and before.style == "upright" and before.text.isalpha()
        is_letter = isinstance(base, Name) and base.style == "upright" and len(base.text) == 1
        if follows and is_letter and isinstance(before, Name) and isinstance(base, Name):
            name = Name(before.text + base.text, before.position, "upright")
            joined[-1] = Script(name, mark.sub, mark.sup, name.position) if isinstance(mark, Script) else name
        else:
            joined.append(mark)
    return Row(tuple(joined), row.position)


def _opened(mark: Mark) -> Mark:
    """The letter inside a group that holds nothing else."""
    only = mark.items[0] if isinstance(mark, Row) and len(mark.items) == 1 else None
    return only if isinstance(only, Name | Script) else mark


def _inside(mark: Mark) -> Mark:
    match mark:
        case Row():
            return join_upright(mark)
        case Fence(opening, closing, body, position):
            return Fence(opening, closing, join_upright(body), position)
        case Script(base, sub, sup, position, limits):
            below = None if sub is None else join_upright(sub)
            above = None if sup is None else join_upright(sup)
            return Script(_inside(base), below, above, position, limits)
        case Accent(accent, body, position):
            return Accent(accent, join_upright(body), position)
        case Stack(above_row, below_row, position, bar):
            return Stack(join_upright(above_row), join_upright(below_row), position, bar)
        case Root(body, degree, position):
            return Root(join_upright(body), None if degree is None else join_upright(degree), position)
        case Grid(kind, lines, position):
            return Grid(kind, tuple(tuple(join_upright(cell) for cell in line) for line in lines), position)
        case _:
            return mark


# Pair delimiters that MathML writes as loose operators, so that `( x )` becomes one fence. Knows nothing else.

_DOTS = "..."
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


def join(pieces: Sequence[Piece], *, in_script: bool = False) -> list[Piece]:
    """The pieces of one row with numbers whole, scripts on their bases and micro-units in one word."""
    joiner = _Joiner(may_group=not in_script)
    pieces = _with_dots(pieces)
    for index, piece in enumerate(pieces):
        if not joiner.take_abbreviation(piece, pieces[index + 1 : index + 3]):
            joiner.take(piece)
    return joiner.joined


def _with_dots(pieces: Sequence[Piece]) -> Sequence[Piece]:
    """Three full stops in a row, each a token of its own, are the dots that leave something out."""
    if sum(isinstance(piece, Sign) and piece.text == "." for piece in pieces) < len(_DOTS):
        return pieces
    result: list[Piece] = []
    for piece in pieces:
        result.append(piece)
        last = result[-len(_DOTS) :]
        if len(last) == len(_DOTS) and all(isinstance(one, Sign) and one.text == "." for one in last):
            result[-len(_DOTS) :] = [Sign("…", last[0].position)]
    return result


class _Joiner:
    """Takes the pieces of a row in order; the last of `joined` may still grow."""

    def __init__(self, *, may_group: bool) -> None:
        self.joined: list[Piece] = []
        self.may_group = [may_group]
        self.grouped_at = -1

    def take(self, piece: Piece) -> None:
        if isinstance(piece, Delimiter):
            self.track(piece)
            self.joined.append(piece)
        elif isinstance(piece, Script) and isinstance(piece.base, Row) and not piece.base.items:
            _attach(piece, self.joined)
        elif isinstance(piece, Digits):
            self.joined.append(self.number(piece))
        elif isinstance(piece, Script) and isinstance(piece.base, Digits):
            digits = self.number(piece.base)
            self.joined.append(replace(piece, base=digits, position=digits.position))
        elif isinstance(piece, Name | Words) and _completes_micro(piece, self.joined):
            self.joined[-1] = Words("μ" + piece.text, self.joined[-1].position)
        elif isinstance(piece, Words) and self.joined and isinstance(last := self.joined[-1], Words):
            self.joined[-1] = Words(f"{last.text.rstrip()} {piece.text.lstrip()}", last.position)
        else:
            self.joined.append(piece)

    def take_abbreviation(self, piece: Piece, following: Sequence[Piece]) -> bool:
        """`in.` in the middle of a formula: the point belongs to the word, and a script on the point to both."""
        last = self.joined[-1] if self.joined else None
        point = piece.base if isinstance(piece, Script) else piece
        if not isinstance(last, Words) or not (isinstance(point, Sign) and point.text == "."):
            return False
        after = next((each for each in following if not isinstance(each, Space)), None)
        ends = after is None or (isinstance(after, Delimiter) and after.text in CLOSING)
        if point is piece and (ends or isinstance(after, Digits) or last.text.endswith(" ")):
            return False
        word = Words(last.text + ".", last.position)
        self.joined[-1] = replace(piece, base=word, position=word.position) if isinstance(piece, Script) else word
        return True

    def track(self, piece: Delimiter) -> None:
        """`f(1,200)`, `[1,200]` and `{1,200}` are lists; `(1,200)` alone is a number with a separator."""
        if piece.text in OPENING:
            last = self.joined[-1] if self.joined else None
            is_applied = isinstance(last, Name | Script | Accent)
            is_applied = is_applied or (isinstance(last, Sign) and last.text == APPLY_FUNCTION)
            self.may_group.append(self.may_group[-1] and piece.text == "(" and not is_applied)
        elif piece.text in CLOSING and len(self.may_group) > 1:
            self.may_group.pop()

    def number(self, digits: Digits) -> Digits:
        """The digits, with the part of the number just before them: `3` `.5`, `3` `.` `5`, `1` `,` `000`, `1` `2`."""
        text, joined = digits.text, self.joined
        last = joined[-1] if joined else None
        previous = joined[-2] if len(joined) > 1 else None
        head, used = "", 0
        if isinstance(last, Digits):
            head, used = last.text, 1
        elif isinstance(last, Sign) and last.text == "." and isinstance(previous, Digits):
            head, used = previous.text + ".", 2
        elif isinstance(previous, Digits) and self.groups(previous, last, text):
            head, used = previous.text, 2
            self.grouped_at = previous.position
        elif isinstance(last, Space) and not last.wide and self.may_group[0]:
            head, used = self.over_space(digits)
        if used:
            digits = Digits(head + text, joined[-used].position)
            del joined[-used:]
        if digits.text.count(".") > 1:
            raise FormulaError("number", f"{digits.text} has two decimal points", position=digits.position)
        return digits

    def over_space(self, digits: Digits) -> tuple[str, int]:
        """`21.` and `00` with a blank between are one number; two numbers with a blank between are nothing."""
        before = self.joined[-3:-1]
        if len(before) == 2 and isinstance(before[0], Digits) and isinstance(before[1], Sign) and before[1].text == ".":
            return f"{before[0].text}.", 3
        if before and isinstance(before[-1], Digits):
            raise FormulaError("number", "two numbers stand side by side without a sign", position=digits.position)
        return "", 0

    def groups(self, previous: Digits, last: Piece | None, text: str) -> bool:
        """Whether `last` separates thousands: `1,000`, `12 000`."""
        is_separator = (isinstance(last, Sign) and last.text == ",") or (isinstance(last, Space) and not last.wide)
        is_head = "." not in previous.text and previous.text[0] != "0"
        is_head = is_head and (len(previous.text) <= 3 or self.grouped_at == previous.position)
        return self.may_group[-1] and is_separator and is_head and len(text.partition(".")[0]) == 3


def _attach(piece: Script, joined: list[Piece]) -> None:
    """A script with an empty base belongs to what stands before it, where that is beyond doubt."""
    above = piece.sup.items if piece.sup is not None else ()
    if piece.sub is None and len(above) == 1 and isinstance(above[0], Sign) and above[0].text in {"∘", "°"}:
        joined.append(Sign("°", piece.position))
        return
    last = joined[-1] if joined else None
    if piece.sup is None and not isinstance(last, Script | Delimiter):
        # The n of "n choose r" written as C with two subscripts: the grammar knows.
        joined.append(piece)
    elif isinstance(last, Delimiter) and last.text in CLOSING and not (last.sub or last.sup):
        joined[-1] = replace(last, sub=piece.sub, sup=piece.sup)
    elif isinstance(last, Script):
        joined[-1] = replace(last, sub=_continued(last.sub, piece.sub), sup=_continued(last.sup, piece.sup))
    elif isinstance(last, Name | Accent) and piece.sub is None and all(isinstance(each, Sign) for each in above):
        joined[-1] = Script(last, None, piece.sup, last.position)
    else:
        raise FormulaError("prescript", "a script stands before its letter, as in nuclides", position=piece.position)


def _continued(row: Row | None, more: Row | None) -> Row | None:
    """Two scripts in the same place, one after the other, look like one."""
    if row is None or more is None:
        return row or more
    items = [
        piece
        for piece in join((*row.items, *more.items), in_script=True)
        if not isinstance(piece, Delimiter | LineBreak)
    ]
    return Row(tuple(items), row.position)


def _completes_micro(piece: Name | Words, joined: list[Piece]) -> bool:
    """`10 μ F`: a mu between a number and upright letters is the prefix micro."""
    last = joined[-1] if joined else None
    is_mu = (isinstance(last, Name) and last.text == "mu") or (
        isinstance(last, Words) and last.text.strip() in {"μ", "µ"}
    )
    if (
        not is_mu
        or (isinstance(piece, Name) and (piece.style != "upright" or len(piece.text) > 3))
        or piece.text[:1] == " "
    ):
        return False
    before = [each for each in joined[-3:-1] if not isinstance(each, Space)]
    return bool(before) and is_number(before[-1])


def is_number(piece: Piece) -> bool:
    """A literal, or a power of one as in 10^-6."""
    return isinstance(piece, Digits) or (isinstance(piece, Script) and isinstance(piece.base, Digits))


def merge_scripts(base: Mark, sub: Row | None, sup: Row | None, position: int, *, limits: bool = False) -> Mark:
    """A base with its scripts; scripts set in two steps (`(p')_1`, `(v_0)^2`) share one base, as they look."""
    if sub is None and sup is None:
        return base
    if isinstance(base, Script) and not base.limits and not limits and not (sub and base.sub):
        if not (sup and base.sup):
            return Script(base.base, base.sub or sub, base.sup or sup, position)
        if all(isinstance(each, Sign) and each.text in "′″‴*" for each in base.sup.items):
            return Script(base.base, base.sub or sub, Row((*base.sup.items, *sup.items), base.sup.position), position)
    return Script(base, sub, sup, position, limits)


def spelled_word(nodes: Sequence[Element | Text], index: int, pieces: Sequence[Piece]) -> tuple[Mark | None, int]:
    """A word written letter by letter: upright `<mi>`s, as converters do, or `<mtext>`s after a number (a unit)."""
    first = nodes[index]
    if not isinstance(first, Element) or first.name not in {"mi", "mtext"}:
        return None, 0
    if first.name == "mi" and not first.attributes:
        return None, 0  # an italic letter
    letters: list[str] = []
    stop = index
    for stop in range(index, len(nodes)):
        node = nodes[stop]
        if isinstance(node, Text):
            if node.value.strip():
                break
            continue
        letter = node.text.strip(" \t\n\r\f")
        variant = node.attribute("mathvariant")
        if node.name != first.name or variant != ("normal" if node.name == "mi" else "") or node.elements:
            break
        if len(letter) != 1 or not (letter.isascii() and letter.isalpha()):
            break
        letters.append(letter)
    else:
        stop = len(nodes)
    if len(letters) < 2:
        return None, 0
    if first.name == "mi":
        return Name("".join(letters), first.position, "upright"), stop
    before = [piece for piece in pieces[-2:] if not isinstance(piece, Space)]
    if (before and is_number(before[-1])) or (not before and stop == len(nodes) and len(letters) > 2):
        return Words("".join(letters), first.position), stop
    return None, 0
