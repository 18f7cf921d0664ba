"""Measure on questions about papers: grade answers in a file, and measure how well papers and passages are found.

Reads files and wires the rooms; what is counted, and how, is said in `evaluate`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mathrag.errors import UsageError
from mathrag.evaluate.graders import ModelJudge
from mathrag.evaluate.paper_answers import GradedAnswer, answer_figures, grade_answers, reading_figures
from mathrag.evaluate.paper_lists import ListedPaper, read_papers
from mathrag.evaluate.paper_questions import PaperQuestions, read_answers, read_paper_questions
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
from mathrag.store.embedders import load_embedder
from mathrag.types.json_value import Json

if TYPE_CHECKING:
    from mathrag.llm.seams import ChatModel

Watch = Callable[[str, int, int], None] | None


def grade_paper_answers(
    questions: Path, answers: Path, *, judge: ChatModel | None = None, out: Path | None = None, watch: Watch = None
) -> Json:
    """Grade a file of answers; without a judge, what only a judge could tell is unknown.

    With `out`, each question with its outcome and the reason goes into that file, one JSON object a line.
    """
    read, given = read_paper_questions(questions), read_answers(answers)
    graded = grade_answers(read.questions, given, judge=None if judge is None else ModelJudge(judge), watch=watch)
    if out is not None:
        write_whole(out, "".join(f"{json.dumps(_line(one), ensure_ascii=True)}\n" for one in graded))
    known = {one.uuid for one in read.questions}
    return {
        **reading_figures(read),
        "judge": "" if judge is None else judge.name,
        "answers_to_no_question": sum(uuid not in known for uuid in given),
        **answer_figures(graded),
    }


def _line(one: GradedAnswer) -> Json:
    return {
        "uuid": one.question.uuid,
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
