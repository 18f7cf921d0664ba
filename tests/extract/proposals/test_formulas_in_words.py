"""Formulas in plain words: right proposals become executable, proposals that are nearly right never do."""

from __future__ import annotations

from dataclasses import replace

import pytest
from mutations import mutations
from words_corpus import Case, asked_twice, cases, fate

from mathrag.compute.printers.pythontext import python_text
from mathrag.compute.pythontext import read_python_text
from mathrag.extract.proposals.equations import says_the_same
from mathrag.types.expression import Declined

RIGHT, WRONG = cases()


def test_the_corpus_is_large_enough() -> None:
    assert len(RIGHT) == 40
    assert len(WRONG) >= 20


def test_four_of_five_right_proposals_are_executable() -> None:
    once = [fate(case) for case in RIGHT]
    assert sum(one.status == "executable" for one in once) >= 34
    twice = [asked_twice(case) for case in RIGHT]
    executable = [one for one in twice if one.status == "executable"]
    assert len(executable) >= 36
    # Wherever such a formula shows, it shows that a model proposed it.
    assert all("proposed_by_model" in one.flags for one in executable)


@pytest.mark.parametrize("case", WRONG, ids=lambda case: f"{case.title}: {case.why}")
def test_no_wrong_proposal_is_executable_even_if_it_is_said_twice(case: Case) -> None:
    assert fate(case).status != "executable"
    assert asked_twice(case).status != "executable"


@pytest.mark.parametrize("case", RIGHT, ids=lambda case: case.equation)
def test_no_wrong_version_is_executable(case: Case) -> None:
    reading = read_python_text(case.equation)
    assert not isinstance(reading, Declined)
    (equation,) = reading.equations
    for what, wrong in mutations(equation):
        if says_the_same(wrong, equation):
            continue
        text = f"{python_text(wrong.left)} = {python_text(wrong.right)}"
        assert asked_twice(replace(case, equation=text, why=what)).status != "executable", text


def test_askings_that_differ_decide_nothing() -> None:
    (case,) = [one for one in RIGHT if one.equation == "H = h_m - h_r"]
    assert fate(case).status == "quarantined"
    assert fate(case, again=(case.again, case.again_symbols)).status == "executable"
    assert fate(case, again=("R = r - M", case.again_symbols)).status == "quarantined"
    others = ["R: heart rate reserve [1/min]", "M: boat speed [m/s]", "r: resting heart rate [1/min]"]
    assert fate(case, again=("R = M - r", others)).status == "quarantined"
