"""Questions that have no answer, or only one under conditions, asked of a library and judged.

Each line of a file of questions is a JSON object: `id`, `question`, `accept` (numbers that are right: `value`, `unit`),
`refuse_ok` (whether a refusal is right, too), `stated` (words of which the user must see one, so that he knows how he
was understood), `tolerance`, `why`.
"""

from __future__ import annotations

import atexit
import json
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from mathrag.knowledge.units import convert, read_unit
from mathrag.language.currencies import DOLLAR, codes_in_unit
from mathrag.library import Library
from mathrag.types.answer import Answer, Outcome
from mathrag.types.quantity import NO_UNIT, Quantity, Unit
from trust.attempts import HELD, Attempt, Result

QUESTIONS = Path(__file__).parent / "questions"
_TOLERANCE = 0.02
_ZERO = 1e-12
_WRITTEN = {
    "C": ("coulomb", "degC"),
    "F": ("farad", "degF"),
    "L/100km": ("L/(100 km)",),
    "percentage points": ("percent",),
}


@cache
def starter_library() -> Library:
    """The library that comes with the package, read once for all attempts of a process."""
    folder = Path(tempfile.mkdtemp(prefix="mathrag-trust-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    library = Library(folder / "starter")
    atexit.register(library.close)
    library.ingest([Library.starter_folder()])
    return library


def attempts_in(
    file: str, *, classes: Sequence[str] = (), classes_but: Sequence[str] = (), is_closed: bool = False
) -> Iterator[Attempt]:
    """The questions of a file as attempts over the starter library; those of some classes, or all but some."""
    for line in (QUESTIONS / file).read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if (classes and row["class"] not in classes) or row.get("class", "") in classes_but:
            continue
        yield Attempt(row["id"], row["question"], lambda _, row=row: judged(row, ask(row["question"])), is_closed)


def ask(question: str) -> Outcome:
    """The outcome of a question over the starter library, without a model."""
    return starter_library().ask(question)


def judged(row: Mapping[str, Any], outcome: Outcome) -> Result:
    """Whether the outcome is what an honest calculator may say."""
    if not isinstance(outcome, Answer):
        return HELD if row["refuse_ok"] else Result("refused", getattr(outcome, "reason", ""))
    said = f"{outcome.quantity.value:.6g} {outcome.quantity.unit.text} at {outcome.confidence:.2f}"
    if not any(is_near(outcome.quantity, each, row.get("tolerance", _TOLERANCE)) for each in row["accept"]):
        return Result("broke", f"said {said}")
    if row.get("stated") and not any(_is_shown(word, shown_words(outcome)) for word in row["stated"]):
        return Result("broke", f"said {said} without saying how it was understood")
    return HELD


def shown_words(outcome: Answer) -> str:
    """Everything beside the number that a person reads with an answer."""
    sources = (source.words for source in outcome.provenance)
    bound = (bound.provenance.words for step in outcome.steps for bound in step.bindings)
    return " ".join((outcome.words, *outcome.assumptions, *outcome.warnings, *sources, *bound))


def _is_shown(word: str, shown: str) -> bool:
    """Whether a word begins somewhere; capitals mean something where it has any (mW, US)."""
    ignored = re.IGNORECASE if word.islower() else 0
    return re.search(rf"(?<![A-Za-z]){re.escape(word)}", shown, ignored) is not None


def is_near(value: Quantity, accepted: Mapping[str, Any], tolerance: float) -> bool:
    """Whether a number is one that is right; zero must be hit."""
    for unit in _units(accepted["unit"]):
        wanted = Quantity(float(accepted["value"]), unit)
        if value.dimension != wanted.dimension or codes_in_unit(value.unit.text) != codes_in_unit(unit.text):
            continue
        # Degrees are compared as degrees: their zero is not that of the kelvin.
        found = convert(value, unit) if unit.offset else value
        near = found.value - wanted.value if unit.offset else value.si_value - wanted.si_value
        size = abs(wanted.value if unit.offset else wanted.si_value)
        if abs(near) <= max(tolerance * size, _ZERO):
            return True
    return False


def _units(text: str) -> list[Unit]:
    """The units that a text may stand for, where people write one for two."""
    if text in ("", "1"):
        return [NO_UNIT]
    for code in codes_in_unit(text):
        return [replace(read_unit(text.replace(code, DOLLAR)), text=text)]
    return [read_unit(each) for each in _WRITTEN.get(text, (text,))]
