"""One judge of plans, whoever proposes them: everything that speaks against a plan, as findings.

Chooses no plan and answers nothing. A plan is computed once for it, to see whether it has a number at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from mathrag.language.enumeration import listed
from mathrag.language.stems import stems
from mathrag.reason.choosing.choose import Ranking
from mathrag.reason.choosing.plans import ConstantSource, Plan, missing_values, planned_steps, untold_exchanges
from mathrag.reason.choosing.question_view import QuestionView
from mathrag.reason.choosing.slots import meaning_words
from mathrag.reason.computing import compute_steps
from mathrag.reason.computing.worked_lines import plain_equation
from mathrag.reason.judge import checks
from mathrag.reason.judge.asked_names import belongs_to_another, named_after_another, values_of_others
from mathrag.reason.judge.directions import contradicted_directions
from mathrag.reason.judge.distant_limits import broken_limit
from mathrag.reason.judge.given_itself import called_as_the_result, echoes, given_otherwise, may_tell, taken_otherwise
from mathrag.reason.judge.impossible import Trial, impossible_values, trial_of
from mathrag.reason.judge.left_over import contradictions_of_left_over
from mathrag.reason.judge.motion import backwards, is_against_motion
from mathrag.reason.judge.rivals import NO_DOUBTS, DoubtFinder, Doubts
from mathrag.reason.judge.spots import Spot, of_result
from mathrag.reason.judge.variants import are_equal, plain_first
from mathrag.reason.question.stated_values import adjustments, choices_in_words
from mathrag.retrieve.candidates import Finder
from mathrag.types.answer import Missing, PlannedStep, Step
from mathrag.types.finding import Finding
from mathrag.types.quantity import Quantity

# Results this near to each other, relatively, agree: documents round their constants.
_SAME = 1e-3
# Plans that may tell what the values of another are.
_TELLING = 8
# With a formula that the user chose, only these count: what the question says cannot be, and what it does not say.
_FOR_A_CHOSEN_FORMULA = frozenset(
    rule.code for rule in (checks.TWO_VALUES[0], checks.DIRECTION, checks.MISSING, checks.IMPOSSIBLE_VALUE)
)


@dataclass(frozen=True, slots=True)
class Judge:
    """Judges plans over one library, with its constants and what people call its documents; all of them may be
    `of_one_hand`."""

    finder: Finder
    constants: ConstantSource
    name_document: Callable[[str], str]
    of_one_hand: bool = False

    def trial(self, plan: Plan, ranking: Ranking) -> Trial:
        """What comes of computing a plan; nothing where it lacks a value."""
        if not plan.is_complete:
            return Trial()
        steps = compute_steps(planned_steps(plan, ranking.scorer, self.constants), is_shown=False)
        return trial_of(plan, steps, ranking.view)

    def in_order(
        self, plans: Sequence[Plan], trials: Sequence[Trial], view: QuestionView
    ) -> tuple[tuple[Plan, ...], tuple[Trial, ...]]:
        """The plans, with the plain variant of the best in front where all are of one hand."""
        return plain_first(plans, trials, said_in(view)) if self.of_one_hand else (tuple(plans), tuple(trials))

    def doubts(self, plan: Plan, ranking: Ranking, trial: Trial) -> Doubts:
        """What the library itself says against a plan that has a number."""
        if trial.value is None:
            return NO_DOUBTS
        return self.doubts_about(planned_steps(plan, ranking.scorer, self.constants), ranking.view)

    def doubts_about(self, steps: Sequence[PlannedStep | Step], view: QuestionView) -> Doubts:
        """What the library itself says against steps, whoever planned them."""
        finder = DoubtFinder(
            self.finder.counterparts, self.constants, self.name_document, said_in(view), self.of_one_hand
        )
        return finder.doubts(steps)

    def findings(self, plan: Plan, ranking: Ranking, trial: Trial, doubts: Doubts | None = None) -> tuple[Finding, ...]:
        """Everything that speaks against a plan, the weightiest first; `doubts` where they are known already."""
        known = self.doubts(plan, ranking, trial) if doubts is None else doubts
        return tuple(self._findings(plan, ranking, trial, known))

    def _findings(self, plan: Plan, ranking: Ranking, trial: Trial, doubts: Doubts) -> Iterator[Finding]:
        view = ranking.view
        yield from checks.checked((checks.TWO_VALUES,), plan, view)
        yield from checks.DIRECTION.findings(contradicted_directions(view))
        if plan.is_complete:
            spots = contradictions_of_left_over(plan, trial.value, ranking, self.constants)
            yield from checks.LEFT_OVER.findings(spots)
        yield from checks.MISSING.findings(_missing(plan))
        yield from checks.CASE.findings(_cases_unnamed(plan))
        yield from checks.FACTOR.findings(_factors_left_out(plan, view))
        yield from checks.IMPOSSIBLE_VALUE.findings(impossible_values(plan, ranking.scorer))
        yield from checks.NO_NUMBER.findings(_no_number(plan, trial))
        if trial.value is not None and not trial.against:
            yield from checks.LIMIT.findings(self._limits(plan, ranking))
        yield from checks.checked((checks.UNIT,), plan, view)
        yield from checks.BACKWARDS.findings(backwards(plan, trial.value, view))
        if is_against_motion(plan, trial.value, ranking.scorer):
            yield from checks.AGAINST_MOTION.findings((of_result(plan),))
        yield from checks.ECHO.findings(echoes(plan, trial.value, view))
        yield from checks.GIVEN.findings(given_otherwise(plan, trial.value, view))
        yield from checks.GIVEN.findings(called_as_the_result(plan, view))
        if trial.value is not None:
            yield from checks.OTHER_SENSE.findings(taken_otherwise(plan, self._others(plan, ranking), view))
        yield from checks.checked(checks.OF_PLAN_AND_QUESTION, plan, view)
        found = [one.formula for one in ranking.found]
        yield from checks.BELONGS_TO_ANOTHER.findings(belongs_to_another(plan, found, view))
        yield from checks.NAMED_AFTER_ANOTHER.findings(named_after_another(plan, ranking.plans, view))
        yield from checks.OF_ANOTHER.findings(values_of_others(plan, found, view))
        if self.of_one_hand:
            yield from checks.checked(checks.OF_ONE_HAND, plan, view)
        if self._is_untold(plan, trial.value, ranking):
            yield from checks.UNTOLD.findings((of_result(plan),))
        if trial.value is not None and not self.of_one_hand:
            yield from checks.VARIANTS.findings(self._variants(plan, trial.value, ranking))
        if doubts.are_serious:
            yield from checks.DISAGREEMENT.findings((of_result(plan),))

    def _limits(self, plan: Plan, ranking: Ranking) -> Iterator[Spot]:
        said = broken_limit(plan, ranking, self.finder, self.constants)
        if said:
            yield Spot(reason=said)

    def _others(self, plan: Plan, ranking: Ranking) -> Iterator[tuple[Plan, Quantity]]:
        """The first plans that may tell what a value of this one is, with their numbers."""
        for other in ranking.plans[:_TELLING]:
            if other is not plan and may_tell(other, plan, ranking.view):
                value = self.trial(other, ranking).value
                if value is not None:
                    yield other, value

    def _variants(self, plan: Plan, value: Quantity, ranking: Ranking) -> Iterator[Spot]:
        """Another formula that is meant as likely, and gives another number."""
        said = said_in(ranking.view)
        for other in ranking.plans[:_TELLING]:
            if not are_equal(plan, other, said):
                continue
            trial = self.trial(other, ranking)
            if trial.value is not None and not trial.against and not agree(trial.value, value):
                yield Spot(reason=_alike(plan, other))
                return

    def _is_untold(self, plan: Plan, value: Quantity | None, ranking: Ranking) -> bool:
        """Whether two values might as well change places, and another number would come out."""
        if value is None:
            return False
        others = (self.trial(other, ranking) for other in untold_exchanges(plan, ranking.scorer))
        return any(other.value is not None and not other.against and not agree(other.value, value) for other in others)


def _alike(one: Plan, other: Plan) -> str:
    """What of two plans nothing tells: which result is asked for, or which formula is meant, by label where that tells
    them apart."""
    first, second = one.step.candidate, other.step.candidate
    if first.formula.id == second.formula.id:
        names = [meaning_words(each.step.slot.meaning) or each.step.slot.symbol for each in (one, other)]
        return f"nothing tells whether {' or '.join(names)} is asked for"
    labels = [each.formula.label for each in (first, second)]
    is_label = labels[0] and labels[0] != labels[1]
    written = [plain_equation(each.equation) or each.formula.latex for each in (first, second)]
    named = [f"“{each}”" for each in labels] if is_label else written
    return f"{listed(named)} fit alike and give different numbers: say which is meant"


def agree(one: Quantity, other: Quantity) -> bool:
    """Whether two numbers agree but for rounding."""
    return abs(one.si_value - other.si_value) <= _SAME * abs(other.si_value)


def binding(findings: Sequence[Finding], *, is_chosen: bool) -> tuple[Finding, ...]:
    """The findings that count: all, or with a formula that the user chose, those that no choice of a formula mends."""
    return tuple(each for each in findings if not is_chosen or each.code in _FOR_A_CHOSEN_FORMULA)


def _no_number(plan: Plan, trial: Trial) -> Iterator[Spot]:
    if trial.is_impossible:
        yield Spot(symbols=(plan.step.slot.symbol,), reason=trial.against)


def _missing(plan: Plan) -> Iterator[Spot]:
    missing = missing_values(plan)
    if missing:
        reason = _missing_sentence(missing, plan.step.candidate.formula.label)
        reason += "".join(f"; {spot.reason}" for spot in _cases_unnamed(plan))
        yield Spot(symbols=tuple(each.symbol for each in missing), reason=reason)


def _cases_unnamed(plan: Plan) -> Iterator[Spot]:
    """What is missing and stated for several cases, of which the question names none."""
    for part in plan.steps():
        for place in part.step.missing:
            slot = part.step.candidate.slots[place]
            told = choices_in_words(slot.meaning.stated)
            if told:
                named = meaning_words(slot.meaning) or slot.symbol
                reason = f"for {named} the document states {told}: say which case it is"
                yield Spot(symbols=(slot.symbol,), reason=reason)


def _factors_left_out(plan: Plan, view: QuestionView) -> Iterator[Spot]:
    """What the documents multiply a result by in a case that the question names."""
    for part in plan.steps():
        for given in adjustments(view.question.givens, part.step.candidate.formula.id):
            value, case = given.readings[0].value, " ".join(given.words)
            reason = f"the document multiplies the result by {value:g} for {case}, which is not taken up"
            yield Spot(symbols=(part.step.slot.symbol,), reason=reason)


def _missing_sentence(missing: Sequence[Missing], label: str) -> str:
    """What is missing, in words. A symbol stands in it only where nothing else is known of the value."""
    known = [each.words for each in missing if each.words != each.symbol]
    unknown = [each.symbol for each in missing if each.words == each.symbol]
    if unknown:
        known.append(f"what “{label}” calls {' and '.join(unknown)}" if label else " and ".join(unknown))
    return f"the question does not give {listed(list(dict.fromkeys(known)))}"


def said_in(view: QuestionView) -> frozenset[str]:
    """The stems of what a question says, of its technical words, and of its numbers in words."""
    numbers = {word for one in view.values if one.given.text.isalpha() for word in stems(one.given.text)}
    return view.stems | view.told | numbers
