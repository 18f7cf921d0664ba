"""Search formulas by their signature: the dimensions and symbols of what a question gives and asks.

A question that gives a mass, a speed and a radius and asks for a force fits few formulas, whatever words it uses. All
formulas of the library are compared, exactly, as arrays in memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple, TypeAlias

import numpy

from mathrag.language.typed_symbols import typed_symbol
from mathrag.store.truth.database import Database
from mathrag.store.truth.schema import WITH_ALTERNATIVES
from mathrag.types.quantity import Dimension

_Numbers: TypeAlias = numpy.ndarray[tuple[int], numpy.dtype[numpy.int32]]
_Scores: TypeAlias = numpy.ndarray[tuple[int], numpy.dtype[numpy.float64]]
_NONE: _Numbers = numpy.zeros(0, dtype=numpy.int32)

# Each value that finds a place counts one, and so does having the dimension asked for. What would be missing, and a
# symbol typed by its own letter, count a part of that: units tell more than letters, and a formula that lacks two
# values may still be a step of the way. What fits only under another reading of its symbols comes after those that fit
# as they are read.
_ASKED, _MISSING, _SYMBOL, _OTHER_READING = 1.0, 0.6, 0.5, 0.3
# Readings of a formula's symbols less likely than this are not searched.
_LEAST_PRIOR = 0.04


@dataclass(frozen=True, slots=True)
class Signature:
    """What a question offers: for each value the dimensions it can have, the dimensions asked for, symbols typed."""

    givens: tuple[frozenset[str], ...]
    asked: frozenset[str] = frozenset()
    symbols: frozenset[str] = frozenset()


class SignatureIndex:
    """The formulas of a library by dimension and by symbol, each with its likely readings."""

    def __init__(self, rows: Sequence[SignatureRow]) -> None:
        self._formulas = sorted({row[0] for row in rows})
        place_of = {formula: place for place, formula in enumerate(self._formulas)}
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
        # What formulas write with capitals in it (`LMTD`, `CrCl`) is no word of a question.
        self.abbreviations = frozenset(letter for name in by_symbol if _is_abbreviation(letter := name.split("_")[0]))
        self.typed_symbols = frozenset(filter(None, map(typed_symbol, by_symbol)))
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
        self._size = sum(not reading for _, reading in readings)

    def __len__(self) -> int:
        return self._size

    def search(self, signature: Signature, *, limit: int = 40) -> list[str]:
        """Ids of the formulas that fit best, best first; ties by id."""
        # Two values of one dimension need two places.
        wanted = Counter(dimension for dimensions in signature.givens for dimension in dimensions)
        count = len(self._variables)
        matched = numpy.zeros(count, dtype=numpy.int32)
        is_fitting = numpy.zeros(count, dtype=bool)
        fits = numpy.zeros(count, dtype=numpy.float64)
        for dimension in signature.asked:
            numbers, _ = self._by_dimension.get(dimension, (_NONE, _NONE))
            is_fitting[numbers] = True
            fits[numbers] = _ASKED
        for dimension, values in wanted.items():
            numbers, places = self._by_dimension.get(dimension, (_NONE, _NONE))
            matched[numbers] += numpy.minimum(places, values)
        found = numpy.flatnonzero(matched)
        lacking = numpy.maximum(0, self._variables[found] - 1 - matched[found])
        fits[found] = fits[found] + matched[found] - _MISSING * lacking
        is_fitting[found] = True
        fits[self._is_other] -= _OTHER_READING
        scores = numpy.full(len(self._formulas), -numpy.inf)
        if count:
            best = numpy.maximum.reduceat(numpy.where(is_fitting, fits, -numpy.inf), self._first)
            scores[self._owners[self._first]] = best
        for symbol in signature.symbols:
            places = _array(self._by_symbol.get(symbol, ()))
            scores[places] = numpy.where(numpy.isfinite(scores[places]), scores[places], 0.0)
            numpy.add.at(scores, places, _SYMBOL)
        return [self._formulas[place] for place in _highest(scores, limit)]


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


# The rows that the index is made of.

_ROWS = "SELECT formula, name, dimension, role, constant FROM formula_symbols ORDER BY formula, position"
_OTHERS = "SELECT id FROM formulas WHERE status <> 'executable' OR purpose NOT IN ('general', 'definition')"
# The symbols whose meaning differs in another likely reading of a formula.
_OTHERWISE = (
    "SELECT f.id, a.key, json_extract(s.value, '$.name'), json_extract(s.value, '$.dimension.$dimension') "  # noqa: S608
    "FROM formulas f, json_each(f.record, '$.alternatives') a, json_each(a.value, '$.symbols') s "
    f"WHERE f.id IN (SELECT id FROM formulas WHERE {WITH_ALTERNATIVES}) AND f.status = 'executable' "
    "AND json_extract(a.value, '$.prior') >= ? ORDER BY f.id, a.key"
)


def _is_abbreviation(letter: str) -> bool:
    return sum(each.isupper() for each in letter) > 1


class SignatureRow(NamedTuple):
    """One symbol of a formula. `dimension` is text in base units, None where unknown; `reading` numbers the likely
    readings of its symbols, the first being 0. A plain tuple, because all of a library are made at once."""

    formula: str
    name: str
    dimension: str | None
    is_constant: bool
    reading: int = 0


def signature_rows(database: Database) -> list[SignatureRow]:
    """Every symbol of every general statement that is executable, by formula, once for each likely reading."""
    with database.reading() as connection:
        rows = connection.execute(_ROWS).fetchall()
        others = {identifier for (identifier,) in connection.execute(_OTHERS)}
        otherwise = connection.execute(_OTHERWISE, (_LEAST_PRIOR,)).fetchall()
    found = [
        SignatureRow(formula, name, dimension, role == "constant" or constant is not None)
        for formula, name, dimension, role, constant in rows
        if formula not in others
    ]
    return [*found, *_other_readings(found, otherwise)]


def _other_readings(
    rows: Sequence[SignatureRow], otherwise: Sequence[tuple[str, int, str, str | None]]
) -> Iterator[SignatureRow]:
    concerned = {formula for formula, *_ in otherwise}
    by_formula: dict[str, list[SignatureRow]] = {}
    for row in rows:
        if row.formula in concerned:
            by_formula.setdefault(row.formula, []).append(row)
    for (formula, number), group in groupby(otherwise, key=lambda row: (row[0], row[1])):
        changed = {name: _text(exponents) for _, _, name, exponents in group}
        for row in by_formula.get(formula, ()):
            yield row._replace(reading=number + 1, dimension=changed.get(row.name, row.dimension))


def _text(exponents: str | None) -> str | None:
    return None if exponents is None else str(Dimension(tuple(map(Fraction, exponents.split()))))
