"""What models said, in the store: older libraries get the tables, rows come back as they went in, none is orphaned."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

from store_makers import MECHANICS, MERGER, WAVES, dump

from mathrag.retrieve.word_search import search_summaries
from mathrag.store.truth.consistency import check_consistency
from mathrag.store.truth.database import open_database
from mathrag.store.truth.model_records import (
    LEFT,
    FailedPiece,
    ModelReading,
    RejectedProposal,
    Summary,
    Verdict,
    count_rejected,
    list_readings,
    list_verdicts,
    reading_of,
    rejected_proposals,
    rule_extraction,
    stored_extraction,
    summaries_of_document,
    write_verdicts,
)
from mathrag.store.truth.schema import FILE_NAME, MIGRATIONS, MODEL_TABLES, READABLE, TRUTH, migrate, schema_version
from mathrag.store.truth.writer import remove_document, replace_document, replace_extraction
from mathrag.types.document import Place

DOCUMENT = MECHANICS.info.id
READING = ModelReading(
    DOCUMENT, "small", "1.1", "2026-01-02T03:04:05+00:00", 3, 1, 2, 1,
    (FailedPiece(f"{DOCUMENT}/chunk/1", "too_long", "it is too long"), FailedPiece(f"{DOCUMENT}/chunk/2", LEFT, "")),
    4, 500, 60, 0.25, ("summaries",),
)  # fmt: skip
REJECTED = RejectedProposal(
    DOCUMENT, f"{DOCUMENT}/chunk/0", "formula", "quote_not_found", "it is not there", "F = 2 m \ud800",
    '{"latex": "x"}', "small", Place(3, 4, 2, (1.0, 2.0, 3.0, 4.5), "path", "file.md"),
)  # fmt: skip
SUMMARY = Summary(DOCUMENT, "section", f"{DOCUMENT}/section/0", "About forces and what they do to a mass.", "small")


def test_a_library_of_the_second_version_gets_the_tables(tmp_path: Path) -> None:
    old = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)
    assert migrate(old, MIGRATIONS[:2]) == 2
    assert schema_version(old) == 2
    tables = {row[0] for row in old.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert not tables & {*MODEL_TABLES, "verdicts", "rule_extractions"}
    old.close()
    with open_database(tmp_path) as database, open_database(tmp_path / "new") as fresh:
        assert schema_version(database.connection) == len(MIGRATIONS)
        for one in (database, fresh):
            replace_document(one, MECHANICS, merger=MERGER)
        assert dump(database) == dump(fresh)
        assert reading_of(database, DOCUMENT) is None
        assert check_consistency(database, merger=MERGER) == []


def test_users_may_query_what_models_said() -> None:
    assert {*MODEL_TABLES, "verdicts", "rule_extractions"} <= set(TRUTH) <= READABLE


def test_everything_comes_back_as_it_went_in(tmp_path: Path) -> None:
    with open_database(tmp_path) as database:
        for record in (MECHANICS, WAVES):
            replace_document(database, record, merger=MERGER)
        rules = stored_extraction(database, DOCUMENT)
        assert rules.findings == MECHANICS.extraction.findings
        changed = replace(
            rules, findings=tuple(replace(one, label=f"{one.label} (said)") for one in rules.findings), relations=()
        )
        assert replace_extraction(
            database, changed, info=MECHANICS.info, reading=READING, rules=rules, rejected=[REJECTED, REJECTED],
            summaries=[SUMMARY], merger=MERGER,
        )  # fmt: skip
        assert stored_extraction(database, DOCUMENT) == changed
        assert rule_extraction(database, DOCUMENT) == rules
        assert reading_of(database, DOCUMENT) == READING
        assert list_readings(database) == [READING]
        assert not READING.is_complete
        kept = replace(REJECTED, quote="F = 2 m ?")
        assert rejected_proposals(database) == [kept, kept]
        assert rejected_proposals(database, document=WAVES.info.id) == []
        assert rejected_proposals(database, source=REJECTED.source) == [kept, kept]
        assert count_rejected(database) == {"quote_not_found": 2}
        assert summaries_of_document(database, DOCUMENT) == [SUMMARY]
        assert [one for one, _ in search_summaries(database, "forces", limit=5)] == [SUMMARY]
        assert search_summaries(database, "???", limit=5) == []
        assert check_consistency(database, merger=MERGER) == []
        # The same document read by the rules again: nothing of the model's is left.
        replace_document(database, MECHANICS, merger=MERGER, force=True)
        assert (list_readings(database), rejected_proposals(database), rule_extraction(database, DOCUMENT)) == (
            [],
            [],
            None,
        )
        assert summaries_of_document(database) == []
        assert stored_extraction(database, DOCUMENT) == rules


def test_nothing_is_stored_for_a_document_that_was_replaced(tmp_path: Path) -> None:
    with open_database(tmp_path) as database:
        replace_document(database, MECHANICS, merger=MERGER)
        rules = stored_extraction(database, DOCUMENT)
        before = dump(database)
        other = replace(MECHANICS.info, hash="f" * 64)
        kept = replace_extraction(
            database, replace(rules, findings=()), info=other, reading=READING, rules=rules, merger=MERGER
        )
        assert (kept, dump(database)) == (False, before)
        remove_document(database, DOCUMENT, merger=MERGER)
        assert not replace_extraction(database, rules, info=MECHANICS.info, reading=READING, rules=rules, merger=MERGER)


def test_verdicts_are_about_formulas_that_are_there(tmp_path: Path) -> None:
    with open_database(tmp_path) as database:
        for record in (MECHANICS, WAVES):
            replace_document(database, record, merger=MERGER)
        ids = sorted(row[0] for row in database.connection.execute("SELECT id FROM formulas"))
        verdict = Verdict(ids[0], ids[1], "same", "renaming: a -> b", 0.9, "small", "2026-01-02")
        wrong = [replace(verdict, second="f-none"), replace(verdict, first=ids[1], second=ids[0])]
        assert write_verdicts(database, [verdict, *wrong]) == 1
        assert write_verdicts(database, [replace(verdict, verdict="different")]) == 1
        assert list_verdicts(database) == [replace(verdict, verdict="different")]
        assert list_verdicts(database, formula=ids[1]) == list_verdicts(database)
        assert list_verdicts(database, formula="f-none") == []
        for record in (MECHANICS, WAVES):
            remove_document(database, record.info.id, merger=MERGER)
        assert list_verdicts(database) == []
        assert check_consistency(database, merger=MERGER) == []


def test_damaged_columns_are_not_believed(tmp_path: Path) -> None:
    """A library may come from somebody's file, and its JSON columns hold anything."""
    with open_database(tmp_path) as database:
        replace_document(database, MECHANICS, merger=MERGER)
        rules = stored_extraction(database, DOCUMENT)
        replace_extraction(database, rules, info=MECHANICS.info, reading=READING, rules=rules, merger=MERGER)
        for text in ("{}", "[", '[1, [2], ["a", "b", 3]]', "[" * 2_000):
            with database.writing() as connection:
                connection.execute("UPDATE model_readings SET failures = ?, extras = ?", (text, text))
            assert reading_of(database, DOCUMENT) == replace(READING, failures=(), extras=())
