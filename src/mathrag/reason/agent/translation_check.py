"""Whether a translation of a question kept its numbers and units. Reads both texts; knows no model and no language.

A number of the translation must stand in the original, one for one, and none may be lost. Where the original's unit can
be read, or is a common word for one, the translation must have the same.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from mathrag.errors import UnitError
from mathrag.knowledge.units import read_canonical_unit
from mathrag.language.folding import without_invisible
from mathrag.language.quantities import Mention, find_quantities
from mathrag.language.spoken_numbers import digits_as_seen, strange_words, words_of
from mathrag.reason.agent.seams import Problem
from mathrag.types.quantity import Unit

_NUMERAL = re.compile(r"(?:(?<![\w)\]])[-\u2212])?\d+(?:[.,]\d+)*")
_UNIT_WORD = re.compile(
    r"[ \u00a0]?([^\W\d_]{2,30})(?![^\W\d_])([ \u00a0]?[/²³^]| (?:pro|par|por|per|al|alla|à|a|в) )?"
)
_THOUSANDS = re.compile(r"(?<=\d)[\u00a0\u202f\u2009'](?=\d{3}(?!\d))")
# The beginnings of common words for units in the languages questions come in; longer ones first where one begins so.
_UNIT_WORDS = {
    "kilomet": "km", "kilomèt": "km", "километр": "km",
    "zentimet": "cm", "centimet": "cm", "centimèt": "cm", "centímet": "cm", "сантиметр": "cm",
    "millimet": "mm", "millimèt": "mm", "milímet": "mm", "миллиметр": "mm",
    "meter": "m", "mètre": "m", "metro": "m", "metri": "m", "metr": "m", "метр": "m",
    "kilogram": "kg", "quilogram": "kg", "chilogram": "kg", "килограмм": "kg", "kilo": "kg",
    "gramm": "g", "gramo": "g", "grammi": "g", "gram": "g", "грамм": "g",
    "tonne": "t", "tonelada": "t", "тонн": "t",
    "sekund": "s", "second": "s", "segund": "s", "secondi": "s", "секунд": "s",
    "minut": "min", "минут": "min",
    "stunde": "h", "heure": "h", "hora": "h", "ore": "h", "uur": "h", "godzin": "h", "час": "h",
    "milliliter": "mL", "millilitre": "mL", "mililitro": "mL", "liter": "L", "litre": "L", "litro": "L", "литр": "L",
    "newton": "N", "ньютон": "N", "joule": "J", "julio": "J", "джоул": "J", "watt": "W", "vatio": "W", "ватт": "W",
    "volt": "V", "voltio": "V", "вольт": "V", "ohm": "ohm", "ohmio": "ohm", "ампер": "A", "ampere": "A", "ampère": "A",
    "amperio": "A", "kelvin": "K", "кельвин": "K", "hertz": "Hz", "hercio": "Hz", "герц": "Hz", "pascal": "Pa",
    "паскал": "Pa", "mol": "mol", "моль": "mol",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Number:
    """A number as written: the values it can have, where it ends, and its units where they can be read."""

    text: str
    values: tuple[float, ...]
    start: int
    end: int
    units: tuple[Unit, ...] = ()


def translation_problem(original: str, translation: str) -> Problem | None:
    """Why a translation cannot be trusted; None where its numbers and units are those of the original."""
    source, target = _plain(original), _plain(translation)
    before, after = _numbers(source, is_english=False), _numbers(target, is_english=True)
    unclear = next((each for each in before if len(each.values) > 1), None)
    if unclear is not None:
        return Problem(
            "ambiguous_number",
            f"it is not clear whether the mark in {unclear.text} parts decimals or thousands; leave out the latter",
        )
    foreign = strange_words(translation, words_of([original]))
    if foreign:
        return Problem("not_english", "the translation has words in letters that are not those of English")
    odd = next((each for each in target if unicodedata.category(each) in ("No", "Nl") and each not in source), "")
    if odd:
        return Problem("number_without_source", "the translation has a sign for a number, the question not")
    spelt = _spelt(target)
    if spelt:
        return Problem("number_without_source", "the translation has a number in words, the question not")
    rest = list(after)
    for number in before:
        twin = next((each for each in rest if each.values[0] == number.values[0]), None)
        if twin is None:
            return Problem("number_lost", f"the translation lost the number {number.text}")
        rest.remove(twin)
        misfit = _unit_problem(number, twin, source)
        if misfit is not None:
            return misfit
    if rest:
        return Problem("number_without_source", "the translation has a number that the question has not")
    return None


def _plain(text: str) -> str:
    digits = digits_as_seen(without_invisible(text))
    return _THOUSANDS.sub("", digits).replace("\u2212", "-")


def _numbers(text: str, *, is_english: bool) -> list[_Number]:
    """The numerals of a text in order, with their units."""
    shown = text if is_english else _NUMERAL.sub(lambda found: _pointed(found.group()), text)
    # A comma that became a point keeps every place, so what is read there belongs to the numeral at the same place.
    units = _units_by_place(shown)
    found = []
    for numeral in _NUMERAL.finditer(text):
        values = (_english(numeral.group()),) if is_english else _readings(numeral.group())
        found.append(_Number(numeral.group(), values, numeral.start(), numeral.end(), units.get(numeral.start(), ())))
    return found


def _pointed(numeral: str) -> str:
    return numeral.replace(",", ".") if numeral.count(",") == 1 and "." not in numeral else numeral


def _units_by_place(text: str) -> dict[int, tuple[Unit, ...]]:
    found: dict[int, tuple[Unit, ...]] = {}
    for mention in _mentions(text):
        if mention.units:
            numeral = _NUMERAL.search(text, mention.start, mention.end)
            if numeral is not None:
                found[numeral.start()] = (*mention.units, *mention.rare_units)
    return found


def _mentions(text: str) -> tuple[Mention, ...]:
    try:
        return find_quantities(text)
    except UnitError:
        return ()


def _english(numeral: str) -> float:
    return float(numeral.replace(",", "")) if numeral.count(".") <= 1 else float(numeral.split(".")[0])


def _readings(numeral: str) -> tuple[float, ...]:
    """What a numeral can mean where it is not known whether comma or point parts the decimals."""
    marks = [mark for mark in numeral if mark in ".,"]
    if not marks:
        return (float(numeral),)
    if len(set(marks)) == 2:
        last = marks[-1]
        other = "," if last == "." else "."
        return (float(numeral.replace(other, "").replace(last, ".", 1)),) if marks.count(last) == 1 else (0.0, 1.0)
    whole, *rest = re.split(r"[.,]", numeral)
    if len(marks) > 1:
        return (float(whole + "".join(rest)),)
    decimal = float(f"{whole}.{rest[0]}")
    if len(rest[0]) == 3 and 1 <= len(whole) <= 3 and whole != "0":
        return decimal, float(whole + rest[0])
    return (decimal,)


def _spelt(text: str) -> str:
    """A number in words: it may be right, but nobody can say so."""
    kinds = ("quantity", "number", "count")
    for mention in _mentions(text):
        if mention.kind in kinds and not any(each.isdigit() for each in mention.text) and mention.value != 1:
            return mention.text
    return ""


def _unit_problem(number: _Number, twin: _Number, source: str) -> Problem | None:
    """The units of a number and of its twin must be one, where both can be told."""
    known = number.units or _worded_unit(source[number.end : number.end + 40])
    if not known:
        return None
    if any(one.dimension == other.dimension and one.scale == other.scale for one in known for other in twin.units):
        return None
    shown = twin.units[0].text if twin.units else "no unit"
    return Problem("unit_changed", f"the translation changed the unit of {number.text}: {known[0].text} became {shown}")


def _worded_unit(after: str) -> tuple[Unit, ...]:
    match = re.match(
        r"[ \u00a0]?([^\W\d_]{2,30})(?![^\W\d_])([ \u00a0]?[/²³^]| (?:pro|par|por|per|al|alla|à|a|в) )?", after
    )
    if match is None or match.group(2):
        # A compound of words: what its parts are does not say what the whole is.
        return ()
    unit = unit_in_words(match.group(1))
    return () if unit is None else (unit,)


def unit_in_words(word: str) -> Unit | None:
    """The unit that a word of one of the languages questions come in names; None where it names none that is known."""
    for beginning in sorted(_UNIT_WORDS, key=len, reverse=True):
        if word.lower().startswith(beginning) and len(word) <= len(beginning) + 4:
            return read_canonical_unit(_UNIT_WORDS[beginning])
    return None
