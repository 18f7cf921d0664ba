"""The page on which people ask: forms that work without JavaScript, and the same as a stream; the card of the outcome,
computed again with other values or over a range, taken along as a file; in a conversation that can be opened again.

Answers nothing and makes no number: questions go to the processes that answer, cards come from the public object.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

import anyio
from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.datastructures import FormData
from starlette.responses import RedirectResponse, Response

from mathrag.errors import MathragError, UsageError
from mathrag.library.ask.foreign_money import is_foreign
from mathrag.library.ask.notebook_file import binding_keys, markdown_words
from mathrag.library.ask.outcomes import LONGEST_QUESTION
from mathrag.library.ask.recomputation import with_unit
from mathrag.library.views.plots import NARROW, WIDE, Axis, curve_svg
from mathrag.serve.api.ask import PLANNER_NAMES, Asked, PlannerName, Question, Talk, answer, stream
from mathrag.serve.api.entries import one_formula
from mathrag.serve.conversations import IDENTIFIER, Turn
from mathrag.serve.pages.page_reply import checked_form, page
from mathrag.serve.pages.templates import symbol_words, templates, unit_words
from mathrag.serve.problems import ProblemError, as_problem
from mathrag.serve.replies import JsonReply
from mathrag.serve.security.sessions import Session
from mathrag.serve.state import ServeState, owner_of, state_of
from mathrag.types.answer import MODEL_WORDS
from mathrag.types.library import is_made

# The card of an outcome as the templates need it: rows of values, the plan to compute again, links to sources.
#
# Made from the public object alone. No number is made here.

Object = dict[str, Any]
_LONGEST_QUOTE = 500
_MOST_TRACED = 60


def card_of(result: Mapping[str, Any], *, number: int | None = None) -> Object:
    """What the card shows besides the outcome itself. `number` is its place in the conversation."""
    plan = plan_of(result)
    return {
        "number": number,
        "manner": manner_of(result),
        "doubts": [each for each in result["warnings"] if speaks_against(each)],
        "remarks": [each for each in result["warnings"] if not speaks_against(each)],
        "sources": general_sources(result),
        "rows": [_row(result, key, bound) for key, bound in result["bindings"].items()],
        "plan": plan,
        "plan_text": _json(plan) if plan else "",
        "asked_text": _json(result["asked"]) if result.get("asked") else "",
        "varied": [_varied(row) for row in _editable(result)] if plan else [],
        "citations": [{**each, "href": source_address(each)} for each in result["citations"]],
        "is_built_in": result.get("origin") == "handbook",
        "steps": [_step(result, step) for step in result["steps"]],
        "trace": [trace_line(event) for event in (result.get("trace") or ())[:_MOST_TRACED]],
        "missing": [each for each in result["missing"] if each["symbol"]],
        "unnamed": [each["words"] for each in result["missing"] if not each["symbol"]],
        "against": list(dict.fromkeys(each["text"] for each in result.get("findings") or ())),
        "further": [_further(each) for each in result.get("further") or ()],
    }


def _further(result: Mapping[str, Any]) -> Object:
    """Another question of the same text: what came of it, and where that stands."""
    links = {source_address(each): each["label"] or each["document"] for each in result["citations"]}
    return {
        "question": result["question"],
        "text": result["text"],
        "is_answered": result["outcome"] != "refused",
        "links": [{"href": address, "name": name} for address, name in links.items()],
    }


# Below it, a number is shown as one to look at twice.
_SURE = 0.85
# A further solution that nothing can have: it speaks for the one given, not against it.
_RULED_OUT = re.compile(r"solves? the formula too, but no .{1,80} has that value")


def speaks_against(warning: str) -> bool:
    """Whether a warning is a reason to doubt the number."""
    return _RULED_OUT.search(warning) is None


def manner_of(result: Mapping[str, Any]) -> str:
    """How an outcome is to be shown: `sure` for a number that nothing speaks against, `unsure` for any other number."""
    if result["outcome"] != "answered":
        return str(result["outcome"])
    confidence = result.get("confidence")
    is_sure = not any(map(speaks_against, result.get("warnings") or ())) and (confidence is None or confidence >= _SURE)
    return "sure" if is_sure else "unsure"


def general_sources(result: Mapping[str, Any]) -> list[str]:
    """What the number rests on besides documents: constants and conversions, each with where it is from."""
    bound = [each for each in result["bindings"].values() if each["origin"] == "constant"]
    said = [str(each["from"]) for each in (*bound, *(result.get("sources") or ())) if each["origin"] == "constant"]
    return [words.removeprefix("constant: ") for words in dict.fromkeys(said)]


def plan_of(result: Mapping[str, Any]) -> Object | None:
    """The formulas of an answer and what goes into each, to be computed again with other values."""
    if result["outcome"] != "answered" or not result["steps"] or result["table"]:
        return None
    if any(is_made(step["formula"]) for step in result["steps"]):
        # What was put together for one question stands in no library to be computed with again.
        return None
    if any(is_foreign(each["unit"] or "") for each in (result, *result["bindings"].values())):
        # Formulas of a library count in dollars; another currency goes with the question that it stands in.
        return None
    steps, values = [], {}
    for step in result["steps"]:
        inputs = {}
        for symbol, key in binding_keys(result, step).items():
            bound = result["bindings"][key]
            if bound["step"] is not None:
                inputs[symbol] = f"#{bound['step']}"
                continue
            if bound["value"] is None:
                return None
            inputs[symbol] = key
            values[key] = value_text(bound)
        steps.append({"formula": step["formula"], "target": step["target"], "inputs": inputs})
    return {"steps": steps, "values": values, "unit": result["unit"] or None}


def value_text(bound: Mapping[str, Any]) -> str:
    """A value as it can be typed: every digit, and its unit."""
    value = bound["value"]
    number = repr(int(value)) if isinstance(value, float) and value.is_integer() and abs(value) < 1e15 else repr(value)
    return f"{number} {bound['unit'] or ''}".strip()


def _editable(result: Mapping[str, Any]) -> list[Object]:
    rows = [_row(result, key, bound) for key, bound in result["bindings"].items()]
    return [row for row in rows if row["is_editable"]]


def _row(result: Mapping[str, Any], key: str, bound: Mapping[str, Any]) -> Object:
    """A line of the table of values. What was computed on the way is not for changing."""
    return {
        "key": key,
        "description": bound["description"],
        "value": bound["value"],
        "unit": bound["unit"],
        "text": value_text(bound) if bound["value"] is not None else "",
        "from": bound["from"],
        "origin": bound["origin"],
        "is_editable": bound["value"] is not None and bound["step"] is None and bool(result.get("asked")),
        "quote": _quote(bound),
    }


def _quote(bound: Mapping[str, Any]) -> str:
    """The words of the question that gave the value."""
    if bound["origin"] != "question":
        return ""
    _, found, said = str(bound["from"]).partition(': "')
    return said.removesuffix('"') if found else ""


def _varied(row: Mapping[str, Any]) -> Object:
    """A value that can go through a range, and a range to begin with: from nothing to twice as much."""
    value, unit = float(row["value"]), row["unit"] or ""
    ends = (0.0, 10.0) if value == 0 else sorted((0.0, 2 * value))
    start, stop = (f"{end:.6g} {unit}".strip() for end in ends)
    return {**row, "start": start, "stop": stop}


def _step(result: Mapping[str, Any], step: Mapping[str, Any]) -> Object:
    formula = next((each for each in result["formulas"] if each["id"] == step["formula"]), None)
    return {**step, "latex": "" if formula is None else formula["latex"]}


def source_address(citation: Mapping[str, Any]) -> str:
    """The page that shows the place of a citation; none for what comes with the package."""
    if citation.get("origin") == "handbook":
        return ""
    asked: dict[str, Any] = {"document": citation["document_id"]}
    for name in ("formula", "page", "line"):
        if citation.get(name) is not None:
            asked[name] = citation[name]
    if citation.get("box"):
        asked["box"] = ",".join(f"{side:.2f}" for side in citation["box"])
    if not citation.get("formula") and citation.get("quote"):
        asked["quote"] = citation["quote"][:_LONGEST_QUOTE]
    return f"/source?{urlencode(asked)}"


def trace_line(event: Mapping[str, Any]) -> Object:
    """One action and what came of it, in words."""
    observation = event.get("observation") or {}
    return {
        "action": str(event.get("doing") or event.get("action") or ""),
        "thought": f"{MODEL_WORDS if event.get('model') and event.get('thought') else ''}{event.get('thought') or ''}",
        "succeeded": bool(observation.get("succeeded")),
        "message": str(observation.get("message") or ""),
        "milliseconds": event.get("milliseconds"),
    }


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


# An answer to take along: LaTeX, Markdown, Python, a notebook, or the file of `mathrag replay`. Asks nothing new.

export_router = APIRouter()
# By the name of the format: the ending of the file and what it is.
FORMATS = {
    "latex": ("answer.tex", "application/x-tex"),
    "markdown": ("answer.md", "text/markdown"),
    "python": ("answer.py", "text/x-python"),
    "notebook": ("answer.ipynb", "application/x-ipynb+json"),
    "replay": ("answer.replay.json", "application/json"),
}


@export_router.post("/ask/export")
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
    text = str((await answer(request, question))["rendered"][name])
    # Alone on a sheet, an answer without its question says little.
    if name == "markdown":
        return f"> {markdown_words(asked.question)}\n\n{text}"
    return f"% {' '.join(asked.question.split())}\n{text}" if name == "latex" else text


async def _code(request: Request, asked: Asked, name: str) -> str:
    """Code is written in a process, for solving for a symbol may take long."""
    state = state_of(request)

    def work() -> Any:
        return state.pool.call("export", {"asked": asked.model_dump(), "format": name})

    return str(await anyio.to_thread.run_sync(work, limiter=state.asking))


# What the forms of the page ask: a new question, a follow-up, or an earlier one with other values. Answers nothing.


def question_of(form: FormData, *, trace: bool = False, leaning: Callable[[Question], Question]) -> Question:
    """The question that a form asks.

    `asked` is an earlier question as the server gave it out. Then `pin.m` sets m, with `unit.m` for a plain
    number; `set.m` changes the value that was `was.m`; `formula` names the formula. Else `question` is asked, which may
    be `leaning` on what was asked before it.
    """
    unit, formula = _text(form, "unit") or None, _text(form, "formula") or None
    planner = _planner(form)
    earlier = _earlier(form, "asked")
    if earlier is None:
        return leaning(
            Question(
                question=_text(form, "question"), pinned=dict(_pinned(form)), unit=unit, formula=formula,
                trace=trace, planner=planner, only_documents=bool(_text(form, "only_documents")) or None,
                assume=bool(_text(form, "assume")) or None,
            )
        )  # fmt: skip
    question, pinned = _changed(form, earlier)
    return Question(
        question=question, pinned={**pinned, **dict(_pinned(form))}, unit=unit or earlier.unit,
        formula=formula or earlier.formula, trace=trace, planner=planner, only_documents=earlier.only_documents,
        assume=earlier.assume,
    )  # fmt: skip


def _planner(form: FormData) -> PlannerName | None:
    said = _text(form, "planner")
    return next((name for name in PLANNER_NAMES if name == said), None)


def _text(form: FormData, name: str) -> str:
    found = form.get(name)
    return found.strip() if isinstance(found, str) else ""


def _earlier(form: FormData, name: str) -> Asked | None:
    text = _text(form, name)
    return Asked.model_validate_json(text) if text else None


def _fields(form: FormData, prefix: str) -> Iterator[tuple[str, str]]:
    for name, value in form.items():
        if name.startswith(prefix) and isinstance(value, str) and value.strip():
            yield name.removeprefix(prefix), value.strip()


def _pinned(form: FormData) -> Iterator[tuple[str, str]]:
    for symbol, value in _fields(form, "pin."):
        yield symbol, with_unit(value, _text(form, f"unit.{symbol}"))


def _changed(form: FormData, earlier: Asked) -> tuple[str, dict[str, str]]:
    """The question and the set values after the changes of a form.

    What the question says is changed in the question, so that it is one question again and every step sees the change;
    what it does not say is set apart from it.
    """
    question, pinned = earlier.question, dict(earlier.pinned or {})
    for name, value in _fields(form, "set."):
        before = _text(form, f"was.{name}")
        if value == before:
            continue
        chosen = with_unit(value, before.partition(" ")[2])
        quote = _text(form, f"quote.{name}")
        if quote and name not in pinned and question.count(quote) == 1:
            question = question.replace(quote, chosen)
        elif "." in name:
            raise UsageError(f"{name.replace('.', ': ', 1)} has no place of its own in the question; write it there")
        else:
            pinned[name] = chosen
    return question, pinned


# A conversation as the page shows it: every turn in a line, one of them in full. Kept by the server, so that it works
# without JavaScript, streams and forms share it, and a link leads to it.

# So many are listed beside the answer.
_MOST_LISTED = 20
_MOST_TURNS_SHOWN = 100


def _thread(turns: Sequence[Turn], *, opened: int | None) -> list[Object]:
    return [
        {
            "number": turn.number,
            "said": turn.said,
            "text": turn.text,
            "outcome": turn.outcome,
            "manner": manner_of(turn.result or {"outcome": turn.outcome}),
            "is_open": turn.number == opened,
        }
        for turn in turns[-_MOST_TURNS_SHOWN:]
    ]


def _said(form: FormData, result: Mapping[str, Any]) -> str:
    """What a person said with a form, in words: the question, else what was chosen or set."""
    asked = result.get("asked") or result
    if _text(form, "asked"):
        given = [f"{symbol} = {value}" for symbol, value in _pinned(form)]
        if given:
            return ", ".join(given)
        labels = [each["label"] for each in result["formulas"] if each["id"] == _text(form, "formula")]
        return f"{asked['question']} (with: {labels[0]})" if labels and labels[0] else str(asked["question"])
    return _text(form, "question") or str(asked["question"])


def session_of(request: Request) -> Session | None:
    """The session of a request."""
    found = request.scope.get("mathrag_session")
    return found if isinstance(found, Session) else None


router = APIRouter()
_NO_QUESTION = "there is no question, or it is too long, or a value has more than 200 characters"


@router.get("/")
@router.get("/ask.json")
async def show(request: Request, question: Annotated[str, Query(max_length=LONGEST_QUESTION)] = "") -> Response:
    """The empty form, with examples; `?question=` fills it in without asking."""
    data = await anyio.to_thread.run_sync(_frame, request, "")
    return page(request, "ask/page.html", {**data, "question": question, **_nothing(None)})


@router.get("/c/{identifier}")
async def show_conversation(
    request: Request, identifier: str, turn: Annotated[int | None, Query(ge=1, le=10_000_000)] = None
) -> Response:
    """A conversation, with one turn in full: the last one, or `?turn=`."""
    state, name = state_of(request), identifier.removesuffix(".json")
    turns = await anyio.to_thread.run_sync(state.conversations.turns, name) if IDENTIFIER.fullmatch(name) else []
    chosen = next((each for each in turns if each.number == turn), turns[-1] if turns else None)
    if chosen is None:
        raise ProblemError(404, "this conversation is not kept any more; begin a new one", code="not_found")
    result = chosen.result
    if result is None and chosen.asked is not None:
        result = await answer(request, Question(**_given(chosen.asked), trace=True))
    data = await anyio.to_thread.run_sync(_frame, request, name)
    shown: Object = {"question": "", **_nothing(None)}
    if result is not None:
        shown |= {"result": result, "card": card_of(result, number=chosen.number)}
        shown["is_older"] = chosen.generation != state.library.database.generation
    return page(request, "ask/page.html", {**data, **shown, "turns": _thread(turns, opened=chosen.number)})


@router.post("/")
@router.post("/ask.json")
async def ask(request: Request) -> Response:
    """A form was sent: answer it and show the conversation; with a problem, the form again."""
    form = await checked_form(request)
    shown: Object = {"question": _text(form, "question"), **_nothing(None)}
    identifier = _text(form, "conversation")
    try:
        talk = await anyio.to_thread.run_sync(_joined, request, form)
        question = question_of(form, trace=True, leaning=talk.leaning)
        result = _checked(await answer(request, question), question)
        number = await anyio.to_thread.run_sync(talk.keep, _said(form, result), result)
    except (MathragError, ProblemError) as error:
        shown["problem"] = as_problem(error).detail
    except ValidationError:
        shown["problem"] = _NO_QUESTION
    else:
        if not request.url.path.endswith(".json"):
            # Loading the page again then asks nothing again, and its address is the link to share.
            return RedirectResponse(f"/c/{talk.id}#turn-{number}", 303)
        identifier = talk.id
        shown |= {"question": "", "result": result, "card": card_of(result, number=number)}
    data = await anyio.to_thread.run_sync(_frame, request, identifier)
    return page(request, "ask/page.html", {**data, **shown})


@router.post("/ask/stream")
async def ask_stream(request: Request) -> Response:
    """A form was sent by the script of the page: the events of `/api/v1/ask/stream`, then the card."""
    form = await checked_form(request)
    try:
        talk = await anyio.to_thread.run_sync(_joined, request, form)
        question = question_of(form, leaning=talk.leaning)
    except ValidationError:
        raise ProblemError(422, _NO_QUESTION, code="invalid") from None
    session = session_of(request)

    def finished(outcome: dict[str, Any]) -> list[tuple[str, Any]]:
        result = _checked(outcome, question)
        number = talk.keep(_said(form, result), result)
        data = {**_frame(request, talk.id), **_nothing(None)}
        data |= {"result": result, "card": card_of(result, number=number)}
        csrf = "" if session is None else session.csrf
        made = {name: _part(f"ask/{name}.html", data, csrf) for name in ("thread", "history")}
        return [("card", {**made, "number": number, "conversation": talk.id, "title": data["title"]})]

    return stream(request, question, finished=finished)


def _joined(request: Request, form: FormData) -> Talk:
    return Talk.joined(request, _text(form, "conversation") or "new")


@router.post("/ask/forget")
async def forget_some(request: Request) -> Response:
    """Delete a conversation of one's own (`conversation`), or all of them."""
    form = await checked_form(request)
    state, owner, name = state_of(request), owner_of(request), _text(form, "conversation")

    def forget() -> None:
        if name:
            state.conversations.forget(name, owner=owner)
        else:
            state.conversations.forget_all(owner)

    await anyio.to_thread.run_sync(forget)
    return RedirectResponse("/", 303)


def _nothing(problem: str | None) -> dict[str, Any]:
    return {"result": None, "card": None, "problem": problem, "is_older": False}


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


def _frame(request: Request, conversation: str) -> dict[str, Any]:
    """What the page shows besides the answer."""
    state, owner = state_of(request), owner_of(request)
    totals = state.library.totals()
    turns = state.conversations.turns(conversation) if conversation else []
    return {
        "totals": {name: totals[name] for name in ("documents", "formulas", "constants")},
        "examples": state.examples() if totals["formulas"] and not turns else [],
        "history": state.conversations.listed(owner, most=_MOST_LISTED),
        "planners": state.planners(),
        "models": state.model_names(),
        "conversation": conversation if turns else "",
        "title": turns[0].said if turns else "",
        "turns": _thread(turns, opened=turns[-1].number if turns else None),
    }


# An answer computed again: with other values, or as a plot over a range of one of them.

plan_router = APIRouter()
Name = Annotated[str, Field(min_length=1, max_length=100)]
Value = Annotated[str, Field(max_length=200)]
# It stands in the address.
_LONGEST_PLAN = 20_000
_OUT_OF_DATE = "this plot belongs to no answer; ask again, then plot"


class PlanStep(BaseModel):
    """A formula, what it is solved for, and whose values go in."""

    model_config = ConfigDict(extra="forbid")
    formula: str = Field(pattern=r"^f-[0-9a-f]{12}$")
    target: Name
    inputs: dict[Name, Name] = Field(max_length=50)


class Plan(BaseModel):
    """The steps of an answer and the values they begin with."""

    model_config = ConfigDict(extra="forbid")
    steps: list[PlanStep] = Field(min_length=1, max_length=20)
    values: dict[Name, Value] = Field(max_length=50)
    unit: Value | None = None


@plan_router.post("/ask/recompute.json")
async def recompute(request: Request, plan: Plan) -> Response:
    """The result of an answer's steps with the values of the plan, or in `problem` what is wrong with them.

    Values that are being typed are no failure of the request, so they do not end as one.
    """
    try:
        found = await _called(state_of(request), "compute_steps", plan, {})
    except MathragError as error:
        return JsonReply({"value": None, "problem": as_problem(error).detail})
    return JsonReply({**found, "problem": None})


@plan_router.get("/ask/plot")
@plan_router.get("/ask/plot.json")
@plan_router.get("/ask/plot.svg")
async def plot(
    request: Request,
    plan: Annotated[str, Query(max_length=_LONGEST_PLAN)],
    symbol: Annotated[str, Query(max_length=100)],
    start: Annotated[str, Query(max_length=200)],
    stop: Annotated[str, Query(max_length=200)],
    points: Annotated[int, Query(ge=2, le=200)] = 80,
    scale: Literal["linear", "logarithmic"] = "linear",
    narrow: bool = False,
) -> Response:
    """The result against one value: a page with the plot and its points, the picture alone, or the data."""
    try:
        read = Plan.model_validate_json(plan)
    except ValidationError:
        raise ProblemError(422, _OUT_OF_DATE, code="invalid") from None
    asked = {"symbol": symbol, "start": start, "stop": stop, "points": points, "scale": scale}
    state = state_of(request)
    is_picture = request.url.path.endswith(".svg")
    shown: dict[str, Any] = {
        **asked,
        "narrow": narrow,
        "plan_text": plan,
        "formula": read.steps[-1].formula,
        "names": list(read.values),
        "curve": None,
        "problem": None,
    }
    try:
        shown["curve"] = await _called(state, "sweep_steps", read, asked)
    except (MathragError, ProblemError) as error:
        if is_picture:
            raise
        shown["problem"] = as_problem(error).detail
    shown["svg"] = "" if shown["curve"] is None else await _drawn(state, read, shown)
    if is_picture:
        return Response(_file(shown["svg"], narrow=narrow), media_type="image/svg+xml")
    shown["picture"] = f"/ask/plot.svg?{request.url.query}"
    shown["label"] = await anyio.to_thread.run_sync(_label, state, read)
    return page(request, "ask/plot.html", shown)


async def _called(state: ServeState, operation: str, plan: Plan, more: dict[str, Any]) -> Any:
    def work() -> Any:
        for step in plan.steps:
            one_formula(state.library, step.formula)
        return state.pool.call(operation, {**plan.model_dump(), **more})

    return await anyio.to_thread.run_sync(work, limiter=state.asking)


def _file(svg: str, *, narrow: bool) -> str:
    """The picture as a file of its own: with a size and letters that it otherwise has from the page."""
    width, height = NARROW if narrow else WIDE
    alone = f'<svg width="{width}" height="{height}" font-family="sans-serif" color="#1c1c1c" '
    return svg.replace("<svg ", alone, 1)


def _label(state: ServeState, plan: Plan) -> str:
    found = one_formula(state.library, plan.steps[-1].formula)
    return found.label or found.id


async def _drawn(state: ServeState, plan: Plan, shown: dict[str, Any]) -> str:
    """The picture, with the point of the answer marked."""
    curve, is_logarithmic = shown["curve"], shown["scale"] == "logarithmic"
    label = await anyio.to_thread.run_sync(_label, state, plan)
    horizontal = Axis(symbol_words(curve["symbol"]), unit_words(curve["symbol_unit"]), is_logarithmic)
    vertical = Axis(symbol_words(curve["target"]), unit_words(curve["unit"]))
    return curve_svg(
        [(point["x"], point["y"]) for point in curve["points"]],
        title=f"{label}: {vertical.label} against {horizontal.label}",
        horizontal=horizontal,
        vertical=vertical,
        mark=(curve["mark"]["x"], curve["mark"]["y"]) if curve["mark"] else None,
        size=NARROW if shown["narrow"] else WIDE,
    )
