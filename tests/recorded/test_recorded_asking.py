"""Recorded replies of a model to questions: each leaves what matters of the trace beside it, and none
gets a number through.

After a change of behaviour that is meant, `python tools/record_traces.py` writes them anew; review the difference.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mathrag.library import Library
from recorded.playing import DOCUMENTS, Case, cases, play_question, question_trace, what_matters
from violations import Shelf, outcome_violations

CASES = cases("asking")


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shelf]:
    with Library(tmp_path_factory.mktemp("recorded") / "library") as library:
        library.ingest(sorted(DOCUMENTS.glob("*.md")), workers=1)
        yield Shelf(library)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.file.stem)
def test_a_recorded_model_leaves_its_trace_and_no_number_of_its_own(case: Case, shelf: Shelf) -> None:
    played = play_question(case, shelf.library)
    assert outcome_violations(played.outcome, case.content["question"], shelf, events=played.events) == []
    assert what_matters(question_trace(case, played)) == what_matters(case.trace_file.read_text(encoding="utf-8"))
