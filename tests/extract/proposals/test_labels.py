"""A label that a model gives is a name, not a scrap of the passage."""

from __future__ import annotations

import pytest

from mathrag.extract.proposals.plain_text import fragment_problem

PASSAGE = r"# Drift velocity" + "\n" + r"The percent yield $\frac{\mathrm{a}}{b}$ of coupled oscillators."


@pytest.mark.parametrize("label", ["rift velocity", "frac mathrm", "Ercent yield"])
def test_scraps_are_no_names(label: str) -> None:
    problem = fragment_problem(label, PASSAGE)
    assert problem is not None
    assert problem.code == "label_of_fragments"


@pytest.mark.parametrize("label", ["Drift velocity", "Oscillator", "Percent yield of a reaction", "Ideal gas law"])
def test_words_of_the_passage_and_words_of_one_s_own_are_names(label: str) -> None:
    assert fragment_problem(label, PASSAGE) is None
