"""An answer computed again: by steps with other values, over a range, as a plot; and what is wrong with bad plans."""

from __future__ import annotations

import json
import math
import re
from typing import Any
from xml.etree import ElementTree

import pytest
from ask_makers import TWO_STEPS
from hypothesis import given
from hypothesis import strategies as some
from serve_makers import QUESTION, csrf_of
from starlette.testclient import TestClient

from mathrag.library.views.plots import NARROW, Axis, curve_svg, number_text, ticks

WORK = "how much work does 3 C do at 5 V?"
numbers = some.floats(allow_nan=False, allow_infinity=False)


def plan_for(client: TestClient, question: str) -> dict[str, Any]:
    client.cookies.clear()
    secret = csrf_of(client.get("/").text)
    plan = client.post("/ask.json", data={"csrf": secret, "question": question}).json()["card"]["plan"]
    client.cookies.clear()
    assert isinstance(plan, dict)
    return plan


@pytest.mark.parametrize(
    ("question", "values", "unit", "result"),
    [
        (QUESTION, {}, "J", 9),
        (QUESTION, {"v": "5 m/s"}, "J", 25),
        (QUESTION, {"v": "18 km/h"}, "kJ", 0.025),
        (TWO_STEPS, {}, "W", 20),
        (TWO_STEPS, {"I": "3 A"}, "W", 45),
        (TWO_STEPS, {"R": "0.007 kohm"}, "W", 28),
        # C may be coulomb or degrees; what is computed says which.
        (WORK, {"q_h": "4 C"}, "J", 20),
    ],
)
def test_steps_are_computed_again(
    client: TestClient, question: str, values: dict[str, str], unit: str, result: float
) -> None:
    plan = plan_for(client, question)
    found = client.post("/ask/recompute.json", json={**plan, "values": {**plan["values"], **values}, "unit": unit})
    assert found.json()["value"] == pytest.approx(result)
    assert found.json()["unit"] == unit


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"values": {"m": "2 kg"}}, 200),
        ({"values": {"m": "2 kg", "v": "3 s"}}, 200),
        ({"values": {"m": "2 kg", "v": "fast"}}, 200),
        ({"values": {"m": "2 kg", "v": "9" * 300}}, 422),
        ({"unit": "kg"}, 200),
        ({"steps": []}, 422),
        ({"steps": [{"formula": "f-000000000000", "target": "x", "inputs": {}}]}, 404),
        ({"steps": [{"formula": "../secret", "target": "x", "inputs": {}}]}, 422),
        ({"other": 1}, 422),
    ],
)
def test_plans_that_cannot_be_computed_are_told_so(client: TestClient, change: dict[str, Any], status: int) -> None:
    reply = client.post("/ask/recompute.json", json={**plan_for(client, QUESTION), **change})
    assert reply.status_code == status
    assert reply.json()["problem" if status == 200 else "detail"]


@pytest.mark.parametrize("source", ["#0", "#1", "#2", "#x", "#-1", "#99999999999"])
def test_a_step_uses_earlier_steps_only(client: TestClient, source: str) -> None:
    plan = plan_for(client, TWO_STEPS)
    plan["steps"][0]["inputs"]["I"] = source
    assert "step" in client.post("/ask/recompute.json", json=plan).json()["problem"]


@pytest.mark.parametrize(
    ("question", "symbol", "stop", "top"),
    [(QUESTION, "v", "6 m/s", 36), (QUESTION, "v", "6", 36), (TWO_STEPS, "I", "4 A", 80)],
)
def test_a_plot_goes_through_the_points(client: TestClient, question: str, symbol: str, stop: str, top: float) -> None:
    asked = {"plan": json.dumps(plan_for(client, question)), "symbol": symbol, "start": "0", "stop": stop, "points": 9}
    curve = client.get("/ask/plot.json", params=asked).json()["curve"]
    assert len(curve["points"]) == 9
    assert curve["points"][-1]["y"] == pytest.approx(top)
    assert curve["points"][4]["y"] == pytest.approx(top / 4)
    picture = client.get("/ask/plot.svg", params=asked)
    assert picture.headers["content-type"].startswith("image/svg+xml")
    tree = ElementTree.fromstring(picture.text)
    space = "{http://www.w3.org/2000/svg}"
    assert tree.find(f"{space}title") is not None
    assert tree.find(f"{space}desc") is not None
    assert len(tree.findall(f"{space}polyline")) == 1
    assert len(tree.findall(f"{space}circle")) == 1
    page = client.get("/ask/plot", params=asked).text
    assert "<svg" in page
    assert "<style" not in page
    assert " style=" not in page
    assert page.count("<tr>") == 10


def test_a_unit_that_can_mean_two_things_is_plotted(client: TestClient) -> None:
    asked = {"plan": json.dumps(plan_for(client, WORK)), "symbol": "q_h", "start": "0 C", "stop": "6", "points": 3}
    curve = client.get("/ask/plot.json", params=asked).json()["curve"]
    assert [point["y"] for point in curve["points"]] == [0, 15, 30]
    assert curve["mark"] == {"x": 3, "y": 15}


def test_a_logarithmic_range_and_a_problem_on_the_page(client: TestClient) -> None:
    asked = {"plan": json.dumps(plan_for(client, QUESTION)), "symbol": "v", "start": "1 m/s", "stop": "1000 m/s"}
    drawn = client.get("/ask/plot.svg", params={**asked, "scale": "logarithmic"}).text
    assert 'data-x-scale="log"' in drawn
    wrong = client.get("/ask/plot", params={**asked, "start": "-1 m/s", "scale": "logarithmic"})
    assert wrong.status_code == 200
    assert "positive ends" in wrong.text


@pytest.mark.parametrize(
    "change",
    [
        {"plan": "{"},
        {"plan": "null"},
        {"symbol": "x"},
        {"start": "3 kg"},
        {"stop": "0"},
        {"points": "1"},
        {"scale": "round"},
    ],
)
def test_plots_that_cannot_be_drawn_are_told_so(client: TestClient, change: dict[str, str]) -> None:
    asked = {"plan": json.dumps(plan_for(client, QUESTION)), "symbol": "v", "start": "0", "stop": "6"}
    assert client.get("/ask/plot.svg", params={**asked, **change}).status_code == 422


# ---- the picture itself


@given(some.lists(some.tuples(numbers, some.none() | numbers), max_size=30), some.booleans())
def test_any_points_make_a_picture(points: list[tuple[float, float | None]], is_logarithmic: bool) -> None:
    drawn = curve_svg(
        points, title="<b>&", horizontal=Axis("x_1", "m", is_logarithmic), vertical=Axis('y"', "s"), size=NARROW
    )
    tree = ElementTree.fromstring(drawn)
    assert tree.findtext("{http://www.w3.org/2000/svg}title") == "<b>&"
    assert not re.search(r"nan|inf\b", drawn.split("</desc>")[1])


@given(some.floats(-1e6, 1e6), some.floats(1e-3, 1e9))
def test_ticks_lie_inside_and_are_few(low: float, span: float) -> None:
    found = ticks(low, low + span, most=6)
    assert len(found) <= 12
    assert all(low - span * 1e-6 <= tick <= low + span * 1.000001 for tick in found)


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (12.5, "12.5"), (-3, "−3"), (3e8, "3×10⁸"), (-1.5e-7, "−1.5×10⁻⁷"), (0.001, "0.001"), (1e6, "1×10⁶")],
)
def test_numbers_at_axes_are_short(value: float, text: str) -> None:
    assert number_text(value) == text


def test_a_gap_breaks_the_curve() -> None:
    points = [(0.0, 1.0), (1.0, 2.0), (2.0, None), (3.0, 4.0), (4.0, math.pi)]
    assert curve_svg(points, title="", horizontal=Axis("x"), vertical=Axis("y")).count("<polyline") == 2
