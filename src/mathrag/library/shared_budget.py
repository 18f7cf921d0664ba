"""What a server and its answering processes may spend together on language models, and have spent. Asks no model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from mathrag.errors import LibraryError
from mathrag.llm.budgets import Budget
from mathrag.llm.prices import dollars
from mathrag.llm.shared_budgets import Ledger

if TYPE_CHECKING:
    from mathrag.library.models import Models

Json: TypeAlias = Any


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
    from mathrag.library.models import open_models
    from mathrag.settings import load_settings

    budget = Budget(settings["cost"], settings["calls"], ledger=Path(settings["ledger"]))
    return open_models(folder, settings=load_settings(), budget=budget)
