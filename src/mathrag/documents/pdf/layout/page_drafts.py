"""One page to its drafts: tables and figures first, then columns, then rows and paragraphs. Looks at no other page.

A page whose text runs upwards, downwards or upside down is turned before it is read, and places are turned back after.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from mathrag.documents.boxes import Box, height, holds_middle, overlap_x, rounded, width
from mathrag.documents.pdf.layout.columns import Region, Stretch, find_regions, letter_sizes, usual_size
from mathrag.documents.pdf.layout.figures import Figure, drawn_bullets, drawn_formulas, find_figures, part_rules
from mathrag.documents.pdf.layout.flow import Column, Flow, words_of
from mathrag.documents.pdf.layout.front_rows import find_front_rows
from mathrag.documents.pdf.layout.page_record import Draft, PageReading
from mathrag.documents.pdf.layout.pieces import PageContext
from mathrag.documents.pdf.layout.rows import Row, find_rows, place_items, with_pens
from mathrag.documents.pdf.layout.runs import make_runs
from mathrag.documents.pdf.layout.table_areas import find_table_areas, find_unruled
from mathrag.documents.pdf.layout.table_cells import TableInk, TableReader, words_apart
from mathrag.documents.pdf.page_content import Drawing, Glyph, PageContent, Rule
from mathrag.types.document import Image, Place, ReaderNote, Table
from mathrag.types.json_codec import from_json, to_json
from mathrag.types.json_value import Json

# What the page is noted with whose text runs out of it.
_OUTSIDE = "outside the visible page"
_GUTTER = 0.55
_RING = "\u030a"
_FLAT_SIGNS = frozenset("-‐‑–—−_=~¯.,·⋅")


def read_page_content(page: PageContent) -> PageReading:
    """The drafts of a page in reading order; text that runs in another direction on all of the page is turned first."""
    direction = direction_of(page)
    if not direction:
        return _read_upright(page)
    return turned_back(_read_upright(turned_upright(page, direction)), page, direction)


def _read_upright(page: PageContent) -> PageReading:
    glyphs = _with_degrees([_mended(glyph) for glyph in page.glyphs if glyph.text.strip() or not glyph.text])
    upright = with_pens([glyph for glyph in glyphs if glyph.angle == 0])
    sizes = letter_sizes(upright)
    body = usual_size(sizes, glyphs=upright)
    is_cut = any(_OUTSIDE in note for note in page.notes)
    context = PageContext(page.number, body, cut_at=page.width if is_cut else 0.0)
    stretches = [Stretch(run.box, run.y, tuple(run.glyphs)) for run in make_runs(upright, body_size=body) if run.glyphs]
    stretches.extend(drawn_bullets(page.drawings, stretches, body_size=body))
    ink = _sort_ink(page, stretches, body_size=body)
    vocabulary = words_of(_rough_lines(stretches))
    figures = find_figures(page, [*ink.bars, *ink.verticals], stretches, body_size=body)
    drawn, bars = drawn_formulas(page, ink.bars, figures, stretches=stretches, body_size=body)
    ink = replace(ink, bars=bars)
    stretches = [s for s in stretches if not any(holds_middle(figure.box, s.box) for figure in figures)]
    objects, stretches = _take_tables(ink, [*stretches, *drawn], context, vocabulary=vocabulary)
    objects.extend(_image(figure, page.number) for figure in figures)
    drafts, indents = _read_regions(ink, stretches, objects, context=context, vocabulary=vocabulary)
    drafts = [replace(draft, is_ruled=_is_ruled(draft, ink.borders, body_size=body)) for draft in drafts]
    return PageReading(
        number=page.number,
        width=page.width,
        height=page.height,
        drafts=tuple(drafts),
        size=body if sizes else 0.0,
        letters=tuple(sorted(sizes.items())),
        indents_paragraphs=indents,
        notes=(*_notes(drawn, page.number), *turned_notes(page)),
        front=find_front_rows(page) if page.number == 1 else (),
    )


def _mended(glyph: Glyph) -> Glyph:
    """A hyphen at a row's end, which may come as a control code and so as another sign or none, told by its shape."""
    if glyph.text in _FLAT_SIGNS or glyph.evidence == "map" or height(glyph.box) > 0.15 * glyph.size:
        return glyph
    is_short = 0.1 * glyph.size < width(glyph.box) < 0.5 * glyph.size
    is_at_height = 0.12 * glyph.size < glyph.y - glyph.box[3] < 0.4 * glyph.size
    return replace(glyph, text="-") if is_short and is_at_height else glyph


def _with_degrees(glyphs: Sequence[Glyph]) -> list[Glyph]:
    """The signs with a ring that stands over no letter as the sign of degrees: many journals print them so."""
    result = list(glyphs)
    for place, glyph in enumerate(glyphs):
        if glyph.text == _RING:
            beside = [*glyphs[max(0, place - 2) : place], *glyphs[place + 1 : place + 3]]
            shared = [overlap_x(glyph.box, other.box) for other in beside if abs(other.y - glyph.y) < glyph.size]
            if max(shared, default=0.0) < 0.3 * width(glyph.box):
                result[place] = replace(glyph, text="°")
    return result


@dataclass(frozen=True, slots=True)
class _Ink:
    """The drawn things of a page by what they may be."""

    bars: list[Rule]
    borders: list[Rule]
    verticals: list[Rule]
    signs: list[Drawing]


def _sort_ink(page: PageContent, stretches: Sequence[Stretch], *, body_size: float) -> _Ink:
    bars, borders, verticals = part_rules(page.rules, stretches, body_size=body_size)
    return _Ink(bars, borders, verticals, [drawing for drawing in page.drawings if _is_sign(drawing, body_size)])


def _is_ruled(draft: Draft, borders: Sequence[Rule], *, body_size: float) -> bool:
    """Whether a row of text stands between two lines that are wider than it."""
    if draft.kind not in ("text", "item") or draft.rows > 1:
        return False
    left, top, right, bottom = draft.box
    wide = [rule.box for rule in borders if rule.box[0] < left + 1 and rule.box[2] > right - 1]
    is_below = any(0 < top - box[3] < 1.8 * body_size for box in wide)
    return is_below and any(0 < box[1] - bottom < 1.8 * body_size for box in wide)


def _rough_lines(stretches: Sequence[Stretch]) -> list[str]:
    """The words of the page, good enough to know which words it uses."""
    lines: list[str] = []
    for stretch in stretches:
        items = place_items((glyph, False) for glyph in stretch.glyphs)
        lines.append("".join(item.glyph.text if item.gap < 0.15 else f" {item.glyph.text}" for item in items))
    return lines


def _image(figure: Figure, number: int) -> Draft:
    box = rounded(figure.box)
    place = Place(page=number, box=box)
    return Draft("image", Image(place, figure.words, alternative=figure.words), box)


def _notes(drawn: Sequence[Stretch], number: int) -> tuple[ReaderNote, ...]:
    if not drawn:
        return ()
    what = "1 formula is" if len(drawn) == 1 else f"{len(drawn)} formulas are"
    message = f"page {number}: {what} drawn as outlines, without text; kept as pictures"
    return (ReaderNote("outlines", message, Place(page=number)),)


def _take_tables(
    ink: _Ink, stretches: list[Stretch], context: PageContext, *, vocabulary: Collection[str]
) -> tuple[list[Draft], list[Stretch]]:
    """The ruled tables, and what is left beside them."""
    tables: list[Draft] = []
    for area in find_table_areas(ink.borders, ink.verticals, stretches, body_size=context.body_size):
        inside = [s for s in stretches if holds_middle(area.box, s.box)]
        reader = TableReader(area, TableInk(inside, ink.bars, ink.signs, ink.borders), context, vocabulary=vocabulary)
        table = reader.read(column=0)
        if table is not None:
            tables.append(table)
            stretches = [s for s in stretches if not holds_middle(area.box, s.box)]
    return tables, stretches


def _read_regions(
    ink: _Ink,
    stretches: Sequence[Stretch],
    objects: Sequence[Draft],
    *,
    context: PageContext,
    vocabulary: Collection[str],
) -> tuple[list[Draft], bool]:
    """Everything in reading order, and whether paragraphs are indented."""
    body = context.body_size
    placed = [Stretch(draft.box, draft.box[1], (), index) for index, draft in enumerate(objects)]
    # A gutter may be narrower than the white inside a table; nothing is lost where wide white in a row is cut too.
    regions = find_regions([*words_apart(stretches, gap=_GUTTER * body), *placed], body_size=body)
    rows = [_rows_of(region, ink, body_size=body) for region in regions]
    indents = _indents_paragraphs(regions, rows)
    drafts: list[Draft] = []
    for number, (region, part) in enumerate(zip(regions, rows, strict=True)):
        column = _column(region, part, number=number, indents=indents, body_size=body)
        standing = [objects[index] for index in region.objects]
        standing.extend(_unruled(region, part, ink, context=context, vocabulary=vocabulary))
        drafts.extend(_in_order(part, standing, context=context, column=column, vocabulary=vocabulary))
    return drafts, indents


def _unruled(
    region: Region, rows: Sequence[Row], ink: _Ink, *, context: PageContext, vocabulary: Collection[str]
) -> list[Draft]:
    """The tables without borders of a region."""
    found: list[Draft] = []
    for table in find_unruled(rows, body_size=context.body_size):
        inside = [s for s in region.stretches if s.glyphs and holds_middle(table.area.box, s.box)]
        reader = TableReader(
            table.area, TableInk(inside, ink.bars, ink.signs, ink.borders), context, vocabulary=vocabulary
        )
        draft = reader.read(column=0)
        if draft is not None:
            found.append(draft)
    return found


def _in_order(
    rows: Sequence[Row], standing: Sequence[Draft], *, context: PageContext, column: Column, vocabulary: Collection[str]
) -> list[Draft]:
    """Rows and the tables and figures among them, from top to bottom."""
    unruled = [draft.box for draft in standing if isinstance(draft.block, Table)]
    free = [row for row in rows if not any(holds_middle(box, row.box) for box in unruled)]
    drafts: list[Draft] = []
    position = 0
    for draft in sorted(standing, key=lambda draft: draft.box[1]):
        end = position
        while end < len(free) and free[end].y < draft.box[1] + 0.5 * context.body_size:
            end += 1
        drafts.extend(Flow(free[position:end], context, column=column, vocabulary=vocabulary).read())
        drafts.append(replace(draft, column=column.number))
        position = end
    drafts.extend(Flow(free[position:], context, column=column, vocabulary=vocabulary).read())
    return drafts


def _rows_of(region: Region, ink: _Ink, *, body_size: float) -> list[Row]:
    slack = 0.5 * body_size
    rules = [rule for rule in ink.bars if holds_middle(region.box, rule.box, slack=slack)]
    drawings = [drawing for drawing in ink.signs if holds_middle(region.box, drawing.box, slack=slack)]
    return find_rows(region.glyphs, rules=rules, drawings=drawings, body_size=body_size)


def _is_sign(drawing: Drawing, body_size: float) -> bool:
    """Whether a drawing can be part of a formula: a root, a brace."""
    return bool(drawing.text) and height(drawing.box) < 15 * body_size


def _column(region: Region, rows: Sequence[Row], *, number: int, indents: bool, body_size: float) -> Column:
    left = _usual_edge([row.box[0] for row in rows], region.box[0])
    right = region.box[2]
    steps = [
        below.y - above.y
        for above, below in itertools.pairwise(rows)
        if 0.9 * body_size < below.y - above.y < 2.2 * body_size and abs(above.size - below.size) < 0.1 * body_size
    ]
    leading = sorted(steps)[len(steps) // 4] if steps else 1.25 * body_size
    ends = [row.box[2] for row in rows if width(row.box) > 0.4 * width(region.box)]
    full = sum(1 for end in ends if abs(end - right) < 0.6 * body_size)
    return Column(
        box=(left, region.box[1], right, region.box[3]),
        leading=leading,
        is_justified=len(ends) >= 4 and full >= 0.55 * len(ends),
        indents=indents,
        number=number,
    )


def _usual_edge(edges: Sequence[float], default: float) -> float:
    """The outermost edge that several rows share."""
    if not edges:
        return default
    ordered = sorted(edges)
    for edge in ordered:
        if sum(1 for other in ordered if abs(other - edge) < 1.5) >= max(2, 0.1 * len(ordered)):
            return edge
    return ordered[0]


def _indents_paragraphs(regions: Sequence[Region], rows: Sequence[Sequence[Row]]) -> bool:
    """Whether paragraphs begin with an indented row: such rows follow rows that end short, without extra white."""
    indented = flush = 0
    for region, part in zip(regions, rows, strict=True):
        left, right = _usual_edge([row.box[0] for row in part], region.box[0]), region.box[2]
        for above, below in itertools.pairwise(part):
            if above.box[2] > right - 0.12 * (right - left) or abs(above.size - below.size) > 0.5:
                continue
            if width(below.box) < 0.75 * (right - left):
                continue
            indent = below.box[0] - left
            if 0.8 * below.size < indent < 3.5 * below.size:
                indented += 1
            elif indent < 0.3 * below.size and below.y - above.y > 1.4 * below.size:
                flush += 1
    return indented >= 1 and indented >= flush


# Pages whose text runs upwards, downwards or upside down: turned before they are read, places turned back after.
#
# Turns whole pages only: a few turned words beside upright text are left out, and a note says so.

# A page is turned where this share of its signs runs in one other direction.
_MOST = 0.7
# Fewer turned signs than this are the label of an axis or a mark of the publisher.
_FEW = 60


def direction_of(page: PageContent) -> int:
    """The direction nearly all text of a page runs in: 0, 90 (upwards), 180 or 270 (downwards)."""
    angles = Counter(glyph.angle for glyph in page.glyphs if glyph.text.strip())
    if not angles:
        return 0
    angle, count = angles.most_common(1)[0]
    return angle if angle in (90, 180, 270) and count >= _MOST * angles.total() else 0


def turned_upright(page: PageContent, direction: int) -> PageContent:
    """The page with text of this direction running from left to right."""
    width, height = (page.width, page.height) if direction == 180 else (page.height, page.width)
    return replace(
        page,
        width=width,
        height=height,
        glyphs=tuple(_turned_glyph(glyph, page, direction) for glyph in page.glyphs),
        rules=tuple(replace(rule, box=_turned(rule.box, page.width, page.height, direction)) for rule in page.rules),
        drawings=tuple(replace(d, box=_turned(d.box, page.width, page.height, direction)) for d in page.drawings),
        pictures=tuple(replace(p, box=_turned(p.box, page.width, page.height, direction)) for p in page.pictures),
    )


def _turned_glyph(glyph: Glyph, page: PageContent, direction: int) -> Glyph:
    left, top, _, _ = _turned((glyph.x, glyph.y, glyph.x, glyph.y), page.width, page.height, direction)
    box = _turned(glyph.box, page.width, page.height, direction)
    return replace(glyph, x=left, y=top, box=box, angle=(glyph.angle - direction) % 360)


def _turned(box: Box, width: float, height: float, direction: int) -> Box:
    left, top, right, bottom = box
    if direction == 90:
        return (height - bottom, left, height - top, right)
    if direction == 270:
        return (top, width - right, bottom, width - left)
    return (width - right, height - bottom, width - left, height - top)


def turned_back(reading: PageReading, page: PageContent, direction: int) -> PageReading:
    """A reading of the turned page with every place where it is on the page itself."""
    turned = page.width if direction == 180 else page.height
    down = page.height if direction == 180 else page.width
    back = (360 - direction) % 360

    def walk(value: Json) -> Json:
        if isinstance(value, list):
            return [walk(item) for item in value]
        if not isinstance(value, dict):
            return value
        walked = {key: walk(item) for key, item in value.items()}
        if walked.get("$") == "Place" and walked.get("box"):
            walked["box"] = list(rounded(_turned(tuple(walked["box"]), turned, down, back)))
        return walked

    drafts = tuple(
        replace(
            draft,
            block=from_json(walk(to_json(draft.block))),
            box=rounded(_turned(draft.box, turned, down, back)),
        )
        for draft in reading.drafts
    )
    return replace(reading, width=page.width, height=page.height, drafts=drafts)


def turned_notes(page: PageContent) -> tuple[ReaderNote, ...]:
    """What to say about text that was left out because it is turned."""
    count = sum(1 for glyph in page.glyphs if glyph.angle and glyph.text.strip())
    if count < _FEW:
        return ()
    message = f"page {page.number}: {count} signs of turned text were left out"
    return (ReaderNote("turned_text", message, Place(page=page.number)),)
