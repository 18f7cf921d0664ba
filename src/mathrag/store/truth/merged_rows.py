"""Write merged formulas and constants as the rows that people query. Decides nothing about their content."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from mathrag.store.truth.codec import place_columns, plain_json, storable
from mathrag.types.library import Constant, Formula, Span, SymbolMeaning

_FORMULA_COLUMNS = (
    "id", "form", "label", "description", "intent", "keywords", "latex", "status", "reason_code", "reason", "target",
    "target_unit", "target_kind", "number", "place_count", "document_count", "is_corrected", "record",
)  # fmt: skip
_CONSTANT_COLUMNS = (
    "id", "symbol", "letter", "name", "value", "number", "unit", "dimension", "uncertainty", "description", "keywords",
    "standard", "place_count", "record",
)  # fmt: skip


def _upsert(table: str, columns: tuple[str, ...]) -> str:
    # Updating in place keeps the entry number, which the word index shares.
    updates = ", ".join(f"{column} = excluded.{column}" for column in columns[1:])
    return (
        f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))}) "  # noqa: S608
        f"ON CONFLICT (id) DO UPDATE SET {updates}"
    )


_UPSERT_FORMULA = _upsert("formulas", _FORMULA_COLUMNS)
_UPSERT_CONSTANT = _upsert("constants", _CONSTANT_COLUMNS)
_FORMULA_CHILDREN = (
    "formula_labels",
    "formula_symbols",
    "formula_places",
    "formula_conditions",
    "instances",
    "formula_findings",
)


def write_formula(connection: sqlite3.Connection, formula: Formula, *, record: str, is_new: bool = False) -> None:
    """Insert a formula, encoded in `record`, with all its rows, or replace them. `merging` links its findings.

    One that `is_new` has no rows to be taken away.
    """
    meanings = {symbol.name: symbol for symbol in formula.symbols}
    target = meanings.get(formula.target or "")
    connection.execute(
        _UPSERT_FORMULA,
        (
            formula.id,
            storable(formula.form),
            storable(formula.label),
            storable(formula.description),
            storable(formula.intent),
            storable(", ".join(formula.keywords)),
            storable(formula.latex),
            formula.status,
            storable(formula.reason_code),
            storable(formula.reason),
            formula.target,
            None if target is None else target.unit,
            None if target is None else target.kind,
            storable(formula.number),
            len(formula.spans),
            len({span.document for span in formula.spans}),
            bool(formula.corrections),
            record,
        ),
    )
    for table in () if is_new else _FORMULA_CHILDREN:
        connection.execute(f"DELETE FROM {table} WHERE formula = ?", (formula.id,))  # noqa: S608 - our own names
    _write_parts(connection, formula)


def _write_parts(connection: sqlite3.Connection, formula: Formula) -> None:
    labels = dict.fromkeys(label for label in (formula.label, *formula.labels) if label)
    connection.executemany(
        "INSERT INTO formula_labels VALUES (?, ?, ?)",
        ((formula.id, position, storable(label)) for position, label in enumerate(labels)),
    )
    connection.executemany(
        "INSERT INTO formula_symbols VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (_symbol_row(formula, position, symbol) for position, symbol in enumerate(formula.symbols)),
    )
    connection.executemany(
        "INSERT INTO formula_places VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", _place_rows(formula.id, formula.spans)
    )
    connection.executemany(
        "INSERT INTO formula_conditions VALUES (?, ?, ?, ?, ?)",
        (
            (
                formula.id,
                position,
                storable(condition.text),
                bool(condition.comparisons),
                None if condition.evidence is None else storable(condition.evidence.quote),
            )
            for position, condition in enumerate(formula.conditions)
        ),
    )
    connection.executemany(
        "INSERT INTO instances VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (
                formula.id,
                position,
                instance.span.document,
                *place_columns(instance.span.place),
                storable(instance.text),
                plain_json(dict(instance.values)),
                instance.verdict,
                storable(instance.reason),
            )
            for position, instance in enumerate(formula.instances)
        ),
    )


def _symbol_row(formula: Formula, position: int, symbol: SymbolMeaning) -> tuple[object, ...]:
    return (
        formula.id,
        position,
        symbol.name,
        storable(symbol.letter),
        storable(symbol.description),
        symbol.unit,
        None if symbol.dimension is None else str(symbol.dimension),
        symbol.kind,
        symbol.role,
        symbol.constant,
        symbol.state,
        symbol.origin,
        symbol.name == formula.target,
    )


def _place_rows(owner: str, spans: Iterable[Span]) -> Iterable[tuple[object, ...]]:
    for position, span in enumerate(spans):
        headings = storable(" > ".join(span.headings))
        yield (owner, position, span.document, *place_columns(span.place), storable(span.quote), headings)


def write_constant(connection: sqlite3.Connection, constant: Constant, *, record: str) -> None:
    """Insert a constant, encoded in `record`, with its places, or replace them."""
    connection.execute(
        _UPSERT_CONSTANT,
        (
            constant.id,
            constant.symbol,
            storable(constant.letter),
            storable(constant.name),
            str(constant.value),
            float(constant.value),
            constant.unit,
            str(constant.dimension),
            None if constant.uncertainty is None else str(constant.uncertainty),
            storable(constant.description),
            storable(", ".join(constant.keywords)),
            constant.standard,
            len(constant.spans),
            record,
        ),
    )
    connection.execute("DELETE FROM constant_places WHERE constant = ?", (constant.id,))
    connection.executemany(
        "INSERT INTO constant_places VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        _place_rows(constant.id, constant.spans),
    )
