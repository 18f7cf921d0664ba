"""Amounts of money are all so many dollars: what tells them apart are words, and a plan must take these up."""

from __future__ import annotations

from pathlib import Path

import pytest

from mathrag.library import Library
from mathrag.types.answer import Answer, Refusal

REFUSED = (
    "Monthly rent 900, price 180000, rental yield?",
    "Share price 66, quarterly EPS 1.1, P/E ratio?",
    "Share price 66, earnings 4.4 million, P/E ratio?",
    "Loan of 9000 at 0.8% a month for 24 months, monthly payment?",
    "Revenue per month 30000, annual cost 200000, profit margin?",
    "Principal 5000 at 2% monthly compound interest for 3 years?",
    "Interest on 700 for 3 years?",
    "Interest on 700 at 4%?",
    "Sales tax 6% on a price of 55, total price?",
    "Price 240 before 20% VAT, price after tax?",
    "How much is a $30 lamp without the 5% tax?",
    "Markup 25%, cost 80, margin?",
    "Cost 300, revenue 900, tax 20%, net profit?",
    "Beta 0.9, risk free 2%, market premium 6%, expected return?",
)
ANSWERED = (
    ("Share price 66, EPS 5.5, P/E ratio?", 12.0),
    ("Savings of 100 a month for 5 years at 6% a year, future value?", 6977.0),
    ("Annual rent 10800, price 180000, rental yield?", 0.06),
    ("Break-even point with fixed costs of $4000 a month, price $25, variable cost $15?", 400.0),
    ("Price before tax is 70 dollars, VAT 20%, gross price?", 84.0),
    ("What is the price with tax of a $30 lamp at 5% sales tax?", 31.5),
    ("How much tax is on a $30 lamp at 5%?", 1.5),
)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return Library(Path(tmp_path_factory.mktemp("money")))


@pytest.mark.parametrize("question", REFUSED)
def test_what_words_say_of_money_and_a_formula_leaves_out_gives_no_number(library: Library, question: str) -> None:
    assert isinstance(library.ask(question, only_documents=False), Refusal)


@pytest.mark.parametrize(("question", "value"), ANSWERED)
def test_what_fits_the_words_is_computed(library: Library, question: str, value: float) -> None:
    answer = library.ask(question, only_documents=False)

    assert isinstance(answer, Answer)
    assert answer.value == pytest.approx(value, rel=1e-5)
