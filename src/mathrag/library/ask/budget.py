"""One budget for several processes that ask at once: each question gets a share and gives back what it did not need.

Hard: the shares given out and what was spent never exceed the budget together. Counts; asks nobody.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from mathrag.errors import LibraryError
from mathrag.llm.accounts import dollars
from mathrag.llm.budgets import Budget, Ledger
from mathrag.types.json_value import Json

# US dollars and calls; None is no limit.
Share: TypeAlias = tuple[float | None, int | None]
# Ten rounds and a few calls for translating or wording: more than a question takes.
_CALLS_A_QUESTION = 14


class Allowance:
    """What may still be spent, given out in shares by the name of a question."""

    def __init__(self, *, cost: float | None, calls: int | None, workers: int) -> None:
        self._cost = cost
        self._calls = calls
        self._workers = max(1, workers)
        self._lent: dict[str, Share] = {}

    def take(self, name: str) -> Share:
        """A share for a question. It may be nothing: what is kept already can be asked for all the same."""
        cost, calls = self._cost, self._calls
        for lent in self._lent.values():
            cost = None if cost is None else cost - (lent[0] or 0.0)
            calls = None if calls is None else calls - (lent[1] or 0)
        idle = max(1, self._workers - len(self._lent))
        # Two questions with half of what one needs would both come to nothing.
        parts = idle if calls is None else max(1, min(idle, calls // _CALLS_A_QUESTION))
        share = (
            None if cost is None else max(0.0, cost / parts),
            None if calls is None else max(0, -(-calls // parts)),
        )
        self._lent[name] = share
        return share

    def settle(self, name: str, *, cost: float | None, calls: int) -> None:
        """Book what a question took. A cost that nobody knows is its whole share."""
        share = self._lent.pop(name)
        if self._cost is not None:
            self._cost = max(0.0, self._cost - (cost if cost is not None else share[0] or 0.0))
        if self._calls is not None:
            self._calls = max(0, self._calls - calls)

    def narrow(self) -> None:
        """From now on one question at a time, each with all that is left."""
        self._workers = 1

    @property
    def has_more(self) -> bool:
        """Whether anything is left to spend."""
        return (self._cost is None or self._cost > 0) and (self._calls is None or self._calls > 0)


# What a server and its answering processes may spend together on language models, and have spent. Asks no model.

if TYPE_CHECKING:
    from mathrag.library.ask.models import Models


@dataclass(frozen=True, slots=True)
class Spent:
    """Calls and US dollars, those of calls under way at their worst. Without prices the dollars stay 0."""

    calls: int
    cost: float


class SharedBudget:
    """A budget for the run of a server; None is nothing to count. Close it when the processes are ended."""

    def __init__(self, folder: Path, budget: Budget | None) -> None:
        self.budget = budget
        try:
            self._ledger = None if budget is None else Ledger.begin(folder)
        except OSError as error:
            reason = error.strerror or str(error)
            raise LibraryError(f"no file for counting what models cost can be made in {folder}: {reason}") from error

    @property
    def settings(self) -> Json:
        """What a process is told, for `models_within`."""
        if self.budget is None or self._ledger is None:
            return None
        budget = self.budget
        return {"cost": budget.maximal_cost, "calls": budget.maximal_calls, "ledger": str(self._ledger.path)}

    @property
    def spent(self) -> Spent | None:
        """What all processes have spent so far; None where nobody counts."""
        totals = None if self._ledger is None else self._ledger.read()
        return None if totals is None else Spent(totals.calls, dollars(totals.picodollars))

    def close(self) -> None:
        """Forget what was spent. May be called twice."""
        if self._ledger is not None:
            self._ledger.end()


def models_within(folder: Path, settings: Mapping[str, Json] | None) -> Models | None:
    """The models of the settings, spending from a shared budget; None where there is no budget or no model."""
    if settings is None:
        return None
    from mathrag.library.ask.models import open_models
    from mathrag.settings import load_settings

    budget = Budget(settings["cost"], settings["calls"], ledger=Path(settings["ledger"]))
    return open_models(folder, settings=load_settings(), budget=budget)
