"""Which dimensions and symbols each computable formula has, read in one go: what a search by signature starts from."""

from __future__ import annotations

from dataclasses import dataclass

from mathrag.store.database import Database

_ROWS = (
    "SELECT s.formula, s.name, s.dimension, s.role, s.constant FROM formula_symbols s "
    "JOIN formulas f ON f.id = s.formula WHERE f.status = 'executable' ORDER BY s.formula, s.position"
)


@dataclass(frozen=True, slots=True)
class SignatureRow:
    """One symbol of a formula. `dimension` is text in base units, None where unknown."""

    formula: str
    name: str
    dimension: str | None
    is_constant: bool


def signature_rows(database: Database) -> list[SignatureRow]:
    """Every symbol of every executable formula, by formula."""
    with database.reading() as connection:
        rows = connection.execute(_ROWS).fetchall()
    return [
        SignatureRow(formula, name, dimension, role == "constant" or constant is not None)
        for formula, name, dimension, role, constant in rows
    ]
