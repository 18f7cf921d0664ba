"""Expressions as Python code over decimals (see `arithmetic`): names checked, powers real, units already in SI.

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

from mathrag.compute.printers.base import ATOM, PRODUCT, Form, Printed, Printer
from mathrag.compute.printers.units import plain_unit
from mathrag.errors import EvaluationError, UnitError
from mathrag.knowledge.kinds import kinds_for_dimension
from mathrag.knowledge.units import coherent_unit, read_canonical_unit
from mathrag.reason.computing.validity import PERCENT, TEMPERATURE, SymbolFacts, as_counted, usual_unit
from mathrag.types.expression import Comparison, Expression, Piecewise, Series, depth_of, size_of
from mathrag.types.quantity import Dimension, Quantity, Unit, base_unit_text

# Python's own parser gives up on deep nesting.
_DEEPEST = 60
_LARGEST = 1_500
_MOST_DIGITS = 300
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,60}")
_OWN = frozenset(
    (
        *("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
        *("exp", "floor", "ceil", "erf", "erfc", "atan2", "mod"),
    )
)
# Of what decimals can do themselves.
_METHODS = {"log": "%s.ln()", "log10": "%s.log10()", "log2": "(%s.ln() / _n(2).ln())", "sqrt": "%s.sqrt()"}
# Only floats have these.
_ROUNDED = frozenset(("gamma", "lgamma"))
_BUILTIN = frozenset(("abs", "min", "max"))
_WHOLE = frozenset(("factorial", "comb", "perm", "gcd", "lcm"))
_RELATIONS = {"<": "<", "<=": "<=", ">": ">", ">=": ">=", "=": "==", "!=": "!="}

# What the module around the code uses.
MODULE_NAMES = frozenset(
    ("decimal", "fractions", "math", "warnings", "unit", "value", "UNITS", "RESULT_UNITS", "WORKED_EXAMPLE")
)
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
    return _CodePrinter(names).text(expression)


def comparison_code(comparison: Comparison, names: Mapping[str, str]) -> str:
    """A condition as code."""
    relation = _RELATIONS[comparison.relation]
    return f"{code_of(comparison.left, names)} {relation} {code_of(comparison.right, names)}"


class _CodePrinter(Printer):
    pi = "_pi()"
    relations = _RELATIONS
    forms = {"cbrt": Form("_cube_root(%s)", ATOM)}  # noqa: RUF012

    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names

    def write(self, expression: Expression) -> Printed:
        """A node as code that stands anywhere: what is not closed is in parentheses."""
        text, holds = super().write(expression)
        return (text if holds >= ATOM else self.grouped(text)), ATOM

    def number(self, value: int | Decimal) -> Printed:
        if isinstance(value, int):
            if value.bit_length() > 3 * _MOST_DIGITS:
                raise EvaluationError("a number in the formula is too long to be written as a function")
            return f"_n({value})", ATOM
        return f"_n({str(value)!r})", ATOM

    def symbol(self, name: str) -> Printed:
        return self.names[name], ATOM

    def measure(self, value: int | Decimal, unit: str) -> Printed:
        return f"_n({Quantity(float(value), read_canonical_unit(unit)).si_value!r})", ATOM

    def product(self, factors: tuple[Expression, ...]) -> str:
        return " * ".join(map(self.text, factors))

    def quotient(self, numerator: Expression, denominator: Expression) -> Printed:
        return f"{self.text(numerator)} / {self.text(denominator)}", PRODUCT

    def power(self, base: Expression, exponent: Expression) -> Printed:
        return f"_power({self.text(base)}, {self.text(exponent)})", ATOM

    def call(self, function: str, arguments: tuple[Expression, ...]) -> Printed:
        if function in self.forms:
            return super().call(function, arguments)
        printed = [self.text(argument) for argument in arguments]
        if function in ("min", "max") and len(printed) == 1:
            return printed[0], ATOM
        if function in _METHODS:
            return _METHODS[function] % printed[0], ATOM
        if function in _WHOLE:
            return f"_n(math.{function}({', '.join(f'_whole({each})' for each in printed)}))", ATOM
        if function in _ROUNDED:
            return f"_n(math.{function}({printed[0]}))", ATOM
        return f"{self.word(function)}({', '.join(printed)})", ATOM

    def word(self, function: str) -> str:
        if function in _OWN:
            return f"_{function}"
        if function in _BUILTIN:
            return function
        raise EvaluationError(f"the function {function} cannot be written in plain Python")

    def series(self, series: Series) -> Printed:
        index = f"index_{len(self.names)}"
        while index in self.names.values() or index in _TAKEN:
            index += "_"
        body = _CodePrinter({**self.names, series.index: index}).text(series.body)
        spread = f"_terms({self.text(series.lower)}, {self.text(series.upper)})"
        total = "sum" if series.operation == "sum" else "math.prod"
        return f"_n({total}({body} for {index} in {spread}))", ATOM

    def piecewise(self, piecewise: Piecewise) -> Printed:
        text = "_no_case()" if piecewise.otherwise is None else self.text(piecewise.otherwise)
        for value, comparisons in reversed(piecewise.branches):
            tests = " and ".join(f"({self.comparison(each)})" for each in comparisons) or "True"
            text = f"({self.text(value)} if {tests} else {text})"
        return text, ATOM


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
