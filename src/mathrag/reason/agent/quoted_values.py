"""Numbers that words of the question say: a planner names the words, and only what they say counts.

"A third-order fringe" says 3, "midway" 1/2, "comes to rest" 0, "(3.0 i + 4.0 j) m/s" 3.0 and 4.0. Numbers in words come
from a data file; everything else must stand there in digits.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import cache

from mathrag.compute.dimensions import check_dimensions
from mathrag.errors import UnitError
from mathrag.knowledge.units import unit_readings
from mathrag.language.quantities import Mention, find_quantities
from mathrag.language.spoken_numbers import digits_as_seen
from mathrag.language.word_classes import word_pairs
from mathrag.reason.agent.number_sources import is_close
from mathrag.reason.agent.seams import Problem
from mathrag.types.expression import (
    Call,
    Divide,
    Equation,
    Expression,
    Measure,
    Multiply,
    Negate,
    Number,
    Piecewise,
    Power,
    Series,
    Symbol,
    children,
)
from mathrag.types.quantity import NO_UNIT, Dimension, Unit

_LONGEST_QUOTE = 300
_NUMERAL = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?(?:\s?[×x·*]\s?10\s?\^?\s?\{?[-−+]?\d{1,3}\}?|[eE][-+−]?\d{1,3})?")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_ATOM = re.compile(r"[^\W\d_]+|%|°")
_BLANKS = re.compile(r"\s+")
# Numbers that say how quantities are combined rather than how much there is of something.
_STRUCTURAL = (0.0, 1.0, 2.0)
_LARGEST_EXPONENT = 6
_PARTS_OF_EXPONENTS = (2, 3)
_WHOLE = "whole_expression"
_PLAIN_FUNCTIONS = ("min", "max", "abs", "floor", "ceil")


@cache
def _meant() -> dict[str, tuple[float, ...]]:
    return {
        word: tuple(float(Fraction(each)) for each in said.split())
        for word, said in word_pairs("numbers.meant").items()
    }


def is_quoted(quote: str, text: str) -> bool:
    """Whether words stand in a text, however they are spaced and whatever their capitals."""
    return bool(quote.strip()) and len(quote) <= _LONGEST_QUOTE and _plain(quote) in _plain(text)


def _plain(text: str) -> str:
    return _BLANKS.sub(" ", digits_as_seen(text)).replace("−", "-").strip().casefold()


def numbers_said(quote: str) -> frozenset[float]:
    """Every number that words say: in digits, in words, by what they mean."""
    seen = digits_as_seen(quote)
    found = {float(mention.value) for mention in _mentions(seen)}
    found |= {_numeral(match.group()) for match in _NUMERAL.finditer(seen)}
    for match in _WORD.finditer(seen.casefold()):
        for word in (match.group(), *match.group().split("-")):
            found |= set(_meant().get(word, ()))
    return frozenset(found)


def _mentions(text: str) -> Iterator[Mention]:
    try:
        yield from (each for each in find_quantities(text) if each.kind != "declined")
    except UnitError:
        return


def _numeral(text: str) -> float:
    """A numeral as it is written, a power of ten behind it included."""
    head, *tail = re.split(r"\s?[×x·*]\s?10\s?\^?\s?\{?|[eE]", text.rstrip("}"), maxsplit=1)
    exponent = tail[0].replace("−", "-") if tail else "0"
    try:
        return float(f"{head.replace(',', '')}e{int(exponent)}")
    except (ValueError, OverflowError):
        return float(head.replace(",", ""))


def quote_problem(quote: str, value: float, question: str) -> Problem | None:
    """Why a quote does not say a number; None where it does."""
    if not is_quoted(quote, question):
        return Problem("quote_not_found", f"the question does not say {quote[:80]!r}; copy its words exactly")
    if any(is_close(said, abs(value)) or (said == 0 and value == 0) for said in numbers_said(quote)):
        return None
    return Problem("number_not_quoted", f"{quote[:80]!r} does not say {value:g}")


def quoted_unit(text: str, quote: str, question: str) -> Unit | Problem:
    """The unit of a quoted value: one that the quote or the question uses, or is made of such."""
    if not text:
        return NO_UNIT
    try:
        readings = unit_readings(text)
    except UnitError as error:
        return Problem("unknown_unit", str(error))
    for mention in _mentions(quote):
        for unit in (*mention.units, *mention.rare_units):
            if any(_is_same_unit(each, unit) for each in readings):
                return unit
    used = _unit_words(question)
    foreign = [atom for atom in _ATOM.findall(text) if atom not in used]
    if foreign and not _are_written_out(foreign, used):
        return Problem("unit_not_in_question", f"the question does not use the unit {foreign[0]}")
    return readings[0]


def _is_same_unit(one: Unit, other: Unit) -> bool:
    return (one.dimension, one.scale, one.offset) == (other.dimension, other.scale, other.offset)


def _unit_words(question: str) -> frozenset[str]:
    """Every word of a question that may name a unit, and the units of its quantities by their signs."""
    found = set(_ATOM.findall(question))
    for mention in _mentions(question):
        for unit in (*mention.units, *mention.rare_units):
            found |= set(_ATOM.findall(unit.text))
    return frozenset(found)


def _are_written_out(atoms: Collection[str], used: Collection[str]) -> bool:
    """Whether the question names the units in words: "in meters and seconds" for m and s."""
    named: set[str] = set()
    for word in used:
        if len(word) > 2:
            try:
                named |= {unit.text for unit in unit_readings(word)}
            except UnitError:
                continue
    return all(atom in named for atom in atoms)


# Numbers that stand in an expression which a planner wrote.


def unquoted_number(expression: Expression, quotes: dict[str, str], question: str) -> Problem | None:
    """The first number of an expression that is neither structural nor said by the words quoted for it."""
    for value in loose_numbers(expression):
        quote = next((words for number, words in quotes.items() if _is_number(number, value)), None)
        if quote is None:
            return Problem(
                "number_without_source",
                f"{value:g} has no origin: use a value by its name, or quote the words of the question that say it "
                f'(quotes: {{"{value:g}": "…"}})',
            )
        problem = quote_problem(quote, value, question)
        if problem is not None:
            return problem
    return None


def _is_number(text: str, value: float) -> bool:
    try:
        return is_close(float(Fraction(text.strip())), value)
    except (ValueError, ZeroDivisionError, OverflowError):
        return False


def loose_numbers(expression: Expression) -> Iterator[float]:
    """The numbers of an expression that say how much there is of something."""
    match expression:
        case Number(value):
            if float(value) not in _STRUCTURAL:
                yield float(value)
        case Measure(number):
            yield float(number.value)
        case Power(base, exponent):
            yield from loose_numbers(base)
            if not _is_plain_exponent(exponent):
                yield from loose_numbers(exponent)
        case Divide(Number(above), Number(below)) if below and _is_fraction(above, below):
            yield float(above) / float(below)
        case _:
            for part in children(expression):
                yield from loose_numbers(part)


def _is_fraction(above: int | Decimal, below: int | Decimal) -> bool:
    """Whether a quotient of two numbers is one number to its writer, as 2/3 is; one half is structural."""
    return isinstance(above, int) and isinstance(below, int) and not (above <= 2 and below <= 2)


def _is_plain_exponent(exponent: Expression) -> bool:
    match exponent:
        case Number(int() as value):
            return value <= _LARGEST_EXPONENT
        case Number(value):
            return float(value) in (0.5, 1.5)
        case Negate(inner):
            return _is_plain_exponent(inner)
        case Divide(Number(int() as above), Number(int() as below)):
            return above <= _LARGEST_EXPONENT and below in _PARTS_OF_EXPONENTS
    return False


def is_plain_arithmetic(expression: Expression, dimensions: Mapping[str, Dimension]) -> bool:
    """Whether an expression only counts, adds up and compares things of one kind. What goes beyond (a product of two
    quantities, a square, a sine) says how the world is, which is for formulas to say."""
    parts = children(expression)
    match expression:
        case Call(function, _) if function not in _PLAIN_FUNCTIONS:
            return False
        case Power() | Series() | Piecewise():
            return False
        case Multiply(factors) if sum(not _is_pure(each, dimensions) for each in factors) > 1:
            return False
        case Divide(above, below) if not _is_pure(below, dimensions):
            if _dimension(above, dimensions) != _dimension(below, dimensions):
                return False
    return all(is_plain_arithmetic(each, dimensions) for each in parts)


def _is_pure(expression: Expression, dimensions: Mapping[str, Dimension]) -> bool:
    found = _dimension(expression, dimensions)
    return found is not None and found.is_dimensionless


def _dimension(expression: Expression, dimensions: Mapping[str, Dimension]) -> Dimension | None:
    report = check_dimensions(Equation(Symbol(_WHOLE), expression), dimensions)
    return None if report.status == "inconsistent" else report.dimensions.get(_WHOLE)
