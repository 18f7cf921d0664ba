"""Every outcome tells the same five things, prints as its card, and has a `repr` of one line."""

from __future__ import annotations

import pytest

import mathrag.library  # noqa: F401  # puts the writers of cards in
from mathrag.answer.cards.formats import render
from mathrag.answer.objects import outcome_object
from mathrag.types.answer import Answer, Outcome, Refusal, Reply
from mathrag.types.quantity import NO_UNIT, Quantity
from outcome_samples import OUTCOMES


@pytest.mark.parametrize("name", OUTCOMES)
def test_the_five_attributes_agree_with_the_json_object(name: str) -> None:
    outcome: Outcome = OUTCOMES[name]
    made = outcome_object(outcome)
    assert outcome.outcome == made["outcome"]
    assert outcome.text == made["text"]
    assert outcome.text
    assert outcome.value == made["value"]
    assert outcome.unit == made["unit"]
    assert len(outcome.citations) == len(made["citations"])


@pytest.mark.parametrize("name", OUTCOMES)
def test_print_prints_the_card_and_repr_is_one_short_line(name: str) -> None:
    outcome: Outcome = OUTCOMES[name]
    assert str(outcome) == render(outcome, "text")
    assert "\n" not in repr(outcome)
    assert len(repr(outcome)) < 250
    assert repr(outcome).startswith(type(outcome).__name__)


def test_arithmetic_and_refusals_have_words() -> None:
    assert Answer("12*7", Quantity(84), 10, (), 1.0, exact="84", expression="12 * 7").text == "12 × 7 = 84."
    assert Refusal("?", "missing", "the question does not give the mass (m)").text.endswith("the mass (m)")
    assert (Refusal("?", "missing", "").text, Refusal("?", "missing", "").value) == ("Not answered.", None)
    assert repr(Answer("?", Quantity(9.0, NO_UNIT), 3, (), 1.0)) == "Answer('The result is 9.00.', value=9.0, unit='')"
    assert repr(Reply("hello", "Hello.\nAsk me.")) == "Reply('Hello. Ask me.')"


def test_a_huge_whole_number_does_not_fill_the_screen() -> None:
    assert len(repr(Answer("?", Quantity(7**100_000), 3, (), 1.0))) < 250
