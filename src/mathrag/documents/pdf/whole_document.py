"""The pages of a PDF seen together, as one document.

What only the whole shows is decided here: which lines pages repeat and are dropped, which of the rest are headings and
of what level, what title, authors and abstract are, and which texts and tables a column or a page cut in two. Takes the
drafts of pages as they are; looks at no glyph.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from statistics import median

from mathrag.documents.arrangement import arrange, find_abstract
from mathrag.documents.boxes import rounded, union
from mathrag.documents.pdf.bibliography import is_references_title, take_references
from mathrag.documents.pdf.doubtful_formulas import within_limit
from mathrag.documents.pdf.floats import place_floats
from mathrag.documents.pdf.front_matter import FrontMatter, plain, read_front, sensible_title, with_title
from mathrag.documents.pdf.layout.columns import usual_size
from mathrag.documents.pdf.layout.flow import text_of
from mathrag.documents.pdf.layout.page_record import Draft, PageReading
from mathrag.documents.pdf.layout.pieces import join_contents
from mathrag.documents.pdf.numbered_headings import numbered_headings
from mathrag.documents.pdf.raw import PdfMetadata
from mathrag.documents.pdf.spread_rows import split_spread
from mathrag.documents.seams import Source
from mathrag.documents.views.chunks import BETWEEN_BLOCKS, block_text
from mathrag.errors import DocumentError
from mathrag.language.word_classes import word_class
from mathrag.types.document import (
    Block,
    Content,
    Document,
    Heading,
    Image,
    ListItem,
    Math,
    Page,
    Paragraph,
    Table,
    Text,
    plain_text,
)

# The whole, from top to bottom.

_LEADERS = re.compile(r"\s*(?:\.\s*){3,}\s*(?P<page>[\divxlc]{0,7})\s*$")
_ENDS_WITH_PAGE = re.compile(r"\s(?:\d{1,4}|[ivxlc]{1,7})$")
_CAPTION = re.compile(r"(?:figure|fig\.|table|tab\.|algorithm|listing|scheme)\s*[A-Z]?\d", re.IGNORECASE)
_AFTER_ABSTRACT = re.compile(r"(?:key\s?words|index terms|ccs concepts|code:|website:)", re.IGNORECASE)
_FOOTNOTE = re.compile(r"[\d*†‡§¶∗⁰¹²³⁴⁵⁶⁷⁸⁹^]")
# An abstract has no more paragraphs.
_MOST_PARAGRAPHS = 4
_FIGURE = re.compile(r"(?:figure|fig\.?)\s*[A-Z]?[\d.\-–]*[a-z]?\s*[:.–—|]", re.IGNORECASE)


def assemble_pages(source: Source, pages: Sequence[PageReading], *, metadata: PdfMetadata) -> Document:
    """The document made of its pages, in order."""
    drafts = _kept_drafts(pages)
    if len(drafts) > source.limits.blocks:
        raise DocumentError("too_large", f"the PDF has {len(drafts)} blocks; at most {source.limits.blocks} are read")
    body = _body_size(pages)
    matter = read_front(pages[0], metadata, name=source.name, body_size=body) if pages else FrontMatter()
    drafts = _with_whole_headings(split_spread(with_title(drafts, matter)), body_size=body)
    known = numbered_headings([draft for _, draft in drafts], body_size=body)
    drafts = place_floats(drafts, known, body_size=body)
    front = [draft for page, draft in drafts if page == pages[0].number]
    title, title_position = _title(matter, metadata, front, name=source.name, body_size=body)
    drafts = _with_contents(join_tables(_without_bold(drafts)))
    depths = numbered_headings([draft for _, draft in drafts], body_size=body)
    headings = {i for i, (_, draft) in enumerate(drafts) if is_heading(draft, body_size=body) or i == title_position}
    headings |= depths.keys()
    headings -= _below_title(front, title_position) | _in_front(front, matter, title_position)
    headings -= _run_in(drafts, headings, depths, title_position, body_size=body)
    headings -= _heading_nothing(drafts, headings, title_position)
    drafts, moved = take_references(drafts, headings)
    headings = {moved[index] for index in headings if index in moved}
    depths = {moved[index]: depth for index, depth in depths.items() if index in moved}
    texts = _page_texts(drafts)
    blocks = _arranged(drafts, headings, title_position, depths=depths, indents=_indents_paragraphs(pages))
    return Document(
        source=source.name,
        media_type="application/pdf",
        hash=source.hash,
        blocks=tuple(blocks),
        title=title,
        authors=matter.authors
        if matter.title
        else find_authors(metadata, front, title=title_position, headings=headings),
        year=matter.year or metadata.year,
        abstract=_whole_abstract(blocks) or run_in_abstract(front),
        pages=tuple(Page(page.number, page.width, page.height, texts.get(page.number, "")) for page in pages),
        notes=tuple(note for page in pages for note in page.notes),
        pictures=within_limit(picture for page in pages for picture in page.pictures),
        venue=matter.venue,
        volume=matter.volume,
        identifier=matter.identifier,
    )


def _run_in(
    drafts: Sequence[tuple[int, Draft]],
    headings: set[int],
    depths: Mapping[int, int],
    title: int | None,
    *,
    body_size: float,
) -> set[int]:
    """In a paper, whose sections have numbers, bold words in the size of the prose name paragraphs, no sections."""
    is_paper = len(depths) >= 3 and any(
        draft.kind in ("text", "item") and draft.rows == 1 and is_references_title(draft) for _, draft in drafts
    )
    if not is_paper:
        return set()
    # In capitals like the numbered ones: acknowledgements, where data are.
    looks = {look_of(drafts[index][1]) for index in depths}
    return {
        index
        for index in headings
        if index not in depths
        and index != title
        and drafts[index][1].size < _LARGER * body_size
        and not _SECTION_TITLE.fullmatch(text_of(drafts[index][1]).strip())
        and not is_references_title(drafts[index][1])
        and not (look_of(drafts[index][1]).is_capital and look_of(drafts[index][1]) in looks)
    }


def _heading_nothing(drafts: Sequence[tuple[int, Draft]], headings: set[int], title: int | None) -> set[int]:
    """What looks like a heading at the very end of a document, with nothing below it."""
    found: set[int] = set()
    for index in range(len(drafts) - 1, -1, -1):
        if index not in headings or index == title:
            break
        found.add(index)
    return found


def _whole_abstract(blocks: list[Block]) -> str:
    """The abstract under its heading, with all its paragraphs where the next heading ends them."""
    first = find_abstract(blocks)
    start = next((i for i, block in enumerate(blocks) if _is_paragraph_of(block, first)), None) if first else None
    if start is None:
        return first
    parts: list[str] = []
    for block in blocks[start : start + _MOST_PARAGRAPHS + 1]:
        if isinstance(block, Heading):
            return " ".join(parts)
        text = plain_text(block.content) if isinstance(block, Paragraph) else ""
        if _AFTER_ABSTRACT.match(text):
            return " ".join(parts) or first
        if text and _FOOTNOTE.match(text) is None:
            parts.append(text)
    return first


def _is_paragraph_of(block: Block, text: str) -> bool:
    return isinstance(block, Paragraph) and plain_text(block.content) == text


def _page_texts(drafts: Sequence[tuple[int, Draft]]) -> dict[int, str]:
    """What is printed on every page, before columns and pages are joined."""
    texts: dict[int, list[str]] = defaultdict(list)
    for page, draft in drafts:
        text = block_text(draft.block).strip()
        if text:
            texts[page].append(text)
    return {page: BETWEEN_BLOCKS.join(parts) for page, parts in texts.items()}


def _title(
    matter: FrontMatter, metadata: PdfMetadata, front: Sequence[Draft], *, name: str, body_size: float
) -> tuple[str, int | None]:
    """The title and where it stands among the drafts of the first page."""
    if not matter.title:
        return find_title(metadata, front, name=name, body_size=body_size)
    wanted = plain(matter.title)
    position = next((i for i, draft in enumerate(front) if plain(text_of(draft)) == wanted), None)
    told = sensible_title(metadata, name)
    return (told if plain(told) == wanted else matter.title), position


def _in_front(front: Sequence[Draft], matter: FrontMatter, title: int | None) -> set[int]:
    """What stands above the title or in a margin before it, and between it and the abstract, is no heading, however it
    looks."""
    above = range(title) if title is not None and matter.title else range(0)
    return {i for i, draft in enumerate(front) if i != title and (draft.box[3] < matter.end + 1 or i in above)}


def _kept_drafts(pages: Sequence[PageReading]) -> list[tuple[int, Draft]]:
    """The drafts of all pages with their page numbers, without what pages repeat."""
    running = find_running(pages)
    return [
        (page.number, draft)
        for page in pages
        for index, draft in enumerate(page.drafts)
        if (page.number, index) not in running
    ]


def _indents_paragraphs(pages: Sequence[PageReading]) -> bool:
    """Whether most pages with anything on them indent their paragraphs."""
    return sum(page.indents_paragraphs for page in pages) * 2 > sum(bool(page.drafts) for page in pages)


def _arranged(
    drafts: Sequence[tuple[int, Draft]],
    headings: set[int],
    title: int | None,
    *,
    depths: Mapping[int, int],
    indents: bool,
) -> list[Block]:
    """The blocks of the document: headings with their levels, what was cut in two joined, captions put in place."""
    others = [drafts[index][1] for index in sorted(headings) if index != title]
    first = 1 if title is None else 2
    levels = rank_looks(others, first=first)
    # Headings that look like numbered ones are of their level, whatever size and weight would say.
    levels |= {look_of(drafts[i][1]): min(first + depth - 1, _MOST_LEVELS) for i, depth in sorted(depths.items())[::-1]}
    # A heading is known again after the joining by its draft, which no joining touches.
    marked = [(page, replace(draft, gap=-1.0) if i in headings else draft) for i, (page, draft) in enumerate(drafts)]
    own = {i: min(first + depth - 1, _MOST_LEVELS) for i, depth in depths.items()}
    if depths:
        named = {i for i in headings if _SECTION_TITLE.fullmatch(text_of(drafts[i][1]).strip())}
        own |= dict.fromkeys(named - depths.keys(), first)
    titles = {id(marked[i][1]): 1 if i == title else own.get(i) or levels[look_of(drafts[i][1])] for i in headings}
    joined = join_texts(marked, indents=indents, headings=headings)
    has_references = any(draft.kind == "reference" for _, draft in joined)
    return arrange(_with_captions(_blocks([draft for _, draft in joined], titles)), has_references=has_references)


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
            is_line = draft.kind in ("text", "item") and draft.rows == 1
            if is_line and before == page and _ENDS_WITH_PAGE.search(draft.block.quote):
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


# Running heads, page numbers and other lines that pages repeat, found over all pages so that they can be dropped.

# The parts of the page's height in which running heads stand.
_TOP, _BOTTOM = 0.14, 0.86
_PAGE_NUMBER = re.compile(
    r"[\W_]*(?:page|seite|p\.)?[\W_]*(?P<number>\d{1,4}|[ivxlc]{1,7})[\W_]*(?:(?:of|/|von)\s*\d{1,4})?[\W_]*",
    re.IGNORECASE,
)
_NUMBERS = re.compile(r"\d+")
# The number of a table or figure on a row of its own, at the top of pages that begin with one.
_FLOAT_LABEL = re.compile(
    r"(?:table|tab\.|figure|fig\.?)\s*(?:[A-Z]{1,2}\.?)?(?:\d{1,3}|[IVXL]{1,6})\W?", re.IGNORECASE
)
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
        if _is_head_with_number(draft) and _is_outermost(draft, page)
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


def _is_head_with_number(draft: Draft) -> bool:
    return draft.is_spread and draft.rows == 1 and _EDGE_NUMBER.search(text_of(draft).strip()) is not None


def _all_words(page: PageReading) -> tuple[str, ...]:
    """Everything a page says, numbers aside; of an empty one, its own number."""
    return tuple(_pattern(draft) for draft in page.drafts) or (f"page {page.number}",)


def _may_run(draft: Draft, page: PageReading) -> bool:
    if draft.kind not in ("text", "item", "display") or draft.rows > 2 or page.height <= 0:
        return False
    if draft.kind == "text" and _FLOAT_LABEL.fullmatch(text_of(draft).strip()):
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


# Title, authors and abstract of a PDF: from its own data where that is sensible, else from its first page.

_SENSELESS = re.compile(
    r"(?:untitled|title|document\d*|paper|main|microsoft word.*|.*\.(?:dvi|docx?|tex|pdf|indd|ps|odt|pptx?))\W*",
    re.IGNORECASE,
)
_NO_TITLE = re.compile(r"(?:table of )?contents|abstract|preface|introduction|index|chapter\s+\w+", re.IGNORECASE)
_ABSTRACT = re.compile(r"(?:abstract|summary)\s*[:.—–-]*\s*", re.IGNORECASE)
_NAME = re.compile(r"(?:[A-Z][\w'’.-]*\.?\s+){1,3}(?:(?:van|von|de|der|la|le|di)\s+)*[A-Z][\w'’-]+")
_PARTS = re.compile(r"\s*(?:,|;|\band\b|&|\bund\b)\s*")
_MARKS = re.compile(r"[\d*†‡§¶∗⁰¹²³⁴⁵⁶⁷⁸⁹,]+$")


def find_title(
    metadata: PdfMetadata, drafts: Sequence[Draft], *, name: str, body_size: float
) -> tuple[str, int | None]:
    """The title, and the position among the drafts of page 1 where it is printed."""
    told = metadata.title.strip()
    if len(told) < 4 or _SENSELESS.fullmatch(told) or PurePath(name).stem == told:
        told = ""
    wanted = _plain(told)
    if wanted:
        for index, draft in enumerate(drafts[:12]):
            if draft.kind == "text" and _plain(text_of(draft)) == wanted:
                return told, index
        return told, None
    best: tuple[float, int] | None = None
    for index, draft in enumerate(drafts[:12]):
        text = text_of(draft)
        if _NO_TITLE.fullmatch(text.strip()):
            continue
        if draft.kind != "text" or draft.size < 1.15 * body_size or not 4 <= len(text) <= 300 or draft.rows > 4:
            continue
        if best is None or draft.size > best[0] + 0.3:
            best = (draft.size, index)
    if best is None:
        return PurePath(name).stem, None
    return " ".join(text_of(drafts[best[1]]).split()), best[1]


def find_authors(
    metadata: PdfMetadata, drafts: Sequence[Draft], *, title: int | None, headings: set[int]
) -> tuple[str, ...]:
    """The authors: as the file says, else the names between the title and the first heading."""
    if metadata.authors:
        return metadata.authors
    if title is None:
        return ()
    names: list[str] = []
    for index in range(title + 1, min(title + 4, len(drafts))):
        draft = drafts[index]
        text = " ".join(text_of(draft).split())
        if index in headings or draft.kind != "text" or _ABSTRACT.match(text) or draft.rows > 3 or len(text) > 300:
            break
        parts = [_MARKS.sub("", part).strip() for part in _PARTS.split(text)]
        found = [part for part in parts if _NAME.fullmatch(part)]
        if found and len(found) >= 0.6 * len([part for part in parts if part]):
            names.extend(found)
        elif names:
            break
    return tuple(names)


def run_in_abstract(drafts: Sequence[Draft]) -> str:
    """The abstract where its paragraph begins with that word."""
    for draft in drafts[:15]:
        text = " ".join(text_of(draft).split())
        found = _ABSTRACT.match(text)
        if draft.kind == "text" and found and len(text) > found.end() + 40 and text[found.start() :][:1].isupper():
            return text[found.end() :]
    return ""


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).lower()


# Which drafts are headings and of what level: by size, weight and numbering over the whole document.

# Of the usual size of the prose: larger type may be a heading by that alone, smaller type never is one.
_LARGER, _SMALLER, _SMALL_CAPITALS = 1.07, 0.93, 0.75
# Characters: headings of two or three long rows have less, and those in the size of the prose are shorter.
_LONGEST, _LONGEST_IN_BODY_SIZE, _LONGEST_OUTLINE = 200, 120, 100
# Longer sentences with a full stop are prose, whatever their type.
_MOST_WORDS_OF_SENTENCE = 6
_MOST_LEVELS = 6
_NUMBER = re.compile(
    r"(?:(?:chapter|part|appendix)\s+)?(?P<number>\d{1,3}(?:\.\d{1,3}){0,4}|[A-Z](?:\.\d{1,3}){1,4})\.?\s+\S",
    re.IGNORECASE,
)
_CHAPTER = re.compile(r"(?:chapter|part)\s+\w{1,6}\b", re.IGNORECASE)
_OUTLINE = re.compile(r"(?:[IVX]{1,6}|[A-Z]|\d{1,2}(?:\.\d{1,2}){0,3})[.)]?\s+\S")
_SECTION_TITLE = re.compile(
    rf"(?:{'|'.join(sorted(word_class('printed_pages.section_titles')))})\s*[:.]?", re.IGNORECASE
)


# A line of key words behind the word for them; the word alone may be a heading.
_KEYWORDS = re.compile(r"(?:key\s?words?|index terms|subjects?)(?:\s*[:.—–-]\s*|\s+(?=[a-z]))\S", re.IGNORECASE)


# What follows the name of the family in that of a font: weight, slant, size.
_FAMILY = re.compile(r"(?:[-,].*|\d+)$")
# Fewer headings of one look may be so by chance.
_FEWEST_OF_LOOK = 2
# Of the letters of a heading in capitals: more are large.
_CAPITALS = 0.94


@dataclass(frozen=True, slots=True)
class HeadingLook:
    """How a heading looks; headings of one look have one level."""

    size: float
    is_bold: bool
    is_capital: bool
    is_italic: bool
    is_chapter: bool = False
    font: str = ""


def look_of(draft: Draft) -> HeadingLook:
    """How a draft looks."""
    text = text_of(draft)
    letters = [character for character in text if character.isalpha()]
    # A last letter may be small where a program set the others as small capitals.
    capital = len(letters) > 3 and sum(character.isupper() for character in letters) > _CAPITALS * len(letters)
    is_chapter = _CHAPTER.match(text) is not None
    is_bold = draft.is_bold or draft.is_ruled
    return HeadingLook(
        round(draft.size * 2) / 2, is_bold, capital, draft.is_italic, is_chapter, _FAMILY.sub("", draft.font)
    )


def is_heading(draft: Draft, *, body_size: float) -> bool:
    """Whether a draft looks like a heading in a document whose prose has a certain size."""
    if draft.kind not in ("text", "item") or draft.rows > 3 or _has_display(draft) or not _has_letters(draft):
        return False
    text = _heading_words(draft)
    if isinstance(draft.block, ListItem) and not any(c.isalnum() for c in draft.block.marker):
        return False
    if len(text) > _LONGEST or not _may_name_section(text):
        return False
    if draft.size >= _LARGER * body_size:
        return True
    # Small capitals come as small letters; the name of a section tells it by itself.
    if draft.size >= _SMALL_CAPITALS * body_size and draft.rows == 1 and _SECTION_TITLE.fullmatch(text.strip()):
        stands_apart = draft.is_centred or draft.gap > body_size
        return stands_apart or draft.is_bold or look_of(draft).is_capital
    stands_alone = draft.is_bold and draft.gap > body_size and draft.rows == 1
    if draft.size >= _SMALL_CAPITALS * body_size and stands_alone and look_of(draft).is_capital:
        return True
    return draft.size >= _SMALLER * body_size and _is_heading_in_body_size(draft, text, body_size=body_size)


def _has_letters(draft: Draft) -> bool:
    """Whether words stand in a draft, not formulas alone."""
    block = draft.block
    assert isinstance(block, Paragraph | ListItem)
    return any(isinstance(piece, Text) and any(c.isalpha() for c in piece.text) for piece in block.content)


def _may_name_section(text: str) -> bool:
    """Whether a text says something and ends: no caption, no sentence, no line that goes on."""
    ended = text.rstrip()
    if sum(character.isalpha() for character in text) < 3 or ended.endswith((",", ";", "=")):
        return False
    is_sentence = ended.endswith(".") and len(text.split()) > _MOST_WORDS_OF_SENTENCE
    return not is_sentence and not _CAPTION.match(text) and not _KEYWORDS.match(text)


def _is_heading_in_body_size(draft: Draft, text: str, *, body_size: float) -> bool:
    """Whether a text in the size of the prose is a heading: by lines around it, weight, wording or outline number."""
    if draft.is_ruled:
        return len(text) < _LONGEST_IN_BODY_SIZE
    if draft.is_bold:
        return draft.rows <= 2 and len(text) < _LONGEST_IN_BODY_SIZE and not text.rstrip().endswith((":", "."))
    is_capital = look_of(draft).is_capital
    if _SECTION_TITLE.fullmatch(text.strip()):
        return draft.is_centred or is_capital
    is_outline = _OUTLINE.match(text) is not None and draft.rows <= 2 and len(text) < _LONGEST_OUTLINE
    return is_outline and (is_capital or (draft.is_italic and draft.gap > 0.4 * body_size))


def _heading_words(draft: Draft) -> str:
    marker = draft.block.marker if isinstance(draft.block, ListItem) else ""
    return f"{marker} {text_of(draft)}".strip()


def heading_content(draft: Draft) -> Content:
    """The content of a heading; a number that looked like a list marker is put back."""
    block = draft.block
    assert isinstance(block, Paragraph | ListItem)
    if isinstance(block, ListItem):
        return (Text(f"{block.marker} ", bold=draft.is_bold), *block.content)
    return block.content


def rank_looks(drafts: Sequence[Draft], *, first: int) -> dict[HeadingLook, int]:
    """The level of every look, the largest first, from the level `first` on. Numbers settle looks of equal size."""
    depths: dict[HeadingLook, list[int]] = defaultdict(list)
    # How often each look comes, in the order in which they come first.
    styles: Counter[HeadingLook] = Counter()
    for draft in drafts:
        style = look_of(draft)
        styles[style] += 1
        found = _NUMBER.match(_heading_words(draft))
        if found:
            depths[style].append(found.group("number").count(".") + 1)
    seen = {style: place for place, style in enumerate(styles)}
    ordered = sorted(
        styles,
        key=lambda style: (
            -style.size,
            not style.is_chapter,
            median(depths[style]) if style in depths else 1,
            not style.is_bold,
            not style.is_capital,
            style.is_italic,
            seen[style],
        ),
    )
    levels: dict[HeadingLook, int] = {}
    level = first - 1
    before: HeadingLook | None = None
    for style in ordered:
        if before is None or not _is_same_rank(style, before, depths) or _is_told_apart(style, before, styles):
            level += 1
        levels[style] = min(level, _MOST_LEVELS)
        before = style
    return levels


def _is_same_rank(style: HeadingLook, before: HeadingLook, depths: dict[HeadingLook, list[int]]) -> bool:
    if style.is_chapter != before.is_chapter:
        return False
    if style in depths and before in depths:
        return median(depths[style]) == median(depths[before]) and abs(style.size - before.size) < 0.1 * before.size
    return abs(style.size - before.size) < 0.04 * before.size and style.is_bold == before.is_bold


def _is_told_apart(style: HeadingLook, before: HeadingLook, counts: Counter[HeadingLook]) -> bool:
    """Whether headings of one size differ by capitals or by their font, and that is no chance: there are several."""
    fewest = min(counts[style], counts[before])
    is_other_case = before.is_capital and not style.is_capital
    return fewest >= _FEWEST_OF_LOOK and style.is_bold and (is_other_case or style.font != before.font)


def _with_whole_headings(drafts: Sequence[tuple[int, Draft]], *, body_size: float) -> list[tuple[int, Draft]]:
    """The drafts with headings whole whose rows stand farther apart than those of the text."""
    result: list[tuple[int, Draft]] = []
    for page, draft in drafts:
        above = result[-1] if result else None
        if above is None or above[0] != page or not _is_rest_of_heading(above[1], draft, body_size=body_size):
            result.append((page, draft))
            continue
        first, rest = above[1].block, draft.block
        assert isinstance(first, Paragraph)
        assert isinstance(rest, Paragraph)
        box = union((above[1].box, draft.box))
        content = join_contents([(*first.content, Text(" ", bold=True)), rest.content])
        block = Paragraph(replace(first.place, box=rounded(box)), f"{first.quote}\n{rest.quote}", content)
        result[-1] = (page, replace(above[1], block=block, box=box, rows=above[1].rows + draft.rows))
    return result


def _is_rest_of_heading(above: Draft, draft: Draft, *, body_size: float) -> bool:
    """Whether a bold row goes on with the one above it: large, near, at its edge, and in the same look."""
    is_row = isinstance(above.block, Paragraph) and isinstance(draft.block, Paragraph)
    if not is_row or above.kind != "text" or draft.kind != "text" or not above.is_bold or above.rows + draft.rows > 3:
        return False
    is_near = 0 <= draft.gap < 0.5 * draft.size and abs(above.box[0] - draft.box[0]) < 2
    text = text_of(draft).strip()
    is_own = _OUTLINE.match(text) or _CAPTION.match(text) or _SECTION_TITLE.fullmatch(text_of(above).strip())
    return (
        above.size >= _LARGER * body_size
        and above.column == draft.column
        and is_near
        and look_of(above) == look_of(draft)
        and not is_own
        and not text_of(above).rstrip().endswith((".", ":", "?"))
    )


def _has_display(draft: Draft) -> bool:
    """Whether a text holds a displayed formula."""
    block = draft.block
    return isinstance(block, Paragraph | ListItem) and any(
        isinstance(piece, Math) and piece.is_display for piece in block.content
    )


# What columns and pages cut in two put together again: paragraphs, list items and tables.

_END = re.compile(r"[.!?:]['\"”’)\]]*\s*$")


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
