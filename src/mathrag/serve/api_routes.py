"""Which routers make up `/api/v1`."""

from __future__ import annotations

from fastapi import FastAPI

from mathrag.serve.api import (
    asking,
    checking,
    computing,
    constants,
    documents,
    exporting,
    formulas,
    jobs,
    queries,
    searching,
)

PREFIX = "/api/v1"
ROUTERS = (
    asking.router,
    computing.router,
    searching.router,
    formulas.router,
    constants.router,
    documents.router,
    jobs.router,
    checking.router,
    queries.router,
    exporting.router,
)


def install(app: FastAPI) -> None:
    """Add them all."""
    for router in ROUTERS:
        app.include_router(router, prefix=PREFIX)
