"""What needs a person: formulas that were set aside, entries that cannot all be right; with the ways to mend them."""

from __future__ import annotations

from typing import Any

import anyio
from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from mathrag.library.views.lists import FormulaFilter, browse_formulas
from mathrag.serve.api.entries import one_formula
from mathrag.serve.api.library import conflicts_page
from mathrag.serve.pages.library import PAGE, field, linked, offset, pager, word
from mathrag.serve.pages.page_reply import checked_form, page
from mathrag.serve.problems import ProblemError
from mathrag.serve.state import ServeState, state_of

router = APIRouter()
_KINDS = {
    "constant_value": "One constant, several values",
    "formula_name": "One name, several formulas",
    "instance": "A worked example that comes out otherwise",
    "symbol_meaning": "One symbol, several meanings",
}
# So many decisions can be taken back here; earlier ones on the pages of their formulas.
_MOST_DECIDED = 20
_VIEWS = ("quarantined", "conflicts")


@router.get("/review")
@router.get("/review.json")
def show(request: Request) -> Response:
    """What was set aside, or what is in conflict."""
    state = state_of(request)
    view = word(request, "view")
    # Looking for conflicts goes through the whole library: only whoever wants to see them waits for it.
    known = state.conflicts() if view == "conflicts" else state.conflicts_at_hand()
    quarantined = browse_formulas(state.library, FormulaFilter(status="quarantined"), limit=1, with_facets=False).total
    if view not in _VIEWS:
        view = "conflicts" if known and not quarantined else "quarantined"
    data = {
        "view": view,
        "counts": {"quarantined": quarantined, "conflicts": None if known is None else len(known)},
        "decided": _decided(state),
        "set_aside": [
            {"code": code, "label": code.replace("_", " "), "count": count}
            for code, count in sorted(state.library.set_aside().items(), key=lambda each: -each[1])
        ],
    }
    data |= _quarantined(request, state) if view == "quarantined" else _conflicts(request, state)
    return page(request, "library/review.html", data)


@router.post("/review/status")
async def change_status(request: Request) -> Response:
    """Trust a formula as it is, or set it aside."""
    state = state_of(request)
    form = await checked_form(request)
    identifier, status = field(form, "formula", longest=40), field(form, "status", longest=20)
    view = "conflicts" if field(form, "view", longest=20) == "conflicts" else "quarantined"
    if status not in ("executable", "quarantined"):
        raise ProblemError(422, "a formula is trusted or set aside; say which")

    def work() -> None:
        found = one_formula(state.library, identifier)
        if found.status != status:
            state.library.edit(found.id, [("status", status)], author="web", note="on the review page")

    await anyio.to_thread.run_sync(work)
    return RedirectResponse(f"/review?view={view}", 303)


@router.post("/review/undo")
async def undo(request: Request) -> Response:
    """Take back that a formula was trusted or set aside."""
    state = state_of(request)
    form = await checked_form(request)
    number = field(form, "number", longest=12)
    view = "conflicts" if field(form, "view", longest=20) == "conflicts" else "quarantined"

    def work() -> None:
        known = {str(each): one for each, one in state.library.corrections()}
        if number not in known or known[number].field != "status":
            raise ProblemError(404, "there is nothing to take back; it may have been taken back already")
        state.library.undo(int(number))

    await anyio.to_thread.run_sync(work)
    return RedirectResponse(f"/review?view={view}", 303)


def _decided(state: ServeState) -> list[dict[str, Any]]:
    """What people decided on formulas, the last first, each to be taken back."""
    made = [(number, one) for number, one in state.library.corrections() if one.field == "status"]
    shown = []
    for number, one in sorted(made, reverse=True, key=lambda each: each[0])[:_MOST_DECIDED]:
        formula = next((each for each in state.library.find_formulas(one.formula) if each.id == one.formula), None)
        shown.append(
            {
                "number": number,
                "formula": None if formula is None else formula.id,
                "label": "" if formula is None else formula.label,
                "words": "trusted as it is" if one.value == "executable" else "set aside",
                "author": one.author,
            }
        )
    return shown


def _quarantined(request: Request, state: ServeState) -> dict[str, Any]:
    start, reason = offset(request), word(request, "reason", longest=100) or None
    wanted = FormulaFilter(status="quarantined", reason=reason)
    found = browse_formulas(state.library, wanted, limit=PAGE, offset=start, with_facets=False)
    return {"items": list(found.rows), "reason": reason, **pager(request, found.total, start=start)}


def _conflicts(request: Request, state: ServeState) -> dict[str, Any]:
    start = offset(request)
    found = conflicts_page(state, limit=PAGE, offset=start)
    items = [
        {
            **one,
            "kind_words": _KINDS.get(one["kind"], one["kind"]),
            "places": linked(one["places"]),
            "entries": [_entry(state, entry) for entry in one["entries"]],
        }
        for one in found["items"]
    ]
    return {"items": items, "reason": None, **pager(request, found["total"], start=start)}


def _entry(state: ServeState, entry: dict[str, Any]) -> dict[str, Any]:
    """An entry of a conflict with what tells it from the others."""
    identifier = entry["id"]
    if identifier.startswith("c-"):
        constant = next((one for one in state.library.find_constants(identifier) if one.id == identifier), None)
        value = "" if constant is None else f"{constant.value}"
        unit = "" if constant is None else constant.unit
        return {**entry, "sort": "constant", "value": value, "unit": unit, "href": f"/constants/{identifier}"}
    formula = next((one for one in state.library.find_formulas(identifier) if one.id == identifier), None)
    return {
        **entry,
        "sort": "formula",
        "latex": "" if formula is None else formula.latex,
        "status": "" if formula is None else formula.status,
        "href": f"/formulas/{identifier}",
    }
