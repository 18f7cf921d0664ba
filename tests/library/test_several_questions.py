"""A text that asks several things gets an answer to each, or is told which has none."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mathrag.answer.objects import outcome_object
from mathrag.library import Library
from mathrag.types.answer import Answer, Refusal, Reply

NOTES = r"""# Notes on moving things

Written by Rosa Example.

## Kinetic energy

$$E_k = \frac{1}{2} m v^2$$

where $E_k$ is the kinetic energy in J, $m$ is the mass in kg and $v$ is the speed in m/s.

## Momentum

$$p = m v$$

where $p$ is the momentum in kg m/s, $m$ is the mass in kg and $v$ is the speed in m/s.
"""
STATED = "A cart of mass 2 kg moves at a speed of 3 m/s."


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("several")
    (folder / "notes.md").write_text(NOTES, encoding="utf-8")
    with Library(folder / "library") as made:
        made.ingest([folder / "notes.md"], workers=1)
        yield made


def test_each_question_is_answered_with_what_is_stated(library: Library) -> None:
    outcome = library.ask(f"{STATED} What is its kinetic energy? And what is its momentum?")
    assert isinstance(outcome, Answer)
    assert outcome.quantity.si_value == pytest.approx(9.0)
    (momentum,) = outcome.further
    assert isinstance(momentum, Answer)
    assert (momentum.quantity.si_value, momentum.question) == (pytest.approx(6.0), "And what is its momentum?")
    assert momentum.citations
    assert outcome_object(outcome)["further"][0]["value"] == pytest.approx(6.0)
    assert "The momentum is 6.00 kg·m/s." in str(outcome)


def test_questions_of_different_kinds_go_together(library: Library) -> None:
    outcome = library.ask(f"{STATED} What is its kinetic energy? How many feet are 3 m? What is a prime number?")
    assert isinstance(outcome, Answer)
    feet, prime = outcome.further
    assert isinstance(feet, Answer)
    assert feet.quantity.value == pytest.approx(9.8425, rel=1e-4)
    assert isinstance(prime, Reply)
    assert "divisor" in prime.text


def test_what_has_no_answer_is_named(library: Library) -> None:
    outcome = library.ask(f"{STATED} What is its kinetic energy? And what is its electric charge?")
    assert isinstance(outcome, Answer)
    (charge,) = outcome.further
    assert isinstance(charge, Refusal)
    assert "“And what is its electric charge?” No answer: " in str(outcome)


def test_a_question_that_leans_on_another_is_not_answered_without_it(library: Library) -> None:
    outcome = library.ask(f"{STATED} What is its kinetic energy? And at 5 m/s?")
    further = outcome.further if isinstance(outcome, Answer) else ()
    assert not any(isinstance(each, Answer) for each in further)
