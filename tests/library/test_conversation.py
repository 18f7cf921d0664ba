"""Questions one after the other, from Python."""

from __future__ import annotations

import doctest
from collections.abc import Iterator
from pathlib import Path

import pytest

from mathrag import Library
from mathrag.library.ask import conversation as module
from mathrag.types.answer import Answer, Refusal, Reply


@pytest.fixture(scope="module")
def library(made: Path) -> Iterator[Library]:
    with Library(made, create=False) as opened:
        yield opened


def test_the_example_of_the_docstring_holds(library: Library) -> None:
    runner = doctest.DocTestRunner(verbose=False)
    found = [one for one in doctest.DocTestFinder().find(module, globs={"library": library}) if one.examples]
    assert len(found) == 1
    assert runner.run(found[0]).failed == 0


def test_a_follow_up_leans_on_a_follow_up(library: Library) -> None:
    conversation = library.conversation(planner="rules")
    values = []
    for text in ("What is the kinetic energy of 2 kg at 3 m/s?", "what about 2000 kg?", "and at 6 m/s?", "in MJ?"):
        outcome = conversation.ask(text)
        assert isinstance(outcome, Answer), text
        values.append(outcome.value)
    assert values == pytest.approx([9, 9000, 36000, 0.036])
    assert [said for said, _ in conversation.turns][1] == "what about 2000 kg?"


def test_what_is_not_understood_leaves_the_last_answer_to_lean_on(library: Library) -> None:
    conversation = library.conversation(planner="rules")
    conversation.ask("What is the kinetic energy of 2 kg at 3 m/s?")
    assert isinstance(conversation.ask("in kelvin?"), Reply)
    outcome = conversation.ask("and for 4 kg?")
    assert isinstance(outcome, Answer)
    assert outcome.value == 18


def test_a_missing_value_is_enough_and_a_whole_question_begins_anew(library: Library) -> None:
    conversation = library.conversation(planner="rules")
    assert isinstance(conversation.ask("What is the kinetic energy of a body at 3 m/s?"), Refusal)
    outcome = conversation.ask("4 kg")
    assert isinstance(outcome, Answer)
    assert outcome.value == 18
    assert isinstance(conversation.ask("What is the momentum of the moon?"), Refusal)
