"""Places out of the columns that `codec.place_columns` made. Believes no box: a library may come from any file."""

from __future__ import annotations

import json
import math

from mathrag.types.document import Place


def place_of_columns(
    page: int | None, line: int | None, end_line: int | None, path: str, file: str, box: str | None
) -> Place:
    """The place that the columns `page, line, end_line, path, file, box` stand for."""
    return Place(line, end_line, page, box_of_text(box), path, file)


def box_of_text(text: str | None) -> tuple[float, float, float, float] | None:
    """The box of a column; None where it holds none."""
    if text is None:
        return None
    try:
        left, top, right, bottom = (float(side) for side in json.loads(text))
    except (ValueError, TypeError, RecursionError):
        return None
    box = (left, top, right, bottom)
    return box if all(map(math.isfinite, box)) else None
