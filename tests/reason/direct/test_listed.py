"""Relations over lists: what they come to, what must not be answered, and laws that hold for any values."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathrag.reason.agent.endings import answer_directly
from mathrag.reason.direct import DirectFailure, DirectResult, compute_directly
from mathrag.reason.direct.listed import answer_listed
from mathrag.reason.direct.listed.rows import all_relations
from mathrag.reason.direct.listed.ways import WAYS
from mathrag.types.answer import Answer, Refusal
from mathrag.types.question import Question

CASES = tomllib.loads(Path(__file__).with_name("listed.toml").read_text(encoding="utf-8"))
RESISTANCES = st.lists(st.integers(1, 900), min_size=2, max_size=6)


def result(text: str) -> DirectResult:
    found = answer_listed(text)
    assert isinstance(found, DirectResult), (text, found)
    return found


def resistance(values: list[int], how: str) -> float:
    stated = ", ".join(f"{value} Ω" for value in values)
    return float(result(f"total resistance of {stated} in {how}").quantity.si_value)


@pytest.mark.parametrize("case", CASES["answered"], ids=lambda case: case["text"][:70])
def test_a_list_comes_to_its_value(case: dict[str, object]) -> None:
    found = compute_directly(str(case["text"]))
    assert isinstance(found, DirectResult), found
    assert found.kind == "list"
    assert float(found.quantity.value) == pytest.approx(case["value"], rel=1e-6)
    assert found.quantity.unit.text == case["unit"]


@pytest.mark.parametrize("case", CASES["refused"], ids=lambda case: case["text"][:70])
def test_a_list_without_a_value_says_why(case: dict[str, str]) -> None:
    found = compute_directly(case["text"])
    assert isinstance(found, DirectFailure), found
    assert found.code == case["code"]
    assert case["says"] in found.message


@pytest.mark.parametrize("case", CASES["left"], ids=lambda case: case["text"][:70])
def test_what_is_not_wholly_understood_is_left_alone(case: dict[str, str]) -> None:
    assert answer_listed(case["text"]) is None


@settings(max_examples=12)
@given(RESISTANCES)
def test_parts_in_parallel_resist_less_than_the_least_and_in_series_more_than_the_most(values: list[int]) -> None:
    assert resistance(values, "parallel") < min(values)
    assert resistance(values, "series") > max(values)


@settings(max_examples=12)
@given(RESISTANCES)
def test_the_order_of_a_list_does_not_matter(values: list[int]) -> None:
    changed = sorted(values, reverse=True)
    assert resistance(changed, "parallel") == pytest.approx(resistance(values, "parallel"), rel=1e-12)
    assert resistance(changed, "series") == pytest.approx(resistance(values, "series"), rel=1e-12)


@settings(max_examples=12)
@given(st.integers(2, 40), st.integers(1, 900))
def test_a_count_says_what_writing_out_says(count: int, value: int) -> None:
    counted = result(f"{count} resistors of {value} Ω each in parallel: total resistance?")
    assert counted.quantity.si_value == pytest.approx(resistance([value] * count, "parallel"), rel=1e-12)


@settings(max_examples=12)
@given(st.lists(st.tuples(st.integers(1, 99), st.integers(1, 9)), min_size=2, max_size=6))
def test_pairs_and_two_lists_say_the_same(pairs: list[tuple[int, int]]) -> None:
    values, weights = (", ".join(str(pair[place]) for pair in pairs) for place in (0, 1))
    in_pairs = ", ".join(f"{value} (weight {weight})" for value, weight in pairs)
    listed = result(f"weighted mean of {values} with weights {weights}")
    assert result(f"weighted mean of {in_pairs}").quantity == listed.quantity
    assert min(pair[0] for pair in pairs) <= listed.quantity.value <= max(pair[0] for pair in pairs)


def test_the_working_names_the_relation_and_every_value() -> None:
    found = result("total resistance of 5 Ω, 20 Ω and 4 Ω in parallel")
    assert [line.text for line in found.lines] == [
        "resistors in parallel: 1/R = 1/R1 + 1/R2 + …",
        "1/(1/(5 Ω) + 1/(20 Ω) + 1/(4 Ω))",
        "= 2 Ω",
    ]
    assert [origin.text for origin in found.provenance] == ["5 Ω", "20 Ω", "4 Ω"]
    assert found.expression == "total resistance of 5 Ω, 20 Ω and 4 Ω"


def test_what_is_taken_for_granted_is_said() -> None:
    assert result("total moment of forces 4 N at 3 m and 6 N at 2 m").notes
    timed = "net present value of cash flows 400, 400 at 8%"
    assert result(timed).notes == ("the first amount is taken to fall due after one year, each other one a year later",)


def test_an_answer_is_less_than_certain_and_a_mismatch_is_a_contradiction() -> None:
    answer = answer_directly(Question("weighted mean of 60, 75 with weights 1, 4", "compute"))
    assert isinstance(answer, Answer)
    assert 0.5 < answer.confidence < 1
    refusal = answer_directly(Question("weighted mean of 60, 75, 95 with weights 1, 4", "compute"))
    assert isinstance(refusal, Refusal)
    assert refusal.code == "contradiction"


def test_every_way_to_compute_belongs_to_a_relation_and_no_relation_stands_twice() -> None:
    relations = all_relations()
    assert {relation.computed for relation in relations} == set(WAYS)
    assert len({(relation.name, relation.rule) for relation in relations}) == len(relations)
