"""Values that a question says in words: named by their quote, read by us, never taken from whoever names them."""

from __future__ import annotations

import pytest
from agent_scenes import bench, found

from mathrag.reason.agent import Episode
from mathrag.reason.agent.planners import ScriptedPlanner
from mathrag.types.episode import Action, Observation
from mathrag.types.question import Question

TEXT = (
    "A dozen eggs and half a dozen buns lie on a disc that makes one revolution in half a minute from rest. A litre of "
    "water runs off each hour, heat is lost per kilogram, and the disc is twice as wide as a hand. Three dozen hands "
    "meet at a right angle. In the second part the disc turns for two and a half hours, and a bar of iron lies between "
    "4 and 5 m from it."
)


def define(quote: str, **inputs: object) -> Observation:
    question = Question(TEXT, "compute")
    planner = ScriptedPlanner((Action("DEFINE_VALUE", {"quote": quote, **inputs}),))
    return Episode(planner, bench(question, found())).run(question).events[0].observation


@pytest.mark.parametrize(
    ("quote", "unit", "shown"),
    [
        ("A dozen eggs", "", "value_1 = 12"),
        ("half a dozen", "", "value_1 = 6"),
        ("Three dozen", "", "value_1 = 36"),
        ("one revolution", "turn", "value_1 = 1 turn"),
        ("half a minute", "", "value_1 = 0.5 min"),
        ("A litre", "", "value_1 = 1 L"),
        ("twice as wide", "", "value_1 = 2"),
        ("from rest", "m/s", "value_1 = 0 m/s"),
        ("a right angle", "", "value_1 = 90 deg"),
        ("two and a half hours", "", "value_1 = 2.5 h"),
    ],
)
def test_words_that_say_a_value(quote: str, unit: str, shown: str) -> None:
    seen = define(quote, unit=unit)
    assert (seen.code, seen.message) == ("value_defined", shown)


@pytest.mark.parametrize(
    ("quote", "inputs", "code"),
    [
        ("A dozen eggs", {"value": 13}, "number_not_quoted"),
        ("A litre", {"value": 2, "unit": "L"}, "number_not_quoted"),
        ("one revolution", {"value": 6.28, "unit": "rad"}, "number_not_quoted"),
        ("the disc turns", {}, "number_not_quoted"),
        ("between 4 and 5 m", {}, "number_not_quoted"),
        ("a gallon", {}, "quote_not_found"),
        ("per kilogram", {"value": 1, "unit": "kg"}, "number_not_quoted"),
        ("A litre", {"unit": "kg"}, "unit_not_in_question"),
        ("A litre", {"unit": "mile"}, "unit_not_in_question"),
    ],
)
def test_words_that_do_not(quote: str, inputs: dict[str, object], code: str) -> None:
    assert define(quote, **inputs).code == code


def test_a_direction_makes_a_value_negative_and_nothing_else_changes_it() -> None:
    assert define("between 4 and 5 m", value=-4, unit="m").message == "value_1 = -4 m"
    assert define("A dozen eggs", value=12.000000000001).message == "value_1 = 12"
