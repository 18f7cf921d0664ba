"""Questions about papers: read from three formats, refused with reasons, graded and counted; the shared set, where it
is: every gold answer is right, every altered one wrong, and nobody pretends to judge."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mathrag.errors import LibraryError
from mathrag.evaluate.graders import Evaluator, evaluator_of, grade, needs_judge
from mathrag.evaluate.paper_answers import answer_figures, grade_answers, reading_figures
from mathrag.evaluate.paper_questions import PaperQuestion, read_answers, read_paper_questions
from mathrag.library.evaluate.paper_questions import grade_paper_answers
from mathrag.llm.seams import ScriptedModel

PAPERS = Path(__file__).parent / "data" / "papers"
AIRQA = Path(__file__).parents[2].parent / "shared" / "data" / "neusym" / "airqa" / "test_data_553.jsonl"
FILES = [
    pytest.param(PAPERS / "questions.jsonl", id="invented"),
    pytest.param(
        AIRQA, id="AirQA", marks=pytest.mark.skipif(not AIRQA.exists(), reason="../shared/data/neusym is not here")
    ),
]


def _gold(evaluator: Evaluator) -> Any:
    """The answer that a record calls right."""
    given = evaluator.arguments
    if evaluator.grader == "conjunction":
        return [_gold(part) for part in _parts(evaluator)]
    if evaluator.grader == "element_included":
        return given["gold"][-1]
    return next(
        given[name] for name in ("gold", "reference_answer", "scoring_points", "formulas", "fomulas") if name in given
    )


def _parts(evaluator: Evaluator) -> list[Evaluator]:
    given = evaluator.arguments
    return [evaluator_of(*pair) for pair in zip(given["eval_func_list"], given["eval_kwargs_list"], strict=True)]


def _altered(value: Any) -> list[Any]:
    """Answers that say something else: another number, other words, one part altered, left out or added."""
    match value:
        case bool():
            return [not value]
        case int() | float():
            return [value + 1.7 + abs(value), -value - 1]
        case str():
            return [f"anything but this: {value[::-1]} in every way", *([""] if value else [])]
        case list():
            found: list[Any] = [[*value, "one more"], value[:-1]]
            for place, one in enumerate(value):
                found += [[*value[:place], other, *value[place + 1 :]] for other in _altered(one)]
            return found
        case dict():
            found = [{**value, "one more": 1}, dict(list(value.items())[1:])]
            for key, one in value.items():
                found += [{**value, key: other} for other in _altered(one)]
            return found
    raise TypeError(value)


def _wrong_answers(evaluator: Evaluator) -> list[Any]:
    gold = _gold(evaluator)
    match evaluator.grader:
        case "element_list_included" | "element_list_overlap":
            # Some of the right ones are right; none is not, and neither is another.
            return [[], ["one more"], *([["one more", *gold]] if evaluator.grader == "element_list_included" else [])]
        case "conjunction":
            found: list[Any] = [gold[:-1], [*gold, "one more"]]
            for place, part in enumerate(_parts(evaluator)):
                found += [[*gold[:place], other, *gold[place + 1 :]] for other in _wrong_answers(part)]
            return found
        case "float" | "int":
            return [*_altered(float(gold)), "many", True, None]
        case "string" | "string_fuzzy_match":
            return _altered(gold[0] if isinstance(gold, list) else gold)
        case _:
            return _altered(gold)


def _unjudgeable(evaluator: Evaluator) -> Any:
    """Words that only a judge could take a stand on, beside what is right."""
    if evaluator.grader == "conjunction":
        return [_unjudgeable(part) for part in _parts(evaluator)]
    return "It is as the authors say." if needs_judge(evaluator) else _gold(evaluator)


@pytest.mark.parametrize("file", FILES)
def test_gold_answers_are_right_and_altered_ones_wrong(file: Path) -> None:
    checked = 0
    for question in read_paper_questions(file).questions:
        if needs_judge(question.evaluator):
            continue
        checked += 1
        gold = _gold(question.evaluator)
        writings: tuple[Callable[[Any], Any], ...] = (
            lambda value: value,
            json.dumps,
            repr,
            lambda value: f"```\n{value}\n```",
        )
        for write in writings:
            assert grade(question.evaluator, write(gold)).verdict == "right", question.uuid
        for other in _wrong_answers(question.evaluator):
            assert grade(question.evaluator, other).verdict == "wrong", (question.uuid, other)
    assert checked == (14 if file.parent == PAPERS else 445)


@pytest.mark.parametrize("file", FILES)
def test_what_only_a_judge_could_tell_is_unknown_without_one(file: Path) -> None:
    judged = [one for one in read_paper_questions(file).questions if needs_judge(one.evaluator)]
    assert len(judged) == (3 if file.parent == PAPERS else 108)
    assert {grade(one.evaluator, _unjudgeable(one.evaluator)).verdict for one in judged} == {"unknown"}
    # A formula that is written as the gold one is right without a judge; nothing else is.
    for one in judged:
        verdict = grade(one.evaluator, _gold(one.evaluator)).verdict
        assert verdict == ("right" if _needs_only_formulas(one.evaluator) else "unknown"), one.uuid


def _needs_only_formulas(evaluator: Evaluator) -> bool:
    if evaluator.grader == "conjunction":
        return all(_needs_only_formulas(part) for part in _parts(evaluator))
    return evaluator.grader == "complex_math_formula" or not needs_judge(evaluator)


@pytest.mark.parametrize("file", FILES[1:])
def test_the_shared_set_is_read_whole_and_its_oddities_are_named(file: Path) -> None:
    figures = reading_figures(read_paper_questions(file))
    assert (figures["questions"], figures["refused"]) == (553, [])
    assert figures["odd"] == {
        "the answer format is empty": 10,
        "the gold text is a list": 7,
        "the tag 'figure' is not of the format": 2,
        "a threshold up to 1 is read as a share": 1,
        "argument 'fomulas' is read as 'formulas'": 1,
        "argument 'ignore_case' is read as 'lowercase'": 1,
        "argument 'lowercase' is a truth value in quotation marks": 1,
        "argument 'nidigits' is read as 'ndigits'": 1,
    }


def _file(folder: Path, *records: object) -> Path:
    file = folder / "questions.jsonl"
    lines = (record if isinstance(record, str) else json.dumps(record) for record in records)
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


USUAL = {
    "uuid": "u-1",
    "question": "How many?",
    "evaluator": {"eval_func": "eval_int_exact_match", "eval_kwargs": {"gold": 2}},
}


def test_the_three_formats_are_one_noun(tmp_path: Path) -> None:
    row = {"id": 7, "year": 2031, "venue": "Sea", "pid": "p9", "que": "Why slow?", "ans": "A: Because of the fog."}
    file = _file(tmp_path, USUAL, *(PAPERS / "combined_val.jsonl").read_text().splitlines(), row)
    usual, first, *_, last = read_paper_questions(file).questions
    assert usual == PaperQuestion("u-1", "How many?", Evaluator("int", {"gold": 2}))
    assert (first.uuid, first.tags) == ("m3sciqa-0002", ("multiple", "table", "text", "subjective"))
    assert (first.anchor_papers, first.reference_papers) == (("1.1",), ("2.1",))
    assert first.evidence == "We split each log book into lines, one for every day."
    assert first.passage_question == "How are log books split?"
    assert (last.uuid, last.anchor_papers, last.evaluator.grader) == ("scidqa-7", ("p9",), "scidqa")


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ("{", "this is no JSON"),
        ("[" * 100_000, "this is no JSON"),
        ('{"uuid": NaN}', "this is no JSON"),
        ("[1]", "this is no JSON object"),
        ({"uuid": "u-2"}, "it has the fields of none of the known formats (AirQA, M3SciQA, SciDQA)"),
        ({**USUAL, "uuid": 5}, "its uuid is no name"),
        ({**USUAL, "uuid": "a\u202eb"}, "its uuid is no name"),
        ({**USUAL, "question": " "}, "its question is no text"),
        ({**USUAL, "question": "a" * 100_001}, "its question is longer than 100000 characters"),
        ({**USUAL, "tags": "text"}, "its tags is no list of names"),
        ({**USUAL, "anchor_pdf": [["x"]]}, "its anchor_pdf is no name"),
        ({**USUAL, "evaluator": 1}, "its evaluator is no JSON object"),
        ({**USUAL, "evaluator": {"eval_func": "os.system"}}, "there is no grader 'os.system'"),
        ({**USUAL, "evaluator": {"eval_func": "int", "eval_kwargs": []}}, "the arguments of int are no JSON object"),
        (USUAL, "the uuid 'u-1' was used before"),
        ({**USUAL, "reasoning_steps": "a" * 500_001}, "the line is longer than 500000 characters"),
    ],
)
def test_a_record_that_is_no_question_is_refused_with_the_reason(record: object, reason: str, tmp_path: Path) -> None:
    read = read_paper_questions(_file(tmp_path, USUAL, record))
    assert [one.uuid for one in read.questions] == ["u-1"]
    assert [(one.line, one.reason) for one in read.refused] == [(2, reason)]


def test_a_file_without_a_question_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LibraryError, match="holds no question about papers: line 1: this is no JSON"):
        read_paper_questions(_file(tmp_path, "hello"))
    with pytest.raises(LibraryError, match=r"holds no question about papers$"):
        read_paper_questions(_file(tmp_path))


@pytest.mark.parametrize(
    "line",
    [
        "[]",
        "{}",
        '{"uuid": "a"}',
        '{"answer": 1}',
        '{"uuid": "a", "answer": 1, "method": 5}',
        '{"uuid": "u", "answer": 1}\n' * 2,
        '{"uuid": "u", "answer": 1, "method": "classic"}\n' * 2,
    ],
)
def test_a_broken_file_of_answers_is_refused(line: str, tmp_path: Path) -> None:
    with pytest.raises(LibraryError, match=r"questions\.jsonl, line [12]: "):
        read_answers(_file(tmp_path, line))


def test_what_is_unknown_is_counted_apart() -> None:
    questions = read_paper_questions(PAPERS / "questions.jsonl").questions
    graded = grade_answers(questions, read_answers(PAPERS / "answers.jsonl")[""])
    outcomes = Counter(one.outcome for one in graded)
    assert outcomes == {"right": 10, "wrong": 4, "unanswered": 1, "unknown": 2}
    figures = answer_figures(graded)
    assert (figures["all"]["of"], figures["all"]["share"]) == (15, round(10 / 15, 6))
    assert figures["all"]["low"] < 10 / 15 < figures["all"]["high"]
    assert figures["by_grader"]["reference_answer"] == {
        "questions": 1, "right": 0, "wrong": 0, "unanswered": 0, "unknown": 1, "of": 0,
        "share": None, "low": None, "high": None, "mean_score": None,
    }  # fmt: skip
    assert figures["by_tag"]["retrieval"]["unanswered"] == 1


def test_grading_with_a_judge_and_a_file_of_outcomes(tmp_path: Path) -> None:
    out = tmp_path / "graded.jsonl"
    judge = ScriptedModel(["yes", "yes", "no"], name="judge-1")
    figures = grade_paper_answers(PAPERS / "questions.jsonl", PAPERS / "answers.jsonl", judge=judge, out=out)
    assert (figures["judge"], figures["all"]["unknown"], figures["all"]["right"]) == ("judge-1", 0, 11)
    assert figures["answers_to_no_question"] == 0
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert [line["outcome"] for line in lines if line["grader"] == "scoring_points"] == ["wrong"]
    assert lines[0] == {"uuid": "q-bool", "grader": "bool", "outcome": "right", "reason": "", "score": None}


def test_the_answers_of_several_methods_are_counted_each_by_itself(tmp_path: Path) -> None:
    rows = [
        {"uuid": "q-bool", "answer": False, "method": "classic"},
        {"uuid": "q-bool", "answer": True, "method": "neusym"},
        {"uuid": "q-int", "answer": 12, "method": "neusym"},
        {"uuid": "q-nowhere", "answer": 12, "method": "neusym"},
    ]
    out = tmp_path / "graded.jsonl"
    answers = _file(tmp_path, *rows)
    assert read_answers(answers)["classic"] == {"q-bool": False}
    figures = grade_paper_answers(PAPERS / "questions.jsonl", answers, out=out)
    assert [(row["method"], row["answered"], row["right"], row["wrong"]) for row in figures["methods"]] == [
        ("classic", 1, 1, 0),
        ("neusym", 2, 1, 1),
    ]
    first = figures["methods"][0]
    assert first["answered_low"] < 1 / 17 < first["answered_high"]
    assert first["by_grader"]["bool"]["right"] == 1
    assert figures["answers_to_no_question"] == 1
    # No figure is for all methods together.
    assert "all" not in figures
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert [(line["method"], line["answer"], line["outcome"]) for line in lines if line["uuid"] == "q-bool"] == [
        ("classic", False, "right"),
        ("neusym", True, "wrong"),
    ]
    # What was written can be graded again.
    assert grade_paper_answers(PAPERS / "questions.jsonl", out)["methods"] == figures["methods"]


def test_a_single_method_has_the_figures_of_a_file_that_names_none(tmp_path: Path) -> None:
    named = [{**json.loads(line), "method": "classic"} for line in (PAPERS / "answers.jsonl").read_text().splitlines()]
    with_name = grade_paper_answers(PAPERS / "questions.jsonl", _file(tmp_path, *named))
    without = grade_paper_answers(PAPERS / "questions.jsonl", PAPERS / "answers.jsonl")
    for name in ("all", "by_grader", "by_tag", "answers_to_no_question"):
        assert with_name[name] == without[name]
    assert [row["method"] for row in (*with_name["methods"], *without["methods"])] == ["classic", ""]
