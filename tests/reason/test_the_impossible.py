"""What has no number gets none: the reason is said, and no worse plan takes the place of the one that fails."""

from __future__ import annotations

import pytest

from mathrag.types.answer import Answer, Refusal
from trust.asked import ask


def refusal(question: str) -> Refusal:
    outcome = ask(question)
    assert isinstance(outcome, Refusal), outcome
    return outcome


def answer(question: str) -> Answer:
    outcome = ask(question)
    assert isinstance(outcome, Answer), outcome
    return outcome


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "said"),
    [
        (
            "Light in glass (n = 1.7) meets air (n = 1.00), angle of incidence 50 degrees. Angle of refraction?",
            "there is no angle of refraction",
        ),
        ("An object stands 8 cm from a thin lens with a focal length of 8 cm. Where is the image?", "division by zero"),
        ("A force of 12 N acts on a mass of 0 kg. What is the acceleration?", "division by zero"),
        ("A heat engine takes in 300 J and does 420 J of work. What is its efficiency?", "no efficiency"),
        ("What is the escape speed from a body of 9e30 kg with a radius of 4 km?", "faster than light"),
        ("Neon: 90 % of 19.992 u and 21 % of 21.991 u. What is the average atomic mass?", "more than the whole"),
    ],
)
def test_what_nature_forbids_is_said(question: str, said: str) -> None:
    outcome = refusal(question)
    assert outcome.code == "impossible"
    assert said in outcome.reason


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("A 3 kg cart has a momentum of 30 kg m/s and a speed of 4 m/s. What is its kinetic energy?", "does not fit"),
        ("A bus covers 120 km in 2 h at an average of 80 km/h. What is its average speed?", "the question gives"),
    ],
)
def test_values_that_are_left_out_must_not_contradict(question: str, said: str) -> None:
    outcome = refusal(question)
    assert outcome.code == "contradiction"
    assert said in outcome.reason


def test_values_that_fit_do_not_disturb() -> None:
    found = answer("A 3 kg cart has a momentum of 12 kg m/s and a speed of 4 m/s. What is its kinetic energy?")
    assert found.quantity.si_value == pytest.approx(24)
    # What cannot be linked with the others may be anything.
    found = answer("A 3 kg cart that is 2 m long moves at a speed of 4 m/s. What is its kinetic energy?")
    assert found.quantity.si_value == pytest.approx(24)


@pytest.mark.parametrize(
    "question",
    [
        "There were 4 mol of gas in the bottle; a third is left, half has leaked. Pressure at 290 K in 0.02 m³?",
        "With what force does the Earth attract a dozen bottles of 1.5 kg each?",
        "A stone is thrown straight up at 5 m/s. After how many seconds is it 3 m above the hand?",
        "A coil of 0.03 m² in a field of 0.4 T that makes 70 degrees with the plane of the coil. Magnetic flux?",
    ],
)
def test_words_that_change_the_problem_are_not_passed_over(question: str) -> None:
    assert not isinstance(ask(question), Answer)


def test_by_how_much_something_grows_is_not_how_much_it_is() -> None:
    outcome = ask("By how many joules does the kinetic energy of 2 kg grow when its speed goes from 3 m/s to 5 m/s?")
    assert not isinstance(outcome, Answer) or outcome.quantity.si_value == pytest.approx(16)


def test_how_things_are_arranged_is_of_none_of_them() -> None:
    found = answer("What is the total resistance of 20 ohm and 30 ohm in parallel?")
    assert found.quantity.si_value == pytest.approx(12)
    found = answer("Two capacitors of 3 µF and 6 µF in series. Total capacitance?")
    assert found.quantity.si_value == pytest.approx(2e-6)


def test_a_count_is_no_property() -> None:
    outcome = ask("Capacitance of two plates of 0.02 m² that are 1 mm apart?")
    assert not isinstance(outcome, Answer) or outcome.quantity.si_value == pytest.approx(1.77e-10, rel=0.01)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How fast does a probe circle the Earth 900 km above the ground?", "measured from elsewhere"),
        ("How much heat warms 2 kg of ice from -5 °C to 8 °C, specific heat 2100 J/(kg K)?", "melts"),
        ("A leaf falls from 12 m in air. How long does it take?", "condition"),
        ("Gas at 2 bar is heated from 250 K to 500 K at constant pressure. What is its new pressure?", "condition"),
        ("How much energy is not stored in a spring of 50 N/m stretched by 0.1 m?", "not so"),
        ("Weight of twice the load of 3 kg?", "multiplies"),
    ],
)
def test_what_is_not_taken_up_is_said(question: str, said: str) -> None:
    outcome = refusal(question)
    assert outcome.code == "unsure"
    assert said in outcome.reason


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What is the gravitational acceleration at 8000 km from the centre of the Earth?", 6.228),
        ("How much heat warms 2 kg of water from 15 °C to 25 °C, specific heat 4186 J/(kg K)?", 83_720),
        ("Neglecting air resistance, how long does a leaf need to fall from rest 12 m?", 1.564),
        ("How much energy is stored in a spring of 50 N/m stretched by 0.1 m?", 0.25),
    ],
)
def test_what_is_meant_so_is_computed(question: str, value: float) -> None:
    assert answer(question).quantity.si_value == pytest.approx(value, rel=1e-3)


def test_a_voltage_beside_current_and_resistance_is_theirs() -> None:
    outcome = refusal("A resistor of 20 ohm carries 3 A at 90 V. What power does it turn into heat?")
    assert outcome.code == "contradiction"


@pytest.mark.parametrize(
    "question",
    [
        "A gas expands from 5 L to 2 L at constant temperature from 3 bar. Final pressure?",
        "A solution is diluted from 0.2 M to 0.7 M starting with 50 mL. Final volume?",
    ],
)
def test_a_change_goes_the_way_that_is_said(question: str) -> None:
    outcome = refusal(question)
    assert outcome.code == "contradiction"
    assert "is the reverse" in outcome.reason


def test_a_change_that_goes_the_way_that_is_said_is_computed() -> None:
    found = answer("A gas expands from 2 L to 5 L at constant temperature from 3 bar. Final pressure?")
    assert found.quantity.si_value == pytest.approx(1.2e5)
    # What expands takes up more room; its pressure falls.
    found = answer("A gas expands from 6 bar to 2 bar at constant temperature, starting at 1 L. Final volume?")
    assert found.quantity.si_value == pytest.approx(3e-3)


@pytest.mark.parametrize(
    ("speed", "is_answered"), [("3.00×10^8 m/s", True), ("2.9×10^8 m/s", True), ("3.1×10^8 m/s", False)]
)
def test_the_rounded_speed_of_light_is_a_speed(speed: str, is_answered: bool) -> None:
    outcome = ask(f"A wave with a speed of {speed} has a frequency of 5.0×10^14 Hz. What is its wavelength?")
    assert isinstance(outcome, Answer) == is_answered
