"""The consoles for SPARQL and SQL: the query in the address, its rows as a table and as files. The API runs it; a graph
that is not built yet is built in the background."""

from __future__ import annotations

import sqlite3
import threading
import time
from dataclasses import asdict, dataclass
from typing import Any, Literal, cast
from urllib.parse import urlencode

import anyio
from fastapi import APIRouter, Request
from starlette.responses import Response

from mathrag.errors import LibraryError, MathragError, QueryError
from mathrag.library import Library
from mathrag.library.views.queries import LANGUAGES, Language, csv_bytes, graph_terms, query_examples, sql_mistake
from mathrag.serve.api.queries import SECONDS, sparql_object, sql_table
from mathrag.serve.pages.page_reply import page
from mathrag.serve.problems import ProblemError, as_problem
from mathrag.serve.replies import JsonReply
from mathrag.serve.security.sessions import refuse_other_sites
from mathrag.serve.state import ServeState, state_of

# The graph that SPARQL asks, built in the background where it takes long: a page waits for it only for moments.

_lock = threading.Lock()
_running: dict[str, _Building] = {}


class _Building:
    """One thread that builds the graph of one state of a library."""

    def __init__(self, library: Library, generation: int) -> None:
        self.generation = generation
        self.problem: MathragError | None = None
        self._library = library
        self.thread = threading.Thread(target=self._build, name="mathrag-graph", daemon=True)

    def _build(self) -> None:
        try:
            self._library.prepare_graph()
        except MathragError as error:
            self.problem = error
        except sqlite3.Error:
            # The library was closed meanwhile; then nobody waits for this.
            self.problem = LibraryError("the library was closed while its graph was built")


def is_graph_ready(library: Library, *, seconds: float) -> bool:
    """Whether the graph is that of the library as it now is, after waiting so long at most; else it is being built."""
    deadline = time.monotonic() + seconds
    while True:
        building = _building(library)
        building.thread.join(max(0.0, deadline - time.monotonic()))
        if building.thread.is_alive():
            return False
        with _lock:
            if _running.get(str(library.folder)) is building:
                del _running[str(library.folder)]
        if building.problem is not None:
            raise building.problem
        # The library may have changed while the graph of an older state was built.
        if building.generation == library.database.generation:
            return True
        if time.monotonic() >= deadline:
            return False


def _building(library: Library) -> _Building:
    """What builds the graph of this library now; started where nothing does."""
    name = str(library.folder)
    with _lock:
        building = _running.get(name)
        if building is None or not building.thread.is_alive():
            building = _running[name] = _Building(library, library.database.generation)
            building.thread.start()
        return building


# One query and its rows, the same way for SPARQL and SQL, with the time it took. The API's functions run it.

_WHOLE = "http://www.w3.org/2001/XMLSchema#integer"
# Digits that every spreadsheet keeps.
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


router = APIRouter()
# An address has to fit into what servers and browsers pass on; the API takes longer queries.
LONGEST = 8_000
_ROWS = (100, 1_000, 10_000)
_USUAL_ROWS = 1_000
_MOST_SHOWN = 1_000
# A browser shows so many without a pause; the files have all rows.
_MOST_CELLS = 20_000
# Each waits for one of a few processes; whoever comes later is told so at once.
_MOST_WAITING = 16
_NAMES = {"sparql": "SPARQL", "sql": "SQL"}


@router.get("/query")
@router.get("/query.json")
async def show_first(request: Request) -> Response:
    """The console for SPARQL; that for SQL is a tab beside it."""
    return await _console(request, "sparql")


@router.get("/query/{language}/result.{form}")
async def download(request: Request, language: str, form: str) -> Response:
    """The rows of `?q=` as a file: `result.csv` or `result.json`."""
    chosen = _language(language)
    if form not in ("csv", "json"):
        raise ProblemError(404, "there is result.csv and result.json")
    query = _query(request)
    if not query:
        raise ProblemError(422, "there is nothing to run: add ?q= with a query")
    table = await _run(request, chosen, query)
    headers = {"Content-Disposition": f'attachment; filename="result.{form}"'}
    made = await anyio.to_thread.run_sync(_file, table, cast("Literal['csv', 'json']", form))
    made.headers.update(headers)
    return made


@router.get("/query/{language}")
@router.get("/query/{language}.json")
async def show(request: Request, language: str) -> Response:
    """One console; `?q=` runs a query, `?example=` fills one in."""
    return await _console(request, _language(language))


async def _console(request: Request, language: Language) -> Response:
    data = await anyio.to_thread.run_sync(_frame, request, language)
    shown: dict[str, Any] = {"result": None, "problem": None}
    status = 200
    try:
        data["query"] = query = _query(request)
        if query:
            table = await _run(request, language, query)
            shown["result"] = _result(request, table, language, query)
    except (ProblemError, MathragError) as error:
        problem = as_problem(error)
        # For people the page is whole, with a complaint in it; programs look at the status.
        status = problem.status if request.url.path.endswith(".json") else 200
        detail = _told(error, data["query"], data) if isinstance(error, QueryError) else problem.detail
        shown["problem"] = {"code": problem.code, "detail": detail, "place": _place(detail)}
    if not data["query"]:
        chosen = next((each for each in data["examples"] if each["is_chosen"]), None)
        data["query"] = chosen["query"] if chosen else ""
    return await anyio.to_thread.run_sync(lambda: page(request, "query/page.html", {**data, **shown}, status=status))


def _language(text: str) -> Language:
    if text not in LANGUAGES:
        raise ProblemError(404, "there is a console for sparql and one for sql")
    return text


def _query(request: Request) -> str:
    """The query of the address. Forms send line ends in pairs, which would spoil the places in complaints."""
    found = request.query_params.get("q", "").replace("\r\n", "\n").replace("\r", "\n")
    if len(found) > LONGEST:
        raise ProblemError(
            413, f"the query has {len(found):,} characters; this page takes {LONGEST:,}, POST /api/v1/sql and "
            "/api/v1/sparql take 20,000", code="query_too_long",
        )  # fmt: skip
    return found if found.strip() else ""


def _rows(request: Request) -> int:
    text = request.query_params.get("rows", "")
    chosen = int(text) if text.isascii() and text.isdigit() and len(text) < 8 else _USUAL_ROWS
    return max(1, min(chosen, _ROWS[-1]))


async def _run(request: Request, language: Language, query: str) -> QueryTable:
    """Run a query as the API does: in a process of its own, few at a time."""
    refuse_other_sites(request)
    state = state_of(request)
    if language == "sparql":
        await anyio.to_thread.run_sync(wait_for_graph, state.library)
    if state.heavy.statistics().tasks_waiting >= _MOST_WAITING:
        raise ProblemError(503, "many queries are waiting; try again in a moment", headers={"Retry-After": "5"})
    return await anyio.to_thread.run_sync(table_of, state.library, language, query, _rows(request), limiter=state.heavy)


def _file(table: QueryTable, form: Literal["csv", "json"]) -> Response:
    if form == "json":
        return JsonReply(table.whole)
    return Response(csv_bytes(table.columns, table.texts), media_type="text/csv")


def _result(request: Request, table: QueryTable, language: Language, query: str) -> dict[str, Any]:
    asked = urlencode({"q": query, "rows": _rows(request)})
    return {
        "kind": table.kind,
        "answer": table.answer,
        "columns": list(table.columns),
        "rows": table.rows,
        "count": len(table.rows),
        "shown": min(len(table.rows), _MOST_SHOWN, max(1, _MOST_CELLS // max(1, len(table.columns)))),
        "truncated": table.truncated,
        "milliseconds": round(table.milliseconds, 1),
        "csv": f"/query/{language}/result.csv?{asked}",
        "json": f"/query/{language}/result.json?{asked}",
        "address": f"/query/{language}?{asked}",
    }


def _frame(request: Request, language: Language) -> dict[str, Any]:
    """The page around a result: tabs, examples, what can be queried."""
    state = state_of(request)
    made: dict[str, Any] = {
        "language": language,
        "name": _NAMES[language],
        "languages": [{"name": _NAMES[one], "href": f"/query/{one}", "is_current": one == language}
                      for one in LANGUAGES],
        "query": "",
        "rows": _rows(request),
        "row_choices": sorted({*_ROWS, _rows(request)}),
        "limits": {"characters": LONGEST, "seconds": SECONDS},
        "examples": _examples(request, state, language),
        "tables": [], "prefixes": {}, "classes": [], "properties": [],
    }  # fmt: skip
    if language == "sql":
        made["tables"] = [asdict(table) for table in state.sql_tables()]
    else:
        made |= asdict(graph_terms())
    return made


def _examples(request: Request, state: ServeState, language: Language) -> list[dict[str, Any]]:
    wanted = request.query_params.get("example", "")
    return [
        {**asdict(each), "href": f"/query/{language}?{urlencode({'example': each.name})}",
         "is_chosen": each.name == wanted}
        for each in query_examples(state.library, language)
    ]  # fmt: skip


def _told(error: QueryError, query: str, data: dict[str, Any]) -> str:
    if data["language"] == "sparql":
        return str(error)
    names = [name for table in data["tables"] for name in (table["name"], *(c["name"] for c in table["columns"]))]
    return sql_mistake(str(error), query, known=names)


def _place(detail: str) -> dict[str, int] | None:
    """The line and column that a complaint begins with."""
    words = detail.split(":", 1)[0].replace(",", "").split()
    if len(words) == 4 and words[0] == "line" and words[2] == "column" and words[1].isdigit() and words[3].isdigit():
        return {"line": int(words[1]), "column": int(words[3])}
    return None
