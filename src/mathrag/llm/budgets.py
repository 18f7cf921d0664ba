"""What may be spent, and the purse that never gives out more. A call's worst case is set aside before it is sent."""

from __future__ import annotations

import contextlib
import math
import threading
from dataclasses import dataclass
from pathlib import Path

from mathrag.errors import BudgetError, UsageError
from mathrag.llm.accounts import cost_text
from mathrag.llm.nouns import Usage
from mathrag.llm.prices import PICODOLLARS, Price, dollars
from mathrag.llm.turns import PATIENCE_SECONDS

# An amount of whole picodollars; Python's integers have no largest one, but a price list does not need more.
_LARGEST_COST = 1e9


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits of one run: US dollars and calls. None is no limit; 0 allows cached replies alone.

    `ledger` is the file in which several processes count together.
    """

    maximal_cost: float | None = None
    maximal_calls: int | None = None
    ledger: Path | None = None

    def __post_init__(self) -> None:
        cost, calls = self.maximal_cost, self.maximal_calls
        if cost is not None and not (math.isfinite(cost) and 0 <= cost <= _LARGEST_COST):
            raise UsageError(f"--max-cost must be an amount in US dollars, not below 0, not {cost!r}")
        if calls is not None and calls < 0:
            raise UsageError(f"--max-calls must be a number of calls, not below 0, not {calls!r}")


@dataclass(slots=True, eq=False)
class Reservation:
    """Money set aside for one call, by the thread that makes it."""

    picodollars: int
    thread: int


class Purse:
    """Gives out money for calls and takes back what they did not need. Safe to use from several threads.

    A call for which the money is set aside elsewhere waits until that is settled; it is refused only when nothing that
    is under way could make room for it. So the calls that a budget allows do not depend on the order of threads.
    """

    def __init__(self, budget: Budget | None = None, *, price: Price | None = None) -> None:
        self._budget = budget or Budget()
        self._price = price
        if self._budget.maximal_cost is not None and price is None:
            raise UsageError(
                "--max-cost needs to know what tokens cost: set MATHRAG_LLM_PRICE_INPUT and MATHRAG_LLM_PRICE_OUTPUT "
                "to US dollars per million tokens (0 for a server of your own), or limit with --max-calls"
            )
        # Rounded down, so that sums of whole picodollars below it are below what was allowed.
        most = self._budget.maximal_cost
        self._most = None if most is None else math.floor(most * PICODOLLARS)
        self._changed = threading.Condition()
        self._spent = 0
        self._calls = 0
        self._open: set[Reservation] = set()

    def reserve(self, largest: Usage) -> Reservation:
        """Set the worst case of a call aside; `BudgetError` where it would exceed the budget."""
        amount = self.picodollars(largest) or 0
        mine = threading.get_ident()
        with self._changed:
            while True:
                self._check_calls()
                if self._most is None or self._spent + self._reserved() + amount <= self._most:
                    break
                # Waiting for oneself (a stream left open) would never end.
                others = any(one.thread != mine and one.picodollars for one in self._open)
                is_hopeless = self._spent + amount > self._most or not others
                if is_hopeless or not self._changed.wait(PATIENCE_SECONDS):
                    raise BudgetError(self._sentence(amount))
            reservation = Reservation(amount, mine)
            self._open.add(reservation)
            self._calls += 1
            return reservation

    def settle(self, reservation: Reservation, used: Usage | None, *, was_sent: bool = True) -> None:
        """Book what the call really used (None: nothing) and free the rest."""
        with self._changed:
            with contextlib.suppress(KeyError):
                self._open.remove(reservation)
            if not was_sent:
                self._calls -= 1
            if used is not None:
                self._spent += self.picodollars(used) or 0
            self._changed.notify_all()

    def picodollars(self, usage: Usage) -> int | None:
        """What some tokens cost; None where no price is known."""
        return None if self._price is None else self._price.picodollars(usage)

    @property
    def spent(self) -> float | None:
        """US dollars so far; None where no price is known."""
        with self._changed:
            return None if self._price is None else dollars(self._spent)

    @property
    def calls(self) -> int:
        """Calls so far, those under way included."""
        with self._changed:
            return self._calls

    def _reserved(self) -> int:
        return sum(one.picodollars for one in self._open)

    def _check_calls(self) -> None:
        most = self._budget.maximal_calls
        if most is not None and self._calls >= most:
            raise BudgetError(
                f"all {most} calls that --max-calls allows are made; replies so far are kept and cost nothing again: "
                "run the same command again to go on from here, or with a larger --max-calls"
            )

    def _sentence(self, amount: int) -> str:
        most = self._budget.maximal_cost or 0.0
        return (
            f"the next call may cost {cost_text(dollars(amount))}, and {cost_text(dollars(self._spent))} of the "
            f"{cost_text(most)} that --max-cost allows are spent ({self._calls} calls); replies so far are kept and "
            "cost nothing again: run the same command again with a larger --max-cost"
        )
