"""The constants of the library: a list to search, and a page for each with its places and the formulas that use it."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from mathrag.library.views.entries import conflict_object, constant_object
from mathrag.library.views.lists import browse_constants, document_names
from mathrag.serve.api.entries import one_constant
from mathrag.serve.pages.formulas import relation_groups
from mathrag.serve.pages.library import PAGE, linked, offset, pager, word
from mathrag.serve.pages.page_reply import page
from mathrag.serve.state import ServeState, state_of

router = APIRouter()


@router.get("/constants")
@router.get("/constants.json")
def show_all(request: Request) -> Response:
    """Constants by name, or best first where words are given."""
    library = state_of(request).library
    words, start = word(request, "q"), offset(request)
    document = word(request, "document", longest=40) or None
    ids, total = browse_constants(library, words=words, document=document, limit=PAGE, offset=start)
    names = document_names(library)
    found = [constant_object(one, names) for each in ids for one in library.find_constants(each) if one.id == each]
    items = [{**one, "places": linked(one["places"][:3])} for one in found]
    data = {"words": words, "items": items, **pager(request, total, start=start)}
    return page(request, "library/constants.html", data)


@router.get("/constants/{constant}")
@router.get("/constants/{constant}.json")
def show(request: Request, constant: str) -> Response:
    """One constant."""
    return page(request, "library/constant.html", _data(state_of(request), constant))


def _data(state: ServeState, identifier: str) -> dict[str, Any]:
    found = one_constant(state.library, identifier)
    names = document_names(state.library)
    made = constant_object(found, names)
    known = state.conflicts_at_hand()
    conflicts = [one for one in known or () if found.id in one.entries]
    return {
        "constant": {**made, "places": linked(made["places"])},
        "relations": relation_groups(state, found.id),
        "conflicts": [conflict_object(one, names, {}) for one in conflicts],
        "conflicts_pending": known is None,
    }
