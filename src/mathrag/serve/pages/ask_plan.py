"""An answer computed again: with other values, or as a plot over a range of one of them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import anyio
from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.responses import Response

from mathrag.errors import MathragError
from mathrag.serve.api.finding import one_formula
from mathrag.serve.pages.filters import symbol_words, unit_words
from mathrag.serve.pages.rendering import page
from mathrag.serve.plots import NARROW, WIDE, Axis, curve_svg
from mathrag.serve.problems import ProblemError, as_problem
from mathrag.serve.replies import JsonReply
from mathrag.serve.state import ServeState, state_of

router = APIRouter()
Name = Annotated[str, Field(min_length=1, max_length=100)]
Value = Annotated[str, Field(max_length=200)]
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


@router.post("/ask/recompute.json")
async def recompute(request: Request, plan: Plan) -> Response:
    """The result of an answer's steps with the values of the plan, or in `problem` what is wrong with them.

    Values that are being typed are no failure of the request, so they do not end as one.
    """
    try:
        found = await _called(state_of(request), "compute_steps", plan, {})
    except MathragError as error:
        return JsonReply({"value": None, "problem": as_problem(error).detail})
    return JsonReply({**found, "problem": None})


@router.get("/ask/plot")
@router.get("/ask/plot.json")
@router.get("/ask/plot.svg")
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
        return Response(shown["svg"], media_type="image/svg+xml")
    shown["label"] = await anyio.to_thread.run_sync(_label, state, read)
    return page(request, "ask/plot.html", shown)


async def _called(state: ServeState, operation: str, plan: Plan, more: dict[str, Any]) -> Any:
    def work() -> Any:
        for step in plan.steps:
            one_formula(state.library, step.formula)
        return state.pool.call(operation, {**plan.model_dump(), **more})

    return await anyio.to_thread.run_sync(work, limiter=state.asking)


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
