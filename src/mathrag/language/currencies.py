"""Which currency a text speaks of, and the text with dollars in its place. Knows no rates: money of one currency is
computed as that of any other, and what comes out is of the same.

Dollars are what the rest of the program reads. Only a text that speaks of one other currency, and of no dollars, is
read so; whoever does it gives the currency back in all that comes out (`library/ask/foreign_money.py`).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources

from mathrag.language.word_classes import any_of

DOLLAR = "USD"
_DOLLARS = re.compile(r"(?<![A-Za-z])(?:US)?\$|\bUSD\b|\b(?:US |U\.S\. )?(?:dollars?|bucks?)\b|¢", re.IGNORECASE)
_PRICES = re.compile(rf"\b(?:{any_of('questions.prices')})\b", re.IGNORECASE)
_SCALE = r"(?:\s?(?:k|K|M|m|bn|million|billion|thousand|lakhs?|crores?))?"
# What parts thousands and what begins the decimals differs between countries: 1.250 may be either.
_EITHER = re.compile(r"(?<![0-9.,])[1-9][0-9]{0,2}\.[0-9]{3}(?![.,]?[0-9])")
_ONE_OF_SOMETHING = re.compile(r"\s?(?:/|per\b|an?\b|each\b)")
_GROUPED = re.compile(
    r"(?<![0-9.,])[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]{2}(?!\d)|(?<![0-9.,])[0-9]{1,3}(?:\.[0-9]{3}){2,}(?!\d)"
)
_DECIMALS = re.compile(r"(?<![0-9.,])[0-9]+,[0-9]{2}(?![.,]?[0-9])")
_IN_LAKHS = re.compile(r"(?<![0-9.,])[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3}(?![.,]?[0-9])")
_LAKHS = re.compile(r"(?<![0-9.,])(?P<number>[0-9]+(?:\.[0-9]+)?)\s?(?P<scale>lakhs?|crores?)\b", re.IGNORECASE)
_LAKH, _CRORE = 10**5, 10**7


@dataclass(frozen=True, slots=True)
class Exchanged:
    """A text with dollars in the place of its currency. `places` has each piece that was put in: from where to where it
    stands here, and from where to where what it stands for does in the `original`."""

    original: str
    text: str
    places: tuple[tuple[int, int, int, int], ...]

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Where what stands here is in the original."""
        return self._before(start, is_end=False), self._before(end, is_end=True)

    def _before(self, place: int, *, is_end: bool) -> int:
        moved = 0
        for start, end, first, last in self.places:
            if start < place < end or (place == start and not is_end) or (place == end and is_end):
                return last if is_end else first
            if place < end:
                break
            moved = last - end
        return place + moved


@dataclass(frozen=True, slots=True)
class Currency:
    """A currency other than the US dollar: its code, its signs, its names (of one, of several, others), the names of a
    hundredth, and whether its code also stands for something else."""

    code: str
    signs: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    small: tuple[str, ...] = ()
    is_doubtful: bool = False

    def is_in(self, text: str) -> bool:
        """Whether a text has an amount of it."""
        # A letter is a name only beside others: 3p may be electrons.
        part = _alternatives(tuple(each for each in self._own_small if len(each) > 1)) or "(?!)"
        amounts = rf"(?:{self._sign})\s?[-−]?\.?[0-9]|[0-9]{_SCALE}[\s-]?(?:{self._whole}|(?:{part})\b)"
        if re.search(amounts, text) is None:
            return False
        return not self.is_doubtful or self._is_plain_in(text) or _PRICES.search(text) is not None

    def _is_plain_in(self, text: str) -> bool:
        """Whether it is called by more than letters that have other senses, or stands behind its number."""
        signs = _alternatives(tuple(each for each in self.signs if not re.fullmatch(r"[A-Za-z.]+", each)))
        names = rf"(?i:\b(?:{_alternatives(self.names)})\b)"
        return re.search(rf"{names}|[0-9]\s?{self.code}\b" + (f"|{signs}" if signs else ""), text) is not None

    def is_named_in(self, text: str) -> bool:
        """Whether a text speaks of it at all."""
        return re.search(self._whole, text) is not None

    def is_unclear_in(self, text: str) -> bool:
        """Whether an amount has three digits behind a point: thousands, or a price of something small."""
        numbers = (found for found in _EITHER.finditer(text) if self._is_beside(text, found))
        return any(
            _ONE_OF_SOMETHING.match(re.sub(rf"^\s?{self._whole}", "", text[each.end() :])) is None for each in numbers
        )

    def exchanged(self, text: str) -> Exchanged:
        """The text with dollars in the place of this currency."""
        pieces, places, last, length = [], [], 0, 0
        for start, end, put in sorted(self._replacements(text)):
            if start >= last:
                pieces += [text[last:start], put]
                length += start - last
                places.append((length, length + len(put), start, end))
                length, last = length + len(put), end
        return Exchanged(text, "".join((*pieces, text[last:])), tuple(places))

    def given_back(self, text: str) -> str:
        """A text about dollars, about this currency."""
        sign = self.signs[0] if self.signs else f"{self.code} "
        text = re.sub(r"\\?\$\s?(?=[-−]?\.?[0-9])", sign, text)
        for dollar, own in (("dollar", self.names[0]), ("dollars", self.names[1])):
            text = re.sub(rf"\b{dollar}\b", own, text)
        if self._own_small:
            text = re.sub(r"\bcents?\b", self._own_small[1], text)
        return text.replace("US_cent", f"{self.code}_cent").replace(DOLLAR, self.code)

    @property
    def _own_small(self) -> tuple[str, ...]:
        """Names of a hundredth that are not those of the dollar's."""
        return tuple(each for each in self.small if each not in ("cent", "cents"))

    @property
    def _sign(self) -> str:
        signs = _alternatives(self.signs)
        return rf"(?<![A-Za-z]){self.code}" + (rf"|(?<![A-Za-z])(?:{signs})" if signs else "")

    @property
    def _whole(self) -> str:
        return rf"(?:(?:{self._sign})(?![A-Za-z])|(?i:(?<![A-Za-z])(?:{_alternatives(self.names)})(?![A-Za-z])))"

    @property
    def _part(self) -> str:
        own = _alternatives(self._own_small)
        return rf"(?:\b|(?<=[0-9]))(?:{own})\b" if own else "(?!)"

    def _is_beside(self, text: str, number: re.Match[str]) -> bool:
        before, behind = text[: number.start()], text[number.end() :]
        return bool(re.search(rf"{self._whole}\s?$", before) or re.match(rf"\s?{self._whole}", behind))

    def _replacements(self, text: str) -> Iterator[tuple[int, int, str]]:
        names = [each.casefold() for each in self.names]
        for found in re.finditer(self._whole, text):
            before, behind = text[: found.start()], text[found.end() :]
            number = re.match(r"\s?(?=[-−]?\.?[0-9])", behind)
            if found[0].casefold() in names:
                yield *found.span(), "dollar" if found[0].casefold() == names[0] else "dollars"
            elif number is not None and not re.search(r"[0-9]\s?$", before):
                yield found.start(), found.end() + number.end(), "$"
            else:
                yield *found.span(), f" {DOLLAR}" if before[-1:].isdigit() else DOLLAR
        for found in re.finditer(self._part, text):
            is_at_number = found.start() > 0 and text[found.start() - 1].isdigit()
            if len(found[0]) > 1 or is_at_number:
                yield *found.span(), " cents" if is_at_number else "cents"
        yield from self._numbers(text)

    def _numbers(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Numbers beside the currency as they are written elsewhere: 12,50 and 1.250,50; 1,50,000 and 5 lakh."""
        for pattern in (_GROUPED, _DECIMALS):
            for found in pattern.finditer(text):
                if self._is_beside(text, found):
                    yield *found.span(), found[0].replace(".", "").replace(",", ".")
        for found in _IN_LAKHS.finditer(text):
            yield *found.span(), found[0].replace(",", "")
        for found in _LAKHS.finditer(text):
            times = _LAKH if found["scale"].casefold().startswith("l") else _CRORE
            yield *found.span(), f"{round(float(found['number']) * times)}"


def currencies_in(text: str) -> tuple[Currency, ...]:
    """The currencies other than the US dollar of which a text has amounts."""
    return tuple(each for each in _currencies() if each.is_in(text))


def named_in(text: str) -> tuple[str, ...]:
    """The codes of all currencies that a text speaks of, the US dollar with them."""
    foreign = tuple(each.code for each in _currencies() if each.is_named_in(text) and not each.is_doubtful)
    return (DOLLAR, *foreign) if _DOLLARS.search(_without_foreign_dollars(text)) else foreign


def only_currency(text: str) -> Currency | None:
    """The one currency of which a text speaks, where it is not the US dollar."""
    found = currencies_in(text)
    if len(found) != 1 or found[0].is_unclear_in(text):
        return None
    return found[0] if set(named_in(text)) <= {found[0].code} else None


def codes_in_unit(unit: str) -> frozenset[str]:
    """The currencies other than the US dollar of which a unit is."""
    return frozenset(_codes().findall(unit))


def unit_in_dollars(unit: str) -> str:
    """A unit with the US dollar in place of other currencies."""
    return _codes().sub(DOLLAR, unit)


@cache
def _codes() -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-z])(?:{'|'.join(each.code for each in _currencies())})(?![A-Za-z])")


def _without_foreign_dollars(text: str) -> str:
    """Without Australian dollars and the like."""
    for each in _currencies():
        if any("$" in sign for sign in each.signs):
            text = re.sub(each._whole, " ", text)
    return text


def _alternatives(words: tuple[str, ...]) -> str:
    return "|".join(re.escape(each) for each in sorted(words, key=len, reverse=True))


@cache
def _currencies() -> tuple[Currency, ...]:
    text = (
        resources.files("mathrag.language").joinpath("data", "patterns", "currencies.toml").read_text(encoding="utf-8")
    )
    return tuple(
        Currency(
            code,
            tuple(each.get("signs", ())),
            tuple(each["names"]),
            tuple(each.get("small", ())),
            bool(each.get("doubtful", False)),
        )
        for code, each in tomllib.loads(text).items()
    )
