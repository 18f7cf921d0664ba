"""`/api/v1/worksheets`: worksheets computed, kept in the library and written in other formats."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import anyio
from fastapi import APIRouter, Path, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from mathrag.library.worksheets.exports import exported_worksheet
from mathrag.library.worksheets.objects import results_object, saved_object
from mathrag.serve.api.entries import Described
from mathrag.serve.problems import PROBLEMS, ProblemError
from mathrag.serve.replies import JsonReply
from mathrag.serve.state import ServeState, state_of

router = APIRouter(prefix="/worksheets", tags=["worksheets"], responses=PROBLEMS)
LONGEST = 100_000
Name = Annotated[str, Path(min_length=1, max_length=100, description="The name of the worksheet.")]
Format = Literal["markdown", "notebook", "latex", "python", "html", "pdf"]
MEDIA_TYPES = {
    "markdown": ("text/markdown; charset=utf-8", "md"),
    "notebook": ("application/x-ipynb+json", "ipynb"),
    "latex": ("application/x-tex; charset=utf-8", "tex"),
    "python": ("text/x-python; charset=utf-8", "py"),
    "html": ("text/plain; charset=utf-8", "html"),
    "pdf": ("application/pdf", "pdf"),
}


class Sheet(BaseModel):
    """The text of a worksheet."""

    model_config = ConfigDict(extra="forbid")
    text: str = Field(max_length=LONGEST, description="The lines of the worksheet.")


class SheetToWrite(Sheet):
    """A worksheet and the format it is wanted in."""

    format: Format = Field(description="The format.")
    name: str = Field("worksheet", min_length=1, max_length=100, description="Its title.")


class ComputedSheet(Described):
    """A worksheet computed."""

    lines: list[dict[str, Any]] = Field(description="Every line with what it gave, or what is wrong with it.")
    problems: int = Field(description="How many lines went wrong.")
    values: dict[str, Any] = Field(description="What every name stands for at the end.")


class SavedSheet(Described):
    """A worksheet of the library."""

    name: str = Field(description="Its name.")
    text: str = Field(description="Its lines.")
    created: str = Field(description="When it was first saved.")
    changed: str = Field(description="When it was last saved.")


class SavedSheets(Described):
    """The worksheets of the library."""

    items: list[SavedSheet] = Field(description="The worksheets, the one changed last first.")


@router.post("/evaluate", summary="Compute a worksheet", response_model=ComputedSheet)
async def evaluate(request: Request, sheet: Sheet) -> Response:
    """Every line of a worksheet with its result; an error stays at its line."""
    return JsonReply(await computed(state_of(request), sheet.text))


@router.post("/export", summary="Write a worksheet in another format", response_class=Response)
async def export(request: Request, sheet: SheetToWrite) -> Response:
    """A worksheet with its results as a file."""
    return await written(state_of(request), sheet.text, sheet.format, sheet.name)


@router.get("", summary="List worksheets", response_model=SavedSheets)
def list_worksheets(request: Request) -> Response:
    """The worksheets of the library."""
    return JsonReply({"items": [saved_object(each) for each in state_of(request).library.worksheets()]})


@router.get("/{name}", summary="One worksheet", response_model=SavedSheet)
def get_worksheet(request: Request, name: Name) -> Response:
    """A worksheet by its name."""
    return JsonReply(saved_object(one_worksheet(state_of(request), name)))


@router.put("/{name}", summary="Save a worksheet", response_model=SavedSheet)
def put_worksheet(request: Request, name: Name, sheet: Sheet) -> Response:
    """Keep a worksheet under a name; one of the same name is replaced."""
    return JsonReply(saved_object(state_of(request).library.save_worksheet(name, sheet.text)))


@router.delete("/{name}", summary="Take a worksheet out", response_model=SavedSheet)
def delete_worksheet(request: Request, name: Name) -> Response:
    """Take a worksheet out of the library."""
    found = one_worksheet(state_of(request), name)
    state_of(request).library.remove_worksheet(found.name)
    return JsonReply(saved_object(found))


def one_worksheet(state: ServeState, name: str) -> Any:
    """A saved worksheet, or the problem that there is none."""
    for each in state.library.worksheets():
        if each.name == name:
            return each
    raise ProblemError(404, "the library has no worksheet of this name", code="not_found")


async def computed(state: ServeState, text: str) -> Any:
    """A worksheet as data, computed beside the pages."""
    return await anyio.to_thread.run_sync(lambda: results_object(state.library.worksheet(text)), limiter=state.heavy)


async def written(state: ServeState, text: str, form: Format, name: str) -> Response:
    """A worksheet as a file to keep."""
    content = await anyio.to_thread.run_sync(
        lambda: exported_worksheet(state.library.worksheet(text), form, title=name), limiter=state.heavy
    )
    media_type, ending = MEDIA_TYPES[form]
    safe = "".join(sign if sign.isascii() and (sign.isalnum() or sign in "-_") else "-" for sign in name) or "worksheet"
    headers = {"Content-Disposition": f'attachment; filename="{safe}.{ending}"'}
    return Response(content, media_type=media_type, headers=headers)
