"""Find a constant by the words people use for it: any order, possessives, small typos. Values are not touched here."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from mathrag.compute.constants import all_constants
from mathrag.compute.wording import normal_words
from mathrag.types.knowledge import Constant

_STOPS = frozenset(("of", "the", "a", "an", "for", "at", "in", "on", "to", "per", "and", "value", "its", "is", "from"))
# Words of names that people leave out without meaning anything else.
_OPTIONAL = frozenset(("vacuum", "normal", "mean", "rms", "dry", "magnitude", "universal", "degc", "0", "20", "25"))
_LIGHT = {"constant": 0.5, "number": 0.5, "value": 0.3} | dict.fromkeys(_OPTIONAL, 0.3)
# The order of these names matters: the mass ratio of proton to electron is not that of electron to proton.
_ORDERED = frozenset(("ratio", "quotient", "difference"))
_TOKEN = re.compile(r"[a-z]+|[0-9]+(?:\.[0-9]+)?")
_DEGREES = re.compile(r"(?:°|\bdeg(?:ree)?s?\b) ?(?:c|celsius)\b|(?<=[0-9]) ?c\b|\bcelsius\b|℃")
_MAXIMUM_CHARACTERS = 120
_VOWELS = frozenset("aeiouy")
# Further names, for what the table calls more carefully.
_OTHER_NAMES = {
    "speed of sound": "air_speed_of_sound_20c",
    "gravity of earth": "standard_gravity",
    "earth gravity": "standard_gravity",
    "acceleration of gravity": "standard_gravity",
    "gravitational acceleration on earth": "standard_gravity",
    "acceleration due to gravity on earth": "standard_gravity",
    "freefall acceleration": "standard_gravity",
    "hydrogen ionization energy": "rydberg_energy_ev",
    "h bar": "reduced_planck_constant",
    "hbar": "reduced_planck_constant",
    "distance earth to sun": "astronomical_unit",
    "distance earth to moon": "moon_distance",
}


@dataclass(frozen=True, slots=True)
class Named:
    """A constant found by words. `missing` are words of its name that were not said, `corrected` typos mended."""

    score: float
    constant: Constant
    name: str
    missing: tuple[str, ...] = ()
    corrected: tuple[tuple[str, str], ...] = ()
    unmatched: tuple[str, ...] = ()

    @property
    def is_full(self) -> bool:
        """Whether every word was understood and nothing that matters was left out."""
        return not self.unmatched and all(word in _OPTIONAL for word in self.missing)


def find_constant(words: str) -> list[tuple[float, Constant]]:
    """Constants that the words may name, best first, each once, with a score up to 1 (every word of a name said)."""
    return [(found.score, found.constant) for found in named_constants(words)]


def named_constants(words: str, *, least: float = 0.55) -> list[Named]:
    """The same with what was left out, mended or not understood."""
    asked = tokens_of(words)
    if not asked or len(words) > _MAXIMUM_CHARACTERS or len(asked) > 12:
        return []
    best: dict[str, Named] = {}
    partners = {word: _partners(word) for word in asked}
    names = _names()
    for constant, name, name_tokens in (names[place] for place in _promising(partners, asked, least)):
        found = _compared(partners, asked, constant=constant, name=name, name_tokens=name_tokens)
        if found.score >= least and (constant.id not in best or best[constant.id].score < found.score):
            best[constant.id] = found
    order = _order()
    return sorted(
        best.values(), key=lambda each: (-round(each.score, 6), not each.constant.is_default, order[each.constant.id])
    )


def _promising(partners: Mapping[str, Sequence[str]], asked: Sequence[str], least: float) -> list[int]:
    """The places of the names that share enough with the question to score; there are hundreds of others."""
    shared: dict[int, float] = {}
    for word in asked:
        for partner in partners[word]:
            weight = _LIGHT.get(partner, 1.0)
            for place in _places()[partner]:
                shared[place] = shared.get(place, 0.0) + weight
    own, weights = _weight(asked), _name_weights()
    return sorted(place for place, common in shared.items() if 2 * common >= (least - 1e-9) * (own + weights[place]))


@cache
def _name_weights() -> tuple[float, ...]:
    return tuple(_weight(tokens) for _, _, tokens in _names())


@cache
def _order() -> dict[str, int]:
    return {constant.id: place for place, constant in enumerate(all_constants())}


def tokens_of(text: str) -> tuple[str, ...]:
    """Content words in normal form; `20 °C` and `20 degC` are `20 degc`."""
    plain = re.sub(r"['’]s\b|['’]", "", text.casefold()).replace("-", " ").replace("å", "a").replace("á", "a")
    plain = plain.replace("specific heat capacity", "specific heat")
    plain = _DEGREES.sub(" degc", plain)
    found = (normal_words(word) for word in _TOKEN.findall(plain))
    return tuple(word for word in found if word and word not in _STOPS)


@cache
def _names() -> tuple[tuple[Constant, str, tuple[str, ...]], ...]:
    by_id = {constant.id: constant for constant in all_constants()}
    own = [(constant, name) for constant in all_constants() for name in constant.names]
    other = [(by_id[key], name) for name, key in _OTHER_NAMES.items() if key in by_id]
    return tuple((constant, name, tokens_of(name)) for constant, name in (*own, *other))


@cache
def _places() -> dict[str, list[int]]:
    """In which names each word occurs."""
    places: dict[str, list[int]] = {}
    for place, (_, _, tokens) in enumerate(_names()):
        for token in dict.fromkeys(tokens):
            places.setdefault(token, []).append(place)
    return places


@lru_cache(maxsize=4096)
def _partners(word: str) -> tuple[str, ...]:
    """The words of names that a word of the question may stand for: itself, or what it is a typo of."""
    return (word,) if word in _places() else tuple(each for each in _places() if _is_typo(word, each))


def _weight(words: Sequence[str]) -> float:
    return sum(_LIGHT.get(word, 1.0) for word in words)


def _compared(
    partners: Mapping[str, Sequence[str]],
    asked: tuple[str, ...],
    *,
    constant: Constant,
    name: str,
    name_tokens: tuple[str, ...],
) -> Named:
    """Twice the weight of what agrees over the weight of both; less where the order turns the meaning round."""
    left = list(name_tokens)
    agreeing: list[str] = []
    corrected: list[tuple[str, str]] = []
    unmatched: list[str] = []
    for word in asked:
        partner = next((each for each in left if each in partners[word]), None)
        if partner is None:
            unmatched.append(word)
            continue
        left.remove(partner)
        agreeing.append(partner)
        if partner != word:
            corrected.append((word, partner))
    total = _weight(asked) + _weight(name_tokens)
    score = 2 * _weight(agreeing) / total if total else 0.0
    score -= 0.03 * len(corrected)
    if not _ORDERED.isdisjoint(name_tokens) and agreeing != [word for word in name_tokens if word in agreeing]:
        score *= 0.5
        unmatched.append("order")
    return Named(max(0.0, min(1.0, score)), constant, name, tuple(left), tuple(corrected), tuple(unmatched))


def _is_typo(word: str, right: str) -> bool:
    """One letter too many, too few, swapped, or a wrong vowel. A word that names something else is no typo of it."""
    if len(right) < 5 or abs(len(word) - len(right)) > 1 or word[:1] != right[:1] or word in _places():
        return False
    if not word.isalpha():
        return False
    place = next(
        (index for index, (a, b) in enumerate(zip(word, right, strict=False)) if a != b), min(len(word), len(right))
    )
    if len(word) == len(right):
        swapped = word[:place] + word[place + 1 : place + 2] + word[place : place + 1] + word[place + 2 :]
        vowel = word[place : place + 1] in _VOWELS and right[place : place + 1] in _VOWELS
        return swapped == right or (vowel and len(right) >= 6 and word[place + 1 :] == right[place + 1 :])
    longer, shorter = (word, right) if len(word) > len(right) else (right, word)
    return longer[:place] + longer[place + 1 :] == shorter
