"""Counting, number bases, figures of lists, vectors, complex numbers, eigenvalues: exact, or left alone."""

from __future__ import annotations

import pytest

from mathrag.reason.direct import DirectFailure, DirectResult, DirectStatement, compute_directly


def told(question: str) -> str:
    found = compute_directly(question)
    assert isinstance(found, DirectResult | DirectStatement), found
    return found.text


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("In how many ways can 7 flags be arranged in a row?", "5040 ways"),
        ("How many teams of 4 can be chosen from 9 players?", "126 ways"),
        ("how many ways are there to choose two cakes out of six?", "15 ways"),
        ("In how many ways can the letters of the word TATTOO be arranged?", "60 ways"),
        ("In how many ways can a captain and a secretary be chosen from 11 members?", "110 ways"),
        ("in how many ways can four guests sit around a table?", "6 if seatings that differ only by turning"),
        ("How many 3-digit codes are there?", "The question does not say which"),
        ("How many number plates have 2 letters followed by 3 digits?", "676000 if letters or digits may repeat"),
        ("9 riders: number of different gold/silver/bronze outcomes", "504 ways"),
        ("7 rowers compete in a race. In how many ways can gold, silver and bronze be awarded?", "210 ways"),
        ("A team of 3 is to be chosen from 8 climbers. How many ways?", "56 ways"),
        ("How many groups of 2 cats and 1 dogs can be chosen from 4 cats and 5 dogs?", "30 ways"),
        ("A menu has 2 soups, 4 mains and 3 cakes. How many different meals?", "24 ways"),
        ("How many handshakes are there among 7 guests?", "21 pairs"),
        ("A lock has 3 dials with 8 digits each. How many combinations?", "512 settings"),
        ("Mon 11, Tue 16, Wed 9: average", "mean 12"),
        ("Sales: January 20, February 35, March 32. What is the median?", "median 32"),
        ("convert 77 to binary", "1001101 in base 2"),
        ("What is 1C in base 16 as a decimal number?", "28 in base 10"),
        ("mean and variance of 2, 4, 9", "variance 13 (sample: divided by 3 − 1) or 26/3"),
        ("dot product of (2, -1) and (3, 5)", "is 1."),
        ("cross product of (0, 1, 0) and (0, 0, 1)", "(1, 0, 0)"),
        ("angle between the vectors (1, 0) and (-1, 1)", "135°"),
        ("length of the vector (1, 2, 2)", "is 3 "),
        ("are the vectors (2, 1) and (-1, 2) perpendicular?", "are orthogonal"),
        ("polar form of 2 - 2i", "e^(−i π/4)"),
        ("modulus of 8 + 15i", "= 17"),
        ("eigenvalues of [[4, 1], [2, 3]]", "2 and 5"),
        ("eigenvalues of [[0, -2], [2, 0]]", "±2 i"),
        ("characteristic polynomial of [[1, 0], [0, 2]]", "λ² − 3 λ + 2"),
        ("is [[3, 1], [6, 2]] invertible", "No: [[3, 1], [6, 2]] is not invertible: its determinant is 0"),
        ("is the matrix [[0, 1], [1, 0]] orthogonal", "Yes:"),
        ("is [[1, 2], [3, 4]] symmetric", "No:"),
        ("list all divisors of 20", "1, 2, 4, 5, 10, 20"),
    ],
)
def test_exact_questions_are_answered(question: str, said: str) -> None:
    assert said in told(question)


@pytest.mark.parametrize(
    "question",
    [
        "In how many ways can 6 identical coins be arranged in a row?",
        "In how many ways can 5 friends sit in a row if two of them sit together?",
        "In how many ways can 3 boys and 4 girls sit in a row?",
        "In how many ways can a man and a woman be chosen from 9 people?",
        "In how many ways can 4 couples sit in a row?",
        "9 riders: number of different gold/silver/bronze outcomes if Eva wins",
        "A team of 3 including the guide is to be chosen from 8 climbers. How many ways?",
        "How many games are there among 7 teams?",
        "A menu has 2 soups, 4 mains and 3 cakes. How many different meals without soup?",
        "length of (3, 4)",
    ],
)
def test_unsure_readings_are_left_alone(question: str) -> None:
    assert compute_directly(question) is None


def test_digits_beyond_a_base_and_impossible_choices_are_refused() -> None:
    assert isinstance(compute_directly("convert 128 from binary to decimal"), DirectFailure)
    assert isinstance(compute_directly("how many ways to choose 5 cards from 3"), DirectFailure)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("sum of 1/n^3 for n from 1 to infinity", "converges"),
        ("sum of 1/(n(n+2)) for n from 1 to infinity", "3 / 4"),
        ("sum of (2/5)^n for n from 0 to infinity", "5 / 3"),
        ("sum of n for n from 1 to infinity", "diverges"),
        ("Does the series 1/sqrt(n) converge?", "diverges"),
        ("does the harmonic series diverge?", "diverges"),
        ("Maclaurin series of cos(x) up to order 4", "1 − x² / 2 + x⁴ / 24"),
        ("Taylor series of 1/x about 1 to third order", "1 − (x − 1) + (x − 1)² − (x − 1)³"),
        ("∂g/∂y for g = x y^2 + x", "2 x y"),
        ("If h(x, y) = x^2 y, find ∂h/∂x", "2 x y"),
        ("differentiate x cos(x) step by step", "with respect to x is"),
    ],
)
def test_series_and_partial_derivatives(question: str, said: str) -> None:
    assert said in told(question)


def test_rules_of_calculus_are_named() -> None:
    product = compute_directly("derivative of x cos(x)")
    chain = compute_directly("derivative of sin(x^2)")
    parts = compute_directly("integrate x cos(x) dx by parts")
    for found, rule in ((product, "product rule"), (chain, "chain rule"), (parts, "integration by parts")):
        assert isinstance(found, DirectStatement)
        assert found.lines[0].text.startswith(rule)


def test_several_figures_are_never_answered_by_one() -> None:
    assert "median 4" in told("median and standard deviation of 1, 4, 9")
    assert "standard deviation" in told("median and standard deviation of 1, 4, 9")
