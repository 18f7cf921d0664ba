"""Whether a concentration is that of an ion: of hydrogen or hydroxide ions, as a strong acid or base gives them.

A formula for the pH wants the hydrogen ions. What a question states is mostly a substance: hydrochloric acid gives as
many ions, acetic acid fewer, table salt none, and in very dilute solutions the water gives more.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from mathrag.reason.choosing.labels import is_label_of
from mathrag.reason.choosing.question_view import PreparedValue, QuestionView
from mathrag.reason.choosing.slots import Candidate, Slot
from mathrag.reason.choosing.weights import thresholds
from mathrag.reason.question.known_values import substance_tables
from mathrag.reason.question.sides import plain_words_of
from mathrag.types.quantity import Dimension

_CONCENTRATION = str(Dimension.of({"amount": 1, "length": -3}))
_LEAST = thresholds("ions")["least"]
# The state that a concentration is taken in says nothing of the species.
_NUMBERED = re.compile(r"_(?:\d|eq|i|f)$")
_ION_WORDS = frozenset(("ion", "ions"))


@cache
def _table(name: str) -> Mapping[str, tuple[frozenset[str], ...]]:
    return {ion: tuple(frozenset(text.split()) for text in names) for ion, names in substance_tables()[name].items()}


class IonChecks:
    """What the values of one question are concentrations of."""

    def __init__(self, view: QuestionView) -> None:
        self._wording = view.wording

    def is_of_other_species(self, seen: PreparedValue, candidate: Candidate, place: int) -> bool:
        """Whether a value is said to be of a species that another slot of the formula is for: "0.2 mol/L of HA"."""
        words = self._wording.said_of(seen.given)
        if candidate.slots[place].dimension != _CONCENTRATION or seen.parts is not None or not words:
            return False
        named = [_species(slot.symbol) in words for slot in candidate.slots]
        return any(named) and not named[place]

    def is_barred(self, seen: PreparedValue, slot: Slot) -> bool:
        """Whether a slot is for the concentration of an ion, and the value is none that the words make one."""
        if slot.dimension != _CONCENTRATION or slot.is_constant or seen.parts is not None or seen.given.is_pinned:
            return False
        ion = _ion_of(slot)
        if ion is None or seen.given.implied or is_label_of(seen.given.label, slot):
            return False
        words = self._wording.said_of(seen.given)
        if _names_any(words, _table("ion_names")[ion]):
            return False
        if _names_any(words, _table("one_ion_each")[ion]):
            return any(0 < quantity.si_value < _LEAST for quantity in seen.given.readings[:1])
        is_of_substance = any(_names_any(words, names) for names in _table("one_ion_each").values()) or "of" in words
        return is_of_substance or not _names_any(self._wording.typed, _table("ion_names")[ion])


def _species(symbol: str) -> str:
    """What a symbol is the concentration of, as people type it; single letters are no names of species in a text."""
    name = _NUMBERED.sub("", symbol.removeprefix("conc_")) if symbol.startswith("conc_") else ""
    return name.casefold().replace("_minus", "⁻").replace("_plus", "⁺") if len(name) > 1 else ""


def _ion_of(slot: Slot) -> str | None:
    words = plain_words_of(slot.meaning.description)
    found = [ion for ion, names in _table("ion_names").items() if _names_any(words, names)]
    return found[0] if len(found) == 1 and (words & _ION_WORDS or "hydronium" in words) else None


def _names_any(words: frozenset[str], names: tuple[frozenset[str], ...]) -> bool:
    return any(name <= words for name in names)
