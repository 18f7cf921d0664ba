"""Opening a library: made, found, upgraded or refused with a reason; and safe for threads."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from store_makers import MECHANICS, MERGER, WAVES, dump

from mathrag.errors import LibraryError
from mathrag.store.truth import reader as reading
from mathrag.store.truth.consistency import check_consistency
from mathrag.store.truth.database import open_database
from mathrag.store.truth.rebuild import rebuild_index
from mathrag.store.truth.schema import (
    APPLICATION_ID,
    CURRENT_VERSION,
    DERIVED,
    FILE_NAME,
    MIGRATIONS,
    READABLE,
    TRUTH,
    check_version,
    migrate,
    schema_version,
    table_columns,
)
from mathrag.store.truth.writer import replace_document

FIXTURE = Path(__file__).parent / "library_version_1.sql"


def test_a_new_library_is_made_where_there_is_none(tmp_path: Path) -> None:
    with open_database(tmp_path / "deep" / "library") as database:
        assert database.generation == 0
        assert schema_version(database.connection) == CURRENT_VERSION
        for pragma, value in [
            ("journal_mode", "wal"),
            ("foreign_keys", 1),
            ("synchronous", 1),
            ("busy_timeout", 30_000),
        ]:
            assert database.connection.execute(f"PRAGMA {pragma}").fetchone() == (value,)
        assert database.connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        tables = {row[0] for row in database.connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        assert {*TRUTH, *DERIVED} <= tables
        assert tables - {"sqlite_sequence"} <= READABLE


def test_every_statement_ends_in_the_state_it_found(tmp_path: Path) -> None:
    with open_database(tmp_path) as database:
        reading.count_entries(database)
        assert not database.connection.in_transaction


@pytest.mark.parametrize("options", [{"read_only": True}, {"create": False}])
def test_a_missing_library_is_not_made_unasked(tmp_path: Path, options: dict[str, bool]) -> None:
    with pytest.raises(LibraryError, match="no library"):
        open_database(tmp_path / "none", **options)
    assert not (tmp_path / "none").exists()


def test_files_of_others_are_refused_and_left_alone(tmp_path: Path) -> None:
    for number, content in enumerate(
        [b"not a database, but long enough to be one" * 100, b"SQLite format 3\x00" + b"x" * 4096]
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / FILE_NAME).write_bytes(content)
        for read_only in (False, True):
            with pytest.raises(LibraryError, match=r"no SQLite file|damaged"):
                open_database(folder, read_only=read_only)
        assert (folder / FILE_NAME).read_bytes() == content
    foreign = sqlite3.connect(tmp_path / FILE_NAME)
    foreign.execute("CREATE TABLE theirs (x)")
    foreign.commit()
    foreign.close()
    with pytest.raises(LibraryError, match="another program"):
        open_database(tmp_path)


def test_a_newer_library_is_refused(tmp_path: Path) -> None:
    with open_database(tmp_path) as database:
        database.connection.execute(f"PRAGMA user_version = {CURRENT_VERSION + 1}")
    with pytest.raises(LibraryError, match="newer MathRAG"):
        open_database(tmp_path)


def test_a_file_where_the_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(LibraryError, match="cannot be made"):
        open_database(tmp_path / "file")


def test_a_folder_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    open_database(tmp_path).close()
    # Permissions mean nothing to the super-user, who may be running the tests.
    monkeypatch.setattr(os, "access", lambda _, mode: not mode & os.W_OK)
    with pytest.raises(LibraryError, match="cannot be written"):
        open_database(tmp_path)


def test_reading_only_cannot_write(tmp_path: Path) -> None:
    with open_database(tmp_path) as database:
        replace_document(database, MECHANICS, merger=MERGER)
    with open_database(tmp_path, read_only=True) as database:
        assert len(reading.list_documents(database)) == 1
        with pytest.raises(LibraryError, match="reading only"):
            replace_document(database, WAVES, merger=MERGER)
        assert check_consistency(database, merger=MERGER) == []


def test_a_closed_library_says_so(tmp_path: Path) -> None:
    database = open_database(tmp_path)
    database.close()
    with pytest.raises(LibraryError, match="closed"):
        reading.list_documents(database)


def test_threads_have_connections_of_their_own(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    with open_database(tmp_path) as database:
        replace_document(database, MECHANICS, merger=MERGER)

        def look() -> None:
            seen.append((id(database.connection), len(reading.list_formula_ids(database))))

        threads = [threading.Thread(target=look) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [count for _, count in seen] == [4] * 4


def test_a_reader_sees_one_state_while_another_writes(tmp_path: Path) -> None:
    with open_database(tmp_path) as reader, open_database(tmp_path) as writer:
        with reader.reading():
            before = reading.count_entries(reader)
            replace_document(writer, MECHANICS, merger=MERGER)
            assert reading.count_entries(reader) == before
        assert reading.count_entries(reader) != before


def test_migrations_run_once_each_and_all_or_nothing() -> None:
    connection = sqlite3.connect(":memory:", isolation_level=None)

    def add(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE added (x)")

    def fail(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE half (x)")
        raise sqlite3.OperationalError("no room")

    assert migrate(connection, (*MIGRATIONS, add)) == len(MIGRATIONS) + 1
    assert migrate(connection, (*MIGRATIONS, add)) == 0
    with pytest.raises(sqlite3.OperationalError):
        migrate(connection, (*MIGRATIONS, add, fail))
    assert schema_version(connection) == len(MIGRATIONS) + 1
    assert connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'half'").fetchone() == (0,)
    with pytest.raises(LibraryError, match="newer"):
        check_version(connection, newest=len(MIGRATIONS))
    connection.close()


def test_a_library_of_the_first_release_opens_and_reads(tmp_path: Path) -> None:
    old = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)
    old.execute("PRAGMA trusted_schema = ON")
    old.executescript(FIXTURE.read_text(encoding="utf-8"))
    assert schema_version(old) == 1
    old.close()
    with open_database(tmp_path) as database, open_database(tmp_path / "new") as fresh:
        assert schema_version(database.connection) == CURRENT_VERSION
        # What a program of today makes of the same truth.
        rebuild_index(database, merger=MERGER)
        for record in (MECHANICS, WAVES):
            replace_document(fresh, record, merger=MERGER)
        assert dump(database) == dump(fresh)
        assert check_consistency(database, merger=MERGER) == []
        assert not replace_document(database, MECHANICS, merger=MERGER)


def test_opening_is_light(tmp_path: Path) -> None:
    open_database(tmp_path).close()
    code = (
        "import sys; from pathlib import Path; from mathrag.store.truth import database, reader;"
        f"opened = database.open_database(Path({str(tmp_path)!r})); reader.list_documents(opened); opened.close();"
        "print([name for name in ('numpy', 'wordllama', 'sympy', 'pyoxigraph') if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


def test_a_copy_on_a_medium_without_room_can_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_database(tmp_path / "here") as database:
        replace_document(database, MECHANICS, merger=MERGER)
    shutil.copytree(tmp_path / "here", tmp_path / "medium")
    monkeypatch.setattr(os, "access", lambda _, mode: not mode & os.W_OK)
    real = sqlite3.connect

    def no_room(address: str, **options: object) -> sqlite3.Connection:
        if "immutable" not in address:
            raise sqlite3.OperationalError("unable to open database file")
        return real(address, **options)

    monkeypatch.setattr(sqlite3, "connect", no_room)
    with open_database(tmp_path / "medium", read_only=True) as database:
        assert reading.count_entries(database)["formulas"] == 4


def test_declared_columns_are_those_of_the_file(tmp_path: Path) -> None:
    with open_database(tmp_path) as database, database.reading() as connection:
        for table, columns in table_columns().items():
            stored = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            given_by_sqlite = {"entry": table in ("formulas", "constants", "chunks", "concepts")}
            given_by_sqlite["id"] = table in ("cells", "corrections", "vectors")
            assert list(columns) == [each for each in stored if not given_by_sqlite.get(each)], table


def test_closing_while_another_thread_reads_interrupts_it(tmp_path: Path) -> None:
    """Closed under the hands of the other thread, SQLite would read freed memory and the process would end."""
    database = open_database(tmp_path)
    is_reading, ended = threading.Event(), []

    def read() -> None:
        connection = database.connection
        connection.create_function("tell", 0, is_reading.set)
        endless = "WITH RECURSIVE c(x) AS (SELECT tell() UNION ALL SELECT x FROM c) SELECT count(*) FROM c"
        try:
            connection.execute(endless).fetchall()
        except sqlite3.OperationalError as error:
            ended.append(str(error))
        with pytest.raises(LibraryError, match="has been closed"):
            _ = database.connection

    thread = threading.Thread(target=read)
    thread.start()
    assert is_reading.wait(60)
    database.close()
    thread.join(60)
    assert ended == ["interrupted"]
