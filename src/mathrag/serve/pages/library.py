"""The pages of the library: documents with what they gave, a page for each of them, files that failed, jobs as they go
on, and a form to send more. Also what the address of any list asks for: words, choices, which part of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import anyio
from fastapi import APIRouter, Request
from starlette.datastructures import FormData, UploadFile
from starlette.responses import HTMLResponse, RedirectResponse, Response

from mathrag.library import DocumentInfo, Library
from mathrag.library.opened import key_of
from mathrag.library.views.entries import constant_object, document_object, failure_object
from mathrag.library.views.lists import FormulaFilter, browse_constants, browse_formulas, document_names
from mathrag.serve.api.documents import removed
from mathrag.serve.api.entries import one_document
from mathrag.serve.api.jobs import job_object, uploaded
from mathrag.serve.jobs.store import Job
from mathrag.serve.jobs.uploads import is_upload
from mathrag.serve.pages.page_reply import checked_form, page, permits
from mathrag.serve.pages.templates import templates
from mathrag.serve.problems import ProblemError
from mathrag.serve.state import ServeState, state_of

# What the address of a library page asks for: words, choices, which part of a list. Lenient: odd parts are ignored.

# Rows of a list at a time.
PAGE = 50
# SQLite counts its way to an offset; nobody turns so many pages.
_FURTHEST = 1_000_000


def word(request: Request, name: str, *, longest: int = 500) -> str:
    """One text of the address, without blanks around; empty where there is none or it is too long to be meant."""
    found = request.query_params.get(name, "").strip()
    return found if len(found) <= longest and found.isprintable() else ""


def offset(request: Request) -> int:
    """How many entries of the list to pass over."""
    text = request.query_params.get("offset", "0")
    return min(int(text), _FURTHEST) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def pager(request: Request, total: int, *, start: int, limit: int = PAGE) -> dict[str, Any]:
    """Where a list stands, and the addresses of the parts before and after."""
    shown = max(0, min(limit, total - start))
    return {
        "total": total,
        "offset": start,
        "limit": limit,
        "first": start + 1 if shown else 0,
        "last": start + shown,
        "before": address(request, offset=max(0, start - limit) or None) if start > 0 else None,
        "after": address(request, offset=start + limit) if start + limit < total else None,
    }


def address(request: Request, **changed: Any) -> str:
    """The page's own address with other values; None takes one out. A change of anything begins the list anew."""
    kept = {name: value for name, value in request.query_params.items() if name != "offset" and value}
    made = {name: value for name, value in {**kept, **changed}.items() if value not in (None, "")}
    path = request.url.path.removesuffix(".json")
    return f"{path}?{urlencode(made)}" if made else path


def field(form: FormData, name: str, *, longest: int = 4_000) -> str:
    """One text of a form; empty where there is none."""
    found = form.get(name)
    if not isinstance(found, str):
        return ""
    if len(found) > longest:
        raise ProblemError(422, f"a field has at most {longest:,} characters")
    return found.strip()


def source_link(place: Mapping[str, Any], formula: str = "") -> str:
    """The page that shows a place of an entry."""
    asked: dict[str, Any] = {"formula": formula} if formula else {}
    asked["document"] = place["document"]
    for name in ("page", "line"):
        if place[name] is not None:
            asked[name] = place[name]
    if not formula:
        if place["box"]:
            asked["box"] = ",".join(f"{side:.2f}" for side in place["box"])
        if place["quote"]:
            asked["quote"] = place["quote"][:500]
    return f"/source?{urlencode(asked)}"


def linked(places: list[dict[str, Any]], formula: str = "") -> list[dict[str, Any]]:
    """Places, each with the address that shows it."""
    return [{**place, "href": source_link(place, formula)} for place in places]


# Jobs for the eye: how far each file is and the formulas that it gave so far. Starts and ends none by itself.

jobs_router = APIRouter()
_MOST_FORMULAS = 12
_MOST_CONFLICTS = 20
_MOST_EVENTS = 5_000
_READ = ("added", "replaced", "unchanged", "enriched")
# What a file that waits has not got yet.
_BLANK: dict[str, Any] = {"counts": None, "pages": 0, "pages_done": 0, "reason": "", "warnings": []}


@jobs_router.get("/library/jobs/{job}")
@jobs_router.get("/library/jobs/{job}.json")
def show_job(request: Request, job: str) -> Response:
    """One job."""
    state = state_of(request)
    return page(request, "library/job.html", {"job": job_card(state, one_job(state, job), is_whole=True)})


@jobs_router.get("/library/jobs/{job}/card")
def part(request: Request, job: str) -> Response:
    """The card alone, for the script that follows the job."""
    state = state_of(request)
    session = request.scope.get("mathrag_session")
    shown = {"job": job_card(state, one_job(state, job))}
    html = (
        templates()
        .get_template("library/job_card.html")
        .render(data=shown, csrf=session.csrf if session else "", may=permits(request))
    )
    return HTMLResponse(html)


@jobs_router.post("/library/clear")
async def clear(request: Request) -> Response:
    """Take what has ended off the list: one job (`job`), or all of them. The documents stay."""
    state = state_of(request)
    identifier = field(await checked_form(request), "job", longest=40)

    def work() -> None:
        if identifier:
            one_job(state, identifier)
        state.jobs.store.clear(identifier or None)

    await anyio.to_thread.run_sync(work)
    return RedirectResponse("/library", 303)


@jobs_router.post("/library/cancel")
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
        "conflicts": [each["message"] for each in (job.report or {}).get("conflicts", ())][:_MOST_CONFLICTS],
        "words": _words(job, done, files),
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


def _words(job: Job, done: int, files: Sequence[Mapping[str, Any]]) -> str:
    """What a job is doing, for people."""
    failed, total = sum(file["state"] == "failed" for file in files), len(files)
    match job.state:
        case "queued":
            return "Waiting for its turn"
        case "running" if job.is_cancelled:
            return "Being cancelled"
        case "running" if job.total:
            return f"Reading, {done} of {job.total} {'file' if job.total == 1 else 'files'} done"
        case "running":
            return "Reading"
        case "done" if failed and failed == total:
            return "Not read"
        case "done" if failed:
            return f"Done, but {failed} of {total} files were not read"
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


@router.post("/library/trust")
async def trust(request: Request) -> Response:
    """Mark a document as trusted or untrusted, or take the mark away."""
    state = state_of(request)
    form = await checked_form(request)
    identifier, mark = field(form, "document", longest=40), field(form, "mark", longest=20)
    if mark not in ("", "trusted", "untrusted"):
        raise ProblemError(422, "a document is trusted, untrusted or neither")

    def work() -> None:
        info = one_document(state.library, identifier)
        state.library.trust(info.id, "trusted" if mark == "trusted" else "untrusted" if mark else None)

    await anyio.to_thread.run_sync(work)
    return RedirectResponse(f"/library/documents/{identifier}", 303)


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


@router.post("/library/openmath")
async def openmath(request: Request) -> Response:
    """Read the dictionaries of mathematical concepts that come along."""
    state = state_of(request)
    await checked_form(request)
    made = {"paths": [str(Library.openmath_folder())], "names": ["OpenMath dictionaries"]}
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


# The page of one document: what it is, what it gave, what its reader noted; and the question whether to remove it.

documents_router = APIRouter()
_MOST_CONSTANTS = 50
_MOST_NOTES = 100


@documents_router.get("/library/documents/{document}")
@documents_router.get("/library/documents/{document}.json")
def show_document(request: Request, document: str) -> Response:
    """A document with its formulas and constants."""
    state = state_of(request)
    return page(request, "library/document.html", _document_data(request, state, document))


@documents_router.get("/library/documents/{document}/remove")
@documents_router.get("/library/documents/{document}/remove.json")
def ask_to_remove(request: Request, document: str) -> Response:
    """What goes with a document, before it is removed."""
    state = state_of(request)
    shown = _document(state, document)
    alone = _only_here(state, document)
    return page(request, "library/remove.html", {"document": shown, "only_here": alone})


def _document_data(request: Request, state: ServeState, identifier: str) -> dict[str, Any]:
    library, start = state.library, offset(request)
    shown = _document(state, identifier)
    formulas = browse_formulas(library, FormulaFilter(document=identifier), limit=PAGE, offset=start, with_facets=False)
    ids, constant_total = browse_constants(library, document=identifier, limit=_MOST_CONSTANTS)
    names = document_names(library)
    constants = [constant_object(one, names) for each in ids for one in library.find_constants(each) if one.id == each]
    return {
        "document": shown,
        "formulas": {"items": list(formulas.rows), **pager(request, formulas.total, start=start)},
        "constants": {"items": [_with_links(one) for one in constants], "total": constant_total},
    }


def _with_links(constant: dict[str, Any]) -> dict[str, Any]:
    return {**constant, "places": linked(constant["places"][:5])}


def _document(state: ServeState, identifier: str) -> dict[str, Any]:
    info = one_document(state.library, identifier)
    made = document_object(info, state.library.counts().get(info.id))
    failure = next((one.reason for one in state.library.failures() if one.key == info.key), "")
    return {
        **made,
        "notes": made["notes"][:_MOST_NOTES],
        **document_state(made, failure),
        "is_upload": is_upload(state.library.folder, info.key),
        "is_there": Path(info.key).exists(),
    }


def _only_here(state: ServeState, document: str) -> int:
    """How many formulas no other document has."""
    with state.library.database.reading() as connection:
        row = connection.execute(
            "SELECT count(DISTINCT l.formula) FROM formula_findings l JOIN formulas f ON f.id = l.formula "
            "WHERE l.document = ? AND f.document_count = 1",
            (document,),
        ).fetchone()
    return int(row[0])
