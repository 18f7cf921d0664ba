"""What the ranking says for steps that were carried out: its own plans are found again, others are scored alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from mathrag.library import Library
from mathrag.reason.choosing.plans import planned_steps
from mathrag.reason.computing import StepFailure, compute_steps
from mathrag.reason.decision import Decider, Decision
from mathrag.reason.judge import Judge
from mathrag.reason.plan_support import rebuilt_plan, support_for
from mathrag.reason.session import Options, prepare_question
from mathrag.types.answer import Step

QUESTIONS = (
    "What is the kinetic energy of a 2 kg ball at a speed of 3 m/s?",
    "A ball of mass 2 kg has a kinetic energy of 9 J. How fast is it?",
    "What is the pressure of 2 mol of an ideal gas at 300 K in a volume of 0.5 m^3?",
    "A 2 kg crate is accelerated at 3 m/s^2 over a distance of 4 m. How much work is done?",
    "A 2 kg cart is next to a 5 kg ball. What is the kinetic energy of the ball at a speed of 3 m/s?",
)


def decided(library: Library, text: str) -> tuple[Judge, Decision]:
    sources = library._asker.sources
    question = prepare_question(text, sources, Options({}))
    judge = Judge(sources.finder, sources.load_constant, sources.name_document)
    return judge, Decider(judge).decide(question)


def computed(decision: Decision, judge: Judge) -> list[tuple[float, int, tuple[Step, ...]]]:
    """Score, hops and steps of every plan that can be computed."""
    found = []
    for plan in decision.ranking.plans:
        if plan.is_complete:
            steps = compute_steps(planned_steps(plan, decision.ranking.scorer, judge.constants))
            if not isinstance(steps, StepFailure):
                found.append((plan.score, plan.hops, steps))
    return found


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_plan_of_the_ranking_is_found_again(made: Path, question: str) -> None:
    with Library(made, create=False) as library:
        judge, decision = decided(library, question)
        plans = computed(decision, judge)
        assert plans
        for score, hops, steps in plans:
            support = support_for(steps, decision, judge)
            assert support.choice is not None
            assert support.choice.score == pytest.approx(score)
            anew = rebuilt_plan(steps, decision.ranking, judge.constants)
            # A chain shares values between its steps at a price that only the search for chains knows.
            assert hops or (anew is not None and anew.score == pytest.approx(score, abs=0.6))


def test_the_first_choice_has_the_confidence_it_was_given(made: Path) -> None:
    with Library(made, create=False) as library:
        judge, decision = decided(library, QUESTIONS[0])
        steps = compute_steps(decision.choices[0].steps)
        assert not isinstance(steps, StepFailure)
        support = support_for(steps, decision, judge)
    assert support.choice is decision.choices[0]
    assert support.confidence == decision.choices[0].confidence
    assert support.is_fair
    assert support.objection is None
