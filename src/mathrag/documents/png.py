"""Pixels as a PNG file. Writes only what we drew or cut out; reads nothing."""

from __future__ import annotations

import struct
import zlib

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_RGB, _GREY = 2, 0


def encode_png(width: int, height: int, rgb: bytes) -> bytes:
    """Rows of RGB, three bytes a pixel, as a PNG."""
    if len(rgb) != 3 * width * height:
        raise ValueError(f"{width} x {height} pixels need {3 * width * height} bytes, not {len(rgb)}")
    stride = 3 * width
    # Every row begins with its filter; 0 means none.
    rows = b"".join(b"\0" + rgb[start : start + stride] for start in range(0, len(rgb), stride))
    return _file(struct.pack(">IIBBBBB", width, height, 8, _RGB, 0, 0, 0), zlib.compress(rows, 6))


def encode_grey_png(width: int, height: int, rows: bytes) -> bytes:
    """Rows of greys as a PNG: each a filter byte, then two pixels a byte (sixteen levels)."""
    if len(rows) != height * (1 + (width + 1) // 2):
        raise ValueError(f"{width} x {height} pixels in sixteen greys do not take {len(rows)} bytes")
    return _file(struct.pack(">IIBBBBB", width, height, 4, _GREY, 0, 0, 0), zlib.compress(rows, 9))


def _file(header: bytes, pixels: bytes) -> bytes:
    parts = ((b"IHDR", header), (b"IDAT", pixels), (b"IEND", b""))
    return _SIGNATURE + b"".join(_chunk(name, data) for name, data in parts)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
