"""The rules of calculus by name, for the lines between a question and its answer: product, quotient, chain and power
rule of derivatives; integration by parts where one factor is a polynomial. Names what was done; decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mathrag.compute.algebra.analysis import Confirmed, antiderivative, neat_form
from mathrag.compute.algebra.polynomials import NotPolynomialError, polynomial_of
from mathrag.compute.calculus import derivative
from mathrag.compute.evaluate.failure import Failure
from mathrag.types.expression import (
    ONE,
    Add,
    Call,
    Divide,
    Expression,
    Multiply,
    Negate,
    Power,
    Symbol,
    multiply,
    symbols_of,
)

_MOST_STEPS = 6


@dataclass(frozen=True, slots=True)
class RuleStep:
    """One use of a rule: its name, its form, and the parts that stand for its letters."""

    rule: str
    form: str
    parts: tuple[tuple[str, Expression], ...]


def derivative_steps(expression: Expression, symbol: str) -> tuple[RuleStep, ...]:
    """The rules by which a derivative is taken, from outside in; none where only tables are needed."""
    return tuple(step for _, step in zip(range(_MOST_STEPS), _steps(expression, symbol), strict=False))


def _steps(node: Expression, symbol: str) -> Iterator[RuleStep]:
    if symbol not in symbols_of(node):
        return
    match node:
        case Negate(operand):
            yield from _steps(operand, symbol)
        case Add(terms):
            for term in terms:
                yield from _steps(term, symbol)
        case Multiply(factors):
            yield from _product(factors, symbol)
        case Divide(above, below):
            if symbol in symbols_of(below):
                yield from _named("quotient rule", "(u / v)' = (u' v − u v') / v²", above, below, symbol)
            yield from _steps(above, symbol)
            yield from _steps(below, symbol)
        case Call(_, (inner,)) if inner != Symbol(symbol):
            yield from _chain(node, inner, symbol)
        case Power(base, exponent) if symbol not in symbols_of(exponent):
            if base == Symbol(symbol):
                yield RuleStep("power rule", "(xⁿ)' = n xⁿ⁻¹".replace("x", symbol), (("n", exponent),))
            else:
                yield from _chain(node, base, symbol)


def _product(factors: tuple[Expression, ...], symbol: str) -> Iterator[RuleStep]:
    moving = [each for each in factors if symbol in symbols_of(each)]
    if len(moving) > 1:
        rest = moving[1] if len(moving) == 2 else multiply(*moving[1:])
        yield from _named("product rule", "(u v)' = u' v + u v'", moving[0], rest, symbol)
    for each in moving:
        yield from _steps(each, symbol)


def _named(rule: str, form: str, first: Expression, second: Expression, symbol: str) -> Iterator[RuleStep]:
    slopes = [derivative(each, symbol) for each in (first, second)]
    if isinstance(slopes[0], Failure) or isinstance(slopes[1], Failure):
        return
    yield RuleStep(
        rule, form, (("u", first), ("v", second), ("u'", neat_form(slopes[0])), ("v'", neat_form(slopes[1])))
    )


def _chain(node: Expression, inner: Expression, symbol: str) -> Iterator[RuleStep]:
    slope = derivative(inner, symbol)
    if isinstance(slope, Failure):
        return
    yield RuleStep("chain rule", "f(g)' = f'(g) g'", (("f(g)", node), ("g", inner), ("g'", neat_form(slope))))
    yield from _steps(inner, symbol)


def by_parts(expression: Expression, symbol: str) -> RuleStep | None:
    """One step of integration by parts where it makes the integral simpler: a polynomial times an exponential or a
    circular function, or times a logarithm."""
    if isinstance(expression, Call) and expression.function == "log":
        factors: tuple[Expression, ...] = (expression,)
    elif isinstance(expression, Multiply):
        factors = expression.factors
    else:
        return None
    logs = [each for each in factors if isinstance(each, Call) and each.function == "log"]
    plain = [each for each in factors if _is_polynomial(each, symbol)]
    waves = [each for each in factors if isinstance(each, Call) and each.function in ("exp", "sin", "cos")]
    first: Expression
    second: Expression
    if len(logs) == 1 and len(plain) == len(factors) - 1:
        first, second = logs[0], _joined(plain)
    elif len(waves) == 1 and len(plain) == len(factors) - 1 and any(symbol in symbols_of(each) for each in plain):
        first, second = _joined(plain), waves[0]
    else:
        return None
    slope, primitive = derivative(first, symbol), antiderivative(second, symbol)
    if isinstance(slope, Failure) or not isinstance(primitive, Confirmed):
        return None
    parts = (("u", first), ("v'", second), ("u'", neat_form(slope)), ("v", primitive.expression))
    return RuleStep("integration by parts", "∫ u v' = u v − ∫ u' v", parts)


def _is_polynomial(node: Expression, symbol: str) -> bool:
    try:
        polynomial_of(node, symbol)
    except NotPolynomialError:
        return False
    return True


def _joined(factors: list[Expression]) -> Expression:
    return ONE if not factors else factors[0] if len(factors) == 1 else multiply(*factors)
