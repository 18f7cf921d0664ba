"""Score a formula for a question: every slot it could be solved for, with the best values in the other slots.

Complete and incomplete plans are scored alike; what is missing and what stays unused cost something, so that they
compete. Chains of formulas are built from these plans in `chains.py`.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

from mathrag.knowledge.units import coherent_unit
from mathrag.language.cues import cue
from mathrag.reason.choosing.assignment import MOST_TOGETHER, Pairs, aligned_by_index, best_pairs, companion_evidence
from mathrag.reason.choosing.ion_checks import IonChecks
from mathrag.reason.choosing.labels import is_label_of
from mathrag.reason.choosing.names import best_match
from mathrag.reason.choosing.particulars import Particulars, WordRarity, nothing_rare
from mathrag.reason.choosing.question_view import PreparedValue, QuestionView
from mathrag.reason.choosing.regimes import SPEED, is_against_speed, is_known_constant, regime_evidence
from mathrag.reason.choosing.side_checks import SideChecks
from mathrag.reason.choosing.slots import Candidate, Slot
from mathrag.reason.choosing.symbol_spelling import is_of_other_power
from mathrag.reason.choosing.target_evidence import (
    absent_share,
    how_asked,
    is_count_asked,
    is_foreign_quotient,
    is_size_asked,
    is_the_other,
    is_unasked_start,
    swapped_name_evidence,
    target_evidence,
)
from mathrag.reason.choosing.value_evidence import (
    fitting_reading,
    is_called_otherwise,
    is_near_constant,
    is_of_other_side,
    pair_evidence,
    symbol_evidence,
)
from mathrag.reason.choosing.weights import amounts, thresholds, total_worth
from mathrag.reason.question.stated_values import is_for
from mathrag.retrieve.candidates import FoundFormula
from mathrag.types.quantity import Quantity

_SAME_SYMBOL = thresholds("symbol")["same"]
_QUOTIENT_NAMED = thresholds("reading")["named_open"]
_JUST_BEFORE = 24
_CONSTANT_GIVEN = thresholds("constant")
_SYMBOL, _STATE = amounts("symbol"), amounts("state")
# What can only count against a plan, however its slots are filled.
_ONLY_AGAINST = (
    "regime", "swapped_names", "foreign_constant", "missing", "separated", "unused", "unused_symbol", "unused_number",
    "unused_implied", "unused_other",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ScoredStep:
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
class Aim:
    """A slot that a formula could be solved for, with what speaks for the formula and for the slot, whatever stands in
    the other slots."""

    candidate: Candidate
    target: int
    evidence: Mapping[str, float] = field(repr=False)

    @property
    def key(self) -> tuple[str, str]:
        """The formula and the unknown, whatever the reading."""
        return self.candidate.formula.id, self.candidate.slots[self.target].symbol


@dataclass(frozen=True, slots=True)
class _Filling:
    """The best values in the slots of a formula that is solved for one of them, and what speaks for these values."""

    pairs: Pairs
    missing: tuple[int, ...]
    unused: tuple[int, ...]
    evidence: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class SlotMatches:
    """Which values can stand in which slots of a formula: the evidence for each pair and what it is worth; `costs` say
    what it costs to leave a slot empty."""

    candidate: Candidate
    evidence: Mapping[tuple[int, int], Mapping[str, float]]
    worths: Mapping[tuple[int, int], float]
    own: Mapping[int, int | None]
    costs: Sequence[float]

    def uses_any(self, target: int, values: Collection[int]) -> bool:
        """Whether one of these values can stand in a slot other than the target."""
        return any(slot != target and value in values for slot, value in self.worths)

    def unfilled(self, target: int, values: Collection[int]) -> list[int]:
        """The slots that none of these values can fill, apart from the target and constants."""
        filled = {slot for slot, value in self.worths if value in values}
        return [
            place
            for place, slot in enumerate(self.candidate.slots)
            if place != target and place not in filled and not slot.is_constant
        ]

    def solved_for(self, target: int, view: QuestionView, table: Mapping[str, float]) -> SlotMatches:
        """The same where the slot `target` is asked for. A value assigned to that very symbol is of another time (`x`
        at the start, where `x` later is asked for), so that a similar slot speaks for it, not against it. And the slots
        behind it move up: the first value stated goes with the first slot that is not asked for."""
        values = [value for value, place in self.own.items() if place == target] if self.own else []
        ranks, moved = self.candidate.ranks, self.candidate.behind[target]
        if not values and not moved:
            return self
        evidence, worths = dict(self.evidence), dict(self.worths)
        for pair, each in self.evidence.items():
            place, value = pair
            changes: dict[str, float] = {}
            if value in values and each["symbol"] < 0:
                changes["symbol"] = _SYMBOL["other_time"]
            if place in moved and self.own.get(value) is None:
                changes["order"] = float(view.values[value].order == ranks[place] - 1)
            if changes:
                evidence[pair] = {**each, **changes}
                worths[pair] += sum(table[name] * (amount - each[name]) for name, amount in changes.items())
        return SlotMatches(self.candidate, evidence, worths, self.own, self.costs)


class Scorer:
    """Scores formulas for one question."""

    def __init__(self, view: QuestionView, table: Mapping[str, float], *, rarity: WordRarity = nothing_rare) -> None:
        self.view = view
        self.table = table
        self.rarity = rarity
        self.particulars = Particulars(view, rarity)
        self.sides = SideChecks(view)
        self.ions = IonChecks(view)
        self.unused = tuple(self._unused_worth(one) for one in view.values)
        self._matches: dict[int, SlotMatches] = {}
        self._targets: dict[int, tuple[Candidate, list[tuple[int, dict[str, float]]]]] = {}
        self._bases: dict[int, tuple[FoundFormula, dict[str, float]]] = {}
        self._fillings: dict[tuple[int, int, Collection[int], Sequence[int], Collection[int]], _Filling] = {}
        self._unused_names = tuple(_unused_names(one) for one in view.values)
        self._companions = tuple(self._companions_of(one) for one in view.values)
        # Those that count as unused unless they are used themselves.
        covered = {start for one in view.values for start in one.given.covers}
        self._plainly_unused = [each for each in view.usable if view.values[each].given.start not in covered]
        self._is_bounded = all(table[name] <= 0 for name in _ONLY_AGAINST)
        self._of_dimension: dict[str | None, tuple[PreparedValue, ...]] = {None: view.values}
        # Numbers that name the case of a stated value are no values of its formula: zone 2, class 3.
        self._naming = frozenset(
            (formula, start) for one in view.values for formula, _ in one.given.only for start in one.given.covers
        )
        self._assigned = [
            one for one in view.values if one.given.label or (one.parts is not None and not one.is_symbol_shared)
        ]
        self._said = view.stems | view.told

    def _unused_worth(self, seen: PreparedValue) -> float:
        return sum([self.table[name] for name in _unused_names(seen)])

    def matches(self, candidate: Candidate) -> SlotMatches:
        """The values that can stand in each slot of a formula, with the evidence; kept, because chains ask again."""
        known = self._matches.get(id(candidate))
        if known is None:
            own = {one.index: _own_slot(one, candidate.slots) for one in self._assigned}
            evidence = self._pairs_of(candidate, own)
            worths = {pair: total_worth(each, self.table) for pair, each in evidence.items()}
            missing = self.table["missing"]
            costs = [0.0 if self._is_known(slot) else missing for slot in candidate.slots]
            known = self._matches[id(candidate)] = SlotMatches(candidate, evidence, worths, own, costs)
        return known

    def _claimed(self, candidate: Candidate) -> dict[int, int]:
        """The values that bear the name of a constant of the formula, with its slot: they are no other quantity."""
        found: dict[int, int] = {}
        for place, slot in enumerate(candidate.slots):
            for one in self._possible(slot.dimension) if slot.is_constant else ():
                fit = best_match(slot.names, one.phrase)
                if fit >= _CONSTANT_GIVEN["phrase"] and not any(
                    best_match(other.names, one.phrase) >= fit
                    for other in candidate.slots
                    if other is not slot and other.dimension == slot.dimension
                ):
                    found[one.index] = place
        return found

    def _is_known(self, slot: Slot) -> bool:
        return is_known_constant(slot, self.view.stems) and not self.particulars.is_missing(slot)

    def _possible(self, dimension: str | None) -> tuple[PreparedValue, ...]:
        """The values that may stand in a slot of a dimension at all: those of it, and zeros and numbers that may have
        an unsaid unit, which may be of any."""
        found = self._of_dimension.get(dimension)
        if found is None:
            found = tuple(
                one
                for one in self.view.values
                if dimension in one.dimensions or one.has_zero or one.given.label or one.given.symbol
            )
            self._of_dimension[dimension] = found
        return found

    def _pairs_of(self, candidate: Candidate, own: Mapping[int, int | None]) -> dict[tuple[int, int], dict[str, float]]:
        claimed = self._claimed(candidate)
        found: dict[tuple[int, int], dict[str, float]] = {}
        for place, slot in enumerate(candidate.slots):
            for one in self._possible(slot.dimension):
                if claimed.get(one.index, place) != place or self._is_barred(candidate, place, one):
                    continue
                evidence = self._pair(candidate, place, one, own)
                if evidence is not None:
                    found[place, one.index] = evidence
        only = self._only_pair(candidate, found)
        if only is not None and not self._is_barred(candidate, only[0], only[1]):
            evidence = self._pair(candidate, only[0], only[1], own, is_only=True)
            if evidence is not None:
                found[only[0], only[1].index] = evidence
        return found

    def _only_pair(
        self, candidate: Candidate, found: Mapping[tuple[int, int], object]
    ) -> tuple[int, PreparedValue] | None:
        """The only place of unknown dimension that no value has the name of, with the only measured value that is left
        and goes by no name of its own; what the formula is written for is computed, not given."""
        filled, placed = {place for place, _ in found}, {value for _, value in found}
        slots = candidate.slots
        places = [place for place, slot in enumerate(slots) if slot.is_open and place not in filled]
        places = [place for place in places if slots[place].symbol != candidate.own_target]
        left = [one for one in self.view.values if one.index not in placed and not one.given.implied]
        if len(places) != 1 or len(left) != 1 or left[0].phrase or not left[0].given.readings[0].unit.text:
            return None
        return places[0], left[0]

    def _pair(
        self,
        candidate: Candidate,
        place: int,
        one: PreparedValue,
        own: Mapping[int, int | None],
        *,
        is_only: bool = False,
    ) -> dict[str, float] | None:
        """The evidence that a value stands in a slot; None where it cannot."""
        slot = candidate.slots[place]
        fitting = fitting_reading(one, slot, is_only=is_only)
        if fitting is None:
            return None
        rank, quantity = fitting
        evidence = pair_evidence(one, slot, rank=rank, quantity=quantity)
        if _is_only_a_count(one, slot, evidence):
            return None
        is_free = one.given.implied and not one.roles and not one.given.only
        evidence["filled"] = 0.0 if is_free else 1.0
        mine = own.get(one.index)
        if mine is not None and mine != place and self._is_another(one, candidate, mine, place):
            return None
        if mine is None:
            evidence["order"] = 1.0 if one.order == candidate.ranks[place] else 0.0
        elif mine != place:
            # The formula has the very symbol that the question assigns the value to.
            evidence["symbol"] = _SYMBOL["owned_elsewhere"]
        if one.roles and not evidence["state"] and is_of_other_side(one, slot, candidate.slots):
            evidence["state"] = _STATE["other_side"]
        if unsaid := self.particulars.unsaid_name(slot):
            evidence["unsaid"] = unsaid
        if slot.is_constant:
            if not self._is_constant_given(evidence, quantity, slot):
                return None
            evidence["constant"] = 1.0
            evidence["filled"] = 0.0
        return evidence

    def _is_another(self, one: PreparedValue, candidate: Candidate, mine: int, place: int) -> bool:
        """Whether a value is given by the symbol of one slot, and this slot has another letter: it stands for that one
        or for none. A value of another time has the letter of what is asked for (`x` at the start)."""
        slots = candidate.slots
        if symbol_evidence(one.parts, slots[mine]) < _SAME_SYMBOL:
            return False
        return slots[mine].parts.letter != slots[place].parts.letter

    def _is_barred(self, candidate: Candidate, place: int, one: PreparedValue) -> bool:
        """Whether the words rule out that a value stands in a slot, whatever else speaks for it."""
        return (
            not is_for(one.given, candidate.formula.id, candidate.slots[place].meaning)
            or (not one.given.implied and (candidate.formula.id, one.given.start) in self._naming)
            or self.sides.is_barred(candidate, place, one.index)
            or self.ions.is_barred(one, candidate.slots[place])
            or self.ions.is_of_other_species(one, candidate, place)
            or is_called_otherwise(one, candidate.slots[place])
            or (candidate.slots[place].is_quotient and not self._is_quotient(one, candidate.slots[place]))
            or is_of_other_power(one.parts, candidate.slots[place].parts)
        )

    def _is_quotient(self, one: PreparedValue, slot: Slot) -> bool:
        """Whether a value is said to be a quotient of two quantities: by its symbol or name, or as the share that is
        left of something ("12 % of it remains")."""
        if symbol_evidence(one.parts, slot) >= _SAME_SYMBOL or best_match(slot.names, one.phrase) >= _QUOTIENT_NAMED:
            return True
        given, wording = one.given, self.view.wording
        before = wording.between(max(given.start - _JUST_BEFORE, 0), given.start)
        is_down_to = wording.behind(given, "of_the_first") is not None and cue("down_to").search(before) is not None
        return slot.is_share and (is_down_to or wording.behind(given, "still_there") is not None)

    def _is_constant_given(self, evidence: Mapping[str, float], quantity: Quantity, slot: Slot) -> bool:
        """Whether the question gives another value for a constant; else it keeps its own. It must say so plainly,
        unless the constant is the property of a thing that is not spoken of: the mass of the electron."""
        is_meant = evidence["symbol"] >= _CONSTANT_GIVEN["symbol"] or evidence["phrase"] >= _CONSTANT_GIVEN["phrase"]
        return is_meant or is_near_constant(quantity, slot) or self.particulars.is_of_another(slot)

    def score(self, candidate: Candidate, found: FoundFormula, *, is_asked: bool) -> list[ScoredStep]:
        """The plans of a formula, one for each slot it could be solved for: those of a dimension that is asked for, or
        the others, which matter only where the question was misread."""
        return [self.best_plan(aim) for aim in self.aims(candidate, found, is_asked=is_asked)]

    def aims(self, candidate: Candidate, found: FoundFormula, *, is_asked: bool) -> list[Aim]:
        """The slots that a formula could be solved for, of a dimension that is asked for, or the others."""
        wanted = [each for each in self._targets_of(candidate) if bool(each[1]["target_other"]) != is_asked]
        if not wanted:
            return []
        known = self._bases.get(id(candidate))
        if known is None or known[0] is not found:
            known = self._bases[id(candidate)] = found, self.formula_evidence(candidate, found)
        base = known[1]
        return [Aim(candidate, target, {**base, **about}) for target, about in wanted]

    def best_plan(self, aim: Aim) -> ScoredStep:
        """The best plan for an aim."""
        return self.plan(aim.candidate, aim.target, aim.evidence)

    def _targets_of(self, candidate: Candidate) -> list[tuple[int, dict[str, float]]]:
        """The slots that may be asked for, with the evidence; kept, because both kinds of them are asked for."""
        known = self._targets.get(id(candidate))
        if known is None:
            found = []
            is_signed = candidate.has_sign or candidate.is_of_sizes
            for target, slot in enumerate(candidate.slots):
                if is_signed and candidate.is_of_sizes != self._is_size(slot):
                    continue
                if self.sides.is_unasked(candidate, target):
                    continue
                about = self.target_of(candidate, slot)
                if about is not None and self._is_worth_a_quotient(candidate, slot, about):
                    found.append((target, about))
            known = self._targets[id(candidate)] = candidate, found
        return known[1]

    def _is_worth_a_quotient(self, candidate: Candidate, target: Slot, about: Mapping[str, float]) -> bool:
        """Whether a quotient that counts as one symbol is stated or asked for: nobody is told that one is missing."""
        place = next((each for each, slot in enumerate(candidate.slots) if slot.is_quotient), None)
        if place is None:
            return True
        if target.is_share and about["target_symbol"] < _SAME_SYMBOL:
            # What has decayed is no share of what is left.
            return how_asked(about) >= _QUOTIENT_NAMED and bool(self.view.wording.says("share_left_asked"))
        if target.is_quotient:
            return how_asked(about) >= _QUOTIENT_NAMED
        return any(slot == place for slot, _ in self.matches(candidate).worths)

    def ceiling(self, aim: Aim) -> float:
        """A score that no plan for an aim exceeds: every slot has its best value, whoever else needs that, and only
        what fits no slot stays unused."""
        candidate, target = aim.candidate, aim.target
        matches = self.matches(candidate)
        if target in matches.own.values() or not self._is_bounded:
            return math.inf
        best, fitting = list(matches.costs), set()
        best[target] = 0.0
        for (place, value), worth in matches.worths.items():
            if place != target:
                best[place] = max(best[place], worth)
                fitting.add(value)
        idle = [self.unused[value] for value in self._plainly_unused if value not in fitting]
        moved = abs(self.table["order"]) * len(candidate.behind[target])
        has_companions = bool(self.view.together.companions(candidate.slots[target].dimension))
        paired = abs(self.table["paired"]) * MOST_TOGETHER if has_companions else 0.0
        return total_worth(aim.evidence, self.table) + sum(best) + moved + paired + sum(idle)

    def _is_size(self, slot: Slot) -> bool:
        """Whether only the size of a result is asked for, or it has no sign, and no value that is stated has one."""
        if any(not one.given.implied and one.given.readings[0].value < 0 for one in self.view.values):
            return False
        return is_size_asked(self.view.asked) or (slot.kind is not None and slot.kind.sign != "any")

    def plan(
        self,
        candidate: Candidate,
        target: int,
        base: Mapping[str, float],
        *,
        derived: Collection[int] = (),
        values: Sequence[int] | None = None,
        shared: Collection[int] = (),
    ) -> ScoredStep:
        """The best plan that solves for a slot. Slots in `derived` stay empty at no cost; only `values` may be used,
        those in `shared` at an extra cost, because an outer step has them already."""
        usable = self.view.usable if values is None else values
        filling = self._filled(candidate, target, derived, usable, shared)
        # What speaks for the values never bears the name of what speaks for a formula or an unknown.
        total = {**base, **filling.evidence}
        score = total_worth(total, self.table)
        return ScoredStep(candidate, target, filling.pairs, filling.missing, filling.unused, score, total)

    def _filled(
        self,
        candidate: Candidate,
        target: int,
        derived: Collection[int],
        usable: Sequence[int],
        shared: Collection[int],
    ) -> _Filling:
        """The best values for the slots; kept, because a chain may reach the same step by several ways."""
        key = (id(candidate), target, tuple(derived), tuple(usable), tuple(shared))
        known = self._fillings.get(key)
        if known is None:
            known = self._fillings[key] = self._fill(candidate, target, derived, usable, shared)
        return known

    def _fill(
        self,
        candidate: Candidate,
        target: int,
        derived: Collection[int],
        usable: Sequence[int],
        shared: Collection[int],
    ) -> _Filling:
        matches = self.matches(candidate).solved_for(target, self.view, self.table)
        others = [place for place in range(len(candidate.slots)) if place != target and place not in derived]
        worths, unused_worth = self._with_shared(matches.worths, shared) if shared else (matches.worths, self.unused)
        pairs = best_pairs(others, usable, worths, empty=matches.costs, unused=unused_worth)
        companions = self.view.together.companions(candidate.slots[target].dimension) if len(pairs) > 1 else frozenset()
        pairs = aligned_by_index(candidate, target, pairs, worths, companions=companions, weight=self.table["paired"])
        filled = {slot for slot, _ in pairs}
        taken = {value for _, value in pairs}
        missing = tuple([place for place in others if place not in filled and matches.costs[place]])
        unused = tuple([value for value in self.view.left_over(usable, taken) if value not in shared])
        # What speaks for a value that an outer step has already was counted there.
        total = _summed(matches.evidence[pair] for pair in pairs if pair[1] not in shared)
        total["paired"] = companion_evidence(candidate, target, dict(pairs), companions)
        self._count_regime(total, candidate, pairs)
        total["swapped_names"] = swapped_name_evidence(
            candidate, target, pairs, asked=self.view.asked, values=self.view.values
        )
        total["foreign_constant"] = self._foreign_constants(candidate, filled, target)
        total["shared"] = float(len(taken & set(shared)))
        total["missing"] = float(len(missing))
        self.count_unused(total, unused, taken)
        return _Filling(pairs, missing, unused, total)

    def _foreign_constants(self, candidate: Candidate, filled: Collection[int], target: int) -> float:
        """How many constants of things that are not spoken of keep their own value."""
        return float(
            sum(
                slot.is_constant and place not in filled and place != target and self.particulars.is_of_another(slot)
                for place, slot in enumerate(candidate.slots)
            )
        )

    def _with_shared(
        self, worths: Mapping[tuple[int, int], float], shared: Collection[int]
    ) -> tuple[Mapping[tuple[int, int], float], Sequence[float]]:
        """What pairs are worth and unused values cost where an outer step has some of the values already."""
        cost = self.table["shared"]
        paid = {pair: each + (cost if pair[1] in shared else 0.0) for pair, each in worths.items()}
        return paid, tuple(0.0 if value in shared else each for value, each in enumerate(self.unused))

    def _count_regime(self, total: dict[str, float], candidate: Candidate, pairs: Pairs) -> None:
        if any(candidate.slots[slot].dimension == SPEED for slot, _ in pairs):
            bound = [(candidate.slots[slot], self.quantity(candidate, slot, value)) for slot, value in pairs]
            total["regime"] = regime_evidence(candidate, bound)

    def count_unused(self, total: dict[str, float], unused: Sequence[int], taken: AbstractSet[int]) -> None:
        """Add to the evidence what leaving these values unused counts, beside those that are taken."""
        total["separated"] = float(sum([not taken.isdisjoint(self._companions[value]) for value in unused]))
        for value in unused:
            for name in self._unused_names[value]:
                total[name] = total.get(name, 0.0) + 1.0

    def _companions_of(self, one: PreparedValue) -> tuple[int, ...]:
        """The values beside one that share its name ("lengths of 3 m and 7 m"), where it is not another thing's."""
        if one.owner < 0 or not one.phrase:
            return ()
        return tuple(
            other.index
            for other in self.view.values
            if abs(other.index - one.index) == 1
            and other.phrase == one.phrase
            and other.dimensions == one.dimensions
            and not other.given.symbol
        )

    def target_of(self, candidate: Candidate, slot: Slot) -> dict[str, float] | None:
        """The best evidence that a slot is asked for; None where the unit asked for rules it out."""
        fits: bool | None = None
        if self.view.units:
            fits = slot.dimension in self.view.units or slot.dimension is None or is_count_asked(slot, self.view.units)
            if not fits or is_foreign_quotient(self.view.question.units, slot):
                return None
        alone = candidate.own_target == slot.symbol
        unsaid = self.particulars.unsaid_name(slot)
        best: dict[str, float] | None = None
        for asked in self.view.asked or (None,):
            evidence = target_evidence(asked, slot, unit_fits=fits)
            evidence["target_alone"] = 1.0 if alone else 0.0
            evidence["target_constant"] = 1.0 if slot.is_constant else 0.0
            evidence["target_unsaid"] = unsaid
            if asked is not None and is_unasked_start(candidate, slot, asked):
                evidence["target_state"] += _STATE["unasked_start"]
            elif asked is not None and is_the_other(candidate, slot, asked):
                evidence["target_state"] += _STATE["asked_other"]
            if asked is not None and asked.core:
                evidence["target_absent"] = absent_share(asked, slot, candidate)
            if alone and asked is not None and asked.stems:
                shared = sum(word in candidate.label_stems for word in asked.stems)
                evidence["target_label"] = shared / len(asked.stems)
            if best is None or total_worth(evidence, self.table) > total_worth(best, self.table):
                best = evidence
        return best

    def formula_evidence(self, candidate: Candidate, found: FoundFormula) -> dict[str, float]:
        """Evidence for the formula as a whole."""
        words = self.view.stems
        label = candidate.label_stems
        topics = self.view.topics
        return {
            "words": found.words,
            "meaning": found.meaning,
            "label": len(label & self._said) / len(label) if label else 0.0,
            "topic": len(topics & (label | candidate.word_stems)) / len(topics) if topics else 0.0,
            "covered": len(words & candidate.known_stems) / len(words) if words else 0.0,
            "prior": candidate.prior,
            "places": math.log(len(candidate.formula.spans)),
            "worked": 1.0 if candidate.is_worked else 0.0,
            **self.particulars.of_formula(candidate),
        }

    def quantity(self, candidate: Candidate, slot: int, value: int) -> Quantity:
        """The value as it stands in the slot."""
        fitting = fitting_reading(self.view.values[value], candidate.slots[slot], is_only=True)
        if fitting is None:
            raise ValueError("the value does not fit the slot")
        quantity = fitting[1]
        dimension = candidate.slots[slot].meaning.dimension
        if quantity.value == 0 and dimension is not None and quantity.dimension != dimension:
            # Nothing is nothing in any unit.
            return Quantity(0, coherent_unit(dimension))
        if self.view.values[value].given.is_slowing and is_against_speed(candidate, candidate.slots[slot]):
            return replace(quantity, value=-quantity.value)
        return quantity


def _summed(parts: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """The evidence of all pairs together."""
    total: dict[str, float] = {}
    for evidence in parts:
        for name, amount in evidence.items():
            if amount:
                total[name] = total.get(name, 0.0) + amount
    return total


def _unused_names(seen: PreparedValue) -> tuple[str, ...]:
    """Under which names an unused value counts: implied ones and bare numbers weigh less than quantities, so do those
    of things that are not asked about, and the same value of another like thing hardly at all. One with a symbol of its
    own counts for that too."""
    if seen.given.implied or seen.is_copy:
        return ("unused_implied",)
    first = seen.given.readings[0]
    is_bare = not first.unit.text and seen.parts is None and not seen.given.is_percentage
    name = "unused_other" if seen.owner < 0 else "unused_number" if is_bare else "unused"
    return (name,) if seen.parts is None else (name, "unused_symbol")


def _is_only_a_count(one: PreparedValue, slot: Slot, evidence: Mapping[str, float]) -> bool:
    """Whether a value says how many things there are, where a slot wants a property: two plates have no permittivity
    of two."""
    if not one.is_count or evidence["phrase"] or evidence["symbol"]:
        return False
    kind = slot.kind
    return kind is not None and not kind.id.startswith("number_of_") and not kind.id.endswith("_turns")


def _own_slot(seen: PreparedValue, slots: Sequence[Slot]) -> int | None:
    """The slot with exactly the symbol that a value is assigned to, or else the only one that its label names."""
    if seen.parts is not None and not seen.is_symbol_shared:
        for place, slot in enumerate(slots):
            if symbol_evidence(seen.parts, slot) >= _SAME_SYMBOL:
                return place
    meant = [place for place, slot in enumerate(slots) if is_label_of(seen.given.label, slot)]
    return meant[0] if len(meant) == 1 else None
