"""Read glyph names out of embedded font programs: Type 1, bare CFF and TrueType. Nothing else of a font is read.

The programs come from outside: every offset is checked, every count is capped, and a damaged one simply has no names.
"""

from __future__ import annotations

import itertools
import re
import struct
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from mathrag.documents.pdf.page_content import Style
from mathrag.errors import DataFileError

# What the name of a font tells: whether it is for mathematics, its slot table, style and weight. Opens no file.

_SUBSET_PREFIX = re.compile(r"^[A-Z]{6}\+")
_WRITING_MODE = re.compile(r"-Identity-[HV]$")
_SHORT = 200

# The first row whose pattern begins the name decides. Order matters: special names before general ones.
_FAMILIES: tuple[tuple[str, str, Style, bool], ...] = (
    # pattern at the start of the lower-case name, slot table, style of letters, whether it is a math font
    (r"(msam|ssmsam|txsya|pxsya|ntxsya)", "MSAM", "upright", True),
    (r"(msbm|ssmsbm|txsyb|pxsyb|ntxsyb)", "MSBM", "blackboard", True),
    (r"(txsyc|pxsyc|ntxsyc|txexa|pxexa)", "", "upright", True),
    (r"l?lcmmi", "OML", "italic", True),
    (r"l?lcmbsy|l?lcmsy", "OMS", "script", True),
    (r"l?lcmex", "OMX", "upright", True),
    (r"l?lcmssi", "OT1", "italic", False),
    (r"l?lcmss", "OT1", "sans", False),
    (r"lmsam", "MSAM", "upright", True),
    (r"lmsbm", "MSBM", "blackboard", True),
    (r"hfbrmi|hfbrmb", "OML", "italic", True),
    (r"hfbrsy", "OMS", "script", True),
    (r"hfbras", "MSAM", "upright", True),
    (r"hfbrbs", "MSBM", "blackboard", True),
    (r"(hftl|hfbrtl)", "OT1TT", "mono", False),
    (r"hfbr(sl|i)", "OT1", "italic", False),
    (r"hfbr", "OT1", "sans", False),
    (r"kp--m-[a-z]*italic", "", "italic", True),
    (r"kp--m-(sya|syc)", "", "upright", True),
    (r"kp--m-syb", "", "blackboard", True),
    (r"kp--m-sy", "", "script", True),
    (r"kp--m", "", "upright", True),
    (r"mathdesign.*(mathitalic)", "", "italic", True),
    (r"mathdesign.*(symbol-)", "", "script", True),
    (r"fourier-math-cal", "OMS", "script", True),
    (r"fourier-math-blackboard", "LETTERS", "blackboard", True),
    (r"(cmmib|cmmi|lmmathitalic|lmmi|xccmi|ccmi|cmbrmb|cmbrmi|eurm|eurb|zeurm)", "OML", "italic", True),
    (r"(rtxmi|rtxbmi|pxmi(?!a)|pxbmi|zplmi|fplmri|fplmbi|rpxmi|rpxbmi|txmi(?!a)|futmi)", "OML", "italic", True),
    (r"(fourier-math-letters|jkpmi|jkpbmi|kpmi|zptmcm7m|rzptmcm7m)", "OML", "italic", True),
    (r"(ntxmi|zsfmi|ntxbmi|ntxrmi|npxmi|nxlmi|new[tp]xmi|new[tp]xbmi|libertinemathmi|[tp]xmia)", "", "italic", True),
    (r"(cmbsy|cmsy|lmmathsymbols|lmsy|txbsy|txsy|rtxsy|ntxsy|pxsy|pxbsy|npxsy|zplsy)", "OMS", "script", True),
    (r"(xccsy|cmbrsy|eusm|eusb|fourier-math-symbols|futsy|jkpsy|kpsy|fplmsy|zptmcm7y)", "OMS", "script", True),
    (r"(cmexb|cmex|lmmathextension|lmex|txex(?!a)|pxex(?!a)|ntxexx|ntxexb|npxexx|zplex)", "OMX", "upright", True),
    (r"(euex|xccex|rtxex|yhcmex|jkpex|kpex|fourier-math-extension|futex|zptmcm7v)", "OMX", "upright", True),
    (r"(eufm|eufb|eufrak)", "LETTERS", "fraktur", True),
    (r"(rsfs|mathscr|boondox|bickham|urwchancery|dutchcal)", "LETTERS", "script", True),
    (r"(bbm|bbold|dsrom|dsss|fplmbb)", "LETTERS", "blackboard", True),
    (r"(pazomathblackboard)", "LETTERS", "blackboard", True),
    (r"(pazomath)", "PAZO", "italic", True),
    (r"(stmary)", "STMARY", "upright", True),
    (r"(wasy)", "WASY", "upright", True),
    (r"(esint)", "ESINT", "upright", True),
    (r"(mtextra|mt extra|mt-extra)", "MTEXTRA", "upright", True),
    (r"(symbolmt|symbolps|symbolneu|symbol|standardsymbolsps|standardsymbolsl|standardsyml|psyr|psyro|usyr|usyro)",
     "SYMBOL", "upright", True),
    (r"katex_main", "", "upright", True),
    (r"katex_math", "", "italic", True),
    (r"(katex|mathjax)_ams|mjxtex-a\b", "", "blackboard", True),
    (r"katex_size", "", "upright", True),
    (r"katex_(caligraphic|script)", "", "script", True),
    (r"katex_fraktur", "", "fraktur", True),
    (r"katex_sansserif", "", "sans", True),
    (r"katex_typewriter", "", "mono", True),
    (r"(mathjax_math|mjxtex-i\b|mjxtex-bi\b|mathjax_vector)", "", "italic", True),
    (r"(mathjax_caligraphic|mathjax_script|mjxtex-c|mjxtex-s\b)", "", "script", True),
    (r"(mathjax_fraktur|mjxtex-fr)", "", "fraktur", True),
    (r"(mathjax_sansserif|mjxtex-ss)", "", "sans", True),
    (r"(mathjax_typewriter|mjxtex-t\b)", "", "mono", True),
    (r"(mathjax|mjxtex|mjx)", "", "upright", True),
    (r"(stixsize|stixintegrals|stixnonunicode|stixvariants)", "", "upright", True),
    (r"stix2?-?math(calligraphy|script)", "", "script", True),
    (r"(stix2?-?math|stix-extra|stix2-extra|stix-largesymbols)", "", "upright", True),
    (r"(txtt|pxtt|ntxtt|newtxtt|tt-kp|zi4)", "", "mono", False),
    (r"(cmtt|cmsltt|cmitt|cmvtt|cmtcsc|cmtex)", "OT1TT", "mono", False),
    (r"(ectt|eccc|sftt|sfit|lmmono|lmtt|lmtk|ec-lmtt)", "T1", "mono", False),
    # Slanted letters without serifs are the italics of slides and of pages set without serifs.
    (r"(cmssi|cmssqi|cmssbxo|cmssxi|cmbrsl)", "OT1", "italic", False),
    (r"(sfsi|sfso|ecsi|ecso|lmsso|lmssbo|lmsans[a-z]*\d*-(bold|regular)?oblique)", "T1", "italic", False),
    (r"(cmss|cmssbx|cmssdc|cmssq|lcmss|cmbr)", "OT1", "sans", False),
    (r"(sfss|sfsx|ecss|ecsx|lmsans|lmss)", "T1", "sans", False),
    (r"(cmti|cmbxti|cmsl|cmbxsl|cmff|cmfi|cmu\d)", "OT1", "italic", False),
    (r"(ecti|ecsl|ecbi|ecbl|sfti|sfbi|sfsl|sfbl|lmromanslant)", "T1", "italic", False),
    (r"(cmr\d|cmbx|cmb\d|cmcsc|cmdunh|cmvtt|xccr)", "OT1", "upright", False),
    (r"(sfrm|sfbx|sfcc|ecrm|ecbx|ecrb|eccc|lmroman|aer|aebx)", "T1", "upright", False),
    (r"(tcrm|tcbx|tcti|tctt|tcss|ts1-)", "TS1", "upright", False),
)  # fmt: skip
_COMPILED = tuple((re.compile(pattern), table, style, is_math) for pattern, table, style, is_math in _FAMILIES)

_CLASSIC = re.compile(r"(cm[a-z]+\d|cmexb|lmmath|lm(roman|sans|mono)|ms[ab]m\d|eu[frs][mb]\d)")
_DISGUISED = re.compile(r"(esint|l?lcm(mi|sy|ex|bsy))")
_MATH_WORD = re.compile(r"math(?!ematica\d*$)|euler", re.IGNORECASE)
_ITALIC_WORD = re.compile(
    r"ital|oblique|slant|kursiv|(?<=[-_,a-z])It\b|-It$|BoldIt|-(Bd|Md|Lt|Semibold)It", re.IGNORECASE
)
_BOLD_WORD = re.compile(
    r"(?<!blackboard)bold|black(?!board)|heavy|-bd\b|[-_]b(i|x)?$|semibold|-demi|-medi(?!um)|extrabold|^kp-.*medium|^kp--m-(medium|sy-medium)",
    re.IGNORECASE,
)
_BOLD_TEX = re.compile(
    r"^(cmb(?!r)|cmmib|hfbrb[xm]|newtxb|newpxb|l?lcmb|llcmssb|cmssbx|cmbsy|cmexb|lmbx|sfbx|sfsx|sfso|ecsx|ecso|sfbi|sfbl|ecbx|ecbi|ecbl|ecrb|eufb|eusb|eurb|rtxb|ntxb|txb|pxb|rpxb|npxb|tcbx|fplmb|"
    r"jkpb|cmdunh|aebx|bm)"
)
_MONO_WORD = re.compile(r"mono|courier|typewriter|consolas|menlo|nimbusmon|inconsolata|-tt\b", re.IGNORECASE)
_SANS_WORD = re.compile(
    r"sans|helvet|arial|verdana|calibri|heros|adventor|^sf-kp|roboto|nimbussan|tahoma|dejavus?ans|inter\b|segoe|lato\b|gothic",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class NamedFont:
    """A font by its name. `table` names its slot table, "" where none is known; `style` is that of its letters."""

    name: str
    table: str
    style: Style
    is_bold: bool
    is_math: bool
    # Its slots never vary, whatever the file inside the PDF says.
    is_classic: bool = False
    # Its glyphs bear the names of a text font in Cork encoding.
    is_disguised: bool = False


def plain_font_name(name: str) -> str:
    """The name without the prefix of a subset and the suffix of a writing mode."""
    return _WRITING_MODE.sub("", _SUBSET_PREFIX.sub("", name[:_SHORT])).strip()


@lru_cache(maxsize=2_000)
def describe_font_name(name: str) -> NamedFont:
    """What a plain font name says."""
    lowered = name.lower()
    is_bold = bool(_BOLD_WORD.search(name) or _BOLD_TEX.match(lowered))
    for pattern, table, style, is_math in _COMPILED:
        if pattern.match(lowered):
            return NamedFont(
                name,
                table,
                _slanted(style, name),
                is_bold,
                is_math,
                is_classic=bool(_CLASSIC.match(lowered)),
                is_disguised=bool(_DISGUISED.match(lowered)),
            )
    is_math = bool(_MATH_WORD.search(name))
    return NamedFont(name, "", _worded_style(name), is_bold, is_math)


def _slanted(style: Style, name: str) -> Style:
    return "italic" if style == "upright" and _ITALIC_WORD.search(name) else style


def _worded_style(name: str) -> Style:
    if _MONO_WORD.search(name):
        return "mono"
    if _ITALIC_WORD.search(name):
        return "italic"
    return "sans" if _SANS_WORD.search(name) else "upright"


# From the name of a glyph to its sign: `parenleft.s3`, `radicalbigg`, `uni221A.s2`, `summationdisplay`. No fonts.

_HEXADECIMAL = re.compile(r"^(?:uni([0-9A-F]{4})|u([0-9A-F]{4,6}))$")
_SIZE_WORD = re.compile(r"(?:big|Big|bigg|Bigg|display|text|wide|wider|widest|v\d|\d{1,2})$")
# What OpenType math fonts add to the name of a delimiter for the parts of its tall form.
_PARTS = {
    "top": "top", "tp": "top", "t": "top", "bot": "bottom", "bt": "bottom", "b": "bottom", "mid": "middle",
    "m": "middle", "ex": "extension", "ext": "extension", "x": "extension",
}  # fmt: skip
_PIECES = {
    "(": {"top": "⎛", "extension": "⎜", "bottom": "⎝"},
    ")": {"top": "⎞", "extension": "⎟", "bottom": "⎠"},
    "[": {"top": "⎡", "extension": "⎢", "bottom": "⎣"},
    "]": {"top": "⎤", "extension": "⎥", "bottom": "⎦"},
    "{": {"top": "⎧", "middle": "⎨", "bottom": "⎩", "extension": "⎪"},
    "}": {"top": "⎫", "middle": "⎬", "bottom": "⎭", "extension": "⎪"},
    "⌊": {"extension": "⎢", "bottom": "⎣"},
    "⌈": {"extension": "⎢", "top": "⎡"},
    "⌋": {"extension": "⎥", "bottom": "⎦"},
    "⌉": {"extension": "⎥", "top": "⎤"},
    "√": {"top": "⏐", "extension": "⏐", "bottom": "⎷"},
    "∫": {"top": "⌠", "extension": "⎮", "bottom": "⌡"},
    "↑": {"extension": "⏐"},
    "↓": {"extension": "⏐"},
    "⇑": {"extension": "‖"},
    "⇓": {"extension": "‖"},
}


@lru_cache(maxsize=1)
def _signs_by_name() -> dict[str, str]:
    text = resources.files(__package__ or "").joinpath("glyph_names.toml").read_text(encoding="utf-8")
    signs: dict[str, str] = {}
    for group in tomllib.loads(text).values():
        for sign, names in group.items():
            plain = chr(int(sign[2:], 16)) if sign.startswith("U+") else sign
            signs.update(dict.fromkeys(names.split(), plain))
    return signs


@lru_cache(maxsize=10_000)
def sign_of_name(name: str) -> str:
    """The sign a glyph name stands for; "" where it says nothing."""
    base, _, suffix = name[:80].partition(".")
    sign = _plain_sign(base)
    if not sign or not suffix:
        return sign
    part = _PARTS.get(suffix.split(".")[-1].lower())
    return _PIECES.get(sign, {}).get(part, sign) if part else sign


def _plain_sign(base: str) -> str:
    signs = _signs_by_name()
    for _ in range(3):
        if base in signs:
            return signs[base]
        match = _HEXADECIMAL.match(base)
        if match:
            number = int(match[1] or match[2], 16)
            return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else ""
        if len(base) == 1 and base.isascii() and base.isalpha():
            return base
        shorter = _SIZE_WORD.sub("", base)
        if shorter == base or not shorter:
            return ""
        base = shorter
    return signs.get(base, "")


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

_MOST_GLYPHS = 70_000
_CLEAR_PART = 200_000
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
    for number in range(min(count, 64)):
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
    # Below 258 are the names of the Macintosh order, which every map has anyway.
    return {glyph: names[index - 258] for glyph, index in enumerate(indices) if 258 <= index < 258 + len(names)}


def _cff_names(program: bytes, *, by_code: bool) -> dict[int, str]:
    _, place = _index(program, program[2])
    tops, place = _index(program, place)
    strings, _ = _index(program, place)
    top = _dictionary(tops[0])
    is_keyed_by_number = 1230 in top
    if is_keyed_by_number or 17 not in top:
        return {}
    glyphs, _ = _index(program, int(top[17][0]))
    identifiers = _charset(program, int(top.get(15, [0])[0]), len(glyphs))
    names = [_string(identifier, strings) for identifier in identifiers]
    if not by_code:
        return dict(enumerate(names))
    codes = _encoding(program, int(top.get(16, [0])[0]), len(glyphs))
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
    number = identifier - 391
    return strings[number].decode("ascii", "replace") if 0 <= number < len(strings) else ""


# The slot tables of `encodings.toml`: which sign stands at which code of a classic font. No other file.

# Marks inside this package for parts of built-up signs that Unicode does not have; `assembly` joins them.
BRACE_DOWN_LEFT, BRACE_DOWN_RIGHT, BRACE_UP_LEFT, BRACE_UP_RIGHT = (
    "\U000f0000",
    "\U000f0001",
    "\U000f0002",
    "\U000f0003",
)
MAPS_TO_BAR = "\U000f0004"
DASHED_LINE = "\U000f0005"
BRACE_EXTENSION = "\U000f0006"
# Maps of classic fonts leave the two right pieces of a brace without a sign of their own.
BRACE_RIGHT = "\U000f000a"
HOOK_LEFT, HOOK_RIGHT = "\U000f0008", "\U000f0009"
MARKS = frozenset(
    (BRACE_DOWN_LEFT, BRACE_DOWN_RIGHT, BRACE_UP_LEFT, BRACE_UP_RIGHT, MAPS_TO_BAR, DASHED_LINE, BRACE_EXTENSION,
     BRACE_RIGHT, HOOK_LEFT, HOOK_RIGHT)
)  # fmt: skip
_ROW = 16


@lru_cache(maxsize=1)
def slot_tables() -> dict[str, dict[int, str]]:
    """Every table by its name: code to sign."""
    text = resources.files(__package__ or "").joinpath("encodings.toml").read_text(encoding="utf-8")
    return {name: _read_table(name, rows) for name, rows in tomllib.loads(text).items()}


def _read_table(name: str, rows: dict[str, str]) -> dict[int, str]:
    table: dict[int, str] = {}
    for start, row in rows.items():
        slots = row.split()
        if len(slots) > _ROW:
            raise DataFileError(f"encodings.toml: row {start} of {name} has {len(slots)} slots; sixteen fit")
        for offset, slot in enumerate(slots):
            if slot != ".":
                table[int(start, 16) + offset] = _read_slot(slot)
    return table


def _read_slot(slot: str) -> str:
    return chr(int(slot[2:], 16)) if slot.startswith("U+") and len(slot) > 2 else slot
