"""An answer to take along: LaTeX, Markdown, Python, a notebook, or the file of `mathrag replay`. Asks nothing new."""

from __future__ import annotations

from typing import Any

import anyio
from fastapi import APIRouter, Request
from pydantic import ValidationError
from starlette.responses import Response

from mathrag.serve.api.asking import Asked, Question, answer
from mathrag.serve.pages.rendering import checked_form
from mathrag.serve.problems import ProblemError
from mathrag.serve.state import state_of

router = APIRouter()
# By the name of the format: the ending of the file and what it is.
FORMATS = {
    "latex": ("answer.tex", "application/x-tex"),
    "markdown": ("answer.md", "text/markdown"),
    "python": ("answer.py", "text/x-python"),
    "notebook": ("answer.ipynb", "application/x-ipynb+json"),
    "replay": ("answer.replay.json", "application/json"),
}


@router.post("/ask/export")
async def export(request: Request) -> Response:
    """A file of what was asked before (`asked`), in a `format`."""
    form = await checked_form(request)
    name = form.get("format")
    try:
        asked = Asked.model_validate_json(str(form.get("asked") or ""))
    except ValidationError:
        raise ProblemError(422, "there is no answer to write; ask again", code="invalid") from None
    if not isinstance(name, str) or name not in FORMATS:
        raise ProblemError(422, f"a file is one of {', '.join(FORMATS)}", code="invalid")
    text = await (_code if name in ("python", "notebook") else _rendered)(request, asked, name)
    file, kind = FORMATS[name]
    # The name is ours: nothing of the question gets into a header.
    headers = {"Content-Disposition": f'attachment; filename="{file}"'}
    return Response(text.encode("utf-8", "replace"), media_type=f"{kind}; charset=utf-8", headers=headers)


async def _rendered(request: Request, asked: Asked, name: Any) -> str:
    question = Question(
        question=asked.question, pinned=asked.pinned or {}, formula=asked.formula, unit=asked.unit, formats=[name]
    )
    return str((await answer(request, question))["rendered"][name])


async def _code(request: Request, asked: Asked, name: str) -> str:
    """Code is written in a process, for solving for a symbol may take long."""
    state = state_of(request)

    def work() -> Any:
        return state.pool.call("export", {"asked": asked.model_dump(), "format": name})

    return str(await anyio.to_thread.run_sync(work, limiter=state.asking))
