"""The wording of one question, looked at once: which sentences ask, which cues it has, what stands around a value.

Whoever judges a plan asks here and never reads the text itself, so that two of them cannot read it in two ways.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Literal, TypeAlias

from mathrag.compute.chemistry.acids import dissolved
from mathrag.language.cues import cue
from mathrag.language.proper_names import proper_names
from mathrag.language.tokens import SENTENCE_BREAK
from mathrag.reason.question.clock_times import ClockSpan, clock_span
from mathrag.reason.question.known_values import (
    atoms_of_the_substance,
    compounds_named,
    molecules_of,
    named_elements,
)
from mathrag.reason.question.reference_lines import Line, Reference, asked_lines, references
from mathrag.reason.question.sides import (
    Sides,
    plain_words_of,
    sides_of_substance,
    sides_of_target,
    sides_of_values,
    spans,
    stated_together,
    words_of_values,
)
from mathrag.types.question import Given, Question, Target

# The unit of angles that a question speaks of; empty where it speaks of none, or of both.
AngleUnit: TypeAlias = Literal["deg", "rad", ""]
_WORD = re.compile(r"[A-Za-z]+")


class Wording:
    """The words of a question, by what they say."""

    def __init__(self, question: Question) -> None:
        self._text = question.text
        self._givens = question.givens
        self._found: dict[str, tuple[re.Match[str], ...]] = {}

    @property
    def end(self) -> int:
        """Where the text ends."""
        return len(self._text)

    # ---- cues

    def all(self, name: str) -> tuple[re.Match[str], ...]:
        """Everywhere that a cue stands."""
        if name not in self._found:
            self._found[name] = tuple(cue(name).finditer(self._text))
        return self._found[name]

    def first(self, name: str) -> re.Match[str] | None:
        """Where a cue stands first."""
        return next(iter(self.all(name)), None)

    def says(self, *names: str) -> bool:
        """Whether any of these cues stands anywhere."""
        return any(self.all(name) for name in names)

    def asked(self, name: str) -> tuple[re.Match[str], ...]:
        """A cue in the sentences that ask."""
        return tuple(found for sentence in self.asking for found in cue(name).finditer(sentence))

    # ---- sentences and words

    @cached_property
    def asking(self) -> tuple[str, ...]:
        """The sentences with a question mark."""
        return tuple(each for each in SENTENCE_BREAK.split(self._text) if "?" in each)

    @cached_property
    def asks_in(self) -> tuple[str, ...]:
        """Where it is asked: the sentences that ask, or all of it where none does."""
        return self.asking or (self._text,)

    @cached_property
    def words(self) -> tuple[re.Match[str], ...]:
        """The words in letters of English, in order."""
        return tuple(_WORD.finditer(self._text))

    @cached_property
    def spelled(self) -> frozenset[str]:
        """All words in small letters, small ones too ("toward", "off")."""
        return frozenset(found[0].casefold() for found in self.words)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Proper names, in small letters: whose law, curve or method is meant."""
        return proper_names(self._text)

    @cached_property
    def typed(self) -> frozenset[str]:
        """All words as people type them, signs of ions with them ("OH⁻"), in small letters."""
        return plain_words_of(self._text)

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """What stands between blanks, in small letters."""
        return tuple(self._text.casefold().split())

    # ---- around a value

    def behind(self, given: Given, name: str) -> re.Match[str] | None:
        """A cue that begins right behind a value."""
        return cue(name).match(self._text, given.end)

    def before(self, given: Given, name: str) -> re.Match[str] | None:
        """A cue in the same sentence before a value."""
        return cue(name).search(self.clause_before(given))

    def up_to(self, given: Given, name: str) -> re.Match[str] | None:
        """A cue anywhere before a value."""
        return cue(name).search(self._text[: given.start])

    def next_after(self, given: Given, name: str) -> re.Match[str] | None:
        """The next cue behind a value."""
        return cue(name).search(self._text, given.end)

    def clause_before(self, given: Given) -> str:
        """The sentence as far as a value."""
        return self.between(self.sentence_start(given), given.start)

    def between(self, start: int, end: int) -> str:
        """The text between two places."""
        return self._text[max(0, start) : end]

    def is_one_sentence(self, start: int, end: int) -> bool:
        """Whether no sentence ends between two places."""
        return SENTENCE_BREAK.search(self._text, start, end) is None

    def around(self, found: re.Match[str], before: int, behind: int) -> str:
        """The words around a place."""
        return self.between(found.start() - before, found.end() + behind)

    def sentence_start(self, given: Given) -> int:
        """Where the sentence of a value begins."""
        ends = [found.end() for found in SENTENCE_BREAK.finditer(self._text, 0, given.start)]
        return ends[-1] if ends else 0

    def words_behind(self, given: Given, most: int) -> list[str]:
        """The words right behind a value, one after the other, with nothing but blanks and hyphens between."""
        found: list[str] = []
        end = given.end
        for word in self.words:
            if word.start() < given.end:
                continue
            if self._text[end : word.start()].strip(" -") or len(found) == most:
                break
            found.append(word[0])
            end = word.end()
        return found

    def references(self, given: Given) -> frozenset[Reference]:
        """The lines from which the words beside an angle count it."""
        return references(given, self._text, self._givens)

    # ---- statements: what stands between borders, about which value

    def said_of(self, given: Given) -> frozenset[str]:
        """The words of the statement of a value, in small letters."""
        return self._said.get((given.start, given.end), frozenset())

    @cached_property
    def _said(self) -> Mapping[tuple[int, int], frozenset[str]]:
        said = words_of_values(self._text, self._givens)
        return {(given.start, given.end): words for given, words in zip(self._givens, said, strict=True)}

    def sides(self, asked: str) -> Mapping[tuple[int, int], Sides]:
        """The sides of the values that have any, by where they stand; `asked` is the name of the unknown, which says
        nothing of a value."""
        found = sides_of_values(self._text, self._givens, asked)
        return {(given.start, given.end): each for given, each in zip(self._givens, found, strict=True) if each}

    def sides_of_substance(self, given: Given) -> Sides:
        """The sides of what is known of a substance, by where it is named."""
        return sides_of_substance(self._text, given, self._givens)

    def sides_of_target(self, target: Target) -> Sides:
        """The sides of what is asked."""
        return sides_of_target(self._text, target, self._givens)

    @cached_property
    def spans(self) -> frozenset[int]:
        """The beginnings of the values that are the ends of a change."""
        return spans(self._text, self._givens)

    @cached_property
    def neighbours(self) -> frozenset[tuple[int, int]]:
        """Values with no border between them, by their beginnings."""
        return stated_together(self._text, self._givens)

    # ---- what is known by its words

    @cached_property
    def angle_unit(self) -> AngleUnit:
        """The unit of angles that it speaks of, where it speaks of one only."""
        says_degrees, says_radians = self.says("degrees"), self.says("radians")
        if says_degrees == says_radians:
            return ""
        return "deg" if says_degrees else "rad"

    @cached_property
    def asked_lines(self) -> frozenset[Line]:
        """The lines from which an angle is asked for."""
        return asked_lines(self._text)

    @cached_property
    def clock_span(self) -> ClockSpan | None:
        """The time between two times of day."""
        return clock_span(self._text)

    @cached_property
    def atoms(self) -> int:
        """How many atoms a particle of the substance has."""
        return atoms_of_the_substance(self._text)

    @cached_property
    def molecules(self) -> bool:
        """Whether it speaks of what consists of molecules."""
        return bool(molecules_of(self._text))

    @cached_property
    def elements(self) -> frozenset[str]:
        """The chemical elements that are named."""
        return frozenset(named_elements(self._text))

    @cached_property
    def exchanges_several_protons(self) -> bool:
        """Whether an acid and a base meet, of one of which a unit gives or takes several protons."""
        if self.says("several_protons"):
            return True
        found = [each for each in map(dissolved, compounds_named(self._text)) if each is not None]
        is_met = len(found) > 1 or self.says("neutralising")
        return is_met and any(max(each.to_give, each.to_take) > 1 for each in found)


def has_word(text: str, word: str) -> bool:
    """Whether a text has a word, alone or before a hyphen."""
    return re.search(rf"\b{re.escape(word)}\b", text, re.IGNORECASE) is not None
