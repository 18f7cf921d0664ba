"""What follows for whole numbers from what is said of their divisors: shown, refuted by numbers, or left open."""

from __future__ import annotations

import pytest

from mathrag.reason.direct import DirectStatement, compute_directly


def said(text: str) -> str:
    found = compute_directly(text)
    assert isinstance(found, DirectStatement), found
    return found.text


@pytest.mark.parametrize(
    "text",
    [
        "if 12 divides n then 4 divides n",
        "if n is a multiple of 15 is it a multiple of 5?",
        "if n^2 is divisible by 5 then n is divisible by 5",
        "does 10 divides k imply 2 divides k",
        "is every multiple of 8 even",
        "is every number divisible by 9 divisible by 3",
        "if u divides v and v divides w, then u divides w",
        "if d divides a and d divides b then d divides 3a - 2b",
        "if a divides b then a divides b^2",
        "if q is prime and q divides xy then q divides x or y",
        "if 3 divides m and 5 divides m then 15 divides m",
        "if a number is divisible by 14, is it divisible by 7?",
        "n is odd if and only if n^3 is odd",
        "if a and b are even then ab is divisible by 4",
        "if a and b are coprime and a divides bc then a divides c",
    ],
)
def test_what_follows_is_shown(text: str) -> None:
    assert said(text).startswith("True")


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("if 3 divides n then 9 divides n", "n = 3"),
        ("if 8 divides n^2 then 8 divides n", "n = 4"),
        ("if 6 divides n and 4 divides n then 24 divides n", "n = 12"),
        ("are all multiples of 5 odd?", "n = 10"),
        ("if a+b is odd then a is odd", "a = 2, b = 1"),
        ("if a divides c and b divides c then ab divides c", "a = 2, b = 2, c = 2"),
    ],
)
def test_what_does_not_follow_has_a_counterexample(text: str, at: str) -> None:
    assert said(text).startswith(f"False: at {at},")


def test_euclids_lemma_needs_a_prime() -> None:
    text = said("if m divides ab then m divides a or m divides b")
    assert text.startswith("False")
    assert "Where m is prime, it is true" in text


def test_what_is_neither_shown_nor_refuted_is_left_open() -> None:
    assert said("for positive integers, if a divides b and b divides a then a = b").startswith("No counterexample")


@pytest.mark.parametrize(
    "text",
    [
        "if the voltage is even then the lamp is on",
        "if a car is fast then it is expensive",
        "what is the force if the mass is 3 kg",
        "if x > 2 then x^2 > 4",
        "if 3 workers divide the work, how long does it take",
    ],
)
def test_other_conditions_are_left_alone(text: str) -> None:
    found = compute_directly(text)
    assert not isinstance(found, DirectStatement) or "divisible" not in found.text
