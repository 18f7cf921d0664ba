"""Whether two expressions with symbols are the same for all values: tried at points, said only where it is clear."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

from mathrag.compute.claims.values import compare, value_of
from mathrag.compute.evaluate.exact import Value
from mathrag.compute.evaluate.floats import float_of
from mathrag.types.expression import Add, Expression, Multiply, Negate, Number, Power, Symbol, symbols_of

# Points without anything special about them: no zeros, ones, or sums that cancel.
_POINTS = (
    (Fraction(13, 7), Fraction(29, 11), Fraction(37, 9), Fraction(23, 5), Fraction(41, 13), Fraction(53, 17)),
    (Fraction(31, 5), Fraction(17, 13), Fraction(19, 3), Fraction(43, 7), Fraction(11, 9), Fraction(47, 19)),
    (Fraction(7, 3), Fraction(61, 9), Fraction(22, 13), Fraction(5, 17), Fraction(67, 7), Fraction(71, 23)),
    (Fraction(19, 11), Fraction(83, 21), Fraction(3, 19), Fraction(59, 6), Fraction(73, 29), Fraction(15, 8)),
)
_MOST_SYMBOLS = 6
_ENOUGH_POINTS = 3

Identity = Literal["holds", "fails", "unsure"]


def same_everywhere(left: Expression, right: Expression) -> Identity:
    """`holds` where both sides agree at all points tried, `fails` where they differ at all of them."""
    names = tuple(dict.fromkeys((*symbols_of(left), *symbols_of(right))))
    if len(names) > _MOST_SYMBOLS:
        return "unsure"
    same = different = 0
    for point in _points(names):
        first, second = value_of(left, point), value_of(right, point)
        if first is None or second is None:
            continue
        outcome = compare(first, second)
        same += outcome == "same"
        different += outcome == "different" and _clearly_apart(first, second)
    if same + different < _ENOUGH_POINTS:
        return "unsure"
    return "holds" if not different else "fails" if not same else "unsure"


def _points(names: Sequence[str]) -> list[dict[str, Value]]:
    points: list[dict[str, Value]] = [dict(zip(names, values, strict=False)) for values in _POINTS]
    # What holds on one side of zero only, such as |x| = -x, is no counterexample.
    points += [{name: -value for name, value in point.items()} for point in points[:2]]
    # Factorials and binomials want whole numbers.
    points += [{name: 7 + 3 * turn + 2 * place for place, name in enumerate(names)} for turn in range(3)]
    return points


def _clearly_apart(first: Value, second: Value) -> bool:
    if not isinstance(first, float) and not isinstance(second, float):
        return first != second
    one, other = float_of(first), float_of(second)
    return abs(one - other) > 1e-6 * max(abs(one), abs(other))


def agree_far_out(left: Expression, right: Expression) -> bool:
    """Whether both sides grow alike: a slip in rewriting leaves the leading terms, another equation does not."""
    names = tuple(dict.fromkeys((*symbols_of(left), *symbols_of(right))))
    for values in _POINTS[:2]:
        point: dict[str, Value] = {name: 10**5 * value for name, value in zip(names, values, strict=False)}
        first, second = value_of(left, point), value_of(right, point)
        if first is None or second is None:
            return False
        one, other = float_of(first), float_of(second)
        if not (math.isfinite(one) and math.isfinite(other) and math.isclose(one, other, rel_tol=0.01)):
            return False
    return True


def is_collected(expression: Expression) -> bool:
    """Whether nothing is left to do in it: a sum of monomials with different powers. Such a side is not rewritten."""
    terms = expression.terms if isinstance(expression, Add) else (expression,)
    monomials = [_monomial(term) for term in terms]
    return None not in monomials and len(set(monomials)) == len(monomials)


def _monomial(term: Expression) -> tuple[tuple[str, int], ...] | None:
    """The powers of a product of a number and powers of symbols; None for anything else."""
    term = term.operand if isinstance(term, Negate) else term
    powers: dict[str, int] = {}
    numbers = 0
    for factor in term.factors if isinstance(term, Multiply) else (term,):
        match factor:
            case Number():
                numbers += 1
            case Symbol(name) if name not in powers:
                powers[name] = 1
            case Power(Symbol(name), Number(int(exponent))) if name not in powers:
                powers[name] = exponent
            case _:
                return None
    return tuple(sorted(powers.items())) if numbers <= 1 else None
