"""Measure on questions about papers: grade answers of a file or of a model, and how well papers and passages are found.

Reads files and wires the rooms; what is counted, and how, is said in `evaluate`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from mathrag.errors import UsageError
from mathrag.evaluate.graders import ModelJudge
from mathrag.evaluate.paper_answers import (
    GradedAnswer,
    answer_figures,
    grade_answers,
    method_figures,
    reading_figures,
)
from mathrag.evaluate.paper_lists import ListedPaper, read_papers
from mathrag.evaluate.paper_questions import PaperQuestion, PaperQuestions, read_answers, read_paper_questions
from mathrag.evaluate.paper_retrieval import (
    FUSED,
    SearchedTexts,
    SearchTrial,
    evidence_searches,
    paper_searches,
    run_searches,
    search_figures,
)
from mathrag.evaluate.run_files import write_whole
from mathrag.library.evaluate.methods import Asked, cost_objects, cost_table, run_methods
from mathrag.reason.agent.documents.seams import QuestionFrame
from mathrag.store.embedders import load_embedder
from mathrag.types.document_actions import ActionFormat, ObservationFormat
from mathrag.types.json_value import Json

if TYPE_CHECKING:
    from mathrag.library.opened import OpenLibrary
    from mathrag.llm.metered import Models
    from mathrag.llm.seams import ChatModel

Watch = Callable[[str, int, int], None] | None


def grade_paper_answers(
    questions: Path, answers: Path, *, judge: ChatModel | None = None, out: Path | None = None, watch: Watch = None
) -> Json:
    """Grade a file of answers, each method of it by itself; without a judge, what only a judge could tell is unknown.

    With `out`, each question with its outcome and the reason goes into that file, one JSON object a line.
    """
    read, given = read_paper_questions(questions), read_answers(answers)
    known = {one.uuid for one in read.questions}
    return {
        **reading_figures(read),
        "answers_to_no_question": sum(uuid not in known for found in given.values() for uuid in found),
        **_graded(read.questions, given or {"": {}}, judge=judge, out=out, watch=watch),
    }


def ask_paper_questions(
    library: OpenLibrary,
    questions: Path,
    *,
    methods: Sequence[str],
    models: Models,
    formats: tuple[ActionFormat, ObservationFormat] = ("markdown", "json"),
    judge: ChatModel | None = None,
    out: Path | None = None,
    watch: Watch = None,
) -> tuple[Json, str]:
    """Let a model answer by each method the questions whose papers are in the library, and grade what it answers.

    Gives the figures, and the table of what each method cost. A paper is in the library where a file is called by its
    id. `failures` counts why the model could not go on: such questions count as unanswered. With `out`, the answers go
    into that file with their outcomes; it can be graded again as answers.
    """
    read = read_paper_questions(questions)
    places = _documents_by_paper(library)
    named = [one for one in read.questions if one.anchor_papers or one.reference_papers]
    chosen = [one for one in named if places.keys() >= set(_papers(one))]
    if not chosen:
        raise UsageError(
            f"no question of {questions.name} is about papers that are all in the library; a paper is found by its "
            "file, which is called by its id, such as ID.pdf"
        )
    run = run_methods(
        library,
        [_asked(one, places) for one in chosen],
        methods=methods,
        models=models,
        formats=formats,
        watch=watch,
    )
    given: dict[str, dict[str, Json]] = {name: {} for name in methods}
    failures: dict[str, Counter[str]] = {name: Counter() for name in methods}
    for each in run.answers:
        given[each.method][each.question] = each.answer
        failures[each.method].update([each.failure] if each.failure else [])
    figures = {
        **reading_figures(read),
        "asked": len(chosen),
        "papers_not_in_library": len(named) - len(chosen),
        "names_no_paper": len(read.questions) - len(named),
        "answers_to_no_question": 0,
        **_graded(chosen, given, judge=judge, out=out, watch=watch),
    }
    costs = {row["method"]: row for row in cost_objects(run.costs)}
    figures["methods"] = [
        {**row, "failures": dict(failures[row["method"]]), **costs[row["method"]]} for row in figures["methods"]
    ]
    return figures, cost_table(run.costs)


def _papers(question: PaperQuestion) -> list[str]:
    return [name.casefold() for name in (*question.anchor_papers, *question.reference_papers)]


def _documents_by_paper(library: OpenLibrary) -> dict[str, tuple[str, ...]]:
    """The documents by what a set may call a paper: the name of a file, with or without its ending."""
    found: dict[str, tuple[str, ...]] = {}
    for info in library.documents():
        file = PurePath(info.name).name.casefold()
        for name in {file, PurePath(file).stem}:
            found[name] = (*found.get(name, ()), info.id)
    return found


def _asked(question: PaperQuestion, places: Mapping[str, tuple[str, ...]]) -> Asked:
    """The question as it is put: of the papers only those that it is about are told, the others are to be found."""
    meant = [one for name in question.anchor_papers for one in places[name.casefold()]]
    frame = QuestionFrame(question.answer_format.strip(), tuple(dict.fromkeys(meant)))
    return Asked(question.uuid, question.question, frame)


def _graded(
    questions: Sequence[PaperQuestion],
    given: Mapping[str, Mapping[str, Json]],
    *,
    judge: ChatModel | None,
    out: Path | None,
    watch: Watch,
) -> Json:
    """The figures of every method; those of a single one also where they stand for a file that names none."""
    asked = None if judge is None else ModelJudge(judge)
    graded = {method: grade_answers(questions, answers, judge=asked, watch=watch) for method, answers in given.items()}
    if out is not None:
        lines = [_line(one, method, given[method]) for method, found in graded.items() for one in found]
        write_whole(out, "".join(f"{json.dumps(line, ensure_ascii=True)}\n" for line in lines))
    figures: dict[str, Json] = {
        "judge": "" if judge is None else judge.name,
        "methods": [method_figures(method, found) for method, found in graded.items()],
    }
    return figures | (answer_figures(*graded.values()) if len(graded) == 1 else {})


def _line(one: GradedAnswer, method: str, answers: Mapping[str, Json]) -> Json:
    named = {"method": method, "answer": answers.get(one.question.uuid)} if method else {}
    return {
        "uuid": one.question.uuid,
        **named,
        "grader": one.question.evaluator.grader,
        "outcome": one.outcome,
        "reason": one.reason,
        "score": one.score,
    }


def measure_paper_retrieval(
    questions: Path, papers: Path, *, embedder: str | None = None, out: Path | None = None, watch: Watch = None
) -> Json:
    """How well the papers that questions ask for are found among listed ones, by title and abstract.

    With `out`, each question goes into that file as one JSON object a line: its uuid, as its answer the title that is
    found first by words and meaning together, and the rank of the right paper in every collection. Such a file can be
    graded as answers.
    """
    read, listed = read_paper_questions(questions), read_papers(papers)
    asked = paper_searches(read.questions, listed)
    if not asked.searches:
        raise UsageError(f"no question of {questions} asks for a paper of a conference in {papers}")
    texts = SearchedTexts(
        [one.abstract for one in listed],
        load_embedder(embedder) if embedder else load_embedder(),
        titles=[one.title for one in listed],
    )
    trials = run_searches(asked.searches, texts, watch=watch)
    if out is not None:
        write_whole(out, "".join(f"{json.dumps(_hit(one, listed))}\n" for one in trials))
    return {
        **reading_figures(read),
        "papers": len(listed),
        "searched_for": len(asked.searches),
        "conferences": list(asked.conferences),
        "left_out": asked.left_out,
        "not_among_papers": list(asked.not_among_papers),
        "recall": search_figures(trials, texts.collections),
    }


def _hit(trial: SearchTrial, papers: Sequence[ListedPaper]) -> Json:
    first = trial.first[FUSED]
    return {
        "uuid": trial.id,
        "answer": None if first is None else papers[first].title,
        "ranks": dict(trial.ranks),
    }


def measure_evidence_retrieval(questions: Path, *, embedder: str | None = None, watch: Watch = None) -> Json:
    """How well the passages that answer questions are found among the passages of all questions."""
    read = read_paper_questions(questions)
    passages, _ = evidence_searches(read.questions)
    if not passages:
        raise UsageError(f"{questions} tells no passages; name a file of M3SciQA itself, such as combined_val.jsonl")
    texts = SearchedTexts(passages, load_embedder(embedder) if embedder else load_embedder())
    return {
        **reading_figures(read),
        "passages": len(passages),
        "recall": _evidence_recall(read, texts, whole=False, watch=watch),
        "recall_whole_question": _evidence_recall(read, texts, whole=True, watch=watch),
    }


def _evidence_recall(read: PaperQuestions, texts: SearchedTexts, *, whole: bool, watch: Watch) -> Json:
    _, searches = evidence_searches(read.questions, whole=whole)
    trials = run_searches(searches, texts, watch=watch)
    collections: Sequence[str] = texts.collections
    return search_figures(trials, collections)
