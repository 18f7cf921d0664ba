"""What a stranger's query may do: the allow-list of SQLite's authorizer, and its limits. Everything else is refused."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import TypeAlias

from mathrag.store.truth.schema import CELL_WORDS, READABLE, WORD_TABLES

Authorizer: TypeAlias = Callable[[int, str | None, str | None, str | None, str | None], int]

# Functions that read or compute, and cannot grow beyond the limit of a string. Not here: what makes large values
# from nothing (zeroblob, randomblob), what touches files or code (load_extension, readfile, fts3_tokenizer).
FUNCTIONS = frozenset(
    (
        "-> ->> abs acos acosh asin asinh atan atan2 atanh avg bm25 ceil ceiling char coalesce concat concat_ws cos "
        "cosh count cume_dist current_date current_time current_timestamp date datetime degrees dense_rank exp "
        "first_value floor format glob group_concat hex highlight ifnull iif if instr json json_array "
        "json_array_length json_extract json_group_array json_group_object json_object json_quote json_type "
        "json_valid julianday lag last_value lead length like likelihood likely ln log log10 log2 lower ltrim match "
        "max min mod nth_value ntile nullif octet_length percent_rank pi pow power printf quote radians random rank "
        "replace round row_number rtrim sign sin sinh snippet sqlite_version sqrt strftime string_agg substr "
        "substring subtype sum tan tanh time timediff total trim trunc typeof unicode unixepoch unlikely upper"
    ).split()
)
TABLE_FUNCTIONS = frozenset(("json_each", "json_tree"))
# FTS5 asks for it when it reads; it tells whether the file changed and nothing else.
_HARMLESS_PRAGMA = "data_version"

_ACTIONS = {
    sqlite3.SQLITE_ATTACH: "attaching a file",
    sqlite3.SQLITE_DETACH: "detaching a file",
    sqlite3.SQLITE_PRAGMA: "PRAGMA",
    sqlite3.SQLITE_INSERT: "writing",
    sqlite3.SQLITE_UPDATE: "writing",
    sqlite3.SQLITE_DELETE: "deleting",
    sqlite3.SQLITE_TRANSACTION: "transactions",
    sqlite3.SQLITE_SAVEPOINT: "transactions",
    sqlite3.SQLITE_ANALYZE: "ANALYZE",
    sqlite3.SQLITE_REINDEX: "REINDEX",
    sqlite3.SQLITE_ALTER_TABLE: "changing a table",
}

_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: 16_000_000,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 100_000,
    sqlite3.SQLITE_LIMIT_COLUMN: 200,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 200,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 20,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 100_000,
    sqlite3.SQLITE_LIMIT_FUNCTION_ARG: 50,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 200,
    sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER: 100,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 1,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}


def limit_connection(connection: sqlite3.Connection, megabytes: int) -> None:
    """Make a connection unable to write, to leave its file and to grow without bound."""
    for limit, value in _LIMITS.items():
        connection.setlimit(limit, value)
    for pragma in (
        "query_only = ON",
        "trusted_schema = OFF",
        "cell_size_check = ON",
        "temp_store = MEMORY",
        "cache_size = -16384",
        "mmap_size = 0",
        f"hard_heap_limit = {megabytes * 1024 * 1024}",
    ):
        connection.execute(f"PRAGMA {pragma}").fetchall()


def meet_virtual_tables(connection: sqlite3.Connection) -> frozenset[str]:
    """Connect the virtual tables that may be read, and give the names that no query may read.

    SQLite declares a virtual table when it is first used, which the authorizer would see as a change of the schema.
    """
    for table in (*WORD_TABLES, CELL_WORDS, *sorted(TABLE_FUNCTIONS)):
        connection.execute(f"SELECT * FROM {table} LIMIT 0").fetchall()  # noqa: S608 - our own names
    modules = {row[0] for row in connection.execute("PRAGMA module_list")}
    tables = {row[0].lower() for row in connection.execute("SELECT name FROM sqlite_master")}
    return frozenset((modules | tables) - READABLE - TABLE_FUNCTIONS)


def allow(refused: list[str], *, hidden: frozenset[str] = frozenset(), read: set[str] | None = None) -> Authorizer:
    """An authorizer that notes in `refused`, in words, what it did not allow, and in `read` which columns are read, as
    `table.column`, through views too; `hidden` names what may not be read."""

    def decide(action: int, first: str | None, second: str | None, database: str | None, _: str | None) -> int:
        if action in (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_RECURSIVE):
            return sqlite3.SQLITE_OK
        if action == sqlite3.SQLITE_READ:
            if _may_read(first or "", second or "", database, hidden=hidden):
                if read is not None:
                    read.add(f"{first}.{second}".lower())
                return sqlite3.SQLITE_OK
            refused.append(f"reading {first}")
        elif action == sqlite3.SQLITE_FUNCTION:
            if (second or "").lower() in FUNCTIONS:
                return sqlite3.SQLITE_OK
            refused.append(f"the function {second}")
        elif action == sqlite3.SQLITE_PRAGMA and first == _HARMLESS_PRAGMA and second is None:
            return sqlite3.SQLITE_OK
        else:
            refused.append(_ACTIONS.get(action, "changing the library"))
        return sqlite3.SQLITE_DENY

    return decide


def _may_read(table: str, column: str, database: str | None, *, hidden: frozenset[str]) -> bool:
    name = table.lower()
    if name in TABLE_FUNCTIONS or (database in ("main", None) and name in READABLE):
        return True
    # `count(*)` over a subquery with a name is announced as reading no column of a table of that name.
    return not column and name not in hidden and not name.startswith(("sqlite_", "pragma_"))
