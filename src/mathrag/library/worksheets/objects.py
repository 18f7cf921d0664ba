"""A computed worksheet as data for programs and pages. Decides nothing."""

from __future__ import annotations

from mathrag.answer.objects import quantity_object
from mathrag.compute.printers.notation_mathml import latex_mathml
from mathrag.library.views.plots import Axis, curve_svg
from mathrag.store.truth.worksheets import SavedWorksheet
from mathrag.types.json_value import Json
from mathrag.worksheets.lines import Heading, Text
from mathrag.worksheets.results import Curve, LineResult, Results
from mathrag.worksheets.writing import write_line


def results_object(results: Results, *, with_pictures: bool = True) -> Json:
    """A worksheet with what each line gave."""
    return {
        "lines": [line_object(each, with_pictures=with_pictures) for each in results.lines],
        "problems": len(results.problems),
        "values": {name: quantity_object(value) for name, value in results.values.items()},
    }


def line_object(result: LineResult, *, with_pictures: bool = True) -> Json:
    """One line with what it gave; `mathml` is its calculation for a browser, `svg` its plot."""
    problem = result.problem
    return {
        "number": result.number,
        "source": write_line(result.line),
        "kind": type(result.line).__name__.lower(),
        "status": result.status,
        "text": result.text or _words(result),
        "latex": result.latex,
        "mathml": latex_mathml(result.latex) if result.latex and with_pictures else None,
        "answer": result.answer,
        "values": {each.name: quantity_object(each.shown) for each in result.definitions if each.name},
        "notes": list(result.notes),
        "problem": None
        if problem is None
        else {"message": problem.message, "column": problem.column, "cause": problem.cause},
        "links": [{"label": each.label, "formula": each.formula, "source": each.source} for each in result.links],
        "rows": [
            {"name": each.name, "spread": each.spread, "slope": each.slope, "share": each.share} for each in result.rows
        ],
        "curve": None if result.curve is None else _curve(result.curve),
        "svg": curve_picture(result.curve) if result.curve is not None and with_pictures else None,
    }


def saved_object(saved: SavedWorksheet) -> Json:
    """A worksheet of the library."""
    return {"name": saved.name, "text": saved.text, "created": saved.created, "changed": saved.changed}


def curve_picture(curve: Curve) -> str:
    """The plot of a line as SVG."""
    return curve_svg(
        curve.points,
        title=f"{curve.vertical} against {curve.horizontal}",
        horizontal=Axis(curve.horizontal, curve.horizontal_unit),
        vertical=Axis(curve.vertical, curve.vertical_unit),
    )


def _curve(curve: Curve) -> Json:
    return {
        "horizontal": curve.horizontal,
        "horizontal_unit": curve.horizontal_unit,
        "vertical": curve.vertical,
        "vertical_unit": curve.vertical_unit,
        "points": [[x, y] for x, y in curve.points],
    }


def _words(result: LineResult) -> str:
    return result.line.text if isinstance(result.line, Heading | Text) else ""
