"""Open sums and dots with a given number of terms: what they become, and what stays declined."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathrag.compute.canonical import canonical_key
from mathrag.compute.latex import read_latex
from mathrag.compute.pythontext import read_python_text
from mathrag.types.expression import Declined, Equation, equation_symbols


def _equation(text: str) -> Equation:
    reading = read_python_text(text)
    assert not isinstance(reading, Declined), reading
    return reading.equations[0]


WRITTEN = [
    (r"R = R_1 + R_2 + \dots + R_n", 2, "R = R_1 + R_2"),
    (r"R = R_1 + R_2 + \dots + R_n", 3, "R = R_1 + R_2 + R_3"),
    (r"R = R_1 + R_2 + R_3 + \cdots", 4, "R = R_1 + R_2 + R_3 + R_4"),
    (r"\frac{1}{C} = \frac{1}{C_1} + \frac{1}{C_2} + \cdots + \frac{1}{C_n}", 3, "1/C = 1/C_1 + 1/C_2 + 1/C_3"),
    (r"x = \frac{m_1 x_1 + m_2 x_2 + \dots}{m_1 + m_2 + \dots}", 2, "x = (m_1*x_1 + m_2*x_2)/(m_1 + m_2)"),
    (r"r = \sqrt{x_1^2 + x_2^2 + \dots + x_n^2}", 3, "r = sqrt(x_1**2 + x_2**2 + x_3**2)"),
    (r"M = \sum m_i", 3, "M = m_1 + m_2 + m_3"),
    (r"M = \sum_i m_i", 2, "M = m_1 + m_2"),
    (r"M = \sum_{i=1}^{n} m_i", 3, "M = m_1 + m_2 + m_3"),
    (r"X = \frac{\sum_i m_i x_i}{\sum_i m_i}", 2, "X = (m_1*x_1 + m_2*x_2)/(m_1 + m_2)"),
    (r"\bar{x} = \frac{1}{n} \sum_{i=1}^{n} x_i", 4, "x_bar = (x_1 + x_2 + x_3 + x_4)/4"),
    (r"s^2 = \frac{\sum_{i=1}^{n} (x_i - \bar{x})^2}{n - 1}", 2, "s**2 = (x_1 - x_bar)**2 + (x_2 - x_bar)**2"),
    (r"P = \prod_{i=1}^{n} p_i", 3, "P = p_1*p_2*p_3"),
    (r"\bar{x} = \frac{x_1 + x_2 + \dots + x_n}{n}", 3, "x_bar = (x_1 + x_2 + x_3)/3"),
    (r"\sigma = \sqrt{\frac{\sum (x_i - \mu)^2}{N}}", 2, "sigma = sqrt(((x_1 - mu)**2 + (x_2 - mu)**2)/2)"),
]


@pytest.mark.parametrize(("source", "terms", "expected"), WRITTEN)
def test_written_out(source: str, terms: int, expected: str) -> None:
    reading = read_latex(source, terms=terms)
    assert not isinstance(reading, Declined), reading
    (equation,) = reading.equations
    assert canonical_key(equation) == canonical_key(_equation(expected)), equation
    assert "written_out" in {flag.code for flag in reading.flags}


def test_one_term_before_the_dots_and_one_after() -> None:
    reading = read_latex(r"R = R_1 + \ldots + R_N", terms=3)
    assert not isinstance(reading, Declined), reading
    assert canonical_key(reading.equations[0]) == canonical_key(_equation("R = R_1 + R_2 + R_3"))


@pytest.mark.parametrize("source", sorted({source for source, _, _ in WRITTEN}))
def test_without_a_number_of_terms_it_is_declined(source: str) -> None:
    reading = read_latex(source)
    assert isinstance(reading, Declined)
    assert reading.code in ("open_sum", "ellipsis")


@pytest.mark.parametrize(
    "source",
    [
        r"e^x = \sum_{k=0}^{\infty} \frac{x^k}{k!}",
        r"S = \sum_{i \in A} x_i",
        r"S = \sum_{i=1}^{n} \sum_{j=1}^{m} x_{ij}",
        r"x_1, x_2, \dots, x_n = 3",
        r"S = 1 + 2 + \dots + n",
    ],
)
def test_what_cannot_be_told_stays_declined(source: str) -> None:
    reading = read_latex(source, terms=3)
    assert isinstance(reading, Declined), reading


@pytest.mark.parametrize(
    ("source", "terms"),
    [
        (r"y = a_0 + a_1 x + a_2 x^2 + \dots + a_n x^n", 3),
        (r"Z = 1 + \frac{B_2}{V} + \frac{B_3}{V^2} + \dots", 4),
        (r"y = a_1 \sin x + a_2 \sin 2x + \dots", 3),
        (r"S = x_1 + 2 x_2 + 3 x_3 + \dots", 4),
        pytest.param(
            r"S = x_1 - x_2 + \dots",
            4,
        ),
    ],
)
def test_dots_that_change_more_than_a_subscript_are_not_guessed(source: str, terms: int) -> None:
    reading = read_latex(source, terms=terms)
    assert isinstance(reading, Declined), reading


def test_dots_with_a_literal_end_stand_for_all_in_between() -> None:
    reading = read_latex(r"T = t_1 + t_2 + \dots + t_5", terms=3)
    expected = _equation("T = t_1 + t_2 + t_3 + t_4 + t_5")
    assert isinstance(reading, Declined) or canonical_key(reading.equations[0]) == canonical_key(expected)


@pytest.mark.parametrize("source", [r"F = m a", r"S = \sum_{k=1}^{3} k^2", r"s = \frac{1}{2} a t^2"])
def test_other_formulas_are_read_as_ever(source: str) -> None:
    with_terms, without = read_latex(source, terms=3), read_latex(source)
    assert not isinstance(without, Declined)
    assert with_terms == without


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 12), st.sampled_from([r"R = \sum_{i=1}^{n} R_i", r"R = R_1 + R_2 + \dots + R_n"]))
def test_as_many_symbols_as_terms(terms: int, source: str) -> None:
    reading = read_latex(source, terms=terms)
    assert not isinstance(reading, Declined)
    names = equation_symbols(reading.equations[0])
    assert set(names) == {"R", *(f"R_{number}" for number in range(1, terms + 1))}


@pytest.mark.parametrize(
    "source",
    [
        "R = " + " + ".join(f"R_{number}" for number in range(1, 501)),
        "R = " + " + ".join(f"R_{number}" for number in range(1, 501)) + r" + \dots",
        r"R = \dots + \dots + \dots + \dots",
        r"R = " + r"\frac{" * 60 + "R_1 + \\dots" + "}{2}" * 60,
        r"R = \sum " * 30 + "R_i",
        r"R = \sum_{i=1}^{40} \sum_{j=1}^{40} \sum_{k=1}^{40} \sum_{l=1}^{40} x_i",
    ],
    ids=lambda source: source[:24],
)
def test_hostile_sums_end(source: str) -> None:
    read_latex(source, terms=4)
