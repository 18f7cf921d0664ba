"""Which routers make up `/api/v1`."""

from __future__ import annotations

from fastapi import FastAPI

from mathrag.serve.api import ask, compute, constants, documents, export, formulas, jobs, library, queries, search

PREFIX = "/api/v1"
ROUTERS = (
    ask.router,
    compute.router,
    search.router,
    formulas.router,
    constants.router,
    documents.router,
    jobs.router,
    library.router,
    queries.router,
    export.router,
)


def install(app: FastAPI) -> None:
    """Add them all."""
    for router in ROUTERS:
        app.include_router(router, prefix=PREFIX)
