"""The concepts of the library: a list to search, and a page for each with its properties and what trying these gave."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from mathrag.library.views.concepts import browse_concepts, concept_summary
from mathrag.serve.api.concepts import concept_data
from mathrag.serve.pages.library import PAGE, linked, offset, pager, word
from mathrag.serve.pages.page_reply import page
from mathrag.serve.state import state_of

router = APIRouter()


@router.get("/concepts")
@router.get("/concepts.json")
def show_all(request: Request) -> Response:
    """Concepts by name, or best first where words are given."""
    library = state_of(request).library
    words, start = word(request, "q"), offset(request)
    dictionary = word(request, "dictionary", longest=200) or None
    found, total = browse_concepts(library, words=words, dictionary=dictionary, limit=PAGE, offset=start)
    items = [concept_summary(one) for one in found]
    counts = library.concept_counts()
    data = {"words": words, "dictionary": dictionary or "", "counts": counts, "items": items}
    return page(request, "library/concepts.html", {**data, **pager(request, total, start=start)})


@router.get("/concepts/{concept}")
@router.get("/concepts/{concept}.json")
def show(request: Request, concept: str) -> Response:
    """One concept."""
    made = concept_data(state_of(request).library, concept)
    return page(request, "library/concept.html", {"concept": {**made, "place": linked([made["place"]])[0]}})
