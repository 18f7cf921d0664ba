"""Tables, figures and sections as a document numbers them: from captions, headings and what its text speaks of.

What a printed page yields may have gaps; whoever counts learns here whether the numbers are complete.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeAlias

from mathrag.reason.direct.documents.asked import Selector, number_key
from mathrag.reason.direct.documents.seams import DocumentParts, exact_place
from mathrag.retrieve.document_parts import DocumentCard, SectionPart, TablePart
from mathrag.types.document import Place

# Formats that say themselves what a heading, a table and a picture is; on printed pages that is found out.
_PRINTED = ("application/pdf", "image/")
_LABELS = {"table": r"tables?|tab\.", "figure": r"figures?|figs?\.?"}
_PRINTED_NUMBER = r"(?:[A-Z]\.?)?\d{1,3}(?:\.\d{1,3})?|(?-i:[IVXL]{1,6})"
_STARTS = {
    kind: re.compile(rf"\s*(?:{label})\s*(?P<number>{_PRINTED_NUMBER})(?P<sign>\s*[.:|—–])?(?=\s|$)", re.IGNORECASE)
    for kind, label in _LABELS.items()
}
_MENTIONED = {
    kind: re.compile(rf"\b(?:{label})\s*(?P<number>\d{{1,3}})\b(?!\.\d)", re.IGNORECASE)
    for kind, label in _LABELS.items()
}
# Those of an appendix; what begins with S is in files beside the document.
_LETTERED = {
    kind: re.compile(rf"\b(?:{label})\s*(?P<number>(?-i:[A-R])\.?\d{{1,2}})\b", re.IGNORECASE)
    for kind, label in _LABELS.items()
}
_TOP = re.compile(r"(?P<number>\d{1,2}|(?-i:[IVX]{1,5}))\.?\s+(?=\S)")
_LOWER = re.compile(r"(?P<number>\d{1,2}(?:\.\d{1,2}){1,3})\.?\s+(?=\S)")
_APPENDIX = re.compile(r"(?:appendix\s+)?(?P<number>[A-Z])(?:\.|:)?\s+(?=\S)", re.IGNORECASE)
_LONGEST_CAPTION = 2_000
# Fewer numbers tell nothing of those between them; of three, one may be missing.
_FEWEST_NUMBERED = 3


def is_printed(card: DocumentCard) -> bool:
    """Whether the document is of pages on which parts are only to be seen."""
    return card.media_type.startswith(_PRINTED)


@dataclass(frozen=True, slots=True)
class Captioned:
    """A table or a figure with its caption; `table` where its cells were read."""

    number: str
    caption: str
    place: Place
    table: TablePart | None = None


@dataclass(frozen=True, slots=True)
class Numbered:
    """The tables or figures of a document: those with a printed number, those without, and the numbers its text speaks
    of."""

    by_number: Mapping[str, Captioned]
    bare: tuple[Captioned, ...]
    mentioned: frozenset[int]
    lettered: frozenset[str] = frozenset()

    @property
    def count(self) -> int | None:
        """How many there are; None where the numbers have gaps or the text speaks of more."""
        plain = {int(number) for number in self.by_number if number.isdigit()}
        if not plain:
            return None
        highest = max(plain)
        # One whose caption was not recognised is there all the same where the text speaks of it.
        is_whole = plain | self.mentioned == set(range(1, highest + 1)) and self.lettered <= self.by_number.keys()
        return highest + sum(not number.isdigit() for number in self.by_number) if is_whole else None

    def is_doubtful(self, one: Captioned) -> bool:
        """Whether a caption may belong to another table: its page has a caption without a table and a table without a
        caption."""
        page = one.place.page
        if page is None:
            return False
        lone = any(each.table is None and each.place.page == page for each in self.by_number.values())
        return lone and any(each.place.page == page for each in self.bare)

    def ordered(self) -> tuple[Captioned, ...]:
        """All of them in the order of their numbers, those without one where there are no numbers at all."""
        return tuple(self.by_number.values()) if self.by_number else self.bare

    def select(self, selector: Selector) -> Captioned | None:
        """The one that is named."""
        if not selector.is_ordinal:
            return self.by_number.get(selector.number)
        listed = self.ordered()
        place = int(selector.number)
        place = place - 1 if place > 0 else place + len(listed)
        return listed[place] if 0 <= place < len(listed) else None


def numbered(kind: str, card: DocumentCard, parts: DocumentParts) -> Numbered:
    """The tables or the figures of a document."""
    return parts.kept(card.id, numbered_tables if kind == "table" else numbered_figures)


def numbered_tables(parts: DocumentParts, document: str) -> Numbered:
    """The tables of a document."""
    return _numbered("table", _tables(parts, document), parts, document)


def numbered_figures(parts: DocumentParts, document: str) -> Numbered:
    """The figures of a document."""
    return _numbered("figure", _figures(parts, document), parts, document)


_Read: TypeAlias = tuple[str, Place, TablePart | None]


def _numbered(kind: str, read: Iterable[_Read], parts: DocumentParts, document: str) -> Numbered:
    found: dict[str, Captioned] = {}
    bare: list[Captioned] = []
    for caption, place, table in read:
        match = _STARTS[kind].match(caption[:60])
        if match is None:
            bare.append(Captioned("", caption, place, table))
        else:
            number = number_key(match["number"])
            known = found.get(number)
            if known is None or (known.table is None and table is not None):
                found[number] = Captioned(number, caption, place, table)
    if kind == "table":
        found = {**_captions_in_cells(parts, document), **found}
    mentioned: set[int] = set()
    lettered: set[str] = set()
    for text, place in _paragraphs(parts, document):
        match = _STARTS[kind].match(text[:60])
        # "Table 3 shows" begins a sentence; a caption has a sign behind its number.
        if match is not None and match["sign"]:
            number = number_key(match["number"])
            if number not in found:
                found[number] = Captioned(
                    number, text[:_LONGEST_CAPTION].strip(), exact_place(parts, document, text, place)
                )
        mentioned.update(int(each["number"]) for each in _MENTIONED[kind].finditer(text))
        lettered.update(number_key(each["number"]) for each in _LETTERED[kind].finditer(text))
    by_number = dict(sorted(found.items(), key=lambda item: (not item[0].isdigit(), item[0].rjust(8))))
    return Numbered(by_number, tuple(bare), frozenset(mentioned) - {0}, frozenset(lettered))


def _captions_in_cells(parts: DocumentParts, document: str) -> dict[str, Captioned]:
    """Captions that were taken for cells of another table: such a table is there, its cells were not read."""
    found: dict[str, Captioned] = {}
    for table in parts.tables(document):
        for row in table.cells:
            match = _STARTS["table"].match(row[0][:60]) if row else None
            if match is not None and match["sign"]:
                number = number_key(match["number"])
                found.setdefault(number, Captioned(number, row[0][:_LONGEST_CAPTION].strip(), table.place))
    return found


def _tables(parts: DocumentParts, document: str) -> Iterator[_Read]:
    for table in _joined(parts.tables(document)):
        caption = table.caption
        if not _STARTS["table"].match(caption[:60]):
            # On printed pages the caption may have been taken for a row.
            edges = [row for row in (*table.cells[:1], *table.cells[-2:]) if len(set(row) - {""}) == 1]
            inside = next((text for row in edges for text in row if _STARTS["table"].match(text[:60])), "")
            caption = inside or caption
        yield caption, table.place, table


def _joined(tables: Sequence[TablePart]) -> Iterator[TablePart]:
    """The tables; one without a header of its own goes on with the one above it on the page that has no caption."""
    before: TablePart | None = None
    for table in tables:
        if before is not None and _goes_on(before, table):
            before = replace(table, cells=(*before.cells, *table.cells), header_rows=before.header_rows)
            continue
        if before is not None:
            yield before
        before = table
    if before is not None:
        yield before


def _goes_on(above: TablePart, table: TablePart) -> bool:
    widths = {max(map(len, each.cells), default=0) for each in (above, table)}
    is_beside = above.place.page is not None and above.place.page == table.place.page
    return is_beside and len(widths) == 1 and bool(above.header_rows) and not table.header_rows and not above.caption


def _figures(parts: DocumentParts, document: str) -> Iterator[_Read]:
    for figure in parts.figures(document):
        yield figure.caption or figure.alternative, figure.place, None


def _paragraphs(parts: DocumentParts, document: str) -> Iterator[tuple[str, Place]]:
    for passage in parts.passages(document):
        for text in passage.text.split("\n\n"):
            yield text, passage.place


# ---- sections


@dataclass(frozen=True, slots=True)
class Outline:
    """The headings of a document: those of the highest level, all of them, and whether the former are surely all.

    `last` is the number of the last one where some before it were not recognised, and 0 where that says nothing.
    """

    top: tuple[SectionPart, ...]
    beside: tuple[SectionPart, ...]
    lower: tuple[SectionPart, ...]
    is_complete: bool
    last: int = 0

    def select(self, selector: Selector) -> SectionPart | None:
        """The section that is named by its number or its place."""
        if selector.is_ordinal:
            place = int(selector.number)
            place = place - 1 if place > 0 else place + len(self.top)
            return self.top[place] if self.is_complete and 0 <= place < len(self.top) else None
        for section in (*self.top, *self.lower, *self.beside):
            if section_number(section.title) == selector.number:
                return section
        if selector.number.isdigit() and not any(section_number(each.title) for each in self.top):
            place = int(selector.number) - 1
            return self.top[place] if self.is_complete and 0 <= place < len(self.top) else None
        return None


def section_number(title: str) -> str:
    """The number a heading begins with; empty where it has none."""
    match = _LOWER.match(title) or _TOP.match(title) or _APPENDIX.match(title)
    return "" if match is None else number_key(match["number"])


def outline(card: DocumentCard, parts: DocumentParts) -> Outline:
    """The sections of a document. Printed ones count as complete where their numbers are."""
    headings = [each for each in parts.sections(card.id) if each.level > 0 and each.title]
    top = [each for each in headings if _TOP.match(each.title) and not _LOWER.match(each.title)]
    numbers = [int(section_number(each.title)) for each in top]
    if numbers and numbers == list(range(1, len(numbers) + 1)) and len(numbers) > 1:
        levels = {each.level for each in top}
        lower = [each for each in headings if _LOWER.match(each.title)]
        later = headings[headings.index(top[0]) :]
        others = [each for each in later if each not in top and each not in lower and each.level in levels]
        return Outline(tuple(top), tuple(others), tuple(lower), is_complete=True)
    if is_printed(card) or top:
        beside = tuple(each for each in headings if each not in top)
        last = _last_number(numbers) if is_printed(card) else 0
        return Outline(tuple(top), beside, (), is_complete=False, last=last)
    return _by_levels(card, headings)


def _last_number(numbers: Sequence[int]) -> int:
    """The last of numbers that go up and leave few out: as many sections there are, whichever were recognised."""
    is_rising = len(numbers) >= _FEWEST_NUMBERED and all(one < other for one, other in pairwise(numbers))
    return numbers[-1] if is_rising and numbers[-1] - len(numbers) <= len(numbers) // _FEWEST_NUMBERED else 0


def _by_levels(card: DocumentCard, headings: Sequence[SectionPart]) -> Outline:
    """The sections of a document whose format says what is a heading; a single highest one is its title."""
    levels = sorted({each.level for each in headings})
    if len(levels) > 1 and sum(each.level == levels[0] for each in headings) == 1:
        headings = [each for each in headings if each.level != levels[0]]
        levels = levels[1:]
    elif len(headings) == 1 and headings[0].title == card.title:
        return Outline((), (), (), is_complete=True)
    top = [each for each in headings if levels and each.level == levels[0]]
    return Outline(tuple(top), (), tuple(each for each in headings if each not in top), is_complete=True)
