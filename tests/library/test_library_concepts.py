"""Dictionaries in a library: read like documents, searched, shown, linked to formulas, checked, exported, taken out."""

from __future__ import annotations

import json
import re
import sqlite3
from pathlib import Path

import pytest
from library_makers import dump, exact_rows, mathrag, take_back_texts

from mathrag.answer.cards.concepts import sample_words
from mathrag.library import Library
from mathrag.store.truth.concept_links import linked_concepts
from mathrag.store.truth.schema import CURRENT_VERSION, FILE_NAME, schema_version
from mathrag.types.concept import SampleCheck

TABLES = ("concepts", "concept_signatures", "concept_properties", "concept_examples", "formula_concepts")


def _object(inside: str) -> str:
    return f'<OMOBJ xmlns="http://www.openmath.org/OpenMath">{inside}</OMOBJ>'


def _equal(left: str, right: str) -> str:
    return _object(f'<OMA><OMS cd="relation1" name="eq"/>{left}{right}</OMA>')


_SQUARE = '<OMA><OMS cd="arith1" name="power"/><OMV name="x"/><OMI>2</OMI></OMA>'
_TWICE = '<OMA><OMS cd="arith1" name="times"/><OMV name="x"/><OMV name="x"/></OMA>'
ARITHMETIC = f"""<CD xmlns="http://www.openmath.org/OpenMathCD"><CDName>arith1</CDName><CDStatus>official</CDStatus>
<Description>Sums and the like.</Description>
<CDDefinition><Name>power</Name><Role>application</Role>
<Description>Raises a number to an exponent.</Description>
<CMP>The square is the number times itself.</CMP>
<FMP>{_equal(_SQUARE, _TWICE)}</FMP>
<FMP>{_equal(_SQUARE, '<OMV name="x"/>')}</FMP>
<FMP>{_object('<OMA><OMS cd="nowhere" name="is_nice"/><OMV name="x"/></OMA>')}</FMP>
<Example>Three squared is nine. {_equal("<OMI>9</OMI>", "<OMI>9</OMI>")}</Example></CDDefinition>
<CDDefinition><Name>times</Name><Description>Multiplies numbers with each other.</Description></CDDefinition>
</CD>"""
COPY = """<CD><CDName>arith1</CDName><CDStatus>private</CDStatus>
<CDDefinition><Name>power</Name><Description>Another text for powers.</Description></CDDefinition></CD>"""
META = """<CD><CDName>meta</CDName><CDDefinition>
<Name>exponent_file</Name><Description>A file about exponents and powers.</Description></CDDefinition></CD>"""
SIGNATURES = f"""<CDSignatures cd="arith1"><Signature name="power">{
    _object('<OMA><OMS cd="sts" name="mapsto"/><OMV name="Field"/><OMV name="Field"/><OMV name="Field"/></OMA>')
}
</Signature></CDSignatures>"""


@pytest.fixture
def dictionaries(tmp_path: Path) -> Path:
    folder = tmp_path / "dictionaries"
    folder.mkdir()
    files = {"arith1.ocd": ARITHMETIC, "copy.ocd": COPY, "meta.ocd": META, "arith1.sts": SIGNATURES}
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def turtle(folder: Path) -> str:
    """The export without the times of reading, and without the digests that hold them."""
    with Library(folder) as library:
        text = b"".join(library.exported("turtle")).decode()
    for hidden in (r'dcterms:created "[^"]*"', r'\\"ingested_at\\":\\"[^"]*\\"', r'mathrag:(?:digest|seal) "[^"]*"'):
        text = re.sub(hidden, "", text)
    return text


@pytest.mark.slow
def test_dictionaries_come_in_are_counted_and_go_out_again(copied: Path, dictionaries: Path) -> None:
    before, graph_before = dump(copied), turtle(copied)
    assert mathrag("ingest", dictionaries, "--library", copied).code == 0
    counts = json.loads(mathrag("concepts", "--library", copied, "--json").out)
    expected = {
        "dictionary_files": 3, "dictionaries": 2, "definitions": 4, "concepts": 3, "mathematical_concepts": 2,
        "formal_properties": 3, "stated_properties": 1, "examples": 1, "signature_files": 1, "signatures": 1,
        "holding": 1, "failing": 1, "undecided": 1,
    }  # fmt: skip
    assert counts == expected
    assert "mathematical concepts" in mathrag("concepts", "--library", copied).out
    assert json.loads(mathrag("status", "--library", copied, "--json").out)["concepts"] == 4
    assert mathrag("check", "--library", copied).code == 0
    # Their formulas state properties; none of them is a formula to answer with.
    assert [dump(copied)[table] for table in ("formulas", "findings")] == [before[t] for t in ("formulas", "findings")]
    unchanged = exact_rows(copied)
    mathrag("ingest", dictionaries, "--library", copied)
    assert exact_rows(copied) == unchanged
    for file in dictionaries.iterdir():
        assert mathrag("remove", f"dictionaries/{file.name}", "--library", copied).code == 0
    assert (dump(copied), turtle(copied)) == (before, graph_before)


def test_a_concept_is_shown_with_what_trying_its_properties_gave(copied: Path, dictionaries: Path) -> None:
    mathrag("ingest", dictionaries, "--library", copied)
    with Library(copied) as library:
        first, other = library.find_concepts("arith1:power")
        assert (first.status, other.status) == ("official", "private")
        concept = first.concept
        assert (concept.signature, concept.role) == ("Field × Field → Field", "application")
        assert [one.check and one.check.outcome for one in concept.properties] == [None, "holds", "fails", "undecided"]
        assert concept.examples[0].text == "Three squared is nine."
        assert library.find_concepts("power") == (first, other)
        assert library.find_concepts(first.id) == (first,)
        assert library.find_concepts("nothing of this") == ()
        assert len(library.concepts()) == 4
    shown = mathrag("show", "arith1:power", "--library", copied).out
    assert "Raises a number to an exponent." in shown
    assert "signature: Field × Field → Field" in shown
    assert re.search(r"holds at \d\d+ points", shown)
    assert "fails at x = " in shown
    assert "not checked, because" in shown
    assert "checked numerically, not proved" in shown
    assert "found: dictionaries/arith1.ocd, line 3" in shown
    data = json.loads(mathrag("show", "arith1:times", "--library", copied, "--json").out)
    assert (data["name"], data["properties"]) == ("arith1:times", [])
    listed = mathrag("concepts", "--checks", "--library", copied).out
    assert listed.count("arith1:power") == 3
    assert mathrag("concepts", "arith1", "--library", copied).out.count("arith1:") == 3
    assert mathrag("concepts", "cooking", "--library", copied).code == 1


def test_outcomes_in_words() -> None:
    assert sample_words(SampleCheck("holds", 1)) == "holds at 1 point"
    assert sample_words(SampleCheck("holds", 12, "reals")) == "holds at 12 points (reals)"
    assert sample_words(SampleCheck("fails", 1, counterexample=(("a", "2"), ("b", "3")))) == "fails at a = 2, b = 3"
    assert sample_words(SampleCheck("undecided", reason="it is long")) == "not checked, because it is long"
    assert sample_words(None).startswith("not checked, because")


@pytest.mark.slow
def test_concepts_are_found_by_words_and_names(copied: Path, dictionaries: Path) -> None:
    mathrag("ingest", dictionaries, "--library", copied)
    with Library(copied) as library:
        hits = library.search("raise to an exponent", kinds=("concept",))
        assert hits[0].label == "arith1:power"
        assert "Raises" in hits[0].text
        # Each name once, and nothing of dictionaries about dictionaries.
        assert sorted(hit.label for hit in hits) == ["arith1:power", "arith1:times"]
        assert library.search("times")[0].label == "arith1:times"
        assert library.search("arith1:times")[0].label == "arith1:times"
    ran = mathrag("search", "exponent", "--kind", "concept", "--library", copied, "--json")
    assert json.loads(ran.out.splitlines()[0])["kind"] == "concept"


@pytest.mark.slow
def test_formulas_lead_to_the_concepts_they_use(copied: Path, dictionaries: Path) -> None:
    with Library(copied) as library:
        kinetic = library.formula("Kinetic energy").id
        assert library.concepts_of(kinetic) == ()
    mathrag("ingest", dictionaries, "--library", copied)
    with Library(copied) as library:
        assert [one.concept.name for one in library.concepts_of(kinetic)] == ["arith1:power", "arith1:times"]
        query = "SELECT ?label { ?one mathrag:usesConcept [ rdfs:label 'arith1:power' ] ; rdfs:label ?label }"
        assert ("Kinetic energy",) in {tuple(map(str, row)) for row in library.sparql(query).rows}
        wrong = """SELECT ?label ?how { ?one mathrag:checkOutcome "fails" ; mathrag:ofConcept/rdfs:label ?label ;
            mathrag:counterexample ?how }"""
        ((label, how),) = library.sparql(wrong).rows
        assert (str(label), str(how)[:4]) == ("arith1:power", "x = ")
        rows = library.sql("SELECT concept FROM formula_concepts WHERE formula = (SELECT id FROM formulas WHERE "
                           "label = 'Kinetic energy') ORDER BY position").rows  # fmt: skip
        assert [row[0] for row in rows] == ["arith1:power", "arith1:divide", "arith1:times"]
        library.database.connection.execute("DELETE FROM formula_concepts")
        assert any("formula_concepts" in problem for problem in library.check())
        library.rebuild()
        assert library.check() == []


@pytest.mark.slow
def test_a_concept_changed_behind_the_library_is_told_and_not_shown(copied: Path, dictionaries: Path) -> None:
    mathrag("ingest", dictionaries, "--library", copied)
    with Library(copied) as library:
        connection = library.database.connection
        connection.execute("UPDATE concepts SET description = 'Divides by zero.' WHERE symbol = 'times'")
        connection.execute("UPDATE concept_properties SET outcome = 'holds' WHERE outcome = 'fails'")
        problems = library.check()
        assert any("the concept 'arith1:times' of dictionaries/arith1.ocd was changed" in one for one in problems)
        assert any("the property" in one for one in problems)
        assert library.find_concepts("times") == ()
        assert [one.check and one.check.outcome for one in library.find_concepts("power")[0].concept.properties] == [
            None, "holds", "undecided",
        ]  # fmt: skip
        mathrag("ingest", dictionaries, "--library", copied)
        assert library.check() == []


@pytest.mark.slow
def test_concepts_go_to_another_library_by_turtle(copied: Path, dictionaries: Path, tmp_path: Path) -> None:
    mathrag("ingest", dictionaries, "--library", copied)
    with Library(copied) as library:
        library.export("turtle", tmp_path / "all.ttl")
        concepts = library.concepts()
    other = tmp_path / "other"
    assert mathrag("import", tmp_path / "all.ttl", "--library", other).code == 0
    assert turtle(other) == turtle(copied)
    with Library(other) as library:
        assert library.check() == []
        assert library.concepts() == concepts


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        ('\\"outcome\\":\\"fails\\"', '\\"outcome\\":\\"proved\\"', "none that a check has"),
        ('\\"kind\\":\\"stated\\"', '\\"kind\\":\\"sung\\"', "none that a property has"),
        ('\\"counterexample\\":\\"[]\\"', '\\"counterexample\\":\\"{\\"', "counterexample cannot be read"),
        ('\\"concept\\":\\"d-', '\\"concept\\":\\"x-', "none of its document"),
        ('\\"name\\":\\"arith1:times\\"', '\\"name\\":\\"arith1:plus\\"', "not that of its dictionary"),
    ],
)
def test_a_false_concept_in_turtle_is_refused(
    dictionaries: Path, tmp_path: Path, before: str, after: str, sentence: str
) -> None:
    folder = tmp_path / "library"
    mathrag("ingest", dictionaries / "arith1.ocd", "--library", folder)
    with Library(folder) as library:
        text = b"".join(library.exported("turtle")).decode()
    text = re.sub(r' ;\n    mathrag:(?:digest|seal) "[^"]*"', "", text)
    text = re.sub(r'\n<[^>]*>\n    mathrag:seal "[^"]*" \.\n', "\n", text)
    assert before in text
    path = tmp_path / "false.ttl"
    path.write_text(text.replace(before, after), encoding="utf-8")
    ran = mathrag("import", path, "--library", tmp_path / "other")
    assert ran.code == 1
    assert sentence in ran.err


def test_a_library_from_before_concepts_is_upgraded(copied: Path, dictionaries: Path) -> None:
    before = dump(copied)
    with sqlite3.connect(copied / FILE_NAME, isolation_level=None) as old:
        for table in (*TABLES, "concept_words"):
            old.execute(f"DROP TABLE {table}")
        take_back_texts(old)
        old.execute("PRAGMA user_version = 9")
    old.close()
    with Library(copied) as library:
        assert schema_version(library.database.connection) == CURRENT_VERSION
        assert library.check() == []
    assert dump(copied) == before


def test_a_dictionary_that_is_broken_costs_only_itself(copied: Path, dictionaries: Path) -> None:
    (dictionaries / "bad.ocd").write_text("<!DOCTYPE CD [<!ENTITY a 'b'>]><CD><CDName>&a;</CDName></CD>", "utf-8")
    ran = mathrag("ingest", dictionaries, "--library", copied)
    assert ran.code == 1
    assert "bad.ocd" in ran.err
    assert "declares entities of its own" in ran.err
    with Library(copied) as library:
        assert len(library.concepts()) == 4


@pytest.mark.soak
def test_the_dictionaries_that_come_along_are_read(tmp_path: Path) -> None:
    ran = mathrag("ingest", "--openmath", "--library", tmp_path / "library")
    assert ran.code == 0, ran.err
    with Library(tmp_path / "library") as library:
        counts = library.concept_counts()
        assert (counts["dictionary_files"], counts["dictionaries"]) == (90, 88)
        assert counts["definitions"] > 600
        assert counts["holding"] > 150
        names = {one.concept.name for one in library.concepts()}
        assert set(linked_concepts()) <= names
        assert "checked numerically" in mathrag("show", "arith1:gcd", "--library", tmp_path / "library").out
        assert library.search("greatest common divisor", kinds=("concept",))[0].label.endswith(":gcd")


def test_every_dictionary_that_comes_along_grants_that(tmp_path: Path) -> None:
    folder = Library.openmath_folder()
    files = sorted(folder.iterdir())
    assert len(files) == 90
    for file in files:
        words = " ".join(file.read_text("utf-8").split())
        assert "permission to redistribute this document freely as a verbatim copy" in words, file.name
    assert sum(file.stat().st_size for file in files) < 1024 * 1024
    assert "OpenMath" in (folder.parent / "OPENMATH-LICENCE").read_text("utf-8")
