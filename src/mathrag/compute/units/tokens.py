"""Cut unit text into tokens that remember their place. Knows characters, not units."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

Kind = Literal["name", "number", "power", "operator"]

_OPERATORS = {
    "*": "*", "·": "*", "⋅": "*", "•": "*", "∙": "*", "×": "*", "⨯": "*", "\u2062": "*", "・": "*",
    "/": "/", "⁄": "/", "∕": "/", "÷": "/",
    "^": "^", "(": "(", ")": ")", "[": "(", "]": ")", "{": "(", "}": ")", ".": ".",
    "-": "-", "−": "-", "–": "-", "‐": "-", "‑": "-", "﹣": "-", "－": "-", "+": "+",
}  # fmt: skip
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_SUPERSCRIPT_CHARACTERS = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺")
_SAME = {"º": "°", "˚": "°", "μ": "µ", "Ω": "Ω", "Å": "Å", "K": "K", "％": "%"}
_BLANKS = frozenset(" \t\n\r\u00a0\u2009\u202f\u2002\u2003\u2005\u2006\u2007\u2008\u200a\u205f\u200b\u2060~")


_ASCII_WORD = re.compile("[A-Za-z]+")
_CLAUSE_ENDS = frozenset(",;:=?!<>|≈±\\")
_PROSE_TOKENS = 20
_PLAIN_ENDS = frozenset(" .,;:/*^-()0123456789")


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of unit text. `spaced`: white space stands before it."""

    kind: Kind
    text: str
    start: int
    end: int
    spaced: bool


def tokenize(text: str, start: int = 0, stop: int | None = None) -> list[Token]:
    """All tokens between two places; unknown characters end up as one-character names for the grammar to refuse."""
    stop = len(text) if stop is None else min(stop, len(text))
    tokens: list[Token] = []
    place = start
    spaced = False
    while place < stop:
        character = text[place]
        if character in _BLANKS:
            spaced = True
            place += 1
            continue
        token = _token_at(text, place, stop, spaced)
        tokens.append(token)
        place = token.end
        spaced = False
    return tokens


def tokenize_prose(text: str, start: int, stop: int) -> list[Token]:
    """Tokens of running text up to where no unit can go on: a clause ends, or a number stands behind a blank."""
    stop = min(stop, len(text))
    tokens: list[Token] = []
    place = start
    spaced = False
    while place < stop and len(tokens) < _PROSE_TOKENS:
        character = text[place]
        if character in _BLANKS:
            if character == "\n" and tokens:
                break
            spaced = True
            place += 1
            continue
        if character in _CLAUSE_ENDS:
            break
        token = _token_at(text, place, stop, spaced)
        if token.kind == "number" and spaced and tokens:
            tokens.append(token)
            break
        tokens.append(token)
        place = token.end
        spaced = False
    return tokens


def _token_at(text: str, place: int, stop: int, spaced: bool) -> Token:
    character = text[place]
    if character == "*" and text[place + 1 : place + 2] == "*" and place + 1 < stop:
        return Token("operator", "^", place, place + 2, spaced)
    if character in _OPERATORS:
        return Token("operator", _OPERATORS[character], place, place + 1, spaced)
    if character in _SUPERSCRIPT_CHARACTERS:
        end = place + 1
        while end < stop and text[end] in _SUPERSCRIPT_CHARACTERS:
            end += 1
        return Token("power", text[place:end].translate(_SUPERSCRIPTS), place, end, spaced)
    if character.isascii() and character.isdecimal():
        end = place + 1
        while end < stop and text[end].isascii() and text[end].isdecimal():
            end += 1
        if end + 1 < stop and text[end] == "." and text[end + 1].isascii() and text[end + 1].isdecimal():
            end += 1
            while end < stop and text[end].isascii() and text[end].isdecimal():
                end += 1
        return Token("number", text[place:end], place, end, spaced)
    return _name_at(text, place, stop, spaced)


def _name_at(text: str, place: int, stop: int, spaced: bool) -> Token:
    """A run of letters, with an optional mark at its head (°C, µΩ, R☉) and underscores inside (delta_degC)."""
    plain = _ASCII_WORD.match(text, place, stop)
    if plain and (plain.end() >= stop or text[plain.end()] in _PLAIN_ENDS):
        return Token("name", plain.group(), place, plain.end(), spaced)
    end = place + 1
    first = _SAME.get(text[place], text[place])
    letters = first == "°" or first.isalpha()
    while letters and end < stop and (text[end].isalpha() or text[end] in "☉⊙⊕" or _joins(text, end, stop)):
        end += 1
    name = "".join(_SAME.get(letter, letter) for letter in text[place:end])
    if not name.isascii() and any("\u3300" <= letter <= "\u33ff" for letter in name):
        name = unicodedata.normalize("NFKC", name)
    if letters and end < stop and text[end] == "°" and name in ("C", "F"):
        end, name = end + 1, name + "°"
    if name == "US" and text[end : end + 1] == "$":
        end, name = end + 1, "US$"
    return Token("name", name, place, end, spaced)


def _joins(text: str, place: int, stop: int) -> bool:
    """Whether an underscore (or the digit after it: g_0) belongs to the name."""
    if text[place] == "_":
        return place + 1 < stop and text[place + 1].isalnum()
    return text[place] == "0" and text[place - 1] == "_"
