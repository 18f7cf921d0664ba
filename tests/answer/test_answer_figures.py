"""Rounding, units and sentences as people expect them."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from outcome_samples import CHAINED, DIRECT, HUGE, PERIOD, RMS_SPEED, TABLE, quantity

from mathrag.answer.answer_card import percent
from mathrag.answer.figures import (
    number_text,
    quantity_latex,
    quantity_text,
    stated_quantity_latex,
    stated_quantity_text,
)
from mathrag.answer.sentences import answer_sentence, outcome_sentence, tidy_name
from mathrag.types.answer import Answer, Row


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
    assert answer_sentence(replace(TABLE, steps=(step,), rows=())) == "T = 1.42 s (or −1.42 s)."


def test_many_rows_are_counted() -> None:
    rows = tuple(Row((("l", f"{length} m"),), quantity(1.0, "s")) for length in range(9))
    assert answer_sentence(replace(TABLE, rows=rows)).endswith(", and so on (5 more).")


def test_words_that_came_with_an_answer_are_kept_unless_they_only_repeat_the_value() -> None:
    assert outcome_sentence(replace(RMS_SPEED, text="About 517 m/s.")) == "About 517 m/s."
    assert outcome_sentence(replace(RMS_SPEED, text="v_rms = 517 m/s")) == "The root mean square speed is 517 m/s."


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
