"""Names of several letters that a line of a list defines with an equals sign, and names that a chapter agrees on."""

from __future__ import annotations

from mathrag.documents.markdown import read_markdown
from mathrag.documents.seams import Source
from mathrag.extract.pipeline import extract
from mathrag.types.library import Finding

LIST = """
Wk = n × pw × Hd

Where:
- Wk = Weekly dose (mg)
- pw = Pellets per week
- Hd = Half dose (mg)
"""
PARTS = """
# Pools

## Filling

The pool volume V_p is filled slowly.

## Heating

Heating rate = pump power / V_p

## Emptying (V_p, the pool volume)

The rest volume V_p stays.
"""


def _formulas(text: str) -> list[Finding]:
    document = read_markdown(Source(name="a.md", data=text.encode()))
    return [one for one in extract(document, document_id="d").findings if one.status == "executable"]


def test_identifiers_of_a_list_are_one_symbol_each() -> None:
    said = {one.name: (one.description, one.unit) for one in _formulas(LIST)[0].symbols}
    assert said["Wk"] == ("weekly dose", "mg")
    assert said["pw"][0] == "pellets per week"
    assert said["Hd"] == ("half dose", "mg")


def test_a_word_before_an_equals_sign_in_prose_is_no_definition() -> None:
    assert not _formulas("Note = see below for more.\n")


def test_what_a_chapter_agrees_on_holds_beside_it() -> None:
    rates = [one for one in _formulas(PARTS) if one.equation is not None and one.equation.target == "Heating_rate"]
    said = {one.name: one.description for one in rates[0].symbols}
    assert said["V_p"] in ("pool volume", "rest volume")
