"""Formulas as text that people read without a renderer: v = √(3 R T / M). For eyes only; nothing reads it back."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import assert_never

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
)
from mathrag.types.quantity import Unit
from mathrag.types.symbol_names import GREEK, split_name

# Units as people print them, in plain text (m/s², °C) and in LaTeX, from canonical text. Converts nothing.

_RAISED_DIGITS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_NAMES = {
    "degC": "°C",
    "degF": "°F",
    "delta_degC": "°C",
    "delta_degF": "°F",
    "deg": "°",
    "percent": "%",
    "ohm": "Ω",
    "angstrom": "Å",
    "arcmin": "′",
    "arcsec": "″",
    "inch": "in",
    "g_0": "g₀",
}
_LATEX_NAMES = {
    "degC": "{}^{\\circ}C",
    "degF": "{}^{\\circ}F",
    "delta_degC": "{}^{\\circ}C",
    "delta_degF": "{}^{\\circ}F",
    "deg": "{}^{\\circ}",
    "percent": "\\%",
    "ohm": "\\Omega",
    "angstrom": "\\mathring{A}",
    "arcmin": "{}^{\\prime}",
    "arcsec": "{}^{\\prime\\prime}",
    "inch": "in",
    "g_0": "g_{0}",
}
_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_UNIT_POWER = re.compile(r"\^(-?\d{1,4})(?!\d)")
_FRACTION = re.compile(r"\^\((-?\d{1,4}/\d{1,4})\)")


@lru_cache(maxsize=1024)
def plain_unit(text: str) -> str:
    """`kg*m^2/s^2` as kg·m²/s²."""
    named = _NAME.sub(lambda found: _plain_name(found.group()), text)
    raised = _UNIT_POWER.sub(lambda found: found.group(1).translate(_RAISED_DIGITS), named)
    return raised.replace("*", "·")


def _plain_name(name: str) -> str:
    if name in _NAMES:
        return _NAMES[name]
    if name.endswith("ohm") and len(name) <= 5:
        return _micro(name[:-3]) + "Ω"
    return _micro(name) if len(name) > 1 and name[0] == "u" and name[1:] in _MICRO else name


# Units that are met with the prefix micro; other names that begin with u are left alone.
_MICRO = frozenset("m g s A V W J N F H T C L Pa mol eV Hz K S Sv Gy Bq M bar l Wb ohm rad".split())


def _micro(text: str) -> str:
    return f"µ{text[1:]}" if text.startswith("u") else text


@lru_cache(maxsize=1024)
def latex_unit(text: str) -> str:
    """The unit upright, with a thin space before it; empty for a plain number."""
    if not text:
        return ""
    named = _NAME.sub(lambda found: _latex_name(found.group()), text)
    raised = _FRACTION.sub(r"^{\1}", _UNIT_POWER.sub(r"^{\1}", named))
    space = "" if text in ("deg", "arcmin", "arcsec") else "\\,"
    upright = raised.replace("*", "\\,")
    return f"{space}\\mathrm{{{upright}}}"


def _latex_name(name: str) -> str:
    if name in _LATEX_NAMES:
        return _LATEX_NAMES[name]
    if name.endswith("ohm") and len(name) <= 5:
        return ("\\mu " if name[0] == "u" else name[:-3]) + "\\Omega"
    if len(name) > 1 and name[0] == "u" and name[1:] in _MICRO:
        return f"\\mu {name[1:]}"
    return name.replace("_", "\\_")


def joined(number: str, unit: Unit) -> str:
    """A number and its unit in plain text: a blank between them, none before a degree sign."""
    text = plain_unit(unit.text)
    if not text:
        return number
    return f"{number}{text}" if text in "°′″" else f"{number} {text}"


# How tightly a text holds together; a part that holds less tightly than its place asks gets parentheses.
_SUM, _PRODUCT, _POWER, _ATOM = range(4)
_LETTERS = {
    **{name: letter for letter, name in reversed(GREEK.items())},
    "hbar": "ħ",
    "ell": "ℓ",
    "mu": "μ",
    "epsilon": "ε",
    "theta": "θ",
    "phi": "φ",
    "sigma": "σ",
    "rho": "ρ",
    "kappa": "κ",
    "Delta": "Δ",
    "Omega": "Ω",
    "e": "e",
    "i": "i",
    "j": "j",
}
_ACCENTS = {
    "bar": "\u0304",
    "hat": "\u0302",
    "dot": "\u0307",
    "ddot": "\u0308",
    "vec": "\u20d7",
    "tilde": "\u0303",
    "breve": "\u0306",
    "check": "\u030c",
    "ring": "\u030a",
    "underline": "\u0332",
}
_MARKS = {
    "prime": "′",
    "dprime": "″",
    "tprime": "‴",
    "star": "*",
    "circ": "°",
    "dagger": "†",
    "ddagger": "‡",
    "plus": "⁺",
    "minus": "⁻",
}
_SUBSCRIPT_DIGITS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_FUNCTIONS = {"log": "ln", "log10": "log₁₀", "log2": "log₂", "asin": "arcsin", "acos": "arccos", "atan": "arctan"}
_RELATIONS = {"<=": "≤", ">=": "≥", "!=": "≠"}


@lru_cache(maxsize=8192)
def plain_symbol(name: str) -> str:
    """A symbol's name: v₀, v_rms, Δx, Q̇, [H⁺]."""
    parts = split_name(name)
    letter = _LETTERS.get(parts.letter, parts.letter)
    accents = "".join(_ACCENTS.get(mark, "") for mark in parts.marks)
    above = "".join(_MARKS.get(mark, "") for mark in parts.marks)
    subscripts = [_LETTERS.get(part, part) for part in parts.subscripts]
    below = ""
    if subscripts:
        digits = all(part.isdigit() for part in subscripts)
        below = ",".join(subscripts).translate(_SUBSCRIPT_DIGITS) if digits else f"_{','.join(subscripts)}"
    if parts.prefix == "conc":
        return f"[{parts.letter}{above}]{below}"
    text = letter + accents + below + above
    text = f"⟨{text}⟩" if "mean" in parts.marks else text
    return {"Delta": "Δ", "Sigma": "Σ"}.get(parts.prefix, "") + text


def plain_formula(expression: Expression, values: Mapping[str, str] | None = None) -> str:
    """The expression as readable text; with `values`, their texts stand in for the symbols."""
    return _Printer(values).text(expression)


def plain_comparison(comparison: Comparison) -> str:
    """A condition as readable text."""
    printer = _Printer(None)
    relation = _RELATIONS.get(comparison.relation, comparison.relation)
    return f"{printer.text(comparison.left)} {relation} {printer.text(comparison.right)}"


class _Printer:
    def __init__(self, values: Mapping[str, str] | None) -> None:
        self.values = values
        self.times = " " if values is None else " × "

    def text(self, node: Expression) -> str:
        return self._print(node)[0]

    def _at_least(self, node: Expression, level: int) -> str:
        text, own = self._print(node)
        return text if own >= level else f"({text})"

    def _print(self, node: Expression) -> tuple[str, int]:
        match node:
            case Number(value):
                return _literal(value)
            case MathConstant():
                return "π", _ATOM
            case Measure(number, unit):
                return f"{_literal(number.value)[0]} {plain_unit(unit)}", _PRODUCT
            case Symbol(name):
                return self._symbol(name)
            case Add(terms):
                return self._sum(terms), _SUM
            case Negate(operand):
                return f"−{self._at_least(operand, _POWER)}", _SUM
            case Multiply(factors):
                return self._product(factors), _PRODUCT
            case Divide(numerator, denominator):
                return f"{self._at_least(numerator, _PRODUCT)} / {self._at_least(denominator, _POWER)}", _PRODUCT
            case Power(base, exponent):
                return self._power(base, exponent), _POWER
            case Call(function, arguments):
                return self._call(function, arguments)
            case Series(operation, index, lower, upper, body):
                sign = "Σ" if operation == "sum" else "Π"
                bounds = f"{plain_symbol(index)}={self.text(lower)}…{self.text(upper)}"
                return f"{sign}({bounds}) {self._at_least(body, _PRODUCT)}", _SUM
            case Piecewise():
                return self._cases(node), _ATOM
        assert_never(node)

    def _symbol(self, name: str) -> tuple[str, int]:
        if self.values is None or name not in self.values:
            return plain_symbol(name), _ATOM
        text = self.values[name]
        if text.startswith("−"):
            return text, _SUM
        return text, _PRODUCT if " " in text or "×" in text else _ATOM

    def _sum(self, terms: tuple[Expression, ...]) -> str:
        text = ""
        for term in terms:
            negative = isinstance(term, Negate)
            inner = term.operand if isinstance(term, Negate) else term
            sign = ("−" if negative else "") if not text else (" − " if negative else " + ")
            text += sign + self._at_least(inner, _PRODUCT)
        return text

    def _product(self, factors: tuple[Expression, ...]) -> str:
        parts: list[str] = []
        for factor in factors:
            level = _POWER if not isinstance(factor, Symbol | Measure | Number) else _PRODUCT
            text = self._at_least(factor, level)
            # A digit after a symbol would look like its index.
            separator = " × " if parts and text[:1].isdigit() else self.times
            parts.append(text if not parts else separator + text)
        return "".join(parts)

    def _power(self, base: Expression, exponent: Expression) -> str:
        below = self._at_least(base, _ATOM)
        text = self.text(exponent)
        if text.lstrip("−").isdigit() and len(text) <= 3:
            return below + text.replace("−", "-").translate(_SUPERSCRIPTS)
        return f"{below}^{self._at_least(exponent, _ATOM)}"

    def _call(self, function: str, arguments: tuple[Expression, ...]) -> tuple[str, int]:
        first = self.text(arguments[0])
        match function:
            case "sqrt":
                return f"√{self._at_least(arguments[0], _ATOM)}", _POWER
            case "cbrt":
                return f"∛{self._at_least(arguments[0], _ATOM)}", _POWER
            case "abs":
                return f"|{first}|", _ATOM
            case "factorial":
                return f"{self._at_least(arguments[0], _ATOM)}!", _POWER
            case "mod":
                return f"{self._at_least(arguments[0], _POWER)} mod {self._at_least(arguments[1], _POWER)}", _SUM
            case "exp":
                return f"exp({first})", _ATOM
            case _:
                inside = ", ".join((first, *(self.text(argument) for argument in arguments[1:])))
                return f"{_FUNCTIONS.get(function, function)}({inside})", _ATOM

    def _cases(self, node: Piecewise) -> str:
        compared: Callable[[Comparison], str] = lambda each: (  # noqa: E731
            f"{self.text(each.left)} {_RELATIONS.get(each.relation, each.relation)} {self.text(each.right)}"
        )
        branches = [f"{self.text(value)} if {' and '.join(map(compared, each))}" for value, each in node.branches]
        if node.otherwise is not None:
            branches.append(f"{self.text(node.otherwise)} otherwise")
        return "{" + "; ".join(branches) + "}"


def _literal(value: object) -> tuple[str, int]:
    text = str(value)
    if "E" not in text:
        return text, _ATOM
    mantissa, exponent = text.split("E")
    return f"{mantissa}×10{str(int(exponent)).translate(_SUPERSCRIPTS)}", _PRODUCT
