"""Relations over lists beside a library: what a document states keeps its place, and what is answered is repeatable."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mathrag.answer.replay import replay, save_replay
from mathrag.library import Library
from mathrag.types.answer import Answer, Refusal

NOTES = r"""# Circuits

## Resistors in parallel

The equivalent resistance $R_{par}$ of two resistors in parallel is

$$\frac{1}{R_{par}} = \frac{1}{R_1} + \frac{1}{R_2}$$

where $R_{par}$ is the equivalent resistance in ohms, and $R_1$ and $R_2$ are the resistances in ohms.
"""


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("notes")
    (folder / "circuits.md").write_text(NOTES, encoding="utf-8")
    with Library(folder / "library") as library:
        library.ingest([folder / "circuits.md"], workers=1)
        yield library


def test_two_values_are_computed_with_the_formula_of_the_document(notes: Library) -> None:
    outcome = notes.ask("Two resistors of 10 Ω and 40 Ω are in parallel. What is the equivalent resistance?")
    assert isinstance(outcome, Answer)
    assert outcome.quantity.si_value == pytest.approx(8)
    assert outcome.steps
    assert outcome.citations


def test_more_values_than_a_formula_takes_are_computed_as_a_list_and_again(notes: Library) -> None:
    outcome = notes.ask("Resistors of 10 Ω, 40 Ω and 8 Ω are in parallel. What is the equivalent resistance?")
    assert isinstance(outcome, Answer)
    assert not outcome.steps
    assert outcome.quantity.si_value == pytest.approx(4)
    assert [origin.text for origin in outcome.provenance] == ["10 Ω", "40 Ω", "8 Ω"]
    assert replay(save_replay(outcome)).is_same


def test_a_list_comes_in_the_unit_asked_for_or_not_at_all(notes: Library) -> None:
    asked = "Resistors of 10 Ω, 40 Ω and 8 Ω are in parallel. What is the equivalent resistance?"
    outcome = notes.ask(asked, unit="mohm")
    assert isinstance(outcome, Answer)
    assert outcome.quantity.value == pytest.approx(4000)
    assert isinstance(notes.ask(asked, unit="kg"), Refusal)


@pytest.mark.parametrize(
    ("asked", "value"),
    [
        ("binomial probability n = 6, p = 0.5, at least 4 successes", 0.34375),
        (
            "An urn contains 3 black and 5 white balls. Two are drawn. What is the probability that both are white?",
            5 / 14,
        ),
        ("If P(A) = 0.4 and P(B) = 0.5 and A and B are independent, what is P(A or B)?", 0.7),
        ("slope of the regression line through (1, 2), (2, 3), (3, 7)", 2.5),
    ],
)
def test_what_is_computed_from_the_question_alone_is_computed_again(notes: Library, asked: str, value: float) -> None:
    outcome = notes.ask(asked)
    assert isinstance(outcome, Answer)
    assert outcome.quantity.si_value == pytest.approx(value)
    assert outcome.working
    assert replay(save_replay(outcome)).is_same
