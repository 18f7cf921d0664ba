"""What may be spent, and the purse that never gives out more. A call's worst case is set aside before it is sent."""

from __future__ import annotations

import contextlib
import json
import math
import os
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from mathrag.errors import BudgetError, UsageError
from mathrag.llm.accounts import PICODOLLARS, Price, cost_text, dollars
from mathrag.llm.concurrency import PATIENCE_SECONDS
from mathrag.llm.messages import Usage

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


# One budget for several processes: they count in one small file. Begins and ends no processes itself.
#
# A call's worst case is booked before it is sent and corrected afterwards. What a process that was killed had booked
# stays booked, since nobody knows what its call cost.

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
