"""One way to write each sign: accents combine, delimiters come in Unicode pieces, math letters are plain with a style.

Works on characters alone; which character a glyph is, is decided elsewhere.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from mathrag.documents.pdf.page_content import Style

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
