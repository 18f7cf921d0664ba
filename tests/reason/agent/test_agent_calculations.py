"""What a planner may compute itself: every name a value, every number with a reason, units checked, then judged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from agent_scenes import GAS, NEWTON, POWER, THREE_HOPS, WORK, bench, formula, found, given, push_question, quantity

from mathrag.reason.agent import Episode, EpisodeResult
from mathrag.reason.agent.planners import ScriptedPlanner
from mathrag.reason.agent.seams import Permissions, Retrieved, Support, Verdict
from mathrag.types.answer import Answer, Refusal, Step
from mathrag.types.episode import Action, Observation
from mathrag.types.question import Question

RETRIEVE = Action("RETRIEVE_MATH_KNOWLEDGE", {"query": "force"})
SLOPE = formula(
    "f-weight", "F = m g", {"F": ("force", "N"), "m": ("mass", "kg"), "g": ("gravity", "m/s^2")}, label="weight",
    constants={"g": "standard_gravity"},
)  # fmt: skip
WAVE = (
    "A third-order fringe lies midway between two slits. The train comes to rest after 4.00 s; v = (3.0 i + 4.0 j) m/s."
)


def wave_question() -> Question:
    return Question(WAVE, "compute", (given("4.00 s", WAVE, quantity(4, "s")),))


def no_support(_steps: Sequence[Step]) -> Support:
    return Support()


def searched(*choices: Any, extra: Sequence[Any] = ()) -> Retrieved:
    kept = found(*choices, extra=extra)
    return Retrieved(kept.candidates, kept.formulas, kept.choices, kept.refusal, find_support=no_support)


def run(
    *script: Action,
    question: Question | None = None,
    retrieved: Retrieved | None = None,
    permissions: Permissions | None = None,
    **functions: Any,
) -> EpisodeResult:
    asked = question or push_question()
    tables = bench(asked, retrieved or searched(extra=(NEWTON, WORK, POWER, GAS, SLOPE)), **functions)
    episode = Episode(ScriptedPlanner(script), tables, permissions=permissions or Permissions())
    return episode.run(asked)


def last(*script: Action, **facts: Any) -> Observation:
    return run(*script, **facts).events[len(script) - 1].observation


def compute(expression: str, **inputs: Any) -> Action:
    return Action("COMPUTE", {"expression": expression, "meaning": "distance", **inputs})


@pytest.mark.parametrize(
    ("expression", "value", "unit"),
    [
        ("given_2 * given_4**2 / 2", 24, "m"),
        ("given_5 / 2", 2.5, "m"),
        ("sqrt(2 * given_2 * given_5)", 30**0.5, "m/s"),
        ("given_5 + given_2 * given_4**2", 53, "m"),
        ("max(given_5, given_5 / 2)", 5, "m"),
    ],
)
def test_arithmetic_over_named_values(expression: str, value: float, unit: str) -> None:
    seen = last(compute(expression))
    assert seen.code == "tool_result"
    assert seen.data["result"]["value"] == pytest.approx(value)
    assert seen.data["result"]["unit"] == unit


@pytest.mark.parametrize(
    ("expression", "code"),
    [
        ("given_1 + given_2", "dimension"),
        ("given_9 * 2", "unknown_source"),
        ("mass * 2", "unknown_source"),
        ("7 * given_5", "number_without_source"),
        ("given_5 * 3 / 7", "number_without_source"),
        ("given_5**40", "number_without_source"),
        ("given_5 =", "malformed_expression"),
        ("__import__('os')", "malformed_expression"),
        ("given_5 / (given_5 - given_5)", "division_by_zero"),
        ("log(given_5)", "dimension"),
        ("(1 + 1 + 1) * given_5", "number_without_source"),
        ("2 * (2 * (2 * given_5))", "number_without_source"),
        ("given_5 / 2 / 2", "number_without_source"),
        ("floor(pi) * given_5", "number_without_source"),
        ("given_5 * given_4 / given_4 * given_5**0", "number_without_source"),
        ("given_1 / given_1 + given_4 / given_4", "number_without_source"),
        ("given_5 - given_5", "number_without_source"),
        ("0 * given_5", "number_without_source"),
        ("1 + 1", "number_without_source"),
        (f"{'9' * 400} * given_5", "number_without_source"),
    ],
)
def test_what_is_not_computed(expression: str, code: str) -> None:
    assert last(compute(expression)).code == code


def test_a_number_needs_words_that_say_it() -> None:
    question = wave_question()
    quoted = {"3": "third-order", "1/2": "midway"}
    assert last(compute("3 * given_1", quotes=quoted), question=question).succeeded
    assert last(compute("4 * given_1", quotes={"4": "third-order"}), question=question).code == "number_not_quoted"
    assert last(compute("3 * given_1", quotes={"3": "three trains"}), question=question).code == "quote_not_found"


@pytest.mark.parametrize(
    ("quote", "value", "unit", "code"),
    [
        ("third-order", 3, "", "value_defined"),
        ("midway", 0.5, "", "value_defined"),
        ("comes to rest", 0, "m/s", "value_defined"),
        ("(3.0 i + 4.0 j) m/s", 4.0, "m/s", "value_defined"),
        ("(3.0 i + 4.0 j) m/s", 5.0, "m/s", "number_not_quoted"),
        ("(3.0 i + 4.0 j) m/s", 3.0, "km/h", "unit_not_in_question"),
        ("fourth-order", 4, "", "quote_not_found"),
        ("third-order", 4, "", "number_not_quoted"),
        ("4.00 s", 4, "s", "value_defined"),
        ("00 s", 0, "s", "quote_not_found"),
        ("4", 4, "s", "quote_not_found"),
        ("THIRD-ORDER   fringe", 3, "", "value_defined"),
    ],
)
def test_a_value_is_what_its_quote_says(quote: str, value: float, unit: str, code: str) -> None:
    define = Action("DEFINE_VALUE", {"quote": quote, "value": value, "unit": unit})
    assert last(define, question=wave_question()).code == code


def test_formulas_are_solved_together_and_what_cancels_is_named() -> None:
    solve = Action(
        "SOLVE",
        {
            "formulas": [{"formula_id": "f-newton"}, {"formula_id": "weight", "rename": {"F": "F"}}],
            "known": {},
            "target": "a",
        },
    )
    result = run(RETRIEVE, solve)
    step = result.events[1].observation
    assert step.code == "tool_result"
    assert step.data["result"]["value"] == pytest.approx(9.80665)
    assert "m cancels" in step.data["warnings"]


def test_a_system_that_is_not_determined_says_what_is_missing() -> None:
    solve = Action("SOLVE", {"formulas": ["f-newton", "f-work"], "known": {"m": "given_1"}, "target": "W"})
    seen = last(RETRIEVE, solve)
    assert seen.code == "underdetermined"
    assert not seen.succeeded


@pytest.mark.parametrize(
    ("relation", "code"),
    [
        ("a = 0", "number_without_source"),
        ("a = 2 * a", "malformed_expression"),
        ("a * m = 2 * m", "number_without_source"),
        ("a + m = m + 1", "number_without_source"),
        ("a = 2 * q", "unknown_symbol"),
        ("m * a = (1 + 1 + 1) * m * g", "number_without_source"),
        ("a = g * g / g + a_42", "malformed_expression"),
    ],
)
def test_a_relation_brings_no_number_of_its_own(relation: str, code: str) -> None:
    solve = {"formulas": ["f-newton", "f-weight"], "known": {"m": "given_1"}, "target": "F", "relations": [relation]}
    assert last(RETRIEVE, Action("SOLVE", solve)).code == code


@pytest.mark.parametrize("name", ["is_42_J", "F_is_forty_two", "x__1", "F²"])
def test_a_name_says_no_number(name: str) -> None:
    part = {"formula_id": "f-newton", "rename": {"F": name}}
    solve = Action("SOLVE", {"formulas": [part], "known": {"m": "given_1", "a": "given_2"}, "target": name})
    assert last(RETRIEVE, solve).code == "malformed_inputs"


def test_a_lack_of_one_thing_is_no_lack_of_another() -> None:
    question = Question("A cart with no load goes on without friction.", "compute")
    quoted = {"quote": "no load", "value": 0}
    assert last(Action("DEFINE_VALUE", {**quoted, "unit": "m/s"}), question=question).code == "number_not_quoted"
    assert last(Action("DEFINE_VALUE", {**quoted, "unit": "N"}), question=question).succeeded


def test_a_call_makes_its_tool_and_a_passed_value_beats_the_constant() -> None:
    call = {"formula_id": "f-weight", "target": "F", "parameters": {"m": "given_1"}}
    assert last(RETRIEVE, Action("CALL_TOOL", call)).data["result"]["value"] == pytest.approx(19.6133)
    call["parameters"] = {"m": "given_1", "g": "given_2"}
    assert last(RETRIEVE, Action("CALL_TOOL", call)).data["result"]["value"] == pytest.approx(6.0)


@pytest.mark.parametrize(
    ("action", "value"),
    [
        (Action("DIFFERENTIATE", {"expression": "given_2 * t**2 / 2", "variable": "t", "at": "given_4"}), 12),
        (
            Action(
                "INTEGRATE", {"expression": "given_2 * t", "variable": "t", "lower": "0 * given_4", "upper": "given_4"}
            ),
            24,
        ),
    ],
)
def test_functions_of_one_variable(action: Action, value: float) -> None:
    seen = last(action, question=push_question())
    assert seen.code == "tool_result"
    assert seen.data["result"]["value"] == pytest.approx(value)


def test_where_a_function_is_greatest() -> None:
    rise = {"expression": "given_5 * t / given_4 - given_2 * t**2 / 2", "variable": "t", "which": "maximum"}
    seen = last(Action("FIND_EXTREMUM", rise))
    assert seen.data["result"]["value"] == pytest.approx(5 / 12)
    assert seen.data["result"]["unit"] == "s"
    wrong = Action("FIND_EXTREMUM", {"expression": "given_2 * t**2 - given_5", "variable": "t", "which": "maximum"})
    assert not last(wrong).succeeded


def test_a_meaning_is_corrected_where_the_dimensions_then_agree() -> None:
    odd = formula("f-odd", "P = W / t", {"P": ("power", "W"), "W": ("work", "J"), "t": ("temperature", "K")})
    kept = searched(extra=(odd,))
    call = Action("CALL_TOOL", {"formula_id": "f-odd", "target": "W", "parameters": {"P": "given_1", "t": "given_4"}})
    right = Action("CORRECT_MEANING", {"formula_id": "f-odd", "symbol": "t", "unit": "s", "meaning": "time"})
    wrong = Action("CORRECT_MEANING", {"formula_id": "f-odd", "symbol": "t", "unit": "kg"})
    assert last(RETRIEVE, wrong, retrieved=kept).code == "dimension"
    assert last(RETRIEVE, right, retrieved=kept).code == "meaning_corrected"
    assert not last(RETRIEVE, call, retrieved=kept).succeeded


def test_values_and_formulas_of_its_own_need_leave() -> None:
    may = Permissions(may_assume=True, may_propose=True)
    assume = Action(
        "ASSUME", {"value": 0.3, "unit": "", "meaning": "coefficient of friction", "reason": "usual for wood"}
    )
    assert last(assume).code == "not_allowed"
    assert last(assume, permissions=may).code == "value_defined"
    proposal = {
        "name": "impulse",
        "equation": "J = F * t",
        "symbols": {
            "J": {"meaning": "impulse", "unit": "N*s"},
            "F": {"meaning": "force", "unit": "N"},
            "t": {"meaning": "time", "unit": "s"},
        },
    }
    assert last(Action("PROPOSE_FORMULA", proposal)).code == "not_allowed"
    seen = last(Action("PROPOSE_FORMULA", proposal), permissions=may)
    assert seen.code == "formula_proposed"
    assert "not from your documents" in seen.message
    proposal["equation"] = "J = F / t"
    assert last(Action("PROPOSE_FORMULA", proposal), permissions=may).code == "dimension"
    for equation in ("J = 42", "J = 42 * F / F"):
        assert not last(Action("PROPOSE_FORMULA", {**proposal, "equation": equation}), permissions=may).succeeded
    lying = {**proposal["symbols"], "F": {"meaning": "force, namely forty-two", "unit": "N"}}
    assert not last(Action("PROPOSE_FORMULA", {**proposal, "symbols": lying}), permissions=may).succeeded
    marked = {"value": 0.3, "unit": "", "meaning": "<b>friction</b>", "reason": "usual"}
    assert not last(Action("ASSUME", marked), permissions=may).succeeded


# The end: what is asked, nothing against it, and a second look that agrees.


class Judge:
    def __init__(self, *verdicts: bool) -> None:
        self.verdicts = list(verdicts)
        self.heard: list[tuple[list[str], str]] = []

    def __call__(self, _question: Question, _steps: Sequence[Step], objections: Sequence[str], because: str) -> Verdict:
        self.heard.append((list(objections), because))
        return Verdict(self.verdicts.pop(0), "it is another quantity")


CALL = Action("CALL_TOOL", {"formula_id": "f-newton", "target": "F", "parameters": {"m": "given_1", "a": "given_2"}})


def respond(answer: str = "The force is 6.00 N.", **inputs: Any) -> Action:
    return Action("RESPOND", {"answer": answer, **inputs})


def test_objections_are_told_once_and_then_judged() -> None:
    judge = Judge(True)
    result = run(RETRIEVE, CALL, respond(), respond(because="time and way do not matter"), judge_chain=judge)
    assert [event.observation.code for event in result.events][2:] == ["objections", "answered"]
    assert isinstance(result.outcome, Answer)
    assert result.outcome.confidence < 0.95
    assert any("language model" in warning for warning in result.outcome.warnings)
    assert judge.heard[0][1] == "time and way do not matter"
    assert "4.00 s" in judge.heard[0][0][0]


def test_a_second_look_that_disagrees_leaves_a_plan_to_confirm() -> None:
    script = (RETRIEVE, CALL, respond(), respond(), respond())
    result = run(*script, judge_chain=Judge(False, False))
    assert [event.observation.code for event in result.events][2:] == ["objections", "judge_disagrees", "refused"]
    assert isinstance(result.outcome, Refusal)
    assert result.outcome.proposal
    assert "6" not in result.outcome.reason


def test_nobody_talks_the_rules_out_of_what_they_are_sure_of() -> None:
    kept = searched(THREE_HOPS)
    result = run(RETRIEVE, CALL, respond(), respond(because="it is"), retrieved=kept, judge_chain=Judge(True, True))
    assert isinstance(result.outcome, Refusal)
    assert "sure" in result.outcome.reason


def test_arithmetic_alone_is_no_formula_of_the_documents() -> None:
    own = compute("given_1 * given_2", meaning="force")
    result = run(own, respond(), respond(because="it is"), judge_chain=Judge(True, True))
    assert isinstance(result.outcome, Refusal)
    assert "no formula of the documents" in result.outcome.reason


def test_an_honest_no_is_a_no_whatever_was_computed() -> None:
    no = Action("RESPOND", {"no": "Two values are missing, so nobody can say the power."})
    result = run(RETRIEVE, CALL, no, judge_chain=Judge(True))
    assert isinstance(result.outcome, Refusal)
    assert result.outcome.reason.startswith("In a language model's words: Two values are missing")
    said = ("It would be 42 W.", "It would be forty-two watts.", "It is nine.", "Two hundred values fit.", "XLII watts")
    for text in said:
        invented = run(RETRIEVE, CALL, Action("RESPOND", {"no": text}))
        assert invented.events[2].observation.code == "number_without_source", text


def test_a_greatest_value_is_looked_at_with_each_value_under_its_own_name() -> None:
    # The slope names the values in another order than the function does.
    rise = {"expression": "given_5 - given_2 * (t - given_4)**2 / 2", "variable": "t", "which": "maximum"}
    assert last(Action("FIND_EXTREMUM", rise)).data["result"]["value"] == pytest.approx(4)
    assert last(Action("FIND_EXTREMUM", {**rise, "which": "minimum"})).code == "no_extremum"
