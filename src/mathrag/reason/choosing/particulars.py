"""What is particular about a formula and what is particular about a question, each held against the other.

A formula for a pendulum answers no question that speaks of none; one for resistors in series contradicts a question
that says "parallel"; and where a question says "incline" or "twice", a formula that knows nothing of it leaves
something out. Every piece of evidence is a named number; `weights.py` has how much each counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache, lru_cache

from mathrag.knowledge.constants import constant as standard_constant
from mathrag.language.stems import stem, stems
from mathrag.language.word_classes import word_class, word_list
from mathrag.reason.choosing.question_view import QuestionView
from mathrag.reason.choosing.slots import Candidate, Slot
from mathrag.reason.choosing.weights import thresholds
from mathrag.types.library import Formula

# Gives how rare a word is among the names of the formulas of a library, from 0 to 1, by its stem.
WordRarity = Callable[[str], float]

_CIRCUMSTANCES = frozenset(map(stem, word_class("choosing.circumstances")))
_PARTICLES = word_class("choosing.particles")
_MASS = "kg"
# What a thing has by itself: a mass, a charge, a size. The charge of a mole of electrons is nobody's.
_OF_THINGS = frozenset((_MASS, "s*A", "m"))
_BEARERS = frozenset(map(stem, word_class("choosing.bearers")))
_WORD = re.compile(r"[a-z]+")
_LIMITS = thresholds("particular")


def nothing_rare(_: str) -> float:
    """The rarity of words where no library is known: nothing is particular."""
    return 0.0


class Particulars:
    """What formulas say beyond a question, and a question beyond formulas. For one question and one library."""

    def __init__(self, view: QuestionView, rarity: WordRarity = nothing_rare) -> None:
        self._view = view
        self._rarity = rarity
        asked = (word for one in view.asked[:1] for kind in one.kinds[:2] for word in stems(kind.name))
        self._said = frozenset((*view.stems, *view.told, *asked))
        self._circumstances = self._said & _CIRCUMSTANCES
        self._words = without_plurals(view.wording.spelled)
        self._contrasts = tuple(group for group in _contrasts() if len(group & self._words) == 1)
        self._known: dict[tuple[str, ...], float] = {}

    def of_formula(self, candidate: Candidate) -> dict[str, float]:
        """The evidence for a formula as a whole."""
        label, section = candidate.label_stems, candidate.section_stems - candidate.label_stems
        return {
            "unsaid_label": self._unsaid_share(label),
            "unsaid_section": self._unsaid_share(section),
            "contrary": self._contrary(candidate),
            "unexplained": self._unexplained(candidate),
        }

    def is_of_another(self, slot: Slot) -> bool:
        """Whether the constant of a slot is the property of one thing, such as the electron, that is not spoken of."""
        bearers = _bearers_of(slot.meaning.constant or "")
        return bool(bearers) and bearers.isdisjoint(self._view.stems)

    def is_missing(self, slot: Slot) -> bool:
        """Whether such a constant is no value of what is spoken of: nobody asks for a car of an electron's mass."""
        return slot.dimension == _MASS and self.is_of_another(slot) and self._words.isdisjoint(_PARTICLES)

    def unsaid_name(self, slot: Slot) -> float:
        """The rarity of the rarest word of a slot's name that the question does not have."""
        name = particular_name(slot)
        if name not in self._known:
            self._known[name] = max((self._rarity(word) for word in name if word not in self._said), default=0.0)
        return self._known[name]

    def _unsaid_share(self, words: Iterable[str]) -> float:
        """How much of a name, rare words before all, the question does not have."""
        weights = [(self._rarity(word) ** 2, word in self._said) for word in words]
        total = sum(weight for weight, _ in weights)
        if not total:
            return 0.0
        unsaid = [weight for weight, is_said in weights if not is_said]
        return sum(unsaid) / total * max(unsaid, default=0.0)

    def _contrary(self, candidate: Candidate) -> float:
        """In how many respects the formula says one thing and the question the opposite. What its own name says counts
        before what its section is about, which may treat of both."""
        count = 0
        for group in self._contrasts:
            for words in _named_words(candidate.formula):
                if found := group & words:
                    count += found.isdisjoint(self._words)
                    break
        return float(count)

    def _unexplained(self, candidate: Candidate) -> float:
        """How many circumstances the question tells of which the formula knows nothing."""
        left = self._circumstances - candidate.known_stems
        return min(float(len(left)), _LIMITS["most_circumstances"])


def particular_name(slot: Slot) -> tuple[str, ...]:
    """The words by which a slot is told from others: what the document calls it, else the name of its kind."""
    if slot.meaning.origin == "document" and slot.names.own is not None:
        return slot.names.own.stems
    return stems(slot.kind.name) if slot.kind is not None else ()


@cache
def _bearers_of(constant: str) -> frozenset[str]:
    try:
        found = standard_constant(constant)
    except KeyError:
        return frozenset()
    if str(found.dimension) not in _OF_THINGS:
        return frozenset()
    return frozenset(word for name in found.names for word in stems(name)) & _BEARERS


@cache
def _contrasts() -> Sequence[frozenset[str]]:
    """Groups of words of which only one can be so."""
    return tuple(frozenset(group.split()) for group in word_list("choosing.contrasts"))


def without_plurals(words: Collection[str]) -> frozenset[str]:
    """Words as they are and without the ending of a plural. No stems: `closed` is not `close`, nor is `inductive` an
    inductance."""
    return frozenset((*words, *(word[:-1] for word in words if word.endswith("s"))))


@lru_cache(maxsize=8_192)
def _words_of(*texts: str) -> frozenset[str]:
    return without_plurals(_WORD.findall(" ".join(texts).casefold()))


def _named_words(formula: Formula) -> Iterable[frozenset[str]]:
    """The words that name a formula, the most particular first: its label, its conditions and symbols, its section."""
    yield _words_of(formula.label)
    yield _words_of(*(each.text for each in formula.conditions), *(each.description for each in formula.symbols))
    yield _words_of(*(heading for span in formula.spans[:1] for heading in span.headings[-1:]))
