"""Office files and e-books as what they are, ZIP archives: members by name, refused where they are bombs or lies.

Only members that someone asks for are decompressed, never to a file, and an archive inside is never opened.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from mathrag.documents.reader import ReadingLimits, Source
from mathrag.errors import DocumentError

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED_PACKAGE = "EncryptedPackage".encode("utf-16-le")
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
        "broken", f"this is no {what} but an office file of the old kind; save it as .docx or .odt first"
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
