"""Symbols that their notation would take apart: labels upper right, glued capitals, numbered names, distances."""

from __future__ import annotations

import pytest

from mathrag.documents.markdown import read_markdown
from mathrag.documents.seams import Source
from mathrag.extract.pipeline import extract
from mathrag.types.expression import Equation, equation_symbols

RENT = "The rent of the early mine, $R_o^u$, is paid first, that of the late mine, $R_o^w$, later: $$R_o^u = p - c$$"
FORMULA = "$$S = \\frac{R_o^u}{2 R_o^w}$$"


def _equations(text: str) -> list[Equation]:
    document = read_markdown(Source(name="a.md", data=f"# Mines\n\n{text}".encode()))
    findings = extract(document, document_id="d").findings
    return [one.equation for one in findings if one.equation is not None]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (f"{RENT}\n\n{FORMULA}", {"S", "R_o_u", "R_o_w"}),
        # The letter is a quantity of the document, or told in words.
        (f"{RENT}\n\n{FORMULA}\n\nThe share $u$ falls.", {"S", "R_o", "u", "w"}),
        (f"{RENT}\n\n{FORMULA}\n\nHere u is a constant.", {"S", "R_o", "u", "w"}),
        # Nobody speaks of the symbol with its letter: a power.
        ("$$S = k C_A^q$$", {"S", "k", "C_A", "q"}),
        ("The term $C_A^n$ grows. So does $C_A^n$ squared. $$S = k C_A^n$$", {"S", "k", "C_A", "n"}),
    ],
)
def test_a_letter_without_a_meaning_of_its_own_is_a_label(text: str, names: set[str]) -> None:
    found = [one for one in _equations(text) if one.target == "S"]
    assert [set(equation_symbols(one)) for one in found] == [names]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (r"$$k = \left(S\!C\!F\right) \frac{h}{2}$$", {"k", "SCF", "h"}),
        (r"$$R-2\ value = \frac{a}{b}$$", {"R2_value", "a", "b"}),
        (r"$$\text{hit_rate} = \frac{\text{hits}}{\text{throws}}$$", {"hit_rate", "hits", "throws"}),
        (r"The ship at the point $S_1$ and a rod. $$\overline{S_1 S} = d \sin \beta$$", {"distance_S1_S", "d", "beta"}),
        (r"The stations $A$ and $B_1$ are seen. $$|A B_1| = d \sin \beta$$", {"distance_A_B1", "d", "beta"}),
        # Without a word that they are points, two letters are factors, and bars are those of a size.
        (r"$$|A B_1| = d \sin \beta$$", {"A", "B_1", "d", "beta"}),
    ],
)
def test_what_is_one_symbol_is_read_as_one(text: str, names: set[str]) -> None:
    found = [set(equation_symbols(one)) for one in _equations(text)]
    assert found == [names]
