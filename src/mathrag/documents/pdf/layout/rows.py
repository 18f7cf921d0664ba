"""The rows of a region: everything that belongs to one baseline, from top to bottom. Reads no words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import median

from mathrag.documents.boxes import Box, height, meets, overlap_x, union, width
from mathrag.documents.pdf.layout.runs import Attachment, Run, end_of, make_runs
from mathrag.documents.pdf.page_content import Drawing, Glyph, Rule

# Pieces whose baselines differ by less than this part of the usual size stand in one row.
_SAME_ROW = 0.22
# A short row this much smaller than the text and than a row it touches is no text but part of a formula there.
_STRAY_BODY = 0.9
_STRAY_SIZE = 0.8
_STRAY_ITEMS = 8
# In sizes: an f is no narrower; what says less is no advance to be believed.
_HOOKED = 0.15


@dataclass(frozen=True, slots=True)
class Item:
    """A glyph in its row; `is_part` says that it is not on the row's own baseline (a script, part of a fraction).

    `gap` is the white before it in parts of its size, 0 for the first.
    """

    glyph: Glyph
    is_part: bool
    gap: float = 0.0


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its glyphs from left to right, its rules and drawings, its baseline and its ink.

    `strays` are boxes of small things that stand against it and may be of it, but were given to no row of text.
    """

    items: tuple[Item, ...]
    rules: tuple[Rule, ...]
    drawings: tuple[Drawing, ...]
    y: float
    size: float
    box: Box
    strays: tuple[Box, ...] = ()

    @property
    def glyphs(self) -> tuple[Glyph, ...]:
        return tuple(item.glyph for item in self.items)


def find_rows(
    glyphs: Iterable[Glyph], *, rules: Iterable[Rule] = (), drawings: Iterable[Drawing] = (), body_size: float
) -> list[Row]:
    """The rows of a region from top to bottom; every glyph stands in one."""
    runs = make_runs(glyphs, rules=rules, drawings=drawings, body_size=body_size)
    attachment = Attachment(runs, body_size=body_size)
    pieces: dict[int, list[Run]] = {}
    for index, run in enumerate(attachment.runs):
        pieces.setdefault(attachment.groups.find(index), []).append(run)
    placed = sorted(((_baseline(piece), piece) for piece in pieces.values()), key=lambda item: item[0])
    rows: list[tuple[float, list[Run]]] = []
    # The largest text of the row that is being gathered.
    gathered = 0.0
    for y, piece in placed:
        own = _largest(piece)
        # Where formulas are set larger than the text, what is centred on their axis is farther from their baseline.
        size = max(body_size, min(max(own, gathered), 1.5 * body_size))
        if rows and y - rows[-1][0] <= _SAME_ROW * size:
            rows[-1][1].extend(piece)
            gathered = max(gathered, own)
        else:
            rows.append((y, list(piece)))
            gathered = own
    _adopt_strays(rows, body_size=body_size)
    made = [_row(runs) for _, runs in rows if runs]
    return _with_strays(sorted((row for row in made if row.items), key=lambda row: row.y), body_size=body_size)


def _largest(runs: list[Run]) -> float:
    return max((run.size for run in runs if run.kind == "text"), default=0.0)


def _with_strays(rows: list[Row], *, body_size: float) -> list[Row]:
    """The rows, each with the small rows beside it that touch its band: a lost index, half of an exponent."""
    usual = max((body_size, *(min(row.size, 1.5 * body_size) for row in rows)))
    small = [row for row in rows if row.size < _STRAY_BODY * usual and len(row.items) <= _STRAY_ITEMS]
    if not small:
        return rows
    slack = 0.15 * body_size
    result: list[Row] = []
    for row in rows:
        near = [
            stray.box
            for stray in small
            if stray.size < _STRAY_SIZE * row.size and meets(stray.box, row.box, slack=slack)
        ]
        result.append(replace(row, strays=tuple(near)) if near else row)
    return result


def _baseline(piece: list[Run]) -> float:
    """The baseline of a piece: that of what is no script or part of something, by width."""
    weights: dict[float, float] = {}
    leading = [run for run in piece if not run.is_part] or piece
    texts = [run for run in leading if run.kind == "text"]
    largest = max((run.size for run in texts), default=0.0)
    for run in [run for run in texts if run.size > 0.85 * largest] or leading:
        weights[run.y] = weights.get(run.y, 0.0) + max(width(run.box), 0.1)
    return max(weights, key=lambda y: weights[y])


def _adopt_strays(rows: list[tuple[float, list[Run]]], *, body_size: float) -> None:
    """Small pieces that stand inside the band of a row next to its glyphs belong to it: marks, distant scripts."""
    for index, (y, runs) in enumerate(rows):
        if not runs or len(runs) > 3 or any(run.size > 0.85 * body_size or run.kind == "drawing" for run in runs):
            continue
        box = union(run.box for run in runs)
        for near in (index - 1, index + 1):
            if not 0 <= near < len(rows) or not rows[near][1]:
                continue
            base, others = rows[near]
            if not -0.75 * body_size < y - base < 0.4 * body_size:
                continue
            gaps = [-overlap_x(box, other.box) for other in others if other.kind == "text"]
            if gaps and -1.0 * body_size < min(gaps) < 0.5 * body_size and height(box) < 1.2 * body_size:
                for run in runs:
                    run.is_part = True
                others.extend(runs)
                runs.clear()
                break


def place_items(glyphs: Iterable[tuple[Glyph, bool]]) -> list[Item]:
    """Glyphs, each with whether it is a part, from left to right with the white between them."""
    items: list[Item] = []
    ends = [float("-inf")] * 3
    for glyph, is_part in sorted(glyphs, key=lambda pair: (pair[0].x, pair[0].y)):
        # A script may hang over what follows, so the furthest end of the last few counts.
        before = items[-1].glyph.size if items else glyph.size
        gap = (glyph.x - max(ends)) / max(glyph.size, before, 0.1) if items else 0.0
        items.append(Item(glyph, is_part, gap))
        ends = [ends[1], ends[2], _end_in_row(glyph)]
    return items


def _end_in_row(glyph: Glyph) -> float:
    """Where a glyph ends for what follows it. The hook of an f hangs over the blank behind it in many fonts: there the
    pen tells, not the ink."""
    return glyph.x + glyph.advance if _is_hooked(glyph) else end_of(glyph)


def _is_hooked(glyph: Glyph) -> bool:
    return glyph.text == "f" and not glyph.is_math_font and glyph.advance > _HOOKED * glyph.size


def with_pens(glyphs: Sequence[Glyph]) -> list[Glyph]:
    """The signs in the order of the file, each f with the advance that letters behind it in words show: what is known
    of it reaches to the end of its ink."""
    steps: dict[str, list[float]] = {}
    hooked: list[int] = []
    for place, glyph in enumerate(glyphs[:-1]):
        if _is_hooked(glyph):
            hooked.append(place)
            after = glyphs[place + 1]
            step = after.x - glyph.x
            if after.font == glyph.font and after.y == glyph.y and _HOOKED * glyph.size < step <= glyph.advance:
                steps.setdefault(glyph.font, []).append(step / glyph.size)
    result = list(glyphs)
    pens = {font: median(known) for font, known in steps.items()}
    for place in hooked:
        glyph = glyphs[place]
        pen = pens.get(glyph.font, 0.0) * glyph.size
        if _HOOKED * glyph.size < pen < glyph.advance:
            result[place] = replace(glyph, advance=pen)
    return result


def _row(runs: list[Run]) -> Row:
    items = place_items((glyph, run.is_part) for run in runs for glyph in run.glyphs)
    leading = [run for run in runs if not run.is_part and run.glyphs] or runs
    sizes: dict[float, float] = {}
    for run in leading:
        size = round(run.size, 1)
        sizes[size] = sizes.get(size, 0.0) + width(run.box)
    return Row(
        items=tuple(items),
        rules=tuple(rule for run in runs for rule in run.rules),
        drawings=tuple(drawing for run in runs for drawing in run.drawings),
        y=_baseline(runs),
        size=max(sizes, key=lambda size: sizes[size]),
        box=union(run.box for run in runs if run.glyphs or run.kind == "bar"),
    )
