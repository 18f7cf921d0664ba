"""Questions of pure mathematics: right answers, honest verdicts, and nothing captured that is none."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from mathrag.reason.agent.endings import answer_directly
from mathrag.reason.direct import DirectFailure, DirectResult, DirectStatement, compute_directly
from mathrag.reason.direct.algebra import answer_algebra
from mathrag.types.answer import Answer, Refusal, Reply
from mathrag.types.question import Question

QUESTIONS: list[dict[str, Any]] = tomllib.loads((Path(__file__).parent / "algebra.toml").read_text(encoding="utf-8"))[
    "question"
]
KINDS = {"number": DirectResult, "statement": DirectStatement, "refused": DirectFailure, "other": type(None)}


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["text"][:60])
def test_what_is_said(question: dict[str, Any]) -> None:
    found = answer_algebra(question["text"])
    assert isinstance(found, KINDS[question["kind"]]), found
    said = found.message if isinstance(found, DirectFailure) else "" if found is None else found.text
    for words in question.get("says", ()):
        assert words in said
    for words in question.get("not_said", ()):
        assert words not in said
    if isinstance(found, DirectResult):
        assert float(found.quantity.value) == pytest.approx(question["value"], rel=1e-6)
        assert found.kind == "algebra"
        assert found.provenance


@pytest.mark.parametrize(
    "question", [each for each in QUESTIONS if each["kind"] != "other"][::7], ids=lambda q: q["text"][:40]
)
def test_they_come_through_the_common_door(question: dict[str, Any]) -> None:
    assert type(compute_directly(question["text"])) is KINDS[question["kind"]]


def test_outcomes_are_of_the_usual_kinds() -> None:
    number = answer_directly(Question("integrate x^2 from 0 to 3", "compute"))
    assert isinstance(number, Answer)
    assert (number.value, number.exact) == (9, "9")
    assert number.working[0].latex == r"\int_{0}^{3} x^{2} \, dx = 9"
    statement = answer_directly(Question("is (a+b)^2 = a^2 + b^2?", "compute"))
    assert isinstance(statement, Reply)
    assert statement.working[0].latex == r"\left(a + b\right)^{2} = a^{2} + b^{2}"
    refusal = answer_directly(Question("integrate tan x from 0 to pi", "compute"))
    assert isinstance(refusal, Refusal)


@pytest.mark.parametrize(
    "text",
    [
        "2 + 2",
        "what is 17 mod 5",
        "is 97 prime",
        "factor 360",
        "5 miles in km",
        "15% of 80",
        "how many seconds are in 2 hours",
    ],
)
def test_other_rules_come_first(text: str) -> None:
    found = compute_directly(text)
    assert isinstance(found, DirectResult | DirectStatement)
    assert found.kind != "algebra"


@pytest.mark.soak
@pytest.mark.parametrize(
    "text",
    [
        "derivative of " + "(" * 200 + "x" + ")" * 200,
        "solve " + "x+" * 150 + "1 = 0",
        "expand (a+b+c+d+e)^60",
        "expand (1+x)^99999999",
        "evaluate x^x^x^x at x = 99",
        "sum of k! for k from 1 to 100000000000",
        "is " + "x" * 300 + " = 1?",
        "limit of x^x^x^x^x as x goes to infinity",
        "simplify 9^9^9^9^9",
        "factor x^60 - 1",
        "is 2^(2^(2^(2^x))) = 1?",
        "solve " + "9" * 40 + "x^40 + x = 1",
        "integrate " + "sin(" * 25 + "x" + ")" * 25,
        "is a = b and " * 30 + "c = d?",
        "derivative of x at x = " + "1 and x = " * 40 + "1",
        "\\frac{d}{dx}" * 40,
        "is $" + "{" * 100 + "$ = 1?",
    ],
    ids=lambda text: text[:30],
)
def test_hostile_questions_end_soon(text: str) -> None:
    answer_algebra(text)
