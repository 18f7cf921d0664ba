"""Slots that are not asked for are filled only where a plan could count; the rest would have counted nowhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from computed_formulas import formula
from mathrag.reason.choosing import choose
from mathrag.reason.choosing.chains import FURTHEST, behind
from mathrag.reason.choosing.choose import _different, _with_unasked
from mathrag.reason.choosing.question_view import view_question
from mathrag.reason.choosing.scores import Aim, ScoredStep, Scorer
from mathrag.reason.choosing.slots import candidates_of
from mathrag.reason.choosing.weights import weights
from mathrag.reason.question import read_question
from mathrag.retrieve.candidates import FoundFormula
from mathrag.types.library import Formula

NAMES = {
    "E": {"kind": "kinetic_energy", "description": "kinetic energy"},
    "m": {"kind": "mass", "description": "mass"},
    "m_1": {"kind": "mass", "description": "mass of the first body"},
    "m_2": {"kind": "mass", "description": "mass of the second body"},
    "v": {"kind": "speed", "description": "speed"},
    "v_1": {"kind": "speed", "description": "speed of the first body"},
    "v_2": {"kind": "speed", "description": "speed of the second body"},
    "p": {"kind": "momentum", "description": "momentum"},
    "F": {"kind": "force", "description": "force"},
    "d": {"kind": "distance", "description": "distance"},
    "t": {"kind": "time", "description": "time"},
}
EQUATIONS = (
    (r"E = \frac{1}{2} m v^2", "E m v", "Kinetic energy"),
    (r"p = m_1 v_1 + m_2 v_2", "p m_1 v_1 m_2 v_2", "Total momentum"),
    (r"p = m v", "p m v", "Momentum"),
    (r"v = \frac{d}{t}", "v d t", "Average speed"),
    (r"F = \frac{p}{t}", "F p t", "Mean force"),
    (r"E = F d", "E F d", "Work of a force"),
)
QUESTIONS = (
    "A cart of mass 3 kg moves at 4 m/s for 5 s. What is its kinetic energy?",
    "Two sledges of 20 kg and 35 kg slide at 2 m/s and 1 m/s. What is the total momentum?",
    "A trolley covers 12 m in 4 s. How heavy is it, if m = 2 kg and v_1 = 3 m/s?",
    "What force stops a 900 kg boat within 8 s, when it moves at 6 m/s over 30 m?",
    "How long does a sprinter need?",
)


def formulas() -> list[Formula]:
    return [
        replace(formula(latex, {name: NAMES[name] for name in names.split()}, label=label), id=f"formula-{number}")
        for number, (latex, names, label) in enumerate(EQUATIONS)
    ]


def aims(scorer: Scorer, *, is_asked: bool) -> list[Aim]:
    return [
        aim
        for number, item in enumerate(formulas())
        for candidate in candidates_of(item)
        for aim in scorer.aims(candidate, FoundFormula(item, 1 / (number + 1), 0.4, number, ()), is_asked=is_asked)
    ]


def told(plans: Sequence[ScoredStep]) -> list[tuple[float, str, str]]:
    return [(plan.score, plan.candidate.formula.id, plan.slot.symbol) for plan in plans]


@pytest.mark.parametrize("question", QUESTIONS)
def test_no_plan_exceeds_its_ceiling(question: str) -> None:
    scorer = Scorer(view_question(read_question(question)), weights())
    every = [*aims(scorer, is_asked=True), *aims(scorer, is_asked=False)]
    assert every
    assert [aim.key for aim in every if scorer.best_plan(aim).score > scorer.ceiling(aim) + 1e-9] == []


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("kept", [1, 3, 8])
def test_what_is_left_out_would_not_have_counted(question: str, kept: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choose, "_KEPT", kept)
    scorer = Scorer(view_question(read_question(question)), weights())
    asked = sorted(map(scorer.best_plan, aims(scorer, is_asked=True)), key=choose._order)
    others = aims(scorer, is_asked=False)
    every = sorted((*asked, *map(scorer.best_plan, others)), key=choose._order)
    made = _with_unasked(asked, others, scorer)
    assert told(made[:kept]) == told(every[:kept])
    assert _beginning(made, scorer) == _beginning(every, scorer)


def _beginning(plans: Sequence[ScoredStep], scorer: Scorer) -> list[tuple[float, str, str]]:
    """The plans with which a chain may begin."""
    different = _different(plans)
    promises = [behind(plan.evidence, scorer.table) for plan in different]
    return told([plan for plan, each in zip(different, promises, strict=True) if each <= min(promises) + FURTHEST])


def test_most_is_left_out_where_few_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choose, "_KEPT", 1)
    scorer = Scorer(view_question(read_question(QUESTIONS[0])), weights())
    asked = sorted(map(scorer.best_plan, aims(scorer, is_asked=True)), key=choose._order)
    others = aims(scorer, is_asked=False)
    assert len(_with_unasked(asked, others, scorer)) - len(asked) < len(others) / 2
