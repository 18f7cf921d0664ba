"""What columns and pages cut in two put together again: paragraphs, list items and tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from mathrag.documents.pdf.layout.flow import text_of
from mathrag.documents.pdf.layout.line_joining import join_contents
from mathrag.documents.pdf.layout.page_reading import Draft
from mathrag.types.document import ListItem, Math, Paragraph, Table, plain_text

_END = re.compile(r"[.!?:]['\"”’)\]]*\s*$")
_CAPTION = re.compile(r"(?:figure|fig\.|table|tab\.|algorithm|listing|scheme)\s*[A-Z]?\d", re.IGNORECASE)


def join_texts(drafts: Sequence[tuple[int, Draft]], *, indents: bool, headings: set[int]) -> list[tuple[int, Draft]]:
    """Drafts with their pages; text that goes on in the next column or on the next page is one draft.

    `headings` holds the positions that are headings; `indents` says whether paragraphs begin indented.
    """
    result: list[tuple[int, Draft]] = []
    last: int | None = None
    for position, (page, draft) in enumerate(drafts):
        if position in headings:
            result.append((page, draft))
            last = None
            continue
        if draft.kind in ("text", "item"):
            if last is not None and _goes_on(result[last], (page, draft), indents=indents):
                result[last] = (result[last][0], _joined(result[last][1], draft))
                continue
            if not _CAPTION.match(text_of(draft)):
                last = len(result)
        elif draft.kind in ("display", "code", "contents"):
            last = None
        result.append((page, draft))
    return result


def _goes_on(one: tuple[int, Draft], other: tuple[int, Draft], *, indents: bool) -> bool:
    """Whether a text is the rest of one in an earlier column or on the page before."""
    (page, before), (next_page, after) = one, other
    if (page, before.column) == (next_page, after.column) or next_page - page > 1 or after.kind == "item":
        return False
    if abs(before.size - after.size) > 0.06 * before.size or before.is_bold != after.is_bold or after.is_centred:
        return False
    text, following = text_of(before), text_of(after)
    if _CAPTION.match(following) or not text or not following:
        return False
    if text.rstrip().endswith(("-", "‐")) and following[:1].islower():
        return True
    is_ended = _END.search(text) is not None
    if following[:1].islower():
        return not is_ended
    is_indented = after.indent > after.hang + 0.6 * after.size if after.rows > 1 else after.indent > 0.7 * after.size
    if is_indented or not before.is_full:
        return False
    return not is_ended or (indents and before.rows > 1 and after.rows > 1)


def _joined(one: Draft, other: Draft) -> Draft:
    first, second = one.block, other.block
    assert isinstance(first, Paragraph | ListItem)
    assert isinstance(second, Paragraph | ListItem)
    block = replace(
        first,
        content=join_contents([first.content, second.content]),
        quote=f"{first.quote}\n{second.quote}",
    )
    # The place stays that of the beginning; what follows is judged by its own end.
    return replace(one, block=block, rows=one.rows + other.rows, is_full=other.is_full, column=other.column)


def join_tables(drafts: Sequence[tuple[int, Draft]]) -> list[tuple[int, Draft]]:
    """Tables that go on over a page's end as one table, repeated headers dropped."""
    result: list[tuple[int, Draft]] = []
    end_page = 0
    for page, draft in drafts:
        last = result[-1] if result else None
        if last is not None and page == end_page + 1 and _is_rest(last[1], draft):
            result[-1] = (last[0], _joined_table(last[1], draft))
        else:
            result.append((page, draft))
        end_page = page
    return result


def _is_rest(one: Draft, other: Draft) -> bool:
    """Whether a table is the rest of one that no border closed on the page before."""
    first, second = one.block, other.block
    if not isinstance(first, Table) or not isinstance(second, Table) or not one.is_full:
        return False
    if _columns(first) != _columns(second):
        return False
    if second.header and _words(second) != _words(first):
        return False
    return abs((one.edges[1] - one.edges[0]) - (other.edges[1] - other.edges[0])) < 6.0


def _columns(table: Table) -> int:
    rows = (*table.header, *table.rows)
    return max((sum(cell.columns for cell in row) for row in rows), default=0)


def _words(table: Table) -> list[str]:
    return [" ".join(plain_text(cell.content).split()).lower() for row in table.header for cell in row]


def _joined_table(one: Draft, other: Draft) -> Draft:
    first, second = one.block, other.block
    assert isinstance(first, Table)
    assert isinstance(second, Table)
    table = replace(first, rows=(*first.rows, *second.rows), quote=f"{first.quote}\n{second.quote}")
    return replace(one, block=table, is_full=other.is_full, rows=one.rows + other.rows)


def has_display(draft: Draft) -> bool:
    """Whether a text holds a displayed formula."""
    block = draft.block
    return isinstance(block, Paragraph | ListItem) and any(
        isinstance(piece, Math) and piece.is_display for piece in block.content
    )
