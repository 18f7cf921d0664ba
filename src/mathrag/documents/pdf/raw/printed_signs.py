"""Signs before their identity is known: which of them are printed at all, and which belong to the page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from mathrag.documents.pdf.page_content import Box
from mathrag.documents.pdf.raw.geometry import View
from mathrag.documents.pdf.raw.text_runs import Run

# A character as pdfium tells it, or several that share one glyph: what it claims to be, whether that is a bare code,
# its run, origin, ink and advance. Plain tuples, since a page has thousands.
Sign: TypeAlias = tuple[str, bool, Run, float, float, Box, float]

# A line goes on where the next sign begins within this of its end, and stands no further above or below; in sizes.
_GOES_ON, _SAME_ROW = 1.0, 1.5


def drop_transparent(signs: list[Sign]) -> tuple[list[Sign], int]:
    """The signs without the transparent ones, which only take up room; all of them where most are transparent.

    Then they are a layer of recognised text. The number of transparent signs that were kept comes with them.
    """
    hidden = sum(sign[2].is_transparent for sign in signs)
    if 2 * hidden > len(signs):
        return signs, hidden
    return ([sign for sign in signs if not sign[2].is_transparent] if hidden else signs), 0


def keep_running_lines(signs: list[Sign], view: View) -> tuple[list[Sign], int]:
    """The signs on the page and those that continue a line of it over its sides, and how many others there were."""
    width, height = view.width, view.height
    outside = {
        place
        for place, (_, _, _, _, _, box, _) in enumerate(signs)
        if box[2] < 0 or box[3] < 0 or box[0] > width or box[1] > height
    }
    if not outside:
        return signs, 0
    outside -= _continuing(signs, range(len(signs)), outside=outside, view=view, is_rightwards=True)
    outside -= _continuing(signs, range(len(signs) - 1, -1, -1), outside=outside, view=view, is_rightwards=False)
    return [sign for place, sign in enumerate(signs) if place not in outside], len(outside)


def _continuing(
    signs: Sequence[Sign], places: Iterable[int], *, outside: set[int], view: View, is_rightwards: bool
) -> set[int]:
    """Places of the signs outside that continue the line of the sign on the page that comes before them."""
    found: set[int] = set()
    end, row, size, is_open = 0.0, 0.0, 0.0, False
    for place in places:
        _, _, run, _, y, box, _ = signs[place]
        edge, start = (box[2], box[0]) if is_rightwards else (-box[0], -box[2])
        if place not in outside:
            end, row, size, is_open = edge, y, run.size, run.angle == 0
            continue
        is_beside = box[3] >= 0 and box[1] <= view.height and run.angle == 0
        is_near = start <= end + _GOES_ON * max(size, run.size) and abs(y - row) <= _SAME_ROW * max(size, run.size)
        # No line worth keeping runs further than the page is wide.
        is_beyond = 0 < box[0] < 2 * view.width if is_rightwards else -view.width < box[0] < 0
        if is_open and is_beside and is_near and is_beyond:
            found.add(place)
            end, size = max(end, edge), max(size, run.size)
        else:
            is_open = False
    return found
