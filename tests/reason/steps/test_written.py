"""Reading what a model wrote: steps in many forms, answers, and what is cut off, huge, empty or hidden."""

from __future__ import annotations

import pytest

from mathrag.llm.messages import ChatReply
from mathrag.reason.steps.written import LONGEST_STEP, read_steps


def read(text: str, most: int = 8) -> tuple[list[str], str]:
    found = read_steps(ChatReply(text), most=most)
    return [step.text for step in found.steps], found.answer


@pytest.mark.parametrize(
    "text",
    [
        "Step 1: one\nStep 2: two\nANSWER: 7",
        "**Step 1:** one\n\n**Step 2:** two\n\n**Answer:** 7",
        "### Step 1. one\n### Step 2. two\n\nFinal answer: **7**",
        "Sure! Here it is.\nSTEP 1 - one\nstep 2) two\nThe final answer is: 7",
        "<think>Step 9: no\nANSWER: 8</think>\nStep 1: one\nStep 2: two\nANSWER: 7",
        "```text\nStep 1: one\nStep 2: two\nANSWER: 7\n```",
        "one\n\ntwo\n\nANSWER: $7$",
        "one\n\ntwo\n\nANSWER: \\boxed{7}",
        "one\n\ntwo\n\nANSWER: 7\n\nStep 1: of another problem\nANSWER: 99",
    ],
)
def test_steps_in_the_forms_that_models_use(text: str) -> None:
    assert read(text) == (["one", "two"], "7")


@pytest.mark.parametrize("text", ["", "   \n\n ", "<think>for ever", "ANSWER:", "```\n```", "\u200b\u2060"])
def test_nothing_is_nothing(text: str) -> None:
    assert read(text) == ([], "")


def test_a_box_is_an_answer_too() -> None:
    assert read("Step 1: so it is $\\boxed{7}$.")[1] == "7"
    assert read("Step 1: so it is $\\boxed{7}$.\nStep 2: then on.")[1] == ""


def test_an_answer_behind_steps_that_are_left_out_is_left_out() -> None:
    assert read("Step 1: a\nStep 2: b\nStep 3: c\nANSWER: 7", most=2) == (["a", "b"], "")


def test_a_step_over_several_lines_becomes_one_line() -> None:
    assert read("Step 1: a\n$$x\n= 2$$\nStep 2: b")[0] == ["a $$x = 2$$", "b"]


def test_what_is_cut_off_is_dropped_or_never_judged() -> None:
    two = read_steps(ChatReply("Step 1: 2 + 2 = 4\nStep 2: 4 * 30 = 12", finish="length"), most=4)
    assert [step.text for step in two.steps] == ["2 + 2 = 4"]
    one = read_steps(ChatReply("Step 1: 4 * 30 = 12", finish="length"), most=4)
    assert [(step.text, step.is_cut) for step in one.steps] == [("4 * 30 = 12", True)]
    answer = read_steps(ChatReply("Step 1: 4 * 30 = 120\nANSWER: 12", finish="length"), most=4)
    assert (len(answer.steps), answer.answer) == (1, "")


def test_a_long_step_is_cut_and_never_judged() -> None:
    step = read_steps(ChatReply("Step 1: " + "1 + 1 = 2 and " * 1_000), most=4).steps[0]
    assert step.is_cut
    assert len(step.text) == LONGEST_STEP
    assert read("Step 1: a\nANSWER: " + "7" * 1_000)[1] == ""


def test_hidden_characters_part_no_number() -> None:
    assert read("Step 1: 1\u200b2 + 3\u202e = 15\x1b[31m\nANSWER: 1\u20605") == (["12 + 3 = 15 [31m"], "15")


@pytest.mark.parametrize(
    "text",
    [
        "Step 1: " * 200_000,
        "\n" * 500_000,
        "*" * 500_000,
        " \t" * 300_000 + "step 1",
        ("answer " * 6 + "\n") * 50_000,
        "Step 1:\n" * 100_000,
    ],
)
def test_huge_replies_are_read_quickly(text: str) -> None:
    found = read_steps(ChatReply(text), most=8)
    assert len(found.steps) <= 8
