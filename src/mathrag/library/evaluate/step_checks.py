"""Measure how well false calculations are found in solutions whose wrong steps are known. No library is needed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from mathrag.errors import LibraryError
from mathrag.evaluate.steps import measure_steps, read_labelled_solutions
from mathrag.types.json_value import Json

REPORT_NAME = "report.json"


def evaluate_steps(
    files: Sequence[Path], *, half: Literal["odd", "even"] | None = None, out: Path | None = None
) -> dict[str, Json]:
    """A report for each file by its name; with `out`, also written there. `half` takes every other record, from 0."""
    reports: dict[str, Json] = {}
    for file in files:
        solutions = read_labelled_solutions(file)
        if half is not None:
            solutions = solutions[half == "odd" :: 2]
        reports[str(file)] = measure_steps(solutions)
    if out is not None:
        try:
            out.mkdir(parents=True, exist_ok=True)
            (out / REPORT_NAME).write_text(json.dumps(reports, indent=2) + "\n", encoding="utf-8")
        except OSError as error:
            raise LibraryError(f"{out} cannot be written: {error.strerror or error}") from error
    return reports
