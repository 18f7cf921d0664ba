"""The page of one question of a run: what was asked, expected and got, the formulas, and what was done on the way."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Request
from starlette.responses import Response

from mathrag.errors import LibraryError
from mathrag.library.browsing import labels_of
from mathrag.library.evaluation_view_questions import filtered, find_prediction
from mathrag.serve.pages.evaluation import WORDS, filter_of, load, question_href
from mathrag.serve.pages.rendering import page
from mathrag.serve.problems import ProblemError
from mathrag.serve.state import state_of

router = APIRouter()


@router.get("/evaluation/{run}/question")
@router.get("/evaluation/{run}/question.json")
def show(request: Request, run: str) -> Response:
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
