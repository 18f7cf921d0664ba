"""`/api/v1/documents`: what was read, what it gave, its pages and passages, and taking it out again."""

from __future__ import annotations

import contextlib
import math
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Literal

import anyio
from fastapi import APIRouter, Query, Request
from fastapi import Path as InPath
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from mathrag.errors import LibraryError
from mathrag.library.views.entries import document_object, failure_object
from mathrag.library.views.pages import part_object
from mathrag.library.views.sources import marked_page, passage_of
from mathrag.serve.api.entries import Described, DocumentId, Limit, Listed, Offset, listed, one_document
from mathrag.serve.jobs.uploads import is_upload
from mathrag.serve.problems import PROBLEMS, ProblemError
from mathrag.serve.replies import JsonReply
from mathrag.serve.state import ServeState, state_of
from mathrag.types.document import Place
from mathrag.types.library import Span

router = APIRouter(prefix="/documents", tags=["documents"], responses=PROBLEMS)
PageNumber = Annotated[int, InPath(ge=1, le=100_000, description="The number of a page, from 1.")]


class DocumentObject(Described):
    """A document and what it gave."""

    id: str = Field(description="Its id.")
    name: str = Field(description="The name of its file.")
    title: str = Field(description="Its title; may be empty.")
    media_type: str = Field(description="What it is.")
    bytes: int = Field(description="How large it is.")
    origin: str = Field(description="`upload` for a file that a client sent, else `file`.")
    modified: str = Field(description="When its file was last changed; may be empty.")
    ingested_at: str = Field(description="When it was read.")
    trust: str | None = Field(description="How people marked it: `trusted`, `untrusted`, or null.")
    counts: dict[str, int] = Field(description="How many formulas, constants and so on it gave.")


class DocumentList(Listed):
    """A page of documents, and the files that could not be read."""

    items: list[DocumentObject] = Field(description="The documents.")
    failures: list[dict[str, Any]] = Field(description="Files that could not be read, with the reason.")


class PassageObject(Described):
    """A piece of a document's text."""

    text: str = Field(description="The text of the passage.")
    start: int = Field(description="Where the quote begins in it.")
    end: int = Field(description="Where it ends; equal to `start` where it was not found.")


@router.get("", summary="List documents", response_model=DocumentList)
def list_documents(request: Request, limit: Limit = 50, offset: Offset = 0) -> Response:
    """Every document with its counts, and the files that could not be read."""
    return JsonReply(documents_page(state_of(request), limit=limit, offset=offset))


def documents_page(state: ServeState, *, limit: int, offset: int) -> dict[str, Any]:
    """A page of documents as data."""
    library = state.library
    documents, counts = library.documents(), library.counts()
    shown = [document_object(info, counts.get(info.id)) for info in documents[offset : offset + limit]]
    failures = [failure_object(failure) for failure in library.failures()[:200]]
    return {**listed(shown, len(documents), limit=limit, offset=offset), "failures": failures}


@router.get("/{document}", summary="One document", response_model=DocumentObject)
def get_document(request: Request, document: DocumentId) -> Response:
    """A document with its counts and notes."""
    library = state_of(request).library
    info = one_document(library, document)
    return JsonReply(document_object(info, library.counts().get(info.id)))


class TrustChange(BaseModel):
    """How far a document is to be trusted."""

    model_config = ConfigDict(extra="forbid")
    trust: Literal["trusted", "untrusted"] | None = Field(description="The mark; null takes it away.")


@router.put("/{document}/trust", summary="Trust a document or not", response_model=DocumentObject)
def trust_document(request: Request, document: DocumentId, change: TrustChange) -> Response:
    """Mark a document as trusted or untrusted. The mark stays when it is read again."""
    library = state_of(request).library
    info = library.trust(one_document(library, document).id, change.trust)
    return JsonReply(document_object(info, library.counts().get(info.id)))


@router.delete("/{document}", summary="Take a document out", response_model=DocumentObject)
def remove_document(request: Request, document: DocumentId) -> Response:
    """Take a document, and what only it supported, out of the library. An uploaded file is deleted."""
    return JsonReply(removed(state_of(request), document))


def removed(state: ServeState, identifier: str) -> dict[str, Any]:
    """The document that was taken out, as data."""
    info = one_document(state.library, identifier)
    counts = state.library.counts().get(info.id)
    state.library.remove(info.id)
    if is_upload(state.library.folder, info.key):
        with contextlib.suppress(OSError):
            Path(info.key).unlink()
    return document_object(info, counts)


@router.get("/{document}/passage", summary="A passage", response_model=PassageObject)
def get_passage(
    request: Request,
    document: DocumentId,
    quote: Annotated[str, Query(max_length=4_000, description="The words to find in it.")] = "",
    line: Annotated[int | None, Query(ge=1, le=10_000_000, description="The line it stands in.")] = None,
    page: Annotated[int | None, Query(ge=1, le=100_000, description="The page it stands on.")] = None,
    file: Annotated[str, Query(max_length=500, description="The part of a project it stands in.")] = "",
) -> Response:
    """The piece of a document's text around a place, with the place of a quote in it."""
    library = state_of(request).library
    info = one_document(library, document)
    return JsonReply(asdict(passage_of(library, Span(info.id, Place(line=line, page=page, file=file), quote))))


@router.get("/{document}/pages/{number}", summary="What stands on a page", response_model=Described)
def get_page(request: Request, document: DocumentId, number: PageNumber) -> Response:
    """Everything that was found on a page, each part with its box, in points."""
    library = state_of(request).library
    info = one_document(library, document)
    try:
        found = library.page(info.id, number)
    except LibraryError as error:
        raise ProblemError(404, str(error)) from error
    parts = [part_object(part) for part in found.parts]
    made = {"document": info.id, "number": number, "width": found.width, "height": found.height, "parts": parts}
    return JsonReply(made)


@router.get(
    "/{document}/pages/{number}/picture",
    summary="A page as a picture",
    response_class=Response,
    responses={200: {"content": {"image/png": {"schema": {"type": "string", "format": "binary"}}}}},
)
async def get_picture(
    request: Request,
    document: DocumentId,
    number: PageNumber,
    box: Annotated[
        str | None, Query(max_length=100, description="Left, top, right, bottom in points: mark only this place.")
    ] = None,
    scale: Annotated[float, Query(ge=0.5, le=4, description="Pixels a point.")] = 2.0,
) -> Response:
    """A page of a PDF file as PNG, with a box around one place or around everything found."""
    state = state_of(request)
    info = await anyio.to_thread.run_sync(one_document, state.library, document)
    sides = _box(box)
    key = (info.hash, number, sides, scale)
    picture = state.pictures.get(key)
    if picture is None:

        def draw() -> bytes:
            return marked_page(state.library, info.id, number, box=sides, scale=scale)

        try:
            picture = await anyio.to_thread.run_sync(draw, limiter=state.heavy)
        except LibraryError as error:
            # Where the file lies on this machine is nobody's business.
            raise ProblemError(404, str(error).replace(info.key, info.name)) from error
        state.pictures.put(key, picture)
    return Response(picture, media_type="image/png", headers={"Cache-Control": "private, max-age=3600"})


def _box(text: str | None) -> tuple[float, float, float, float] | None:
    if text is None:
        return None
    try:
        left, top, right, bottom = (float(side) for side in text.split(","))
    except ValueError:
        raise ProblemError(422, "a box is four numbers with commas: left, top, right, bottom") from None
    if not all(math.isfinite(side) and abs(side) < 100_000 for side in (left, top, right, bottom)):
        raise ProblemError(422, "a box lies on the page")
    return left, top, right, bottom
