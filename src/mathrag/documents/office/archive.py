"""Office files and e-books as what they are, ZIP archives: members by name, refused where they are bombs or lies.

Only members that someone asks for are decompressed, never to a file, and an archive inside is never opened.
"""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from lxml import etree

from mathrag.documents.seams import ReadingLimits, Source
from mathrag.errors import DocumentError

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED_PACKAGE = "EncryptedPackage".encode("utf-16-le")
# Books with a picture on every page have 5,000.
_MOST_MEMBERS = 20_000
# Text compresses well, but no document of this size compresses so well.
_LARGE_MEMBER = 8 * 1024 * 1024
_HIGHEST_RATIO = 150
_EXPANSION = 8
_CHUNK = 1 << 18
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, ValueError, RuntimeError)


@dataclass(slots=True)
class Archive:
    """An open archive. `budget` is how many bytes may still be decompressed."""

    members: dict[str, zipfile.ZipInfo]
    budget: int
    _file: zipfile.ZipFile
    _what: str = field(default="file")

    def __contains__(self, name: object) -> bool:
        return name in self.members

    def read(self, name: str) -> bytes:
        """The bytes of a member. Raises `DocumentError` where it is missing, broken or larger than allowed."""
        member = self.members.get(name)
        if member is None:
            raise DocumentError("broken", f"the {self._what} has no part {name}; it is damaged or of another kind")
        parts: list[bytes] = []
        try:
            with self._file.open(member) as stream:
                while chunk := stream.read(_CHUNK):
                    self.budget -= len(chunk)
                    if self.budget < 0:
                        raise _bomb("its parts are larger together than any document needs")
                    parts.append(chunk)
        except _BROKEN as error:
            raise DocumentError("broken", f"the part {name} cannot be decompressed: {error}; save it again") from error
        return b"".join(parts)


@contextmanager
def open_archive(source: Source, *, what: str) -> Iterator[Archive]:
    """The archive of a document, checked before anything is decompressed. `what` names the kind for people."""
    if source.data.startswith(_OLE):
        raise _ole_refusal(source.data, what)
    try:
        file = zipfile.ZipFile(io.BytesIO(source.data))
    except (*_BROKEN, struct.error, OverflowError) as error:
        raise DocumentError(
            "broken", f"this {what} is no whole ZIP archive ({error}); fetch or save it again"
        ) from error
    with file:
        yield Archive(_checked(file, source.limits, what), _EXPANSION * source.limits.bytes, file, what)


def _ole_refusal(data: bytes, what: str) -> DocumentError:
    if _ENCRYPTED_PACKAGE in data:
        return DocumentError(
            "encrypted", f"this {what} is protected by a password; save a copy without it and give that"
        )
    return DocumentError(
        "broken", f"this is no {what} but an office file of the old kind; save it as .docx, .xlsx or .odt first"
    )


def _checked(file: zipfile.ZipFile, limits: ReadingLimits, what: str) -> dict[str, zipfile.ZipInfo]:
    """The members by name, the first of several of one name; raises where sizes or places cannot be honest."""
    members = file.infolist()
    if len(members) > _MOST_MEMBERS:
        raise _bomb(f"it has {len(members):,} parts")
    total = 0
    reached = 0
    for member in sorted(members, key=lambda each: each.header_offset):
        if member.header_offset < reached:
            raise _bomb("its parts overlap")
        reached = member.header_offset + member.compress_size
        total += member.file_size
        if member.file_size > _LARGE_MEMBER and member.file_size > _HIGHEST_RATIO * max(member.compress_size, 1):
            raise _bomb(f"{member.filename[:80]} grows more than {_HIGHEST_RATIO}-fold when decompressed")
    if total > _EXPANSION * limits.bytes:
        raise _bomb(f"it holds {total:,} bytes when decompressed")
    if any(member.flag_bits & 1 for member in members):
        raise DocumentError(
            "encrypted", f"this {what} is protected by a password; save a copy without it and give that"
        )
    found: dict[str, zipfile.ZipInfo] = {}
    for member in members:
        if _is_plain_name(member.filename):
            found.setdefault(member.filename, member)
    return found


def _is_plain_name(name: str) -> bool:
    """Names that leave the archive are of no use to anyone honest; such members do not exist for us."""
    return not name.startswith(("/", "\\")) and ".." not in name.replace("\\", "/").split("/") and ":" not in name[:2]


def _bomb(detail: str) -> DocumentError:
    return DocumentError("too_large", f"the archive is not opened because {detail}; split the document")


# The XML parts of office files, parsed without trust: no entities, nothing loaded, depth and size capped.

# lxml has no types of its own.
Element: TypeAlias = Any

# A thousand pages with a formula in every line have a million; each takes 200 bytes and more in memory.
_MOST_ELEMENTS = 3_000_000
_ENCODING = re.compile(rb"<\?xml[^>]{0,200}?encoding\s{0,9}=\s{0,9}[\"']([\w.:-]{1,40})", re.IGNORECASE)
_ENCODINGS = frozenset((b"utf-8", b"utf8", b"utf-16", b"us-ascii", b"ascii", b"iso-8859-1", b"windows-1252"))
_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")


def parse_part(data: bytes, *, name: str, limits: ReadingLimits, writer: str = "office program") -> Element:
    """The root of a part. Raises `DocumentError` for broken XML and for anything that declares entities.

    `writer` is what such parts are written with, for people.
    """
    _refuse_declarations(data, name, writer)
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


def _refuse_declarations(data: bytes, name: str, writer: str) -> None:
    """Entities are refused by their bytes, before any parser meets them; so the bytes must be of an honest encoding."""
    head = data[:1000].replace(b"\x00", b"")
    for mark in _MARKS:
        head = head.removeprefix(mark)
    encoding = _ENCODING.match(head.lstrip())
    is_known = encoding is None or encoding.group(1).lower() in _ENCODINGS
    if not head.lstrip().startswith(b"<") or not is_known:
        raise DocumentError("syntax", f"{name} is no XML in an encoding that an {writer} writes; save it again")
    plain = data.replace(b"\x00", b"") if b"\x00" in data else data
    if b"<!ENTITY" in plain:
        reason = f"{name} declares entities of its own, which no {writer} does; it is not read"
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


def drop(element: Element) -> None:
    """Takes an element out of its tree, with all it holds and the words after it."""
    # Emptied first: to take out an element with thousands of others in it takes the square of their number.
    element.clear()
    parent = element.getparent()
    if parent is not None:
        parent.remove(element)
