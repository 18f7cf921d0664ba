"""Statements that are proved, refuted or told under a condition: sizes, floors, orders, logarithms, remainders."""

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
        ("is |u - v| <= |u| + |v|", "True for all real numbers u and v"),
        ("is floor(x + 3) = floor(x) + 3", "True for all real numbers x"),
        ("is ceil(x) = floor(x) + 1", "False: at x = "),
        ("is min(p, q) = (p + q - |p - q|)/2", "True for all real numbers p and q"),
        ("is floor(y) + floor(-y) = 0", "False"),
        ("is u^2 + v^2 >= -2 u v", "(u + v)²: a square is not negative"),
        ("for t > 0 is t + 4/t >= 4", "True for all real numbers t with t > 0"),
        ("is (p + q)/2 >= sqrt(p q) for p, q >= 0", "(√p − √q)² / 2"),
        ("if u > v then u^2 > v^2", "False where u > v"),
        ("if u > v > 0 then u^3 > v^3", "True for all real numbers u and v with u > v and v > 0"),
        ("for all integers m, m^2 >= m", "True for all whole numbers m"),
        ("is |cos t| <= 1", "True for all real numbers t"),
        ("is ln(a/b) = ln a - ln b", "is true for a > 0 and b > 0"),
        ("is ln(a + b) = ln a + ln b", "False"),
        ("is sqrt(a b) = sqrt(a) sqrt(b)", "Only under a condition"),
        ("is sqrt(y^2) = y", "It is true for y ≥ 0"),
        ("is sqrt(18) = 3 sqrt(2)", "True: √18 = 3 √2"),
        ("is sqrt(-9) * sqrt(-4) = 6", "it is false: the left side is −6"),
        ("is |u + v| <= |u| + |v| for complex u and v", "By the triangle inequality"),
        ("is |z| - |w| <= |z - w| for complex z and w", "By the triangle inequality"),
        ("is |z + w| >= |z| + |w| for complex z and w", "False"),
        ("is Im(z) <= |z|", "True"),
        ("is (p + q)(1/p + 1/q) >= 4 for p, q > 0", "(p − q)² / (p q)"),
        ("is sqrt(p + q) <= sqrt(p) + sqrt(q) for nonnegative p and q", "the squares are compared"),
        ("is sqrt(p + q) = sqrt(p) + sqrt(q)", "False"),
        ("are all primes odd", "2 is prime and even"),
        ("is the sum of an odd and an even number odd", "True:"),
        ("is 7/2 an integer", "No:"),
        ("is -4 positive", "No:"),
        ("is 0 a natural number", "depends on the convention"),
        ("is m^2 - m always even", "True for all whole numbers m"),
        ("is k^3 + 2k divisible by 3 for every integer k", "True for all whole numbers k"),
        ("is k^2 + 1 divisible by 2", "False: at k = 2"),
        ("is 9^n - 1 divisible by 8", "True for all whole numbers n from 0 on"),
        ("is n^2 - n + 11 always prime", "n = 11, n² − n + 11 is 121 = 11 × 11"),
        ("is the sum of an even number and an odd number even", "It never is at the numbers tried"),
        ("is the product of four consecutive integers divisible by 24", "True: the product of four"),
        ("if m is even, m^2 is divisible by 4", "True: where m is even"),
        ("does 13 divide 1001", "Yes: 1001 is divisible by 13"),
        ("is x^5 - x an odd function", "Yes: x⁵ − x is an odd function"),
        ("is x^2 + x even", "No:"),
    ],
)
def test_statements_are_judged(question: str, said: str) -> None:
    assert said in told(question)


@pytest.mark.parametrize(
    "question", ["is this function even", "is every rule odd", "is 0.5 even", "is the sum of two apples even"]
)
def test_what_is_not_read_is_left_alone(question: str) -> None:
    assert compute_directly(question) is None


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("why is 91 a prime number?", "91 is not prime"),
        ("why is (p - q)^2 = p^2 - q^2", "False: at"),
        ("why is the product of two odd numbers odd", "True: "),
    ],
)
def test_why_something_is_so_tells_whether_it_is(question: str, said: str) -> None:
    found = compute_directly(question)
    assert isinstance(found, DirectResult | DirectStatement)
    assert said in found.text


def test_why_of_anything_else_is_left_alone() -> None:
    assert compute_directly("why is a warm room larger than 12 m²") is None
