"""`/api/v1/library`, `/conflicts` and `/quarantined`: what the library holds, and what in it needs a person."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from pydantic import Field
from starlette.responses import Response

from mathrag.library.views.entries import conflict_object
from mathrag.library.views.lists import FormulaFilter, browse_formulas, document_names, labels_of
from mathrag.serve.api.entries import Described, Limit, Listed, Offset, listed
from mathrag.serve.api.formulas import FormulaRow
from mathrag.serve.problems import PROBLEMS
from mathrag.serve.replies import JsonReply
from mathrag.serve.state import ServeState, state_of
from mathrag.version import __version__

router = APIRouter(tags=["library"], responses=PROBLEMS)


class LibraryObject(Described):
    """What the library holds."""

    name: str = Field(description="The name of its folder.")
    version: str = Field(description="The version of this program.")
    totals: dict[str, int] = Field(description="How many entries of each sort there are.")
    set_aside: dict[str, int] = Field(description="How many formulas cannot be computed with, by the reason's code.")


class ConflictList(Listed):
    """A page of conflicts."""

    items: list[dict[str, Any]] = Field(description="Entries that cannot all be right.")


class QuarantinedList(Listed):
    """A page of formulas that were set aside."""

    items: list[FormulaRow] = Field(description="The formulas, each with `reason` and `reason_code`.")


@router.get("/library", summary="What the library holds", response_model=LibraryObject)
def get_library(request: Request) -> Response:
    """Counts of everything."""
    library = state_of(request).library
    return JsonReply(
        {
            "name": library.folder.name,
            "version": __version__,
            "totals": library.totals(),
            "set_aside": library.set_aside(),
            "generation": library.database.generation,
        }
    )


@router.get("/conflicts", summary="What cannot all be right", response_model=ConflictList)
def get_conflicts(request: Request, limit: Limit = 50, offset: Offset = 0) -> Response:
    """Constants with two values, names with two formulas, examples that come out otherwise."""
    return JsonReply(conflicts_page(state_of(request), limit=limit, offset=offset))


def conflicts_page(state: ServeState, *, limit: int, offset: int) -> dict[str, Any]:
    """A page of conflicts as data."""
    found = state.conflicts()
    shown = found[offset : offset + limit]
    names = document_names(state.library)
    labels = labels_of(state.library, (entry for one in shown for entry in one.entries))
    return listed([conflict_object(one, names, labels) for one in shown], len(found), limit=limit, offset=offset)


@router.get("/quarantined", summary="What was set aside", response_model=QuarantinedList)
def get_quarantined(request: Request, limit: Limit = 50, offset: Offset = 0) -> Response:
    """Formulas that are not computed with until somebody looks at them, each with the reason."""
    wanted = FormulaFilter(status="quarantined")
    found = browse_formulas(state_of(request).library, wanted, limit=limit, offset=offset, with_facets=False)
    return JsonReply(listed(list(found.rows), found.total, limit=limit, offset=offset))
