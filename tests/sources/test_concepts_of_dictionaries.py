"""Dictionaries to concepts and rows: properties tried at points, examples, signatures; the counts of OpenMath's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mathrag.documents.media_type import DICTIONARY_TYPE, SIGNATURES_TYPE
from mathrag.documents.openmath import parse_dictionary
from mathrag.documents.openmath.reader import signature_text
from mathrag.documents.registry import source_at
from mathrag.documents.seams import Source
from mathrag.sources.dictionaries.concepts import concepts_of, is_mathematical
from mathrag.sources.dictionaries.rows import dictionary_rows
from mathrag.store.truth.schema import table_columns

SHARED = next((folder / "shared" / "data" for folder in Path(__file__).parents if (folder / "shared").is_dir()), Path())
CDS = SHARED / "openmath-cds"


def _object(inside: str) -> str:
    return f'<OMOBJ xmlns="http://www.openmath.org/OpenMath">{inside}</OMOBJ>'


def _equation(left: str, right: str) -> str:
    return _object(f'<OMA><OMS cd="relation1" name="eq"/>{left}{right}</OMA>')


SQUARE = '<OMA><OMS cd="arith1" name="times"/><OMV name="x"/><OMV name="x"/></OMA>'
POWER = '<OMA><OMS cd="arith1" name="power"/><OMV name="x"/><OMI>2</OMI></OMA>'
TOYS = f"""<CD><CDName>toys1</CDName><CDStatus>private</CDStatus>
<CDDefinition><Name>square</Name><Description>A number times itself.</Description>
<CMP>A square is never negative.</CMP>
<FMP>{_equation(SQUARE, POWER)}</FMP>
<FMP>{_equation(SQUARE, '<OMV name="x"/>')}</FMP>
<FMP><OMOBJ><OMNONE/></OMOBJ></FMP>
<Example>Three squared: {_equation("<OMI>9</OMI>", "<OMI>9</OMI>")} <OMOBJ><OMNONE/></OMOBJ></Example>
</CDDefinition></CD>"""


def toys() -> Source:
    return Source("toys1.ocd", TOYS.encode())


def test_properties_are_tried_and_what_fails_says_where() -> None:
    (concept,) = concepts_of(parse_dictionary(toys()))
    assert (concept.name, concept.dictionary, concept.symbol) == ("toys1:square", "toys1", "square")
    stated, holds, fails, unread = concept.properties
    assert (stated.kind, stated.text, stated.check) == ("stated", "A square is never negative.", None)
    assert holds.check is not None
    assert (holds.check.outcome, holds.check.points >= 10) == ("holds", True)
    assert fails.check is not None
    assert fails.check.outcome == "fails"
    assert [name for name, _ in fails.check.counterexample] == ["x"]
    assert unread.check is not None
    assert (unread.check.outcome, unread.latex) == ("undecided", "")
    assert unread.check.reason.startswith("its object cannot be read")
    (example,) = concept.examples
    assert (example.text, len(example.latex)) == ("Three squared:", 1)


def test_rows_have_the_columns_of_their_tables() -> None:
    rows = dictionary_rows("d-1", toys(), DICTIONARY_TYPE)
    assert {table: len(found) for table, found in rows.items()} == {
        "concepts": 1, "concept_properties": 4, "concept_examples": 1,
    }  # fmt: skip
    signatures = dictionary_rows("d-2", Source("a.sts", b'<CDSignatures cd="a"><Signature name="b"/></CDSignatures>'),
                                 SIGNATURES_TYPE)  # fmt: skip
    for table, found in {**rows, **signatures}.items():
        for row in found:
            assert row.keys() == table_columns()[table].keys(), table
    assert signatures["concept_signatures"][0]["concept"] == "a:b"
    assert dictionary_rows("d-3", Source("a.md", b"# A"), "text/markdown") == {}


def test_dictionaries_about_dictionaries_are_no_mathematics() -> None:
    assert not is_mathematical("metagrp")
    assert is_mathematical("arith1")


@pytest.mark.skipif(not CDS.is_dir(), reason="../shared/data/openmath-cds is not here")
def test_the_counts_of_the_published_dictionaries() -> None:
    parsed = [parse_dictionary(source_at(path)) for path in sorted(CDS.rglob("*.ocd"))]
    definitions = [(one.name, each) for one in parsed for each in one.definitions]
    names = {f"{dictionary}:{each.symbol}" for dictionary, each in definitions}
    statements = [each.kind for _, one in definitions for each in one.statements]
    assert (len(parsed), len({one.name for one in parsed})) == (161, 156)
    assert (len(definitions), len(names)) == (1148, 1138)
    assert (statements.count("formal"), statements.count("stated")) == (540, 548)
    assert sum(len(one.examples) for _, one in definitions) == 574
    assert sum(is_mathematical(name.partition(":")[0]) for name in names) == 1040
    assert not any(one.notes for one in parsed)


@pytest.mark.skipif(not CDS.is_dir(), reason="../shared/data/openmath-cds is not here")
def test_the_counts_of_the_published_signatures() -> None:
    files = sorted(CDS.rglob("*.sts"))
    rows = [
        row for path in files for row in dictionary_rows("d", source_at(path), SIGNATURES_TYPE)["concept_signatures"]
    ]
    assert (len(files), len(rows)) == (83, 540)
    # Some files give an empty signature; those that give one are all read.
    assert sum(bool(row["signature"]) for row in rows) == 526
    assert all(row["signature"] for row in rows if row["source"])
    assert signature_text("") == ""


@pytest.mark.skipif(
    not (SHARED / "openmath-kb" / "openmath.json").is_file(), reason="../shared/data/openmath-kb is not here"
)
def test_the_names_are_those_of_the_published_base() -> None:
    published = json.loads((SHARED / "openmath-kb" / "openmath.json").read_text("utf-8"))["symbols"]
    parsed = [parse_dictionary(source_at(path)) for path in sorted(CDS.rglob("*.ocd"))]
    assert {f"{one.name}:{each.symbol}" for one in parsed for each in one.definitions} == set(published)
