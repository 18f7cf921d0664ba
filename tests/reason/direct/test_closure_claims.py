"""What comes out of numbers of some kinds: verdicts with exact numbers, wordings, and texts that are left alone."""

from __future__ import annotations

from fractions import Fraction

import pytest

from mathrag.compute.algebra.number_closure import Surd, apply, judge_closure
from mathrag.reason.direct import DirectStatement, compute_directly


def _said(text: str) -> str:
    found = compute_directly(text)
    return found.text if isinstance(found, DirectStatement) else ""


def test_numbers_with_a_root_are_exact() -> None:
    one, other = Surd(Fraction(1), Fraction(1)), Surd(Fraction(1), Fraction(-1))
    assert apply("*", (one, other)) == Surd(Fraction(-1))
    assert apply("1/", (one,)) == Surd(Fraction(-1), Fraction(1))
    assert (one.sign, other.sign, Surd(Fraction(-1), Fraction(1)).sign, Surd(Fraction(3), Fraction(-2)).sign) == (
        1,
        -1,
        1,
        1,
    )
    assert other.shown() == "1 − √2"


@pytest.mark.soak
def test_every_rule_holds_at_all_numbers_tried() -> None:
    kinds = ("rational", "irrational", "integer", "natural", "positive", "negative", "even", "odd", "prime", "nonzero")
    for operation in ("+", "-", "*", "/"):
        for first in kinds:
            for second in kinds:
                for claimed in kinds:
                    # A rule never speaks against the numbers: what is refuted is not shown, by construction.
                    found = judge_closure(operation, (frozenset({first}), frozenset({second})), frozenset({claimed}))
                    assert (found.kind == "refuted") == bool(found.counter)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("is the sum of two irrational numbers irrational?", "False"),
        ("irrational times irrational is irrational - true or false?", "False"),
        ("if you multiply two negative numbers, do you get a positive number?", "True"),
        ("rational + irrational = irrational, T/F", "True"),
        ("Is the quotient of two integers always an integer???", "False"),
        ("a prime plus a prime is even", "False"),
        ("prove that an odd number times an odd number is odd", "True"),
        ("check: the square of an even number is even", "True"),
        ("is every rational number an integer", "False"),
        ("the reciprocal of a positive number is positive, correct?", "True"),
        ("find a counterexample to the claim that n^2 + n + 17 is always prime", "False"),
        ("if a number is divisible by 4 and by 9 is it divisible by 36?", "True"),
    ],
)
def test_verdicts(text: str, verdict: str) -> None:
    assert _said(text).startswith(verdict), _said(text)


def test_zero_is_told() -> None:
    assert "other than 0" in _said("is the product of a rational number and an irrational number irrational")


@pytest.mark.parametrize(
    "text",
    [
        "the sum of two negative charges is negative",
        "is the sum of 3 and 4 odd or even",
        "is the difference of two whole numbers whole",
        "two positive integers have the sum 12",
        "is the sum of two irrational numbers rational or irrational",
        "product of two primes",
        "is every natural number positive",
    ],
)
def test_other_texts_are_left_alone(text: str) -> None:
    assert "need not" not in _said(text)
    assert "shown by the definitions" not in _said(text)
