"""What stands on the first page of a document around its title: the authors as they are printed, where they work, key
words, the journal. Quoted from the page; what is not plainly there is not guessed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from mathrag.language.word_classes import word_class
from mathrag.reason.direct.documents.plain_signs import readable
from mathrag.reason.direct.documents.seams import DocumentParts
from mathrag.reason.direct.documents.words import keys_of, words_of
from mathrag.retrieve.document_parts import DocumentCard

_MOST_PARAGRAPHS, _LONGEST_LINE, _LONGEST_WORDS = 60, 700, 500
_NOTE_SIGNS = re.compile(r"\bsquare\b\s*|_\{?\w{1,3}\}?|[\d¹²³⁰⁴-⁹*∗†‡§¶•$^{}\\|]+")
# Little pictures beside a name, such as that of a register of authors.
_UNREAD = re.compile(r"\\square[^$]*")
_EMAIL = re.compile(r"[\w.{}<>,\s-]*@[\w.-]+")
_BETWEEN_NAMES = re.compile(r"\s*[,;&]\s*(?:and\s+)?|\s+and\s+")
_BARS = re.compile(r"\s*(?:\|\s*)+")
_MOST_IN_NAME = 5
_KEYWORDS = re.compile(
    r"\W*(?:key\s?-?words(?: and phrases)?|index terms)\s*[:.—–-]*\s*(?P<said>.*)", re.IGNORECASE | re.DOTALL
)
_BODY = re.compile(r"\W*(?:abstract|summary|(?:1|I)?\.?\s*introduction|key\s?words|index terms)\b", re.IGNORECASE)
_VENUE_BEHIND = re.compile(
    r"[\"”.?!,]*\s*(?:In:? )?(?P<venue>[A-Z][^\d:;]{2,80}?)[,.]?\s*"
    r"(?:\d{1,4}\s?(?:\(\s?\d{1,4}[^)]{0,8}\))?\s?[:,]|vol\b)",
)
_VENUE_SAID = re.compile(
    r"\b(?P<venue>Proceedings of (?:the )?[^.\n]{5,140})"
    r"|\b(?:published as a conference paper at|to appear in|published in|section of the journal)\s+"
    r"(?P<other>[A-Z][^.,;|\n]{2,100})",
    re.IGNORECASE,
)
_AFTER_VENUE = re.compile(
    r"\s*(?:\||https?:|www\.|\bdoi\b|\breceived\b|\baccepted\b|\bpages?\b|\bpp\b|©).*\Z", re.I | re.S
)


@dataclass(frozen=True, slots=True)
class FrontPage:
    """The paragraphs of the first page, and the place of the title among them; -1 where it was not found."""

    paragraphs: tuple[str, ...]
    title: int


def printed_authors(parts: DocumentParts, card: DocumentCard) -> tuple[str, ...]:
    """The authors as the first page prints them, where that is one list of names; else those that were read."""
    page = _front(parts, card)
    surnames = {keys[-1] for each in card.authors if (keys := keys_of(each))}
    for paragraph in page.paragraphs[max(0, page.title) :]:
        if len(paragraph) > _LONGEST_LINE:
            continue
        names = _names(paragraph)
        shared = sum((keys_of(each) or ("",))[-1] in surnames for each in names)
        if len(names) >= len(card.authors) and names and 2 * shared >= len(card.authors) > 0:
            return names
    return card.authors


def affiliations(parts: DocumentParts, card: DocumentCard) -> str:
    """What the first page prints between the title and the abstract of where the authors work; empty for nothing."""
    page = _front(parts, card)
    if page.title < 0:
        return ""
    found: list[str] = []
    goes_on = False
    for paragraph in page.paragraphs[page.title + 1 :]:
        if _BODY.match(paragraph) or len(paragraph) > _LONGEST_LINE:
            break
        is_place = not _institutions().isdisjoint(word.lower for word in words_of(paragraph))
        if is_place or goes_on:
            said = " ".join(_EMAIL.sub(" ", readable(paragraph)).split()).strip()
            found += [said] if said else []
        goes_on = is_place and paragraph.rstrip().endswith((",", " and", "&"))
    return _BARS.sub("; ", " ".join(dict.fromkeys(found))).strip(" ;")[:_LONGEST_WORDS]


@cache
def _institutions() -> frozenset[str]:
    return word_class("documents.institutions")


def key_words(parts: DocumentParts, card: DocumentCard) -> str:
    """The key words that a document gives; empty where it gives none."""
    for _, text in list(parts.page_texts(card.id))[:2]:
        paragraphs = text.split("\n\n")
        for place, paragraph in enumerate(paragraphs):
            match = _KEYWORDS.match(paragraph)
            if match is None or len(paragraph) > _LONGEST_LINE:
                continue
            said = match["said"].strip() or (paragraphs[place + 1].strip() if place + 1 < len(paragraphs) else "")
            if said and len(said) <= _LONGEST_WORDS:
                return " ".join(readable(said).split())
    return ""


def printed_venue(parts: DocumentParts, card: DocumentCard) -> str:
    """The journal or conference that the first page names: behind the title in its own citation, or in words."""
    if card.venue:
        return _AFTER_VENUE.sub("", card.venue).strip(" ,.|") or card.venue
    page = " ".join(" ".join(_front(parts, card).paragraphs).split())
    words = [re.escape(word.text) for word in words_of(card.title)]
    if len(words) > 1:
        for match in re.finditer(r"\W+".join(words), page, re.IGNORECASE):
            behind = _VENUE_BEHIND.match(page, match.end())
            if behind is not None and not _is_name_list(behind["venue"], card):
                return behind["venue"].strip(" ,.")
    said = _VENUE_SAID.search(page)
    return "" if said is None else (said["venue"] or said["other"]).strip(" ,.")


def printed_date(parts: DocumentParts, card: DocumentCard, done: str) -> str:
    """When a document was received, accepted or published, as its first page prints it; empty for nothing."""
    page = " ".join(" ".join(parts.kept(card.id, _paragraphs)).split())
    months = "|".join(each.capitalize() for each in sorted(word_class("numbers.months"), key=len, reverse=True))
    date = rf"(?:\d{{1,2}}\s+(?:{months})\.?,?\s+\d{{4}}|(?:{months})\.?\s+\d{{1,2}},?\s+\d{{4}})"
    found = set(re.findall(rf"\b{re.escape(done)}\b\s*(?:on|:)?\s*({date})", page, re.IGNORECASE))
    return found.pop() if len(found) == 1 else ""


def _is_name_list(text: str, card: DocumentCard) -> bool:
    """Whether what stands behind the title is by whom it is."""
    people = {key for each in card.authors for key in keys_of(each)}
    return not people.isdisjoint(keys_of(text))


def _front(parts: DocumentParts, card: DocumentCard) -> FrontPage:
    paragraphs = parts.kept(card.id, _paragraphs)
    title = keys_of(card.title)
    found = [
        place
        for place, each in enumerate(paragraphs)
        if title and len(each) <= _LONGEST_LINE and keys_of(each)[: len(title)] == title
    ]
    return FrontPage(paragraphs, found[-1] if found else -1)


def _paragraphs(parts: DocumentParts, document: str) -> tuple[str, ...]:
    pages = parts.page_texts(document)
    return tuple(each.strip() for each in pages[0][1].split("\n\n")[:_MOST_PARAGRAPHS]) if pages else ()


def _names(paragraph: str) -> tuple[str, ...]:
    """The people of a line that is nothing but a list of names; none where it is more."""
    plain = " ".join(_NOTE_SIGNS.sub(" ", readable(_UNREAD.sub("", paragraph))).split())
    found = [each.strip(" .,") for each in _BETWEEN_NAMES.split(plain)]
    names = tuple(each for each in found if each)
    return names if names and all(map(_is_name, names)) else ()


def _is_name(text: str) -> bool:
    words = text.split()
    particles = word_class("documents.name_particles")
    is_written = all(word[0].isupper() or word.casefold() in particles for word in words)
    return 2 <= len(words) <= _MOST_IN_NAME and is_written and not _institutions().intersection(text.casefold().split())
