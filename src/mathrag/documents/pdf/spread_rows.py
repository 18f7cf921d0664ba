"""A heading at the top of a column whose row goes on in the next column, taken apart: each goes where it belongs.

On one page alone such a row looks like one that spans both columns; the columns below it and the change of weight tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mathrag.documents.boxes import Box
from mathrag.documents.pdf.layout.page_record import Draft
from mathrag.types.document import Content, ListItem, Paragraph, Text, plain_text

_BULLETS = "•‣▪◦●■–"
# In points: a column begins this far inside the row. So many drafts after the row may show it; prose has more rows.
_INSIDE, _SEEN, _PROSE_ROWS = 20.0, 80, 2

Numbered = tuple[int, Draft]


def split_spread(drafts: Sequence[Numbered]) -> list[Numbered]:
    """The drafts with such rows as two; the second part stands first in its column."""
    result: list[Numbered] = []
    waiting: Numbered | None = None
    for position, (page, draft) in enumerate(drafts):
        if waiting is not None and (page != waiting[0] or draft.box[0] > waiting[1].box[0] - 1):
            at, rest = waiting
            result.append((at, replace(rest, column=draft.column, edges=draft.edges) if page == at else rest))
            waiting = None
        parts = _parts(draft, page, drafts[position + 1 : position + _SEEN]) if draft.is_spread else None
        if parts is None:
            result.append((page, draft))
            continue
        heading, rest = parts
        result.append((page, heading))
        waiting = (page, rest)
    return [*result, waiting] if waiting is not None else result


def _parts(draft: Draft, page: int, following: Sequence[Numbered]) -> tuple[Draft, Draft] | None:
    content = draft.block.content if isinstance(draft.block, Paragraph) else ()
    if len(content) < 2:
        return None
    first, *others = content
    if not isinstance(first, Text) or not first.bold or any(isinstance(each, Text) and each.bold for each in others):
        return None
    low, high = draft.box[0] + _INSIDE, draft.box[2] - _INSIDE
    edges = [
        later.edges[0] for at, later in following if at == page and later.rows > _PROSE_ROWS
    ]  # fmt: skip
    right = next((edge for edge in edges if low < edge < high), None)
    if right is None:
        return None
    words = first.text.strip().rstrip(_BULLETS).strip()
    if sum(character.isalpha() for character in words) < 3:
        return None
    left_box: Box = (draft.box[0], draft.box[1], right - 5, draft.box[3])
    right_box: Box = (right, draft.box[1], draft.box[2], draft.box[3])
    place = draft.block.place
    title = Paragraph(replace(place, box=left_box), words, (Text(words, bold=True),))
    heading = replace(draft, block=title, box=left_box, is_bold=True, is_spread=False, is_full=False)
    bullet = first.text.strip()[len(words) :].strip()
    rest = _stripped(tuple(others))
    where = replace(place, box=right_box)
    text = plain_text(rest)
    block = ListItem(where, f"{bullet} {text}", rest, marker=bullet) if bullet else Paragraph(where, text, rest)
    # Beside the other items of its list it is none that stands deeper.
    indent = next((later.indent for _, later in following if later.kind == "item" and later.edges[0] == right), 0.0)
    other = replace(
        draft,
        kind="item" if bullet else "text",
        block=block,
        box=right_box,
        indent=indent if bullet else 0.0,
        is_spread=False,
        starts=(right,),
    )
    return heading, other


def _stripped(content: Content) -> Content:
    first, *others = content
    return (replace(first, text=first.text.lstrip()), *others) if isinstance(first, Text) else content
