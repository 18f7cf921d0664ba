"""Corrections of a formula by people: taken from the form of its page, and taken back again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import anyio
from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from mathrag.errors import LibraryError, UsageError
from mathrag.serve.api.finding import one_formula
from mathrag.serve.pages.formulas_edit_form import changes_of, edit_form, typed_values
from mathrag.serve.pages.formulas_one import formula_data
from mathrag.serve.pages.library_query import field
from mathrag.serve.pages.rendering import checked_form, page
from mathrag.serve.problems import ProblemError
from mathrag.serve.state import ServeState, state_of
from mathrag.types.library import Formula

router = APIRouter()
_AUTHOR = "web"


@router.post("/formulas/{formula}/edit")
async def edit(request: Request, formula: str) -> Response:
    """Correct a formula; a value that cannot be taken is said beside the form, and nothing is changed."""
    state = state_of(request)
    typed = typed_values(await checked_form(request))
    try:
        changed = await anyio.to_thread.run_sync(_edited, state, formula, typed)
    except (UsageError, LibraryError) as error:
        data = await anyio.to_thread.run_sync(_again, state, formula, typed)
        return page(request, "library/formula.html", {**data, "problem": str(error)}, status=422, has_twin=False)
    return RedirectResponse(f"/formulas/{changed.id}?said=saved", 303)


@router.post("/formulas/{formula}/undo")
async def undo(request: Request, formula: str) -> Response:
    """Take a correction back."""
    state = state_of(request)
    number = field(await checked_form(request), "number", longest=12)

    def work() -> str:
        found = one_formula(state.library, formula)
        known = {str(each) for each, _ in state.library.corrections(found.id)}
        if number not in known:
            raise ProblemError(404, "the formula has no such correction; it may have been taken back already")
        state.library.undo(int(number))
        return _now(state, found).id

    identifier = await anyio.to_thread.run_sync(work)
    return RedirectResponse(f"/formulas/{identifier}?said=undone", 303)


def _edited(state: ServeState, identifier: str, typed: Mapping[str, str]) -> Formula:
    found = one_formula(state.library, identifier)
    changes = changes_of(found, typed)
    if not changes:
        raise UsageError("nothing was changed: the fields are as they were")
    author = typed.get("author", "")[:100] or _AUTHOR
    changed, _ = state.library.edit(found.id, changes, author=author, note=typed.get("note", "")[:1_000])
    return changed


def _again(state: ServeState, identifier: str, typed: Mapping[str, str]) -> dict[str, Any]:
    """The page with what was typed still in the form."""
    data = formula_data(state, identifier)
    form = edit_form(one_formula(state.library, identifier), typed)
    return {**data, "edit": form, "is_editing": True, "said": ""}


def _now(state: ServeState, formula: Formula) -> Formula:
    """The formula as it now is; without a correction it may have its earlier id again."""
    same = [one for one in state.library.find_formulas(formula.id) if one.id == formula.id]
    return same[0] if same else next(one for one in state.library.formulas() if one.form == formula.form)
