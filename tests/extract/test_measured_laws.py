"""A product that equals a measured value is a law, where it stands for itself; in a worked example it is a value."""

from __future__ import annotations

from pathlib import Path

import pytest

from mathrag.documents.registry import read_path
from mathrag.extract.pipeline import extract

LAW = r"$$\lambda_{\mathrm{max}} T = 2.898\times 10^{-3} \ \mathrm{m \cdot K}$$"


@pytest.mark.parametrize(("heading", "is_formula"), [("Wien's displacement law", True), ("Worked example", False)])
def test_a_product_with_a_measured_value(tmp_path: Path, heading: str, is_formula: bool) -> None:
    notes = tmp_path / "notes.md"
    notes.write_text(f"# Radiation\n\n## {heading}\n\n{LAW}\n", encoding="utf-8")
    found = extract(read_path(notes), document_id="d-1").findings
    assert any(each.status == "executable" for each in found) == is_formula
