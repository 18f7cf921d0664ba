"""The signatures of formulas as arrays, and the exact search for those that fit best. What a fit is worth is said by
whoever searches."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy

from mathrag.store.index.signatures import SignatureRow

_Numbers: TypeAlias = numpy.ndarray[tuple[int], numpy.dtype[numpy.int32]]
_Scores: TypeAlias = numpy.ndarray[tuple[int], numpy.dtype[numpy.float64]]
_NONE: _Numbers = numpy.zeros(0, dtype=numpy.int32)


@dataclass(frozen=True, slots=True)
class FitWeights:
    """What counts for a formula and against it, beside one for each value that finds a place: that it has a dimension
    asked for, each value that is missing, a symbol of it that was typed, that it fits only under another reading."""

    asked: float
    missing: float
    symbol: float
    otherwise: float


class SignatureArrays:
    """Formulas in the order of their ids, each with its likely readings, by dimension and by symbol."""

    def __init__(self, rows: Sequence[SignatureRow]) -> None:
        self.formulas = sorted({row[0] for row in rows})
        place_of = {formula: place for place, formula in enumerate(self.formulas)}
        readings = sorted(
            {(place_of[formula], reading) for formula, _, _, is_constant, reading in rows if not is_constant}
        )
        number_of = {reading: number for number, reading in enumerate(readings)}
        variables = [0] * len(readings)
        by_dimension: dict[str, dict[int, int]] = {}
        by_symbol: dict[str, list[int]] = {}
        for formula, name, dimension, is_constant, reading in rows:
            place = place_of[formula]
            if not reading:
                by_symbol.setdefault(name, []).append(place)
            if is_constant:
                continue
            number = number_of[place, reading]
            variables[number] += 1
            if dimension is not None:
                counts = by_dimension.setdefault(dimension, {})
                counts[number] = counts.get(number, 0) + 1
        self._owners = _array([place for place, _ in readings])
        self._is_other = numpy.fromiter((reading > 0 for _, reading in readings), dtype=bool, count=len(readings))
        self._variables = _array(variables)
        # Where the readings of each formula begin that has any.
        self._first = _array([n for n, (place, _) in enumerate(readings) if not n or readings[n - 1][0] != place])
        self._by_dimension = {
            dimension: (_array(list(counts)), _array(list(counts.values())))
            for dimension, counts in by_dimension.items()
        }
        # Kept as they are: a library has thousands of symbols, and a question names few of them.
        self._by_symbol = by_symbol
        self.size = sum(not reading for _, reading in readings)

    @property
    def symbols(self) -> Collection[str]:
        """Every symbol name."""
        return self._by_symbol.keys()

    def best(
        self,
        wanted: Mapping[str, int],
        *,
        asked: Collection[str],
        symbols: Collection[str],
        weights: FitWeights,
        limit: int,
    ) -> list[str]:
        """Ids of the formulas that fit best, best first; ties by id. `wanted` says how many values there are of each
        dimension: two of one dimension need two places."""
        count = len(self._variables)
        matched = numpy.zeros(count, dtype=numpy.int32)
        is_fitting = numpy.zeros(count, dtype=bool)
        fits = numpy.zeros(count, dtype=numpy.float64)
        for dimension in asked:
            numbers, _ = self._by_dimension.get(dimension, (_NONE, _NONE))
            is_fitting[numbers] = True
            fits[numbers] = weights.asked
        for dimension, values in wanted.items():
            numbers, places = self._by_dimension.get(dimension, (_NONE, _NONE))
            matched[numbers] += numpy.minimum(places, values)
        found = numpy.flatnonzero(matched)
        lacking = numpy.maximum(0, self._variables[found] - 1 - matched[found])
        fits[found] = fits[found] + matched[found] - weights.missing * lacking
        is_fitting[found] = True
        fits[self._is_other] -= weights.otherwise
        scores = numpy.full(len(self.formulas), -numpy.inf)
        if count:
            best = numpy.maximum.reduceat(numpy.where(is_fitting, fits, -numpy.inf), self._first)
            scores[self._owners[self._first]] = best
        for symbol in symbols:
            places = _array(self._by_symbol.get(symbol, ()))
            scores[places] = numpy.where(numpy.isfinite(scores[places]), scores[places], 0.0)
            numpy.add.at(scores, places, weights.symbol)
        return [self.formulas[place] for place in _highest(scores, limit)]


def _array(numbers: Sequence[int]) -> _Numbers:
    return numpy.array(numbers, dtype=numpy.int32)


def _highest(scores: _Scores, limit: int) -> list[int]:
    """The places of the highest finite scores; equal ones in their order."""
    places = numpy.flatnonzero(numpy.isfinite(scores))
    found = scores[places]
    if limit < len(found):
        floor = numpy.partition(found, len(found) - limit)[len(found) - limit]
        places = places[found >= floor]
        found = scores[places]
    best: list[int] = places[numpy.argsort(-found, kind="stable")][:limit].tolist()
    return best
