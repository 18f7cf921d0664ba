"""Trees as SymPy objects, built node by node, and back. No text of ours ever reaches SymPy's own parsers.

Only the classes named here come back; anything else (imaginary numbers, unevaluated integrals, special functions we
cannot evaluate) is refused. Importing this module loads SymPy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, assert_never

import sympy

from mathrag.types.expression import (
    ONE,
    PI,
    Add,
    Call,
    Comparison,
    Divide,
    Expression,
    MathConstant,
    Measure,
    Multiply,
    Negate,
    Number,
    Piecewise,
    Power,
    Series,
    Symbol,
    add,
    call,
    divide,
    multiply,
    negate,
    power,
)

_LONGEST_SERIES = 60


class NotConvertibleError(ValueError):
    """A node that has no counterpart on the other side."""


_FORWARD: dict[str, Callable[..., Any]] = {
    **{
        name: getattr(sympy, name)
        for name in ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh")
    },
    **{
        name: getattr(sympy, name)
        for name in ("exp", "log", "sqrt", "floor", "factorial", "erf", "erfc", "gamma", "atan2")
    },
    "log10": lambda x: sympy.log(x, 10),
    "log2": lambda x: sympy.log(x, 2),
    "cbrt": sympy.cbrt,
    "abs": sympy.Abs,
    "ceil": sympy.ceiling,
    "lgamma": sympy.loggamma,
    "comb": sympy.binomial,
    "perm": lambda n, k: sympy.factorial(n) / sympy.factorial(n - k),
    "mod": sympy.Mod,
    "min": sympy.Min,
    "max": sympy.Max,
}
_BACKWARD: dict[Any, str] = {
    **{
        getattr(sympy, name): name
        for name in ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh")
    },
    **{getattr(sympy, name): name for name in ("exp", "log", "floor", "factorial", "erf", "erfc", "gamma", "atan2")},
    sympy.Abs: "abs",
    sympy.ceiling: "ceil",
    sympy.loggamma: "lgamma",
    sympy.binomial: "comb",
    sympy.Mod: "mod",
    sympy.Min: "min",
    sympy.Max: "max",
}
_RECIPROCALS: dict[Any, str] = {sympy.cot: "tan", sympy.sec: "cos", sympy.csc: "sin", sympy.coth: "tanh"}
_RELATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "<": sympy.Lt,
    "<=": sympy.Le,
    ">": sympy.Gt,
    ">=": sympy.Ge,
    "=": sympy.Eq,
    "!=": sympy.Ne,
}


def sympy_symbol(name: str, kind: str = "any") -> Any:
    """The SymPy symbol of a name, with what its kind says about its sign."""
    match kind:
        case "positive":
            return sympy.Symbol(name, positive=True)
        case "non-negative":
            return sympy.Symbol(name, nonnegative=True)
        case _:
            return sympy.Symbol(name, real=True)


def to_sympy(expression: Expression, kinds: Mapping[str, str] | None = None) -> Any:
    """The SymPy object of a tree. SymPy computes plain numbers on the way, so hostile trees belong in the worker."""
    return _Builder(kinds or {}).build(expression)


class _Builder:
    def __init__(self, kinds: Mapping[str, str]) -> None:
        self.kinds = kinds
        self.bound: dict[str, Any] = {}

    def build(self, node: Expression) -> Any:
        match node:
            case Number(value):
                fraction = Fraction(value)
                return sympy.Rational(fraction.numerator, fraction.denominator)
            case Symbol(name):
                return self.bound.get(name) or sympy_symbol(name, self.kinds.get(name, "any"))
            case MathConstant():
                return sympy.pi
            case Measure():
                raise NotConvertibleError("a number with a unit has no counterpart in SymPy")
            case Add(terms):
                return sympy.Add(*map(self.build, terms))
            case Multiply(factors):
                return sympy.Mul(*map(self.build, factors))
            case Divide(numerator, denominator):
                return sympy.Mul(self.build(numerator), sympy.Pow(self.build(denominator), -1))
            case Negate(operand):
                return sympy.Mul(-1, self.build(operand))
            case Power(base, exponent):
                return sympy.Pow(self.build(base), self.build(exponent))
            case Call(function, arguments):
                if function not in _FORWARD:
                    raise NotConvertibleError(f"{function} has no counterpart in SymPy")
                return _FORWARD[function](*map(self.build, arguments))
            case Series():
                return self._series(node)
            case Piecewise():
                return self._piecewise(node)
        assert_never(node)

    def _series(self, node: Series) -> Any:
        lower, upper = self.build(node.lower), self.build(node.upper)
        if not (lower.is_Integer and upper.is_Integer and upper - lower < _LONGEST_SERIES):
            raise NotConvertibleError("a series with symbolic bounds has no closed form here")
        parts = []
        shadowed = self.bound.get(node.index)
        for index in range(int(lower), int(upper) + 1):
            self.bound[node.index] = sympy.Integer(index)
            parts.append(self.build(node.body))
        self.bound.pop(node.index, None)
        if shadowed is not None:
            self.bound[node.index] = shadowed
        return sympy.Add(*parts) if node.operation == "sum" else sympy.Mul(*parts)

    def _piecewise(self, node: Piecewise) -> Any:
        rows = [(self.build(value), sympy.And(*map(self._comparison, tests))) for value, tests in node.branches]
        if node.otherwise is not None:
            rows.append((self.build(node.otherwise), True))
        return sympy.Piecewise(*rows)

    def _comparison(self, comparison: Comparison) -> Any:
        return _RELATIONS[comparison.relation](self.build(comparison.left), self.build(comparison.right))


def from_sympy(value: Any) -> Expression:
    """The tree of a SymPy object; raises NotConvertibleError for a class that is not on the list."""
    kind = type(value)
    if value.is_Rational and value.is_finite:
        return _rational(Fraction(int(value.p), int(value.q)))
    if isinstance(value, sympy.Float):
        return _rational(Fraction(Decimal(str(value))))
    if isinstance(value, sympy.Symbol):
        return Symbol(value.name)
    if value is sympy.pi:
        return PI
    if value is sympy.E:
        return call("exp", ONE)
    if isinstance(value, sympy.Add):
        return add(*map(from_sympy, value.args))
    if isinstance(value, sympy.Mul):
        return _product(value)
    if isinstance(value, sympy.Pow):
        return _power(value)
    if kind in _BACKWARD:
        return call(_BACKWARD[kind], *map(from_sympy, value.args))
    if kind in _RECIPROCALS:
        return divide(ONE, call(_RECIPROCALS[kind], from_sympy(value.args[0])))
    raise NotConvertibleError(f"{kind.__name__} is not a part of our formulas")


def _rational(value: Fraction) -> Expression:
    if value < 0:
        return negate(_rational(-value))
    whole = Number(value.numerator)
    return whole if value.denominator == 1 else divide(whole, Number(value.denominator))


def _product(value: Any) -> Expression:
    """Factors with a negative exponent go below the line."""
    above: list[Expression] = []
    below: list[Expression] = []
    negative = False
    for factor in value.args:
        if factor.is_Rational:
            negative ^= bool(factor < 0)
            fraction = abs(Fraction(int(factor.p), int(factor.q)))
            if fraction.numerator != 1:
                above.append(Number(fraction.numerator))
            if fraction.denominator != 1:
                below.append(Number(fraction.denominator))
        elif isinstance(factor, sympy.Pow) and factor.exp.could_extract_minus_sign():
            below.append(from_sympy(sympy.Pow(factor.base, -factor.exp)))
        else:
            above.append(from_sympy(factor))
    result = multiply(*above) if above else ONE
    if below:
        result = divide(result, multiply(*below))
    return negate(result) if negative else result


def _power(value: Any) -> Expression:
    base, exponent = value.base, value.exp
    if exponent.is_Rational and exponent < 0:
        return divide(ONE, from_sympy(sympy.Pow(base, -exponent)))
    if exponent == sympy.Rational(1, 2):
        return call("sqrt", from_sympy(base))
    if base is sympy.E:
        return call("exp", from_sympy(exponent))
    return power(from_sympy(base), from_sympy(exponent))
