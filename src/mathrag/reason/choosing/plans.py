"""A plan: formulas solved one after the other, the results of inner steps standing in slots of outer ones; the steps to
compute that it means, what it lacks, and the same plan with two values in each other's places. Searches nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations

from mathrag.knowledge.constants import constant_quantity, standard_of
from mathrag.knowledge.units import read_canonical_unit
from mathrag.reason.choosing.assignment import Pairs, companion_evidence
from mathrag.reason.choosing.scores import ScoredStep, Scorer
from mathrag.reason.choosing.slots import Slot, meaning_words
from mathrag.reason.choosing.weights import thresholds, total_worth
from mathrag.reason.computing.bare_angles import with_angle_unit
from mathrag.reason.question.origins import origin_of
from mathrag.types.answer import Bound, Missing, PlannedStep, Provenance
from mathrag.types.knowledge import Constant as StandardConstant
from mathrag.types.library import Constant, Formula, SymbolMeaning
from mathrag.types.quantity import Quantity
from mathrag.types.question import Given


@dataclass(frozen=True, slots=True)
class Plan:
    """One step with the plans that derive some of its slots. `score` and `evidence` are those of the whole."""

    step: ScoredStep
    derived: tuple[tuple[int, Plan], ...] = ()
    score: float = 0.0
    evidence: Mapping[str, float] = field(default_factory=dict, repr=False)

    @property
    def hops(self) -> int:
        """How many steps feed the last one."""
        return sum(1 + inner.hops for _, inner in self.derived)

    @property
    def is_complete(self) -> bool:
        """Whether every symbol of every step has a value."""
        return not self.step.missing and all(inner.is_complete for _, inner in self.derived)

    def steps(self) -> Iterator[Plan]:
        """Every step, inner ones before those that need them."""
        for _, inner in self.derived:
            yield from inner.steps()
        yield self

    def taken(self) -> set[int]:
        """The values used anywhere in the plan."""
        return {value for plan in self.steps() for _, value in plan.step.pairs}


def single_step_plan(step: ScoredStep) -> Plan:
    """The plan of one step."""
    return Plan(step, (), step.score, step.evidence)


# Turn a plan of slots and values into steps to compute: symbols with quantities and where each came from.

# Gives a constant of the library by its id.
ConstantSource = Callable[[str], Constant | None]


@dataclass(frozen=True, slots=True)
class LibraryConstants:
    """The constants of a library: by id, and what the documents of a formula state for one of its symbols."""

    load: ConstantSource
    stated: Callable[[Formula, SymbolMeaning], Constant | None]

    def __call__(self, identifier: str) -> Constant | None:
        """The constant with this id."""
        return self.load(identifier)


def planned_steps(plan: Plan, scorer: Scorer, constants: ConstantSource) -> tuple[PlannedStep, ...]:
    """The steps of a plan, inner ones first; a step refers to earlier ones by number, from 1."""
    steps: list[PlannedStep] = []
    numbers: dict[int, int] = {}
    for part in plan.steps():
        steps.append(_step(part, scorer, constants, numbers))
        numbers[id(part)] = len(steps)
    return tuple(steps)


def _step(plan: Plan, scorer: Scorer, constants: ConstantSource, numbers: dict[int, int]) -> PlannedStep:
    step = plan.step
    candidate = step.candidate
    derived = dict(plan.derived)
    values = step.values
    spoken = scorer.view.wording.angle_unit
    bindings = []
    for place, slot in enumerate(candidate.slots):
        if place == step.target:
            continue
        if place in derived:
            number = numbers[id(derived[place])]
            bindings.append(_bound(slot, Provenance("derived", f"derived in step {number}", step=number), None))
        elif place in values:
            given = scorer.view.values[values[place]].given
            quantity = scorer.quantity(candidate, place, values[place])
            bound = _given(slot, given, quantity)
            bindings.append(with_angle_unit(bound, slot.kind, candidate.equation, spoken=spoken))
        elif slot.is_constant and (found := constant_bound(slot, constants, candidate.formula)) is not None:
            bindings.append(found)
    return PlannedStep(candidate.formula, candidate.equation, step.slot.symbol, tuple(bindings))


def _given(slot: Slot, given: Given, quantity: Quantity) -> Bound:
    source = origin_of(given)
    if given.is_slowing and quantity.value < 0:
        source = replace(source, taken="slowing")
    elif quantity.unit.text and not given.readings[0].unit.text and quantity.value:
        source = replace(source, taken="unit")
    return _bound(slot, source, quantity, figures=given.significant_figures)


def _bound(slot: Slot, source: Provenance, quantity: Quantity | None, *, figures: int | None = None) -> Bound:
    meaning = slot.meaning
    return Bound(slot.symbol, source, quantity, meaning.letter, meaning.description, figures)


def constant_bound(slot: Slot, constants: ConstantSource, formula: Formula | None = None) -> Bound | None:
    """The value of a constant: what the formula's own document states, else the library's, else the standard one."""
    identifier = slot.meaning.constant
    standard = standard_of(identifier)
    own = constants.stated(formula, slot.meaning) if formula and isinstance(constants, LibraryConstants) else None
    if own is not None and (standard is None or not _is_rounded(own, constant_quantity(standard))):
        return _bound(
            slot, Provenance("document", _stated_text(own, standard), span=own.spans[0]), stored_quantity(own)
        )
    stored = None if identifier is None else constants(identifier)
    if stored is not None:
        span = stored.spans[0] if stored.spans else None
        return _bound(slot, Provenance("document", stored.name or stored.symbol, span=span), stored_quantity(stored))
    if standard is None:
        return None
    return _bound(slot, Provenance("constant", standard.name, standard.source), constant_quantity(standard))


def _is_rounded(own: Constant, usual: Quantity) -> bool:
    """Whether a stated value is the usual one with fewer digits: 9.81 is 9.80665, 9.7 is not."""
    exponent = own.value.as_tuple().exponent
    last_digit = 10.0**exponent if isinstance(exponent, int) else 0.0
    unit = read_canonical_unit(own.unit)
    return abs(stored_quantity(own).si_value - usual.si_value) <= 0.5001 * last_digit * unit.scale


def _stated_text(own: Constant, standard: StandardConstant | None) -> str:
    """What a document's own value is called; beside the usual one, where that is another."""
    name = own.name or (standard.name if standard is not None else own.symbol)
    if standard is None:
        return name
    return f"{name} as stated there; usually {standard.value} {standard.unit}".rstrip()


def stored_quantity(constant: Constant) -> Quantity:
    """The value of a constant of the library with its unit."""
    return Quantity(float(constant.value), read_canonical_unit(constant.unit))


def missing_values(plan: Plan) -> tuple[Missing, ...]:
    """What the steps of a plan need and nothing supplies."""
    found: dict[str, Missing] = {}
    for part in plan.steps():
        for place in part.step.missing:
            slot = part.step.candidate.slots[place]
            meaning = slot.meaning
            words = meaning_words(meaning) or slot.symbol
            found.setdefault(slot.symbol, Missing(slot.symbol, words, meaning.unit or "", meaning.letter))
    return tuple(found.values())


# The same plan with two values in each other's places: to recognise it in steps that somebody else chose, to find
# values that nothing tells apart, and to mend a chain. Never to get another number where the first one cannot be.

_WORTHWHILE = thresholds("exchange")["worthwhile"]
_TOLD_APART = thresholds("exchange")["told_apart"]


def with_exchanged_values(plan: Plan, scorer: Scorer) -> Iterator[Plan]:
    """Every plan that differs by one exchange of two values of one dimension in one step, with what it is worth."""
    for part in plan.steps():
        worths = scorer.matches(part.step.candidate).worths
        for pairs in _exchanges(part.step):
            if all(pair in worths for pair in pairs):
                change = sum(worths[pair] for pair in pairs) - sum(worths[pair] for pair in part.step.pairs)
                yield _replaced(plan, part, replace(part.step, pairs=pairs, score=part.step.score + change), change)


def untold_exchanges(plan: Plan, scorer: Scorer, *, told_apart: float = _TOLD_APART) -> Iterator[Plan]:
    """The plans in which two values of one dimension have changed places that nothing but their order tells apart: no
    word, no symbol, and no value that is stated together with one of them. `told_apart` is how much words may say."""
    for part in plan.steps():
        step, evidence = part.step, scorer.matches(part.step.candidate).evidence
        links = scorer.sides.links(step.candidate.slots[step.target].dimension) if len(step.pairs) > 1 else frozenset()
        for pairs in _exchanges(step):
            moved = {value for _, value in set(pairs) - set(step.pairs)}
            if not all(pair in evidence for pair in pairs) or not all(
                _has_place(scorer.view.values[value].given) for value in moved
            ):
                continue
            told, untold = (
                sum(worth_without_order(evidence[pair], scorer) for pair in each) for each in (step.pairs, pairs)
            )
            linked, exchanged = (
                companion_evidence(step.candidate, step.target, dict(each), links) for each in (step.pairs, pairs)
            )
            if abs(told - untold) <= told_apart and linked == exchanged:
                yield _replaced(plan, part, replace(step, pairs=pairs), 0.0)
    for one, other in combinations(list(plan.steps()), 2):
        yield from _untold_across(plan, one, other, scorer)


def _untold_across(plan: Plan, one: Plan, other: Plan, scorer: Scorer) -> Iterator[Plan]:
    """The same for values of two steps: the resistance in the one may as well be that of the other."""
    first, second = scorer.matches(one.step.candidate).evidence, scorer.matches(other.step.candidate).evidence
    seen = scorer.view.values
    for changed, (place, value), (target, found) in _across(plan, one, other, scorer):
        if seen[value].dimensions[0] != seen[found].dimensions[0]:
            continue
        if not (_has_place(seen[value].given) and _has_place(seen[found].given)):
            continue
        told = worth_without_order(first[place, value], scorer) + worth_without_order(second[target, found], scorer)
        untold = worth_without_order(first[place, found], scorer) + worth_without_order(second[target, value], scorer)
        if abs(told - untold) <= _TOLD_APART:
            yield changed


def _has_place(given: Given) -> bool:
    """Whether a value stands somewhere in the text, or belongs to a substance that does."""
    return given.end > given.start or (given.implied and bool(given.kinds))


def worth_without_order(evidence: Mapping[str, float], scorer: Scorer) -> float:
    """What evidence is worth without the order in which values are stated."""
    return total_worth({name: amount for name, amount in evidence.items() if name != "order"}, scorer.table)


def with_better_exchange(plan: Plan, scorer: Scorer) -> Plan:
    """The plan with values of different steps in each other's places, where that is worth more: a chain binds its outer
    step first, without knowing what the inner one needs."""
    best = plan
    for one, other in combinations(list(plan.steps()), 2):
        for changed, _, _ in _across(plan, one, other, scorer):
            if changed.score > best.score + _WORTHWHILE:
                best = changed
    return best


def _across(
    plan: Plan, one: Plan, other: Plan, scorer: Scorer
) -> Iterator[tuple[Plan, tuple[int, int], tuple[int, int]]]:
    """The plan with a value of each of two steps in the place of the other, and which two: slot and value."""
    first, second = scorer.matches(one.step.candidate).worths, scorer.matches(other.step.candidate).worths
    for place, value in one.step.pairs:
        for target, found in other.step.pairs:
            is_possible = value != found and (place, found) in first and (target, value) in second
            if not is_possible or found in one.step.values.values() or value in other.step.values.values():
                continue
            change = first[place, found] - first[place, value]
            again = second[target, value] - second[target, found]
            here = replace(one.step, pairs=_with_value(one.step, place, found), score=one.step.score + change)
            there = replace(other.step, pairs=_with_value(other.step, target, value), score=other.step.score + again)
            moved = _replaced(plan, one, here, change)
            part = next((each for each in moved.steps() if each.step is other.step), None)
            if part is not None:
                yield _replaced(moved, part, there, again), (place, value), (target, found)


def _with_value(step: ScoredStep, slot: int, value: int) -> Pairs:
    return tuple(sorted({**step.values, slot: value}.items()))


def _exchanges(step: ScoredStep) -> Iterator[Pairs]:
    slots = step.candidate.slots
    for (one, first), (other, second) in combinations(step.pairs, 2):
        if slots[one].dimension == slots[other].dimension and first != second:
            changed = {**step.values, one: second, other: first}
            yield tuple(sorted(changed.items()))


def _replaced(plan: Plan, part: Plan, step: ScoredStep, change: float) -> Plan:
    """The plan with another step in place of the one of `part`."""
    if plan is part:
        return replace(plan, step=step, score=plan.score + change)
    derived = tuple((slot, _replaced(inner, part, step, change)) for slot, inner in plan.derived)
    is_inside = any(one is not other for (_, one), (_, other) in zip(derived, plan.derived, strict=True))
    return replace(plan, derived=derived, score=plan.score + change) if is_inside else plan
