"""Recorded replies of a model about documents: each leaves the trace beside it, and nothing is kept that is not there.

After a change of behaviour that is meant, `python tools/record_traces.py` writes them anew; review the difference.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from library_violations import library_violations
from mathrag.library import Library
from recorded.playing import Case, cases
from recorded.reading_play import Reading, read_all, reading_trace

CASES = cases("reading")


@pytest.fixture(scope="module")
def reading(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reading]:
    folder = tmp_path_factory.mktemp("read")
    with Library(folder / "library") as library:
        yield read_all(CASES, library, folder)


def test_there_are_cases_of_every_sort() -> None:
    assert len(CASES) >= 15
    sorts = ("good", "malformed", "half_json", "hallucinated", "wrong_units", "invented", "orders", "empty", "huge",
             "swapped", "constant", "code")  # fmt: skip
    assert [sort for sort in sorts if not any(case.file.stem.startswith(sort) for case in CASES)] == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.file.stem)
def test_a_recorded_reply_leaves_its_trace(case: Case, reading: Reading) -> None:
    assert reading_trace(case, reading) == case.trace_file.read_text(encoding="utf-8")


def test_nothing_is_kept_that_its_document_does_not_say(reading: Reading) -> None:
    assert library_violations(reading.library) == []
    assert reading.library.check() == []
