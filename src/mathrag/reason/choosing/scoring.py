"""Score a formula for a question: every slot it could be solved for, with the best values in the other slots.

Complete and incomplete plans are scored alike; what is missing and what stays unused cost something, so that they
compete. Chains of formulas are built from these plans in `chaining.py`.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from mathrag.compute.stemming import stems, stems_of_words
from mathrag.compute.units import coherent_unit
from mathrag.reason.choosing.assignment import Pairs, best_assignment
from mathrag.reason.choosing.evidence import (
    Asked,
    Seen,
    asked_targets,
    fitting_reading,
    pair_evidence,
    seen_givens,
    target_evidence,
)
from mathrag.reason.choosing.slots import Candidate, Slot
from mathrag.reason.choosing.weights import worth
from mathrag.types.quantity import Quantity
from mathrag.types.question import Question


@dataclass(frozen=True, slots=True)
class Found:
    """What searching says about a formula: the score of its words (best hit 1) and the cosine of its meaning."""

    words: float = 0.0
    meaning: float = 0.0


@dataclass(frozen=True, slots=True)
class View:
    """A question prepared for scoring many formulas."""

    question: Question
    seen: tuple[Seen, ...]
    asked: tuple[Asked, ...]
    units: frozenset[str]
    stems: frozenset[str]
    topics: frozenset[str]

    @property
    def values(self) -> tuple[int, ...]:
        """The numbers of the values that a plan may use; of a list of values only the first."""
        first: dict[int, int] = {}
        for one in self.seen:
            if one.given.series is not None:
                first.setdefault(one.given.series, one.index)
        return tuple(one.index for one in self.seen if one.given.series is None or first[one.given.series] == one.index)


def view_of(question: Question) -> View:
    """A question, prepared."""
    return View(
        question=question,
        seen=seen_givens(question.givens),
        asked=asked_targets(question.targets),
        units=frozenset(str(unit.dimension) for unit in question.units),
        stems=frozenset(stems_of_words(question.words)),
        topics=frozenset(word for topic in question.topics for word in stems(topic)),
    )


@dataclass(frozen=True, slots=True)
class Scored:
    """A plan of one formula: solved for `target`, with `pairs` of (slot, value). All by index."""

    candidate: Candidate
    target: int
    pairs: Pairs
    missing: tuple[int, ...]
    unused: tuple[int, ...]
    score: float
    evidence: Mapping[str, float] = field(repr=False)

    @property
    def slot(self) -> Slot:
        """The slot that is asked for."""
        return self.candidate.slots[self.target]

    @property
    def values(self) -> dict[int, int]:
        """The value in each filled slot."""
        return dict(self.pairs)


@dataclass(frozen=True, slots=True)
class Matches:
    """Which values can stand in which slots of a formula: the evidence for each pair and what it is worth."""

    candidate: Candidate
    evidence: Mapping[tuple[int, int], Mapping[str, float]]
    worths: Mapping[tuple[int, int], float]


class Scorer:
    """Scores formulas for one question."""

    def __init__(self, view: View, table: Mapping[str, float]) -> None:
        self.view = view
        self.table = table
        self.unused = tuple(self._unused_worth(one) for one in view.seen)
        self._matches: dict[int, Matches] = {}

    def _unused_worth(self, seen: Seen) -> float:
        if seen.given.implied:
            return self.table["unused_implied"]
        return self.table["unused"] + (self.table["unused_symbol"] if seen.parts is not None else 0.0)

    def matches(self, candidate: Candidate) -> Matches:
        """The values that can stand in each slot of a formula, with the evidence; kept, because chains ask again."""
        known = self._matches.get(id(candidate))
        if known is None:
            evidence = self._pairs_of(candidate)
            known = Matches(candidate, evidence, {pair: worth(each, self.table) for pair, each in evidence.items()})
            self._matches[id(candidate)] = known
        return known

    def _pairs_of(self, candidate: Candidate) -> dict[tuple[int, int], dict[str, float]]:
        found: dict[tuple[int, int], dict[str, float]] = {}
        ranks = _ranks(candidate.slots)
        for place, slot in enumerate(candidate.slots):
            for one in self.view.seen:
                fitting = fitting_reading(one.given, slot)
                if fitting is None:
                    continue
                rank, quantity = fitting
                evidence = pair_evidence(one, slot, rank=rank, quantity=quantity)
                evidence["order"] = 1.0 if one.order == ranks[place] else 0.0
                evidence["filled"] = 1.0
                if slot.is_constant:
                    # A constant keeps its value unless the question plainly gives another one.
                    if evidence["symbol"] < 0.9 and evidence["phrase"] < 0.8:
                        continue
                    evidence["constant"] = 1.0
                    evidence["filled"] = 0.0
                found[place, one.index] = evidence
        return found

    def score(self, candidate: Candidate, found: Found) -> list[Scored]:
        """The plans of a formula, one for each slot it could be solved for."""
        base = self.formula_evidence(candidate, found)
        plans = []
        for target, slot in enumerate(candidate.slots):
            about = self.target_of(candidate, slot)
            if about is not None:
                plans.append(self.plan(candidate, target, {**base, **about}))
        return plans

    def plan(
        self,
        candidate: Candidate,
        target: int,
        base: Mapping[str, float],
        *,
        derived: Collection[int] = (),
        values: Sequence[int] | None = None,
        shared: Collection[int] = (),
    ) -> Scored:
        """The best plan that solves for a slot. Slots in `derived` stay empty at no cost; only `values` may be used,
        those in `shared` at an extra cost, because an outer step has them already."""
        matches = self.matches(candidate)
        others = [place for place in range(len(candidate.slots)) if place != target and place not in derived]
        empty = {place: 0.0 if candidate.slots[place].is_constant else self.table["missing"] for place in others}
        usable = self.view.values if values is None else values
        unused_worth = self.unused
        worths = matches.worths
        if shared:
            worths = {
                pair: each + (self.table["shared"] if pair[1] in shared else 0.0) for pair, each in worths.items()
            }
            unused_worth = tuple(0.0 if value in shared else each for value, each in enumerate(self.unused))
        _, pairs = best_assignment(others, usable, worths, empty=empty, unused=unused_worth)
        filled = {slot for slot, _ in pairs}
        taken = {value for _, value in pairs}
        missing = tuple(place for place in others if place not in filled and empty[place])
        unused = tuple(value for value in usable if value not in taken and value not in shared)
        total = dict(base)
        for pair in pairs:
            for name, amount in matches.evidence[pair].items():
                if amount:
                    total[name] = total.get(name, 0.0) + amount
        total["shared"] = float(len(taken & set(shared)))
        total["missing"] = float(len(missing))
        self.count_unused(total, unused)
        return Scored(candidate, target, pairs, missing, unused, worth(total, self.table), total)

    def count_unused(self, total: dict[str, float], unused: Sequence[int]) -> None:
        """Add to the evidence what leaving these values unused counts."""
        for value in unused:
            one = self.view.seen[value]
            name = "unused_implied" if one.given.implied else "unused"
            total[name] = total.get(name, 0.0) + 1.0
            if one.parts is not None and not one.given.implied:
                total["unused_symbol"] = total.get("unused_symbol", 0.0) + 1.0

    def target_of(self, candidate: Candidate, slot: Slot) -> dict[str, float] | None:
        """The best evidence that a slot is asked for; None where the unit asked for rules it out."""
        fits: bool | None = None
        if self.view.units:
            fits = slot.dimension in self.view.units or slot.dimension is None
            if not fits:
                return None
        alone = candidate.equation.target == slot.symbol
        best: dict[str, float] | None = None
        for asked in self.view.asked or (None,):
            evidence = target_evidence(asked, slot, unit_fits=fits)
            evidence["target_alone"] = 1.0 if alone else 0.0
            evidence["target_constant"] = 1.0 if slot.is_constant else 0.0
            if alone and asked is not None and asked.stems:
                shared = sum(word in candidate.label_stems for word in asked.stems)
                evidence["target_label"] = shared / len(asked.stems)
            if best is None or worth(evidence, self.table) > worth(best, self.table):
                best = evidence
        return best

    def formula_evidence(self, candidate: Candidate, found: Found) -> dict[str, float]:
        """Evidence for the formula as a whole."""
        words = self.view.stems
        label = candidate.label_stems
        topics = self.view.topics
        return {
            "words": found.words,
            "meaning": found.meaning,
            "label": len(label & words) / len(label) if label else 0.0,
            "topic": len(topics & (label | candidate.word_stems)) / len(topics) if topics else 0.0,
            "covered": len(words & (candidate.word_stems | candidate.heading_stems)) / len(words) if words else 0.0,
            "prior": candidate.prior,
            "places": math.log(len(candidate.formula.spans)),
        }

    def quantity(self, candidate: Candidate, slot: int, value: int) -> Quantity:
        """The value as it stands in the slot."""
        fitting = fitting_reading(self.view.seen[value].given, candidate.slots[slot])
        if fitting is None:
            raise ValueError("the value does not fit the slot")
        quantity = fitting[1]
        dimension = candidate.slots[slot].meaning.dimension
        if quantity.value == 0 and dimension is not None and quantity.dimension != dimension:
            # Nothing is nothing in any unit.
            return Quantity(0, coherent_unit(dimension))
        return quantity


def _ranks(slots: Sequence[Slot]) -> list[int]:
    """The place of each slot among those of its dimension."""
    counts: dict[str | None, int] = {}
    ranks = []
    for slot in slots:
        counts[slot.dimension] = counts.get(slot.dimension, -1) + (0 if slot.is_constant else 1)
        ranks.append(max(counts[slot.dimension], 0))
    return ranks
