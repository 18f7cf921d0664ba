"""Claims of written solutions: a golden file that a teacher can read, random arithmetic, and hostile texts."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathrag.compute.claims import judge_steps

CLAIMS: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("claims.toml").read_text(encoding="utf-8"))[
    "claim"
]


@pytest.mark.parametrize("case", CLAIMS, ids=lambda case: " | ".join(case["steps"])[:70])
def test_golden_claims(case: dict[str, Any]) -> None:
    verdict = judge_steps(case["steps"], case.get("problem", ""))[-1]
    assert verdict.outcome == case["outcome"], verdict.claims
    if "right" in case:
        assert case["right"] in [each.right for each in verdict.refuted]
    if "reason" in case:
        assert any(case["reason"] in each.reason for each in verdict.claims), verdict.claims


def test_claims_stand_where_they_say() -> None:
    step = r"First $3 \cdot 4 = 12$, and then 12 + 5 = 18 apples."
    (verdict,) = judge_steps([step])
    for each in verdict.claims:
        assert step[each.claim.start : each.claim.end] == each.claim.text
    assert [each.outcome for each in verdict.claims] == ["verified", "refuted"]
    assert verdict.refuted[0].claim.text == "12 + 5 = 18 apples"


def test_every_unchecked_or_refuted_claim_has_a_reason() -> None:
    for case in CLAIMS:
        for verdict in judge_steps(case["steps"], case.get("problem", "")):
            assert all(each.reason for each in verdict.claims if each.outcome != "verified")


def test_there_is_one_verdict_for_each_step() -> None:
    assert judge_steps([]) == ()
    assert [verdict.step for verdict in judge_steps(["", "3 + 4 = 7", "nothing"])] == [0, 1, 2]


_NUMBERS = st.integers(min_value=1, max_value=9999)
_SIGNS = {"+": ("+", "+"), "-": ("-", "-"), "*": ("*", r"\cdot"), "×": ("×", r"\times")}


def _computed(first: int, sign: str, second: int) -> int:
    return first + second if sign == "+" else first - second if sign == "-" else first * second


@pytest.mark.slow
@given(_NUMBERS, st.sampled_from(sorted(_SIGNS)), _NUMBERS, st.sampled_from((0, 1, -1, 10, -10)), st.booleans())
@settings(max_examples=150, deadline=None)
def test_true_arithmetic_is_verified_and_shifted_is_refuted(
    first: int, sign: str, second: int, shift: int, in_formula: bool
) -> None:
    plain, latex = _SIGNS[sign]
    value = _computed(first, sign, second)
    claim = f"{first} {latex if in_formula else plain} {second} = {value + shift}"
    (verdict,) = judge_steps([f"So ${claim}$." if in_formula else f"So {claim}."])
    assert verdict.outcome == ("refuted" if shift else "verified")
    if shift:
        assert verdict.refuted[0].right == str(value)


@pytest.mark.slow
@given(st.integers(-9, 9).filter(bool), st.integers(-20, 20), st.integers(-20, 20), st.integers(-5, 5))
@settings(max_examples=100, deadline=None)
def test_a_solved_linear_equation_is_verified_and_another_solution_refuted(
    factor: int, shift: int, solution: int, error: int
) -> None:
    steps = [f"${factor}x {shift:+d} = {factor * solution + shift}$", f"so $x = {solution + error}$"]
    assert judge_steps(steps)[1].outcome == ("refuted" if error else "verified")


@pytest.mark.slow
@given(st.integers(-9, 9), st.integers(-9, 9), st.integers(1, 9))
@settings(max_examples=80, deadline=None)
def test_expansions_are_verified_and_slips_in_them_refuted(first: int, second: int, slip: int) -> None:
    product = f"(x {first:+d})(x {second:+d})"
    expanded = f"x^2 {first + second:+d}x {first * second:+d}"
    wrong = f"x^2 {first + second:+d}x {first * second + slip:+d}"
    assert judge_steps([f"Expanding, ${product} = {expanded}$"])[0].outcome == "verified"
    assert judge_steps([f"Expanding, ${product} = {wrong}$"])[0].outcome == "refuted"


@pytest.mark.slow
@given(st.lists(st.text(max_size=120), max_size=4), st.text(max_size=80))
@settings(max_examples=150, deadline=None)
def test_no_text_raises(steps: list[str], problem: str) -> None:
    assert len(judge_steps(steps, problem)) == len(steps)


_PIECES = (
    *r"$ \( \) \[ \] = x 12 3.5 + - * / ^ { } ( ) \frac \text{ \\ & << >> % \$ or so \pmod ≈ ! , |".split(),
    r"\begin{align}",
)


@pytest.mark.slow
@given(st.lists(st.sampled_from(_PIECES), max_size=40))
@settings(max_examples=250, deadline=None)
def test_no_heap_of_formula_pieces_raises(pieces: list[str]) -> None:
    judge_steps([" ".join(pieces), "".join(pieces)])


_HOSTILE = {
    "long sum": "$" + "1+" * 9_000 + "1 = 5$",
    "long prose sum": "1 + " * 5_000 + "1 = 5",
    "nested": "$" + "(" * 3_000 + "1" + ")" * 3_000 + " = 2$",
    "nested braces": "$" + r"\frac{1}{" * 500 + "2" + "}" * 500 + " = 2$",
    "tower": "$9^{9^{9^{9}}} = 1$",
    "long power": "$7^{99999999} = 1$",
    "factorial": "$99999999! = 1$",
    "factorials": "$((9!)!)! = 1$",
    "binomial": r"$\binom{99999999}{49999999} = 1$",
    "sum over all": r"$\sum_{k=1}^{99999999} k^2 = 1$",
    "zero": r"$\frac{1}{0} = 1$ and 5 / 0 = 3",
    "zero to a power": "$0^{-1} = 0$",
    "many equals": "$" + "1 = " * 5_000 + "1$",
    "many prose equals": "1 = " * 4_000 + "1",
    "many dollars": "$ " * 9_000,
    "many openings": r"\( " * 5_000,
    "open annotations": "<<" * 5_000,
    "many digits": "$" + "9" * 9_000 + " + 1 = 2$",
    "many decimals": "$0." + "3" * 5_000 + " = 2$",
    "many symbols": "$" + "a b c d e f g h " * 400 + " = x$",
    "polynomials": "$(x+y+z+w+v)^{99} = (x+y)^{98} = (x+y)^{97}$",
    "words": "so " * 6_000 + "= 5",
    "percent": "%" * 5_000 + " = 5",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", _HOSTILE)
def test_hostile_steps_are_bounded(name: str) -> None:
    verdicts = judge_steps([_HOSTILE[name]] * 2, _HOSTILE[name])
    if name not in ("many equals", "many prose equals"):
        assert all(verdict.outcome != "verified" for verdict in verdicts)
