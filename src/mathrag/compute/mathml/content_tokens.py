"""Numbers and symbols of content MathML: `<cn>` with its types, `<ci>` with text or presentation inside."""

from __future__ import annotations

import re
from decimal import Decimal

from mathrag.compute.grammar.context import Context
from mathrag.compute.grammar.names import symbol_name, symbol_parts
from mathrag.compute.mathml.elements import Element, Text
from mathrag.compute.mathml.presentation import notation_of
from mathrag.compute.symbol_names import join_name, split_name
from mathrag.errors import ExpressionLimitError, FormulaError
from mathrag.types.expression import (
    MAXIMUM_DIGITS,
    PI,
    TEN,
    Expression,
    Symbol,
    call,
    divide,
    multiply,
    negate,
    number,
    power,
)

_DECIMAL = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")
_WITH_EXPONENT = re.compile(rf"({_DECIMAL.pattern})[eE]([-+]?[0-9]{{1,4}})")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*_?")
_LARGEST_EXPONENT = 400


def number_of(element: Element) -> Expression:
    """The number of a `<cn>`."""
    parts = _parts(element)
    kind = element.attribute("type").lower() or "real"
    if kind == "constant":
        return _constant(parts[0], element)
    if kind in {"rational", "e-notation"} and len(parts) == 2:
        first = _literal(parts[0], element)
        if kind == "rational":
            return divide(first, _literal(parts[1], element))
        return _scaled(parts[0], parts[1], element)
    if len(parts) != 1 or kind not in {"real", "integer", "double", "rational", "e-notation"}:
        raise FormulaError("number", f"numbers of type {kind[:20]!r} are not read", position=element.position)
    if element.attribute("base") not in {"", "10"}:
        return _in_base(parts[0], element)
    exponential = _WITH_EXPONENT.fullmatch(parts[0])
    if exponential and kind != "integer":
        return _scaled(exponential.group(1), exponential.group(2), element)
    return _literal(parts[0], element)


def _parts(element: Element) -> list[str]:
    """The texts between the `<sep/>` elements."""
    parts = [""]
    for child in element.children:
        if isinstance(child, Text):
            parts[-1] += child.value
        elif child.name == "sep":
            parts.append("")
        else:
            raise FormulaError("number", f"<{child.name}> cannot stand inside a number", position=child.position)
    return ["".join(part.split()).replace("−", "-") for part in parts]


def _literal(text: str, element: Element) -> Expression:
    if len(text) > MAXIMUM_DIGITS:
        raise ExpressionLimitError(f"a number of more than {MAXIMUM_DIGITS:,} digits", position=element.position)
    if not _DECIMAL.fullmatch(text):
        raise FormulaError("number", f"{text[:20]!r} is no number", position=element.position)
    digits = text.lstrip("+-")
    value = number(int(digits) if digits.isdigit() else Decimal(digits))
    return negate(value) if text.startswith("-") else value


def _scaled(mantissa: str, exponent: str, element: Element) -> Expression:
    if not re.fullmatch(r"[-+]?[0-9]{1,4}", exponent) or abs(int(exponent)) > _LARGEST_EXPONENT:
        raise FormulaError("number", f"{exponent[:20]!r} is no exponent", position=element.position)
    size = multiply(_literal(mantissa.lstrip("+-"), element), power(TEN, number(int(exponent))))
    return negate(size) if mantissa.startswith("-") else size


def _in_base(text: str, element: Element) -> Expression:
    base = element.attribute("base")
    try:
        value = int(text, int(base)) if len(text) <= 1000 else None
    except ValueError:
        value = None
    if value is None or "_" in text or int(base) == 0:
        raise FormulaError("number", f"{text[:20]!r} is no whole number in base {base[:5]}", position=element.position)
    return number(value)


def _constant(text: str, element: Element) -> Expression:
    if text in {"π", "pi"}:
        return PI
    if text in {"ⅇ", "e"}:
        return call("exp", number(1))
    raise FormulaError("number", f"the constant {text[:20]!r} is not read", position=element.position)


def symbol_of(element: Element) -> Symbol:
    """The symbol of a `<ci>` (or of the `<bvar>` content): its text, or the presentation it holds."""
    if element.name not in {"ci", "csymbol"}:
        raise FormulaError("symbol", f"<{element.name}> stands where a symbol is needed", position=element.position)
    text = element.text.strip()
    if not element.elements and _NAME.fullmatch(text) and len(text) <= 80:
        return Symbol(join_name(split_name(text)))
    inside = element.elements or (Element("mi", element.position, {}, element.children),)
    context = Context("")
    row = notation_of(Element("math", element.position, {}, inside))
    parts = symbol_parts(row, context)
    if parts is None:
        raise FormulaError("symbol", "this is not the name of a symbol", position=element.position)
    return Symbol(symbol_name(parts, context, element.position))
