"""Runs of characters in Word's formulas to pieces of LaTeX: which letters stand upright, bold or as ordinary words."""

from __future__ import annotations

import re
from itertools import groupby

from mathrag.documents.office.latex_pieces import Piece, upright, words
from mathrag.documents.office.math_letters import letter_or_sign, plain_letter
from mathrag.documents.office.xml_parts import Element, attribute, local_name

_TOKEN = re.compile(
    r"(?P<number>\d{1,3}(?:,\d{3})+(?![\d,])|0,\d+|\d+(?:\.\d+)?|\.\d+)"
    r"|(?P<letters>[A-Za-zÀ-ÖØ-öø-ÿ]+)|(?P<space>[ \t\n\r]+)|(?P<sign>.)",
    re.DOTALL,
)
_ALPHABETS = {
    "double-struck": "mathbb", "script": "mathcal", "fraktur": "mathfrak", "sans-serif": "mathsf", "bold": "mathbf",
    "bold-italic": "mathbf",
}  # fmt: skip
_STYLES = {"p": "upright", "b": "bold", "bi": "bold-italic"}
_RELATIONS = frozenset("=<>≈≤≥≠≡∝→⇒∼≅≃")
_JOINTS = frozenset("/⋅·∙∕")
_SPACES = frozenset("\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2009\u200a\u202f\u205f")
_LONGEST = 20_000


def run_pieces(run: Element) -> list[Piece]:
    """The pieces of one `m:r` (or of a `w:r` that strayed into a formula)."""
    text = "".join(_text(child) for child in run)[:_LONGEST]
    style, is_text = _appearance(run)
    if is_text and any(character.isalpha() for character in text):
        return _words(text)
    return styled_pieces(text, style)


def styled_pieces(text: str, style: str) -> list[Piece]:
    """The pieces of some characters of one style (`upright`, `bold`, `script`, …; empty for the usual italics)."""
    pieces: list[Piece] = []
    for special, group in groupby((plain_letter(character) for character in text), key=lambda pair: pair[1]):
        part = "".join(ordinary for ordinary, _ in group)
        for found in _TOKEN.finditer(part):
            pieces.extend(_token(found, special or style))
    return pieces


def _text(child: Element) -> str:
    match local_name(child):
        case "t":
            return child.text or ""
        case "tab":
            return " "
        case "sym":
            # A character of a symbol font, by its code.
            code = attribute(child, "char")
            return chr(int(code, 16)) if re.fullmatch(r"[0-9A-Fa-f]{1,4}", code) else ""
        case _:
            return ""


def _appearance(run: Element) -> tuple[str, bool]:
    """The style of a run's letters, and whether they are ordinary text."""
    style, is_text = "", False
    properties = next((child for child in run if local_name(child) == "rPr"), ())
    for each in properties:
        value = attribute(each, "val")
        match local_name(each):
            case "nor":
                is_text = value.lower() not in ("0", "off", "false")
            case "sty":
                style = style if style in _ALPHABETS else _STYLES.get(value, "")
            case "scr" if value in _ALPHABETS:
                style = value
            case _:
                continue
    return style, is_text


def _words(text: str) -> list[Piece]:
    """Ordinary text; a number in front of it is a number all the same (`5 kg`)."""
    number = re.match(r"\d+(?:\.\d+)?(?=\s|$)", text)
    if number is None:
        return [words(text)]
    rest = text[number.end() :]
    return [Piece(number.group(), "number"), words(rest)] if rest.strip() else [Piece(number.group(), "number")]


def _token(found: re.Match[str], style: str) -> list[Piece]:
    text = found.group()
    match found.lastgroup:
        case "number":
            return [Piece(text.replace(",", "{,}"), "number")]
        case "space":
            return []
        case "letters":
            return _letters(text, style)
    if text in _SPACES:
        return [Piece(letter_or_sign(text), "space")]
    if text in ("&", "#"):
        return [Piece("", "joint", text)]
    sign = letter_or_sign(text)
    if text in _JOINTS:
        return [Piece(sign, "joint", sign)]
    if text in _RELATIONS:
        return [Piece(f" {sign} ")]
    if style in _ALPHABETS and text.isalpha():
        return [Piece(rf"\{_ALPHABETS[style] if style != 'bold' else 'boldsymbol'}{{{sign}}}")]
    return [Piece(sign)]


def _letters(text: str, style: str) -> list[Piece]:
    if style == "upright":
        return [upright(text)]
    if style in _ALPHABETS:
        return [Piece(rf"\{_ALPHABETS[style]}{{{text}}}")]
    # Letters one by one, so that a script belongs to the last of them only.
    return [Piece(letter) for letter in text]
