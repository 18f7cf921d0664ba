"""Choose formula, unknown and values together, for one question: score every candidate under every reading, chain where
a value is missing or left over, and rank. Whether the best is good enough is decided in `confidence.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mathrag.reason.choosing.chains import ChainSearch
from mathrag.reason.choosing.plan_checks import examined
from mathrag.reason.choosing.plans import Plan, single_step_plan, with_better_exchange
from mathrag.reason.choosing.question_view import QuestionView, view_question
from mathrag.reason.choosing.ratios import ratio_plans
from mathrag.reason.choosing.resemblance import with_cases
from mathrag.reason.choosing.scores import ScoredStep, Scorer
from mathrag.reason.choosing.slots import Candidate, candidates_of
from mathrag.reason.choosing.systems import SystemSearch
from mathrag.reason.choosing.target_evidence import how_asked
from mathrag.reason.choosing.weights import thresholds, weights
from mathrag.retrieve.candidates import Finder, FoundFormula
from mathrag.retrieve.case_search import CaseHit
from mathrag.retrieve.signature import Signature
from mathrag.store.truth.reader import formulas_by_ids
from mathrag.types.library import Formula
from mathrag.types.question import Question

# Formulas that a chain may add to those found for the question itself.
_MORE = 16
# Plans that are kept of a kind; what stands further behind has never won.
_KEPT = 40
# Plans that are looked at as a whole; those behind them would have to leap over all of these.
_EXAMINED = 24
_PLAINLY_ASKED = thresholds("chain")["plainly_asked"]


@dataclass(frozen=True, slots=True)
class Ranking:
    """Plans for a question, best first, and what was searched."""

    view: QuestionView
    scorer: Scorer
    plans: tuple[Plan, ...]
    found: tuple[FoundFormula, ...]
    cases: tuple[CaseHit, ...] = ()


def rank_plans(
    question: Question, finder: Finder, *, only: Formula | None = None, table: Mapping[str, float] | None = None
) -> Ranking:
    """Every sensible plan for a question, best first; only those of one formula where it is pinned."""
    chosen = weights() if table is None else table
    cases = finder.resembling(question) if only is None else []
    pinned = None if only is None else [FoundFormula(only, 1.0, 1.0, 1, ("pinned",))]
    found = pinned or finder.find(question, cases=cases)
    ranking = _rank(view_question(question), found, finder, chosen, cases)
    if any(given.series is not None for given in question.givens):
        spread = _rank(view_question(question, is_list_spread=True), found, finder, chosen, cases)
        if spread.plans and (not ranking.plans or spread.plans[0].score > ranking.plans[0].score):
            return spread
    return ranking


def _rank(
    view: QuestionView,
    found: Sequence[FoundFormula],
    finder: Finder,
    table: Mapping[str, float],
    cases: Sequence[CaseHit],
) -> Ranking:
    scorer = Scorer(view, table, rarity=finder.rarity)
    scored = _scored(scorer, found, is_asked=True)
    if not scored or _is_poor(scored[0]):
        scored += _scored(scorer, found, is_asked=False)
        scored.sort(key=_order)
    plans = [single_step_plan(plan) for plan in scored[:_KEPT]]
    if scored and _is_worth_chaining(scored[0], view):
        source = _InnerCandidates(
            finder, view, [candidate for one in found for candidate in candidates_of(one.formula)[:1]]
        )
        chains = sorted(ChainSearch(scorer, source).chains(_different(scored)), key=lambda plan: -plan.score)
        plans.extend(with_better_exchange(chain, scorer) for chain in chains[:_KEPT])
        scorer, systems = SystemSearch(scorer, source).systems(scored)
        plans.extend(systems)
    ratios = ratio_plans(scorer, found)
    if ratios is not None:
        scorer, plans = ratios
    plans = with_cases(plans, cases, table)
    plans.sort(key=_plan_order)
    plans = sorted((*(examined(plan, scorer) for plan in plans[:_EXAMINED]), *plans[_EXAMINED:_KEPT]), key=_plan_order)
    return Ranking(scorer.view, scorer, tuple(plans[:_KEPT]), tuple(found), tuple(cases))


def _plan_order(plan: Plan) -> tuple[float, int, str, str]:
    return (-plan.score, plan.hops, plan.step.candidate.formula.id, plan.step.slot.symbol)


def _scored(scorer: Scorer, found: Sequence[FoundFormula], *, is_asked: bool) -> list[ScoredStep]:
    plans = [
        plan
        for one in found
        for candidate in candidates_of(one.formula)
        for plan in scorer.score(candidate, one, is_asked=is_asked)
    ]
    return sorted(plans, key=_order)


def _order(plan: ScoredStep) -> tuple[float, str, str]:
    return (-plan.score, plan.candidate.formula.id, plan.slot.symbol)


def _is_poor(best: ScoredStep) -> bool:
    """Whether the best plan that gives what is asked lacks a value or leaves one: the question may be misread."""
    return bool(best.missing) or bool(best.evidence.get("unused"))


def _is_worth_chaining(best: ScoredStep, view: QuestionView) -> bool:
    """A complete plan that uses every value stated and gives what is asked needs no chain."""
    if (
        best.missing
        or best.evidence.get("regime")
        or any(not view.values[value].given.implied for value in best.unused)
    ):
        return True
    return how_asked(best.evidence) < _PLAINLY_ASKED or bool(best.evidence.get("target_other"))


def _different(scored: Sequence[ScoredStep]) -> list[ScoredStep]:
    """The plan for each formula and unknown under the likeliest reading of its symbols; a chain needs no far-fetched
    reading that finds a place for every value."""
    best: dict[tuple[str, str], ScoredStep] = {}
    for plan in scored:
        key = (plan.candidate.formula.id, plan.slot.symbol)
        if key not in best or plan.candidate.prior > best[key].candidate.prior:
            best[key] = plan
    return list(best.values())


class _InnerCandidates:
    """Candidates for inner steps: those found for the question, and those whose signature fits what is left over."""

    def __init__(self, finder: Finder, view: QuestionView, pool: Sequence[Candidate]) -> None:
        self._finder = finder
        self._view = view
        self._pool = pool
        self._known: dict[tuple[str, tuple[int, ...]], Sequence[Candidate]] = {}

    def __call__(self, dimension: str, free: Sequence[int]) -> Sequence[Candidate]:
        key = (dimension, tuple(sorted(free)))
        if key not in self._known:
            found = {
                candidate.formula.id: candidate
                for candidate in (*self._pool, *self._further(dimension, free))
                if any(slot.dimension == dimension for slot in candidate.slots)
            }
            self._known[key] = tuple(found.values())
        return self._known[key]

    def _further(self, dimension: str, free: Sequence[int]) -> list[Candidate]:
        givens = tuple(
            frozenset(str(quantity.dimension) for quantity in self._view.values[value].given.readings) for value in free
        )
        ids = self._finder.signatures.search(Signature(givens, frozenset((dimension,))), limit=_MORE)
        return [
            candidate
            for formula in formulas_by_ids(self._finder.database, ids)
            for candidate in candidates_of(formula)[:1]
        ]
