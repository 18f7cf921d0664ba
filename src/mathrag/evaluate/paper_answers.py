"""Answers to questions about papers, graded and counted: by grader and by tag, what is unknown always apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from mathrag.evaluate.graders import Judge, Verdict, grade
from mathrag.evaluate.metrics import rounded, wilson
from mathrag.evaluate.paper_questions import PaperQuestion, PaperQuestions
from mathrag.types.json_value import Json

Outcome: TypeAlias = Verdict | Literal["unanswered"]
OUTCOMES: tuple[Outcome, ...] = ("right", "wrong", "unanswered", "unknown")


@dataclass(frozen=True, slots=True)
class GradedAnswer:
    """What became of one question; `score` where a judge gives more than yes and no."""

    question: PaperQuestion
    outcome: Outcome
    reason: str = ""
    score: float | None = None


def grade_answers(
    questions: Sequence[PaperQuestion],
    answers: Mapping[str, Json],
    *,
    judge: Judge | None = None,
    watch: Callable[[str, int, int], None] | None = None,
) -> list[GradedAnswer]:
    """Every question with its outcome. One without an answer, or with null for one, is unanswered."""
    found = []
    for number, question in enumerate(questions, start=1):
        answer = answers.get(question.uuid)
        if answer is None:
            found.append(GradedAnswer(question, "unanswered", "no answer"))
        else:
            graded = grade(question.evaluator, answer, judge=judge)
            found.append(GradedAnswer(question, graded.verdict, graded.reason, graded.score))
        if watch is not None:
            watch("answers", number, len(questions))
    return found


def answer_figures(graded: Sequence[GradedAnswer]) -> Json:
    """Counts and shares over all, by grader and by tag."""
    graders = sorted({one.question.evaluator.grader for one in graded})
    tags = sorted({tag for one in graded for tag in one.question.tags})
    return {
        "all": _counted(graded),
        "by_grader": {
            name: _counted([one for one in graded if one.question.evaluator.grader == name]) for name in graders
        },
        "by_tag": {tag: _counted([one for one in graded if tag in one.question.tags]) for tag in tags},
    }


def method_figures(method: str, graded: Sequence[GradedAnswer]) -> Json:
    """One method's counts and shares, and how many questions it answered at all, rightly or not."""
    answered = sum(one.outcome != "unanswered" for one in graded)
    interval = wilson(answered, len(graded))
    return {
        "method": method,
        "answered": answered,
        "answered_share": rounded(answered / len(graded)) if graded else None,
        "answered_low": rounded(interval[0]) if interval else None,
        "answered_high": rounded(interval[1]) if interval else None,
        **_counted(graded),
        **{name: value for name, value in answer_figures(graded).items() if name != "all"},
    }


def _counted(graded: Sequence[GradedAnswer]) -> Json:
    """The share is of what could be graded: what is unanswered counts as not right, what is unknown does not count."""
    counts = Counter(one.outcome for one in graded)
    of = len(graded) - counts["unknown"]
    interval = wilson(counts["right"], of)
    scores = [one.score for one in graded if one.score is not None]
    return {
        "questions": len(graded),
        **{outcome: counts[outcome] for outcome in OUTCOMES},
        "of": of,
        "share": rounded(counts["right"] / of) if of else None,
        "low": rounded(interval[0]) if interval else None,
        "high": rounded(interval[1]) if interval else None,
        "mean_score": rounded(sum(scores) / len(scores)) if scores else None,
    }


def reading_figures(read: PaperQuestions) -> Json:
    """What was refused and what is odd about a file of questions."""
    return {
        "questions": len(read.questions),
        "refused": [{"line": one.line, "reason": one.reason} for one in read.refused],
        "odd": dict(_by_count(remark for _, remark in read.odd)),
    }


def _by_count(remarks: Iterable[str]) -> list[tuple[str, int]]:
    return sorted(Counter(remarks).items(), key=lambda pair: (-pair[1], pair[0]))
