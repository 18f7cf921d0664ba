"""What holds for all answers: other digits and signs are other answers, other writings of a number are not."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_answer_pairs import CASES

from altered_answers import altered
from mathrag.compute.answers import answer_key, final_answer, read_answer, same_answer
from mathrag.types.math_answer import SeveralAnswer

SHARED = next((folder / "shared" / "data" for folder in Path(__file__).parents if (folder / "shared").is_dir()), Path())
MATH_500 = SHARED / "math500" / "test.jsonl"
BEST_OF_N = SHARED / "best-of-n" / "math_cot_100.jsonl"

# Changing one sign of these can give the same answer: powers of i come back, in a set the same thing may stand twice,
# roots may be numbered in any way, and of a chain only the end counts.
TURNING = ("0-i", "i^", "1, 1", "!", "x_2 =", "= 1 + 1 =")
TEXTS = sorted({text for _, *pair, _ in CASES for text in pair if not any(mark in text for mark in TURNING)})


@pytest.mark.parametrize("text", TEXTS)
def test_another_digit_or_sign_is_another_answer(text: str) -> None:
    for other in altered(text):
        assert same_answer(text, other) is not True, other
        assert answer_key(text) != answer_key(other) or "_" in text, other


@pytest.mark.slow
@given(st.fractions(max_denominator=400).filter(lambda value: abs(value) < 10**6))
@settings(max_examples=60, deadline=None)
def test_writings_of_one_fraction(value: Fraction) -> None:
    above, below = value.numerator, value.denominator
    sign = "-" if above < 0 else ""
    writings = [f"{above}/{below}", f"{sign}\\frac{{{abs(above)}}}{{{below}}}", f"\\frac{{{2 * above}}}{{{2 * below}}}"]
    writings += [
        f"x = {above}/{below}",
        f"\\boxed{{{above}/{below}}}",
        f"{sign}{abs(above) // below}\\frac{{{abs(above) % below}}}{{{below}}}",
    ]
    assert len({answer_key(each) for each in writings[:5]}) == 1
    assert all(same_answer(writings[0], each) for each in writings[: 6 if abs(above) > below and above % below else 5])
    assert same_answer(writings[0], f"{above + 1}/{below}") is False


@given(st.integers(-(10**12), 10**12))
@settings(max_examples=60, deadline=None)
def test_thousands_are_joined(value: int) -> None:
    assert same_answer(f"{value:,}", str(value)) is True
    assert same_answer(f"{value:,}".replace(",", "{,}"), str(value)) is True
    assert same_answer(f"{value:,}", str(value + 1)) is not True
    assert answer_key(f"{value:,}") == answer_key(f"{value}.0")


@pytest.mark.slow
@given(st.lists(st.integers(-9, 9), min_size=2, max_size=5), st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_order_counts_in_tuples_only(numbers: list[int], chance: object) -> None:
    turned = numbers[::-1]
    first, second = (", ".join(map(str, each)) for each in (numbers, turned))
    assert same_answer(f"\\{{{first}\\}}", f"\\{{{second}\\}}") is True
    assert answer_key(f"\\{{{first}\\}}") == answer_key(f"\\{{{second}\\}}")
    assert same_answer(f"({first})", f"({second})") is (numbers == turned)


@given(st.integers(-5, 5), st.integers(-5, 5), st.integers(-5, 5))
@settings(max_examples=40, deadline=None)
def test_products_written_out(first: int, second: int, third: int) -> None:
    product = f"(x{first:+d})(x{second:+d})"
    assert same_answer(product, f"x^2{first + second:+d}x{first * second:+d}") is True
    is_same = third == first * second
    assert same_answer(product, f"x^2{first + second:+d}x{third:+d}") is is_same


@pytest.mark.slow
@given(st.text(alphabet="0123456789xyi+-*/^_{}()[]\\,.;:|$%= &", max_size=40))
@settings(max_examples=300, deadline=None)
def test_any_text_is_survived(text: str) -> None:
    read_answer(text)
    final_answer(text, guess=True)
    key = answer_key(text)
    assert key == answer_key(text)
    assert same_answer(text, text) in (True, None)
    assert same_answer(text, "12345678987") is not True


HOSTILE = [
    "(" * 3000,
    "{" * 3999,
    "\\{" * 1900,
    "\\frac{1}{" * 400,
    "\\boxed{" * 20_000,
    "\\boxed{" * 300 + "5" + "}" * 300,
    "$" * 3001,
    "9^{9^{9^{9^{9}}}}",
    "2^{100000000}",
    "100000!",
    "x^{100000}",
    "(x+1)^{5000}",
    ", ".join(["1"] * 1500),
    "\\{" + ", ".join(map(str, range(59))) + "\\}",
    "1,000" * 600,
    "a" * 3999,
    "1" * 3999,
    "1/" * 1500 + "1",
    "-" * 3000 + "1",
    "\\begin{pmatrix}" * 300,
    "\\begin{pmatrix}" + " & ".join(["1"] * 900) + "\\end{pmatrix}",
    "the answer is " * 10_000,
    "#### " * 5_000,
    "\\cup" * 900,
    "\\pm" * 1000,
    "=" * 3000,
    "1 = " * 900 + "1",
    "x < " * 900,
    "\\text{" * 800,
    "\\sqrt{" * 150 + "2" + "}" * 150,
    "\\sum_{k=1}^{1000000} k",
    "e^{e^{e^{e^{e^{e}}}}}",
    "\\sin(10^{1000})",
    "0." + "3" * 3000,
    "\x00\ud800" * 50,
]


@pytest.mark.parametrize("place", range(len(HOSTILE)))
def test_hostile_answers_cost_little(place: int) -> None:
    text = HOSTILE[place]
    final_answer(text, guess=True)
    assert same_answer(text, "5") is not True or place in (5, 26)
    same_answer(text, text + "1")
    answer_key(text)


def test_many_unlike_items_are_not_tried_without_end() -> None:
    first = ", ".join(f"f({place})" for place in range(55))
    second = ", ".join(f"g({place})" for place in range(55))
    assert same_answer(f"\\{{{first}\\}}", f"\\{{{second}\\}}") is not True


@pytest.mark.corpora
@pytest.mark.skipif(not MATH_500.is_file(), reason="../shared/data/math500 is not here")
def test_answers_of_a_published_set_are_read_and_told_from_altered_ones() -> None:
    rows = [json.loads(line) for line in MATH_500.read_text(encoding="utf-8").splitlines()]
    answers = [row["answer"] for row in rows]
    assert sum(read_answer(text) is not None and same_answer(text, text) is True for text in answers) >= 495
    found = [final_answer(row["solution"]) for row in rows]
    assert sum(same_answer(text or "", answer) is True for text, answer in zip(found, answers, strict=True)) >= 495
    wrong = [(text, other) for text in answers for other in altered(text) if same_answer(text, other)]
    assert [pair for pair in wrong if not isinstance(getattr(read_answer(pair[0]), "body", None), SeveralAnswer)] == []


@pytest.mark.corpora
@pytest.mark.skipif(not BEST_OF_N.is_file(), reason="../shared/data/best-of-n is not here")
def test_sampled_answers_are_judged_as_their_labels() -> None:
    rows = [json.loads(line) for line in BEST_OF_N.read_text(encoding="utf-8").splitlines()]
    judged = [
        (row["gt"], answer, label, same_answer(answer, row["gt"]) is True)
        for row in rows
        for answer, label in zip(row["pred"], row["score"], strict=True)
    ]
    assert len(judged) == 800
    # One label is wrong: it takes 10000 for another number than 10{,}000.
    assert [each for each in judged if each[2] != each[3]] == [("10{,}000", "10000", False, True)]
