"""A formula that a doubtful neighbour reaches into is doubtful too; one that merely stands close is not."""

from __future__ import annotations

import pytest

from mathrag.documents.pdf.doubtful_formulas import DOUBT, doubt_overlapped
from mathrag.documents.pdf.layout.page_record import Draft, PageReading
from mathrag.types.document import Display, Math, Place, formulas_of


def _draft(source: str, box: tuple[float, float, float, float], confidence: float = 1.0) -> Draft:
    place = Place(page=1, box=box)
    math = Math(source, "latex", place, f"${source}$", is_display=True, confidence=confidence)
    return Draft("display", Display(place, math.quote, math), box)


@pytest.mark.parametrize(
    ("box", "is_doubted"),
    [
        ((100.0, 22.0, 140.0, 31.0), True),
        ((100.0, 29.5, 140.0, 38.5), False),
        ((100.0, 40.0, 140.0, 49.0), False),
        ((300.0, 22.0, 340.0, 31.0), False),
    ],
)
def test_only_what_is_reached_into(box: tuple[float, float, float, float], is_doubted: bool) -> None:
    page = PageReading(1, 600.0, 800.0, drafts=(_draft("A=kN", (100.0, 5.0, 160.0, 30.0), 0.4), _draft("a=b", box)))
    _, second = (math for draft in doubt_overlapped(page).drafts for math in formulas_of(draft.block))
    assert second.is_certain is not is_doubted
    assert (DOUBT in second.doubts) is is_doubted


def test_certain_formulas_may_overlap() -> None:
    page = PageReading(1, 600.0, 800.0, drafts=(_draft("a=b", (0, 0, 50, 10)), _draft("c=d", (0, 5, 50, 15))))
    assert doubt_overlapped(page) is page
