"""Elements of XML as models write them, and texts as XML. Not a parser of XML: no entities are defined, nothing is
expanded, nothing is looked up.

An element goes from its tag to the one that closes it; whatever stands between is its content, so that a `<` in a
query does no harm. Raises nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mathrag.reason.agent.documents.action_parameters import Plain

DEEPEST = 8
MOST_ELEMENTS = 5_000
_OPEN = re.compile(r"<([A-Za-z_][\w.\-]{0,63})((?:\s[^<>]{0,200})?)/?>")
_SPACE = re.compile(r"(?:\s+|<!--(?:[^-]|-(?!->)){0,2000}-->|<\?[^<>]{0,200}\?>)*")
_ENTITY = re.compile(r"&(?:#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6})|(lt|gt|amp|quot|apos));")
_NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}
_KEPT = re.compile(r"""\btype\s{0,4}=\s{0,4}["']?str(?:ing)?\b""")
# Tags of the members of a list, where a model gives each its own.
_MEMBERS = frozenset(("item", "li", "element", "value", "entry", "member", "number", "list_item"))


@dataclass(frozen=True, slots=True)
class Element:
    """One element: its tag, what the tag says besides, what stands in it, and where it begins and ends."""

    tag: str
    attributes: str
    content: str
    start: int
    end: int


def element_at(text: str, place: int) -> Element | None:
    """The element whose tag opens at a place; None where none does, or it is never closed."""
    found = _OPEN.match(text, place)
    if found is None:
        return None
    tag, attributes = found.groups()
    if text[found.end() - 2] == "/":
        return Element(tag, attributes, "", place, found.end())
    depth, at = 1, found.end()
    last_data = text.rfind("]]>")
    marks = re.compile(rf"<!\[CDATA\[|<{re.escape(tag)}(?:\s[^<>]{{0,200}})?/?>|</{re.escape(tag)}\s{{0,8}}>")
    while (mark := marks.search(text, at)) is not None:
        at = mark.end()
        if mark.group().startswith("<!"):
            at = text.find("]]>", at) + 3 if at <= last_data else at
        elif not mark.group().endswith("/>"):
            depth += -1 if mark.group().startswith("</") else 1
        if depth == 0:
            return Element(tag, attributes, text[found.end() : mark.start()], place, mark.end())
    return None


def find_element(text: str, tags: Sequence[str]) -> Element | None:
    """The first element with one of these tags; None where it is never closed, whatever comes after it."""
    opening = re.compile(rf"<(?:{'|'.join(map(re.escape, tags))})(?:\s[^<>]{{0,200}})?/?>", re.IGNORECASE)
    found = opening.search(text)
    return None if found is None else element_at(text, found.start())


def elements_of(content: str) -> list[Element] | None:
    """The elements of a content that holds nothing else; None where it holds words."""
    found: list[Element] = []
    place = _after_space(content, 0)
    while place < len(content):
        element = element_at(content, place) if len(found) < MOST_ELEMENTS else None
        if element is None:
            return None
        found.append(element)
        place = _after_space(content, element.end)
    return found


def value_of(element: Element, depth: int = 0) -> str:
    """What stands in an element: words as written where the tag says so, else words that may be a value, or parts."""
    text = decoded(element.content)
    if _KEPT.search(element.attributes):
        return text
    parts = _parts(element.content, depth) if depth < DEEPEST else None
    return Plain(text.strip(), parts)


def _parts(content: str, depth: int) -> Sequence[object] | Mapping[str, object] | None:
    inner = elements_of(content) if content.lstrip()[:1] == "<" and "<![CDATA[" not in content else None
    if not inner:
        return None
    tags = [element.tag for element in inner]
    values = [value_of(element, depth + 1) for element in inner]
    if len(set(tags)) == len(tags) and not (len(tags) == 1 and tags[0].lower() in _MEMBERS):
        return dict(zip(tags, values, strict=True))
    return values if len(set(tags)) == 1 else None


def _after_space(text: str, place: int) -> int:
    found = _SPACE.match(text, place)
    return place if found is None else found.end()


def decoded(content: str) -> str:
    """The characters of a content: the five entities that every XML has, those by number, and CDATA as it is."""
    if "<![CDATA[" not in content:
        return _ENTITY.sub(_character, content)
    pieces: list[str] = []
    for number, part in enumerate(content.split("<![CDATA[")):
        kept, mark, rest = part.partition("]]>") if number else ("", "", part)
        pieces.append(kept if mark or not number else _ENTITY.sub(_character, kept))
        pieces.append(_ENTITY.sub(_character, rest))
    return "".join(pieces)


def _character(found: re.Match[str]) -> str:
    decimal, hexadecimal, name = found.groups()
    if name:
        return _NAMED[name]
    number = int(decimal) if decimal else int(hexadecimal, 16)
    is_character = number < 0x110000 and not 0xD800 <= number <= 0xDFFF
    return chr(number) if is_character else "\ufffd"


def encoded(text: str) -> str:
    """A text as the content of an element."""
    return "".join(map(_mark, text))


def _mark(character: str) -> str:
    if character in "<>&":
        return {"<": "&lt;", ">": "&gt;", "&": "&amp;"}[character]
    is_plain = character in "\n\t" or (character >= " " and not "\x7f" <= character <= "\x9f")
    return character if is_plain else f"&#{ord(character)};"
