"""Read glyph names out of embedded font programs: Type 1, bare CFF and TrueType. Nothing else of a font is read.

The programs come from outside: every offset is checked, every count is capped, and a damaged one simply has no names.

Why not fontTools: it reads whole fonts, and here one table of names is wanted. On 284 programs out of PDF files both
found the same names, but for `ff` and `ffi` of the expert strings in five of them. For Type 1 it runs a PostScript
interpreter over the whole program: 50 ms a font instead of 0.02 ms, and a few bytes of a hostile one keep it busy for
longer than half a minute (`0 1 1000000000 {pop} for`) or take two gigabytes (`2000000000 string`). CFF takes it twice
as long, TrueType twenty times. Damaged programs raise a dozen kinds of errors, `AttributeError` and `AssertionError`
among them. And it would be 31 MB more to install, in place of the 180 lines below.
"""

from __future__ import annotations

import itertools
import re
import struct
from collections.abc import Mapping

# The standard strings of the Compact Font Format: names that fonts refer to by number instead of holding them.

# The 229 names of the ISO Adobe set in their fixed order; the later ones are expert forms that no formula uses.
STANDARD_STRINGS = tuple(
    """
.notdef space exclam quotedbl numbersign dollar percent ampersand quoteright parenleft parenright asterisk plus comma
hyphen period slash zero one two three four five six seven eight nine colon semicolon less equal greater question at A
B C D E F G H I J K L M N O P Q R S T U V W X Y Z bracketleft backslash bracketright asciicircum underscore quoteleft
a b c d e f g h i j k l m n o p q r s t u v w x y z braceleft bar braceright asciitilde exclamdown cent sterling
fraction yen florin section currency quotesingle quotedblleft guillemotleft guilsinglleft guilsinglright fi fl endash
dagger daggerdbl periodcentered paragraph bullet quotesinglbase quotedblbase quotedblright guillemotright ellipsis
perthousand questiondown grave acute circumflex tilde macron breve dotaccent dieresis ring cedilla hungarumlaut ogonek
caron emdash AE ordfeminine Lslash Oslash OE ordmasculine ae dotlessi lslash oslash oe germandbls onesuperior
logicalnot mu trademark Eth onehalf plusminus Thorn onequarter divide brokenbar degree thorn threequarters twosuperior
registered minus eth multiply threesuperior copyright Aacute Acircumflex Adieresis Agrave Aring Atilde Ccedilla Eacute
Ecircumflex Edieresis Egrave Iacute Icircumflex Idieresis Igrave Ntilde Oacute Ocircumflex Odieresis Ograve Otilde
Scaron Uacute Ucircumflex Udieresis Ugrave Yacute Ydieresis Zcaron aacute acircumflex adieresis agrave aring atilde
ccedilla eacute ecircumflex edieresis egrave iacute icircumflex idieresis igrave ntilde oacute ocircumflex odieresis
ograve otilde scaron uacute ucircumflex udieresis ugrave yacute ydieresis zcaron
""".split()
)

# A glyph has a number of 16 bits, so no sound font has more.
_MOST_GLYPHS = 70_000
# Bytes of a Type 1 program before its encrypted part, in which the encoding stands; 2 kB are usual.
_CLEAR_PART = 200_000
# Custom strings of a CFF program are numbered after the 391 standard ones, names of TrueType after the 258 of its own.
_FIRST_CFF_STRING = 391
_FIRST_TRUETYPE_NAME = 258
# No TrueType program has more tables of its own.
_MOST_TABLES = 64
# Operators of a CFF dictionary that matter here; those of two bytes count from 1200.
_CHARSET, _ENCODING, _CHARSTRINGS, _ROS = 15, 16, 17, 1230
_ENCODING_ENTRY = re.compile(rb"dup\s+(\d{1,3})\s*/([!-~]{1,60}?)\s+put")


def glyph_names(program: bytes) -> Mapping[int, str]:
    """Names by code; for TrueType and OpenType by the number of the glyph, which is the code in composite fonts."""
    try:
        if program[:2] == b"%!" or program[:2] == b"\x80\x01":
            return _type1_names(program)
        if program[:4] == b"OTTO":
            return _cff_names(_table(program, b"CFF "), by_code=False)
        if program[:4] in (b"\x00\x01\x00\x00", b"true"):
            return _truetype_names(program)
        if program[:1] == b"\x01" and len(program) > 4:
            return _cff_names(program, by_code=True)
    except (IndexError, ValueError, struct.error):
        return {}
    return {}


def _type1_names(program: bytes) -> dict[int, str]:
    end = program.find(b"eexec", 0, _CLEAR_PART)
    clear = program[: end if end > 0 else _CLEAR_PART]
    return {int(code): name.decode("ascii", "replace") for code, name in _ENCODING_ENTRY.findall(clear)}


def _table(program: bytes, tag: bytes) -> bytes:
    (count,) = struct.unpack_from(">H", program, 4)
    for number in range(min(count, _MOST_TABLES)):
        name, _, offset, length = struct.unpack_from(">4sIII", program, 12 + 16 * number)
        if name == tag:
            return program[offset : offset + length]
    return b""


def _truetype_names(program: bytes) -> dict[int, str]:
    post = _table(program, b"post")
    if len(post) < 34 or struct.unpack_from(">I", post)[0] != 0x00020000:
        return {}
    (count,) = struct.unpack_from(">H", post, 32)
    indices = struct.unpack_from(f">{count}H", post, 34)
    names: list[str] = []
    place = 34 + 2 * count
    while place < len(post) and len(names) < _MOST_GLYPHS:
        length = post[place]
        names.append(post[place + 1 : place + 1 + length].decode("ascii", "replace"))
        place += 1 + length
    # Lower numbers are the names of the Macintosh order, which every map has anyway.
    own = ((glyph, index - _FIRST_TRUETYPE_NAME) for glyph, index in enumerate(indices))
    return {glyph: names[index] for glyph, index in own if 0 <= index < len(names)}


def _cff_names(program: bytes, *, by_code: bool) -> dict[int, str]:
    _, place = _index(program, program[2])
    tops, place = _index(program, place)
    strings, _ = _index(program, place)
    top = _dictionary(tops[0])
    is_keyed_by_number = _ROS in top
    if is_keyed_by_number or _CHARSTRINGS not in top:
        return {}
    glyphs, _ = _index(program, int(top[_CHARSTRINGS][0]))
    identifiers = _charset(program, int(top.get(_CHARSET, [0])[0]), len(glyphs))
    names = [_string(identifier, strings) for identifier in identifiers]
    if not by_code:
        return dict(enumerate(names))
    codes = _encoding(program, int(top.get(_ENCODING, [0])[0]), len(glyphs))
    return {code: names[glyph] for code, glyph in codes.items() if glyph < len(names)}


def _index(program: bytes, place: int) -> tuple[list[bytes], int]:
    (count,) = struct.unpack_from(">H", program, place)
    if count == 0:
        return [], place + 2
    size = program[place + 2]
    if not 1 <= size <= 4:
        raise ValueError("an index of the font is damaged")
    first = place + 3
    offsets = [int.from_bytes(program[first + size * n : first + size * (n + 1)], "big") for n in range(count + 1)]
    data = first + size * (count + 1) - 1
    if any(later < earlier for earlier, later in itertools.pairwise(offsets)):
        raise ValueError("an index of the font is damaged")
    if data + offsets[-1] > len(program):
        raise ValueError("an index of the font is cut off")
    return [program[data + a : data + b] for a, b in itertools.pairwise(offsets)], data + offsets[-1]


def _dictionary(data: bytes) -> dict[int, list[float]]:
    """A DICT: operators to operands; two-byte operators count from 1200."""
    entries: dict[int, list[float]] = {}
    operands: list[float] = []
    place = 0
    while place < len(data):
        byte = data[place]
        place += 1
        if byte <= 21:
            operator = byte
            if byte == 12:
                operator, place = 1200 + data[place], place + 1
            entries[operator] = operands
            operands = []
        elif byte == 28:
            operands.append(struct.unpack_from(">h", data, place)[0])
            place += 2
        elif byte == 29:
            operands.append(struct.unpack_from(">i", data, place)[0])
            place += 4
        elif byte == 30:
            while data[place] & 0x0F != 0x0F and data[place] >> 4 != 0x0F:
                place += 1
            place += 1
            operands.append(0.0)
        elif byte <= 246:
            operands.append(byte - 139)
        elif byte <= 250:
            operands.append((byte - 247) * 256 + data[place] + 108)
            place += 1
        elif byte <= 254:
            operands.append(-(byte - 251) * 256 - data[place] - 108)
            place += 1
    return entries


def _charset(program: bytes, place: int, count: int) -> list[int]:
    if place <= 2:
        # The ISO Adobe charset numbers its strings in order; the expert ones hold no math.
        return list(range(count)) if place == 0 else []
    identifiers = [0]
    kind = program[place]
    place += 1
    if kind == 0:
        return identifiers + list(struct.unpack_from(f">{count - 1}H", program, place))
    while len(identifiers) < min(count, _MOST_GLYPHS):
        (first,) = struct.unpack_from(">H", program, place)
        left = program[place + 2] if kind == 1 else struct.unpack_from(">H", program, place + 2)[0]
        identifiers.extend(range(first, first + left + 1))
        place += 3 if kind == 1 else 4
    return identifiers[:count]


def _encoding(program: bytes, place: int, count: int) -> dict[int, int]:
    if place <= 1:
        return {}
    kind, entries = program[place] & 0x7F, program[place + 1]
    codes: dict[int, int] = {}
    glyph = 1
    for number in range(entries):
        if kind == 0:
            codes[program[place + 2 + number]] = glyph
            glyph += 1
            continue
        first, left = program[place + 2 + 2 * number], program[place + 3 + 2 * number]
        for code in range(first, first + left + 1):
            codes[code] = glyph
            glyph += 1
    return {code: glyph for code, glyph in codes.items() if glyph < count}


def _string(identifier: int, strings: list[bytes]) -> str:
    if identifier < len(STANDARD_STRINGS):
        return STANDARD_STRINGS[identifier]
    number = identifier - _FIRST_CFF_STRING
    return strings[number].decode("ascii", "replace") if 0 <= number < len(strings) else ""
