"""The pictures of a report for a page: how far confidence can be believed, and how long answers take. Draws no bar."""

from __future__ import annotations

from mathrag.evaluate.charts import Point, embedded, histogram, reliability_chart
from mathrag.library.evaluation_view import Report

_FEWEST = 2


def calibration_svg(report: Report) -> str:
    """Share of right answers over stated confidence; empty where nothing is known of it."""
    found = report.about["calibration"]
    if not found or not found["bins"]:
        return ""
    points = [Point(one["confidence"], one["share"], one["low"], one["high"], one["of"]) for one in found["bins"]]
    spoken = "; ".join(f"at {point.confidence:.2f} {100 * point.share:.0f} % of {point.count}" for point in points)
    chart = reliability_chart("Calibration", f"Share of right answers over stated confidence: {spoken}.", points)
    return embedded(chart, "calibration")


def latency_svg(report: Report) -> str:
    """How often which time to an answer occurs; empty where too few are known."""
    values = [one["milliseconds"] for one in report.questions if one["milliseconds"] is not None]
    if len(values) < _FEWEST:
        return ""
    spoken = f"From {min(values):.1f} to {max(values):.1f} milliseconds over {len(values)} questions."
    chart = histogram("Time to an answer", spoken, values, unit="milliseconds, each bin wider by the same factor")
    return embedded(chart, "latency")
