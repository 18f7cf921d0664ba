"""Which routers make up the pages."""

from __future__ import annotations

from fastapi import FastAPI

from mathrag.serve.pages import (
    api_docs,
    ask,
    constants,
    evaluation,
    formulas,
    graph,
    library,
    query,
    review,
    source,
)

ROUTERS = (
    ask.router, ask.plan_router, ask.export_router, source.router, library.router, library.documents_router,
    library.jobs_router, formulas.router, formulas.formula_router, formulas.edit_router, constants.router,
    review.router, graph.router, graph.card_router, query.router, evaluation.question_router, evaluation.router,
    api_docs.router,
)  # fmt: skip


def install(app: FastAPI) -> None:
    """Add them all; none is part of the documented API."""
    for router in ROUTERS:
        app.include_router(router, include_in_schema=False)
