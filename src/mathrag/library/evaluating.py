"""Evaluate: read a set's documents into a library of its own, ask every question in worker processes, grade, report.

A run that was stopped goes on where it was; one whose questions, documents, planner or program changed starts anew.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from mathrag.documents.isolation import Done, Failed, Task, WorkerLimits, WorkerPool
from mathrag.documents.isolation.pool import default_workers
from mathrag.errors import LibraryError, UsageError
from mathrag.evaluate.catalogue import Catalogue
from mathrag.evaluate.comparing import REPORT_FILE, Comparison, compare_reports, load_report
from mathrag.evaluate.fingerprints import files_fingerprint, program_fingerprint, reading_fingerprint, text_fingerprint
from mathrag.evaluate.grading import grade
from mathrag.evaluate.metrics import grade_record, measure
from mathrag.evaluate.predictions import (
    PredictionLog,
    prediction_line,
    read_predictions,
    write_predictions,
    write_whole,
)
from mathrag.evaluate.questions import Half, Truth, load_questions, select
from mathrag.evaluate.report import report_files
from mathrag.library.asking_worker import ASK
from mathrag.library.facade import Library

Json: TypeAlias = Any
# Called with what is being done ("reading", "asking"), how much is done, and how much there is.
Watcher: TypeAlias = Callable[[str, int, int], None]
RUN_FILE = "run.json"
PREDICTIONS_FILE = "predictions.jsonl"
LIBRARY_FOLDER = "library"
DEFAULT_PLANNER = "rules"
_FORMAT = 1
_SECONDS_A_QUESTION = 60.0
# So many questions in a row that all fail for one reason are no accident of a question.
_FAILURES_TO_STOP = 5
QUESTION_SET_COMPARED = (
    "Right means: value and unit within 1 % of the known answer after conversion, dimension agreeing; for questions "
    "without an answer, no number; for chat, no computation. The tool is correct when every formula that the question "
    "needs was used, compared as equations."
)

__all__ = [
    "DEFAULT_PLANNER",
    "Asking",
    "Comparison",
    "compare_evaluations",
    "evaluate_formula_qa",
    "evaluate_formula_reasoning",
]


@dataclass(frozen=True, slots=True)
class Asking:
    """How a run asks. `ask` names the function (`package.module:function`) that answers in the worker processes; it
    takes `{"library", "question", "planner"}` and gives the public JSON object of an answer."""

    planner: str = DEFAULT_PLANNER
    limit: int | None = None
    half: Half | None = None
    workers: int | None = None
    ask: str = ASK
    watch: Watcher | None = None


@dataclass(slots=True)
class _Run:
    name: str
    truths: tuple[Truth, ...]
    documents: tuple[Path, ...]
    compared: str
    out: Path
    asking: Asking
    notices: list[str] = field(default_factory=list)

    @property
    def library(self) -> Path:
        return self.out / LIBRARY_FOLDER


def evaluate_formula_qa(
    folder: Path, out: Path, *, documents: Sequence[Path] = (), asking: Asking | None = None
) -> Json:
    """Evaluate on a question set in `folder`; the report, which is also written to `out`."""
    file = folder / "questions.jsonl"
    if not file.is_file():
        raise UsageError(f"{folder} holds no questions.jsonl; name the folder of a question set")
    chosen = tuple(documents) or (folder / "documents",)
    for path in chosen:
        if not path.exists():
            raise UsageError(f"there is no {path}; name the documents of the set with --documents")
    name = folder.resolve().name
    return _evaluate(_Run(name, load_questions(file), chosen, QUESTION_SET_COMPARED, out, asking or Asking()))


def evaluate_formula_reasoning(
    file: Path, out: Path, *, formulas: Path | None = None, asking: Asking | None = None
) -> Json:
    """Evaluate on a file of FormulaReasoning, over a document made of its formulas."""
    from mathrag.evaluate.formula_reasoning import COMPARED, load_reasoning, reasoning_document

    beside = file.with_name("formulas.json")
    source = formulas if formulas is not None else beside if beside.is_file() else None
    truths, notices = load_reasoning(file)
    text, told = reasoning_document(source, file)
    made = out / "documents" / "formulas.md"
    _prepare(out)
    made.parent.mkdir(exist_ok=True)
    write_whole(made, text)
    run = _Run(file.stem, truths, (made,), COMPARED, out, asking or Asking(), [*notices, *told])
    return _evaluate(run)


def compare_evaluations(first: Path, second: Path) -> Comparison:
    """What got better and worse from one output folder to another."""
    return compare_reports(load_report(first), load_report(second))


def _evaluate(run: _Run) -> Json:
    chosen = select(run.truths, limit=run.asking.limit, half=run.asking.half)
    if not chosen:
        raise UsageError("no question is left; ask for more, or for the other half")
    _prepare(run.out)
    known = _known_predictions(run)
    _make_library(run)
    log_file = run.out / PREDICTIONS_FILE
    waiting = [truth for truth in chosen if truth.id not in known]
    with PredictionLog(log_file) as log:
        for truth, prediction in _predictions(run, waiting, done=len(chosen) - len(waiting), total=len(chosen)):
            known[truth.id] = prediction
            log.add(truth.id, prediction)
    write_predictions(log_file, known, [truth.id for truth in run.truths])
    return _write_report(run, chosen, known)


def _prepare(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{out} cannot be made: {error.strerror or error}") from error


def _known_predictions(run: _Run) -> dict[str, Json]:
    """What an earlier run over the same questions, documents, planner and program left; a failure is tried again."""
    state, file = _state(run.out), run.out / PREDICTIONS_FILE
    fingerprint = _fingerprint(run)
    kept: dict[str, Json] = {}
    if state.get("fingerprint") == fingerprint:
        found = read_predictions(file)
        kept = {name: one for name, one in found.items() if one.get("failure") is None}
    elif "fingerprint" in state:
        run.notices.append("questions, documents, planner or program changed since the last run here: asked anew")
    elif file.exists():
        raise UsageError(f"{file} is there already and no evaluation made it; name another folder with --out")
    # Before the fingerprint, so that no old line can pass for a new one; and the next line needs a line of its own,
    # whatever a stopped run left half written.
    write_predictions(file, kept, [truth.id for truth in run.truths])
    _save_state(run.out, {**state, "format": _FORMAT, "fingerprint": fingerprint})
    return kept


def _fingerprint(run: _Run) -> str:
    asked = [[truth.id, truth.question] for truth in run.truths]
    parts = [files_fingerprint(run.documents), run.asking.planner, run.asking.ask, program_fingerprint(), asked]
    return text_fingerprint(json.dumps(parts))


def _state(out: Path) -> dict[str, Any]:
    try:
        state = json.loads((out / RUN_FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return state if isinstance(state, dict) else {}


def _save_state(out: Path, state: Json) -> None:
    write_whole(out / RUN_FILE, json.dumps(state, indent=2) + "\n")


def _make_library(run: _Run) -> None:
    """A library of the documents alone. One that the same program made from the same documents is used again."""
    state = _state(run.out)
    fingerprint = f"{files_fingerprint(run.documents)}-{reading_fingerprint()}"
    if state.get("library") == fingerprint and Library.exists(run.library):
        return
    if run.library.exists():
        if "library" not in state:
            raise UsageError(
                f"{run.library} is there already and no evaluation made it; name another folder with --out"
            )
        shutil.rmtree(run.library)
    # Marked as ours before it is filled: a run that is stopped meanwhile may remove it.
    _save_state(run.out, {**state, "library": "unfinished"})
    watch = run.asking.watch

    def told(_: object, done: int, total: int) -> None:
        if watch is not None:
            watch("reading", done, total)

    with Library(run.library) as library:
        report = library.ingest([str(path) for path in run.documents], workers=run.asking.workers, progress=told)
    if len(report.failed) == len(report.files):
        failed = "; ".join(f"{file.name}: {file.reason}" for file in report.failed) or "there is none"
        raise LibraryError(f"no document could be read: {failed}")
    _save_state(run.out, {**state, "library": fingerprint})


def _predictions(run: _Run, truths: Sequence[Truth], *, done: int, total: int) -> Iterator[tuple[Truth, Json]]:
    """Ask in worker processes; each prediction as it comes."""
    watch, by_id = run.asking.watch, {truth.id: truth for truth in truths}
    if watch is not None:
        watch("asking", done, total)
    if not truths:
        return
    shared = {"library": str(run.library), "planner": run.asking.planner}
    tasks = (Task(truth.id, run.asking.ask, {**shared, "question": truth.question}) for truth in truths)
    limits = WorkerLimits(seconds=_SECONDS_A_QUESTION, megabytes=8192, tasks=10_000_000)
    workers = min(len(truths), run.asking.workers or default_workers())
    reasons: list[str] = []
    with WorkerPool([run.asking.ask], workers=workers, limits=limits) as pool:
        for outcome in pool.run(tasks):
            done += 1
            if watch is not None:
                watch("asking", done, total)
            reasons.append(outcome.reason if isinstance(outcome, Failed) else "")
            if len(reasons) == min(_FAILURES_TO_STOP, total) and reasons[0] and len(set(reasons)) == 1:
                raise LibraryError(f"no question can be asked: {reasons[0]}")
            yield by_id[outcome.task.key], _prediction(outcome)


def _prediction(outcome: Done | Failed) -> Json:
    if isinstance(outcome, Failed):
        # Not an answer, so written as a refusal; the report counts it as a crash.
        failure = {"code": outcome.code, "reason": outcome.reason}
        return {**_EMPTY, "text": outcome.reason, "failure": failure}
    try:
        prediction_line(outcome.task.key, outcome.result)
    except (ValueError, TypeError, AttributeError):
        return {**_EMPTY, "failure": {"code": "broken", "reason": "what came back is no object that JSON can carry"}}
    return outcome.result


_EMPTY: dict[str, Any] = {
    "outcome": "refused",
    "value": None,
    "unit": None,
    "text": "",
    "formulas": [],
    "bindings": {},
    "steps": [],
    "missing": [],
    "confidence": None,
    "warnings": [],
    "milliseconds": None,
}


def _write_report(run: _Run, chosen: Sequence[Truth], predictions: dict[str, Json]) -> Json:
    with Library(run.library, create=False) as library:
        formulas = library.formulas()
        documents = [info.name for info in library.documents()]
        unread = [f"{failure.name} could not be read: {failure.reason}" for failure in library.failures()]
    catalogue = Catalogue(formulas)
    grades = [grade(truth, predictions[truth.id], catalogue) for truth in chosen]
    report = {
        "format": _FORMAT,
        "set": run.name,
        "planner": run.asking.planner,
        "half": run.asking.half,
        "limit": run.asking.limit,
        "compared": run.compared,
        "notices": [*run.notices, *unread, *_absent_documents(chosen, documents)],
        "library": {
            "documents": documents,
            "formulas": len(formulas),
            "executable": sum(formula.status == "executable" for formula in formulas),
        },
        "metrics": measure(grades),
        "questions": [grade_record(one) for one in grades],
    }
    write_whole(run.out / REPORT_FILE, json.dumps(report, indent=1, ensure_ascii=False) + "\n")
    for name, text in report_files(report).items():
        write_whole(run.out / name, text)
    return report


def _absent_documents(truths: Sequence[Truth], documents: Sequence[str]) -> list[str]:
    """Say so when the questions are about documents that were not read."""
    # The same document in another format has the same name but for its ending.
    names = {Path(name).stem for name in documents}
    absent = sorted({truth.document for truth in truths if truth.document and Path(truth.document).stem not in names})
    return [f"the questions are about {name}, which is not among the documents read" for name in absent]
