"""What is asked for without being named anew: by a pronoun, by what is left of something, by a verb behind the name."""

from __future__ import annotations

import pytest

from mathrag.reason.question import read_question


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("This rail is 12 m long in winter, what will it be in July?", "length"),
        ("The resistance of a 3 kg coil is 8 ohm. What is it in the sun?", "resistance"),
        ("A beam of length 4 m has a mass of 85 kg. What is it without the paint?", "mass"),
    ],
)  # fmt: skip
def test_a_pronoun_asks_for_what_was_spoken_of(question: str, kind: str) -> None:
    assert read_question(question).targets[0].kinds[0] == kind


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("A tracer starts at 0.6 mol/L and is used up by 3 % an hour. How much is left in the evening?",
         "molar_concentration"),
        ("A hive has 9000 bees. How many of the bees are left in spring?", "count"),
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
        ("What current flows in the branch?", "electric_current"),
        ("What force acts on the block?", "force"),
    ],
)
def test_the_subject_of_a_verb_is_asked_for(question: str, kind: str) -> None:
    assert read_question(question).targets[0].kinds[0] == kind


def test_the_second_of_per_second_is_no_second_thing() -> None:
    assert "state_2" not in read_question("What volume comes out per second?").targets[0].roles


def test_a_distance_from_the_start_is_no_initial_distance() -> None:
    assert "initial" not in read_question("At what height from the start does the kite hang?").targets[0].roles


def test_an_owner_is_no_symbol() -> None:
    assert read_question("The rate of disappearance of A is 0.24 mol/(L min).").givens[0].symbol == ""
    assert read_question("The value of k is 0.24 1/s. What is the half-life?").givens[0].symbol == "k"


def test_a_letter_that_was_assigned_once_is_a_symbol_the_second_time() -> None:
    givens = read_question("In one pipe f is 0.02, in the other with f 0.03 it is rough. What is the loss?").givens
    assert [given.symbol for given in givens] == ["f", "f"]


def test_a_bare_number_has_the_words_of_the_one_before() -> None:
    givens = read_question("The friction factor goes from 0.4 at 20 °C to 0.7 at 80 °C.").givens
    assert next(given for given in givens if given.text == "0.7").words == givens[0].words != ()


def test_what_follows_an_assigned_value_is_asked_for() -> None:
    question = read_question("cylinder r=24 cm h=40 cm volume")
    assert question.givens[1].phrase == ""
    assert "volume" in question.targets[0].kinds
