"""A question from which piece after piece is taken: what is asked, labelled values, values with their substance. What
was taken counts as used; a value or word that is left means that the question was not understood."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from mathrag.reason.direct.chemistry.asked import is_understood
from mathrag.reason.direct.chemistry.reading import AMOUNT, REACTION, SUBSTANCE, Amount, Mentioned, Reading

_USED = {AMOUNT: "□", SUBSTANCE: "◇", REACTION: "▷"}
_SPACES = re.compile(r" {2,}")
ROOM = Fraction(29815, 100)
_NEARLY = Fraction(1, 4)


@dataclass(frozen=True, slots=True)
class Piece:
    """What a pattern found: its named groups, and the values and substances in it in their order."""

    words: dict[str, str]
    amounts: tuple[Amount, ...]
    substances: tuple[Mentioned, ...]
    start: int

    @property
    def amount(self) -> Amount:
        """The first value."""
        return self.amounts[0]


class Sheet:
    """The text of a reading, with what was taken from it marked as used."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.text = reading.template

    def take(self, pattern: str, accepts: Callable[[Piece], bool] | None = None) -> list[Piece]:
        """Every piece that fits and is accepted; its marks are used and its words gone."""
        found: list[Piece] = []
        text = self.text

        def used(match: re.Match[str]) -> str:
            piece = self._piece(text, match)
            if accepts is not None and not accepts(piece):
                return match[0]
            found.append(piece)
            return " " + "".join(_USED.get(each, "") for each in match[0]) + " "

        self.text = _SPACES.sub(" ", _compiled(pattern).sub(used, text))
        return found

    def has(self, pattern: str) -> bool:
        """Whether a pattern is in what is left."""
        return _compiled(pattern).search(self.text) is not None

    def is_spent(self, words: str) -> bool:
        """Whether every value and substance was used, and no word but those of a class is left that could change it."""
        return AMOUNT not in self.text and SUBSTANCE not in self.text and is_understood(self.text, words=words)

    def _piece(self, text: str, match: re.Match[str]) -> Piece:
        values = [
            self.reading.amounts[_count(text, AMOUNT, match.start() + place)]
            for place, each in enumerate(match[0])
            if each == AMOUNT
        ]
        substances = [
            self.reading.substances[_count(text, SUBSTANCE, match.start() + place)]
            for place, each in enumerate(match[0])
            if each == SUBSTANCE
        ]
        words = {name: each for name, each in match.groupdict().items() if each}
        return Piece(words, tuple(values), tuple(substances), match.start())


def _count(text: str, mark: str, place: int) -> int:
    return text.count(mark, 0, place) + text.count(_USED[mark], 0, place)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def is_plain(piece: Piece) -> bool:
    """Whether all values of a piece are numbers without a unit."""
    return all(each.measured == "number" and each.unit is None for each in piece.amounts)


def measures(*kinds: str) -> Callable[[Piece], bool]:
    """Whether the values of a piece measure these, in this order."""
    return lambda piece: tuple(each.measured for each in piece.amounts) == kinds


def take_temperature(sheet: Sheet) -> Amount | None:
    """The temperature that is stated, taken from the text."""
    found = sheet.take(
        rf",? ?\(?(?:(?:at|of|and|with) )?(?:an? |the )?(?:constant )?(?:temperature (?:of|is) )?{AMOUNT}\)?,?",
        measures("temperature"),
    )
    return found[0].amount if len(found) == 1 else None


def is_room_temperature(amount: Amount | None) -> bool:
    """Whether a temperature is that of the tables, or none is stated."""
    return amount is None or abs(amount.si - ROOM) < _NEARLY
