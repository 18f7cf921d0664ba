"""What reading arithmetic gives: pieces of formula text and numbers whose units are chosen later. Reads nothing."""

from __future__ import annotations

from dataclasses import dataclass, field

from mathrag.reason.direct.figures import Stated
from mathrag.types.quantity import Unit


@dataclass(frozen=True, slots=True)
class Slot:
    """A number with a unit, of which one of several readings is chosen later; the first `usual` are common ones."""

    digits: str
    units: tuple[Unit, ...]
    usual: int = 1
    is_temperature_too: bool = False


@dataclass(slots=True)
class Arithmetic:
    """What was read: pieces of formula text and slots, the numbers as stated, and choices made on the way."""

    pieces: list[str | Slot] = field(default_factory=list)
    numbers: list[Stated] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    operations: int = 0
    has_percent: bool = False
    has_modulo: bool = False

    @property
    def slots(self) -> list[Slot]:
        """The numbers with units, in order."""
        return [piece for piece in self.pieces if isinstance(piece, Slot)]

    def text(self, units: tuple[Unit, ...]) -> str:
        """Text for the formula reader, with these units in the slots."""
        chosen = iter(units)
        return " ".join(
            f'quantity({piece.digits}, "{next(chosen).text}")' if isinstance(piece, Slot) else piece
            for piece in self.pieces
        )

    def shown(self, units: tuple[Unit, ...]) -> str:
        """The same for people."""
        chosen = iter(units)
        parts = [f"{piece.digits} {next(chosen).text}" if isinstance(piece, Slot) else piece for piece in self.pieces]
        return _joined(parts)


def _joined(parts: list[str]) -> str:
    """Blanks around what joins two values, none around brackets and powers."""
    text = ""
    before = "("
    for part in parts:
        is_tight = part[0] in "^!)," or before[-1] in "(^" or (before in "+-" and text[-2:-1] in ("", "(", "^"))
        text += part if is_tight or not text else f" {part}"
        before = part
    return text
