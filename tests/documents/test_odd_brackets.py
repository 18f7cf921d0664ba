"""One bracket too many in an equation in words: read where it can mean one thing, declined where it cannot."""

from __future__ import annotations

from mathrag.compute.latex import read_latex
from mathrag.compute.printers.pythontext import python_text
from mathrag.documents.math_in_text.odd_brackets import without_odd_bracket
from mathrag.documents.math_in_text.word_lines import word_formula
from mathrag.types.expression import Declined, Reading


def test_one_reading_is_taken() -> None:
    found = without_odd_bracket("Fill time = ((Full level - rest)) * Tank area) / Inflow", word_formula)
    reading = read_latex(found or "")
    assert isinstance(reading, Reading)
    assert python_text(reading.equations[0].right) == "(Full_level - rest)*Tank_area/Inflow"


def test_two_readings_are_declined() -> None:
    found = without_odd_bracket("Net load = ((Gross load - loss) * Share) - tare) / count", word_formula)
    assert isinstance(read_latex(found or ""), Declined)


def test_other_lines_are_left_alone() -> None:
    for line in ("b) Net load = Gross load - tare", "Net load = (Gross load - tare) / count", "no equation)"):
        assert without_odd_bracket(line, word_formula) is None
