"""What the cells of a sheet are called: by the header above them, by the label on their left, with the unit stated.

Reads words only; whether a header or a label is meant is for whoever has the formula to say.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from functools import lru_cache

from mathrag.compute.grammar.word_names import word_name
from mathrag.documents.sheets.workbook import Place2D, Sheet, SheetCell
from mathrag.knowledge.kinds import kinds_for_dimension, kinds_for_words
from mathrag.language.unit_text import unit_of_text
from mathrag.types.quantity import NO_UNIT, Unit
from mathrag.types.symbol_names import safe_identifier

_LONGEST_LABEL = 120
_FURTHEST_UP, _MOST_EMPTY = 5_000, 2
_WIDEST_MERGED = 200
_BRACKET = re.compile(r"\s*[(\[{]\s*((?:[^()\[\]{}]|\([^()]{1,20}\)){1,40}?)\s*[)\]}]\s*$")
_NAMED_UNIT = re.compile(r".*[^\s/*·∙×^(\[{]\s*[(\[{][^()\[\]{}]*[)\]}]$")
_BEHIND = re.compile(r"(?:\s*,\s*|\s+in\s+|\s+/\s*|\s*/\s+)([^\s,][^,]{0,30})$")
_SYMBOL = re.compile(r"[^\W\d_](?:_?[A-Za-z0-9]{1,8}|_\{[A-Za-z0-9,]{1,12}\})?")
_LETTER = re.compile(r"[^\W\d_]")
_LAST_SYMBOL = re.compile(r"^(?P<words>.*[^\W\d_]{3,})[\s,:]+(?P<symbol>[^\W\d_](?:_?\d{1,2}|_[A-Za-z0-9]{1,6})?)$")
_END = re.compile(r"[\s:=]+$")
# Headers that say of any number what a label says better.
_GENERAL = frozenset("value values result results input inputs output outputs amount quantity data number".split())
# Headers that are no name of a number at all.
_NO_NAMES = frozenset("unit units symbol symbols formula note notes comment comments n/a".split())
_OPERATORS = re.compile(r"[=+*^<>|≈±∙·×√]|(?<![^\W\d_]{2})/|/(?![^\W\d_]{2})")
_GREEK = dict(
    zip(
        "αβγδεζηθκλμνξπρστφχψωΓΔΘΛΞΠΣΦΨΩ",
        "alpha beta gamma delta epsilon zeta eta theta kappa lambda mu nu xi pi rho sigma tau phi chi psi omega "
        "Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega".split(),
        strict=True,
    )
)
_GREEK_NAMES = frozenset(name.casefold() for name in _GREEK.values())
_SHORTEST_WORD = 3


@dataclass(frozen=True, slots=True)
class Label:
    """What a cell is called: words, or a symbol where no words say it; the unit, None where none is stated."""

    words: str
    symbol: str = ""
    unit: Unit | None = None
    unit_text: str = ""

    @property
    def name(self) -> str:
        """The symbol of formulas that it becomes; empty where it can become none."""
        if self.words:
            named = word_name(self.words)
            return "" if named is None else named.name
        return safe_identifier("".join(_GREEK.get(sign, sign) for sign in self.symbol)) if self.symbol else ""

    @property
    def says(self) -> int:
        """How much it says of a quantity: its unit, its kind."""
        return 2 * (self.unit is not None) + bool(self.words and kinds_for_words(self.words)) - self.is_general

    @property
    def is_general(self) -> bool:
        """Whether it only says that there is a value."""
        return self.words.casefold() in _GENERAL


@lru_cache(maxsize=20_000)
def read_label(text: str) -> Label | None:
    """What a header or label says; None where it names nothing."""
    plain = _END.sub("", " ".join(text.split()))
    if not plain or len(plain) > _LONGEST_LABEL or not _LETTER.search(plain):
        return None
    unit, unit_text = None, ""
    for pattern in (_BRACKET, _BEHIND):
        match = pattern.search(plain)
        if match is None:
            continue
        before = _END.sub("", plain[: match.start()]).strip(" ,")
        found = _unit(match[1], before)
        if found is None or not before:
            continue
        if pattern is _BEHIND and len(match[1].strip()) == 1 and not _fits(found, before):
            # A letter behind a comma may be anything; in brackets it is a unit.
            continue
        plain, unit, unit_text = before, found, match[1].strip()
        break
    if plain.casefold() in _NO_NAMES:
        return None
    if plain.casefold() in _GREEK_NAMES:
        return Label("", plain, unit, unit_text)
    if _SYMBOL.fullmatch(plain) and not (len(plain) > 2 and plain.isalpha()):
        return Label("", plain.replace("{", "").replace("}", ""), unit, unit_text)
    match = _LAST_SYMBOL.match(plain)
    symbol = match["symbol"] if match and unit is not None else ""
    words = _words(match["words"] if match and symbol else plain)
    return Label(words, symbol, unit, unit_text) if words else None


def _words(text: str) -> str:
    """The words in signs that a formula in words may have; empty where these are none."""
    if _OPERATORS.search(text):
        return ""
    text = "".join(each for each in unicodedata.normalize("NFKD", text) if not unicodedata.combining(each))
    if any(sign.isalpha() and not sign.isascii() and sign not in _GREEK for sign in text):
        # Letters of another alphabet cannot be left out of a name.
        return ""
    kept = re.sub(r"[^A-Za-z0-9 '.-]+", " ", re.sub(r"[_/]+", " ", _spelt(text)))
    words = " ".join(kept.split()).strip("-. ")
    named = word_name(words) if words and words[0].isalpha() else None
    if words and max(map(len, words.split())) < _SHORTEST_WORD and " " in words:
        return ""
    return words if named is not None and not named.bracket else ""


def _spelt(text: str) -> str:
    return "".join(f" {_GREEK[sign]} " if sign in _GREEK else sign for sign in text)


def _unit(text: str, words: str) -> Unit | None:
    """The unit that a text states, where quantities have such units."""
    unit = unit_of_text(text, kinds=kinds_for_words(words))
    return unit if unit is not None and _is_usual(unit) else None


def _is_usual(unit: Unit) -> bool:
    return unit.dimension.is_dimensionless or bool(kinds_for_dimension(unit.dimension))


def _fits(unit: Unit, words: str) -> bool:
    return any(kind.dimension == unit.dimension for kind in kinds_for_words(words))


@lru_cache(maxsize=20_000)
def read_unit_cell(text: str) -> Unit | None:
    """The unit that a cell with nothing else in it states: `kg`, `[m/s]`, `(°C)`; None where it states none."""
    plain = text.strip()
    if not plain or len(plain) > 30 or plain[0].isdigit():
        return None
    inner = _BRACKET.fullmatch(plain)
    last = _BRACKET.search(plain)
    if inner is None and last is not None and _NAMED_UNIT.match(plain):
        # "Length (m)" names what it is the unit of; "W/(m² K)" does not.
        return None
    unit = unit_of_text(inner[1] if inner else plain)
    return (
        unit
        if unit is not None and _is_usual(unit) and (unit is not NO_UNIT or plain in ("-", "–", "[-]", "(-)"))
        else None
    )


class Labeller:
    """Finds the names of cells of one sheet; what was found is kept."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self._covered: dict[Place2D, Place2D] = {}
        for (row, column), (rows, columns) in sheet.merged.items():
            for at in range(min(columns, _WIDEST_MERGED)):
                for down in range(min(rows, 20)):
                    self._covered.setdefault((row + down, column + at), (row, column))
        self._headers: dict[Place2D, tuple[Label, int] | None] = {}

    def _cell(self, place: Place2D) -> SheetCell | None:
        return self._sheet.cells.get(self._covered.get(place, place))

    def _text(self, place: Place2D) -> str:
        """The words of a cell that holds nothing but words."""
        cell = self._cell(place)
        if cell is None or cell.number is not None or cell.formula or cell.is_error:
            return ""
        return cell.text if _LETTER.search(cell.text) or cell.text.strip() in ("-", "–", "%") else ""

    def above(self, place: Place2D) -> Label | None:
        """The header of the column over a cell."""
        found = self._header(place)
        return None if found is None else self._with_format(found[0], place)

    def _header(self, place: Place2D) -> tuple[Label, int] | None:
        row, column = place
        empty, unit_text, unit = 0, "", None
        for at in range(row - 1, max(0, row - _FURTHEST_UP), -1):
            if (at, column) in self._headers and not unit_text:
                # What a cell higher up in the same column found holds here too.
                return self._headers.setdefault(place, self._headers[at, column])
            text = self._text((at, column))
            if not text:
                empty = 0 if self._cell((at, column)) is not None else empty + 1
                if empty > _MOST_EMPTY:
                    break
                continue
            # A capital letter alone heads a column as often as it is a unit.
            is_letter = len(text.strip()) == 1 and text.strip().isupper()
            below = None if is_letter else read_unit_cell(text)
            if below is not None and self._is_title((at - 1, column)):
                # Units under a title that spans columns: what they are units of is not said.
                break
            if below is not None and not unit_text and self._text((at - 1, column)):
                unit_text, unit = text.strip("()[] "), below
                continue
            if self._is_title((at, column)):
                break
            label = read_label(text)
            if label is not None and unit is not None and label.unit is None:
                label = replace(label, unit=unit, unit_text=unit_text)
            self._headers[place] = None if label is None else (label, at)
            return self._headers[place]
        self._headers[place] = None
        return None

    def _is_title(self, place: Place2D) -> bool:
        """Whether a cell is merged over several columns, so that it heads none of them alone."""
        _, columns = self._sheet.merged.get(self._covered.get(place, place), (1, 1))
        return columns > 1

    def left(self, place: Place2D) -> Label | None:
        """The label in the row before a cell, with the unit behind the cell."""
        row, column = place
        found: Label | None = None
        empty = 0
        for at in range(column - 1, max(0, column - 12), -1):
            text = self._text((row, at))
            if not text:
                if self._cell((row, at)) is not None:
                    break
                empty += 1
                if empty > _MOST_EMPTY:
                    break
                continue
            if self._covered.get((row, at)) not in (None, (row, at)) and found is None:
                continue
            label = read_label(text)
            if label is None:
                break
            if found is None:
                found = label
                if label.words:
                    break
            elif label.words:
                found = replace(label, symbol=found.symbol, unit=label.unit or found.unit)
                break
            else:
                break
        if found is None:
            return None
        if found.unit is None:
            behind = self._text((row, column + 1))
            unit = read_unit_cell(behind) if behind else None
            if unit is not None:
                found = replace(found, unit=unit, unit_text=behind.strip("()[] "))
        return self._with_format(found, place)

    def _with_format(self, label: Label, place: Place2D) -> Label:
        """With the unit of the number's format; a share that is shown as a percentage has no unit of its own."""
        cell = self._cell(place)
        if cell is None:
            return label
        if cell.is_percentage and label.unit is not None and label.unit.dimension.is_dimensionless:
            return replace(label, unit=NO_UNIT, unit_text="")
        if label.unit is None and cell.unit:
            return replace(label, unit=_unit(cell.unit, label.words), unit_text=cell.unit)
        return label
