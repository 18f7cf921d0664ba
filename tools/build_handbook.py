"""Write the handbook (`make data`): the library of built-in knowledge, read from its pages.

What only shows documents, and is never read when a question is answered, is left out of it. To run after every edit of
those documents and of the atlas.
"""

from __future__ import annotations

import argparse
import sqlite3
import tempfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from mathrag.documents.input_files import Found
from mathrag.documents.seams import ReadingLimits
from mathrag.extract.merger import RuleMerger
from mathrag.library.handbook import DIGEST, handbook_digest
from mathrag.library.handbook_pages import HANDBOOK_FOLDER, handbook_pages
from mathrag.library.workers.document_tasks import record_of, understanding_task
from mathrag.library.workers.document_worker import understand_file
from mathrag.store.embedders import DEFAULT_EMBEDDER, load_embedder
from mathrag.store.truth.database import open_database
from mathrag.store.truth.schema import FILE_NAME
from mathrag.store.truth.writer import replace_document
from mathrag.types.library import Extraction

_NOT_ASKED = (
    "findings", "constant_findings", "definitions", "equations", "sections", "cell_words", "relations", "instances",
)  # fmt: skip
# The same file from the same documents, whenever it is made.
_ALWAYS = "2026-01-01T00:00:00+00:00"


def build(folder: Path) -> Path:
    """Make the library in an empty folder and give its file."""
    encoder = load_embedder(DEFAULT_EMBEDDER)
    with open_database(folder) as database, tempfile.TemporaryDirectory() as pages:
        # Keys and names do not tell where the package lies.
        for name, text in handbook_pages().items():
            page = Path(pages) / name
            page.parent.mkdir(exist_ok=True)
            page.write_text(text, encoding="utf-8")
            found = Found(page, name, name, page.parent, size=page.stat().st_size)
            task = understanding_task(found, known_hash="", limits=ReadingLimits())
            record = record_of(understand_file(task.payload), found, modified="")
            info = replace(record.info, ingested_at=_ALWAYS)
            record = replace(record, info=info, extraction=_unseen(record.extraction))
            replace_document(database, record, merger=RuleMerger(), embedder=encoder)
    file = folder / FILE_NAME
    _slimmed(file)
    return file


def _unseen(extraction: Extraction) -> Extraction:
    """Whoever asks has never seen these pages: a number without a unit is not meant in theirs."""
    return replace(
        extraction,
        findings=tuple(
            replace(finding, symbols=tuple(replace(symbol, is_unit_stated=False) for symbol in finding.symbols))
            for finding in extraction.findings
        ),
    )


def _slimmed(file: Path) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        for table in _NOT_ASKED:
            connection.execute(f"DELETE FROM {table}")
        connection.execute("INSERT INTO meta (name, value) VALUES (?, ?)", (DIGEST, handbook_digest()))
        # Whoever opens it need not be able to write beside it.
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("VACUUM")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--force", action="store_true", help="also where the pages have not changed")
    target = HANDBOOK_FOLDER / FILE_NAME
    if not parser.parse_args().force and target.exists() and _digest_of(target) == handbook_digest():
        return
    with tempfile.TemporaryDirectory() as folder:
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(build(Path(folder)).read_bytes())
    print(f"wrote {target.name} ({target.stat().st_size:,} bytes)")


def _digest_of(file: Path) -> str:
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as connection:
        row = connection.execute("SELECT value FROM meta WHERE name = ?", (DIGEST,)).fetchone()
    return "" if row is None else str(row[0])


if __name__ == "__main__":
    main()
