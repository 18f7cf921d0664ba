"""A letter upper right of a symbol is its label where the document has no such quantity, else a power."""

from __future__ import annotations

import pytest

from mathrag.documents.markdown import read_markdown
from mathrag.documents.seams import Source
from mathrag.extract.pipeline import extract
from mathrag.types.expression import equation_symbols

RENT = "The rent of the early mine, $R_o^u$, is paid first, that of the late mine, $R_o^w$, later: $$R_o^u = p - c$$"
FORMULA = "$$S = \\frac{R_o^u}{2 R_o^w}$$"


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
    findings = extract(read_markdown(Source(name="a.md", data=f"# Mines\n\n{text}".encode())), document_id="d").findings
    found = [one.equation for one in findings if one.equation is not None and one.equation.target == "S"]
    assert [set(equation_symbols(one)) for one in found] == [names]
