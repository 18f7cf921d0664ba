"""What becomes of a model's proposals, file by file: see `golden/` and `golden_cases.py`."""

from __future__ import annotations

import json

import pytest
from golden_cases import NAMES, applied, outcome, parts_of, propose, read

from mathrag.extract.proposals import apply_proposals
from mathrag.store.graph.turtle_import import problems_of


@pytest.mark.parametrize("name", NAMES)
def test_golden_proposals(name: str) -> None:
    parts = parts_of(name)
    kept, rejected = outcome(parts["the document"], parts["the model says"])
    assert kept == parts["kept"]
    assert rejected == parts["rejected"]


@pytest.mark.parametrize("name", NAMES)
def test_applying_again_or_in_another_order_changes_nothing(name: str) -> None:
    parts = parts_of(name)
    known = read(parts["the document"])
    replies = json.loads(parts["the model says"])
    found, rejected = applied(known, replies)
    proposals = propose(known, replies)
    again, rejected_again = apply_proposals(
        found, known.chunks, proposals, model_name="a small model", document=known.document
    )
    assert again == found
    # The reason may be another one by then: what was completed now stands against what contradicts it.
    assert {(one.kind, one.record) for one in rejected_again} == {(one.kind, one.record) for one in rejected}
    turned = apply_proposals(
        known.extraction, known.chunks, proposals[::-1], model_name="a small model", document=known.document
    )
    assert turned == (found, rejected)


@pytest.mark.parametrize("name", NAMES)
def test_everything_kept_can_be_stored(name: str) -> None:
    parts = parts_of(name)
    found, _ = applied(read(parts["the document"]), json.loads(parts["the model says"]))
    for noun in (*found.findings, *found.constants, *found.relations):
        assert list(problems_of(noun, {"doc": None})) == []
