"""What a planner leaves unused is told by where it stands: 500 J are not taken up because 1500 J are."""

from __future__ import annotations

from dataclasses import replace

from agent_scenes import bench, formula, found, given, quantity

from mathrag.reason.agent import Episode
from mathrag.reason.agent.planners import ScriptedPlanner
from mathrag.reason.agent.seams import Support, Verdict
from mathrag.types.episode import Action
from mathrag.types.question import Question

TEXT = "A lamp takes 500 J. A flywheel has 350 J and later 1500 J. By how much does its energy grow?"
LAW = formula("f-change", "D = E - A", {"D": ("energy change", "J"), "E": ("later energy", "J"), "A": ("energy", "J")})
RETRIEVE = Action("RETRIEVE_MATH_KNOWLEDGE", {"query": "energy"})
CALL = Action("CALL_TOOL", {"formula_id": "f-change", "target": "D", "parameters": {"E": "given_3", "A": "given_2"}})


def test_a_value_that_ends_like_another_is_left_unused() -> None:
    values = tuple(given(f"{size} J", TEXT, quantity(size, "J")) for size in (500, 350, 1500))
    retrieved = replace(found(extra=(LAW,)), find_support=lambda _: Support())
    scene = bench(Question(TEXT, "compute", values), retrieved, judge_chain=lambda *_: Verdict(is_answer=True))
    planner = ScriptedPlanner(
        (RETRIEVE, CALL, Action("RESPOND", {}), Action("RESPOND", {"because": "it is the lamp's"}))
    )
    result = Episode(planner, scene).run(Question(TEXT, "compute", values))
    told = result.events[2].observation
    assert told.code == "objections"
    assert "the question also gives 500 J, which is not used" in told.message
