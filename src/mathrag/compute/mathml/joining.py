"""Put together what MathML cut apart: numbers over several elements, letters of one word, scripts without a base."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mathrag.compute.mathml.characters import APPLY_FUNCTION, CLOSING, OPENING
from mathrag.compute.mathml.elements import Element, Text
from mathrag.compute.mathml.fences import Delimiter, LineBreak, Piece
from mathrag.compute.notation import Accent, Digits, Mark, Name, Row, Script, Sign, Space, Words
from mathrag.errors import FormulaError


def join(pieces: Sequence[Piece], *, in_script: bool = False) -> list[Piece]:
    """The pieces of one row with numbers whole, scripts on their bases and micro-units in one word."""
    joiner = _Joiner(may_group=not in_script)
    for index, piece in enumerate(pieces):
        if not joiner.take_abbreviation(piece, pieces[index + 1 : index + 3]):
            joiner.take(piece)
    return joiner.joined


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
