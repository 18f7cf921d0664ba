"""The fonts of one page as pdfium holds them: name, flags and, where needed, the glyph names inside the font file."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from typing import Any

import pypdfium2.raw as pdfium

from mathrag.documents.pdf.page_content import Style
from mathrag.documents.pdf.raw import quick_calls
from mathrag.documents.pdf.raw.font_names import describe_font_name, plain_font_name
from mathrag.documents.pdf.raw.font_programs import glyph_names
from mathrag.documents.pdf.raw.identities import FontIdentities

_ITALIC_FLAG, _FIXED_FLAG, _FORCE_BOLD_FLAG = 1 << 6, 1, 1 << 18
_BOLD_WEIGHT = 700
_LONGEST_NAME = 256
_LARGEST_PROGRAM = 30_000_000


@dataclass(frozen=True, slots=True)
class OpenFont:
    """A font in use on the page."""

    name: str
    identities: FontIdentities
    # Characters that are known to come from its map; others are asked about each time.
    mapped: set[int] = field(default_factory=set)


class FontShelf:
    """Fonts by the address pdfium keeps them at. Lives no longer than the page: addresses are used again."""

    def __init__(self) -> None:
        self._fonts: dict[int, OpenFont] = {}

    def font_of(self, text_object: int) -> OpenFont | None:
        """The font of the text object at an address."""
        address = quick_calls.font_of(text_object)
        if not address:
            return None
        font = self._fonts.get(address)
        if font is None:
            font = self._fonts[address] = _open_font(ctypes.cast(address, pdfium.FPDF_FONT))
        return font


def _open_font(handle: Any) -> OpenFont:
    buffer = ctypes.create_string_buffer(_LONGEST_NAME)
    length = pdfium.FPDFFont_GetBaseFontName(handle, buffer, _LONGEST_NAME)
    name = plain_font_name(buffer.value.decode("utf-8", "replace") if 0 < length <= _LONGEST_NAME else "")
    named = describe_font_name(name)
    flags = max(0, pdfium.FPDFFont_GetFlags(handle))
    is_bold, style = named.is_bold, named.style
    if not named.table and not named.is_math:
        is_bold = is_bold or bool(flags & _FORCE_BOLD_FLAG) or pdfium.FPDFFont_GetWeight(handle) >= _BOLD_WEIGHT
        style = _flagged_style(style, flags)
    return OpenFont(name, FontIdentities(named, is_bold, style, lambda: glyph_names(_program(handle))))


def _program(handle: Any) -> bytes:
    """The embedded font program; nothing for a font that is not embedded or absurdly large."""
    size = ctypes.c_size_t()
    if not pdfium.FPDFFont_GetIsEmbedded(handle) or not pdfium.FPDFFont_GetFontData(
        handle, None, 0, ctypes.byref(size)
    ):
        return b""
    if not 0 < size.value <= _LARGEST_PROGRAM:
        return b""
    buffer = (ctypes.c_uint8 * size.value)()
    pdfium.FPDFFont_GetFontData(handle, buffer, size.value, ctypes.byref(size))
    return bytes(buffer)


def _flagged_style(style: Style, flags: int) -> Style:
    if flags & _ITALIC_FLAG and style in ("upright", "sans"):
        return "italic"
    return "mono" if flags & _FIXED_FLAG and style == "upright" else style
