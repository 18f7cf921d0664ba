"""Pixels as a PNG file. Writes only what we drew; reads nothing."""

from __future__ import annotations

import struct
import zlib

_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def encode_png(width: int, height: int, rgb: bytes) -> bytes:
    """Rows of RGB, three bytes a pixel, as a PNG."""
    if len(rgb) != 3 * width * height:
        raise ValueError(f"{width} x {height} pixels need {3 * width * height} bytes, not {len(rgb)}")
    stride = 3 * width
    # Every row begins with its filter; 0 means none.
    rows = b"".join(b"\0" + rgb[start : start + stride] for start in range(0, len(rgb), stride))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 6)), (b"IEND", b""))
    return _SIGNATURE + b"".join(_chunk(name, data) for name, data in parts)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
