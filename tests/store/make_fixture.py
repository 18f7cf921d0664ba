"""Write `library_version_1.sql`, a library as the first release made it. Run once, before that release; never after."""

from __future__ import annotations

import tempfile
from pathlib import Path

from store_makers import MECHANICS, MERGER, WAVES

from mathrag.store.truth.database import open_database
from mathrag.store.truth.schema import APPLICATION_ID, VERSION_1, WORD_TABLES
from mathrag.store.truth.writer import replace_document


def write_fixture(path: Path) -> None:
    """The tables statement by statement, then every row."""
    with tempfile.TemporaryDirectory() as folder, open_database(Path(folder)) as database:
        for record in (MECHANICS, WAVES):
            replace_document(database, record, merger=MERGER)
        connection = database.connection
        lines = ["BEGIN;", *(f"{statement};" for statement in VERSION_1)]
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            if table.startswith("sqlite_") or any(table.startswith(f"{words}_") for words in WORD_TABLES):
                continue
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            named = ["rowid", *columns] if table in WORD_TABLES else columns
            values = " || ', ' || ".join(f"quote({column})" for column in named)
            for (row,) in connection.execute(f"SELECT {values} FROM {table}"):
                lines.append(f"INSERT INTO {table} ({', '.join(named)}) VALUES ({row});")
        lines += ["PRAGMA user_version = 1;", f"PRAGMA application_id = {APPLICATION_ID};", "COMMIT;", ""]
        path.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    write_fixture(Path(__file__).parent / "library_version_1.sql")
