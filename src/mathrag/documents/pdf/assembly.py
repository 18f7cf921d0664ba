"""The pages of a PDF seen together: running heads dropped, headings ranked, what pages cut in two joined again."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from mathrag.documents.arrangement import arrange, find_abstract
from mathrag.documents.pdf.crops import within_limit
from mathrag.documents.pdf.front_page import find_authors, find_title, run_in_abstract
from mathrag.documents.pdf.headings import heading_content, is_heading, rank_styles, style_of
from mathrag.documents.pdf.joining import join_tables, join_texts
from mathrag.documents.pdf.layout.page_measures import usual_size
from mathrag.documents.pdf.layout.page_reading import Draft, PageReading
from mathrag.documents.pdf.raw import PdfMetadata
from mathrag.documents.pdf.running_heads import find_running
from mathrag.documents.reader import Source
from mathrag.errors import DocumentError
from mathrag.types.document import (
    Block,
    Document,
    Heading,
    Image,
    ListItem,
    Page,
    Paragraph,
    Text,
    plain_text,
)

_LEADERS = re.compile(r"\s*(?:\.\s*){3,}\s*(?P<page>[\divxlc]{0,7})\s*$")
_ENDS_WITH_PAGE = re.compile(r"\s(?:\d{1,4}|[ivxlc]{1,7})$")
_FIGURE = re.compile(r"(?:figure|fig\.?)\s*[A-Z]?[\d.\-–]*[a-z]?\s*[:.–—|]", re.IGNORECASE)


def assemble_pages(source: Source, pages: Sequence[PageReading], *, metadata: PdfMetadata) -> Document:
    """The document made of its pages, in order."""
    running = find_running(pages)
    drafts = [
        (page.number, draft)
        for page in pages
        for index, draft in enumerate(page.drafts)
        if (page.number, index) not in running
    ]
    if len(drafts) > source.limits.blocks:
        raise DocumentError("too_large", f"the PDF has {len(drafts)} blocks; at most {source.limits.blocks} are read")
    body = _body_size(pages)
    front = [draft for page, draft in drafts if pages and page == pages[0].number]
    title, title_position = find_title(metadata, front, name=source.name, body_size=body)
    drafts = _with_contents(join_tables(_without_bold(drafts)))
    headings = {i for i, (_, draft) in enumerate(drafts) if is_heading(draft, body_size=body) or i == title_position}
    headings -= _below_title(front, title_position)
    authors = find_authors(metadata, front, title=title_position, headings=headings)
    marked = [replace(draft, gap=-1.0) if i in headings else draft for i, (_, draft) in enumerate(drafts)]
    levels = rank_styles(
        [drafts[i][1] for i in sorted(headings) if i != title_position], first=1 if title_position is None else 2
    )
    titles = {id(marked[i]): 1 if i == title_position else levels[style_of(drafts[i][1])] for i in headings}
    indents = sum(page.indents_paragraphs for page in pages) * 2 > sum(bool(page.drafts) for page in pages)
    joined = join_texts([(page, marked[i]) for i, (page, _) in enumerate(drafts)], indents=indents, headings=headings)
    blocks = arrange(_with_captions(_blocks([draft for _, draft in joined], titles)))
    return Document(
        source=source.name,
        media_type="application/pdf",
        hash=source.hash,
        blocks=tuple(blocks),
        title=title,
        authors=authors,
        year=metadata.year,
        abstract=find_abstract(blocks) or run_in_abstract(front),
        pages=tuple(Page(page.number, page.width, page.height) for page in pages),
        notes=tuple(note for page in pages for note in page.notes),
        pictures=within_limit(picture for page in pages for picture in page.pictures),
    )


def _without_bold(drafts: list[tuple[int, Draft]]) -> list[tuple[int, Draft]]:
    """Where most of the text is bold, being bold says nothing."""
    texts = [draft for _, draft in drafts if draft.kind in ("text", "item")]
    bold = sum(len(draft.block.quote) for draft in texts if draft.is_bold)
    if bold <= 0.6 * sum(len(draft.block.quote) for draft in texts):
        return drafts
    return [(page, replace(draft, is_bold=False)) for page, draft in drafts]


def _with_contents(drafts: list[tuple[int, Draft]]) -> list[tuple[int, Draft]]:
    """Lines among those of a table of contents that end with a page number belong to it, dots or not."""
    result = list(drafts)
    for order in (range(len(result)), range(len(result) - 1, -1, -1)):
        before = 0
        for index in order:
            page, draft = result[index]
            if (
                draft.kind in ("text", "item")
                and before == page
                and draft.rows == 1
                and _ENDS_WITH_PAGE.search(draft.block.quote)
            ):
                result[index] = (page, replace(draft, kind="contents"))
            before = page if result[index][1].kind == "contents" else 0
    return result


def _below_title(front: Sequence[Draft], title: int | None) -> set[int]:
    """What stands centred between the title and the text: names, addresses, dates. No headings."""
    found: set[int] = set()
    if title is None:
        return found
    for index in range(title + 1, len(front)):
        draft = front[index]
        if not draft.is_centred or draft.is_bold or draft.kind != "text":
            break
        found.add(index)
    return found


def _body_size(pages: Sequence[PageReading]) -> float:
    sizes: Counter[int] = Counter()
    for page in pages:
        for size, count in page.letters:
            sizes[size] += count
    return usual_size(sizes)


def _blocks(drafts: Sequence[Draft], titles: dict[int, int]) -> list[Block]:
    blocks: list[Block] = []
    indents: list[float] = []
    for draft in drafts:
        block = draft.block
        if id(draft) in titles:
            content = heading_content(draft)
            blocks.append(Heading(block.place, block.quote, titles[id(draft)], content))
            indents = []
        elif draft.kind == "contents" and isinstance(block, Paragraph | ListItem):
            blocks.append(_contents_entry(draft, block, indents))
        elif isinstance(block, ListItem):
            blocks.append(replace(block, depth=_depth(draft.indent, indents)))
        else:
            if draft.kind == "text" and draft.indent < 0.5 * draft.size:
                indents = []
            blocks.append(block)
    return blocks


def _depth(indent: float, indents: list[float]) -> int:
    """The depth of a list item by how far its marker is indented; `indents` are those of the items it stands in."""
    while indents and indent < indents[-1] - 3.0:
        indents.pop()
    if not indents or indent > indents[-1] + 3.0:
        indents.append(indent)
    return min(len(indents), 20)


def _contents_entry(draft: Draft, block: Paragraph | ListItem, indents: list[float]) -> ListItem:
    """A line of a table of contents without its dots."""
    text = plain_text(block.content)
    found = _LEADERS.search(text)
    words = f"{text[: found.start()]} {found.group('page')}".strip() if found else text
    return ListItem(block.place, block.quote, (Text(words),), depth=_depth(draft.indent, indents))


def _with_captions(blocks: list[Block]) -> list[Block]:
    """Captions above pictures; those below are found with the captions of tables."""
    result: list[Block] = []
    for index, block in enumerate(blocks):
        before = result[-1] if result else None
        following = blocks[index + 1] if index + 1 < len(blocks) else None
        if isinstance(block, Image) and not block.caption and isinstance(before, Paragraph):
            is_below = isinstance(following, Paragraph) and _FIGURE.match(plain_text(following.content))
            if not is_below and _FIGURE.match(plain_text(before.content)):
                result.pop()
                block = replace(block, caption=before.content)
        result.append(block)
    return result
