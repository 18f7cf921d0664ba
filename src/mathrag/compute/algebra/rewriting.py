"""Expressions written another way: expanded, factored, simplified, in partial fractions. Equal, or not handed out."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from mathrag.compute.algebra.factoring import irreducible_factors
from mathrag.compute.algebra.identities import ENOUGH_POINTS, Comparison, Trial, is_exactly_equal, try_statement
from mathrag.compute.algebra.known_forms import known_forms
from mathrag.compute.algebra.polynomials import (
    NotPolynomialError,
    Polynomial,
    common_divisor,
    divided,
    expression_of,
    polynomial_expression,
    polynomial_of,
    quotient_of,
    rational_roots,
    roots_of,
    terms_of,
)
from mathrag.compute.evaluate.failure import Failure
from mathrag.compute.solve.tidy import constant_of, literal, tidied
from mathrag.types.expression import (
    ONE,
    ZERO,
    Add,
    Call,
    Divide,
    Expression,
    Multiply,
    Negate,
    Number,
    Power,
    add,
    divide,
    map_parts,
    multiply,
    negate,
    power,
    size_of,
    symbols_of,
    walk,
)

_SECONDS = 4.0


@dataclass(frozen=True, slots=True)
class Rewritten:
    """The new form, and what showed that it is equal to the old one."""

    expression: Expression
    trial: Trial
    # Whether it is what a definition or a theorem says: of factorials, of choices, of inverse functions.
    is_known: bool = False

    @property
    def is_exact(self) -> bool:
        """Whether algebra showed it, not points alone."""
        return self.trial.verdict == "by_algebra"


def expanded(expression: Expression) -> Rewritten | Failure:
    """Products of sums multiplied out."""
    try:
        return _checked(expression, [expression_of(terms_of(expression))])
    except NotPolynomialError:
        return _checked(expression, _by_sympy(expression, "expand"))


def factored(expression: Expression) -> Rewritten | Failure:
    """As a product over the whole numbers."""
    try:
        own = _own_factors(expression)
    except NotPolynomialError:
        own = None
    if own is not None:
        return _checked(expression, [own])
    return _checked(expression, _by_sympy(expression, "factor"))


def _own_factors(expression: Expression) -> Expression | None:
    """Linear factors with fractions as roots, and a rest that has no further ones; None where that is not certain."""
    names = symbols_of(expression)
    if len(names) != 1:
        return None
    polynomial = polynomial_of(expression, names[0])
    if len(polynomial) < 2:
        return None
    factors: list[Expression] = []
    rest, scale = polynomial, Fraction(1)
    for root in rational_roots(polynomial):
        linear: Polynomial = (-Fraction(root.numerator), Fraction(root.denominator))
        count = 0
        while True:
            quotient, left = divided(rest, linear)
            if left:
                break
            rest, count = quotient, count + 1
        part = polynomial_expression(linear, names[0])
        factors.append(part if count == 1 else power(part, Number(count)))
    made = _rest_factors(rest, names[0])
    if made is None:
        return None
    scale, more = made
    factors.extend(more)
    if scale == -1:
        return negate(multiply(*factors))
    if scale != 1:
        number = multiply(literal(abs(scale)), *factors)
        return negate(number) if scale < 0 else number
    return multiply(*factors)


def _rest_factors(rest: Polynomial, symbol: str) -> tuple[Fraction, list[Expression]] | None:
    """What is left without roots that are fractions: a number, and factors. From degree four on it may be a product."""
    if len(rest) <= 4:
        scale = _content(rest)
        return scale, [polynomial_expression(tuple(value / scale for value in rest), symbol)] if len(rest) > 1 else []
    pieces = irreducible_factors(rest)
    if pieces is None:
        return None
    parts = [(polynomial_expression(factor, symbol), count) for factor, count in pieces.factors]
    return pieces.content, [part if count == 1 else power(part, Number(count)) for part, count in parts]


def _content(polynomial: Polynomial) -> Fraction:
    below = math.lcm(*(value.denominator for value in polynomial))
    above = math.gcd(*(int(value * below) for value in polynomial))
    return Fraction(above, below) * (-1 if polynomial[-1] < 0 else 1)


def simplified(expression: Expression) -> Rewritten | Failure:
    """The shortest of the forms that algebra finds; the same one where none is shorter."""
    known = known_forms(expression)
    for each in known:
        # Where one form alone has a value, digits cannot tell: tan(arcsin 1) comes out as a large number.
        trial = try_statement(Comparison(expression, "=", each))
        if trial.verdict == "by_algebra" or (trial.verdict in ("held", "partly") and _is_tried(expression, trial)):
            return Rewritten(each, trial, is_known=trial.verdict != "by_algebra")
    candidates: list[Expression] = [tidied(expression)]
    try:
        candidates.append(expression_of(terms_of(expression)))
    except NotPolynomialError:
        candidates.append(expression)
        candidates.extend(_by_sympy(expression, "simplify"))
    return _checked(expression, sorted(candidates, key=_burden))


def as_one_fraction(expression: Expression) -> Rewritten | Failure:
    """A sum of quotients over one denominator, in lowest terms where there is one symbol."""
    names = symbols_of(expression)
    short = simplified(expression) if len(names) < 2 else None
    if isinstance(short, Rewritten) and (not names or isinstance(short.expression, Divide)):
        return short
    above, below = over_one(expression)
    with contextlib.suppress(NotPolynomialError):
        above = expression_of(terms_of(above))
    return _checked(expression, [tidied(above) if below == ONE else divide(above, below)])


def over_one(node: Expression) -> tuple[Expression, Expression]:
    """What stands above and below the bar when all is brought to one bar; equal divisors are taken once."""
    above: Expression
    below: Expression
    match node:
        case Add(terms):
            grouped: dict[Expression, Expression] = {}
            for term in terms:
                one, divisor = over_one(term)
                grouped[divisor] = add(grouped[divisor], one) if divisor in grouped else one
            above, below = ZERO, ONE
            for divisor, one in grouped.items():
                above = _product(one, below) if above == ZERO else add(_product(above, divisor), _product(one, below))
                below = _product(below, divisor)
            return above, below
        case Negate(operand):
            above, below = over_one(operand)
            return negate(above), below
        case Multiply(factors) if any(isinstance(each, Divide) for factor in factors for each in walk(factor)):
            above, below = ONE, ONE
            for factor in factors:
                one, divisor = over_one(factor)
                above, below = _product(above, one), _product(below, divisor)
            return above, below
        case Power(base, Number(int())) if any(isinstance(each, Divide) for each in walk(base)):
            above, below = over_one(base)
            return power(above, node.exponent), power(below, node.exponent)
        case Divide(numerator, denominator):
            (above, below), (inner_above, inner_below) = over_one(numerator), over_one(denominator)
            return _product(above, inner_below), _product(below, inner_above)
    return node, ONE


def _product(first: Expression, second: Expression) -> Expression:
    return second if first == ONE else first if second == ONE else multiply(first, second)


def partial_fractions(expression: Expression, symbol: str) -> Rewritten | Failure:
    """A quotient of polynomials as a sum of simpler ones."""
    return _checked(expression, _by_sympy(expression, "partial_fractions", symbol))


def _by_sympy(expression: Expression, way: str, symbol: str = "") -> list[Expression]:
    # Imported here: what is polynomial never needs the worker.
    from mathrag.compute.solve.sympy_process import rewrite_in_worker

    found = rewrite_in_worker(expression, way, symbol, seconds=_SECONDS)
    return [] if isinstance(found, Failure) else [in_order(tidied(each)) for each in found]


def in_order(expression: Expression) -> Expression:
    """Sums that are polynomials in the order of their powers."""
    inner = map_parts(expression, in_order)
    if not isinstance(inner, Add):
        return inner
    try:
        return expression_of(terms_of(inner))
    except NotPolynomialError:
        return inner


def _burden(expression: Expression) -> int:
    """How long it is to read; a square left under a root counts as much as a few terms."""
    roots = [node for node in walk(expression) if isinstance(node, Call) and node.function == "sqrt"]
    return size_of(expression) + sum(8 for root in roots if _has_square(root.arguments[0]))


def _has_square(inside: Expression) -> bool:
    value = inside.value if isinstance(inside, Number) else 0
    return isinstance(value, int) and any(value % (each * each) == 0 for each in range(2, 100)) and value > 0


def _checked(expression: Expression, candidates: Iterable[Expression]) -> Rewritten | Failure:
    """The first candidate that is equal wherever both have a value, and has none of its own missing."""
    for candidate in candidates:
        trial = try_statement(Comparison(expression, "=", candidate))
        if trial.verdict == "by_algebra" or (trial.verdict in ("held", "partly") and _is_tried(expression, trial)):
            if trial.undefined is not None and not trial.undefined.left.is_undefined:
                # The old form has a value where the new one has none: nothing is simplified by losing values.
                continue
            return Rewritten(candidate, trial)
    if any(_is_nothing(node.denominator) for node in walk(expression) if isinstance(node, Divide)):
        return Failure("division_by_zero", "it divides by zero, whatever the values are, so it has no value")
    return Failure("no_closed_form", "no other form was found that is certainly equal")


def _is_nothing(divisor: Expression) -> bool:
    return is_exactly_equal(Comparison(divisor, "=", ZERO))


def _is_tried(expression: Expression, trial: Trial) -> bool:
    return not symbols_of(expression) or trial.held >= ENOUGH_POINTS


def pole_between(expression: Expression, symbol: str, bounds: tuple[Expression, Expression]) -> Expression | None:
    """A pole of a quotient of polynomials between the bounds or at one; None where none is known for certain.

    In lowest terms such a quotient grows at a root of its divisor at least like 1/x, so no integral over it exists.
    """
    ends = [constant_of(tidied(bound)) for bound in bounds]
    try:
        quotient = quotient_of(expression, symbol)
    except NotPolynomialError:
        return None
    if None in ends or not quotient.below:
        return None
    low, high = sorted(end for end in ends if end is not None)
    shared = common_divisor(quotient.above, quotient.below)
    below = divided(quotient.below, shared)[0] if len(shared) > 1 else quotient.below
    for root in roots_of(below).real if len(below) > 1 else ():
        if root.exact is not None and low <= root.low and root.high <= high:
            return root.exact
    return None


def gaps_of(expression: Expression) -> tuple[Expression, ...] | None:
    """The values of its one symbol at which a divisor is zero; None where they are not known."""
    names = symbols_of(expression)
    if len(names) != 1:
        return None
    try:
        forbidden = quotient_of(expression, names[0]).forbidden
    except NotPolynomialError:
        return None
    found: dict[Expression, None] = {}
    for polynomial in forbidden:
        for root in roots_of(polynomial).real:
            if root.exact is None:
                return None
            found[root.exact] = None
    return tuple(found)
