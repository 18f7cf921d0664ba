"""One budget for several processes that ask at once: each question gets a share and gives back what it did not need.

Hard: the shares given out and what was spent never exceed the budget together. Counts; asks nobody.
"""

from __future__ import annotations

from typing import TypeAlias

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
