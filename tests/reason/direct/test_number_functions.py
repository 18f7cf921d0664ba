"""Functions of whole numbers by name, and whether a value is as said. Exact, or nothing."""

from __future__ import annotations

import pytest

from mathrag.reason.direct import DirectFailure, DirectResult, DirectStatement, compute_directly


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("calculate binomial(9, 4)", 126),
        ("compute C(7, 2) + C(7, 3)", 56),
        ("evaluate 6 choose 2 times 4", 60),
        ("\\binom{8}{5}", 56),
        ("9C2", 36),
        ("7P2", 42),
        ("binomial coefficient of 12 and 2", 66),
        ("evaluate factorial(5)", 120),
        ("find mod(29, 6)", 5),
        ("|-12|", 12),
        ("what is phi(14)?", 6),
        ("euler's totient of 45", 24),
        ("sigma(10)", 18),
        ("tau(18)", 6),
        ("mobius(12)", 0),
        ("moebius(6)", 1),
        ("what is the 12th fibonacci number", 144),
        ("fib(9)", 34),
        ("double factorial of 8", 384),
        ("9!!", 945),
        ("how many primes are there up to 30?", 10),
        ("number of primes below 29", 9),
        ("trunc(-3.8)", -3),
        ("sgn(-0.5)", -1),
        ("round(4.5)", 5),
    ],
)
def test_values(text: str, value: int) -> None:
    found = compute_directly(text)
    assert isinstance(found, DirectResult), found
    assert found.quantity.value == value


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("is gcd(9, 12) = 3?", "True: gcd(9, 12) = 3 (computed exactly)."),
        ("is lcm(4, 10) equal to 40", "False: lcm(4, 10) = 20, not 40 (computed exactly)."),
        ("is phi(9) = 6", "True: φ(9) = 6"),
        ("does 8 choose 3 equal 8 choose 5?", "True: C(8, 3) = 56 and C(8, 5) = 56"),
        ("is 4! = 26", "False: 4! = 24, not 26"),
        ("isprime(51)", "No: 51 is not prime: it is 3 * 17."),
    ],
)
def test_verdicts(text: str, said: str) -> None:
    found = compute_directly(text)
    assert isinstance(found, DirectStatement), found
    assert found.text.startswith(said)


def test_what_is_too_large_is_refused() -> None:
    for text in ("fibonacci(100000)", "how many primes below 900000000", "5000!!"):
        assert isinstance(compute_directly(text), DirectFailure)


@pytest.mark.parametrize(
    "text", ["what is phi", "sigma of the stress", "what is tau in this circuit", "how many primes"]
)
def test_letters_alone_are_left_to_the_formulas(text: str) -> None:
    found = compute_directly(text)
    assert not isinstance(found, DirectResult) or found.kind != "number_theory"
