"""On which side of a pair a value is said to be: initial or final, hot or cold, acid or base.

Unlike the roles, which propose, a side is taken only where the words leave no doubt: then it is hard, and a value of
one side never stands for the other. The pairs and their words stand in `data/sides.toml`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from types import MappingProxyType
from typing import Any, TypeAlias

from mathrag.language.tokens import tokens_of
from mathrag.language.word_classes import word_class
from mathrag.types.question import Given, Target

# The side of each contrast that words name, by the contrast's name; sides are numbered.
Sides: TypeAlias = Mapping[str, int]
NOWHERE: Sides = MappingProxyType({})

_BORDERS = word_class("grammar.subordinators") | word_class("roles.joining")
_DETERMINERS = word_class("grammar.determiners")
_SMALL = word_class("grammar.prepositions") | _DETERMINERS
# Words between a value and the preposition before what it is of.
_LONGEST_LEAD = 7
_TIME = "time"
# Where something is belongs to it; what it moves to does not.
_PLACES, _GOALS = word_class("roles.places"), word_class("roles.goals")
# What follows these describes a thing, not what is asked of it: "the potential of a cell with a zinc anode".
_DESCRIBING = word_class("roles.describing")
_LIGHT = word_class("roles.light")


@dataclass(frozen=True, slots=True)
class Contrast:
    """A pair of sides. Phrases are tuples of words; `named` are those of descriptions of symbols."""

    name: str
    sides: tuple[frozenset[tuple[str, ...]], ...]
    named: tuple[frozenset[tuple[str, ...]], ...]
    roles: tuple[frozenset[str], ...]
    leads: tuple[frozenset[str], ...]
    not_of: frozenset[str]
    only_of: frozenset[str] = frozenset()
    only_opposes: bool = False
    is_never_shared: bool = False
    particles: tuple[frozenset[str], ...] = ()

    def concerns(self, dimension: str | None) -> bool:
        """Whether the words of this contrast say something about a value of a dimension."""
        return dimension not in self.not_of and (not self.only_of or dimension in self.only_of)


@cache
def contrasts() -> Mapping[str, Contrast]:
    """Every contrast by its name."""
    source = resources.files("mathrag.reason.question").joinpath("data", "sides.toml").read_text("utf-8")
    return {name: _contrast(name, entry) for name, entry in tomllib.loads(source).items()}


def _contrast(name: str, entry: Mapping[str, Any]) -> Contrast:
    def phrases(key: str) -> tuple[frozenset[tuple[str, ...]], ...]:
        return tuple(frozenset(tuple(text.split()) for text in side) for side in entry[key])

    def plain(key: str) -> tuple[frozenset[str], ...]:
        return tuple(frozenset(side) for side in entry.get(key, ()))

    sides = phrases("sides")
    named = phrases("in_names") if "in_names" in entry else sides
    not_of, only_of = (frozenset(entry.get(key, ())) for key in ("not_of", "only_of"))
    flags = bool(entry.get("only_opposes")), bool(entry.get("never_shared"))
    return Contrast(name, sides, named, plain("roles"), plain("leads"), not_of, only_of, *flags, plain("particles"))


@cache
def _by_first_word(*, is_name: bool) -> Mapping[str, tuple[tuple[tuple[str, ...], str, int], ...]]:
    found: dict[str, list[tuple[tuple[str, ...], str, int]]] = {}
    for contrast in contrasts().values():
        for side, phrases in enumerate(contrast.named if is_name else contrast.sides):
            for phrase in phrases:
                found.setdefault(phrase[0], []).append((phrase, contrast.name, side))
    return {word: tuple(entries) for word, entries in found.items()}


def _named(words: Sequence[str], *, is_name: bool = False) -> Iterator[tuple[str, int, int]]:
    """Every side that these words name, as contrast, side and place."""
    known = _by_first_word(is_name=is_name)
    goals = _goals_in(words)
    plain = [word.removesuffix("s") for word in words]
    for place, word in enumerate(words):
        if place in goals:
            continue
        entries = known.get(word, ())
        if plain[place] != word:
            entries = (*entries, *known.get(plain[place], ()))
        for phrase, contrast, side in entries:
            rest = range(place + 1, place + len(phrase))
            if rest.stop <= len(words) and all(phrase[at - place] in (words[at], plain[at]) for at in rest):
                yield contrast, side, place


def _goals_in(words: Sequence[str]) -> frozenset[int]:
    """The places of what something moves to or past: of "toward the listener" that of the listener."""
    places: set[int] = set()
    for place, word in enumerate(words):
        if word in _GOALS:
            noun = place + 1
            while noun < len(words) and words[noun] in _DETERMINERS:
                noun += 1
            places.add(noun)
    return frozenset(places)


def _undoubted(found: Iterator[tuple[str, int, int]] | Sequence[tuple[str, int, int]]) -> dict[str, int]:
    """The contrasts of which one side alone is named."""
    sides: dict[str, set[int]] = {}
    for contrast, side, _ in found:
        sides.setdefault(contrast, set()).add(side)
    return {contrast: min(named) for contrast, named in sides.items() if len(named) == 1}


def _words(text: str) -> list[str]:
    return [token.lower for token in tokens_of(text, 0, len(text), grain="typed") if token.kind == "word"]


@lru_cache(maxsize=8_192)
def plain_words_of(text: str) -> frozenset[str]:
    """The words of a text in small letters."""
    return frozenset(_words(text))


@lru_cache(maxsize=8_192)
def sides_of_name(description: str, subscripts: tuple[str, ...]) -> Sides:
    """The sides that the description of a symbol names. Where it names both of "acid and base", the one that the
    subscript is the first letter of."""
    words = [*_words(description), *(subscript.casefold() for subscript in subscripts if len(subscript) > 2)]
    found = list(_named(words, is_name=True))
    letters = {subscript[0].casefold() for subscript in subscripts if subscript[:1].isalpha()}
    sides = _undoubted(found)
    for contrast in {each for each, _, _ in found} - sides.keys():
        initials = [(contrast, side, at) for each, side, at in found if each == contrast and words[at][0] in letters]
        sides |= _undoubted(initials)
    return sides


# A question as a row of words, borders and values.


@dataclass(frozen=True, slots=True)
class _Item:
    """A word, a border between statements, the end of a sentence, or a value (with its number)."""

    text: str
    is_border: bool = False
    is_stop: bool = False
    value: int = -1
    # The words that name a value: they are its own, wherever they stand.
    name: frozenset[str] = frozenset()


_END = _Item("", is_stop=True)


def sides_of_values(text: str, givens: Sequence[Given], asked: str = "") -> tuple[Sides, ...]:
    """The sides of each value. What is stated nowhere has none; `asked` is the name of the unknown, which says nothing
    of a value."""
    at = text.casefold().rfind(asked.casefold()) if asked else -1
    if at >= 0:
        # Commas of the same length: a border, and every place stays where it is.
        text = text[:at] + "," * len(asked) + text[at + len(asked) :]
    stated = [number for number, given in enumerate(givens) if _is_stated(given)]
    names = [given.phrase for given in givens]
    items = _items(text, [(givens[number].start, givens[number].end, number) for number in stated], names)
    places = {item.value: place for place, item in enumerate(items) if item.value >= 0}
    found: list[Sides] = [NOWHERE for _ in givens]
    for number in sorted(places, key=lambda one: places[one]):
        given = givens[number]
        own = _own_sides(items, places[number], given)
        if not given.symbol:
            own |= _span_sides(items, places, number, givens)
        before = _linked(items, places[number])
        inherited = found[before] if before is not None else NOWHERE
        found[number] = {**inherited, **own}
    dimensions = [str(given.readings[0].dimension) for given in givens]
    return tuple(
        {name: side for name, side in sides.items() if contrasts()[name].concerns(dimensions[number])}
        for number, sides in enumerate(found)
    )


def _is_stated(given: Given) -> bool:
    return not (given.implied or given.covers or given.is_pinned) and given.end > given.start


def _items(text: str, values: Sequence[tuple[int, int, int]], names: Sequence[str] = ()) -> list[_Item]:
    items: list[_Item] = []
    place = 0
    for start, end, number in [*sorted(values), (len(text), len(text), -1)]:
        if start < place:
            continue
        for token in tokens_of(text, place, start, grain="typed"):
            if token.kind == "word":
                items.append(_Item(token.lower, is_border=token.lower in _BORDERS))
            elif token.text in ".?!;\n":
                items.append(_Item(token.text, is_stop=True))
            elif token.text in ",:":
                items.append(_Item(token.text, is_border=True))
        if number >= 0:
            name = frozenset(names[number].casefold().split()) if number < len(names) else frozenset[str]()
            items.append(_Item("", value=number, name=name - _SMALL))
        place = end
    return items


def _own_sides(items: Sequence[_Item], place: int, given: Given) -> dict[str, int]:
    """What the words of the statement of a value say, before and behind it; where they leave a doubt, what its name
    says."""
    named = _undoubted(_named(given.phrase.casefold().split()))
    behind, is_ended = _words_behind(items, place)
    said = _said(_statements_before(items, place), behind)
    # What follows closely says more than what stands before: "20 mL of the acid", "3 V at the anode, …".
    is_close = bool(behind) and (behind[0] == "of" or (is_ended and behind[0] in _PLACES))
    close = _undoubted(_named(behind)) if is_close else {}
    return {**named, **said, **_lead_sides(items, place), **close, **_particle_sides(items, place)}


def _said(before: Sequence[Sequence[str]], behind: Sequence[str]) -> dict[str, int]:
    """The sides that the nearest statement names which names one at all; none where words before and behind differ."""
    found = {contrast: {side} for contrast, side in _undoubted(_named(behind)).items()}
    decided: set[str] = set()
    for words in before:
        here: dict[str, set[int]] = {}
        for contrast, side, _ in _named(words):
            here.setdefault(contrast, set()).add(side)
        for contrast in here.keys() - decided:
            found.setdefault(contrast, set()).update(here[contrast])
        # "The hot and the cold side": a statement that breaks off with the word speaks of both.
        for contrast, side, at in _named(words):
            if contrast in decided and at == len(words) - 1:
                found[contrast].add(side)
        decided |= here.keys()
    return {contrast: min(sides) for contrast, sides in found.items() if len(sides) == 1}


def _statements_before(items: Sequence[_Item], place: int) -> list[list[str]]:
    """The words before a value, the nearest statement first: back to the beginning of the sentence, or, behind another
    value, one statement only; a mere symbol ("…, E = 2 V") is none."""
    statements: list[list[str]] = [[]]
    is_bounded = False
    for item in reversed(items[:place]):
        if item.is_stop:
            break
        if item.value >= 0:
            is_bounded = True
            break
        if item.is_border:
            statements.append([])
        else:
            statements[-1].insert(0, item.text)
    if not is_bounded:
        return statements
    filled = [words for words in statements if words]
    if len(statements) == 1:
        return filled
    # The words right behind the other value are its own.
    filled = [words for words in statements[:-1] if words]
    return filled[:2] if filled and len(filled[0]) <= 1 else filled[:1]


def _words_behind(items: Sequence[_Item], place: int) -> tuple[list[str], bool]:
    """The words of a statement behind its value, without those that lead to the next one ("starting at 1 bar"), and
    whether it ends before another value."""
    words: list[str] = []
    for item in items[place + 1 :]:
        if item.is_stop or item.is_border or item.text in _GOALS:
            return words, True
        if item.value >= 0:
            break
        words.append(item.text)
    else:
        return words, True
    words = [word for word in words if word not in item.name or word not in _never_shared()]
    times = [at for contrast, _, at in _named(words) if contrast == _TIME]
    if times and all(word in _SMALL for word in words[times[-1] + 1 :]):
        words = words[: times[-1]]
    return words, False


@cache
def _never_shared() -> frozenset[str]:
    chosen = (contrast for contrast in contrasts().values() if contrast.is_never_shared)
    return frozenset(word for contrast in chosen for side in contrast.sides for phrase in side for word in phrase)


def words_of_values(text: str, givens: Sequence[Given]) -> tuple[frozenset[str], ...]:
    """The words of the statement of each value, in small letters."""
    stated = [(given.start, given.end, number) for number, given in enumerate(givens) if _is_stated(given)]
    items = _items(text, stated)
    found = [frozenset[str]() for _ in givens]
    for place, item in enumerate(items):
        if item.value >= 0:
            words = [word for each in _statements_before(items, place) for word in each]
            words += (*_words_behind(items, place)[0], *givens[item.value].phrase.casefold().split())
            found[item.value] = frozenset(words)
    return tuple(found)


def _lead_sides(items: Sequence[_Item], place: int) -> dict[str, int]:
    """What the preposition says before that which a value is of: "into glass of refractive index 1.5"."""
    lead = _lead(items, place, passing=("of", "with"))
    return {
        contrast.name: side
        for contrast in contrasts().values()
        for side, leads in enumerate(contrast.leads)
        if lead in leads
    }


def _particle_sides(items: Sequence[_Item], place: int) -> dict[str, int]:
    """What a particle right behind a value says, where nothing follows that it leads to: "50 W in, 40 W out"."""
    particle, after = [*items[place + 1 : place + 3], _END, _END][:2]
    if not (after.is_border or after.is_stop):
        return {}
    return {
        contrast.name: side
        for contrast in contrasts().values()
        for side, particles in enumerate(contrast.particles)
        if particle.text in particles
    }


def sides_of_substance(text: str, known: Given, givens: Sequence[Given]) -> Sides:
    """The sides of what is known of a substance, by the one place where the question names it: "from air into glass",
    "light in air"."""
    name = known.phrase.casefold().rpartition(" of ")[2]
    places = [match.span() for match in re.finditer(rf"\b{re.escape(name)}\b", text.casefold())] if name else []
    if len(places) != 1:
        return NOWHERE
    values = [(each.start, each.end, number) for number, each in enumerate(givens) if _is_stated(each)]
    marked = _items(text, sorted((*values, (*places[0], len(givens)))))
    place = next((where for where, item in enumerate(marked) if item.value == len(givens)), None)
    if place is None:
        return NOWHERE
    if _carries_light(marked, place):
        return {contrast.name: 0 for contrast in contrasts().values() if any("from" in side for side in contrast.leads)}
    return _lead_sides(marked, place)


def _carries_light(items: Sequence[_Item], place: int) -> bool:
    """Whether a place is said to be what light is in: "a ray inside the", "light travels in"."""
    before = []
    for item in reversed(items[max(0, place - _LONGEST_LEAD) : place]):
        if item.is_stop or item.is_border or item.value >= 0:
            break
        before.append(item.text)
    before = [word for word in before if word not in _DETERMINERS]
    return bool(before) and before[0] in _PLACES and any(word in _LIGHT for word in before[1:4])


def spans(text: str, givens: Sequence[Given]) -> frozenset[int]:
    """The beginnings of the values that are the ends of a change: "from 2 L to 5 L"."""
    stated = [(given.start, given.end, number) for number, given in enumerate(givens) if _is_stated(given)]
    items = _items(text, stated)
    places = {item.value: place for place, item in enumerate(items) if item.value >= 0}
    return frozenset(givens[number].start for number in places if _span_sides(items, places, number, givens))


def _lead(items: Sequence[_Item], place: int, *, passing: Sequence[str] = ("of",)) -> str:
    for item in reversed(items[max(0, place - _LONGEST_LEAD) : place]):
        if item.is_stop or item.value >= 0 or (item.is_border and item.text in ",:"):
            return ""
        if item.text in _leading() and item.text not in passing:
            return item.text
    return ""


@cache
def _leading() -> frozenset[str]:
    """Prepositions, and the verbs that lead to what a value is of."""
    leads = (word for contrast in contrasts().values() for side in contrast.leads for word in side)
    return word_class("grammar.prepositions").union(leads)


def _span_sides(
    items: Sequence[_Item], places: Mapping[int, int], number: int, givens: Sequence[Given]
) -> dict[str, int]:
    """The two ends of a change, in either order: "from 2 L to 5 L", "to 5 L from 2 L"."""
    lead = _lead(items, places[number])
    if lead not in ("from", "to"):
        return {}
    dimension = givens[number].readings[0].dimension
    for other in sorted(places, key=lambda one: abs(places[one] - places[number])):
        if other == number or givens[other].readings[0].dimension != dimension:
            continue
        between = items[min(places[number], places[other]) : max(places[number], places[other])]
        if not any(item.is_stop for item in between) and {lead, _lead(items, places[other])} == {"from", "to"}:
            return {_TIME: 0 if lead == "from" else 1}
        return {}
    return {}


def stated_together(text: str, givens: Sequence[Given]) -> frozenset[tuple[int, int]]:
    """Neighbouring values with no border between them, by their beginnings: 2 L and 3 bar of "2 L at 3 bar"."""
    stated = [(given.start, given.end, number) for number, given in enumerate(givens) if _is_stated(given)]
    found: set[tuple[int, int]] = set()
    before: int | None = None
    for item in _items(text, stated):
        if item.is_border or item.is_stop:
            before = None
        elif item.value >= 0:
            if before is not None:
                found.add((givens[before].start, givens[item.value].start))
            before = item.value
    return frozenset(found)


def _linked(items: Sequence[_Item], place: int) -> int | None:
    """The value that this one is stated with, small words between them: 2 L of "2 L at 3 bar"."""
    for item in reversed(items[:place]):
        if item.value >= 0:
            return item.value
        if item.is_border or item.is_stop or item.text not in _SMALL or item.text in ("to", "from"):
            return None
    return None


def sides_of_target(text: str, target: Target, givens: Sequence[Given]) -> Sides:
    """The sides of what is asked: of its name, else of the statement that asks."""
    phrase = target.phrase.casefold()
    at = text.casefold().rfind(phrase) if phrase else -1
    if at < 0:
        return NOWHERE
    values = [(each.start, each.end, number) for number, each in enumerate(givens) if _is_stated(each)]
    marked = _items(text, sorted((*values, (at, at + len(phrase), len(givens)))))
    place = next((where for where, item in enumerate(marked) if item.value == len(givens)), None)
    named = _undoubted(_named(_before_description(phrase.split())))
    if place is None:
        return named
    has_value = any(item.value >= 0 for item in _sentence_before(marked, place))
    before = [] if has_value else _statements_before(marked, place)
    is_whole = _before_description(phrase.split()) == phrase.split()
    behind = _before_description(_words_behind(marked, place)[0][:_LONGEST_LEAD]) if is_whole else []
    return {**_said(before, behind), **named}


def _before_description(words: list[str]) -> list[str]:
    ends = [at for at, word in enumerate(words) if word in _DESCRIBING]
    return words[: ends[0]] if ends else words


def _sentence_before(items: Sequence[_Item], place: int) -> Iterator[_Item]:
    for item in reversed(items[:place]):
        if item.is_stop:
            return
        yield item
