"""Questions in another currency than the dollar are computed in it, and never mixed with dollars."""

from __future__ import annotations

from pathlib import Path

import pytest

from mathrag.answer.replay import replay, save_replay
from mathrag.calculator import convert, convert_text, read_unit
from mathrag.errors import MathragError
from mathrag.library import Library
from mathrag.library.ask.outcomes import outcome_object
from mathrag.types.answer import Answer, Refusal

NOTES = r"""# Prices

## Sack price

$$B = n s$$

where $B$ is the sack bill (USD), $n$ is the number of sacks and $s$ is the sack price (USD).

## Town tax

$$T = 0.1 (I - 9000)$$

where $T$ is the town tax in USD and $I$ is the income in USD.
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    folder = Path(tmp_path_factory.mktemp("currencies"))
    notes = folder / "prices.md"
    notes.write_text(NOTES, encoding="utf-8")
    library = Library(folder / "library")
    library.ingest([notes])
    return library


@pytest.mark.parametrize(
    ("question", "value", "unit"),
    [
        ("€150,000 mortgage, 20 years at 3%, monthly payment?", 831.896, "EUR"),
        ("What is 15% of 260 euros?", 39, "EUR"),
        ("What is the price with tax of a £30 lamp at 20% tax?", 36, "GBP"),
        ("What is the cost of 250 kWh at 0,30 €/kWh?", 75, "EUR"),
        ("What is the sack bill for a number of sacks of 4 and a sack price of 3 CHF?", 12, "CHF"),
        ("Fixed costs of ¥5000, price ¥20, variable cost ¥12: break-even quantity?", 625, ""),
    ],
)
def test_the_answer_is_in_the_currency_of_the_question(
    library: Library, question: str, value: float, unit: str
) -> None:
    answer = library.ask(question, planner="rules", only_documents=False)
    shown = outcome_object(answer)

    assert isinstance(answer, Answer)
    assert answer.value == pytest.approx(value, rel=1e-4)
    assert (answer.unit, shown["unit"], answer.question) == (unit, unit, question)
    assert "USD" not in str(answer).split("Sources")[0]
    assert all(each.provenance.text in question for step in answer.steps for each in step.bindings)


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("What is 100 dollars in euros?", "no rate between"),
        ("How much is 5 EUR in USD?", "no rate between"),
        ("What is the town tax for an income of 50000 EUR?", "counts in USD"),
    ],
)
def test_what_would_mix_currencies_is_refused(library: Library, question: str, reason: str) -> None:
    refusal = library.ask(question, planner="rules", only_documents=False)

    assert isinstance(refusal, Refusal)
    assert reason in refusal.reason


def test_no_amount_becomes_dollars(library: Library) -> None:
    answer = library.ask("What is 15% of 260 euros?", planner="rules")
    assert isinstance(answer, Answer)

    with pytest.raises(MathragError, match="no rate"):
        convert(answer.quantity, read_unit("USD"))
    with pytest.raises(MathragError):
        convert_text("5 EUR", "USD")


def test_a_saved_answer_is_computed_again_in_its_currency(library: Library) -> None:
    for question in ("€150,000 mortgage, 20 years at 3%, monthly payment?", "What is 15% of 260 euros?"):
        answer = library.ask(question, planner="rules", only_documents=False)
        assert isinstance(answer, Answer)
        report = replay(save_replay(answer))

        assert report.is_same
        assert "EUR" in report.text
        assert "USD" not in report.text


def test_a_follow_up_stays_in_the_currency(library: Library) -> None:
    talk = library.conversation(planner="rules", only_documents=False)
    talk.ask("€150,000 mortgage, 20 years at 3%, monthly payment?")

    assert talk.ask("and for 300,000 euros?").unit == "EUR"
    assert isinstance(talk.ask("and for $300,000?"), Refusal)


def test_a_value_set_apart_may_have_a_currency(library: Library) -> None:
    answer = library.ask("What is the sack bill for 4 sacks?", planner="rules", pinned={"s": "3 EUR", "n": "4"})

    assert isinstance(answer, Answer)
    assert (answer.value, answer.unit) == (12, "EUR")
