"""Rows of a displayed formula that explain its symbols are explanations; rows that compute stay a formula."""

from __future__ import annotations

from pathlib import Path

import pytest

from mathrag.documents.registry import read_path
from mathrag.extract.definitions.formula_rows import rows_apart
from mathrag.extract.pipeline import extract

BLOCK = r"""\begin{align}
\Lambda &= \mbox{shielding number}\\
 &= \kappa\, d\\
\mbox{where }& \\
\kappa &= \mbox{uptake per length } [1/m]\\
d &= \text{thickness of the sheet [m]}
\end{align}"""


def test_a_block_is_taken_apart() -> None:
    apart = rows_apart(BLOCK)
    assert apart is not None
    assert [(row.left, row.words) for row in apart.rows] == [
        (r"\Lambda", "shielding number"),
        (r"\kappa", "uptake per length"),
        ("d", "thickness of the sheet [m]"),
    ]
    assert r"\Lambda" in apart.formula
    assert "mbox" not in apart.formula


@pytest.mark.parametrize(
    "source",
    [
        r"\begin{align} a &= b \\ c &= d \end{align}",
        r"\text{net pay} = \text{gross pay} - \text{tax}",
        r"\begin{aligned} \text{share} &= \frac{\text{part}}{\text{whole}} \\ &= 3 \end{aligned}",
        r"E = m c^2",
        r"\text{profit} = \text{turnover}",
    ],
)
def test_equations_stay_as_they_are(source: str) -> None:
    assert rows_apart(source) is None


def test_words_that_go_on_in_the_next_row() -> None:
    apart = rows_apart(r"\begin{align} \eta =& \text{yield of grain }\\ & \text{per unit of water} \end{align}")
    assert apart is not None
    assert apart.formula == ""
    assert apart.rows[0].words == "yield of grain per unit of water"


def test_no_row_of_words_becomes_a_formula(tmp_path: Path) -> None:
    notes = tmp_path / "notes.md"
    notes.write_text(f"# Shields\n\n{BLOCK}\n", encoding="utf-8")
    found = extract(read_path(notes), document_id="d-1").findings
    assert [one.status for one in found] == ["executable"]
    meanings = {symbol.name: symbol for symbol in found[0].symbols}
    assert meanings["kappa"].description == "uptake per length"
    assert meanings["d"].unit == "m"
