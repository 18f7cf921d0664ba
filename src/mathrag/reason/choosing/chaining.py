"""Derive a needed value from another formula: a backward search over the formulas found, a few steps deep.

An inner step must use a value that nothing else uses, so that chains do not hide what is missing; values that an outer
step has already may be used again at a cost (the mass of the ion stands in both formulas). A formula of constants alone
needs no value, but must speak of the question's subject.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from mathrag.reason.choosing.evidence import best_match, state_evidence
from mathrag.reason.choosing.plans import Plan
from mathrag.reason.choosing.scoring import Scored, Scorer
from mathrag.reason.choosing.slots import Candidate, Slot
from mathrag.reason.choosing.weights import evidence_names, worth

DEEPEST = 3
# Outer plans that are tried, and inner ones that are kept for each slot.
_OUTER, _KEPT = 10, 3
# Outer plans that are further behind the best are not worth a search.
_FURTHEST = 5.0

Source = Callable[[str, Sequence[int]], Sequence[Candidate]]


class Chaining:
    """Chains for one question. `source` gives candidates that have a slot of a dimension and use some values."""

    def __init__(self, scorer: Scorer, source: Source) -> None:
        self.scorer = scorer
        self.source = source

    def chains(self, plans: Sequence[Scored]) -> list[Plan]:
        """Plans in which one slot of a promising formula (or each of its two missing ones) is derived."""
        found: list[Plan] = []
        ranked = sorted(((self._promise(plan), place) for place, plan in enumerate(plans)))[:_OUTER]
        for promise, place in ranked:
            outer = plans[place]
            if promise > ranked[0][0] + _FURTHEST:
                break
            for slot in self._derivable(outer):
                found.extend(self._with_derived(outer, slot))
        return found

    def _promise(self, plan: Scored) -> float:
        """The worth of a plan apart from what is missing and unused, which a chain may mend; best first."""
        table, counted = self.scorer.table, evidence_names("formula", "target") | {"regime"}
        return -sum(table[name] * amount for name, amount in plan.evidence.items() if name in counted)

    def _derivable(self, outer: Scored) -> Iterator[int]:
        """The slots worth deriving: what is missing, else any that would set a value free."""
        slots = outer.candidate.slots
        if len(outer.missing) > 1:
            return
        for place in outer.missing or [place for place, _ in outer.pairs]:
            if slots[place].dimension is not None and not slots[place].is_constant:
                yield place

    def _with_derived(self, outer: Scored, slot: int) -> Iterator[Plan]:
        lasting = evidence_names("formula", "target")
        base = {name: amount for name, amount in outer.evidence.items() if name in lasting}
        step = self.scorer.plan(outer.candidate, outer.target, base, derived=(slot,))
        free = self._stated(step.unused)
        if step.missing:
            return
        bound = tuple(value for _, value in step.pairs)
        for inner in self.derivations(outer.candidate, slot, free=free, bound=bound, depth=DEEPEST - 1):
            yield self._joined(step, slot, inner)

    def _stated(self, values: Sequence[int]) -> tuple[int, ...]:
        return tuple(value for value in values if not self.scorer.view.seen[value].given.implied)

    def derivations(
        self, outer: Candidate, slot: int, *, free: Sequence[int], bound: Sequence[int], depth: int
    ) -> list[Plan]:
        """The best ways to derive a slot from values that are free, helped by those bound already."""
        wanted = outer.slots[slot]
        found: list[Plan] = []
        for candidate in self.source(wanted.dimension or "", free):
            if candidate.formula.id == outer.formula.id:
                continue
            for target, inner_slot in enumerate(candidate.slots):
                if inner_slot.dimension == wanted.dimension and not inner_slot.is_constant:
                    found.extend(self._derive(candidate, target, wanted, free, bound, depth))
        found.sort(key=lambda plan: -plan.score)
        return found[:_KEPT]

    def _derive(
        self,
        candidate: Candidate,
        target: int,
        wanted: Slot,
        free: Sequence[int],
        bound: Sequence[int],
        depth: int,
    ) -> Iterator[Plan]:
        usable = (*free, *(value for value in bound if value not in free))
        matches = self.scorer.matches(candidate)
        link = link_evidence(wanted, candidate.slots[target])
        label = candidate.label_stems
        share = len(label & self.scorer.view.stems) / len(label) if label else 0.0
        worked = 1.0 if candidate.is_worked else 0.0
        base = {**link, "hops": 1.0, "inner_prior": candidate.prior, "inner_label": share, "worked": worked}
        if _is_fixed(candidate, target):
            if link["link_symbol"] and share:
                # Half a step: nothing is bound, so that nothing can be bound wrongly.
                step = self.scorer.plan(candidate, target, {**base, "hops": 0.5}, values=())
                yield Plan(step, (), step.score, step.evidence)
            return
        if not matches.uses_any(target, free) or len(matches.unfilled(target, usable)) > (1 if depth > 1 else 0):
            return
        step = self.scorer.plan(candidate, target, base, values=usable, shared=bound)
        uses_free = any(value in free for _, value in step.pairs)
        if not step.missing and uses_free:
            yield Plan(step, (), step.score, step.evidence)
        elif len(step.missing) == 1 and depth > 1 and uses_free:
            rest = self._stated(step.unused)
            if rest:
                taken = (*bound, *(value for _, value in step.pairs))
                slot = step.missing[0]
                again = self.scorer.plan(candidate, target, base, values=usable, shared=bound, derived=(slot,))
                for inner in self.derivations(candidate, slot, free=rest, bound=taken, depth=depth - 1):
                    yield self._joined(again, slot, inner)

    def _joined(self, step: Scored, slot: int, inner: Plan) -> Plan:
        """One plan of an outer step and an inner plan; what the inner one uses is no longer unused."""
        total = {name: amount for name, amount in step.evidence.items() if not name.startswith("unused")}
        for name, amount in inner.evidence.items():
            if not name.startswith("unused"):
                total[name] = total.get(name, 0.0) + amount
        taken = inner.taken()
        self.scorer.count_unused(total, [value for value in step.unused if value not in taken])
        return Plan(step, ((slot, inner),), worth(total, self.scorer.table), total)


def _is_fixed(candidate: Candidate, target: int) -> bool:
    """Whether a formula gives a value by itself, from constants alone: `c_V = 3/2 R`."""
    return all(slot.is_constant for place, slot in enumerate(candidate.slots) if place != target)


def link_evidence(wanted: Slot, given: Slot) -> dict[str, float]:
    """How likely a slot of one formula is the same quantity as a slot of another."""
    same_kind = 0.0
    if wanted.kind is not None and given.kind is not None:
        if wanted.kind.id == given.kind.id:
            same_kind = 1.0
        elif wanted.kind.id in given.lineage or given.kind.id in wanted.lineage:
            same_kind = 0.6
        elif _siblings(wanted, given):
            same_kind = 0.2
        else:
            same_kind = -1.0
    names = wanted.names[0].stems if wanted.names else ()
    return {
        "link_kind": same_kind,
        "link_words": best_match(given.names, names),
        "link_symbol": 1.0 if wanted.symbol == given.symbol else 0.0,
        "link_state": min(state_evidence(given.states, wanted.states), 0.0),
    }


def _siblings(one: Slot, other: Slot) -> bool:
    """Whether two kinds have a broader one in common."""
    if one.kind is None or other.kind is None:
        return False
    return bool((one.lineage - {one.kind.id}) & (other.lineage - {other.kind.id}))
