"""A question prepared for scoring many formulas: its values, what it asks, its words. Scores nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from mathrag.language.stems import stems, stems_of_words
from mathrag.reason.choosing.belonging import Together, ownership
from mathrag.reason.choosing.target_evidence import Asked, asked_targets
from mathrag.reason.choosing.value_evidence import Seen, seen_givens
from mathrag.retrieve.query_expansion import technical_words
from mathrag.types.question import Question


@dataclass(frozen=True, slots=True)
class View:
    """What scoring needs of a question. `told` are technical words for what it tells in everyday ones; `values` are the
    numbers of the values that a plan may use."""

    question: Question
    seen: tuple[Seen, ...]
    asked: tuple[Asked, ...]
    units: frozenset[str]
    stems: frozenset[str]
    topics: frozenset[str]
    told: frozenset[str]
    together: Together
    values: tuple[int, ...]
    is_list_spread: bool = False

    def left_over(self, values: Iterable[int], taken: Collection[int]) -> tuple[int, ...]:
        """The values that are neither taken nor the two ends of a change that is."""
        spent = [start for value in taken for start in self.seen[value].given.covers]
        left = [value for value in values if value not in taken]
        return tuple([value for value in left if self.seen[value].given.start not in spent] if spent else left)


def view_of(question: Question, *, is_list_spread: bool = False) -> View:
    """A question, prepared. A list of values either varies one slot or, spread, fills several."""
    asked = asked_targets(question.targets)
    seen = seen_givens(question.givens, question.text)
    owners = ownership(seen, asked)
    if owners:
        seen = tuple(replace(one, owner=owners.get(one.index, 0.0)) for one in seen)
    return View(
        question=question,
        seen=seen,
        asked=asked,
        units=frozenset(str(unit.dimension) for unit in question.units),
        stems=frozenset(stems_of_words(question.words)),
        topics=frozenset(word for topic in question.topics for word in stems(topic)),
        told=frozenset(stems_of_words(technical_words(question.words))),
        together=Together(seen, _asked_at(question)),
        values=_values(seen, is_list_spread=is_list_spread),
        is_list_spread=is_list_spread,
    )


def _values(seen: tuple[Seen, ...], *, is_list_spread: bool) -> tuple[int, ...]:
    """All values, or of a list of values only the first, unless it is spread over several slots."""
    if is_list_spread:
        return tuple(one.index for one in seen)
    first: dict[int, int] = {}
    for one in seen:
        if one.given.series is not None:
            first.setdefault(one.given.series, one.index)
    return tuple(one.index for one in seen if one.given.series is None or first[one.given.series] == one.index)


def _asked_at(question: Question) -> int:
    """Where what is asked for stands in the text; at its end where that cannot be told."""
    if not question.targets:
        return len(question.text)
    target, text = question.targets[0], question.text.casefold()
    asking = text.rfind(target.asked_by.casefold()) if target.asked_by else -1
    place = text.find(target.phrase.casefold(), max(asking, 0)) if target.phrase else asking
    return place if place >= 0 else len(text)
