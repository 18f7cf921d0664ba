"""The list of formulas: searched by words, narrowed down by facets, a part at a time."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, cast

from fastapi import APIRouter, Request
from starlette.responses import Response

from mathrag.library.browsing import FACETS, FormulaFilter, browse_formulas
from mathrag.serve.pages.library_query import PAGE, address, offset, pager, word
from mathrag.serve.pages.rendering import page
from mathrag.serve.state import state_of
from mathrag.types.library import STATUSES, Status

router = APIRouter()
_NAMES = {
    "status": "Status",
    "document": "Document",
    "field": "Field",
    "kind": "Gives",
    "reason": "Set aside because of",
}


@router.get("/formulas")
@router.get("/formulas.json")
def show(request: Request) -> Response:
    """Formulas with facets."""
    words, start = word(request, "q"), offset(request)
    chosen = {name: word(request, name, longest=100) or None for name in FACETS}
    if chosen["status"] not in STATUSES:
        chosen["status"] = None
    wanted = FormulaFilter(
        words, cast("Status | None", chosen["status"]), chosen["document"], chosen["kind"], chosen["reason"],
        chosen["field"],
    )  # fmt: skip
    found = browse_formulas(state_of(request).library, wanted, limit=PAGE, offset=start)
    facets = [
        _facet(request, name, chosen[name], [asdict(value) for value in found.facets.get(name, ())]) for name in FACETS
    ]
    data = {
        "words": words,
        "chosen": {name: value for name, value in chosen.items() if value},
        "items": list(found.rows),
        **pager(request, found.total, start=start),
        "facets": [facet for facet in facets if facet["values"]],
        "everything": "/formulas",
    }
    return page(request, "library/formulas.html", data)


def _facet(request: Request, name: str, chosen: str | None, values: list[dict[str, Any]]) -> dict[str, Any]:
    """The values to narrow down by, each with the address that does it, or takes it back."""
    made = [
        {
            **value,
            "is_chosen": value["value"] == chosen,
            "href": address(request, **{name: None if value["value"] == chosen else value["value"]}),
        }
        for value in values
    ]
    if chosen is not None and all(not value["is_chosen"] for value in made):
        lost = {"value": chosen, "label": chosen, "count": 0, "is_chosen": True}
        made.insert(0, {**lost, "href": address(request, **{name: None})})
    return {"name": name, "label": _NAMES[name], "values": made, "chosen": chosen}
