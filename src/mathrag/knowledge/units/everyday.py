"""Everyday names of units that mean more than one thing: which reading is taken, by which words, and how that is said.

The readings are data (`[everyday]` in `units.toml`). Whoever computes with a unit that a person wrote asks here, once,
what has to be said about it.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache, lru_cache

from mathrag.errors import UnitError
from mathrag.knowledge.units.names import plural_of
from mathrag.knowledge.units.reader import read_canonical_unit
from mathrag.knowledge.units.table import EverydayName, EverydayReading, units_data
from mathrag.types.quantity import Unit

_LONGEST_TEXT = 2_000
_ATOM = re.compile(r"[^\W\d][\w]*")


@dataclass(frozen=True, slots=True)
class _Spellings:
    """How a name is found in a text: all its spellings, and those among them that say no reading."""

    pattern: re.Pattern[str]
    open: frozenset[str]


def reading_notes(text: str, taken: str, words: Collection[str] = ()) -> tuple[str, ...]:
    """A sentence for each name in `text` that leaves its unit open, on the reading that `taken` shows.

    `taken` is the text of the units that were computed with; `words` are the words around the name, for names that are
    only doubtful among certain words (a mile at sea).
    """
    units = frozenset(_ATOM.findall(taken))
    found: list[str] = []
    for name in names_left_open(text):
        used = [each for each in name.readings if each.unit in units]
        if not used:
            continue
        # `5 imperial gallons in gallons`: what the text names outright is not what it leaves open.
        chosen = next((each for each in used if not _is_named(each, name, text)), used[0])
        is_doubted = any(each is not chosen and not each.where.isdisjoint(words) for each in name.readings)
        if name.is_stated or is_doubted or chosen is not name.readings[0]:
            found.append(_sentence(name, chosen))
    return tuple(dict.fromkeys(found))


def names_left_open(text: str) -> tuple[EverydayName, ...]:
    """The names in a text whose spelling does not say which reading is meant."""
    return _names_in(text[:_LONGEST_TEXT])


@lru_cache(maxsize=4096)
def _names_in(text: str) -> tuple[EverydayName, ...]:
    found = []
    folded = text.lower()
    for name in units_data().everyday.values():
        # Most texts have none of them, and a pattern takes a while to make.
        if not any(word.lower() in folded for word in name.spellings):
            continue
        spellings = _spellings(name)
        matches = (match.group() for match in spellings.pattern.finditer(text))
        if any((match if name.is_exact else match.lower()) in spellings.open for match in matches):
            found.append(name)
    return tuple(found)


def unit_in_context(text: str, unit: Unit, words: Collection[str]) -> Unit | None:
    """The unit with the reading that the words around it ask for: ounces of gold are troy ounces; None where the words
    ask for no other."""
    for name in names_left_open(text):
        asked = next((each for each in name.readings if not each.where.isdisjoint(words)), None)
        current = next((each for each in name.readings if each.unit in _ATOM.findall(unit.text)), None)
        if asked is None or current is None or asked is current:
            continue
        if read_canonical_unit(asked.unit).dimension != read_canonical_unit(current.unit).dimension:
            continue
        changed = re.sub(rf"(?<!\w){re.escape(current.unit)}(?!\w)", asked.unit, unit.text)
        try:
            return read_canonical_unit(changed)
        except UnitError:
            return None
    return None


def readings_in_words(name: EverydayName) -> str:
    """All readings of a name with what each is worth, for someone who has to choose."""
    return ", ".join(f"{each.name}{_worth(each)}" for each in name.readings)


def _sentence(name: EverydayName, chosen: EverydayReading) -> str:
    others = ", ".join(f"{each.name}{_worth(each)}" for each in name.readings if each is not chosen)
    said = f"{name.spoken} is taken as {chosen.name}{_worth(chosen)}"
    return f"{said}, not as {others}" if others else said


@cache
def _worth(reading: EverydayReading) -> str:
    """Its size in brackets, in the unit that the table tells it in."""
    if not reading.measured_in:
        return ""
    scale = read_canonical_unit(reading.unit).scale / read_canonical_unit(reading.measured_in).scale
    return f" ({scale:.6g} {reading.measured_in})"


@cache
def _spellings(name: EverydayName) -> _Spellings:
    """Longer spellings come first, so that `imperial gallon` is not found as a gallon left open."""
    entries = units_data().entries
    clear = {
        form
        for entry in entries.values()
        for word in (*entry.words, *entry.fixed)
        # `in lb` is a question for pounds more often than a torque.
        if (len(word.split()) > 1 and not word.startswith("in ")) or "-" in word
        for form in (word, plural_of(word))
    }
    own = {form for word in name.spellings for form in (word, plural_of(word))}
    longer = {word for word in clear if word not in own and _holds(word, own, is_exact=name.is_exact)}
    ordered = sorted({*own, *longer}, key=len, reverse=True)
    pattern = "|".join(re.escape(word).replace(r"\ ", r"[\s-]+") for word in ordered)
    flags = 0 if name.is_exact else re.IGNORECASE
    return _Spellings(
        re.compile(rf"(?<![^\W\d_])(?:{pattern})(?![^\W\d_])", flags),
        frozenset(own if name.is_exact else {word.lower() for word in own}),
    )


def _is_named(reading: EverydayReading, name: EverydayName, text: str) -> bool:
    return _clear_spellings(reading, name).search(text[:_LONGEST_TEXT]) is not None


@cache
def _clear_spellings(reading: EverydayReading, name: EverydayName) -> re.Pattern[str]:
    """Spellings of a reading that no other reading of the name has."""
    own = {form.lower() for word in name.spellings for form in (word, plural_of(word))}
    entries = [each for each in units_data().entries.values() if reading.unit in (each.text, each.product)]
    words = {form for entry in entries for word in entry.words for form in (word, plural_of(word))}
    words |= {word for entry in entries for word in (*entry.fixed, *entry.symbols)} | {reading.unit}
    clear = sorted((word for word in words if word.lower() not in own), key=len, reverse=True)
    pattern = "|".join(re.escape(word).replace(r"\ ", r"[\s-]+") for word in clear) or r"(?!)"
    return re.compile(rf"(?<![^\W\d_])(?:{pattern})(?![^\W\d_])", 0 if name.is_exact else re.IGNORECASE)


def _holds(word: str, own: Collection[str], *, is_exact: bool) -> bool:
    parts = frozenset(re.split(r"[\s-]+", word if is_exact else word.lower()))
    return any(spelling in parts for spelling in own)
