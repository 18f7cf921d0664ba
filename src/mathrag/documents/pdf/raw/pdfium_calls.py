"""The functions of pdfium that are called for every sign, bound once with the plainest argument types. Nothing else.

The usual bindings make an object of every pointer they take or give, which costs more than the call itself.
"""

from __future__ import annotations

import ctypes
from typing import Any

import pypdfium2.raw as pdfium


def address_of(pointer: Any) -> int:
    """A pointer of the usual bindings as the number that the functions here take."""
    return ctypes.cast(pointer, ctypes.c_void_p).value or 0


def _bind(function: Any, result: Any, *arguments: Any) -> Any:
    # Without giving other threads a turn at every call: pdfium must not be used by two of them anyway.
    return ctypes.PYFUNCTYPE(result, *arguments)(address_of(function))


_POINTER, _NUMBER = ctypes.c_void_p, ctypes.c_int
_ON_SIGN = (_POINTER, _NUMBER)

unicode_of = _bind(pdfium.FPDFText_GetUnicode, ctypes.c_uint, *_ON_SIGN)
is_generated = _bind(pdfium.FPDFText_IsGenerated, _NUMBER, *_ON_SIGN)
is_hyphen = _bind(pdfium.FPDFText_IsHyphen, _NUMBER, *_ON_SIGN)
has_map_error = _bind(pdfium.FPDFText_HasUnicodeMapError, _NUMBER, *_ON_SIGN)
# The address of the text object; nothing where there is none.
text_object_of = _bind(pdfium.FPDFText_GetTextObject, _POINTER, *_ON_SIGN)
# Into two and four doubles, and into four floats: left, top, right, bottom.
origin_of = _bind(pdfium.FPDFText_GetCharOrigin, _NUMBER, *_ON_SIGN, _POINTER, _POINTER)
box_of = _bind(pdfium.FPDFText_GetCharBox, _NUMBER, *_ON_SIGN, _POINTER, _POINTER, _POINTER, _POINTER)
loose_box_of = _bind(pdfium.FPDFText_GetLooseCharBox, _NUMBER, *_ON_SIGN, _POINTER)
matrix_of = _bind(pdfium.FPDFText_GetMatrix, _NUMBER, *_ON_SIGN, _POINTER)
font_size_of = _bind(pdfium.FPDFText_GetFontSize, ctypes.c_double, *_ON_SIGN)
# On the address of a text object.
font_of = _bind(pdfium.FPDFTextObj_GetFont, _POINTER, _POINTER)
# Into four unsigned numbers: red, green, blue, alpha.
fill_colour_of = _bind(pdfium.FPDFPageObj_GetFillColor, _NUMBER, _POINTER, _POINTER, _POINTER, _POINTER, _POINTER)
stroke_colour_of = _bind(pdfium.FPDFPageObj_GetStrokeColor, _NUMBER, _POINTER, _POINTER, _POINTER, _POINTER, _POINTER)
render_mode_of = _bind(pdfium.FPDFTextObj_GetTextRenderMode, _NUMBER, _POINTER)

segment_kind = _bind(pdfium.FPDFPathSegment_GetType, _NUMBER, _POINTER)
segment_point = _bind(pdfium.FPDFPathSegment_GetPoint, _NUMBER, _POINTER, _POINTER, _POINTER)
segment_closes = _bind(pdfium.FPDFPathSegment_GetClose, _NUMBER, _POINTER)
path_segment = _bind(pdfium.FPDFPath_GetPathSegment, _POINTER, _POINTER, _NUMBER)
clip_segment = _bind(pdfium.FPDFClipPath_GetPathSegment, _POINTER, _POINTER, _NUMBER, _NUMBER)
