"""Tools made from formulas: schema, validation, errors as values, and an end."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from computed_formulas import formula
from mathrag.knowledge.units import read_unit
from mathrag.reason.tools import Tool, ToolError, ToolResult, make_tool
from mathrag.types.answer import Bound, Provenance
from mathrag.types.library import Formula
from mathrag.types.quantity import Quantity

GAS = formula(
    r"v = \sqrt{\frac{3 R T}{M}}",
    {
        "v": {"kind": "root_mean_square_speed", "description": "speed of the molecules"},
        "T": {"kind": "temperature", "description": "temperature of the gas"},
        "M": {"kind": "molar_mass"},
        "R": {"unit": "J/(mol K)", "constant": "molar_gas_constant"},
    },
    label="Root-mean-square speed",
)


def made(item: Formula, target: str, **options: Any) -> Tool:
    tool = make_tool(item, target, **options)
    assert isinstance(tool, Tool), tool
    return tool


def test_a_tool_has_a_name_a_description_and_a_schema_without_its_constants() -> None:
    tool = made(GAS, "v")
    assert tool.name == "root_mean_square_speed_for_v"
    assert "Gives v (speed of the molecules) in m/s." in tool.description
    schema = tool.schema
    assert json.loads(json.dumps(schema)) == schema
    assert schema["required"] == ["T", "M"]
    assert schema["additionalProperties"] is False
    temperature = schema["properties"]["T"]
    assert temperature["unit"] == "K"
    assert temperature["description"] == "temperature of the gas; a number is in K"
    assert temperature["anyOf"][0]["type"] == "number"
    assert temperature["anyOf"][0]["minimum"] == 0
    assert [(bound.symbol, bound.provenance.origin) for bound in tool.constants] == [("R", "constant")]
    assert "CODATA" in tool.constants[0].provenance.source


@pytest.mark.parametrize(
    "values",
    [
        {"T": 300, "M": 0.028},
        {"T": 300.0, "M": "28 g/mol"},
        {"T": "26.85 °C", "M": {"value": 28, "unit": "g/mol"}},
        {"T": {"value": 300, "unit": "K"}, "M": "0.028"},
        {"T": "26.85 C", "M": 0.028},
    ],
)
def test_values_come_as_numbers_text_or_objects(values: dict[str, Any]) -> None:
    found = made(GAS, "v").invoke(values)
    assert isinstance(found, ToolResult), found
    assert found.value.value == pytest.approx(516.9628, rel=1e-5)
    assert found.value.unit.text == "m/s"


def test_any_symbol_can_be_the_target_and_the_unit_can_be_asked_for() -> None:
    found = made(GAS, "T").invoke({"v": "0.517 km/s", "M": "28.0 g/mol"}, unit=read_unit("°C"))
    assert isinstance(found, ToolResult)
    assert found.value.value == pytest.approx(26.8931, rel=1e-4)
    assert found.step.significant_figures == 3
    assert found.step.rearranged


@pytest.mark.parametrize(
    ("values", "code", "parameter"),
    [
        ({"T": 300}, "missing", "M"),
        ({}, "missing", "T"),
        ({"T": 300, "M": 0.028, "R": 8.3}, "unknown", "R"),
        ({"T": 300, "M": 0.028, "x": 1}, "unknown", "x"),
        ({"T": "300 m", "M": 0.028}, "unit", "T"),
        ({"T": {"value": 1, "unit": "blorp"}, "M": 0.028}, "unit", "T"),
        ({"T": {"value": 1, "unit": ""}, "M": 0.028}, "unit", "T"),
        ({"T": {"value": 1}, "M": 0.028}, "type", "T"),
        ({"T": {"value": True, "unit": "K"}, "M": 0.028}, "type", "T"),
        ({"T": {"value": "1", "unit": "K"}, "M": 0.028}, "type", "T"),
        ({"T": True, "M": 0.028}, "type", "T"),
        ({"T": None, "M": 0.028}, "type", "T"),
        ({"T": [300], "M": 0.028}, "type", "T"),
        ({"T": float("nan"), "M": 0.028}, "not_finite", "T"),
        ({"T": float("-inf"), "M": 0.028}, "not_finite", "T"),
        ({"T": 10**400, "M": 0.028}, "too_long", "T"),
        ({"T": "9" * 100_000, "M": 0.028}, "too_long", "T"),
        ({"T": {"value": 1, "unit": "K" * 10_000}, "M": 0.028}, "too_long", "T"),
        ({"T": "hot", "M": 0.028}, "value", "T"),
        ({"T": "nan", "M": 0.028}, "value", "T"),
        ({"T": "from 3 K to 5 K", "M": 0.028}, "value", "T"),
        ({"T": "__import__('os')", "M": 0.028}, "value", "T"),
        ({"T": "", "M": 0.028}, "value", "T"),
        ({"T": 300, "M": 0}, "division_by_zero", ""),
        ({"T": -300, "M": 0.028}, "domain", ""),
    ],
    ids=str,
)
def test_what_is_wrong_with_a_call_is_an_error_value(values: dict[str, Any], code: str, parameter: str) -> None:
    found = made(GAS, "v").invoke(values)
    assert isinstance(found, ToolError), found
    assert (found.code, found.parameter) == (code, parameter)
    assert 0 < len(found.message) <= 301


@pytest.mark.parametrize("parameters", [None, 3, "T=300", [1, 2], [("T", 1)]])
def test_parameters_are_an_object(parameters: object) -> None:
    found = made(GAS, "v").invoke(parameters)
    assert isinstance(found, ToolError)
    assert found.code == "type"


def test_implausible_values_are_computed_with_a_warning() -> None:
    found = made(GAS, "v").invoke({"T": 1e30, "M": 0.028})
    assert isinstance(found, ToolResult)
    assert any("outside what is plausible" in warning for warning in found.warnings)


def test_a_disposed_tool_does_nothing() -> None:
    tool = made(GAS, "v")
    tool.dispose()
    found = tool.invoke({"T": 300, "M": 0.028})
    assert isinstance(found, ToolError)
    assert found.code == "disposed"


def test_constants_can_be_given_by_the_caller() -> None:
    bound = Bound(
        "g", Provenance("constant", "gravity on the Moon", source="notes.md"), Quantity(1.62, read_unit("m/s^2"))
    )
    tool = made(formula("W = m g", {"m": "mass"}), "W", constants={"g": bound})
    assert [parameter.name for parameter in tool.parameters] == ["m"]
    found = tool.invoke({"m": 10})
    assert isinstance(found, ToolResult)
    assert found.value.value == pytest.approx(16.2)
    assert found.step.bindings[-1] == bound


def test_a_constant_asked_for_is_no_constant() -> None:
    tool = made(GAS, "R")
    assert [parameter.name for parameter in tool.parameters] == ["v", "T", "M"]


def test_what_cannot_be_a_tool_is_an_error_value() -> None:
    wrong = make_tool(GAS, "x")
    assert isinstance(wrong, ToolError)
    assert wrong.code == "target"
    for item in (replace(GAS, equation=None), replace(GAS, status="quarantined", reason="its units disagree")):
        found = make_tool(item, "v")
        assert isinstance(found, ToolError)
        assert found.code == "not_executable"


def test_a_symbol_of_unknown_dimension_takes_any_unit() -> None:
    tool = made(formula("y = k x"), "y")
    found = tool.invoke({"k": "3 m/s", "x": "2 s"})
    assert isinstance(found, ToolResult)
    assert (found.value.value, found.value.unit.text) == (6.0, "m")


def test_hostile_labels_make_a_safe_name() -> None:
    hostile = '"""; import os\n\x00\u202e<script>' * 50
    tool = made(replace(GAS, label=hostile, description=hostile), "v")
    assert tool.name.replace("_", "").isalnum()
    assert tool.name.isascii()
    assert len(tool.name) <= 64
    assert tool.description.isprintable()
    assert len(tool.description) <= 1000


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=40),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=8) | st.sampled_from(["value", "unit"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@settings(deadline=None, max_examples=150)
@given(temperature=JSON, mass=JSON)
def test_no_call_raises(temperature: object, mass: object) -> None:
    found = made(GAS, "v").invoke({"T": temperature, "M": mass})
    assert isinstance(found, ToolResult | ToolError)
