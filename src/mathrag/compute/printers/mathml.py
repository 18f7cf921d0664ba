"""Write a tree as presentation MathML that browsers show and our own reader reads back to the same tree."""

from __future__ import annotations

import re
from decimal import Decimal
from html import escape
from typing import assert_never

from mathrag.compute.printers.latex import looks_like_label
from mathrag.errors import ExpressionLimitError
from mathrag.types.expression import (
    MAXIMUM_DEPTH,
    Add,
    Call,
    Comparison,
    Condition,
    Divide,
    Equation,
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


# How tightly a part holds together; where its place asks for more it gets parentheses.
_SUM, _PRODUCT, _SIGNED, _POWER, _ATOM = 1, 2, 3, 4, 5
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
_FENCED = {"abs": "||", "floor": "⌊⌋", "ceil": "⌈⌉"}


def mathml_text(formula: Expression | Equation) -> str:
    """The expression or equation as one `<math>` element."""
    parts = (formula.left, formula.right) if isinstance(formula, Equation) else (formula,)
    if any(depth_of(part) > _PRINTABLE_DEPTH for part in parts):
        raise ExpressionLimitError("the formula is nested too deeply to be written out")
    body = _equation(formula) if isinstance(formula, Equation) else _text(formula)
    return f'<math xmlns="http://www.w3.org/1998/Math/MathML">{_row(body)}</math>'


def _equation(equation: Equation) -> str:
    body = f"{_text(equation.left)}{mo(equation.relation)}{_text(equation.right)}"
    return body + "".join(f"{mo(',')}{_WIDE_SPACE}{_condition(each)}" for each in equation.conditions)


def _condition(condition: Condition) -> str:
    comparisons = _SEPARATOR.join(map(_comparison, condition.comparisons))
    words = f"<mtext>{escape(condition.text)}</mtext>" if condition.text else ""
    return comparisons or words


def _comparison(comparison: Comparison) -> str:
    return f"{_text(comparison.left)}<mo>{_RELATIONS[comparison.relation]}</mo>{_text(comparison.right)}"


def _row(markup: str) -> str:
    return f"<mrow>{markup}</mrow>"


def _fenced(markup: str, fence: str = "()") -> str:
    opening = f'<mo fence="true" form="prefix">{fence[0]}</mo>'
    return f'<mrow>{opening}{markup}<mo fence="true" form="postfix">{fence[1]}</mo></mrow>'


def _text(expression: Expression) -> str:
    return _write(expression)[0]


def _fit(expression: Expression, wanted: int) -> str:
    text, holds = _write(expression)
    return text if holds >= wanted else _fenced(text)


def _write(expression: Expression) -> tuple[str, int]:
    """The markup, and how tightly it holds together."""
    match expression:
        case Number(value):
            return _number(value)
        case Symbol(name):
            return symbol_markup(name), _ATOM if takes_exponent(name) else _POWER
        case MathConstant():
            return "<mi>π</mi>", _ATOM
        case Measure(measured, unit):
            return f'{_number(measured.value)[0]}<mspace width="0.3em"/>{_unit(unit)}', _PRODUCT
        case Add(terms):
            return _sum(terms), _SUM
        case Negate(operand):
            return f"<mo>−</mo>{_fit(operand, _PRODUCT)}", _SUM
        case Multiply(factors):
            return _product(factors), _PRODUCT
        case Divide(numerator, denominator):
            return f"<mfrac>{_row(_text(numerator))}{_row(_text(denominator))}</mfrac>", _POWER
        case Power(base, exponent):
            is_symbol = isinstance(base, Symbol) and looks_like_label(exponent)
            printed = _fit(base, _ATOM + 1 if is_symbol else _ATOM)
            return f"<msup>{printed}{_row(_text(exponent))}</msup>", _POWER
        case Call():
            return _call(expression)
        case Series():
            return _series(expression), _SUM
        case Piecewise():
            return _piecewise(expression), _SUM
    assert_never(expression)


def _unit(unit: str) -> str:
    """The unit as text; `1/(mol*K)` with negative exponents, since its 1 would stand beside the number."""
    if unit.startswith("1/"):
        factors = (factor.partition("^") for factor in unit[2:].strip("()").split("*"))
        unit = "*".join(f"{name}^-{exponent or 1}" for name, _, exponent in factors)
    return f"<mtext>{escape(unit)}</mtext>"


def _number(value: int | Decimal) -> tuple[str, int]:
    if isinstance(value, int):
        return f"<mn>{format(Decimal(value), 'f')}</mn>", _ATOM
    mantissa, has_exponent, exponent = str(value).partition("E")
    if not has_exponent:
        return f"<mn>{mantissa}</mn>", _ATOM
    sign = "<mo>−</mo>" if exponent.startswith("-") else ""
    power_of_ten = _row(f"{sign}<mn>{exponent.lstrip('+-')}</mn>")
    scale = f"<msup><mn>10</mn>{power_of_ten}</msup>"
    return f"<mn>{mantissa}</mn>{_CROSS}{scale}", _PRODUCT


def _sum(terms: tuple[Expression, ...]) -> str:
    parts = [_text(terms[0]) if isinstance(terms[0], Negate) else _fit(terms[0], _PRODUCT)]
    for term in terms[1:]:
        if isinstance(term, Negate):
            parts.append(f"<mo>−</mo>{_fit(term.operand, _PRODUCT)}")
        else:
            parts.append(f"<mo>+</mo>{_fit(term, _PRODUCT)}")
    return "".join(parts)


def _product(factors: tuple[Expression, ...]) -> str:
    """A cross between numbers, since an invisible sign would run their digits together."""
    markup = ""
    for index, factor in enumerate(factors):
        text, holds = _write(factor)
        is_number = isinstance(factor, Number)
        if holds < _SIGNED and not is_number:
            text = _fenced(text)
        if index:
            markup += _CROSS if is_number or text.startswith(("<mn>", "<msup><mn>")) else _TIMES
        markup += text
    return markup


def _call(expression: Call) -> tuple[str, int]:
    function, arguments = expression.function, expression.arguments
    first = arguments[0]
    match function:
        case "sqrt":
            return f"<msqrt>{_text(first)}</msqrt>", _ATOM
        case "cbrt":
            return f"<mroot>{_row(_text(first))}<mn>3</mn></mroot>", _ATOM
        case "abs" | "floor" | "ceil":
            return _fenced(_text(first), _FENCED[function]), _ATOM
        case "factorial":
            return f"{_fit(first, _ATOM)}<mo>!</mo>", _POWER
        case "comb":
            stack = f'<mfrac linethickness="0">{_row(_text(first))}{_row(_text(arguments[1]))}</mfrac>'
            return _fenced(stack), _ATOM
        case "perm":
            before, after = _row(_text(first)), _row(_text(arguments[1]))
            return f"<msub><mrow/>{before}</msub><msub><mi>P</mi>{after}</msub>", _PRODUCT
        case "mod":
            return f"{_fit(first, _POWER)}<mi>mod</mi>{_fit(arguments[1], _POWER)}", _PRODUCT - 1
        case "log10" | "log2":
            name = f"<msub><mi>log</mi><mn>{function[3:]}</mn></msub>"
        case _:
            name = f"<mi>{_FUNCTION_NAMES.get(function, function)}</mi>"
    return f"{name}{_APPLY}{_fenced(_SEPARATOR.join(map(_text, arguments)))}", _POWER


def _series(series: Series) -> str:
    sign = "∑" if series.operation == "sum" else "∏"
    lower = _row(f"{symbol_markup(series.index)}<mo>=</mo>{_text(series.lower)}")
    bounds = f"<munderover><mo>{sign}</mo>{lower}{_row(_text(series.upper))}</munderover>"
    return bounds + _fit(series.body, _POWER)


def _piecewise(piecewise: Piecewise) -> str:
    lines: list[str] = []
    for value, comparisons in piecewise.branches:
        condition = _SEPARATOR.join(map(_comparison, comparisons))
        lines.append(f"<mtr><mtd>{_text(value)}</mtd><mtd><mtext>if&#xa0;</mtext>{condition}</mtd></mtr>")
    if piecewise.otherwise is not None:
        lines.append(f"<mtr><mtd>{_text(piecewise.otherwise)}</mtd><mtd><mtext>otherwise</mtext></mtd></mtr>")
    opening = '<mo fence="true" form="prefix">{</mo>'
    return f'<mrow>{opening}<mtable>{"".join(lines)}</mtable><mo fence="true" form="postfix"></mo></mrow>'
