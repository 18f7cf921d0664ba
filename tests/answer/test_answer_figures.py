"""Rounding, units and sentences as people expect them."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mathrag.answer.cards.content import (
    answer_card,
    answer_sentence,
    origin_text,
    outcome_sentence,
    percent,
    refusal_sentence,
    tidy_name,
)
from mathrag.answer.cards.text import text_card
from mathrag.answer.figures import (
    number_text,
    quantity_latex,
    quantity_text,
    stated_quantity_latex,
    stated_quantity_text,
)
from mathrag.types.answer import Answer, Missing, Provenance, Refusal, Row
from outcome_samples import CHAINED, DIRECT, HUGE, PERIOD, RMS_SPEED, TABLE, quantity


@pytest.mark.parametrize(
    ("value", "figures", "shown"),
    [
        (516.9565, 3, "517"),
        (516.9565, 2, "520"),
        (5.0, 3, "5.00"),
        (9, 1, "9"),
        (0.0043219, 3, "0.00432"),
        (6.6743e-11, 4, "6.674×10⁻¹¹"),
        (1234567.0, 3, "1.23×10⁶"),
        (1234567.0, 8, "1234567.0"),
        (999.96, 3, "1000"),
        (2.675, 3, "2.68"),
        (-0.00005, 2, "−5.0×10⁻⁵"),
        (0.0, 3, "0"),
        (math.inf, 3, "undefined"),
        (10**40, 3, "1.00×10⁴⁰"),
        (123456789012345, 3, "123456789012345"),
    ],
)
def test_numbers_are_rounded_to_their_figures(value: float, figures: int, shown: str) -> None:
    assert number_text(value, figures) == shown


@pytest.mark.parametrize(
    ("value", "unit", "uncertainty", "shown"),
    [
        (2.6882, "g/cm^3", 0.058, "(2.688 ± 0.058) g/cm³"),
        (6.674e-11, "J/K", 1.5e-15, "(6.67400 ± 0.00015)×10⁻¹¹ J/K"),
        (0.001, "m", 5.0, "(0.0 ± 5.0) m"),
        (5.0, "m", 0.0, "(5.00 ± 0) m"),
        (25.0, "degC", None, "25.0 °C"),
        (90.0, "deg", None, "90.0°"),
        (4.7, "kohm", None, "4.70 kΩ"),
        (1e300, "m", 1e-300, "(1.00000000000000×10³⁰⁰ ± 1.0×10⁻³⁰⁰) m"),
    ],
)
def test_quantities_have_units_and_matching_digits(
    value: float, unit: str, uncertainty: float | None, shown: str
) -> None:
    assert quantity_text(quantity(value, unit, uncertainty), 3) == shown


def test_given_values_keep_their_digits() -> None:
    assert stated_quantity_text(quantity(8.314462618, "J/(mol*K)")) == "8.314462618 J/(mol·K)"
    assert stated_quantity_text(quantity(1.380649e-23, "J/K")) == "1.380649×10⁻²³ J/K"
    assert stated_quantity_text(quantity(28.0, "g/mol"), 3) == "28.0 g/mol"
    assert stated_quantity_latex(quantity(1.380649e-23, "J/K")) == r"1.380649 \times 10^{-23}\,\mathrm{J/K}"


@given(st.floats(), st.integers(-5, 40), st.one_of(st.none(), st.floats(min_value=0)))
def test_every_number_can_be_shown(value: float, figures: int, uncertainty: float | None) -> None:
    for write in (quantity_text, quantity_latex):
        assert write(quantity(value, "m", uncertainty), figures)


@given(st.floats(min_value=1e-300, max_value=1e300), st.integers(1, 12))
def test_rounding_stays_near(value: float, figures: int) -> None:
    shown = number_text(value, figures)
    mantissa, _, power = shown.partition("×10")
    exponent = int(power.translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")) or 0)
    assert float(f"{mantissa}e{exponent}") == pytest.approx(value, rel=0.5000001 * 10 ** (1 - figures))


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (RMS_SPEED, "The root mean square speed is 517 m/s."),
        (CHAINED, "The final speed is (19.81 ± 0.25) m/s."),
        (TABLE, "The period is 1.42 s for l = 0.5 m, 2.01 s for l = 1 m, 2.84 s for l = 2 m."),
        (DIRECT, "The result is 12."),
        (HUGE, "The result is 1.60693804426×10⁶⁰."),
    ],
)
def test_the_sentence_names_what_was_asked(answer: Answer, sentence: str) -> None:
    assert answer_sentence(answer) == sentence


def test_without_a_description_the_symbol_stands_for_it() -> None:
    step = replace(TABLE.steps[0], formula=replace(PERIOD, symbols=()), others=(quantity(-1.41876, "s"),))
    assert answer_sentence(replace(TABLE, question="?", steps=(step,), rows=())) == "T = 1.42 s (or −1.42 s)."


def test_a_solution_that_is_ruled_out_is_not_offered() -> None:
    warning = "T = −1.42 s solves the formula too, but no time has that value"
    step = replace(TABLE.steps[0], others=(quantity(-1.41876, "s"),), warnings=(warning,), behind=(0,))
    answer = replace(TABLE, steps=(step,), rows=(), warnings=())
    assert "−1.42" not in answer_sentence(answer)
    text = text_card(answer_card(answer))
    assert "also a solution" not in text
    assert warning in text


@pytest.mark.parametrize(
    ("provenance", "sentence"),
    [
        ((Provenance("constant", "speed of light", "CODATA 2022"),), "The speed of light is 3.00."),
        ((Provenance("constant", "pi", "mathematics"),), "pi is 3.00."),
        (
            (
                Provenance("constant", "speed of light"),
                Provenance("constant", "1 km = 1000 m", "definition of the units"),
            ),
            "The speed of light is 3.00.",
        ),
        ((Provenance("constant", "speed of light"), Provenance("question", "2")), "The result is 3.00."),
    ],
)
def test_a_constant_is_named(provenance: tuple[Provenance, ...], sentence: str) -> None:
    assert answer_sentence(Answer("?", quantity(3.0), 3, (), 1.0, provenance=provenance)) == sentence


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (Answer("?", quantity(1.7724538509), 10, (), 1.0, expression="sqrt(pi)"), "sqrt(pi) ≈ 1.772453851."),
        (Answer("?", quantity(84), 10, (), 1.0, exact="84", expression="12 * 7"), "12 × 7 = 84."),
        (Answer("?", quantity(77, "degF"), 6, (), 1.0, expression="25 degC in degF"), "25 °C = 77 °F."),
        (Answer("?", quantity(9.259259259, "m/s"), 6, (), 1.0, expression="100 km / 3 h in m/s"),
         "100 km / 3 h ≈ 9.25926 m/s."),
        (Answer("?", quantity(2), 6, (), 1.0, exact="2", expression="1 + " * 40 + "1"), "The result is 2."),
        (Answer("?", quantity(2), 6, (), 1.0, exact="2", expression="1\x1b[31m + 1"), "1\ufffd[31m + 1 = 2."),
    ],
)  # fmt: skip
def test_what_was_computed_is_said(answer: Answer, sentence: str) -> None:
    assert answer_sentence(answer) == sentence


@pytest.mark.parametrize(
    ("description", "kind", "sentence"),
    [
        ("period", "period", "The period is 1.42 s."),
        ("depth of the well", "period", "The period is 1.42 s."),
        ("depth of the well", None, "T = 1.42 s."),
        ("what the clock shows", "period", "The period is 1.42 s."),
    ],
)
def test_a_name_of_another_dimension_is_not_repeated(description: str, kind: str | None, sentence: str) -> None:
    symbols = tuple(
        replace(each, description=description, kind=kind) if each.name == "T" else each for each in PERIOD.symbols
    )
    step = replace(TABLE.steps[0], formula=replace(PERIOD, symbols=symbols), others=())
    assert answer_sentence(replace(TABLE, question="?", steps=(step,), rows=(), words="")) == sentence


def test_conditions_below_a_formula_are_not_repeated_as_assumptions() -> None:
    answer = replace(RMS_SPEED, assumptions=("holds for ideal gas", "the gas is dry"))
    text = text_card(answer_card(answer))
    assert "holds for ideal gas" not in text
    assert "the gas is dry" in text


def test_a_derived_value_names_its_step_once() -> None:
    assert origin_text(Provenance("derived", "derived in step 1", step=1)) == "derived in step 1"


def test_missing_symbols_are_written_as_people_write_them() -> None:
    missing = (Missing("Delta_H_vap", "molar enthalpy of vaporization", "J/mol"),)
    refusal = Refusal("?", "missing", "the question does not give the enthalpy (Delta_H_vap)", missing=missing)
    assert refusal_sentence(refusal) == "the question does not give the enthalpy (ΔH_vap)"


def test_many_rows_are_counted() -> None:
    rows = tuple(Row((("l", f"{length} m"),), quantity(1.0, "s")) for length in range(9))
    assert answer_sentence(replace(TABLE, rows=rows)).endswith(", and so on (5 more).")


def test_words_that_came_with_an_answer_are_kept_unless_they_only_repeat_the_value() -> None:
    assert outcome_sentence(replace(RMS_SPEED, words="About 517 m/s.")) == "About 517 m/s."
    assert outcome_sentence(replace(RMS_SPEED, words="v_rms = 517 m/s")) == "The root mean square speed is 517 m/s."


@pytest.mark.parametrize(
    ("description", "name"),
    [
        ("The speed of sound (m/s)", "speed of sound"),
        ("Kinetic energy", "kinetic energy"),
        ("Young's modulus", "Young's modulus"),
        ("Gibbs free energy, in J", "Gibbs free energy"),
        ("pH of the solution", "pH of the solution"),
        ("mass [kg] (at rest)", "mass"),
        ("see section 3: the value $x$", ""),
        ("These", ""),
        ("Coulomb constant", "Coulomb constant"),
        ("", ""),
        ("x" * 100, ""),
    ],
)
def test_descriptions_become_names(description: str, name: str) -> None:
    assert tidy_name(description) == name


def test_confidence_is_never_overstated() -> None:
    assert [percent(each) for each in (0.0, 0.484, 0.968, 0.9991, 1.0)] == ["0 %", "48 %", "97 %", "over 99 %", "100 %"]


@pytest.mark.parametrize(
    ("value", "text"),
    [(1_230_000.0, "1230000 USD"), (12.5, "12.50 USD"), (-3.456, "−3.46 USD"), (0.0004, "0.000400 USD")],
)
def test_money_is_told_in_full_and_to_the_cent(value: float, text: str) -> None:
    assert quantity_text(quantity(value, "USD"), 3) == text


def test_a_conversion_has_no_zeros_that_nobody_stated() -> None:
    answer = Answer("?", quantity(7.62, "cm"), 6, (), 1.0, expression="3 inch in cm")
    assert answer_sentence(answer) == "3 inch = 7.62 cm."
