"""Several formulas solved together: by number where algebra fails, at a limit that the question asks for, for one of
several solutions, for the ratio of two states."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from agent_scenes import bench, formula, found, given, quantity

from mathrag.answer.replay import replay, save_replay
from mathrag.compute.limits import equation_at_limit, has_limit
from mathrag.compute.printers.plaintext import plain_formula
from mathrag.compute.pythontext import read_python_text
from mathrag.compute.solve.numeric_systems import numeric_roots
from mathrag.reason.agent import Episode, EpisodeResult
from mathrag.reason.agent.planners import ScriptedPlanner
from mathrag.reason.agent.seams import Support, Verdict
from mathrag.types.answer import Answer, Step
from mathrag.types.episode import Action, Observation
from mathrag.types.expression import Declined, Equation, Reading
from mathrag.types.library import Formula
from mathrag.types.quantity import Quantity
from mathrag.types.question import Question

RETRIEVE = Action("RETRIEVE_MATH_KNOWLEDGE", {"query": "law"})
RESPOND = Action("RESPOND", {"answer": "It is result_1."})


def asking(text: str, **values: Quantity) -> Question:
    """A question with values that stand in it, each named by its place."""
    return Question(text, "compute", tuple(given(words, text, value) for words, value in values.items()))


def solving(*formulas: Any, **inputs: Any) -> Action:
    return Action("SOLVE", {"formulas": list(formulas), **inputs})


def no_support(_steps: Sequence[Step]) -> Support:
    return Support()


def run(question: Question, formulas: Sequence[Formula], *script: Action) -> EpisodeResult:
    retrieved = replace(found(extra=formulas), find_support=no_support)
    tables = bench(question, retrieved, judge_chain=lambda *_: Verdict(is_answer=True, reason="yes"))
    return Episode(ScriptedPlanner((RETRIEVE, *script)), tables).run(question)


def seen(question: Question, formulas: Sequence[Formula], *script: Action) -> Observation:
    return run(question, formulas, *script).events[len(script)].observation


# A symbol that only relations have


HALF_LIFE = (
    formula("f-decay", "N = N_0 2^{-t / T}",
            {"N": ("number left", ""), "N_0": ("number at first", ""), "t": ("time", "s"), "T": ("half-life", "s")}),
)  # fmt: skip


def test_a_symbol_that_goes_out_between_two_relations_needs_no_value() -> None:
    question = asking("The half-life is 5 s, and in a halving it moves 2 m. Where is it at 1 of 8?",
                      **{"5 s": quantity(5, "s"), "2 m": quantity(2, "m")})  # fmt: skip
    relations = ["N_0 = 8 * N", "t = n * T", "x = n * given_2"]
    quotes = {"8": "1 of 8"}
    action = solving({"formula_id": "f-decay"}, known={"T": "given_1"}, target="x", relations=relations, quotes=quotes)
    observation = seen(question, HALF_LIFE, action)
    assert observation.code == "tool_result", observation.message
    assert "6 m" in observation.message
    alone = solving({"formula_id": "f-decay"}, known={"T": "given_1"}, target="t",
                    relations=["N_0 = 8 * N", "z = N * given_2"], quotes=quotes)  # fmt: skip
    assert seen(question, HALF_LIFE, alone).code == "unknown_symbol"


# By number

TANGLED = (
    formula("f-one", "x + u = k e^{u / w}",
            {"x": ("depth", "m"), "u": ("rise", "m"), "w": ("breadth", "m"), "k": ("scale", "m")}),
    formula("f-two", "u + w = x \\cosh(w / (k + u))",
            {"x": ("depth", "m"), "u": ("rise", "m"), "w": ("breadth", "m"), "k": ("scale", "m")}),
)  # fmt: skip
DEPTH = asking(
    "It is 3.00 m deep with a scale of 2.00 m. How broad?", **{"3.00 m": quantity(3, "m"), "2.00 m": quantity(2, "m")}
)


def tangled(**inputs: Any) -> Action:
    return solving("f-one", "f-two", **{"known": {"x": "given_1", "k": "given_2"}, "target": "w", **inputs})


def test_what_algebra_does_not_solve_is_solved_by_number() -> None:
    step = seen(DEPTH, TANGLED, tangled())
    assert step.succeeded, step
    w, u = step.data["result"]["value"], step.data["bindings"]["u"]["value"]
    assert 3 + u == pytest.approx(2 * math.exp(u / w))
    assert u + w == pytest.approx(3 * math.cosh(w / (2 + u)))
    assert any("solved by number" in each for each in step.data["warnings"])


def test_an_answer_found_by_number_says_so_and_can_be_computed_again() -> None:
    outcome = run(DEPTH, TANGLED, tangled(), RESPOND).outcome
    assert isinstance(outcome, Answer)
    assert any("solved by number" in each for each in outcome.warnings)
    assert not replay(save_replay(outcome)).changes


@pytest.mark.soak
def test_what_has_no_solution_by_number_either_is_said() -> None:
    one = formula(
        "f-low",
        "x = k \\cosh(w / u)",
        {"x": ("depth", "m"), "w": ("breadth", "m"), "u": ("rise", "m"), "k": ("scale", "m")},
    )
    two = formula(
        "f-high",
        "w + u = x + x e^{u w / x^2} + x \\cosh(w / u)",
        {"x": ("depth", "m"), "w": ("breadth", "m"), "u": ("rise", "m")},
    )
    # A hyperbolic cosine is never below one.
    question = asking(
        "It is 2.00 m deep with a scale of 3.00 m.", **{"2.00 m": quantity(2, "m"), "3.00 m": quantity(3, "m")}
    )
    refused = seen(question, (one, two), solving("f-low", "f-high", known={"x": "given_1", "k": "given_2"}, target="w"))
    assert refused.code in ("no_solution", "timeout")
    assert not refused.succeeded


# Several solutions

THROW = (
    formula("f-throw", "y = v t - \\frac{1}{2} b t^2",
            {"y": ("height", "m"), "v": ("speed", "m/s"), "t": ("time", "s"), "b": ("fall acceleration", "m/s^2")}),
)  # fmt: skip
BALL = asking(
    "A ball leaves at 20.0 m/s and falls at 10.0 m/s^2. When is it 15.0 m up, going down again?",
    **{"20.0 m/s": quantity(20, "m/s"), "10.0 m/s^2": quantity(10, "m/s^2"), "15.0 m": quantity(15, "m")},
)
THROWN = {"known": {"v": "given_1", "b": "given_2", "y": "given_3"}, "target": "t"}


def test_of_several_solutions_none_is_chosen_silently() -> None:
    asked = seen(BALL, THROW, solving("f-throw", **THROWN))
    assert asked.code == "several_solutions"
    assert not asked.succeeded
    assert "1.00 s" in asked.message
    assert "3.00 s" in asked.message


@pytest.mark.parametrize(("which", "value"), [("greatest", 3), ("least", 1)])
def test_the_planner_names_the_solution_and_the_answer_says_so(which: str, value: float) -> None:
    step = seen(BALL, THROW, solving("f-throw", **THROWN, which=which))
    assert step.data["result"]["value"] == pytest.approx(value)
    assert any(f"the {which} one is taken" in each for each in step.data["warnings"])


@pytest.mark.parametrize(
    ("which", "code"), [("positive", "several_solutions"), ("negative", "no_solution"), ("3", "malformed_inputs")]
)
def test_a_name_that_fits_no_one_solution_chooses_none(which: str, code: str) -> None:
    assert seen(BALL, THROW, solving("f-throw", **THROWN, which=which)).code == code


@pytest.mark.soak
def test_several_solutions_by_number_are_asked_about_too() -> None:
    two = (
        formula("f-one", "p = q e^{-q / k}", {"p": ("pull", "N"), "q": ("push", "N"), "k": ("scale", "N")}),
        formula("f-two", "r = q + k \\sin(q r / k^2)", {"r": ("rise", "N"), "q": ("push", "N"), "k": ("scale", "N")}),
    )
    question = asking(
        "A pull of 0.200 N, a scale of 1.00 N.", **{"0.200 N": quantity(0.2, "N"), "1.00 N": quantity(1, "N")}
    )
    step = seen(question, two, solving("f-one", "f-two", known={"p": "given_1", "k": "given_2"}, target="r"))
    assert step.code == "several_solutions"
    chosen = solving("f-one", "f-two", known={"p": "given_1", "k": "given_2"}, target="r", which="least")
    assert seen(question, two, chosen).succeeded


def test_roots_come_with_the_other_unknowns() -> None:
    read = [read_python_text(text) for text in ("x + y = 5", "x * y = 6")]
    roots = numeric_roots([each.equations[0] for each in read if isinstance(each, Reading)], "x", {})
    assert isinstance(roots, tuple)
    assert [(round(root.value), round(root.others["y"])) for root in roots] == [(2, 3), (3, 2)]


# At the limit

FRICTION = replace(
    formula("f-friction", "f = \\mu N", {"f": ("friction", "N")}, label="Friction"),
    latex="f \\le \\mu N",
    equation=None,
    symbols=(),
    status="declined",
    reason="this states a condition, not an equation",
)
PULL = asking(
    "A crate presses on the floor with 200 N; the coefficient is 0.300. What is the least force that moves it?",
    **{"200 N": quantity(200, "N"), "0.300": quantity(0.3)},
)
AT_LIMIT = {"known": {"N": "given_1", "mu": "given_2"}, "target": "f"}


def test_a_limit_is_taken_as_reached_only_where_the_planner_names_it() -> None:
    refused = seen(PULL, (FRICTION,), solving("f-friction", **AT_LIMIT))
    assert refused.code == "limit_not_named"
    step = seen(PULL, (FRICTION,), solving("f-friction", **AT_LIMIT, limit="the least force"))
    assert step.data["result"] == {"value": pytest.approx(60), "unit": "N"}
    assert any("at the limit" in each for each in step.data["warnings"])


@pytest.mark.parametrize(
    ("limit", "code"),
    [("at the limit", "quote_not_found"), ("the floor", "no_limit"), ("the greatest force", "quote_not_found")],
)
def test_the_words_that_name_a_limit_are_those_of_the_question(limit: str, code: str) -> None:
    assert seen(PULL, (FRICTION,), solving("f-friction", **AT_LIMIT, limit=limit)).code == code


def test_an_answer_at_the_limit_says_so() -> None:
    outcome = run(PULL, (FRICTION,), solving("f-friction", **AT_LIMIT, limit="least force"), RESPOND).outcome
    assert isinstance(outcome, Answer)
    assert outcome.quantity.value == pytest.approx(60)
    assert "at the limit" in outcome.steps[0].formula.label
    assert any("at the limit" in each for each in outcome.warnings)
    assert outcome.citations[0].span.document == "notes"


def test_a_relation_may_state_a_limit_too() -> None:
    weight = formula("f-weight", "G = m b", {"G": ("weight", "N"), "m": ("mass", "kg"), "b": ("gravity", "m/s^2")})
    text = "A rope holds at most 500 N at 10.0 m/s^2. What mass can it hold?"
    question = asking(text, **{"500 N": quantity(500, "N"), "10.0 m/s^2": quantity(10, "m/s^2")})
    inputs = {"known": {"b": "given_2"}, "relations": ["G <= given_1"], "target": "m"}
    assert seen(question, (weight,), solving("f-weight", **inputs)).code == "limit_not_named"
    step = seen(question, (weight,), solving("f-weight", **inputs, limit="at most 500 N"))
    assert step.data["result"]["value"] == pytest.approx(50)


@pytest.mark.parametrize(
    ("text", "equation"),
    [("f \\leq \\mu N", "f = μ N"), ("v ≥ \\sqrt{g r}", "v = √(g r)"), ("a \\le b \\le c", None), ("a < b", None)],
)
def test_only_one_limit_that_can_be_reached_is_an_equation(text: str, equation: str | None) -> None:
    assert has_limit(text, "latex") == ("<" not in text)
    reached = equation_at_limit(text, "latex")
    if equation is None:
        assert isinstance(reached, Declined)
    else:
        assert isinstance(reached, Equation)
        assert f"{plain_formula(reached.left)} = {plain_formula(reached.right)}" == equation


# Ratios of two states

PENDULUM = formula(
    "f-pendulum", "T = 2 \\pi \\sqrt{l / g}", {"T": ("period", "s"), "l": ("length", "m"), "g": ("gravity", "m/s^2")}
)


def state(number: int, *names: str) -> dict[str, str]:
    return {name: f"{name}_{number}" for name in names}


def test_by_what_factor_needs_neither_what_cancels_nor_what_is_the_same() -> None:
    question = Question("The rope is made four times as long. By what factor does the period grow?", "compute")
    parts = [{"formula_id": "f-pendulum", "rename": state(number, "T", "l")} for number in (1, 2)]
    define = Action("DEFINE_VALUE", {"quote": "four times", "value": 4})
    solve = solving(*parts, known={}, relations=["l_2 = value_1 * l_1", "T_2 = q * T_1"], target="q")
    step = seen(question, (PENDULUM,), define, solve)
    assert step.succeeded, step.message
    assert step.data["result"] == {"value": pytest.approx(2), "unit": ""}
    assert any("cancels" in each for each in step.data["warnings"])


def test_a_ratio_that_rests_on_something_unknown_has_no_number() -> None:
    question = Question("The rope is made four times as long. By what factor does the period grow?", "compute")
    parts = [{"formula_id": "f-pendulum", "rename": state(number, "T", "l", "g")} for number in (1, 2)]
    define = Action("DEFINE_VALUE", {"quote": "four times", "value": 4})
    solve = solving(*parts, known={}, relations=["l_2 = value_1 * l_1", "T_2 = q * T_1"], target="q")
    assert seen(question, (PENDULUM,), define, solve).code == "underdetermined"


# Temperatures and differences of them

WARMING = asking(
    "Water warms from 20.0 °C to 35.0 °C.", **{"20.0 °C": quantity(20, "degC"), "35.0 °C": quantity(35, "degC")}
)


@pytest.mark.parametrize("meaning", ["temperature rise", "temperature", "warming"])
@pytest.mark.parametrize(
    ("expression", "unit", "value", "shown"),
    [
        ("given_2 - given_1", "", 15, "delta_degC"),
        ("given_2 - given_1", "°C", 15, "delta_degC"),
        ("given_2 - given_1", "K", 15, "K"),
        ("given_1 - given_2", "°C", -15, "delta_degC"),
        ("(given_2 - given_1) / 2", "°C", 7.5, "delta_degC"),
        ("mean(given_1, given_2)", "°C", 27.5, "degC"),
        ("given_1 + (given_2 - given_1) / 2", "°C", 27.5, "degC"),
        ("2 * given_2 - given_1", "°C", 50, "degC"),
        ("given_2", "°C", 35, "degC"),
    ],
)
def test_what_is_a_difference_goes_by_how_it_is_computed(
    expression: str, unit: str, value: float, shown: str, meaning: str
) -> None:
    step = seen(WARMING, (PENDULUM,), Action("COMPUTE", {"expression": expression, "meaning": meaning, "unit": unit}))
    assert step.data["result"] == {"value": pytest.approx(value), "unit": shown}
    says_so = any("a difference of temperatures" in each for each in step.data["warnings"])
    assert says_so == (shown != "degC")
