"""Derivatives, definite integrals and stationary points of expressions, as expressions.

Nothing here gives a number: a derivative or an integral is a tree over the same symbols, which is then evaluated with
units like any other. An integral is handed out only where numbers confirm it; what has no closed form is refused.
"""

from __future__ import annotations

import heapq
import itertools
import math
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from mathrag.compute.evaluate.compiled import compile_expression
from mathrag.compute.evaluate.failure import EvaluationStoppedError, Failure, fail, shown
from mathrag.compute.grammar.calculus import definite_integral as rule_for_integral
from mathrag.compute.solve.tidy import (
    constant_of,
    factored,
    literal,
    minus,
    opposite,
    over,
    plus,
    raised,
    tidied,
    times,
)
from mathrag.compute.unknowns import measures_named, value_in_si
from mathrag.types.expression import (
    MAXIMUM_DEPTH,
    ONE,
    PI,
    TEN,
    TWO,
    ZERO,
    Add,
    Call,
    Comparison,
    Divide,
    Equation,
    Expression,
    Multiply,
    Negate,
    Number,
    Piecewise,
    Power,
    Series,
    Symbol,
    call,
    depth_of,
    power,
    size_of,
    substitute,
    symbols_of,
    walk,
)

_MOST_NODES, _MOST_NODES_FOUND = 600, 4_000


def derivative(expression: Expression, symbol: str) -> Expression | Failure:
    """How fast the expression changes with the symbol; a failure where it does so in jumps, or no rule is known."""
    refusal = _refusal(expression)
    if refusal is not None:
        return refusal
    try:
        found = _derived(expression, symbol)
    except EvaluationStoppedError as stopped:
        return stopped.failure
    if size_of(found) > _MOST_NODES_FOUND or depth_of(found) > MAXIMUM_DEPTH:
        return Failure("too_large", f"the derivative with respect to {symbol} is too long")
    return min((tidy := tidied(found), factored(tidy)), key=size_of)


def _refusal(*expressions: Expression) -> Failure | None:
    if sum(map(size_of, expressions)) > _MOST_NODES or any(depth_of(each) > MAXIMUM_DEPTH for each in expressions):
        return Failure("too_large", "the function is too long for calculus")
    return None


def _derived(node: Expression, symbol: str) -> Expression:
    if symbol not in symbols_of(node):
        return ZERO
    match node:
        case Symbol():
            return ONE
        case Add(terms):
            return plus(*(_derived(term, symbol) for term in terms))
        case Multiply(factors):
            return _of_product(factors, symbol)
        case Divide(numerator, denominator):
            return _of_quotient(numerator, denominator, symbol)
        case Negate(operand):
            return opposite(_derived(operand, symbol))
        case Power(base, exponent):
            return _of_power(base, exponent, symbol)
        case Call(function, arguments):
            return _of_call(function, arguments, symbol)
        case Series(operation, index, lower, upper, body):
            if operation == "product" or symbol in (*symbols_of(lower), *symbols_of(upper)):
                fail("not_differentiable", f"no derivative of {shown(node)} with respect to {symbol} is known")
            return Series(operation, index, lower, upper, _derived(body, symbol))
        case Piecewise():
            return _of_piecewise(node, symbol)
        case _:
            return ZERO


def _of_product(factors: Sequence[Expression], symbol: str) -> Expression:
    constant = [factor for factor in factors if symbol not in symbols_of(factor)]
    varying = [factor for factor in factors if symbol in symbols_of(factor)]
    terms = [
        times(*varying[:place], _derived(factor, symbol), *varying[place + 1 :]) for place, factor in enumerate(varying)
    ]
    return times(*constant, plus(*terms))


def _of_quotient(numerator: Expression, denominator: Expression, symbol: str) -> Expression:
    if symbol not in symbols_of(denominator):
        return over(_derived(numerator, symbol), denominator)
    below = _derived(denominator, symbol)
    if symbol not in symbols_of(numerator):
        return opposite(over(times(numerator, below), raised(denominator, 2)))
    above = minus(times(_derived(numerator, symbol), denominator), times(numerator, below))
    return over(above, raised(denominator, 2))


def _of_power(base: Expression, exponent: Expression, symbol: str) -> Expression:
    if symbol not in symbols_of(exponent):
        return times(exponent, _one_less(base, exponent), _derived(base, symbol))
    growth = times(_derived(exponent, symbol), call("log", base))
    if symbol in symbols_of(base):
        growth = plus(growth, over(times(exponent, _derived(base, symbol)), base))
    return times(power(base, exponent), growth)


def _one_less(base: Expression, exponent: Expression) -> Expression:
    count = constant_of(exponent)
    if count is None:
        return power(base, minus(exponent, ONE))
    return raised(base, int(count) - 1) if count.denominator == 1 else power(base, literal(count - 1))


def _square(inner: Expression) -> Expression:
    return raised(inner, 2)


# What a function changes by when its one argument changes, as a function of the argument.
_OUTER: dict[str, Callable[[Expression], Expression]] = {
    "sin": lambda x: call("cos", x),
    "cos": lambda x: opposite(call("sin", x)),
    "tan": lambda x: over(ONE, _square(call("cos", x))),
    "asin": lambda x: over(ONE, call("sqrt", minus(ONE, _square(x)))),
    "acos": lambda x: opposite(over(ONE, call("sqrt", minus(ONE, _square(x))))),
    "atan": lambda x: over(ONE, plus(ONE, _square(x))),
    "sinh": lambda x: call("cosh", x),
    "cosh": lambda x: call("sinh", x),
    "tanh": lambda x: over(ONE, _square(call("cosh", x))),
    "asinh": lambda x: over(ONE, call("sqrt", plus(_square(x), ONE))),
    "acosh": lambda x: over(ONE, call("sqrt", minus(_square(x), ONE))),
    "atanh": lambda x: over(ONE, minus(ONE, _square(x))),
    "exp": lambda x: call("exp", x),
    "log": lambda x: over(ONE, x),
    "log10": lambda x: over(ONE, times(x, call("log", TEN))),
    "log2": lambda x: over(ONE, times(x, call("log", TWO))),
    "sqrt": lambda x: over(ONE, times(TWO, call("sqrt", x))),
    "cbrt": lambda x: over(ONE, times(Number(3), _square(call("cbrt", x)))),
    "abs": lambda x: over(x, call("abs", x)),
    "erf": lambda x: over(times(TWO, call("exp", opposite(_square(x)))), call("sqrt", PI)),
    "erfc": lambda x: opposite(over(times(TWO, call("exp", opposite(_square(x)))), call("sqrt", PI))),
}


def _of_call(function: str, arguments: Sequence[Expression], symbol: str) -> Expression:
    if function in _OUTER:
        return times(_derived(arguments[0], symbol), _OUTER[function](arguments[0]))
    if function == "atan2":
        up, along = arguments
        above = minus(times(along, _derived(up, symbol)), times(up, _derived(along, symbol)))
        return over(above, plus(_square(up), _square(along)))
    if function in ("min", "max") and len(arguments) == 2:
        first, second = arguments
        test = Comparison("<=" if function == "min" else ">=", first, second)
        return Piecewise(((_derived(first, symbol), (test,)),), _derived(second, symbol))
    fail("not_differentiable", f"{function} has no derivative here: {shown(Call(function, tuple(arguments)))}")


def _of_piecewise(node: Piecewise, symbol: str) -> Expression:
    for _, tests in node.branches:
        for test in tests:
            if test.relation in ("=", "!=") and symbol in (*symbols_of(test.left), *symbols_of(test.right)):
                fail("not_differentiable", f"a case that holds at one value of {symbol} alone has no derivative")
    branches = tuple((_derived(value, symbol), tests) for value, tests in node.branches)
    return Piecewise(branches, None if node.otherwise is None else _derived(node.otherwise, symbol))


# Stationary points.


def stationary(expression: Expression, symbol: str) -> Equation | Failure:
    """The equation that holds where the expression is largest, smallest or level: its derivative is zero."""
    slope = derivative(expression, symbol)
    if isinstance(slope, Failure):
        return slope
    if symbol not in symbols_of(slope):
        text = "does not depend on it" if slope == ZERO else "grows or falls evenly"
        return Failure("no_solution", f"{shown(expression)} has no largest or smallest value in {symbol}: it {text}")
    return Equation(slope, ZERO)


def is_maximum(expression: Expression, symbol: str, values: Mapping[str, float]) -> bool | Failure:
    """Whether the expression rises before and falls behind the value of the symbol; all values in SI."""
    signs = _slopes_around(expression, symbol, values)
    return signs if isinstance(signs, Failure) else all(before > 0 > after for before, after in signs)


def is_minimum(expression: Expression, symbol: str, values: Mapping[str, float]) -> bool | Failure:
    """Whether the expression falls before and rises behind the value of the symbol; all values in SI."""
    signs = _slopes_around(expression, symbol, values)
    return signs if isinstance(signs, Failure) else all(before < 0 < after for before, after in signs)


# How far to both sides slopes are looked at: near enough for the point itself, far enough to stand out from rounding.
_STEPS = (1e-6, 1e-3)


def _slopes_around(
    expression: Expression, symbol: str, values: Mapping[str, float]
) -> list[tuple[float, float]] | Failure:
    slope = derivative(expression, symbol)
    if isinstance(slope, Failure):
        return slope
    if symbol not in values:
        return Failure("missing_value", f"no value is given for {symbol}")
    names = tuple(values)
    function = compile_expression(slope, names)
    middle = values[symbol]
    found: list[tuple[float, float]] = []
    for step in _STEPS:
        width = step * abs(middle) if middle else step * step
        before, after = (function(*{**values, symbol: place}.values()) for place in (middle - width, middle + width))
        if isinstance(before, Failure):
            return before
        if isinstance(after, Failure):
            return after
        found.append((before, after))
    return found


# Definite integrals in closed form.

_SYMPY_SECONDS = 4.0
_HIGHEST_DEGREE = 24
# Products of sums are multiplied out; this many terms at most.
_MOST_TERMS = 200


def definite_integral(
    expression: Expression,
    symbol: str,
    lower: Expression,
    upper: Expression,
    *,
    values: Mapping[str, float] | None = None,
    use_sympy: bool = True,
) -> Expression | Failure:
    """The integral over the symbol between the bounds, as an expression in the other symbols.

    It is compared with a numeric integral at random values of those symbols, and at `values` (in SI) where they are
    given: with them, an integral is also found that is right only there, such as one whose pole lies outside.
    Failures: `no_closed_form`, and `pole` where the function has no finite integral between the bounds.
    """
    refusal = _refusal(expression, lower, upper) or _refused_index((expression, lower, upper))
    if refusal is not None:
        return refusal
    if lower == upper:
        return ZERO
    variable = symbol
    while variable in (*symbols_of(lower), *symbols_of(upper)):
        # In the integral of f(t) from 0 to t, the t inside is another one.
        variable = f"{variable}_inside"
    body = substitute(expression, {symbol: Symbol(variable)})
    named, measures = measures_named(Equation(body, Add((lower, upper))))
    assert isinstance(named.right, Add)
    asked = _Integral(named.left, variable, *named.right.terms)
    numbers = None if values is None else {**values, **{name: value_in_si(measure) for name, measure in measures}}
    found = asked.confirmed(_candidates(asked, use_sympy=use_sympy), numbers)
    return found if isinstance(found, Failure) else substitute(found, dict(measures))


def _refused_index(expressions: Sequence[Expression]) -> Failure | None:
    names = {name for each in expressions for name in symbols_of(each)}
    for node in itertools.chain.from_iterable(map(walk, expressions)):
        if isinstance(node, Series) and node.index in names:
            return Failure("no_closed_form", f"{node.index} is the index of a sum and the name of a quantity at once")
    return None


@dataclass(frozen=True, slots=True)
class _Integral:
    """What is asked for: a function of the variable, between two bounds."""

    body: Expression
    variable: str
    lower: Expression
    upper: Expression

    def between(self, primitive: Callable[[Expression], Expression]) -> Expression:
        """The difference of a primitive at the bounds."""
        return minus(primitive(self.upper), primitive(self.lower))

    def confirmed(self, candidates: Iterator[Expression], values: Mapping[str, float] | None) -> Expression | Failure:
        """The first candidate that numbers confirm."""
        trial = _Trial(self, values)
        if trial.diverges:
            return Failure(
                "pole",
                f"{shown(self.body)} has no finite integral over {self.variable} "
                f"from {shown(self.lower)} to {shown(self.upper)}",
            )
        for candidate in candidates:
            if size_of(candidate) > _MOST_NODES_FOUND or depth_of(candidate) > MAXIMUM_DEPTH:
                continue
            tidy = tidied(candidate)
            neat = min((factored(tidy), tidy), key=size_of)
            if trial.confirms(neat):
                return neat
        return Failure("no_closed_form", f"no closed form of the integral of {shown(self.body)} was found")


def _candidates(asked: _Integral, *, use_sympy: bool) -> Iterator[Expression]:
    """Closed forms to be tried: by our own rules first."""
    coefficients = _polynomial(asked.body, asked.variable)
    if coefficients is not None:
        yield asked.between(
            lambda x: plus(*(over(times(each, raised(x, n + 1)), Number(n + 1)) for n, each in coefficients.items()))
        )
    if _terms_multiplied_out(asked.body) <= _MOST_TERMS:
        by_rule = rule_for_integral(asked.body, asked.variable, lower=asked.lower, upper=asked.upper)
        if by_rule is not None:
            yield by_rule
    if use_sympy:
        # Imported here: most integrals never need the worker.
        from mathrag.compute.solve.sympy_process import integrate_in_worker

        bounds = (asked.lower, asked.upper)
        answer = integrate_in_worker(asked.body, asked.variable, bounds, seconds=_SYMPY_SECONDS)
        if not isinstance(answer, Failure):
            yield from answer


def _polynomial(node: Expression, variable: str) -> dict[int, Expression] | None:
    """The coefficients of a polynomial in the variable, by degree; None for anything else."""
    if variable not in symbols_of(node):
        return {0: node}
    match node:
        case Symbol():
            return {1: ONE}
        case Negate(operand):
            inner = _polynomial(operand, variable)
            return None if inner is None else {degree: opposite(each) for degree, each in inner.items()}
        case Add(terms):
            return _total([_polynomial(term, variable) for term in terms])
        case Multiply(factors):
            return _multiplied([_polynomial(factor, variable) for factor in factors])
        case Divide(numerator, denominator) if variable not in symbols_of(denominator):
            inner = _polynomial(numerator, variable)
            return None if inner is None else {degree: over(each, denominator) for degree, each in inner.items()}
        case Power(base, Number(int() as count)) if 0 < count <= _HIGHEST_DEGREE:
            return _multiplied([_polynomial(base, variable)] * count)
        case _:
            return None


def _total(parts: Sequence[dict[int, Expression] | None]) -> dict[int, Expression] | None:
    found: dict[int, Expression] = {}
    for part in parts:
        if part is None:
            return None
        for degree, each in part.items():
            found[degree] = plus(found.get(degree, ZERO), each)
    return found


def _multiplied(parts: Sequence[dict[int, Expression] | None]) -> dict[int, Expression] | None:
    found: dict[int, Expression] = {0: ONE}
    for part in parts:
        if part is None:
            return None
        product: dict[int, Expression] = {}
        for (degree, each), (other_degree, other) in itertools.product(found.items(), part.items()):
            together = degree + other_degree
            product[together] = plus(product.get(together, ZERO), times(each, other))
        if max(product) > _HIGHEST_DEGREE or sum(map(size_of, product.values())) > _MOST_NODES:
            return None
        found = product
    return found


def _terms_multiplied_out(node: Expression) -> int:
    """How many terms a product of sums has once it is written as a sum; other nodes count as one."""
    match node:
        case Add(terms):
            return sum(map(_terms_multiplied_out, terms))
        case Multiply(factors):
            return math.prod(map(_terms_multiplied_out, factors))
        case Divide(first, second):
            return _terms_multiplied_out(first) * _terms_multiplied_out(second)
        case Negate(operand):
            return _terms_multiplied_out(operand)
        case _:
            return 1


# Numbers that confirm a closed form, from an integration of another kind.

_POINTS, _FEWEST, _SECONDS = 10, 2, 3.0
_CLOSE, _ENOUGH = 1e-6, 1e-8
_FEW_PIECES, _MANY_PIECES = 120, 3_000


@dataclass(frozen=True, slots=True)
class _Sample:
    """An integral by number at some values of the symbols; `area` is that of the absolute value, the size to go by."""

    values: tuple[float, ...]
    integral: float
    area: float


class _Trial:
    """The integral by number at random values, and at the values of the question; candidates are held against it."""

    def __init__(self, asked: _Integral, values: Mapping[str, float] | None) -> None:
        sides = (asked.body, asked.lower, asked.upper)
        self.names = tuple(dict.fromkeys(name for side in sides for name in symbols_of(side) if name != asked.variable))
        self.function = compile_expression(asked.body, (asked.variable, *self.names))
        self.bounds = [compile_expression(side, self.names) for side in sides[1:]]
        self.samples: list[_Sample] = []
        self.endless: list[tuple[float, ...]] = []
        self.is_asked_there = values is not None
        if values is not None:
            self._take(tuple(values.get(name, math.nan) for name in self.names), _MANY_PIECES)
            self.is_good_there = bool(self.samples)
        chance = random.Random("integrals")  # noqa: S311 - not a secret; the same every time
        deadline = time.thread_time() + _SECONDS
        for _ in range(_POINTS if self.names else 1):
            if time.thread_time() > deadline:
                break
            self._take(tuple(10.0 ** chance.uniform(-0.5, 0.5) for _ in self.names), _FEW_PIECES)

    def _take(self, values: tuple[float, ...], pieces: int) -> None:
        lower, upper = (bound(*values) for bound in self.bounds)
        if isinstance(lower, Failure) or isinstance(upper, Failure):
            return
        found = quadrature(lambda x: self.function(x, *values), lower, upper, pieces=pieces)
        if found is None:
            self.endless.append(values)
        else:
            self.samples.append(_Sample(values, *found))

    @property
    def diverges(self) -> bool:
        """Whether the integral has no value where it is asked for, or nowhere."""
        return not self.is_good_there if self.is_asked_there else bool(self.endless) and not self.samples

    def confirms(self, candidate: Expression) -> bool:
        """Whether the candidate agrees wherever both have a value, and has none where the integral has none.

        Where the values of the question are known it must agree there; elsewhere it may be wrong beyond a pole.
        """
        function = compile_expression(candidate, self.names)
        agreed = 0
        for place, sample in enumerate(self.samples):
            value = function(*sample.values)
            if isinstance(value, Failure):
                if place == 0 and self.is_asked_there:
                    return False
            elif abs(value - sample.integral) > _CLOSE * sample.area:
                return False
            else:
                agreed += 1
        if not self.is_asked_there and any(not isinstance(function(*values), Failure) for values in self.endless):
            return False
        return agreed >= (1 if self.is_asked_there or not self.names else _FEWEST)


# The 15 points of Kronrod around 0 and their weights, and the weights of Gauss for every second of them.
_KRONROD = (
    (0.991455371120812639206854697526329, 0.022935322010529224963732008058970, 0.0),
    (0.949107912342758524526189684047851, 0.063092092629978553290700663189204, 0.129484966168869693270611432679082),
    (0.864864423359769072789712788640926, 0.104790010322250183839876322541518, 0.0),
    (0.741531185599394439863864773280788, 0.140653259715525918745189590510238, 0.279705391489276667901467771423780),
    (0.586087235467691130294144838258730, 0.169004726639267902826583426598550, 0.0),
    (0.405845151377397166906606412076961, 0.190350578064785409913256402421014, 0.381830050505118944950369775488975),
    (0.207784955007898467600689403773245, 0.204432940075298892414161999234649, 0.0),
)
_MIDDLE = (0.209482141084727828012999174891714, 0.417959183673469387755102040816327)


def quadrature(
    function: Callable[[float], float | Failure], lower: float, upper: float, *, pieces: int
) -> tuple[float, float] | None:
    """The integral by number and that of the absolute value; None where it does not settle within so many pieces.

    Pieces are halved where the rules of Gauss and Kronrod differ most, so that what ends in a pole never settles.
    """
    first = _piece(function, lower, upper)
    if first is None:
        return None
    waiting = [first]
    for _ in range(pieces):
        error = math.fsum(-each[0] for each in waiting)
        area = math.fsum(each[4] for each in waiting)
        if error <= _ENOUGH * area:
            return math.fsum(each[3] for each in waiting), area
        _, start, end, _, _ = heapq.heappop(waiting)
        middle = 0.5 * (start + end)
        for edges in ((start, middle), (middle, end)):
            piece = _piece(function, *edges)
            if piece is None:
                return None
            heapq.heappush(waiting, piece)
    return None


def _piece(
    function: Callable[[float], float | Failure], start: float, end: float
) -> tuple[float, float, float, float, float] | None:
    """(minus the error, start, end, integral, area) of one piece; None where the function has no value in it."""
    middle, half = 0.5 * (start + end), 0.5 * (end - start)
    rows = [(function(middle), *_MIDDLE)]
    rows += [(function(middle + sign * half * x), fine, coarse) for x, fine, coarse in _KRONROD for sign in (-1, 1)]
    total = rough = area = 0.0
    for value, fine, coarse in rows:
        if isinstance(value, Failure):
            return None
        total += fine * value
        rough += coarse * value
        area += fine * abs(value)
    if not math.isfinite(total * half):
        return None
    return -abs((total - rough) * half), start, end, total * half, abs(area * half)
