"""Pictures that lie about their size, go round in circles or unfold to gigabytes."""

from __future__ import annotations

import struct
import zlib

from hostile_files.recipe import Recipe, file

_PNG = b"\x89PNG\r\n\x1a\n"


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(width: int, height: int, data: bytes, *, depth: int = 8, colour: int = 0, before: bytes = b"") -> bytes:
    """A PNG file; `data` are its rows, packed here."""
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    packed = zlib.compress(data, 9)
    return _PNG + _chunk(b"IHDR", header) + before + _chunk(b"IDAT", packed) + _chunk(b"IEND", b"")


def _blank(side: int) -> bytes:
    return png(side, side, (b"\0" + b"\xff" * side) * side)


def _packed_twice() -> bytes:
    """A comment that unfolds to half a gigabyte."""
    return png(10, 10, b"\0" * 110, before=_chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(500_000_000), 9)))


def _jpeg(width: int, height: int) -> bytes:
    frame = struct.pack(">BHHBBBB", 8, height, width, 1, 1, 0x11, 0)
    table = b"\xff\xdb" + struct.pack(">HB", 67, 0) + b"\x01" * 64
    return b"\xff\xd8" + table + b"\xff\xc0" + struct.pack(">H", len(frame) + 2) + frame + b"\xff\xd9"


def _tiff(entries: list[tuple[int, int, int, int]], following: int) -> bytes:
    """A TIFF with one directory at 8; `following` is where the next is said to be."""
    rows = b"".join(struct.pack("<HHII", *entry) for entry in sorted(entries))
    return b"II*\0" + struct.pack("<I", 8) + struct.pack("<H", len(entries)) + rows + struct.pack("<I", following)


def _tiff_of(width: int, height: int, following: int) -> bytes:
    sizes = [(256, 4, 1, width), (257, 4, 1, height), (258, 3, 1, 8), (259, 3, 1, 1), (262, 3, 1, 1)]
    strips = [(273, 4, 1, 200), (277, 3, 1, 1), (278, 4, 1, height), (279, 4, 1, width * height % (1 << 32))]
    return _tiff([*sizes, *strips], following).ljust(200, b"\0") + b"\xff" * 64


# Without the extra for OCR each of them has that as its reason, so `either` says all there is to say.
RECIPES = (
    Recipe(
        "picture-png-bomb",
        "a PNG of 50,000 by 50,000 points in a few kilobytes",
        "reason",
        file("bomb.png", lambda: png(50_000, 50_000, bytes(313_000_000), depth=1)),
        is_slow=True,
    ),
    Recipe(
        "picture-png-lies",
        "a PNG that says it has 2,000,000,000 rows",
        "reason",
        file("lies.png", lambda: png(2_000_000_000, 2_000_000_000, b"")),
    ),
    Recipe("picture-png-no-size", "a PNG of no size", "reason", file("none.png", lambda: png(0, 0, b""))),
    Recipe("picture-png-cut", "a PNG cut in the middle", "reason", file("cut.png", lambda: _blank(400)[:200])),
    Recipe(
        "picture-png-noise",
        "noise after the first bytes of a PNG",
        "reason",
        file("noise.png", _PNG + bytes(range(256)) * 9),
    ),
    Recipe(
        "picture-png-comment",
        "a PNG whose comment unfolds to half a gigabyte",
        "either",
        file("comment.png", _packed_twice),
        is_slow=True,
    ),
    Recipe("picture-png-one-point", "a PNG of one point", "either", file("one.png", lambda: png(1, 1, b"\0\0"))),
    Recipe(
        "picture-png-line",
        "a PNG of 60,000 points by one",
        "either",
        file("line.png", lambda: png(60_000, 1, bytes(60_001))),
    ),
    Recipe("picture-png-blank", "a PNG with nothing on it", "either", file("blank.png", lambda: _blank(600))),
    Recipe(
        "picture-jpeg-lies",
        "a JPEG of 65,000 by 65,000 points without any",
        "reason",
        file("lies.jpg", lambda: _jpeg(65_000, 65_000)),
    ),
    Recipe(
        "picture-jpeg-empty", "a JPEG that ends after its head", "reason", file("empty.jpg", lambda: _jpeg(800, 600))
    ),
    Recipe(
        "picture-tiff-circle",
        "a TIFF whose second page is its first",
        "either",
        file("circle.tif", lambda: _tiff_of(8, 8, 8)),
    ),
    Recipe(
        "picture-tiff-lies",
        "a TIFF of four billion by four billion points",
        "reason",
        file("lies.tif", lambda: _tiff_of(4_000_000_000, 4_000_000_000, 0)),
    ),
    Recipe(
        "picture-tiff-entries",
        "a TIFF whose directory points at nothing",
        "reason",
        file("entries.tif", lambda: _tiff([(tag, 12, 0xFFFFFFFF, 0xFFFFFFF0) for tag in range(250, 300)], 8)),
    ),
)
