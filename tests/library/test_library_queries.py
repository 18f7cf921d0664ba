"""What a library can be asked: SQL over its tables, SPARQL over its graph, cards, words. Never to change or to leak."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from library_makers import exact_rows, mathrag

from mathrag.errors import QueryError
from mathrag.library import Library
from mathrag.library.views.lists import FormulaFilter, browse_formulas
from mathrag.library.views.queries import sql_tables
from thinned import thinned

CHUNK_LIMIT = 3000


@pytest.fixture(scope="module")
def library(made: Path) -> Iterator[Library]:
    with Library(made) as opened:
        yield opened


def _rows(library: Library, query: str) -> list[dict[str, object]]:
    result = library.sql(query)
    return [dict(zip(result.columns, row, strict=True)) for row in result.rows]


def test_every_table_says_what_it_is(library: Library) -> None:
    assert [table.name for table in sql_tables(library) if not table.about] == []


def test_documents_say_what_was_read(library: Library, documents: Path) -> None:
    rows = {str(row["name"]): row for row in _rows(library, "SELECT * FROM documents")}
    mechanics = rows["documents/mechanics.md"]
    assert (mechanics["title"], mechanics["year"], mechanics["media_type"]) == (
        "Notes on mechanics",
        2024,
        "text/markdown",
    )
    assert json.loads(str(mechanics["authors"])) == ["Ada Example"]
    assert mechanics["key"] == (documents / "mechanics.md").resolve().as_posix()
    assert mechanics["bytes"] == (documents / "mechanics.md").stat().st_size
    assert len(str(mechanics["hash"])) == 64
    assert rows["documents/energy.html"]["title"] == "Energy and work"
    gases = rows["documents/gases/gases.tex"]
    assert (gases["title"], json.loads(str(gases["authors"])), json.loads(str(gases["files"]))) == (
        "Gases",
        ["Emil Example"],
        ["kinetic.tex"],
    )


def test_sections_follow_the_headings(library: Library) -> None:
    rows = _rows(
        library,
        "SELECT s.level, s.title, p.title AS parent FROM sections s JOIN documents d ON d.id = s.document "
        "LEFT JOIN sections p ON p.id = s.parent WHERE d.name LIKE '%mechanics.md' ORDER BY s.position",
    )
    titled = [(row["level"], row["title"], row["parent"]) for row in rows if row["title"]]
    assert titled == [(1, "Mechanics", None), (2, "Motion", "Mechanics"), (2, "Energy", "Mechanics")]


def test_chunks_are_short_and_whole(library: Library) -> None:
    rows = _rows(library, "SELECT text, document, section, line FROM chunks")
    assert rows
    for row in rows:
        text = str(row["text"])
        assert 0 < len(text) <= CHUNK_LIMIT
        assert text.count("$$") % 2 == 0
        assert row["section"] is not None
    assert sum(r"\frac{1}{2} m v^2" in str(row["text"]) for row in rows) >= 1


@pytest.mark.soak
def test_chunks_of_a_long_document_stay_within_the_limit(tmp_path: Path) -> None:
    paragraph = "The pressure of a gas grows with its temperature, as $p V = n R T$ says. " * 20
    (tmp_path / "long.md").write_text("# Gases\n\n" + "\n\n".join([paragraph] * 12))
    with Library(tmp_path / "library") as library:
        library.ingest([tmp_path / "long.md"])
        lengths = [row[0] for row in library.sql("SELECT length(text) FROM chunks").rows]
        assert len(lengths) > 5
        assert max(int(str(length)) for length in lengths) <= CHUNK_LIMIT


def test_tables_with_their_cells(library: Library) -> None:
    rows = _rows(library, "SELECT * FROM tables ORDER BY caption")
    assert [(row["caption"], row["row_count"], row["column_count"]) for row in rows] == [
        ("", 3, 3),
        ("Constants", 3, 4),
    ]
    assert str(rows[1]["html"]).startswith("<table")
    cells = _rows(
        library,
        "SELECT c.* FROM table_cells c JOIN tables t ON t.id = c.table_id WHERE t.caption = 'Constants' "
        "ORDER BY row_number, column_number",
    )
    assert [row["text"] for row in cells if row["is_header"]] == ["Symbol", "Name", "Value", "Unit"]
    assert [row["text"] for row in cells][4:8] == ["g", "standard gravity", "9.80665", "m/s²"]


def test_images_equations_and_bibliography(library: Library) -> None:
    images = _rows(library, "SELECT caption, alternative, source FROM images ORDER BY source")
    assert [(row["source"], row["caption"] or row["alternative"]) for row in images] == [
        ("apple.png", "A falling apple"),
        ("work.png", "Pulling a crate"),
    ]
    equations = _rows(library, "SELECT latex, is_display, notation FROM equations WHERE is_display")
    assert "F = m a" in {str(row["latex"]) for row in equations}
    assert {row["notation"] for row in equations} >= {"latex", "mathml"}
    (reference,) = _rows(library, "SELECT key, text FROM bibliography")
    assert reference["key"] == "clausius"
    assert "On the motion of heat" in str(reference["text"])


@pytest.mark.slow
def test_formulas_symbols_and_their_definitions(library: Library) -> None:
    rows = _rows(
        library,
        "SELECT s.name, s.description, s.unit, s.dimension, s.origin, s.is_target FROM formula_symbols s "
        "JOIN formulas f ON f.id = s.formula WHERE f.label = 'Kinetic energy' ORDER BY s.position",
    )
    assert [(row["name"], row["description"], row["unit"], row["is_target"]) for row in rows] == [
        ("E_k", "kinetic energy", "J", 1),
        ("m", "mass", "kg", 0),
        ("v", "speed", "m/s", 0),
    ]
    (formula,) = _rows(library, "SELECT * FROM formulas WHERE label = 'Kinetic energy'")
    assert (formula["status"], formula["target"], formula["target_unit"]) == ("executable", "E_k", "J")
    assert (formula["place_count"], formula["document_count"], formula["is_corrected"]) == (2, 2, 0)
    places = _rows(library, f"SELECT * FROM formula_places WHERE formula = '{formula['id']}'")
    assert {row["document"] for row in places} == {
        library.document("mechanics.md").id,
        library.document("energy.html").id,
    }
    definitions = _rows(library, "SELECT name, description, unit FROM definitions WHERE name = 'lambda_'")
    assert [(row["description"], row["unit"]) for row in definitions] == [("wavelength", "m")]
    (declined,) = _rows(library, "SELECT status, reason_code, reason, latex FROM formulas WHERE status <> 'executable'")
    assert (declined["status"], declined["latex"]) == ("declined", r"a = \frac{dv}{dt}")
    assert "derivative" in str(declined["reason"])


def test_constants_and_relations(library: Library) -> None:
    rows = _rows(library, "SELECT symbol, name, value, number, unit, standard FROM constants ORDER BY symbol")
    assert [(row["symbol"], row["value"], row["unit"]) for row in rows] == [
        ("c", "299792458", "m/s"),
        ("g", "9.80665", "m/s^2"),
    ]
    assert rows[1]["number"] == pytest.approx(9.80665)
    known = {row[0] for row in library.sql("SELECT id FROM formulas UNION SELECT id FROM constants").rows}
    relations = _rows(library, "SELECT kind, source, target, confidence, evidence FROM relations")
    assert relations
    for row in relations:
        assert {row["source"], row["target"]} <= known
        assert 0 < float(str(row["confidence"])) <= 1
        assert row["evidence"]


@pytest.mark.slow
def test_answers_are_tables_or_json(made: Path) -> None:
    table = mathrag("sql", "SELECT label, latex FROM formulas WHERE label LIKE 'K%'", "--library", made)
    assert table.code == 0
    assert [line.rstrip() for line in table.out.splitlines()] == [
        "label           latex",
        "Kinetic energy  E_k = \\frac{1}{2} m v^2",
    ]
    same = mathrag("sql", "SELECT id, id, 1 AS id FROM formulas LIMIT 1", "--library", made, "--json")
    assert list(same.objects[0]) == ["id", "id_2", "id_3"]
    blobs = mathrag("sql", "SELECT vector, NULL AS missing FROM vectors LIMIT 1", "--library", made, "--json")
    assert blobs.objects[0]["missing"] is None
    cut = mathrag("sql", "SELECT * FROM formulas", "--rows", "2", "--library", made, "--json")
    assert (len(cut.objects), cut.err) == (2, "only the first 2 rows; ask for more with --rows\n")


SQL_REFUSED = [
    "DELETE FROM formulas",
    "UPDATE documents SET title = 'x'",
    "INSERT INTO meta VALUES ('a', 'b')",
    "DROP TABLE formulas",
    "CREATE TABLE t (x)",
    "CREATE TEMP TABLE t (x)",
    "ATTACH DATABASE '/tmp/other' AS other",
    "PRAGMA journal_mode = DELETE",
    "PRAGMA table_info(formulas)",
    "VACUUM INTO '/tmp/copy'",
    "SELECT load_extension('x')",
    "SELECT readfile('/etc/passwd')",
    "SELECT 1; DELETE FROM formulas",
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c",
    "SELECT randomblob(1000000000)",
    "SELECT * FROM no_such_table",
    "SELEKT 1",
    "",
]


@pytest.mark.parametrize("query", thinned(SQL_REFUSED, 5, pytest.mark.soak))
def test_other_sql_is_refused_with_a_sentence(made: Path, query: str) -> None:
    before = exact_rows(made)
    ran = mathrag("sql", query, "--seconds", "0.5", "--library", made)
    assert (ran.code, ran.out) == (1, ""), ran
    assert ran.err.startswith("mathrag: ")
    assert "something went wrong" not in ran.err
    assert len(ran.err) > 25
    assert exact_rows(made) == before


def test_sparql_asks_the_graph(copied: Path) -> None:
    query = "SELECT ?label WHERE { ?f a mathrag:Formula ; rdfs:label ?label } ORDER BY ?label LIMIT 3"
    table = mathrag("sparql", query, "--library", copied)
    assert (table.code, table.err) == (0, "")
    assert [line.strip() for line in table.out.splitlines()][:3] == ["label", "Ideal gas law", "Kinetic energy"]
    ran = mathrag("sparql", query, "--library", copied, "--json")
    assert len(ran.objects) == 3
    assert all(set(row) == {"label"} for row in ran.objects)
    asked = mathrag("sparql", "ASK { ?c a mathrag:Constant }", "--library", copied)
    assert asked.out == "yes\n"
    assert mathrag("sparql", "ASK { ?c a mathrag:Unicorn }", "--library", copied, "--json").objects == [
        {"answer": False}
    ]
    # The graph follows the library.
    count = "SELECT (COUNT(?f) AS ?n) WHERE { ?f a mathrag:Formula }"
    with Library(copied) as library:
        assert library.sparql(count).rows[0][0].value == str(library.totals()["formulas"])  # type: ignore[union-attr]
        library.remove("mechanics.md")
        assert library.sparql(count).rows[0][0].value == str(library.totals()["formulas"])  # type: ignore[union-attr]
        described = library.sparql("DESCRIBE ?f WHERE { ?f rdfs:label 'Ideal gas law' }")
        assert described.kind == "construct"
        assert described.rows


SPARQL_REFUSED = [
    "INSERT DATA { <urn:a> <urn:b> <urn:c> }",
    "DELETE WHERE { ?s ?p ?o }",
    "LOAD <file:///etc/passwd>",
    "CLEAR ALL",
    "SELECT * WHERE { SERVICE <http://example.org/> { ?s ?p ?o } }",
    "SELECT * FROM <http://example.org/> WHERE { ?s ?p ?o }",
    "SELECT (COUNT(*) AS ?n) WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }",
    "SELECT ?x WHERE { ?x a unknown:Thing }",
    "SELECT",
    "",
]


@pytest.mark.parametrize("query", thinned(SPARQL_REFUSED, 4, pytest.mark.soak))
def test_other_sparql_is_refused_with_a_sentence(copied: Path, query: str) -> None:
    before = exact_rows(copied)
    ran = mathrag("sparql", query, "--seconds", "0.5", "--library", copied)
    assert (ran.code, ran.out) == (1, ""), ran
    assert ran.err.startswith("mathrag: ")
    assert "something went wrong" not in ran.err
    assert exact_rows(copied) == before


@pytest.mark.slow
def test_limits_hold_in_python_too(library: Library) -> None:
    with pytest.raises(QueryError):
        library.sql("DELETE FROM formulas")
    with pytest.raises(QueryError):
        library.sparql("DELETE WHERE { ?s ?p ?o }")
    assert library.sql("SELECT id FROM formulas", rows=3).truncated


def test_cards_show_formula_symbols_places_and_uses(made: Path) -> None:
    card = mathrag("show", "Work", "--library", made)
    assert card.code == 0
    lines = card.out.splitlines()
    assert lines[0].startswith("Work    [f-")
    assert lines[1] == "  W = F s"
    assert "    W          work [J]  (result, assumed)" in lines
    assert "    s          distance [m]" in lines
    assert any(line.startswith("  found: documents/energy.html") for line in lines)
    (data,) = mathrag("show", "Work", "--library", made, "--json").objects
    assert data["places"][0]["quote"]
    by_id = mathrag("show", data["id"][:8], "--library", made)
    assert by_id.out == card.out
    constant = mathrag("show", "standard gravity", "--library", made)
    assert "  g = 9.80665 m/s^2" in constant.out
    document = mathrag("show", "mechanics.md", "--library", made)
    assert document.out.startswith("Notes on mechanics    [d-")
    assert "  authors: Ada Example\n  year: 2024\n" in document.out
    listed = mathrag("show", "--library", made, "--json")
    assert [row["name"] for row in listed.objects] == [
        "documents/energy.html", "documents/gases/gases.tex", "documents/mechanics.md", "documents/waves.md",
    ]  # fmt: skip
    missing = mathrag("show", "Nonsense", "--library", made)
    assert (missing.code, missing.out) == (1, "")
    assert "nothing called 'Nonsense'" in missing.err


@pytest.mark.parametrize(
    ("words", "label"),
    [
        ("kinetic energy", "Kinetic energy"),
        ("λ", "Wave speed"),
        ("lambda", "Wave speed"),
        ("wavelength", "Wave speed"),
        ("energy of a moving body", "Kinetic energy"),
        ("ideal gas", "Ideal gas law"),
    ],
)
def test_search_finds_formulas_by_words_letters_and_meaning(library: Library, words: str, label: str) -> None:
    hits = library.search(words, kinds=("formula",))
    assert hits[0].label == label
    assert hits[0].found_by


@pytest.mark.slow
def test_what_is_called_exactly_so_is_found_first(tmp_path: Path) -> None:
    names = ("Mean kinetic energy of a molecule", "Kinetic energy", "Kinetic energy of kinetic energy")
    made = [f"## {name}\n\n$$K_{at} = a_{at} b_{at}$$\n\nThe kinetic energy $K_{at}$, kinetic energy again.\n"
            for at, name in enumerate(names)]  # fmt: skip
    (tmp_path / "notes.md").write_text("# Notes\n\n" + "\n".join(made), encoding="utf-8")
    with Library(tmp_path / "library") as library:
        library.ingest([tmp_path / "notes.md"], workers=1)
        for words in ("kinetic energy", " KINETIC  energy "):
            assert [hit.label for hit in library.search(words, limit=1)] == ["Kinetic energy"]
            rows = browse_formulas(library, FormulaFilter(words)).rows
            assert [rows[0]["label"], len(rows)] == ["Kinetic energy", 3]


@pytest.mark.slow
def test_search_tells_kinds_and_places(made: Path) -> None:
    ran = mathrag("search", "speed of light", "--kind", "constant", "--library", made, "--json")
    assert ran.code == 0
    assert (ran.objects[0]["label"], ran.objects[0]["kind"]) == ("speed of light in vacuum", "constant")
    (text,) = mathrag("search", "laws of Newton", "--kind", "text", "--limit", "1", "--library", made, "--json").objects
    assert text["place"]["document"] == "documents/mechanics.md"
    assert "Bodies move by the laws of Newton" in text["text"]
    shown = mathrag("search", "laws of Newton", "--kind", "text", "--limit", "1", "--library", made)
    assert "\n  documents/mechanics.md, line " in shown.out
    for odd in ("'\"*(", "AND OR NOT", "%_", "NEAR(", "x" * 5000):
        ran = mathrag("search", odd, "--library", made)
        assert ran.code in (0, 1), odd
        assert ran.err == ""
    assert mathrag("search", " ", "--library", made).code == 2


def test_every_text_of_the_tables_is_found_as_a_cell(made: Path) -> None:
    ran = mathrag("search", "laws of Newton", "--kind", "cell", "--table", "chunks", "--library", made, "--json")
    assert ran.code == 0
    assert (ran.objects[0]["table"], ran.objects[0]["kind"]) == ("chunks", "cell")
    assert "laws of Newton" in ran.objects[0]["text"]
    shown = mathrag("search", "laws of Newton", "--kind", "cell", "--library", made)
    assert "mechanics.md" in shown.out
    assert mathrag("search", "laws", "--kind", "cell", "--table", "nonsense", "--library", made).code != 0
    assert mathrag("search", "laws", "--table", "chunks", "--library", made).code == 2


@pytest.mark.slow
def test_rows_that_a_person_accepts_are_found_again(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("# Notes\n\nKites fly in the wind.\n", encoding="utf-8")
    with Library(tmp_path / "library") as library:
        library.ingest([tmp_path / "notes.md"], workers=1)
        with library.database.writing() as connection:
            connection.execute("UPDATE chunks SET text = 'Zebras run in the wind.'")
        assert not library.search_cells("zebras", table="chunks")
        library.accept()
        assert [each.cell.text for each in library.search_cells("zebras", table="chunks")] == [
            "Zebras run in the wind."
        ]
