"""The pages of evaluations: the runs beside the library, one run with its figures and questions, one question with all
that was kept of it, two runs compared. Shows reports; grades nothing."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Request
from starlette.responses import Response

from mathrag.errors import LibraryError
from mathrag.library.views.evaluations import (
    FACETS,
    QuestionFilter,
    Report,
    calibration_svg,
    compare_runs,
    facet_counts,
    filtered,
    find_prediction,
    latency_svg,
    list_runs,
    load_run,
    run_summary,
)
from mathrag.library.views.lists import labels_of
from mathrag.serve.pages.library import PAGE, address, offset, pager, word
from mathrag.serve.pages.page_reply import page
from mathrag.serve.problems import ProblemError
from mathrag.serve.state import state_of

router = APIRouter()
_RUNS = 25
_NAMES = {"verdict": "Outcome", "tier": "Tier", "stage": "Went wrong at", "kind": "Asks for"}
WORDS = {
    "right": "right",
    "wrong": "wrong number",
    "refused": "refused, has an answer",
    "answered": "answered, has none",
    "taken": "chat, computed",
    "crashed": "crashed",
    "compute": "a number",
    "refuse": "an honest no",
    "chat": "words only",
}


@router.get("/evaluation")
@router.get("/evaluation.json")
def show_all(request: Request) -> Response:
    """The runs, newest first."""
    folder = state_of(request).library.folder
    start, problem = offset(request), ""
    try:
        runs = list_runs(folder)
    except LibraryError as error:
        runs, problem = [], str(error)
    items = [_line(run_summary(folder, run)) for run in runs[start : start + _RUNS]]
    data = {"items": items, "problem": problem, **pager(request, len(runs), start=start, limit=_RUNS)}
    return page(request, "evaluation/page.html", data)


@router.get("/evaluation/{run}/compare")
@router.get("/evaluation/{run}/compare.json")
def compare(request: Request, run: str) -> Response:
    """What changed from the run `?with=` to this one."""
    other = word(request, "with", longest=100)
    if not other:
        raise ProblemError(422, "name the run to compare with: add ?with= and its name")
    before, after = load(request, other), load(request, run)
    found, start = compare_runs(before, after), offset(request)
    changes = [{**one, "href": question_href(run, one["id"])} for one in found["changes"]]
    data = {
        "run": run,
        "other": other,
        "href": f"/evaluation/{quote(run)}",
        "other_href": f"/evaluation/{quote(other)}",
        **{name: found[name] for name in ("tiers", "only_first", "only_second")},
        "changes": changes[start : start + PAGE],
        **pager(request, len(changes), start=start),
    }
    return page(request, "evaluation/compare.html", data)


@router.get("/evaluation/{run}")
@router.get("/evaluation/{run}.json")
def show(request: Request, run: str) -> Response:
    """One run: figures, pictures, and its questions a part at a time."""
    report, wanted, start = load(request, run), filter_of(request), offset(request)
    chosen = filtered(report.questions, wanted)
    shown = [
        {**one, "says": WORDS.get(one["verdict"], one["verdict"]), "href": question_href(run, one["id"], wanted)}
        for one in chosen[start : start + PAGE]
    ]
    data = {
        **report.about,
        "pictures": {"calibration": calibration_svg(report), "latency": latency_svg(report)},
        "words": wanted.words,
        "chosen": _chosen(wanted),
        "facets": _facets(request, report, wanted),
        "items": shown,
        "everything": f"/evaluation/{quote(run)}",
        "others": _others(request, run),
        **pager(request, len(chosen), start=start),
    }
    return page(request, "evaluation/run.html", data)


def load(request: Request, run: str) -> Report:
    """The report of a run, or the problem that there is none."""
    try:
        return load_run(state_of(request).library.folder, run)
    except LibraryError as error:
        raise ProblemError(404, str(error), code="no_report") from None


def filter_of(request: Request) -> QuestionFilter:
    """Which questions the address asks for."""
    return QuestionFilter(word(request, "q"), *(word(request, name, longest=80) for name in FACETS))


def question_href(run: str, identifier: str, wanted: QuestionFilter | None = None) -> str:
    """The page of a question; the filter goes along, so that the next one is the next of the list."""
    asked = {"id": identifier, **({} if wanted is None else _chosen(wanted))}
    if wanted is not None and wanted.words:
        asked["q"] = wanted.words
    return f"/evaluation/{quote(run)}/question?{urlencode(asked)}"


def _chosen(wanted: QuestionFilter) -> dict[str, str]:
    return {name: getattr(wanted, name) for name in FACETS if getattr(wanted, name)}


def _line(summary: dict[str, Any]) -> dict[str, Any]:
    return {**summary, "href": f"/evaluation/{quote(summary['name'])}" if summary["is_shown"] else ""}


def _others(request: Request, run: str) -> list[str]:
    """The runs that this one can be compared with."""
    runs = list_runs(state_of(request).library.folder)
    return [one.name for one in runs if one.stamp is not None and one.name != run][:200]


def _facets(request: Request, report: Report, wanted: QuestionFilter) -> list[dict[str, Any]]:
    """What the questions can be narrowed down by, each value with the address that does it, or takes it back."""
    made = []
    for name, counts in facet_counts(report.questions, wanted).items():
        chosen = getattr(wanted, name)
        if chosen and chosen not in dict(counts):
            counts = [(chosen, 0), *counts]
        values = [
            {
                "value": value,
                "label": WORDS.get(value, value) if name in ("verdict", "kind") else value,
                "count": count,
                "is_chosen": value == chosen,
                "href": address(request, **{name: None if value == chosen else value}) + "#questions",
            }
            for value, count in counts
        ]
        if len(values) > 1 or chosen:
            made.append({"name": name, "label": _NAMES[name], "values": values, "chosen": chosen})
    return made


# The page of one question of a run: what was asked, expected and got, the formulas, and what was done on the way.

question_router = APIRouter()


@question_router.get("/evaluation/{run}/question")
@question_router.get("/evaluation/{run}/question.json")
def show_question(request: Request, run: str) -> Response:
    """The question `?id=` of a run."""
    report, identifier = load(request, run), request.query_params.get("id", "")
    found = next((one for one in report.questions if one["id"] == identifier), None)
    if found is None:
        raise ProblemError(404, "this run has no question of this id")
    prediction, problem = _prediction(request, run, identifier)
    data = {
        "run": run,
        "set": report.about["set"],
        "run_href": f"/evaluation/{quote(run)}",
        "question": {**found, "says": WORDS.get(found["verdict"], found["verdict"])},
        "prediction": prediction,
        "problem": problem,
        "ask_href": f"/?{urlencode({'question': found['question'][:2_000]})}" if found["question"] else "",
        **_neighbours(request, run, report.questions, identifier),
    }
    return page(request, "evaluation/question.html", data)


def _prediction(request: Request, run: str, identifier: str) -> tuple[dict[str, Any] | None, str]:
    library = state_of(request).library
    try:
        found = find_prediction(library.folder, run, identifier)
    except LibraryError as error:
        return None, str(error)
    if found is None:
        return None, "predictions.jsonl has no answer to this question"
    # A run reads its documents into a library of its own; only formulas that this one has too have a page here.
    known = labels_of(library, [each["id"] for each in (*found["formulas"], *found["nearest"])])
    for each in (*found["formulas"], *found["nearest"]):
        each["href"] = f"/formulas/{each['id']}" if each["id"] in known else ""
    return found, ""


def _neighbours(request: Request, run: str, questions: tuple[dict[str, Any], ...], identifier: str) -> dict[str, Any]:
    """The questions before and after, among those that the address asks for."""
    wanted = filter_of(request)
    listed = [one["id"] for one in filtered(questions, wanted)]
    at = listed.index(identifier) if identifier in listed else -1
    before = listed[at - 1] if at > 0 else None
    after = listed[at + 1] if 0 <= at < len(listed) - 1 else None
    return {
        "place": at + 1 if at >= 0 else None,
        "total": len(listed),
        "before": None if before is None else question_href(run, before, wanted),
        "after": None if after is None else question_href(run, after, wanted),
    }
