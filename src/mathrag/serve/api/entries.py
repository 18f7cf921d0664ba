"""What the routers of the API share: entries by their ids, or the problem that there is none; and lists in pages. The
one place where the API says 404 about entries."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Path, Query
from pydantic import BaseModel, ConfigDict, Field

from mathrag.library import DocumentInfo, Library
from mathrag.serve.problems import ProblemError
from mathrag.types.library import Constant, Formula


def one_formula(library: Library, identifier: str) -> Formula:
    """The formula of an id."""
    found = [formula for formula in library.find_formulas(identifier) if formula.id == identifier]
    if not found:
        raise ProblemError(404, f"the library has no formula {identifier}; it may have another id since it was edited")
    return found[0]


def one_constant(library: Library, identifier: str) -> Constant:
    """The constant of an id."""
    found = [constant for constant in library.find_constants(identifier) if constant.id == identifier]
    if not found:
        raise ProblemError(404, f"the library has no constant {identifier}")
    return found[0]


def one_document(library: Library, identifier: str) -> DocumentInfo:
    """The document of an id."""
    found = [document for document in library.find_documents(identifier) if document.id == identifier]
    if not found:
        raise ProblemError(404, f"the library has no document {identifier}")
    return found[0]


# Lists in pages: how many, from where, how many there are. The same for every list of the API.

Limit = Annotated[int, Query(ge=1, le=200, description="How many entries to give.")]
Offset = Annotated[int, Query(ge=0, le=1_000_000, description="How many entries to pass over.")]
Words = Annotated[str, Query(max_length=500, description="Words to search by; best first.")]
FormulaId = Annotated[str, Path(pattern=r"^f-[0-9a-f]{12}$", description="The id of a formula, as lists give it.")]
ConstantId = Annotated[str, Path(pattern=r"^c-[0-9a-f]{12}$", description="The id of a constant.")]
DocumentId = Annotated[str, Path(pattern=r"^d-[0-9a-f]{12}$", description="The id of a document.")]
JobId = Annotated[str, Path(pattern=r"^j-[0-9a-f]{16}$", description="The id of a job.")]


class Described(BaseModel):
    """An object of the API. Further fields may come with later versions."""

    model_config = ConfigDict(extra="allow")


class Listed(Described):
    """A page of a list."""

    total: int = Field(description="How many entries there are in all.")
    limit: int = Field(description="How many were asked for.")
    offset: int = Field(description="How many were passed over.")


def listed(items: list[Any], total: int, *, limit: int, offset: int) -> dict[str, Any]:
    """A page as data."""
    return {"items": items, "total": total, "limit": limit, "offset": offset}
