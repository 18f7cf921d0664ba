"""Bytes of a web page to characters, with the encoding the page itself names. Fetches nothing, parses nothing."""

from __future__ import annotations

import re

from mathrag.documents.decoding import DecodedText, decode, normalise_lines
from mathrag.documents.reader import Source
from mathrag.errors import DocumentError
from mathrag.types.document import Place, ReaderNote

# A declaration stands near the start or nowhere; browsers look at the first 1,024 bytes, old editors wrote more before.
_SEARCHED = 8_192
_DECLARED = re.compile(
    rb"""<\?xml[^>]{0,200}?encoding\s{0,9}=\s{0,9}["']([A-Za-z0-9_.:-]{2,40})"""
    rb"""|<meta[^>]{0,400}?charset\s{0,9}=\s{0,9}["']?\s{0,9}([A-Za-z0-9_.:-]{2,40})""",
    re.IGNORECASE,
)
# Pages that say Latin-1 mean Windows-1252: every browser reads them so.
_CODECS = {
    **dict.fromkeys(("iso-8859-1", "iso8859-1", "latin1", "latin-1", "us-ascii", "ascii", "cp1252"), "cp1252"),
    **{f"iso-8859-{part}": f"iso8859-{part}" for part in (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16)},
    **{f"windows-125{digit}": f"cp125{digit}" for digit in range(9)},
    **{f"cp125{digit}": f"cp125{digit}" for digit in range(9)},
    **{name: name for name in ("koi8-r", "koi8-u", "gb18030", "big5", "euc-jp", "euc-kr", "iso-2022-jp", "cp866")},
    **dict.fromkeys(("gb2312", "gbk", "x-gbk"), "gb18030"),
    **dict.fromkeys(("shift_jis", "shift-jis", "sjis", "x-sjis", "windows-31j"), "cp932"),
    **dict.fromkeys(("macintosh", "mac", "x-mac-roman"), "mac-roman"),
}
_SEVEN_BIT = frozenset(("iso-2022-jp",))


def decode_page(source: Source) -> DecodedText:
    """The characters of a page. Valid UTF-8 is read so whatever it claims; else what it claims; else a guess."""
    wide = _wide_encoding(source.data)
    if wide:
        return _decode_wide(source, wide)
    declared = _declared(source.data)
    if declared in _SEVEN_BIT and b"\x1b" in source.data:
        return _decode_as(source, declared)
    decoded = decode(source)
    if decoded.encoding.startswith("utf") or not declared:
        return decoded
    return _decode_as(source, declared)


def _declared(data: bytes) -> str:
    found = _DECLARED.search(data[:_SEARCHED])
    if found is None:
        return ""
    name = (found.group(1) or found.group(2)).decode("ascii").lower()
    return _CODECS.get(name, "")


def _decode_as(source: Source, encoding: str) -> DecodedText:
    text = source.data.decode(encoding, "replace")
    lost = text.count("\ufffd")
    notes: tuple[ReaderNote, ...] = ()
    if lost:
        line = text.count("\n", 0, text.index("\ufffd")) + 1
        message = f"{lost:,} characters do not fit the encoding the page names and are lost"
        notes = (ReaderNote("encoding", message, Place(line=line)),)
    return DecodedText(normalise_lines(text), encoding, notes)


def _wide_encoding(data: bytes) -> str:
    """UTF-16 without a mark: every second byte of the first tag is zero."""
    start = data[:64]
    if len(start) < 8 or start[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return ""
    if not any(start[1::2]) and all(start[::2]):
        return "utf-16-le"
    return "utf-16-be" if not any(start[::2]) and all(start[1::2]) else ""


def _decode_wide(source: Source, encoding: str) -> DecodedText:
    if len(source.data) > source.limits.bytes:
        return decode(source)
    try:
        text = source.data.decode(encoding)
    except UnicodeDecodeError as error:
        raise DocumentError(
            "encoding", f"{source.name} looks like UTF-16 but byte {error.start:,} does not fit; save it as UTF-8"
        ) from error
    return DecodedText(normalise_lines(text), encoding)
