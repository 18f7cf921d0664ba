"""What a calculator shows: lists, rounding, percentages, exact values; hostile expressions end in a reason."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mathrag.compute.pythontext.calculation import LONGEST_CALCULATION
from mathrag.reason.direct.calculation import Calculated, calculate
from mathrag.reason.direct.result import DirectFailure


def shown(expression: str) -> str:
    found = calculate(expression)
    assert isinstance(found, Calculated), found
    return found.text


def refused(expression: str) -> str:
    found = calculate(expression)
    assert isinstance(found, DirectFailure), found
    assert found.message
    return found.code


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("round(2/3, 2)", "0.67"),
        ("round(2/3, ndigits=4)", "0.6667"),
        ("np.round(2/3, 1)", "0.7"),
        ("round(7.5)", "8"),
        ("round(6.5)", "6"),
        ("round(2.675, 2)", "2.68"),
        ("round(-2.675, 2)", "-2.68"),
        ("round(1234, -2)", "1200"),
        ("round(sqrt(2), 4)", "1.4142"),
        ("round(round(1.005, 2) * 3, 1)", "3"),
        ("sum([1, 2, 3])", "6"),
        ("sum([0.1, 0.2])", "0.3"),
        ("sum([\n  1,\n  2,\n])", "3"),
        ("sum(1, 2, 3)", "6"),
        ("sum([71.2, 68.4, 70.1]) / len([71.2, 68.4, 70.1])", "69.9"),
        ("round(mean([71.2, 68.5, 70.1]), 2)", "69.93"),
        ("average([1, 2])", "1.5"),
        ("statistics.mean([1, 2, 4.5])", "2.5"),
        ("len([])", "0"),
        ("max([3, 9, 2]) - min(3, 1)", "8"),
        ("abs(3.25 - 7)", "3.75"),
        ("80 * 25%", "20"),
        ("25% of 80", "20"),
        ("round(12.5% of 33, 2)", "4.12"),
        ("-5%", "-0.05"),
        ("10% + 5%", "0.15"),
        ("50% - 20%", "0.3"),
        ("17 % 5", "2"),
        ("1,234 * 2", "2468"),
        ("max([100,200,300])", "300"),
        ("10 / 4", "2.5"),
        ("2 ** 100", str(2**100)),
        ("3 km + 200 m", "3.2 km"),
    ],
)
def test_values(expression: str, text: str) -> None:
    assert shown(expression) == text


def test_a_fraction_without_an_end_is_kept_exactly_beside_its_digits() -> None:
    assert calculate("2/3") == Calculated("2/3", "0.666666666666667", 2 / 3, "2/3")


@pytest.mark.parametrize(
    ("expression", "code"),
    [
        ("", "unexpected"),
        ("1 +", "unexpected"),
        ("1/0", "division_by_zero"),
        ("round(1/0, 2)", "division_by_zero"),
        ("x + 1", "symbols"),
        ("round(x, 2)", "symbols"),
        ("round(1, 0.5)", "wrong_arguments"),
        ("round(1, 31)", "wrong_arguments"),
        ("len(3)", "wrong_arguments"),
        ("sum([])", "wrong_arguments"),
        ("[1, 2]", "brackets"),
        ("len([1, [2, 3]])", "brackets"),
        ("200 + 10%", "ambiguous"),
        ("-5% + 3", "ambiguous"),
        ("50% - 20", "ambiguous"),
        ("sum([1,234, 5,678])", "ambiguous"),
        ("max(1,234, 900)", "ambiguous"),
        ("1\n2", "unexpected"),
        ("__import__('os').system('x')", "not_a_name"),
        ("(1).__class__", "attribute"),
        ("open('x')", "unknown_function"),
        ("lambda: 1", "python_keyword"),
        ("9**9**9**9", "too_large"),
        ("factorial(10**6)", "too_large"),
        ("round(3**100000)", "too_large"),
        ("1e9999", "too_large"),
        ("(" * 300 + "1" + ")" * 300, "too_large"),
        ("+".join(["round(1.5)"] * 40), "too_large"),
        ("1" * (LONGEST_CALCULATION + 1), "too_large"),
    ],
)
def test_refusals(expression: str, code: str) -> None:
    assert refused(expression) == code


numbers = st.one_of(st.integers(-(10**6), 10**6), st.decimals(-1000, 1000, places=3)).map(str)


@given(st.lists(numbers, min_size=1, max_size=12), st.integers(0, 6))
def test_lists_are_exact(values: list[str], places: int) -> None:
    exact = [Fraction(value) for value in values]
    listed = f"[{', '.join(values)}]"
    assert Fraction(shown(f"sum({listed})")) == sum(exact)
    assert Fraction(shown(f"max({listed})")) == max(exact)
    assert Fraction(shown(f"round(sum({listed}) / len({listed}), {places})")) == round(sum(exact) / len(exact), places)


PIECES = (
    "round(", "sum([", "len([", "mean(", "max(", "])", ")", "(", "[", "]", ",", " ", "1", "2.5", "1e400", "%", "of",
    "+", "-", "*", "/", "**", "//", "!", "x", "pi", "if", "else", "for", "in range(", "lambda", "'a'", ".", "=", "<",
    "\n", "km", "°", "\x00", "½", "²", "9" * 50,
)  # fmt: skip


@pytest.mark.slow
def test_any_text_gives_a_value_or_a_reason_in_little_time() -> None:
    chance = random.Random(4)
    for _ in range(2_000):
        text = "".join(chance.choice(PIECES) for _ in range(chance.randrange(14)))
        assert isinstance(calculate(text), Calculated | DirectFailure)
    for text in (
        "1%+" * 1_300 + "1%", "round(" * 600, "sum([" * 700, "1," * 1_900, "-" * 3_900 + "1", "2**" * 1_200 + "2",
        "sum([" + "1/3," * 900 + "])", "+".join(["round(sum(1/k for k in range(1, 1999)), 2)"] * 29), "!" * 3_900,
    ):  # fmt: skip
        assert isinstance(calculate(text), Calculated | DirectFailure)
