"""Find every number of a text with its unit, uncertainty, symbol and kind. The one entry point of this package."""

from __future__ import annotations

import bisect
import itertools
import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from fractions import Fraction

from mathrag.errors import UnitError
from mathrag.knowledge.units import factors_of, product_of, read_canonical_unit
from mathrag.knowledge.units.reader import RankedUnit
from mathrag.language.quantities.bare_numbers import dated, kind_of_bare, marked
from mathrag.language.quantities.mention import Kind, Mention
from mathrag.language.quantities.numbers import (
    NUMBER_STARTS,
    ORDINAL_POWERS,
    SCALES,
    VULGAR_FRACTIONS,
    Number,
    Scan,
    pi_multiple,
    power_in_words,
    read_numeral,
    read_words,
    ten_to_the,
    times_ten_to,
)
from mathrag.language.quantities.unit_behind import with_unit_behind
from mathrag.language.quantities.unit_phrase import UnitMatch, inverse_unit, latex_unit_after, unit_after
from mathrag.language.round_numbers import ROUND, share_of
from mathrag.language.tokens import HALF_LIFE
from mathrag.language.typed_symbols import symbol_before, symbol_identifier
from mathrag.language.word_classes import any_of, word_class
from mathrag.types.quantity import Dimension, Unit

_BEFORE_NUMBERS = word_class("numbers.before_numbers")
_NOT_NOUNS = word_class("numbers.not_nouns")
_ORDINAL_NOUNS = word_class("numbers.ordinal_nouns")

# Join mentions that belong together: `2 min 30 s`, ranges, and lists that share the unit of their last member.

# Units that people write in steps, largest first; the last of a chain gives the unit.
_STEPS = (
    ("year", "month", "week", "day", "h", "min", "s", "ms"),
    ("mi", "yd", "ft", "inch"),
    ("stone", "lb", "oz"),
    ("deg", "arcmin", "arcsec"),
    ("km", "m", "cm", "mm"),
    ("kg", "g"),
    ("USD", "US_cent"),
)
_NEXT_STEP = {"ft": "inch", "h": "min", "min": "s"}
_STEP_GAP = re.compile(r"^(?:[ \u00a0]{0,2}|,? and |, )$")
_METRIC_GAP = re.compile(r"^[ \u00a0]{0,2}$")
_LIST_GAP = re.compile(r"^(?:,? ?(?:and|or|to|by|x|X|×|through|plus) ?|\s?(?:[-–—−=]?>|[-–—−→⇒])\s?)$")
_COMMA_GAP = re.compile(r"^, ?$")
_RANGE_GAP = re.compile(r"^\s?[-–—−]\s?$")
_PER_ROUND_NUMBER = re.compile(r"\s?(?:/|per\s)\s?(?P<number>10{1,4}|10,?000)(?=\s?[A-Za-z])")
_IN_THOUSANDS = re.compile(r"[0-9]k(?![a-z])", re.IGNORECASE)
_THOUSANDS = re.compile(r"[0-9]k$", re.IGNORECASE)
_MILLIONS = re.compile(r"[0-9]M$")


# What a clearance is told for: the 1.73 m2 of `90 mL/min/1.73 m2` are no value.
_OF_SO_MANY = re.compile(
    r"\s(?:(?!per\s)(?P<things>[^\W\d_]{3,20}(?:\s[^\W\d_]{3,20})?)\s)?"
    rf"(?:per|(?:in|for|out of) every)\s(?P<number>{ROUND})"
)
_NOUNS = re.compile(r"\s(?:[^\W\d_]{3,20}\s){1,2}(?=per\s)")
_USUAL_BODY = re.compile(r"\s?(?:/|per)\s?1\.73\s?m(?:2|²|\^2)")
_PER_ONE = re.compile(r"\s(?:an?)\s(?=[A-Za-z]{2})")
# "A second later", "a foot long": no rate, and neither is "a second ball".
_NO_RATE = re.compile(rf"-?\w|\s(?:{any_of('numbers.no_rates')})\b")
_TIME = Dimension.of({"time": 1})
_PER_DIMENSIONS = frozenset((
    _TIME,
    *(Dimension.of({"length": power}) for power in (1, 2, 3)),
    Dimension.of({"mass": 1}),
    Dimension.of({"mass": 1, "length": 2, "time": -2}),
))  # fmt: skip


def _quotient(above: UnitMatch, below: UnitMatch) -> Unit | None:
    return _product(above, below, -1)


def _product(above: UnitMatch, below: UnitMatch, sign: int = 1) -> Unit | None:
    if not above.usual or not below.usual:
        return None
    try:
        powers = dict(factors_of(above.usual[0]))
        for name, power in factors_of(below.usual[0]):
            powers[name] = powers.get(name, Fraction(0)) + sign * power
        return product_of({name: power for name, power in powers.items() if power})
    except UnitError:
        return None


def assemble(text: str, mentions: list[Mention]) -> tuple[Mention, ...]:
    """Steps first, then units handed down from the end of a list, or said once behind all of it."""
    return tuple(with_unit_behind(text, _distributed(text, _stepped(text, mentions))))


def _stepped(text: str, mentions: list[Mention]) -> list[Mention]:
    joined: list[Mention] = []
    for mention in mentions:
        if joined and (whole := _step(text, joined[-1], mention)) is not None:
            joined[-1] = whole
        else:
            joined.append(mention)
    return joined


def _step(text: str, larger: Mention, smaller: Mention) -> Mention | None:
    """The two as one quantity, when the second continues the first in a smaller unit."""
    if larger.kind == "quantity" and smaller.kind == "number" and not smaller.symbol:
        smaller = _in_next_step(text, larger, smaller)
    if larger.kind != "quantity" or smaller.kind != "quantity" or smaller.symbol or smaller.value < 0:
        return None
    if larger.uncertainty is not None or smaller.uncertainty is not None or not isinstance(larger.value, int):
        return None
    gap = text[larger.end : smaller.start]
    for steps in _STEPS:
        first = next((unit for unit in larger.units[:1] if unit.text in steps), None)
        pool = (*smaller.units, *smaller.rare_units)
        second = next((unit for unit in pool if unit.text in steps), None)
        if first is None or second is None or steps.index(second.text) <= steps.index(first.text):
            continue
        pattern = _METRIC_GAP if steps[0] in ("km", "kg") else _STEP_GAP
        ratio = first.scale / second.scale
        if not pattern.match(gap) or smaller.value >= ratio:
            continue
        value = larger.value * ratio + smaller.value
        if abs(value - round(value)) < 1e-9 * abs(value):
            value = round(value)
        return replace(
            larger,
            end=smaller.end,
            text=text[larger.start : smaller.end],
            value=value,
            units=(second,),
            rare_units=(),
            significant_figures=None,
        )
    return None


def _is_comma_list(text: str, mentions: list[Mention], index: int) -> bool:
    """A comma alone joins only in a list of three or more: `2, 4, 8 m`, `2, 4 and 8 m`."""
    if not _COMMA_GAP.match(text[mentions[index].end : mentions[index + 1].start]):
        return False
    if mentions[index + 1].distributed:
        return True
    earlier = mentions[index - 1] if index else None
    return (
        earlier is not None
        and earlier.kind == "number"
        and not earlier.symbol
        and bool(_COMMA_GAP.match(text[earlier.end : mentions[index].start]))
    )


def _in_next_step(text: str, larger: Mention, smaller: Mention) -> Mention:
    """The 4 of `5 ft 4` and the 30 of `2 h 30` with the unit that nobody says."""
    unit = _NEXT_STEP.get(larger.units[0].text) if larger.units else None
    if unit is None or text[larger.end : smaller.start] not in (" ", "") or not isinstance(smaller.value, int):
        return smaller
    return replace(smaller, kind="quantity", units=(read_canonical_unit(unit),))


def _distributed(text: str, mentions: list[Mention]) -> list[Mention]:
    """Walk backwards: a bare number before a list separator takes the unit of the one behind it."""
    result = list(mentions)
    for index in range(len(result) - 2, -1, -1):
        mention, following = result[index], result[index + 1]
        gap = text[mention.end : following.start]
        if _THOUSANDS.search(mention.text) and _MILLIONS.search(following.text) and _LIST_GAP.match(gap):
            # Beside thousands the letter is no unit: `20k and 2M`.
            value, _ = scaled(following.text, len(following.text) - 1, following.value)
            following = replace(following, kind="number", value=value, units=(), rare_units=(), distributed=False)
            result[index + 1] = following
        is_range = bool(_RANGE_GAP.match(gap)) and following.kind in ("quantity", "range", "number")
        if is_range and mention.kind in ("quantity", "number", "count") and not following.symbol:
            result[index + 1] = following = replace(following, kind="range")
        elif following.symbol or not (_LIST_GAP.match(gap) or _is_comma_list(text, result, index)):
            continue
        if mention.units or mention.kind not in ("number", "count") or not following.units:
            if is_range and mention.kind in ("quantity", "number"):
                result[index] = replace(mention, kind="range")
            continue
        if _THOUSANDS.search(mention.text) and not _IN_THOUSANDS.search(following.text):
            # `4.7k and 22 nF`: a resistance beside something else.
            continue
        if mention.kind == "count" or (mention.symbol and not is_range):
            continue
        result[index] = replace(
            mention,
            kind="range" if is_range else "quantity",
            units=following.units,
            rare_units=following.rare_units,
            distributed=True,
        )
    return result


# Currency signs before a number, and the short scales that follow it: `$1.2 million`, `US$ 5`, `$25k`.

_SCALE = re.compile(r"\s?(k|K|M|m|B|bn|million|billion|thousand|trillion)\b")
# `3 $8 shirts`: the sign belongs to the number behind it.
_SIGN_OF_NEXT = re.compile(r"[ \u00a0]+(?:US)?[$€£¥₹] ?[0-9]")
_FACTORS = {"k": 10**3, "K": 10**3, "M": 10**6, "m": 10**6, "B": 10**9, "bn": 10**9, **SCALES}


@dataclass(frozen=True, slots=True)
class Sign:
    """A currency sign: where it starts, and why it is declined if it is not the dollar."""

    start: int
    note: str = ""


def sign_before(text: str, start: int) -> Sign | None:
    """The currency sign before the number that starts here, with at most one blank between."""
    before = text[max(0, start - 4) : start]
    stripped = before.rstrip(" ")
    if len(before) - len(stripped) > 1 or not stripped:
        return None
    place = start - (len(before) - len(stripped)) - 1
    if place > 0 and text[place - 1].isalnum() and not stripped.endswith("US$"):
        return None  # 6$2: the sign belongs to what stands before it
    if stripped[-1] == "$":
        return Sign(place - 2 if stripped.endswith("US$") else place)
    if stripped[-1] in "€£¥₹":
        return Sign(place, "only US dollars are known; other currencies have no fixed factor")
    return None


def scaled(text: str, end: int, value: int | float) -> tuple[int | float, int]:
    """The amount with its scale (`$25k`, `$1.2 million`) and where that ends."""
    match = _SCALE.match(text, end)
    if match is None:
        return value, end
    amount = value * _FACTORS[match.group(1)]
    return (round(amount) if float(amount).is_integer() else amount), match.end()


# Isotopes as they are typed: no number with a unit.
_ISOTOPES = frozenset("14C 13C 235U 238U 239Pu 131I 32P 3H 40K 60Co 137Cs 90Sr 226Ra 222Rn 18O 15N".split())
MAXIMAL_CHARACTERS = 200_000
MAXIMAL_NUMBERS = 2_500
# A quantity may be written with several runs of digits (`1 200 000`, `5°30'12"`, a date), but not with this many.
_MAXIMAL_RUNS = 8
_DIGITS = re.compile(r"[0-9]+")
_MINUS = "-−–"
_PLUS_MINUS = re.compile(r"\s*(?:±|\+/-|\+/−|\+-|\\pm)\s*(?=\.?[0-9])")
_DECIMAL_COMMA = re.compile(r",[0-9]{1,2}(?![0-9,])")
_LOST_EXPONENT = re.compile(r"\s?[×x]\s?10(?:[0-9]{1,2}|\s[-–−]?\s?[0-9]{1,2})(?![0-9.,])")
_LOST_POWER = re.compile(r"(?<![0-9.,])10\s[–−][0-9]{1,2}(?![0-9.,])")
_COMMA_NOTE = "a decimal comma and a list look alike; write the number with a decimal point"
_BLANK_NOTE = "a blank between digits may group thousands or part two numbers; write the number without it"
_EXPONENT_NOTE = "a power of ten seems to have lost its raised exponent; write it as 10^8"
_FORMULA_END = re.compile(r"\s?(?:\$|\\\)|\\\]|,)")
_FORMULA_CLOSING = re.compile(r"\$|\\\)|\\\]")
_FORMULA = re.compile(r"\$[^$\n]{1,400}\$|\\\([^\n]{1,400}?\\\)|\\\[.{1,400}?\\\]")
_NUMBER_ALONE = re.compile(r"\$[-+−]?[0-9][0-9.,]*\$")
_BLANK_GROUP = re.compile(r"[0-9]{1,3}(?: [0-9]{3}){1,6}(?![0-9,./]|\.[0-9])")


def find_quantities(text: str, *, symbols: Collection[str] = ()) -> tuple[Mention, ...]:
    """All numbers of a text, in order. `symbols` are names known to stand for quantities (`KE`, `m2`)."""
    if len(text) > MAXIMAL_CHARACTERS:
        raise UnitError(
            f"a text of {len(text)} characters is too long to search; at most {MAXIMAL_CHARACTERS} are read",
            source=text[:80],
            position=0,
        )
    runs = itertools.islice(_DIGITS.finditer(text), _MAXIMAL_RUNS * MAXIMAL_NUMBERS, None)
    if (beyond := next(runs, None)) is not None:
        raise _too_many_numbers(text, beyond.start())
    finder = _Finder(text, symbols)
    return assemble(text, finder.run())


def _too_many_numbers(text: str, place: int) -> UnitError:
    return UnitError(
        f"the text has more than {MAXIMAL_NUMBERS} numbers; pass it in parts",
        source=text[max(0, place - 40) : place + 40],
        position=min(place, 40),
    )


def _formula_spans(text: str) -> list[tuple[int, int]]:
    """Where formulas stand between dollar signs or backslash brackets; `$5 and $6` is money, `$5$` is not."""
    if "$" not in text and "\\" not in text:
        return []
    numbers = [match.span() for match in _NUMBER_ALONE.finditer(text)]
    formulas = (match for match in _FORMULA.finditer(text) if any(mark in match.group()[2:-1] for mark in "\\^_={"))
    return sorted((*numbers, *(match.span() for match in formulas)))


@dataclass(frozen=True, slots=True)
class _Signed:
    number: Number
    start: int


class _Finder:
    """One walk over the pieces of a text."""

    def __init__(self, text: str, symbols: Collection[str]) -> None:
        self.text = text
        self.scan = Scan(text)
        self.symbols = symbols
        self.mentions: list[Mention] = []
        self.attempts = 0
        self.formulas = _formula_spans(text)
        self.half_lives = [found.span() for found in HALF_LIFE.finditer(text)]

    def run(self) -> list[Mention]:
        index = 0
        while index < len(self.scan.pieces):
            if self.attempts > MAXIMAL_NUMBERS:
                raise _too_many_numbers(self.text, self.scan.pieces[index].start)
            end = self.at(index)
            index = index + 1 if end is None else max(index + 1, self.scan.index_at(end))
        return self.mentions

    def at(self, index: int) -> int | None:
        """Try to read a mention that begins with this piece; answers where it ends."""
        piece = self.scan.pieces[index]
        if any(start < piece.start < end for start, end in self.half_lives):
            return None
        if piece.kind == "number":
            self.attempts += 1
            return self.at_digits(index)
        if piece.kind != "word":
            return None
        if piece.text[0] not in VULGAR_FRACTIONS and piece.text.lower() not in NUMBER_STARTS:
            return None
        self.attempts += int(piece.text not in ("a", "an"))
        return self.at_word(index)

    def at_digits(self, index: int) -> int | None:
        piece = self.scan.pieces[index]
        if self.text[piece.start - 1 : piece.start] == "]" and piece.start:
            return piece.end
        end = dated(self.scan, index)
        if end is not None:
            return self.add_plain(piece.start, end, int(re.sub("[^0-9]", "", piece.text) or 0), "date")
        special = marked(self.scan, index)
        if special is not None:
            self.attempts += 1
            kind, end = special
            numeral = read_numeral(self.scan, index)
            unit = unit_after(self.text, numeral.end, 0) if kind == "label" else None
            if unit is None or not unit.usual or self.text[piece.start - 1] in "#-^_{":
                return self.add_plain(piece.start, end, _plain_value(piece.text), kind)
        number = read_numeral(self.scan, index)
        return self.finish(self.signed(number, index), index)

    def signed(self, number: Number, index: int) -> _Signed:
        """Take in a sign before the number, where it is one and no hyphen or operator."""
        start = number.start
        before = self.text[max(0, start - 3) : start]
        word = self.scan.word(index - 1)
        if word in ("minus", "negative"):
            return _Signed(replace(number, value=-number.value), self.scan.pieces[index - 1].start)
        sign = before[-1:]
        if sign not in (*_MINUS, "+") or not sign:
            gap = re.search(r"[=(:,]\s*([-−–])\s$", self.text[max(0, start - 6) : start])
            if gap:
                return _Signed(replace(number, value=-number.value), self.scan.pieces[index - 1].start)
            return _Signed(number, start)
        earlier = before[-2:-1]
        if earlier and not (earlier.isspace() or earlier in "([{=,:;<>≈~$|/"):
            return _Signed(number, start)
        if self.is_dash(start - 1):
            return _Signed(number, start)
        return _Signed(replace(number, value=number.value if sign == "+" else -number.value), start - 1)

    def is_dash(self, place: int) -> bool:
        """A dash with a blank before it that follows a number: `3 –5 kg` is a range."""
        earlier = self.text[:place].rstrip()[-1:] if place < 40 else self.text[place - 40 : place].rstrip()[-1:]
        return self.text[place] in "–" and earlier.isdecimal()

    def at_word(self, index: int) -> int | None:
        piece = self.scan.pieces[index]
        word = piece.text.lower()
        first = piece.text[0]
        if first in VULGAR_FRACTIONS and len(piece.text) == 1:
            above, below = VULGAR_FRACTIONS[first]
            number = Number(piece.start, piece.end, above / below, fraction_words=True)
            return self.finish(self.signed(number, index), index)
        if piece.text in ("π", "pi") and (self.text[piece.end : piece.end + 1] in ("/", " ")):
            number = pi_multiple(self.scan, piece.start, piece.end, 1)
            return self.finish(self.signed(number, index), index, needs_unit=number.end == piece.end)
        if word in ("ten",) and (power := ten_to_the(self.scan, index)) is not None:
            return self.finish(_Signed(Number(piece.start, power[1], 10.0 ** power[0]), piece.start), index)
        found = read_words(self.scan, index)
        if found is None:
            return self.at_ordinal(index) if word in ORDINAL_POWERS else None
        last = self.scan.pieces[found.next_index - 1]
        number = Number(piece.start, last.end, found.value, in_words=True, fraction_words=found.is_fraction)
        power = power_in_words(self.scan, found.next_index)
        if power is not None and abs(power[0]) <= 300:
            number = replace(number, value=times_ten_to(number.value, power[0]), end=power[1])
        bare = power is None
        signed = self.signed(number, index)
        if (bare and word in ("a", "an", "half")) or found.is_fraction:
            return self.finish(signed, index, needs_unit=found.is_fraction and word in ("a", "an", "half"))
        numbered = self.scan.word(index - 1) == "number"
        return self.finish(signed, index, needs_noun=word == "one" and found.value == 1 and not numbered)

    def at_ordinal(self, index: int) -> int | None:
        """`the third overtone`, `the first to the fourth state`: ordinals in words, where their number matters."""
        piece = self.scan.pieces[index]
        for ahead in range(1, 5):
            word = self.scan.word(index + ahead)
            if word in _ORDINAL_NOUNS:
                value = ORDINAL_POWERS[piece.text.lower()]
                return self.add_plain(piece.start, piece.end, value, "ordinal")
            if word not in ("to", "the", "excited", "energy") and word not in ORDINAL_POWERS:
                break
        return None

    def finish(self, signed: _Signed, index: int, *, needs_unit: bool = False, needs_noun: bool = False) -> int | None:
        """Uncertainty, unit, symbol and kind of a number, and the mention itself."""
        number, start = self.vetted(signed.number, signed.start, index), signed.start
        if number.note:
            return self.decline(start, number.end, number, number.note)
        money = None if self.is_mathematics(start) else sign_before(self.text, start)
        comma = _DECIMAL_COMMA.match(self.text, number.end)
        number, end, closing = self.with_uncertainty(number, number.end, start)
        start -= int(closing)
        if money:
            start = money.start
            amount, end = scaled(self.text, end, number.value)
            number = replace(number, value=amount)
            if money.note:
                return self.decline(start, end, number, money.note)
        unit = self.unit_at(number, end, money=bool(money))
        if not money and (unit is None or unit.note):
            unit = self.of_so_many(end) or unit
        if comma and unit is None and self.has_unit(comma.end()):
            return self.decline(start, comma.end(), number, _COMMA_NOTE)
        if unit is not None and unit.note:
            return self.decline(start, unit.end, number, unit.note)
        if unit is not None and (whole := self.per_round_number(number, unit)) is not None:
            number, unit = whole
        elif unit is not None:
            unit = self.per_one(unit)
        if unit is not None and (body := _USUAL_BODY.match(self.text, unit.end)) is not None:
            unit = replace(unit, end=body.end())
        usual = unit.usual if unit else ()
        if (needs_unit and not usual) or self.is_isotope(number, unit):
            return None
        if unit is not None and usual:
            # `$3.5$ kg` is quoted with both of its signs.
            start -= int(self.text[start - 1 : start] == "$" == self.text[end : end + 1])
            number, end = self.with_late_uncertainty(number, unit.end)
        return self.add(replace(number, end=end), start, unit, needs_noun=needs_noun)

    def per_round_number(self, number: Number, unit: UnitMatch) -> tuple[Number, UnitMatch] | None:
        """`6 L/100 km` and `9 g per 100 mL` are one value; `250 mg/5 mL` are two."""
        found = _PER_ROUND_NUMBER.match(self.text, unit.end)
        below = unit_after(self.text, found.end(), 1) if found is not None else None
        quotient = None if below is None else _quotient(unit, below)
        if found is None or below is None or quotient is None or not quotient.text:
            # So many grams dissolve in 100 g of water: that has no unit.
            return None
        parts = int(found["number"].replace(",", ""))
        uncertainty = None if number.uncertainty is None else number.uncertainty / parts
        rate = UnitMatch(below.end, (RankedUnit(quotient, 0),))
        return replace(number, value=number.value / parts, uncertainty=uncertainty), rate

    def of_so_many(self, end: int) -> UnitMatch | None:
        """`8 deaths per 1000 people per year`: so many of a round number, and by what else is said behind it."""
        found = _OF_SO_MANY.match(self.text, end)
        name = share_of(found["number"]) if found is not None else None
        if found is None or name is None or not _NOT_NOUNS.isdisjoint((found["things"] or "").lower().split()):
            return None
        share = UnitMatch(found.end(), (RankedUnit(read_canonical_unit(name), 0),))
        nouns = _NOUNS.match(self.text, found.end())
        places = [nouns.end() + len("per")] if nouns is not None else []
        if self.text.startswith(" per ", found.end()):
            places.append(found.end() + len(" per"))
        below = next((unit for place in (found.end(), *places) if (unit := inverse_unit(self.text, place))), None)
        factors = None if below is None else _product(share, below)
        return share if below is None or factors is None else UnitMatch(below.end, (RankedUnit(factors, 0),))

    def per_one(self, unit: UnitMatch) -> UnitMatch:
        """`15 L a minute`, `3 dollars a litre`: a rate. What is paid a year is as often told as an amount."""
        found = _PER_ONE.match(self.text, unit.end)
        below = unit_after(self.text, found.end(), 1) if found is not None else None
        quotient = None if below is None else _quotient(unit, below)
        if below is None or quotient is None or not quotient.text:
            return unit
        if below.usual[0].dimension not in _PER_DIMENSIONS:
            return unit
        if _NO_RATE.match(self.text, below.end) or quotient.dimension == unit.usual[0].dimension:
            return unit
        is_amount = unit.usual[0].text == "USD" and below.usual[0].dimension == _TIME
        readings = (unit.usual[0], quotient) if is_amount else (quotient, unit.usual[0])
        return UnitMatch(below.end, tuple(RankedUnit(each, 0) for each in readings))

    def add(self, number: Number, start: int, unit: UnitMatch | None, *, needs_noun: bool) -> int | None:
        """The mention of a number that is read as far as it goes; none where a noun is needed and does not follow."""
        if self.text[start] == "." and self.text[start - 1 : start].isalnum():
            # The rest of a name: `K0.3`, `v2.5`.
            return None
        end, usual = number.end, unit.usual if unit else ()
        symbol = symbol_before(self.text, start, self.symbols)
        kind: Kind = "quantity" if usual else kind_of_bare(self.scan, number, symbol is not None)
        if needs_noun and kind == "number":
            if not self.noun_follows(end):
                return None
            kind = "count"
        self.mentions.append(
            Mention(
                start=start,
                end=end,
                text=self.text[start:end],
                value=number.value,
                kind=kind,
                units=usual,
                rare_units=unit.rare if unit else (),
                uncertainty=number.uncertainty,
                symbol=symbol[0] if symbol else "",
                symbol_name=symbol_identifier(symbol[0]) if symbol else "",
                significant_figures=number.significant_figures,
            )
        )
        return end

    def vetted(self, number: Number, start: int, index: int) -> Number:
        """Take in thousands grouped by blanks, and note what cannot be read safely."""
        if number.note or number.in_words:
            return number
        group = _BLANK_GROUP.match(self.text, number.start)
        if group and number.end < group.end() and self.has_unit(group.end()):
            if not self.groups_thousands(group.group(), index):
                return replace(number, end=group.end(), note=_BLANK_NOTE)
            value = int(group.group().replace(" ", ""))
            number = replace(number, value=-value if number.value < 0 else value, end=group.end())
        lost = _LOST_EXPONENT.match(self.text, number.end) or _LOST_POWER.match(self.text, start)
        return replace(number, end=lost.end(), note=_EXPONENT_NOTE) if lost else number

    def has_unit(self, place: int) -> bool:
        """Whether a unit stands at this place."""
        unit = unit_after(self.text, place, 1)
        return unit is not None and bool(unit.usual)

    def groups_thousands(self, digits: str, index: int) -> bool:
        """`12 000 kg` is one number; `car 1 200 kg` may be two."""
        if digits[1] != " " or digits.endswith(" 000"):
            return True
        before = self.scan.piece(index - 1)
        return before is None or before.kind == "mark" or before.text.lower() in _BEFORE_NUMBERS

    def noun_follows(self, end: int) -> bool:
        """`one electron`: a noun right behind; not `one of`, `one another`."""
        word = self.scan.word(self.scan.index_at(end))
        return len(word) > 4 and word not in _NOT_NOUNS and word not in ("another", "other", "which", "whose")

    def is_isotope(self, number: Number, unit: UnitMatch | None) -> bool:
        return unit is not None and self.text[number.start : unit.end] in _ISOTOPES

    def unit_at(self, number: Number, end: int, *, money: bool) -> UnitMatch | None:
        """The unit behind the number; `half a litre` and `a quarter of a mile` have an article between."""
        if not money and self.is_in_formula(number.start):
            return latex_unit_after(self.text, end) or self.sloppy_unit(number, end) or self.outer_unit(number, end)
        if _SIGN_OF_NEXT.match(self.text, end):
            return None
        unit = unit_after(self.text, end, number.value, money=money)
        if unit is None and number.fraction_words:
            article = re.match(r"\s(?:of\s)?(?:an?|one|the)\s", self.text[end : end + 10])
            if article:
                unit = unit_after(self.text, end + article.end() - 1, number.value)
            elif self.text[end : end + 4] == " of ":
                unit = unit_after(self.text, end + 3, number.value)
        return unit

    def sloppy_unit(self, number: Number, end: int) -> UnitMatch | None:
        """`$v = 3 m/s$`: a unit without marking, but after a blank and at the end of its formula."""
        if self.text[end : end + 1] not in (" ", "~"):
            return None
        unit = unit_after(self.text, end, number.value)
        return unit if unit is not None and _FORMULA_END.match(self.text, unit.end) else None

    def outer_unit(self, number: Number, end: int) -> UnitMatch | None:
        """`$m = 3$ kg`: the unit right behind a formula that ends with the number."""
        closing = _FORMULA_CLOSING.match(self.text, end)
        if closing is None or self.is_in_formula(closing.end()):
            return None
        unit = unit_after(self.text, closing.end(), number.value)
        return unit if unit is not None and unit.usual and not unit.note else None

    def is_in_formula(self, place: int) -> bool:
        """Whether a place lies between mathematics delimiters, where bare letters are variables."""
        index = bisect.bisect_right(self.formulas, (place, len(self.text))) - 1
        return index >= 0 and self.formulas[index][0] <= place < self.formulas[index][1]

    def with_uncertainty(self, number: Number, end: int, start: int) -> tuple[Number, int, bool]:
        """`5.0 ± 0.1`, also in brackets; tells whether an opening bracket before the number belongs to it."""
        match = _PLUS_MINUS.match(self.text, end)
        if match is None or number.uncertainty is not None:
            return number, end, False
        index = self.scan.index_at(match.end())
        piece = self.scan.piece(index)
        if piece is None or piece.start != match.end():
            # Its digits belong to a longer piece of the text: `\pm2`.
            return number, end, False
        spread = read_numeral(self.scan, index)
        relative = re.match(r"\s?%", self.text[spread.end : spread.end + 2])
        value = abs(number.value) * spread.value / 100 if relative else float(spread.value)
        end = spread.end + (relative.end() if relative else 0)
        opened = self.text[start - 1 : start] == "(" if start else False
        if opened and self.text[end : end + 1] == ")":
            number, end = self.bracket_scaled(replace(number, uncertainty=value), end + 1)
            return number, end, True
        return replace(number, uncertainty=value), end, False

    def bracket_scaled(self, number: Number, end: int) -> tuple[Number, int]:
        """`(5.0 ± 0.1) × 10^3`: the power of ten belongs to both."""
        match = re.match(r"\s?(?:[×x*·]|\\times)\s?10\s?(?:\^\s?\{?([-−+]?[0-9]{1,3})\}?)", self.text[end : end + 24])
        if match is None:
            return number, end
        factor = 10.0 ** int(match.group(1).replace("−", "-"))
        spread = number.uncertainty
        return replace(
            number, value=number.value * factor, uncertainty=None if spread is None else spread * factor
        ), end + match.end()

    def with_late_uncertainty(self, number: Number, end: int) -> tuple[Number, int]:
        """`5.0 cm ± 0.1 cm` and `5.0 cm ± 2 %`."""
        match = _PLUS_MINUS.match(self.text, end)
        if match is None or number.uncertainty is not None:
            return number, end
        spread = read_numeral(self.scan, self.scan.index_at(match.end()))
        unit = unit_after(self.text, spread.end, spread.value)
        if unit is None or not unit.usual:
            return number, end
        if unit.usual[0].text == "percent":
            return replace(number, uncertainty=abs(number.value) * spread.value / 100), unit.end
        own = unit_after(self.text, number.end, number.value)
        if own is None or not own.usual or own.usual[0].dimension != unit.usual[0].dimension:
            return number, end
        return replace(number, uncertainty=spread.value * unit.usual[0].scale / own.usual[0].scale), unit.end

    def is_mathematics(self, start: int) -> bool:
        """Whether a dollar sign before this number delimits a formula."""
        place = self.text.rfind("$", max(0, start - 3), start)
        return place >= 0 and (self.is_in_formula(place) or self.is_in_formula(place - 1))

    def decline(self, start: int, end: int, number: Number, note: str) -> int:
        self.mentions.append(Mention(start, end, self.text[start:end], number.value, "declined", note=note))
        return end

    def add_plain(self, start: int, end: int, value: int | float, kind: Kind) -> int:
        self.mentions.append(Mention(start, end, self.text[start:end], value, kind))
        return end


def _plain_value(text: str) -> int | float:
    digits = text.replace(",", "")[:40]
    try:
        return float(digits) if "." in digits else int(digits)
    except ValueError:
        return 0
