"""`/api/v1/constants`: the constants that documents state."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import Field
from starlette.responses import Response

from mathrag.library.views.entries import constant_object, relation_object
from mathrag.library.views.lists import browse_constants, document_names, labels_of
from mathrag.serve.api.entries import ConstantId, Described, Limit, Listed, Offset, Words, listed, one_constant
from mathrag.serve.problems import PROBLEMS
from mathrag.serve.replies import JsonReply
from mathrag.serve.state import state_of

router = APIRouter(prefix="/constants", tags=["constants"], responses=PROBLEMS)


class ConstantObject(Described):
    """A constant with where it is stated."""

    id: str = Field(description="Its id.")
    symbol: str = Field(description="Its symbol.")
    name: str = Field(description="Its name.")
    value: str = Field(description="Its value with the digits that are written, as text.")
    unit: str = Field(description="Its unit, in canonical text.")
    places: list[dict[str, Any]] = Field(description="Where it is stated.")


class ConstantList(Listed):
    """A page of constants."""

    items: list[ConstantObject] = Field(description="The constants.")


@router.get("", summary="List constants", response_model=ConstantList)
def list_constants(
    request: Request,
    q: Words = "",
    document: Annotated[str | None, Query(max_length=40, description="Only of this document, by its id.")] = None,
    limit: Limit = 50,
    offset: Offset = 0,
) -> Response:
    """Constants by name, or best first where words are given."""
    library = state_of(request).library
    ids, total = browse_constants(library, words=q, document=document, limit=limit, offset=offset)
    names = document_names(library)
    found = [constant_object(one, names) for each in ids for one in library.find_constants(each) if one.id == each]
    return JsonReply(listed(found, total, limit=limit, offset=offset))


@router.get("/{constant}", summary="One constant", response_model=ConstantObject)
def get_constant(request: Request, constant: ConstantId) -> Response:
    """A constant, and the formulas that use it."""
    library = state_of(request).library
    found = one_constant(library, constant)
    relations = library.relations(found.id)[:500]
    labels = labels_of(library, (entry for one in relations for entry in (one.source, one.target)))
    used = [relation_object(one, labels) for one in relations]
    return JsonReply({**constant_object(found, document_names(library)), "relations": used})
