"""Which parts of a page are its bibliography: by heading, by class, by the marks of bibliography software."""

from __future__ import annotations

import re

from mathrag.documents.html.nodes import Node

_HEADING = re.compile(
    r"(?:\d+(?:\.\d+)*\.?\s+)?(?:notes\s+and\s+|selected\s+|further\s+)?"
    r"(?:references?|bibliography|works\s+cited|literature(?:\s+cited)?|sources|citations|footnotes|endnotes|"
    r"literatur(?:verzeichnis)?|références|bibliographie|referencias|bibliografía)(?:\s+and\s+notes)?\s*:?",
    re.IGNORECASE,
)
_LIST_CLASSES = frozenset(
    "references reflist citation-list bibliography ltx_biblist ltx_bibliography footnotes csl-bib-body footnotes-list "
    "reference-list ref-list refs hanging-indent".split()
)
_ENTRY_CLASSES = frozenset("ltx_bibitem csl-entry citation bibitem reference-entry ref-item bib-entry".split())
_BRACKETED = re.compile(r"\[([^\[\]]{1,30})\]\s+")


def is_reference_heading(text: str) -> bool:
    """Whether a heading opens the bibliography."""
    return len(text) <= 60 and _HEADING.fullmatch(text.strip()) is not None


def is_reference_list(node: Node) -> bool:
    """Whether an element holds entries of a bibliography."""
    if node.attribute("role").lower() in ("doc-bibliography", "doc-endnotes") or node.attribute("id") == "refs":
        return True
    return "class" in node.attributes and not _LIST_CLASSES.isdisjoint(node.attributes["class"].lower().split())


def is_reference_entry(node: Node) -> bool:
    """Whether a block is one entry."""
    if node.attribute("role").lower() in ("doc-biblioentry", "doc-endnote"):
        return True
    if node.name not in ("li", "div", "p", "dd"):
        return False
    return "class" in node.attributes and not _ENTRY_CLASSES.isdisjoint(node.attributes["class"].lower().split())


def key_and_text(node: Node, text: str, marker: str) -> tuple[str, str]:
    """What an entry is called on the page and what it says, without signs that jump back."""
    text = re.sub(r"^\s*(?:[\^↑]\s*(?:(?:[a-z]\s+){2,9})?)|\s*(?:↩︎?|⏎|\[?↵\]?)\s*$", "", text).strip()
    bracketed = _BRACKETED.match(text)
    if bracketed:
        return bracketed.group(1), text[bracketed.end() :].strip()
    return node.attribute("id") or marker.rstrip("."), text
