"""The numbers an episode may use, each with its origin, and the search for the origin of a number. Invents none."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from mathrag.errors import UnitError
from mathrag.knowledge.units import difference_of
from mathrag.language.folding import is_invisible
from mathrag.language.quantities import Mention, find_quantities
from mathrag.language.spoken_numbers import digits_as_seen, spoken_numbers
from mathrag.language.word_classes import word_class, word_list
from mathrag.reason.agent.other_languages import unit_behind, with_decimal_points, words_for_numbers
from mathrag.reason.agent.seams import FoundConstant, Source
from mathrag.reason.question.origins import is_said, origin_of
from mathrag.types.answer import Bound, Choice, Provenance, Step
from mathrag.types.expression import Divide, Equation, Expression, Negate, Number, walk
from mathrag.types.quantity import NO_UNIT, Dimension, Quantity, Unit
from mathrag.types.question import Question

SAME = 1e-9
# Far more numbers than a question has; a hostile one must not make every look-up slow.
_MOST_SOURCES = 400


class Ledger:
    """Sources in the order they came up. A number without one does not exist for the episode."""

    def __init__(self) -> None:
        self._sources: dict[str, Source] = {}
        self._counts: dict[str, int] = {}

    def __iter__(self) -> Iterator[Source]:
        return iter(self._sources.values())

    def get(self, identifier: str) -> Source | None:
        """The source with this name."""
        return self._sources.get(identifier)

    def add(
        self,
        prefix: str,
        quantities: tuple[Quantity, ...],
        *,
        provenance: Provenance,
        significant_figures: int | None = None,
        may_be_rounded: bool = False,
        symbol: str = "",
    ) -> Source | None:
        """Enter a number, unless an equal one of the same origin is there or there are far too many."""
        finite = tuple(quantity for quantity in quantities if is_finite(quantity.value))
        if not finite or (prefix == "given" and len(self._sources) >= _MOST_SOURCES):
            return None
        for source in self._sources.values():
            if source.provenance == provenance and all(quantity in source.quantities for quantity in finite):
                return source
        self._counts[prefix] = self._counts.get(prefix, 0) + 1
        identifier = f"{prefix}_{self._counts[prefix]}"
        source = Source(identifier, finite, provenance, significant_figures, may_be_rounded, symbol)
        self._sources[identifier] = source
        return source

    def add_question(self, question: Question) -> None:
        """Every value that a question states or implies, and how many equal things it speaks of."""
        for given in question.givens:
            provenance = origin_of(given)
            self.add(
                "given",
                given.quantities,
                provenance=provenance,
                significant_figures=given.significant_figures,
                symbol=given.symbol,
            )
            if given.count != 1:
                self.add("count", (Quantity(given.count),), provenance=provenance)

    def add_constant(self, constant: FoundConstant) -> Source | None:
        """A constant that was retrieved."""
        return self.add(
            "constant",
            (constant.quantity,),
            provenance=constant.provenance,
            significant_figures=constant.significant_figures,
            may_be_rounded=True,
            symbol=constant.symbol,
        )

    def add_step(self, step: Step) -> None:
        """The result of a call, and the constants that its tool brought along."""
        self.add(
            "result",
            (step.result, *step.others),
            provenance=Provenance("derived", f"derived in step {step.number}", step=step.number),
            significant_figures=step.significant_figures,
            may_be_rounded=True,
            symbol=step.target,
        )
        for bound in step.bindings:
            if bound.quantity is not None and bound.provenance.origin in ("constant", "document", "assumed"):
                self._add_bound("constant", bound)

    def add_choice(self, choice: Choice, *, question: str) -> None:
        """The values of a suggestion: they come from the question by rules, in the reading that fits the formula.

        What claims to come from the question must quote it.
        """
        for step in choice.steps:
            for bound in step.bindings:
                origin = bound.provenance.origin
                is_quoted = origin not in ("question", "implied") or is_said(bound.provenance, question)
                # Constants are retrieved, results computed: a suggestion supplies neither.
                if bound.quantity is not None and origin not in ("derived", "constant", "document") and is_quoted:
                    self._add_bound("binding", bound)

    def _add_bound(self, prefix: str, bound: Bound) -> None:
        if bound.quantity is not None:
            self.add(
                prefix,
                (bound.quantity,),
                provenance=bound.provenance,
                significant_figures=bound.significant_figures,
                may_be_rounded=prefix == "constant",
                symbol=bound.symbol,
            )

    def said_by_user(self) -> tuple[Source, ...]:
        """What the question states and the user pinned: no constants, no results."""
        return tuple(source for source in self if source.provenance.origin in ("question", "implied", "pinned"))

    def matching(self, quantity: Quantity) -> Iterator[tuple[Source, Quantity]]:
        """Sources that state the same quantity, in whatever unit, with the reading that does."""
        for source in self._sources.values():
            for reading in source.quantities:
                if is_same(reading, quantity):
                    yield source, reading
                    break

    def written_as(self, value: float, *, dimension: Dimension | None) -> Iterator[tuple[Source, Quantity]]:
        """Sources whose number reads the same, whatever its unit, with a reading of the dimension."""
        for source in self._sources.values():
            for reading in source.quantities:
                fits = dimension is None or reading.dimension == dimension
                if fits and is_close(float(reading.value), value):
                    yield source, reading
                    break


def is_finite(value: object) -> bool:
    """Whether it is a number that a float can hold; a truth value is none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def is_close(first: float, second: float) -> bool:
    """Equal but for the last digits of a float; zero equals only zero, and what overflowed equals nothing."""
    return math.isfinite(first) and math.isclose(first, second, rel_tol=SAME, abs_tol=0.0)


def is_same(first: Quantity, second: Quantity) -> bool:
    """One quantity, in whatever units."""
    if first.unit == second.unit:
        return is_close(float(first.value), float(second.value))
    return first.dimension == second.dimension and is_close(first.si_value, second.si_value)


def in_unit(quantity: Quantity, unit: Unit) -> float | None:
    """Its number in another unit of the same dimension."""
    if quantity.unit == unit:
        return float(quantity.value)
    if quantity.dimension != unit.dimension or unit.scale == 0:
        return None
    return (quantity.si_value - unit.offset) / unit.scale


def is_rounded(shown: float, value: float) -> bool:
    """Whether `shown` is `value` rounded to two or more significant figures."""
    if is_close(shown, value):
        return True
    if value == 0 or not (math.isfinite(value) and math.isfinite(shown)):
        return False
    digits = repr(abs(shown)).split("e")[0].replace(".", "").strip("0")
    figures = max(2, len(digits))
    place = math.floor(math.log10(abs(value))) - figures + 1
    return abs(shown - value) <= 0.5 * 10.0**place * (1 + SAME)


# Whether the numbers in a sentence all have a source: read as a person would read them, words and signs included.

LONGEST_TEXT = 20_000
_WORD = re.compile(r"[^\s,;:()\[\]{}\"'!?]+")
_LETTERS = re.compile(r"[^\W\d_]+")
_RAISED = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹")
_STEP = re.compile(r"\bsteps?\s+$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class KnownNumbers:
    """What a sentence may quote: sources, numbers that stand in formulas, and pieces of text taken over verbatim.

    `names` are symbols and units that have digits in them (`v_2`, `m^2`). `lines` are formulas and working as shown.
    `words` are those of the question and of the formulas found: they may say "half-life" where these do. A text that
    `may_count` may say "two values are missing": that is no result. A text that `is_foreign` may be in another language
    than English, where decimals stand behind a comma.
    """

    sources: tuple[Source, ...] = ()
    coefficients: frozenset[float] = frozenset()
    names: frozenset[str] = frozenset()
    lines: tuple[str, ...] = ()
    steps: int = 0
    words: frozenset[str] = frozenset()
    may_count: bool = False
    is_foreign: bool = False


def coefficients_of(equations: Iterable[Equation]) -> frozenset[float]:
    """The numbers that stand in formulas, fractions of two of them included."""
    found: set[float] = set()
    for equation in equations:
        for side in (equation.left, equation.right):
            for node in walk(side):
                value = _literal(node)
                if value is not None:
                    found.add(value)
    return frozenset(found)


def _literal(node: Expression) -> float | None:
    match node:
        case Number(int() | Decimal() as value):
            return _as_float(value)
        case Divide(Number(above), Number(below)) if below:
            return _as_float(Decimal(above) / Decimal(below))
        case Negate(Number(value)):
            return _as_float(-value)
    return None


def _as_float(value: int | Decimal) -> float | None:
    try:
        return float(value)
    except OverflowError:
        return None


def has_numbers(text: str, *, words: frozenset[str] = frozenset()) -> bool:
    """Whether any number stands in a text, in digits of any script or in words, but for known `words`."""
    return bool(unsourced_numbers(text, KnownNumbers(words=words)))


def unsourced_numbers(text: str, known: KnownNumbers) -> tuple[str, ...]:
    """The numbers of a text that no source explains, as written. A text too long to be read is one such."""
    if len(text) > LONGEST_TEXT:
        return ("a text too long to be checked",)
    # A full-width or mathematical digit is a digit to the reader, and what cannot be seen parts no number.
    shown = _without_lines(_normal(text), known.lines)
    shown = _without_counts(shown) if known.may_count else shown
    shown = with_decimal_points(shown) if known.is_foreign else shown
    try:
        mentions = find_quantities(shown)
    except UnitError as error:
        return (str(error),)
    unexplained = [mention.text for mention in mentions if not _is_explained(mention, shown, known)]
    strays = _strays(shown, mentions, known)
    foreign = words_for_numbers(shown) if known.is_foreign else ()
    said = [each for each in foreign if each.lower() not in known.words]
    return tuple(dict.fromkeys((*unexplained, *strays, *_spoken(shown, mentions, known), *said)))


def _without_counts(text: str) -> str:
    """A text without "two values" and "three unknown quantities": what a question lacks may be counted in words. "Five
    joules", "five apples" and "it is five" are results, and stay."""
    small, counted = word_list("numbers.ones")[1:], word_class("numbers.counted")
    words = list(_LETTERS.finditer(text))
    kept = list(text)
    for place, match in enumerate(words):
        behind = [each.group().casefold() for each in words[place + 1 : place + 3]]
        is_count = bool(behind) and (
            behind[0] in counted or (behind[-1] in counted and not spoken_numbers(behind[0], frozenset()))
        )
        if match.group().casefold() in small and is_count and text[match.end() : match.end() + 1] == " ":
            kept[match.start() : match.end()] = "…" * len(match.group())
    return "".join(kept)


def _spoken(text: str, mentions: Collection[Mention], known: KnownNumbers) -> list[str]:
    """Numbers in words beyond those that were read as mentions, which have been looked at."""
    rest = list(text)
    for mention in mentions:
        rest[mention.start : mention.end] = " " * (mention.end - mention.start)
    return list(spoken_numbers("".join(rest), known.words))


def numbers_not_in(text: str, original: str) -> tuple[str, ...]:
    """The numbers of a text whose value the original does not have; units may be in another language there."""
    if len(text) > LONGEST_TEXT:
        return ("a text too long to be checked",)
    try:
        mentions, found = find_quantities(_normal(original)), find_quantities(_normal(text))
    except UnitError as error:
        return (str(error),)
    values = frozenset(float(mention.value) for mention in mentions if is_finite(mention.value))
    return tuple(
        mention.text for mention in found if not is_finite(mention.value) or float(mention.value) not in values
    )


def quotes_source(text: str, source: Source, *, is_foreign: bool = False) -> bool:
    """Whether a sentence states the value of this source."""
    if len(text) > LONGEST_TEXT:
        return False
    shown = with_decimal_points(_normal(text)) if is_foreign else _normal(text)
    try:
        mentions = find_quantities(shown)
    except UnitError:
        return False
    read = (_with_foreign_unit(mention, shown) if is_foreign else mention for mention in mentions)
    return any(_is_value_of(mention, source) for mention in read if mention is not None)


def visible(text: str) -> str:
    """A text without what cannot be seen: an invisible sign inside a number would part it for some readers only."""
    return "".join(character for character in text if not is_invisible(character))


def _normal(text: str) -> str:
    """As it looks to a reader: marks that strike digits through or frame them part no number either."""
    if text.isascii():
        return text
    kept = "".join(character for character in visible(text) if unicodedata.category(character) not in ("Mn", "Me"))
    return digits_as_seen(kept)


def _without_lines(text: str, lines: Collection[str]) -> str:
    for line in sorted(lines, key=len, reverse=True):
        # A bare number or a short word is no formula: it must be explained like any other.
        if len(line) >= 3 and any(mark in line for mark in "=≈") and any(letter.isalpha() for letter in line):
            text = text.replace(line, " … ")
    return text


def _is_explained(mention: Mention, text: str, known: KnownNumbers) -> bool:
    if mention.kind == "declined":
        return False
    if mention.kind == "label" and 1 <= mention.value <= known.steps and _STEP.search(text[: mention.start][-12:]):
        return True
    word = _word_around(text, mention.start)
    if mention.kind == "label" and word in known.names:
        return True
    if not mention.units and any(is_close(float(mention.value), value) for value in known.coefficients):
        return True
    read = _with_foreign_unit(mention, text) if known.is_foreign else mention
    return read is not None and any(_is_value_of(read, source) for source in known.sources)


def _with_foreign_unit(mention: Mention, text: str) -> Mention | None:
    """A bare number with the unit that the word behind it names in another language; None where that may be any."""
    unit = None if mention.units or mention.rare_units else unit_behind(text, mention.end)
    if isinstance(unit, str):
        return None
    return mention if unit is None else replace(mention, units=(unit,))


def _is_value_of(mention: Mention, source: Source) -> bool:
    if mention.kind in ("declined", "date"):
        return False
    try:
        value = float(mention.value)
    except OverflowError:
        return False
    for quantity in source.quantities:
        if mention.uncertainty is not None and not _is_uncertainty_of(mention, quantity):
            continue
        if mention.units or mention.rare_units:
            numbers = [in_unit(quantity, unit) for unit in _units_meant(mention, quantity)]
        else:
            numbers = [float(quantity.value), in_unit(quantity, NO_UNIT)]
        for number in numbers:
            if number is not None and (
                is_close(value, number) or (source.may_be_rounded and is_rounded(value, number))
            ):
                return True
    return False


def _units_meant(mention: Mention, quantity: Quantity) -> tuple[Unit, ...]:
    """The units a mention can have beside this quantity: a difference of 5 K is written 5 °C too."""
    units = (*mention.units, *mention.rare_units)
    if quantity.unit.text.startswith("delta_"):
        units = tuple(difference_of(unit) for unit in units)
    return units


def _is_uncertainty_of(mention: Mention, quantity: Quantity) -> bool:
    spread, own = quantity.si_uncertainty, mention.uncertainty
    if spread is None or own is None:
        return False
    return any(is_rounded(own * abs(unit.scale), spread) for unit in mention.units or (quantity.unit,))


def _strays(text: str, mentions: Collection[Mention], known: KnownNumbers) -> list[str]:
    """Digits that are part of no mention: inside names and units, or hidden in odd characters."""
    covered = bytearray(len(text))
    for mention in mentions:
        covered[mention.start : mention.end] = b"\x01" * (mention.end - mention.start)
    found: list[str] = []
    for place, character in enumerate(text):
        if covered[place] or not _is_numeric(character):
            continue
        word = _word_around(text, place)
        is_power = not character.isascii() and _raised_number(text, place) in known.coefficients
        if not is_power and word.strip(".") not in known.names and word not in found:
            found.append(word)
    return found


def _raised_number(text: str, place: int) -> int | None:
    """The number of a run of raised digits right behind a letter or a bracket; None for any other."""
    start, end = place, place
    while start > 0 and text[start - 1] in _RAISED:
        start -= 1
    while end < len(text) and text[end] in _RAISED:
        end += 1
    is_exponent = start < end and start > 0 and (text[start - 1].isalpha() or text[start - 1] in ")]}")
    return int("".join(str(unicodedata.digit(each)) for each in text[start:end])) if is_exponent else None


def _is_numeric(character: str) -> bool:
    if character.isascii():
        return character.isdecimal()
    # Han numerals are letters that also have a value; they are words of a language that is not read here.
    return unicodedata.category(character) in ("Nd", "Nl", "No")


def _word_around(text: str, place: int) -> str:
    start = max(0, place - 60)
    for match in _WORD.finditer(text, start, place + 60):
        if match.start() <= place < match.end():
            return match.group()
    return text[place]
