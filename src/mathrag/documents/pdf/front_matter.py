"""What a paper says of itself on its first page: title, authors, venue, year, volume, identifier.

Told by type and place, as eyes tell it: the title is the largest type near the top, over as many rows as it has; names
stand below it in one look, parted by white, marks, commas or "and"; where people work has words of its own. What the
file says of itself counts where the page bears it out, or where the page says nothing. Looks at no glyph.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from mathrag.documents.boxes import Box, union
from mathrag.documents.pdf.layout.front_rows import MARK, FrontRow
from mathrag.documents.pdf.layout.page_record import Draft, PageReading
from mathrag.documents.pdf.raw import PdfMetadata
from mathrag.language.word_classes import word_class
from mathrag.types.document import ListItem, Paragraph, Place, Table, Text

_SENSELESS = re.compile(
    r"(?:untitled|title|document\d*|paper|main|microsoft word.*|.*\.(?:dvi|docx?|tex|pdf|indd|ps|odt|pptx?))\W*",
    re.IGNORECASE,
)
_NO_TITLE = re.compile(r"(?:table of )?contents|abstract|preface|introduction|index|chapter\s+\w+", re.IGNORECASE)
_ENDS_FRONT = re.compile(
    r"(?:abstract|a\s?b\s?s\s?t\s?r\s?a\s?c\s?t|summary|(?:[1I]\.?\s*)?introduction|keywords?|index terms)\b",
    re.IGNORECASE,
)
_DATE = re.compile(
    r"\b(?:dated|received|accepted|published|january|february|march|april|may|june|july|august|september|october"
    r"|november|december|(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\b((?:19|20)\d\d)\b")
# A date of publication as it is printed for itself; in prose no date follows at once.
_PUBLISHED = re.compile(
    r"(?:\A|[;,.|•·]\s*)(?:(?:first )?published(?: online)?:?|©|copyright(?: ©)?)\s+"
    r"(?:\d{1,2}\s+)?(?:[A-Z][a-z]{2,8}\.?\s+)?(?:\d{1,2},?\s+)?((?:19|20)\d\d)\b",
    re.IGNORECASE,
)
# Steps before a publication, which may be of the year before.
_BEFORE = re.compile(r"\b(?:received|revised|accepted|submitted)\b", re.IGNORECASE)
_VOLUME = re.compile(
    r"\b(?i:vol)(?i:ume|\.)?\s*(\d{1,4})\b|\b[A-Z][A-Za-z. ]{2,40}\s(\d{1,4}),\s*\d{3,7}\s*\((?:19|20)\d\d\)"
)
_IDENTIFIER = re.compile(r"\barxiv:\s?(\d{4}\.\d{4,5}(?:v\d+)?)|\b(10\.\d{4,9}/[^\s\"<>]{3,80})", re.IGNORECASE)
_PARTS = re.compile(r"\s*(?:[,;·•|]|\band\b|&|\bund\b)\s*", re.IGNORECASE)
# The badge of a register of researchers behind a name, as journals print it.
_BADGE = re.compile(r"(?<=[^\W\d_A-Z])(?:ID|iD)$")
# Where a small letter or the dot of an initial meets a capital within a word, but for names such as McKay and DeWitt.
_SEAM = re.compile(r"(?:[^\W\d_A-Z]|(?<=[^\W\d_])\.)(?=[^\W\d_])(?=[^\Wa-z])")
_PREFIX = re.compile(r"(?:\A|[^\w])(?:Mc|Mac|De|Di|Da|Du|La|Le|Van|Von|Fitz|Al|El|O)\Z")
_INITIALS = re.compile(r"(?:[^\W\d_]\.-?){1,3}")
_AFFILIATIONS = word_class("printed_pages.affiliations")
_BESIDE = word_class("printed_pages.beside_names")
_PARTICLES = word_class("printed_pages.name_particles")
_VENUES = word_class("printed_pages.venues")
# Of the page: titles begin above the first part, and without an abstract the names stand above the second.
_TITLE_ZONE, _NAMES_ZONE = 0.6, 0.45
# Of the page's height at either end, where venues and marks of publishers stand.
_EDGE = 0.13
# In sizes: rows of a title stand this close; sizes this close are one.
_CLOSE_ROWS, _SAME_SIZE = 1.1, 0.04
# In sizes: rows of a title in a text with wide rows stand this close, where names in another type stand below.
_SPACED_ROWS = 2.0
_WORDS = (Paragraph, ListItem)
# So many names in a row are authors, whatever type they are set in.
_NAMES_TELL = 2
_LONGEST_TITLE, _MOST_TITLE_ROWS, _MOST_AUTHORS = 400, 6, 300


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What the first page says. `top` and `bottom` bound the title, `end` is where the text of the paper begins."""

    title: str = ""
    authors: tuple[str, ...] = ()
    venue: str = ""
    volume: str = ""
    identifier: str = ""
    year: int | None = None
    top: float = 0.0
    bottom: float = 0.0
    end: float = 0.0


def read_front(page: PageReading, metadata: PdfMetadata, *, name: str, body_size: float) -> FrontMatter:
    """The front matter of a document, whose first page this is; empty where the page has no title to be told by."""
    rows = [row for row in page.front if row.size > 0 and row.text]
    venue, volume = _venue(rows, page.height, body_size=body_size)
    whole = "\n".join(row.text for row in page.front)
    found = _IDENTIFIER.search(whole)
    identifier = (f"arXiv:{found[1]}" if found[1] else found[2].rstrip(".,;)")) if found else ""
    year = _YEAR.search(venue)
    title = _title_rows(rows, page.height, metadata, name=name, body_size=body_size)
    if not title:
        return FrontMatter(venue=venue, volume=volume, identifier=identifier, year=int(year[1]) if year else None)
    end, is_told = _end_of_front(rows, title[-1], page)
    between = [row for row in rows if title[-1].bottom - 1 < row.top and row.top < end - 1]
    year = year or next((at for row in rows if (at := _PUBLISHED.search(row.text))), None)
    year = year or next((at for row in between if (at := _date_year(row.text))), None)
    text = _joined([_without_badges(row) for row in title])
    authors = _authors(between, metadata, whole)
    if not is_told:
        # Without an abstract only the names themselves are known to be no text.
        named = [row.bottom for row in between if any(plain(author) in plain(row.text) for author in authors)]
        end = max([title[-1].bottom, *named])
    return FrontMatter(
        text,
        authors,
        venue,
        volume,
        identifier,
        int(year[1]) if year else None,
        title[0].top,
        title[-1].bottom,
        end,
    )


def sensible_title(metadata: PdfMetadata, name: str) -> str:
    """The title that the file states, where it is one."""
    told = " ".join(metadata.title.split())
    return "" if len(told) < 4 or _SENSELESS.fullmatch(told) or PurePath(name).stem == told else told


def plain(text: str) -> str:
    """Letters and digits alone, in small letters: how two writings of one title are compared."""
    return re.sub(r"[\W_]+", "", text).lower()


def _joined(texts: Sequence[str]) -> str:
    whole = ""
    for text in texts:
        is_broken = whole.endswith("-") and text[:1].islower() and whole[-2:-1].islower()
        whole = f"{whole[:-1]}{text}" if is_broken and not _is_compound(whole, text) else f"{whole} {text}".strip()
    return whole[:_LONGEST_TITLE]


def _is_compound(before: str, after: str) -> bool:
    """Whether a hyphen at the end of a row is of the word itself: the row holds another such word."""
    return "-" in before[:-1].rsplit(" ", 1)[-1] or "-" in after.split(" ", 1)[0]


def with_title(drafts: Sequence[tuple[int, Draft]], front: FrontMatter) -> list[tuple[int, Draft]]:
    """The drafts with the rows of the title as one, and without tables where only names stand beside each other."""
    if not front.title or not drafts:
        return list(drafts)
    first_page = drafts[0][0]
    result: list[tuple[int, Draft]] = []
    made: int | None = None
    for page, draft in drafts:
        middle = (draft.box[1] + draft.box[3]) / 2
        if page == first_page and front.top - 2 < middle < front.bottom + 2 and isinstance(draft.block, _WORDS):
            if made is None:
                made = len(result)
                result.append((page, _title_draft(draft, draft.box, front)))
            else:
                box = union((result[made][1].box, draft.box))
                result[made] = (page, _title_draft(result[made][1], box, front))
        elif page == first_page and isinstance(draft.block, Table) and front.bottom < middle < front.end:
            block = Paragraph(draft.block.place, draft.block.quote, (Text(draft.block.quote),))
            result.append((page, replace(draft, kind="text", block=block, size=0.0)))
        else:
            result.append((page, draft))
    return result


def _title_draft(draft: Draft, box: Box, front: FrontMatter) -> Draft:
    place = Place(page=draft.block.place.page, box=box)
    block = Paragraph(place, front.title, (Text(front.title, bold=draft.is_bold),))
    return replace(draft, kind="text", block=block, box=box, rows=1)


# ---- the title


def _title_rows(
    rows: Sequence[FrontRow], height: float, metadata: PdfMetadata, *, name: str, body_size: float
) -> list[FrontRow]:
    """The rows of the title: those that say what the file says, else those in the largest type."""
    upper = [row for row in rows if row.top < _TITLE_ZONE * height]
    end = next((number for number, row in enumerate(upper) if number and _ENDS_FRONT.match(row.text)), len(upper))
    upper = upper[:end]
    said = _rows_saying(plain(sensible_title(metadata, name)), rows, len(upper))
    if said:
        return said
    worded = [row for row in upper if _may_be_title(row)]
    for size in sorted({round(row.size, 1) for row in worded}, reverse=True):
        of_size = [row for row in worded if round(row.size, 1) == size]
        if size < 1.08 * body_size and not any(row.is_bold for row in of_size):
            break
        below = rows[rows.index(of_size[0]) :]
        group = _rows_of_one_type(below)
        spaced = _rows_of_one_type(below, closeness=_SPACED_ROWS)
        if len(spaced) > len(group) and any(_judged(row)[0] for row in upper if row.top > spaced[-1].bottom):
            group = spaced
        if sum(character.isalpha() for row in group for character in row.text) >= 8:
            return group
    return _rows_above_names(upper)


def _rows_above_names(rows: Sequence[FrontRow]) -> list[FrontRow]:
    """A title in the type of the text: the rows of one look right above the first row of several names."""
    for place, row in enumerate(rows):
        names, others = _judged(row)
        if len(names) < _NAMES_TELL or others > len(names):
            continue
        above = [one for one in rows[:place] if _may_be_title(one) and not _DATE.search(one.text)]
        if not above:
            return []
        group = [above[-1]]
        for one in reversed(above[:-1]):
            is_same = abs(one.size - group[0].size) <= _SAME_SIZE * one.size and one.is_bold == group[0].is_bold
            if not is_same or group[0].top - one.bottom > _CLOSE_ROWS * one.size:
                break
            group.insert(0, one)
        return group if len(group) <= _MOST_TITLE_ROWS else []
    return []


def _rows_saying(told: str, rows: Sequence[FrontRow], before: int) -> list[FrontRow]:
    """The rows that say a title together; none where there are none, or no title was told."""
    for first in range(before if told else 0):
        said = ""
        for last in range(first, min(first + _MOST_TITLE_ROWS, len(rows))):
            said += plain(rows[last].text)
            if said == told:
                return list(rows[first : last + 1])
    return []


def _rows_of_one_type(rows: Sequence[FrontRow], *, closeness: float = _CLOSE_ROWS) -> list[FrontRow]:
    """The first row and those that follow it closely in the same type."""
    group = [rows[0]]
    size = rows[0].size
    for row in rows[1:_MOST_TITLE_ROWS]:
        is_same = abs(row.size - size) <= _SAME_SIZE * size and row.is_bold == rows[0].is_bold
        if not is_same or row.top - group[-1].bottom > closeness * size:
            break
        group.append(row)
    return group


def _may_be_title(row: FrontRow) -> bool:
    text = row.text
    letters = sum(character.isalpha() for character in text)
    if _is_kind(text):
        return False
    return letters >= 3 and not _NO_TITLE.fullmatch(text) and not _IDENTIFIER.search(text) and "@" not in text


def _is_kind(text: str) -> bool:
    return text.lower().strip(" .:•|") in word_class("printed_pages.article_kinds")


def _without_badges(row: FrontRow) -> str:
    """The words of a row of the title without what stands apart from it in the margin: "Open access"."""
    parts = row.parts[1:] if len(row.parts) > 1 and _is_kind(row.parts[0][2]) else row.parts
    parts = parts[:-1] if len(parts) > 1 and _is_kind(parts[-1][2]) else parts
    return replace(row, parts=parts).text


def _end_of_front(rows: Sequence[FrontRow], title: FrontRow, page: PageReading) -> tuple[float, bool]:
    """Where the abstract or the text begins below the title, and whether a word says so."""
    below = [row for row in rows if row.top > title.bottom - 1]
    for row in below:
        if any(_ENDS_FRONT.match(text.replace(MARK, "").strip()) for _, _, text in row.parts):
            return row.top, True
    prose = [draft.box[1] for draft in page.drafts if draft.rows >= 4 and draft.box[1] > title.bottom]
    return min([*prose, page.height if len(below) < 25 else _NAMES_ZONE * page.height]), False


# ---- the authors


def _authors(rows: Sequence[FrontRow], metadata: PdfMetadata, whole: str) -> tuple[str, ...]:
    printed = tuple(dict.fromkeys(_names(rows)))[:_MOST_AUTHORS]
    told = tuple(author for author in metadata.authors if not re.search(r"[{}\d\\]", author))
    page = plain(whole)
    if printed and len(told) < len(metadata.authors):
        # What was left out was spelt in a way that breaks names apart.
        return printed
    if told and len(told) >= len(printed) and all(plain(author) in page for author in told):
        return told
    return printed or told


def _names(rows: Sequence[FrontRow]) -> Iterator[str]:
    """The names in the rows between title and text: rows of one look, that of the first row with names."""
    look: tuple[float, bool, bool] | None = None
    was_other = False
    # The left edge of the first names, and that of the rows since the last ones.
    edge: float | None = None
    other: float | None = None
    before: FrontRow | None = None
    for row in rows:
        own = (row.size, row.is_bold, row.is_italic)
        names, others = _judged(row)
        is_alike = look is None or (abs(own[0] - look[0]) <= _SAME_SIZE * look[0] and own[1:] == look[1:])
        white = row.top - before.bottom if before is not None else 0.0
        # Where addresses look like names, only what stands apart begins another author, or at the edge of the first
        # where addresses have an edge of their own.
        left = row.parts[0][0]
        has_own_edge = edge is not None and abs(left - edge) < 2 and other is not None and other - edge > 2 * row.size
        is_new = not was_other or white > 0.5 * row.size or has_own_edge
        before = row
        if names and len(names) > others - (look is None) and is_alike and is_new:
            look = look or own
            edge = left if edge is None else edge
            was_other, other = False, None
            yield from names
        elif look is not None and is_alike and (names or others):
            was_other = True
            other = left if other is None else min(left, other)


def _judged(row: FrontRow) -> tuple[list[str], int]:
    """The names of a row, and how many of its parts are none."""
    names: list[str] = []
    others = 0
    for _, _, text in row.parts:
        clean = text.replace(MARK, ",")
        if "@" in clean or _DATE.search(clean) or _has_affiliation(clean):
            others += 1
            continue
        for part in (piece for each in _PARTS.split(clean) for piece in _unglued(each)):
            name = _without_ranks(part)
            if _is_name(name):
                names.append(name)
            elif len(re.sub(r"\W", "", name)) > 2:
                others += 1
    return names, others


def _unglued(part: str) -> tuple[str, ...]:
    """A name whose words lost the white between them, spaced again; names that ran into each other, apart. As it is
    where that makes no names."""
    seams = [match.end() for match in _SEAM.finditer(part) if not _PREFIX.search(part[: match.end()])]
    if not seams:
        return (part,)
    pieces = [part[start:end] for start, end in zip([0, *seams], [*seams, len(part)], strict=True)]
    if " " not in part.strip():
        whole = _BADGE.sub("", part)
        return (" ".join(pieces),) if whole == part and _is_name(_without_ranks(" ".join(pieces))) else (part,)
    return tuple(pieces) if all(_is_name(_without_ranks(piece)) for piece in pieces) else (part,)


def _has_affiliation(text: str) -> bool:
    return any(word.strip(".,:;()").lower() in _AFFILIATIONS for word in text.split())


def _without_ranks(part: str) -> str:
    words = [_BADGE.sub("", word) for word in part.split() if word.strip(".,()").lower() not in _BESIDE]
    return " ".join(words).strip(" .,:;()[]{}‐-–—0123456789") + (
        "." if words and _INITIALS.fullmatch(words[-1]) else ""
    )


def _is_name(text: str) -> bool:
    """Two to five words, each a capitalised word, an initial or a particle; no digit, no other sign."""
    words = text.split()
    if not 2 <= len(words) <= 5 or len(text) > 60:
        return False
    full = 0
    for word in words:
        if _INITIALS.fullmatch(word) or word.lower() in _PARTICLES:
            continue
        letters = re.sub(r"[-'’.‐]", "", word)
        if not letters.isalpha() or not word[0].isupper():
            return False
        full += len(letters) > 1
    return full >= 1 and words[-1].lower() not in _PARTICLES


# ---- where and when


def _venue(rows: Sequence[FrontRow], height: float, *, body_size: float) -> tuple[str, str]:
    """The line at the edge of the page that says where the paper was published, and the volume in it."""
    for row in rows:
        at_edge = row.top < _EDGE * height or row.bottom > (1 - _EDGE) * height
        if not at_edge or row.size > 1.3 * body_size:
            continue
        text = row.text
        words = {word.strip(".,:;()").lower() for word in text.split()}
        is_named = bool(words & _VENUES) or any(" " in venue and venue in text.lower() for venue in _VENUES)
        volume = _VOLUME.search(text)
        if (is_named and (_YEAR.search(text) or volume or text.isupper())) or (volume and _YEAR.search(text)):
            return text[:300].strip(" ."), (volume[1] or volume[2] or "") if volume else ""
    return "", ""


def _date_year(text: str) -> re.Match[str] | None:
    """The year of a date; none where it may be that of a step before the publication."""
    return _YEAR.search(text) if _DATE.search(text) and not _BEFORE.search(text) and len(text) < 60 else None
