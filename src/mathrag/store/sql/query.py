"""Run a stranger's SQL against a library: one query, read only, bounded in rows, time and memory.

The query runs in a process of its own (`worker.py`), which limits itself; this side waits, and kills it when it is
late. So nothing that a query does can slow down, fill up or bring down the program that asked.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from mathrag.errors import QueryError, readable
from mathrag.isolation.tasks import Done, WorkerLimits
from mathrag.isolation.worker import ask_once
from mathrag.store.truth.database import open_database
from mathrag.types.json_value import Json

Value: TypeAlias = str | int | float | None

_RUN = "mathrag.store.sql.worker:run_query"
# No person writes a longer query, and no reader of a result looks at more rows; both keep memory small.
_LONGEST_QUERY = 20_000
_LONGEST_PARAMETER = 100_000
_MOST_PARAMETERS = 100
_MOST_ROWS = 100_000
# Starting Python and opening the file, on a slow machine; not part of the query's own time.
_START_SECONDS = 10.0
# Rows are shown as text of at most 16 million characters, each of which may take several bytes on the pipe.
_ANSWER_MEGABYTES = 256


@dataclass(frozen=True, slots=True)
class SqlResult:
    """The rows of a query. `truncated` says that there were more than asked for, or that they were too long; `read`
    which columns the query looked at, as `table.column`."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    truncated: bool
    read: tuple[str, ...] = ()


def run_sql(
    folder: Path,
    query: str,
    *,
    max_rows: int = 1000,
    seconds: float = 5.0,
    megabytes: int = 256,
    parameters: Sequence[Value] = (),
) -> SqlResult:
    """Run one SELECT and give its rows; `QueryError` says why a query is refused or was given up.

    Blobs are shown by their size. `parameters` fill the question marks of the query.
    """
    _check(query, parameters, max_rows=max_rows)
    # Opened here first: says clearly what is wrong with a library, and keeps the shared memory of its file in place.
    with open_database(folder, read_only=True) as database:
        database.connection.execute("SELECT 1").fetchone()
        question = {
            "path": str(database.path.resolve()),
            "query": query,
            "parameters": list(parameters),
            "max_rows": max_rows,
            "seconds": seconds,
            "megabytes": megabytes,
        }
        answer = _ask(question, seconds)
    if "error" in answer:
        raise QueryError(readable(str(answer["error"])))
    return SqlResult(
        tuple(str(column) for column in answer["columns"]),
        tuple(tuple(row) for row in answer["rows"]),
        bool(answer["truncated"]),
        tuple(str(column) for column in answer.get("read", ())),
    )


def _check(query: str, parameters: Sequence[Value], *, max_rows: int) -> None:
    if len(query) > _LONGEST_QUERY:
        raise QueryError(f"the query has {len(query):,} characters; at most {_LONGEST_QUERY:,} are allowed")
    if "\x00" in query:
        raise QueryError("the query contains a null character")
    if len(parameters) > _MOST_PARAMETERS:
        raise QueryError(f"the query has {len(parameters)} parameters; at most {_MOST_PARAMETERS} are allowed")
    for parameter in parameters:
        if not (parameter is None or isinstance(parameter, str | int | float)):
            raise QueryError(f"a parameter must be text, a number or None, not {type(parameter).__name__}")
        if isinstance(parameter, str) and len(parameter) > _LONGEST_PARAMETER:
            raise QueryError(
                f"a parameter has {len(parameter):,} characters; at most {_LONGEST_PARAMETER:,} are allowed"
            )
        if isinstance(parameter, int) and not -(2**63) <= parameter < 2**63:
            raise QueryError("a whole number as parameter must fit into 64 bits")
    if not 1 <= max_rows <= _MOST_ROWS:
        raise QueryError(f"the number of rows asked for must be between 1 and {_MOST_ROWS:,}")


def _ask(question: Json, seconds: float) -> Json:
    limits = WorkerLimits(
        seconds=seconds + _START_SECONDS,
        # The process itself says what the query may use, for it knows what it takes before.
        megabytes=None,
        processor_seconds=math.inf,
        answer_megabytes=_ANSWER_MEGABYTES,
        start_seconds=_START_SECONDS,
    )
    outcome = ask_once(_RUN, question, limits)
    if isinstance(outcome, Done):
        return outcome.result
    if outcome.code in ("timeout", "processor_time"):
        raise QueryError(f"the query took longer than {seconds:g} s and was stopped; ask for less, or add a condition")
    raise QueryError("the query ended without an answer: it needs more memory or time than it may use")
