"""From a question to what should be computed, or why nothing should: plans ranked, computed, weighed, judged.

A confident complete plan is the suggestion. An incomplete one that wins names what is missing. What lies between is
shown as a proposal for the user to confirm, without its number.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from mathrag.language.stems import stem
from mathrag.reason.choosing.choose import Ranking, rank_plans
from mathrag.reason.choosing.confidence import features, model, probability
from mathrag.reason.choosing.plans import ConstantSource, Plan, missing_values, planned_steps
from mathrag.reason.choosing.question_view import View
from mathrag.reason.choosing.regimes import contradicts_motion
from mathrag.reason.choosing.scores import Scorer
from mathrag.reason.choosing.swapped_values import exchanged
from mathrag.reason.choosing.target_evidence import Asked
from mathrag.reason.computing import StepFailure, compute_steps
from mathrag.reason.computing.validity import validity_warnings
from mathrag.reason.objections import contradiction, how_asked, impossible_value, is_grounded, unit_misfit
from mathrag.retrieve.candidates import Finder
from mathrag.types.answer import Answer, Bound, Choice, Missing, Nearest, PlannedStep, Refusal, RefusalCode, Row, Step
from mathrag.types.library import Formula
from mathrag.types.quantity import Quantity
from mathrag.types.question import Given, Question

# Plans whose numbers are computed to see who agrees, and formulas that a refusal shows.
COMPUTED, _SHOWN, _RANKED = 8, 3, 3
# How plainly the result must be asked for before it is worth naming what is missing.
_LEAST_ASKED = 0.4
_JUST_UNDER = 0.01
_WHOLE = 0.05


@dataclass(frozen=True, slots=True)
class Decision:
    """The ranked choices and, where nothing should be computed, the refusal that says why."""

    ranking: Ranking
    choices: tuple[Choice, ...]
    refusal: Refusal | None
    agreeing: tuple[str, ...] = ()
    disagreeing: tuple[tuple[str, Quantity], ...] = ()


@dataclass(frozen=True, slots=True)
class _Computed:
    """The number of a plan, and whether it is broken: a step gives what the quantity cannot be, or its formula does not
    hold for these values."""

    value: Quantity
    is_broken: bool


def _is_odd(plan: Plan, value: Quantity) -> bool:
    kind = plan.step.slot.kind
    if kind is None:
        return False
    is_broken_number = kind.id.endswith("quantum_number") and abs(value.si_value - round(value.si_value)) > _WHOLE
    return is_broken_number or not kind.admits(value.si_value)


def _is_never_negative(asked: Sequence[Asked], value: Quantity) -> bool:
    """Whether a negative number answers a question for a size: how fast, how long."""
    kinds = [kind for one in asked for kind in one.kinds[:1] if kind.dimension == value.dimension]
    return value.si_value < 0 and any(kind.sign != "any" for kind in kinds)


def _with_exchanges(plans: Sequence[Plan], scorer: Scorer) -> tuple[Plan, ...]:
    """The plans with those in which two values of the best one have changed places, each where its worth puts it."""
    return tuple(sorted((*plans, *exchanged(plans[0], scorer)), key=lambda plan: -plan.score))


def _is_outside(step: Step) -> bool:
    values = {bound.symbol: bound.quantity for bound in step.bindings if bound.quantity is not None}
    return bool(validity_warnings(step.formula, step.equation, {**values, step.target: step.result}))


class Decider:
    """Decides for one library. `constants` gives its constants, `name_document` what people call its documents."""

    def __init__(self, finder: Finder, *, constants: ConstantSource, name_document: Callable[[str], str]) -> None:
        self._finder = finder
        self._constants = constants
        self._name_document = name_document

    def decide(self, question: Question, *, only: Formula | None = None) -> Decision:
        """What to compute for a question; with `only`, by that formula and whatever the confidence."""
        ranking = rank_plans(question, self._finder, only=only)
        plans = ranking.plans
        if not plans:
            return Decision(ranking, (), self._refusal(question, ranking, "no_formula", _NOTHING))
        computed = self._computed(plans, ranking)
        if plans[0].is_complete and (computed[0] is None or computed[0].is_broken):
            plans = _with_exchanges(plans, ranking.scorer)
            computed = self._computed(plans, ranking)
        broken = {id(plan) for plan, one in zip(plans, computed, strict=False) if one is not None and one.is_broken}
        results = [None if one is None else one.value for one in computed]
        plans, values = plausible_first(*without_failures(plans, results), scorer=ranking.scorer, broken=broken)
        best = plans[0]
        found = features(plans[: len(values)], values)
        sure = probability(found, model().weights)
        is_doubtful = _is_backwards(best, values[0], ranking.view.asked[:1]) or _is_against_motion(
            best, values[0], ranking.scorer
        )
        if is_doubtful or not is_grounded(best, ranking.view):
            sure = min(sure, model().answer - _JUST_UNDER)
        choices = tuple(self._choice(plan, ranking, sure if plan is best else 0.0) for plan in plans[:_RANKED])
        code, reason = self._verdict(best, ranking, sure, is_pinned=only is not None)
        refusal = None
        if code is not None:
            refusal = self._refusal(question, ranking, code, reason, choice=choices[0], sure=sure)
        agreeing, disagreeing = _other_formulas(plans, values)
        return Decision(ranking, choices, refusal, agreeing, disagreeing)

    def _computed(self, plans: Sequence[Plan], ranking: Ranking) -> list[_Computed | None]:
        return [self._compute(plan, ranking) if plan.is_complete else None for plan in plans[:COMPUTED]]

    def _compute(self, plan: Plan, ranking: Ranking) -> _Computed | None:
        steps = compute_steps(planned_steps(plan, ranking.scorer, self._constants), is_shown=False)
        if isinstance(steps, StepFailure):
            return None
        is_odd = any(_is_odd(part, step.result) for part, step in zip(plan.steps(), steps, strict=True))
        is_odd = is_odd or _is_never_negative(ranking.view.asked[:1], steps[-1].result)
        return _Computed(steps[-1].result, is_odd or any(map(_is_outside, steps)))

    def _choice(self, plan: Plan, ranking: Ranking, sure: float) -> Choice:
        steps = planned_steps(plan, ranking.scorer, self._constants)
        taken = plan.taken()
        seen = ranking.view.seen
        left = ranking.view.left_over(range(len(seen)), taken)
        unused = tuple(seen[value].given.text for value in left if not seen[value].given.implied)
        return Choice(
            steps=steps,
            score=plan.score,
            confidence=sure,
            missing=(*missing_values(plan), *_absent_constants(steps)),
            unused=unused,
            features=_contributions(plan, ranking.scorer),
        )

    def _verdict(self, best: Plan, ranking: Ranking, sure: float, *, is_pinned: bool) -> tuple[RefusalCode | None, str]:
        clash = contradiction(best, ranking.view)
        if clash:
            return "contradiction", clash
        missing = missing_values(best)
        if missing and (is_pinned or how_asked(best) >= _LEAST_ASKED):
            return "missing", _missing_sentence(missing)
        if missing:
            return "no_formula", _NOTHING
        odd = impossible_value(best, ranking.scorer)
        if odd:
            return "impossible", odd
        if is_pinned:
            return None, ""
        misfit = unit_misfit(best, ranking.view)
        if misfit:
            return "unit", misfit
        if sure >= model().answer:
            return None, ""
        if sure >= model().show:
            return "unsure", "a formula may fit, but not surely enough to give a number"
        return "no_formula", _NOTHING

    def _refusal(
        self,
        question: Question,
        ranking: Ranking,
        code: RefusalCode,
        reason: str,
        *,
        choice: Choice | None = None,
        sure: float = 0.0,
    ) -> Refusal:
        return Refusal(
            question=question.text,
            code=code,
            reason=reason,
            missing=choice.missing if choice is not None and code == "missing" else (),
            nearest=self._nearest(ranking),
            proposal=choice.steps if choice is not None and code == "unsure" else (),
            confidence=sure,
        )

    def _nearest(self, ranking: Ranking) -> tuple[Nearest, ...]:
        """The formulas of the best plans, each once, and failing those what the search found."""
        formulas: dict[str, Formula] = {}
        for plan in ranking.plans:
            formula = plan.step.candidate.formula
            formulas.setdefault(formula.id, formula)
        for one in ranking.found:
            formulas.setdefault(one.formula.id, one.formula)
        return tuple(nearest(formula, self._name_document) for formula in list(formulas.values())[:_SHOWN])


def _contributions(plan: Plan, scorer: Scorer) -> tuple[tuple[str, float], ...]:
    """What each piece of evidence is worth in a plan, the weightiest first."""
    worths = {name: scorer.table[name] * amount for name, amount in plan.evidence.items() if amount}
    return tuple(sorted(worths.items(), key=lambda item: (-abs(item[1]), item[0])))


_NOTHING = "no formula of the library fits this question"


def nearest(formula: Formula, name_document: Callable[[str], str]) -> Nearest:
    """A formula as one that is near."""
    needs = tuple(
        symbol.description or symbol.name
        for symbol in formula.symbols
        if symbol.name != formula.target and symbol.role == "variable"
    )
    document = name_document(formula.spans[0].document) if formula.spans else ""
    return Nearest(formula.id, formula.label, formula.latex, document, needs)


def without_failures(
    plans: Sequence[Plan], values: Sequence[Quantity | None]
) -> tuple[tuple[Plan, ...], list[Quantity | None]]:
    """Plans that cannot be computed after all go behind the others; if all fail, the first stays first."""
    failed = [plan.is_complete and value is None for plan, value in zip(plans, values, strict=False)]
    if not failed or not failed[0] or all(failed):
        return tuple(plans), list(values)
    order = sorted(range(len(values)), key=lambda place: failed[place])
    rest = plans[len(values) :]
    return (*(plans[place] for place in order), *rest), [values[place] for place in order]


def _is_backwards(plan: Plan, value: Quantity | None, asked: Sequence[Asked]) -> bool:
    """Whether a quantity that is never negative comes out so: the values stand in each other's places. What is asked
    for by a name of its own says better than the slot whether it can be: an image distance can, a distance cannot."""
    kind = plan.step.slot.kind
    if value is None or kind is None or value.si_value >= 0:
        return False
    named = [each for one in asked if one.is_named for each in one.kinds[:1] if each.dimension == kind.dimension]
    return (named[0] if named else kind).sign != "any"


def plausible_first(
    plans: Sequence[Plan], values: Sequence[Quantity | None], *, scorer: Scorer, broken: Collection[int] = ()
) -> tuple[tuple[Plan, ...], list[Quantity | None]]:
    """Of plans that are nearly as good, those first whose number the quantity can have, and whose formulas hold for
    these values (`broken` are the others, by identity)."""
    best = plans[0].score

    def rank(place: int) -> tuple[bool, int]:
        value = values[place]
        is_close = best - plans[place].score <= _CLOSE_RIVAL and plans[place].is_complete == plans[0].is_complete
        is_odd = value is not None and (_is_odd(plans[place], value) or bool(plans[place].evidence.get("regime")))
        is_odd = is_odd or id(plans[place]) in broken or _is_against_motion(plans[place], value, scorer)
        return (is_odd or not is_close, place)

    order = sorted(range(len(values)), key=rank)
    return (*(plans[place] for place in order), *plans[len(values) :]), [values[place] for place in order]


def _is_against_motion(plan: Plan, value: Quantity | None, scorer: Scorer) -> bool:
    step = plan.step
    if value is None:
        return False
    bound = [
        (step.candidate.slots[slot], scorer.quantity(step.candidate, slot, given).si_value)
        for slot, given in step.pairs
    ]
    # Small words count here: "toward" and "off" say which way something moves.
    words = frozenset(map(stem, scorer.view.question.text.casefold().split()))
    return contradicts_motion(step.candidate, words, [*bound, (step.slot, value.si_value)])


def _absent_constants(steps: Sequence[PlannedStep]) -> tuple[Missing, ...]:
    """Symbols that count as constants of which nobody knows the value."""
    found = []
    for step in steps:
        bound = {each.symbol for each in step.bindings}
        found += [
            Missing(symbol.name, symbol.description or symbol.name, symbol.unit or "", symbol.letter)
            for symbol in step.formula.symbols
            if symbol.role == "constant" and symbol.name != step.target and symbol.name not in bound
        ]
    return tuple(found)


def _missing_sentence(missing: Sequence[Missing]) -> str:
    words = [f"{each.words} ({each.symbol})" if each.words != each.symbol else each.symbol for each in missing]
    listed = words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
    return f"the question does not give {listed}"


def _other_formulas(
    plans: Sequence[Plan], values: Sequence[Quantity | None]
) -> tuple[tuple[str, ...], tuple[tuple[str, Quantity], ...]]:
    """Other formulas that give the same number, and rivals close to the best that give another."""
    best, value = plans[0], values[0]
    if value is None:
        return (), ()
    agreeing: dict[str, None] = {}
    disagreeing: dict[str, Quantity] = {}
    for plan, other in zip(plans[1:], values[1:], strict=False):
        formula = plan.step.candidate.formula.id
        if other is None or formula == best.step.candidate.formula.id or other.dimension != value.dimension:
            continue
        if abs(other.si_value - value.si_value) <= 1e-3 * abs(value.si_value):
            agreeing[formula] = None
        elif best.score - plan.score < _CLOSE_RIVAL:
            disagreeing[formula] = other
    return tuple(agreeing), tuple(disagreeing.items())


_CLOSE_RIVAL = 1.5


# What the user set holds everywhere: an answer that gives a pinned symbol another value in some step is no answer.


def broken_pin(answer: Answer, pinned: Mapping[str, Quantity]) -> Refusal | None:
    """A refusal where a step uses another value for a symbol that the user set; None where all is well.

    A symbol of another dimension is another thing under the same letter.
    """
    for step in answer.steps:
        for bound in step.bindings:
            quantity = pinned.get(bound.symbol)
            if quantity is not None and _contradicts(bound, quantity):
                return Refusal(
                    answer.question,
                    "contradiction",
                    f"{bound.symbol} was set, and the question gives another value for it ({bound.provenance.text})",
                    suggestions=("leave the value out of the question, or do not set it",),
                )
    return None


def _contradicts(bound: Bound, pinned: Quantity) -> bool:
    if bound.quantity is None or bound.provenance.origin == "pinned":
        return False
    return bound.quantity.dimension == pinned.dimension and bound.quantity.si_value != pinned.si_value


# Questions over several values ("for 2, 4 and 8 m"): the same plan computed for each of them.

_MOST_ROWS = 100


def result_rows(choice: Choice, question: Question, answer: Answer, view: View) -> tuple[Row, ...]:
    """One line for each value of the list that the plan uses the first of; none where there is no list."""
    if view.is_list_spread:
        return ()
    groups: dict[int, list[Given]] = {}
    for given in question.givens:
        if given.series is not None:
            groups.setdefault(given.series, []).append(given)
    for members in groups.values():
        symbol = _symbol_of(members[0], choice.steps)
        if len(members) > 1 and symbol is not None:
            return _rows(choice, symbol, members[:_MOST_ROWS], answer)
    return ()


def _symbol_of(given: Given, steps: Sequence[PlannedStep]) -> str | None:
    for step in steps:
        for bound in step.bindings:
            if bound.quantity in given.readings and bound.provenance.text == given.text:
                return bound.symbol
    return None


def _rows(choice: Choice, symbol: str, members: Sequence[Given], answer: Answer) -> tuple[Row, ...]:
    rows = []
    first = members[0].text
    for given in members:
        steps = tuple(_with_value(step, symbol, first, given) for step in choice.steps)
        computed = compute_steps(steps, unit=answer.value.unit)
        if isinstance(computed, StepFailure):
            return ()
        rows.append(Row(((symbol, _with_unit(given)),), computed[-1].result))
    return tuple(rows)


def _with_unit(given: Given) -> str:
    """The value as stated, with its unit where the list states that only once."""
    unit = given.readings[0].unit.text
    return given.text if not unit or not given.text.strip()[-1:].isdigit() else f"{given.text} {unit}"


def _with_value(step: PlannedStep, symbol: str, first: str, given: Given) -> PlannedStep:
    def changed(bound: Bound) -> Bound:
        if bound.symbol != symbol or bound.provenance.text != first or bound.quantity is None:
            return bound
        dimension = bound.quantity.dimension
        quantity = next((each for each in given.readings if each.dimension == dimension), bound.quantity)
        return replace(bound, quantity=quantity, provenance=replace(bound.provenance, text=given.text))

    return replace(step, bindings=tuple(changed(bound) for bound in step.bindings))
