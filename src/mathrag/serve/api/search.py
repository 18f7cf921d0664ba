"""`/api/v1/search`: formulas, constants, concepts and passages that fit some words."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from mathrag.library.views.entries import span_object
from mathrag.library.views.lists import document_names
from mathrag.library.views.mathml import mathml_of_latex
from mathrag.serve.api.entries import Described
from mathrag.serve.problems import PROBLEMS, ProblemError
from mathrag.serve.replies import JsonReply
from mathrag.serve.state import state_of

router = APIRouter(prefix="/search", tags=["search"], responses=PROBLEMS)
_TAKEN = ("q", "kind", "limit")


class Hit(Described):
    """Something that fits."""

    kind: str = Field(description="`formula`, `constant`, `concept` or `text`.")
    id: str = Field(description="The id of the entry; for text, of the passage.")
    label: str = Field(description="What it is called.")
    text: str = Field(
        description="The formula in LaTeX, the constant with its value, what the concept is, or the passage."
    )
    score: float = Field(description="How well it fits; only good for comparing.")


class Hits(BaseModel):
    """What fits, best first."""

    items: list[Hit] = Field(description="The hits.")


@router.get("", summary="Search the library", response_model=Hits)
def search(
    request: Request,
    q: Annotated[str, Query(min_length=1, max_length=500, description="The words.")],
    kind: Annotated[
        list[Literal["formula", "constant", "concept", "text"]] | None,
        Query(max_length=4, description="Only these kinds; all without."),
    ] = None,
    limit: Annotated[int, Query(ge=1, le=100, description="How many hits to give.")] = 20,
) -> Response:
    """Formulas, constants, concepts and passages by words and by meaning, best first; what is called exactly so comes
    before.

    Only the best `limit` hits are given: everything means something like anything, so there is no `total`, and no
    `offset` to go on with. Lists of formulas and constants with `q` have both.
    """
    for name in request.query_params:
        if name not in _TAKEN:
            raise ProblemError(
                422,
                f"a search takes {', '.join(_TAKEN)} and no {name[:40]!r}; it gives its best hits, at most 100: raise "
                "`limit`, or go through /api/v1/formulas?q=… with `offset`",
                code="invalid",
            )
    library = state_of(request).library
    names = document_names(library)
    hits = library.search(q, kinds=tuple(dict.fromkeys(kind or ())), limit=limit)
    items = [
        {
            "kind": hit.kind,
            "id": hit.id,
            "label": hit.label,
            "text": hit.text[:4_000],
            "mathml": mathml_of_latex(hit.text) if hit.kind == "formula" else None,
            "score": hit.score,
            "found_by": list(hit.found_by),
            "place": None if hit.span is None else {**span_object(hit.span, names), "quote": hit.span.quote[:1_000]},
        }
        for hit in hits
    ]
    return JsonReply({"items": items})
