"""Parts of reading a question that golden files show less well: readings, series, clauses, typos, symbols, topics."""

from __future__ import annotations

import pytest

from mathrag.knowledge.kinds import kind
from mathrag.knowledge.roles import role
from mathrag.reason.question import kinds_in_phrase, read_question
from mathrag.reason.question.implied import implied_phrases


def test_all_readings_of_a_unit_are_kept_and_the_named_one_is_first() -> None:
    warm = read_question("What is the pressure of 2 mol of gas at a temperature of 25 C in 3 L?").givens
    assert [reading.unit.text for reading in warm[1].readings] == ["degC", "C"]
    charged = read_question("What force acts on a charge of 3 C in a field of 2 V/m?").givens
    assert charged[0].readings[0].unit.text == "C"


def test_values_of_a_list_share_a_series() -> None:
    givens = read_question("What is the period for lengths of 2, 4 and 8 m?").givens
    assert {given.series for given in givens} == {0}
    assert {given.phrase for given in givens} == {"length"}


def test_values_of_one_state_share_a_clause() -> None:
    givens = read_question("A tyre has 2.1 bar at 8 °C and 2.4 bar at 47 °C. What is its pressure at 30 °C?").givens
    clauses = [given.clause for given in givens]
    assert clauses[0] == clauses[1] != clauses[2] == clauses[3] != clauses[4]


def test_lists_in_step_pair_up() -> None:
    givens = read_question("Masses of 2 kg, 3 kg and 5 kg sit at 1 m, 4 m and 6 m. Where is the centre of mass?").givens
    assert [given.clause for given in givens[:3]] == [given.clause for given in givens[3:]]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("presure", "pressure"), ("velocty", "velocity"), ("temperatrue", "temperature"), ("resistence", "resistance")],
)
def test_slips_are_corrected_and_noted(typed: str, meant: str) -> None:
    question = read_question(f"whats the {typed} after 3 s")
    assert question.targets[0].kinds[0] == meant
    assert question.notes == (f"read “{typed}” as “{meant}”",)


@pytest.mark.parametrize("word", ["truck", "stone", "skater", "simple", "radio", "principle", "bowling", "phrase"])
def test_ordinary_words_are_no_slips(word: str) -> None:
    assert not read_question(f"How fast is the {word} after 3 s?").notes


def test_known_symbols_help() -> None:
    question = read_question("Ekin for m = 2 kg and v = 3 m/s", symbols=("Ekin", "m", "v"))
    assert question.targets[0].symbol == "Ekin"


def test_a_written_equation_is_kept_and_its_left_side_is_asked() -> None:
    question = read_question("Use Q = m c ΔT with m = 2 kg, c = 4186 J/(kg K) and ΔT = 5 K.")
    assert question.formula == "Q = m c ΔT"
    assert question.targets[0].symbol == "Q"
    assert [given.symbol for given in question.givens] == ["m", "c", "Delta_T"]


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("Using Bragg's law, find the angle for d = 0.28 nm.", "Bragg's law"),
        ("Apply the Stefan–Boltzmann law to a star at 6000 K.", "Stefan–Boltzmann law"),
        ("With the ideal gas equation, what is P for 2 mol in 3 L at 300 K?", "ideal gas equation"),
    ],
)
def test_laws_are_named(text: str, topic: str) -> None:
    assert topic in read_question(text).topics


@pytest.mark.parametrize(
    "text",
    [
        "How far does it sink in water in 3 s?",
        "What is the speed in air at 300 K?",
        "Two loops in series carry 3 A, what is the field in the middle?",
        "A ball falls in 2 s. What is its speed in the end?",
    ],
)
def test_a_place_or_time_is_no_asked_unit(text: str) -> None:
    assert read_question(text).units == ()


def test_a_stated_initial_speed_is_not_implied_again() -> None:
    givens = read_question("With an initial speed of 3 m/s, not from rest, how far does it go in 2 s?").givens
    assert [given.readings[0].value for given in givens if given.readings[0].unit.text == "m/s"] == [3]


def test_conventions_are_stated_as_assumptions() -> None:
    givens = read_question("What volume do 2 mol of gas fill at room temperature and 1 atm?").givens
    assumed = [given for given in givens if given.implied]
    assert [given.assumption for given in assumed] == ["room temperature is taken as 298.15 K (25 °C)"]


def test_labels_dates_and_list_numbers_are_no_values() -> None:
    question = read_question("Question 7: In 2019 a 3 kg stone (see figure 2) fell 5 m. How fast was it?")
    assert [given.text for given in question.givens] == ["3 kg", "5 m"]


def test_the_data_file_names_kinds_and_roles_that_exist() -> None:
    for items in implied_phrases().values():
        for item in items:
            assert [role(name).id for name in item.roles] == list(item.roles)
            dimensions = {kind(found).dimension for found in kinds_in_phrase(item.names)}
            assert item.quantity.dimension in dimensions


def test_what_is_asked_for_is_no_name_of_a_value() -> None:
    for text in ("What is the total mass of 3 kg and 5 kg?", "What is the cost of 40 chairs?"):
        assert not any(given.phrase for given in read_question(text).givens), text
    assert read_question("A mass of 3 kg hangs from a rope. How long is it?").givens[0].phrase == "mass"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How much does a 2 m rope stretch? Young's modulus 3 GPa", "elongation"),
        ("How long is a frisbee in the air at 12 m/s?", "time"),
        ("How long is the ramp?", "length"),
        ("How long does a 30 m barge measure when it flies by?", "length"),
        ("How fast does a potter's wheel spin then?", "angular_velocity"),
        ("How fast does the potter walk then?", "speed"),
    ],
)
def test_what_the_verb_asks_for(text: str, expected: str) -> None:
    assert read_question(text).targets[0].kinds[0] == expected


def test_what_is_given_is_not_asked_for() -> None:
    question = read_question("stuff in a drum with 40 turns per metre and a current of 3 A")
    assert not any("electric_current" in target.kinds for target in question.targets)


def test_what_other_sentences_tell_of_is_not_asked_for() -> None:
    question = read_question("The boiler has a maximum pressure. What is the wobbliness of the lid at 3 N?")
    assert not any("pressure" in target.kinds for target in question.targets)


def test_a_molal_solution_and_a_length_in_metres() -> None:
    units = [
        [reading.unit.text for reading in given.readings]
        for given in read_question("How far does a 0.3 m solution freeze below water, Kf = 2 °C/m?").givens
    ]
    assert units == [["m", "mol/kg"], ["delta_degC/m", "delta_degC*kg/mol"]]
    assert len(read_question("A rope is 0.3 m long.").givens[0].readings) == 1


def test_a_power_that_opens_a_unit() -> None:
    given = read_question("a = 2.4 L^2 atm/mol^2, what is the pressure?").givens[0]
    assert given.readings[0].unit.text == "L^2*atm/mol^2"
    assert not read_question("5 N2 molecules").givens[0].readings[0].unit.text
