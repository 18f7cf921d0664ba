"""What a document is and has: title, authors, year, venue, abstract; how many parts it has; what they are called and on
which page they stand. Each rule takes a question only where it accounts for all of its words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from mathrag.language.word_classes import word_class, word_pairs
from mathrag.reason.direct.documents.asked import Asked, Selector
from mathrag.reason.direct.documents.front import affiliations, key_words, printed_authors, printed_date, printed_venue
from mathrag.reason.direct.documents.grids import grid_of
from mathrag.reason.direct.documents.numbered import Captioned, is_printed, numbered, outline, section_number
from mathrag.reason.direct.documents.seams import DocumentParts, Found, Looked, Source, Unclear
from mathrag.reason.direct.documents.which import shown_name
from mathrag.reason.direct.documents.words import Word, keys_of
from mathrag.retrieve.document_parts import DocumentCard, ReferencePart, SectionPart
from mathrag.types.document import Place

_LONGEST_QUOTE, _MOST_LISTED = 3_000, 60
_CITATION = re.compile(r"(?<!\w)\[(\d{1,3}(?:\s?[,;–-]\s?\d{1,3}){0,12})\]")
_SPAN = re.compile(r"(\d{1,3})(?:\s?[–-]\s?(\d{1,3}))?")
_LONGEST_SPAN = 30
_DATED_ENTRY = re.compile(r"[^\W\d_]\.\s?,?\s\((?:19|20)\d\d[a-z]?\)[.:,]")
_COUNTED = ("page", "section", "subsection", "table", "figure", "reference", "equation", "author", "row", "column")
_NAMES = {"table": "Table", "figure": "Figure", "section": "Section", "equation": "Equation", "reference": "Reference"}


@dataclass(frozen=True, slots=True)
class Desk:
    """One document on the desk of whoever looks something up: its card, its parts, the question."""

    asked: Asked
    card: DocumentCard
    parts: DocumentParts

    @property
    def name(self) -> str:
        """What the document is called for people."""
        return shown_name(self.card)


Rule: TypeAlias = Callable[[Desk], Looked]


def look_up_fact(desk: Desk) -> Looked:
    """What the first rule says that takes the question; None where none does."""
    for rule in _RULES:
        found = rule(desk)
        if found is not None:
            return found
    return None


# ---- what a document is


def _title(desk: Desk) -> Looked:
    asked = desk.asked
    if asked.selectors or asked.is_counting or not asked.has("documents.title") or asked.left("documents.title"):
        return None
    if not asked.used and not any(word.lower.startswith("title") for word in asked.words):
        return None
    if not desk.card.title:
        return Unclear(f"no title was read in {desk.card.name}")
    return Found(
        f"The title is “{desk.card.title}”.", desk.card.title, (Source(_first(desk), desk.card.title, "title"),)
    )


def _authors(desk: Desk) -> Looked:
    asked = desk.asked
    is_who = any(word.lower in ("who", "whom", "whose") for word in asked.words)
    is_named = any(word.lower in ("author", "authors", "coauthors") for word in asked.words)
    if asked.selectors or asked.is_counting or not asked.has("documents.authors") or not (is_who or is_named):
        return None
    if asked.left("documents.authors", "documents.first", "documents.published"):
        return None
    people = printed_authors(desk.parts, desk.card)
    if not people:
        return Unclear(f"no authors were read in {desk.name}")
    first = [word.lower for word in asked.words if word.lower in word_pairs("documents.first")]
    source = (Source(_first(desk), ", ".join(people), "authors"),)
    if first:
        place = int(word_pairs("documents.first")[first[0]])
        place = place - 1 if place > 0 else place + len(people)
        if len(first) > 1 or not 0 <= place < len(people):
            return Unclear(f"{desk.name} has {len(people)} authors: {', '.join(people)}")
        return Found(f"The {first[0]} author of {desk.name} is {people[place]}.", people[place], source)
    return Found(f"{desk.name} is by {', '.join(people)}.", ", ".join(people), source)


def _year(desk: Desk) -> Looked:
    asked = desk.asked
    if asked.selectors or asked.is_counting or not asked.has("documents.year"):
        return None
    # "What year is it" asks for today's.
    if asked.left("documents.year", "documents.published", "documents.steps") or not (
        asked.used or asked.has("documents.published")
    ):
        return None
    steps = [word.lower for word in asked.words if word.lower in word_class("documents.steps")]
    if steps:
        date = printed_date(desk.parts, desk.card, steps[0])
        if not date:
            return Unclear(f"when {desk.name} was {steps[0]} was not read in it")
        return Found(f"{desk.name} was {steps[0]} on {date}.", date, (Source(_first(desk), date, steps[0]),))
    if desk.card.year is None:
        return Unclear(f"no year was read in {desk.name}")
    return Found(
        f"{desk.name} is of {desk.card.year}.", str(desk.card.year), (Source(_first(desk), desk.card.title, "year"),)
    )


def _venue(desk: Desk) -> Looked:
    asked = desk.asked
    is_where = any(word.lower == "where" for word in asked.words) and asked.has("documents.published")
    if asked.selectors or asked.is_counting or not (asked.has("documents.venue") or is_where):
        return None
    if asked.left("documents.venue", "documents.published"):
        return None
    venue = printed_venue(desk.parts, desk.card)
    if not venue:
        return Unclear(f"where {desk.name} was published was not read in it")
    source = (Source(_first(desk), desk.card.venue or venue, "venue"),)
    return Found(f"{desk.name} was published in {venue}.", venue, source)


def _keywords(desk: Desk) -> Looked:
    asked = desk.asked
    if asked.selectors or asked.is_counting or not asked.has("documents.keywords"):
        return None
    if asked.left("documents.keywords"):
        return None
    said = key_words(desk.parts, desk.card)
    if not said:
        return Unclear(f"no key words were read in {desk.name}")
    return Found(f"The key words of {desk.name}: {said}", said, (Source(_first(desk), said, "key words"),))


def _affiliation(desk: Desk) -> Looked:
    asked = desk.asked
    if asked.selectors or asked.is_counting or not asked.has("documents.affiliation"):
        return None
    if asked.left("documents.affiliation", "documents.authors", "documents.published"):
        return None
    said = affiliations(desk.parts, desk.card)
    if not said:
        return Unclear(f"where the authors of {desk.name} work was not read in it")
    return Found(f"{desk.name} gives for its authors: {said}", said, (Source(_first(desk), said, "affiliations"),))


_FACT_CLASSES = (
    "documents.title",
    "documents.authors",
    "documents.year",
    "documents.venue",
    "documents.keywords",
    "documents.affiliation",
)


def _single(desk: Desk, name: str, named: Sequence[str]) -> Looked:
    """One of several facts that are asked for: the words for the others are accounted for."""
    asked = desk.asked
    others = [
        place
        for place in asked.open_places()
        if any(asked.words[place].lower in word_class(each) for each in named if each != name)
    ]
    alone = Desk(asked.using(others), desk.card, desk.parts)
    return next((found for rule in _SINGLE if (found := rule(alone)) is not None), None)


def _facts_named(asked: Asked) -> list[str]:
    is_where = any(word.lower == "where" for word in asked.words) and asked.has("documents.published")
    return [each for each in _FACT_CLASSES if asked.has(each) or (is_where and each == "documents.venue")]


def _several(desk: Desk) -> Looked:
    """Several facts that are asked for in one: "the journal and the year"."""
    asked = desk.asked
    named = _facts_named(asked)
    if len(named) < 2 or asked.selectors or asked.is_counting or "and" not in asked.text.casefold().split():
        return None
    if asked.left(*named, "documents.first", "documents.published"):
        return None
    answers = [_single(desk, name, named) for name in named]
    sure = [each for each in answers if isinstance(each, Found)]
    if not sure or None in answers:
        return None
    not_read = [f"{each.reason[0].upper()}{each.reason[1:]}." for each in answers if isinstance(each, Unclear)]
    return Found(
        " ".join([*(each.text for each in sure), *not_read]),
        "; ".join(each.core for each in sure),
        tuple(source for each in sure for source in each.sources),
    )


def _abstract(desk: Desk) -> Looked:
    asked = desk.asked
    is_abstract = asked.has("documents.abstract")
    if asked.selectors or asked.is_counting or not (is_abstract or asked.has("documents.overview")):
        return None
    if asked.left("documents.abstract", "documents.overview") or not (asked.used or is_abstract):
        return None
    said = desk.card.abstract.strip()
    if not said:
        return Unclear(f"no abstract was read in {desk.name}")
    shown = said if len(said) <= _LONGEST_QUOTE else f"{said[: _LONGEST_QUOTE - 1]}…"
    return Found(f"The abstract of {desk.name}: “{shown}”", said, (Source(_first(desk), shown, "abstract"),))


def _first(desk: Desk) -> Place:
    return Place(page=1) if desk.card.pages else Place()


# ---- how many


def _count(desk: Desk) -> Looked:
    asked = desk.asked
    kinds = _counted_kinds(asked)
    if not kinds:
        return None
    if len(kinds) == 1 and kinds[0] in ("row", "column"):
        return _count_lines(desk, kinds[0])
    if kinds == ("subsection",) or (kinds == ("section",) and asked.selected("section")):
        return _count_subsections(desk)
    if asked.selectors or not _COUNTS.keys() >= set(kinds):
        return None
    found = [_COUNTS[kind](desk) for kind in kinds]
    sure = [each for each in found if isinstance(each, Found)]
    if len(sure) < len(found):
        return next(each for each in found if not isinstance(each, Found))
    sources = tuple(source for each in sure for source in each.sources)
    number = sure[0].number if len(sure) == 1 else ""
    return Found(" ".join(each.text for each in sure), ", ".join(each.core for each in sure), sources, number=number)


def _counted_kinds(asked: Asked) -> tuple[str, ...]:
    """The kinds of parts that a question wants counted, where it asks for nothing else."""
    first = asked.counted() or (_measured_length(asked) if _is_length(asked) else "")
    if first not in _COUNTED:
        return ()
    allowed = ("documents.parts", "documents.counted_before", "documents.published", "documents.authors")
    if asked.left(*allowed):
        return ()
    parts = word_pairs("documents.parts")
    spoken = [parts[word.lower] for word in asked.words if word.lower in parts and not _is_selected(asked, word)]
    kinds = tuple(dict.fromkeys((first, *spoken)))
    joined = any(word.lower in ("and", "or") for word in asked.words)
    return kinds if len(kinds) == 1 or joined else ()


def _is_selected(asked: Asked, word: Word) -> bool:
    return asked.words.index(word) in asked.used


def _measured_length(asked: Asked) -> str:
    """What the length of a document counts, or of its list of references."""
    parts = word_pairs("documents.parts")
    return "reference" if any(parts.get(word.lower) == "reference" for word in asked.words) else "page"


def _is_length(asked: Asked) -> bool:
    return "how long is" in asked.text.lower() and not asked.selectors


def _any(desk: Desk) -> Looked:
    """Whether a document has tables or figures at all."""
    asked = desk.asked
    kinds = {word_pairs("documents.parts").get(word.lower) for word in asked.words} - {None}
    is_yes_or_no = bool(asked.words) and asked.words[0].lower in word_class("documents.yes_or_no")
    if not is_yes_or_no or asked.selectors or len(kinds) != 1 or not kinds <= {"table", "figure"}:
        return None
    if asked.left("documents.parts") or not asked.used:
        return None
    kind = next(iter(kinds))
    assert kind is not None
    found = numbered(kind, desk.card, desk.parts)
    if found.by_number or found.bare:
        shown = found.ordered()
        count = found.count if found.by_number else None
        said = (
            f"Yes: {desk.name} has {count} {kind}{'s' * (count != 1)}." if count else f"Yes, {desk.name} has {kind}s."
        )
        return Found(said, "yes", tuple(_captioned(kind, each) for each in shown[:_MOST_LISTED]))
    if found.mentioned or not desk.parts.passages(desk.card.id):
        return Unclear(f"the text of {desk.name} speaks of {kind}s, but none was recognised")
    said = f"No {kind} was found in {desk.name}: it has no caption of one, and its text speaks of none."
    return Found(said, "no", (Source(_first(desk), desk.card.title, "document"),))


def _counted(desk: Desk, number: int, noun: str, more: str = "", sources: Sequence[Source] = ()) -> Found:
    shown = f"{number} {noun}" if number == 1 else f"{number} {_plural(noun)}"
    return Found(f"{desk.name} has {shown}{more}.", str(number), tuple(sources[:_MOST_LISTED]), number=str(number))


def _plural(noun: str) -> str:
    return noun if noun.endswith("s") else f"{noun}s"


def _count_pages(desk: Desk) -> Looked:
    if not desk.card.pages:
        return Unclear(f"{desk.card.name} is of a format without pages")
    return _counted(desk, desk.card.pages, "page", sources=[Source(Place(page=desk.card.pages), "", "last page")])


def _count_authors(desk: Desk) -> Looked:
    people = printed_authors(desk.parts, desk.card)
    if not people:
        return Unclear(f"no authors were read in {desk.name}")
    source = Source(_first(desk), ", ".join(people), "authors")
    return _counted(desk, len(people), "author", f": {', '.join(people)}", [source])


def _count_sections(desk: Desk) -> Looked:
    found = outline(desk.card, desk.parts)
    if found.last:
        seen = "; ".join(each.title for each in found.top)
        words = f" by the number of the last one; recognised were: {seen}"
        return _counted(desk, found.last, "numbered section", words, [_heading(each) for each in found.top])
    if not found.is_complete or not found.top:
        return Unclear(f"the sections of {desk.name} were not all recognised, so they cannot be counted")
    is_numbered = any(section_number(each.title) for each in found.top)
    titles = "; ".join(each.title for each in found.top)
    lower = f"; {len(found.lower)} more headings stand below them" if found.lower else ""
    beside = f"; beside them: {', '.join(each.title for each in found.beside)}" if found.beside and is_numbered else ""
    noun = "numbered section" if is_numbered else "section"
    return _counted(desk, len(found.top), noun, f": {titles}{lower}{beside}", [_heading(each) for each in found.top])


def _heading(section: SectionPart) -> Source:
    return Source(section.place, section.title, "heading")


def _count_subsections(desk: Desk) -> Looked:
    found = outline(desk.card, desk.parts)
    named = desk.asked.selected("section")
    if not found.is_complete or len(named) != 1 or named[0].is_ordinal:
        return Unclear(f"the subsections of {desk.name} cannot be counted surely; name one section by its number")
    below = [each for each in found.lower if section_number(each.title).rpartition(".")[0] == named[0].number]
    numbers = [int(section_number(each.title).rpartition(".")[2]) for each in below]
    if found.select(named[0]) is None or numbers != list(range(1, len(numbers) + 1)):
        return Unclear(f"the subsections of Section {named[0].written} of {desk.name} were not all recognised")
    titles = f": {'; '.join(each.title for each in below)}" if below else ""
    said = f"Section {named[0].written} of {desk.name} has {len(below)} subsections{titles}."
    return Found(said, str(len(below)), tuple(map(_heading, below)))


def _count_captioned(desk: Desk, kind: str) -> Looked:
    found = numbered(kind, desk.card, desk.parts)
    if found.by_number:
        if found.count is None:
            names = ", ".join(f"{kind.capitalize()} {number}" for number in found.by_number)
            return Unclear(f"the {kind}s of {desk.name} were not all recognised; found: {names}")
        listed = [_captioned(kind, each) for each in found.by_number.values()]
        return _counted(desk, found.count, kind, sources=listed)
    if is_printed(desk.card) or found.mentioned:
        if not found.bare and not found.mentioned:
            if not desk.parts.passages(desk.card.id):
                return Unclear(f"no {kind} of {desk.name} was recognised; that need not mean that there is none")
            said = f"No {kind} was found in {desk.name}: it has no caption of one, and its text speaks of none."
            return Found(said, "0", (Source(_first(desk), desk.card.title, "document"),), number="0")
        return Unclear(f"the {kind}s of {desk.name} have no captions that were read, so they cannot be counted surely")
    return _counted(desk, len(found.bare), kind, sources=[_captioned(kind, each) for each in found.bare])


def _captioned(kind: str, each: Captioned) -> Source:
    label = f"{_NAMES[kind]} {each.number.upper()}" if each.number else kind
    return Source(each.place, each.caption, label)


def _count_references(desk: Desk) -> Looked:
    found = desk.parts.references(desk.card.id)
    keys = [each.key.strip("[]. ") for each in found]
    if not found:
        return Unclear(f"no references were recognised in {desk.name}; that need not mean that there are none")
    missing = _missing_references(desk, keys, found)
    if missing:
        return Unclear(f"the references of {desk.name} were not all recognised: {len(found)} were found, {missing}")
    ends = [found[0], found[-1]] if len(found) > 1 else found
    return _counted(
        desk, len(found), "reference", sources=[Source(each.place, each.text, "reference") for each in ends]
    )


def _missing_references(desk: Desk, keys: Sequence[str], found: Sequence[ReferencePart]) -> str:
    """What speaks against a list of references being whole; empty where nothing does."""
    numbers = sorted(int(key) for key in keys if key.isdigit())
    if not numbers:
        # Without numbers, two years as they stand behind authors tell that two entries run together.
        is_torn = any(len(_DATED_ENTRY.findall(each.text)) > 1 for each in found)
        return "and some of them run together" if is_torn else ""
    gaps = sorted(set(range(1, numbers[-1] + 1)) - set(numbers))
    if gaps or len(numbers) != len(set(numbers)) or len(numbers) < len(keys):
        return f"without [{gaps[0]}]" if gaps else "not all of them under a number of their own"
    after = len(numbers) + 1
    if any(f"[{after}]" in each.text for each in found):
        return f"and [{after}] stands inside another one"
    beyond = {each for each in _cited(desk) if each >= after}
    # A number or two beyond the list may be an interval or an index; where most of the next ones are cited, they exist.
    is_cited = bool(beyond) and 2 * len(beyond) >= max(beyond) - len(numbers)
    return f"and the text cites [{max(beyond)}]" if is_cited else ""


def _cited(desk: Desk) -> frozenset[int]:
    """The numbers in brackets in the text, those of spans such as [3–6] with what lies between."""
    cited: set[int] = set()
    for passage in desk.parts.passages(desk.card.id):
        for group in _CITATION.finditer(passage.text):
            for span in _SPAN.finditer(group[1]):
                first, last = int(span[1]), int(span[2] or span[1])
                cited.update(range(first, min(last, first + _LONGEST_SPAN) + 1))
    return frozenset(cited)


def _count_equations(desk: Desk) -> Looked:
    found = desk.parts.equations(desk.card.id)
    numbers = [number_of.strip("()") for each in found if (number_of := each.number)]
    if len(numbers) > 1 or (numbers and len(found) == 1):
        if [each for each in numbers if not each.isdigit()] or sorted(map(int, numbers)) != list(
            range(1, len(numbers) + 1)
        ):
            return Unclear(f"the numbered equations of {desk.name} were not all recognised")
        listed = [Source(each.place, each.quote, f"equation {each.number}") for each in found if each.number]
        return _counted(desk, len(numbers), "numbered equation", f" ({len(found)} on lines of their own)", listed)
    if is_printed(desk.card):
        return Unclear(f"the equations of {desk.name} have no numbers that were read, so they cannot be counted surely")
    listed = [Source(each.place, each.quote, "equation") for each in found]
    return _counted(desk, len(found), "equation", " on lines of their own", listed)


def _count_lines(desk: Desk, kind: str) -> Looked:
    named = desk.asked.selected("table")
    if len(named) != 1:
        return None
    found = numbered("table", desk.card, desk.parts).select(named[0])
    if found is None or found.table is None:
        return None
    grid = grid_of(found.table)
    if grid.is_torn:
        return Unclear(f"rows or columns of Table {named[0].written} of {desk.name} run together as they were read")
    number = len(grid.columns) if kind == "column" else len(grid.rows)
    if kind == "row" and grid.has_groups:
        return Unclear(f"some rows of Table {named[0].written} are titles of others; how many count is not clear")
    below = " below its header" if kind == "row" and grid.has_header else ""
    said = f"Table {named[0].written} of {desk.name} has {number} {kind}{'s' * (number != 1)}{below}."
    return Found(said, str(number), (_captioned("table", found),))


# ---- parts by their number, and pages


def _page_of(desk: Desk) -> Looked:
    asked = desk.asked
    lowered = asked.text.lower()
    is_page = any(
        each in lowered for each in ("which page", "what page", "page number", "page of", "page is", "page does")
    )
    is_where = any(word.lower == "where" for word in asked.words[:2]) and bool(asked.selectors)
    if not (is_page or is_where) or asked.counted():
        return None
    named = [each for each in asked.selectors if each.kind in _NAMES and each.kind != "reference"]
    rest = asked.left("documents.page_of")
    if len(named) > 1 or (named and rest):
        return None
    if named:
        return _page(desk, *_part(desk, named[0].kind))
    keys = frozenset(asked.words[place].key for place in rest)
    parts = {word_pairs("documents.parts").get(asked.words[place].lower) for place in rest}
    keys -= frozenset(keys_of("section subsection chapter heading"))
    if parts & {"table", "figure"} or not keys:
        return None
    titled = [each for each in desk.parts.sections(desk.card.id) if _is_titled(each.title, keys)]
    if len(titled) > 1:
        return Unclear(f"several sections of {desk.name} are called so: {'; '.join(each.title for each in titled)}")
    return None if not titled else _page(desk, f"The section “{titled[0].title}”", titled[0].place, titled[0].title)


def _is_titled(title: str, keys: frozenset[str]) -> bool:
    number = section_number(title)
    own = frozenset(keys_of(title)) - frozenset(keys_of(number.upper())) - frozenset((number,))
    small = frozenset(each for each in own if each in word_class("grammar.function_words"))
    return own - small == keys - small and bool(own)


def _part(desk: Desk, kind: str) -> tuple[str, Place | None, str]:
    """What a numbered part is called, where it stands, and its exact words."""
    selector = desk.asked.selected(kind)[0]
    label = f"{_NAMES[kind]} {selector.written}" if not selector.is_ordinal else f"The {selector.written}"
    if kind == "section":
        section = outline(desk.card, desk.parts).select(selector)
        return (label, None, "") if section is None else (label, section.place, section.title)
    if kind == "equation":
        equations = [each for each in desk.parts.equations(desk.card.id) if each.number.strip("()") == selector.number]
        return (label, equations[0].place, equations[0].quote) if len(equations) == 1 else (label, None, "")
    if kind == "reference":
        entry = _entry(desk, selector)
        return (label, None, "") if entry is None else (label, entry.place, entry.text)
    found = numbered(kind, desk.card, desk.parts).select(selector)
    return (label, None, "") if found is None else (label, found.place, found.caption)


def _entry(desk: Desk, selector: Selector) -> ReferencePart | None:
    """The entry of the bibliography that is named by its printed number or by its place in the list."""
    listed = desk.parts.references(desk.card.id)
    if selector.is_ordinal:
        place = int(selector.number)
        return listed[place - 1 if place > 0 else place] if 0 < abs(place) <= len(listed) else None
    keyed = [each for each in listed if each.key.strip("[]. ") == selector.number]
    return keyed[0] if len(keyed) == 1 else None


def _page(desk: Desk, label: str, place: Place | None, quote: str) -> Looked:
    if place is None:
        return None
    if place.page is None:
        where = f"; it stands at {place}" if str(place) else ""
        return Unclear(f"{desk.card.name} is of a format without pages{where}")
    source = (Source(place, quote, label.removeprefix("The ")),)
    return Found(f"{label} of {desk.name} is on page {place.page}.", str(place.page), source)


def _numbered_part(desk: Desk) -> Looked:
    """The caption of a table or a figure, the title of a section, an entry of the bibliography, an equation."""
    asked = desk.asked
    named = [each for each in asked.selectors if each.kind in _NAMES]
    if len(named) != 1 or len(asked.selectors) != 1 or asked.is_counting:
        return None
    kind = named[0].kind
    allowed = {
        "section": ("documents.title", "documents.overview"),
        "reference": ("documents.authors", "documents.title"),
        "equation": ("documents.caption",),
    }
    if asked.left(*allowed.get(kind, ("documents.caption",))) or (
        asked.has("documents.page_of") and not asked.has("documents.caption")
    ):
        return None
    label, place, quote = _part(desk, kind)
    if place is None:
        return None
    if not quote:
        return Unclear(f"{label} of {desk.name} has no caption that was read")
    said = {"section": f"{label} of {desk.name} is titled “{quote}”.", "reference": f"{label} of {desk.name}: {quote}"}
    text = said.get(kind, f"{label} of {desk.name}: “{quote}”")
    return Found(text, quote, (Source(place, quote, label.removeprefix("The ")),))


def _outline(desk: Desk) -> Looked:
    """The titles of the sections, the references, as a list."""
    asked = desk.asked
    if asked.selectors or asked.is_counting:
        return None
    kinds = {word_pairs("documents.parts").get(word.lower) for word in asked.words} - {None}
    is_outline = asked.has("documents.outline") or "table of contents" in asked.text.lower()
    if not (kinds == {"section"} or is_outline) or asked.left(
        "documents.outline", "documents.parts", "documents.title"
    ):
        return None
    if is_outline and kinds - {"section", "table"}:
        return None
    found = outline(desk.card, desk.parts)
    if not found.top or not found.is_complete:
        return Unclear(f"the sections of {desk.name} were not all recognised")
    shown = [each.title for each in found.top][:_MOST_LISTED]
    return Found(
        f"The sections of {desk.name}: {'; '.join(shown)}.",
        "; ".join(shown),
        tuple(map(_heading, found.top[:_MOST_LISTED])),
    )


def _part_about(desk: Desk) -> Looked:
    """Which figure or table has a caption that speaks of something, which section a title."""
    asked = desk.asked
    words = [word.lower for word in asked.words]
    parts = word_pairs("documents.parts")
    asking = [parts.get(b) for a, b in pairwise(words) if a in ("which", "what")]
    kind = next((each for each in asking if each in ("table", "figure", "section")), None)
    if kind is None or asked.selectors or asked.is_counting:
        return None
    rest = asked.left("documents.caption", "documents.parts", "documents.which_document")
    listed = _about(desk, kind, frozenset(asked.words[place].key for place in rest))
    if not listed:
        return None
    if len(listed) > 1:
        names = ", ".join(label for label, _, _ in listed)
        return Unclear(f"several {kind}s of {desk.name} speak of “{asked.said(rest)}”: {names}")
    label, quote, place = listed[0]
    return Found(f"{label} of {desk.name}: “{quote}”", label, (Source(place, quote, label),))


def _about(desk: Desk, kind: str, keys: frozenset[str]) -> list[tuple[str, str, Place]]:
    """The parts of a kind whose caption or title has all the words: what they are called, those words, the place."""
    if not keys:
        return []
    if kind == "section":
        titled = [each for each in desk.parts.sections(desk.card.id) if keys <= frozenset(keys_of(each.title))]
        return [(f"Section {section_number(each.title)}".strip(), each.title, each.place) for each in titled]
    found = numbered(kind, desk.card, desk.parts).ordered()
    spoken = [each for each in found if keys <= frozenset(keys_of(each.caption))]
    return [(f"{_NAMES[kind]} {each.number}".strip(), each.caption, each.place) for each in spoken]


_COUNTS: dict[str, Rule] = {
    "page": _count_pages,
    "section": _count_sections,
    "table": lambda desk: _count_captioned(desk, "table"),
    "figure": lambda desk: _count_captioned(desk, "figure"),
    "reference": _count_references,
    "equation": _count_equations,
    "author": _count_authors,
}
_SINGLE: tuple[Rule, ...] = (_title, _authors, _year, _venue, _keywords, _affiliation)
_RULES: tuple[Rule, ...] = (
    _several,
    _count,
    _any,
    _page_of,
    _title,
    _authors,
    _year,
    _venue,
    _keywords,
    _affiliation,
    _abstract,
    _outline,
    _numbered_part,
    _part_about,
)
