"""Angles without a unit: degrees beyond a whole turn or where slopes are spoken of, else radians; always said."""

from __future__ import annotations

import math

import pytest

from computed_formulas import formula
from mathrag.knowledge.kinds import kind
from mathrag.knowledge.units import read_unit
from mathrag.reason.computing import compute_step
from mathrag.reason.computing.bare_angles import with_angle_unit
from mathrag.reason.question.wording import AngleUnit
from mathrag.types.answer import Bound, PlannedStep, Provenance, Step
from mathrag.types.quantity import Quantity

LIFT = formula(r"L = D \sin \theta", {"L": "length", "D": "length", "theta": "angle"})
UNNAMED = formula(r"y = x \cos 2 q", {"y": "length", "x": "length"})
IN_DEGREES = formula(r"s = \frac{\pi r \theta}{180}", {"s": "length", "r": "length", "theta": "angle"})


def lifted(angle: Quantity, text: str) -> Step:
    assert LIFT.equation is not None
    bindings = (
        Bound("D", Provenance("question", "2 m"), Quantity(2, read_unit("m"))),
        Bound("theta", Provenance("question", text), angle),
    )
    step = compute_step(PlannedStep(LIFT, LIFT.equation, "L", bindings), 1, results={})
    assert isinstance(step, Step)
    return step


@pytest.mark.parametrize(
    ("value", "expected", "said"),
    [(30, 1.0, "taken as degrees"), (90, 2.0, "taken as degrees"), (0.5, 2 * math.sin(0.5), "taken as radians")],
)
def test_a_bare_angle_is_taken_and_said(value: float, expected: float, said: str) -> None:
    step = lifted(Quantity(value), str(value))
    assert step.result.si_value == pytest.approx(expected)
    assert any(said in warning for warning in step.warnings)


@pytest.mark.parametrize(("text", "unit"), [("30°", "deg"), ("0.5 rad", "rad")])
def test_nothing_is_said_of_an_angle_with_its_unit(text: str, unit: str) -> None:
    assert lifted(Quantity(0.5, read_unit(unit)), text).warnings == ()


def test_a_slope_in_percent_is_the_tangent_of_its_angle() -> None:
    step = lifted(Quantity(75, read_unit("percent")), "75 %")
    assert step.result.si_value == pytest.approx(2 * 0.6)
    assert any("rise over run" in warning for warning in step.warnings)


def test_a_computed_step_computes_to_the_same_again() -> None:
    step = lifted(Quantity(30), "30")
    again = compute_step(PlannedStep(step.formula, step.equation, step.target, step.bindings), 1, results={})
    assert isinstance(again, Step)
    assert (again.result, again.warnings) == (step.result, step.warnings)
    said = step.bindings[1].provenance
    assert (said.text, said.taken, said.words) == ("30", "degrees", "30, taken as degrees")


def settled(item: Bound, *, spoken: AngleUnit = "") -> Quantity | None:
    assert LIFT.equation is not None
    return with_angle_unit(item, kind("angle"), LIFT.equation, spoken=spoken).quantity


def test_the_words_of_the_question_decide_on_a_small_angle() -> None:
    small = Bound("theta", Provenance("question", "4"), Quantity(4))
    assert settled(small, spoken="deg") == Quantity(4, read_unit("deg"))
    assert settled(small, spoken="rad") == Quantity(4, read_unit("rad"))
    assert settled(small) == Quantity(4, read_unit("rad"))


def test_a_symbol_under_a_sine_is_an_angle_without_being_named_one() -> None:
    assert UNNAMED.equation is not None
    item = Bound("q", Provenance("question", "40"), Quantity(40))
    assert with_angle_unit(item, None, UNNAMED.equation).quantity == Quantity(40, read_unit("deg"))
    other = Bound("x", Provenance("question", "40"), Quantity(40))
    assert with_angle_unit(other, None, UNNAMED.equation) is other


def test_what_is_no_bare_angle_of_a_person_stays() -> None:
    assert IN_DEGREES.equation is not None
    item = Bound("theta", Provenance("question", "40"), Quantity(40))
    assert with_angle_unit(item, kind("angle"), IN_DEGREES.equation) is item
    derived = Bound("theta", Provenance("derived", "derived in step 1", step=1), Quantity(40))
    assert settled(derived) == Quantity(40)
    nothing = Bound("theta", Provenance("question", "0"), Quantity(0))
    assert settled(nothing) == Quantity(0)
