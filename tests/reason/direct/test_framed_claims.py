"""Statements in the frames that people put around them: who said them, how their truth is asked for."""

from __future__ import annotations

import pytest

from mathrag.reason.direct import compute_directly
from mathrag.reason.direct.algebra import answer_algebra
from mathrag.reason.direct.algebra.claim_frames import reframed
from mathrag.reason.direct.result import DirectStatement


def told(question: str) -> str:
    found = answer_algebra(question)
    assert isinstance(found, DirectStatement), found
    return found.text


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("my mate wrote (p+q)^3 = p^3 + q^3, is he right?", "False"),
        ("(p-q)^2 = p^2 - 2pq + q^2 - check", "True"),
        ("sin(2t) = 2 sin t cos t, yes or no?", "True"),
        ("cos(3t) = 3 cos t ???", "False"),
        ("sqrt(4+5) = sqrt 4 + sqrt 5 ???", "False"),
        ("e^(2u) == (e^u)^2", "True"),
        ("ln(p/q) = ln p - ln q for p, q > 0", "True"),
        ("ln(u^3) = 3 ln u, u>0. T or F", "True"),
        (r"\sqrt{p\,q} = \sqrt{p}\;\sqrt{q} hold for negative p and q too?", "Not true"),
        ("|t| = -t when t is negative?", "True"),
        ("(t^2-4)/(t-2) = t+2 for every t except 2", "True"),
        ("Is it right that tg u = sin u / cos u?", "True"),
        ("ln(e^(3t)) = 3t ok?", "True"),
        ("sin u + sin v = 2 sin((u+v)/2) cos((u-v)/2), agree?", "True"),
        ("is 0.777... really equal to 7/9 or just very close", "True"),
        ("why is (p+q)^2 not equal to p^2+q^2", "False"),
        ("t + 1/t >= 2 for t > 0", "True"),
    ],
)
def test_the_frame_is_taken_off(question: str, expected: str) -> None:
    assert told(question).startswith(expected)


def test_whether_it_is_ever_true_is_told() -> None:
    assert "exactly where 2 p q = 0" in told("can (p-q)^2 = p^2 + q^2 ever be true?")
    assert "for example at p = 2, q = 2" in told("A pupil wrote ln(p+q) = ln p + ln q. Is it ever true?")


def test_nought_to_the_power_of_nought_is_a_convention() -> None:
    assert "convention" in told("does t^0 = 1 work for EVERY t")


def test_the_sign_of_a_factorial_stays() -> None:
    assert told("(k+1)! = (k+1) k!, true?").startswith("True")
    assert told("is it true that (k+1)! = (k+1) k!?").startswith("True")


def test_how_an_inverse_was_read_is_told() -> None:
    found = answer_algebra("is tan^{-1} t the same as 1/tan t")
    assert isinstance(found, DirectStatement)
    assert any("inverse function arctan" in note for note in found.notes)


@pytest.mark.parametrize(
    "text",
    [
        "solve x^2 = 9",
        "what is the speed of light",
        "a car drives 30 km, is that far?",
        "5 km = 3 miles",
        "x = 3",
        "P = U I",
    ],
)
def test_what_is_no_framed_statement_stays(text: str) -> None:
    assert reframed(text).text == text


@pytest.mark.parametrize("text", ["V(t) = 2t", "N(t) = N(0) + k t", "5 = 3", "tg = 4"])
def test_definitions_are_no_statements(text: str) -> None:
    assert not isinstance(compute_directly(text), DirectStatement)
