"""Powers, roots, logarithms and exponentials of positive numbers in one form, so that their laws can be shown.

A positive x is written as exp(L). A power is then an exponential of a product, a logarithm of a product a sum. What is
left is a sum of exponentials with polynomials before them; equal sides have the same one. Numbers are products of
primes, whose logarithms have nothing to do with each other.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterator
from fractions import Fraction
from typing import TypeAlias

from mathrag.compute.algebra.identities import Comparison
from mathrag.compute.algebra.polynomials import Monomial, NotPolynomialError, Terms, added, product_of
from mathrag.types.expression import (
    Add,
    Call,
    Divide,
    Expression,
    Multiply,
    Negate,
    Number,
    Power,
    Symbol,
    subtract,
    walk,
)

# What stands in an exponential, as a key; and what stands before it.
_Exponent: TypeAlias = tuple[tuple[Monomial, Fraction], ...]
_Form: TypeAlias = dict[_Exponent, Terms]

_MOST_PARTS = 60
_HIGHEST_POWER = 12
_LARGEST_NUMBER = 10**12


_ONE: _Form = {(): {(): Fraction(1)}}
_MINUS: _Form = {(): {(): Fraction(-1)}}


class _NoFormError(ValueError):
    """What has no such form here."""


def equal_for_positive(statement: Comparison, positive: Collection[str]) -> bool:
    """Whether an equation is certain where these symbols are above 0, and the others any real numbers."""
    if statement.sign != "=":
        return False
    try:
        return not _over_one(subtract(statement.left, statement.right), frozenset(positive))[0]
    except (_NoFormError, NotPolynomialError, OverflowError):
        return False


def positive_symbols(statement: Comparison) -> tuple[str, ...] | None:
    """The fewest symbols that need to be above 0 for the equation to be certain; None where none suffice here."""
    names = statement.names
    if statement.sign != "=" or len(names) > 4:
        return None
    for count in range(1, len(names) + 1):
        for chosen in itertools.combinations(names, count):
            if equal_for_positive(statement, chosen):
                return chosen
    return None


def _over_one(node: Expression, positive: frozenset[str]) -> tuple[_Form, _Form]:
    """What an expression is over one divisor, so that sums may stand below a line: ln(x) / ln(10)."""
    match node:
        case Negate(operand):
            above, below = _over_one(operand, positive)
            return _times(_MINUS, above), below
        case Add(terms):
            total, divisor = _over_one(terms[0], positive)
            for term in terms[1:]:
                above, below = _over_one(term, positive)
                if below == divisor:
                    total = _plus(total, above)
                else:
                    total = _plus(_times(total, below), _times(above, divisor))
                    divisor = _times(divisor, below)
            return total, divisor
        case Multiply(factors):
            product, divisor = _ONE, _ONE
            for factor in factors:
                above, below = _over_one(factor, positive)
                product, divisor = _times(product, above), _times(divisor, below)
            return product, divisor
        case Divide(numerator, denominator):
            above, below = _over_one(numerator, positive)
            other, divisor = _over_one(denominator, positive)
            return _times(above, divisor), _times(below, other)
        case Power(base, exponent) if any(isinstance(each, Call) for each in walk(exponent)):
            return _power_by_logarithms(base, exponent, positive), _ONE
        case Call("log10", (argument,)):
            return _whole(_logarithm(_form(argument, positive))), _whole(_logarithm_of(Fraction(10)))
    return _form(node, positive), _ONE


def _power_by_logarithms(base: Expression, exponent: Expression, positive: frozenset[str]) -> _Form:
    """A power whose exponent is a quotient of logarithms, where that of the base stands below: 10^(ln x / ln 10)."""
    above, below = _over_one(exponent, positive)
    whole = _product(_polynomial(above), _logarithm(_form(base, positive)))
    divisor = _polynomial(below)
    if not divisor or not whole:
        raise _NoFormError
    ratio = _ratio(_logarithm(_form(base, positive)), divisor)
    if ratio is not None:
        return _exponential({monomial: value * ratio for monomial, value in _polynomial(above).items()})
    if divisor == {(): Fraction(1)}:
        return _exponential(whole)
    return _form(Power(base, exponent), positive)


def _ratio(one: Terms, other: Terms) -> Fraction | None:
    """How many times the other one is, where it is a multiple."""
    if set(one) != set(other):
        return None
    ratios = {one[monomial] / other[monomial] for monomial in one}
    return ratios.pop() if len(ratios) == 1 else None


def _form(node: Expression, positive: frozenset[str]) -> _Form:
    match node:
        case Number(value):
            return {(): {(): Fraction(value)}} if value else {}
        case Symbol(name):
            return _exponential({((f"ln_{name}", 1),): Fraction(1)}) if name in positive else _plain(name)
        case Negate(operand):
            return _times({(): {(): Fraction(-1)}}, _form(operand, positive))
        case Add(terms):
            total: _Form = {}
            for term in terms:
                total = _plus(total, _form(term, positive))
            return total
        case Multiply(factors):
            product: _Form = {(): {(): Fraction(1)}}
            for factor in factors:
                product = _times(product, _form(factor, positive))
            return product
        case Divide(numerator, denominator):
            return _times(_form(numerator, positive), _inverse(_form(denominator, positive)))
        case Power(base, exponent):
            return _raised(_form(base, positive), _form(exponent, positive))
        case Call(function, (argument,)):
            return _called(function, _form(argument, positive))
    raise _NoFormError


def _plain(name: str) -> _Form:
    return {(): {((name, 1),): Fraction(1)}}


def _called(function: str, inner: _Form) -> _Form:
    match function:
        case "exp":
            return _exponential(_polynomial(inner))
        case "log":
            return _whole(_logarithm(inner))
        case "log2":
            return _times(_whole(_logarithm(inner)), {(): {(("ln_2", -1),): Fraction(1)}})
        case "log10":
            return _whole(_to_base_ten(_logarithm(inner)))
        case "sqrt":
            return _raised(inner, {(): {(): Fraction(1, 2)}})
        case "cbrt":
            return _raised(inner, {(): {(): Fraction(1, 3)}})
    raise _NoFormError


def _to_base_ten(logarithm: Terms) -> Terms:
    """A natural logarithm divided by that of ten: powers of ten become numbers."""
    tens = logarithm.get((("ln_5", 1),), Fraction(0))
    rest = added(logarithm, {(("ln_2", 1),): -tens, (("ln_5", 1),): -tens} if tens else {})
    return added({(): tens} if tens else {}, _product(rest, {(("per_ln_10", 1),): Fraction(1)}))


def _whole(terms: Terms) -> _Form:
    return {(): terms} if terms else {}


def _polynomial(form: _Form) -> Terms:
    """A form without exponentials."""
    if set(form) - {()}:
        raise _NoFormError
    return form.get((), {})


def _single(form: _Form) -> tuple[Terms, Fraction]:
    """A positive number times an exponential: its exponent and the number."""
    if len(form) != 1:
        raise _NoFormError
    ((exponent, before),) = form.items()
    if set(before) != {()} or before[()] <= 0:
        raise _NoFormError
    return dict(exponent), before[()]


def _logarithm(form: _Form) -> Terms:
    exponent, number = _single(form)
    return added(exponent, _logarithm_of(number))


def _logarithm_of(number: Fraction) -> Terms:
    found: Terms = {}
    for part, sign in ((number.numerator, 1), (number.denominator, -1)):
        for prime, count in _primes(part):
            found = added(found, {((f"ln_{prime}", 1),): Fraction(sign * count)})
    return found


def _primes(number: int) -> Iterator[tuple[int, int]]:
    if number > _LARGEST_NUMBER:
        raise _NoFormError
    divisor = 2
    while divisor * divisor <= number:
        count = 0
        while number % divisor == 0:
            number, count = number // divisor, count + 1
        if count:
            yield divisor, count
        divisor += 1
    if number > 1:
        yield number, 1


def _raised(base: _Form, exponent: _Form) -> _Form:
    by = _polynomial(exponent)
    count = by.get((), Fraction(0)) if set(by) <= {()} else None
    if count is not None and count.denominator == 1 and 0 <= count <= _HIGHEST_POWER:
        found: _Form = {(): {(): Fraction(1)}}
        for _ in range(int(count)):
            found = _times(found, base)
        return found
    return _exponential(_product(by, _logarithm(base)))


def _exponential(exponent: Terms) -> _Form:
    """An exponential; whole multiples of logarithms of primes go before it as numbers."""
    number, kept = Fraction(1), dict(exponent)
    for monomial, value in exponent.items():
        if len(monomial) == 1 and monomial[0][1] == 1 and (prime := monomial[0][0].removeprefix("ln_")).isdecimal():
            whole = math.floor(value)
            if abs(whole) > 200:
                raise _NoFormError
            number *= Fraction(int(prime)) ** whole
            kept[monomial] = value - whole
    key = tuple(sorted((monomial, value) for monomial, value in kept.items() if value))
    return {key: {(): number}}


def _inverse(form: _Form) -> _Form:
    if len(form) != 1:
        raise _NoFormError
    ((exponent, before),) = form.items()
    if len(before) != 1:
        raise _NoFormError
    ((monomial, number),) = before.items()
    turned = _exponential({each: -value for each, value in exponent})
    return _times(turned, {(): {tuple((name, -count) for name, count in monomial): 1 / number}})


def _plus(first: _Form, second: _Form) -> _Form:
    found = dict(first)
    for exponent, before in second.items():
        total = added(found.get(exponent, {}), before)
        found.pop(exponent, None)
        if total:
            found[exponent] = total
    return found


def _times(first: _Form, second: _Form) -> _Form:
    if len(first) * len(second) > _MOST_PARTS:
        raise _NoFormError
    found: _Form = {}
    for one, before in first.items():
        for other, factor in second.items():
            joined = _exponential(added(dict(one), dict(other)))
            ((exponent, number),) = joined.items()
            found = _plus(found, {exponent: _product(_product(before, factor), number)})
    return found


def _product(first: Terms, second: Terms) -> Terms:
    if len(first) * len(second) > _MOST_PARTS:
        raise _NoFormError
    return product_of(first, second)
