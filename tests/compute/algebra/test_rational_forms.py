"""Identities of sines, cosines and exponentials shown by algebra; never one that is false."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathrag.compute.algebra.identities import Comparison, is_exactly_equal
from mathrag.compute.typed_mathematics import read_mathematics
from mathrag.reason.direct import DirectStatement, compute_directly

SHOWN = (
    "cos(u)^2 - sin(u)^2 = cos(2u)",
    "sin(u - v) = sin(u) cos(v) - cos(u) sin(v)",
    "1 + tan(u)^2 = 1/cos(u)^2",
    "sin(u)^6 + cos(u)^6 = 1 - 3 sin(u)^2 cos(u)^2",
    "sin(pi - u) = sin(u)",
    "cosh(2u) = 2 cosh(u)^2 - 1",
    "e^(u - v) = e^u / e^v",
    "y^-2 * y^3 = y",
)
NOT_SHOWN = (
    "sin(u + v) = sin(u) + sin(v)",
    "sin(u)^2 - cos(u)^2 = 1",
    "cosh(u)^2 + sinh(u)^2 = 1",
    "sqrt(u^2) = u",
    "sin(u)^3 = cos(u)^3",
)


def stated(text: str) -> Comparison:
    statement = read_mathematics(text)
    return Comparison(statement.sides[0], statement.signs[0], statement.sides[1])


@pytest.mark.parametrize("text", SHOWN)
def test_identities_are_shown(text: str) -> None:
    assert is_exactly_equal(stated(text))


@pytest.mark.parametrize("text", NOT_SHOWN)
def test_what_is_false_is_never_shown(text: str) -> None:
    assert not is_exactly_equal(stated(text))


def test_what_is_too_long_is_not_shown() -> None:
    long = " + ".join(f"(a + {number} b)^7 (c - d)^5" for number in range(1, 12))
    assert not is_exactly_equal(stated(f"{long} = a"))


@pytest.mark.parametrize(
    ("text", "is_shown"),
    [
        ("tan(u - v) = (tan(u) - tan(v))/(1 + tan(u) tan(v))", True),
        ("tan(u - v) = (tan(u) - tan(v))/(1 - tan(u) tan(v))", False),
        ("1/(1/p + 1/(1/q + 1/r)) = p (q r)/(p (q + r) + q r) (q + r)", False),
        ("1/(1/p + 1/q)/(1 + r/(s - r)) = p q (s - r)/((p + q) s)", True),
    ],
)
def test_quotients_within_quotients_are_compared(text: str, is_shown: bool) -> None:
    assert is_exactly_equal(stated(text)) == is_shown


@settings(max_examples=30)
@given(st.integers(1, 4), st.integers(1, 3), st.integers(-2, 2))
def test_a_changed_coefficient_is_noticed(power: int, times: int, wrong: int) -> None:
    text = f"(sin(x)^2 + cos(x)^2)^{power} * {times} = {times} + {wrong + 2} - 2"
    assert is_exactly_equal(stated(text)) == (wrong == 0)


@pytest.mark.parametrize(
    ("question", "how"),
    [
        ("is (p - q)(p + q) = p^2 - q^2", "expand to the same polynomial"),
        ("is 1/p + 1/q = (p + q)/(p q)", "for which both sides have a value"),
        ("is sin(2 u) = 2 sin(u) cos(u)", "shown by algebra"),
    ],
)
def test_the_answer_says_how_it_was_shown(question: str, how: str) -> None:
    found = compute_directly(question)
    assert isinstance(found, DirectStatement)
    assert found.text.startswith("True: ")
    assert how in found.text
