"""Claims about sums up to n: shown by induction, refuted at the first n, or said to be open."""

from __future__ import annotations

import pytest

from mathrag.reason.direct.algebra import answer_algebra
from mathrag.reason.direct.algebra.sum_claims import answer_sum_claim
from mathrag.reason.direct.result import DirectFailure, DirectStatement


def said(question: str) -> str:
    found = answer_algebra(question)
    assert isinstance(found, DirectStatement), found
    return found.text


@pytest.mark.parametrize(
    "question",
    [
        "2 + 5 + 8 + ... + (3n-1) = n(3n+1)/2",
        "2+5+8+…+(3n−1) = n(3n+1)/2 true?",
        r"Prove by induction that $2 + 5 + 8 + \cdots + (3n-1) = \frac{n(3n+1)}{2}$ for all positive integers n.",
        r"\sum_{j=1}^{m} j^3 = \frac{m^2(m+1)^2}{4}",
        "∑ₖ₌₁ⁿ k^3 == (n(n+1)/2)^2 ???",
        "the sum of the first n even numbers is n(n+1), T/F",
        "is the sum of the squares of the first n natural numbers equal to n(n+1)(2n+1)/6",
        "the sum of 4k - 3 from k = 1 to n equals n(2n - 1)",
        "sum(3^k, k=0..n) = (3^(n+1) - 1)/2",
        "1^3 + 2^3 + ... + n^3 = (1 + 2 + ... + n)^2",
        "1*1! + 2*2! + ... + n*n! = (n+1)! - 1",
        "1/(1*3) + 1/(3*5) + ... + 1/((2n-1)(2n+1)) = n/(2n+1), correct?",
        "1 + 2 + 3 + ... + 2n = n(2n+1)",
        "for every natural number n, 1 + 2 + ... + n = n(n+1)/2",
        r"\prod_{k=1}^{n} 2k = 2^n n!",
        "a + (a+d) + (a+2d) + ... + (a+(n-1)d) = n(2a+(n-1)d)/2",
    ],
)
def test_true_sums_are_shown_by_induction(question: str) -> None:
    text = said(question)
    assert text.startswith("True for every whole number"), text
    assert "Shown by induction" in text


def test_a_geometric_sum_needs_a_ratio_that_is_not_one() -> None:
    for question in (
        "1 + q + q^2 + ... + q^n = (1 - q^(n+1))/(1 - q) provided q ≠ 1",
        r"\sum_{k=0}^{n} q^k = \frac{q^{n+1}-1}{q-1}, q \neq 1",
        "a + ar + ar^2 + ... + ar^(n-1) = a(1-r^n)/(1-r)",
    ):
        text = said(question)
        assert "≠ 1" in text.split(":")[0], text
        assert "Shown by induction" in text


@pytest.mark.parametrize(
    ("question", "by"),
    [
        (r"\sum_{k=0}^n \binom{n}{k} 2^k = 3^n", "binomial theorem"),
        ("C(n,0) + C(n,1) + ... + C(n,n) = 2^n", "binomial theorem"),
        (r"\sum_{k=0}^n {n \choose k} x^k y^{n-k} = (x+y)^n", "binomial theorem"),
        (r"\sum_{k=1}^n k \binom{n}{k} = n 2^{n-1}", "k C(n, k) = n C(n − 1, k − 1)"),
        (r"\sum_{k=0}^n C(n,k)^2 = C(2n,n)", "Vandermonde"),
        ("ln(n!) = sum_{k=1}^{n} ln(k)", "log a + log b"),
    ],
)
def test_sums_by_a_theorem_name_it(question: str, by: str) -> None:
    text = said(question)
    assert text.startswith("True for every whole number"), text
    assert by in text


@pytest.mark.parametrize(
    ("question", "at", "true_form"),
    [
        ("1 + 3 + 5 + ... + (2n-1) = n^2 + 1", "n = 1", "n²"),
        ("the sum of the first n natural numbers is n^2/2", "n = 1", "n (n + 1) / 2"),
        ("1! + 2! + ... + n! = (n+1)! - 1", "n = 2", ""),
        (r"\sum_{k=0}^n \binom{n}{k} = 2^{n+1}", "n = 0", "2^n"),
    ],
)
def test_false_sums_fail_at_the_first_n(question: str, at: str, true_form: str) -> None:
    text = said(question)
    assert text.startswith("False"), text
    assert at in text
    assert true_form in text


def test_a_sum_that_is_right_from_the_second_number_on_says_so() -> None:
    text = said(r"\sum_{k=0}^n (-1)^k \binom{n}{k} = 0")
    assert text.startswith("True for every whole number n ≥ 1, but not at n = 0")


@pytest.mark.parametrize(
    ("question", "beginning"),
    [
        (r"\sum_{k=0}^n (-1)^k \binom{n}{k} = 0 for all n ≥ 1", "True for every whole number n ≥ 1: "),
        (r"\sum_{k=0}^n (-1)^k \binom{n}{k} = 0 for n > 0", "True for every whole number n ≥ 1: "),
        ("1 + 2 + ... + n = n(n+1)/2 for all n > 4", "True for every whole number n ≥ 5: "),
    ],
)
def test_a_claim_is_judged_from_the_number_on_that_it_names(question: str, beginning: str) -> None:
    assert said(question).startswith(beginning)


@pytest.mark.parametrize("limit", ["n ≥ 4", "n > 3", "4 <= n"])
def test_a_counterexample_keeps_within_the_limit(limit: str) -> None:
    text = said(f"1 + 3 + 5 + ... + (2n-1) = n^2 + 1 for all {limit}")
    assert text.startswith("False"), text
    assert "at n = 4 the sum is 16" in text


def test_what_is_not_shown_is_not_called_proved() -> None:
    text = said(r"\sum_{k=0}^{n} \binom{n+k}{k} = \binom{2n+1}{n}")
    assert text.startswith(("No counterexample found, not proved", "False"))


def test_a_sum_without_parentheses_is_asked_back_about() -> None:
    found = answer_algebra(r"\sum_{k=1}^n k + 1 = n(n+1)/2 + 1")
    assert isinstance(found, DirectFailure)
    assert found.code == "ambiguous"


@pytest.mark.parametrize(
    "question",
    [
        r"\sum_{k=1}^{n} k = 5050",
        "the sum of the first n invoices is 300 euros",
        "1 + 2 + 3 + ... = -1/12",
        "1 + 2 + 3 + ... + 100 = 5050",
        "the sum of the forces is m a",
        "U_1 + U_2 + ... + U_n = 12 V",
        "we add up to 3 kg of salt",
        "n = 5, the sum of the first n odd numbers",
        "1 + 3 + 9 + ... + n = n^2",
    ],
)
def test_other_questions_are_left_alone(question: str) -> None:
    assert answer_sum_claim(question) is None
