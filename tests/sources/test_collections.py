"""Files of worked solutions become solutions; what is broken in them is told and left out."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mathrag.errors import UsageError
from mathrag.sources.procedures.collection import FORMATS, read_collection
from mathrag.sources.procedures.fields import LONGEST_TEXT, MOST_STEPS, steps_of_text
from mathrag.sources.procedures.knowledge import forms_in
from mathrag.sources.procedures.rows import problem_content, procedure_rows

PRM800K = {
    "question": {
        "problem": "What is $4 \\cdot 6$?",
        "ground_truth_answer": "24",
        "ground_truth_solution": "Four sixes are $24.$ So the answer is $24$.",
    },
    "label": {
        "steps": [
            {
                "completions": [{"text": "I multiply.", "rating": 1}, {"text": "I add to get 10.", "rating": -1}],
                "human_completion": None,
                "chosen_completion": 0,
            },
            {"completions": [{"text": "It is 24.", "rating": 0}], "human_completion": None, "chosen_completion": None},
            {"completions": [], "human_completion": {"text": "The answer is 24."}, "chosen_completion": None},
        ],
        "finish_reason": "solution",
    },
}
PRMBENCH = {
    "original_question": "What is $7 + 8$?",
    "modified_question": "What is $7 + 8$?",
    "original_process": ["Add the numbers.", "$7 + 8 = 15$.", "So it is 15."],
    "modified_process": ["Add the numbers.", "$7 + 8 = 16$.", "So it is 16."],
    "error_steps": [2],
    "classification": "counterfactual",
}
PROCESSBENCH = {"problem": "What is 3 - 1?", "steps": ["Take one away.", "It is 3.", "Done."], "label": 1}
GSM8K = {"question": "Mia has 2 boxes of 6 pens. How many?", "answer": "2*6 = <<2*6=12>>12 pens.\n#### 12"}
MATH = {
    "problem": "Find the area of a square of side $3$.",
    "solution": "A square has $A = s^2.$ Hence $A = 9.$\n\n[asy]\ndraw((0,0));\n[/asy]\n\nThe area is $\\boxed{9}$.",
    "answer": "9",
    "subject": "geometry",
    "level": "Level 2",
}
SAMPLES = {"prm800k": PRM800K, "prmbench": PRMBENCH, "processbench": PROCESSBENCH, "gsm8k": GSM8K, "math": MATH}


def lines(*records: object) -> bytes:
    return "\n".join(json.dumps(record) for record in records).encode()


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_is_known_by_its_fields_in_every_layout(name: str) -> None:
    record = SAMPLES[name]
    spread = json.dumps(record, indent=2)
    for content in (lines(record), json.dumps([record, record]).encode(), f"{spread}\n\n{spread}\n".encode()):
        read = read_collection(content)
        assert (read.format, read.bad) == (name, ())
        assert read.records[0].solutions == read_collection(lines(record), form=name).records[0].solutions


def solutions(name: str) -> Any:
    return read_collection(lines(SAMPLES[name])).records[0].solutions


def test_prm800k_keeps_what_was_not_chosen() -> None:
    labelled, reference = solutions("prm800k")
    assert [(step.text, step.label) for step in labelled.steps] == [
        ("I multiply.", "good"), ("It is 24.", "neutral"), ("The answer is 24.", "good"),
    ]  # fmt: skip
    assert [(step.text, step.label) for step in labelled.steps[0].alternatives] == [("I add to get 10.", "bad")]
    assert labelled.is_right
    assert [step.text for step in reference.steps] == ["Four sixes are $24.$", "So the answer is $24$."]


def test_prmbench_gives_the_right_and_the_wrong_solution() -> None:
    right, wrong = solutions("prmbench")
    assert (right.is_right, wrong.is_right) == (True, False)
    assert [(step.label, step.error) for step in wrong.steps] == [
        ("good", ""), ("bad", "counterfactual"), ("unknown", ""),
    ]  # fmt: skip


def test_a_changed_problem_is_another_problem() -> None:
    changed = PRMBENCH | {"modified_question": "What is $7 + 8$ where no digit may be odd?"}
    right, wrong = read_collection(lines(changed)).records[0].solutions
    assert right.problem != wrong.problem


def test_processbench_says_nothing_of_what_follows_the_first_error() -> None:
    (solution,) = solutions("processbench")
    assert [step.label for step in solution.steps] == ["good", "bad", "unknown"]
    assert solution.is_right is False


def test_gsm8k_leaves_the_notes_of_the_calculator_out() -> None:
    (solution,) = solutions("gsm8k")
    assert [step.text for step in solution.steps] == ["2*6 = 12 pens."]
    assert (solution.answer, solution.problem.type) == ("12", "Arithmetic Word Problem")


def test_math_has_subject_level_and_sentences_for_steps() -> None:
    (solution,) = solutions("math")
    assert [step.text for step in solution.steps] == [
        "A square has $A = s^2.$", "Hence $A = 9.$", "The area is $\\boxed{9}$.",
    ]  # fmt: skip
    problem = solution.problem
    assert (problem.branch, problem.subfield, problem.type, problem.level) == ("Mathematics", "Geometry", "Geometry", 2)


BROKEN = [
    ("{", "it is no JSON"),
    ("[1, 2]", "it is no JSON object"),
    ("[" * 100_000, "no JSON|nested too deeply"),
    (json.dumps(PRMBENCH | {"error_steps": [9]}), "a step that is not there"),
    (json.dumps(PRMBENCH | {"error_steps": ["2"]}), "no numbers of steps"),
    (json.dumps(PRMBENCH | {"error_steps": [True]}), "no numbers of steps"),
    (json.dumps(PRMBENCH | {"original_process": "text"}), "no list"),
    (json.dumps(PRMBENCH | {"modified_process": [1]}), "no text"),
    (json.dumps(PRMBENCH | {"modified_process": ["x"] * (MOST_STEPS + 1)}), "more than"),
    (json.dumps(PRMBENCH | {"modified_process": ["x" * (LONGEST_TEXT + 1)]}), "longer than"),
    (json.dumps(PRMBENCH | {"original_question": "", "question": "\0 "}), "is empty"),
    (json.dumps({"error_steps": []}), "it has no original_process"),
]


@pytest.mark.parametrize(("line", "reason"), BROKEN)
def test_a_broken_record_is_told_and_left_out(line: str, reason: str) -> None:
    read = read_collection(lines(PRMBENCH) + b"\n\n" + line.encode() + b"\n" + lines(PRMBENCH))
    assert len(read.records) == 2
    ((number, why),) = [(one.line, one.reason) for one in read.bad]
    assert number == 3
    assert any(part in why for part in reason.split("|"))


@pytest.mark.parametrize("label", [-2, 3, 10**30, True, "1"])
def test_a_label_that_names_no_step_is_refused(label: object) -> None:
    read = read_collection(lines(PROCESSBENCH | {"label": label}), form="processbench")
    assert (len(read.records), len(read.bad)) == (0, 1)


@pytest.mark.parametrize("steps", [None, [], [1], [{"completions": [{"text": 1}]}], [{"completions": [1]}], [{}],
                                   [{"completions": [{"text": "x"}] * 50}]])  # fmt: skip
def test_broken_steps_of_prm800k_are_refused(steps: object) -> None:
    record = {"question": {"problem": "x?"}, "label": {"steps": steps}}
    assert len(read_collection(lines(record), form="prm800k").bad) == 1


def test_what_is_no_collection_is_refused() -> None:
    for content in (b"", b"\xff\xfe\x00", b"words", lines({"other": 1}), b"{}", b"[]"):
        with pytest.raises(UsageError):
            read_collection(content)
    with pytest.raises(UsageError, match="no format"):
        read_collection(lines(GSM8K), form="other")


def test_a_file_that_breaks_off_gives_what_came_before() -> None:
    spread = json.dumps(GSM8K, indent=1)
    read = read_collection(f"{spread}\n{spread[:-20]}".encode())
    assert (len(read.records), [one.line for one in read.bad]) == (1, [5])


def test_sentences_are_cut_outside_of_formulas() -> None:
    assert steps_of_text("By 3.5 m. Then $x. Y$ holds! $y$ too.") == ["By 3.5 m.", "Then $x. Y$ holds!", "$y$ too."]
    assert steps_of_text("cut [asy] never closed. Here") == ["cut"]


def test_only_equations_between_symbols_are_knowledge() -> None:
    (one,) = forms_in("We use $A = \\pi r^2$, so $A = 9\\pi$ and $3 + 4 = 7$ and $\\alpha$.")
    assert forms_in("from \\(\\pi r^2 = A\\)") == (one,)
    assert forms_in("$" * 5_000 + "= x") == ()


def test_rows_are_named_by_content_and_stand_once() -> None:
    read = read_collection(lines(PRMBENCH, PRMBENCH | {"original_question": "what is $7+8$"}))
    rows = procedure_rows("d-1", read.records)
    assert [row["content"] for row in rows["problems"]] == [problem_content("What is  $7 + 8$")]
    assert len(rows["solutions"]) == 2
    assert rows == procedure_rows("d-1", read.records)
    beside = {row["id"]: row["alternative_to"] for row in rows["solution_steps"] if row["alternative_to"]}
    right, wrong = (str(row["id"]) for row in rows["solutions"])
    assert beside == {f"{wrong}/2": f"{right}/2"}
    others = procedure_rows("d-1", read_collection(lines(PRM800K)).records)["solution_steps"]
    assert [(row["number"], row["is_alternative"], row["label"]) for row in others][:3] == [
        (1, 0, "good"), (1, 1, "bad"), (2, 0, "neutral"),
    ]  # fmt: skip
