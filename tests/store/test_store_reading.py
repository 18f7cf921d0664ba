"""Reading: entries are found by whatever a person knows of them."""

from __future__ import annotations

import pytest
from store_makers import MECHANICS, MERGER, WAVES

from mathrag.errors import LibraryError
from mathrag.store.truth import reader
from mathrag.store.truth.database import Database, open_database
from mathrag.store.truth.writer import replace_document


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory):
    with open_database(tmp_path_factory.mktemp("reading")) as database:
        for record in (MECHANICS, WAVES):
            replace_document(database, record, merger=MERGER)
        yield database


def test_a_formula_by_id_beginning_or_any_label(library: Database) -> None:
    (law,) = reader.find_formulas(library, "newton's SECOND law")
    assert reader.find_formulas(library, "Second law") == [law]
    for text in (law.id, law.id[:8], law.id[2:8], law.id.upper(), f"  {law.id} "):
        assert reader.find_formulas(library, text) == [law]
    assert reader.find_formulas(library, law.id[2:5]) == []
    assert reader.find_formulas(library, "no such law") == []
    assert reader.formula_by_id(library, law.id) == law
    with pytest.raises(LibraryError, match="no formula"):
        reader.formula_by_id(library, "f-none")


def test_constants_by_name_and_symbol(library: Database) -> None:
    assert {str(constant.value) for constant in reader.find_constants(library, "g")} == {"9.81", "9.80665"}
    assert len(reader.find_constants(library, "constant g")) == 2


@pytest.mark.parametrize("text", ["mechanics.md", "About mechanics.md", MECHANICS.info.id, MECHANICS.info.id[2:9]])
def test_documents_by_what_is_known_of_them(library: Database, text: str) -> None:
    assert reader.find_documents(library, text) == [MECHANICS.info]
    assert reader.document_by_key(library, "mechanics.md") == MECHANICS.info
    assert reader.document_by_id(library, MECHANICS.info.id) == MECHANICS.info


def test_lists_follow_the_document(library: Database) -> None:
    ids = reader.list_formula_ids(library, document=MECHANICS.info.id)
    assert [formula.latex for formula in reader.formulas_by_ids(library, ids)] == [
        finding.latex for finding in MECHANICS.extraction.findings
    ]
    assert len(reader.list_formula_ids(library, document=MECHANICS.info.id, status="declined")) == 1
    assert len(reader.list_constant_ids(library, document=MECHANICS.info.id)) == 2
    assert len(reader.list_formula_ids(library)) == 6


def test_what_was_found_comes_back_exactly(library: Database) -> None:
    extraction = MECHANICS.extraction
    assert tuple(reader.findings_of_document(library, extraction.document)) == extraction.findings
    assert tuple(reader.constant_findings_of_document(library, extraction.document)) == extraction.constants
    assert tuple(reader.definitions_of_document(library, extraction.document)) == extraction.definitions
    assert tuple(reader.text_relations_of_document(library, extraction.document)) == extraction.relations


def test_relations_by_direction_and_kind(library: Database) -> None:
    (impulse,) = reader.find_formulas(library, "Impulse")
    (law,) = reader.find_formulas(library, "Second law")
    from_impulse = reader.relations_of_entry(library, impulse.id, direction="from")
    assert [relation.kind for relation in from_impulse] == ["uses_constant", "derived_from", "uses"]
    assert {each.source for each in reader.relations_of_entry(library, law.id, direction="to")} == {impulse.id}
    assert reader.relations_of_entry(library, impulse.id, kind="uses", direction="to") == []
    assert len(list(reader.iterate_relations(library))) == reader.count_entries(library)["relations"]
