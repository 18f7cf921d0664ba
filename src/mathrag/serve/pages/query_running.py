"""One query and its rows, the same way for SPARQL and SQL, with the time it took. The API's functions run it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from mathrag.library import Library
from mathrag.library.query_examples import Language
from mathrag.serve.api.queries import sparql_object, sql_table
from mathrag.serve.pages.query_graph import is_graph_ready
from mathrag.serve.problems import ProblemError

_WHOLE = "http://www.w3.org/2001/XMLSchema#integer"
_LONGEST_WHOLE = 15
# A graph of hundreds of formulas is built within this; one of thousands takes several times as long.
_PATIENCE_SECONDS = 5.0
_BEING_BUILT = "the graph is being built, as it is after every change of the library; run the query again in a moment"


@dataclass(frozen=True, slots=True)
class QueryTable:
    """What a query gave: `rows` as shown, `texts` as written to CSV, `whole` as the API gives it.

    `answer` is that of an ASK query, else None. `truncated` says that there were more rows.
    """

    kind: str
    columns: tuple[str, ...]
    rows: list[list[Any]]
    texts: list[list[Any]]
    whole: dict[str, Any]
    truncated: bool
    milliseconds: float
    answer: bool | None = None


def wait_for_graph(library: Library) -> None:
    """Wait a moment for the graph of the library as it now is; `ProblemError` where it takes longer."""
    if not is_graph_ready(library, seconds=_PATIENCE_SECONDS):
        raise ProblemError(503, _BEING_BUILT, code="graph_building", headers={"Retry-After": "5"})


def table_of(library: Library, language: Language, query: str, rows: int) -> QueryTable:
    """Run a query; `QueryError` says why there is no result."""
    started = time.perf_counter()
    if language == "sql":
        found = sql_table(library, query, rows)
        took = (time.perf_counter() - started) * 1000
        listed = found["rows"]
        return QueryTable("select", tuple(found["columns"]), listed, listed, found, found["truncated"], took)
    found = sparql_object(library, query, rows)
    took = (time.perf_counter() - started) * 1000
    if found["kind"] == "ask":
        answer = bool(found["boolean"])
        shown = [["true" if answer else "false"]]
        return QueryTable("ask", ("answer",), shown, shown, found, False, took, answer)
    names = tuple(found["head"]["vars"])
    bindings = found["results"]["bindings"]
    return QueryTable(
        found["kind"],
        names,
        [[_shown(binding.get(name)) for name in names] for binding in bindings],
        [[binding[name]["value"] if name in binding else None for name in names] for binding in bindings],
        found,
        found["truncated"],
        took,
    )


def _shown(term: dict[str, Any] | None) -> str | int | None:
    """A term for the eye; whole numbers as numbers, so that they line up."""
    if term is None:
        return None
    value = str(term["shown"])
    is_whole = term.get("datatype") == _WHOLE and len(value) <= _LONGEST_WHOLE and value.removeprefix("-").isdigit()
    return int(value) if is_whole and value.isascii() else value
