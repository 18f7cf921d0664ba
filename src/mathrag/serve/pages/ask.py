"""The page on which people ask: forms that work without JavaScript, and the same as a stream. Shows the card."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import anyio
from fastapi import APIRouter, Query, Request
from pydantic import ValidationError
from starlette.responses import RedirectResponse, Response

from mathrag.errors import MathragError
from mathrag.library.answering import LONGEST_QUESTION
from mathrag.serve.api.asking import Question, answer, stream
from mathrag.serve.pages.ask_card import card_of
from mathrag.serve.pages.ask_form import question_of
from mathrag.serve.pages.ask_history import forget, history_of, recalled, remember, session_of
from mathrag.serve.pages.rendering import checked_form, page, templates
from mathrag.serve.problems import ProblemError, as_problem
from mathrag.serve.state import ServeState, state_of

router = APIRouter()
_NO_QUESTION = "there is no question, or it is too long, or a value has more than 200 characters"


@router.get("/")
@router.get("/ask.json")
async def show(
    request: Request,
    question: Annotated[str, Query(max_length=LONGEST_QUESTION)] = "",
    number: Annotated[int | None, Query(alias="answer", ge=1, le=10_000_000)] = None,
) -> Response:
    """The empty form, with examples; `?question=` fills it in without asking, `?answer=` shows an earlier answer."""
    asked = None if number is None else recalled(session_of(request), number)
    if asked is not None:
        return await _answered(request, lambda: Question(**_given(asked), trace=True), text=asked["question"])
    data = await anyio.to_thread.run_sync(_frame, request, state_of(request))
    forgotten = "this answer was forgotten; ask again" if number is not None else None
    return page(request, "ask/page.html", {**data, "question": question, **_nothing(forgotten)})


@router.post("/")
@router.post("/ask.json")
async def ask(request: Request) -> Response:
    """A form was sent: answer it and show the card."""
    form = await checked_form(request)
    text = form.get("question")
    return await _answered(request, lambda: question_of(form, trace=True), text=text if isinstance(text, str) else "")


@router.post("/ask/stream")
async def ask_stream(request: Request) -> Response:
    """A form was sent by the script of the page: the events of `/api/v1/ask/stream`, then the card."""
    form = await checked_form(request)
    try:
        question = question_of(form)
    except ValidationError:
        raise ProblemError(422, _NO_QUESTION, code="invalid") from None
    session = session_of(request)

    def finished(outcome: dict[str, Any]) -> list[tuple[str, Any]]:
        number = remember(session, outcome)
        shown = {
            "result": _checked(outcome, question),
            "card": card_of(outcome, number=number),
            "history": history_of(session),
        }
        csrf = "" if session is None else session.csrf
        made = {name: _part(f"ask/{name}.html", shown, csrf) for name in ("card", "history")}
        return [("card", {**made, "number": number, "question": (outcome.get("asked") or outcome)["question"]})]

    return stream(request, question, finished=finished)


@router.post("/ask/forget")
async def forget_all(request: Request) -> Response:
    """Empty the history of the session."""
    await checked_form(request)
    forget(session_of(request))
    return RedirectResponse("/", 303)


async def _answered(request: Request, question: Any, *, text: str) -> Response:
    """The page with the outcome of a question, or with the problem."""
    state = state_of(request)
    shown: dict[str, Any] = {"question": text, **_nothing(None)}
    try:
        made: Question = question()
        result = await answer(request, made)
        number = remember(session_of(request), result)
        shown |= {
            "question": (result.get("asked") or result)["question"],
            "result": _checked(result, made),
            "card": card_of(result, number=number),
        }
    except (MathragError, ProblemError) as error:
        shown["problem"] = as_problem(error).detail
    except ValidationError:
        shown["problem"] = _NO_QUESTION
    data = await anyio.to_thread.run_sync(_frame, request, state)
    return page(request, "ask/page.html", {**data, **shown})


def _nothing(problem: str | None) -> dict[str, Any]:
    return {"result": None, "card": None, "problem": problem}


def _given(asked: Mapping[str, Any]) -> dict[str, Any]:
    """An earlier `asked` as fields of a question."""
    return {
        "question": asked["question"],
        "pinned": asked.get("pinned") or {},
        "formula": asked.get("formula"),
        "unit": asked.get("unit"),
    }


def _checked(result: dict[str, Any], question: Question) -> dict[str, Any]:
    """The outcome, with a warning where a value that was set did not reach every step."""
    kept = [name for name in result["bindings"] if name.partition(".")[2] in question.pinned]
    if not kept:
        return result
    names = ", ".join(name.replace(".", ": ", 1) for name in kept)
    warning = f"a value that you set is not used in every step ({names}); write it into the question instead"
    return {**result, "warnings": [*result["warnings"], warning]}


def _part(template: str, data: Mapping[str, Any], csrf: str) -> str:
    """A piece of the page as markup, from the same template as the whole page."""
    return templates().get_template(template).render(data=data, csrf=csrf)


def _frame(request: Request, state: ServeState) -> dict[str, Any]:
    """What the page shows besides the answer."""
    totals = state.library.totals()
    return {
        "totals": {name: totals[name] for name in ("documents", "formulas", "constants")},
        "examples": state.examples() if totals["formulas"] else [],
        "history": history_of(session_of(request)),
    }
