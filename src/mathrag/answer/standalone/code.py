"""Expressions as Python code that needs nothing but `math`: names checked, powers real, units already in SI.

Writes text only. Every name comes from a table made here, so that nothing in a formula can choose its own spelling.
"""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import assert_never

from mathrag.errors import EvaluationError, UnitError
from mathrag.knowledge.kinds import kinds_for_dimension
from mathrag.knowledge.units import coherent_unit, read_canonical_unit
from mathrag.reason.computing.plain_formulas import plain_unit
from mathrag.reason.computing.validity import PERCENT, TEMPERATURE, SymbolFacts, as_counted, usual_unit
from mathrag.types.expression import (
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
    depth_of,
    size_of,
)
from mathrag.types.quantity import Dimension, Quantity, Unit, base_unit_text

# Python's own parser gives up on deep nesting.
_DEEPEST = 60
_LARGEST = 1_500
_MOST_DIGITS = 300
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,60}")
_MATH = frozenset(
    (
        *("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
        *("exp", "log", "log10", "log2", "sqrt", "floor", "ceil", "erf", "erfc", "gamma", "lgamma", "atan2"),
    )
)
_BUILTIN = frozenset(("abs", "min", "max"))
_WHOLE = frozenset(("factorial", "comb", "perm", "gcd", "lcm"))
_RELATIONS = {"<": "<", "<=": "<=", ">": ">", ">=": ">=", "=": "==", "!=": "!="}

# What the module around the code uses.
MODULE_NAMES = frozenset(("math", "warnings", "unit", "value", "UNITS", "RESULT_UNITS", "WORKED_EXAMPLE"))
_TAKEN = frozenset((*keyword.kwlist, *keyword.softkwlist, *dir(builtins), *MODULE_NAMES))


def safe_names(names: Iterable[str]) -> dict[str, str]:
    """A Python name for every symbol: its own, unless Python or the module needs that one."""
    chosen: dict[str, str] = {}
    taken = set(_TAKEN)
    for position, name in enumerate(dict.fromkeys(names)):
        spelled = name if _NAME.fullmatch(name) else f"symbol_{position}"
        while spelled in taken:
            spelled += "_"
        taken.add(spelled)
        chosen[name] = spelled
    return chosen


def code_of(expression: Expression, names: Mapping[str, str]) -> str:
    """The expression as code; symbols are variables by the names of `names`, in coherent SI units."""
    if depth_of(expression) > _DEEPEST or size_of(expression) > _LARGEST:
        raise EvaluationError("the formula is too long to be written as a function")
    return _Writer(names).code(expression)


def comparison_code(comparison: Comparison, names: Mapping[str, str]) -> str:
    """A condition as code."""
    relation = _RELATIONS[comparison.relation]
    return f"{code_of(comparison.left, names)} {relation} {code_of(comparison.right, names)}"


class _Writer:
    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names

    def code(self, node: Expression) -> str:
        """A node as code that stands anywhere: what is not closed is in parentheses."""
        match node:
            case Number(value):
                return _literal(value)
            case MathConstant():
                return "math.pi"
            case Measure(number, unit):
                return repr(Quantity(float(number.value), read_canonical_unit(unit)).si_value)
            case Symbol(name):
                return self.names[name]
            case Add(terms):
                return f"({self._sum(terms)})"
            case Multiply(factors):
                return f"({' * '.join(map(self.code, factors))})"
            case Divide(numerator, denominator):
                return f"({self.code(numerator)} / {self.code(denominator)})"
            case Negate(operand):
                return f"(-{self.code(operand)})"
            case Power(base, exponent):
                return f"math.pow({self.code(base)}, {self.code(exponent)})"
            case Call(function, arguments):
                return self._call(function, [self.code(argument) for argument in arguments])
            case Series():
                return self._series(node)
            case Piecewise():
                return self._piecewise(node)
        assert_never(node)

    def _sum(self, terms: tuple[Expression, ...]) -> str:
        text = self.code(terms[0])
        for term in terms[1:]:
            text += f" - {self.code(term.operand)}" if isinstance(term, Negate) else f" + {self.code(term)}"
        return text

    def _call(self, function: str, arguments: list[str]) -> str:
        inside = ", ".join(arguments)
        if function in _MATH:
            return f"math.{function}({inside})"
        if function in _BUILTIN:
            return arguments[0] if function != "abs" and len(arguments) == 1 else f"{function}({inside})"
        if function in _WHOLE:
            return f"math.{function}({', '.join(f'_whole({each})' for each in arguments)})"
        if function == "cbrt":
            return f"_cube_root({inside})"
        if function == "mod":
            return f"({arguments[0]} % {arguments[1]})"
        raise EvaluationError(f"the function {function} cannot be written in plain Python")

    def _series(self, node: Series) -> str:
        index = f"index_{len(self.names)}"
        while index in self.names.values() or index in _TAKEN:
            index += "_"
        body = _Writer({**self.names, node.index: index}).code(node.body)
        spread = f"_terms({self.code(node.lower)}, {self.code(node.upper)})"
        total = "math.fsum" if node.operation == "sum" else "math.prod"
        return f"{total}({body} for {index} in {spread})"

    def _piecewise(self, node: Piecewise) -> str:
        text = "_no_case()" if node.otherwise is None else self.code(node.otherwise)
        for value, comparisons in reversed(node.branches):
            tests = " and ".join(f"({comparison_code(each, self.names)})" for each in comparisons) or "True"
            text = f"({self.code(value)} if {tests} else {text})"
        return text


def _literal(value: int | Decimal) -> str:
    if isinstance(value, int):
        if value.bit_length() > 3 * _MOST_DIGITS:
            raise EvaluationError("a number in the formula is too long to be written as a function")
        return str(value)
    return repr(float(value))


# The units a standalone function accepts for a symbol, each with factor and offset to what the formula counts.

_MOST_UNITS = 40
_ANGLES = ("rad", "deg", "arcmin", "arcsec", "mrad")
_SHARES = ("percent", "ppm")
_TEMPERATURES = ("K", "degC", "degF")
_ROTATIONS = ("rpm", "1/min", "turn/s")


@dataclass(frozen=True, slots=True)
class UnitTable:
    """Units by spelling; `default` is that of a bare number."""

    default: str
    units: tuple[tuple[str, float, float], ...]


def unit_table(facts: SymbolFacts, dimension: Dimension | None) -> UnitTable:
    """The units of a symbol. Where nobody knows its dimension, numbers in coherent SI units are all it takes."""
    if dimension is None:
        return UnitTable("", (("", 1.0, 0.0),))
    default = PERCENT if facts.counts_percent else usual_unit(dimension, facts)
    texts = [default.text, *_stated(facts), *_customary(facts, dimension)]
    found: dict[str, tuple[str, float, float]] = {}
    for text in dict.fromkeys(texts):
        unit = default if text == default.text else _unit(text)
        if unit is None or unit.dimension != dimension:
            continue
        scale, offset = _worth(unit, facts)
        for spelling in (text, plain_unit(text)):
            found.setdefault(spelling, (spelling, scale, offset))
    return UnitTable(default.text, tuple(found.values())[:_MOST_UNITS])


def _stated(facts: SymbolFacts) -> tuple[str, ...]:
    meaning, kind = facts.meaning, facts.kind
    stated = (meaning.unit,) if meaning is not None and meaning.unit else ()
    return (*stated, *(kind.units if kind is not None else ()))


def _customary(facts: SymbolFacts, dimension: Dimension) -> tuple[str, ...]:
    """Units in use for the dimension; among plain numbers only those of the symbol's own sort."""
    if dimension.is_dimensionless:
        if facts.kind is not None and facts.kind.unit == "rad":
            return _ANGLES
        return ("", *_SHARES)
    if dimension == TEMPERATURE:
        return _TEMPERATURES
    named = (coherent_unit(dimension).text, base_unit_text(dimension))
    return (*named, *(_ROTATIONS if facts.counts_cycles else ()), *_units_in_use(dimension, facts.counts_cycles))


@lru_cache(maxsize=512)
def _units_in_use(dimension: Dimension, counts_cycles: bool) -> tuple[str, ...]:
    # A rate of turns and a frequency share a dimension but not their units.
    kinds = [kind for kind in kinds_for_dimension(dimension) if kind.counts_cycles == counts_cycles]
    return tuple(dict.fromkeys(text for kind in kinds for text in (kind.unit, *kind.units)))


def _unit(text: str) -> Unit | None:
    try:
        return read_canonical_unit(text)
    except UnitError:
        return None


def _worth(unit: Unit, facts: SymbolFacts) -> tuple[float, float]:
    """Factor and offset to the number that the formula takes, whatever the symbol counts."""
    if facts.counts_percent:
        return (100.0 * unit.scale, 0.0)
    zero = as_counted(Quantity(0.0, unit), facts)
    return zero.unit.scale, zero.unit.offset
