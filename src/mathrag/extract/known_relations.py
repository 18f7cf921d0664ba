"""Recognise a formula as a relation that people know, whatever its letters are and however it is arranged.

The shape of the equation finds the candidates in the atlas. Which of them it is, if any, the letters decide, what the
document says of the symbols, and the words around. One letter says little; all the letters of a formula together with
its shape say nearly everything: that is why meanings are proposed for the whole formula at once.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache

from mathrag.compute.canonical import canonical_key
from mathrag.compute.equality import same_equation
from mathrag.compute.pythontext import read_python_text
from mathrag.compute.shapes import Shape, shape_of
from mathrag.extract.weights import weights
from mathrag.knowledge.atlas import Placed, all_relations, relations_of_shape
from mathrag.knowledge.constants import constants_for_symbol
from mathrag.knowledge.kinds import broader_kinds, kinds_for_symbol, kinds_for_words
from mathrag.language.quantity_names import head_kinds
from mathrag.language.stems import stems
from mathrag.language.word_classes import word_class
from mathrag.types.expression import Declined, Equation, rename_equation
from mathrag.types.knowledge import Constant, KnownPlace, KnownRelation
from mathrag.types.library import SymbolDefinition, SymbolMeaning
from mathrag.types.quantity import Dimension
from mathrag.types.symbol_names import SymbolParts, split_name

_WORD = re.compile(r"[a-z]{3,}")
_WEIGHTS = weights("known_relations")
_MOST_CANDIDATES = 40
_MOST_ORDERS = 24
_MOST_KEPT = 4
_LARGEST_CLASS = 5
_SAME_SCORE = 1e-9
_LINKING = word_class("grammar.function_words")
# A relation is left out if another one is likelier by more than this, as a logarithm.
_NEGLIGIBLE = 7.0


@dataclass(frozen=True, slots=True)
class Words:
    """Stems around a formula: those of its name, and those of the text nearby."""

    name: frozenset[str] = frozenset()
    nearby: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class KnownMatch:
    """A known relation that a formula may be. `share` is how likely it is this one; `places` are by our symbols."""

    relation: KnownRelation
    places: Mapping[str, KnownPlace]
    share: float


@dataclass(slots=True)
class FieldVotes:
    """How many formulas of a document were surely recognised, by the field they belong to."""

    counts: dict[str, float] = field(default_factory=dict)

    def add(self, match: KnownMatch) -> None:
        """Count a formula that was recognised."""
        self.counts[match.relation.field] = self.counts.get(match.relation.field, 0.0) + match.share

    def shares(self) -> Mapping[str, float]:
        """The part of the document's formulas that belongs to each field, as far as they were recognised."""
        total = sum(self.counts.values()) + _WEIGHTS["field_prior"]
        return {name: count / total for name, count in self.counts.items()}

    def weight(self, name: str) -> float:
        """A logarithm: above zero for the fields that the document is about."""
        total = sum(self.counts.values())
        if not total:
            return 0.0
        share = (self.counts.get(name, 0.0) + _WEIGHTS["field_prior"]) / (total + 10 * _WEIGHTS["field_prior"])
        return _WEIGHTS["field"] * math.log(10 * share)


def known_matches(
    equation: Equation,
    definitions: Mapping[str, Sequence[SymbolDefinition]],
    words: Words,
    votes: FieldVotes,
) -> tuple[KnownMatch, ...]:
    """The known relations that an equation may be, likeliest first; none where no evidence speaks for one."""
    shape = _shape(equation)
    if shape is None:
        return ()
    placed = relations_of_shape(shape.key)
    if not placed:
        return ()
    said = {name: _Said.of(definitions.get(name, ())) for name in shape.places}
    trials = []
    for one in _likely(shape, placed, words):
        orders = _all_orders(shape, one, said)
        if orders is not None:
            around = _word_score(one.relation, words) + votes.weight(one.relation.field) - math.log(len(placed))
            trials.append((around + sum(order[0][0] for order in orders), around, one, orders))
    trials.sort(key=lambda each: -each[0])
    scored: list[tuple[float, KnownRelation, Mapping[str, KnownPlace]]] = []
    least = _WEIGHTS["something_else"] - _NEGLIGIBLE
    for bound, around, one, orders in trials:
        if bound < least:
            # Whatever the trial would show, its share would be too small to matter.
            break
        places, score = _assigned(equation, one, orders)
        if places is not None:
            scored.append((around + score, one.relation, places))
            least = max(least, around + score - _NEGLIGIBLE)
    scored.sort(key=lambda each: -each[0])
    return _shares(scored)


def is_spoken_of(match: KnownMatch, words: Words) -> bool:
    """Whether a telling word of a relation's names or meanings stands around a formula. The letters of a product are
    written in every field for something else."""
    own = _name_stems(match.relation) | _all_meaning_stems(match.relation)
    return any(_rarity(stem) >= _WEIGHTS["telling_word"] for stem in own & (words.name | words.nearby))


@lru_cache(maxsize=8192)
def recognition(equation: Equation) -> float:
    """How surely an equation is a known relation by its shape and its letters alone: between 0 and 1."""
    matches = known_matches(equation, {}, Words(), FieldVotes())
    fitting = [match.share for match in matches if all(_is_usual(name, place) for name, place in match.places.items())]
    return max(fitting, default=0.0)


def _is_usual(name: str, place: KnownPlace) -> bool:
    return _letter_score(name, place) > _WEIGHTS["similar_letter"]


def numerical_match(
    equation: Equation,
    definitions: Mapping[str, Sequence[SymbolDefinition]],
    words: Words,
    votes: FieldVotes,
) -> KnownMatch | None:
    """The relation between numbers of certain units that an equation surely is; None where it is none."""
    shape = _shape(equation)
    if shape is None or not any(one.relation.is_numerical for one in relations_of_shape(shape.key)):
        return None
    best = next(iter(known_matches(equation, definitions, words, votes)), None)
    is_sure = best is not None and best.relation.is_numerical and best.share >= _WEIGHTS["sure_numerical"]
    return best if is_sure else None


def _shares(scored: Sequence[tuple[float, KnownRelation, Mapping[str, KnownPlace]]]) -> tuple[KnownMatch, ...]:
    """Scores as shares of the likelihood; it may always be something that the atlas does not know.

    Relations that say the same of every symbol (one law in several chapters of the atlas) count as one.
    """
    highest = max([0.0, *(score for score, _, _ in scored)])
    total = math.exp(_WEIGHTS["something_else"] - highest) + sum(math.exp(score - highest) for score, _, _ in scored)
    found: list[KnownMatch] = []
    for score, relation, places in scored:
        share = math.exp(score - highest) / total
        for index, other in enumerate(found):
            if other.relation.is_numerical == relation.is_numerical and _say_the_same(other.places, places):
                found[index] = replace(other, share=other.share + share)
                break
        else:
            found.append(KnownMatch(relation, places, share))
    found.sort(key=lambda match: -match.share)
    return tuple(match for match in found[:_MOST_KEPT] if match.share >= _WEIGHTS["worth_keeping"])


def _say_the_same(first: Mapping[str, KnownPlace], second: Mapping[str, KnownPlace]) -> bool:
    return all(
        place.dimension == second[name].dimension
        and not _meaning_stems(place.meaning).isdisjoint(_meaning_stems(second[name].meaning))
        for name, place in first.items()
    )


@lru_cache(maxsize=4096)
def _shape(equation: Equation) -> Shape | None:
    return shape_of(equation)


@lru_cache(maxsize=4096)
def _equation_of(relation: KnownRelation) -> Equation | None:
    reading = read_python_text(relation.equation)
    return None if isinstance(reading, Declined) or not reading.equations else reading.equations[0]


# -- which relations of a shape are worth a closer look


@lru_cache(maxsize=512)
def _by_letter(key: str) -> Mapping[str, frozenset[int]]:
    """The relations of a shape, by the letters and by the stems of names that occur in them."""
    found: dict[str, set[int]] = {}
    for number, one in enumerate(relations_of_shape(key)):
        for letter in {_letter(name) for place in one.relation.places for name in (place.name, *place.letters)}:
            found.setdefault(letter, set()).add(number)
        for stem in _name_stems(one.relation):
            found.setdefault(f"word {stem}", set()).add(number)
    return {letter: frozenset(numbers) for letter, numbers in found.items()}


def _likely(shape: Shape, placed: Sequence[Placed], words: Words) -> Iterator[Placed]:
    """Those that share most letters with the equation, or words with its name."""
    if len(placed) <= _MOST_CANDIDATES:
        yield from placed
        return
    index = _by_letter(shape.key)
    counts: dict[int, float] = {}
    for letter in {_letter(name) for name in shape.places}:
        for number in index.get(letter, ()):
            counts[number] = counts.get(number, 0.0) + 1.0
    for stem in words.name:
        for number in index.get(f"word {stem}", ()):
            counts[number] = counts.get(number, 0.0) + _rarity(stem)
    for number in sorted(counts, key=lambda each: (-counts[each], each))[:_MOST_CANDIDATES]:
        yield placed[number]


def _letter(name: str) -> str:
    return split_name(name).letter.removeprefix("var")


# -- which symbol has which place


@dataclass(frozen=True, slots=True)
class _Said:
    """What the document says of a symbol: stems of its descriptions, and the dimension where one is sure."""

    stems: frozenset[str] = frozenset()
    dimension: Dimension | None = None

    @staticmethod
    def of(definitions: Sequence[SymbolDefinition]) -> _Said:
        if not definitions:
            return _Said()
        first = definitions[0]
        return _Said(frozenset(stems(first.description)), first.dimension)


_Order = tuple[float, list[tuple[str, KnownPlace]]]


def _all_orders(shape: Shape, placed: Placed, said: Mapping[str, _Said]) -> list[list[_Order]] | None:
    """For every class of places that look alike the ways to fill it, likeliest first; None where the numbers differ."""
    classes: dict[int, tuple[list[str], list[KnownPlace]]] = {}
    for name, number in shape.numbered.items():
        classes.setdefault(number, ([], []))[0].append(name)
    for place, number in zip(placed.relation.places, placed.numbers, strict=True):
        classes.setdefault(number, ([], []))[1].append(place)
    if any(len(names) != len(places) for names, places in classes.values()):
        return None
    return [_orders(names, places, placed.relation, said) for names, places in classes.values()]


def _assigned(
    equation: Equation, placed: Placed, orders: Sequence[Sequence[_Order]]
) -> tuple[Mapping[str, KnownPlace] | None, float]:
    """The likeliest places of our symbols in a relation that make both say the same, and how likely they are."""
    combined = itertools.islice(itertools.product(*orders), _MOST_ORDERS)
    needs_trial = any(len(order[0][1]) > 1 for order in orders) and len(orders) > 1
    best = 0.0
    found: list[dict[str, KnownPlace]] = []
    for parts in sorted(combined, key=lambda each: -sum(score for score, _ in each)):
        score = sum(score for score, _ in parts)
        if found and score < best - _SAME_SCORE:
            break
        places = dict(itertools.chain.from_iterable(part for _, part in parts))
        if not _is_crossed(places) and (not needs_trial or _is_same(equation, placed.relation, places)):
            best = score if not found else best
            found.append(places)
    if not found:
        return None, 0.0
    return {name: _common_place([places[name] for places in found]) for name in found[0]}, best


def _common_place(places: Sequence[KnownPlace]) -> KnownPlace:
    """What all the places are that a symbol may have just as well: of two components, which one it is stays open.

    Without a word in common, or with different dimensions, nothing is said of the symbol (see `speaks_for`).
    """
    first, *others = dict.fromkeys(places)
    if not others:
        return first
    words = first.meaning.split()
    for other in others:
        is_alike = other.dimension == first.dimension and other.unit == first.unit
        words = [word for word in words if is_alike and word in other.meaning.split()]
    while words and words[0] in _LINKING:
        words.pop(0)
    while words and words[-1] in _LINKING:
        words.pop()
    shared = [letter for letter in (first.name, *first.letters) if all(letter in (o.name, *o.letters) for o in others)]
    name = split_name(first.name).letter
    return replace(first, name=name, meaning=" ".join(words), letters=tuple(shared), is_constant=False)


def _is_crossed(places: Mapping[str, KnownPlace]) -> bool:
    """Whether what is marked as the initial value stands for the other one, and the other for it."""
    for name, place in places.items():
        other = places.get(name.removesuffix("_0")) if name.endswith("_0") else None
        if other is not None and other.name.endswith("_0") and not place.name.endswith("_0"):
            return True
    return False


def _orders(
    names: Sequence[str], places: Sequence[KnownPlace], relation: KnownRelation, said: Mapping[str, _Said]
) -> list[_Order]:
    """The ways to give these symbols these places, likeliest first."""
    if len(names) > _LARGEST_CLASS:
        permutations: Iterable[Sequence[KnownPlace]] = [places]
    else:
        permutations = itertools.permutations(places)
    found = []
    for order in permutations:
        pairs = list(zip(names, order, strict=True))
        found.append((sum(_pair_score(name, place, relation, said[name]) for name, place in pairs), pairs))
    return sorted(found, key=lambda each: -each[0])[:_MOST_ORDERS]


def _pair_score(name: str, place: KnownPlace, relation: KnownRelation, said: _Said) -> float:
    """How much speaks for a symbol having a place, as a logarithm: what is said of it counts more than its letter."""
    score = _letter_score(name, place)
    if said.stems:
        shared = said.stems & _meaning_stems(place.meaning)
        if shared:
            score = max(score, 0.0) + _WEIGHTS["said"]
        else:
            score += _WEIGHTS["said_otherwise"]
    if said.dimension is not None and not relation.is_numerical and said.dimension != place.dimension:
        score += _WEIGHTS["other_dimension"]
    return score


@lru_cache(maxsize=65536)
def _letter_score(name: str, place: KnownPlace) -> float:
    if name == place.name:
        return _WEIGHTS["same_name"]
    if name in place.letters or _joined(name) in map(_joined, (place.name, *place.letters)):
        return _WEIGHTS["usual_name"]
    if len(_letter(name)) > 2 and set(stems(name.replace("_", " "))) & _meaning_stems(place.meaning):
        return _WEIGHTS["usual_name"]
    ours = split_name(name)
    theirs = [split_name(each) for each in (place.name, *place.letters)]
    alike = [each for each in theirs if _letter(name) == each.letter.removeprefix("var") and ours.prefix == each.prefix]
    if alike:
        ends = any(each.subscripts and ours.subscripts and _ends_alike(ours, each) for each in alike)
        return _WEIGHTS["same_end" if ends else "same_letter"]
    if any(ours.letter.casefold() == each.letter.casefold() for each in theirs):
        return _WEIGHTS["similar_letter"]
    usual = kinds_for_symbol(name)
    if usual and all(item.dimension != place.dimension for item in usual):
        return _WEIGHTS["unusual_letter"]
    return _WEIGHTS["other_letter"]


def _ends_alike(ours: SymbolParts, theirs: SymbolParts) -> bool:
    """Whether a subscript ends with the single sign that the other one is: `F_Bx` lies along x as `F_x` does."""
    end = theirs.subscripts[-1]
    return len(end) == 1 and ours.subscripts[-1].endswith(end)


def _joined(name: str) -> str:
    """A name without its lines: `Vd` is how some write `V_d`."""
    return name.replace("_", "")


@lru_cache(maxsize=8192)
def _is_same_named(equation: Equation, relation: KnownRelation) -> bool:
    known = _equation_of(relation)
    if known is None:
        return False
    return canonical_key(equation) == canonical_key(known) or same_equation(equation, known)


def _is_same(equation: Equation, relation: KnownRelation, places: Mapping[str, KnownPlace]) -> bool:
    """Whether the equation says what the relation says, each symbol in its place."""
    return _is_same_named(rename_equation(equation, {name: place.name for name, place in places.items()}), relation)


# -- names of several letters


@cache
def _written_names() -> frozenset[str]:
    """The symbols of three letters or more that the atlas writes in one piece, and the words of its meanings."""
    places = {place for relation in all_relations() for place in relation.places}
    names = {name.casefold() for place in places for name in (place.name, *place.letters)}
    words = {word for meaning in {place.meaning for place in places} for word in _WORD.findall(meaning)}
    return frozenset(name for name in names if name.isalpha() and len(name) > 2) | frozenset(words)


def is_written_as_name(letters: str) -> bool:
    """Whether people write these letters as one symbol: an abbreviation of some field, or a word."""
    return len(letters) > 2 and letters.casefold() in _written_names()


# -- words


@lru_cache(maxsize=16384)
def _name_stems(relation: KnownRelation) -> frozenset[str]:
    return frozenset(stem for text in (relation.name, *relation.also) for stem in stems(text))


@lru_cache(maxsize=32768)
def _meaning_stems(meaning: str) -> frozenset[str]:
    return frozenset(stems(meaning))


@lru_cache(maxsize=16384)
def _all_meaning_stems(relation: KnownRelation) -> frozenset[str]:
    return frozenset(stem for place in relation.places for stem in _meaning_stems(place.meaning))


@cache
def _rarities() -> Mapping[str, float]:
    counts: dict[str, int] = {}
    relations = all_relations()
    for relation in relations:
        for stem in _name_stems(relation) | _all_meaning_stems(relation):
            counts[stem] = counts.get(stem, 0) + 1
    return {stem: 1.0 - math.log(count) / math.log(len(relations)) for stem, count in counts.items()}


def _rarity(stem: str) -> float:
    """Between 0 for a word of every relation and 1 for a word of one."""
    return _rarities().get(stem, 0.0)


def _word_score(relation: KnownRelation, words: Words) -> float:
    """How much the words around speak of a relation."""
    named, meant = _name_stems(relation), _all_meaning_stems(relation)
    score = _WEIGHTS["name_in_name"] * sum(map(_rarity, words.name & named))
    score += _WEIGHTS["meaning_in_name"] * sum(map(_rarity, words.name & meant - named))
    score += _WEIGHTS["name_nearby"] * sum(map(_rarity, words.nearby & named - words.name))
    score += _WEIGHTS["meaning_nearby"] * sum(map(_rarity, words.nearby & meant - named - words.name))
    return min(score, _WEIGHTS["most_words"])


# -- meanings


@cache
def _letters_of_fields() -> Mapping[str, Mapping[str, Mapping[KnownPlace, float]]]:
    """For every field the symbols that its relations use, with the part of the uses that each meaning has."""
    counts: dict[str, dict[str, dict[KnownPlace, float]]] = {}
    for relation in all_relations():
        if relation.is_numerical:
            continue
        names = counts.setdefault(relation.field, {})
        for place in relation.places:
            known = replace(place, letters=())
            for name in (place.name, *place.letters):
                uses = names.setdefault(name, {})
                uses[known] = uses.get(known, 0.0) + (1.0 if name == place.name else 0.5)
    return {
        field_name: {name: _normalised(uses) for name, uses in names.items()} for field_name, names in counts.items()
    }


def _normalised(uses: Mapping[KnownPlace, float]) -> Mapping[KnownPlace, float]:
    total = sum(uses.values()) + 0.5
    return {place: count / total for place, count in uses.items()}


def usual_in_fields(name: str, votes: FieldVotes) -> Iterator[tuple[float, SymbolMeaning]]:
    """What a symbol usually means in the fields that a document is about, with weights."""
    for field_name, share in votes.shares().items():
        if share < _WEIGHTS["least_field"]:
            continue
        for place, part in _letters_of_fields().get(field_name, {}).get(name, {}).items():
            if part >= _WEIGHTS["least_use"]:
                yield _WEIGHTS["field_letter"] * share * part, meaning_at(name, place)


def speaks_for(match: KnownMatch, name: str) -> bool:
    """Whether a relation says what a symbol means: not where its letter is a usual one for something else only."""
    place = match.places[name]
    if not place.meaning:
        return False
    if match.relation.is_numerical:
        # It holds for numbers: its units say nothing of the dimensions of a formula.
        return False
    if _is_usual(name, place):
        return True
    usual = kinds_for_symbol(name)
    return not usual or any(item.dimension == place.dimension for item in usual)


@lru_cache(maxsize=16384)
def meaning_at(name: str, place: KnownPlace) -> SymbolMeaning:
    """What a symbol means that has this place in a known relation."""
    constant = _constant_at(name, place)
    return SymbolMeaning(
        name,
        description=place.meaning,
        unit="" if place.unit == "1" else place.unit,
        dimension=place.dimension,
        kind=None if constant is not None and place.is_constant else _kind_at(name, place),
        role="variable" if constant is None else "constant",
        constant=None if constant is None else constant.id,
        origin="assumed",
    )


def _kind_at(name: str, place: KnownPlace) -> str | None:
    """The kind that the meaning names, as exactly as it names it; else the usual one of the letter that it is near."""
    meant = _meaning_stems(place.meaning)
    named = [*kinds_for_words(place.meaning), *head_kinds(place.meaning)]
    general = [broader for item in named for broader in broader_kinds(item)]
    for item in (*named, *general):
        # "Coefficient" alone names none of the kinds that are coefficients of something.
        is_named = any(frozenset(stems(each)) <= meant for each in (item.name, *item.synonyms))
        if item.dimension == place.dimension and is_named:
            return item.id
    for item in (*kinds_for_symbol(name), *kinds_for_symbol(place.name)):
        named_so = frozenset(stems(item.name))
        if item.dimension == place.dimension and (named_so <= meant or meant <= named_so):
            return item.id
    return None


def _constant_at(name: str, place: KnownPlace) -> Constant | None:
    """The standard constant that stands there: one of its symbols and of its dimension, and called the same."""
    meant = _meaning_stems(place.meaning)
    for symbol in (place.name, name, *place.letters):
        for item in constants_for_symbol(symbol):
            names = [frozenset(stems(each)) for each in item.names]
            # "Speed of sound" shares a word with the speed of light and is not called like it.
            is_called_so = meant <= frozenset().union(*names) or any(each <= meant for each in names)
            if item.dimension == place.dimension and is_called_so and (item.is_default or place.is_constant):
                return item
    return None
