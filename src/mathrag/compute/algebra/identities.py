"""Whether a statement with symbols holds for all their values: by canonical forms where these decide, else at points.

Points never prove: what held at all of them is said to have held there. One point where both sides are real and differ
refutes. Where only one side has a value, the statement holds on a part at most, and that is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, TypeAlias

from mathrag.compute.algebra.one_quotient import are_one_quotient
from mathrag.compute.algebra.points import (
    IMAGINARY,
    MOST_SYMBOLS,
    Point,
    Value,
    needs_whole_numbers,
    points,
    turning_places,
    value_at,
)
from mathrag.compute.algebra.rational_forms import rational_forms
from mathrag.compute.answers.expressions import is_rational
from mathrag.compute.canonical import is_too_large, vanishing_terms
from mathrag.types.expression import Equation, Expression, Number, symbols_of, walk

Verdict = Literal["by_algebra", "held", "partly", "refuted", "undecided"]
# So many points at which both sides have a value are wanted before anything is said.
ENOUGH_POINTS = 10
_FARTHEST = 10**6


@dataclass(frozen=True, slots=True)
class Comparison:
    """One relation of a statement."""

    left: Expression
    sign: str
    right: Expression

    @property
    def names(self) -> tuple[str, ...]:
        """The symbols on both sides, without the imaginary unit."""
        found = dict.fromkeys((*symbols_of(self.left), *symbols_of(self.right)))
        return tuple(sorted(name for name in found if name != IMAGINARY))


@dataclass(frozen=True, slots=True)
class Witness:
    """A point with the values of both sides."""

    point: Point
    left: Value
    right: Value


@dataclass(frozen=True, slots=True)
class Trial:
    """What trying a statement gave. `held` counts points where it held; `positive` those of them where no symbol was
    negative; `undefined` is a point where only one side is a real number."""

    verdict: Verdict
    held: int = 0
    counterexample: Witness | None = None
    undefined: Witness | None = None
    reason: str = ""
    # Among points without a negative or zero symbol: how many held, and whether any failed.
    positive_held: int = 0
    positive_failed: bool = False
    whole: bool = False
    # How it was shown, where that is another way than one canonical form.
    shown: str = ""
    # The first point at which it held.
    example: Witness | None = None
    # Letters that stand for whole numbers alone, whatever the others do.
    whole_names: tuple[str, ...] = ()


@dataclass(slots=True)
class _Count:
    held: int = 0
    positive_held: int = 0
    positive_failed: bool = False
    skipped: int = 0
    counterexample: Witness | None = None
    undefined: Witness | None = None
    unsure: int = 0
    example: Witness | None = None
    seen: set[tuple[Fraction, ...]] = field(default_factory=set)


Numbers: TypeAlias = Literal["real", "whole", "integers"]


def try_statement(statement: Comparison, conditions: Sequence[Comparison] = (), *, numbers: Numbers = "real") -> Trial:
    """Try a statement for all values of its symbols that the conditions allow, among these numbers."""
    names = statement.names
    if len(names) > MOST_SYMBOLS:
        return Trial("undecided", reason=f"it has more than {MOST_SYMBOLS} symbols")
    whole = numbers != "real" or needs_whole_numbers(statement.left, statement.right)
    count = _Count()
    limits = [side for condition in conditions for side in (condition.left, condition.right)]
    places = (*turning_places(statement.left, statement.right), *_beyond(limits, whole=whole))
    tried = points(names, whole=whole, places=places)
    for point in _of_either_sign(tried) if numbers == "integers" else tried:
        key = tuple(point.values())
        if key in count.seen:
            continue
        count.seen.add(key)
        if all(holds_at(condition, point) is True for condition in conditions):
            _take(count, statement, point)
    return _judged(count, statement, whole=whole)


def _beyond(limits: Sequence[Expression], *, whole: bool) -> tuple[Fraction, ...]:
    """Places on both sides of the numbers that conditions name, where few of the usual ones may lie."""
    numbers = {Fraction(node.value) for side in limits for node in walk(side) if isinstance(node, Number)}
    steps = (1, 2, 3, 4, 6, 9, 15, 30) if whole else (Fraction(1, 3), 1, Fraction(5, 2), 4, 7, 15)
    near = [
        Fraction(sign * number + way * step)
        for number in numbers
        for sign in (1, -1)
        for step in steps
        for way in (1, -1)
    ]
    return tuple(dict.fromkeys(each for each in near if abs(each) <= _FARTHEST))


def _of_either_sign(found: Iterable[dict[str, Fraction]]) -> Iterator[dict[str, Fraction]]:
    """Each point, the one with all signs turned, and the one with every second sign turned."""
    for point in found:
        yield point
        yield {name: -value for name, value in point.items()}
        yield {name: -value if place % 2 else value for place, (name, value) in enumerate(point.items())}


def _take(count: _Count, statement: Comparison, point: Point) -> None:
    left, right = value_at(statement.left, point), value_at(statement.right, point)
    is_complex = IMAGINARY in (*symbols_of(statement.left), *symbols_of(statement.right))
    is_positive = all(value > 0 for value in point.values())
    witness = Witness(point, left, right)
    if not is_complex and ((left.is_undefined and right.is_real) or (right.is_undefined and left.is_real)):
        count.undefined = count.undefined or witness
        return
    if left.digits is None or right.digits is None or not (is_complex or left.is_real):
        count.skipped += 1
        return
    outcome = _compared(statement.sign, left, right)
    if outcome is None:
        count.unsure += 1
    elif outcome:
        count.held += 1
        count.example = count.example or witness
        count.positive_held += is_positive
    else:
        count.counterexample = count.counterexample or witness
        count.positive_failed |= is_positive


def _compared(sign: str, left: Value, right: Value) -> bool | None:
    """Whether the relation holds between two values; None where their digits do not tell."""
    assert left.digits is not None
    assert right.digits is not None
    near = left.digits.is_near(right.digits)
    if near is None:
        return None
    match sign:
        case "=":
            return near
        case "!=":
            return not near
        case "<" | ">":
            return not near and bool((left.real < right.real) == (sign == "<"))
        case _:
            return near or bool((left.real < right.real) == (sign == "<="))


def holds_at(condition: Comparison, point: Point) -> bool | None:
    """Whether a relation holds at a point; None where it has no value there."""
    left, right = value_at(condition.left, point), value_at(condition.right, point)
    return _compared(condition.sign, left, right) if left.is_real and right.is_real else None


def _judged(count: _Count, statement: Comparison, *, whole: bool) -> Trial:
    told = {
        "held": count.held,
        "counterexample": count.counterexample,
        "undefined": count.undefined,
        "positive_held": count.positive_held,
        "positive_failed": count.positive_failed,
        "whole": whole,
        "example": count.example,
    }

    def trial(verdict: Verdict, reason: str = "") -> Trial:
        return Trial(verdict, reason=reason, **told)  # type: ignore[arg-type]

    if count.counterexample is not None:
        return trial("refuted")
    if not statement.names:
        if count.held:
            return trial("by_algebra" if is_exactly_equal(statement) or _is_exact(statement) else "held")
        return trial("undecided", "a side has no value")
    if count.held and is_exactly_equal(statement):
        return trial("by_algebra")
    if count.held < ENOUGH_POINTS:
        return trial("undecided", f"both sides are real numbers at only {count.held} of the points tried")
    return trial("partly" if count.undefined is not None else "held")


def _is_exact(statement: Comparison) -> bool:
    """Whether both sides are fractions, of which there is nothing to doubt."""
    return is_rational(statement.left) and is_rational(statement.right)


def is_exactly_equal(statement: Comparison) -> bool:
    """Whether both sides are one quotient of polynomials, in the symbols or in tangents of half their angles: then they
    are equal wherever both have a value."""
    if statement.sign != "=" or IMAGINARY in (*symbols_of(statement.left), *symbols_of(statement.right)):
        return False
    if statement.left == statement.right:
        return True
    sides: tuple[Expression, ...] | None = (statement.left, statement.right)
    if not (is_rational(statement.left) and is_rational(statement.right)):
        sides = rational_forms(statement.left, statement.right)
    if sides is None or not all(map(is_rational, sides)):
        return False
    equation = Equation(sides[0], sides[1])
    # What is too large has no terms either, and is not shown by that.
    is_shown = not is_too_large(equation) and not vanishing_terms(equation)
    # Quotients within quotients do not always vanish term by term.
    return is_shown or are_one_quotient(*sides)
