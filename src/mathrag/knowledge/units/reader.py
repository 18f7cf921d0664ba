"""Read unit text: the whole way from what a person typed to a `Unit`, and the choice between readings."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, lru_cache

from mathrag.errors import AmbiguousUnitError, UnitError
from mathrag.knowledge.units import names
from mathrag.knowledge.units.latex import plain_unit_text
from mathrag.knowledge.units.names import Atom, NameReading, Phrase, UnitToken, readings_of, tokenize
from mathrag.knowledge.units.table import factor_of, units_data
from mathrag.types.quantity import DIMENSIONLESS, NO_UNIT, Dimension, Unit

# The grammar of unit text: tokens to a list of names with exponents. Knows no factors and chooses no reading.
#
# product := ["1"] ("/" | "per") factor … | factor {["*" | "." | "-"] factor | ("/" | "per") factor} factor :=
# ["square" | "cubic"] primary [exponent | "squared" | "cubed"] primary := name | phrase of several names | "("
# product ")" | "√" primary
#
# What follows a slash without brackets (`J/mol K`, `J/kg·K`) is written in two senses, so a term carries two
# exponents.

MAXIMAL_CHARACTERS = 256
MAXIMAL_DEPTH = 16
MAXIMAL_TERMS = 24
MAXIMAL_EXPONENT = 24
MAXIMAL_DENOMINATOR = 12

_POWER_BEFORE = {"square": 2, "sq": 2, "cubic": 3, "cu": 3}
_POWER_AFTER = {"squared": 2, "cubed": 3}
_ROOT = Fraction(1, 2)
_OPERATORS = frozenset("*/^-.")
# Marks that people glue the next number to: the 30 of `5°30'` and of `5'30"` is no power.
_MARKS = frozenset("'’′\"”″%$°º˚")


# A thing that is counted: a plain number, which leaves no trace in a product.
COUNTED = NameReading((), plain=True)


@dataclass(frozen=True, slots=True)
class Term:
    """A spelling with its exponent: `joint` when brackets are understood after a slash, `strict` from left to right."""

    spelling: str
    readings: tuple[NameReading, ...]
    joint: Fraction
    strict: Fraction
    position: int


class UnitParser:
    """One pass over the tokens of a unit text.

    Without `suggests`, unknown names are refused without a hint, fast. In `canonical` text a
    product is a product: `ft*lb` is not the torque that a person means by it. `is_counted` says whether an unknown
    name, above or below the line, is a thing that is counted (`threads/cm`, `kg per machine-hour`).
    """

    def __init__(
        self,
        source: str,
        tokens: list[UnitToken],
        *,
        suggests: bool = True,
        canonical: bool = False,
        is_counted: Callable[[str, bool], bool] | None = None,
    ) -> None:
        self.suggests = suggests
        self.canonical = canonical
        self.is_counted = is_counted
        self.is_below = self.is_beside = False
        self.source = source
        self.tokens = tokens
        self.index = 0
        self.count = 0

    def parse_all(self) -> list[Term]:
        """The whole text; anything left over is an error."""
        terms = self.product(0)
        if self.index < len(self.tokens):
            raise self.unexpected(self.tokens[self.index])
        return terms

    def peek(self, ahead: int = 0) -> UnitToken | None:
        """The token to come, if there is one."""
        place = self.index + ahead
        return self.tokens[place] if place < len(self.tokens) else None

    def is_operator(self, text: str, ahead: int = 0) -> bool:
        """Whether the token to come is this operator."""
        token = self.peek(ahead)
        return token is not None and token.kind == "operator" and token.text == text

    def is_word(self, word: str) -> bool:
        """Whether the token to come is this word, in any case."""
        token = self.peek()
        return token is not None and token.kind == "name" and token.text.lower() == word

    def product(self, depth: int) -> list[Term]:
        """Factors up to a closing bracket or the end."""
        if depth > MAXIMAL_DEPTH:
            raise self.error("brackets are nested too deeply for a unit", self.peek())
        terms: list[Term] = []
        # What opens a bracket below the line stands below it.
        is_inside = self.is_below
        self.skip_leading_one()
        below = contested = False
        while (token := self.peek()) is not None and not self.is_operator(")"):
            if self.is_division():
                contested = token.kind == "operator"
                below = self.is_below = True
                self.is_beside = False
                self.index += 1
                factor = self.factor(depth)
                terms += [_inverted(term) for term in factor]
                continue
            if self.skip_times(token, bool(terms)):
                continue
            self.is_below, self.is_beside = is_inside and not terms, bool(terms)
            factor = self.factor(depth)
            if below:
                factor = [
                    replace(term, joint=-term.joint, strict=term.strict if contested else -term.strict)
                    for term in factor
                ]
            terms += factor
        return terms

    def is_division(self) -> bool:
        """Whether a slash or the word `per` comes next (but not `per cent`)."""
        if self.is_operator("/"):
            return True
        return self.is_word("per") and not any(self.matches(phrase) for phrase in names.phrases_from("per"))

    def skip_leading_one(self) -> None:
        """The 1 of `1/s`."""
        token = self.peek()
        if token is not None and token.kind == "number":
            if token.text != "1" or not (self.is_operator("/", 1) or self.follows_per(1)):
                raise self.error(f"the number {token.text[:20]} belongs to the value, not to the unit", token)
            self.index += 1

    def follows_per(self, ahead: int) -> bool:
        """Whether the word `per` stands there."""
        token = self.peek(ahead)
        return token is not None and token.kind == "name" and token.text.lower() == "per"

    def skip_times(self, token: UnitToken, after_factor: bool) -> bool:
        """Pass over a multiplication sign, or the full stop of an abbreviation at the end."""
        if token.kind != "operator" or token.text not in ("*", ".", "-"):
            return False
        following = self.peek(1)
        last = following is None or (following.kind == "operator" and following.text == ")")
        starts = following is not None and (following.kind == "name" or following.text in ("(", "1"))
        if not after_factor or not (starts or (last and token.text == ".") or (token.text == "." and not last)):
            raise self.unexpected(token)
        self.index += 1
        return True

    def factor(self, depth: int) -> list[Term]:
        """A primary with its powers."""
        token = self.peek()
        if token is None:
            raise self.error("the unit ends where a name should follow", None)
        before = Fraction(1)
        if token.kind == "name" and token.text.lower() in _POWER_BEFORE and self.name_follows():
            before = Fraction(_POWER_BEFORE[token.text.lower()])
            self.index += 1
            if self.is_operator(".") or self.is_operator("-"):
                self.index += 1
        terms = self.primary(depth)
        power = before * self.exponent()
        return [self.raised(term, power) for term in terms]

    def name_follows(self) -> bool:
        """Whether a name comes after the present token (past a full stop)."""
        following = self.peek(2) if self.is_operator(".", 1) or self.is_operator("-", 1) else self.peek(1)
        return following is not None and following.kind == "name"

    def primary(self, depth: int) -> list[Term]:
        """A name, a phrase or a bracket."""
        token = self.tokens[self.index]
        if token.kind == "operator" and token.text == "(":
            self.index += 1
            terms = self.product(depth + 1)
            if not self.is_operator(")"):
                raise self.error("a bracket is not closed", token)
            if not terms:
                raise self.error("there is nothing between the brackets", token)
            self.index += 1
            return terms
        if token.kind == "name" and token.text in ("√", "sqrt"):
            self.index += 1
            if depth > MAXIMAL_DEPTH or self.peek() is None:
                raise self.error("there is no unit under the root", token)
            return [self.raised(term, _ROOT) for term in self.primary(depth + 1)]
        if token.kind != "name":
            raise self.unexpected(token)
        self.count += 1
        if self.count > MAXIMAL_TERMS:
            raise self.error(f"more than {MAXIMAL_TERMS} factors are too many for a unit", token)
        return [self.named(token)]

    def named(self, token: UnitToken) -> Term:
        """The longest phrase from here that names a unit, else the single name."""
        for phrase in names.phrases_from(token.text):
            if self.canonical and not _OPERATORS.isdisjoint(phrase.texts):
                continue
            if self.matches(phrase) and not self.is_raised(len(phrase.texts), names.readings_of(phrase.spelling)):
                self.index += len(phrase.texts)
                readings = names.readings_of(phrase.spelling)
                return Term(phrase.spelling, readings, Fraction(1), Fraction(1), token.start)
        reason = names.is_declined(token.text)
        if reason:
            raise self.error(f"the unit {token.text!r} is not read: {reason}", token)
        readings = names.readings_of(token.text)
        if not readings and self.is_counted is not None and not self.is_beside:
            # Behind a unit and a blank stands the next word of the sentence.
            readings = (COUNTED,) if self.is_counted(token.text, self.may_be_one()) else ()
        if not readings:
            hint = names.nearest(token.text) if self.suggests else ""
            meant = f"; did you mean {hint!r}?" if hint else "; write a unit such as m/s, kPa or J/(mol*K)"
            raise self.error(f"the unit {token.text[:40]!r} is not known{meant}", token)
        self.index += 1
        return Term(token.text, readings, Fraction(1), Fraction(1), token.start)

    def may_be_one(self) -> bool:
        """Whether a thing is counted by the one here: below the line, or before a hyphen (`machine-hour`)."""
        following = self.peek(1)
        return self.is_below or (self.is_operator("-", 1) and following is not None and not following.spaced)

    def matches(self, phrase: Phrase) -> bool:
        """Whether this phrase comes next."""
        for ahead, text in enumerate(phrase.texts):
            token = self.peek(ahead)
            if token is None or (token.text != text and not (phrase.is_words and token.text.lower() == text)):
                return False
        return True

    def is_raised(self, ahead: int, readings: tuple[NameReading, ...]) -> bool:
        """Whether a power follows a phrase of several units (`lb in^2`): it belongs to the last unit alone."""
        following = self.peek(ahead)
        if following is None or all(len(reading.parts) == 1 for reading in readings):
            return False
        glued = following.kind == "number" and not following.spaced
        behind = self.peek(ahead + 1)
        if following.text == "-" and behind is not None and behind.kind == "number" and not behind.spaced:
            return not following.spaced
        return following.kind == "power" or glued or following.text == "^" or following.text.lower() in _POWER_AFTER

    def exponent(self) -> Fraction:
        """`^2`, `**-1`, `⁻²`, `2` or `-2` glued to the name, `squared`; 1 when there is none."""
        token = self.peek()
        if token is None:
            return Fraction(1)
        if token.kind == "power":
            self.index += 1
            return self.checked(token.text, "1", token)
        if token.kind == "number" and not token.spaced and self.source[token.start - 1] not in _MARKS:
            self.index += 1
            return self.checked(token.text, "1", token)
        if token.kind == "name" and token.text.lower() in _POWER_AFTER:
            self.index += 1
            return Fraction(_POWER_AFTER[token.text.lower()])
        if token.kind == "operator" and token.text == "^":
            self.index += 1
            return self.written_exponent(token)
        following = self.peek(1)
        if token.text == "-" and following is not None and following.kind == "number" and not following.spaced:
            self.index += 2
            return self.checked("-" + following.text, "1", token)
        return Fraction(1)

    def written_exponent(self, caret: UnitToken) -> Fraction:
        """What follows a caret: a signed number, or one in brackets that may be a fraction."""
        bracket = self.is_operator("(")
        if bracket:
            self.index += 1
        sign = ""
        while self.is_operator("-") or self.is_operator("+"):
            if sign:
                raise self.error("an exponent has one sign", caret)
            sign = self.tokens[self.index].text
            self.index += 1
        number = self.peek()
        if number is None or number.kind not in ("number", "power"):
            raise self.error("a number should follow the power sign", caret)
        self.index += 1
        below = "1"
        if bracket:
            divisor = self.peek(1)
            if self.is_operator("/") and divisor is not None and divisor.kind == "number":
                below = divisor.text
                self.index += 2
            if not self.is_operator(")"):
                raise self.error("the bracket of the exponent is not closed", caret)
            self.index += 1
        return self.checked(("-" if sign == "-" else "") + number.text, below, caret)

    def checked(self, above: str, below: str, token: UnitToken) -> Fraction:
        """An exponent no real unit exceeds."""
        if len(above) <= 8 and len(below) <= 4:
            try:
                value = Fraction(above) / Fraction(below)
            except (ValueError, ZeroDivisionError):
                raise self.error("the exponent is not a number", token) from None
            if 0 < abs(value) <= MAXIMAL_EXPONENT and value.denominator <= MAXIMAL_DENOMINATOR:
                return value
        raise self.error(f"an exponent of a unit is not 0 and at most {MAXIMAL_EXPONENT}", token)

    def raised(self, term: Term, power: Fraction) -> Term:
        """The term to a power, within the same bounds however the powers are nested."""
        if power == 1:
            return term
        joint, strict = term.joint * power, term.strict * power
        if abs(joint) > MAXIMAL_EXPONENT or joint.denominator > MAXIMAL_DENOMINATOR:
            raise self.error(f"an exponent of a unit is at most {MAXIMAL_EXPONENT}", self.peek(-1))
        return replace(term, joint=joint, strict=strict)

    def unexpected(self, token: UnitToken) -> UnitError:
        """An error for a token that has no place here."""
        if token.kind == "number":
            return self.error(f"the number {token.text[:20]} belongs to the value, not to the unit", token)
        return self.error(f"{token.text[:20]!r} has no place here in a unit", token)

    def error(self, reason: str, token: UnitToken | None) -> UnitError:
        """An error that points at the token, or at the end."""
        return UnitError(reason, source=self.source, position=token.start if token else len(self.source))


def _inverted(term: Term) -> Term:
    return replace(term, joint=-term.joint, strict=-term.strict)


# From names with exponents to units: every reading, ranked by use. Chooses nothing; see `reader` for that.

MAXIMAL_COMBINATIONS = 96

# The difference unit that an absolute temperature becomes inside a product (J/°C).
_DIFFERENCES = {"degC": "delta_degree_Celsius", "degF": "delta_degree_Fahrenheit"}
_DIFFERENCE_TEXTS = {"degC": "delta_degC", "degF": "delta_degF"}

Parts = list[tuple[Atom, Fraction]]


@dataclass(frozen=True, slots=True)
class RankedUnit:
    """A reading. Rank 0 is what texts usually mean, 1 a rarer meaning, 2 and 3 products no known quantity has."""

    unit: Unit
    rank: int


@cache
def known_dimensions() -> frozenset[Dimension]:
    """The dimensions that quantities of real texts have."""
    found = {DIMENSIONLESS}
    for text in units_data().known:
        terms = UnitParser(text, tokenize(text), canonical=True).parse_all()
        found.add(canonical_unit(terms).dimension)
    return frozenset(found)


def canonical_unit(terms: Sequence[Term]) -> Unit:
    """The one unit meant when every name is our canonical text, from left to right as pint reads it."""
    parts: Parts = []
    for term in terms:
        parts += [(atom, power * term.strict) for atom, power in _canonical(term).parts]
    return unit_of(parts)


def _canonical(term: Term) -> NameReading:
    for reading in term.readings:
        if len(reading.parts) == 1 and reading.parts[0][0].text == term.spelling:
            return reading
    return term.readings[0]


def ranked_units(terms: Sequence[Term], source: str = "") -> tuple[RankedUnit, ...]:
    """All readings, best rank first; readings of the same worth are one."""
    return _ranked_by_key(tuple((term.spelling, term.joint, term.strict) for term in terms), source)


@lru_cache(maxsize=4096)
def _ranked_by_key(terms: tuple[tuple[str, Fraction, Fraction], ...], source: str) -> tuple[RankedUnit, ...]:
    alone = len(terms) == 1 and terms[0][1] == 1
    choices = {spelling: _readings_in(spelling, alone=alone) for spelling, _, _ in terms}
    if math.prod(len(readings) for readings in choices.values()) > MAXIMAL_COMBINATIONS:
        raise UnitError("too many ambiguous names in one unit; write out the unit you mean", source=source, position=0)
    layouts = [False, True] if any(joint != strict for _, joint, strict in terms) else [False]
    readings: list[tuple[Unit, bool]] = []
    for chosen in itertools.product(*choices.values()):
        meaning = dict(zip(choices, chosen, strict=True))
        rare = any(reading.rare for reading in chosen) or _is_odd_temperature(terms, meaning)
        for strict in layouts:
            parts: Parts = []
            for spelling, joint_power, strict_power in terms:
                power = strict_power if strict else joint_power
                parts += [(atom, exponent * power) for atom, exponent in meaning[spelling].parts]
            readings.append((unit_of(parts, source=source), rare))
    if len(readings) == 1:
        return (RankedUnit(readings[0][0], 0),)
    return _ranked(readings, single=len(terms) == 1 and layouts == [False])


def _readings_in(spelling: str, *, alone: bool) -> tuple[NameReading, ...]:
    """Meanings that a spelling can have here: some occur only on their own."""
    readings = readings_of(spelling) or (COUNTED,)
    if alone:
        return readings
    return tuple(reading for reading in readings if not reading.alone) or readings


def _is_odd_temperature(terms: tuple[tuple[str, Fraction, Fraction], ...], meaning: dict[str, NameReading]) -> bool:
    """A bare C or F beside other units above the line (`C·m`) is hardly ever a temperature."""
    above = [spelling for spelling, joint, _ in terms if joint > 0]
    return len(above) > 1 and any(
        len(spelling) == 1 and meaning[spelling].parts[0][0].text in _DIFFERENCES
        for spelling in above
        if meaning[spelling].parts
    )


def _ranked(readings: list[tuple[Unit, bool]], *, single: bool) -> tuple[RankedUnit, ...]:
    """Known dimensions first, then usual meanings; the best rank there is becomes 0."""
    known = known_dimensions()
    ranks = [(0 if single or unit.dimension in known else 2) + int(rare) for unit, rare in readings]
    best = min(ranks)
    ranked: list[RankedUnit] = []
    for rank, (unit, _) in sorted(zip(ranks, readings, strict=True), key=lambda pair: pair[0]):
        if all(not _same(unit, other.unit) for other in ranked):
            ranked.append(RankedUnit(unit, rank - best))
    return tuple(ranked)


def _same(one: Unit, other: Unit) -> bool:
    return one.dimension == other.dimension and one.scale == other.scale and one.offset == other.offset


def unit_of(parts: Parts, *, source: str = "") -> Unit:
    """Multiply the parts out: text, dimension, scale. An offset survives only in a temperature on its own."""
    if len(parts) == 1 and parts[0][1] == 1:
        atom = parts[0][0]
        return Unit(atom.text, atom.factor.dimension, float(atom.factor.scale), float(atom.factor.offset))
    merged: dict[str, tuple[Atom, Fraction]] = {}
    for atom, power in parts:
        if atom.factor.offset:
            atom = Atom(_DIFFERENCE_TEXTS[atom.text], factor_of(_DIFFERENCES[atom.text]))
        before = merged[atom.text][1] if atom.text in merged else Fraction(0)
        merged[atom.text] = (atom, before + power)
    if any(abs(power) > MAXIMAL_EXPONENT for _, power in merged.values()):
        raise UnitError(f"an exponent of a unit is at most {MAXIMAL_EXPONENT}", source=source, position=0)
    exact, inexact = Fraction(1), 1.0
    dimension = DIMENSIONLESS
    try:
        for atom, power in merged.values():
            dimension = dimension * atom.factor.dimension**power
            if power.denominator == 1:
                exact *= atom.factor.scale**power.numerator
            else:
                inexact *= float(atom.factor.scale) ** float(power)
        scale = float(exact) * inexact
    except OverflowError:
        scale = math.inf
    if not math.isfinite(scale) or scale == 0.0:
        raise UnitError("the unit is larger or smaller than any number can hold", source=source, position=0)
    return Unit(_text_of(list(merged.values())), dimension, scale)


def _text_of(parts: Parts) -> str:
    above = [_power_text(atom.text, power) for atom, power in parts if power > 0]
    below = [_power_text(atom.text, -power) for atom, power in parts if power < 0]
    text = "*".join(above)
    if below:
        text = (text or "1") + "/" + (below[0] if len(below) == 1 else f"({'*'.join(below)})")
    return text


def _power_text(text: str, power: Fraction) -> str:
    if power == 1:
        return text
    return f"{text}^{power}" if power.denominator == 1 else f"{text}^({power})"


def difference_of(unit: Unit) -> Unit:
    """The unit for a difference between two values in this one; only absolute temperatures change."""
    if unit.text not in _DIFFERENCES:
        return unit
    factor = factor_of(_DIFFERENCES[unit.text])
    return Unit(_DIFFERENCE_TEXTS[unit.text], factor.dimension, float(factor.scale))


# What people write where a quantity has no unit.
_NO_UNIT_TEXTS = frozenset({"", "1", "-", "–", "—", "dimensionless", "none", "unitless"})


def read_unit(text: str, *, prefer: Iterable[Dimension] = (), difference: bool = False) -> Unit:
    """The unit a text names. `prefer` lists dimensions that decide between readings, in order of preference;
    `difference` asks for a temperature difference (`delta_degC`) where the text names a temperature.
    """
    ranked = _ranked_readings(text)
    unit = _choose(text, ranked, prefer)
    return difference_of(unit) if difference else unit


def unit_readings(text: str, *, rare: bool = True) -> tuple[Unit, ...]:
    """Every reading of a unit text, most usual first; without the rare ones on request."""
    return tuple(item.unit for item in _ranked_readings(text) if rare or item.rank == 0)


def counted_readings(text: str, is_counted: Callable[[str, bool], bool]) -> tuple[Unit, ...]:
    """The usual readings of a unit in which things are counted (`threads/cm`, `kg per machine-hour`), things that the
    caller knows; none where no unit remains without them."""
    _check_size(text)
    plain, _ = plain_unit_text(text)
    terms = UnitParser(plain, tokenize(plain), suggests=False, is_counted=is_counted).parse_all()
    units = tuple(item.unit for item in ranked_units(terms, plain) if item.rank == 0)
    return units if all(unit.text for unit in units) else ()


def is_unit_text(text: str) -> bool:
    """Whether the text reads as a unit, ambiguous or not."""
    try:
        return bool(_ranked_readings(text))
    except UnitError:
        return False


@lru_cache(maxsize=4096)
def read_canonical_unit(text: str) -> Unit:
    """The unit with this canonical text, as `Unit.text` and our data files have it: `C` is the coulomb, never °C."""
    _check_size(text)
    if text.strip() in _NO_UNIT_TEXTS:
        return NO_UNIT
    return canonical_unit(UnitParser(text, tokenize(text), canonical=True).parse_all())


@lru_cache(maxsize=4096)
def factors_of(unit: Unit) -> tuple[tuple[str, Fraction], ...]:
    """The names that a unit is put together from, each once with its power: kg, m and 1/s^2 of kg*m/s^2."""
    powers: dict[str, Fraction] = {}
    for term in UnitParser(unit.text, tokenize(unit.text), canonical=True).parse_all() if unit.text else ():
        for atom, power in _canonical(term).parts:
            powers[atom.text] = powers.get(atom.text, Fraction(0)) + power * term.strict
    return tuple(powers.items())


def product_of(factors: Mapping[str, Fraction]) -> Unit:
    """The unit that named ones make, each to its power."""
    parts = [(names.atom_of(name), power) for name, power in factors.items()]
    return unit_of(parts) if parts else NO_UNIT


def _choose(text: str, ranked: tuple[RankedUnit, ...], prefer: Iterable[Dimension]) -> Unit:
    for dimension in prefer:
        fitting = [item for item in ranked if item.unit.dimension == dimension]
        if fitting:
            best = [item.unit for item in fitting if item.rank == fitting[0].rank]
            if len(best) > 1:
                raise AmbiguousUnitError(text, tuple(unit.text for unit in best))
            return best[0]
    usual = [item.unit for item in ranked if item.rank == 0]
    if len(usual) > 1:
        raise AmbiguousUnitError(text, tuple(unit.text for unit in usual))
    return usual[0]


def _ranked_readings(text: str) -> tuple[RankedUnit, ...]:
    _check_size(text)
    return _cached_readings(text)


@lru_cache(maxsize=4096)
def _cached_readings(text: str) -> tuple[RankedUnit, ...]:
    if text.strip() in _NO_UNIT_TEXTS:
        return (RankedUnit(NO_UNIT, 0),)
    plain, places = plain_unit_text(text)
    try:
        return ranked_units(UnitParser(plain, tokenize(plain)).parse_all(), plain)
    except UnitError as error:
        place = error.position
        if place is not None:
            place = places[place] if place < len(places) else len(text)
        raise UnitError(error.reason, source=text, position=place) from None


def _check_size(text: str) -> None:
    if len(text) > MAXIMAL_CHARACTERS:
        raise UnitError(
            f"a unit of {len(text)} characters is too long; at most {MAXIMAL_CHARACTERS} are read",
            source=text[: MAXIMAL_CHARACTERS + 40],
            position=MAXIMAL_CHARACTERS,
        )
