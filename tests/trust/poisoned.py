"""A document is added to a library of honest ones: does an answer change without a word?

A try is a folder: `honest/` (documents), `poison/` (one more), `try.json` with the question, the `right` number, the
`poisoned` one (null for a harmless addition) and the `tolerance`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mathrag.library import Library
from mathrag.types.answer import Answer, Outcome
from trust.asked import is_near, shown_words
from trust.attempts import HELD, Attempt, Result

TRIES = Path(__file__).parent / "poison"


def tries_in(half: str, *, is_closed: bool = False) -> Iterator[Attempt]:
    """The tries of a folder."""
    for folder in sorted((TRIES / half).iterdir()):
        row = json.loads((folder / "try.json").read_text(encoding="utf-8"))
        yield Attempt(
            row["id"], row["why"], lambda work, folder=folder, row=row: _poisoned(folder, row, work), is_closed
        )


def _poisoned(folder: Path, row: dict[str, Any], work: Path) -> Result:
    with Library(work / "library") as library:
        library.ingest([folder / "honest"])
        before = library.ask(row["question"])
        library.ingest([folder / "poison"])
        after = library.ask(row["question"])
    if not _is_right(before, row):
        # Nothing to poison: it says nothing about the promise, unless a wrong number came even so.
        return (
            Result("refused", f"before: {_said(before)}") if _is_kept(after, before, row) else _changed(before, after)
        )
    if row["poisoned"] is None:
        return HELD if _is_right(after, row) else Result("refused", f"after: {_said(after)}")
    return HELD if _is_kept(after, before, row) else _changed(before, after)


def _is_kept(after: Outcome, before: Outcome, row: dict[str, Any]) -> bool:
    """Whether the answer is right, the same as before, refused, or told with what speaks against it."""
    if not isinstance(after, Answer) or _is_right(after, row):
        return True
    if isinstance(before, Answer) and _is_same(before, after):
        return True
    return bool(after.disagreeing) or "another" in shown_words(after) or "differ" in shown_words(after)


def _is_same(one: Answer, other: Answer) -> bool:
    size = max(abs(one.quantity.si_value), abs(other.quantity.si_value))
    return (
        one.quantity.dimension == other.quantity.dimension
        and abs(one.quantity.si_value - other.quantity.si_value) <= 1e-6 * size
    )


def _is_right(outcome: Outcome, row: dict[str, Any]) -> bool:
    return isinstance(outcome, Answer) and is_near(outcome.quantity, row["right"], row["tolerance"])


def _said(outcome: Outcome) -> str:
    if not isinstance(outcome, Answer):
        return f"refused ({getattr(outcome, 'reason', '')})"
    return f"{outcome.quantity.value:.6g} {outcome.quantity.unit.text}"


def _changed(before: Outcome, after: Outcome) -> Result:
    return Result("broke", f"said {_said(before)} before and {_said(after)} after, without a word")
