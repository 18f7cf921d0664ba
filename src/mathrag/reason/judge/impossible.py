"""Why a plan that is meant cannot be carried out: arithmetic that fails, a number that nothing of its kind has, a value
that cannot be given. Finds reasons in words; chooses no plan.

What nature or mathematics forbids is an answer of its own. It must never make room for the number of a worse plan.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from mathrag.knowledge.kinds import all_kinds
from mathrag.reason.choosing.plans import Plan
from mathrag.reason.choosing.question_view import PreparedTarget, PreparedValue, QuestionView
from mathrag.reason.choosing.regimes import SPEED, SPEED_OF_LIGHT
from mathrag.reason.choosing.scores import Scorer
from mathrag.reason.choosing.slots import Slot, meaning_words
from mathrag.reason.choosing.weights import thresholds
from mathrag.reason.computing import StepFailure
from mathrag.reason.computing.validity import validity_warnings
from mathrag.reason.computing.worked_lines import plain_quantity
from mathrag.reason.judge.bounds import as_share, bound_of, is_signed
from mathrag.reason.judge.denied_conditions import leaves_air_aside
from mathrag.reason.judge.spots import Spot, of_value
from mathrag.reason.question.values import below_absolute_zero
from mathrag.types.answer import Step
from mathrag.types.knowledge import QuantityKind
from mathrag.types.quantity import Dimension, Quantity
from mathrag.types.symbol_names import split_name

# Failures that lie with the values: they have no number, or none that could be written down with a digit that is right.
# The others (a dimension that does not come out, an equation that is not solved in time) lie with the plan.
_OF_NATURE = frozenset(
    ("division_by_zero", "domain", "complex", "undefined", "no_solution", "not_whole", "overflow", "underflow")
) | {"digits_lost"}
_LIMITS = thresholds("decision")
# Books give the speed of light as 3.00×10⁸ m/s.
_ROUNDED_LIGHT = thresholds("regime")["rounded"]
# Beside those of which no kind has a sign: differences of mass and of temperature do.
_NEVER_NEGATIVE = ("kg", "K")
_SHOWN_FIGURES = 3
_ROUNDING = 1e-6
_ROUNDED_SHARES = 0.02
_PERCENT = "percent"


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of computing a plan: its number, if there is one, and why it cannot be, in words (empty where it can).

    `is_of_nature` tells that the values have no such number, from that this way of computing does not find it;
    `is_of_values` that the values, whatever comes of them, are not as the formula wants them.
    """

    value: Quantity | None = None
    against: str = ""
    is_of_nature: bool = False
    is_of_values: bool = False

    @property
    def is_impossible(self) -> bool:
        """Whether the values put into the plan have no number."""
        return bool(self.against) and self.is_of_nature


def trial_of(plan: Plan, steps: tuple[Step, ...] | StepFailure, view: QuestionView) -> Trial:
    """What computed steps say of the plan that they carry out for a question."""
    if isinstance(steps, StepFailure):
        return Trial(None, _in_words(plan, steps), steps.code in _OF_NATURE)
    value = steps[-1].result
    is_airless = leaves_air_aside(view.wording)
    asked = frozenset(word for one in view.asked[:1] for word in one.stems)
    parts = zip(plan.steps(), steps, strict=True)
    odd = (_oddity(part, step, asked if part is plan else (), is_airless=is_airless) for part, step in parts)
    against = next((said for said in odd if said), "")
    is_of_values = bool(against) and any(_are_unfit(step) for step in steps)
    if not is_signed(plan.step.slot, plan.step.candidate):
        against = against or _never_negative(view.asked[:1], value)
    return Trial(value, against, is_of_nature=True, is_of_values=is_of_values)


def _in_words(plan: Plan, failure: StepFailure) -> str:
    name = meaning_words(plan.step.slot.meaning)
    return f"there is no {name} for these values: {failure.message}" if name else failure.message


def _oddity(part: Plan, step: Step, asked: Collection[str], *, is_airless: bool) -> str:
    """Why the result of a step cannot be: nothing of its kind or name has that value, or its formula does not hold
    there. `asked` are the stems of what is asked for, where that is this result."""
    kind, value = part.step.slot.kind, step.result.si_value
    if kind is not None and kind.dimension == step.result.dimension:
        is_broken = kind.id.endswith("quantum_number") and abs(value - round(value)) > _LIMITS["whole"]
        if is_broken:
            return f"the {kind.name} comes out as {_shown(step.result)}, but it is a whole number"
        if _is_faster_than_light(kind, value):
            return f"the {kind.name} comes out as {_shown(step.result)}, but nothing is faster than light"
    bound = bound_of(part.step.slot, part.step.candidate, asked)
    if bound is not None and (kind is None or kind.dimension == step.result.dimension):
        why = bound.broken_by(as_share(step.result, part.step.candidate) if bound.most else value)
        if why:
            return f"the {bound.name} comes out as {_shown(step.result)}, but {why}"
    values = {bound.symbol: bound.quantity for bound in step.bindings if bound.quantity is not None}
    everything = {**values, step.target: step.result}
    broken = validity_warnings(step.formula, step.equation, everything, is_airless=is_airless)
    return broken[0] if broken else ""


def _are_unfit(step: Step) -> bool:
    """Whether values that a formula takes break a condition of it, whatever comes of them."""
    values = {bound.symbol: bound.quantity for bound in step.bindings if bound.quantity is not None}
    return bool(validity_warnings(step.formula, step.equation, values))


def _is_faster_than_light(kind: QuantityKind, value: float) -> bool:
    return kind.unit == SPEED and abs(value) > SPEED_OF_LIGHT * _ROUNDED_LIGHT


def _shown(value: Quantity) -> str:
    return plain_quantity(value, _SHOWN_FIGURES)


def _never_negative(asked: Sequence[PreparedTarget], value: Quantity) -> str:
    """A negative number for a question that asks for a size: how fast, how long."""
    kinds = [kind for one in asked for kind in one.kinds[:1] if kind.dimension == value.dimension]
    named = next((kind for kind in kinds if kind.sign != "any"), None)
    if value.si_value >= 0 or named is None:
        return ""
    return f"the {named.name} comes out as {_shown(value)}, but no {named.name} is negative"


def impossible_values(plan: Plan, scorer: Scorer) -> Iterator[Spot]:
    """Values that are given and cannot be: below absolute zero, negative or zero where nothing of its kind is."""
    for seen in scorer.view.values:
        if below_absolute_zero(seen.given):
            reason = f"{seen.given.text} is below absolute zero: there is no such temperature"
            yield of_value(seen, reason=reason)
    for part in plan.steps():
        candidate = part.step.candidate
        for shares in _shares_above_one(part, scorer):
            reason = f"{' and '.join(one.given.text for one in shares)} are more than the whole"
            yield of_value(*shares, reason=reason)
        for place, value in part.step.pairs:
            slot, seen = candidate.slots[place], scorer.view.values[value]
            why = _why_none(slot, seen, scorer.quantity(candidate, place, value).si_value)
            if why and slot.kind is not None:
                yield of_value(seen, slot=slot, reason=f"{seen.given.text} is no {slot.kind.name}: {why}")


def _why_none(slot: Slot, seen: PreparedValue, size: float) -> str:
    """Why a value is none of the kind of its slot; empty where it may be."""
    kind = slot.kind
    if kind is None or kind.takes_any_unit:
        return ""
    if _is_faster_than_light(kind, size):
        return "nothing is faster than light"
    # What is only assumed to be a radius may be a place, which can be negative; a mass never can.
    if kind.sign == "any" or not (seen.named & slot.lineage or _is_never_negative(kind)):
        return ""
    if size < 0:
        return "it cannot be negative"
    return "it cannot be zero" if size == 0 and kind.sign == "positive" else ""


def _shares_above_one(part: Plan, scorer: Scorer) -> Iterator[list[PreparedValue]]:
    """Percentages of one thing, such as x₁ and x₂, that add up to more than all of it."""
    shares: dict[str, list[tuple[float, PreparedValue]]] = {}
    for slot, value in part.step.pairs:
        quantity = scorer.quantity(part.step.candidate, slot, value)
        if quantity.unit.text == _PERCENT:
            base = split_name(part.step.candidate.slots[slot].symbol).letter
            shares.setdefault(base, []).append((quantity.si_value, scorer.view.values[value]))
    for found in shares.values():
        if len(found) > 1 and sum(size for size, _ in found) > 1.0 + _ROUNDED_SHARES:
            yield [one for _, one in found]


def _is_never_negative(kind: QuantityKind) -> bool:
    """Whether nothing measured in the unit of the kind is negative: masses, absolute temperatures, capacitances."""
    return kind.unit in _NEVER_NEGATIVE or _has_no_signs(kind.dimension)


@lru_cache(maxsize=512)
def _has_no_signs(dimension: Dimension) -> bool:
    return not dimension.is_dimensionless and all(
        each.sign != "any" for each in all_kinds() if each.dimension == dimension
    )
