"""Choose formula, unknown and values together, for one question: score every candidate under every reading, chain where
a value is missing or left over, and rank. Whether the best is good enough is decided in `confidence.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import heappush, heappushpop

from mathrag.reason.choosing.chains import FURTHEST, ChainSearch, behind
from mathrag.reason.choosing.plan_checks import examined
from mathrag.reason.choosing.plans import Plan, single_step_plan, with_better_exchange
from mathrag.reason.choosing.question_view import QuestionView, view_question
from mathrag.reason.choosing.ratios import ratio_plans
from mathrag.reason.choosing.resemblance import with_cases
from mathrag.reason.choosing.scores import Aim, ScoredStep, Scorer
from mathrag.reason.choosing.slots import Candidate, candidates_of, opened_candidate_of
from mathrag.reason.choosing.spelled_out import spelled_first
from mathrag.reason.choosing.systems import SystemSearch
from mathrag.reason.choosing.target_evidence import how_asked
from mathrag.reason.choosing.weights import thresholds, weights
from mathrag.reason.question.stated_values import with_stated_values
from mathrag.retrieve.candidates import Finder, FoundFormula
from mathrag.retrieve.case_search import CaseHit
from mathrag.retrieve.signature import Signature
from mathrag.types.library import Formula
from mathrag.types.question import Question

# Formulas that a chain may add to those found for the question itself.
_MORE = 16
# Plans that are kept of a kind; what stands further behind has never won.
_KEPT = 40
# Plans that are looked at as a whole; those behind them would have to leap over all of these.
_EXAMINED = 24
_PLAINLY_ASKED = thresholds("chain")["plainly_asked"]
# What rounding may make of two equal scores.
_NOISE = 1e-6


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
    untrusted = finder.counterparts.untrusted
    question = with_stated_values(question, [one.formula for one in found], untrusted=untrusted)
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
    scored = sorted(map(scorer.best_plan, _aims(scorer, found, is_asked=True)), key=_order)
    is_sure = bool(scored) and not (_is_poor(scored[0]) or opened_candidate_of(scored[0].candidate.formula))
    if finder.may_be_guessed and not is_sure:
        scored = sorted((*scored, *map(scorer.best_plan, _opened_aims(scorer, found))), key=_order)
    if not scored or _is_poor(scored[0]):
        scored = _with_unasked(scored, _aims(scorer, found, is_asked=False), scorer)
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
    plans = spelled_first(plans[:_KEPT], scorer.view)
    return Ranking(scorer.view, scorer, tuple(plans), tuple(found), tuple(cases))


def _plan_order(plan: Plan) -> tuple[float, int, str, str]:
    return (-plan.score, plan.hops, plan.step.candidate.formula.id, plan.step.slot.symbol)


def _aims(scorer: Scorer, found: Sequence[FoundFormula], *, is_asked: bool) -> list[Aim]:
    return [
        aim
        for one in found
        for candidate in candidates_of(one.formula)
        for aim in scorer.aims(candidate, one, is_asked=is_asked)
    ]


def _opened_aims(scorer: Scorer, found: Sequence[FoundFormula]) -> list[Aim]:
    """Aims of the formulas with the dimensions left open that were only guessed."""
    opened = ((one, opened_candidate_of(one.formula)) for one in found)
    return [
        aim for one, candidate in opened if candidate is not None for aim in scorer.aims(candidate, one, is_asked=True)
    ]


def _with_unasked(scored: Sequence[ScoredStep], aims: Sequence[Aim], scorer: Scorer) -> list[ScoredStep]:
    """The plans with those for slots of another dimension than what is asked. Most of these can be told to stand behind
    all that are kept before their slots are filled; then they are left out, unless a chain might begin with them."""
    ceilings = [scorer.ceiling(aim) for aim in aims]
    beginnings = _beginnings(scored, aims, scorer.table)
    best = [plan.score for plan in scored[:_KEPT]][::-1]
    planned: dict[int, ScoredStep] = {}
    for place in sorted(range(len(aims)), key=lambda place: -ceilings[place]):
        is_behind = len(best) == _KEPT and ceilings[place] < best[0] - _NOISE
        if is_behind and aims[place].key not in beginnings:
            continue
        plan = planned[place] = scorer.best_plan(aims[place])
        if len(best) < _KEPT:
            heappush(best, plan.score)
        else:
            heappushpop(best, plan.score)
    return sorted((*scored, *(planned[place] for place in sorted(planned))), key=_order)


def _beginnings(
    scored: Sequence[ScoredStep], aims: Sequence[Aim], table: Mapping[str, float]
) -> frozenset[tuple[str, str]]:
    """The formulas and unknowns among the aims with which a chain might begin."""
    keys = frozenset(aim.key for aim in aims)
    sure = [plan for plan in _different(scored) if (plan.candidate.formula.id, plan.slot.symbol) not in keys]
    if not sure or table["regime"] > 0:
        return keys
    furthest = min(behind(plan.evidence, table) for plan in sure) + FURTHEST + _NOISE
    near = {aim.key for aim in aims if behind(aim.evidence, table) <= furthest}
    # Of several readings the likeliest begins a chain, whether it gives what is asked or not.
    return keys.intersection((*near, *((plan.candidate.formula.id, plan.slot.symbol) for plan in scored)))


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
        self._signatures = finder.signatures
        self._view = view
        self._pool: dict[str | None, dict[str, Candidate]] = {}
        for candidate in pool:
            for slot in candidate.slots:
                self._pool.setdefault(slot.dimension, {})[candidate.formula.id] = candidate
        self._known: dict[tuple[str, tuple[int, ...]], Sequence[Candidate]] = {}

    def __call__(self, dimension: str, free: Sequence[int]) -> Sequence[Candidate]:
        key = (dimension, tuple(sorted(free)))
        if key not in self._known:
            found = dict(self._pool.get(dimension, {}))
            for candidate in self._further(dimension, free):
                if any(slot.dimension == dimension for slot in candidate.slots):
                    found[candidate.formula.id] = candidate
            self._known[key] = tuple(found.values())
        return self._known[key]

    def _further(self, dimension: str, free: Sequence[int]) -> list[Candidate]:
        givens = tuple(
            frozenset(str(quantity.dimension) for quantity in self._view.values[value].given.readings) for value in free
        )
        ids = self._signatures.search(Signature(givens, frozenset((dimension,))), limit=_MORE)
        return [candidate for formula in self._finder.formulas(ids) for candidate in candidates_of(formula)[:1]]
