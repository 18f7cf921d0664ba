"""Relations in one unknown: absolute values, chains, ranges, kinds of numbers; congruences at once."""

from __future__ import annotations

import pytest

from mathrag.reason.direct.algebra import answer_algebra
from mathrag.reason.direct.algebra.congruences import answer_congruences
from mathrag.reason.direct.algebra.solution_sets import answer_solution_set
from mathrag.reason.direct.result import DirectResult, DirectStatement


def said(question: str) -> str:
    found = answer_algebra(question)
    assert isinstance(found, DirectStatement | DirectResult), found
    return found.text


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("|3x + 2| <= 8", "−10 / 3 ≤ x ≤ 2"),
        ("solve |x - 4| > 1", "x < 3 or x > 5"),
        ("for which x is |x| + |x - 2| < 6?", "−2 < x < 4"),
        ("|x + 1| + |x - 1| = 2", "−1 ≤ x ≤ 1"),
        ("||x| - 3| = 1", "x = −4 or x = −2 or x = 2 or x = 4"),
        ("|x - 5| = |x + 1|", "x = 2"),
        ("|x^2 - 3| <= 1", "−2 ≤ x ≤ −√2 or √2 ≤ x ≤ 2"),
        ("|x| < -4", "no real solution"),
        ("1 < 3x - 2 ≤ 10", "1 < x ≤ 4"),
        ("solve the inequation x^2 <= 25", "−5 ≤ x ≤ 5"),
        ("3x - 1 > 2 and 5 - x > 0", "1 < x < 5"),
        ("x^2 = 36, x < 0", "x = −6"),
    ],
)
def test_relations_are_solved_wholly(question: str, answer: str) -> None:
    assert answer in said(question)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("2 cos x = 1, 0 <= x < 2pi, find x", "x = π / 3 ≈ 1.0471976 or x = 5 π / 3"),
        ("solve tan x = 1 on [0, 2π)", "x = π / 4 ≈ 0.78539816 or x = 5 π / 4"),
        ("sin x = 1 for x in (0, 3π]", "x = π / 2 ≈ 1.5707963 or x = 5 π / 2"),
        ("w^2 + 4w + 13 = 0 over C", "w = −2 + 3 i or w = −2 − 3 i"),
        ("solve x^2 = 3 over the rationals", "no solution among the rational numbers"),
        ("find all integers n such that n^2 < 7", "n = −2, n = −1, n = 0, n = 1 or n = 2"),
        ("x^2 - 7x + 12 = 0, find all x", "x = 3 or x = 4"),
        ("solve for real x: x^2 = 5x", "x = 0 or x = 5"),
        ("Solve the simultaneous equations 3x + y = 11 and x - y = 1.", "x = 3, y = 2"),
        ("x + 2y = 8, x - y = 2", "x = 4, y = 2"),
    ],
)
def test_solutions_among_given_numbers(question: str, answer: str) -> None:
    assert answer in said(question)


@pytest.mark.parametrize(
    "question",
    ["F = 10, m = 2", "x = 3, y = 4", "0 < x < 1", "m > 3 kg and m < 5 kg", "x^2 >= x for x > 1",
     "sqrt(x^2) = x, x > 0", "the path is 3 < x < 5 km over the hills", "n^2 >= n for all integers n"],
)  # fmt: skip
def test_values_and_claims_are_left_alone(question: str) -> None:
    assert answer_solution_set(question) is None


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("x ≡ 1 mod 3, x ≡ 4 mod 5, x ≡ 6 mod 7", "x ≡ 34 (mod 105)"),
        (r"solve x \equiv 3 \pmod{4}, x \equiv 5 \pmod{9}", "x ≡ 23 (mod 36)"),
        ("find the smallest positive integer x with x = 2 mod 5 and x = 3 mod 8", "27"),
        ("x ≡ 1 mod 4, x ≡ 3 mod 6", "x ≡ 9 (mod 12)"),
        ("x ≡ 1 mod 4, x ≡ 2 mod 6", "no solution"),
        ("3x ≡ 1 mod 7, x ≡ 2 mod 4", "x ≡ 26 (mod 28)"),
    ],
)
def test_congruences_at_once(question: str, answer: str) -> None:
    assert answer in said(question)


@pytest.mark.parametrize(
    "question", ["if a ≡ b mod n and c ≡ d mod n then a + c ≡ b + d mod n", "x ≡ 2 mod 3", "a mod 3 = 2, b mod 5 = 3"]
)
def test_other_congruences_are_left_alone(question: str) -> None:
    assert answer_congruences(question) is None
