"""Functions of dictionaries computed: composition, finite maps, derivatives, integrals, sums, all values of inverses.

Derivatives, integrals and endless sums are numerical; what is not known to many digits is not told.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate
from math import factorial
from typing import Any

from mathrag.compute.openmath.equality import Computing
from mathrag.compute.openmath.values import (
    Family,
    FiniteSet,
    Function,
    Infinite,
    Interval,
    ListOf,
    UncertainError,
    UndefinedError,
    Value,
    WrongKindError,
    sized,
)

Operation = Callable[..., Value]
_HIGHEST_DERIVATIVE = 3
_TERMS = 80
# Digits that numerical integrals and limits must share to be told.
_AGREED = Fraction(1, 10**24)


def _function(value: Value) -> Function:
    if not isinstance(value, Function):
        raise WrongKindError("a function is expected")
    return value


def _numeric(evaluator: Computing, function: Function) -> Callable[[Any], Any]:
    return lambda argument: evaluator.numbers.many(function.apply(argument))


def _derivative(evaluator: Computing, value: Value, order: int = 1) -> Value:
    function = _function(value)
    if function.domain is not None:
        raise UndefinedError("a finite map has no derivative")

    def apply(argument: Value) -> Value:
        evaluator.spend(20)
        number = evaluator.numbers.many(argument)
        return evaluator.numbers.finite(evaluator.numbers.context.diff(_numeric(evaluator, function), number, order))

    return Function(apply)


def _nth_derivative(evaluator: Computing, order: Value, value: Value) -> Value:
    times = evaluator.numbers.whole(order, least=0)
    if times > _HIGHEST_DERIVATIVE:
        raise UndefinedError("the derivative is of too high an order")
    return _function(value) if times == 0 else _derivative(evaluator, value, times)


def _antiderivative(evaluator: Computing, value: Value) -> Value:
    """The one that vanishes at zero."""
    function = _function(value)
    return Function(lambda argument: _integral(evaluator, function, Fraction(0), argument))


def _integral(evaluator: Computing, function: Function, low: Value, high: Value) -> Value:
    context = evaluator.numbers.context
    evaluator.spend(50)
    ends = [
        context.inf * each.sign if isinstance(each, Infinite) else evaluator.numbers.many(each) for each in (low, high)
    ]
    if any(not isinstance(each, Infinite) and not evaluator.numbers.is_real(each) for each in (low, high)):
        raise UndefinedError("real ends are expected")
    if ends[0] == ends[1]:
        return Fraction(0)
    value, error = context.quad(_numeric(evaluator, function), ends, error=True)
    if error > max(abs(value), 1) * evaluator.numbers.many(_AGREED):
        raise UncertainError("the integral is not known to enough digits")
    return evaluator.numbers.finite(value)


def _definite_integral(evaluator: Computing, domain: Value, value: Value) -> Value:
    if not isinstance(domain, Interval):
        raise WrongKindError("an interval is expected")
    return _integral(evaluator, _function(value), domain.low, domain.high)


def _series(_evaluator: Computing, domain: Value, value: Value, *, is_sum: bool) -> Value:
    function = _function(value)
    if not isinstance(domain, FiniteSet):
        raise UncertainError("a sum or product is taken over finite sets only")
    total: Value = Fraction(0 if is_sum else 1)
    for each in domain.items:
        term = function.apply(each)
        total = total + term if is_sum else total * term
        if isinstance(total, Fraction):
            sized(total)
    return total


def endless_sum(evaluator: Computing, start: Value, value: Value) -> Value:
    """A sum without end, extrapolated from its beginning in two ways that must agree."""
    function, first = _function(value), evaluator.numbers.whole(start)
    terms = [function.apply(Fraction(first + place)) for place in range(_TERMS)]
    # Extrapolation loses as many digits as it gains unless the terms are exact.
    if not all(isinstance(each, Fraction) and each.denominator.bit_length() < 2_000 for each in terms):
        raise UncertainError("a sum without end is told only of fractions")
    sums = list(accumulate(terms))
    for far, near in (
        ((sums[-1], sums[-20])),
        (_extrapolated(sums, _TERMS // 2), _extrapolated(sums, _TERMS // 2 - 6)),
    ):
        if abs(far - near) <= max(abs(far), 1) * _AGREED:
            return evaluator.numbers.many(far)
    raise UncertainError("the sum does not settle")


def _extrapolated(sums: list[Fraction], order: int) -> Fraction:
    """Richardson's extrapolation of a sequence whose error goes by powers of one over the place."""
    total = Fraction(0)
    for place in range(order + 1):
        weight = Fraction((place + order) ** order, factorial(place) * factorial(order - place))
        total += (-1) ** (place + order) * weight * sums[place + order - 1]
    return total


def _restricted(evaluator: Computing, value: Value, domain: Value) -> Value:
    function = _function(value)
    if function.domain is None or not isinstance(domain, FiniteSet):
        raise UncertainError("only finite maps are restricted")
    if not evaluator.comparing.within(domain, function.domain):
        raise UndefinedError("no part of the domain")
    return Function(function.apply, domain, function.codomain)


def _finite(value: Value) -> tuple[Function, FiniteSet]:
    function = _function(value)
    if function.domain is None:
        raise UncertainError("only the domain of a finite map is known")
    return function, function.domain


def _range(_evaluator: Computing, value: Value) -> Value:
    function, _ = _finite(value)
    if function.codomain is None:
        raise UncertainError("the range of the function is not known")
    return function.codomain


def _image(_evaluator: Computing, value: Value) -> Value:
    function, domain = _finite(value)
    return FiniteSet(tuple(map(function.apply, domain.items)))


def _kernel(evaluator: Computing, value: Value) -> Value:
    function, domain = _finite(value)
    kept = (each for each in domain.items if evaluator.comparing.same(function.apply(each), Fraction(0)))
    return FiniteSet(tuple(kept))


def _inverse(evaluator: Computing, value: Value) -> Value:
    """A partial inverse of a finite map: defined where exactly one argument gives the value."""
    function, domain = _finite(value)

    def apply(wanted: Value) -> Value:
        found = [each for each in domain.items if evaluator.comparing.same(function.apply(each), wanted)]
        if len(found) != 1:
            raise UndefinedError("the inverse has no value there")
        return found[0]

    return Function(apply, FiniteSet(tuple(map(function.apply, domain.items))), domain)


def _composed(_evaluator: Computing, outer: Value, inner: Value) -> Value:
    first, second = _function(outer), _function(inner)
    return Function(lambda *arguments: first.apply(second.apply(*arguments)), second.domain)


def _constructed(_evaluator: Computing, domain: Value, codomain: Value, value: Value) -> Value:
    """A function by its two sets and its rule; the rule must stay within them."""
    if not isinstance(domain, FiniteSet) or not isinstance(codomain, FiniteSet):
        raise UncertainError("only functions between finite sets are made")
    return Function(_function(value).apply, domain, codomain)


def _over_list(_evaluator: Computing, function: Value, items: Value) -> Value:
    if not isinstance(items, ListOf):
        raise WrongKindError("a list is expected")
    return _function(function).apply(*items.items)


def _chained(evaluator: Computing, predicate: Value, items: Value) -> Value:
    if not isinstance(items, ListOf):
        raise WrongKindError("a list is expected")
    test = _function(predicate)
    pairs = zip(items.items, items.items[1:], strict=False)
    return all(evaluator.truth(test.apply(first, second)) for first, second in pairs)


def _mean(evaluator: Computing, *values: Value) -> Value:
    if not values:
        raise UndefinedError("no data")
    return evaluator.numbers.divide(sum(values, Fraction(0)), Fraction(len(values)))


def _variance(evaluator: Computing, *values: Value) -> Value:
    if len(values) < 2:
        raise UndefinedError("fewer than two data")
    middle = _mean(evaluator, *values)
    return _mean(evaluator, *((each - middle) ** 2 for each in values))


def _distribution(part: str) -> Operation:
    """What a distribution is known to have by its making, not by the integral that dictionaries state."""

    def operation(_evaluator: Computing, value: Value) -> Value:
        known = getattr(_function(value), part)
        if known is None:
            raise UncertainError("the function is no known distribution")
        return known

    return operation


def _moment(evaluator: Computing, order: Value, around: Value, value: Value) -> Value:
    """Of a normal distribution, by the known moments about its mean."""
    function, times = _function(value), evaluator.numbers.whole(order, least=0)
    if function.mean is None or function.deviation is None:
        raise UncertainError("the function is no known distribution")
    shift, spread = function.mean - around, function.deviation
    # Sum over even powers of the deviation: binomial coefficient times the product of odd numbers.
    total, double, choose = Fraction(0), Fraction(1), Fraction(1)
    for power in range(times + 1):
        if power % 2 == 0:
            rest = times - power
            total += choose * double * spread**power * (shift**rest if rest else 1)
            double *= power + 1
        choose = choose * (times - power) / (power + 1)
    return total


# All values of the inverses: a principal value, where else the function takes the same value, and its period.

_CIRCULAR = {"sin": "asin", "cos": "acos", "tan": "atan"}


def all_logarithms(evaluator: Computing, argument: Value) -> Value:
    return Family(((evaluator.numbers.logarithm(argument), _turn(evaluator) * 1j),))


def _turn(evaluator: Computing) -> Any:
    return 2 * evaluator.numbers.context.pi


def _all_values(name: str) -> Operation:
    """`arcsin`, `arccosh`, `arcsec`, …: from the inverse of the circular function, for hyperbolic ones of i times y."""
    core = {"sec": "cos", "csc": "sin", "cot": "tan", "sech": "cosh", "csch": "sinh", "coth": "tanh"}.get(name, name)
    is_hyperbolic = core.endswith("h")
    circular = core.removesuffix("h") if is_hyperbolic else core

    def operation(evaluator: Computing, argument: Value) -> Value:
        numbers = evaluator.numbers
        value = numbers.many(argument if core == name else numbers.divide(Fraction(1), argument))
        # sinh y = -i sin(i y), cosh y = cos(i y), tanh y = -i tan(i y): solve for i y, then divide by i.
        if is_hyperbolic and circular != "cos":
            value = value * 1j
        first = numbers.function(_CIRCULAR[circular], value)
        turn, pi = _turn(evaluator), numbers.context.pi
        found = {
            "sin": ((first, turn), (pi - first, turn)),
            "cos": ((first, turn), (-first, turn)),
            "tan": ((first, pi + 0),),
        }[circular]
        return Family(tuple((base / 1j, step / 1j) for base, step in found) if is_hyperbolic else found)

    return operation


def _all_logs_of_base(evaluator: Computing, base: Value, argument: Value) -> Value:
    """All b with base to b the argument, powers being principal: the base has one logarithm, the argument all."""
    below = evaluator.numbers.logarithm(base)
    if evaluator.numbers.same(below, Fraction(0)):
        raise UndefinedError("one is no base")
    ((first, step),) = all_logarithms(evaluator, argument).members
    return Family(((first / below, step / below),))


OPERATIONS: dict[str, Operation] = {
    "calculus1:diff": _derivative,
    "calculus1:nthdiff": _nth_derivative,
    "calculus1:int": _antiderivative,
    "calculus1:defint": _definite_integral,
    "arith1:sum": lambda evaluator, domain, value: _series(evaluator, domain, value, is_sum=True),
    "arith1:product": lambda evaluator, domain, value: _series(evaluator, domain, value, is_sum=False),
    "fns1:restriction": _restricted,
    "fns1:domain": lambda _evaluator, value: _finite(value)[1],
    "fns1:range": _range,
    "fns1:image": _image,
    "fns2:kernel": _kernel,
    "fns1:inverse": _inverse,
    "fns1:left_compose": _composed,
    "fns2:right_compose": lambda evaluator, first, second: _composed(evaluator, second, first),
    "fns1:identity": lambda _evaluator, value: value,
    "fns3:function": _constructed,
    "fns2:apply_to_list": _over_list,
    "fns2:predicate_on_list": _chained,
    "s_data1:mean": _mean,
    "s_data1:variance": _variance,
    "s_data1:sdev": lambda evaluator, *values: evaluator.numbers.root(_variance(evaluator, *values), Fraction(2)),
    "s_dist1:mean": _distribution("mean"),
    "s_dist1:sdev": _distribution("deviation"),
    "s_dist1:variance": lambda evaluator, value: _distribution("deviation")(evaluator, value) ** 2,
    "s_dist1:moment": _moment,
    "transc3:ln": all_logarithms,
    "transc3:log": _all_logs_of_base,
    **{
        f"transc3:arc{name}": _all_values(name)
        for name in "sin cos tan sec csc cot sinh cosh tanh sech csch coth".split()
    },
}
