"""Recorded replies of a model about documents: each leaves the trace beside it, and nothing is kept that is not there.

After a change of behaviour that is meant, `python tools/record_traces.py` writes them anew; review the difference.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from library_violations import library_violations
from mathrag.library import Library
from recorded.playing import Case, cases, what_matters
from recorded.reading_play import Reading, read_all, reading_trace

CASES = cases("reading")


@pytest.fixture(scope="module")
def reading(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reading]:
    folder = tmp_path_factory.mktemp("read")
    with Library(folder / "library") as library:
        yield read_all(CASES, library, folder)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.file.stem)
def test_a_recorded_reply_leaves_its_trace(case: Case, reading: Reading) -> None:
    assert what_matters(reading_trace(case, reading)) == what_matters(case.trace_file.read_text(encoding="utf-8"))


def test_nothing_is_kept_that_its_document_does_not_say(reading: Reading) -> None:
    assert library_violations(reading.library) == []
    assert reading.library.check() == []
