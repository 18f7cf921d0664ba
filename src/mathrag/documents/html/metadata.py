"""What a page says about itself: title, authors, year, abstract. From its head and the usual places of its body."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from mathrag.documents.html.nodes import Node
from mathrag.types.document import Block, Heading

_TITLES = ("citation_title", "dc.title", "dcterms.title")
_AUTHORS = ("citation_author", "dc.creator", "dcterms.creator", "author", "article:author", "parsely-author")
_DATES = (
    "citation_publication_date", "citation_date", "citation_year", "dc.date", "dcterms.date", "dcterms.issued",
    "dc.date.issued", "article:published_time", "date", "datepublished", "article:modified_time",
)  # fmt: skip
_DESCRIPTIONS = ("citation_abstract", "dc.description", "dcterms.abstract", "description", "og:description")
_ABSTRACT_CLASSES = frozenset(("abstract", "ltx_abstract", "article-abstract"))
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
_MANY_AUTHORS = re.compile(r"\s*;\s*|\s+and\s+|\s+&\s+")
_LONGEST = 10_000
_MOST_AUTHORS = 200


@dataclass(slots=True)
class Metadata:
    """What was found; empty where the page is silent."""

    title: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    abstract: str = ""
    _values: dict[str, list[str]] = field(default_factory=dict)


def read_metadata(root: Node, blocks: list[Block]) -> Metadata:
    """The metadata of a page; `blocks` give the title where the head has none."""
    values: dict[str, list[str]] = {}
    title = ""
    abstract = ""
    times: list[str] = []
    personal: list[str] = []
    for node in root.descendants():
        if node.name == "meta":
            name = (node.attribute("name") or node.attribute("property") or node.attribute("itemprop")).lower()
            content = _clean(node.attribute("content"))
            if name and content and len(values.setdefault(name, [])) < _MOST_AUTHORS:
                values[name].append(content)
        elif node.name == "title" and not title and not _is_in_drawing(node):
            title = _clean(node.text())
        elif node.name == "time" and len(times) < 3:
            times.append(node.attribute("datetime") or _clean(node.text()))
        elif "class" in node.attributes and not abstract and not _ABSTRACT_CLASSES.isdisjoint(node.classes):
            abstract = re.sub(r"^abstract\b[\s.:—-]*", "", _clean(node.text()), flags=re.IGNORECASE)
        elif len(personal) < _MOST_AUTHORS and node.has_class("ltx_personname", "author-name", "p-author"):
            personal.append(_clean(node.text()))
    headings = [block.quote for block in blocks if isinstance(block, Heading) and block.level == 1]
    return Metadata(
        _title(values, title, headings),
        _authors(values, personal),
        _year(values, times),
        abstract or _first(values, _DESCRIPTIONS),
    )


def _is_in_drawing(node: Node) -> bool:
    return node.parent is not None and node.parent.name not in ("head", "html", "body", "")


def _clean(text: str) -> str:
    return " ".join(text[: 4 * _LONGEST].split())[:_LONGEST]


def _first(values: dict[str, list[str]], names: tuple[str, ...]) -> str:
    return next((values[name][0] for name in names if values.get(name)), "")


def _title(values: dict[str, list[str]], title: str, headings: list[str]) -> str:
    """What a citation would say; else the title, without the name of the site where the only main heading shows it."""
    cited = _first(values, _TITLES)
    if cited:
        return cited
    if len(headings) == 1 and headings[0] and title.startswith(headings[0]):
        return headings[0]
    return title or _first(values, ("og:title", "twitter:title")) or (headings[0] if headings else "")


def _authors(values: dict[str, list[str]], personal: list[str]) -> tuple[str, ...]:
    for name in _AUTHORS:
        found = [part.strip() for value in values.get(name, ()) for part in _MANY_AUTHORS.split(value[:2_000])]
        named = [author for author in found if author and not author.startswith(("http:", "https:"))]
        if named:
            return tuple(dict.fromkeys(named))
    return tuple(dict.fromkeys(name for name in personal if name and len(name) < 100))


def _year(values: dict[str, list[str]], times: list[str]) -> int | None:
    for text in (*(value for name in _DATES for value in values.get(name, ())), *times):
        found = _YEAR.search(text[:100])
        if found:
            return int(found.group(1))
    return None
