"""From a spelling to the units it can stand for: prefixes, plurals, word names, tolerated case. Single names only."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from typing import Literal

from mathrag.knowledge.units.table import Factor, UnitEntry, factor_of, units_data
from mathrag.types.quantity import DIMENSIONLESS

# Cut unit text into tokens that remember their place. Knows characters, not units.

Kind = Literal["name", "number", "power", "operator"]

_OPERATORS = {
    "*": "*", "·": "*", "⋅": "*", "•": "*", "∙": "*", "×": "*", "⨯": "*", "\u2062": "*", "・": "*",
    "/": "/", "⁄": "/", "∕": "/", "÷": "/",
    "^": "^", "(": "(", ")": ")", "[": "(", "]": ")", "{": "(", "}": ")", ".": ".",
    "-": "-", "−": "-", "–": "-", "‐": "-", "‑": "-", "﹣": "-", "－": "-", "+": "+",
}  # fmt: skip
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_SUPERSCRIPT_CHARACTERS = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺")
# Directions that follow an angle without a blank: `20°N` has no unit of its own.
_COMPASS = frozenset("N S E W NE NW SE SW north south east west".split())
_SAME = {"º": "°", "˚": "°", "μ": "µ", "Ω": "Ω", "Å": "Å", "K": "K", "％": "%"}
_BLANKS = frozenset(" \t\n\r\u00a0\u2009\u202f\u2002\u2003\u2005\u2006\u2007\u2008\u200a\u205f\u200b\u2060~")


_ASCII_WORD = re.compile("[A-Za-z]+")
_CLAUSE_ENDS = frozenset(",;:=?!<>|≈±\\")
_PROSE_TOKENS = 20
_PLAIN_ENDS = frozenset(" .,;:/*^-()0123456789")


@dataclass(frozen=True, slots=True)
class UnitToken:
    """A piece of unit text. `spaced`: white space stands before it."""

    kind: Kind
    text: str
    start: int
    end: int
    spaced: bool


def tokenize(text: str, start: int = 0, stop: int | None = None) -> list[UnitToken]:
    """All tokens between two places; unknown characters end up as one-character names for the grammar to refuse."""
    stop = len(text) if stop is None else min(stop, len(text))
    tokens: list[UnitToken] = []
    place = start
    spaced = False
    while place < stop:
        character = text[place]
        if character in _BLANKS:
            spaced = True
            place += 1
            continue
        token = _token_at(text, place, stop, spaced)
        tokens.append(token)
        place = token.end
        spaced = False
    return tokens


def tokenize_prose(text: str, start: int, stop: int) -> list[UnitToken]:
    """Tokens of running text up to where no unit can go on: a clause ends, or a number stands behind a blank."""
    stop = min(stop, len(text))
    tokens: list[UnitToken] = []
    place = start
    spaced = False
    while place < stop and len(tokens) < _PROSE_TOKENS:
        character = text[place]
        if character in _BLANKS:
            if character == "\n" and tokens:
                break
            spaced = True
            place += 1
            continue
        if character in _CLAUSE_ENDS:
            break
        token = _token_at(text, place, stop, spaced)
        if token.kind == "number" and spaced and tokens:
            tokens.append(token)
            break
        tokens.append(token)
        place = token.end
        spaced = False
    return tokens


def _token_at(text: str, place: int, stop: int, spaced: bool) -> UnitToken:
    character = text[place]
    if character == "*" and text[place + 1 : place + 2] == "*" and place + 1 < stop:
        return UnitToken("operator", "^", place, place + 2, spaced)
    if character in _OPERATORS:
        return UnitToken("operator", _OPERATORS[character], place, place + 1, spaced)
    if character in _SUPERSCRIPT_CHARACTERS:
        end = place + 1
        while end < stop and text[end] in _SUPERSCRIPT_CHARACTERS:
            end += 1
        return UnitToken("power", text[place:end].translate(_SUPERSCRIPTS), place, end, spaced)
    if character.isascii() and character.isdecimal():
        end = place + 1
        while end < stop and text[end].isascii() and text[end].isdecimal():
            end += 1
        if end + 1 < stop and text[end] == "." and text[end + 1].isascii() and text[end + 1].isdecimal():
            end += 1
            while end < stop and text[end].isascii() and text[end].isdecimal():
                end += 1
        return UnitToken("number", text[place:end], place, end, spaced)
    return _name_at(text, place, stop, spaced)


# Of `W/mK` and `J/kgK` the kelvin stands below the line too; nobody counts by the millikelvin.
_PER_KELVIN = re.compile(r"(?:(?<=/)|(?<=/\())(?:k?g|k?mol|m|lb)(?=K(?![A-Za-z]))")


def _name_at(text: str, place: int, stop: int, spaced: bool) -> UnitToken:
    """A run of letters, with an optional mark at its head (°C, µΩ, R☉) and underscores inside (delta_degC)."""
    glued = _PER_KELVIN.match(text, place, stop)
    if glued is not None:
        return UnitToken("name", glued.group(), place, glued.end(), spaced)
    plain = _ASCII_WORD.match(text, place, stop)
    if plain and (plain.end() >= stop or text[plain.end()] in _PLAIN_ENDS):
        return UnitToken("name", plain.group(), place, plain.end(), spaced)
    end = place + 1
    first = _SAME.get(text[place], text[place])
    letters = first == "°" or first.isalpha()
    while letters and end < stop and (text[end].isalpha() or text[end] in "☉⊙⊕" or _joins(text, end, stop)):
        end += 1
    if first == "°" and text[place + 1 : end] in _COMPASS:
        end = place + 1
    name = "".join(_SAME.get(letter, letter) for letter in text[place:end])
    if not name.isascii() and any("\u3300" <= letter <= "\u33ff" for letter in name):
        name = unicodedata.normalize("NFKC", name)
    if letters and end < stop and text[end] == "°" and name in ("C", "F"):
        end, name = end + 1, name + "°"
    if name == "US" and text[end : end + 1] == "$":
        end, name = end + 1, "US$"
    return UnitToken("name", name, place, end, spaced)


def _joins(text: str, place: int, stop: int) -> bool:
    """Whether an underscore (or the digit after it: g_0) belongs to the name."""
    if text[place] == "_":
        return place + 1 < stop and text[place + 1].isalnum()
    return text[place] == "0" and text[place - 1] == "_"


# Prefixes that typed-in text with wrong case may mean; the others are too seldom to guess.
_TOLERATED_PREFIXES = frozenset({"", "p", "n", "u", "m", "c", "k", "M", "G", "T", "h", "d"})


@dataclass(frozen=True, slots=True)
class Atom:
    """One unit with its prefix: canonical text and exact worth."""

    text: str
    factor: Factor


@dataclass(frozen=True, slots=True)
class NameReading:
    """One meaning of a spelling: a product of atoms, whether it is a rare one, and whether only outside products."""

    parts: tuple[tuple[Atom, Fraction], ...]
    rare: bool = False
    alone: bool = False
    plain: bool = False


@dataclass(frozen=True, slots=True)
class Phrase:
    """A spelling of several tokens. Case counts unless it is made of words."""

    texts: tuple[str, ...]
    spelling: str
    is_words: bool


@dataclass(frozen=True, slots=True)
class _Sense:
    entry: UnitEntry
    prefix: str
    rare: bool = False
    alone: bool = False


@dataclass(frozen=True, slots=True)
class _Tables:
    exact: dict[str, tuple[_Sense, ...]]
    words: dict[str, tuple[_Sense, ...]]
    folded: dict[str, tuple[tuple[str, _Sense], ...]]
    phrases: dict[str, tuple[Phrase, ...]]
    word_phrases: dict[str, tuple[Phrase, ...]]


def plural_of(word: str) -> str:
    """The regular English plural; for a phrase that of its last word."""
    if word.endswith(("s", "x", "z", "ch")):
        return word + "es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"


def readings_of(spelling: str) -> tuple[NameReading, ...]:
    """All meanings of a spelling, most usual first; empty when it names no unit."""
    return _readings(spelling) if len(spelling) <= 64 else ()


@lru_cache(maxsize=4096)
def _readings(spelling: str) -> tuple[NameReading, ...]:
    senses = _senses(spelling)
    readings = [_reading(sense) for sense in senses]
    unique: list[NameReading] = []
    for reading in sorted(readings, key=lambda item: item.rare):
        if all(other.parts != reading.parts for other in unique):
            unique.append(reading)
    return tuple(unique)


def _senses(spelling: str) -> tuple[_Sense, ...]:
    tables = _tables()
    found = tables.exact.get(spelling, ())
    lower = spelling.lower()
    if spelling == lower or all(sense.rare for sense in found):
        found += tuple(sense for sense in tables.words.get(lower, ()) if sense not in found)
    if found or len(spelling) < 2:
        return found
    return _tolerated(spelling, tables.folded.get(lower, ()))


def _tolerated(spelling: str, candidates: tuple[tuple[str, _Sense], ...]) -> tuple[_Sense, ...]:
    """Wrong case, as in `Kg` or `hz`. A capital first letter that fits decides (`Mpa`), a small one does not."""
    if spelling[0].isupper():
        same = tuple(sense for written, sense in candidates if written[0] == spelling[0])
        if same:
            return same
    return tuple(sense for _, sense in candidates)


def _reading(sense: _Sense) -> NameReading:
    entry = sense.entry
    if entry.product:
        parts = [(atom_of(name), exponent) for name, exponent in _product(entry.product)]
        if sense.prefix:
            first = parts[0][0]
            parts[0] = (_prefixed(first.text, first.factor, sense.prefix), parts[0][1])
        return NameReading(tuple(parts), sense.rare, sense.alone)
    if entry.plain:
        plain = Factor(DIMENSIONLESS, Fraction(1), Fraction(0))
        parts = [(Atom(entry.text, plain), Fraction(1))] if entry.text else []
        return NameReading(tuple(parts), sense.rare, sense.alone, plain=True)
    atom = _prefixed(entry.text, factor_of(entry.name), sense.prefix)
    return NameReading(((atom, Fraction(1)),), sense.rare, sense.alone)


def _prefixed(text: str, factor: Factor, prefix: str) -> Atom:
    if not prefix:
        return Atom(text, factor)
    scale = factor.scale * Fraction(10) ** units_data().prefixes[prefix].power
    return Atom(prefix + text, Factor(factor.dimension, scale, factor.offset))


@cache
def _product(text: str) -> tuple[tuple[str, Fraction], ...]:
    """`m/s^2` of the data file as names with exponents; one level, strictly from left to right."""
    parts: list[tuple[str, Fraction]] = []
    sign = 1
    tokens = tokenize(text)
    for index, token in enumerate(tokens):
        if token.text == "/":
            sign = -1
        elif token.kind == "name":
            raised = index + 2 < len(tokens) and tokens[index + 1].text == "^"
            power = int(tokens[index + 2].text) if raised else 1
            parts.append((token.text, Fraction(sign * power)))
    return tuple(parts)


@cache
def atom_of(text: str) -> Atom:
    """The atom with this canonical text."""
    for reading in readings_of(text):
        if len(reading.parts) == 1 and reading.parts[0][0].text == text:
            return reading.parts[0][0]
    raise KeyError(text)


def is_declined(spelling: str) -> str:
    """Why this spelling is never read, or nothing."""
    return units_data().declined.get(spelling, "")


def phrases_from(first: str) -> tuple[Phrase, ...]:
    """Spellings of several tokens that begin with this token, longest first."""
    tables = _tables()
    return tables.phrases.get(first, ()) + tables.word_phrases.get(first.lower(), ())


@lru_cache(maxsize=256)
def nearest(spelling: str) -> str:
    """A known spelling that looks like this one, or nothing."""
    if not 2 <= len(spelling) <= 24:
        return ""
    tables = _tables()
    pool = tables.words if len(spelling) > 3 else tables.exact
    wanted = spelling.lower() if len(spelling) > 3 else spelling
    # Hardly anyone mistypes the first letter, and comparing with every spelling takes a hundred times longer.
    similar = [known for known in pool if known[:1] == wanted[0] and abs(len(known) - len(wanted)) <= 3]
    found = difflib.get_close_matches(wanted, similar, n=1, cutoff=0.75)
    return found[0] if found else ""


@cache
def _tables() -> _Tables:
    exact: defaultdict[str, list[_Sense]] = defaultdict(list)
    prefixed: defaultdict[str, list[_Sense]] = defaultdict(list)
    words: defaultdict[str, list[_Sense]] = defaultdict(list)
    data = units_data()
    for entry in data.entries.values():
        _add_symbols(entry, exact, prefixed)
        _add_words(entry, words)
    for spelling, names in data.ambiguous.items():
        exact[spelling] = [_Sense(data.entries[name], "") for name in names]
    # A spelling of its own wins over prefix + symbol: `min` is a minute, not a milli-inch.
    for spelling, senses in prefixed.items():
        if spelling not in exact:
            exact[spelling] = senses
    return _Tables(
        exact={spelling: tuple(senses) for spelling, senses in exact.items()},
        words={word: tuple(senses) for word, senses in words.items()},
        folded=_folded(exact),
        phrases=_phrases(exact, fold=False),
        word_phrases=_phrases(words, fold=True),
    )


def _folded(exact: Mapping[str, list[_Sense]]) -> dict[str, tuple[tuple[str, _Sense], ...]]:
    """The spellings by their small letters, for those who type `KG`: only where no other unit could be meant."""
    folded: defaultdict[str, list[tuple[str, _Sense]]] = defaultdict(list)
    for spelling, senses in exact.items():
        for sense in senses:
            is_exact_only = sense.entry.product or sense.entry.strict or sense.rare
            if len(spelling) > 1 and not is_exact_only and sense.prefix in _TOLERATED_PREFIXES:
                folded[spelling.lower()].append((spelling, sense))
    return {spelling: tuple(pairs) for spelling, pairs in folded.items()}


def _add_symbols(
    entry: UnitEntry, exact: defaultdict[str, list[_Sense]], prefixed: defaultdict[str, list[_Sense]]
) -> None:
    long_name = (entry.name,) if "_" in entry.name else ()
    for spelling in dict.fromkeys((*entry.symbols, *entry.fixed, *((entry.text,) if entry.text else ()), *long_name)):
        exact[spelling].append(_Sense(entry, ""))
    for spelling in entry.rare:
        exact[spelling].append(_Sense(entry, "", rare=True, alone=True))
    for spelling in entry.also:
        exact[spelling].append(_Sense(entry, "", rare=True))
    for prefix in entry.prefixes:
        for spelling in dict.fromkeys((*entry.symbols, *((entry.text,) if entry.text else ()))):
            for written in (prefix, "µ") if prefix == "u" else (prefix,):
                prefixed[written + spelling].append(_Sense(entry, prefix))


def _add_words(entry: UnitEntry, words: defaultdict[str, list[_Sense]]) -> None:
    data = units_data()
    for word in entry.words:
        for form in dict.fromkeys((word.lower(), plural_of(word.lower()))):
            words[form].append(_Sense(entry, ""))
            for prefix in entry.prefixes:
                words[data.prefixes[prefix].word + form].append(_Sense(entry, prefix))


def _phrases(table: defaultdict[str, list[_Sense]], *, fold: bool) -> dict[str, tuple[Phrase, ...]]:
    """Index the spellings of several tokens by their first; word phrases may be hyphenated."""
    found: defaultdict[str, list[Phrase]] = defaultdict(list)
    for spelling in table:
        texts = tuple(token.text for token in tokenize(spelling))
        if len(texts) < 2:
            continue
        found[texts[0]].append(Phrase(texts, spelling, fold))
        if fold and all(text.isalpha() for text in texts):
            hyphenated = tuple(part for text in texts for part in (text, "-"))[:-1]
            found[texts[0]].append(Phrase(hyphenated, spelling, fold))
    return {first: tuple(sorted(rows, key=lambda row: -len(row.texts))) for first, rows in found.items()}


def is_exact(spelling: str) -> bool:
    """Whether the spelling is in the table as it stands, without tolerating another case."""
    tables = _tables()
    return spelling in tables.exact or spelling.lower() in tables.words
