"""Running heads, page numbers and other lines that pages repeat, found over all pages so that they can be dropped."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from mathrag.documents.pdf.layout.flow import text_of
from mathrag.documents.pdf.layout.page_reading import Draft, PageReading

# The parts of the page's height in which running heads stand.
_TOP, _BOTTOM = 0.14, 0.86
_PAGE_NUMBER = re.compile(
    r"[\W_]*(?:page|seite|p\.)?[\W_]*(?P<number>\d{1,4}|[ivxlc]{1,7})[\W_]*(?:(?:of|/|von)\s*\d{1,4})?[\W_]*",
    re.IGNORECASE,
)
_NUMBERS = re.compile(r"\d+")
_EDGE_NUMBER = re.compile(r"^(\d{1,4})\b|\b(\d{1,4})$")


def find_running(pages: Sequence[PageReading]) -> set[tuple[int, int]]:
    """The drafts that are running heads or feet, as (page number, position)."""
    candidates = [
        (page, index, draft) for page in pages for index, draft in enumerate(page.drafts) if _may_run(draft, page)
    ]
    found = {(page.number, index) for page, index, draft in candidates if _is_page_number(draft, page, pages)}
    # Words at one edge and a number at the other, at the very top or bottom, need no second page to be told.
    found |= {
        (page.number, index)
        for page, index, draft in candidates
        if draft.is_spread
        and draft.rows == 1
        and _is_outermost(draft, page)
        and _EDGE_NUMBER.search(text_of(draft).strip())
    }
    # Pages that are the same from top to bottom tell nothing about heads: they count as one.
    first: dict[tuple[str, ...], int] = {}
    same_as = {page.number: first.setdefault(_all_words(page), page.number) for page in pages}
    kept = [page for page in pages if same_as[page.number] == page.number]
    repeated = _repeated([item for item in candidates if same_as[item[0].number] == item[0].number], kept)
    positions: dict[int, list[int]] = defaultdict(list)
    for number, index in repeated:
        positions[number].append(index)
    return found | {(number, index) for number, model in same_as.items() for index in positions[model]}


def _all_words(page: PageReading) -> tuple[str, ...]:
    """Everything a page says, numbers aside; of an empty one, its own number."""
    return tuple(_pattern(draft) for draft in page.drafts) or (f"page {page.number}",)


def _may_run(draft: Draft, page: PageReading) -> bool:
    if draft.kind not in ("text", "item", "display") or draft.rows > 2 or page.height <= 0:
        return False
    top, bottom = draft.box[1] / page.height, draft.box[3] / page.height
    if bottom < _TOP:
        return not any(other.box[3] < draft.box[1] - 2 and other.rows > 2 for other in page.drafts)
    return top > _BOTTOM and not any(other.box[1] > draft.box[3] + 2 and other.rows > 2 for other in page.drafts)


def _is_page_number(draft: Draft, page: PageReading, pages: Sequence[PageReading]) -> bool:
    """A number alone at the very top or bottom of the page."""
    found = _PAGE_NUMBER.fullmatch(text_of(draft).strip())
    if not found:
        return False
    number = found.group("number")
    return _is_outermost(draft, page) and (len(pages) > 1 or not number.isdigit() or int(number) < 2000)


def _is_outermost(draft: Draft, page: PageReading) -> bool:
    others = [other.box for other in page.drafts if other is not draft]
    return all(draft.box[1] >= box[3] - 1 for box in others) or all(draft.box[3] <= box[1] + 1 for box in others)


def _repeated(
    candidates: Sequence[tuple[PageReading, int, Draft]], pages: Sequence[PageReading]
) -> set[tuple[int, int]]:
    """Lines whose words come back on other pages at the same height, numbers aside; and their neighbours there."""
    by_height: dict[int, list[tuple[PageReading, int, Draft]]] = defaultdict(list)
    for page, index, draft in candidates:
        by_height[round(draft.box[3] / 3)].append((page, index, draft))
    found: set[tuple[int, int]] = set()
    for height in sorted(by_height):
        group = [item for step in (-1, 0, 1) for item in by_height.get(height + step, [])]
        words = Counter(_pattern(draft) for _, _, draft in group)
        same = [item for item in by_height[height] if words[_pattern(item[2])] >= 2 or _names_page(item[2], item[0])]
        pages_there = {page.number for page, _, _ in group}
        found |= {(page.number, index) for page, index, _ in same if len(pages_there) >= 2}
        # Where most lines at one height run, the others there do too: the names of sections.
        if len(pages_there) >= 4 and len(pages_there) >= 0.4 * len(pages) and len(same) >= 0.6 * len(by_height[height]):
            found |= {(page.number, index) for page, index, draft in by_height[height] if draft.rows == 1}
    return found


def _pattern(draft: Draft) -> str:
    return _NUMBERS.sub("#", " ".join(text_of(draft).split()).lower())


def _names_page(draft: Draft, page: PageReading) -> bool:
    numbers = _EDGE_NUMBER.findall(text_of(draft).strip())
    return draft.is_spread and any(str(page.number) == number for pair in numbers for number in pair)
