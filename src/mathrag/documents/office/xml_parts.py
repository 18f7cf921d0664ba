"""The XML parts of office files, parsed without trust: no entities, nothing loaded, depth and size capped."""

from __future__ import annotations

import io
import re
from typing import Any, TypeAlias

from lxml import etree

from mathrag.documents.reader import ReadingLimits
from mathrag.errors import DocumentError

# lxml has no types of its own.
Element: TypeAlias = Any

_MOST_ELEMENTS = 3_000_000
_ENCODING = re.compile(rb"<\?xml[^>]{0,200}?encoding\s{0,9}=\s{0,9}[\"']([\w.:-]{1,40})", re.IGNORECASE)
_ENCODINGS = frozenset((b"utf-8", b"utf8", b"utf-16", b"us-ascii", b"ascii", b"iso-8859-1", b"windows-1252"))
_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")


def parse_part(data: bytes, *, name: str, limits: ReadingLimits) -> Element:
    """The root of a part. Raises `DocumentError` for broken XML and for anything that declares entities."""
    _refuse_declarations(data, name)
    count = depth = 0
    context = etree.iterparse(
        io.BytesIO(data), events=("start", "end"), resolve_entities=False, no_network=True, load_dtd=False,
        remove_comments=True, remove_pis=True,
    )  # fmt: skip
    try:
        for event, _element in context:
            if event == "end":
                depth -= 1
                continue
            count += 1
            depth += 1
            if depth > limits.depth:
                raise DocumentError("too_large", f"{name} is nested more than {depth - 1} deep; simplify it")
            if count > _MOST_ELEMENTS:
                raise DocumentError(
                    "too_large", f"{name} has more than {_MOST_ELEMENTS:,} elements; split the document"
                )
    except etree.XMLSyntaxError as error:
        if "depth" in str(error.msg):
            raise DocumentError("too_large", f"{name} is nested too deeply; simplify it") from error
        raise DocumentError("syntax", f"{name} is no proper XML: {error.msg}; save the document again") from error
    if context.root is None:
        raise DocumentError("syntax", f"{name} is empty; save the document again")
    return context.root


def _refuse_declarations(data: bytes, name: str) -> None:
    """Entities are refused by their bytes, before any parser meets them; so the bytes must be of an honest encoding."""
    head = data[:1000].replace(b"\x00", b"")
    for mark in _MARKS:
        head = head.removeprefix(mark)
    encoding = _ENCODING.match(head.lstrip())
    is_known = encoding is None or encoding.group(1).lower() in _ENCODINGS
    if not head.lstrip().startswith(b"<") or not is_known:
        raise DocumentError("syntax", f"{name} is no XML in an encoding that office programs write; save it again")
    plain = data.replace(b"\x00", b"") if b"\x00" in data else data
    if b"<!ENTITY" in plain:
        reason = f"{name} declares entities of its own, which no office program does; it is not read"
        raise DocumentError("unsafe", reason)


def serialised(root: Element) -> bytes:
    """A part as bytes again."""
    data: bytes = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
    return data


def local_name(element: Element) -> str:
    """The name without its namespace; empty for comments and the like."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def attribute(element: Element, name: str) -> str:
    """An attribute by its local name, whatever its namespace; empty where there is none."""
    for key, value in element.attrib.items():
        if key == name or key.endswith(f"}}{name}"):
            return str(value)
    return ""
