"""The report of a run over problems of mathematics: tables and charts that are whole, whatever names they show."""

from __future__ import annotations

import xml.etree.ElementTree as Tree
from typing import Any

import pytest
from test_math_arms import problem, tries

from mathrag.evaluate.charts import Cell, Curve, curves_chart, heat_map
from mathrag.evaluate.math_arms import arm_figures
from mathrag.evaluate.math_report import math_report_files, question_records


def report(**others: Any) -> dict[str, Any]:
    measured = [
        problem(f"p{place}", tries("7", "5", "7"), tries("5", "5", "5"), run=place % 2, level=1 + place % 3, kind=kind)
        for place, kind in enumerate(["Sums", "Sums", "Odd | <b>ones</b>", "Products"] * 3)
    ]
    figures = arm_figures(measured, (0.5,))
    return {
        "set": "beads | <i>",
        "way": "whole",
        "model": "some`model",
        "options": {"n": 2, "thresholds": [0.5], "sample": None},
        "scorer": "similarity",
        **figures,
        "scores": {**figures["scores"], "failed_calls": 1},
        "recall": {"problems": 3, "relevant": 3, "recall": {"1": 0.5}, "reciprocal_rank": 0.5},
        "switches": 1,
        "leakage": {"left_out_of_the_library": 2},
        "failed": 0,
        "stopped": "",
        "spent": {"calls": 1, "cached": 0, "prompt_tokens": 2, "completion_tokens": 3, "cost": None},
        **others,
    }


def test_the_files_of_a_report() -> None:
    files = math_report_files(report())
    assert set(files) == {
        "report.md", "accuracy.svg", "by-level.svg", "coverage.svg", "heat-plain.svg", "heat-difference-1.svg",
    }  # fmt: skip
    text = files["report.md"]
    for said in (
        "## What the texts change",
        "+100.0 points",
        "## An oracle, for comparison only",
        "Models were switched 1 time (counted from what was asked).",
        "## Repeated runs",
        "2 runs of 6 problems; no problem is in two of them.",
        "recall at 1 | 0.500",
        "![Coverage by threshold](coverage.svg)",
    ):
        assert said in text
    assert "<b>" not in text
    assert "<i>" not in text
    # The oracle's figures stand under its own heading alone.
    assert text.index("any attempt right") > text.index("An oracle")


def test_charts_are_whole_and_name_themselves() -> None:
    for name, chart in math_report_files(report()).items():
        if name.endswith(".svg"):
            root = Tree.fromstring(chart)
            assert root.find("{http://www.w3.org/2000/svg}title") is not None
            assert root.find("{http://www.w3.org/2000/svg}desc") is not None


def test_a_run_that_was_stopped_says_so() -> None:
    files = math_report_files(report(stopped="no call is left", failed=2))
    assert "Stopped: no call is left. The same command goes on from here." in files["report.md"]


def test_nothing_solved_makes_a_report_all_the_same() -> None:
    figures = arm_figures([], (0.5,))
    files = math_report_files(report(**{**figures, "scores": {**figures["scores"], "failed_calls": 0}}, recall=None))
    assert set(files) == {"report.md"}


def test_gains_and_losses_are_told_apart_by_more_than_colour() -> None:
    cells = {("Sums", "level 1"): Cell(0.5, "+50", "+1 of 2"), ("Sums", "level 2"): Cell(-1.5, "-100", "-2 of 2")}
    chart = heat_map("A & B", "what it shows", cells, rows=["Sums", "None"], columns=["level 1", "level 2"])
    root = Tree.fromstring(chart)
    assert "+50" in "".join(root.itertext())
    assert 'class="loss" fill-opacity="0.55"' in chart
    assert 'class="mark" fill-opacity="0.28"' in chart


@pytest.mark.parametrize("places", [(), ((0.5, None),), ((0.0, 0.2), (2.0, -1.0))])
def test_curves_of_odd_places(places: tuple[tuple[float, float | None], ...]) -> None:
    chart = curves_chart("t", "d", (Curve("<one>", places), Curve("two", ((0.1, 0.2), (0.3, 0.4)))), along="threshold")
    assert Tree.fromstring(chart).tag.endswith("svg")


def test_records_that_pages_and_comparisons_read() -> None:
    made = question_records(
        [{"id": "a", "right": True, "tier": "level 1"}, {"id": "b", "right": False, "tier": "level 2"}]
    )
    assert made["metrics"]["accuracy"]["all"]["right"] == 1
    assert set(made["metrics"]["tiers"]) == {"level 1", "level 2"}
