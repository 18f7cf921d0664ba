"""Sums of the first numbers, closed forms, inverse functions, limits that turn, repeating decimals, rationality."""

from __future__ import annotations

import pytest

from mathrag.reason.direct import DirectResult, DirectStatement, compute_directly


def told(question: str) -> str:
    found = compute_directly(question)
    assert isinstance(found, DirectResult | DirectStatement), found
    return found.text


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("sum of the first 30 odd numbers", "is 900:"),
        ("sum of the first n cubes", "n² (n + 1)²"),
        ("sum of the first 12 multiples of 4", "is 312:"),
        ("sum of all integers from 5 to 20", "is 200:"),
        ("2 + 5 + 8 + ... + 29", "is 155:"),
        ("1 + 8 + 27 + ... + n^3", "n² (n + 1)²"),
        ("sum of 3^j from j=0 to m", "(3 / 2) × 3^m − 1 / 2"),
        ("sum of 1/(j(j+1)) from j=2 to m", "by induction"),
        ("sum of q^j from j=0 to m", "for q ≠ 1"),
        ("inverse of f(x) = 5 - 2x", "f⁻¹(x) = "),
        ("inverse function of (x + 1)/(x - 1)", "f⁻¹(x) = (x + 1) / (x − 1)"),
        ("inverse of x^4", "takes a value twice"),
        ("inverse of sqrt(x - 5)", "for x ≥ 0"),
        ("limit of cos(1/t) as t -> 0", "does not exist"),
        ("limit of t^2 sin(1/t) as t -> 0", "= 0"),
        ("limit of (-1)^n as n -> infinity", "does not exist"),
        ("is 0.777... = 7/9", "True: 0.777… = 7 / 9"),
        ("is 0.4999... less than 1/2", "False: 0.4999… = 1 / 2"),
        ("0.8333... as a fraction", "is 5 / 6"),
        ("is sqrt(10) rational", "No: √10 is irrational"),
        ("is sqrt(9/4) rational", "Yes:"),
        ("is 3 - sqrt(5) irrational", "Yes:"),
        ("is log_3(81) irrational", "No:"),
        ("is log_3(5) irrational", "Yes:"),
    ],
)
def test_they_are_answered(question: str, said: str) -> None:
    assert said in told(question)


@pytest.mark.parametrize(
    "question",
    [
        "is sqrt(2) + sqrt(7) rational",
        "is 2.71... = e",
        "1 + 2 + 4 + ... + 33 + 2",
        "inverse of 7",
        "is this choice rational",
    ],
)
def test_what_is_not_decided_is_left_alone(question: str) -> None:
    assert compute_directly(question) is None
