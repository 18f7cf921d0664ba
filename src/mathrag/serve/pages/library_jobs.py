"""Jobs for the eye: how far each file is and the formulas that it gave so far. Starts and ends none by itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from mathrag.library import DocumentInfo
from mathrag.library.browsing import FormulaFilter, browse_formulas
from mathrag.library.named import key_of
from mathrag.serve.api.jobs import job_object
from mathrag.serve.jobs.store import Job
from mathrag.serve.pages.library_query import field
from mathrag.serve.pages.rendering import checked_form, page, templates
from mathrag.serve.problems import ProblemError
from mathrag.serve.state import ServeState, state_of

router = APIRouter()
_MOST_FORMULAS = 12
_MOST_EVENTS = 5_000
_READ = ("added", "replaced", "unchanged", "enriched")
# What a file that waits has not got yet.
_BLANK: dict[str, Any] = {"counts": None, "pages": 0, "pages_done": 0, "reason": "", "warnings": []}


@router.get("/library/jobs/{job}")
@router.get("/library/jobs/{job}.json")
def show(request: Request, job: str) -> Response:
    """One job."""
    state = state_of(request)
    return page(request, "library/job.html", {"job": job_card(state, one_job(state, job), is_whole=True)})


@router.get("/library/jobs/{job}/card")
def part(request: Request, job: str) -> Response:
    """The card alone, for the script that follows the job."""
    state = state_of(request)
    session = request.scope.get("mathrag_session")
    shown = {"job": job_card(state, one_job(state, job))}
    html = templates().get_template("library/job_card.html").render(data=shown, csrf=session.csrf if session else "")
    return HTMLResponse(html)


@router.post("/library/cancel")
async def cancel(request: Request) -> Response:
    """Give a job up, and show the library again."""
    state = state_of(request)
    identifier = field(await checked_form(request), "job", longest=40)

    def work() -> None:
        if not one_job(state, identifier).is_over:
            state.jobs.store.cancel(identifier)

    await anyio.to_thread.run_sync(work)
    return RedirectResponse("/library", 303)


def one_job(state: ServeState, identifier: str) -> Job:
    """The job of an id, or the problem that there is none."""
    try:
        return state.jobs.store.get(identifier)
    except KeyError:
        raise ProblemError(404, "there is no such job") from None


def job_card(state: ServeState, job: Job, *, is_whole: bool = False) -> dict[str, Any]:
    """A job as its card shows it: the files with their states, and some of the formulas that arrived."""
    files = _files(state, job)
    documents = _documents(state, job, files)
    read = {file["name"] for file in files if file["state"] in _READ}
    shown: list[dict[str, Any]] = []
    total = 0
    most = 50 if is_whole else _MOST_FORMULAS
    for info in documents:
        if info.name not in read:
            continue
        found = browse_formulas(
            state.library, FormulaFilter(document=info.id), limit=max(1, most - len(shown)), with_facets=False
        )
        total += found.total
        shown += found.rows[: most - len(shown)]
        if len(shown) >= most:
            # How many the other documents gave is told by the files themselves.
            break
    ids = {info.name: info.id for info in documents}
    listed = [{**file, "document": ids.get(file["name"])} for file in files]
    counted = sum((file["counts"] or {}).get("formulas", 0) for file in files)
    made = {name: value for name, value in job_object(job).items() if name != "report"}
    done = len([file for file in files if file["state"] in (*_READ, "failed", "skipped")])
    return {
        **made,
        "is_over": job.is_over,
        "files": listed if is_whole else listed[:20],
        "more_files": 0 if is_whole else max(0, len(listed) - 20),
        "formulas": shown,
        "formula_count": max(total, counted),
        "words": _words(job, done),
        "share": _share(job, files),
    }


def _files(state: ServeState, job: Job) -> list[dict[str, Any]]:
    """The last that is known of each file, in the order in which they came up."""
    if job.report is not None:
        return [{**_BLANK, **file} for file in job.report.get("files", ())]
    found: dict[str, dict[str, Any]] = {}
    if job.state != "queued":
        for _, event in state.jobs.store.events(job.id, limit=_MOST_EVENTS):
            if "file" in event:
                found[event["file"]["name"]] = {**_BLANK, **event["file"]}
    waiting = [str(name) for name in job.request.get("names", ())] if not found and not job.is_over else []
    return [*found.values(), *({**_BLANK, "name": name, "state": "waiting"} for name in waiting)]


def _documents(state: ServeState, job: Job, files: list[dict[str, Any]]) -> list[DocumentInfo]:
    """The documents that a job reads, as far as they are in the library."""
    if not any(file["state"] in _READ for file in files):
        return []
    paths = [str(path) for path in job.request.get("paths", ())]
    keys = {key_of(path) for path in paths}
    names = {file["name"] for file in files}
    folders = tuple(f"{path.rstrip('/')}/" for path in paths if Path(path).is_dir())
    return [
        info
        for info in state.library.documents()
        if info.key in keys or (folders and info.key.startswith(folders)) or (not paths and info.name in names)
    ]


def _words(job: Job, done: int) -> str:
    """What a job is doing, for people."""
    match job.state:
        case "queued":
            return "Waiting for its turn"
        case "running" if job.is_cancelled:
            return "Being cancelled"
        case "running" if job.total:
            return f"Reading, {done} of {job.total} {'file' if job.total == 1 else 'files'} done"
        case "running":
            return "Reading"
        case "done":
            return "Done"
        case "cancelled":
            return "Cancelled"
    return "Failed"


def _share(job: Job, files: list[dict[str, Any]]) -> float | None:
    """How much is done, from 0 to 1; None where nobody knows."""
    if job.is_over:
        return 1.0
    if job.state == "queued" or not job.total:
        return None
    pages = sum(
        file.get("pages_done", 0) / file["pages"] for file in files if file["state"] == "reading" and file.get("pages")
    )
    return min(1.0, (job.done + float(pages)) / job.total)
