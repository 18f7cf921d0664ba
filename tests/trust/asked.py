"""Questions that have no answer, or only one under conditions, asked of a library and judged.

Each line of a file of questions is a JSON object: `id`, `question`, `accept` (numbers that are right: `value`, `unit`),
`refuse_ok` (whether a refusal is right, too), `stated` (words of which the user must see one, so that he knows how he was
understood), `tolerance`, `why`.
"""

from __future__ import annotations

import atexit
import json
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from mathrag.knowledge.units import read_unit
from mathrag.library import Library
from mathrag.types.answer import Answer, Outcome
from mathrag.types.quantity import Quantity
from trust.attempts import HELD, Attempt, Result

QUESTIONS = Path(__file__).parent / "questions"
_TOLERANCE = 0.02


@cache
def starter_library() -> Library:
    """The library that comes with the package, read once for all attempts of a process."""
    folder = Path(tempfile.mkdtemp(prefix="mathrag-trust-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    library = Library(folder / "starter")
    atexit.register(library.close)
    library.ingest([Library.starter_folder()])
    return library


def attempts_in(file: str, *, is_closed: bool = False) -> Iterator[Attempt]:
    """The questions of a file as attempts over the starter library."""
    for line in (QUESTIONS / file).read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield Attempt(row["id"], row["question"], lambda _, row=row: judged(row, ask(row["question"])), is_closed)


def ask(question: str) -> Outcome:
    """The outcome of a question over the starter library, without a model."""
    return starter_library().ask(question)


def judged(row: Mapping[str, Any], outcome: Outcome) -> Result:
    """Whether the outcome is what an honest calculator may say."""
    if not isinstance(outcome, Answer):
        return HELD if row["refuse_ok"] else Result("refused", getattr(outcome, "reason", ""))
    said = f"{outcome.value.value:.6g} {outcome.value.unit.text} at {outcome.confidence:.2f}"
    if not any(_is_near(outcome.value, each, row.get("tolerance", _TOLERANCE)) for each in row["accept"]):
        return Result("broke", f"said {said}")
    shown = " ".join((outcome.text, *outcome.assumptions, *outcome.warnings)).casefold()
    shown += "".join(f" {source.text}".casefold() for source in outcome.provenance)
    if row.get("stated") and not any(word.casefold() in shown for word in row["stated"]):
        return Result("broke", f"said {said} without saying how it was understood")
    return HELD


def _is_near(value: Quantity, accepted: Mapping[str, Any], tolerance: float) -> bool:
    unit = read_unit(accepted["unit"]) if accepted["unit"] else None
    wanted = Quantity(float(accepted["value"]), unit) if unit is not None else Quantity(float(accepted["value"]))
    if value.dimension != wanted.dimension:
        return False
    return abs(value.si_value - wanted.si_value) <= max(tolerance * abs(wanted.si_value), 1e-300)
