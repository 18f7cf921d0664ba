"""Evaluate: read a set's documents into a library of its own, ask every question in worker processes, grade, report.

A run that was stopped goes on where it was; one whose questions, documents, planner or program changed starts anew.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mathrag.errors import LibraryError, UsageError
from mathrag.evaluate.comparison import REPORT_FILE, Comparison, compare_reports, load_report
from mathrag.evaluate.formula_identity import Catalogue
from mathrag.evaluate.grades import grade
from mathrag.evaluate.metrics import grade_record, measure
from mathrag.evaluate.questions import Truth, load_questions, select
from mathrag.evaluate.report import add_spending, model_figures, no_spending, report_files
from mathrag.evaluate.run_files import (
    PREDICTIONS_FILE,
    RUN_FILE,
    PredictionLog,
    files_fingerprint,
    program_fingerprint,
    read_predictions,
    reading_fingerprint,
    text_fingerprint,
    write_predictions,
    write_whole,
)
from mathrag.library.evaluate.question_run import DEFAULT_PLANNER, QuestionRun, RunOptions, model_used
from mathrag.library.facade import Library
from mathrag.types.json_value import Json

LIBRARY_FOLDER = "library"
_FORMAT = 1
QUESTION_SET_COMPARED = (
    "Right means: value and unit within 1 % of the known answer after conversion, dimension agreeing; for questions "
    "without an answer, no number; for chat, no computation. The tool is correct when every formula that the question "
    "needs was used, compared as equations."
)

__all__ = [
    "DEFAULT_PLANNER",
    "Comparison",
    "RunOptions",
    "compare_evaluations",
    "evaluate_formula_qa",
    "evaluate_formula_reasoning",
]


@dataclass(slots=True)
class _Run:
    name: str
    truths: tuple[Truth, ...]
    documents: tuple[Path, ...]
    compared: str
    out: Path
    asking: RunOptions
    notices: list[str] = field(default_factory=list)
    model: str = ""

    @property
    def library(self) -> Path:
        return self.out / LIBRARY_FOLDER


def evaluate_formula_qa(
    folder: Path, out: Path, *, documents: Sequence[Path] = (), asking: RunOptions | None = None
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
    return _evaluate(_Run(name, load_questions(file), chosen, QUESTION_SET_COMPARED, out, asking or RunOptions()))


def evaluate_formula_reasoning(
    file: Path, out: Path, *, formulas: Path | None = None, asking: RunOptions | None = None
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
    run = _Run(file.stem, truths, (made,), COMPARED, out, asking or RunOptions(), [*notices, *told])
    return _evaluate(run)


def compare_evaluations(first: Path, second: Path) -> Comparison:
    """What got better and worse from one output folder to another."""
    return compare_reports(load_report(first), load_report(second))


def _evaluate(run: _Run) -> Json:
    chosen = select(run.truths, limit=run.asking.limit, half=run.asking.half)
    if not chosen:
        raise UsageError("no question is left; ask for more, or for the other half")
    run.model = model_used(run.asking.planner)
    _prepare(run.out)
    known = _known_predictions(run)
    _make_library(run)
    log_file = run.out / PREDICTIONS_FILE
    waiting = [truth for truth in chosen if truth.id not in known]
    question_run = QuestionRun(
        run.asking, library=run.library, replies=run.out if run.model else None, spent=_spent_so_far(run.out)
    )
    try:
        with PredictionLog(log_file) as log:
            for truth, prediction in question_run.predictions(
                waiting, done=len(chosen) - len(waiting), total=len(chosen)
            ):
                known[truth.id] = prediction
                log.add(truth.id, prediction)
                if run.model:
                    _save_state(run.out, {**_state(run.out), "spent": question_run.spent})
    finally:
        if run.model:
            _save_state(run.out, {**_state(run.out), "spent": question_run.spent})
    write_predictions(log_file, known, [truth.id for truth in run.truths])
    if question_run.stopped:
        run.notices.append(_stopped_notice(question_run.stopped, len(chosen)))
    asked = [truth for truth in chosen if truth.id in known]
    return _write_report(run, asked, known, question_run=question_run)


def _spent_so_far(out: Path) -> Json:
    """What models took in earlier sessions of this run."""
    return add_spending(no_spending(), {"total": _state(out).get("spent")})


def _stopped_notice(stopped: Mapping[str, str], total: int) -> str:
    reason = next(iter(stopped.values()))
    return f"{len(stopped)} of {total} questions are left unasked: {reason}"


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
    spent = state.get("spent") if state.get("fingerprint") == fingerprint else None
    _save_state(run.out, {**state, "format": _FORMAT, "fingerprint": fingerprint, "spent": spent})
    return kept


def _fingerprint(run: _Run) -> str:
    asked = [[truth.id, truth.question] for truth in run.truths]
    parts = [files_fingerprint(run.documents), run.asking.planner, run.asking.ask, program_fingerprint(), asked]
    if run.asking.handbook:
        parts.append("handbook")
    if run.model:
        parts.append(run.model)
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


def _write_report(
    run: _Run, chosen: Sequence[Truth], predictions: dict[str, Json], *, question_run: QuestionRun
) -> Json:
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
        "handbook": run.asking.handbook,
        "compared": run.compared,
        "notices": [*run.notices, *unread, *_absent_documents(chosen, documents)],
        "library": {
            "documents": documents,
            "formulas": len(formulas),
            "executable": sum(formula.status == "executable" for formula in formulas),
        },
        "metrics": measure(grades),
        "questions": [grade_record(one) for one in grades],
        "language_model": None
        if not run.model
        else model_figures(
            [predictions[truth.id] for truth in chosen],
            question_run.spent,
            model=run.model,
            stopped=len(question_run.stopped),
        ),
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
