"""Which sign a glyph is: its map if that is to be believed, else the slot table of its font, else its name in the font.

A font is judged as a whole: a map that gives control characters, or gives what only the codes themselves would give, is
not believed for any glyph of that font. Every sign comes out in one way of writing: accents combine, delimiters come in
Unicode pieces, letters of mathematical alphabets are plain ones with a style.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from mathrag.documents.pdf.page_content import Evidence, Style
from mathrag.documents.pdf.raw.font_encodings import (
    BRACE_DOWN_LEFT,
    BRACE_RIGHT,
    BRACE_UP_LEFT,
    MARKS,
    NamedFont,
    sign_of_name,
    slot_tables,
)

# One way to write each sign: accents combine, delimiters come in Unicode pieces, math letters are plain with a style.
#
# Works on characters alone; which character a glyph is, is decided elsewhere.

# Private and unusual code points that stand for signs with a usual one.
_SAME_SIGN = {
    # Adobe's corporate use area: pieces of the Symbol font, also given to glyph names such as `parenlefttp`.
    "\uf8e5": "⎯", "\uf8e6": "⏐", "\uf8e7": "⎯", "\uf8e8": "®", "\uf8e9": "©", "\uf8ea": "™",
    "\uf8eb": "⎛", "\uf8ec": "⎜", "\uf8ed": "⎝", "\uf8ee": "⎡", "\uf8ef": "⎢", "\uf8f0": "⎣",
    "\uf8f1": "⎧", "\uf8f2": "⎨", "\uf8f3": "⎩", "\uf8f4": "⎪", "\uf8f5": "⎮",
    "\uf8f6": "⎞", "\uf8f7": "⎟", "\uf8f8": "⎠", "\uf8f9": "⎤", "\uf8fa": "⎥", "\uf8fb": "⎦",
    "\uf8fc": "⎫", "\uf8fd": "⎬", "\uf8fe": "⎭", "\uf6be": "ȷ", "\uf6dc": "1",
    # Compatibility forms of Greek letters and signs.
    "∆": "Δ", "µ": "μ", "\u2126": "Ω", "\u212b": "Å", "ℇ": "ε", "∕": "/", "⁄": "/", "∖": "\\", "⧵": "\\", "﹨": "\\",
    "\u00ad": "-", "\u2010": "-", "\u2011": "-", "\ufe63": "-",
    "〈": "⟨", "〉": "⟩", "\u2329": "⟨", "\u232a": "⟩", "⁡": "", "∣": "|", "∥": "‖", "❘": "|", "ǀ": "|", "￨": "|",
    "⩵": "==", "⩴": ":=", "≔": ":=",
    "\u2213": "∓", "⟮": "(", "⟯": ")", "\uff0b": "+", "\ufb29": "+", "＝": "=",
    "\u2015": "—", "ƛ": "λ", "ˈ": "'", "⁎": "*", "＊": "*",
}  # fmt: skip

# Spacing accents, as fonts hold them, and the combining ones.
_ACCENTS = {
    "ˆ": "\u0302", "ˇ": "\u030c", "˜": "\u0303", "´": "\u0301", "ˊ": "\u0301", "ˋ": "\u0300", "˙": "\u0307",
    "¨": "\u0308", "˘": "\u0306", "¯": "\u0304", "ˉ": "\u0304", "˚": "\u030a", "˝": "\u030b",
    "⃑": "\u20d7", "‾": "\u0305",
}  # fmt: skip
# In a font for formulas the plain keyboard signs are accents too.
_MATH_ACCENTS = {"^": "\u0302", "~": "\u0303", "`": "\u0300"}

# In prose these are the bullets of lists.
_MATH_SIGNS = {
    "·": "⋅", "∙": "•", "◦": "∘", "\ue131": "ı", "\ue237": "ȷ", "★": "⋆", "ħ": "ℏ", "⟂": "⊥", "∶": ":", "ϒ": "Υ",
    "⨿": "∐", "\u2a0f": "⨏",
}  # fmt: skip

_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "ft", "ﬆ": "st"}

_LETTERLIKE: dict[str, tuple[str, Style]] = {
    "ℎ": ("h", "italic"), "ℬ": ("B", "script"), "ℰ": ("E", "script"), "ℱ": ("F", "script"), "ℋ": ("H", "script"),
    "ℐ": ("I", "script"), "ℒ": ("L", "script"), "ℳ": ("M", "script"), "ℛ": ("R", "script"), "ℯ": ("e", "script"),
    "ℊ": ("g", "script"), "ℴ": ("o", "script"), "ℂ": ("C", "blackboard"), "ℍ": ("H", "blackboard"),
    "ℕ": ("N", "blackboard"), "ℙ": ("P", "blackboard"), "ℚ": ("Q", "blackboard"), "ℝ": ("R", "blackboard"),
    "ℤ": ("Z", "blackboard"), "ℭ": ("C", "fraktur"), "ℌ": ("H", "fraktur"), "ℨ": ("Z", "fraktur"),
}  # fmt: skip

_ALPHABETS: tuple[tuple[str, Style], ...] = (
    ("SCRIPT", "script"), ("FRAKTUR", "fraktur"), ("DOUBLE-STRUCK", "blackboard"), ("MONOSPACE", "mono"),
    ("SANS-SERIF", "sans"), ("ITALIC", "italic"),
)  # fmt: skip
# The math alphabets have variants that NFKC would merge into other letters.
_GREEK_VARIANTS = {"EPSILON": "ϵ", "THETA": "ϑ", "KAPPA": "ϰ", "PHI": "ϕ", "RHO": "ϱ", "PI": "ϖ"}


@lru_cache(maxsize=4_000)
def math_letter(character: str) -> tuple[str, Style, bool] | None:
    """The plain letter, style and weight of a letter of a mathematical alphabet; nothing for any other sign."""
    letterlike = _LETTERLIKE.get(character)
    if letterlike is not None:
        return (*letterlike, False)
    if not 0x1D400 <= ord(character) <= 0x1D7FF:
        return None
    name = unicodedata.name(character, "")
    style: Style = next((style for word, style in _ALPHABETS if word in name), "upright")
    plain = unicodedata.normalize("NFKC", character)
    if name.endswith(" SYMBOL"):
        plain = _GREEK_VARIANTS.get(name.split()[-2], plain)
    plain = {"ı": "ı", "ȷ": "ȷ", "∇": "∇", "∂": "∂"}.get(plain, plain)
    return plain, style, "BOLD" in name


@lru_cache(maxsize=8_000)
def usual_sign(text: str, *, is_math_font: bool) -> str:
    """The one way to write this sign."""
    if len(text) == 2 and "\ufe00" <= text[1] <= "\ufe0f":
        text = text[0]
    if len(text) == 1:
        if is_math_font and text in _MATH_ACCENTS:
            return _MATH_ACCENTS[text]
        if is_math_font and text in _MATH_SIGNS:
            return _MATH_SIGNS[text]
        return _ACCENTS.get(text) or _LIGATURES.get(text) or _SAME_SIGN.get(text, text)
    return "".join(_LIGATURES.get(character, character) for character in text)


def is_usable(text: str) -> bool:
    """Whether a map that gives this text is to be believed: no control characters, nothing private, no lone halves."""
    if not text:
        return False
    for character in text:
        category = unicodedata.category(character)
        if category in ("Cc", "Co", "Cs", "Cn") or character == "\ufffd":
            return False
    return True


# What a believable map of such a font can give below U+0080; any other such character is a bare code.
_BELIEVABLE_ASCII = {
    "OMX": set("()[]{}<>/\\|^~"),
    "OMS": set("ABCDEFGHIJKLMNOPQRSTUVWXYZ{}|\\/-*<>^"),
    "OML": set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.,</>:;[]()+=|-!?'&"),
    "MSAM": set("/-"),
    "MSBM": set("ABCDEFGHIJKLMNOPQRSTUVWXYZk/\\|^~<>"),
}
# Browser math fonts keep signs without a code point in the private area.
_WEB_FONTS = ("katex", "mathjax", "mjx", "stix")
_PRIVATE_WEB = {
    "\ue000": "⏐", "\ue001": "⏐", "\ue006": "∤", "\ue007": "∦", "\ue008": "ϝ", "\ue009": "ϰ", "\ue00c": "≨",
    "\ue00d": "≩", "\ue00e": "≱", "\ue00f": "≱", "\ue010": "≰", "\ue011": "≰", "\ue016": "⊈", "\ue017": "⊊",
    "\ue018": "⊉", "\ue019": "⊋", "\ue01a": "⊊", "\ue01b": "⊋", "\ue020": "\u0338", "\ue150": "\U000f0000",
    "\ue151": "\U000f0001", "\ue152": "\U000f0002", "\ue153": "\U000f0003", "\ue154": "\U000f0006",
}  # fmt: skip


# What maps made of glyph names give for the quarters that classic fonts build horizontal braces of.
_MAPPED_BRACES = {"⏞": BRACE_DOWN_LEFT, "⏟": BRACE_UP_LEFT, " ": BRACE_RIGHT}
# Every text and letter encoding has these where ASCII has them.
_SHARED_SLOTS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
_COMMON_LETTERS = frozenset(map(ord, "aeinorst"))
_FIRST_TEXT_CODE = 0x0B


@lru_cache(maxsize=1)
def _cork_codes() -> dict[str, int]:
    """Codes by the signs that Cork encoding has there: some math fonts name their glyphs after a text font."""
    table = slot_tables()["T1"]
    codes = {sign: code for code, sign in reversed(table.items())}
    spacing = {
        "`": 0,
        "´": 1,
        "ˆ": 2,
        "˜": 3,
        "¨": 4,
        "˝": 5,
        "˚": 6,
        "ˇ": 7,
        "˘": 8,
        "¯": 9,
        "˙": 10,
        "¸": 11,
        "˛": 12,
    }
    return {**codes, **spacing, "\u200c": 23, "ﬀ": 27, "ﬁ": 28, "ﬂ": 29, "ﬃ": 30, "ﬄ": 31}


@dataclass(frozen=True, slots=True)
class Identity:
    """The sign, its style and weight, and how it is known."""

    text: str
    style: Style
    is_bold: bool
    evidence: Evidence


@dataclass(slots=True)
class FontIdentities:
    """The signs of one font on one page. `seen` is filled while reading and judged before the first question."""

    named: NamedFont
    is_bold: bool
    style: Style
    load_names: Callable[[], Mapping[int, str]] = dict
    seen: set[str] = field(default_factory=set)
    seen_codes: set[int] = field(default_factory=set)
    has_tall_signs: bool = False
    # What was asked before, by claim and whether that is a bare code.
    known: dict[tuple[str, bool], Identity] = field(default_factory=dict)
    _has_bare_codes: bool | None = None
    _names: Mapping[int, str] | None = None
    _is_nameless_math: bool = False

    @property
    def is_math(self) -> bool:
        return self.named.is_math or self._is_nameless_math

    def judge_nameless(self) -> None:
        """Guess the kind of a font without a name by the signs seen: browsers print some math fonts so."""
        if self.named.name or not self.seen:
            return
        singles = [text for text in self.seen if len(text) == 1]
        has_only_letters = len(singles) == len(self.seen) and all(text.isalpha() for text in singles)
        has_math = any(unicodedata.category(text) == "Sm" and text not in "+<=>|~" for text in singles)
        self._is_nameless_math = has_only_letters or has_math
        if has_only_letters:
            self.style = "italic"

    def identify(self, claimed: str, *, is_code: bool) -> Identity:
        """The identity of what pdfium claims: a text, or (`is_code`) the bare code of a glyph without a map."""
        key = (claimed, is_code)
        known = self.known.get(key)
        if known is None:
            known = self.known[key] = self._resolve(claimed, is_code=is_code)
        return known

    def _resolve(self, claimed: str, *, is_code: bool) -> Identity:
        table = slot_tables().get(self.named.table, {})
        if (
            self.named.is_disguised
            and (code := _cork_codes().get(claimed) if not is_code else ord(claimed)) is not None
        ):
            return self._styled(table.get(code, ""), "encoding" if code in table else "none")
        if not is_code and not self._gives_bare_codes() and (text := self._believed(claimed)):
            return self._styled(text, "map")
        code = ord(claimed) if len(claimed) == 1 else -1
        if code in table and self.named.is_classic:
            return self._styled(table[code], "encoding")
        # A name inside the font itself tells more than a table that goes by a likeness of font names.
        if named := self._named_sign(code):
            return self._styled(named, "name")
        if code in table:
            return self._styled(table[code], "encoding")
        if is_code and self._is_nameless_text() and chr(code) in _SHARED_SLOTS:
            return self._styled(chr(code), "encoding")
        return Identity("", self.style, self.is_bold, "none")

    def _is_nameless_text(self) -> bool:
        """Whether a font without name and map looks like a text font drawn in pixels.

        It has the commonest letters, nothing at the first codes (where symbol fonts begin) and no tall sign.
        """
        is_candidate = not self.named.name and not self.has_tall_signs and self.seen_codes >= _COMMON_LETTERS
        return is_candidate and min(self.seen_codes) >= _FIRST_TEXT_CODE

    def _named_sign(self, code: int) -> str:
        if self._names is None:
            names = self.load_names()
            # A file may number the glyphs anew, and that is out of reach; then some of its codes have no name.
            self._names = names if all(code in names for code in self.seen_codes) else {}
        sign = sign_of_name(self._names.get(code, ""))
        return usual_sign(sign, is_math_font=self.is_math) if sign else ""

    def _believed(self, claimed: str) -> str:
        if claimed in _MAPPED_BRACES and self.named.table == "OMX" and self.named.is_classic:
            return _MAPPED_BRACES[claimed]
        if claimed in _PRIVATE_WEB and (not self.named.name or self.named.name.lower().startswith(_WEB_FONTS)):
            return _PRIVATE_WEB[claimed]
        if len(claimed) == 1 and 0xE22D <= ord(claimed) <= 0xE246 and "stix" in self.named.name.lower():
            return chr(ord("A") + ord(claimed) - 0xE22D)
        if claimed == "`" and self.named.table in ("OT1", "T1") and self.style != "mono":
            return "\u0300"
        if len(claimed) > 1 and len(set(claimed)) == 1 and math_letter(claimed[0]) is not None:
            # Some programs write maps that give each letter of a mathematical alphabet twice, many for another letter.
            return ""
        usual = usual_sign(claimed, is_math_font=self.is_math)
        if usual in MARKS or is_usable(usual):
            return usual
        if len(usual) == 1 and 0xF020 <= ord(usual) <= 0xF0FF and self.named.table:
            # Office programs move symbol fonts into this part of the private area, code by code.
            return slot_tables().get(self.named.table, {}).get(ord(usual) - 0xF000, "")
        return ""

    def _gives_bare_codes(self) -> bool:
        if self._has_bare_codes is None:
            believable = _BELIEVABLE_ASCII.get(self.named.table, set())
            singles = {text for text in self.seen if len(text) == 1 and text != " " and not "\x7f" <= text <= "\xff"}
            is_genuine = any(text > "\xff" for text in singles)
            is_bare = bool(believable) and not is_genuine and not singles <= believable
            self._has_bare_codes = is_bare and not self._holds_signs(singles - believable)
        return self._has_bare_codes

    def _holds_signs(self, signs: set[str]) -> bool:
        """Whether the font, being like a classic one but not one, has glyphs named after all these signs.

        Such fonts hold the plus and the brackets besides the signs of the classic font, at codes of their own.
        """
        if self.named.is_classic:
            return False
        return signs <= {sign_of_name(name) for name in self.load_names().values()}

    def _styled(self, text: str, evidence: Evidence) -> Identity:
        letter = math_letter(text) if len(text) == 1 else None
        if letter is not None:
            plain, style, is_bold = letter
            if plain in "∂∇" or (plain == "l" and style == "script"):
                return Identity("ℓ" if plain == "l" else plain, "upright", is_bold or self.is_bold, evidence)
            return Identity(plain, style, is_bold or self.is_bold, evidence)
        return Identity(text, self._letter_style(text), self.is_bold, evidence)

    def _letter_style(self, text: str) -> Style:
        if not self.is_math:
            return self.style
        first = text[:1]
        if self.style == "italic":
            return "italic" if first.isalpha() and first not in "ℓ℘ℜℑℵℶℷℸℏ" else "upright"
        if self.style in ("script", "blackboard"):
            is_letter = first.isascii() and (first.isupper() or (first.islower() and self.named.table == "LETTERS"))
            return self.style if is_letter else "upright"
        return self.style if unicodedata.category(first or " ").startswith("L") else "upright"
