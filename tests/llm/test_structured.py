"""JSON out of what models write: tolerant of notation, never of content; one round of repair; nothing raises."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from metered_models import asking

from mathrag.errors import ModelError
from mathrag.llm.json_text import LARGEST_DEPTH, find_json, without_thoughts
from mathrag.llm.messages import ChatReply, Schema
from mathrag.llm.seams import ScriptedModel
from mathrag.llm.structured import ask_json, read_structured, schema_problems

RECORD = Schema(
    "record",
    {
        "type": "object",
        "properties": {"name": {"type": "string"}, "count": {"type": "integer"}, "note": {"type": ["string", "null"]}},
        "required": ["name"],
        "additionalProperties": False,
    },
)
READ = {
    "plain": ('{"a": 1}', {"a": 1}),
    "prose around": ('Sure! Here it is:\n{"a": 1}\nI hope that helps.', {"a": 1}),
    "a fence": ('```json\n{"a": [1, 2]}\n```', {"a": [1, 2]}),
    "a fence that is not closed": ('```json\n{"a": 1}', {"a": 1}),
    "trailing commas": ('{"a": [1, 2,], "b": {"c": 3,},}', {"a": [1, 2], "b": {"c": 3}}),
    "comments": ('{"a": 1, // the first\n /* and */ "b": "// kept"}', {"a": 1, "b": "// kept"}),
    "bare line ends in strings": ('{"a": "one\ntwo\tthree"}', {"a": "one\ntwo\tthree"}),
    "Python's words": ('{"a": None, "b": True, "c": False}', {"a": None, "b": True, "c": False}),
    "single quotation marks": (r"{'a': 'it\'s', 'b': \"x\"}".replace('\\"', '"'), {"a": "it's", "b": "x"}),
    "escapes": (r'{"a": "\u00e9\n\t\"\\\/"}', {"a": 'é\n\t"\\/'}),
    "a surrogate pair": (r'{"a": "\ud83d\ude00"}', {"a": "😀"}),
    "half a surrogate pair": (r'{"a": "\ud83d"}', {"a": "\ufffd"}),
    "numbers": (
        '{"a": [-1, 0.5, 1e3, 1E-2, .5, 2., 12345678901234567890]}',
        {"a": [-1, 0.5, 1000.0, 0.01, 0.5, 2.0, 12345678901234567890]},
    ),
    "a list": ("The list: [1, 2]", [1, 2]),
    "empty": ("{}", {}),
    "the same key twice with one value": ('{"a": 1, "a": 1}', {"a": 1}),
    "a stray brace in prose": ('For the set {x} I give {"a": 1}', {"a": 1}),
    "a citation in prose": ('As in [1, p. 5] I give {"a": 1}', {"a": 1}),
    "thoughts with a draft": ('<think>perhaps {"a": 2}?</think>\n{"a": 1}', {"a": 1}),
    "a byte order mark": ('\ufeff{"a": 1}', {"a": 1}),
    "a string alone": ('"yes"', "yes"),
    "a number alone": ("42", 42),
    "a number in a fence": ("```json\n42\n```", 42),
    "null alone": ("null", None),
}
LATEX = {
    "escaped as it should be": (r'{"f": "\\frac{a}{b} \\nu"}', r"\frac{a}{b} \nu"),
    "not escaped, an escape that JSON does not know": (r'{"f": "E = h \nu + \alpha"}', r"E = h \nu + \alpha"),
    "not escaped, a form feed that nobody means": (r'{"f": "\frac{a}{b}"}', r"\frac{a}{b}"),
    "not escaped, a backspace that nobody means": (r'{"f": "\beta"}', r"\beta"),
    "not escaped, a tab that nobody means": (r'{"f": "F \times d"}', r"F \times d"),
    "not escaped, theta at the end": (r'{"f": "\theta"}', r"\theta"),
    "not escaped, rho": (r'{"f": "\rho V"}', r"\rho V"),
    "not escaped, a matrix": (r'{"f": "\begin{matrix} a \\ b \end{matrix}"}', r"\begin{matrix} a \ b \end{matrix}"),
    "escaped here and not there": (r'{"f": "\\frac{a}{b} \nabla \theta"}', r"\frac{a}{b} \nabla \theta"),
    "upsilon": (r'{"f": "\upsilon"}', r"\upsilon"),
    "a line that begins with u": (r'{"f": "where\nu is the speed"}', "where\nu is the speed"),
    "line ends and tabs": (r'{"f": "one\nTwo\tThree"}', "one\nTwo\tThree"),
    "percent and dollar signs": (r'{"f": "5\% of \$3"}', r"5\% of \$3"),
}
DECLINED = {
    "nothing": ("", "empty"),
    "white space": (" \n", "empty"),
    "prose": ("I cannot do that.", "no JSON"),
    "cut off in a list": ('{"records": [{"a": 1}, {"a": 2}', "cut off"),
    "cut off in a string": ('{"records": [{"a": 1}, {"a": "tw', "cut off inside a string"),
    "cut off after a key": ('{"a": 1, "b":', "cut off"),
    "cut off after a comma": ('{"a": 1,', "cut off"),
    "cut off after a backslash": ('{"a": "x\\', "cut off"),
    "cut off in a list of lists": ("[[1, 2], [3", "cut off"),
    "broken inside": ('{"records": [{"a": 1}, {"a": oops}, {"a": 3}]}', "a value is expected"),
    "a value left out": ('{"a": , "b": 2}', "a value is expected"),
    "an element left out": ('{"a": [1,,2]}', "a value is expected"),
    "a comma left out": ('{"a": 1 "b": 2}', "a comma or } is expected"),
    "a quotation mark left out": ('{"a": "one, "b": 2}', "a comma or }"),
    "a key twice": ('{"a": 1, "a": 2}', "stands twice"),
    "true is not one": ('{"a": 1, "a": true}', "stands twice"),
    "thoughts without end": ('<think>so {"a": 1}', "empty"),
    "not a number": ('{"a": NaN}', "a value is expected"),
    "infinity": ('{"a": 1e999}', "too large"),
    "a number with words": ('{"a": 12kg}', "followed by something else"),
    "ellipsis for the rest": ('{"a": [1, 2, ...]}', "a value is expected"),
    "too deep": ('{"a":' * 100 + "1" + "}" * 100, f"deeper than {LARGEST_DEPTH}"),
    "too many": ('{"a": [' + "1," * 60_000 + "1]}", "more than"),
    "too long": ('{"a": "' + "x" * 500_000 + '"}', "longer than"),
    "a comment without end": ('{"a": 1 /* and', "cut off"),
    "a key without quotation marks": ('{records: [{"a": 1}]}', "in quotation marks is expected"),
    "a comma for thousands": ('{"a": [1,000]}', "followed by something else"),
    "an assignment": ('{a = 1}', "no JSON"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "value"), READ.values(), ids=READ)
def test_json_is_found_and_read(text: str, value: Any) -> None:
    values = find_json(text).values
    assert values[-1] == value
    assert [type(one) for one in values if one == value] == [type(value)] * values.count(value)


@pytest.mark.parametrize(("text", "formula"), LATEX.values(), ids=LATEX)
def test_latex_survives_however_it_was_escaped(text: str, formula: str) -> None:
    assert find_json(text).values == ({"f": formula},)


@pytest.mark.parametrize(("text", "problem"), DECLINED.values(), ids=DECLINED)
def test_what_is_not_whole_is_declined_with_the_reason(text: str, problem: str) -> None:
    found = find_json(text)
    assert found.values == ()
    assert problem in found.problem


# Without the signs that JSON escapes by a letter: before letters they may be the beginning of a LaTeX command.
WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\\\b\f\t\r"), max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=20,
)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(value=VALUES, indent=st.sampled_from([None, 2]), is_ascii=st.booleans())
def test_every_real_json_is_read_as_it_is(value: Any, indent: int | None, is_ascii: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=is_ascii)
    assert find_json(f"Here: {text} Done." if isinstance(value, dict | list) else text).values == (value,)


@pytest.mark.slow
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(value=VALUES.filter(lambda value: isinstance(value, dict) and value), data=st.data())
def test_no_beginning_of_a_json_is_taken_for_the_whole(value: Any, data: st.DataObject) -> None:
    text = json.dumps(value)
    cut = data.draw(st.integers(min_value=0, max_value=len(text) - 1))
    assert find_json(text[:cut]).values == ()


PIECES = st.lists(
    st.sampled_from(
        ["{", "}", "[", "]", '"', "'", ",", ":", "\\", "\\u", "//", "/*", "*/", "\n", " ", "a", "1", "-", "e", ".",
         "null", "```", "<think>", "</think>", '{"a": ', "True", "\ud835", "\\ud83d"]
    ),
    max_size=60,
).map("".join)  # fmt: skip


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text=PIECES | st.text())
@example("[" * 200_000)
@example('{"a":' * 40_000)
@example("[1," * 66_000)
@example('["' * 100_000)
@example('"' + "\\" * 199_990)
@example("{" * 199_999 + "x")
@example("{ " * 100_000)
@example("/*" * 100_000)
@example("[//" * 66_000)
@example("<think>" * 28_000)
@example("{'" + "\\'" * 99_000)
@example("[" + "9" * 199_000 + "]")
def test_no_text_raises_or_takes_long(text: str) -> None:
    found = find_json(text)
    assert bool(found.values) != bool(found.problem)
    read = read_structured(text, RECORD)
    assert read.problem or isinstance(read.value, dict)


def test_thoughts_are_cut() -> None:
    assert without_thoughts("<think>no</think> yes") == " yes"
    assert without_thoughts("  <Thinking>no</thinking>yes") == "yes"
    assert without_thoughts("<think>for ever") == ""
    assert without_thoughts("no, \u0130, no</think>yes") == "yes"
    assert without_thoughts("I <think> so") == "I <think> so"


# ---- under a schema


def test_a_good_reply_is_one_call() -> None:
    model = ScriptedModel(['{"name": "mass", "count": 2}'])
    got = ask_json(model, asking("x"), RECORD)
    assert got.value == {"name": "mass", "count": 2}
    assert got.is_good
    assert len(got.replies) == len(model.requests) == 1
    assert model.requests[0].schema == RECORD


def test_a_bad_reply_is_shown_to_the_model_with_the_reasons() -> None:
    model = ScriptedModel(['{"nome": "mass", "count": "two"}', '{"name": "mass"}'])
    got = ask_json(model, asking("x"), RECORD)
    assert got.value == {"name": "mass"}
    assert len(got.replies) == 2
    repair = model.requests[1]
    assert [message.speaker for message in repair.messages] == ["user", "assistant", "user"]
    assert repair.messages[1].text == '{"nome": "mass", "count": "two"}'
    for words in ("'name' is a required property", "at count: 'two' is not of type 'integer'", "nome"):
        assert words in repair.messages[2].text
    assert repair.schema == RECORD


def test_there_is_one_round_of_repair_and_then_the_problem() -> None:
    model = ScriptedModel(["no", "still no", '{"name": "never asked"}'])
    got = ask_json(model, asking("x"), RECORD)
    assert got.value is None
    assert not got.is_good
    assert "no JSON" in got.problem
    assert len(model.requests) == 2


def test_a_reply_that_was_cut_off_is_told_to_be_shorter() -> None:
    model = ScriptedModel([ChatReply('{"name": "ma', finish="length"), '{"name": "m"}'])
    assert ask_json(model, asking("x"), RECORD).value == {"name": "m"}
    assert "write less" in model.requests[1].messages[2].text


def test_a_huge_reply_is_shortened_for_the_repair() -> None:
    model = ScriptedModel(["blah " * 50_000, '{"name": "m"}'])
    assert ask_json(model, asking("x"), RECORD).is_good
    assert len(model.requests[1].messages[1].text) < 4_000


def test_a_filtered_reply_is_not_asked_for_again() -> None:
    model = ScriptedModel([ChatReply("", finish="filtered"), '{"name": "m"}'])
    assert not ask_json(model, asking("x"), RECORD).is_good
    assert len(model.requests) == 1


def test_errors_of_the_model_pass_through() -> None:
    with pytest.raises(ModelError, match="gone"):
        ask_json(ScriptedModel([ModelError("unreachable", "gone")]), asking("x"), RECORD)


def test_of_several_values_the_one_that_fits_is_taken_and_two_that_fit_are_none() -> None:
    assert read_structured('[1] says {"x": 1} and {"name": "mass"}', RECORD).value == {"name": "mass"}
    assert read_structured('{"name": "mass"} or {"name": "mass"}', RECORD).value == {"name": "mass"}
    assert "several" in read_structured('{"name": "mass"} or {"name": "time"}', RECORD).problem


def test_null_can_be_the_value() -> None:
    got = read_structured("null", Schema("maybe", {"type": ["object", "null"]}))
    assert got.value is None
    assert got.is_good


def test_long_complaints_are_shortened() -> None:
    problems = schema_problems({"name": ["x" * 10_000]}, RECORD)
    assert len(problems) == 1
    assert len(problems[0]) < 400
    assert "is not of type 'string'" in problems[0]
    assert len(schema_problems({f"k{number}": 1 for number in range(100)} | {"count": "x"}, RECORD)) <= 6


def test_schemas_reach_for_nothing_outside() -> None:
    for schema in (
        {"$ref": "https://example.org/schema.json"},
        {"properties": {"a": {"items": [{"$ref": "file:///etc/passwd"}]}}},
        {"$id": "https://example.org/", "type": "object"},
    ):
        with pytest.raises(ValueError, match=r"schema"):
            schema_problems({}, Schema("s", schema))
    inner = Schema("s", {"$ref": "#/$defs/n", "$defs": {"n": {"type": "integer"}}})
    assert schema_problems(3, inner) == ()
    assert schema_problems("3", inner)
