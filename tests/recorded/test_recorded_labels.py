"""Recorded replies of a model about imported solutions: each leaves the trace beside it.

After a change of behaviour that is meant, `python tools/record_traces.py` writes them anew; review the difference.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from recorded.labels_play import label_trace
from recorded.playing import Case, cases

CASES = cases("labels")


def test_there_are_cases_of_every_sort() -> None:
    sorts = ("good", "malformed", "half_json", "huge", "markup", "orders", "other_language", "invented", "empty")
    assert [sort for sort in sorts if not any(case.file.stem.startswith(sort) for case in CASES)] == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.file.stem)
def test_a_recorded_reply_leaves_its_trace(case: Case, tmp_path: Path) -> None:
    assert label_trace(case, tmp_path) == case.trace_file.read_text(encoding="utf-8")
