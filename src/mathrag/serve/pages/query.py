"""The consoles for SPARQL and SQL: the query in the address, its rows as a table and as files. The API runs it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Literal, cast
from urllib.parse import urlencode

import anyio
from fastapi import APIRouter, Request
from starlette.responses import Response

from mathrag.errors import MathragError, QueryError
from mathrag.library.query_examples import LANGUAGES, Language, query_examples
from mathrag.library.query_results import csv_bytes, sql_mistake
from mathrag.library.query_schema import graph_terms
from mathrag.serve.api.queries import SECONDS
from mathrag.serve.pages.query_running import QueryTable, table_of, wait_for_graph
from mathrag.serve.pages.rendering import page
from mathrag.serve.problems import ProblemError, as_problem
from mathrag.serve.replies import JsonReply
from mathrag.serve.security.csrf import refuse_other_sites
from mathrag.serve.state import ServeState, state_of

router = APIRouter()
# An address has to fit into what servers and browsers pass on; the API takes longer queries.
LONGEST = 8_000
_ROWS = (100, 1_000, 10_000)
_USUAL_ROWS = 1_000
_MOST_SHOWN = 1_000
_MOST_CELLS = 20_000
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
