"""Numbers that words of the question say: a planner names the words, and only what they say counts.

"A third-order fringe" says 3, "midway" 1/2, "comes to rest" 0, "(3.0 i + 4.0 j) m/s" 3.0 and 4.0. Numbers in words come
from a data file; everything else must stand there in digits.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import islice

from mathrag.compute.dimensions import check_dimensions
from mathrag.compute.evaluate import Failure, evaluate
from mathrag.compute.evaluate.floats import float_of
from mathrag.errors import UnitError
from mathrag.knowledge.kinds import kinds_for_words
from mathrag.knowledge.units import read_canonical_unit, unit_readings
from mathrag.language.quantities import Mention, find_quantities
from mathrag.language.spoken_numbers import digits_as_seen
from mathrag.language.word_classes import any_of, word_class, word_pairs
from mathrag.reason.agent.number_sources import is_close
from mathrag.reason.agent.seams import Problem
from mathrag.types.expression import (
    Add,
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
    equation_symbols,
    symbols_of,
    walk,
)
from mathrag.types.quantity import NO_UNIT, Dimension, Quantity, Unit

_LONGEST_QUOTE = 300
_NUMERAL = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?(?:\s?[×x·*]\s?10\s?\^?\s?\{?[-−+]?\d{1,3}\}?|[eE][-+−]?\d{1,3})?")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_ONE_OF = re.compile(rf"\b(?:{any_of('numbers.one_of')})\s+(?=[^\W\d_])", re.IGNORECASE)
_ATOM = re.compile(r"[^\W\d_]+|%|°")
_BLANKS = re.compile(r"\s+")
# Numbers that say how quantities are combined rather than how much there is of something.
_STRUCTURAL = (0.0, 1.0, 2.0)
_LARGEST_EXPONENT = 6
_PARTS_OF_EXPONENTS = (2, 3)
# A constant that is one of so many parts of a whole number is a count of something.
_COUNTED = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12)
_LARGEST_COUNT = 1e15
_MOST_STRUCTURAL = 4
_GOLDEN = (math.sqrt(5) - 1) / 2
_POINTS = 12
_ROUNDED = 1e-12
_WHOLE = "whole_expression"
_PLAIN_FUNCTIONS = ("min", "max", "abs", "floor", "ceil")


@cache
def _meant() -> dict[str, tuple[float, ...]]:
    return {
        word: tuple(float(Fraction(each)) for each in said.split())
        for word, said in word_pairs("numbers.meant").items()
    }


def passage_of(quote: str, text: str) -> str:
    """The words of a text that a quote repeats, as they stand there; empty where it does not have them, or has them
    only as a piece of a longer word or number ("5" of 250, "half" of behalf, "five" of twenty-five)."""
    wanted = _BLANKS.split(digits_as_seen(quote).replace("−", "-").strip())
    if not any(wanted) or len(quote) > _LONGEST_QUOTE:
        return ""
    seen = digits_as_seen(text)
    if len(seen) != len(text):
        # Some signs are shown as several: then the places are those of what is seen.
        text = seen
    pattern = r"\s+".join(re.escape(word).replace(r"\-", "[-−]") for word in wanted)
    for match in re.finditer(pattern, seen, re.IGNORECASE):
        if not _is_piece(match.start(), match.end(), seen):
            return text[match.start() : match.end()]
    return ""


def _is_piece(start: int, end: int, text: str) -> bool:
    if _goes_on(text, start) or _goes_on(text, end):
        return True
    said = numbers_said(text[start:end])
    return any(
        float(mention.value) not in said
        for mention in _mentions(text)
        if mention.start < end and start < mention.end and (mention.start < start or end < mention.end)
    )


def _goes_on(text: str, place: int) -> bool:
    """Whether a word, a number or a name with an index goes on over a place; a unit may stand right behind a number."""
    before, behind = text[max(0, place - 2) : place].rjust(2), text[place : place + 2].ljust(2)
    if before[1].isalnum() and behind[0].isalnum():
        return not (before[1].isdigit() and behind[0].isalpha())
    is_left = before[0].isdigit() and before[1] in ".," and behind[0].isdigit()
    return is_left or (before[1].isdigit() and behind[0] in ".," and behind[1].isdigit())


def numbers_said(quote: str) -> frozenset[float]:
    """Every number that words say: in digits, in words, by what they mean."""
    seen = digits_as_seen(quote)
    mentions = list(_mentions(seen))
    found = {float(mention.value) for mention in mentions}
    found |= {share * float(mention.value) for mention in mentions for share in _share_before(mention, seen)}
    found |= {_numeral(match.group()) for match in _NUMERAL.finditer(seen)}
    for match in _WORD.finditer(seen.casefold()):
        for word in (match.group(), *match.group().split("-")):
            found |= set(_meant().get(word, ()))
    return frozenset(found)


def _share_before(mention: Mention, text: str) -> Iterator[float]:
    """The part that the word before a number says of it, as in half a dozen."""
    before = text[: mention.start].casefold().split()
    if not mention.units and before and before[-1] in word_pairs("numbers.shares_of"):
        yield float(Fraction(word_pairs("numbers.shares_of")[before[-1]]))


def _with_ones(quote: str) -> str:
    """A quote in which "a litre" is one litre."""
    return _ONE_OF.sub("one ", quote)


def value_said(quote: str, value: float | None, question: str) -> float | Problem:
    """The number that a quote of the question says, in our own reading; where it says several, `value` tells which is
    meant, and what a direction makes negative is so by `value` alone."""
    if not passage_of(quote, question):
        return Problem("quote_not_found", f"the question does not say {quote[:80]!r}; copy its words exactly")
    mentions = [each for each in _mentions(_with_ones(quote)) if each.units]
    said = numbers_said(quote) | {float(each.value) for each in mentions}
    if value is not None:
        found = next((each for each in said if is_close(each, abs(value)) or each == value == 0), None)
        if found is not None:
            return math.copysign(found, value) if value else found
    else:
        alone = said if len(said) == 1 else _only_number(_with_ones(quote))
        if len(alone) == 1:
            return next(iter(alone))
    listed = ", ".join(f"{each:g}" for each in sorted(said)[:6])
    way = f"it says {listed}: give one of these as value" if said else "quote the words that say the number"
    wanted = "one number" if value is None else f"{value:g}"
    return Problem("number_not_quoted", f"{quote[:80]!r} does not say {wanted}; {way}")


def _only_number(quote: str) -> frozenset[float]:
    """The number that a quote says as a whole, where no other stands beside it: 36 of "three dozen"."""
    seen = digits_as_seen(quote)
    mentions = list(_mentions(seen))
    if len(mentions) != 1:
        return frozenset()
    mention = mentions[0]
    shares = list(_share_before(mention, seen))
    before = seen[: mention.start].rsplit(maxsplit=1)[:-1] if shares else [seen[: mention.start]]
    others = numbers_said(" ".join((*before, seen[mention.end :])))
    return frozenset() if others else frozenset(float(mention.value) * share for share in shares or (1.0,))


def quantity_meant(quote: str, question: str) -> Quantity | None:
    """What words such as "a right angle" say, unit and all."""
    words = " ".join(word for word in quote.casefold().split() if word not in word_class("numbers.one_of"))
    said = word_pairs("numbers.meant_quantities").get(words)
    if said is None or not passage_of(quote, question):
        return None
    number, unit = said.split()
    return Quantity(float(number), read_canonical_unit(unit))


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
    if not passage_of(quote, question):
        return Problem("quote_not_found", f"the question does not say {quote[:80]!r}; copy its words exactly")
    if any(is_close(said, abs(value)) or (said == 0 and value == 0) for said in numbers_said(quote)):
        return None
    return Problem("number_not_quoted", f"{quote[:80]!r} does not say {value:g}")


def is_lack_of_something_else(quote: str, dimension: Dimension) -> bool:
    """Whether a quote says that there is none of a quantity, but of another than is meant: "no load" is no speed."""
    words = [match.group() for match in _WORD.finditer(digits_as_seen(quote).casefold())]
    for place, word in enumerate(words[:-1]):
        if word in word_class("numbers.lacking"):
            named = {kind.dimension for size in (1, 2) for kind in kinds_for_words(" ".join(words[place + 1 :][:size]))}
            if named and not dimension.is_dimensionless and dimension not in named:
                return True
    return False


def unit_called(text: str) -> Unit | Problem:
    """The unit that a text names, most usual reading first; none for an empty text."""
    if not text:
        return NO_UNIT
    try:
        return unit_readings(text)[0]
    except UnitError as error:
        return Problem("unknown_unit", str(error))


def quoted_unit(text: str, quote: str, question: str) -> Unit | Problem:
    """The unit of a quoted value: one that the quote or the question uses, or is made of such."""
    mentions = list(_mentions(_with_ones(quote)))
    if not text:
        # A number of turns may be meant without its unit; so many seconds may not.
        units = [mention.units[0] for mention in mentions if mention.units]
        return units[0] if len(units) == 1 and not units[0].dimension.is_dimensionless else NO_UNIT
    try:
        readings = unit_readings(text)
    except UnitError as error:
        return Problem("unknown_unit", str(error))
    for mention in mentions:
        for unit in (*mention.units, *mention.rare_units):
            if any(_is_same_unit(each, unit) for each in readings):
                return unit
    if mentions and not numbers_said(quote):
        return Problem("unit_not_in_question", f"the quote says {mentions[0].text}; take that unit")
    used = _unit_words(question)
    foreign = [atom for atom in _ATOM.findall(text) if atom not in used]
    if foreign and not _are_written_out(foreign, used):
        return Problem(
            "unit_not_in_question", f"the question does not use the unit {foreign[0]}; take the one that stands there"
        )
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


def cancels(equation: Equation, name: str) -> bool:
    """Whether a symbol that stands on both sides says nothing: what is left without it holds as well (2*m = m*x)."""
    if not {name} & set(symbols_of(equation.left)) & set(symbols_of(equation.right)):
        return False
    names = equation_symbols(equation)
    ratios = []
    for point in islice(_test_points(names), 2):
        sides = [
            (evaluate(equation.left, {**point, name: value}), evaluate(equation.right, {**point, name: value}))
            for value in (1.1, 2.2, 4.4)
        ]
        if any(isinstance(each, Failure) for pair in sides for each in pair):
            return False
        gaps = [float_of(left) - float_of(right) for left, right in sides]  # type: ignore[arg-type]
        if 0.0 in gaps:
            return False
        ratios += [gaps[1] / gaps[0], gaps[2] / gaps[1]]
    return all(math.isclose(ratios[0], each, rel_tol=1e-9) for each in ratios)


# Numbers that stand in an expression which a planner wrote.


def unquoted_number(
    expression: Expression, quotes: dict[str, str], question: str, *, all_numbers: bool = False
) -> Problem | None:
    """The first number of an expression that is neither structural nor said by the words quoted for it. Where
    `all_numbers` need somebody who says them, ones and twos are no more structural than others."""
    numbers = [float_of(node.value) for node in walk(expression) if isinstance(node, Number)] if all_numbers else []
    for value in (*loose_numbers(expression), *(each for each in numbers if each in _STRUCTURAL)):
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
    """The numbers of an expression that say how much there is of something. Those that only stand together count as the
    one that they make: 1 + 1 + 1 is 3, and twice twice twice a value is 8 times it."""
    match expression:
        case Number(value):
            if float_of(value) not in _STRUCTURAL:
                yield float_of(value)
        case Measure(number):
            yield float_of(number.value)
        case Divide(Number(above), Number(below)) if below and _is_fraction(above, below):
            yield float_of(above) / float_of(below)
        case _ if not symbols_of(expression):
            yield from _constant_numbers(expression)
        case Power(base, exponent):
            yield from loose_numbers(base)
            if not _is_plain_exponent(exponent):
                yield from loose_numbers(exponent)
        case Add() | Multiply() | Divide() | Negate():
            plain, rest = _parted(expression)
            join = Add if isinstance(expression, Add) else Multiply
            yield from loose_numbers(join(tuple(plain)) if len(plain) > 1 else plain[0] if plain else Number(1))
            for part in rest:
                yield from loose_numbers(part)
        case _:
            for part in children(expression):
                yield from loose_numbers(part)


def _constant_numbers(expression: Expression) -> Iterator[float]:
    """What an expression without any value in it says. Numbers that are not structural must each be said by somebody;
    ones and twos alone say what they come to, where that is a count or they are many."""
    numbers = [float_of(node.value) for node in walk(expression) if isinstance(node, Number)]
    said = [value for value in numbers if value not in _STRUCTURAL]
    found = evaluate(expression, {})
    value = math.inf if isinstance(found, Failure) else abs(float_of(found))
    is_count = value > _LARGEST_COUNT or any(is_close(value * each, round(value * each)) for each in _COUNTED)
    if (is_count and not said) or len(numbers) - len(said) > len(said) + _MOST_STRUCTURAL:
        if value not in (*_STRUCTURAL, 0.5):
            yield value
        return
    for part in children(expression):
        yield from loose_numbers(part)


def _parted(expression: Expression) -> tuple[list[Expression], list[Expression]]:
    """The terms of a sum, or the factors of a product and of what it is divided by: ones and twos without a value, and
    all the rest."""
    plain: list[Expression] = []
    rest: list[Expression] = []
    is_sum = isinstance(expression, Add)
    waiting = [(expression, False)]
    while waiting:
        each, is_below = waiting.pop()
        match each:
            case _ if _is_structural(each):
                plain.append(Divide(Number(1), each) if is_below else each)
            case Add(terms) if is_sum:
                waiting += [(term, False) for term in terms]
            case Negate(inner):
                waiting.append((inner, is_below))
            case Multiply(factors) if not is_sum:
                waiting += [(factor, is_below) for factor in factors]
            case Divide(above, below) if not is_sum and symbols_of(each):
                waiting += [(above, is_below), (below, not is_below)]
            case _:
                rest.append(each)
    return plain, rest


def _is_structural(expression: Expression) -> bool:
    """Whether it has no value in it and no numbers but ones and twos."""
    numbers = [float_of(node.value) for node in walk(expression) if isinstance(node, Number)]
    return not symbols_of(expression) and all(value in _STRUCTURAL for value in numbers)


def constant_in_disguise(expression: Expression, *, zero: bool = False) -> Expression | None:
    """A part of an expression that has values in it and does not depend on them, as x/x and x**0: a number from
    nowhere. Nothing of something (0 * x, x - x) counts only where `zero` does."""
    # Nobody can change a part, so it is known by its place in memory: to compare two of them takes long.
    waiting = {id(part): part for part in walk(expression) if not isinstance(part, Symbol) and symbols_of(part)}
    seen: dict[int, list[tuple[float, float]]] = {}
    for point in _test_points(symbols_of(expression)):
        for place, part in list(waiting.items()):
            value = evaluate(part, point)
            if isinstance(value, Failure):
                continue
            values = seen.setdefault(place, [])
            values.append((float_of(value), _rounding(part, point)))
            if not _is_constant(values):
                del waiting[place]
    for place, part in waiting.items():
        values = seen.get(place, [])
        if len(values) > 1 and (zero or any(abs(value) > rounding for value, rounding in values)):
            return part
    return None


def _test_points(names: Sequence[str]) -> Iterator[dict[str, Fraction]]:
    """Values for names, no two of which go together: neither their sums and differences nor their ratios stay the same
    or keep an order. Fractions, so that what cancels does so exactly; small, large and negative ones, for what holds
    for such alone; and whole ones."""
    for at in range(_POINTS):
        # Multiples of irrational numbers are spread evenly and never repeat.
        spread = [((place + 1) * _GOLDEN + (at + 1) * math.sqrt(place + 2)) % 1.0 for place in range(len(names))]
        size = (1.0, 1e-4, 1e3)[at % 3]
        yield {
            name: Fraction(max(1, round(1e6 * size * 10 ** (4 * part - 2))), 10**6) * (-1) ** (at // 6 * place)
            for place, (name, part) in enumerate(zip(names, spread, strict=True))
        }
    for at in range(3):
        # With divisors in common.
        yield {name: Fraction(12 * (at + 1) * (place + 1 + at * place)) for place, name in enumerate(names)}
        yield {name: Fraction(-1 - (3 * place * (at + 1) + at), 7) for place, name in enumerate(names)}


def _rounding(part: Expression, point: Mapping[str, Fraction]) -> float:
    """How far a value may be off by the rounding of the terms that cancel in it."""
    terms = [term for node in walk(part) if isinstance(node, Add) for term in children(node)]
    sizes = [abs(float_of(value)) for term in terms if not isinstance(value := evaluate(term, point), Failure)]
    return _ROUNDED * max((each for each in sizes if math.isfinite(each)), default=0.0)


def _is_constant(values: Sequence[tuple[float, float]]) -> bool:
    """Whether all values are one, whatever their signs: |x|/x is no more than a sign."""
    first, rounding = abs(values[0][0]), values[0][1]
    return all(
        math.isclose(first, abs(value), rel_tol=_ROUNDED, abs_tol=max(rounding, other)) for value, other in values[1:]
    )


def _is_fraction(above: int | Decimal, below: int | Decimal) -> bool:
    """Whether a quotient of two numbers is one number to its writer, as 2/3 is; one half is structural."""
    return isinstance(above, int) and isinstance(below, int) and not (above <= 2 and below <= 2)


def _is_plain_exponent(exponent: Expression) -> bool:
    match exponent:
        case Number(int() as value):
            return 0 < value <= _LARGEST_EXPONENT
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
