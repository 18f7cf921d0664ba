"""Shorter forms that algebra of the four operations does not see: quotients of factorials, a few chosen out of n, a
trigonometric function of an inverse one. Candidates only: who uses them compares both forms."""

from __future__ import annotations

from fractions import Fraction

from mathrag.compute.algebra.polynomials import NotPolynomialError, difference_of, expression_of, terms_of
from mathrag.compute.solve.tidy import tidied
from mathrag.types.expression import (
    ONE,
    TWO,
    Call,
    Divide,
    Expression,
    Multiply,
    Number,
    add,
    call,
    divide,
    map_parts,
    multiply,
    power,
    subtract,
)

_MOST_FACTORS = 6


def known_forms(expression: Expression) -> list[Expression]:
    """Other forms of a tree; none where no rule of these applies."""
    made = _rewritten(expression)
    return [tidied(made)] if made != expression else []


def _rewritten(node: Expression) -> Expression:
    inner = map_parts(node, _rewritten)
    match inner:
        case Divide(above, below):
            return _cancelled(above, below) or inner
        case Call("comb", (many, Number(int() as few))) if 0 <= few <= _MOST_FACTORS:
            return _chosen(many, few)
        case Call(outer, (Call(function, (part,)),)):
            return _of_inverse(outer, function, part) or inner
    return inner


def _cancelled(above: Expression, below: Expression) -> Expression | None:
    """(n + 2)! / n! is (n + 2)(n + 1)."""
    tops, bottoms = _factors(above), _factors(below)
    changed = False
    for top in list(tops):
        for bottom in list(bottoms):
            apart = _apart(top, bottom)
            if apart is None or not isinstance(top, Call) or not isinstance(bottom, Call):
                continue
            tops.remove(top)
            bottoms.remove(bottom)
            larger, smaller = (top, bottom) if apart >= 0 else (bottom, top)
            product = [_shifted(larger.arguments[0], -n) for n in range(abs(apart))]
            (tops if apart >= 0 else bottoms).extend(product)
            changed = smaller is not None
            break
    if not changed:
        return None
    top_product = multiply(*tops) if tops else ONE
    return divide(top_product, multiply(*bottoms)) if bottoms else top_product


def _factors(node: Expression) -> list[Expression]:
    return list(node.factors) if isinstance(node, Multiply) else [node]


def _apart(top: Expression, bottom: Expression) -> int | None:
    """How far the arguments of two factorials are apart, where that is a small whole number."""
    if not all(isinstance(each, Call) and each.function == "factorial" for each in (top, bottom)):
        return None
    assert isinstance(top, Call)
    assert isinstance(bottom, Call)
    try:
        apart = difference_of(terms_of(top.arguments[0]), terms_of(bottom.arguments[0]))
    except NotPolynomialError:
        return None
    if set(apart) - {()}:
        return None
    count = Fraction(apart.get((), 0))
    return count.numerator if count.denominator == 1 and abs(count.numerator) <= _MOST_FACTORS else None


def _shifted(argument: Expression, by: int) -> Expression:
    return expression_of(terms_of(add(argument, Number(by)) if by >= 0 else subtract(argument, Number(-by))))


def _chosen(many: Expression, few: int) -> Expression:
    try:
        product = [_shifted(many, -n) for n in range(few)]
    except NotPolynomialError:
        return call("comb", many, Number(few))
    below = 1
    for n in range(2, few + 1):
        below *= n
    above = multiply(*product) if product else ONE
    return above if below == 1 else divide(above, Number(below))


def _of_inverse(outer: str, function: str, part: Expression) -> Expression | None:
    beside = call("sqrt", subtract(ONE, power(part, TWO)))
    across = call("sqrt", add(ONE, power(part, TWO)))
    table = {
        ("sin", "asin"): part,
        ("cos", "acos"): part,
        ("tan", "atan"): part,
        ("sin", "acos"): beside,
        ("cos", "asin"): beside,
        ("tan", "asin"): divide(part, beside),
        ("tan", "acos"): divide(beside, part),
        ("sin", "atan"): divide(part, across),
        ("cos", "atan"): divide(ONE, across),
    }
    return table.get((outer, function))
