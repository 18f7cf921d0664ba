"""Which dimensions and symbols each computable formula has, read in one go: what a search by signature starts from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from mathrag.store.truth.database import Database
from mathrag.store.truth.schema import WITH_ALTERNATIVES
from mathrag.types.quantity import Dimension

_ROWS = "SELECT formula, name, dimension, role, constant FROM formula_symbols ORDER BY formula, position"
_OTHERS = "SELECT id FROM formulas WHERE status <> 'executable'"
# The symbols whose meaning differs in another likely reading of a formula.
_OTHERWISE = (
    "SELECT f.id, a.key, json_extract(s.value, '$.name'), json_extract(s.value, '$.dimension.$dimension') "  # noqa: S608
    "FROM formulas f, json_each(f.record, '$.alternatives') a, json_each(a.value, '$.symbols') s "
    f"WHERE f.id IN (SELECT id FROM formulas WHERE {WITH_ALTERNATIVES}) AND f.status = 'executable' "
    "AND json_extract(a.value, '$.prior') >= ? ORDER BY f.id, a.key"
)
_LEAST_PRIOR = 0.04


class SignatureRow(NamedTuple):
    """One symbol of a formula. `dimension` is text in base units, None where unknown; `reading` numbers the likely
    readings of its symbols, the first being 0. A plain tuple, because all of a library are made at once."""

    formula: str
    name: str
    dimension: str | None
    is_constant: bool
    reading: int = 0


def signature_rows(database: Database) -> list[SignatureRow]:
    """Every symbol of every executable formula, by formula, once for each likely reading of its symbols."""
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
