"""What stands beside the value of a cell, as names and caption say: an interval, a spread, a share.

A question for it is answered with it only where one of them says what it is; a value is never taken for its spread.
"""

from __future__ import annotations

import re

from mathrag.language.word_classes import word_class
from mathrag.reason.direct.documents.asked import Asked
from mathrag.reason.direct.documents.cell_numbers import CellNumber, cell_number, number_beside
from mathrag.reason.direct.documents.words import term_keys

_BRACKETED = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_BEHIND_PLUS_MINUS = re.compile(r"(?:±|\\pm|\+/-).*")


def spread_asked(asked: Asked) -> str:
    """The spread or interval that a question names; empty where it names none."""
    spreads = word_class("documents.spreads")
    return next((word.key for word in asked.words if word.key in spreads), "")


def is_own(spread: str, *names: str) -> bool:
    """Whether a row or a column holds a spread and nothing else: its name says so outside of brackets."""
    return any(spread in term_keys(_BEHIND_PLUS_MINUS.sub(" ", _BRACKETED.sub(" ", each))) for each in names)


def spread_beside(spread: str, text: str, *around: str) -> str:
    """What a cell has beside its value, where names or the caption say that it is this spread; else empty."""
    number = cell_number(text)
    is_said = any(spread in term_keys(each) for each in (*around, text))
    return number.beside if number is not None and is_said else ""


def number_meant(text: str, asked: Asked, end: int | None, *names: str) -> CellNumber | None:
    """The number of a cell that a question compares or computes with: its value, unless the spread or the share beside
    it is asked for. `end` is the place of the superlative, before what it says."""
    number = cell_number(text)
    if number is None or not number.beside:
        return number
    spread = _compared(asked, end)
    if spread and not is_own(spread, *names):
        return number_beside(text)
    if asked.has("documents.shares") and number.unit != "%":
        share = number_beside(text)
        if share is not None and (share.unit == "%" or _is_share(*names)):
            return CellNumber(share.value, share.decimals, "%")
    return number


def _compared(asked: Asked, end: int | None) -> str:
    """The spread that is compared: the word behind a superlative, but for the percentage of an interval; without a
    superlative any that is named."""
    if end is None:
        return spread_asked(asked)
    behind = [word for word in asked.words[end + 1 : end + 3] if not word.text[0].isdigit()]
    return behind[0].key if behind and behind[0].key in word_class("documents.spreads") else ""


def _is_share(*names: str) -> bool:
    brackets = [each for name in names for each in _BRACKETED.findall(name)]
    return any("%" in each and not word_class("documents.spreads").intersection(term_keys(each)) for each in brackets)
