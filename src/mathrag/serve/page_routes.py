"""Which routers make up the pages."""

from __future__ import annotations

from fastapi import FastAPI

from mathrag.serve.pages import (
    api_docs,
    ask,
    ask_export,
    ask_plan,
    constants,
    evaluation,
    evaluation_question,
    formulas,
    formulas_edit,
    formulas_one,
    graph,
    graph_card,
    library,
    library_documents,
    library_jobs,
    query,
    review,
    source,
)

ROUTERS = (
    ask.router, ask_plan.router, ask_export.router, source.router, library.router, library_documents.router,
    library_jobs.router, formulas.router, formulas_one.router, formulas_edit.router, constants.router, review.router,
    graph.router, graph_card.router, query.router, evaluation_question.router, evaluation.router, api_docs.router,
)  # fmt: skip


def install(app: FastAPI) -> None:
    """Add them all; none is part of the documented API."""
    for router in ROUTERS:
        app.include_router(router, include_in_schema=False)
