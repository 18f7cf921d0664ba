"""What TeX writes for single characters: accents, letters of other languages, signs, ligatures. Tables only."""

from __future__ import annotations

import re
import unicodedata

# Accent commands and the combining character each stands for.
ACCENTS = {
    "'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304", ".": "\u0307",
    "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "d": "\u0323", "b": "\u0331", "r": "\u030a",
    "k": "\u0328",
}  # fmt: skip
SYMBOLS = {
    "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "aa": "å", "AA": "Å", "ss": "ß", "l": "ł", "L": "Ł",
    "i": "i", "j": "j", "dh": "ð", "th": "þ", "DH": "Ð", "TH": "Þ", "SS": "SS",
    "%": "%", "&": "&", "$": "$", "#": "#", "_": "_", "{": "{", "}": "}", "-": "", "/": "",
    " ": " ", ",": " ", ";": " ", ":": " ", "!": "", ">": " ", "quad": " ", "qquad": " ", "space": " ", "enspace": " ",
    "thinspace": " ", "nobreakspace": " ", "textvisiblespace": " ", "hfill": " ", "hfil": " ", "dotfill": " ",
    "tab": " ",
    "ldots": "…", "dots": "…", "textellipsis": "…", "textendash": "–", "textemdash": "—", "textbackslash": "\\",
    "textasciitilde": "~", "textasciicircum": "^", "textbar": "|", "textless": "<", "textgreater": ">",
    "textbullet": "•",
    "textdegree": "°", "degree": "°", "textmu": "µ", "textmicro": "µ", "micro": "µ", "textohm": "Ω", "ohm": "Ω",
    "textcelsius": "°C", "celsius": "°C", "degreeCelsius": "°C", "texttimes": "×", "textdiv": "÷", "textpm": "±",
    "textperiodcentered": "·", "textonehalf": "½", "textonequarter": "¼", "textthreequarters": "¾",
    "textregistered": "®",
    "texttrademark": "™", "copyright": "©", "textcopyright": "©", "S": "§", "P": "¶", "dag": "†", "ddag": "‡",
    "textdagger": "†", "pounds": "£", "textsterling": "£", "euro": "€", "EUR": "€", "texteuro": "€", "textdollar": "$",
    "textunderscore": "_", "textquotedblleft": "“", "textquotedblright": "”", "textquoteleft": "‘",
    "textquoteright": "’",
    "lq": "‘", "rq": "’", "glqq": "„", "grqq": "“", "guillemotleft": "«", "guillemotright": "»", "flqq": "«",
    "frqq": "»",
    "LaTeX": "LaTeX", "TeX": "TeX", "LaTeXe": "LaTeX2e", "BibTeX": "BibTeX", "XeTeX": "XeTeX", "slash": "/",
    "backslash": "\\",
    "textsection": "§", "textparagraph": "¶", "textquotesingle": "'", "textasteriskcentered": "*",
    "textordfeminine": "ª",
    "textordmasculine": "º", "numero": "№", "textperthousand": "‰", "checkmark": "✓", "textrightarrow": "→",
    "textleftarrow": "←", "textlangle": "⟨", "textrangle": "⟩", "textbraceleft": "{", "textbraceright": "}", "at": "@",
    "textsuperscript": "^", "textsubscript": "_", "eg": "e.g.", "ie": "i.e.", "etc": "etc.",
}  # fmt: skip
_DOTLESS = {"ı": "i", "ȷ": "j"}
_LIGATURES = re.compile(r"---|--|``|''|`|,,|\?`|!`|'")
_SHOWN = {"---": "—", "--": "–", "``": "“", "''": "”", "`": "‘", ",,": "„", "?`": "¿", "!`": "¡", "'": "’"}
_GERMAN = re.compile(r'"([aouAOUsS`\'~=|-]|"?)')
_GERMAN_SHOWN = {"a": "ä", "o": "ö", "u": "ü", "A": "Ä", "O": "Ö", "U": "Ü", "s": "ß", "S": "SS", "`": "„", "'": "“"}
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ue000-\ue001]")


def accented(accent: str, letter: str) -> str:
    """A letter with its accent, as one character where Unicode has it."""
    letter = _DOTLESS.get(letter, letter)
    return unicodedata.normalize("NFC", letter[:1] + ACCENTS[accent]) + letter[1:]


def typeset(text: str, *, is_german: bool = False) -> str:
    """Running text with TeX's ligatures as the characters they give."""
    if is_german and '"' in text:
        text = _GERMAN.sub(lambda match: _GERMAN_SHOWN.get(match.group(1), "" if match.group(1) else '"'), text)
    if "'" in text or "-" in text or "`" in text or ",," in text:
        text = _LIGATURES.sub(lambda match: _SHOWN[match.group()], text)
    return _UNPRINTABLE.sub("", text)
