"""The pages of worksheets: a list, and an editor whose lines have their results beside them. The API computes."""

from __future__ import annotations

from typing import Any, get_args
from urllib.parse import urlencode

import anyio
from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from mathrag.errors import MathragError
from mathrag.library.worksheets.objects import results_object, saved_object
from mathrag.library.worksheets.opening import EXAMPLE
from mathrag.serve.api.worksheets import LONGEST, Format, one_worksheet, written
from mathrag.serve.pages.page_reply import checked_form, page
from mathrag.serve.problems import ProblemError, as_problem
from mathrag.serve.state import ServeState, state_of

router = APIRouter()
FORMATS: tuple[Format, ...] = get_args(Format)
_LONGEST_NAME = 100


@router.get("/worksheets")
@router.get("/worksheets.json")
async def show(request: Request) -> Response:
    """The list of worksheets and a sheet to write on: an empty one, a saved one (`?name=`), or the example."""
    state = state_of(request)
    name = request.query_params.get("name", "")[:_LONGEST_NAME]
    text = EXAMPLE if request.query_params.get("example") else ""
    if name:
        text = one_worksheet(state, name).text
    return await _page(request, state, {"name": name, "text": text})


@router.post("/worksheets/evaluate")
async def evaluate(request: Request) -> Response:
    """The results of the sheet that the page sends while somebody types: the part of the page beside the lines."""
    form = await checked_form(request)
    data = await _results(state_of(request), _field(form.get("text"), LONGEST))
    return await anyio.to_thread.run_sync(lambda: page(request, "worksheets/results.html", data, has_twin=False))


@router.post("/worksheets/save")
async def save(request: Request) -> Response:
    """Keep the sheet under its name."""
    form, state = await checked_form(request), state_of(request)
    name, text = _field(form.get("name"), _LONGEST_NAME), _field(form.get("text"), LONGEST)
    try:
        saved = await anyio.to_thread.run_sync(lambda: state.library.save_worksheet(name, text))
    except MathragError as error:
        return await _page(request, state, {"name": name, "text": text, "complaint": as_problem(error).detail})
    return RedirectResponse(f"/worksheets?{urlencode({'name': saved.name})}", 303)


@router.post("/worksheets/remove")
async def remove(request: Request) -> Response:
    """Take a sheet out of the library."""
    form, state = await checked_form(request), state_of(request)
    name = _field(form.get("name"), _LONGEST_NAME)
    one_worksheet(state, name)
    await anyio.to_thread.run_sync(lambda: state.library.remove_worksheet(name))
    return RedirectResponse("/worksheets", 303)


@router.post("/worksheets/export")
async def export(request: Request) -> Response:
    """The sheet as a file."""
    form = await checked_form(request)
    wanted = next((each for each in FORMATS if each == form.get("format")), None)
    if wanted is None:
        raise ProblemError(422, f"the format is one of {', '.join(FORMATS)}")
    name = _field(form.get("name"), _LONGEST_NAME) or "worksheet"
    return await written(state_of(request), _field(form.get("text"), LONGEST), wanted, name)


def _field(value: object, longest: int) -> str:
    text = value.replace("\r\n", "\n") if isinstance(value, str) else ""
    if len(text) > longest:
        raise ProblemError(422, f"at most {longest:,} characters are taken here")
    return text


async def _results(state: ServeState, text: str) -> dict[str, Any]:
    try:
        return await anyio.to_thread.run_sync(
            lambda: {"complaint": "", **results_object(state.library.worksheet(text))}, limiter=state.heavy
        )
    except MathragError as error:
        return {"complaint": as_problem(error).detail, "lines": [], "problems": 0, "values": {}}


async def _page(request: Request, state: ServeState, shown: dict[str, Any]) -> Response:
    results = await _results(state, shown["text"])
    data = {
        "complaint": "",
        **shown,
        "results": results,
        "saved": [saved_object(each) for each in state.library.worksheets()],
        "formats": FORMATS,
        "longest": LONGEST,
    }
    return await anyio.to_thread.run_sync(lambda: page(request, "worksheets/page.html", data))
