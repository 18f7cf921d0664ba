"""The constants of snippets, with their digits, units and standard names."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from extract.definitions.snippet_documents import snippet_document
from mathrag.extract.constants import find_constants

SNIPPETS = tomllib.loads((Path(__file__).parent / "constants.toml").read_text(encoding="utf-8"))["snippet"]


@pytest.mark.parametrize("snippet", SNIPPETS, ids=[entry["text"].strip()[:60] for entry in SNIPPETS])
def test_golden_constants(snippet: dict) -> None:
    found = find_constants(snippet_document(snippet["text"]), document_id="d")
    lines = [f"{one.symbol} | {one.name} | {one.value} | {one.unit} | {one.standard or ''}" for one in found]
    assert [line.strip() for line in lines] == [line.strip() for line in snippet["expect"]]


def test_uncertainty_span_and_keywords() -> None:
    text = "# Data\n\nThe Boltzmann constant is k = 1.380649(12) × 10⁻²³ J/K."
    (one,) = find_constants(snippet_document(text), document_id="d")
    assert str(one.uncertainty) == "1.2E-28"
    assert one.span.headings == ("Data",)
    assert one.keywords == ("boltzmann", "constant")


def test_a_value_without_unit_says_where_its_unit_comes_from() -> None:
    (one,) = find_constants(snippet_document("$k = 9 \\times 10^9$"), document_id="d")
    assert (one.unit, one.standard) == ("N*m^2/C^2", "coulomb_constant")
    assert "no unit is stated" in one.description
