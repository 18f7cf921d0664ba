"""Planned steps are computed with units, checks and working; what cannot be computed is a failure with a sentence."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from computed_formulas import formula, planned
from mathrag.calculator import understood
from mathrag.knowledge.units import read_canonical_unit, read_unit
from mathrag.reason.computing import StepFailure, compute_step, compute_steps, step_assumptions
from mathrag.types.answer import Bound, PlannedStep, Provenance, Step
from mathrag.types.expression import Comparison
from mathrag.types.library import Formula, Validity
from mathrag.types.quantity import Quantity

CASES = tomllib.loads((Path(__file__).parent / "computed_steps.toml").read_text(encoding="utf-8"))["step"]


def _conditions(case: dict[str, Any]) -> tuple[Validity, ...]:
    found = []
    for text, comparison in case.get("conditions", ()):
        sides: tuple[Comparison, ...] = ()
        for relation in ("<", ">"):
            if relation in comparison:
                left, right = (understood(side, notation="text").expression for side in comparison.split(relation))
                assert left is not None
                assert right is not None
                sides = (Comparison(relation, left, right),)
        found.append(Validity(text, sides))
    return tuple(found)


def _computed(case: dict[str, Any]) -> Step | StepFailure:
    item = formula(case["formula"], case.get("symbols"), conditions=_conditions(case))
    step = planned(item, case["target"], case["given"], constants=case.get("constants"))
    unit = read_unit(case["unit"]) if "unit" in case else None
    return compute_step(step, 1, results={}, unit=unit)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_computed_steps(case: dict[str, Any]) -> None:
    found = _computed(case)
    if "fails" in case:
        assert isinstance(found, StepFailure), found
        assert (found.code, found.symbol) == (case["fails"], case["about"])
        assert found.message
        return
    assert isinstance(found, Step), found
    assert found.result.unit.text == case["in"]
    tolerance = case.get("tolerance", 1e-6)
    assert found.result.value == pytest.approx(case["value"], rel=tolerance)
    assert [other.value for other in found.others] == pytest.approx(case.get("others", []), rel=tolerance)
    assert list(found.behind) == case.get("behind", [])
    assert found.result.uncertainty == (pytest.approx(case["uncertainty"]) if "uncertainty" in case else None)
    assert found.significant_figures == case.get("figures", found.significant_figures)
    assert found.method == case.get("method", found.method)
    for words in case.get("warns", ()):
        assert any(words in warning for warning in found.warnings), found.warnings
    assert len(found.warnings) == len(case.get("warns", ())), found.warnings
    assert list(step_assumptions(found)) == case.get("assumes", [])
    assert list(found.working_text) == case.get("lines", list(found.working_text))
    assert found.working[0] == found.formula.latex


def test_a_step_that_nobody_sees_has_the_same_number_and_no_working() -> None:
    step = planned(formula(r"a = \frac{v}{t}"), "v", {"a": "12.0 m/s^2", "t": "4.0 s"})
    shown, unseen = compute_steps([step]), compute_steps([step], is_shown=False)
    assert not isinstance(shown, StepFailure)
    assert not isinstance(unseen, StepFailure)
    assert unseen[0].result == shown[0].result
    assert shown[0].working
    assert not unseen[0].working


def test_a_later_step_takes_the_result_of_an_earlier_one() -> None:
    first = compute_step(planned(formula(r"a = \frac{v}{t}"), "a", {"v": "12.0 m/s", "t": "4.0 s"}), 1, results={})
    assert isinstance(first, Step)
    item = formula("F = m a")
    assert item.equation is not None
    bindings = (
        Bound("m", Provenance("question", "2.00 kg"), Quantity(2.0, read_unit("kg")), significant_figures=3),
        Bound("a", Provenance("derived", "the acceleration", step=1)),
    )
    second = compute_step(PlannedStep(item, item.equation, "F", bindings), 2, results={1: first})
    assert isinstance(second, Step)
    assert (second.number, second.result.value, second.result.unit.text) == (2, 6.0, "N")
    assert second.bindings[1].quantity == first.result
    assert second.bindings[1].significant_figures == first.significant_figures
    lost = compute_step(PlannedStep(item, item.equation, "F", bindings), 2, results={})
    assert lost == StepFailure("missing", "a was to come from step 1, which has no result", "a")


def test_revolutions_survive_a_chain_of_steps() -> None:
    turning = formula(r"v = 2 \pi r n", {"n": "rotational_frequency"})
    first = compute_step(
        planned(turning, "n", {"v": "31.41592654 m/s", "r": "0.2 m"}), 1, results={}, unit=read_unit("rpm")
    )
    assert isinstance(first, Step)
    for source, kind in ((r"v = 2 \pi r w", "rotational_frequency"), ("v = r w", "angular_velocity")):
        item = formula(source, {"w": kind})
        assert item.equation is not None
        bindings = (
            Bound("r", Provenance("question", ""), Quantity(0.2, read_unit("m"))),
            Bound("w", Provenance("derived", "", step=1)),
        )
        second = compute_step(PlannedStep(item, item.equation, "v", bindings), 2, results={1: first})
        assert isinstance(second, Step)
        assert second.result.value == pytest.approx(31.41592654)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 10**400, 1e308])
def test_values_that_are_no_numbers_are_failures(value: float) -> None:
    item = formula("y = x^2 + x")
    assert item.equation is not None
    bound = Bound("x", Provenance("question", ""), Quantity(value, read_unit("m")))
    found = compute_step(PlannedStep(item, item.equation, "y", (bound,)), 1, results={})
    assert isinstance(found, StepFailure)
    assert found.code in ("bad_value", "overflow", "dimension")


def test_two_values_for_one_symbol_are_refused() -> None:
    step = planned(formula("F = m a"), "F", {"m": "2 kg", "a": "1 m/s^2"})
    doubled = PlannedStep(
        step.formula, step.equation, step.target, (*step.bindings, *planned(step.formula, "F", {"m": "3 kg"}).bindings)
    )
    found = compute_step(doubled, 1, results={})
    assert isinstance(found, StepFailure)
    assert (found.code, found.symbol) == ("bad_value", "m")


def test_whole_numbers_stay_exact() -> None:
    item = Formula("f", "f", "", "", "executable", (), equation=understood("y = a**b").equations[0])
    assert item.equation is not None
    bindings = tuple(Bound(name, Provenance("question", ""), Quantity(value)) for name, value in (("a", 7), ("b", 40)))
    found = compute_step(PlannedStep(item, item.equation, "y", bindings), 1, results={})
    assert isinstance(found, Step)
    assert found.result.value == 7**40


def test_unknown_kinds_and_units_of_a_newer_library_do_no_harm() -> None:
    item = formula("F = m a", {"F": {"kind": "force"}})
    strange = tuple(type(each)(each.name, kind="not_a_kind", unit="blorps", origin="document") for each in item.symbols)
    assert item.equation is not None
    step = planned(
        Formula("f", "f", "", "F = m a", "executable", (), equation=item.equation, symbols=strange),
        "F",
        {"m": "2 kg", "a": "1 m/s^2"},
    )
    found = compute_step(step, 1, results={})
    assert isinstance(found, Step)
    assert found.result == Quantity(2.0, read_canonical_unit("N"))


def test_the_working_in_latex_has_values_with_upright_units() -> None:
    found = _computed({"formula": r"K = \frac{1}{2} m v^2", "given": {"K": "640 J", "v": "-16.0 m/s"}, "target": "m"})
    assert isinstance(found, Step)
    assert found.rearranged == r"m = \frac{2 K}{v^{2}}"
    assert found.working == (
        r"K = \frac{1}{2} m v^2",
        r"m = \frac{2 K}{v^{2}}",
        r"m = \frac{2 \cdot 640\,\mathrm{J}}{\left(-16.0\,\mathrm{m/s}\right)^{2}}",
        r"m = 5.00\,\mathrm{kg}",
    )


def test_a_symbol_named_like_a_measure_is_left_alone() -> None:
    equation = understood('y = measure_0 * x + quantity(2, "m")', notation="text").equations[0]
    item = Formula("f", "f", "", "", "executable", (), equation=equation)
    bindings = tuple(
        Bound(name, Provenance("question", ""), quantity)
        for name, quantity in (
            ("y", Quantity(8.0, read_unit("m"))),
            ("measure_0", Quantity(3.0)),
        )
    )
    found = compute_step(PlannedStep(item, equation, "x", bindings), 1, results={})
    assert isinstance(found, Step)
    assert found.result == Quantity(2.0, read_canonical_unit("m"))
