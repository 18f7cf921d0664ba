"""What is said about a node of the picture beside it: the entry in short, and what it is joined to."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from mathrag.library.browsing import document_names
from mathrag.library.entry_objects import constant_object, document_object, formula_object
from mathrag.serve.api.finding import one_constant, one_document, one_formula
from mathrag.serve.pages.formulas_one import relation_groups
from mathrag.serve.pages.library_query import word
from mathrag.serve.pages.rendering import page
from mathrag.serve.problems import ProblemError
from mathrag.serve.state import ServeState, state_of

router = APIRouter()
_MOST_RELATED = 8


@router.get("/graph/card")
@router.get("/graph/card.json")
def show(request: Request) -> Response:
    """One formula, constant or document in short."""
    return page(request, "graph/card.html", _data(state_of(request), word(request, "id", longest=40)))


def _data(state: ServeState, identifier: str) -> dict[str, Any]:
    made: dict[str, Any] = {"id": identifier, "around": f"/graph?around={identifier}", "relations": []}
    names = document_names(state.library)
    match identifier[:2]:
        case "f-":
            formula = formula_object(one_formula(state.library, identifier), names)
            kept = ("label", "latex", "status", "reason", "description", "target", "symbols", "places")
            entry = {name: formula[name] for name in kept}
            entry["symbols"] = entry["symbols"][:12]
            made |= {"kind": "formula", "href": f"/formulas/{identifier}", "name": formula["label"] or formula["latex"]}
        case "c-":
            entry = constant_object(one_constant(state.library, identifier), names)
            made |= {"kind": "constant", "href": f"/constants/{identifier}", "name": entry["name"] or entry["symbol"]}
        case "d-":
            info = one_document(state.library, identifier)
            entry = document_object(info, state.library.counts().get(identifier))
            made |= {
                "kind": "document", "href": f"/library/documents/{identifier}", "name": entry["title"] or entry["name"],
            }  # fmt: skip
        case _:
            raise ProblemError(404, f"the library has no entry {identifier}")
    if made["kind"] != "document":
        entry["documents"] = list(dict.fromkeys(place["document_name"] for place in entry.pop("places")))[:5]
        made["relations"] = [
            {
                "says": group["says"],
                "items": group["items"][:_MOST_RELATED],
                "more": max(0, len(group["items"]) - _MOST_RELATED),
            }
            for group in relation_groups(state, identifier)
        ]
    return {**made, "entry": entry}
