"""The page of the library: documents with what they gave, files that failed, jobs, and a form to send more."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import anyio
from fastapi import APIRouter, Request
from starlette.datastructures import UploadFile
from starlette.responses import RedirectResponse, Response

from mathrag.library import DocumentInfo, Library
from mathrag.library.entry_objects import document_object, failure_object
from mathrag.serve.api.documents import removed
from mathrag.serve.api.finding import one_document
from mathrag.serve.api.jobs import uploaded
from mathrag.serve.pages.library_jobs import job_card
from mathrag.serve.pages.library_query import PAGE, field, offset, pager, word
from mathrag.serve.pages.rendering import checked_form, page
from mathrag.serve.problems import ProblemError
from mathrag.serve.state import ServeState, state_of

router = APIRouter()
_MOST_FAILURES = 100
_MOST_JOBS = 5
_RECENT = timedelta(minutes=15)


@router.get("/library")
@router.get("/library.json")
def show(request: Request) -> Response:
    """Documents, failures, jobs."""
    return page(request, "library/page.html", _data(request, state_of(request)))


@router.post("/library/upload")
async def upload(request: Request) -> Response:
    """Files were sent with the form: read them, and show the library again."""
    state = state_of(request)
    form = await checked_form(request, most_files=100)
    try:
        files: Any = [file for file in form.getlist("files") if isinstance(file, UploadFile) and file.filename]
        await anyio.to_thread.run_sync(lambda: uploaded(state, files, replace=bool(form.get("replace"))))
    finally:
        await form.close()
    return RedirectResponse("/library", 303)


@router.post("/library/remove")
async def remove(request: Request) -> Response:
    """Take a document out, and show the library again."""
    form = await checked_form(request)
    identifier = form.get("document")
    if not isinstance(identifier, str) or len(identifier) > 40:
        raise ProblemError(422, "say which document to remove")
    await anyio.to_thread.run_sync(removed, state_of(request), identifier)
    return RedirectResponse("/library", 303)


@router.post("/library/reread")
async def reread(request: Request) -> Response:
    """Read a document's file again, though it has not changed."""
    state = state_of(request)
    identifier = field(await checked_form(request), "document", longest=40)

    def work() -> None:
        info = one_document(state.library, identifier)
        if not Path(info.key).exists():
            raise ProblemError(409, f"the file of {info.name} is not there any more; upload it again", code="no_file")
        state.jobs.add({"paths": [info.key], "names": [info.name], "force": True})

    await anyio.to_thread.run_sync(work)
    return RedirectResponse("/library", 303)


@router.post("/library/retry")
async def retry(request: Request) -> Response:
    """Try the files again that could not be read."""
    state = state_of(request)
    await checked_form(request)

    def work() -> None:
        names = [failure.name for failure in state.library.failures()]
        if names:
            state.jobs.add({"paths": [], "names": names[:100], "retry": True})

    await anyio.to_thread.run_sync(work)
    return RedirectResponse("/library", 303)


@router.post("/library/forget")
async def forget(request: Request) -> Response:
    """Forget that a file could not be read."""
    name = field(await checked_form(request), "file", longest=1_000)
    await anyio.to_thread.run_sync(state_of(request).library.forget_failure, name)
    return RedirectResponse("/library", 303)


@router.post("/library/starter")
async def starter(request: Request) -> Response:
    """Read the documents on physics and chemistry that come along."""
    state = state_of(request)
    await checked_form(request)
    made = {"paths": [str(Library.starter_folder())], "names": ["starter documents"]}
    await anyio.to_thread.run_sync(state.jobs.add, made)
    return RedirectResponse("/library", 303)


def _data(request: Request, state: ServeState) -> dict[str, Any]:
    library = state.library
    words, start = word(request, "q").lower(), offset(request)
    jobs, more = _jobs(state)
    failures = library.failures()
    failed = {failure.key: failure.reason for failure in failures}
    wanted = [info for info in library.documents() if words in f"{info.title}\n{info.name}".lower()]
    wanted.sort(key=lambda info: (info.title or info.name).lower())
    return {
        "totals": library.totals(),
        "words": words,
        "documents": {
            "items": _rows(library, wanted[start : start + PAGE], failed),
            **pager(request, len(wanted), start=start),
            "failures": [failure_object(failure) for failure in failures[:_MOST_FAILURES]],
        },
        "jobs": jobs,
        "more_jobs": more,
    }


def _rows(library: Library, shown: list[DocumentInfo], failed: dict[str, str]) -> list[dict[str, Any]]:
    counts = library.counts()
    rows = []
    for info in shown:
        made = document_object(info, counts.get(info.id))
        rows.append({**made, **document_state(made, failed.get(info.key, ""))})
    return rows


def document_state(made: dict[str, Any], failure: str) -> dict[str, str]:
    """How a document stands, in a word and a sentence."""
    numbers, notes = made["counts"], len(made["notes"])
    if failure:
        return {"state": "outdated", "state_words": f"reading it again failed: {failure}"}
    if numbers.get("quarantined"):
        return {"state": "to check", "state_words": f"{numbers['quarantined']} set aside to be looked at"}
    if not numbers.get("formulas") and not numbers.get("constants"):
        return {"state": "nothing found", "state_words": "no formula and no constant was found in it"}
    if notes:
        return {"state": "read", "state_words": f"{notes} {'note' if notes == 1 else 'notes'} of the reader"}
    return {"state": "read", "state_words": ""}


def _jobs(state: ServeState) -> tuple[list[dict[str, Any]], int]:
    """The jobs at work, the next ones, and those that ended just now; and how many more wait."""
    store = state.jobs.store
    running, _ = store.listed(state="running", limit=_MOST_JOBS)
    _, waiting = store.listed(state="queued", limit=1)
    later = max(0, waiting - _MOST_JOBS)
    queued, _ = store.listed(state="queued", limit=_MOST_JOBS, offset=later)
    latest, _ = store.listed(limit=_MOST_JOBS * 2)
    since = (datetime.now(UTC) - _RECENT).isoformat(timespec="milliseconds")
    over = [job for job in latest if job.is_over and (job.finished or "") > since]
    active = {job.id: job for job in (*running, *reversed(queued))}
    shown = [*active.values(), *over[: max(1, _MOST_JOBS - len(active))]]
    return [job_card(state, job) for job in shown], later
