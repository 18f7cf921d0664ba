"""Over which blocks a definition holds, and what it carries with it."""

from __future__ import annotations

from extract.definitions.snippet_documents import snippet_document
from mathrag.extract.definitions import find_definitions
from mathrag.types.library import SymbolDefinition


def _definitions(text: str) -> dict[str, SymbolDefinition]:
    return {one.name: one for one in find_definitions(snippet_document(text), document_id="d")}


def test_where_reaches_back_over_the_formulas_before_it_and_on_to_the_end_of_the_section() -> None:
    text = "# A\n\nWords.\n\n$$F = ma$$\n\n$$p = mv$$\n\nwhere $m$ is the mass.\n\nMore.\n\n# B\n\nOther."
    one = _definitions(text)["m"]
    assert (one.first_block, one.last_block) == (2, 5)


def test_a_section_holds_for_its_subsections() -> None:
    text = "# A\n\nLet $m$ be the mass.\n\n## A.1\n\nText.\n\n# B\n\nText."
    one = _definitions(text)["m"]
    assert (one.first_block, one.last_block) == (1, 3)


def test_nomenclature_holds_everywhere() -> None:
    text = "# A\n\nText.\n\n# Nomenclature\n\n- $m$ – mass, kg\n\n# B\n\nText."
    one = _definitions(text)["m"]
    assert (one.first_block, one.last_block, one.confidence) == (0, 5, 1.0)


def test_a_small_table_holds_in_its_section() -> None:
    text = "# A\n\n| Symbol | Meaning |\n|---|---|\n| $m$ | mass |\n| $v$ | speed |\n\n# B\n\nText."
    one = _definitions(text)["m"]
    assert (one.first_block, one.last_block) == (0, 1)


def test_a_second_meaning_ends_the_first() -> None:
    text = "# A\n\nThe pressure $p$ is high.\n\nText.\n\nThe momentum $p$ is conserved."
    found = [one for one in find_definitions(snippet_document(text), document_id="d") if one.name == "p"]
    assert [(one.kind, one.first_block, one.last_block) for one in found] == [("pressure", 0, 2), ("momentum", 3, 3)]


def test_the_quote_and_the_headings_are_those_of_the_document() -> None:
    one = _definitions("# Work\n\n$$W = Fd$$\n\nwhere $F$ is the force (N) and so on.")["F"]
    assert one.span.quote.startswith("$F$ is the force (N)")
    assert one.span.headings == ("Work",)
    assert one.span.document == "d"
    assert one.letter == "F"


def test_dimension_comes_from_unit_kind_or_constant() -> None:
    found = _definitions("where $m$ is the mass, $x$ is the gadget (kg) and $R$ is the gas constant.")
    assert str(found["m"].dimension) == "kg"
    assert str(found["x"].dimension) == "kg"
    assert str(found["R"].dimension) == "m^2*kg/(s^2*K*mol)"


def test_an_ambiguous_unit_is_chosen_by_the_words_or_left_open() -> None:
    found = _definitions("where $Q$ is the charge (C), $T$ is the temperature (C) and $y$ is the gadget (C).")
    assert (found["Q"].unit, found["T"].unit, found["y"].unit) == ("C", "degC", None)


def test_a_unit_column_is_soft_evidence() -> None:
    text = "|Quantity|Unit|Definition|\n|---|---|---|\n|Momentum|$\\mathrm{kg\\,m/s}$|$p = mv$|"
    one = _definitions(text)["p"]
    assert (one.source, one.unit) == ("unit_column", "kg*m/s")
    assert one.confidence < 0.6
