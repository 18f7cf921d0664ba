"""Documents go in, change and go; what is derived follows, whatever the order."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from pathlib import Path

import pytest
from store_makers import MECHANICS, MERGER, WAVES, dump, make_record

from mathrag.errors import LibraryError
from mathrag.store.embedders.hashing import HashingEmbedder
from mathrag.store.truth import reader, writer
from mathrag.store.truth.consistency import check_consistency
from mathrag.store.truth.database import open_database
from mathrag.store.truth.rebuild import rebuild_index
from mathrag.store.truth.records import DocumentRecord, FailedDocument, ViewRows, document_id
from mathrag.types.library import Correction
from thinned import thinned

EMBEDDER = HashingEmbedder()


def put(database, record: DocumentRecord) -> bool:
    return writer.replace_document(database, record, merger=MERGER, embedder=EMBEDDER)


def test_a_document_becomes_formulas_constants_and_relations(tmp_path: Path) -> None:
    with open_database(tmp_path) as database:
        assert put(database, MECHANICS)
        labels = {formula.label for formula in reader.iterate_formulas(database)}
        assert labels == {"Newton's second law", "Momentum", "Impulse", ""}
        assert [constant.symbol for constant in reader.iterate_constants(database)].count("g") == 1
        (impulse,) = reader.find_formulas(database, "impulse")
        (law,) = reader.find_formulas(database, "Newton's second law")
        kinds = {(each.kind, each.target) for each in reader.relations_of_entry(database, impulse.id, direction="from")}
        assert {("uses", law.id), ("derived_from", law.id)} <= kinds
        assert any(kind == "uses_constant" for kind, _ in kinds)
        assert check_consistency(database, merger=MERGER, embedder=EMBEDDER) == []


def test_documents_share_formulas_and_keep_every_place(tmp_path: Path) -> None:
    with open_database(tmp_path) as database:
        put(database, MECHANICS)
        put(database, WAVES)
        (law,) = reader.find_formulas(database, "Newton's second law")
        assert {span.document for span in law.spans} == {MECHANICS.info.id, WAVES.info.id}
        assert set(law.labels) == {"Newton's second law", "Second law"}
        counts = reader.count_documents(database)[MECHANICS.info.id]
        assert (counts.formulas, counts.executable, counts.declined, counts.constants) == (4, 3, 1, 2)
        assert (counts.chunks, counts.tables, counts.references, counts.pages) == (1, 1, 1, 1)


def test_the_same_bytes_change_nothing(tmp_path: Path) -> None:
    with open_database(tmp_path) as database:
        put(database, MECHANICS)
        generation, before = database.generation, dump(database)
        assert not put(database, MECHANICS)
        assert (database.generation, dump(database)) == (generation, before)


def test_another_software_version_reads_anew(tmp_path: Path) -> None:
    with open_database(tmp_path) as database:
        put(database, MECHANICS)
        generation = database.generation
        assert put(database, replace(MECHANICS, info=replace(MECHANICS.info, software="2")))
        assert database.generation == generation + 1


def test_a_changed_document_replaces_what_it_had(tmp_path: Path) -> None:
    changed = make_record("mechanics.md", [("Weight", "W = m g")], constants=[("g", "9.82")])
    with open_database(tmp_path / "one") as database, open_database(tmp_path / "other") as fresh:
        put(database, MECHANICS)
        put(database, WAVES)
        put(database, changed)
        put(fresh, WAVES)
        put(fresh, changed)
        assert dump(database) == dump(fresh)
        assert check_consistency(database, merger=MERGER, embedder=EMBEDDER) == []


def test_removing_takes_only_what_nobody_else_supports(tmp_path: Path) -> None:
    with open_database(tmp_path / "one") as database, open_database(tmp_path / "other") as fresh:
        put(database, MECHANICS)
        put(database, WAVES)
        assert writer.remove_document(database, MECHANICS.info.id, merger=MERGER, embedder=EMBEDDER)
        assert not writer.remove_document(database, MECHANICS.info.id, merger=MERGER, embedder=EMBEDDER)
        put(fresh, WAVES)
        assert dump(database) == dump(fresh)
        writer.remove_document(database, WAVES.info.id, merger=MERGER)
        assert not any(reader.count_entries(database).values())
        assert all(not rows for rows in dump(database).values())


POOL = [
    ("Newton", "F = m a"), ("Momentum", "p = m v"), ("Speed", "v = s / t"), ("Energy", "E = m v^2 / 2"),
    ("Gas", "P V = n R T"), ("Work", "W = F s"), ("Gas again", "P V = n k T"), ("Power", "P = W / t"),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("seed", thinned(range(8), 2, pytest.mark.soak))
def test_the_order_of_arrival_does_not_matter(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    records = [
        make_record(
            f"{number}.md",
            chance.sample(POOL, 4),
            constants=[(symbol, str(chance.randint(1, 3))) for symbol in chance.sample("RTkms", 2)],
            relations=[tuple(chance.sample(range(4), 2)) for _ in range(2)],
        )
        for number in range(4)
    ]
    dumps = []
    for number, order in enumerate([records, chance.sample(records, 4)]):
        with open_database(tmp_path / str(number)) as database:
            for record in order:
                put(database, record)
            if number:
                # A detour: other content under a key that is then put right, and a document that goes again.
                put(database, make_record("0.md", chance.sample(POOL, 3), relations=[(0, 1)]))
                put(
                    database,
                    make_record("extra.md", chance.sample(POOL, 5), constants=[("R", "8")], relations=[(3, 4)]),
                )
                put(database, next(record for record in records if record.info.key == "0.md"))
                writer.remove_document(database, document_id("extra.md"), merger=MERGER, embedder=EMBEDDER)
            dumps.append(dump(database))
            assert check_consistency(database, merger=MERGER, embedder=EMBEDDER) == []
            rebuild_index(database, merger=MERGER, embedder=EMBEDDER)
            dumps.append(dump(database))
    for first, second in itertools.pairwise(dumps):
        assert first == second


def correction_of(database, label: str, value: str) -> Correction:
    (formula,) = reader.find_formulas(database, label)
    return Correction(formula.id, formula.form, "label", value, "Ada", "2026-01-02T00:00:00+00:00")


def test_corrections_survive_reading_anew_and_can_be_taken_back(tmp_path: Path) -> None:
    with open_database(tmp_path) as database:
        put(database, MECHANICS)
        before = dump(database)
        number = writer.add_correction(
            database, correction_of(database, "Momentum", "Linear momentum"), merger=MERGER, embedder=EMBEDDER
        )
        put(database, replace(MECHANICS, info=replace(MECHANICS.info, software="2")))
        (formula,) = reader.find_formulas(database, "Linear momentum")
        assert formula.corrections[0].author == "Ada"
        assert [each for each, _ in reader.list_corrections(database, formula=formula.id)] == [number]
        writer.remove_document(database, MECHANICS.info.id, merger=MERGER, embedder=EMBEDDER)
        put(database, MECHANICS)
        assert reader.find_formulas(database, "Linear momentum")
        writer.remove_correction(database, number, merger=MERGER, embedder=EMBEDDER)
        assert dump(database) == before
        with pytest.raises(LibraryError, match="no correction"):
            writer.remove_correction(database, number, merger=MERGER)


def test_failures_are_kept_counted_and_cleared(tmp_path: Path) -> None:
    failure = FailedDocument("bad.md", "bad.md", "0" * 64, "encoding", "not UTF-8", "2026-01-01")
    with open_database(tmp_path) as database:
        writer.record_failure(database, failure)
        writer.record_failure(database, failure)
        assert reader.list_failures(database) == [replace(failure, attempts=2)]
        assert writer.clear_failure(database, "bad.md")
        assert not writer.clear_failure(database, "bad.md")
        writer.record_failure(database, replace(failure, key="mechanics.md"))
        put(database, MECHANICS)
        assert reader.list_failures(database) == []


def test_text_that_cannot_be_stored_is_stored_all_the_same(tmp_path: Path) -> None:
    record = make_record(
        "odd\ud800.md", [("half \ud83d pair", "x = \ud800 y"), ("null\x00", "F = m a")], text="a\ud800b\x00c"
    )
    with open_database(tmp_path) as database:
        put(database, record)
        assert any("\ud83d" in formula.label for formula in reader.iterate_formulas(database))
        assert check_consistency(database, merger=MERGER, embedder=EMBEDDER) == []
        assert not put(database, record)


def test_an_error_while_writing_leaves_the_library_as_it_was(tmp_path: Path) -> None:
    class Broken(type(MERGER)):
        def relate(self, *_):
            raise RuntimeError("out of order")

    with open_database(tmp_path) as database:
        put(database, MECHANICS)
        before, generation = dump(database), database.generation
        with pytest.raises(RuntimeError):
            writer.replace_document(database, WAVES, merger=Broken(), embedder=EMBEDDER)
        assert (dump(database), database.generation) == (before, generation)
        put(database, WAVES)


def test_two_documents_of_one_key_and_different_ids_are_refused(tmp_path: Path) -> None:
    other = make_record("other.md", [("Newton", "F = m a")])
    with open_database(tmp_path) as database:
        put(database, MECHANICS)
        with pytest.raises(LibraryError, match="under another id"):
            put(database, replace(other, info=replace(other.info, key="mechanics.md")))


@pytest.mark.parametrize(
    "row",
    [
        {"document": MECHANICS.info.id, "number": 1, "width": 1.0, "height": 1.0, "x) VALUES (1); --": 1},
        {"document": WAVES.info.id, "number": 1, "width": 1.0, "height": 1.0},
        {"document": MECHANICS.info.id},
    ],
)
def test_rows_of_somebody_else_are_refused(tmp_path: Path, row: dict[str, object]) -> None:
    with open_database(tmp_path) as database:
        put(database, WAVES)
        before = dump(database)
        with pytest.raises(LibraryError):
            put(database, replace(MECHANICS, views=ViewRows({"pages": [row]})))
        assert dump(database) == before


def test_force_reads_the_same_bytes_again(tmp_path: Path) -> None:
    with open_database(tmp_path) as database:
        put(database, MECHANICS)
        before, generation = dump(database), database.generation
        assert writer.replace_document(database, MECHANICS, merger=MERGER, embedder=EMBEDDER, force=True)
        assert (dump(database), database.generation) == (before, generation + 1)


def test_one_document_is_counted_as_among_all(tmp_path: Path) -> None:
    with open_database(tmp_path) as database:
        put(database, MECHANICS)
        put(database, WAVES)
        everything = reader.count_documents(database)
        for document, counts in everything.items():
            assert reader.count_documents(database, document=document) == {document: counts}
        assert everything[MECHANICS.info.id].relations == 3
