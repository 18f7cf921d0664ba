"""What is found in a sentence: a number with its place, unit readings and kind. No text is read here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from mathrag.errors import AmbiguousUnitError, UnitError
from mathrag.types.quantity import NO_UNIT, Quantity, Unit

Kind = Literal["quantity", "number", "count", "range", "date", "ordinal", "label", "declined"]


@dataclass(frozen=True, slots=True)
class Mention:
    """A number in a text; `text` is exactly `source[start:end]`.

    `units` are the usual readings of its unit, most usual first, empty for a number without one; `rare_units` further
    readings that a context may ask for. `distributed` marks a unit borrowed from a later number (`2, 4 and 8 m`).
    `symbol` is the name as written before an equals sign, `symbol_name` the same as an identifier. `note` says why a
    mention is declined.
    """

    start: int
    end: int
    text: str
    value: int | float
    kind: Kind
    units: tuple[Unit, ...] = ()
    rare_units: tuple[Unit, ...] = ()
    uncertainty: float | None = None
    symbol: str = ""
    symbol_name: str = ""
    significant_figures: int | None = None
    distributed: bool = False
    note: str = ""

    @property
    def quantity(self) -> Quantity:
        """The quantity, where the text leaves one reading."""
        if self.kind == "declined":
            raise UnitError(self.note, source=self.text, position=0)
        if len(self.units) > 1:
            raise AmbiguousUnitError(self.text, tuple(unit.text for unit in self.units))
        return Quantity(self.value, self.units[0] if self.units else NO_UNIT, self.uncertainty)

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """One quantity for each usual reading; a plain number has one."""
        if self.kind == "declined":
            return ()
        return tuple(Quantity(self.value, unit, self.uncertainty) for unit in self.units or (NO_UNIT,))
