"""Formulas as text that people read without a renderer: v = √(3 R T / M). For eyes only; nothing reads it back."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache

from mathrag.compute.printers.base import ATOM, POWER, PRODUCT, SUM, Form, Printed, Printer
from mathrag.compute.printers.units import plain_unit
from mathrag.types.expression import Comparison, Expression, Measure, Negate, Number, Piecewise, Series, Symbol
from mathrag.types.symbol_names import GREEK, split_name

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
    return _PlainPrinter(values).text(expression)


def plain_comparison(comparison: Comparison) -> str:
    """A condition as readable text."""
    return _PlainPrinter(None).comparison(comparison)


class _PlainPrinter(Printer):
    minus, negative, negated = " − ", "−", POWER
    pi = "π"
    relations = _RELATIONS
    forms = {  # noqa: RUF012
        "sqrt": Form("√%s", POWER, (ATOM,)),
        "cbrt": Form("∛%s", POWER, (ATOM,)),
        "abs": Form("|%s|", ATOM),
        "factorial": Form("%s!", POWER, (ATOM,)),
        "mod": Form("%s mod %s", SUM, (POWER, POWER)),
    }

    def __init__(self, values: Mapping[str, str] | None) -> None:
        self.values = values or {}
        self.times = " " if values is None else " × "

    def number(self, value: int | Decimal) -> Printed:
        text = str(value)
        if "E" not in text:
            return text, ATOM
        mantissa, exponent = text.split("E")
        return f"{mantissa}×10{str(int(exponent)).translate(_SUPERSCRIPTS)}", PRODUCT

    def symbol(self, name: str) -> Printed:
        if name not in self.values:
            return plain_symbol(name), ATOM
        text = self.values[name]
        if text.startswith("−"):
            return text, SUM
        return text, PRODUCT if " " in text or "×" in text else ATOM

    def measure(self, value: int | Decimal, unit: str) -> Printed:
        return f"{self.number(value)[0]} {plain_unit(unit)}", PRODUCT

    def first_term(self, term: Expression) -> str:
        if isinstance(term, Negate):
            return self.negative + self.fit(term.operand, self.term)
        return self.fit(term, self.term)

    def product(self, factors: tuple[Expression, ...]) -> str:
        parts: list[str] = []
        for factor in factors:
            text = self.fit(factor, PRODUCT if isinstance(factor, Symbol | Measure | Number) else POWER)
            # A digit after a symbol would look like its index.
            separator = " × " if text[:1].isdigit() else self.times
            parts.append(separator + text if parts else text)
        return "".join(parts)

    def quotient(self, numerator: Expression, denominator: Expression) -> Printed:
        return f"{self.fit(numerator, PRODUCT)} / {self.fit(denominator, POWER)}", PRODUCT

    def power(self, base: Expression, exponent: Expression) -> Printed:
        below = self.fit(base, ATOM)
        text, holds = self.write(exponent)
        # Up to three signs are still read at the size of a superscript.
        if text.lstrip("−").isdecimal() and len(text) <= 3:
            return below + text.replace("−", "-").translate(_SUPERSCRIPTS), POWER
        return f"{below}^{text if holds >= ATOM else self.grouped(text)}", POWER

    def word(self, function: str) -> str:
        return _FUNCTIONS.get(function, function)

    def series(self, series: Series) -> Printed:
        sign = "Σ" if series.operation == "sum" else "Π"
        bounds = f"{plain_symbol(series.index)}={self.text(series.lower)}…{self.text(series.upper)}"
        return f"{sign}({bounds}) {self.fit(series.body, PRODUCT)}", SUM

    def piecewise(self, piecewise: Piecewise) -> Printed:
        branches = [
            f"{self.text(value)} if {' and '.join(map(self.comparison, comparisons))}"
            for value, comparisons in piecewise.branches
        ]
        if piecewise.otherwise is not None:
            branches.append(f"{self.text(piecewise.otherwise)} otherwise")
        return "{" + "; ".join(branches) + "}", ATOM
