"""The texts of pages, sections and passages in the store, also in libraries from before they were kept."""

from __future__ import annotations

import json
import re
import sqlite3
from pathlib import Path

import pytest
from store_makers import MERGER, make_record

from mathrag.documents.views import make_views
from mathrag.documents.views.paper_columns import PAPER_COLUMNS
from mathrag.store.truth.consistency import check_consistency
from mathrag.store.truth.database import open_database
from mathrag.store.truth.document_rows import rows_of_views
from mathrag.store.truth.records import DocumentRecord
from mathrag.store.truth.schema import FILE_NAME, VERSION_11, table_columns
from mathrag.store.truth.seals import seal_all
from mathrag.store.truth.writer import replace_document
from mathrag.types.document import Document, Heading, Page, Paragraph, Place, Text
from taken_back import take_back_cells

PROJECT = Path(__file__).parents[2]
PUBLISHED = PROJECT.parent / "shared" / "data" / "neusym" / "ai_research_schema.json"
TEXTS = ("sections", "passages", "pages", "documents", "digests")


def _blocks(*, has_pages: bool) -> tuple[Heading | Paragraph, ...]:
    blocks: list[Heading | Paragraph] = []
    for number in range(1, 4):
        place = Place(line=number, page=number if has_pages else None)
        title = f"{number} Of tides"
        blocks.append(Heading(place, title, 1, (Text(title),)))
        words = " ".join(f"Water{each} rises." for each in range(400))
        blocks.append(Paragraph(place, words, (Text(words),)))
    return tuple(blocks)


def _record(*, has_pages: bool) -> DocumentRecord:
    pages = tuple(Page(number, 600.0, 800.0) for number in range(1, 4)) if has_pages else ()
    document = Document("tides", "text/plain", "0" * 64, _blocks(has_pages=has_pages), pages=pages)
    record = make_record("tides.txt")
    return DocumentRecord(record.info, record.extraction, rows_of_views(record.info.id, make_views(document)))


def _made_old(folder: Path) -> None:
    connection = sqlite3.connect(folder / FILE_NAME, isolation_level=None)
    take_back_cells(connection)
    connection.execute("DROP TABLE passages")
    for statement in VERSION_11:
        found = re.match(r"ALTER TABLE (\w+) ADD COLUMN (\w+)", statement)
        if found:
            connection.execute(f"ALTER TABLE {found[1]} DROP COLUMN {found[2]}")
    connection.execute("PRAGMA user_version = 10")
    seal_all(connection, origin="read")
    connection.close()


def _rows(folder: Path) -> dict[str, list[tuple[object, ...]]]:
    with open_database(folder) as database, database.reading() as connection:
        return {table: sorted(connection.execute(f"SELECT * FROM {table}").fetchall(), key=repr) for table in TEXTS}


def test_texts_are_stored_with_pages_and_passages(tmp_path: Path) -> None:
    with open_database(tmp_path) as database:
        replace_document(database, _record(has_pages=True), merger=MERGER)
        with database.reading() as connection:
            sections = connection.execute("SELECT title, text, page_numbers FROM sections ORDER BY position").fetchall()
            pages = [text for (text,) in connection.execute("SELECT text FROM pages ORDER BY number")]
            passages = connection.execute("SELECT page, tokens, text FROM passages ORDER BY position").fetchall()
        assert check_consistency(database, merger=MERGER) == []
    assert [json.loads(numbers) for _, _, numbers in sections] == [[1], [2], [3]]
    assert all(text.startswith(f"{title}\n\nWater0 rises.") for title, text, _ in sections)
    assert pages == [text for _, text, _ in sections]
    assert {page for page, _, _ in passages} == {1, 2, 3}
    assert max(tokens for _, tokens, _ in passages) <= 512
    for number, text in enumerate(pages, start=1):
        assert " ".join(part for page, _, part in passages if page == number).split() == text.split()


def test_an_old_library_without_pages_gets_the_texts_that_a_new_one_has(tmp_path: Path) -> None:
    with open_database(tmp_path) as database:
        replace_document(database, _record(has_pages=False), merger=MERGER)
    new = _rows(tmp_path)
    _made_old(tmp_path)
    assert _rows(tmp_path) == new


def test_an_old_library_with_pages_gets_no_guessed_text_of_them(tmp_path: Path) -> None:
    with open_database(tmp_path) as database:
        replace_document(database, _record(has_pages=True), merger=MERGER)
    new = _rows(tmp_path)
    _made_old(tmp_path)
    old = _rows(tmp_path)
    assert old["sections"] == new["sections"]
    assert old["passages"] == []
    assert {row[-1] for row in old["pages"]} == {""}
    with open_database(tmp_path) as database:
        assert check_consistency(database, merger=MERGER) == []


def test_what_was_altered_before_the_step_is_told_after_it(tmp_path: Path) -> None:
    with open_database(tmp_path) as database:
        replace_document(database, _record(has_pages=False), merger=MERGER)
    _made_old(tmp_path)
    with sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None) as connection:
        connection.execute("UPDATE sections SET title = '1 Of floods' WHERE position = 0")
    connection.close()
    with open_database(tmp_path) as database:
        altered = [problem for problem in check_consistency(database, merger=MERGER) if problem.code == "altered"]
        with database.reading() as connection:
            passages = connection.execute("SELECT count(*) FROM passages").fetchone()[0]
    assert len(altered) == 1
    assert "'1 Of floods'" in altered[0].message
    assert passages == 0


def test_every_column_of_the_published_system_is_here_or_left_out_with_a_reason() -> None:
    columns = table_columns()
    for each in PAPER_COLUMNS:
        assert each.here or each.remark
        if each.here:
            table, column = each.here.split(".")
            assert column in columns[table], each


def test_the_manual_says_where_every_published_column_stands() -> None:
    page = (PROJECT / "docs" / "documents.md").read_text(encoding="utf-8")
    lines = [
        f"| `{each.table}.{each.column}` | {f'`{each.here}`' if each.here else 'left out'} | {each.remark} |"
        for each in PAPER_COLUMNS
    ]
    assert "\n".join(lines) in page


@pytest.mark.skipif(not PUBLISHED.exists(), reason="../shared/data/neusym is not here")
def test_no_column_of_the_published_schema_is_forgotten() -> None:
    schema = json.loads(PUBLISHED.read_text(encoding="utf-8"))["database_schema"]
    named = {(each["table"]["table_name"], column["column_name"]) for each in schema for column in each["columns"]}
    assert {(each.table, each.column) for each in PAPER_COLUMNS} == named
    assert len(PAPER_COLUMNS) == len(named)
