"""Small systems of formulas: what is asked follows from several of them that share a quantity which nobody states and
which cancels. The mass of a coin on a turntable stands in its weight and in the force that holds it, and nowhere in the
coefficient of friction.

A chain derives one value after the other; here one unknown stands in two or three formulas at once. It is found to
cancel by trying numbers, whatever the formulas; then any value serves, and the answer says so. A system competes only
where its result is plainly asked for, every value that the question states is used, and nothing else is missing.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product

from mathrag.compute.evaluate import Failure, compile_expression
from mathrag.compute.solve.solver import solve
from mathrag.knowledge.units import coherent_unit
from mathrag.language.stems import stem
from mathrag.reason.choosing.chains import CandidateSource, inner_evidence, is_of_the_whole, link_evidence
from mathrag.reason.choosing.plans import Plan, single_step_plan
from mathrag.reason.choosing.question_view import PreparedValue, QuestionView
from mathrag.reason.choosing.scores import ScoredStep, Scorer
from mathrag.reason.choosing.slots import Candidate, Slot, meaning_words
from mathrag.reason.choosing.target_evidence import how_asked
from mathrag.reason.choosing.weights import amounts, data_text, evidence_names, thresholds, total_worth
from mathrag.types.expression import Expression, Symbol, substitute, symbols_of
from mathrag.types.quantity import Quantity
from mathrag.types.question import Given

_PLAINLY_ASKED = thresholds("chain")["plainly_asked"]
# Outer formulas that are tried, formulas kept for each of their slots, and slots that may be derived.
_OUTER, _KEPT, _MOST_DERIVED = 4, 8, 2
# Two results this near, relatively, are one: the unknown made no difference.
_SAME = 1e-9
# Values tried for the unknown, and for everything else in turn; no two of them make a round ratio.
_TRIED = (1.0, 2.7)
_OTHERS = (1.37, 1.11, 1.93, 0.71, 1.59, 0.83, 2.13, 1.23, 0.67, 1.79)
_FIXED_HOP = amounts("link")["fixed_hop"]
_UNKNOWN = "unknown_that_cancels"


@cache
def _balances() -> tuple[tuple[str, str, frozenset[str], frozenset[str]], ...]:
    """Pairs of kinds that are one number in a situation, with the words that tell of it and those against it."""
    entries = tomllib.loads(data_text("balances"))["balance"]
    return tuple(
        (*entry["kinds"], frozenset(map(stem, entry.get("words", ()))), frozenset(map(stem, entry.get("unless", ()))))
        for entry in entries
    )


@dataclass(frozen=True, slots=True)
class _Inner:
    """A formula that gives a slot of the outer one; `unknown` is the slot nobody states, or None where all is known."""

    step: ScoredStep
    unknown: int | None


class SystemSearch:
    """Systems for one question over a source of candidates, which gives those with a slot of a dimension."""

    def __init__(self, scorer: Scorer, source: CandidateSource) -> None:
        self.scorer = scorer
        self._source = source
        self._stated = tuple(
            one.index for one in scorer.view.values if not one.given.implied and one.index in scorer.view.usable
        )
        self._known = tuple(one.index for one in scorer.view.values if one.given.implied)

    def systems(self, plans: Sequence[ScoredStep]) -> tuple[Scorer, list[Plan]]:
        """The plans, and the scorer that knows the values they take for what cancels."""
        # Without a stated value nothing is computed: the formulas would only be compared with each other.
        found = [each for outer in self._outer(plans) for each in self._around(outer)] if self._stated else []
        if not found:
            return self.scorer, []
        unknowns: dict[str, Slot] = {}
        for _, _, slot in found:
            unknowns.setdefault(slot.dimension or "", slot)
        view = with_unknowns(self.scorer.view, tuple(unknowns.values()))
        scorer = Scorer(view, self.scorer.table, rarity=self.scorer.rarity)
        first = len(self.scorer.view.values)
        places = {dimension: first + number for number, dimension in enumerate(unknowns)}
        return scorer, [_joined(outer, inners, places[slot.dimension or ""], scorer) for outer, inners, slot in found]

    def _outer(self, plans: Sequence[ScoredStep]) -> list[ScoredStep]:
        """The formulas that are written around what is asked, best first."""
        kept: dict[str, ScoredStep] = {}
        for plan in plans:
            is_asked = how_asked(plan.evidence) >= _PLAINLY_ASKED and not plan.evidence.get("target_other")
            if is_asked and 1 < len(plan.missing) <= _MOST_DERIVED + 1 and not plan.slot.is_constant:
                kept.setdefault(plan.candidate.formula.id, plan)
            if len(kept) == _OUTER:
                break
        return list(kept.values())

    def _around(self, outer: ScoredStep) -> Iterator[tuple[ScoredStep, dict[int, _Inner], Slot]]:
        slots = outer.candidate.slots
        for unknown in (None, *outer.missing):
            derived = tuple(place for place in outer.missing if place != unknown)
            if not 0 < len(derived) <= _MOST_DERIVED or any(slots[place].dimension is None for place in derived):
                continue
            step = self._with_derived(outer, (*derived, *(() if unknown is None else (unknown,))))
            bound = (*(value for _, value in step.pairs), *self._known)
            ways = [self._ways(outer.candidate, place, bound) for place in derived]
            for inners in product(*ways):
                slot = _shared(None if unknown is None else slots[unknown], inners)
                if slot is None or not _are_different(inners) or not self._uses_everything(step, inners):
                    continue
                chosen = dict(zip(derived, inners, strict=True))
                if cancels(step, {place: inner.step for place, inner in chosen.items()}, slot):
                    yield _with_unknown_slot(step, unknown), chosen, slot

    def _with_derived(self, outer: ScoredStep, derived: tuple[int, ...]) -> ScoredStep:
        lasting = evidence_names("formula", "target")
        base = {name: amount for name, amount in outer.evidence.items() if name in lasting}
        return self.scorer.plan(outer.candidate, outer.target, base, derived=derived)

    def _ways(self, outer: Candidate, place: int, bound: Sequence[int]) -> list[_Inner]:
        """The formulas that are written for what a slot needs and lack at most one value."""
        wanted = outer.slots[place]
        usable = (*self._stated, *(value for value in bound if value not in self._stated))
        found: list[_Inner] = []
        dimension = wanted.dimension or ""
        # What lacks the unknown alone uses no stated value at all: a weight is a mass times a constant.
        sources = {each.formula.id: each for free in (self._stated, ()) for each in self._source(dimension, free)}
        for candidate in sources.values():
            target = next((at for at, slot in enumerate(candidate.slots) if slot.symbol == candidate.own_target), None)
            if target is None or candidate.formula.id == outer.formula.id:
                continue
            given = candidate.slots[target]
            if given.dimension != wanted.dimension or given.is_constant:
                continue
            if not self._are_equal(wanted, given) or len(self.scorer.matches(candidate).unfilled(target, usable)) > 1:
                continue
            base = inner_evidence(candidate, link_evidence(wanted, given), self.scorer.view)
            step = self.scorer.plan(candidate, target, base, values=usable, shared=bound)
            if not any(value in self._stated for _, value in step.pairs):
                base["hops"] = _FIXED_HOP
                step = self.scorer.plan(candidate, target, base, values=usable, shared=bound)
            if len(step.missing) <= 1 and (step.pairs or step.missing):
                found.append(_Inner(step, step.missing[0] if step.missing else None))
        return sorted(found, key=lambda inner: -inner.step.score)[:_KEPT]

    def _are_equal(self, wanted: Slot, given: Slot) -> bool:
        """Whether a result is what a slot needs: of one kind, or of two that are equal in what the question tells."""
        if wanted.kind is None or given.kind is None:
            return False
        if wanted.kind.id in given.lineage or given.kind.id in wanted.lineage:
            return True
        said = self.scorer.view.stems | self.scorer.view.told
        return any(
            ((one in wanted.lineage and other in given.lineage) or (other in wanted.lineage and one in given.lineage))
            and (not words or not words.isdisjoint(said))
            and unless.isdisjoint(said)
            for one, other, words, unless in _balances()
        )

    def _uses_everything(self, step: ScoredStep, inners: Sequence[_Inner]) -> bool:
        taken = {value for each in (step, *(inner.step for inner in inners)) for _, value in each.pairs}
        return not self.scorer.view.left_over(self._stated, taken)


def _are_different(inners: Sequence[_Inner]) -> bool:
    """Whether no formula stands for two slots: then it would only be compared with itself."""
    return len({inner.step.candidate.formula.id for inner in inners}) == len(inners)


def _shared(unknown: Slot | None, inners: Sequence[_Inner]) -> Slot | None:
    """The one quantity that all formulas of a system lack; None where they lack different ones, or only one does."""
    lacking = [inner.step.candidate.slots[inner.unknown] for inner in inners if inner.unknown is not None]
    lacking = lacking if unknown is None else [unknown, *lacking]
    if len(lacking) < 2 or lacking[0].dimension is None:
        return None
    first = lacking[0]
    return first if all(_is_one_quantity(first, other) for other in lacking[1:]) else None


def _is_one_quantity(one: Slot, other: Slot) -> bool:
    if one.dimension != other.dimension or one.index != other.index:
        return False
    is_related = one.kind is not None and other.kind is not None and bool(one.lineage & other.lineage)
    return is_related or one.symbol == other.symbol


def cancels(outer: ScoredStep, inner: Mapping[int, ScoredStep], unknown: Slot) -> bool:
    """Whether what is asked does not depend on the unknown: the formulas put into each other give one number for
    different values of it, whatever the other values are."""
    whole = _solved(outer, unknown, "outer")
    if whole is None:
        return False
    changes: dict[str, Expression] = {}
    for number, (place, step) in enumerate(inner.items()):
        solved = _solved(step, unknown, f"inner{number}")
        if solved is None:
            return False
        changes[f"outer_{outer.candidate.slots[place].symbol}"] = solved
    composed = substitute(whole, changes)
    names = [name for name in symbols_of(composed) if name != _UNKNOWN]
    function = compile_expression(composed, [_UNKNOWN, *names])
    for shift in range(2):
        others = [_OTHERS[(place + shift) % len(_OTHERS)] + place // len(_OTHERS) for place in range(len(names))]
        first, second = (function(tried, *others) for tried in _TRIED)
        if isinstance(first, Failure) or isinstance(second, Failure):
            return False
        if abs(first - second) > _SAME * abs(first):
            return False
    return True


def _solved(step: ScoredStep, unknown: Slot, prefix: str) -> Expression | None:
    """What a step computes, as an expression whose symbols are its own, but for the unknown, which all share."""
    solutions = solve(step.candidate.equation, step.slot.symbol, use_sympy=False)
    if isinstance(solutions, Failure):
        return None
    expression = solutions.default.expression
    slots = {slot.symbol: slot for slot in step.candidate.slots}
    filled = {step.candidate.slots[place].symbol for place, _ in step.pairs}
    renamed: dict[str, Expression] = {}
    for name in symbols_of(expression):
        is_unknown = name in slots and name not in filled and _is_one_quantity(unknown, slots[name])
        renamed[name] = Symbol(_UNKNOWN) if is_unknown else Symbol(f"{prefix}_{name}")
    return substitute(expression, renamed)


def leans_on_knowledge(plan: Plan, view: QuestionView) -> bool:
    """Whether a plan takes what nobody stated, such as a property of a substance, though a value that was stated stays
    unused or further formulas come between: then it is rather the plan that is wrong than the question short."""
    taken = plan.taken()
    known = [view.values[value].given for value in taken if view.values[value].given.is_known]
    if not known:
        return False
    left = view.left_over(view.usable, taken)
    is_of_things = any(given.kinds for given in known)
    return (plan.hops > 0 and is_of_things) or any(not view.values[value].given.implied for value in left)


# The plan: the unknown gets a value, any.


def with_unknowns(view: QuestionView, slots: Sequence[Slot]) -> QuestionView:
    """The question with a value for each quantity that cancels. No other plan may use it."""
    values = [*view.values]
    for slot in slots:
        dimension = slot.meaning.dimension
        if dimension is None:
            continue
        unit = coherent_unit(dimension)
        name = meaning_words(slot.meaning) or slot.symbol
        given = Given(
            "",
            0,
            0,
            (Quantity(1, unit),),
            phrase=name,
            implied=True,
            assumption=f"{name} is not given and cancels out; 1 {unit.text} stands for it".replace("1  ", "1 "),
        )
        values.append(
            PreparedValue(
                len(values), given, (slot.dimension or "",), (), {}, None, frozenset(), frozenset(), frozenset(), 0
            )
        )
    return replace(view, values=tuple(values))


def _with_unknown_slot(step: ScoredStep, unknown: int | None) -> ScoredStep:
    """The step with the slot of the unknown marked as missing, so that joining fills it."""
    return replace(step, missing=() if unknown is None else (unknown,))


def _joined(outer: ScoredStep, inners: Mapping[int, _Inner], value: int, scorer: Scorer) -> Plan:
    step = _filled(outer, outer.missing, value)
    derived = tuple(
        (place, single_step_plan(_filled(inner.step, () if inner.unknown is None else (inner.unknown,), value)))
        for place, inner in inners.items()
    )
    total = {name: amount for name, amount in step.evidence.items() if not is_of_the_whole(name) and name != "missing"}
    for _, plan in derived:
        for name, amount in plan.evidence.items():
            if not is_of_the_whole(name) and name != "missing":
                total[name] = total.get(name, 0.0) + amount
    taken = {used for each in (step, *(plan.step for _, plan in derived)) for _, used in each.pairs}
    left = scorer.view.left_over(scorer.view.usable, taken)
    scorer.count_unused(total, left, taken)
    return Plan(step, derived, total_worth(total, scorer.table), total)


def _filled(step: ScoredStep, places: Sequence[int], value: int) -> ScoredStep:
    pairs = tuple(sorted((*step.pairs, *((place, value) for place in places))))
    return replace(step, pairs=pairs, missing=())
