"""What the tests of several processes run in each of them: `store_process.py FOLDER JOB NUMBER`."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from store_makers import MERGER, make_record

from mathrag.retrieve.vector_search import VectorSearch
from mathrag.store.embedders.hashing import HashingEmbedder
from mathrag.store.index.words import search_words
from mathrag.store.sql.query import run_sql
from mathrag.store.truth import reader
from mathrag.store.truth.database import open_database
from mathrag.store.truth.records import DocumentRecord
from mathrag.store.truth.writer import replace_document

LETTERS = "abcdefghkmnpqrsuvwxyz"


def record(number: int, *, edition: int = 0) -> DocumentRecord:
    """A document of ten formulas, half of them shared with its neighbours."""
    formulas = [
        (
            f"Law {number + step}",
            f"{LETTERS[(number + step) % 21]} = {LETTERS[(number + step + 1) % 21]} {number + step + edition + 2}",
        )
        for step in range(10)
    ]
    return make_record(f"{number}.md", formulas, constants=[("k", str(number + edition))], relations=[(0, 1), (2, 3)])


def ingest(folder: Path, start: int, *, count: int = 12) -> None:
    """Store documents, own ones and ones that the next process stores too."""
    with open_database(folder) as database:
        print("ready", flush=True)
        for number in range(start, start + count):
            replace_document(database, record(number), merger=MERGER, embedder=HashingEmbedder())


def read(folder: Path, _: int) -> None:
    """Read in every way for a while; what is seen must fit together."""
    deadline = time.monotonic() + 4
    with open_database(folder) as database:
        print("ready", flush=True)
        search = VectorSearch(database, HashingEmbedder())
        while time.monotonic() < deadline:
            with database.reading():
                ids = reader.list_formula_ids(database)
                assert len(reader.formulas_by_ids(database, ids)) == len(ids)
                counts = reader.count_documents(database)
                assert all(each.formulas == 10 and each.chunks == 1 for each in counts.values())
                assert {hit.id for hit in search_words(database, "law", limit=1000)} <= set(ids)
            search.search("law")
    run_sql(folder, "SELECT count(*) FROM formulas")


def rewrite(folder: Path, _: int) -> None:
    """Store the same document in one edition after the other, until killed."""
    with open_database(folder) as database:
        print("ready", flush=True)
        for edition in range(1_000_000):
            replace_document(database, record(1, edition=edition % 7), merger=MERGER, embedder=HashingEmbedder())


if __name__ == "__main__":
    {"ingest": ingest, "read": read, "rewrite": rewrite}[sys.argv[2]](Path(sys.argv[1]), int(sys.argv[3]))
