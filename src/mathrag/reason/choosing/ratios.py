"""By what factor something changes when something else does: the same formula for two states, the one divided by the
other. What stays as it is cancels; that it does is found by trying numbers, so that the formula may have any shape.

Asked for in so many words only, and only where one formula has both quantities by name.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from mathrag.compute.evaluate import Failure, compile_expression
from mathrag.compute.solve.solver import solve
from mathrag.knowledge.units import coherent_unit
from mathrag.language.cues import cue
from mathrag.language.stems import stems
from mathrag.language.word_classes import word_pairs
from mathrag.reason.choosing.plans import Plan, single_step_plan
from mathrag.reason.choosing.question_view import PreparedValue, QuestionView
from mathrag.reason.choosing.scores import ScoredStep, Scorer
from mathrag.reason.choosing.slots import Candidate, Slot, candidates_of, meaning_words
from mathrag.reason.choosing.weights import total_worth
from mathrag.retrieve.candidates import FoundFormula
from mathrag.types.expression import Divide, Equation, Expression, Number, Power, Symbol, symbols_of
from mathrag.types.library import SymbolMeaning
from mathrag.types.quantity import Dimension, Quantity
from mathrag.types.question import Given

_TIMES = {word: float(factor) for word, factor in word_pairs("follow_up.scaling_verbs").items()}
_OTHERS = (1.37, 1.11, 1.93, 0.71, 1.59, 0.83, 2.13, 1.23, 0.67, 1.79)
_SAME = 1e-9
# Exponents that laws have; any other number is an accident of the values tried.
_HALVES = 12
FACTOR = "factor"


@dataclass(frozen=True, slots=True)
class _Change:
    """What the question asks the factor of, what changes, and how many times; the words that say so."""

    asked: frozenset[str]
    changed: frozenset[str]
    times: float
    words: str


def ratio_plans(scorer: Scorer, found: Sequence[FoundFormula]) -> tuple[Scorer, list[Plan]] | None:
    """The plans that compute the factor asked for, and the scorer that knows what they count from; None where none is
    asked for. Where one is, no other plan answers: a friction factor is not how many times something grows."""
    change = _read_change(scorer.view)
    if change is None:
        return None
    made = [each for one in found for each in _of_formula(one, change, scorer)]
    values = [*scorer.view.values]
    plans: list[ScoredStep] = []
    for candidate, evidence in made:
        changed = candidate.slots[1]
        before = _value(len(values), changed, 1.0, f"what stays the same cancels; {_name(changed)} is 1 before")
        after = _value(len(values) + 1, changed, change.times, f"“{change.words}”: {change.times:g} times as much")
        values += [before, after]
        pairs = ((1, before.index), (2, after.index))
        worth = total_worth(evidence, scorer.table)
        plans.append(ScoredStep(candidate, 0, pairs, (), scorer.view.usable, worth, evidence))
    wider = Scorer(replace(scorer.view, values=tuple(values)), scorer.table, rarity=scorer.rarity)
    return wider, [single_step_plan(each) for each in plans]


def _read_change(view: QuestionView) -> _Change | None:
    match = view.wording.first("factor_asked")
    if match is None:
        return None
    clause = cue("change_clause").search(match["asked"])
    if clause is not None:
        asked, changed = match["asked"][: clause.start()], match["asked"][clause.end() :]
    else:
        asked, changed = match["asked"], view.wording.between(0, match.start())
    times, words = _times(changed)
    if times is None:
        return None
    return _Change(frozenset(stems(asked)), frozenset(stems(changed)), times, words)


def _times(text: str) -> tuple[float | None, str]:
    """By how much something is multiplied, where exactly one word or number says so."""
    words, numbers = list(cue("scaled").finditer(text)), list(cue("by_factor").finditer(text))
    if len(words) + len(numbers) != 1:
        return None, ""
    if words:
        return _TIMES[words[0]["stem"].casefold()], words[0].group()
    return float(numbers[0]["number"]), numbers[0].group()


def _of_formula(one: FoundFormula, change: _Change, scorer: Scorer) -> Iterator[tuple[Candidate, dict[str, float]]]:
    """The formula for two states, where it has what is asked and what changes by their names, each once."""
    for candidate in candidates_of(one.formula)[:1]:
        asked = [slot for slot in candidate.slots if _is_named(slot, change.asked)]
        changed = [slot for slot in candidate.slots if _is_named(slot, change.changed)]
        if len(asked) > 1:
            asked = [slot for slot in asked if slot.symbol == candidate.own_target]
        if len(asked) != 1 or len(changed) != 1 or asked[0] is changed[0] or changed[0].kind is None:
            continue
        exponent = _exponent(candidate, asked[0].symbol, changed[0].symbol)
        if exponent is None:
            continue
        made = _two_states(candidate, asked[0], changed[0], exponent)
        about = {
            "target_words": 1.0,
            "target_kind": 1.0,
            "target_alone": float(candidate.own_target == asked[0].symbol),
        }
        yield made, {**scorer.formula_evidence(candidate, one), **about, "phrase": 1.0, "filled": 2.0}


def _is_named(slot: Slot, words: frozenset[str]) -> bool:
    """Whether a text has a whole name of the slot."""
    if slot.is_constant or slot.dimension is None:
        return False
    names = [slot.meaning.description, *(slot.kind.words if slot.kind is not None else ())]
    return any(found <= words for found in (frozenset(stems(name)) for name in names) if found)


def _exponent(candidate: Candidate, asked: str, changed: str) -> int | None:
    """Twice the power of `changed` that `asked` goes with, all else being equal; None where it is no power law."""
    solutions = solve(candidate.equation, asked, use_sympy=False)
    if isinstance(solutions, Failure):
        return None
    expression = solutions.default.expression
    others = [name for name in symbols_of(expression) if name != changed]
    if changed not in symbols_of(expression):
        return None
    function = compile_expression(expression, [changed, *others])
    found: set[int] = set()
    for shift in range(3):
        values = [_OTHERS[(place + shift) % len(_OTHERS)] for place in range(len(others))]
        start = 1.0 + 0.3 * shift
        first, second = function(start, *values), function(2 * start, *values)
        if isinstance(first, Failure) or isinstance(second, Failure) or first == 0 or second / first <= 0:
            return None
        halves = 2 * math.log2(second / first)
        if abs(halves - round(halves)) > _SAME or abs(halves) > _HALVES or round(halves) == 0:
            return None
        found.add(round(halves))
    return found.pop() if len(found) == 1 else None


def _two_states(candidate: Candidate, asked: Slot, changed: Slot, halves: int) -> Candidate:
    """The formula of the second state divided by that of the first: `factor = (v_2/v_1)^2`."""
    first, second = f"{changed.symbol}_1", f"{changed.symbol}_2"
    above, below = (second, first) if halves > 0 else (first, second)
    quotient: Expression = Divide(Symbol(above), Symbol(below))
    size = abs(halves)
    exponent: Expression = Number(size // 2) if size % 2 == 0 else Divide(Number(size), Number(2))
    right = quotient if size == 2 else Power(quotient, exponent)
    meaning = SymbolMeaning(FACTOR, f"factor of the change of {_name(asked)}", "", Dimension.of({}), "ratio")
    factor = replace(asked, symbol=FACTOR, dimension=str(Dimension.of({})), meaning=meaning)
    slots = (
        factor,
        *(replace(changed, symbol=name, meaning=replace(changed.meaning, name=name)) for name in (first, second)),
    )
    return replace(
        candidate,
        equation=Equation(Symbol(FACTOR), right),
        slots=slots,
        own_target=FACTOR,
        ranks=(0, 0, 1),
        behind=(frozenset(),) * 3,
    )


def _name(slot: Slot) -> str:
    return meaning_words(slot.meaning) or slot.symbol


def _value(index: int, slot: Slot, number: float, assumption: str) -> PreparedValue:
    dimension = slot.meaning.dimension or Dimension.of({})
    quantity = Quantity(number, coherent_unit(dimension))
    # It covers itself, so that it is missed by no other plan.
    kinds = (slot.kind.id,) if slot.kind is not None else ()
    given = Given("", 0, 0, (quantity,), phrase=_name(slot), assumption=assumption, covers=(0,), kinds=kinds)
    return PreparedValue(index, given, (slot.dimension or "",), (), {}, None, frozenset(), frozenset(), frozenset(), 0)
