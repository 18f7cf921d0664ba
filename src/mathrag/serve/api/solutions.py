"""`/api/v1/check-solution`: a written solution, as text or as a file, checked step by step by calculation."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated, Any, Literal

import anyio
from fastapi import APIRouter, File, Form, Request, UploadFile
from pydantic import BaseModel, ConfigDict, Field
from starlette.datastructures import UploadFile as SentFile
from starlette.responses import Response

from mathrag.errors import DocumentError
from mathrag.library.files import check_readable, safe_name
from mathrag.library.solutions import MOST_CHARACTERS, plain_solution, read_solution_file
from mathrag.serve.api.entries import Described
from mathrag.serve.problems import PROBLEMS, ProblemError
from mathrag.serve.replies import JsonReply
from mathrag.serve.state import ServeState, state_of

router = APIRouter(prefix="/check-solution", tags=["solutions"], responses=PROBLEMS)
LONGEST_PROBLEM = 20_000
_BLOCK = 1 << 20
LAST_PAGE = 100_000
Outcome = Literal["verified", "refuted", "unchecked"]


class WrittenSolution(BaseModel):
    """A solution with its steps."""

    model_config = ConfigDict(extra="forbid")
    text: str = Field(
        min_length=1,
        max_length=MOST_CHARACTERS,
        description="The solution as plain text, Markdown or LaTeX; it may begin with its problem.",
    )
    problem: str = Field("", max_length=LONGEST_PROBLEM, description="The task, where the text does not state it.")


class JudgedClaim(Described):
    """Something that a step states."""

    text: str = Field(description="What is stated.")
    kind: Literal["value", "identity", "consequence", "unit"] = Field(description="What kind of statement it is.")
    start: int = Field(description="Where it begins in the text of the step.")
    end: int = Field(description="Where it ends there.")
    outcome: Outcome = Field(description="What calculation says of it.")
    right: str = Field(description="The right value of what is false; empty where there is none.")
    reason: str = Field(description="Why it is false or could not be checked.")


class JudgedStep(Described):
    """A step with what calculation says of it."""

    number: int = Field(description="Counted from 1.")
    line: int | None = Field(description="The line it begins on.")
    text: str = Field(description="The step as written, with formulas as LaTeX.")
    outcome: Outcome = Field(
        description="`refuted` by one false claim; `verified` where all that was checked is right."
    )
    claims: list[JudgedClaim] = Field(description="What it states.")


class CheckedSolution(Described):
    """All that was found. No false calculation found is not the same as correct."""

    statement: str = Field(description="What is known and what is not, in sentences.")
    first_error: int | None = Field(description="The number of the first step with a false calculation.")
    problem: str = Field(description="The task, as given or as found.")
    steps: list[JudgedStep] = Field(description="The steps.")
    loose_numbers: list[dict[str, Any]] = Field(
        description="Numbers calculated with that nothing before gives: `text`, `step`, `start`, `end`."
    )
    final: dict[str, Any] = Field(
        description="The stated `answer` against the last derived value: `outcome` and `reason`."
    )
    similar: list[dict[str, Any]] = Field(
        description="Up to three solved problems of the library that resemble it: `id`, `problem`, `similarity`, "
        "`source`."
    )
    notes: list[str] = Field(description="What of the text was left out.")


@router.post("", summary="Check a written solution", response_model=CheckedSolution)
async def check(request: Request, solution: WrittenSolution) -> Response:
    """A verdict for each step of a solution, by calculation alone."""
    return JsonReply(await checked_text(state_of(request), solution.text, solution.problem))


@router.post("/uploads", summary="Check the solution in a file", response_model=CheckedSolution)
async def check_upload(
    request: Request,
    file: Annotated[UploadFile, File(description="A document of any kind that can be read.")],
    problem: Annotated[str, Form(max_length=LONGEST_PROBLEM, description="The task, if the file lacks it.")] = "",
    page: Annotated[int | None, Form(ge=1, le=LAST_PAGE, description="Only this page.")] = None,
) -> Response:
    """The same for a file, which is not kept."""
    return JsonReply(await checked_upload(state_of(request), file, problem, page))


async def checked_text(state: ServeState, text: str, problem: str) -> dict[str, Any]:
    """Have a process check a text; for any route."""
    return await _called(state, {"text": text, "problem": problem})


async def checked_upload(state: ServeState, file: SentFile, problem: str, page: int | None) -> dict[str, Any]:
    """Have one process read a file and another check what it says; for any route. The file is removed at once."""
    read = await anyio.to_thread.run_sync(lambda: _read(state, file, problem, page), limiter=state.heavy)
    return await _called(state, {"solution": read})


async def _called(state: ServeState, payload: dict[str, Any]) -> dict[str, Any]:
    def work() -> dict[str, Any]:
        return dict(state.pool.call("check_solution", payload))

    return await anyio.to_thread.run_sync(work, limiter=state.asking)


def _read(state: ServeState, file: SentFile, problem: str, page: int | None) -> dict[str, Any]:
    name, most, size = safe_name(file.filename or ""), state.options.limits.upload_file_bytes, 0
    # A folder of its own: a LaTeX file may take others from beside it.
    with tempfile.TemporaryDirectory(prefix="mathrag-") as folder:
        path = Path(folder) / name
        with path.open("xb") as target:
            while block := file.file.read(_BLOCK):
                size += len(block)
                if size > most:
                    raise ProblemError(413, f"{name} is larger than {most:,} bytes", code="too_large")
                target.write(block)
        try:
            check_readable(path, name)
        except DocumentError as error:
            raise ProblemError(415, str(error), code="media_type") from error
        return plain_solution(read_solution_file(path, name=name, problem=problem, page=page))
