"""What is asked for without being named anew: by a pronoun, by what is left of something, by a verb behind the name."""

from __future__ import annotations

import pytest

from mathrag.reason.question import read_question


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("My resistor is 470 ohm at 25 °C, what will it be at 125 °C?", "resistance"),
        ("The moment of inertia of a 5 kg plate about its edge is 0.77 kg m^2. What is it about the centre?",
         "moment_of_inertia"),
        ("A door of height 2 m has a moment of inertia of 1.6 kg m^2. What is it about the hinge line?",
         "moment_of_inertia"),
    ],
)  # fmt: skip
def test_a_pronoun_asks_for_what_was_spoken_of(question: str, kind: str) -> None:
    assert read_question(question).targets[0].kinds[0] == kind


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("A dye starts at 0.003 mol/L and fades with k = 0.08 per minute. How much is left after 30 min?",
         "molar_concentration"),
        ("A sample contains 5e20 radioactive nuclei. How many of them are left after 40 s?", "count"),
        ("Lena puts $5500 into a bond with 5 % a year. How much does she have after 9 years?", "amount_of_money"),
        ("I leave $2400 in a fund at 3 %. What is it worth after 8 years?", "amount_of_money"),
    ],
)  # fmt: skip
def test_what_is_left_is_of_the_kind_that_it_started_as(question: str, kind: str) -> None:
    assert kind in read_question(question).targets[0].kinds


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What volume comes out per second?", "volumetric_flow_rate"),
        ("Compute the volume per second of oil pushed through a 4 m long pipe.", "volumetric_flow_rate"),
        ("What heat raises its temperature by 160 K?", "heat"),
        ("What rotational inertia counts for the swinging?", "moment_of_inertia"),
        ("What force acts on the block?", "force"),
    ],
)
def test_the_subject_of_a_verb_is_asked_for(question: str, kind: str) -> None:
    assert read_question(question).targets[0].kinds[0] == kind


def test_the_second_of_per_second_is_no_second_thing() -> None:
    assert "state_2" not in read_question("What volume comes out per second?").targets[0].roles


def test_a_distance_from_the_start_is_no_initial_distance() -> None:
    assert "initial" not in read_question("At what distance from the start is she after 2 s?").targets[0].roles


def test_an_owner_is_no_symbol() -> None:
    assert read_question("The rate of disappearance of A is 0.24 mol/(L min).").givens[0].symbol == ""
    assert read_question("The value of k is 0.24 1/s. What is the half-life?").givens[0].symbol == "k"


def test_a_letter_that_was_assigned_once_is_a_symbol_the_second_time() -> None:
    givens = read_question("Inside the glass n is 1.66, outside is oil with n 1.45. Past what angle is it dark?").givens
    assert [given.symbol for given in givens] == ["n", "n"]


def test_a_bare_number_has_the_words_of_the_one_before() -> None:
    givens = read_question("The equilibrium constant goes from 3.0 at 300 K to 9.0 at 340 K.").givens
    assert next(given for given in givens if given.text == "9.0").words == givens[0].words != ()


def test_what_follows_an_assigned_value_is_asked_for() -> None:
    question = read_question("thin lens do=24 cm di=40 cm focal length")
    assert question.givens[1].phrase == ""
    assert "focal_length" in question.targets[0].kinds
