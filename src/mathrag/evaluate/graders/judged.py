"""Graders that need someone to judge what words mean, and the seam behind which that someone stands.

Without a judge, and where its reply is no verdict, the grade is unknown. What is judged is shown to it as material, so
that an answer cannot tell it what to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from mathrag.errors import BudgetError, ModelError
from mathrag.evaluate.graders.literals import Value, without_fence, written
from mathrag.evaluate.graders.verdicts import Graded, all_of, any_of, decided, unknown, wrong
from mathrag.llm.judge import score, yes_probability
from mathrag.llm.seams import ChatModel

NO_JUDGE = "there is no judge"
_NO_VERDICT = "the judge gave no verdict"
# From here on a share counts as yes.
_HALF = 0.5
# What the grades of the house go from and to.
_LEAST, _MOST = 1, 5
_LONGEST_SHOWN = 20_000
_QUALITIES = (
    "the answer addresses the question that is asked",
    "what the answer says is true by the reference answer",
    "the answer covers everything that the reference answer says",
    "the answer is without needless detail",
)


class Judge(Protocol):
    """Someone who can tell whether a statement about texts is true, and how well a text meets a criterion."""

    def is_true(self, statement: str, *, material: str) -> bool | None:
        """Whether the statement holds of the material; None where no verdict came."""
        ...

    def grade(self, criterion: str, *, text: str, material: str) -> float | None:
        """How well a text meets a criterion, from 0 to 1; None where no verdict came."""
        ...


class ModelJudge:
    """A language model as judge. What it fails to say is no verdict; only a spent budget is an error."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model

    def is_true(self, statement: str, *, material: str) -> bool | None:
        """By the probability of its yes; exactly one half is no verdict."""
        try:
            sure = yes_probability(self._model, statement, context=material)
        except BudgetError:
            raise
        except ModelError:
            return None
        return None if sure is None or sure == _HALF else sure > _HALF

    def grade(self, criterion: str, *, text: str, material: str) -> float | None:
        """By its grade from 1 to 5."""
        try:
            grade = score(self._model, criterion, text=text, context=material)
        except BudgetError:
            raise
        except ModelError:
            return None
        return None if grade is None else (grade - _LEAST) / (_MOST - _LEAST)


def shown(answer: Value) -> str:
    """An answer as it is shown to a judge."""
    if answer is None:
        return ""
    return without_fence(written(answer))[:_LONGEST_SHOWN]


def ask(judge: Judge | None, statement: str, *, reason: str, **material: str) -> Graded:
    """The verdict of a judge on one statement."""
    if judge is None:
        return unknown(NO_JUDGE)
    told = "\n\n".join(f"{name.replace('_', ' ').capitalize()}:\n{text}" for name, text in material.items() if text)
    return decided(judge.is_true(statement, material=told), reason, _NO_VERDICT)


def grade_reference_answer(
    answer: Value, *, reference_answer: str, question: str = "", judge: Judge | None = None
) -> Graded:
    """Whether the answer means the same as the reference answer."""
    if not shown(answer):
        return wrong("no answer")
    if not reference_answer.strip():
        return unknown("the reference answer is kept back")
    statement = "Given the question, the predicted answer means the same as the reference answer, whatever its form."
    return ask(
        judge, statement, reason="not what the reference answer says", question=question,
        reference_answer=reference_answer, predicted_answer=shown(answer),
    )  # fmt: skip


def grade_candidate_reference_answer(
    answer: Value, *, candidate_reference_answers: Sequence[str], question: str = "", judge: Judge | None = None
) -> Graded:
    """Whether the answer means the same as one of the candidates."""
    parts = (
        grade_reference_answer(answer, reference_answer=one, question=question, judge=judge)
        for one in candidate_reference_answers
    )
    return any_of(parts)


def _points(answer: Value, points: Sequence[str], question: str, judge: Judge | None) -> list[Graded]:
    statement = "Given the question, the predicted answer says what the point says, in whatever words."
    return [
        ask(
            judge, statement, reason=f"a point is missing: {point[:80]}", question=question, point=point,
            predicted_answer=shown(answer),
        )
        for point in points
    ]  # fmt: skip


def grade_scoring_points(
    answer: Value,
    *,
    scoring_points: Sequence[str],
    question: str = "",
    ignore_order: bool = True,
    judge: Judge | None = None,
) -> Graded:
    """Whether the answer says all the points; where order counts, in their order. Each is asked for by itself."""
    if not shown(answer):
        return wrong("no answer")
    parts = _points(answer, scoring_points, question, judge)
    if not ignore_order:
        listed = "\n".join(f"{number}. {point}" for number, point in enumerate(scoring_points, start=1))
        statement = "The predicted answer says the points in the order in which they are listed."
        parts.append(ask(judge, statement, reason="another order", points=listed, predicted_answer=shown(answer)))
    return all_of(parts)


def grade_partial_scoring_points(
    answer: Value, *, scoring_points: Sequence[str], count: int = 1, question: str = "", judge: Judge | None = None
) -> Graded:
    """Whether the answer says at least so many of the points."""
    if not shown(answer):
        return wrong("no answer")
    verdicts = [part.verdict for part in _points(answer, scoring_points, question, judge)]
    said = verdicts.count("right")
    if said >= count:
        return Graded("right")
    if said + verdicts.count("unknown") >= count:
        return unknown(NO_JUDGE if judge is None else _NO_VERDICT)
    return wrong(f"{said} of {count} points")


def grade_reference_answer_and_scoring_points(
    answer: Value,
    *,
    reference_answer: str,
    scoring_points: Sequence[str],
    question: str = "",
    ignore_order: bool = True,
    judge: Judge | None = None,
) -> Graded:
    """Whether the answer means the same as the reference answer and says all the points."""
    whole = grade_reference_answer(answer, reference_answer=reference_answer, question=question, judge=judge)
    points = grade_scoring_points(
        answer, scoring_points=scoring_points, question=question, ignore_order=ignore_order, judge=judge
    )
    return all_of((whole, points))


def grade_m3sciqa(answer: Value, *, reference_answer: str, question: str = "", judge: Judge | None = None) -> Graded:
    """Whether the answer means the same as the reference; one that is partly right is wrong, with half a score."""
    found = grade_reference_answer(answer, reference_answer=reference_answer, question=question, judge=judge)
    if found.verdict != "wrong" or not shown(answer):
        return Graded(found.verdict, found.reason, 1.0 if found.verdict == "right" else None, found.odd)
    partly = ask(
        judge, "Given the question, the predicted answer is partly right by the reference answer.",
        reason="not what the reference answer says", question=question, reference_answer=reference_answer,
        predicted_answer=shown(answer),
    )  # fmt: skip
    scores = {"right": _HALF, "wrong": 0.0, "unknown": None}
    return Graded("wrong", found.reason, scores[partly.verdict], found.odd)


def grade_scidqa(answer: Value, *, reference_answer: str, question: str = "", judge: Judge | None = None) -> Graded:
    """How good a long answer is: the mean of four grades (relevant, true, complete, concise), right from the half on.

    Unknown where one of the four is.
    """
    if not shown(answer):
        return wrong("no answer")
    if judge is None:
        return unknown(NO_JUDGE)
    material = f"Question:\n{question}\n\nReference answer:\n{reference_answer.removeprefix('A: ')}"
    grades = [judge.grade(quality, text=shown(answer), material=material) for quality in _QUALITIES]
    known = [grade for grade in grades if grade is not None]
    if len(known) < len(grades):
        return unknown(_NO_VERDICT)
    mean = sum(known) / len(known)
    return Graded("right" if mean >= _HALF else "wrong", "" if mean >= _HALF else "poor by the judge", round(mean, 4))
