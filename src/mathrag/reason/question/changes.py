"""A change that two values state together: "from 15 °C to 95 °C" is a rise of 80 K. Reads no text of its own."""

from __future__ import annotations

from collections.abc import Sequence

from mathrag.compute.units import coherent_unit
from mathrag.types.quantity import Dimension, Quantity
from mathrag.types.question import Given

_TEMPERATURE = Dimension.of({"temperature": 1})
_PAIR = 2
_TIMES = frozenset(("initial", "final", "before", "after"))


def temperature_changes(text: str, givens: Sequence[Given]) -> list[Given]:
    """The change between the two temperatures of a question, where it states just two and no change itself."""
    stated = [
        given
        for given in givens
        if given.readings[0].dimension == _TEMPERATURE and not given.implied and given.series is None
    ]
    if len(stated) != _PAIR or any(given.is_change or given.symbol or given.preposition == "by" for given in stated):
        return []
    first, last = stated
    if "final" in first.roles or "initial" in last.roles:
        first, last = last, first
    size = last.readings[0].si_value - first.readings[0].si_value
    if not _TIMES & {*first.roles, *last.roles}:
        # Between two sides, or from what is to what is wanted, only how far apart they are is said.
        size = abs(size)
    start, end = min(first.start, last.start), max(first.end, last.end)
    figures = [given.significant_figures for given in stated if given.significant_figures is not None]
    return [
        Given(
            text=text[start:end],
            start=start,
            end=end,
            readings=(Quantity(size, coherent_unit(_TEMPERATURE)),),
            phrase="temperature change",
            words=("temperature", "change"),
            roles=("change",),
            significant_figures=min(figures, default=None),
            implied=True,
            is_change=True,
            covers=(first.start, last.start),
        )
    ]
