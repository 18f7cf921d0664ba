"""Which routers make up the app: the API for programs, the pages for people, and what both stand on."""

from __future__ import annotations

from fastapi import FastAPI

from mathrag.serve import chat_completions, system
from mathrag.serve.api import ask as api_ask
from mathrag.serve.api import compute, documents, export, jobs, queries, search
from mathrag.serve.api import constants as api_constants
from mathrag.serve.api import formulas as api_formulas
from mathrag.serve.api import library as api_library
from mathrag.serve.mcp import http_endpoint
from mathrag.serve.pages import api_docs, ask, constants, evaluation, formulas, graph, library, query, review, source

API_PREFIX = "/api/v1"
API_ROUTERS = (
    api_ask.router, compute.router, search.router, api_formulas.router, api_constants.router, documents.router,
    jobs.router, api_library.router, queries.router, export.router,
)  # fmt: skip
PAGE_ROUTERS = (
    ask.router, ask.plan_router, ask.export_router, source.router, library.router, library.documents_router,
    library.jobs_router, formulas.router, formulas.formula_router, formulas.edit_router, constants.router,
    review.router, graph.router, graph.card_router, query.router, evaluation.question_router, evaluation.router,
    api_docs.router,
)  # fmt: skip


def install(app: FastAPI) -> None:
    """Add them all; pages are no part of the documented API."""
    app.include_router(system.router)
    for router in API_ROUTERS:
        app.include_router(router, prefix=API_PREFIX)
    app.include_router(chat_completions.router)
    http_endpoint.install(app)
    for router in PAGE_ROUTERS:
        app.include_router(router, include_in_schema=False)
