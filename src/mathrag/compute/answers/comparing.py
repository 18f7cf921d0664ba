"""Whether two answers are the same, and a key under which the same answers meet. Never equal by accident.

The rules, where answers of different writing meet:
- A name before a value does not count: "x = 5" is 5. Two different names with one value: cannot tell.
- A bare number may have left out the unit, percent sign or currency of the other: 12 is "12 cm". Two units must
  convert. 50 % is also 0.5, and 90 degrees are also pi/2. What is counted ("apples") must be the same word.
- (1, 2) is a tuple and may be an open interval; [1, 2] is a closed interval. Order counts in tuples, not in sets and
  lists. A list is a set without braces; whether it is a tuple without brackets cannot be told.
- A numeral of another base is that numeral: the same value in another base cannot be told.
- A rounded decimal and what it rounds: cannot tell, unless it has a dozen digits, as a computer prints it, or `places`
  says how exact is exact enough. "2,5" is 2.5 only where the other one has the very same digits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from mathrag.compute.answers.expressions import exact_value, same_expression, same_statement
from mathrag.compute.answers.keys import expressions_of, key_of
from mathrag.compute.answers.reading import read_answer
from mathrag.compute.answers.writing import cleaned
from mathrag.compute.evaluate.complex_digits import many_digits
from mathrag.compute.latex import read_latex
from mathrag.language.spoken_numbers import spoken_numbers
from mathrag.types.expression import (
    PI,
    Add,
    Declined,
    Divide,
    Equation,
    Expression,
    Multiply,
    Negate,
    Number,
    symbols_of,
)
from mathrag.types.math_answer import (
    AnswerBody,
    BaseNumeral,
    ClockAnswer,
    EquationAnswer,
    IntervalAnswer,
    MathAnswer,
    MatrixAnswer,
    RelationAnswer,
    SeveralAnswer,
    UnionAnswer,
    ValueAnswer,
    WordsAnswer,
)

_MOST_UNMATCHED = 12
_SHORT_TEXT = 3
_NEARLY = 1e-12
_PERCENT, _DEGREE = "percent", "deg"
_UNORDERED = ("list", "set")
# One digit on both sides may well be two numbers.
_DECIMAL_COMMA = re.compile(r"-?(?:\d{1,20},\d{2,20}|\d{2,20},\d{1,20}|0,\d)")
# Blanks that part no words and no numbers.
_SPACES = re.compile(r"\s+(?![A-Za-z0-9])|(?<![A-Za-z0-9])\s+")


def same_answer(first: str | MathAnswer, second: str | MathAnswer, *, places: int | None = None) -> bool | None:
    """Whether two answers are the same; None where that cannot be told."""
    one, other = (each if isinstance(each, MathAnswer) else read_answer(each) for each in (first, second))
    if one is None or other is None:
        texts = [
            _SPACES.sub("", each.written if isinstance(each, MathAnswer) else cleaned(each)) for each in (first, second)
        ]
        return True if texts[0] and texts[0] == texts[1] else None
    return _Comparison(places).answers(one, other)


def answer_key(text: str) -> str:
    """A text that is one for the same answers: 1/2 and 0.5, 1,000 and 1000, sets in any order.

    Answers with one key are the same, whatever name stands before them; the same answer can still have two keys where a
    rule of `same_answer` needs both answers.
    """
    read = read_answer(text)
    key = None if read is None else key_of(read.body)
    return key or f"text {_SPACES.sub('', cleaned(text) or text.strip())}"


class _Comparison:
    """Compares two answers that were read."""

    def __init__(self, places: int | None) -> None:
        self.expressions: Callable[[Expression, Expression], bool | None] = partial(same_expression, places=places)

    def answers(self, first: MathAnswer, second: MathAnswer) -> bool | None:
        if isinstance(first.body, WordsAnswer) or isinstance(second.body, WordsAnswer):
            return _same_words(first, second)
        result = self.bodies(first.body, second.body)
        if result is False and _has_decimal_comma(first, second):
            return True
        if isinstance(first.body, EquationAnswer) or isinstance(second.body, EquationAnswer):
            return self._statements(first, second)
        if first.label and second.label and first.label != second.label:
            stated = self._statements(first, second)
            return stated if stated else None if result else result
        return result

    def _statements(self, first: MathAnswer, second: MathAnswer) -> bool | None:
        equations = _as_equation(first), _as_equation(second)
        if equations[0] is None or equations[1] is None:
            return False
        return same_statement(equations[0], equations[1])

    def bodies(self, first: AnswerBody, second: AnswerBody) -> bool | None:
        if type(first) is not type(second):
            return self._unlike(first, second)
        match first, second:
            case ValueAnswer(), ValueAnswer():
                return self._values(first, second)
            case BaseNumeral(), BaseNumeral():
                if first.base == second.base:
                    return first.digits == second.digits
                return None if first.value == second.value else False
            case IntervalAnswer(), IntervalAnswer():
                return self._intervals(first, second)
            case UnionAnswer(), UnionAnswer():
                return self._unordered(first.parts, second.parts)
            case SeveralAnswer(), SeveralAnswer():
                return self._several(first, second)
            case MatrixAnswer(), MatrixAnswer():
                return self._matrices(first, second)
            case RelationAnswer(), RelationAnswer():
                return self._relations(first, second)
            case ClockAnswer(), ClockAnswer():
                return _same_clock(first, second)
        return None

    def _unlike(self, first: AnswerBody, second: AnswerBody) -> bool | None:
        """Answers of two kinds are different, but for a few that may mean one thing."""
        for one, other in ((first, second), (second, first)):
            match one, other:
                case SeveralAnswer(), IntervalAnswer():
                    return self._tuple_and_interval(one, other)
                case SeveralAnswer(), MatrixAnswer():
                    entries = [entry for row in other.rows for entry in row]
                    is_vector = min(len(other.rows), len(other.rows[0])) == 1
                    same = is_vector and one.arrangement == "tuple" and self._ordered(one.items, entries)
                    return None if same else False
                case BaseNumeral(), ValueAnswer():
                    return None if exact_value(other.expression) == one.value else False
                case SeveralAnswer(), ValueAnswer():
                    return self._several_and_value(one, other)
                case UnionAnswer(), SeveralAnswer():
                    return None if self._unordered(one.parts, other.items) else False
                case ClockAnswer(), SeveralAnswer(arrangement="ratio"):
                    return None
                case RelationAnswer(), IntervalAnswer() | UnionAnswer():
                    return None
        return False

    def _values(self, first: ValueAnswer, second: ValueAnswer) -> bool | None:
        same = self.expressions(first.expression, second.expression)
        if first.counted or second.counted:
            if first.counted == second.counted or _is_bare(first) or _is_bare(second):
                return same
            return False if same is False else None
        if first.unit is None or second.unit is None:
            if same or first.unit is second.unit:
                return same
            bare, other = (first, second) if first.unit is None else (second, first)
            converted = _without_unit(other)
            if converted is None and symbols_of(bare.expression) and not symbols_of(other.expression):
                # A letter behind a number may be a unit.
                return None
            return same if converted is None else self.expressions(bare.expression, converted) or same
        if first.unit.text == second.unit.text:
            return same
        return _same_amount(first, second)

    def _intervals(self, first: IntervalAnswer, second: IntervalAnswer) -> bool | None:
        if (first.has_low, first.has_high) != (second.has_low, second.has_high):
            return False
        return _all((self.expressions(first.low, second.low), self.expressions(first.high, second.high)))

    def _tuple_and_interval(self, several: SeveralAnswer, interval: IntervalAnswer) -> bool | None:
        if several.arrangement != "tuple" or len(several.items) != 2:
            return False
        ends = [MathAnswer(ValueAnswer(end)) for end in (interval.low, interval.high)]
        if interval.has_low or interval.has_high:
            return False
        return self._ordered(several.items, ends)

    def _several_and_value(self, several: SeveralAnswer, value: ValueAnswer) -> bool | None:
        if several.arrangement == "ratio" and len(several.items) == 2:
            first, second = (item.body for item in several.items)
            if isinstance(first, ValueAnswer) and isinstance(second, ValueAnswer):
                quotient = Divide(first.expression, second.expression)
                return None if self.expressions(quotient, value.expression) else False
        if several.arrangement == "list" and len(_by_key(several.items)) == 1:
            # One value written in two ways: "1.5 or 3/2".
            return self.bodies(several.items[0].body, value)
        if len(several.items) == 1:
            return None if self.bodies(several.items[0].body, value) else False
        return False

    def _several(self, first: SeveralAnswer, second: SeveralAnswer) -> bool | None:
        kinds = {first.arrangement, second.arrangement}
        if kinds == {"ratio"}:
            return self._ratios(first, second)
        if kinds <= {*_UNORDERED}:
            return self._unordered(first.items, second.items)
        if kinds == {"named"}:
            return self._named(first, second)
        if kinds <= {"tuple"} or kinds == {"tuple", "named"}:
            return self._ordered(first.items, second.items)
        if kinds == {"named", "list"}:
            return self._ordered(first.items, second.items) or (
                None if self._unordered(first.items, second.items) is not False else False
            )
        if kinds == {"tuple", "list"}:
            return None if self._ordered(first.items, second.items) is not False else False
        return False

    def _named(self, first: SeveralAnswer, second: SeveralAnswer) -> bool | None:
        others = {item.label: item for item in second.items}
        if {item.label for item in first.items} != set(others):
            return None if self._ordered(first.items, second.items) else False
        return _all(self.bodies(item.body, others[item.label].body) for item in first.items)

    def _ordered(self, first: Sequence[MathAnswer], second: Sequence[MathAnswer]) -> bool | None:
        if len(first) != len(second):
            return False
        return _all(self._items(one, other) for one, other in zip(first, second, strict=True))

    def _items(self, first: MathAnswer, second: MathAnswer) -> bool | None:
        return self.answers(MathAnswer(first.body, "", first.written), MathAnswer(second.body, "", second.written))

    def _unordered(self, first: Sequence[MathAnswer], second: Sequence[MathAnswer]) -> bool | None:
        """Equal ones are paired by their keys first; what is left over is tried one by one."""
        ones, others = _by_key(first, "first"), _by_key(second, "second")
        for key in list(ones):
            if key in others:
                del ones[key], others[key]
        if len(ones) != len(others):
            return False
        if len(ones) > _MOST_UNMATCHED:
            return None
        left = list(others.values())
        open_pairs = False
        for one in ones.values():
            found = next((place for place, other in enumerate(left) if self._items(one, other)), None)
            if found is None:
                open_pairs = open_pairs or any(self._items(one, other) is None for other in left)
                if not open_pairs:
                    return False
                continue
            del left[found]
        return None if open_pairs else True

    def _matrices(self, first: MatrixAnswer, second: MatrixAnswer) -> bool | None:
        if [len(row) for row in first.rows] != [len(row) for row in second.rows]:
            return False
        pairs = zip(first.rows, second.rows, strict=True)
        return _all(self._ordered(one, other) for one, other in pairs)

    def _ratios(self, first: SeveralAnswer, second: SeveralAnswer) -> bool | None:
        one, other = expressions_of(first), expressions_of(second)
        if len(one) != len(other):
            return False
        return _all(
            self.expressions(Multiply((one[0], right)), Multiply((other[0], left)))
            for left, right in zip(one[1:], other[1:], strict=True)
        )

    def _relations(self, first: RelationAnswer, second: RelationAnswer) -> bool | None:
        if first.relation != second.relation:
            return False
        sides = [Add((each.left, Negate(each.right))) for each in (first, second)]
        if self.expressions(sides[0], sides[1]):
            return True
        return None


def _has_decimal_comma(first: MathAnswer, second: MathAnswer) -> bool:
    """Whether "2,5" stands against "2.5": the same digits, with the decimal sign of much of the world."""
    return any(
        isinstance(one.body, SeveralAnswer)
        and _DECIMAL_COMMA.fullmatch(one.written)
        and one.written.replace(",", ".") == other.written
        for one, other in ((first, second), (second, first))
    )


def _all(results: Iterable[bool | None]) -> bool | None:
    unsure = False
    for result in results:
        if result is False:
            return False
        unsure = unsure or result is None
    return None if unsure else True


def _is_bare(value: ValueAnswer) -> bool:
    return value.unit is None and not value.counted


def _without_unit(value: ValueAnswer) -> Expression | None:
    """A percentage or an angle as the plain number it is."""
    unit = value.unit.text if value.unit else ""
    if unit == _PERCENT:
        return Divide(value.expression, Number(100))
    return Multiply((value.expression, Divide(PI, Number(180)))) if unit == _DEGREE else None


def _same_amount(first: ValueAnswer, second: ValueAnswer) -> bool | None:
    """Two amounts in different units."""
    if first.unit is None or second.unit is None or first.unit.dimension != second.unit.dimension:
        return False
    if {first.unit.text, second.unit.text} & {_PERCENT, _DEGREE} and first.unit.dimension.is_dimensionless:
        return None
    values = [many_digits(each.expression, {}) for each in (first, second)]
    if values[0] is None or values[1] is None or not (values[0].is_real and values[1].is_real):
        return None
    one = float(values[0].value.real) * first.unit.scale + first.unit.offset
    other = float(values[1].value.real) * second.unit.scale + second.unit.offset
    return abs(one - other) <= _NEARLY * max(abs(one), abs(other))


def _same_clock(first: ClockAnswer, second: ClockAnswer) -> bool | None:
    if (first.hours, first.minutes) == (second.hours, second.minutes):
        return True if first.half == second.half else False if first.half and second.half else None
    # Two ratios look like times.
    is_ratio = first.hours * second.minutes == second.hours * first.minutes and not (first.half or second.half)
    return None if is_ratio and min(first.minutes, second.minutes) > 0 else False


def _same_words(first: MathAnswer, second: MathAnswer) -> bool | None:
    texts = [_letters(each) for each in (first, second)]
    if texts[0] is None or texts[1] is None:
        if any(isinstance(each.body, SeveralAnswer) and not each.body.items for each in (first, second)):
            return None
        words = next(each.body.text for each in (first, second) if isinstance(each.body, WordsAnswer))
        return None if spoken_numbers(words, ()) or len(words.split()) > _SHORT_TEXT else False
    if texts[0] == texts[1]:
        return True
    is_short = all(len(text.split()) <= _SHORT_TEXT for text in texts if text)
    # The same letters in another order may be one product, and many words can say one thing.
    return False if is_short and sorted(texts[0]) != sorted(texts[1]) else None


def _letters(answer: MathAnswer) -> str | None:
    """The words of an answer, or the letters of one that could be words."""
    if isinstance(answer.body, WordsAnswer):
        return answer.body.text.lower()
    plain = answer.written.replace(" ", "")
    return plain.lower() if plain.isalpha() and plain.isascii() else None


def _as_equation(answer: MathAnswer) -> Equation | None:
    if isinstance(answer.body, EquationAnswer):
        return Equation(answer.body.left, answer.body.right)
    if not answer.label or not isinstance(answer.body, ValueAnswer) or not _is_bare(answer.body):
        return None
    label = read_latex(answer.label)
    if isinstance(label, Declined) or label.expression is None:
        return None
    return Equation(label.expression, answer.body.expression)


def _by_key(items: Sequence[MathAnswer], side: str = "") -> dict[str, MathAnswer]:
    return {key_of(item.body) or f"no key: {side} {place}": item for place, item in enumerate(items)}
