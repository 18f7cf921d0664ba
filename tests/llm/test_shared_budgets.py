"""One budget for several purses: never exceeded, whoever asks at the same time, and closed where it cannot count."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from metered_models import CountingModel, asking

from mathrag.errors import BudgetError, ModelError, UsageError
from mathrag.llm.accounts import Price
from mathrag.llm.budgets import Budget, Ledger, SharedPurse, Totals
from mathrag.llm.messages import Usage
from mathrag.llm.metered import Models

PRICE = Price(1.0, 1.0)


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger.begin(tmp_path)


def test_two_purses_count_together(ledger: Ledger) -> None:
    budget = Budget(maximal_calls=3, ledger=ledger.path)
    first, second = (Models.of(CountingModel(), budget=budget) for _ in range(2))
    for models, text in ((first, "a"), (second, "b"), (first, "c")):
        models.chat("reason").chat(asking(text))
    for models in (first, second):
        with pytest.raises(BudgetError, match="all 3 calls that --max-calls allows this server are made"):
            models.chat("reason").chat(asking("d"))
        assert models.meter.purse.calls == 3
        assert models.meter.purse.spent is None
    assert ledger.read() == Totals(3, 0)


def test_many_at_once_never_exceed_it(ledger: Ledger) -> None:
    budget = Budget(maximal_calls=25, ledger=ledger.path)
    purses = [SharedPurse(budget, ledger=Ledger(ledger.path)) for _ in range(4)]
    given: list[int] = []

    def spend(purse: SharedPurse) -> None:
        for _ in range(20):
            try:
                reservation = purse.reserve(Usage(1, 1))
            except BudgetError:
                return
            given.append(1)
            purse.settle(reservation, Usage(1, 1))

    threads = [threading.Thread(target=spend, args=(purse,)) for purse in purses]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(given) == 25
    assert ledger.read() == Totals(25, 0)


def test_the_worst_case_is_booked_and_then_corrected(ledger: Ledger) -> None:
    budget = Budget(maximal_cost=0.0003, ledger=ledger.path)
    first, second = (SharedPurse(budget, ledger=Ledger(ledger.path), price=PRICE) for _ in range(2))
    held = first.reserve(Usage(100, 100))
    with pytest.raises(BudgetError, match=r"\$0.0002 of the \$0.0003 that --max-cost allows this server"):
        second.reserve(Usage(100, 100))
    first.settle(held, Usage(50, 0))
    assert second.spent == pytest.approx(0.00005)
    second.settle(second.reserve(Usage(100, 100)), None, was_sent=False)
    assert ledger.read() == Totals(1, 50_000_000)


def test_a_call_that_was_never_sent_is_none(ledger: Ledger) -> None:
    def fail(_: object) -> None:
        raise ModelError("not_installed", "a package is missing")

    models = Models.of(CountingModel(act=fail), budget=Budget(maximal_calls=1, ledger=ledger.path))
    with pytest.raises(ModelError, match="missing"):
        models.chat("reason").chat(asking("a"))
    assert ledger.read() == Totals()


def test_what_a_killed_process_had_set_aside_stays_spent(ledger: Ledger) -> None:
    program = (
        "import os, sys, pathlib\nfrom mathrag.llm.budgets import Budget\nfrom mathrag.llm.messages import Usage\n"
        "from mathrag.llm.accounts import Price\nfrom mathrag.llm.budgets import Ledger, SharedPurse\n"
        "purse = SharedPurse(Budget(1.0), ledger=Ledger(pathlib.Path(sys.argv[1])), price=Price(1.0, 1.0))\n"
        "purse.reserve(Usage(100, 100))\nos.kill(os.getpid(), 9)\n"
    )
    subprocess.run([sys.executable, "-c", program, str(ledger.path)], check=False, timeout=60)
    assert ledger.read() == Totals(1, 200_000_000)


@pytest.mark.parametrize("content", [None, b"", b"{", b"[]", b'{"calls": "many", "picodollars": 0}', b"\xff" * 200])
def test_where_nobody_can_count_nothing_is_asked(ledger: Ledger, content: bytes | None) -> None:
    model = CountingModel()
    models = Models.of(model, budget=Budget(maximal_calls=5, ledger=ledger.path))
    if content is None:
        ledger.end()
        ledger.end()
    else:
        ledger.path.write_bytes(content)
    with pytest.raises(BudgetError, match="gone or damaged"):
        models.chat("reason").chat(asking("a"))
    assert model.calls == 0
    assert ledger.read() is None


def test_a_reply_that_came_is_kept_though_the_file_went_meanwhile(ledger: Ledger) -> None:
    model = CountingModel(act=lambda _: ledger.end())
    models = Models.of(model, budget=Budget(maximal_calls=5, ledger=ledger.path))
    assert models.chat("reason").chat(asking("a")).text == "said: a"


def test_money_needs_prices_here_too(ledger: Ledger) -> None:
    with pytest.raises(UsageError, match="MATHRAG_LLM_PRICE_INPUT"):
        Models.of(CountingModel(), budget=Budget(1.0, ledger=ledger.path))
