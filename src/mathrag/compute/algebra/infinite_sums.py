"""Whether an infinite sum converges, and its value where a closed form is certain: quotients of polynomials, powers of
a number, factorials. What none of the tests decides is left undecided.

Every verdict names the test that gave it. Closed forms are exact; other values are numbers and called so.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace
from fractions import Fraction

from mathrag.compute.algebra.polynomials import (
    NotPolynomialError,
    Quotient,
    derived,
    polynomial_of,
    quotient_of,
    rational_roots,
)
from mathrag.compute.algebra.polynomials import times as poly_times
from mathrag.compute.algebra.polynomials import value_at as polynomial_value
from mathrag.compute.evaluate.failure import Failure
from mathrag.compute.solve.tidy import constant_of, literal, tidied
from mathrag.types.expression import (
    PI,
    Call,
    Divide,
    Expression,
    Multiply,
    Negate,
    Number,
    Power,
    Symbol,
    add,
    call,
    divide,
    multiply,
    power,
    subtract,
    symbols_of,
)

_ONE = Quotient((Fraction(1),), (Fraction(1),), ())
_LATEST_START = 200
_MOST_SHIFT = 200
_HIGHEST_ZETA = 12
_TERMS = 4_000
_UNDECIDED = Failure("unsolved", "no test that is known here decides whether it converges")


@dataclass(frozen=True, slots=True)
class InfiniteSum:
    """What is known of an infinite sum: whether it converges and by which test; its value exactly, or as a number."""

    converges: bool
    test: str
    exact: Expression | None = None
    number: float | None = None


@dataclass(frozen=True, slots=True)
class IndexedTerm:
    """A term as a product: a quotient of polynomials in the index, a fractional power of it, a number to the index, and
    how often the factorial of the index is a factor (negative: a divisor)."""

    quotient: Quotient = _ONE
    extra: Fraction = Fraction(0)
    ratio: Fraction = Fraction(1)
    factorials: int = 0


def infinite_sum(body: Expression, index: str, start: int) -> InfiniteSum | Failure:
    """The sum of a body in one symbol over all whole numbers from `start` on."""
    if set(symbols_of(body)) - {index} or not 0 <= start <= _LATEST_START:
        return Failure("unsolved", "infinite sums are taken from a small whole number on, over one index")
    try:
        term = indexed_term(body, index)
    except (NotPolynomialError, ZeroDivisionError):
        return _UNDECIDED
    quotient = term.quotient
    for divisor in (quotient.below, *quotient.forbidden):
        if any(root.denominator == 1 and root >= start for root in rational_roots(divisor)):
            return Failure("undefined", "a term of the sum has no value: its divisor is zero")
    if not quotient.above:
        return InfiniteSum(True, "all terms are 0", literal(Fraction(0)), 0.0)
    if start == 0 and term.extra < 0:
        return Failure("undefined", "a term of the sum has no value: its divisor is zero")
    if term.factorials:
        return _with_factorials(term, start)
    if abs(term.ratio) > 1:
        return InfiniteSum(False, "the terms do not tend to 0")
    if abs(term.ratio) < 1:
        return _geometric(term, start)
    order = len(quotient.below) - len(quotient.above) - term.extra
    if order <= 0:
        return InfiniteSum(False, "the terms do not tend to 0")
    if term.ratio == -1:
        number = _alternating(term, start)
        return InfiniteSum(True, "the terms alternate in sign and their sizes fall to 0 in the end", None, number)
    shown = _order_text(order)
    if order <= 1:
        return InfiniteSum(
            False, f"for large n the terms are like a multiple of {shown}, and the sum of {shown} diverges"
        )
    test = f"for large n the terms are like a multiple of {shown}, and the sum of {shown} converges"
    exact = _exact_value(term, start)
    return InfiniteSum(True, test, exact, None)


def _order_text(order: Fraction) -> str:
    if order == 1:
        return "1/n"
    return f"1/n^{order}" if order.denominator == 1 else f"1/n^({order})"


# A term as a product.


def indexed_term(node: Expression, index: str) -> IndexedTerm:
    """The term of a sum as a product; raises `NotPolynomialError`."""
    match node:
        case Negate(operand):
            found = indexed_term(operand, index)
            return replace(found, quotient=_scaled(found.quotient, Fraction(-1)))
        case Multiply(factors):
            made = IndexedTerm()
            for factor in factors:
                made = _joined(made, indexed_term(factor, index))
            return made
        case Divide(above, below):
            return _joined(indexed_term(above, index), _inverse(indexed_term(below, index)))
        case Call("factorial", (Symbol(name),)) if name == index:
            return IndexedTerm(factorials=1)
        case Call("sqrt", (Symbol(name),)) if name == index:
            return IndexedTerm(extra=Fraction(1, 2))
        case Call("exp", _):
            raise NotPolynomialError
        case Power(base, exponent):
            return _powered(base, exponent, index)
    return IndexedTerm(quotient_of(node, index))


def _powered(base: Expression, exponent: Expression, index: str) -> IndexedTerm:
    if index not in symbols_of(base) and index in symbols_of(exponent):
        value = constant_of(tidied(base))
        line = polynomial_of(exponent, index)
        if value is None or not value or len(line) > 2 or any(each.denominator != 1 or abs(each) > 50 for each in line):
            raise NotPolynomialError
        constant, slope = line[0], line[1] if len(line) > 1 else Fraction(0)
        return IndexedTerm(_scaled(_ONE, value ** int(constant)), ratio=value ** int(slope))
    raised = constant_of(tidied(exponent))
    if raised is not None and raised.denominator != 1 and isinstance(base, Symbol) and base.name == index:
        return IndexedTerm(extra=raised)
    if raised is not None and raised.denominator == 1 and abs(raised) <= 12:
        inner = indexed_term(base, index)
        made = IndexedTerm()
        for _ in range(abs(int(raised))):
            made = _joined(made, inner)
        return _inverse(made) if raised < 0 else made
    return IndexedTerm(quotient_of(power(base, exponent), index))


def _scaled(quotient: Quotient, factor: Fraction) -> Quotient:
    return Quotient(tuple(factor * each for each in quotient.above), quotient.below, quotient.forbidden)


def _joined(first: IndexedTerm, second: IndexedTerm) -> IndexedTerm:
    one, other = first.quotient, second.quotient
    quotient = Quotient(
        poly_times(one.above, other.above), poly_times(one.below, other.below), (*one.forbidden, *other.forbidden)
    )
    return IndexedTerm(
        quotient, first.extra + second.extra, first.ratio * second.ratio, first.factorials + second.factorials
    )


def _inverse(term: IndexedTerm) -> IndexedTerm:
    quotient = term.quotient
    if not quotient.above:
        raise ZeroDivisionError
    turned = Quotient(quotient.below, quotient.above, (*quotient.forbidden, quotient.above))
    return IndexedTerm(turned, -term.extra, 1 / term.ratio, -term.factorials)


# Values.


def _is_polynomial(term: IndexedTerm) -> bool:
    return len(term.quotient.below) == 1 and not term.extra


def _with_factorials(term: IndexedTerm, start: int) -> InfiniteSum:
    if term.factorials > 0:
        return InfiniteSum(False, "the terms do not tend to 0: a factorial outgrows every power")
    test = "ratio test: the quotient of neighbouring terms tends to 0"
    exact: Expression | None = None
    if term.factorials == -1 and _is_polynomial(term) and len(term.quotient.above) == 1:
        factor = term.quotient.above[0] / term.quotient.below[0]
        begun = sum((term.ratio**n / math.factorial(n) for n in range(start)), Fraction(0))
        whole = call("exp", literal(term.ratio))
        exact = multiply(literal(factor), whole) if factor != 1 else whole
        exact = subtract(exact, literal(factor * begun)) if begun else exact
    return InfiniteSum(True, test, exact, None if term.extra else _added(term, start, 120))


def _geometric(term: IndexedTerm, start: int) -> InfiniteSum:
    test = f"ratio test: the quotient of neighbouring terms tends to {term.ratio}, and |{term.ratio}| < 1"
    test = test.replace("-", "−")
    if not _is_polynomial(term):
        # The terms fall at least so fast that what is left out has no digit that is shown.
        terms = min(_TERMS, math.ceil(60 / -math.log(abs(term.ratio))))
        return InfiniteSum(True, test, None, None if terms == _TERMS or term.extra else _added(term, start, terms))
    polynomial = tuple(each / term.quotient.below[0] for each in term.quotient.above)
    values = [polynomial_value(polynomial, Fraction(start + step)) for step in range(len(polynomial))]
    total, ratio = Fraction(0), term.ratio
    # By differences: the sum of C(m, j) r^m over all m is r^j / (1 - r)^(j + 1).
    for step in range(len(polynomial)):
        total += values[0] * ratio**step / (1 - ratio) ** (step + 1)
        values = [second - first for first, second in itertools.pairwise(values)]
    return InfiniteSum(True, test, literal(total * ratio**start), None)


def _value(term: IndexedTerm, place: int) -> Fraction:
    quotient = term.quotient
    value = polynomial_value(quotient.above, Fraction(place)) / polynomial_value(quotient.below, Fraction(place))
    value *= term.ratio**place
    return value * Fraction(math.factorial(place)) ** term.factorials


def _added(term: IndexedTerm, start: int, count: int) -> float:
    return math.fsum(float(_value(term, start + step)) for step in range(count))


def _alternating(term: IndexedTerm, start: int) -> float | None:
    """The value by means of neighbouring partial sums, repeated; None where two lengths disagree."""
    if term.extra:
        return None
    found = []
    for length in (200, 320):
        sums = list(itertools.accumulate(float(_value(term, start + step)) for step in range(length)))[-30:]
        while len(sums) > 1:
            sums = [(first + second) / 2 for first, second in itertools.pairwise(sums)]
        found.append(sums[0])
    return found[1] if math.isclose(*found, rel_tol=1e-10, abs_tol=1e-12) else None


def _exact_value(term: IndexedTerm, start: int) -> Expression | None:
    """The sum of a quotient of polynomials: by telescoping over simple whole roots, or by the even powers of pi."""
    if term.extra:
        return None
    above, below = term.quotient.above, term.quotient.below
    if len(above) == 1 and not any(below[:-1]):
        return _zeta(above[0] / below[-1], len(below) - 1, start)
    roots = rational_roots(below)
    if len(roots) != len(below) - 1 or any(root.denominator != 1 or abs(root) > _MOST_SHIFT for root in roots):
        return None
    slope = derived(below)
    total = Fraction(0)
    for root in roots:
        share = polynomial_value(above, root) / polynomial_value(slope, root)
        total -= share * sum((Fraction(1, n) for n in range(1, start - int(root))), Fraction(0))
    return literal(total)


def _zeta(factor: Fraction, exponent: int, start: int) -> Expression | None:
    if exponent % 2 or exponent > _HIGHEST_ZETA or start < 1:
        return None
    # zeta(2k) = (-1)^(k+1) B(2k) (2 pi)^(2k) / (2 (2k)!)
    share = abs(_bernoulli(exponent)) * 2 ** (exponent - 1) / math.factorial(exponent) * factor
    begun = factor * sum((Fraction(1, n**exponent) for n in range(1, start)), Fraction(0))
    circle = power(PI, Number(exponent))
    above = circle if abs(share.numerator) == 1 else multiply(Number(abs(share.numerator)), circle)
    whole: Expression = divide(above, Number(share.denominator)) if share.denominator > 1 else above
    whole = Negate(whole) if share < 0 else whole
    return add(whole, literal(-begun)) if begun < 0 else subtract(whole, literal(begun)) if begun else whole


def _bernoulli(index: int) -> Fraction:
    numbers = [Fraction(0)] * (index + 1)
    for place in range(index + 1):
        numbers[place] = Fraction(1, place + 1)
        for step in range(place, 0, -1):
            numbers[step - 1] = step * (numbers[step - 1] - numbers[step])
    return numbers[0]
