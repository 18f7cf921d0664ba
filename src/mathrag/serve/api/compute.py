"""`/api/v1/compute`: one formula with values put in, solved for any symbol; and one value going through a range."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import anyio
from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from mathrag.serve.api.entries import Described, one_formula
from mathrag.serve.problems import PROBLEMS
from mathrag.serve.replies import JsonReply
from mathrag.serve.state import ServeState, state_of

router = APIRouter(prefix="/compute", tags=["compute"], responses=PROBLEMS)
Symbol = Annotated[str, Field(min_length=1, max_length=100)]
Value = Annotated[str, Field(max_length=200)]


class Computation(BaseModel):
    """A formula and the values of its symbols."""

    model_config = ConfigDict(extra="forbid")
    formula: str = Field(pattern=r"^f-[0-9a-f]{12}$", description="The id of the formula.")
    values: dict[Symbol, Value] = Field(
        default_factory=dict,
        max_length=50,
        description='Values by symbol, such as {"m": "2 kg"}; a plain number is meant in the unit of the document. '
        "Constants may be left out.",
    )
    solve_for: Symbol | None = Field(None, description="The symbol to compute; without, the one alone on the left.")
    unit: Value | None = Field(None, description="The unit of the result.")


class Sweep(Computation):
    """One symbol that goes from one value to another."""

    symbol: Symbol = Field(description="The symbol that varies.")
    start: Value = Field(description="Its first value, with its unit.")
    stop: Value = Field(description="Its last value.")
    points: int = Field(60, ge=2, le=500, description="How many points.")
    scale: Literal["linear", "logarithmic"] = Field("linear", description="How the points are spaced.")


class Computed(Described):
    """A computed value."""

    formula: str = Field(description="The id of the formula.")
    symbol: str = Field(description="The symbol that was computed.")
    value: float | int | None = Field(description="Its value, in full precision.")
    unit: str = Field(description="Its unit, in canonical text.")
    values: dict[str, Any] = Field(description="Every value that was put in, and where it came from.")
    others: list[dict[str, Any]] = Field(description="Further solutions.")


class Curve(Described):
    """Points for a plot."""

    symbol: str = Field(description="The symbol that varies.")
    symbol_unit: str = Field(description="Its unit.")
    target: str = Field(description="The symbol that was computed.")
    unit: str = Field(description="Its unit.")
    points: list[dict[str, float | None]] = Field(description="`x` and `y`; `y` is null where there is no value.")


@router.post("", summary="Compute with a formula", response_model=Computed)
async def compute(request: Request, computation: Computation) -> Response:
    """The value of one symbol of a formula, from the values of the others."""
    return JsonReply(await called(state_of(request), "compute", computation))


@router.post("/sweep", summary="Compute over a range", response_model=Curve)
async def sweep(request: Request, computation: Sweep) -> Response:
    """The result against one input that goes through a range: points for a plot."""
    return JsonReply(await called(state_of(request), "sweep", computation))


async def called(state: ServeState, operation: str, computation: Computation) -> Any:
    """Have a process compute; for any route."""

    def work() -> Any:
        one_formula(state.library, computation.formula)
        return state.pool.call(operation, computation.model_dump())

    return await anyio.to_thread.run_sync(work, limiter=state.asking)
