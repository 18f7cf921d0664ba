"""Read the value of a constant, with its digits, unit and uncertainty, from a cell, a formula or a piece of text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cache, lru_cache

from mathrag.compute.mathml import read_mathml
from mathrag.compute.printers.latex import symbol_latex
from mathrag.compute.pythontext import read_python_text
from mathrag.errors import UnitError
from mathrag.extract.definitions.outline import Outline
from mathrag.extract.formula_reader import latex_reading
from mathrag.extract.weights import weights
from mathrag.knowledge.constants import all_constants, constant_quantity, constants_for_symbol, constants_for_words
from mathrag.knowledge.units import read_canonical_unit
from mathrag.language.quantities import find_quantities
from mathrag.language.quantities.mention import Mention
from mathrag.language.quantity_names import kind_groups
from mathrag.language.tokens import SymbolSeen
from mathrag.language.unit_text import unit_of_text
from mathrag.language.word_classes import word_class, word_list
from mathrag.types.document import Break, Content, Math, Notation, Place, Text
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
)
from mathrag.types.knowledge import Constant, QuantityKind
from mathrag.types.library import ConstantFinding, Span
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


# Which standard constant a stated value is: by symbol or words, and by dimension and size.

TOLERANCE = weights("constants")["tolerance"]
_PREPOSITIONS = (*(f" {word} " for word in word_list("constants.name_ends")), ",", " (")


def constants_named(words: str) -> tuple[Constant, ...]:
    """The constants that a phrase names, as a whole or without what qualifies it ("speed of light in a vacuum")."""
    for variant in _variants(words):
        found = constants_for_words(variant)
        if found:
            return found
    return ()


def _variants(words: str) -> Iterator[str]:
    text = words.casefold().strip()
    yield text
    first, link, second = text.partition(" of ")
    if link:
        yield f"{first} of the {second}"
        yield f"{second.removeprefix('the ')} {first}"
    for lead in ("the ", "universal ", "standard ", "ideal ", "molar ", "mean ", "local ", "newton's ", "newtonian "):
        if text.startswith(lead):
            text = text.removeprefix(lead)
            yield text
    if text.endswith(" number"):
        yield f"{text.removesuffix(' number')} constant"
    while True:
        cut = max(text.rfind(mark) for mark in _PREPOSITIONS)
        if cut <= 0:
            return
        text = text[:cut].strip()
        if " " in text:
            yield text


@cache
def telling_words() -> frozenset[str]:
    """One word of every name of a constant: the longest, which a sentence about it holds."""
    longest = (
        max(name.casefold().replace("'", " ").split(), key=len) for item in all_constants() for name in item.names
    )
    return frozenset(longest)


def standard_of(value: Value, *, name: str, words: str) -> Constant | None:
    """The standard constant with this symbol or these words whose value this is, within two per cent."""
    named = constants_named(words) if words else ()
    for item in (*named, *(constants_for_symbol(name) if name else ())):
        if agrees(value, item):
            return item
    return None


def agrees(value: Value, item: Constant) -> bool:
    """Whether value and constant have one dimension and, within two per cent, one size."""
    quantity = constant_quantity(item)
    if value.unit is not None and value.unit.dimension != item.dimension:
        return False
    if value.unit is None and not item.dimension.is_dimensionless and not _is_telling(value):
        return False
    # A value without unit is compared with the number in SI units: "k = 9 × 10⁹".
    size = quantity.si_value
    return size != 0 and abs(abs(value.si) / abs(size) - 1) <= TOLERANCE


def _is_telling(value: Value) -> bool:
    """Whether a bare number is too special to agree by chance."""
    digits = len(value.number.as_tuple().digits)
    return abs(value.number.adjusted()) >= 4 or digits >= 3


# What the rules for constants hand over, and how it becomes a finding of the library.

_LONGEST_QUOTE = 400
_SMALL_WORDS = word_class("constants.small_words")


@dataclass(frozen=True, slots=True)
class FoundConstant:
    """A constant as a rule found it; `block` is the index of its block."""

    symbol: SymbolSeen | None
    name: str
    value: Value
    block: int
    place: Place
    quote: str


def findings_from(found: Iterable[FoundConstant], outline: Outline, *, document_id: str) -> tuple[ConstantFinding, ...]:
    """Findings in reading order; the same value of the same constant is kept once a section."""
    kept: dict[tuple[object, ...], ConstantFinding] = {}
    for one in found:
        if _is_of_another_dimension(one):
            continue
        finding = _finding(one, outline, document_id, len(kept))
        key = (
            outline.section_of[one.block],
            finding.symbol,
            finding.standard or finding.name.casefold(),
            finding.value,
            finding.unit,
        )
        kept.setdefault(key, finding)
    return tuple(kept.values())


def _is_of_another_dimension(one: FoundConstant) -> bool:
    """Whether the words name kinds of quantity, and the unit is that of none: "molar volume (273.15 K)" states a
    condition. A symbol that is set equal to a value may well be called by a loose name."""
    if one.symbol is not None or one.value.unit is None:
        return False
    named = [kind for group in kind_groups(one.name) for kind in group]
    return bool(named) and all(kind.dimension != one.value.unit.dimension for kind in named)


def _finding(one: FoundConstant, outline: Outline, document_id: str, position: int) -> ConstantFinding:
    name = one.symbol.name if one.symbol else ""
    standard = standard_of(one.value, name=name, words=one.name)
    unit = one.value.unit
    description = ""
    if unit is None and standard is not None and not standard.dimension.is_dimensionless:
        text, dimension = standard.unit, standard.dimension
        description = "no unit is stated; it has that of the standard constant"
    else:
        text, dimension = (unit or NO_UNIT).text, (unit or NO_UNIT).dimension
    title = one.name or (standard.name if standard else "")
    return ConstantFinding(
        document=document_id,
        position=position,
        symbol=name,
        name=title,
        value=one.value.number,
        unit=text,
        dimension=dimension,
        span=Span(document_id, one.place, one.quote.strip()[:_LONGEST_QUOTE], outline.section(one.block).headings),
        description=description,
        keywords=_keywords(title),
        uncertainty=one.value.uncertainty,
        standard=standard.id if standard else None,
        letter=(one.symbol.letter or symbol_latex(name)) if one.symbol else "",
    )


def _keywords(title: str) -> tuple[str, ...]:
    words = re.findall(r"[^\W\d_][\w'’-]*", title.casefold())
    return tuple(dict.fromkeys(word for word in words if word not in _SMALL_WORDS and len(word) > 1))
