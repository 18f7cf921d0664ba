"""Definite integrals in closed form by rule: sums, powers, reciprocals, exponentials, sines of a linear argument.

Anything else gives None, and the reader declines. The result is an ordinary expression; no integral node exists.
"""

from __future__ import annotations

from collections.abc import Callable

from mathrag.types.expression import (
    ONE,
    TWO,
    ZERO,
    Add,
    Call,
    Divide,
    Expression,
    Multiply,
    Negate,
    Number,
    Power,
    Series,
    Symbol,
    add,
    call,
    divide,
    multiply,
    negate,
    number,
    power,
    substitute,
    subtract,
    symbols_of,
)

Primitive = Callable[[Expression], Expression]


def definite_integral(body: Expression, variable: str, *, lower: Expression, upper: Expression) -> Expression | None:
    """The integral of `body` over `variable` between the bounds, or None when no rule applies."""
    match body:
        case _ if variable not in symbols_of(body):
            return _times(body, subtract(upper, lower) if lower != ZERO else upper)
        case Add(terms):
            parts = [definite_integral(term, variable, lower=lower, upper=upper) for term in terms]
            return None if any(part is None for part in parts) else add(*(part for part in parts if part is not None))
        case Negate(operand):
            inner = definite_integral(operand, variable, lower=lower, upper=upper)
            return None if inner is None else negate(inner)
        case Multiply(factors):
            return _product(list(factors), variable, lower, upper)
        case Divide(numerator, denominator):
            return _quotient(numerator, denominator, variable, lower, upper)
        case _:
            return _leaf(body, variable, lower, upper)


def _times(factor: Expression, value: Expression) -> Expression:
    return value if factor == ONE else multiply(factor, value)


def _product(factors: list[Expression], variable: str, lower: Expression, upper: Expression) -> Expression | None:
    constant = [factor for factor in factors if variable not in symbols_of(factor)]
    varying = [factor for factor in factors if variable in symbols_of(factor)]
    if constant:
        inner = definite_integral(multiply(*varying), variable, lower=lower, upper=upper)
        return None if inner is None else multiply(*constant, inner)
    for position, factor in enumerate(varying):
        opened = factor.terms if isinstance(factor, Add) else None
        if opened is not None:
            rest = [*varying[:position], *varying[position + 1 :]]
            return definite_integral(
                add(*(multiply(*rest, term) for term in opened)), variable, lower=lower, upper=upper
            )
        if isinstance(factor, Negate):
            rest = [*varying[:position], factor.operand, *varying[position + 1 :]]
            inner = definite_integral(multiply(*rest), variable, lower=lower, upper=upper)
            return None if inner is None else negate(inner)
        if isinstance(factor, Divide):
            rest = [*varying[:position], factor.numerator, *varying[position + 1 :]]
            return _quotient(multiply(*rest), factor.denominator, variable, lower, upper)
    exponents = [_monomial_exponent(factor, variable) for factor in varying]
    if any(exponent is None for exponent in exponents):
        return None
    total = sum(exponent for exponent in exponents if exponent is not None)
    return _leaf(power(Symbol(variable), number(total)) if total != 1 else Symbol(variable), variable, lower, upper)


def _monomial_exponent(factor: Expression, variable: str) -> int | None:
    match factor:
        case Symbol(name) if name == variable:
            return 1
        case Power(Symbol(name), Number(int() as value)) if name == variable:
            return value
        case _:
            return None


def _quotient(
    numerator: Expression, denominator: Expression, variable: str, lower: Expression, upper: Expression
) -> Expression | None:
    if variable not in symbols_of(denominator):
        inner = definite_integral(numerator, variable, lower=lower, upper=upper)
        return None if inner is None else divide(inner, denominator)
    if isinstance(denominator, Multiply):
        constant = [factor for factor in denominator.factors if variable not in symbols_of(factor)]
        if constant:
            varying = [factor for factor in denominator.factors if variable in symbols_of(factor)]
            inner = _quotient(numerator, multiply(*varying), variable, lower, upper)
            return None if inner is None else divide(inner, multiply(*constant))
    if isinstance(numerator, Add):
        parts = [_quotient(term, denominator, variable, lower, upper) for term in numerator.terms]
        return None if any(part is None for part in parts) else add(*(part for part in parts if part is not None))
    if isinstance(numerator, Negate):
        inner = _quotient(numerator.operand, denominator, variable, lower, upper)
        return None if inner is None else negate(inner)
    if variable not in symbols_of(numerator):
        inner = _leaf(_reciprocal(denominator), variable, lower, upper)
        return None if inner is None else _times(numerator, inner)
    return None


def _reciprocal(denominator: Expression) -> Expression:
    match denominator:
        case Power(base, exponent):
            return power(base, negate(exponent))
        case Call("sqrt", (inner,)):
            return power(inner, negate(divide(ONE, TWO)))
        case _:
            return power(denominator, negate(ONE))


def _leaf(body: Expression, variable: str, lower: Expression, upper: Expression) -> Expression | None:
    """One function of a linear argument."""
    inner, primitive = _primitive(body, variable)
    if inner is None:
        return None
    slope = _slope(inner, variable)
    if slope is None:
        return None
    at_upper, at_lower = (substitute(inner, {variable: bound}) for bound in (upper, lower))
    if primitive is None:
        value = call("log", divide(at_upper, at_lower))
    else:
        value = subtract(primitive(at_upper), primitive(at_lower))
        if inner == Symbol(variable) and lower == ZERO and isinstance(body, Symbol | Power):
            value = primitive(at_upper)
    return value if slope == ONE else divide(value, slope)


def _primitive(body: Expression, variable: str) -> tuple[Expression | None, Primitive | None]:
    """The linear inside of a function and the primitive of the function; a primitive of None is the logarithm."""
    match body:
        case Symbol():
            return body, lambda x: divide(power(x, TWO), TWO)
        case Power(Add() as base, Negate(Number(1))) if (root := _root_beside_square(base, variable)) is not None:
            return Symbol(variable), lambda x: divide(call("atan", divide(x, root)), root)
        case Power(Call("sin" | "cos" as function, (inner,)), Number(2)):
            return inner, _square_primitive(function)
        case Power(base, exponent) if variable not in symbols_of(exponent):
            if exponent == negate(ONE):
                return base, None
            return base, _power_primitive(exponent)
        case Power(base, exponent) if variable not in symbols_of(base):
            return exponent, lambda x: divide(power(base, x), call("log", base))
        case Call("sqrt", (inner,)):
            return inner, lambda x: multiply(divide(TWO, Number(3)), power(x, divide(Number(3), TWO)))
        case Call("exp", (inner,)):
            return inner, lambda x: call("exp", x)
        case Call("sin", (inner,)):
            return inner, lambda x: negate(call("cos", x))
        case Call("cos", (inner,)):
            return inner, lambda x: call("sin", x)
        case Call("sinh", (inner,)):
            return inner, lambda x: call("cosh", x)
        case Call("cosh", (inner,)):
            return inner, lambda x: call("sinh", x)
        case Call("log", (inner,)):
            return inner, lambda x: subtract(multiply(x, call("log", x)), x)
        case _:
            return None, None


def _root_beside_square(terms: Add, variable: str) -> Expression | None:
    """The a of x^2 + a^2, for the arc tangent; None for any other sum."""
    square = power(Symbol(variable), TWO)
    if len(terms.terms) != 2 or square not in terms.terms:
        return None
    other = next(term for term in terms.terms if term != square)
    if variable in symbols_of(other) or isinstance(other, Negate):
        return None
    return (
        other.base
        if isinstance(other, Power) and other.exponent == TWO
        else other
        if other == ONE
        else call("sqrt", other)
    )


def _square_primitive(function: str) -> Primitive:
    """The primitive of sin^2 or cos^2: half the argument, less or plus a quarter of the sine of twice it."""

    def primitive(x: Expression) -> Expression:
        quarter = divide(call("sin", multiply(TWO, x)), Number(4))
        return subtract(divide(x, TWO), quarter) if function == "sin" else add(divide(x, TWO), quarter)

    return primitive


def _power_primitive(exponent: Expression) -> Primitive:
    raised = _plus_one(exponent)
    return lambda x: divide(x if raised == ONE else power(x, raised), raised)


def _plus_one(exponent: Expression) -> Expression:
    match exponent:
        case Number(int() as value):
            return Number(value + 1)
        case Negate(Number(int() as value)):
            return number(1 - value)
        case _:
            return add(exponent, ONE)


def _slope(inner: Expression, variable: str) -> Expression | None:
    """The factor of the variable when the expression is linear in it, else None."""
    match inner:
        case Symbol(name) if name == variable:
            return ONE
        case Negate(operand):
            slope = _slope(operand, variable)
            return None if slope is None else negate(slope)
        case Multiply(factors):
            varying = [factor for factor in factors if variable in symbols_of(factor)]
            if len(varying) != 1:
                return None
            slope = _slope(varying[0], variable)
            rest = [factor for factor in factors if variable not in symbols_of(factor)]
            return None if slope is None else multiply(*rest, slope) if slope != ONE else multiply(*rest)
        case Divide(numerator, denominator) if variable not in symbols_of(denominator):
            slope = _slope(numerator, variable)
            return None if slope is None else divide(slope, denominator)
        case Add(terms):
            varying = [term for term in terms if variable in symbols_of(term)]
            return _slope(varying[0], variable) if len(varying) == 1 else None
        case Series():
            return None
        case _:
            return None
