"""One budget for several processes: they count in one small file. Begins and ends no processes itself.

A call's worst case is booked before it is sent and corrected afterwards. What a process that was killed had booked
stays booked, since nobody knows what its call cost.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from mathrag.errors import BudgetError
from mathrag.llm.accounts import cost_text
from mathrag.llm.budgets import Budget, Purse, Reservation
from mathrag.llm.nouns import Usage
from mathrag.llm.prices import Price, dollars

# Written whole at once, and always as long, so that a reader without a lock never sees half of it.
_LENGTH = 96


@dataclass(frozen=True, slots=True)
class Totals:
    """What all processes have booked: calls, and whole picodollars."""

    calls: int = 0
    picodollars: int = 0


class Ledger:
    """The file. One change at a time, from any thread of any process."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def begin(cls, folder: Path) -> Ledger:
        """A new one, with nothing booked."""
        number, name = tempfile.mkstemp(prefix="budget-", suffix=".json", dir=folder)
        try:
            _write(number, Totals())
        finally:
            os.close(number)
        return cls(Path(name))

    def read(self) -> Totals | None:
        """The totals of this moment; None where the file is gone or damaged. Waits for nobody."""
        try:
            with self.path.open("rb") as file:
                return _read(file.fileno())
        except (OSError, ValueError):
            return None

    def change(self, changed: Callable[[Totals], Totals]) -> None:
        """Replace the totals by what they become. What cannot be counted is not allowed: `BudgetError`."""
        # Only servers come here; reading documents with a budget works where there are no such locks.
        import fcntl

        try:
            with self.path.open("r+b") as file:
                fcntl.flock(file.fileno(), fcntl.LOCK_EX)
                _write(file.fileno(), changed(_read(file.fileno())))
        except (OSError, ValueError) as error:
            raise BudgetError(
                "what was spent cannot be counted, since the file for it is gone or damaged; start the server again"
            ) from error

    def end(self) -> None:
        """Remove the file. May be called twice."""
        with contextlib.suppress(OSError):
            self.path.unlink()


class SharedPurse(Purse):
    """A purse whose counts are those of all processes with the same ledger.

    Unlike its parent it does not wait for money that is set aside elsewhere: the call is refused at once.
    """

    def __init__(self, budget: Budget, *, ledger: Ledger, price: Price | None = None) -> None:
        super().__init__(budget, price=price)
        self._ledger = ledger

    def reserve(self, largest: Usage) -> Reservation:
        """Book the worst case of a call; `BudgetError` where it would exceed the budget."""
        amount = self.picodollars(largest) or 0

        def booked(before: Totals) -> Totals:
            self._check(before, amount)
            return Totals(before.calls + 1, before.picodollars + amount)

        self._ledger.change(booked)
        return Reservation(amount, threading.get_ident())

    def settle(self, reservation: Reservation, used: Usage | None, *, was_sent: bool = True) -> None:
        """Correct what was booked to what the call really used (None: nothing)."""
        amount = 0 if used is None else self.picodollars(used) or 0
        calls, difference = (0 if was_sent else -1), amount - reservation.picodollars
        # Where it cannot be corrected, the next call is refused; this one has its reply.
        with contextlib.suppress(BudgetError):
            self._ledger.change(lambda before: Totals(before.calls + calls, max(0, before.picodollars + difference)))

    @property
    def spent(self) -> float | None:
        """US dollars so far, by all processes; None where no price is known."""
        totals = self._ledger.read()
        return None if self._price is None or totals is None else dollars(totals.picodollars)

    @property
    def calls(self) -> int:
        """Calls so far, by all processes."""
        return (self._ledger.read() or Totals()).calls

    def _check(self, before: Totals, amount: int) -> None:
        most_calls, most_cost = self._budget.maximal_calls, self._budget.maximal_cost
        if most_calls is not None and before.calls >= most_calls:
            raise BudgetError(
                f"all {most_calls} calls that --max-calls allows this server are made; start it again to allow more"
            )
        if self._most is not None and before.picodollars + amount > self._most:
            raise BudgetError(
                f"the next call may cost {cost_text(dollars(amount))}, and {cost_text(dollars(before.picodollars))} of "
                f"the {cost_text(most_cost)} that --max-cost allows this server are spent or set aside; start it again "
                "to allow more"
            )


def make_purse(budget: Budget | None, *, price: Price | None = None) -> Purse:
    """The purse for a budget: shared where it names a ledger."""
    if budget is None or budget.ledger is None:
        return Purse(budget, price=price)
    return SharedPurse(budget, ledger=Ledger(budget.ledger), price=price)


def _read(number: int) -> Totals:
    found = json.loads(os.pread(number, _LENGTH, 0))
    match found:
        case {"calls": int(calls), "picodollars": int(picodollars)}:
            return Totals(calls, picodollars)
    raise ValueError("no totals")


def _write(number: int, totals: Totals) -> None:
    text = json.dumps({"calls": totals.calls, "picodollars": totals.picodollars})
    os.pwrite(number, text.ljust(_LENGTH).encode(), 0)
