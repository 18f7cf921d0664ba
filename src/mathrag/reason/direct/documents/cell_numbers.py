"""The number of a cell of a table, and what stands beside it: "4.5 ± 0.3", "0.42 [0.31, 0.55]", "34 (12%)".

The value is what a cell is compared and computed by. What stands beside it is its spread, its interval or its share;
which of them only names of rows and columns and the caption can say. What is not surely a number is none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache

from mathrag.language.word_classes import word_class

LONGEST_NUMBER = 80
STYLE = re.compile(
    r"\\(?:text|math)(?:bf|it|rm|tt|sf|sc|cal|bb)?\b|\\(?:bf|it|rm|underline|uline)\b|[{}$]|\*\*|__|_(?=[({])"
)
# Marks of significance and of notes above a number; what is left of one that could not be read is a square.
RAISED = re.compile(
    r"\^\s*\{?\s*((?:(?:\\(?:square|ast|star|dagger|ddagger|bullet|dag|ddag|S|P)\b|[*∗⋆★†‡§¶,□])\s*)+)\}?"
)
_BLANKS = re.compile(r"\\[,;:! ]|\\(?:left|right|q?quad)\b|~")
_MARKS = re.compile(r"(?:\s*(?:[*∗†‡§¶]|\^\s*\(?[a-z*†‡]\)?))+\s*\Z")
_DIGITS = r"(?:\d{1,3}(?:[,\u2009\u202f\u00a0]\d{3})+|\d{1,15})(?:\.\d{1,15})?|\.\d{1,15}"
_SIGNED = rf"[-+−–]?\s?(?:{_DIGITS})"
_PLUS_MINUS = r"(?:±|\\pm|\+/[-−–])"
# What a bracket holds says so itself at times: "(95% CI 1.2 to 3.4)", "(SD 0.3)", "(n = 12)", "(ref)".
_SAID = r"(?:\d{2}(?:\.\d)?\s?%\s?)?(?:C\.?I\.?|CrI|HDI|SDs?|SEM?|s\.d\.|s\.e\.|IQR|range|n)\s?[:=,]?\s?"
_BETWEEN = r"\s?(?:,|;|to|[-−–—]{1,2}|/)\s?"
_INTERVAL = rf"(?:{_SAID})?{_SIGNED}\s?%?(?:{_BETWEEN}{_SIGNED}\s?%?)?"
_INSIDE = rf"{_INTERVAL}|{_PLUS_MINUS}\s?(?:{_DIGITS})\s?%?|(?i:ref(?:\.|erence)?)"
_BESIDE = rf"\(\s?(?:{_INSIDE})\s?\)|\[\s?(?:{_INSIDE})\s?\]|{_PLUS_MINUS}\s?(?:{_DIGITS})"
_UNIT = r"%|\\%|[^\W\d_][^\W\d_/²³%]{0,11}"
_NUMBER = re.compile(
    rf"(?P<digits>{_SIGNED})"
    r"(?:\s?[×x]\s?10\s?\^?\s?\(?(?P<power>[-−]?\d{1,2})\)?|[eE](?P<exponent>[-+]?\d{1,2}))?"
    rf"(?:\s?(?P<before>{_UNIT})(?=\s?[(\[±\\+]))?(?:\s?[*∗†‡§¶]{{1,3}}(?=\s?[(\[±\\+]))?"
    rf"(?P<beside>(?:\s?(?:{_BESIDE})){{0,2}})"
    rf"\s?(?P<unit>{_UNIT})?"
)
_BRACKET = re.compile(r"\(([^()]{0,40})\)|\[([^\[\]]{0,40})\]")
_UNCERTAINTY = re.compile(rf"\(?\s?{_PLUS_MINUS}\s?[\d.,]{{1,12}}\s?%?\s?\)?|\([^()]{{0,40}}\)|\[[^\[\]]{{0,40}}\]")
_PARTING = re.compile(r"[\s;]+")


@dataclass(frozen=True, slots=True)
class CellNumber:
    """The number of a cell: its value, how many decimals are printed, the unit beside it, and the rest of the cell:
    its interval, spread or share without brackets."""

    value: Decimal
    decimals: int
    unit: str = ""
    beside: str = ""


@lru_cache(maxsize=100_000)
def cell_number(text: str) -> CellNumber | None:
    """The number that a cell holds, without marks, uncertainty and style; None where it holds none or several."""
    if len(text) > LONGEST_NUMBER or not any(map(str.isdigit, text)):
        return None
    plain = _BLANKS.sub(" ", STYLE.sub("", RAISED.sub("", text))).replace("\\%", "%")
    plain = _MARKS.sub("", " ".join(plain.split())).strip().lstrip("*†‡§¶ ")
    match = _NUMBER.fullmatch(plain)
    if match is None:
        return None
    digits = re.sub(r"[,\s\u2009\u202f\u00a0]", "", match["digits"]).replace("−", "-").replace("–", "-")
    power = (match["power"] or match["exponent"] or "0").replace("−", "-")
    try:
        value = Decimal(digits).scaleb(int(power))
    except InvalidOperation:
        return None
    decimals = max(0, len(digits.partition(".")[2]) - int(power))
    return CellNumber(value, decimals, match["before"] or match["unit"] or "", _unbracketed(match["beside"]))


def number_beside(text: str) -> CellNumber | None:
    """The one number that stands beside the value of a cell, as a spread or a share does; None for an interval."""
    number = cell_number(text)
    if number is None or not number.beside or "," in number.beside:
        # A comma may part the ends of an interval as well as thousands.
        return None
    return cell_number(re.sub(rf"\A(?:{_SAID}|{_PLUS_MINUS}\s?)", "", number.beside))


def _unbracketed(text: str) -> str:
    inner = _BRACKET.sub(lambda match: f" {match[1] or match[2]} ", text)
    return " ".join(inner.split())


def runs_together(text: str) -> bool:
    """Whether a cell holds several numbers side by side: rows of a printed table that were not told apart."""
    if len(text) > LONGEST_NUMBER * 4:
        return False
    plain = _BLANKS.sub(" ", STYLE.sub("", RAISED.sub("", text)))
    pieces = [each for each in _PARTING.split(_UNCERTAINTY.sub(" ", plain)) if each]
    return len(pieces) > 1 and all(cell_number(piece) is not None for piece in pieces)


def is_missing(text: str) -> bool:
    """Whether a cell says that there is nothing."""
    plain = STYLE.sub("", text).strip().casefold()
    return not plain or plain in word_class("documents.missing_cells")
