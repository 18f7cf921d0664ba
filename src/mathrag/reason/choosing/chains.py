"""Derive a needed value from another formula: a backward search over the formulas found, a few steps deep.

An inner step must use a value that nothing else uses, so that chains do not hide what is missing; values that an outer
step has already may be used again at a cost (the mass of the ion stands in both formulas). A formula of constants alone
needs no value, but must speak of the question's subject.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

from mathrag.language.stems import stem, stems
from mathrag.language.word_classes import word_class
from mathrag.reason.choosing.names import best_match
from mathrag.reason.choosing.plans import Plan, single_step_plan
from mathrag.reason.choosing.question_view import QuestionView
from mathrag.reason.choosing.scores import ScoredStep, Scorer
from mathrag.reason.choosing.slots import Candidate, Slot
from mathrag.reason.choosing.value_evidence import state_evidence
from mathrag.reason.choosing.weights import amounts, evidence_names, thresholds, total_worth

DEEPEST = 3
_BODIES = frozenset(stem(each.casefold()) for each in (*word_class("grammar.celestial_bodies"), "planet"))
# Outer plans that are tried, and inner ones that are kept for each slot.
_OUTER, _KEPT = 10, 3
FURTHEST = thresholds("chain")["furthest"]
_ALIKE = thresholds("chain")["alike"]
_LINK = amounts("link")
# Steps that lack a value and for which it is looked for in its turn.
_DEEPER = 4
_OF_STEP = (
    "link_kind", "link_words", "link_symbol", "link_state", "hops", "inner_prior", "inner_label", "worked",
)  # fmt: skip

CandidateSource = Callable[[str, Sequence[int]], Sequence[Candidate]]


class ChainSearch:
    """Chains for one question. `source` gives candidates that have a slot of a dimension and use some values."""

    def __init__(self, scorer: Scorer, source: CandidateSource) -> None:
        self.scorer = scorer
        self.source = source
        self._links: dict[tuple[int, int], Mapping[str, float]] = {}

    def chains(self, plans: Sequence[ScoredStep]) -> list[Plan]:
        """Plans in which one slot of a promising formula (or each of its two missing ones) is derived."""
        found: list[Plan] = []
        table = self.scorer.table
        ranked = sorted((behind(plan.evidence, table), place) for place, plan in enumerate(plans))[:_OUTER]
        for promise, place in ranked:
            outer = plans[place]
            if promise > ranked[0][0] + FURTHEST:
                break
            for slot in self._derivable(outer):
                found.extend(self._with_derived(outer, slot))
        return found

    def _derivable(self, outer: ScoredStep) -> Iterator[int]:
        """The slots worth deriving: what is missing, else any that would set a value free."""
        slots = outer.candidate.slots
        if len(outer.missing) > 1:
            return
        for place in outer.missing or [place for place, _ in outer.pairs]:
            if slots[place].dimension is not None and not slots[place].is_constant:
                yield place
        if not outer.missing and len(self._stated(outer.unused)) > 1:
            # Gravity on another planet follows from its mass and size, where the question gives those.
            yield from (place for place, slot in enumerate(slots) if slot.is_constant and place != outer.target)

    def _with_derived(self, outer: ScoredStep, slot: int) -> Iterator[Plan]:
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
        return tuple(value for value in values if not self.scorer.view.values[value].given.implied)

    def derivations(
        self, outer: Candidate, slot: int, *, free: Sequence[int], bound: Sequence[int], depth: int
    ) -> list[Plan]:
        """The best ways to derive a slot from values that are free, helped by those bound already."""
        wanted = outer.slots[slot]
        steps: list[ScoredStep] = []
        found: list[Plan] = []
        for candidate in self.source(wanted.dimension or "", free):
            if candidate.formula.id == outer.formula.id:
                continue
            for target, inner_slot in enumerate(candidate.slots):
                if inner_slot.dimension == wanted.dimension and self._is_derivable(candidate, inner_slot, wanted):
                    if _is_fixed(candidate, target):
                        found.extend(self._fixed(candidate, target, wanted))
                    else:
                        hop = _hop(outer, wanted, candidate, inner_slot, self._link(wanted, inner_slot))
                        steps.extend(self._derive(candidate, target, wanted, free, bound, depth, hop=hop))
        found.extend(single_step_plan(step) for step in steps if not step.missing)
        lacking = sorted((step for step in steps if step.missing), key=lambda step: -step.score)
        for step in lacking[:_DEEPER]:
            found.extend(self._deeper(step, free, bound, depth))
        found.sort(key=lambda plan: -plan.score)
        return found[:_KEPT]

    def _is_derivable(self, candidate: Candidate, slot: Slot, wanted: Slot) -> bool:
        """Whether a formula can give what is wanted: what counts as a constant only where it is written for that symbol
        and the question speaks of what it speaks of, a planet or gravity itself."""
        if not slot.is_constant and not wanted.is_constant:
            return True
        is_written_for = slot.symbol == wanted.symbol == candidate.own_target
        said = self.scorer.view.stems
        return is_written_for and not (said.isdisjoint(_BODIES) and said.isdisjoint(_telling_words(candidate)))

    def _derive(
        self,
        candidate: Candidate,
        target: int,
        wanted: Slot,
        free: Sequence[int],
        bound: Sequence[int],
        depth: int,
        *,
        hop: float,
    ) -> Iterator[ScoredStep]:
        """The step that gives the slot, if it uses a free value and lacks at most what a deeper step may give."""
        usable = _usable(free, bound)
        matches = self.scorer.matches(candidate)
        if not matches.uses_any(target, free) or len(matches.unfilled(target, usable)) > (1 if depth > 1 else 0):
            return
        link = self._link(wanted, candidate.slots[target])
        if is_foreign(link):
            return
        base = {**inner_evidence(candidate, link, self.scorer.view), "hops": hop}
        step = self.scorer.plan(candidate, target, base, values=usable, shared=bound)
        if hop < _LINK["hop"] and any(value in bound for _, value in step.pairs):
            # What another step has already may be of another thing here.
            base["hops"] = _LINK["hop"]
            step = self.scorer.plan(candidate, target, base, values=usable, shared=bound)
        if len(step.missing) <= (1 if depth > 1 else 0) and any(value in free for _, value in step.pairs):
            yield step

    def _deeper(self, step: ScoredStep, free: Sequence[int], bound: Sequence[int], depth: int) -> Iterator[Plan]:
        """The plans in which what a step lacks is derived in its turn."""
        rest = self._stated(step.unused)
        if not rest:
            return
        slot = step.missing[0]
        base = {name: step.evidence[name] for name in _OF_STEP if name in step.evidence}
        again = self.scorer.plan(
            step.candidate, step.target, base, values=_usable(free, bound), shared=bound, derived=(slot,)
        )
        taken = (*bound, *(value for _, value in step.pairs))
        for inner in self.derivations(step.candidate, slot, free=rest, bound=taken, depth=depth - 1):
            yield self._joined(again, slot, inner)

    def _fixed(self, candidate: Candidate, target: int, wanted: Slot) -> Iterator[Plan]:
        """The value that a formula of constants gives, for the very symbol and on the question's subject."""
        if candidate.slots[target].symbol != wanted.symbol or candidate.label_stems.isdisjoint(self.scorer.view.stems):
            return
        link = self._link(wanted, candidate.slots[target])
        base = {**inner_evidence(candidate, link, self.scorer.view), "hops": _LINK["fixed_hop"]}
        step = self.scorer.plan(candidate, target, base, values=())
        yield single_step_plan(step)

    def _link(self, wanted: Slot, given: Slot) -> Mapping[str, float]:
        """Kept by identity: both slots outlive the question, and a search compares the same two again and again."""
        key = (id(wanted), id(given))
        if key not in self._links:
            self._links[key] = link_evidence(wanted, given)
        return self._links[key]

    def _joined(self, step: ScoredStep, slot: int, inner: Plan) -> Plan:
        """One plan of an outer step and an inner plan; what the inner one uses is no longer unused."""
        total = {name: amount for name, amount in step.evidence.items() if not is_of_the_whole(name)}
        for name, amount in inner.evidence.items():
            if not is_of_the_whole(name):
                total[name] = total.get(name, 0.0) + amount
        total["two_values"] = total.get("two_values", 0.0) + _symbols_of_two_values(step, inner)
        taken = inner.taken()
        everything = {*taken, *(value for _, value in step.pairs)}
        self.scorer.count_unused(total, [value for value in step.unused if value not in taken], everything)
        return Plan(step, ((slot, inner),), total_worth(total, self.scorer.table), total)


def behind(evidence: Mapping[str, float], table: Mapping[str, float]) -> float:
    """How little a plan promises apart from what is missing and unused, which a chain may mend: the less the better."""
    counted = _promising()
    return -sum([table[name] * amount for name, amount in evidence.items() if name in counted])


@cache
def _promising() -> frozenset[str]:
    return evidence_names("formula", "target") | {"regime"}


def _telling_words(candidate: Candidate) -> frozenset[str]:
    """The words of a formula's label and of what its symbols stand for, without those that only name a quantity."""
    said = frozenset(word for slot in candidate.slots for word in stems(slot.meaning.description))
    plain = frozenset(word for slot in candidate.slots if slot.kind is not None for word in stems(slot.kind.name))
    return (candidate.label_stems | said) - plain


def _symbols_of_two_values(step: ScoredStep, inner: Plan) -> float:
    """How many symbols have one value in a step and another in a step that feeds it: `r` is one radius."""
    outer = {step.candidate.slots[slot].symbol: value for slot, value in step.pairs}
    return float(
        sum(
            outer.get(part.step.candidate.slots[slot].symbol, value) != value
            for part in inner.steps()
            for slot, value in part.step.pairs
        )
    )


def is_of_the_whole(name: str) -> bool:
    """Whether evidence speaks of what a whole plan leaves over, so that it is counted anew for a chain."""
    return name.startswith("unused") or name == "separated"


def _usable(free: Sequence[int], bound: Sequence[int]) -> tuple[int, ...]:
    return (*free, *(value for value in bound if value not in free))


def _is_fixed(candidate: Candidate, target: int) -> bool:
    """Whether a formula gives a value by itself, from constants alone: `c_V = 3/2 R`."""
    return all(slot.is_constant for place, slot in enumerate(candidate.slots) if place != target)


def _hop(outer: Candidate, wanted: Slot, inner: Candidate, given: Slot, link: Mapping[str, float]) -> float:
    """What a step further counts: less where the document of the outer formula writes the inner one for that very
    symbol and calls it alike, so that nobody needs to guess that the two are one quantity."""
    is_written_for = wanted.symbol == given.symbol == inner.own_target and link["link_kind"] >= 0
    is_written_for = is_written_for and (link["link_words"] >= _ALIKE or bool(given.parts.subscripts))
    is_beside = not outer.formula.documents.isdisjoint(inner.formula.documents)
    return _LINK["own_hop"] if is_written_for and is_beside else _LINK["hop"]


def is_foreign(link: Mapping[str, float]) -> bool:
    """Whether two slots of one dimension are plainly different quantities: a torque is no energy."""
    return link["link_kind"] < 0 and not link["link_symbol"] and link["link_words"] < _ALIKE


def inner_evidence(candidate: Candidate, link: Mapping[str, float], view: QuestionView) -> dict[str, float]:
    """The evidence that an inner step begins with: that of its link and of its formula."""
    label = candidate.label_stems
    share = len(label & view.stems) / len(label) if label else 0.0
    worked = 1.0 if candidate.is_worked else 0.0
    return {**link, "hops": _LINK["hop"], "inner_prior": candidate.prior, "inner_label": share, "worked": worked}


def link_evidence(wanted: Slot, given: Slot) -> dict[str, float]:
    """How likely a slot of one formula is the same quantity as a slot of another."""
    same_kind = 0.0
    if wanted.kind is not None and given.kind is not None:
        if wanted.kind.id == given.kind.id:
            same_kind = _LINK["same_kind"]
        elif wanted.kind.id in given.lineage or given.kind.id in wanted.lineage:
            same_kind = _LINK["related_kind"]
        elif _siblings(wanted, given):
            same_kind = _LINK["sibling_kind"]
        else:
            same_kind = _LINK["other_kind"]
    names = wanted.names.first
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
