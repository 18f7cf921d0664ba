"""Writes PDF files byte by byte, right or wrong as asked. Knows the syntax of the format and nothing of its readers."""

from __future__ import annotations

import hashlib
import zlib
from dataclasses import dataclass, field

HEADER = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"
PADDING = bytes.fromhex("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a")
FONT = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
WORDS = ("The kinetic energy of a body depends on its mass and its speed.", "A body at rest has none of it.")


def stream(data: bytes, *, extra: bytes = b"", length: int | None = None) -> bytes:
    """A stream object's body; `length` lies about how long it is."""
    told = len(data) if length is None else length
    return b"<<%s/Length %d>>stream\n%s\nendstream" % (extra, told, data)


def packed(data: bytes) -> bytes:
    """A compressed stream object's body."""
    return stream(zlib.compress(data, 9), extra=b"/Filter/FlateDecode")


def text_content(lines: tuple[str, ...] = WORDS, *, size: float = 12, before: bytes = b"") -> bytes:
    """Content that prints lines of text with the font /F1."""
    shown = b"".join(b"(%s) Tj T*\n" % line.encode("latin-1") for line in lines)
    return before + b"BT /F1 %g Tf 16 TL 72 700 Td\n%sET\n" % (size, shown)


def many_pages(count: int) -> list[bytes]:
    """Contents of pages that differ in their words, so that none is taken for the head of all."""
    return [text_content((f"Part {index} of the text is about body {index * 7}.", *WORDS)) for index in range(count)]


@dataclass
class Pdf:
    """Numbered objects and a trailer; `add` gives the number."""

    objects: dict[int, bytes] = field(default_factory=dict)
    root: int = 1
    trailer: bytes = b""
    highest: int = 0

    def add(self, body: bytes, number: int | None = None) -> int:
        number = number if number is not None else self.highest + 1
        self.objects[number] = body
        self.highest = max(self.highest, number)
        return number

    def to_bytes(self, *, header: bytes = HEADER, shift: int = 0) -> bytes:
        """The file. `shift` puts every offset of its table wrong."""
        return self._written(header, shift)[0]

    def _written(self, header: bytes, shift: int) -> tuple[bytes, int]:
        parts, offsets, position = [header], {}, len(header)
        for number, body in sorted(self.objects.items()):
            offsets[number] = position
            parts.append(b"%d 0 obj\n%s\nendobj\n" % (number, body))
            position += len(parts[-1])
        size = max(self.objects, default=0) + 1
        rows = [b"0000000000 65535 f \n"]
        rows += [
            b"%010d 00000 n \n" % (offsets[number] + shift) if number in offsets else b"0000000000 00000 f \n"
            for number in range(1, size)
        ]
        parts.append(b"xref\n0 %d\n%s" % (size, b"".join(rows)))
        parts.append(
            b"trailer\n<</Size %d/Root %d 0 R%s>>\nstartxref\n%d\n%%%%EOF\n" % (size, self.root, self.trailer, position)
        )
        return b"".join(parts), position


def document(
    *contents: bytes,
    page: bytes = b"/MediaBox[0 0 612 792]",
    resources: bytes = b"/Font<</F1 3 0 R>>",
    catalog: bytes = b"",
    objects: dict[int, bytes] | None = None,
) -> Pdf:
    """A sound document with a page for each content; 1 is the catalog, 2 the page tree, 3 the font."""
    pdf = Pdf()
    pdf.add(b"<</Type/Catalog/Pages 2 0 R%s>>" % catalog)
    pdf.add(b"")
    pdf.add(FONT)
    for number, body in (objects or {}).items():
        pdf.add(body, number)
    pages = []
    for content in contents or (text_content(),):
        body = content if b"endstream" in content[-12:] else stream(content)
        number = pdf.add(body)
        pages.append(
            pdf.add(b"<</Type/Page/Parent 2 0 R%s/Resources<<%s>>/Contents %d 0 R>>" % (page, resources, number))
        )
    kids = b" ".join(b"%d 0 R" % number for number in pages)
    pdf.objects[2] = b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(pages), kids)
    return pdf


def rc4(key: bytes, data: bytes) -> bytes:
    """The old cipher of PDF; the same for locking and unlocking."""
    state = list(range(256))
    mixed = 0
    for index in range(256):
        mixed = (mixed + state[index] + key[index % len(key)]) % 256
        state[index], state[mixed] = state[mixed], state[index]
    one = other = 0
    out = bytearray()
    for byte in data:
        one = (one + 1) % 256
        other = (other + state[one]) % 256
        state[one], state[other] = state[other], state[one]
        out.append(byte ^ state[(state[one] + state[other]) % 256])
    return bytes(out)


def encrypted(content: bytes, *, user: bytes, owner: bytes) -> bytes:
    """A document locked with the 40-bit cipher; an empty user password opens for everybody."""
    identity = hashlib.md5(b"hostile").digest()
    owner_key = hashlib.md5((owner + PADDING)[:32]).digest()[:5]
    owner_entry = rc4(owner_key, (user + PADDING)[:32])
    permissions = (-4 & 0xFFFFFFFF).to_bytes(4, "little")
    key = hashlib.md5((user + PADDING)[:32] + owner_entry + permissions + identity).digest()[:5]
    pdf = document(b"x")
    for number, body in pdf.objects.items():
        if body.endswith(b"endstream"):
            object_key = hashlib.md5(key + number.to_bytes(3, "little") + b"\0\0").digest()[:10]
            pdf.objects[number] = stream(rc4(object_key, content))
    number = pdf.add(
        b"<</Filter/Standard/V 1/R 2/O<%s>/U<%s>/P -4>>"
        % (owner_entry.hex().encode(), rc4(key, PADDING).hex().encode())
    )
    pdf.trailer = b"/Encrypt %d 0 R/ID[<%s><%s>]" % ((number, *[identity.hex().encode()] * 2))
    return pdf.to_bytes()
