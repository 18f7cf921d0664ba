"""`/api/v1/export`: the whole library in another format."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

import anyio
from fastapi import APIRouter, Query, Request
from starlette.responses import Response, StreamingResponse

from mathrag.serve.problems import PROBLEMS
from mathrag.serve.state import state_of

router = APIRouter(prefix="/export", tags=["export"], responses=PROBLEMS)
ExportFormat = Literal["turtle", "jsonld", "csv", "parquet", "latex", "markdown"]
_FORMS: dict[str, tuple[str, str]] = {
    "turtle": ("text/turtle", "library.ttl"),
    "jsonld": ("application/ld+json", "library.jsonld"),
    "csv": ("application/zip", "library.zip"),
    "parquet": ("application/zip", "library-parquet.zip"),
    "latex": ("application/x-tex", "library.tex"),
    "markdown": ("text/markdown", "library.md"),
}
_FILE: dict[str, object] = {"type": "string", "format": "binary"}
_CONTENT = {
    media_type: {"schema": {"type": "object"} if media_type.endswith("json") else _FILE}
    for media_type, _ in _FORMS.values()
}


@router.get(
    "", summary="The whole library", response_class=StreamingResponse,
    responses={200: {"description": "The library, as a file.", "content": _CONTENT}},
)  # fmt: skip
async def export(
    request: Request,
    format: Annotated[ExportFormat, Query(description="Which format; CSV and Parquet come zipped.")] = "turtle",  # noqa: A002
    with_text: Annotated[bool, Query(description="Whether the text of documents comes along.")] = True,
) -> Response:
    """The library as Turtle, JSON-LD, CSV, Parquet, LaTeX or Markdown."""
    state = state_of(request)

    def begin() -> Iterator[bytes]:
        return state.library.exported(format, with_text=with_text)

    pieces = await anyio.to_thread.run_sync(begin, limiter=state.heavy)
    media_type, name = _FORMS[format]
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingResponse(_gathered(pieces), media_type=media_type, headers=headers)


def _gathered(pieces: Iterator[bytes], least: int = 1 << 16) -> Iterator[bytes]:
    """In larger pieces: each one costs a change of threads."""
    held = bytearray()
    for piece in pieces:
        held += piece
        if len(held) >= least:
            yield bytes(held)
            held.clear()
    yield bytes(held)
