"""What is known about fonts before any is opened: by the font's name, by the names of its glyphs, by their codes.

Three tables with their look-ups: families of fonts (is it for mathematics, which style and weight, which slot table),
glyph names to signs (`glyph_names.toml`), codes to signs for classic fonts (`encodings.toml`). Opens no font program.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from mathrag.documents.pdf.page_content import Style
from mathrag.errors import DataFileError

# What the name of a font tells: whether it is for mathematics, its slot table, style and weight.

_SUBSET_PREFIX = re.compile(r"^[A-Z]{6}\+")
_WRITING_MODE = re.compile(r"-Identity-[HV]$")
# Names come from outside and are matched by patterns; nobody names a font so long.
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


# From the name of a glyph to its sign: `parenleft.s3`, `radicalbigg`, `uni221A.s2`, `summationdisplay`.

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


# The slot tables of `encodings.toml`: which sign stands at which code of a classic font.

# Marks inside this package for parts of built-up signs that Unicode does not have; `built_signs` joins them.
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
# Slots of a row, as encodings are printed.
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
