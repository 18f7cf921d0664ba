"""Vectors: every embedder keeps the same promises; search is exact, follows changes, and knows where things stand."""

from __future__ import annotations

from pathlib import Path

import numpy
import pytest
from store_makers import MECHANICS, MERGER, WAVES

from mathrag.errors import LibraryError
from mathrag.retrieve.vector_search import VectorSearch
from mathrag.store.embedders import Embedder, load_embedder
from mathrag.store.embedders.hashing import HashingEmbedder
from mathrag.store.embedders.static import make_embedder
from mathrag.store.index.vectors import COLLECTIONS, spoken
from mathrag.store.truth import writer
from mathrag.store.truth.consistency import check_consistency
from mathrag.store.truth.database import open_database
from mathrag.store.truth.rebuild import rebuild_index


@pytest.fixture(scope="module", params=[HashingEmbedder, make_embedder], ids=["hashing", "wordllama"])
def embedder(request: pytest.FixtureRequest) -> Embedder:
    return request.param()


def test_an_embedder_keeps_its_promises(embedder: Embedder) -> None:
    texts = ["the speed of a wave", "", "🙂", "x" * 20_000, "the speed of a wave", "ideal gas law"]
    matrix = embedder.embed(texts)
    assert matrix.shape == (len(texts), embedder.dimensions)
    assert matrix.dtype == numpy.float32
    assert numpy.isfinite(matrix).all()
    lengths = numpy.linalg.norm(matrix, axis=1)
    assert all(abs(length - 1) < 1e-3 or length == 0 for length in lengths)
    assert numpy.allclose(matrix[0], matrix[4], atol=1e-6)
    assert matrix[0] @ embedder.embed(["speed of waves"])[0] > matrix[5] @ matrix[0]
    assert embedder.embed([]).shape == (0, embedder.dimensions)
    assert embedder.name


def test_the_default_embedder_comes_by_the_same_door_as_plugins() -> None:
    assert load_embedder().dimensions == 256
    with pytest.raises(LibraryError, match="no embedder"):
        load_embedder("nothing")


def test_a_formula_is_found_by_meaning(tmp_path: Path) -> None:
    embedder = make_embedder()
    with open_database(tmp_path) as database:
        for record in (MECHANICS, WAVES):
            writer.replace_document(database, record, merger=MERGER, embedder=embedder)
        search = VectorSearch(database, embedder)
        labels = dict(database.connection.execute("SELECT id, label FROM formulas"))
        hits = search.search("how fast does a ripple travel", limit=3)
        assert "Wave speed" in [labels[hit.key] for hit in hits]
        assert all(hit.page == 1 and hit.document for hit in hits)
        assert hits == sorted(hits, key=lambda hit: -hit.score)
        # Problems come from collections of solutions and concepts from dictionaries, not from a text.
        for collection in set(COLLECTIONS) - {"problems", "concepts"}:
            assert search.search("mechanics of falling bodies and densities", collection=collection)
        assert {hit.document for hit in search.search("words", collection="chunks", documents=[WAVES.info.id])} == {
            WAVES.info.id
        }
        assert search.search("") == [] or search.search("")[0].score <= 1.01


def test_search_agrees_with_comparing_everything(tmp_path: Path) -> None:
    embedder = HashingEmbedder()
    with open_database(tmp_path) as database:
        for record in (MECHANICS, WAVES):
            writer.replace_document(database, record, merger=MERGER, embedder=embedder)
        rows = database.connection.execute(
            "SELECT source_key, vector FROM vectors v JOIN cells c ON c.id = v.cell WHERE source_table = 'formulas'"
        ).fetchall()
        question = embedder.embed(["wave speed law"])[0]
        expected = sorted(
            ((float(numpy.frombuffer(vector, "<f2").astype(numpy.float32) @ question), key) for key, vector in rows),
            reverse=True,
        )
        found = VectorSearch(database, embedder).search("wave speed law", limit=50)
        assert [hit.score for hit in found] == pytest.approx([score for score, _ in expected], abs=2e-3)


def test_search_follows_changes_by_others(tmp_path: Path) -> None:
    embedder = HashingEmbedder()
    with open_database(tmp_path) as database, open_database(tmp_path) as other:
        search = VectorSearch(database, embedder)
        assert search.search("wave speed") == []
        writer.replace_document(other, WAVES, merger=MERGER, embedder=embedder)
        assert search.search("wave speed")
        writer.remove_document(other, WAVES.info.id, merger=MERGER, embedder=embedder)
        assert search.search("wave speed") == []


def test_only_changed_texts_are_embedded_again(tmp_path: Path) -> None:
    embedder = HashingEmbedder()
    with open_database(tmp_path) as database:
        writer.replace_document(database, MECHANICS, merger=MERGER, embedder=embedder)
        before = embedder.texts_embedded
        writer.replace_document(database, MECHANICS, merger=MERGER, embedder=embedder)
        assert embedder.texts_embedded == before
        # The second law is in both documents, its new label changes its text; the others of the first stay as they are.
        writer.replace_document(database, WAVES, merger=MERGER, embedder=embedder)
        assert embedder.texts_embedded - before <= 4 + 3 + 2


def test_another_embedder_is_reported_and_rebuilding_mends_it(tmp_path: Path) -> None:
    first, second = HashingEmbedder(), HashingEmbedder(dimensions=32)
    with open_database(tmp_path) as database:
        writer.replace_document(database, WAVES, merger=MERGER, embedder=first)
        assert [problem.code for problem in check_consistency(database, merger=MERGER, embedder=second)] == ["vectors"]
        assert VectorSearch(database, second).search("wave") == []
        rebuild_index(database, merger=MERGER, embedder=second)
        assert check_consistency(database, merger=MERGER, embedder=second) == []
        assert VectorSearch(database, second).search("wave speed")


def test_a_text_is_spoken_without_numbers_and_latex() -> None:
    text = spoken(["Speed of light $c = 299792458$", r"about 3.0e8 m/s, \lambda_{max} and H2O", ""])
    assert text == "Speed of light. about m/s, max and H2O"


_CELLS_OF = "cell IN (SELECT id FROM cells WHERE source_table = '{}')"
BREAKAGES = [
    ("DELETE FROM relations WHERE kind = 'uses'", "merged"),
    ("UPDATE relations SET target = 'f-gone' WHERE kind = 'uses'", "orphan"),
    ("UPDATE formulas SET record = replace(record, 'Wave', 'Brain')", "merged"),
    ("UPDATE formulas SET record = '{'", "record"),
    ("DELETE FROM formulas WHERE label = 'Wave speed'", "merged"),
    ("DELETE FROM formula_symbols", "orphan"),
    ("DELETE FROM formula_places", "orphan"),
    ("DELETE FROM formula_findings", "merged"),
    ("UPDATE constants SET record = replace(record, '9.80665', '9.9')", "merged"),
    ("DELETE FROM chunk_words", "words"),
    ("INSERT INTO formula_words (rowid, label) VALUES (999, 'nothing')", "words"),
    ("UPDATE formula_words SET label = 'other'", "words"),
    ("UPDATE meta SET value = '0' WHERE name = 'words_version'", "words"),
    (f"DELETE FROM vectors WHERE {_CELLS_OF.format('chunks')}", "vectors"),
    (f"UPDATE vectors SET text_hash = 'x' WHERE {_CELLS_OF.format('formulas')}", "vectors"),
    (f"UPDATE vectors SET cell = 1000000 + id WHERE {_CELLS_OF.format('tables')}", "cells"),
    ("UPDATE cells SET source_key = 'gone' || id WHERE source_table = 'tables'", "cells"),
    ("UPDATE cells SET text_hash = 'x' WHERE source_table = 'images'", "cells"),
    ("UPDATE cells SET page = 77 WHERE source_table = 'chunks'", "cells"),
    ("UPDATE cells SET source_table = 'failures' WHERE source_table = 'equations'", "cells"),
    ("UPDATE cells SET word_count = 1000", "cells"),
    ("DELETE FROM cells", "cells"),
    ("INSERT INTO cell_words (rowid, text) VALUES (999, 'nothing')", "words"),
    ("INSERT INTO cell_words (cell_words) VALUES ('delete-all')", "words"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("damage", "code"), BREAKAGES)
def test_the_check_sees_damage_and_a_rebuild_mends_it(tmp_path: Path, damage: str, code: str) -> None:
    embedder = HashingEmbedder()
    with open_database(tmp_path) as database:
        for record in (MECHANICS, WAVES):
            writer.replace_document(database, record, merger=MERGER, embedder=embedder)
        database.connection.execute(damage)
        problems = check_consistency(database, merger=MERGER, embedder=embedder)
        assert code in [problem.code for problem in problems]
        rebuild_index(database, merger=MERGER, embedder=embedder)
        assert check_consistency(database, merger=MERGER, embedder=embedder) == []
