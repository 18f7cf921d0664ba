"""Which routers make up the app: the API for programs, the pages for people, and what both stand on."""

from __future__ import annotations

from collections.abc import Iterator

from fastapi import FastAPI
from fastapi.routing import APIRoute

from mathrag.serve import chat_completions, responses, system
from mathrag.serve.api import ask as api_ask
from mathrag.serve.api import compute, documents, export, jobs, queries, search, solutions
from mathrag.serve.api import concepts as api_concepts
from mathrag.serve.api import constants as api_constants
from mathrag.serve.api import formulas as api_formulas
from mathrag.serve.api import library as api_library
from mathrag.serve.api import worksheets as api_worksheets
from mathrag.serve.mcp import http_endpoint
from mathrag.serve.pages import (
    api_docs,
    ask,
    check,
    concepts,
    constants,
    evaluation,
    formulas,
    graph,
    library,
    query,
    review,
    worksheets,
)
from mathrag.serve.pages import source as source_page

API_PREFIX = "/api/v1"
API_ROUTERS = (
    api_ask.router, compute.router, search.router, api_formulas.router, api_constants.router, api_concepts.router,
    documents.router,
    jobs.router, api_library.router, queries.router, export.router, solutions.router,
    api_worksheets.router,
)  # fmt: skip
PAGE_ROUTERS = (
    ask.router, ask.plan_router, ask.export_router, source_page.router, check.router, library.router,
    library.documents_router, library.jobs_router, formulas.router, formulas.formula_router, formulas.edit_router,
    constants.router, concepts.router, review.router, graph.router, graph.card_router, query.router,
    evaluation.question_router, evaluation.router, worksheets.router, api_docs.router,
)  # fmt: skip
OPENAI_ROUTERS = (chat_completions.router, responses.router)
PLAIN_ROUTERS = (system.router, *OPENAI_ROUTERS, *PAGE_ROUTERS)


def listed() -> Iterator[tuple[str, str]]:
    """Every route there is, as method and path; what is not among these cannot be reached."""
    yield "GET", f"{API_PREFIX}/openapi.json"
    yield "POST", http_endpoint.PATH
    prefixed = (*((API_PREFIX, router) for router in API_ROUTERS), *(("", router) for router in PLAIN_ROUTERS))
    for prefix, router in prefixed:
        for route in router.routes:
            assert isinstance(route, APIRoute)
            for method in sorted(route.methods or ()):
                yield method, f"{prefix}{route.path}"


def install(app: FastAPI) -> None:
    """Add them all; pages are no part of the documented API."""
    app.include_router(system.router)
    for router in API_ROUTERS:
        app.include_router(router, prefix=API_PREFIX)
    for router in OPENAI_ROUTERS:
        app.include_router(router)
    http_endpoint.install(app)
    for router in PAGE_ROUTERS:
        app.include_router(router, include_in_schema=False)
