"""What the words of a question say, and a plan does not take up, leaves no number."""

from __future__ import annotations

import pytest

from mathrag.types.answer import Answer, Refusal
from trust.asked import ask


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (
            "A force of 70 N acts on a lever 0.20 m from its axis, 25° off the perpendicular. What is the torque?",
            "elsewhere",
        ),
        ("A ball is thrown at 18 m/s at 40° to the vertical. What maximum height does it reach?", "elsewhere"),
        (
            "A tram left at 6:00, arrived at 7:00 and took two hours for 30 km. What was its average speed?",
            "times of day",
        ),
        ("Volumes of 12 mL and 18 mL were read off. The mass is 40 g. What is the density?", "takes them apart"),
        (
            "Water (1.0 mPa·s) is driven by 0.80 bar through a pipe of 5.0 m, radius 1.5 cm. What is the flow rate?",
            "Re < 2300",
        ),
        ("A diverging lens has a focal length of 12 cm; an object is 24 cm before it. Where is the image?", "negative"),
    ],
)
def test_no_number_where_the_words_say_otherwise(question: str, said: str) -> None:
    outcome = ask(question)
    assert isinstance(outcome, Refusal), outcome
    assert said in outcome.reason


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("A force of 70 N acts on a lever 0.20 m from its axis at 65° to the lever. What is the torque?", 12.688),
        ("A current of 0.20 A flows from 9:00 until 9:30. What charge passes?", 360.0),
        ("Light in air, glass with n = 1.60: what is Brewster's angle?", 1.0121),
        ("A block of wood with a density of 650 kg/m³ floats in water. What is its submerged fraction?", 0.6513),
    ],
)
def test_ordinary_words_disturb_nobody(question: str, value: float) -> None:
    outcome = ask(question)
    assert isinstance(outcome, Answer), outcome
    assert outcome.value.si_value == pytest.approx(value, rel=2e-3)
