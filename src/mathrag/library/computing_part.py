"""The part of `Library` that computes with one formula, solves it, converts units and tells where things stand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, cast

if TYPE_CHECKING:
    from mathrag.library.ask.results import Amount, Computed, Curve, Solved, SourcePlace
    from mathrag.library.facade import Library


class ComputingPart:
    """What a library does with what it holds, apart from answering questions."""

    def compute(
        self,
        formula: str,
        values: Mapping[str, str | float],
        *,
        solve_for: str | None = None,
        unit: str | None = None,
    ) -> Computed:
        """Compute one symbol of a formula, named by its id or label.

        `values` go by symbol, such as `{"m": "2 kg", "v": "3 m/s"}`; a plain number is meant in the unit that the
        document gives the symbol. Constants are filled in. `solve_for` is by default what the formula defines, `unit`
        that of the document.

        >>> print(library.compute("Kinetic energy", {"m": "2 kg", "v": "3 m/s"}))
        E_k = 9 J
        >>> print(library.compute("Kinetic energy", {"m": "2 kg", "E_k": "9 J"}, solve_for="v", unit="km/h"))
        v = 10.8 km/h
        """
        from mathrag.calculator import python_text
        from mathrag.library.ask.computation import work_out
        from mathrag.library.ask.results import Amount, Computed

        worked = work_out(self._whole, formula=formula, values=_texts(values), solve_for=solve_for, unit=unit)
        prepared, result = worked.prepared, worked.evaluation
        return Computed(
            formula=prepared.formula.id,
            label=prepared.formula.label,
            symbol=prepared.target,
            result=Amount(worked.value),
            values={name: Amount(quantity) for name, quantity in prepared.values.items()},
            sources=dict(prepared.sources),
            others=tuple(map(Amount, result.others)),
            rearranged="" if result.rearranged is None else python_text(result.rearranged),
            method=result.method,
            notes=tuple(result.notes),
        )

    def sweep(
        self,
        formula: str,
        values: Mapping[str, str | float],
        *,
        symbol: str,
        start: str | float,
        stop: str | float,
        points: int = 60,
        scale: Literal["linear", "logarithmic"] = "linear",
        solve_for: str | None = None,
        unit: str | None = None,
    ) -> Curve:
        """Compute a formula again and again while one `symbol` goes from `start` to `stop`; `values` are the others.

        >>> library.sweep("Kinetic energy", {"m": "2 kg"}, symbol="v", start="0 m/s", stop="4 m/s", points=3).y
        (0.0, 4.0, 16.0)
        """
        from mathrag.library.ask.computation import sweep
        from mathrag.library.ask.results import Curve

        found = sweep(
            self._whole,
            formula=formula,
            values=_texts(values),
            symbol=symbol,
            start=_text(start),
            stop=_text(stop),
            points=points,
            scale=scale,
            solve_for=solve_for,
            unit=unit,
        )
        kept = {name: str(found[name]) for name in ("formula", "label", "symbol", "symbol_unit", "target", "unit")}
        return Curve(
            **kept, x=tuple(point["x"] for point in found["points"]), y=tuple(point["y"] for point in found["points"])
        )

    def solve(self, formula: str, symbol: str) -> Solved:
        """Solve a formula for a symbol in closed form: one of the library (id or label), or one written out.

        >>> print(library.solve("Kinetic energy", "m"))
        m = 2*E_k/v**2
        >>> print(library.solve("a = b + c", "c"))
        c = a - b
        """
        from mathrag.library.ask.computation import solve_formula

        return solve_formula(self._whole, formula, symbol)

    def convert(self, quantity: str, unit: str) -> Amount:
        """A quantity in another unit.

        >>> print(library.convert("60 mph", "m/s"))
        26.8224 m/s
        """
        from mathrag.calculator import convert_text
        from mathrag.library.ask.results import Amount

        return Amount(convert_text(quantity, unit))

    def source(self, identifier: str) -> list[SourcePlace]:
        """Every place where a formula or constant stands, with the words there and the passage around them.

        Of a document: every place that something in the library was read from.

        >>> for place in library.source("Weight"):
        ...     print(place)
        Notes on mechanics, line 27: $G = m g$
        """
        from mathrag.library.views.sources import source_places

        return source_places(self._whole, identifier)

    @property
    def _whole(self) -> Library:
        return cast("Library", self)


def _texts(values: Mapping[str, str | float]) -> dict[str, str]:
    return {name: _text(value) for name, value in values.items()}


def _text(value: str | float) -> str:
    return value if isinstance(value, str) else repr(value)
