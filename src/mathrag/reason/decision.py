"""From a question to what should be computed, or why nothing should: plans ranked, computed, weighed, judged.
Answers nothing itself: that is `session.py`.

A confident complete plan is the suggestion. An incomplete one that wins names what is missing. What lies between is
shown as a proposal for the user to confirm, without its number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from mathrag.language.stems import stems
from mathrag.reason.choosing.choose import Ranking, rank_plans
from mathrag.reason.choosing.confidence import confidence_model, ranking_features
from mathrag.reason.choosing.plans import ConstantSource, Plan, missing_values, planned_steps, untold_exchanges
from mathrag.reason.choosing.question_view import QuestionView
from mathrag.reason.choosing.resemblance import cited_case
from mathrag.reason.choosing.scores import Scorer
from mathrag.reason.choosing.slots import meaning_words
from mathrag.reason.choosing.spelled_out import is_looked_up, is_spelled_out
from mathrag.reason.choosing.target_evidence import how_asked
from mathrag.reason.choosing.weights import thresholds
from mathrag.reason.judge import NO_DOUBTS, Doubts, Judge, Trial, agree, binding, is_grounded, refused_for
from mathrag.reason.judge.motion import is_against_motion
from mathrag.retrieve.candidates import FoundFormula
from mathrag.types.answer import Choice, Citation, Missing, Nearest, PlannedStep, Refusal, RefusalCode
from mathrag.types.expression import equation_symbols
from mathrag.types.finding import Finding
from mathrag.types.library import Formula
from mathrag.types.quantity import Quantity
from mathrag.types.question import Question

# Plans whose numbers are computed to see who agrees, and formulas that a refusal shows.
COMPUTED, _SHOWN, _RANKED = 8, 3, 3
_LIMITS = thresholds("decision")
_SPELLED_OUT, _LOOKED_UP = (thresholds("spelled_out")[name] for name in ("sure", "looked_up"))
_TOLD_APART, _WEAKLY_TOLD = (thresholds("exchange")[name] for name in ("told_apart", "weakly_told"))
_NOTHING = "no formula of the library fits this question"
_NO_FORMULA: tuple[RefusalCode, str] = ("no_formula", _NOTHING)
_NOT_SURE = "a formula may fit, but not surely enough to give a number"


@dataclass(frozen=True, slots=True)
class Decision:
    """The ranked choices and, where nothing should be computed, the refusal that says why."""

    ranking: Ranking
    choices: tuple[Choice, ...]
    refusal: Refusal | None
    agreeing: tuple[str, ...] = ()
    disagreeing: tuple[tuple[str, Quantity], ...] = ()
    # What the confidence in the first choice was judged by, and the worked example that it follows.
    features: tuple[tuple[str, float], ...] = ()
    example: Citation | None = None
    # What the library itself says against it.
    doubts: Doubts = NO_DOUBTS


@dataclass(frozen=True, slots=True)
class Weighed:
    """Plans in the order in which they would be carried out, the numbers of the first ones, what speaks for and against
    the very first, and how sure that makes it in a library of so many formulas."""

    ranking: Ranking
    plans: tuple[Plan, ...]
    values: tuple[Quantity | None, ...]
    features: Mapping[str, float]
    sure: float
    formulas: int = 0
    # What speaks against the first, all of it, the weightiest first; and what the library says against it.
    findings: tuple[Finding, ...] = ()
    doubts: Doubts = NO_DOUBTS


def _is_odd(plan: Plan, value: Quantity) -> bool:
    kind = plan.step.slot.kind
    return kind is not None and not kind.admits(value.si_value)


class Decider:
    """Decides for the library of a judge; `promise` is how often a number that is given shall be right (None: the usual
    promise). What one hand wrote is a collection of formulas, however many, and none of the books."""

    def __init__(self, judge: Judge, *, promise: float | None = None) -> None:
        self.judge = judge
        self._formulas = 0 if judge.of_one_hand else len(judge.finder.signatures)
        model = confidence_model()
        self._least = (model.least_checked if judge.of_one_hand else model.least)(promise, self._formulas)

    def decide(self, question: Question, *, only: Formula | None = None) -> Decision:
        """What to compute for a question; with `only`, by that formula and whatever the confidence."""
        weighed = self.weigh(question, only=only)
        ranking, plans = weighed.ranking, weighed.plans
        if not plans:
            return Decision(ranking, (), self._refusal(question, ranking, "no_formula", _NOTHING))
        best, sure = plans[0], weighed.sure
        first, *others = (choice_of(plan, ranking, self.judge.constants) for plan in plans[:_RANKED])
        first = replace(first, confidence=sure, findings=weighed.findings)
        code, reason = self.verdict(weighed, is_pinned=only is not None)
        refusal = None
        if code is not None:
            refusal = self._refusal(question, ranking, code, reason, choice=first)
            refusal = refused_for(refusal, weighed.doubts)
        agreeing, disagreeing = _other_formulas(plans, weighed.values)
        example = cited_case(best, ranking.cases, self.judge.name_document)
        features = tuple(weighed.features.items())
        return Decision(ranking, (first, *others), refusal, agreeing, disagreeing, features, example, weighed.doubts)

    def weigh(self, question: Question, *, only: Formula | None = None) -> Weighed:
        """The plans for a question in the order in which they would be carried out, and how sure the first is."""
        ranking = rank_plans(question, self.judge.finder, only=only)
        plans = ranking.plans
        if not plans:
            return Weighed(ranking, (), (), {}, 0.0)
        tried = [self.judge.trial(plan, ranking) for plan in plans[:COMPUTED]]
        plans, trials = in_order(plans, tried, ranking.scorer)
        plans, trials = self.judge.in_order(plans, trials, ranking.view)
        plans, trials = self._in_possible_places(plans, trials, ranking)
        values = [trial.value for trial in trials]
        best, view, trial = plans[0], ranking.view, trials[0]
        doubts = self.judge.doubts(best, ranking, trial)
        findings = self.judge.findings(best, ranking, trial, doubts)
        flags = {"broken": float(trial.is_impossible), "ungrounded": float(not is_grounded(best, view))}
        flags |= {f"finding_{weight}": float(count) for weight, count in _counted(findings).items()}
        found = ranking_features(plans[: len(values)], values, view=view, flags=flags)
        sure = confidence_model().sure(found, self._formulas)
        if is_spelled_out(best, view) and values[0] is not None and not trial.against:
            sure = max(sure, _SPELLED_OUT)
        elif values[0] is not None and not trial.against and is_looked_up(plans, view):
            sure = max(sure, _LOOKED_UP)
        return Weighed(ranking, plans, tuple(values), found, sure, self._formulas, findings, doubts)

    def _in_possible_places(
        self, plans: Sequence[Plan], trials: Sequence[Trial], ranking: Ranking
    ) -> tuple[tuple[Plan, ...], tuple[Trial, ...]]:
        """The plans, the first with two values in each other's places where hardly more than their order tells them
        apart and only so the plan has a number. Of the handbook, only where the question gives both by one symbol
        (n = 6 and n = 3), or by no name, and it says which of them is the larger (what a reaction should give, and
        gives)."""
        is_shared = any(ranking.view.values[value].is_symbol_shared for value in plans[0].taken())
        is_named_otherwise = bool(plans and plans[0].evidence.get("conflict"))
        is_told = bool(trials) and trials[0].is_of_values if self.judge.of_one_hand else not is_named_otherwise
        if (is_shared or is_told) and trials and trials[0].is_impossible:
            told_apart = _TOLD_APART if self.judge.of_one_hand else _WEAKLY_TOLD
            exchanged = untold_exchanges(plans[0], ranking.scorer, told_apart=told_apart)
            options = [(plan, self.judge.trial(plan, ranking)) for plan in exchanged]
            possible = [(plan, trial) for plan, trial in options if trial.value is not None and not trial.against]
            if len(possible) == 1:
                return (possible[0][0], *plans[1:]), (possible[0][1], *trials[1:])
        return tuple(plans), tuple(trials)

    def verdict(self, weighed: Weighed, *, is_pinned: bool) -> tuple[RefusalCode | None, str]:
        """Why the first plan should not be computed, as a code and in words; no code where it should."""
        sure = weighed.sure
        found = binding(weighed.findings, is_chosen=is_pinned)
        first = next((each for each in found if each.consequence != "unsure"), None)
        if first is not None:
            return (first.consequence, first.reason) if self._is_meant(first, weighed, is_pinned) else _NO_FORMULA
        if is_pinned or (sure >= self._least and not found):
            return None, ""
        if sure < confidence_model().show:
            return _NO_FORMULA
        return "unsure", found[0].reason if found else _NOT_SURE

    def _is_meant(self, finding: Finding, weighed: Weighed, is_pinned: bool) -> bool:
        """Whether it is plain enough that the formula is meant: else what it lacks, or that it fails, tells nobody
        anything."""
        best = weighed.plans[0]
        is_asked = how_asked(best.evidence) >= _LIMITS["least_asked"]
        match finding.code:
            case "missing":
                return is_pinned or is_asked
            case "no_number" | "limit":
                return is_asked and is_grounded(best, weighed.ranking.view)
        return True

    def _refusal(
        self,
        question: Question,
        ranking: Ranking,
        code: RefusalCode,
        reason: str,
        *,
        choice: Choice | None = None,
    ) -> Refusal:
        return Refusal(
            question=question.text,
            code=code,
            reason=reason,
            missing=choice.missing if choice is not None and code == "missing" else (),
            nearest=self._nearest(ranking, code),
            proposal=choice.steps if choice is not None and code == "unsure" else (),
            confidence=0.0 if choice is None else choice.confidence,
            # What speaks against a formula that is not meant tells nobody anything.
            findings=() if choice is None or code == "no_formula" else choice.findings,
        )

    def _nearest(self, ranking: Ranking, code: RefusalCode) -> tuple[Nearest, ...]:
        """The formulas that come nearest, each once: those of the best plans where one of them may be meant, else those
        that speak of what the question speaks of, whatever their signs and units."""
        planned = [plan.step.candidate.formula for plan in ranking.plans]
        found = [one.formula for one in sorted(ranking.found, key=lambda one: -_likeness(one, ranking.view))]
        ordered = [*found, *planned] if code == "no_formula" else [*planned, *found]
        formulas = {formula.id: formula for formula in ordered if formula.label}
        shown = list(formulas.values())[:_SHOWN] or ordered[:_SHOWN]
        return tuple(as_nearest(formula, self.judge.name_document) for formula in shown)


def _counted(findings: Sequence[Finding]) -> Counter[str]:
    """How many different things speak against a plan, by their weight."""
    return Counter(weight for _, weight in {(each.code, each.weight) for each in findings})


def _likeness(found: FoundFormula, view: QuestionView) -> float:
    """How far a formula speaks of what the question does: by meaning, by words, and by its name."""
    label = frozenset(stems(found.formula.label))
    named = len(label & (view.stems | view.told)) / len(label) if label else 0.0
    return found.meaning + found.words + named


def choice_of(plan: Plan, ranking: Ranking, constants: ConstantSource) -> Choice:
    """A ranked plan as what would be computed."""
    steps = planned_steps(plan, ranking.scorer, constants)
    taken = plan.taken()
    seen = ranking.view.values
    left = ranking.view.left_over(range(len(seen)), taken)
    unused = tuple(seen[value].given.text for value in left if not seen[value].given.implied)
    return Choice(
        steps=steps,
        score=plan.score,
        confidence=0.0,
        missing=(*missing_values(plan), *_absent_constants(steps)),
        unused=unused,
        features=_contributions(plan, ranking.scorer),
    )


def _contributions(plan: Plan, scorer: Scorer) -> tuple[tuple[str, float], ...]:
    """What each piece of evidence is worth in a plan, the weightiest first."""
    worths = {name: scorer.table[name] * amount for name, amount in plan.evidence.items() if amount}
    return tuple(sorted(worths.items(), key=lambda item: (-abs(item[1]), item[0])))


def as_nearest(formula: Formula, name_document: Callable[[str], str]) -> Nearest:
    """A formula as one that is near. What it needs is told in words; a symbol that has none tells nobody anything."""
    needs = tuple(
        dict.fromkeys(
            in_words
            for symbol in formula.symbols
            if symbol.name != formula.target and symbol.role == "variable" and (in_words := meaning_words(symbol))
        )
    )
    document = name_document(formula.spans[0].document) if formula.spans else ""
    return Nearest(formula.id, formula.label, formula.latex, document, needs)


def in_order(
    plans: Sequence[Plan], trials: Sequence[Trial], scorer: Scorer
) -> tuple[tuple[Plan, ...], tuple[Trial, ...]]:
    """The plans in the order in which they would be carried out, with what came of the first ones.

    A plan that this program cannot compute goes behind the others. One that has no number at all stays where it is:
    only a plan that says the same as well may take its place, never a worse one.
    """
    ranks = range(len(trials))
    is_lost = [plans[place].is_complete and trials[place].value is None for place in ranks]
    is_lost = [lost and not trials[place].is_impossible for place, lost in enumerate(is_lost)]
    order = list(ranks) if all(is_lost) else sorted(ranks, key=lambda place: is_lost[place])
    best = plans[order[0]].score
    if trials[order[0]].is_impossible:
        ties = [place for place in order if best - plans[place].score <= _LIMITS["tie"] and plans[place].is_complete]
        possible = [place for place in ties if trials[place].value is not None and not trials[place].against]
        order = [*possible[:1], *(place for place in order if place not in possible[:1])]
    else:
        order = _plausible_first(order, plans, trials, scorer)
    rest = plans[len(trials) :]
    return (*(plans[place] for place in order), *rest), tuple(trials[place] for place in order)


def _plausible_first(order: Sequence[int], plans: Sequence[Plan], trials: Sequence[Trial], scorer: Scorer) -> list[int]:
    """Of plans that are nearly as good, those first whose number the quantity is known to have, and whose formulas hold
    for these values."""
    first = plans[order[0]]

    def is_later(place: int) -> bool:
        plan, value = plans[place], trials[place].value
        is_close = first.score - plan.score <= _LIMITS["close_rival"] and plan.is_complete == first.is_complete
        is_odd = value is not None and (_is_odd(plan, value) or bool(plan.evidence.get("regime")))
        return is_odd or not is_close or bool(trials[place].against) or is_against_motion(plan, value, scorer)

    return sorted(order, key=is_later)


def _absent_constants(steps: Sequence[PlannedStep]) -> tuple[Missing, ...]:
    """Symbols that count as constants of which nobody knows the value."""
    found = []
    for step in steps:
        bound = {each.symbol for each in step.bindings}
        found += [
            Missing(symbol.name, symbol.description or symbol.name, symbol.unit or "", symbol.letter)
            for symbol in step.formula.symbols
            if symbol.role == "constant"
            and symbol.name != step.target
            and symbol.name not in bound
            # What cancels in another reading of the formula is not needed.
            and symbol.name in equation_symbols(step.equation)
        ]
    return tuple(found)


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
        if agree(other, value):
            agreeing[formula] = None
        elif best.score - plan.score < _LIMITS["close_rival"]:
            disagreeing[formula] = other
    return tuple(agreeing), tuple(disagreeing.items())
