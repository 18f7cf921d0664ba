"""Where the final answer of a written solution stands."""

from __future__ import annotations

import pytest

from mathrag.compute.answers import final_answer

MARKED = [
    ("We get $\\boxed{12}$.", "12"),
    ("First \\boxed{3}, then after correction \\boxed{4}.", "4"),
    ("So \\boxed{\\frac{1}{2}} is it.", "\\frac{1}{2}"),
    ("\\boxed{\\{1, 2\\}}", "\\{1, 2\\}"),
    ("\\boxed 7", "7"),
    ("\\fbox{9}", "9"),
    ("The roots are \\boxed{1} and \\boxed{-2}.", "1, -2"),
    ("\\boxed{1},\\boxed{2},\\boxed{3}", "1, 2, 3"),
    ("It is \\boxed{5}. Checking: yes, \\boxed{5}.", "5"),
    ("Half of 10 is 5.\n#### 5", "5"),
    ("#### 1,200\n", "1,200"),
    ("Adding up, the answer is 42.", "42"),
    ("The answer is: $x^2 + 1$. Done.", "$x^2 + 1$"),
    ("Final Answer: The length of the fence is 30.", "30"),
    ("**Final Answer** 17", "17"),
    ("The answer is 3.5 and not 4.", "3.5 and not 4"),
    ("The correct answer is B.", "B"),
    ("\\boxed{5} was my first try. The final answer is $6$. I hope the answer is correct.", "$6$"),
    ("So \\boxed{44}. Let us check our answer: 44 is right.", "44"),
]


@pytest.mark.parametrize(("text", "answer"), MARKED)
def test_marked_answers_are_found(text: str, answer: str) -> None:
    assert final_answer(text) == answer


@pytest.mark.parametrize(
    "text", ["", "We add 3 and 4.", "\\boxed{", "\\boxed{1", "I hope the answer is correct.", "####"]
)
def test_what_is_not_marked_is_not_found(text: str) -> None:
    assert final_answer(text) is None


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("We add 3 and 4 and get 7.", "7"),
        ("Therefore $x = 5$ holds.", "x = 5"),
        ("From $a + b$ it follows that 12 remain.", "12"),
        ("The code is KX2B.", None),
        ("No number at all.", None),
    ],
)
def test_a_guess_takes_what_comes_last(text: str, answer: str | None) -> None:
    assert final_answer(text) is None
    assert final_answer(text, guess=True) == answer
