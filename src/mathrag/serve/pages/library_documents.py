"""The page of one document: what it is, what it gave, what its reader noted; and the question whether to remove it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from mathrag.library.browsing import FormulaFilter, browse_constants, browse_formulas, document_names
from mathrag.library.entry_objects import constant_object, document_object
from mathrag.serve.api.finding import one_document
from mathrag.serve.jobs.uploads import is_upload
from mathrag.serve.pages.library import document_state
from mathrag.serve.pages.library_query import PAGE, linked, offset, pager
from mathrag.serve.pages.rendering import page
from mathrag.serve.state import ServeState, state_of

router = APIRouter()
_MOST_CONSTANTS = 50
_MOST_NOTES = 100


@router.get("/library/documents/{document}")
@router.get("/library/documents/{document}.json")
def show(request: Request, document: str) -> Response:
    """A document with its formulas and constants."""
    state = state_of(request)
    return page(request, "library/document.html", _data(request, state, document))


@router.get("/library/documents/{document}/remove")
@router.get("/library/documents/{document}/remove.json")
def ask_to_remove(request: Request, document: str) -> Response:
    """What goes with a document, before it is removed."""
    state = state_of(request)
    shown = _document(state, document)
    alone = _only_here(state, document)
    return page(request, "library/remove.html", {"document": shown, "only_here": alone})


def _data(request: Request, state: ServeState, identifier: str) -> dict[str, Any]:
    library, start = state.library, offset(request)
    shown = _document(state, identifier)
    formulas = browse_formulas(library, FormulaFilter(document=identifier), limit=PAGE, offset=start, with_facets=False)
    ids, constant_total = browse_constants(library, document=identifier, limit=_MOST_CONSTANTS)
    names = document_names(library)
    constants = [constant_object(one, names) for each in ids for one in library.find_constants(each) if one.id == each]
    return {
        "document": shown,
        "formulas": {"items": list(formulas.rows), **pager(request, formulas.total, start=start)},
        "constants": {"items": [_with_links(one) for one in constants], "total": constant_total},
    }


def _with_links(constant: dict[str, Any]) -> dict[str, Any]:
    return {**constant, "places": linked(constant["places"][:5])}


def _document(state: ServeState, identifier: str) -> dict[str, Any]:
    info = one_document(state.library, identifier)
    made = document_object(info, state.library.counts().get(info.id))
    failure = next((one.reason for one in state.library.failures() if one.key == info.key), "")
    return {
        **made,
        "notes": made["notes"][:_MOST_NOTES],
        **document_state(made, failure),
        "is_upload": is_upload(state.library.folder, info.key),
        "is_there": Path(info.key).exists(),
    }


def _only_here(state: ServeState, document: str) -> int:
    """How many formulas no other document has."""
    with state.library.database.reading() as connection:
        row = connection.execute(
            "SELECT count(DISTINCT l.formula) FROM formula_findings l JOIN formulas f ON f.id = l.formula "
            "WHERE l.document = ? AND f.document_count = 1",
            (document,),
        ).fetchone()
    return int(row[0])
