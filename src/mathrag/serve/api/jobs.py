"""`/api/v1/jobs`: documents sent to be read, how far that is, and giving it up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated, Any

import anyio
from fastapi import APIRouter, File, Form, Header, Query, Request, UploadFile
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response, StreamingResponse

from mathrag.library import Library
from mathrag.serve.api.entries import Described, JobId, Limit, Listed, Offset, listed
from mathrag.serve.jobs.store import Job, JobState
from mathrag.serve.jobs.uploads import Sent, keep
from mathrag.serve.problems import PROBLEMS, ProblemError
from mathrag.serve.replies import HEARTBEAT, STREAM_HEADERS, JsonReply, event_bytes, stream_description
from mathrag.serve.state import ServeState, state_of

router = APIRouter(prefix="/jobs", tags=["jobs"], responses=PROBLEMS)
# How often the file of jobs is looked at; a person sees no delay.
_GLANCE_SECONDS = 0.2
_HEARTBEAT_GLANCES = 50


class JobObject(Described):
    """A job: files being read into the library."""

    id: str = Field(description="Its id.")
    state: JobState = Field(description="`queued`, `running`, `done`, `failed` or `cancelled`.")
    created: str = Field(description="When it was asked for.")
    started: str | None = Field(description="When it began, the last time.")
    finished: str | None = Field(description="When it ended.")
    attempts: int = Field(description="How often it was begun: more than once where the server stopped meanwhile.")
    done: int = Field(description="How many files are done.")
    total: int = Field(description="How many files there are; 0 while that is unknown.")
    names: list[str] = Field(description="What is read.")
    reason: str = Field(description="Why it failed or ended.")
    report: dict[str, Any] | None = Field(description="What became of every file, when it is done.")


class JobList(Listed):
    """A page of jobs, the newest first."""

    items: list[JobObject] = Field(description="The jobs.")


class NewJob(BaseModel):
    """What to read."""

    model_config = ConfigDict(extra="forbid")
    paths: list[Annotated[str, Field(min_length=1, max_length=1_000)]] = Field(
        default_factory=list, max_length=100, description="Files and folders of the server's machine, where allowed."
    )
    starter: bool = Field(False, description="Read the documents on physics and chemistry that come along.")
    openmath: bool = Field(False, description="Read the dictionaries of mathematical concepts that come along.")
    retry: bool = Field(False, description="Try the files again that failed before.")
    force: bool = Field(False, description="Read files again though they have not changed.")


def job_object(job: Job) -> dict[str, Any]:
    """A job as data; where files lie on the server's machine is not part of it."""
    return {
        "id": job.id,
        "state": job.state,
        "created": job.created,
        "started": job.started,
        "finished": job.finished,
        "attempts": job.attempts,
        "done": job.done,
        "total": job.total,
        "names": list(job.request.get("names", ())),
        "reason": job.reason,
        "report": job.report,
        "is_cancelled": job.is_cancelled,
    }


@router.get("", summary="List jobs", response_model=JobList)
def list_jobs(
    request: Request,
    state: Annotated[JobState | None, Query(description="Only of this state.")] = None,
    limit: Limit = 50,
    offset: Offset = 0,
) -> Response:
    """Jobs, the newest first."""
    found, total = state_of(request).jobs.store.listed(state=state, limit=limit, offset=offset)
    return JsonReply(listed([job_object(job) for job in found], total, limit=limit, offset=offset))


@router.post("", summary="Have files of the server read", status_code=202, response_model=JobObject)
def start_job(request: Request, job: NewJob) -> Response:
    """Start a job on files that are on the server's machine already."""
    state = state_of(request)
    paths = [_allowed(state, path) for path in job.paths]
    names = [path.name for path in paths]
    if job.starter:
        paths.append(Library.starter_folder())
        names.append("starter documents")
    if job.openmath:
        paths.append(Library.openmath_folder())
        names.append("OpenMath dictionaries")
    if not paths and not job.retry:
        raise ProblemError(
            422, "say what to read: `paths`, `starter`, `openmath` or `retry`, or upload files", code="no_file"
        )
    made = {"paths": list(map(str, paths)), "names": names, "retry": job.retry, "force": job.force}
    return JsonReply(job_object(state.jobs.add(made)), 202)


def _allowed(state: ServeState, path: str) -> Path:
    """A path inside of a folder that clients may name; links are followed before that is judged."""
    try:
        found = Path(path).resolve()
    except (OSError, ValueError, RuntimeError):
        raise ProblemError(422, "this is no path") from None
    if not any(found.is_relative_to(folder) for folder in state.options.ingest_folders):
        raise ProblemError(403, "files of that folder may not be read; start the server with --allow-path", code="path")
    return found


@router.post("/uploads", summary="Upload files and have them read", status_code=202, response_model=JobObject)
def upload(
    request: Request,
    files: Annotated[list[UploadFile], File(description="The files; several are one job.")],
    replace: Annotated[bool, Form(description="Replace files of the same name instead of keeping both.")] = False,
    force: Annotated[bool, Form(description="Read files again though they have not changed.")] = False,
) -> Response:
    """Send files of a kind that can be read. All are taken, or none."""
    return JsonReply(job_object(uploaded(state_of(request), files, replace=replace, force=force)), 202)


def uploaded(state: ServeState, files: list[UploadFile], *, replace: bool = False, force: bool = False) -> Job:
    """Keep files that a client sent and start the job that reads them; for any route."""
    sent = [Sent(file.filename or "", file.file) for file in files]
    kept = keep(state.library.folder, sent, limits=state.options.limits, replace=replace)
    paths = list(dict.fromkeys(str(file.path.resolve()) for file in kept))
    return state.jobs.add({"paths": paths, "names": [file.name for file in kept], "force": force})


@router.get("/{job}", summary="One job", response_model=JobObject)
def get_job(request: Request, job: JobId) -> Response:
    """How far a job is, or what became of it."""
    return JsonReply(job_object(_job(state_of(request), job)))


@router.post("/{job}/cancel", summary="Give a job up", response_model=JobObject)
def cancel_job(request: Request, job: JobId) -> Response:
    """End a job. What it has read already stays in the library."""
    state = state_of(request)
    if _job(state, job).is_over:
        raise ProblemError(409, "the job is over already")
    return JsonReply(job_object(state.jobs.store.cancel(job)))


def _job(state: ServeState, identifier: str) -> Job:
    try:
        return state.jobs.store.get(identifier)
    except KeyError:
        raise ProblemError(404, f"there is no job {identifier}") from None


@router.get(
    "/{job}/events",
    summary="Follow a job",
    response_class=StreamingResponse,
    responses=stream_description(
        "Server-sent events: `state` and `file` as they happen; the stream ends with the job.", "state", "file"
    ),
)
async def follow_job(
    request: Request,
    job: JobId,
    after: Annotated[int, Query(ge=0, le=2**53, description="Only events after this number.")] = 0,
    last_event_id: Annotated[str | None, Header(max_length=20, description="The same, as browsers send it.")] = None,
) -> Response:
    """What happens to a job, as server-sent events with numbers; a lost stream can be taken up again."""
    state = state_of(request)
    await anyio.to_thread.run_sync(_job, state, job)
    if state.streams >= state.options.limits.streams:
        raise ProblemError(503, "too many streams are open already", headers={"Retry-After": "1"})
    if last_event_id is not None and last_event_id.isascii() and last_event_id.isdigit():
        after = max(after, int(last_event_id))
    return StreamingResponse(_events(state, job, after), media_type="text/event-stream", headers=STREAM_HEADERS)


async def _events(state: ServeState, identifier: str, after: int) -> AsyncIterator[bytes]:
    state.streams += 1
    quiet = 0
    try:
        while True:
            # Looked at before the events: what is written between the two is then told the next time, not lost.
            is_over = (await anyio.to_thread.run_sync(_job, state, identifier)).is_over
            found = await anyio.to_thread.run_sync(lambda: state.jobs.store.events(identifier, after=after))  # noqa: B023
            for number, event in found:
                after = number
                yield event_bytes("state" if "state" in event else "file", event, number=number)
            if is_over and not found:
                return
            quiet = 0 if found else quiet + 1
            if quiet and quiet % _HEARTBEAT_GLANCES == 0:
                yield HEARTBEAT
            if not found:
                await asyncio.sleep(_GLANCE_SECONDS)
    finally:
        state.streams -= 1
