"""`/api/v1/sql` and `/api/v1/sparql`: read-only queries, each in a process of its own, with bounded rows and time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

import anyio
from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from mathrag.library import Library
from mathrag.library.views.queries import csv_bytes
from mathrag.serve.api.entries import Described
from mathrag.serve.problems import PROBLEMS
from mathrag.serve.replies import JsonReply
from mathrag.serve.state import state_of

router = APIRouter(tags=["queries"], responses=PROBLEMS)
_KINDS = {"iri": "uri", "literal": "literal", "blank": "bnode", "triple": "triple"}
_CSV = {200: {"content": {"text/csv": {"schema": {"type": "string"}}}}}
# How long a query may run, here and on the pages.
SECONDS = 5.0


class Query(BaseModel):
    """A query of the user's own."""

    model_config = ConfigDict(extra="forbid")
    query: str = Field(min_length=1, max_length=20_000, description="The query.")
    rows: int = Field(1_000, ge=1, le=10_000, description="At most so many rows.")
    format: Literal["json", "csv"] = Field("json", description="How to give the rows.")


class Table(Described):
    """The rows of a query."""

    columns: list[str] = Field(description="What the columns are called.")
    rows: list[list[Any]] = Field(description="The rows.")
    truncated: bool = Field(description="Whether there were more.")


class SparqlObject(Described):
    """The W3C's JSON of SPARQL results, with `kind` and `truncated` beside it."""

    kind: str = Field(description="`select`, `ask` or `construct`.")
    head: dict[str, list[str]] = Field(description="`vars`: what the columns are called.")
    truncated: bool = Field(description="Whether there were more rows.")


@router.post("/sql", summary="Query with SQL", response_model=Table, responses=_CSV)  # type: ignore[arg-type]
async def sql(request: Request, query: Query) -> Response:
    """One SELECT over the tables of the library."""
    state = state_of(request)
    found = await anyio.to_thread.run_sync(sql_table, state.library, query.query, query.rows, limiter=state.heavy)
    return _csv(found["columns"], found["rows"]) if query.format == "csv" else JsonReply(found)


def sql_table(library: Library, query: str, rows: int) -> dict[str, Any]:
    """The rows of a query as data."""
    result = library.sql(query, rows=rows, seconds=SECONDS)
    return {"columns": list(result.columns), "rows": [list(row) for row in result.rows], "truncated": result.truncated}


@router.post("/sparql", summary="Query with SPARQL", response_model=SparqlObject, responses=_CSV)  # type: ignore[arg-type]
async def sparql(request: Request, query: Query) -> Response:
    """One SELECT, ASK, CONSTRUCT or DESCRIBE over the graph of the library; the usual prefixes are known."""
    state = state_of(request)
    found = await anyio.to_thread.run_sync(sparql_object, state.library, query.query, query.rows, limiter=state.heavy)
    if query.format == "csv":
        names = found["head"]["vars"]
        bindings = found.get("results", {}).get("bindings", [])
        rows = [[binding.get(name, {}).get("value", "") for name in names] for binding in bindings]
        return _csv(names, rows) if found["kind"] != "ask" else _csv(["answer"], [[str(found["boolean"]).lower()]])
    return JsonReply(found)


def sparql_object(library: Library, query: str, rows: int) -> dict[str, Any]:
    """What a query gave, as the W3C's JSON."""
    result = library.sparql(query, rows=rows, seconds=SECONDS)
    made: dict[str, Any] = {
        "kind": result.kind, "head": {"vars": list(result.variables)}, "truncated": result.truncated,
    }  # fmt: skip
    if result.kind == "ask":
        return {**made, "boolean": bool(result.answer)}
    bindings = [
        {
            name: {
                "type": _KINDS[term.kind],
                "value": term.value,
                "shown": str(term),
                **({"datatype": term.datatype} if term.datatype else {}),
                **({"xml:lang": term.language} if term.language else {}),
            }
            for name, term in zip(result.variables, row, strict=True)
            if term is not None
        }
        for row in result.rows
    ]
    return {**made, "results": {"bindings": bindings}}


def _csv(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Response:
    headers = {"Content-Disposition": 'attachment; filename="result.csv"'}
    return Response(csv_bytes(columns, rows), media_type="text/csv", headers=headers)
