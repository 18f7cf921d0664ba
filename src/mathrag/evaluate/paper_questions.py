"""Questions about papers with what grades their answers: read from the files of AirQA, M3SciQA and SciDQA. One noun.

A record that cannot be used is refused with its line and the reason, the others are read; what is odd about a record
that can is told. Nothing is graded here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from mathrag.errors import LibraryError
from mathrag.evaluate.graders import Evaluator, MisfitError, evaluator_of, oddities
from mathrag.evaluate.questions import read_limited
from mathrag.types.json_value import Json

# What a question is about, what it needs, how it is graded: the categories that the format names.
KNOWN_TAGS = frozenset(
    "single multiple retrieval comprehensive text table image formula metadata subjective objective".split()
)
_MOST_QUESTIONS = 200_000
_LONGEST_LINE = 500_000
_LONGEST_TEXT = 100_000
_LONGEST_NAME = 200
_MOST_NAMES = 2_000


@dataclass(frozen=True, slots=True)
class PaperQuestion:
    """A question about papers, and how its answer is graded.

    `anchor_papers` are those that the question is about, `reference_papers` further ones that may be needed,
    `conferences` where the paper is to be looked for. `evidence` is the passage that answers it and
    `passage_question` the part of the question that asks for it, where the set tells.
    """

    uuid: str
    question: str
    evaluator: Evaluator
    answer_format: str = ""
    tags: tuple[str, ...] = ()
    anchor_papers: tuple[str, ...] = ()
    reference_papers: tuple[str, ...] = ()
    conferences: tuple[str, ...] = ()
    evidence: str = ""
    passage_question: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    """A line that is no question, and why."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class PaperQuestions:
    """The questions of a file in their order; the lines that are none; what is odd, as pairs of uuid and remark."""

    questions: tuple[PaperQuestion, ...]
    refused: tuple[Refused, ...] = ()
    odd: tuple[tuple[str, str], ...] = ()


class _RefusedError(Exception):
    """The record is no question."""


def read_paper_questions(file: Path) -> PaperQuestions:
    """The questions of a file, one JSON object a line, in the format of AirQA, M3SciQA or SciDQA.

    Raises `LibraryError` where no line is a question.
    """
    found: dict[str, PaperQuestion] = {}
    refused: list[Refused] = []
    odd: list[tuple[str, str]] = []
    for number, line in _lines(read_limited(file)):
        try:
            question = paper_question(_record(line), number)
            if question.uuid in found:
                _refuse(f"the uuid {question.uuid!r} was used before")
            if len(found) >= _MOST_QUESTIONS:
                _refuse(f"there are more than {_MOST_QUESTIONS} questions")
        except _RefusedError as error:
            refused.append(Refused(number, str(error)))
            continue
        found[question.uuid] = question
        odd.extend((question.uuid, remark) for remark in _remarks(question))
    if not found:
        reason = f": line {refused[0].line}: {refused[0].reason}" if refused else ""
        raise LibraryError(f"{file} holds no question about papers{reason}")
    return PaperQuestions(tuple(found.values()), tuple(refused), tuple(odd))


def _lines(data: bytes) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(data.decode("utf-8", "replace").split("\n"), start=1):
        if line.strip():
            yield number, line


def _record(line: str) -> Mapping[str, Json]:
    if len(line) > _LONGEST_LINE:
        _refuse(f"the line is longer than {_LONGEST_LINE} characters")
    try:
        value = json.loads(line, parse_constant=_no_number)
    except (ValueError, RecursionError):
        _refuse("this is no JSON")
    if not isinstance(value, dict):
        _refuse("this is no JSON object")
    return value


def _no_number(text: str) -> NoReturn:
    raise ValueError(text)


def _refuse(reason: str) -> NoReturn:
    raise _RefusedError(reason)


def paper_question(record: Mapping[str, Json], number: int) -> PaperQuestion:
    """One record as a question, by the format that its names tell; `number` names those that have no name."""
    for names, read in _FORMATS:
        if names <= record.keys():
            return read(record, f"{number:04d}")
    _refuse("it has the fields of none of the known formats (AirQA, M3SciQA, SciDQA)")


def _airqa(record: Mapping[str, Json], _number: str) -> PaperQuestion:
    """The format of AirQA, in which the other two are published as well."""
    evaluator = record["evaluator"]
    if not isinstance(evaluator, dict):
        _refuse("its evaluator is no JSON object")
    try:
        grading = evaluator_of(evaluator.get("eval_func"), evaluator.get("eval_kwargs"))
    except MisfitError as error:
        _refuse(str(error))
    return PaperQuestion(
        _name(record["uuid"], "uuid"),
        _text(record, "question"),
        grading,
        _text(record, "answer_format", may_be_empty=True),
        _names(record, "tags"),
        _names(record, "anchor_pdf"),
        _names(record, "reference_pdf"),
        _names(record, "conference"),
    )


def _m3sciqa(record: Mapping[str, Json], number: str) -> PaperQuestion:
    """The format of M3SciQA itself: no names of questions, the answer empty where it is kept back."""
    question = _text(record, "question")
    reference = _text(record, "answer", may_be_empty=True)
    kind = "table" if record.get("modal") == "table" else "image"
    return PaperQuestion(
        f"m3sciqa-{number}",
        question,
        Evaluator("m3sciqa", {"question": question, "reference_answer": reference}),
        tags=("multiple", kind, "text", "subjective"),
        anchor_papers=(_name(record["anchor_arxiv_id"], "anchor_arxiv_id"),),
        reference_papers=(_name(record["reference_arxiv_id"], "reference_arxiv_id"),),
        evidence=_text(record, "evidence_reference", may_be_empty=True),
        passage_question=_text(record, "question_reference", may_be_empty=True) or question,
    )


def _scidqa(record: Mapping[str, Json], _number: str) -> PaperQuestion:
    """The rows of SciDQA's table, as objects."""
    question, reference = _text(record, "que"), _text(record, "ans")
    return PaperQuestion(
        f"scidqa-{_name(str(record['id']), 'id')}",
        question,
        Evaluator("scidqa", {"question": question, "reference_answer": reference}),
        tags=("single", "text", "subjective"),
        anchor_papers=(_name(record["pid"], "pid"),),
    )


_FORMATS: tuple[tuple[frozenset[str], Callable[[Mapping[str, Json], str], PaperQuestion]], ...] = (
    (frozenset(("uuid", "question", "evaluator")), _airqa),
    (frozenset(("question", "answer", "anchor_arxiv_id", "reference_arxiv_id", "evidence_reference")), _m3sciqa),
    (frozenset(("id", "que", "ans", "pid")), _scidqa),
)


def _text(record: Mapping[str, Json], name: str, *, may_be_empty: bool = False) -> str:
    value = record.get(name, "" if may_be_empty else None)
    if not isinstance(value, str) or (not value.strip() and not may_be_empty):
        _refuse(f"its {name} is no text")
    if len(value) > _LONGEST_TEXT:
        _refuse(f"its {name} is longer than {_LONGEST_TEXT} characters")
    return value


def _name(value: Json, what: str) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > _LONGEST_NAME or not value.isprintable():
        _refuse(f"its {what} is no name")
    return value


def _names(record: Mapping[str, Json], name: str) -> tuple[str, ...]:
    value = record.get(name) or []
    if not isinstance(value, list) or len(value) > _MOST_NAMES:
        _refuse(f"its {name} is no list of names")
    return tuple(_name(one, name) for one in value)


def _remarks(question: PaperQuestion) -> Iterator[str]:
    for tag in question.tags:
        if tag not in KNOWN_TAGS:
            yield f"the tag {tag!r} is not of the format"
    if not question.answer_format.strip() and question.evaluator.grader not in ("m3sciqa", "scidqa"):
        yield "the answer format is empty"
    yield from oddities(question.evaluator)


def read_answers(file: Path) -> dict[str, dict[str, Json]]:
    """Answers by method and by the uuids of their questions, from a file with one JSON object a line: uuid, answer, and
    the method that gave it ("" where none is named).

    Raises `LibraryError` for a line that is none, and for two answers of one method to one question.
    """
    found: dict[str, dict[str, Json]] = {}
    for number, line in _lines(read_limited(file)):
        try:
            record = _record(line)
            uuid = _name(record.get("uuid"), "uuid")
            method = _name(record["method"], "method") if record.get("method") else ""
            if "answer" not in record:
                _refuse("it has no answer")
            if uuid in found.get(method, {}):
                _refuse(f"the uuid {uuid!r} was used before" + (f" with the method {method!r}" if method else ""))
        except _RefusedError as error:
            raise LibraryError(f"{file.name}, line {number}: {error}") from None
        found.setdefault(method, {})[uuid] = record["answer"]
    return found
