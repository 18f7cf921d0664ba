"""Kinds of whole numbers that have names, opposites of numbers, derangements, surds."""

from __future__ import annotations

import math
from itertools import permutations

import pytest

from mathrag.reason.direct import DirectResult, DirectStatement, compute_directly
from mathrag.reason.direct.named_numbers import answer_named_numbers


def _says(text: str) -> str:
    found = compute_directly(text)
    assert isinstance(found, DirectStatement | DirectResult), text
    return found.text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("is 8128 a perfect number?", "Yes"),
        ("is 10 a perfect number", "No"),
        ("is 1 perfect", "No"),
        ("is 18 abundant", "Yes"),
        ("is 14 deficient?", "Yes"),
        ("is 30 squarefree?", "Yes: 30 is squarefree: it is 2 * 3 * 5"),
        ("is 45 square-free", "No: 45 is not squarefree: it is divisible by 3² = 9"),
        ("is 36 a triangular number", "Yes: 36 is a triangular number: it is 1 + 2 + … + 8"),
        ("is 35 a triangular number or not", "No"),
        ("is 34 a fibonacci number", "Yes"),
        ("is 33 a fibonacci number", "No"),
        ("is 39 a semiprime", "Yes"),
        ("is 1221 a palindrome", "Yes"),
        ("is 127 a mersenne prime", "Yes: 127 is a Mersenne prime: it is prime, and it is 2^7 − 1"),
        ("is 2047 a mersenne prime", "No: 2047 is not a Mersenne prime: it is 2^11 − 1, which is 23 * 89"),
        ("is 1 a mersenne prime", "No"),
        ("is 11 a mersenne prime?", "No"),
        ("are 21 and 32 coprime?", "Yes"),
        ("are 21 and 33 relatively prime", "No: 21 and 33 are not coprime: both are divisible by 3"),
        ("is 9 coprime to 16", "Yes"),
        ("can two coprime numbers both be composite?", "Yes: 4 and 9"),
        ("can two coprime integers both be even", "No"),
        ("is sqrt(25) a surd", "No: √25 is rational"),
        ("is sqrt(10) a surd?", "Yes: √10 is irrational"),
        ("is the square root of 81 a surd", "No"),
        ("what is the reciprocal of 7/2", "The reciprocal of 7/2 is 2/7"),
        ("reciprocal of 0", "0 has no reciprocal"),
        ("what is the additive inverse of -4", "The additive inverse of −4 is 4"),
    ],
)
def test_kinds_and_opposites(text: str, said: str) -> None:
    assert _says(text).startswith(said)


@pytest.mark.parametrize("number", range(1, 60))
def test_perfect_abundant_and_deficient_by_counting(number: int) -> None:
    total = sum(each for each in range(1, number) if number % each == 0)
    for kind, is_so in (("perfect", total == number), ("abundant", total > number), ("deficient", total < number)):
        assert _says(f"is {number} {kind}").startswith("Yes" if is_so else "No"), (number, kind)


@pytest.mark.parametrize("number", range(1, 7))
def test_derangements_by_counting(number: int) -> None:
    orders = permutations(range(number))
    count = sum(all(place != thing for place, thing in enumerate(order)) for order in orders)
    found = compute_directly(f"how many derangements are there of {number} things")
    assert isinstance(found, DirectResult)
    assert found.quantity.value == count


def test_a_derangement_count_of_many_things_is_the_nearest_integer_to_n_factorial_over_e() -> None:
    found = compute_directly("number of derangements of 12 objects")
    assert isinstance(found, DirectResult)
    assert found.quantity.value == round(math.factorial(12) / math.e)


@pytest.mark.parametrize(
    "text",
    [
        "how many permutations are there of 5 people sitting in pairs",
        "how many derangements are there of 4 cards with two fixed",
        "how many permutations of 4 identical balls",
    ],
)
def test_a_condition_on_the_things_is_not_passed_over(text: str) -> None:
    assert not isinstance(compute_directly(text), DirectResult)


@pytest.mark.parametrize(
    "text",
    [
        "is 28 kg a perfect weight",
        "is 7 a lucky number",
        "is 12.5 squarefree",
        "are 8 m and 15 m coprime",
        "is x perfect",
        "is -6 perfect",
        "what is the negative of the image",
        "is pi a surd",
    ],
)
def test_what_is_none_of_these_is_left_alone(text: str) -> None:
    assert answer_named_numbers(text) is None
