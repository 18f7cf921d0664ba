"""Laws of operations, neutral elements, domains and ranges: each judged by a checker, or left alone."""

from __future__ import annotations

import pytest

from mathrag.reason.direct import DirectStatement, compute_directly


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Is addition commutative?", "Yes: "),
        ("Is division of numbers commutative?", "No: "),
        ("is intersection associative?", "Yes: "),
        ("Is matrix multiplication commutative?", "No: "),
        ("is the cross product commutative?", "No: "),
        ("is gcd commutative?", "Yes: gcd of whole numbers is commutative"),
        ("is lcm associative?", "As far as was tried"),
        ("Does union distribute over intersection?", "Yes: "),
        ("does addition distribute over multiplication?", "No: "),
        ("state the associative law of multiplication", "Multiplication of numbers is associative"),
        ("what is the neutral element of multiplication?", "is 1: "),
        ("is 1 the identity of addition?", "No. "),
        ("what is the identity element of subtraction", "Neither 0 nor 1"),
        ("domain of sqrt(3 - x)", "x ≤ 3"),
        ("what is the domain of f(x) = 1/(x - 5)?", "x < 5 or x > 5"),
        ("range of arccos", "0 ≤ y ≤ π"),
        ("range of 4 - x^2", "y ≤ 4"),
    ],
)
def test_laws_and_domains_are_told(question: str, said: str) -> None:
    found = compute_directly(question)
    assert isinstance(found, DirectStatement), found
    assert said in found.text


@pytest.mark.parametrize(
    "question", ["Is multiplication of octonions commutative?", "is addition of sets commutative?", "range of a cannon"]
)
def test_what_is_not_known_is_left_alone(question: str) -> None:
    assert compute_directly(question) is None


def test_what_held_at_points_is_a_verdict_in_honest_words() -> None:
    found = compute_directly("is 2^x > x?")
    assert isinstance(found, DirectStatement)
    assert found.text.startswith("No counterexample found, not proved: ")
