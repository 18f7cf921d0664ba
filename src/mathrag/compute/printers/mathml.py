"""Write a tree as presentation MathML that browsers show and our own reader reads back to the same tree."""

from __future__ import annotations

import re
from decimal import Decimal
from html import escape

from mathrag.compute.printers.base import ATOM, POWER, PRODUCT, SUM, Form, Printed, Printer, wanted_of_base
from mathrag.errors import ExpressionLimitError
from mathrag.types.expression import (
    MAXIMUM_DEPTH,
    Condition,
    Equation,
    Expression,
    Number,
    Piecewise,
    Series,
    depth_of,
)
from mathrag.types.symbol_names import ACCENT_MARKS, GREEK, GREEK_NAMES, SCRIPT_MARKS, split_name

# Symbol names as presentation MathML: `Delta_x`, `v_avg`, `x_bar`, `conc_H_plus` as they look in print.

_GREEK_LETTERS = {name: letter for letter, name in reversed(GREEK.items()) if name in GREEK_NAMES}
LETTERS = {**_GREEK_LETTERS, "ell": "ℓ", "hbar": "ℏ", "varpi": "ϖ"}

ACCENT_SIGNS = {
    "bar": "¯",
    "hat": "^",
    "dot": "˙",
    "ddot": "¨",
    "vec": "→",
    "tilde": "~",
    "breve": "˘",
    "check": "ˇ",
    "ring": "˚",
}
_SCRIPTS = {
    "prime": "′",
    "dprime": "″",
    "tprime": "‴",
    "star": "*",
    "circ": "∘",
    "dagger": "†",
    "ddagger": "‡",
    "plus": "+",
    "minus": "−",
}
_PREFIXES = {"Delta": "<mi>Δ</mi>", "Sigma": "<mi>Σ</mi>"}


def mo(sign: str) -> str:
    """An operator."""
    return f"<mo>{escape(sign)}</mo>"


def symbol_markup(name: str) -> str:
    """The symbol as it looks: letter, subscripts, marks, and the prefix that makes one symbol with it."""
    parts = split_name(name)
    if parts.prefix == "conc":
        return _concentration(parts.letter, parts.subscripts, parts.marks)
    marks = list(parts.marks)
    markup = _letter(parts.letter)
    while marks and marks[0] in ACCENT_MARKS:
        markup = _marked(markup, marks.pop(0))
    if parts.subscripts:
        markup = f"<msub>{markup}{_subscripts(parts.subscripts)}</msub>"
    for mark in marks:
        markup = _marked(markup, mark)
    if parts.prefix:
        return f"<mrow>{_PREFIXES[parts.prefix]}{markup}</mrow>"
    return markup


def takes_exponent(name: str) -> bool:
    """Whether an exponent can stand right on the symbol: not beside a prime, after a Delta, or on e (that is exp)."""
    parts = split_name(name)
    return not parts.prefix and name != "e" and not any(mark in SCRIPT_MARKS for mark in parts.marks)


def _letter(letter: str) -> str:
    """A name of several letters is set in italics as one identifier; upright it could be a label or a function."""
    if letter in LETTERS:
        return f"<mi>{LETTERS[letter]}</mi>"
    return f"<mi>{letter}</mi>" if len(letter) == 1 else f'<mi mathvariant="italic">{letter}</mi>'


def _marked(markup: str, mark: str) -> str:
    if mark in SCRIPT_MARKS:
        return f"<msup>{markup}{mo(_SCRIPTS[mark])}</msup>"
    if mark == "cal":
        return markup.replace("<mi>", '<mi mathvariant="script">', 1)
    if mark == "underline":
        return f"<munder>{markup}<mo>_</mo></munder>"
    if mark == "mean":
        return f"<mrow><mo>⟨</mo>{markup}<mo>⟩</mo></mrow>"
    return f'<mover accent="true">{markup}{mo(ACCENT_SIGNS[mark])}</mover>'


def _subscripts(subscripts: tuple[str, ...]) -> str:
    inside = mo(",").join(map(_subscript, subscripts))
    return f"<mrow>{inside}</mrow>" if len(subscripts) > 1 or inside.count("</m") > 1 else inside


def _subscript(text: str) -> str:
    """One part of a subscript. Digits and letters mixed go letter by letter, so that they stay one part."""
    if text in _GREEK_LETTERS:
        return f"<mi>{_GREEK_LETTERS[text]}</mi>"
    if text.isdigit():
        return f"<mn>{text}</mn>"
    if text.isalpha():
        return f"<mi>{text}</mi>" if len(text) == 1 else f"<mtext>{text}</mtext>"
    runs = re.findall(r"[0-9]+|[A-Za-z]", text)
    return "".join(f"<mn>{run}</mn>" if run.isdigit() else f"<mi>{run}</mi>" for run in runs)


def _concentration(letter: str, subscripts: tuple[str, ...], marks: tuple[str, ...]) -> str:
    """A species in square brackets; its charge inside, what else the name says outside."""
    species = f"<mtext>{letter}</mtext>"
    outside = list(subscripts)
    inside = [mark for mark in marks if mark in {"plus", "minus"}]
    if outside and re.fullmatch(r"[0-9](?:plus|minus)", outside[0]):
        charge = outside.pop(0)
        species = f"<msup>{species}<mrow><mn>{charge[0]}</mn>{mo(_SCRIPTS[charge[1:]])}</mrow></msup>"
    elif inside:
        species = f"<msup>{species}{mo(_SCRIPTS[inside[0]])}</msup>"
    markup = f'<mrow><mo fence="true" form="prefix">[</mo>{species}<mo fence="true" form="postfix">]</mo></mrow>'
    if outside:
        markup = f"<msub>{markup}{_subscripts(tuple(outside))}</msub>"
    for mark in marks:
        if mark not in inside:
            markup = _marked(markup, mark)
    return markup


# Solving can deepen a tree beyond what a reader accepts; beyond this Python's stack is at risk.
_PRINTABLE_DEPTH = 2 * MAXIMUM_DEPTH

_TIMES = "<mo>&#x2062;</mo>"
_CROSS = "<mo>×</mo>"
_APPLY = "<mo>&#x2061;</mo>"
# The space keeps a comma between numbers from looking like a thousands separator.
_SEPARATOR = '<mo>,</mo><mspace width="0.3em"/>'
_WIDE_SPACE = '<mspace width="1em"/>'
_RELATIONS = {"<": "&lt;", "<=": "≤", ">": "&gt;", ">=": "≥", "=": "=", "!=": "≠"}

# What each function is called in print, where that differs from its name.
_FUNCTION_NAMES: dict[str, str] = {
    "asin": "arcsin",
    "acos": "arccos",
    "atan": "arctan",
    "asinh": "arsinh",
    "acosh": "arcosh",
    "atanh": "artanh",
    "log": "ln",
    "gamma": "Γ",
}


def _row(markup: str) -> str:
    return f"<mrow>{markup}</mrow>"


def _fenced(markup: str, fence: str = "()") -> str:
    opening = f'<mo fence="true" form="prefix">{fence[0]}</mo>'
    return f'<mrow>{opening}{markup}<mo fence="true" form="postfix">{fence[1]}</mo></mrow>'


def mathml_text(formula: Expression | Equation) -> str:
    """The expression or equation as one `<math>` element."""
    parts = (formula.left, formula.right) if isinstance(formula, Equation) else (formula,)
    if any(depth_of(part) > _PRINTABLE_DEPTH for part in parts):
        raise ExpressionLimitError("the formula is nested too deeply to be written out")
    body = _PRINTER.equation(formula) if isinstance(formula, Equation) else _PRINTER.text(formula)
    return f'<math xmlns="http://www.w3.org/1998/Math/MathML">{_row(body)}</math>'


class _MathmlPrinter(Printer):
    plus, minus, negative = "<mo>+</mo>", "<mo>−</mo>", "<mo>−</mo>"
    separator = _SEPARATOR
    applied = POWER
    pi = "<mi>π</mi>"
    forms = {  # noqa: RUF012
        "sqrt": Form("<msqrt>%s</msqrt>", ATOM),
        "cbrt": Form("<mroot><mrow>%s</mrow><mn>3</mn></mroot>", ATOM),
        "abs": Form(_fenced("%s", "||"), ATOM),
        "floor": Form(_fenced("%s", "⌊⌋"), ATOM),
        "ceil": Form(_fenced("%s", "⌈⌉"), ATOM),
        "factorial": Form("%s<mo>!</mo>", POWER, (ATOM,)),
        "comb": Form(_fenced(f'<mfrac linethickness="0">{2 * _row("%s")}</mfrac>'), ATOM, (SUM, SUM)),
        "perm": Form(f"<msub><mrow/>{_row('%s')}</msub><msub><mi>P</mi>{_row('%s')}</msub>", PRODUCT, (SUM, SUM)),
        "mod": Form("%s<mi>mod</mi>%s", SUM, (POWER, POWER)),
    }

    def grouped(self, text: str) -> str:
        return _fenced(text)

    def equation(self, equation: Equation) -> str:
        """Both sides, then the conditions."""
        body = f"{self.text(equation.left)}{mo(equation.relation)}{self.text(equation.right)}"
        return body + "".join(f"{mo(',')}{_WIDE_SPACE}{self._condition(each)}" for each in equation.conditions)

    def _condition(self, condition: Condition) -> str:
        comparisons = _SEPARATOR.join(map(self.comparison, condition.comparisons))
        words = f"<mtext>{escape(condition.text)}</mtext>" if condition.text else ""
        return comparisons or words

    def relation(self, sign: str) -> str:
        return f"<mo>{_RELATIONS[sign]}</mo>"

    def number(self, value: int | Decimal) -> Printed:
        if isinstance(value, int):
            return f"<mn>{format(Decimal(value), 'f')}</mn>", ATOM
        mantissa, has_exponent, exponent = str(value).partition("E")
        if not has_exponent:
            return f"<mn>{mantissa}</mn>", ATOM
        sign = "<mo>−</mo>" if exponent.startswith("-") else ""
        power_of_ten = _row(f"{sign}<mn>{exponent.lstrip('+-')}</mn>")
        return f"<mn>{mantissa}</mn>{_CROSS}<msup><mn>10</mn>{power_of_ten}</msup>", PRODUCT

    def symbol(self, name: str) -> Printed:
        return symbol_markup(name), ATOM if takes_exponent(name) else POWER

    def measure(self, value: int | Decimal, unit: str) -> Printed:
        return f'{self.number(value)[0]}<mspace width="0.3em"/>{_unit(unit)}', PRODUCT

    def product(self, factors: tuple[Expression, ...]) -> str:
        """A cross between numbers, since an invisible sign would run their digits together."""
        markup = ""
        for index, factor in enumerate(factors):
            is_number = isinstance(factor, Number)
            text = self.fit(factor, SUM if is_number else POWER)
            if index:
                markup += _CROSS if is_number or text.startswith(("<mn>", "<msup><mn>")) else _TIMES
            markup += text
        return markup

    def quotient(self, numerator: Expression, denominator: Expression) -> Printed:
        return f"<mfrac>{_row(self.text(numerator))}{_row(self.text(denominator))}</mfrac>", POWER

    def power(self, base: Expression, exponent: Expression) -> Printed:
        return f"<msup>{self.fit(base, wanted_of_base(base, exponent))}{_row(self.text(exponent))}</msup>", POWER

    def word(self, function: str) -> str:
        if function in ("log10", "log2"):
            return f"<msub><mi>log</mi><mn>{function[3:]}</mn></msub>{_APPLY}"
        return f"<mi>{_FUNCTION_NAMES.get(function, function)}</mi>{_APPLY}"

    def series(self, series: Series) -> Printed:
        sign = "∑" if series.operation == "sum" else "∏"
        lower = _row(f"{symbol_markup(series.index)}<mo>=</mo>{self.text(series.lower)}")
        bounds = f"<munderover><mo>{sign}</mo>{lower}{_row(self.text(series.upper))}</munderover>"
        return bounds + self.fit(series.body, POWER), SUM

    def piecewise(self, piecewise: Piecewise) -> Printed:
        lines: list[str] = []
        for value, comparisons in piecewise.branches:
            condition = _SEPARATOR.join(map(self.comparison, comparisons))
            lines.append(f"<mtr><mtd>{self.text(value)}</mtd><mtd><mtext>if&#xa0;</mtext>{condition}</mtd></mtr>")
        if piecewise.otherwise is not None:
            lines.append(f"<mtr><mtd>{self.text(piecewise.otherwise)}</mtd><mtd><mtext>otherwise</mtext></mtd></mtr>")
        opening = '<mo fence="true" form="prefix">{</mo>'
        table = f"<mtable>{''.join(lines)}</mtable>"
        return f'<mrow>{opening}{table}<mo fence="true" form="postfix"></mo></mrow>', SUM


def _unit(unit: str) -> str:
    """The unit as text; `1/(mol*K)` with negative exponents, since its 1 would stand beside the number."""
    if unit.startswith("1/"):
        factors = (factor.partition("^") for factor in unit[2:].strip("()").split("*"))
        unit = "*".join(f"{name}^-{exponent or 1}" for name, _, exponent in factors)
    return f"<mtext>{escape(unit)}</mtext>"


_PRINTER = _MathmlPrinter()
