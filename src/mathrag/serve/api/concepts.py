"""`/api/v1/concepts`: the concepts of mathematics that dictionaries of the library define."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from pydantic import Field
from starlette.responses import Response

from mathrag.library import Library
from mathrag.library.views.concepts import (
    NOT_PROVED,
    browse_concepts,
    concept_object,
    concept_summary,
    formulas_using,
    seen_with,
)
from mathrag.library.views.lists import document_names
from mathrag.serve.api.entries import Described, Limit, Listed, Offset, Words, listed
from mathrag.serve.problems import PROBLEMS, ProblemError
from mathrag.serve.replies import JsonReply
from mathrag.serve.state import state_of

router = APIRouter(prefix="/concepts", tags=["concepts"], responses=PROBLEMS)
ConceptName = Annotated[
    str, Path(min_length=1, max_length=400, description="Its name such as `arith1:gcd`, or its symbol alone.")
]


class ConceptSummary(Described):
    """A concept in a list."""

    id: str = Field(description="Its id in this library.")
    name: str = Field(description="Dictionary and symbol, such as `arith1:gcd`.")
    description: str = Field(description="What it is.")
    signature: str = Field(description="Its type in plain notation; empty where no file of signatures gives it.")


class ConceptObject(ConceptSummary):
    """A concept with what is stated of it."""

    properties: list[dict[str, Any]] = Field(
        description="What its dictionary states, in words (`stated`) or as a formula (`formal`); a formula has a "
        "`check`: it holds at points, fails at one that is given, or could not be tried, and why."
    )
    examples: list[dict[str, Any]] = Field(description="Examples of the dictionary.")
    note: str = Field(description="What a check is worth.")


class ConceptList(Listed):
    """A page of concepts."""

    items: list[ConceptSummary] = Field(description="The concepts.")


@router.get("", summary="List concepts", response_model=ConceptList)
def list_concepts(
    request: Request,
    q: Words = "",
    dictionary: Annotated[str | None, Query(max_length=200, description="Only of this dictionary.")] = None,
    limit: Limit = 50,
    offset: Offset = 0,
) -> Response:
    """Concepts by name, or best first where words are given."""
    library = state_of(request).library
    found, total = browse_concepts(library, words=q, dictionary=dictionary, limit=limit, offset=offset)
    return JsonReply(listed([concept_summary(one) for one in found], total, limit=limit, offset=offset))


@router.get("/{concept}", summary="One concept", response_model=ConceptObject)
def get_concept(request: Request, concept: ConceptName) -> Response:
    """A concept, what is stated of it and what trying that gave, and formulas of the library that use it."""
    return JsonReply(concept_data(state_of(request).library, concept))


def concept_data(library: Library, name: str) -> dict[str, Any]:
    """A concept with the formulas that use it, or the problem that there is none."""
    found = library.find_concepts(name)
    if not found:
        raise ProblemError(404, f"the library has no concept {name[:100]!r}; search for it, or read a dictionary")
    formulas, count = formulas_using(library, found[0].concept.name)
    return {
        **concept_object(found[0], document_names(library)),
        "seen_with": seen_with(library, found[0]),
        "others": [concept_summary(one) for one in found[1:20]],
        "formulas": formulas,
        "formula_count": count,
        "note": NOT_PROVED,
    }
