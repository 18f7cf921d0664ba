"""The golden corpora: real formulas read right, none silently wrong, and what is not computable declined."""

from __future__ import annotations

from typing import Any

import pytest

from golden_formulas import judge, load
from mathrag.compute.latex import read_latex
from mathrag.compute.mathml import read_mathml
from mathrag.compute.printers.latex import latex_text
from mathrag.compute.printers.mathml import mathml_text
from mathrag.compute.printers.pythontext import python_text
from mathrag.compute.pythontext import read_python_text
from mathrag.types.expression import Declined, equation_symbols

FORMULAS = [
    entry
    for name in ("formulas", "formulas_second", "formulas_third", "formulas_fourth", "misreadings")
    for entry in load(name)
]
DECLINED = [
    entry
    for name in ("declined", "declined_second", "declined_third", "declined_fourth", "misreadings_declined")
    for entry in load(name)
]


def _by_id(entry: dict[str, Any]) -> str:
    return str(entry["id"])


@pytest.mark.parametrize("entry", FORMULAS, ids=_by_id)
def test_latex(entry: dict[str, Any]) -> None:
    assert judge(entry, read_latex(entry["latex"], entry.get("hint", []))) == ""


@pytest.mark.parametrize("entry", [entry for entry in FORMULAS if "mathml" in entry], ids=_by_id)
def test_presentation_mathml(entry: dict[str, Any]) -> None:
    assert judge(entry, read_mathml(entry["mathml"], entry.get("hint", []))) == ""


@pytest.mark.parametrize("entry", [entry for entry in FORMULAS if "content_mathml" in entry], ids=_by_id)
def test_content_mathml(entry: dict[str, Any]) -> None:
    assert judge(entry, read_mathml(entry["content_mathml"], entry.get("hint", []))) == ""


@pytest.mark.parametrize("entry", DECLINED, ids=_by_id)
def test_declined(entry: dict[str, Any]) -> None:
    hint = entry.get("hint", [])
    reading = read_latex(entry["latex"], hint) if "latex" in entry else read_mathml(entry["mathml"], hint)
    assert isinstance(reading, Declined)
    assert len(reading.reason) > 8


@pytest.mark.parametrize("entry", FORMULAS, ids=_by_id)
def test_what_is_printed_reads_back(entry: dict[str, Any]) -> None:
    reading = read_latex(entry["latex"], entry.get("hint", []))
    assert not isinstance(reading, Declined)
    for equation in reading.equations:
        names = equation_symbols(equation)
        plain = f"{python_text(equation.left, units=True)} = {python_text(equation.right, units=True)}"
        again = (
            read_latex(latex_text(equation), names),
            read_mathml(mathml_text(equation), names),
            read_python_text(plain, names),
        )
        for other in again:
            assert not isinstance(other, Declined), other
            assert any((each.left, each.right) == (equation.left, equation.right) for each in other.equations), other
