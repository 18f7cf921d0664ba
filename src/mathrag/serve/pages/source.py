"""The page of a source: the passage with the quote marked, or the picture of a page with a box. Shows what was read."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlencode

import anyio
from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from mathrag.errors import LibraryError
from mathrag.library import DocumentInfo
from mathrag.library.views.sources import OrderedPassage, ordered_passage
from mathrag.serve.api.entries import one_document, one_formula
from mathrag.serve.pages.page_reply import page
from mathrag.serve.problems import ProblemError
from mathrag.serve.state import ServeState, state_of
from mathrag.types.document import Place
from mathrag.types.library import Formula, Span

router = APIRouter()
_SCALE = 2.0


@router.get("/source")
@router.get("/source.json")
async def show(
    request: Request,
    document: Annotated[str, Query(max_length=40)] = "",
    formula: Annotated[str, Query(max_length=40)] = "",
    page_number: Annotated[int | None, Query(alias="page", ge=1, le=100_000)] = None,
    line: Annotated[int | None, Query(ge=1, le=10_000_000)] = None,
    position: Annotated[int | None, Query(ge=0, le=10_000_000)] = None,
    box: Annotated[str, Query(max_length=100)] = "",
    quote: Annotated[str, Query(max_length=4_000)] = "",
) -> Response:
    """A place in a document; `formula` alone is enough, `position` turns to another passage of the document."""
    state = state_of(request)
    asked = Span(document, Place(page=page_number, line=line, box=_box(box)), quote)
    data = await anyio.to_thread.run_sync(lambda: _data(state, asked, formula=formula, position=position))
    return page(request, "source/page.html", data)


def _data(state: ServeState, asked: Span, *, formula: str, position: int | None) -> dict[str, Any]:
    found = one_formula(state.library, formula) if formula else None
    span = asked if found is None else _best(found, asked)
    if not span.document:
        raise ProblemError(422, "say which document or formula to show the source of", code="invalid")
    info = one_document(state.library, span.document)
    if asked.place.page is not None and span.place.page != asked.place.page:
        # The reader has turned the page: the place of the formula is elsewhere, and so is its passage.
        span = asked
    passage = _passage(state, span, position)
    picture = _picture(state, info, span, passage=passage, formula=formula, is_turned=position is not None)
    return {
        "document": {"id": info.id, "name": info.name, "title": info.title},
        "formula": None if found is None else {"id": found.id, "label": found.label, "latex": found.latex},
        "places": [] if found is None else [_place_link(found, other, span) for other in found.spans[:50]],
        "place": str(span.place),
        "quote": span.quote,
        "headings": list(span.headings),
        "picture": picture,
        "passage": None if passage is None else passage.as_object(),
        "pieces": [] if passage is None else _pieces(passage),
        "before": _turned(info, found, passage, "before"),
        "after": _turned(info, found, passage, "after"),
    }


def _best(formula: Formula, asked: Span) -> Span:
    """The place of a formula that is meant: in that document, on that page, at that line."""

    def fit(span: Span) -> tuple[bool, bool, bool]:
        return (
            span.document == asked.document,
            asked.place.page is not None and span.place.page == asked.place.page,
            asked.place.line is not None and span.place.line == asked.place.line,
        )

    best = max(formula.spans, key=fit, default=None)
    if best is None or (asked.document and best.document != asked.document):
        return asked
    return best


def _passage(state: ServeState, span: Span, position: int | None) -> OrderedPassage | None:
    try:
        return ordered_passage(state.library, span, position=position)
    except LibraryError:
        if position is not None:
            raise ProblemError(404, "the document has no passage there") from None
        return None


def _picture(
    state: ServeState,
    info: DocumentInfo,
    span: Span,
    *,
    passage: OrderedPassage | None,
    formula: str,
    is_turned: bool,
) -> dict[str, Any] | None:
    """The page of a PDF file, with the box of the quote."""
    number = span.place.page
    if is_turned and passage is not None and passage.page is not None and passage.page != number:
        number, span = passage.page, replace(span, place=Place(page=passage.page))
    if number is None or info.media_type != "application/pdf":
        return None
    try:
        layout = state.library.page(info.id, number)
    except LibraryError:
        return None
    sides = span.place.box
    asked = {"box": ",".join(f"{side:.2f}" for side in sides)} if sides is not None else {"box": "-10,-10,-10,-10"}
    address = f"/api/v1/documents/{info.id}/pages/{number}/picture?"
    return {
        "page": number,
        "width": round(layout.width * _SCALE),
        "height": round(layout.height * _SCALE),
        "box": None if sides is None else [round(side, 2) for side in sides],
        "is_there": Path(info.key).is_file(),
        "src": address + urlencode({**asked, "scale": _SCALE}),
        "large": address + urlencode({**asked, "scale": 4}),
        "before": _page_address(info, formula, number - 1) if number > 1 else None,
        "after": _page_address(info, formula, number + 1) if _has_page(state, info, number + 1) else None,
    }


def _has_page(state: ServeState, info: DocumentInfo, number: int) -> bool:
    try:
        state.library.page(info.id, number)
    except LibraryError:
        return False
    return True


def _page_address(info: DocumentInfo, formula: str, number: int) -> str:
    asked = {"document": info.id, "page": number}
    return f"/source?{urlencode({**asked, 'formula': formula} if formula else asked)}"


def _pieces(passage: OrderedPassage) -> list[dict[str, Any]]:
    """Runs of the text; a formula on a line of its own needs no blank lines around it."""
    found, pieces = [asdict(each) for each in passage.pieces()], []
    for at, piece in enumerate(found):
        if not piece["is_math"]:
            after_display = at > 0 and found[at - 1]["is_display"]
            before_display = at + 1 < len(found) and found[at + 1]["is_display"]
            text = piece["text"].lstrip() if after_display else piece["text"]
            piece["text"] = text.rstrip() if before_display else text
        pieces.append(piece)
    return pieces


def _place_link(formula: Formula, span: Span, shown: Span) -> dict[str, Any]:
    asked: dict[str, Any] = {"formula": formula.id, "document": span.document}
    asked |= {
        name: value for name, value in (("page", span.place.page), ("line", span.place.line)) if value is not None
    }
    return {"place": str(span.place), "href": f"/source?{urlencode(asked)}", "is_shown": span == shown}


def _turned(info: DocumentInfo, formula: Formula | None, passage: OrderedPassage | None, side: str) -> str | None:
    """The address of the passage before or after."""
    position = None if passage is None else getattr(passage, side)
    if position is None:
        return None
    asked = {"document": info.id, "position": position}
    return f"/source?{urlencode({**asked, **({} if formula is None else {'formula': formula.id})})}"


def _box(text: str) -> tuple[float, float, float, float] | None:
    try:
        left, top, right, bottom = (float(side) for side in text.split(","))
    except ValueError:
        return None
    sides = (left, top, right, bottom)
    return sides if all(abs(side) < 100_000 for side in sides) else None
