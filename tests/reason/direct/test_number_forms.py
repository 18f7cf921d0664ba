"""Denominators without roots, greater and less, lists that go on, extremes of polynomials, claims about limits."""

from __future__ import annotations

import pytest

from mathrag.reason.direct.algebra import answer_algebra
from mathrag.reason.direct.algebra.extremes import answer_extremes
from mathrag.reason.direct.algebra.limit_claims import answer_limit_claim
from mathrag.reason.direct.algebra.number_forms import answer_number_forms
from mathrag.reason.direct.algebra.sequences import answer_sequence
from mathrag.reason.direct.result import DirectResult, DirectStatement


def said(question: str) -> str:
    found = answer_algebra(question)
    assert isinstance(found, DirectStatement | DirectResult), found
    return found.text


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Rationalise the denominator: 4/(3 − √5)", "3 + √5"),
        ("rationalize 3/√6", "√6 / 2"),
        (r"\frac{1}{\sqrt{7}-\sqrt{3}} with a rational denominator", "(√3 + √7) / 4"),
        ("which is bigger, 5/8 or 7/11?", "7 / 11 is bigger: 5 / 8 < 7 / 11 (over one denominator: 55/88 < 56/88)"),
        ("2^12 or 3^8, which one is smaller", "2¹² is smaller"),
        ("is √17 greater than 4.2", "No: √17 < 4.2"),
        ("which is larger √3·√12 or 6", "Neither"),
        ("order 3/4, 2/3, 5/7 from largest to smallest", "3 / 4 > 5 / 7 > 2 / 3"),
        ("next term and nth term of 4, 9, 14, 19, ...", "the next term is 24; the n-th term is 5 n − 1"),
        ("5, 10, 20, 40 ... what is the nth term?", "5 × 2^(n − 1)"),
        ("find the nth term of the sequence 0, 3, 8, 15, 24", "n² − 1"),
        ("what is the 30th term of 2, 5, 8, ...", "term 30 is 89"),
        ("Complete the square for x^2 - 8x + 3, and state the minimum.", "is −13, at x = 4"),
        ("maximise 12p - 3p^2", "is 12, at p = 2"),
        ("minimize x^4 - 2x^2", "is −1, at x = −1 and x = 1"),
        ("maximise x^3 - 12x", "no greatest value"),
        ("local extrema of x^3 - 12x", "local maximum at x = −2, of value 16; there is a local minimum at x = 2"),
        ("maximise x(6 - x) on [0, 2]", "is 8, at x = 2"),
        (r"\lim_{x \to 0} \frac{\tan x}{x} = 1 ?", "True"),
        ("lim x->inf 3x/(x+1) = 2, T/F", "False, it is not 2"),
        ("lim x->0 1/x = infinity", "False"),
        ("simplificate (a^2 - b^2)/(a - b)", "a + b"),
    ],
)
def test_answers(question: str, answer: str) -> None:
    assert answer in said(question)


@pytest.mark.parametrize(
    "question",
    ["which is bigger, 3 km or 2 miles", "which is bigger, a mouse or an elephant", "compare the mean and the median",
     "order 3 pizzas and 2 drinks", "rationalise the use of energy", "minimize the cost of 3 kg", "maximum of 3, 7, 5",
     "the next term of 4 1 9 2", "the limit of the speed is 50 km/h", "sort the words"],
)  # fmt: skip
def test_other_questions_are_left_alone(question: str) -> None:
    for reader in (answer_number_forms, answer_sequence, answer_extremes, answer_limit_claim):
        assert reader(question) is None
