"""Searching cells: by words as by comparing everything, by the vectors of several embedders, with filters."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy
import pytest
from store_makers import MECHANICS, MERGER, WAVES, dump, make_record

from mathrag.errors import LibraryError, QueryError
from mathrag.retrieve.bm25 import WordScores
from mathrag.retrieve.cells import CellSearch, encodable_columns, query_terms, search_cells
from mathrag.store.embedders import Embedder, ImageEmbedder, load_encoder, load_image_embedder
from mathrag.store.embedders.hashing import HashingEmbedder
from mathrag.store.sql.query import run_sql
from mathrag.store.truth import writer
from mathrag.store.truth.cell_columns import CELL_COLUMNS, LEFT_OUT, cell_columns
from mathrag.store.truth.cell_vectors import encode_cells, encode_pictures
from mathrag.store.truth.cells import text_hash
from mathrag.store.truth.consistency import check_consistency
from mathrag.store.truth.database import Database, open_database
from mathrag.store.truth.schema import FILE_NAME
from taken_back import take_back_cells

FIRST, SECOND = HashingEmbedder(), HashingEmbedder(dimensions=32, name="other")
PROSE = make_record(
    "prose.md",
    [("Decay", "N = N_0 e^{-k t}")],
    text="Rivers carry sand to the sea. The decay rate λ of sand is small, and sand stays sand.",
)


def load(name: str) -> Embedder:
    for each in (FIRST, SECOND):
        if each.name == name:
            return each
    raise LibraryError(f"there is no embedder {name!r}")


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with open_database(tmp_path) as opened:
        for record in (MECHANICS, WAVES, PROSE):
            writer.replace_document(opened, record, merger=MERGER, embedder=FIRST)
        yield opened


def test_every_published_column_is_searched_or_named_as_left_out() -> None:
    published = [name for each in CELL_COLUMNS for name in each.published.split(", ") if name]
    assert len(published) == len(set(published)) == 19 - len(LEFT_OUT)
    assert set(encodable_columns()) == {(each.table, each.column) for each in CELL_COLUMNS}
    assert {each.table for each in cell_columns(column="caption")} == {"tables", "images"}


def test_words_find_what_comparing_everything_finds(database: Database) -> None:
    for table, column in (("chunks", "text"), ("equations", "latex"), ("formulas", "text"), ("sections", "title")):
        rows = database.connection.execute(
            "SELECT c.source_key, t.text FROM cells c JOIN cell_texts t ON t.id = c.id "
            "WHERE source_table = ? AND source_column = ? ORDER BY source_key",
            (table, column),
        ).fetchall()
        for query in ("sand and second law", "F = ma", "mechanics words", "sections frequency"):
            scores = WordScores([_all_terms(text) for _, text in rows]).scores(query_terms(query))
            expected = {key: score for (key, _), score in zip(rows, scores, strict=True) if score > 0}
            found = search_cells(database, query, table=table, column=column, limit=50)
            assert {hit.cell.key for hit in found} == set(expected)
            for hit in found:
                # Lengths are counted a little otherwise: a word with a subscript is one or two.
                assert math.isclose(hit.score, expected[hit.cell.key], rel_tol=0.2)


def _all_terms(text: str) -> list[str]:
    return [term for word in text.split() for term in query_terms(word)]


def test_hits_say_where_they_stand(database: Database) -> None:
    (best, *_) = search_cells(database, "sand rivers", table="chunks")
    assert (best.cell.table, best.cell.column, best.cell.document) == ("chunks", "text", PROSE.info.id)
    assert best.cell.page == 1
    assert best.cell.key.startswith(PROSE.info.id)
    assert "Rivers" in best.cell.text
    assert best.collection == "bm25"
    assert search_cells(database, "", table="chunks") == search_cells(database, "zebra") == []
    assert search_cells(database, "sand", limit=0) == [] == search_cells(database, "sand", limit=-3)
    assert {hit.cell.table for hit in search_cells(database, "falling body apple", limit=50)} >= {"images"}


def test_a_greek_letter_is_found_by_its_name(database: Database) -> None:
    assert query_terms("lambda λ rates") == ("lambda", "rate", "λ")
    assert "λ" in search_cells(database, "lambda", table="chunks")[0].cell.text
    assert "λ" in search_cells(database, "λ", table="chunks")[0].cell.text


def test_filters_narrow_the_search(database: Database) -> None:
    everything = search_cells(database, "words law sand", limit=100)
    documents = {hit.cell.document for hit in everything}
    assert len(documents) == 3
    filters: dict[str, Callable[[object], bool]] = {
        f"pdf_id == '{WAVES.info.id}'": lambda cell: cell.document == WAVES.info.id,  # type: ignore[attr-defined]
        f"pdf_id in ['{WAVES.info.id}', 'x'] and page == 1": lambda cell: (  # type: ignore[misc]
            cell.document == WAVES.info.id and cell.page == 1  # type: ignore[attr-defined]
        ),
        "not (table_name == 'chunks')": lambda cell: cell.table != "chunks",  # type: ignore[attr-defined]
        "'sand' in text or column_name == 'latex'": lambda cell: "sand" in cell.text or cell.column == "latex",  # type: ignore[attr-defined]
        "page > 1": lambda cell: cell.page is not None and cell.page > 1,  # type: ignore[attr-defined]
        'primary_key == "\'; DROP TABLE cells; --"': lambda _: False,
    }
    for source, judge in filters.items():
        expected = [hit for hit in everything if judge(hit.cell)]
        assert search_cells(database, "words law sand", filter=source, limit=100) == expected
        assert search_cells(database, "words law sand", filter=source, limit=1) == expected[:1]
    with pytest.raises(QueryError, match="no field"):
        search_cells(database, "sand", filter="size == 3")


def test_unknown_names_are_told_with_those_there_are(database: Database) -> None:
    with pytest.raises(QueryError, match="tables with cells: documents, pages"):
        search_cells(database, "sand", table="metadata")
    with pytest.raises(QueryError, match="the table tables has: caption, content, box"):
        search_cells(database, "sand", table="tables", column="text")
    with pytest.raises(QueryError, match="there is no collection"):
        search_cells(database, "sand", collection="clip")
    with pytest.raises(QueryError, match=f"the library has the collections: bm25, {FIRST.name}"):
        search_cells(database, "sand", collection="clip", load=load)


def test_several_embedders_stand_side_by_side(database: Database) -> None:
    before = CellSearch(database, load).collections()
    columns = [each for each in CELL_COLUMNS if each.has_vectors or (each.table, each.column) == ("equations", "latex")]
    made = encode_cells(database, SECOND, columns)
    assert made > before[FIRST.name]
    search = CellSearch(database, load)
    assert search.collections() == {**before, SECOND.name: made}
    for embedder in (FIRST, SECOND):
        hits = search.search("wave speed", collection=embedder.name, table="formulas", limit=3)
        assert hits[0].cell.text.startswith("Wave speed")
        assert hits[0].collection == embedder.name
    assert search.search("F = ma", collection=SECOND.name, table="equations")
    assert not search.search("F = ma", collection=FIRST.name, table="equations")
    one = search.search("wave", collection=SECOND.name, filter=f"document == '{WAVES.info.id}'", limit=50)
    assert one
    assert {hit.cell.document for hit in one} == {WAVES.info.id}
    assert encode_cells(database, SECOND, columns) == 0
    assert check_consistency(database, merger=MERGER, embedder=FIRST) == []
    # A document that goes takes the vectors of all embedders along.
    writer.remove_document(database, WAVES.info.id, merger=MERGER, embedder=FIRST)
    assert check_consistency(database, merger=MERGER, embedder=FIRST) == []
    assert WAVES.info.id not in {hit.cell.document for hit in search.search("wave", collection=SECOND.name, limit=50)}


def test_a_vector_of_another_embedder_for_another_text_is_reported(database: Database) -> None:
    encode_cells(database, SECOND, cell_columns("chunks"))
    database.connection.execute("UPDATE vectors SET text_hash = 'x' WHERE embedder = ?", (SECOND.name,))
    problems = check_consistency(database, merger=MERGER, embedder=FIRST)
    assert problems
    assert {problem.code for problem in problems} == {"vectors"}
    encode_cells(database, SECOND, cell_columns("chunks"))
    assert check_consistency(database, merger=MERGER, embedder=FIRST) == []


def test_a_text_that_was_changed_is_not_found(database: Database) -> None:
    database.connection.execute("UPDATE chunks SET text = replace(text, 'Rivers', 'Robots')")
    assert not search_cells(database, "rivers robots", table="chunks")
    # Not even where whoever changed it kept the cell.
    database.connection.execute("DROP TRIGGER equations_change_cells")
    assert search_cells(database, "F=ma", table="equations")
    database.connection.execute("UPDATE equations SET latex = 'F=ma+1'")
    assert not search_cells(database, "F=ma", table="equations")


class PictureEmbedder(HashingEmbedder):
    """Pictures by the words that they are, for want of eyes."""

    def embed_images(self, images: Sequence[bytes]) -> numpy.ndarray[tuple[int, int], numpy.dtype[numpy.float32]]:
        return self.embed([image.decode() for image in images])


def test_pictures_are_found_by_what_they_show(database: Database) -> None:
    eyes: ImageEmbedder = PictureEmbedder(name="eyes")
    with database.writing() as connection:
        connection.execute("UPDATE images SET box = '[10.0, 20.0, 110.0, 220.0]'")
        connection.execute(
            "INSERT INTO cells (source_table, source_column, source_key, document, page, text_hash, word_count) "
            "SELECT 'images', 'box', id, document, 1, ?, 0 FROM images WHERE document = ?",
            (text_hash("[10.0, 20.0, 110.0, 220.0]"), MECHANICS.info.id),
        )
    asked: list[tuple[str, int, tuple[float, float, float, float]]] = []

    def draw(document: str, page: int, box: tuple[float, float, float, float]) -> bytes:
        asked.append((document, page, box))
        return b"an apple that falls"

    columns = cell_columns("images")
    assert encode_pictures(database, eyes, columns, draw) == 1
    assert asked == [(MECHANICS.info.id, 1, (10.0, 20.0, 110.0, 220.0))]
    assert encode_pictures(database, eyes, columns, draw) == 0
    (hit,) = search_cells(database, "apple", collection=eyes.name, load=lambda _: eyes)
    assert (hit.cell.table, hit.cell.column, hit.cell.text) == ("images", "box", "[10.0, 20.0, 110.0, 220.0]")


def test_without_an_encoder_of_pictures_it_is_said_what_to_do() -> None:
    with pytest.raises(LibraryError, match=r"no encoder of pictures is installed.*mathrag\.image_embedders"):
        load_image_embedder()
    with pytest.raises(LibraryError, match="no embedder 'clip'"):
        load_encoder("clip")
    assert load_encoder(load_encoder("wordllama").name).dimensions == 256


def test_a_library_that_may_only_be_read_can_be_searched(tmp_path: Path, database: Database) -> None:
    with open_database(database.folder, read_only=True) as reading:
        assert search_cells(reading, "sand", table="chunks") == search_cells(database, "sand", table="chunks")


def test_a_library_from_before_cells_keeps_its_vectors(tmp_path: Path) -> None:
    embedder = HashingEmbedder()
    with open_database(tmp_path) as made:
        for record in (MECHANICS, WAVES):
            writer.replace_document(made, record, merger=MERGER, embedder=embedder)
        before = dump(made)
    old = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)
    take_back_cells(old)
    old.execute("PRAGMA user_version = 11")
    old.close()
    with open_database(tmp_path) as upgraded:
        texts = embedder.texts_embedded
        assert dump(upgraded) == before
        assert embedder.texts_embedded == texts
        assert check_consistency(upgraded, merger=MERGER, embedder=embedder) == []
        assert search_cells(upgraded, "second law", table="formulas")


def test_what_was_changed_before_the_upgrade_gets_no_cells(tmp_path: Path) -> None:
    with open_database(tmp_path) as made:
        writer.replace_document(made, PROSE, merger=MERGER)
    old = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)
    take_back_cells(old)
    old.execute("UPDATE chunks SET text = replace(text, 'Rivers', 'Robots')")
    old.execute("PRAGMA user_version = 11")
    old.close()
    with open_database(tmp_path) as upgraded:
        assert not search_cells(upgraded, "robots rivers", table="chunks")
        assert [problem.code for problem in check_consistency(upgraded, merger=MERGER)] == ["altered"]


def test_whatever_removes_a_row_takes_cells_words_and_vectors_along(database: Database) -> None:
    connection = database.connection
    for table in ("images", "tables", "sections", "equations", "chunks", "formulas"):
        assert connection.execute(f"SELECT count(*) FROM cells WHERE source_table = '{table}'").fetchone() != (0,)
        connection.execute(f"DELETE FROM {table}")
        assert connection.execute(f"SELECT count(*) FROM cells WHERE source_table = '{table}'").fetchone() == (0,)
    connection.execute("DELETE FROM documents")
    connection.execute("DELETE FROM constants")
    for table in ("cells", "vectors", "cell_words_docsize"):
        assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)


def test_everyone_may_read_cells_with_sql(database: Database) -> None:
    rows = run_sql(
        database.folder,
        "SELECT c.source_table, t.text FROM cell_words w JOIN cells c ON c.id = w.rowid "
        "JOIN cell_texts t ON t.id = c.id WHERE cell_words MATCH 'rivers' AND c.source_table = 'chunks'",
    ).rows
    assert [table for table, _ in rows] == ["chunks"]
