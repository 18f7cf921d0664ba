"""Limits on a quantity that is not in the formula itself: "for Re < 2300" beside a law of flow that knows no Re. Where
the library has a formula for that quantity, and the values of the plan, its result and the question settle it, it is
computed and held against the limit. Where they do not, the condition is shown with the answer as before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

from mathrag.compute.printers.plaintext import plain_comparison
from mathrag.language.cues import cue
from mathrag.reason.choosing.choose import Ranking
from mathrag.reason.choosing.plans import ConstantSource, Plan, constant_bound, planned_steps
from mathrag.reason.choosing.question_view import PreparedValue
from mathrag.reason.choosing.slots import Candidate, Slot, candidates_of
from mathrag.reason.computing import StepFailure, compute_steps
from mathrag.reason.computing.validity import conditions_to_check, is_met
from mathrag.reason.computing.worked_lines import plain_number
from mathrag.retrieve.candidates import Finder
from mathrag.retrieve.signature import Signature
from mathrag.store.truth.reader import formulas_by_ids
from mathrag.types.answer import Bound, PlannedStep, Provenance, Step
from mathrag.types.expression import Comparison, Number, Symbol, symbols_of
from mathrag.types.library import Formula
from mathrag.types.quantity import Quantity

_MOST_FORMULAS = 12
_SHOWN_FIGURES = 3
_RELATIONS: Mapping[str, Literal["<", "<=", ">", ">="]] = {
    "<": "<",
    ">": ">",
    "<=": "<=",
    ">=": ">=",
    "≤": "<=",
    "≥": ">=",
}
_LENGTH = "m"
# What is asked for, what is known, and by how much the one is the other.
_HALVES = (("radius", "diameter", 0.5), ("diameter", "radius", 2.0))


@dataclass(frozen=True, slots=True)
class _Known:
    """A quantity that stands in the plan, with the slot that it stands for."""

    slot: Slot
    quantity: Quantity


def broken_limit(best: Plan, ranking: Ranking, finder: Finder, constants: ConstantSource) -> str:
    """Why the formula of a plan does not hold for its values, by a quantity that it does not contain; empty where it
    does, or where nobody can tell."""
    limits = [(part, limit) for part in best.steps() for limit in _distant(part.step.candidate)]
    if not limits:
        return ""
    steps = compute_steps(planned_steps(best, ranking.scorer, constants), is_shown=False)
    if isinstance(steps, StepFailure):
        return ""
    known = list(_known(best, steps))
    for part, (symbol, comparison) in limits:
        for candidate in _formulas_for(symbol, part.step.candidate.formula, finder):
            found = _computed(candidate, symbol, known, _others(best, ranking), constants)
            if found is None:
                continue
            if is_met(comparison, {symbol: found}) is False:
                name = candidate.formula.label or candidate.formula.latex
                return (
                    f"the formula holds for {plain_comparison(comparison)}; by “{name}” {symbol} is "
                    f"{plain_number(found.si_value, _SHOWN_FIGURES)} here"
                )
            break
    return ""


def _distant(candidate: Candidate) -> Iterator[tuple[str, Comparison]]:
    """The limits of a formula on one quantity that is not in it, with the symbol of that quantity."""
    own = {slot.symbol for slot in candidate.slots}
    said = [comparison for _, comparison in conditions_to_check(candidate.formula, candidate.equation)]
    said += [each for condition in candidate.formula.conditions for each in _in_words(condition.text)]
    for comparison in dict.fromkeys(said):
        names = {*symbols_of(comparison.left), *symbols_of(comparison.right)}
        if len(names) == 1 and names.isdisjoint(own):
            yield min(names), comparison


def _in_words(text: str) -> Iterator[Comparison]:
    for found in cue("limit_of_symbol").finditer(text):
        yield Comparison(_RELATIONS[found["sign"]], Symbol(found["symbol"]), Number(Decimal(found["number"])))


def _formulas_for(symbol: str, formula: Formula, finder: Finder) -> list[Candidate]:
    """The formulas of the library that give a symbol: of the same document, or of any where the symbol is more than a
    letter, which may stand for anything."""
    ids = finder.signatures.search(Signature((), frozenset(), frozenset((symbol,))), limit=_MOST_FORMULAS)
    found = []
    for each in formulas_by_ids(finder.database, ids):
        is_near = not formula.documents.isdisjoint(each.documents)
        if each.target == symbol and (is_near or len(symbol) > 1):
            found += [(not is_near, candidate) for candidate in candidates_of(each)[:1]]
    return [candidate for _, candidate in sorted(found, key=lambda pair: pair[0])]


def _known(best: Plan, steps: Sequence[Step]) -> Iterator[_Known]:
    for part, step in zip(best.steps(), steps, strict=True):
        values = {bound.symbol: bound.quantity for bound in step.bindings if bound.quantity is not None}
        values[step.target] = step.result
        for slot in part.step.candidate.slots:
            if slot.symbol in values and not slot.is_constant:
                yield _Known(slot, values[slot.symbol])


def _others(best: Plan, ranking: Ranking) -> list[PreparedValue]:
    """What the question states, or the library knows of its substances, and the plan does not take."""
    taken = best.taken()
    return [one for one in ranking.view.values if one.index not in taken and not one.is_copy]


def _computed(
    candidate: Candidate,
    symbol: str,
    known: Sequence[_Known],
    others: Sequence[PreparedValue],
    constants: ConstantSource,
) -> Quantity | None:
    bindings = []
    for slot in candidate.slots:
        if slot.symbol == symbol:
            continue
        if slot.is_constant:
            bound = constant_bound(slot, constants, candidate.formula)
        else:
            quantity = _of_plan(slot, known) or _of_question(slot, others)
            bound = None if quantity is None else Bound(slot.symbol, Provenance("question", ""), quantity)
        if bound is None:
            return None
        bindings.append(bound)
    step = PlannedStep(candidate.formula, candidate.equation, symbol, tuple(bindings))
    computed = compute_steps((step,), is_shown=False)
    return None if isinstance(computed, StepFailure) else computed[-1].result


def _of_plan(slot: Slot, known: Sequence[_Known]) -> Quantity | None:
    """The one quantity of the plan that a slot means: of its kind, else of a kind that is one of the other, else the
    only one of its dimension. Lengths are of too many things for that."""
    alike = [one for one in known if one.slot.dimension == slot.dimension]
    kinds = [one for one in alike if slot.kind is not None and one.slot.kind == slot.kind]
    related = [one for one in alike if _are_related(one.slot, slot)]
    for chosen in (kinds, related, alike if slot.dimension != _LENGTH else []):
        if len(chosen) == 1:
            return chosen[0].quantity
        if chosen:
            named = [one for one in chosen if one.slot.symbol == slot.symbol]
            return named[0].quantity if len(named) == 1 else None
    return _doubled(slot, alike)


def _are_related(one: Slot, other: Slot) -> bool:
    return (one.kind is not None and one.kind.id in other.lineage) or (
        other.kind is not None and other.kind.id in one.lineage
    )


def _doubled(slot: Slot, alike: Iterable[_Known]) -> Quantity | None:
    """A diameter from the one radius of the plan, or a radius from its diameter."""
    for wanted, stated, factor in _HALVES:
        found = [one.quantity for one in alike if one.slot.kind is not None and stated in one.slot.kind.id]
        if slot.kind is not None and wanted in slot.kind.id and len(found) == 1:
            return replace(found[0], value=found[0].value * factor, uncertainty=None)
    return None


def _of_question(slot: Slot, others: Sequence[PreparedValue]) -> Quantity | None:
    """The value that only this slot can mean: stated, or known of the one substance spoken of."""
    fitting = [one for one in others if one.dimensions[0] == slot.dimension]
    stated = [one for one in fitting if not one.given.implied]
    if slot.dimension == _LENGTH:
        stated = [one for one in stated if one.named & slot.lineage]
    known = [one for one in fitting if one.given.implied and slot.lineage.intersection(one.given.kinds)]
    for chosen in (stated, known):
        if chosen:
            sizes = {one.given.readings[0].si_value for one in chosen}
            return chosen[0].given.readings[0] if len(sizes) == 1 else None
    return None
