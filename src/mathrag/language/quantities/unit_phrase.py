"""The unit after a number in running text: greedy, but it stops before the English words that follow.

A factor joined by a blank or a hyphen counts only when the product is something real texts measure (`N m`, `kg m2`);
a slash, a dot or `per` says so by itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from mathrag.errors import UnitError
from mathrag.knowledge.elements import unmistakable_symbols
from mathrag.knowledge.units import names, unit_readings
from mathrag.knowledge.units.names import UnitToken, tokenize_prose
from mathrag.knowledge.units.reader import (
    COUNTED,
    RankedUnit,
    Term,
    UnitParser,
    known_dimensions,
    ranked_units,
)
from mathrag.language.counted_things import is_counted_thing, is_plural
from mathrag.language.word_classes import any_of, word_class
from mathrag.types.quantity import Dimension, Unit

_INCH_FOLLOWERS = word_class("numbers.inch_followers")
_MOLAR_NOUNS = word_class("numbers.molar_nouns")
_NEVER_UNITS = word_class("numbers.never_units")
_NOT_NOUNS = word_class("numbers.not_nouns")
_PARTICLES = word_class("numbers.particles")
_BEHIND_UNITS = word_class("grammar.prepositions") | word_class("grammar.conjunctions")

# Whether a unit can begin with a word, by the words around it: `3 in` against `3 in the`, `5 A` against `5 a day`.

# Symbols of elements; in another case some of them are units (Na and nA, Cl and cL).
ELEMENTS = frozenset(symbol for symbol in unmistakable_symbols() if len(symbol) == 2)
_NEXT_WORD = re.compile(r"\s{0,3}([^\W\d_]+)")
_LENGTH_FOLLOWS = re.compile(r"\s*(?:long|wide|apart|thick|radius|diameter|\.?\s*$)")
_BRACKET_FOLLOWS = re.compile(r"\s*[\[({0-9$\\]")
_PRIMES = frozenset("'\"’”′″")
_INCH_TAILS = frozenset("^²³-/*·23")


def can_open(text: str, token: UnitToken, place: int, value: float) -> bool:
    """Whether the token behind a number that ends at `place` can be the first name of its unit."""
    if token.kind != "name":
        return False
    name, glued = token.text, token.start == place
    after = _NEXT_WORD.match(text, token.end)
    word = after.group(1) if after else ""
    if name.lower() == "in":
        return name == "in" and _is_inch(text, token, place, word)
    if name in _PRIMES:
        return glued and _is_prime(text, token)
    if name == "us":
        # A millionth of a second where no word follows that "us" stands before: `2 us at 5 V`, not `5 us citizens`.
        return glued or not word.islower() or word in _BEHIND_UNITS
    if name not in ("A", "uS") and (name.lower() in _NEVER_UNITS or name in ("E", "x", "X")):
        return False
    if name in ELEMENTS and not names.is_exact(name):
        return False
    if word in _PARTICLES and len(name) <= 2:
        return False
    return not _is_other(text, token, value, word=word, glued=glued)


def _is_other(text: str, token: UnitToken, value: float, *, word: str, glued: bool) -> bool:
    """Letters that mean something else here: an hour of the day, `3D`, `the 1990s`, a molar mass, Euler's number."""
    name = token.text
    if name.lower() == "pm" and isinstance(value, int) and 1 <= value <= 12:
        return not _LENGTH_FOLLOWS.match(text, token.end, token.end + 12)
    if name in ("D", "d"):
        return value in (1, 2, 3) and (name == "D" or glued or text[token.start - 1] == "-")
    if name == "s" and glued:
        return isinstance(value, int) and 1500 <= value <= 2100
    if name.lower() == "molar":
        return word.lower() in _MOLAR_NOUNS
    return name == "e" and not glued and word != ""


def _is_inch(text: str, token: UnitToken, place: int, word: str) -> bool:
    """Inches or the preposition: an article before the number, a full stop or the words after decide."""
    rest = text[token.end : token.end + 2]
    if rest == ". ":
        following = _NEXT_WORD.match(text, token.end + 1)
        return following is not None and following.group(1)[:1].islower()
    if rest[:1] in _INCH_TAILS or not token.spaced:
        return True
    if word == "":
        return not _BRACKET_FOLLOWS.match(text, token.end, token.end + 3)
    if word.lower() in _INCH_FOLLOWERS or word in ("lb", "lbs", "Hg"):
        return True
    before = text[max(0, place - 24) : place].rstrip("0123456789./ ½¼¾-")
    return before.lower().endswith((" a", " an", " the")) and word.lower() not in ("the", "a", "an", "this", "that")


def _is_prime(text: str, token: UnitToken) -> bool:
    """Feet and inches as marks; a closing quotation mark is not one."""
    opened = text.count(token.text, max(0, token.start - 400), token.start) % 2
    if token.text in ('"', "”") and opened:
        return False
    return not text[token.end : token.end + 1].isalpha()


_CLOSES = re.compile(r"\s*(?:$|[,;:?!)]|\.(?:\s|$))")
_POWER_FOLLOWS = re.compile(r"\^|\*\*|[⁻⁺]|-[0-9]")
_WORKERS = word_class("numbers.workers")

_WINDOW = 56
_MAXIMAL_FACTORS = 6
# Signs of units are shorter; "per box and h" is none.
_SHORTEST_WORD = 3
_VOWELS = re.compile("[aeiou]")
_EVERY = re.compile(r"\s+(?:(?:on|in|of|for|to|over|through|along)\s+)?(?:every|each)\s+(?=[A-Za-z]{4,})")
_OF_THING_PER = re.compile(r"\s+of\s+((?:(?!per\s)[^\s,.;:?!()=]+\s+){1,4}?)per\s+(?=[^\W\d_])")
_COUNTED_PER = re.compile(
    r"\s+(?P<spoken>(?:(?!per\s)[^\W\d_]{3,}\s+){1,2}?)(?:per|in\s+(?:each|every)|(?P<article>an?|each|every))\s+(?=[^\W\d_])"
    r"|\s?(?P<slashed>(?:[^\W\d_]{3,}\s){0,1}[^\W\d_]{2,})\s?/\s?(?=[^\W\d_])"
)
# "40 machine hours", "4000 person-years", "9 vehicle-km": so much time or way of things that are counted.
_SPENT = re.compile(rf"\s+(?:[^\W\d_]{{3,20}}-|(?:{any_of('numbers.workers')})\s)(?=[^\W\d_])", re.IGNORECASE)
# Signs of elements that are signs of units too.
_ATOMS = frozenset("BCFHIKNOPSUVWY")
_WEIGHED = (Dimension.of({"mass": 1}), Dimension.of({"amount": 1}))
_TIME = Dimension.of({"time": 1})
_PER_TIME = Dimension.of({"time": -1})
_SPENT_DIMENSIONS = (_TIME, Dimension.of({"length": 1}))
# "mg N/L", "kg CO2 per kWh", "g sugar/L": of what so much is.
_SUBSTANCE = re.compile(
    r"\s?([A-Z][a-z]?[0-9₀-₉]{0,2}(?:[A-Z][a-z]?[0-9₀-₉]{0,2}){0,4}e?|[a-z]{3,20})(?:\s?/\s?|\s+per\s+)(?=[^\W\d_])"
)
_ASSIGNMENT = re.compile(r"\s{0,2}(?P<sign>[=≈≃:])\s{0,2}")
_PLAIN_NUMBER = re.compile(r"[-−+]?[0-9.,]+(?:[eE][-+−]?[0-9]+)?(?:\s?[×x]\s?10\^?[-−]?[0-9⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+)?")
_TIMES_THE = re.compile(r"\s+(?:times|of)\s+(?:the\s+)?(?=speed of light\b|light speed\b)")
_OF_LIGHT = re.compile(r"\s+(?:of|times)\s+(?:the\s+)?(speed of light\b|light speed\b|c\b)")
_LATEX_START = re.compile(r"(?:\s|~|\\[,;:! ]|\\quad|\\thinspace)*(?=\\[A-Za-z%]|\^)")
_SENTENCE_END = re.compile(r"\s*$|\s+[A-Z]")
_DEGREES = re.compile(r"\^\{?\s*(?:\\circ|°|o\})")
_LATEX_STOP = re.compile(r"(?<!\\)[$,;=?!]|\\(?:right|left|approx|pm|times|to|rightarrow)|\s(?![\\^])")


@dataclass(frozen=True, slots=True)
class UnitMatch:
    """A unit found in a text up to `end`, with its ranked readings; `note` when it was recognised but is not read."""

    end: int
    ranked: tuple[RankedUnit, ...]
    note: str = ""

    @property
    def usual(self) -> tuple[Unit, ...]:
        """The readings to be expected."""
        return tuple(item.unit for item in self.ranked if item.rank == 0)

    @property
    def rare(self) -> tuple[Unit, ...]:
        """Readings that only a context makes likely."""
        return tuple(item.unit for item in self.ranked if item.rank > 0)


@dataclass(frozen=True, slots=True)
class _Candidate:
    end: int
    terms: tuple[Term, ...]
    is_soft: bool


def unit_after(text: str, place: int, value: float, *, money: bool = False) -> UnitMatch | None:
    """The unit that begins at or after `place`, directly behind a number. `money`: a dollar sign stood before it."""
    if not money and (latex := latex_unit_after(text, place)) is not None:
        return latex
    if (times := _TIMES_THE.match(text, place)) is not None:
        place = times.end()
    phrase = _Phrase(text, place, value)
    match = phrase.read(money=money)
    return match if match is not None or money else _counted_per(text, place) or _spent(text, place)


class _Phrase:
    """One attempt at reading a unit from a place in running text."""

    def __init__(self, text: str, place: int, value: float) -> None:
        self.text = text
        self.place = place
        self.value = value
        tokens = tokenize_prose(text, place, place + _WINDOW)
        self.parser = UnitParser(text, tokens, suggests=False, is_counted=self.is_counted)
        self.is_in_divisor = False
        self.candidates: list[_Candidate] = []

    def read(self, *, money: bool) -> UnitMatch | None:
        parser = self.parser
        terms: list[Term] = []
        if money:
            terms = [Term("USD", names.readings_of("USD"), Fraction(1), Fraction(1), self.place)]
            self.keep(terms, soft=False)
        else:
            self.skip_hyphen()
            self.skip_country()
            token = parser.peek()
            if token is None:
                return None
            if token.text == "1" and token.spaced and parser.is_operator("/", 1):
                parser.index += 1
            if token.text == "/" and not token.spaced and self.value == 1:
                return None
            if not parser.is_division():
                note = names.is_declined(token.text)
                if note and not (token.spaced and token.text in ELEMENTS):
                    return UnitMatch(token.end, (), f"the unit {token.text!r} is not read: {note}")
                is_share = token.text.lower() == "per"
                if not is_share and not can_open(self.text, token, self.place, self.value):
                    return None
                found = self.factor()
                if found is None or not self.is_plausible(found, token) or self.is_assigned(found):
                    return None
                terms = found
                self.keep(terms, soft=False)
        self.extend(terms)
        return self.best()

    def skip_hyphen(self) -> None:
        """The hyphen of `10-kg`; a blank before it makes it a dash."""
        token, following = self.parser.peek(), self.parser.peek(1)
        if token is None or following is None or token.text != "-" or token.spaced or following.spaced:
            return
        if following.kind == "name" and self.text[token.start] in "-‐‑" and not self.is_difference():
            self.parser.index += 1

    def skip_country(self) -> None:
        """The US of `12 US gpm`: gallons are those of the US wherever nobody says otherwise."""
        token, following = self.parser.peek(), self.parser.peek(1)
        if token is not None and token.text == "US" and following is not None and following.spaced:
            # What has vowels is a word that says itself whose it is: "US cups".
            is_short = following.kind == "name" and len(following.text) > 1 and not _VOWELS.search(following.text)
            self.parser.index += int(is_short)

    def is_difference(self) -> bool:
        """`(1-t)`: a numeral right behind a bracket or an operator is part of a formula."""
        before = self.text[max(0, self.place - 12) : self.place].rstrip("0123456789.")
        return before[-1:] in ("(", "^", "{", "/", "*", "+")

    def is_counted(self, word: str, _may_be_one: bool) -> bool:
        """Behind a slash or `per` any thing may be counted: `L/person/day`, `kg per machine-hour`."""
        return self.is_in_divisor and is_counted_thing(word, True)

    def factor(self) -> list[Term] | None:
        """A factor at the present token, or nothing and no step forward."""
        index = self.parser.index
        try:
            return self.parser.factor(0)
        except UnitError:
            self.parser.index = index
            return None

    def keep(self, terms: list[Term], *, soft: bool) -> None:
        """Remember how far the unit may go."""
        end = self.parser.tokens[self.parser.index - 1].end if self.parser.index else self.place
        if terms:
            self.candidates.append(_Candidate(end, tuple(terms), soft))

    def extend(self, terms: list[Term]) -> None:
        """Add factors while the text goes on as a unit."""
        below = soft = contested = False
        while (token := self.parser.peek()) is not None and len(terms) < _MAXIMAL_FACTORS:
            index = self.parser.index
            if self.parser.is_division():
                below, contested = True, token.kind == "operator"
                self.parser.index += 1
                found = self.divisor(token)
                if found is None:
                    self.parser.index = index
                    break
                terms = terms + _below(found)
                # Of "bar s/L" the slash shows that the second is a unit too.
                soft = soft and (token.spaced or token.kind == "name")
                if not _is_thing(found) or self.goes_on_behind(found[0].spelling) or self.is_joined_by_and():
                    # The loaf of "kWh/loaf" is a word of the sentence; a unit may follow it: "L/person/day".
                    self.keep([] if _is_thing(found) else terms, soft=soft)
                    continue
                break
            if below and token.text == "and":
                found = None if any(map(_is_time_below, terms)) else self.further_time()
                if found is None:
                    break
                terms = terms + _below(found)
                self.keep(terms, soft=soft)
                continue
            joined, is_soft = self.joint(token)
            if joined is None:
                self.parser.index = index
                break
            # Nothing but a unit has a power below one.
            soft = (soft or is_soft) and not self.is_inverse(joined)
            if below:
                strict = contested and not is_soft
                joined = [
                    replace(term, joint=-term.joint, strict=term.strict if strict else -term.strict) for term in joined
                ]
            terms = terms + joined
            self.keep(terms, soft=soft)
        self.extend_by_words(terms)

    def goes_on_behind(self, thing: str) -> bool:
        """Whether what follows a counted thing belongs to the unit: `/day` of `L/person/day`, the hour of a machine."""
        token, following = self.parser.peek(), self.parser.peek(1)
        if token is None or self.parser.is_division():
            return token is not None
        if token.text == "-":
            return not token.spaced and following is not None and following.kind == "name" and not following.spaced
        return thing.casefold() in _WORKERS

    def is_joined_by_and(self) -> bool:
        """Whether an "and" follows, which may add a time below the line: `per item and month`."""
        token = self.parser.peek()
        return token is not None and token.text == "and"

    def further_time(self) -> list[Term] | None:
        """The month of `per item and month`, where nothing that could be its noun follows; and no step forward where
        there is none."""
        index = self.parser.index
        self.parser.index += 1
        token, found = self.parser.peek(), self.factor()
        word = _NEXT_WORD.match(self.text, self.parser.tokens[self.parser.index - 1].end)
        is_end = word is None or not word[1].islower() or word[1] in _BEHIND_UNITS or word[1] in _NOT_NOUNS
        is_time = found is not None and ranked_units(found)[0].unit.dimension == _TIME
        if not is_time or not is_end or token is None or len(token.text) < _SHORTEST_WORD:
            self.parser.index = index
            return None
        return found

    def is_inverse(self, terms: Sequence[Term]) -> bool:
        """Whether these are below the line by their power, `L-1`, and no name of an atom (`H-3`)."""
        one = terms[0]
        return len(terms) == 1 and -3 <= one.joint < 0 and (one.joint == -1 or one.spelling not in _ATOMS)

    def divisor(self, division: UnitToken) -> list[Term] | None:
        """What follows a slash or `per`: a unit, not a number and not another noun."""
        token = self.parser.peek()
        if token is None or token.kind == "number":
            return None
        if token.kind == "name" and division.kind == "name" and token.text in ("a", "A", "at", "in", "as"):
            return self.factor() if token.text == "a" and _CLOSES.match(self.text, token.end) else None
        self.is_in_divisor = True
        found = self.factor()
        self.is_in_divisor = False
        return found

    def joint(self, token: UnitToken) -> tuple[list[Term] | None, bool]:
        """A further factor after a multiplication sign (sure), a hyphen or a blank (soft)."""
        parser = self.parser
        following = parser.peek(1)
        if token.kind == "operator" and token.text in ("*", "."):
            if following is None or following.kind != "name" or (token.text == "." and following.spaced):
                return None, False
            parser.index += 1
            index = parser.index
            found = self.factor()
            # `70 mL × HR 60`: what stands before a number is a name.
            is_name = token.spaced and self.is_followed_by_number(index)
            return (None if is_name else found), False
        if token.kind == "operator" and token.text == "-" and not token.spaced and following is not None:
            if following.kind != "name" or following.spaced or following.text in _NEVER_UNITS:
                return None, True
            parser.index += 1
            return self.factor(), True
        if token.kind != "name" or (token.text.lower() in _NEVER_UNITS and not self.is_year(token)):
            return None, True
        if self.is_no_unit(token) or (len(token.text) > 4 and not token.spaced):
            return None, True
        index = parser.index
        found = self.factor()
        if found is None or self.is_assigned(found) or self.is_followed_by_number(index) or self.is_span(found):
            return None, True
        return found, True

    def is_no_unit(self, token: UnitToken) -> bool:
        """Whether a further name is a direction, what something consists of, or turns: these are written so only below
        a line, `mm/r`, and not in "moles r in 36 g"."""
        return token.text == "r" or token.text in ELEMENTS or self.is_compass(token) or self.is_substance(token)

    def is_span(self, terms: list[Term]) -> bool:
        """The day of "a 24-hour day": a time behind a time says what lasts so long."""
        before = self.candidates[-1].terms
        return len(terms) == len(before) == 1 and all(
            item[0].unit.dimension == _TIME for item in (ranked_units(terms), ranked_units(before))
        )

    def is_substance(self, token: UnitToken) -> bool:
        """The N of `mg N/L`: behind a mass or an amount, before a slash, the sign of an element is one."""
        if token.text not in _ATOMS or not (self.parser.is_operator("/", 1) or self.parser.follows_per(1)):
            return False
        terms = self.candidates[-1].terms
        return len(terms) == 1 and ranked_units(terms)[0].unit.dimension in _WEIGHED

    def is_year(self, token: UnitToken) -> bool:
        """The a of `kWh/m2a` and, at the end of a clause, of `kWh/m² a`; elsewhere it is an article."""
        if token.text != "a" or not any(term.joint < 0 for term in self.candidates[-1].terms):
            return False
        return not token.spaced or _CLOSES.match(self.text, token.end) is not None

    def is_compass(self, token: UnitToken) -> bool:
        """`3 km N`, `10 m/s W` and `12°30' S` are directions; `lm W⁻¹` has none."""
        if _POWER_FOLLOWS.match(self.text, token.end):
            return False
        before = self.text[max(0, token.start - 2) : token.start].strip()[-1:]
        return token.text in ("N", "S", "E", "W") and before in tuple("msh°º'’′\"”″")

    def is_assigned(self, terms: list[Term]) -> bool:
        """Whether what was just taken for a unit is a symbol before an equals sign (`12 kg m2 = 16 kg`).

        `5 m = 500 cm` is a conversion: the same dimension follows.
        """
        end = self.parser.tokens[self.parser.index - 1].end
        match = _ASSIGNMENT.match(self.text, end)
        if match is None or len(terms) > 1:
            return False
        number = _PLAIN_NUMBER.match(self.text, match.end())
        if number is None:
            return match.group("sign") != ":" and self.text[match.end() : match.end() + 1] not in ("?", "")
        following = unit_after(self.text, number.end(), 1)
        ranked = ranked_units(terms)
        dimensions = {unit.dimension for unit in following.usual} if following else set()
        return not any(item.unit.dimension in dimensions for item in ranked)

    def is_followed_by_number(self, index: int) -> bool:
        """`2 kg v 3 m/s`, `4 m r1 3 m`: a bare symbol before a number is a name, with its index too."""
        token, before = self.parser.peek(), self.parser.tokens[self.parser.index - 1]
        is_bare = self.parser.index == index + 1 or (self.parser.index == index + 2 and before.kind == "number")
        return token is not None and token.kind == "number" and is_bare

    def extend_by_words(self, terms: list[Term]) -> None:
        """`2 kg of water per second`, `40 nC on every metre`."""
        if not terms or not self.candidates or self.candidates[-1].is_soft:
            return
        end = self.candidates[-1].end
        light = _OF_LIGHT.match(self.text, end) if terms[0].spelling in ("%", "percent") else None
        if light is not None:
            speed = Term("c", names.readings_of("c"), Fraction(1), Fraction(1), light.start(1))
            self.candidates.append(_Candidate(light.end(), (*terms, speed), is_soft=False))
            return
        match = _EVERY.match(self.text, end) or self.substance_per(end)
        if match is None:
            match = _OF_THING_PER.match(self.text, end)
            if match is None or any(word.lower() in _NOT_NOUNS for word in match.group(1).split()):
                return
        inverse = _inverse_terms(self.text, match.end())
        if inverse is None or any(all(reading.plain for reading in term.readings) for term in inverse.terms):
            return
        self.candidates.append(_Candidate(inverse.end, (*terms, *inverse.terms), is_soft=True))

    def substance_per(self, end: int) -> re.Match[str] | None:
        """The `N/` of `mg N/L`, the `sugar per` of `g sugar per litre`: of what so much is for each."""
        match = _SUBSTANCE.match(self.text, end)
        if match is None:
            return None
        word = match.group(1)
        return match if not word.islower() or (word not in _NOT_NOUNS and is_counted_thing(word, True)) else None

    def is_plausible(self, terms: list[Term], first: UnitToken) -> bool:
        """Refuse formulas (`2 H2O`), powers nobody measures (`5 N2`, turns by turns) and things that are only
        counted."""
        following = self.parser.peek()
        last = self.parser.tokens[self.parser.index - 1]
        if last.kind == "number" and not last.spaced:
            if all(item.unit.dimension.is_dimensionless for item in ranked_units(terms)):
                return False
            if following is not None and following.text.isalpha() and not following.spaced:
                return False
            # A written-out power with more behind it is no formula of a substance: `L^2 atm/mol^2`.
            is_begun = following is not None and self.text[last.start - 1] == "^"
            if not is_begun and not self.is_known(terms):
                return False
            if last.start and self.text[last.start - 1] in "-−–" and self.is_range(last, first):
                return False
        return not all(reading.plain and not reading.parts for term in terms for reading in term.readings)

    def is_range(self, last: UnitToken, first: UnitToken) -> bool:
        """`5 m-10 m` is a range, not a power; so is a large or fractional exponent."""
        following = self.parser.peek()
        if not last.text.isdecimal() or int(last.text) > 4:
            return True
        return following is not None and following.kind == "name" and following.text == first.text

    def is_known(self, terms: list[Term] | tuple[Term, ...]) -> bool:
        """Whether a quantity of real texts has this dimension."""
        try:
            return any(item.unit.dimension in known_dimensions() for item in ranked_units(terms) if item.rank == 0)
        except UnitError:
            return False

    def best(self) -> UnitMatch | None:
        """The longest unit that makes sense."""
        for candidate in reversed(self.candidates):
            if candidate.is_soft and not self.is_known(candidate.terms):
                continue
            try:
                return UnitMatch(self.without_full_stop(candidate.end), ranked_units(candidate.terms))
            except UnitError:
                continue
        return None

    def without_full_stop(self, end: int) -> int:
        """The point of `4 in.` ends the sentence when nothing or a capital follows."""
        if self.text[end - 1] == "." and _SENTENCE_END.match(self.text, end):
            return end - 1
        return end


def _below(terms: Sequence[Term]) -> list[Term]:
    return [replace(term, joint=-term.joint, strict=-term.strict) for term in terms]


def _is_time_below(term: Term) -> bool:
    return term.joint < 0 and any(item.unit.dimension == _PER_TIME for item in ranked_units([term]))


def _is_thing(terms: Sequence[Term]) -> bool:
    """Whether this is a counted thing and no unit."""
    return all(term.readings == (COUNTED,) for term in terms)


def _counted_per(text: str, place: int) -> UnitMatch | None:
    """`400 turns per metre`, `24 threads/cm`: a counted thing per unit is that many per unit."""
    match = _COUNTED_PER.match(text, place)
    words = (match["spoken"] or match["slashed"]).split() if match is not None else []
    if match is None or any(word.lower() in _NOT_NOUNS for word in words):
        return None
    if match["slashed"] and not (is_plural(words[-1].casefold()) or _is_plain(words[-1])):
        # An abbreviation that nobody knows may be a unit: `klbf/ft`.
        return None
    found = inverse_unit(text, match.end())
    if match["article"] and not (found is not None and is_plural(words[-1].casefold()) and _is_rate(found)):
        # "40 visits a week", but not "3 litres a metre".
        return None
    return found


def _is_rate(unit: UnitMatch) -> bool:
    return bool(unit.usual) and unit.usual[0].dimension == _PER_TIME


def _is_plain(word: str) -> bool:
    """Whether a name of the unit table is that of a counted thing: `veh`, `CFU`."""
    readings = names.readings_of(word)
    return bool(readings) and all(reading.plain and not reading.parts for reading in readings)


def inverse_unit(text: str, place: int) -> UnitMatch | None:
    """One by the unit that begins here, and by those that follow it: of `per hour`, `/hen-day`."""
    inverse = _inverse_terms(text, place)
    if inverse is None:
        return None
    phrase = _Phrase(text, inverse.end, 1)
    phrase.candidates.append(inverse)
    phrase.extend(list(inverse.terms))
    return phrase.best()


def _inverse_terms(text: str, place: int) -> _Candidate | None:
    """The unit that begins here, below the line; with the thing that is counted before it: `person per day`."""
    phrase = _Phrase(text, place, 1)
    token = phrase.parser.peek()
    if token is None or token.kind != "name" or token.text.lower() in _NEVER_UNITS:
        return None
    phrase.is_in_divisor = True
    found = phrase.factor()
    goes_on = found is not None and (phrase.goes_on_behind(found[0].spelling) or phrase.is_joined_by_and())
    if found is not None and _is_thing(found) and goes_on:
        is_joint = phrase.parser.is_operator("-") or phrase.parser.is_division() or phrase.is_joined_by_and()
        phrase.parser.index += int(is_joint)
        found = phrase.factor()
    if found is None or _is_thing(found):
        return None
    return _Candidate(phrase.parser.tokens[phrase.parser.index - 1].end, tuple(_below(found)), is_soft=False)


def _spent(text: str, place: int) -> UnitMatch | None:
    """`500 machine-hours`, `9 vehicle-km`: the time or the way of things that are counted."""
    match = _SPENT.match(text, place)
    if match is None or not is_counted_thing(match.group().strip(" -"), True):
        return None
    phrase = _Phrase(text, match.end(), 1)
    token = phrase.parser.peek()
    found = phrase.factor() if token is not None and token.text.lower() not in _NEVER_UNITS else None
    if not found or len(found) > 1:
        return None
    phrase.keep(found, soft=False)
    phrase.extend(found)
    best = phrase.best()
    return best if best is not None and ranked_units(found)[0].unit.dimension in _SPENT_DIMENSIONS else None


def latex_unit_after(text: str, place: int) -> UnitMatch | None:
    """`\\,\\mathrm{m/s^2}` and `^\\circ` behind a number."""
    start = _LATEX_START.match(text, place)
    if start is None or (text[start.end()] == "^" and not _DEGREES.match(text, start.end())):
        return None
    window = text[start.end() : start.end() + 120]
    stop = _LATEX_STOP.search(window)
    chunk = window[: stop.start()] if stop else window
    chunk = chunk.rstrip(".) ")
    while chunk:
        try:
            readings = unit_readings(chunk)
        except UnitError:
            cut = chunk.rfind("}", 0, len(chunk) - 1)
            chunk = chunk[: cut + 1] if cut > 0 else ""
            continue
        usual = set(unit_readings(chunk, rare=False))
        ranked = tuple(RankedUnit(unit, 0 if unit in usual else 1) for unit in readings)
        return UnitMatch(start.end() + len(chunk), ranked)
    return None
