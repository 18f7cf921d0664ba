"""Title, authors and abstract of a PDF: from its own data where that is sensible, else from its first page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath

from mathrag.documents.pdf.layout.flow import text_of
from mathrag.documents.pdf.layout.page_reading import Draft
from mathrag.documents.pdf.raw import PdfMetadata

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
