"""The page to check a written solution on: pasted or uploaded, each step with its mark. The API's functions check."""

from __future__ import annotations

from typing import Any

import anyio
from fastapi import APIRouter, Request
from starlette.datastructures import FormData, UploadFile
from starlette.responses import Response

from mathrag.errors import MathragError
from mathrag.library.solutions import (
    FINAL_WORDS,
    LEGEND,
    MARKS,
    MOST_CHARACTERS,
    REST_NOT_KNOWN,
    WORDS,
    claim_pieces,
    shown_pieces,
)
from mathrag.serve.api.solutions import LAST_PAGE, LONGEST_PROBLEM, checked_text, checked_upload
from mathrag.serve.pages.library import field
from mathrag.serve.pages.page_reply import checked_form, page
from mathrag.serve.problems import ProblemError, as_problem
from mathrag.serve.state import state_of

router = APIRouter()
_EXAMPLE = """Problem: A shop has 12 boxes of 8 pens and sells half of them. How many pens are left?

Solution:
1. There are 12 * 8 = 96 pens.
2. Half of them are sold: $\\frac{96}{2} = 46$.
3. So 96 - 46 = 50 pens are left.

Answer: 50"""


@router.get("/check")
@router.get("/check.json")
async def show(request: Request) -> Response:
    """The empty page; `?example=1` fills in a solution with an error."""
    text = _EXAMPLE if request.query_params.get("example") else ""
    return await _page(request, {"text": text, "problem": ""})


@router.post("/check")
async def check(request: Request) -> Response:
    """The same page with what was found in the solution that its form sent."""
    form = await checked_form(request, most_files=1)
    shown: dict[str, Any] = {"text": "", "problem": ""}
    try:
        shown["problem"] = field(form, "problem", longest=LONGEST_PROBLEM)
        shown["text"] = field(form, "text", longest=2 * MOST_CHARACTERS)
        shown["result"] = _for_the_eye(await _checked(request, form, shown))
    except (ProblemError, MathragError) as error:
        shown["complaint"] = as_problem(error).detail
    finally:
        await form.close()
    return await _page(request, shown)


async def _checked(request: Request, form: FormData, shown: dict[str, Any]) -> dict[str, Any]:
    state, file = state_of(request), form.get("file")
    if isinstance(file, UploadFile) and file.filename:
        shown["file"] = file.filename[:200]
        return await checked_upload(state, file, shown["problem"], _page_number(field(form, "page", longest=20)))
    if not shown["text"]:
        raise ProblemError(422, "there is nothing to check; paste a solution or choose a file")
    return await checked_text(state, shown["text"], shown["problem"])


def _page_number(text: str) -> int | None:
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= LAST_PAGE):
        raise ProblemError(422, "the page is a number from 1")
    return int(text)


def _for_the_eye(found: dict[str, Any]) -> dict[str, Any]:
    """What was found with each step in pieces of words and formulas, what is false in it marked."""
    loose: dict[int, list[str]] = {}
    for number in found["loose_numbers"]:
        loose.setdefault(number["step"], []).append(number["text"])
    for step in found["steps"]:
        false = [claim for claim in step["claims"] if claim["outcome"] == "refuted"]
        step["pieces"] = shown_pieces(step["text"], [(claim["start"], claim["end"]) for claim in false])
        step["mark"], step["word"] = MARKS[step["outcome"]], WORDS[step["outcome"]]
        step["false"] = [
            {**claim, "pieces": claim_pieces(step["text"], claim["text"], claim["start"])} for claim in false
        ]
        step["loose"] = loose.get(step["number"], [])
        step["reason"] = next((claim["reason"] for claim in step["claims"] if claim["reason"]), "")
    found["legend"], found["rest_not_known"] = LEGEND, REST_NOT_KNOWN
    found["problem_pieces"] = shown_pieces(found["problem"])
    found["final"]["word"] = FINAL_WORDS[found["final"]["outcome"]]
    found["final"]["mark"] = MARKS[found["final"]["outcome"]]
    return found


async def _page(request: Request, shown: dict[str, Any]) -> Response:
    data = {
        "result": None,
        "complaint": "",
        "file": "",
        **shown,
        "limits": {"characters": MOST_CHARACTERS, "problem": LONGEST_PROBLEM},
    }
    has_twin = request.method == "GET"
    return await anyio.to_thread.run_sync(lambda: page(request, "check/page.html", data, has_twin=has_twin))
