"""A question prepared for scoring many formulas: its values, what it asks, its words. Scores nothing.

Also which of its values are stated together, and of which thing each is: both are read off the text once, and hold for
every formula that is tried.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product

from mathrag.knowledge.kinds import kind as kind_of
from mathrag.knowledge.kinds import kinds_for_words
from mathrag.language.stems import stem, stems, stems_of_words
from mathrag.language.word_classes import any_of, word_class
from mathrag.reason.choosing.names import UsualNames
from mathrag.reason.choosing.weights import amounts, thresholds
from mathrag.reason.question.wording import Wording
from mathrag.retrieve.query_expansion import technical_words
from mathrag.types.knowledge import QuantityKind
from mathrag.types.question import Given, Question, Target
from mathrag.types.symbol_names import WORD_LETTERS, SymbolParts, split_name

# The values.

_FADING = amounts("near")["fading"]
_OF = re.compile(r"\s+of\s+(?:the\s+|its\s+|an?\s+|this\s+|some\s+)?((?:[A-Za-z-]{2,20}\s?){1,2})")
# A noun right after the unit belongs to the value too ("4 kg flywheel"); small words begin something else.
_NOUN = rf"(?!(?:{any_of('choosing.clause_starts')})\b)[a-z]{{3,20}}"
_NEXT = re.compile(rf"[ \t]+({_NOUN}(?:[ \t]{_NOUN})?)")
# "Two beads", "three blocks in a row": how many things there are, in words.
_COUNTED = re.compile(r"[ \t]+(?:[a-z-]{2,20}[ \t]+){0,2}[a-z-]{2,20}s\b", re.IGNORECASE)
_EACH = re.compile(rf"\s*,?\s*(?:{any_of('choosing.each')})\b")
# So many equal things have a slot each; beyond, a number of things is only a number.
_MOST_EQUAL = 4
# How several things are arranged says nothing of the last of them: "10 ohm and 15 ohm in parallel".
_ARRANGED = frozenset(("parallel", "parallel_circuit", "series"))
# Letters of a symbol; what is longer and in small letters is a word.
_LONGEST_SYMBOL = 3
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class PreparedValue:
    """A given value prepared for comparing: the dimension of each of its readings, stems of its words with how near
    they are, the kinds its words name. `owner` is more than 0 where it is of the thing asked about, less where it is
    of another."""

    index: int
    given: Given
    dimensions: tuple[str, ...]
    phrase: tuple[str, ...]
    near: Mapping[str, float]
    parts: SymbolParts | None
    named: frozenset[str]
    named_dimensions: frozenset[str]
    roles: frozenset[str]
    order: int
    is_covered: bool = False
    is_copy: bool = False
    is_symbol_shared: bool = False
    owner: float = 0.0
    has_zero: bool = False
    # A number in words that says how many things there are.
    is_count: bool = False
    # How near the usual names of slots stand, as far as it has been asked.
    near_usual: dict[UsualNames, float] = field(default_factory=dict, repr=False, compare=False)


def prepare_values(givens: Sequence[Given], text: str = "") -> tuple[PreparedValue, ...]:
    """The values of a question, those of several equal things once for each."""
    shared = _without_counts(_shared_out(givens, text), text)
    copies = [(given, number) for given in shared for number in range(min(given.count, _MOST_EQUAL))]
    twice = _assigned_twice(shared)
    covered = {start for given in givens for start in given.covers}
    order: dict[str, int] = {}
    found = []
    for index, (given, number) in enumerate(copies):
        dimensions = tuple(str(quantity.dimension) for quantity in given.readings)
        # What a library knows of a substance has no place in the order of what is stated.
        place = order.get(dimensions[0], -1) + 1
        if not given.is_known:
            order[dimensions[0]] = place
        value = _prepared_value(index, given, dimensions, place, _followed_by(given, text))
        if sum(other.readings[0].dimension == given.readings[0].dimension for other in shared) > 1:
            value = replace(value, roles=value.roles - _ARRANGED)
        is_covered = given.start in covered and not given.covers
        is_shared = given.symbol in twice
        found.append(
            replace(
                value,
                is_covered=is_covered,
                is_copy=number > 0,
                is_symbol_shared=is_shared,
                is_count=_is_count(given, text),
            )
        )
    return tuple(found)


def _assigned_twice(givens: Sequence[Given]) -> frozenset[str]:
    """Symbols with two values: in "2 kg at x = 1 m and 3 kg at x = 4 m" `x` tells what is measured, and speaks
    against no slot."""
    values: dict[str, set[float]] = {}
    for given in givens:
        if given.symbol:
            values.setdefault(given.symbol, set()).add(given.readings[0].si_value)
    return frozenset(symbol for symbol, known in values.items() if len(known) > 1)


def _without_counts(givens: Sequence[Given], text: str) -> list[Given]:
    """Without a number in words that only says how many values follow: "two charges of 4 µC and 9 µC"."""
    places: dict[str, set[int]] = {}
    for given in givens:
        if given.readings[0].unit.text and not given.implied:
            # A diameter and its radius stand in one place.
            places.setdefault(str(given.readings[0].dimension), set()).add(given.start)
    counts = {len(starts) for starts in places.values() if 2 <= len(starts) <= _MOST_EQUAL}
    return [given for given in givens if not (_is_count(given, text) and given.readings[0].value in counts)]


def _is_count(given: Given, text: str) -> bool:
    is_bare = not given.readings[0].unit.text and not given.symbol and not given.implied and given.text.isalpha()
    return is_bare and _COUNTED.match(text, given.end) is not None


def _shared_out(givens: Sequence[Given], text: str) -> list[Given]:
    """Values with their number: "two protons, 1.6e-19 C each" gives the charge twice and the two no more."""
    kept: list[Given] = []
    for given in givens:
        number = next((one for one in reversed(kept) if not one.readings[0].unit.text and not one.symbol), None)
        is_each = not given.implied and _EACH.match(text, given.end) is not None and given.readings[0].unit.text
        if is_each and number is not None and number.readings[0].value in range(2, _MOST_EQUAL + 1):
            kept.remove(number)
            given = replace(given, count=int(number.readings[0].value))
        kept.append(given)
    return kept


def _followed_by(given: Given, text: str) -> str:
    """What a value is of ("0.3 mol/L of its salt"): the few words after it that belong to it."""
    if not text or given.implied or not given.end:
        return ""
    match = _OF.match(text, given.end) or _NEXT.match(text, given.end)
    return match.group(1) if match else ""


def _prepared_value(index: int, given: Given, dimensions: tuple[str, ...], order: int, of: str) -> PreparedValue:
    phrase = stems(given.phrase) or stems(of)
    near: dict[str, float] = dict.fromkeys((*stems(given.phrase), *stems(of)), 1.0)
    for position, word in enumerate(stems_of_words(given.words)):
        near.setdefault(word, _FADING**position)
    is_word = _is_word(given.symbol)
    if is_word:
        near[stem(given.symbol)] = 1.0
    kinds = _named_kinds(given.phrase)
    return PreparedValue(
        index=index,
        given=given,
        dimensions=dimensions,
        phrase=phrase,
        near=near,
        parts=split_name(given.symbol) if given.symbol and not is_word else None,
        named=frozenset(kind.id for kind in kinds),
        named_dimensions=frozenset(str(kind.dimension) for kind in kinds),
        roles=frozenset(given.roles),
        order=order,
        has_zero=any(quantity.value == 0 for quantity in given.readings),
    )


def _is_word(symbol: str) -> bool:
    """Whether what a value is assigned to is a word rather than a symbol: `E cathode = 0.8 V`."""
    return len(symbol) > _LONGEST_SYMBOL and symbol.isalpha() and symbol.islower() and symbol not in WORD_LETTERS


def _named_kinds(phrase: str) -> tuple[QuantityKind, ...]:
    """The kinds that the phrase, or the longest end of it, names."""
    words = phrase.split()
    for start in range(len(words)):
        if found := kinds_for_words(" ".join(words[start:])):
            return found
    for end in range(len(words) - 1, 0, -1):
        if found := kinds_for_words(" ".join(words[:end])):
            return found
    return ()


# What is asked.

_VAGUE = frozenset(map(stem, word_class("choosing.vague")))
_HEAD_ENDS = re.compile(rf"\b(?:{any_of('choosing.head_ends')})\b")


@dataclass(frozen=True, slots=True)
class PreparedTarget:
    """A target prepared for comparing. `rank` is its place among the targets of the question; `is_named` says that its
    words name a kind of quantity, rather than ask how fast or how much."""

    target: Target
    rank: int
    stems: tuple[str, ...]
    parts: SymbolParts | None
    kinds: tuple[QuantityKind, ...]
    dimensions: frozenset[str]
    roles: frozenset[str]
    is_named: bool
    core: tuple[str, ...] = ()

    @property
    def head(self) -> str:
        """The word that says what is asked for: `rate` of "yearly rate"."""
        return self.core[-1] if self.core else ""


def prepare_targets(targets: Sequence[Target]) -> tuple[PreparedTarget, ...]:
    """What a question asks, prepared."""
    return tuple(_prepared_target(rank, target) for rank, target in enumerate(targets))


def _prepared_target(rank: int, target: Target) -> PreparedTarget:
    kinds = tuple(kind_of(each) for each in target.kinds)
    words = dict.fromkeys((*stems(target.phrase), *stems_of_words(target.words)))
    return PreparedTarget(
        target=target,
        rank=rank,
        stems=tuple(words),
        parts=split_name(target.symbol) if target.symbol else None,
        kinds=kinds,
        dimensions=frozenset(str(kind.dimension) for kind in kinds),
        roles=frozenset(target.roles),
        is_named=any(_is_said(stems(name), words.keys()) for kind in kinds for name in kind.words),
        core=head_stems(target.phrase) if target.phrase else (),
    )


def head_stems(phrase: str) -> tuple[str, ...]:
    """The stems of what a phrase is about: of "angle between two mirrors" that of the angle."""
    return stems(_HEAD_ENDS.split(phrase, maxsplit=1)[0])


def _is_said(name: tuple[str, ...], words: Collection[str]) -> bool:
    return all(word in words for word in name) and not (len(name) == 1 and name[0] in _VAGUE)


# Values stated together belong to one thing: the mass and the place of the first body, a constant at its temperature.

# The number that stands for what is asked among the numbers of the values.
ASKED = -1


@dataclass(frozen=True)
class ValuesInText:
    """Where the values and the thing asked for stand in the text."""

    values: Sequence[PreparedValue]
    asked_at: int

    @cached_property
    def _by_dimension(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for one in self.values:
            # What a library knows of a substance is stated nowhere, so that it stands beside nothing.
            if not (one.given.is_known or (one.given.implied and (one.roles or one.given.covers))):
                dimensions = set(one.dimensions)
                if not one.given.readings[0].value:
                    dimensions |= one.named_dimensions
                for dimension in dimensions:
                    found.setdefault(dimension, []).append(one.index)
        return found

    def place(self, value: int) -> int:
        """Where a value stands in the text."""
        return self.asked_at if value == ASKED else self.values[value].given.start

    def companions(self, target_dimension: str | None) -> frozenset[tuple[int, int]]:
        """Pairs of values of different dimensions that are stated together; kept, because every plan asks for them."""
        if target_dimension not in self._known:
            self._known[target_dimension] = self._companions(target_dimension)
        return self._known[target_dimension]

    @cached_property
    def _known(self) -> dict[str | None, frozenset[tuple[int, int]]]:
        return {}

    def _companions(self, target_dimension: str | None) -> frozenset[tuple[int, int]]:
        groups = {dimension: list(values) for dimension, values in self._by_dimension.items()}
        if target_dimension is not None:
            groups.setdefault(target_dimension, []).append(ASKED)
        ordered = [
            sorted(values, key=lambda value: (self.place(value), value))
            for values in groups.values()
            if len(values) > 1
        ]
        pairs: set[tuple[int, int]] = set()
        for position, first in enumerate(ordered):
            for second in ordered[position + 1 :]:
                pairs.update(self._matched(first, second))
        return frozenset(pairs)

    def _matched(self, first: Sequence[int], second: Sequence[int]) -> list[tuple[int, int]]:
        """Those of one clause belong together; what remains is paired by order, or by nearness where one is short.
        Where as many values of the one are stated as of the other, what is asked for belongs to none of them."""
        if abs(len(first) - len(second)) == 1:
            shorter, longer = sorted((first, second), key=len)
            if ASKED in longer and ASKED not in shorter:
                first, second = shorter, [each for each in longer if each != ASKED]
        found = self._of_one_clause(first, second)
        ones = [one for one in first if one not in {pair[0] for pair in found}]
        others = [other for other in second if other not in {pair[1] for pair in found}]
        if len(ones) == len(others):
            is_asked = ASKED in ones or ASKED in others
            found += self._nearest(ones, others) if is_asked else list(zip(ones, others, strict=True))
        else:
            shorter, longer = sorted((ones, others), key=len)
            free = list(longer)
            for one in shorter:
                nearest = min(free, key=lambda other: abs(self.place(other) - self.place(one)))
                free.remove(nearest)
                found.append((one, nearest))
        return [(one, other) for one, other in found if one != other]

    def _nearest(self, ones: Sequence[int], others: Sequence[int]) -> list[tuple[int, int]]:
        """The nearest two first: what is asked for stands apart, and goes with what is left."""
        found: list[tuple[int, int]] = []
        pairs = sorted(product(ones, others), key=lambda pair: abs(self.place(pair[0]) - self.place(pair[1])))
        for one, other in pairs:
            if all(one != first and other != second for first, second in found):
                found.append((one, other))
        return found

    def _of_one_clause(self, first: Sequence[int], second: Sequence[int]) -> list[tuple[int, int]]:
        """Pairs that share a clause with no other value of their dimensions."""
        found = []
        for one in first:
            clause = self._clause(one)
            partners = [other for other in second if clause is not None and self._clause(other) == clause]
            rivals = [other for other in first if self._clause(other) == clause]
            if len(partners) == 1 and len(rivals) == 1:
                found.append((one, partners[0]))
        return found

    def _clause(self, value: int) -> int | None:
        return None if value == ASKED else self.values[value].given.clause


# Whose a value is: of two masses the ball's counts where the kinetic energy of the ball is asked for.

_WORDS = rf"[a-z-]{{2,20}}(?: (?!(?:{any_of('choosing.thing_ends')})\b)[a-z-]{{2,20}}){{0,2}}"
_OF_THE = re.compile(
    rf"\bof (?:the|this|that) (?P<later>{_WORDS})|(?:^|\b(?:the|this|that) )(?P<before>{_WORDS})['’]s\b", re.IGNORECASE
)
_NEARNESS, _OWNER = thresholds("owner"), amounts("owner")


def owner_evidence(values: Sequence[PreparedValue], asked: Sequence[PreparedTarget]) -> Mapping[int, float]:
    """1 for the value of the thing that is asked about, less than 0 for those of the same dimension that are of others;
    empty where the words do not tell."""
    things = _things(asked[0].target.phrase) if asked else frozenset[str]()
    if not things:
        return {}
    found: dict[int, float] = {}
    for group in _alike(values):
        # Of "the blue block" the colour tells two blocks apart.
        telling = frozenset(word for word in things if len({one.near.get(word, 0.0) for one in group}) > 1)
        ranked = sorted(group, key=lambda one: -_nearness(one, telling))
        best, second = (_nearness(one, telling) for one in ranked[:2])
        others = ranked[1:]
        is_told = best >= _NEARNESS["near"] and second <= _NEARNESS["next"] * best
        if is_told and all(_has_another(one, ranked[0]) for one in others):
            found |= {ranked[0].index: _OWNER["asked"]}
            found |= dict.fromkeys((one.index for one in others), _OWNER["others"])
    return found


def _things(phrase: str) -> frozenset[str]:
    """The thing that a phrase asks about, where it was spoken of before: "energy of the blue block"."""
    match = _OF_THE.search(phrase)
    return frozenset(stems(match["later"] or match["before"])) if match else frozenset()


def _nearness(one: PreparedValue, things: frozenset[str]) -> float:
    return sum(one.near.get(word, 0.0) for word in sorted(things))


def _has_another(one: PreparedValue, owned: PreparedValue) -> bool:
    """Whether a value has a word of its own, the name of another thing; without, it may be a second value of the same
    one."""
    names = {*stems(one.given.phrase), *owned.phrase}
    return any(
        near >= _NEARNESS["near"] and owned.near.get(word, 0.0) <= _NEARNESS["next"] * near
        for word, near in one.near.items()
        if word not in names
    )


def _alike(values: Sequence[PreparedValue]) -> list[list[PreparedValue]]:
    """Values stated once each, by dimension, where one has two or more. The values of a list are of one thing."""
    groups: dict[str, list[PreparedValue]] = {}
    for one in values:
        given = one.given
        if not (given.implied or given.covers or given.is_pinned or given.series is not None or given.count > 1):
            groups.setdefault(one.dimensions[0], []).append(one)
    return [group for group in groups.values() if len(group) > 1]


# All of it together.


@dataclass(frozen=True, slots=True)
class QuestionView:
    """What scoring needs of a question. `told` are technical words for what it tells in everyday ones; `usable` are the
    numbers of the values that a plan may use."""

    question: Question
    values: tuple[PreparedValue, ...]
    asked: tuple[PreparedTarget, ...]
    units: frozenset[str]
    stems: frozenset[str]
    topics: frozenset[str]
    told: frozenset[str]
    together: ValuesInText
    wording: Wording
    usable: tuple[int, ...]
    is_list_spread: bool = False

    def left_over(self, values: Iterable[int], taken: Collection[int]) -> tuple[int, ...]:
        """The values that are neither taken nor the two ends of a change that is."""
        spent = [start for value in taken for start in self.values[value].given.covers]
        left = [value for value in values if value not in taken and not self._is_said_otherwise(value)]
        return tuple([value for value in left if self.values[value].given.start not in spent] if spent else left)

    def _is_said_otherwise(self, value: int) -> bool:
        """Whether it only says what another value says too: the radius beside the diameter it is half of."""
        given = self.values[value].given
        return bool(given.assumption) and given.start in given.covers


def view_question(question: Question, *, is_list_spread: bool = False) -> QuestionView:
    """A question, prepared. A list of values either varies one slot or, spread, fills several."""
    asked = prepare_targets(question.targets)
    values = prepare_values(question.givens, question.text)
    owners = owner_evidence(values, asked)
    if owners:
        values = tuple(replace(one, owner=owners.get(one.index, 0.0)) for one in values)
    return QuestionView(
        question=question,
        values=values,
        asked=asked,
        units=frozenset(str(unit.dimension) for unit in question.units),
        stems=frozenset(stems_of_words(question.words)),
        topics=frozenset(word for topic in question.topics for word in stems(topic)),
        told=frozenset(stems_of_words(technical_words(_WORD.findall(question.text.lower())))),
        together=ValuesInText(values, _asked_at(question)),
        wording=Wording(question),
        usable=_usable(values, is_list_spread=is_list_spread),
        is_list_spread=is_list_spread,
    )


def _usable(values: tuple[PreparedValue, ...], *, is_list_spread: bool) -> tuple[int, ...]:
    """All values, or of a list of values only the first, unless it is spread over several slots."""
    if is_list_spread:
        return tuple(one.index for one in values)
    first: dict[int, int] = {}
    for one in values:
        if one.given.series is not None:
            first.setdefault(one.given.series, one.index)
    return tuple(one.index for one in values if one.given.series is None or first[one.given.series] == one.index)


def _asked_at(question: Question) -> int:
    """Where what is asked for stands in the text; at its end where that cannot be told."""
    if not question.targets:
        return len(question.text)
    target, text = question.targets[0], question.text.casefold()
    asking = text.rfind(target.asked_by.casefold()) if target.asked_by else -1
    place = text.find(target.phrase.casefold(), max(asking, 0)) if target.phrase else asking
    return place if place >= 0 else len(text)
