"""Formulas in plain words: right proposals become executable, proposals that are nearly right never do."""

from __future__ import annotations

import pytest
from words_corpus import Case, cases, fate

RIGHT, WRONG = cases()


def test_the_corpus_is_large_enough() -> None:
    assert len(RIGHT) == 40
    assert len(WRONG) >= 20


def test_four_of_five_right_proposals_are_executable() -> None:
    fates = [fate(case) for case in RIGHT]
    executable = [one for one in fates if one.status == "executable"]
    assert len(executable) >= 34
    # Wherever such a formula shows, it shows that a model proposed it.
    assert all("proposed_by_model" in one.flags for one in executable)


@pytest.mark.parametrize("case", WRONG, ids=lambda case: f"{case.title}: {case.why}")
def test_no_wrong_proposal_is_executable(case: Case) -> None:
    assert fate(case).status != "executable"
