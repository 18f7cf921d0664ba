"""What a Word document carries along: links, bookmarks, fields, notes, styles, lists. Reads no text.

Pandoc looks through all of them again for each thing that names one, so that a document of many takes the square of
the time. Only what the text names and what says something about it goes along, once each, and in bounded number.
"""

from __future__ import annotations

from collections.abc import Iterable

from mathrag.documents.html.tree import Node
from mathrag.documents.office.archive import Element, attribute, drop, local_name
from mathrag.documents.office.pandoc import NAME_MARK, FormulaMarks

# Documents use some dozen styles and lists, generated ones some hundred.
_MOST_STYLES = 500
_MOST_LISTS = 500
# Styles that a style is based on, one upon the other; templates have five.
_LONGEST_CHAIN = 20
# Fields in fields; tables of contents have three.
_DEEPEST_FIELD = 20
_MARKERS = frozenset(
    "bookmarkStart bookmarkEnd commentRangeStart commentRangeEnd commentReference proofErr permStart permEnd".split()
)
_TARGETS = ("id", "anchor", "tooltip", "docLocation")
_NOTES = frozenset(("footnoteReference", "endnoteReference"))


def lighten(root: Element, marks: FormulaMarks, *, headings: frozenset[str]) -> None:
    """In place: links without targets, no bookmarks, only closed fields, each note where it is named first.

    `headings` are the names of styles for headings: pandoc compares each heading with all of the same words, so each
    gets a mark of its own.
    """
    for element in [each for each in root.iter() if local_name(each) in _MARKERS]:
        drop(element)
    seen: set[tuple[str, str]] = set()
    for element in list(root.iter()):
        name = local_name(element)
        if name == "hyperlink":
            for key in [key for key in element.attrib if str(key).rpartition("}")[2] in _TARGETS]:
                del element.attrib[key]
        elif name in _NOTES:
            note = (name, attribute(element, "id"))
            if note in seen:
                drop(element)
            seen.add(note)
        elif name == "p" and _style_of(element) in headings:
            _mark_heading(element, marks)
    if not _are_closed(root):
        for element in [each for each in root.iter() if local_name(each) in ("fldChar", "instrText")]:
            drop(element)


def _style_of(paragraph: Element) -> str:
    """The style that a paragraph names; empty where it names none."""
    properties = next((child for child in paragraph[:1] if local_name(child) == "pPr"), ())
    return next((attribute(each, "val") for each in properties if local_name(each) == "pStyle"), "")


def _mark_heading(paragraph: Element, marks: FormulaMarks) -> None:
    text = next((each for each in paragraph.iter() if local_name(each) == "t" and each.text), None)
    if text is not None:
        text.text = marks.add(Node(NAME_MARK)) + text.text


def _are_closed(root: Element) -> bool:
    """Whether every field ends, and none stands too deep in others."""
    depth = 0
    for element in root.iter():
        if local_name(element) == "fldChar":
            kind = attribute(element, "fldCharType")
            depth += {"begin": 1, "end": -1}.get(kind, 0)
            if not 0 <= depth <= _DEEPEST_FIELD:
                return False
    return depth == 0


def heading_styles(styles: Element) -> frozenset[str]:
    """The styles that make headings, by their own names or by what they are based on."""
    bases, names = _bases(styles), {}
    for style in styles:
        name = next((attribute(each, "val") for each in style if local_name(each) == "name"), "")
        names[attribute(style, "styleId")] = name.lower().startswith("heading")
    return frozenset(key for key in names if any(names.get(each, False) for each in _chain(key, bases)))


def _bases(styles: Element) -> dict[str, str]:
    return {
        attribute(style, "styleId"): next(
            (attribute(each, "val") for each in style if local_name(each) == "basedOn"), ""
        )
        for style in styles
    }


def _chain(key: str, bases: dict[str, str]) -> Iterable[str]:
    """A style and those it is based on, no more than are of use."""
    for _ in range(_LONGEST_CHAIN):
        if not key:
            return
        yield key
        key = bases.get(key, "")


def keep_styles(styles: Element, texts: Iterable[Element]) -> None:
    """In place: the styles that the texts name and those they are based on, no chain longer than it may be."""
    bases = _bases(styles)
    named = _values(texts, ("pStyle", "rStyle", "tblStyle"))
    kept: dict[str, None] = {}
    for key in named:
        if len(kept) < _MOST_STYLES:
            kept.update(dict.fromkeys(_chain(key, bases)))
    for style in [each for each in styles if local_name(each) == "style"]:
        key = attribute(style, "styleId")
        # What holds where nothing is named.
        if key not in kept and attribute(style, "default") not in ("1", "true", "on"):
            drop(style)
        elif bases.get(key, "") not in kept:
            for each in [each for each in style if local_name(each) == "basedOn"]:
                drop(each)


def keep_lists(numbering: Element, texts: Iterable[Element], styles: Element | None) -> None:
    """In place: the lists that the texts and the styles name, and what they are made of."""
    holders = [*texts, *([] if styles is None else [styles])]
    kept = set(list(_values(holders, ("numId",)))[:_MOST_LISTS])
    made_of: set[str] = set()
    for number in [each for each in numbering if local_name(each) == "num"]:
        if attribute(number, "numId") in kept:
            made_of.update(attribute(each, "val") for each in number if local_name(each) == "abstractNumId")
        else:
            drop(number)
    for made in [each for each in numbering if local_name(each) == "abstractNum"]:
        if attribute(made, "abstractNumId") not in made_of:
            drop(made)


def _values(holders: Iterable[Element], names: tuple[str, ...]) -> dict[str, None]:
    """What elements of these names say, in order, once each."""
    return {attribute(each, "val"): None for holder in holders for each in holder.iter() if local_name(each) in names}
