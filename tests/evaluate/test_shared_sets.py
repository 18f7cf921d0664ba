"""The real question sets, where they are: every unit and given value is read, ids tell formula and wording."""

from __future__ import annotations

from pathlib import Path

import pytest

from mathrag.evaluate.formula_identity import equations_of
from mathrag.evaluate.grades import quantity_of_text, unit_of
from mathrag.evaluate.questions import load_questions

SHARED = Path(__file__).parents[2].parent / "shared" / "benchmarks"
SETS = sorted(SHARED.glob("*/questions.jsonl"))


@pytest.mark.skipif(not SETS, reason="../shared/benchmarks is not here")
def test_every_unit_and_value_is_read() -> None:
    for file in SETS:
        for truth in load_questions(file):
            if not truth.latex:  # word problems may ask for bags or tickets, which are no units
                continue
            assert unit_of(truth.units[0]) is not None, truth.id
            assert all(quantity_of_text(text) is not None for _, text in truth.given), truth.id
            if truth.tier == "direct":
                assert truth.wording is not None, truth.id
            if truth.kind == "compute":
                assert all(equations_of(latex) for latex in truth.latex), truth.id
