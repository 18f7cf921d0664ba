"""Read the value of a constant, with its digits, unit and uncertainty, from a cell, a formula or a piece of text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache

from mathrag.compute.mathml import read_mathml
from mathrag.compute.pythontext import read_python_text
from mathrag.compute.quantity_text import find_quantities
from mathrag.compute.quantity_text.mention import Mention
from mathrag.compute.units import read_canonical_unit
from mathrag.errors import UnitError
from mathrag.extract.latex_reading import latex_reading
from mathrag.extract.unit_text import unit_of_text
from mathrag.types.document import Break, Content, Math, Notation, Text
from mathrag.types.expression import (
    Comparison,
    Equation,
    Expression,
    MathConstant,
    Measure,
    Multiply,
    Negate,
    Number,
    Power,
    Reading,
    Symbol,
)  # fmt: skip
from mathrag.types.knowledge import QuantityKind
from mathrag.types.quantity import NO_UNIT, Unit

_LONGEST_CELL = 300
_LONGEST_FORMULA = 3_000
_GROUPED_DIGITS = re.compile(r"(?<=\d)(?:[ \u2009\u202f\u00a0]|\\,|\\;|~|\{,\})(?=\d{3,4}(?!\d))")
_BEFORE_NUMBER = re.compile(
    r"^(?:[\s~≈∼=$(≃]|\\(?:sim|approx|simeq|left)\b|about|approximately|approx\.?|ca\.?|exactly)*", re.IGNORECASE
)
_SIUNITX = re.compile(r"\\(?:SI|qty)\s*(?:\[[^\]]*\])?\{([^{}]*)\}\s*\{([^{}]*)\}")
_PLAIN_NUMBER = re.compile(r"\\num\s*\{([^{}]*)\}")
# A symbol set equal to a number, and a formula that is nothing but one; on what a reader would see.
VALUE = re.compile(r"(?:=|≈|\\approx|\\simeq|\\equiv)\s*&?\s*(?:\\(?:SI|qty|num)\s*)?\{?\s*[-−+]?\s*\d")
LONE_VALUE = re.compile(
    r"^\s*(?:\\(?:SI|qty|num)\s*\{)?\s*[-−+]?\s*\d[\d.,\s]*"
    r"(?:$|×|\\times|\\cdot|\\[,;: ]|[~{}]|\\(?:mathrm|text|pi|si)|\D{1,12}$)"
)
_LAST_DIGITS = re.compile(r"(\d\.\d+)\((\d{1,4})\)")
_PI = Decimal("3.141592653589793")


# "5.67 ×" at the end of a line, "1.67\\times10^{...}" that nobody understands: the number alone would be wrong.
_UNREAD_FACTOR = re.compile(r"\s*(?:[×⋅^]|\\times|\\cdot|[·*x]\s*10\b|[·*]\s*$)")


@dataclass(frozen=True, slots=True)
class Value:
    """A number as written, its unit (None where none is stated) and its uncertainty."""

    number: Decimal
    unit: Unit | None = None
    uncertainty: Decimal | None = None

    @property
    def si(self) -> float:
        """In coherent SI units; without a unit, the number."""
        unit = self.unit or NO_UNIT
        return float(self.number) * unit.scale + unit.offset


@dataclass(frozen=True, slots=True)
class Assignment:
    """`g = 9.8 m/s²` inside a formula."""

    name: str
    value: Value


def visible_source(math: Math) -> str:
    """The source without tags, as far as it can tell whether there is a value."""
    return math.source if math.notation != "mathml" else re.sub(r"<[^<>]{0,300}>|\s+", "", math.source)


def value_of_content(content: Content, *, kinds: Sequence[QuantityKind] = ()) -> Value | None:
    """The value of a cell that holds one, such as `3.00 × 10⁸ m/s`; None for ranges, several numbers, words."""
    solid = [piece for piece in content if not isinstance(piece, Break)]
    if len(solid) == 1 and isinstance(solid[0], Math):
        found = value_of_math(solid[0])
        if found is not None:
            return found
    return value_of_text(_text_of(content), kinds=kinds)


def _text_of(content: Content) -> str:
    parts: list[str] = []
    for piece in content:
        match piece:
            case Math():
                number = value_of_math(piece)
                parts.append(_written(number) if number is not None and number.unit is None else _source_of(piece))
            case Break():
                parts.append("\n")
            case Text():
                parts.append(piece.text)
    return "".join(parts)


def _written(value: Value) -> str:
    return (
        f"{value.number:E}".replace("E+", "e").replace("E-", "e-")
        if abs(value.number.adjusted()) > 5
        else str(value.number)
    )


def _source_of(math: Math) -> str:
    return math.source if math.notation != "mathml" else re.sub(r"<[^<>]{0,300}>", " ", math.source)


def value_of_text(text: str, *, kinds: Sequence[QuantityKind] = ()) -> Value | None:
    """The value that a text opens with."""
    if len(text) > _LONGEST_CELL:
        return None
    text = _SIUNITX.sub(r"\1 \2", _PLAIN_NUMBER.sub(r"\1", text)).strip()
    text = _GROUPED_DIGITS.sub("", text).replace("$", "")
    text = text[_BEFORE_NUMBER.match(text).end() :]  # type: ignore[union-attr]
    try:
        mentions = find_quantities(text)
    except UnitError:
        return None
    if not mentions or mentions[0].start > 0 or mentions[0].kind in ("range", "date", "declined", "ordinal", "label"):
        return None
    if any(mention.kind in ("range", "quantity", "number") and mention.start < 25 for mention in mentions[1:2]):
        # A second number right behind makes it a list or a range, unless it stands in brackets.
        between = text[mentions[0].end : mentions[1].start]
        if "(" not in between and ";" not in between and "=" not in between and "," not in between:
            return None
    return value_of_mention(mentions[0], text, kinds=kinds)


def value_of_mention(mention: Mention, text: str, *, kinds: Sequence[QuantityKind] = ()) -> Value | None:
    """The value of a number found in a text; None where a factor follows that was not read as part of it."""
    number = _digits(mention)
    if number is None or _UNREAD_FACTOR.match(text, mention.end):
        return None
    unit = _unit_of(mention, kinds)
    if unit is None and not mention.units:
        rest = text[mention.end : mention.end + 60].strip().strip(".,;)")
        unit = unit_of_text(rest, kinds=kinds) if rest and "(" not in rest[:1] else None
        unit = unit if unit is not None and unit.text else None
    uncertainty = None if mention.uncertainty is None else _decimal(mention.uncertainty)
    return Value(number, unit, uncertainty)


def _unit_of(mention: Mention, kinds: Sequence[QuantityKind]) -> Unit | None:
    readings = (*mention.units, *mention.rare_units)
    for kind in kinds:
        for unit in readings:
            if unit.dimension == kind.dimension:
                return unit
    return mention.units[0] if len(mention.units) == 1 else None


def _digits(mention: Mention) -> Decimal | None:
    """The number with the digits written: `3.00 × 10⁸` keeps its zeros."""
    value = mention.value
    if isinstance(value, int) and abs(value) < 10**6:
        return Decimal(value)
    if mention.significant_figures:
        try:
            written = Decimal(f"{value:.{mention.significant_figures - 1}e}")
        except (InvalidOperation, OverflowError, ValueError):
            return None
        if value == 0 or abs(float(written) / value - 1) < 1e-12:
            return written
    return _decimal(value)


def _decimal(value: float) -> Decimal | None:
    number = Decimal(repr(value))
    return number if number.is_finite() else None


def value_of_math(math: Math) -> Value | None:
    """The value of a formula that is nothing but a number, with or without a unit."""
    if math.notation != "mathml" and "=" in math.source:
        return None
    reading = _reading(math.source, math.notation)
    return value_of_expression(reading.expression) if reading is not None and reading.expression is not None else None


def assignments_in(math: Math) -> Iterator[Assignment]:
    """The symbols a formula sets equal to numbers: in its equations and in its conditions."""
    source, last_digits = math.source, None
    if math.notation == "latex":
        source = _GROUPED_DIGITS.sub("", source)
        last_digits = _LAST_DIGITS.search(source)
        source = _LAST_DIGITS.sub(r"\1", source)
    reading = _reading(source, math.notation)
    if reading is None:
        return
    statements: list[Equation | Comparison] = list(reading.equations)
    conditions = [*reading.conditions, *(each for equation in reading.equations for each in equation.conditions)]
    statements.extend(comparison for condition in conditions for comparison in condition.comparisons)
    seen: set[tuple[str, Decimal]] = set()
    for statement in statements:
        if not isinstance(statement.left, Symbol) or statement.relation not in ("=", "≈", "≡"):
            continue
        value = value_of_expression(statement.right)
        if value is not None and (statement.left.name, value.number) not in seen:
            seen.add((statement.left.name, value.number))
            if last_digits is not None:
                value = Value(value.number, value.unit, _in_last_digits(value.number, last_digits.group(2)))
            yield Assignment(statement.left.name, value)


def _in_last_digits(number: Decimal, digits: str) -> Decimal | None:
    """The uncertainty that `8.854(13)` states in the last digits of the number."""
    exponent = number.as_tuple().exponent
    return Decimal(digits).scaleb(exponent) if isinstance(exponent, int) else None


@lru_cache(maxsize=2048)
def _reading(source: str, notation: Notation) -> Reading | None:
    if len(source) > _LONGEST_FORMULA * (8 if notation == "mathml" else 1) or not any(map(str.isdigit, source)):
        return None
    match notation:
        case "latex":
            reading = latex_reading(source)
        case "mathml":
            reading = read_mathml(source)
        case "text":
            reading = read_python_text(source)
    return reading if isinstance(reading, Reading) else None


def value_of_expression(expression: Expression) -> Value | None:
    """A number, a number with a unit, or a product of such with pi; nothing else is a value."""
    sign = 1
    if isinstance(expression, Negate):
        expression, sign = expression.operand, -1
    match expression:
        case Number():
            return Value(sign * Decimal(expression.value))
        case Measure():
            return _measured(expression, sign)
        case Multiply():
            return _product(expression.factors, sign)
        case _:
            return None


def _whole(expression: Expression) -> int | None:
    """A small whole number, of either sign."""
    sign = 1
    if isinstance(expression, Negate):
        expression, sign = expression.operand, -1
    if isinstance(expression, Number) and isinstance(expression.value, int) and expression.value < 300:
        return sign * expression.value
    return None


def _measured(measure: Measure, sign: int) -> Value | None:
    try:
        unit = read_canonical_unit(measure.unit)
    except UnitError:
        return None
    return Value(sign * Decimal(measure.number.value), unit)


def _product(factors: Sequence[Expression], sign: int) -> Value | None:
    """`4π × 10⁻⁷ T·m/A`."""
    number, unit = Decimal(sign), None
    if not any(isinstance(factor, MathConstant) for factor in factors):
        return None
    for factor in factors:
        match factor:
            case Number():
                number *= Decimal(factor.value)
            case MathConstant(name="pi"):
                number *= _PI
            case Power(base=Number(value=10)) if (exponent := _whole(factor.exponent)) is not None:
                number = number.scaleb(exponent)
            case Measure() if unit is None:
                measured = _measured(factor, 1)
                if measured is None:
                    return None
                number, unit = number * measured.number, measured.unit
            case _:
                return None
    return Value(number, unit)
