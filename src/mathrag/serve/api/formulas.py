"""`/api/v1/formulas`: lists with facets, one formula, its relations, places, examples and corrections."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi import Path as InPath
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from mathrag.library.views.entries import (
    correction_object,
    formula_object,
    instance_object,
    relation_object,
    span_object,
)
from mathrag.library.views.lists import FormulaFilter, browse_formulas, document_names, labels_of
from mathrag.library.views.sources import passage_of
from mathrag.serve.api.entries import Described, FormulaId, Limit, Listed, Offset, Words, listed, one_formula
from mathrag.serve.problems import PROBLEMS, ProblemError
from mathrag.serve.replies import JsonReply
from mathrag.serve.state import ServeState, state_of
from mathrag.types.library import Status

router = APIRouter(prefix="/formulas", tags=["formulas"], responses=PROBLEMS)


class FacetValue(BaseModel):
    """A value to narrow a list down by."""

    value: str = Field(description="What to send as the parameter of the facet's name.")
    label: str = Field(description="What people are shown.")
    count: int = Field(description="How many formulas have it.")


class FormulaRow(Described):
    """A formula in a list."""

    id: str = Field(description="Its id.")
    label: str = Field(description="Its name; may be empty.")
    latex: str = Field(description="The formula as its document writes it, or as a person corrected it.")
    mathml: str | None = Field(description="The same as MathML, where it was understood.")
    status: str = Field(description="`executable`, `declined` or `quarantined`.")
    target: str | None = Field(description="The symbol that stands alone on the left, where one does.")
    target_kind: str | None = Field(description="The kind of quantity that it gives.")


class FormulaList(Listed):
    """A page of formulas and what the list can be narrowed down by."""

    items: list[FormulaRow] = Field(description="The formulas.")
    facets: dict[str, list[FacetValue]] = Field(description="By `status`, `document`, `field`, `kind` and `reason`.")


class FormulaObject(FormulaRow):
    """A whole formula."""

    target_kind: str | None = Field(None, description="The kind of quantity that it gives.")
    symbols: list[dict[str, Any]] = Field(description="What its symbols stand for.")
    places: list[dict[str, Any]] = Field(description="Where it was found.")
    corrections: list[dict[str, Any]] = Field(description="What people corrected.")


class Change(BaseModel):
    """One field and its new value."""

    model_config = ConfigDict(extra="forbid")
    field: str = Field(
        max_length=300,
        description="`label`, `description`, `intent`, `status`, `latex` (the formula itself), or `symbol.NAME.unit` "
        "(description, kind, role).",
    )
    value: str = Field(max_length=4_000, description="The new value.")


class Edit(BaseModel):
    """A correction by a person."""

    model_config = ConfigDict(extra="forbid")
    changes: list[Change] = Field(min_length=1, max_length=50, description="What to change.")
    author: str = Field("web", min_length=1, max_length=100, description="Who says so.")
    note: str = Field("", max_length=1_000, description="Why.")


class Items(Described):
    """A whole list, short by nature."""

    items: list[dict[str, Any]] = Field(description="The entries.")


@router.get("", summary="List formulas", response_model=FormulaList)
def list_formulas(
    request: Request,
    q: Words = "",
    status: Annotated[Status | None, Query(description="Only of this status.")] = None,
    document: Annotated[str | None, Query(max_length=40, description="Only of this document, by its id.")] = None,
    kind: Annotated[
        str | None, Query(max_length=100, description="Only those that give this kind of quantity.")
    ] = None,
    reason: Annotated[str | None, Query(max_length=100, description="Only those set aside for this reason.")] = None,
    field: Annotated[str | None, Query(max_length=100, description="Only those of this field of knowledge.")] = None,
    limit: Limit = 50,
    offset: Offset = 0,
) -> Response:
    """Formulas by name, or best first where words are given, with facets to narrow the list down."""
    wanted = FormulaFilter(q, status, document, kind, reason, field)
    found = browse_formulas(state_of(request).library, wanted, limit=limit, offset=offset)
    facets = {name: [asdict(facet) for facet in values] for name, values in found.facets.items()}
    return JsonReply({**listed(list(found.rows), found.total, limit=limit, offset=offset), "facets": facets})


@router.get("/{formula}", summary="One formula", response_model=FormulaObject)
def get_formula(request: Request, formula: FormulaId) -> Response:
    """Everything known about a formula."""
    return JsonReply(whole_formula(state_of(request), formula))


def whole_formula(state: ServeState, identifier: str) -> dict[str, Any]:
    """A formula as data, with its corrections numbered."""
    library = state.library
    found = one_formula(library, identifier)
    return formula_object(found, document_names(library), corrections=library.corrections(found.id))


@router.get("/{formula}/relations", summary="What it hangs together with", response_model=Items)
def get_relations(request: Request, formula: FormulaId) -> Response:
    """The relations from and to a formula, strongest first."""
    return JsonReply({"items": relations_of(state_of(request), formula)})


def relations_of(state: ServeState, identifier: str) -> list[dict[str, Any]]:
    """The relations of a formula as data."""
    found = state.library.relations(one_formula(state.library, identifier).id)[:500]
    labels = labels_of(state.library, (entry for one in found for entry in (one.source, one.target)))
    return [relation_object(one, labels) for one in found]


@router.get("/{formula}/instances", summary="Worked examples", response_model=Items)
def get_instances(request: Request, formula: FormulaId) -> Response:
    """Values that documents put into the formula, and whether it gives what they say."""
    library = state_of(request).library
    names = document_names(library)
    return JsonReply({"items": [instance_object(one, names) for one in one_formula(library, formula).instances]})


@router.get("/{formula}/source", summary="Where it stands", response_model=Described)
def get_source(
    request: Request,
    formula: FormulaId,
    place: Annotated[int, Query(ge=0, le=10_000, description="Which of its places, from 0.")] = 0,
) -> Response:
    """The passage that a formula was read from, with the place of the quote; for paged formats also the page."""
    return JsonReply(source_of(state_of(request), formula, place))


def source_of(state: ServeState, identifier: str, place: int) -> dict[str, Any]:
    """A place of a formula as data: `passage` with `start` and `end` of the quote, `picture` for a page."""
    found = one_formula(state.library, identifier)
    if place >= len(found.spans):
        raise ProblemError(404, f"the formula was found in {len(found.spans)} places; count them from 0")
    span = found.spans[place]
    picture = None
    if span.place.page is not None and span.place.box is not None:
        box = ",".join(f"{side:.2f}" for side in span.place.box)
        picture = f"/api/v1/documents/{span.document}/pages/{span.place.page}/picture?box={box}"
    return {
        "formula": found.id,
        "label": found.label,
        "place": span_object(span, document_names(state.library)),
        "places": len(found.spans),
        "passage": asdict(passage_of(state.library, span)),
        "picture": picture,
    }


@router.get("/{formula}/corrections", summary="Its history", response_model=Items)
def get_corrections(request: Request, formula: FormulaId) -> Response:
    """What people corrected, oldest first; the number takes a correction back."""
    library = state_of(request).library
    found = library.corrections(one_formula(library, formula).id)
    return JsonReply({"items": [correction_object(number, one) for number, one in found]})


@router.patch("/{formula}", summary="Correct it", response_model=FormulaObject)
def edit_formula(request: Request, formula: FormulaId, edit: Edit) -> Response:
    """Correct a formula. Corrections are kept apart from what was read, and can be taken back. Its id may change."""
    state = state_of(request)
    found = one_formula(state.library, formula)
    changes = [(change.field, change.value) for change in edit.changes]
    changed, _ = state.library.edit(found.id, changes, author=edit.author, note=edit.note)
    return JsonReply(whole_formula(state, changed.id))


@router.delete("/{formula}/corrections/{number}", summary="Take a correction back", response_model=Items)
def undo_correction(
    request: Request, formula: FormulaId, number: Annotated[int, InPath(ge=1, le=2**31, description="Which one.")]
) -> Response:
    """Take a correction back; the list of those that are left."""
    library = state_of(request).library
    found = one_formula(library, formula)
    if number not in [known for known, _ in library.corrections(found.id)]:
        raise ProblemError(404, f"the formula has no correction {number}")
    library.undo(number)
    left = library.corrections(found.id)
    return JsonReply({"items": [correction_object(known, one) for known, one in left]})
