"""Bring formulas and constants in line with the findings of the forms and symbols that a change touched.

How findings become formulas is the merger's business; which of them changed, and where each finding went, is ours.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Protocol

from mathrag.errors import LibraryError
from mathrag.store.truth.codec import (
    Value,
    decode,
    encode,
    insert_rows,
    plain_json,
    row_of,
    storable,
    values_of,
)
from mathrag.store.truth.concept_links import concepts_used
from mathrag.store.truth.schema import table_columns
from mathrag.store.truth.seals import agreeing_rows, text_digest
from mathrag.types.library import Constant, ConstantFinding, Correction, Finding, Formula, Relation, Validity

# The seam between the store and what merges: pure functions that the store is given. Nothing here merges.
#
# The store calls them for the entries a change touches and for no others, so they must be functions of their
# arguments alone, and `relate` must judge each neighbour and each constant by itself: what it says of two entries may
# not depend on which others it is shown. Then the library is the same in whatever order its documents came.


class Merger(Protocol):
    """Makes formulas, constants and relations of what was found."""

    def merge_findings(self, findings: Sequence[Finding], corrections: Sequence[Correction]) -> tuple[Formula, ...]:
        """The formulas of all findings of one form. Every finding's span is a span of one of them."""
        ...

    def merge_constants(self, findings: Sequence[ConstantFinding]) -> tuple[Constant, ...]:
        """The constants of all findings of one symbol."""
        ...

    def relate(
        self,
        formula: Formula,
        neighbours: Sequence[Formula],
        constants: Sequence[Constant],
        stated: Sequence[Relation],
    ) -> tuple[Relation, ...]:
        """The relations from this formula to its neighbours and constants; those from a neighbour are not asked for.

        `stated` is what texts say about this formula and one of the neighbours, in either direction.
        """
        ...


@dataclass(slots=True)
class Changes:
    """Entries that a change touched: those now new or different, and the ids of those gone."""

    formulas: dict[str, Formula] = field(default_factory=dict)
    removed_formulas: set[str] = field(default_factory=set)
    constants: dict[str, Constant] = field(default_factory=dict)
    removed_constants: set[str] = field(default_factory=set)

    @property
    def are_none(self) -> bool:
        """Whether nothing changed."""
        return not (self.formulas or self.removed_formulas or self.constants or self.removed_constants)


def findings_of_form(
    connection: sqlite3.Connection, form: str, known: Mapping[str, Finding] = MappingProxyType({})
) -> list[Finding]:
    """Every finding of a form, in an order that does not depend on when its document came. `known` are by record.

    One that was changed since it was read is left out: what does not agree with its digest must not spread.
    """
    rows = agreeing_rows(connection, "findings", "WHERE form = ? ORDER BY document, position", (form,))
    return [known.get(row["record"]) or decode(row["record"], Finding) for row in rows]


def corrections_of_form(connection: sqlite3.Connection, form: str) -> list[Correction]:
    """Every correction of the formulas of a form, oldest first; without those that were changed since."""
    rows = agreeing_rows(connection, "corrections", "WHERE form = ? ORDER BY time, id", (form,))
    return [Correction(**{name: row[name] for name in table_columns()["corrections"]}) for row in rows]


def merged_formulas(
    connection: sqlite3.Connection, form: str, merger: Merger, *, known: Mapping[str, Finding] = MappingProxyType({})
) -> tuple[list[Finding], list[Formula]]:
    """What the merger makes of a form, with the findings it was made of; `known` need not be decoded."""
    findings = findings_of_form(connection, form, known)
    if not findings:
        return [], []
    return findings, list(merger.merge_findings(findings, corrections_of_form(connection, form)))


def merged_constants(connection: sqlite3.Connection, symbol: str, merger: Merger) -> list[Constant]:
    """What the merger makes of the constants written with one symbol."""
    rows = agreeing_rows(connection, "constant_findings", "WHERE symbol = ? ORDER BY document, position", (symbol,))
    findings = [decode(row["record"], ConstantFinding) for row in rows]
    return list(merger.merge_constants(findings)) if findings else []


def remerge(
    connection: sqlite3.Connection,
    merger: Merger,
    *,
    forms: Iterable[str],
    symbols: Iterable[str],
    known: Mapping[str, Finding] = MappingProxyType({}),
) -> Changes:
    """Recompute these forms and these constants' symbols; write what differs. `known` are findings by their record."""
    changes = Changes()
    for form in sorted(set(forms)):
        _remerge_form(connection, form, merged_formulas(connection, form, merger, known=known), changes)
    for symbol in sorted(set(symbols)):
        _remerge_symbol(connection, symbol, merger, changes)
    return changes


def _remerge_form(
    connection: sqlite3.Connection, form: str, merged: tuple[list[Finding], list[Formula]], changes: Changes
) -> None:
    findings, formulas = merged
    _check_ids("formulas", [formula.id for formula in formulas], form)
    before = dict(connection.execute("SELECT id, record FROM formulas WHERE form = ?", (form,)))
    for gone in sorted(before.keys() - {formula.id for formula in formulas}):
        connection.execute("DELETE FROM formulas WHERE id = ?", (gone,))
        changes.removed_formulas.add(gone)
    for formula in formulas:
        if storable(formula.form) != form:
            raise LibraryError(f"merging the form {form!r} gave a formula of another form, {formula.form!r}")
        record = encode(formula)
        if before.get(formula.id) != record:
            _write_formula(connection, formula, record=record, is_new=formula.id not in before)
            changes.formulas[formula.id] = formula
    links = finding_links(findings, formulas)
    connection.executemany("DELETE FROM formula_findings WHERE formula = ?", ((formula.id,) for formula in formulas))
    connection.executemany("INSERT INTO formula_findings (formula, document, position) VALUES (?, ?, ?)", links)


def finding_links(findings: Sequence[Finding], formulas: Sequence[Formula]) -> list[tuple[str, str, int]]:
    """Which formula each finding became part of: the one that has its span."""
    owners = {span: formula.id for formula in reversed(formulas) for span in formula.spans}
    return [
        (owners[finding.span], finding.document, finding.position) for finding in findings if finding.span in owners
    ]


def _remerge_symbol(connection: sqlite3.Connection, symbol: str, merger: Merger, changes: Changes) -> None:
    constants = merged_constants(connection, symbol, merger)
    _check_ids("constants", [constant.id for constant in constants], symbol)
    before = dict(connection.execute("SELECT id, record FROM constants WHERE symbol = ?", (symbol,)))
    for gone in sorted(before.keys() - {constant.id for constant in constants}):
        connection.execute("DELETE FROM constants WHERE id = ?", (gone,))
        changes.removed_constants.add(gone)
    for constant in constants:
        if constant.symbol != symbol:
            raise LibraryError(f"merging the constants {symbol!r} gave one called {constant.symbol!r}")
        record = encode(constant)
        if before.get(constant.id) != record:
            _write_constant(connection, constant, record=record)
            changes.constants[constant.id] = constant


def _check_ids(what: str, ids: list[str], origin: str) -> None:
    if len(set(ids)) != len(ids):
        raise LibraryError(f"merging {origin!r} gave two {what} with one id")


# Formulas and constants as the rows that people query. Decides nothing about their content.

_FORMULA_CHILDREN = (
    "formula_labels",
    "formula_symbols",
    "formula_places",
    "formula_conditions",
    "formula_concepts",
    "instances",
    "formula_findings",
)


@cache
def _upsert(table: str) -> str:
    # Updating in place keeps the entry number, which the word index shares.
    updates = ", ".join(f"{column} = excluded.{column}" for column in table_columns()[table] if column != "id")
    return f"INSERT INTO {table} {values_of(table)} ON CONFLICT (id) DO UPDATE SET {updates}"


def _write_formula(connection: sqlite3.Connection, formula: Formula, *, record: str, is_new: bool) -> None:
    """Insert a formula, encoded in `record`, with all its rows, or replace them; one that `is_new` has none yet."""
    rows = formula_rows(formula, record)
    connection.execute(_upsert("formulas"), rows.pop("formulas")[0])
    for table in () if is_new else _FORMULA_CHILDREN:
        connection.execute(f"DELETE FROM {table} WHERE formula = ?", (formula.id,))  # noqa: S608 - our own names
    for table, children in rows.items():
        insert_rows(connection, table, children)


def formula_rows(formula: Formula, record: str) -> dict[str, list[tuple[Value, ...]]]:
    """A formula, encoded in `record`, as rows of all tables that show it."""
    target = next((symbol for symbol in formula.symbols if symbol.name == formula.target), None)
    row = row_of(
        "formulas",
        formula,
        keywords=", ".join(formula.keywords),
        target_unit=None if target is None else target.unit,
        target_kind=None if target is None else target.kind,
        place_count=len(formula.spans),
        document_count=len(formula.documents),
        is_corrected=bool(formula.corrections),
        record=record,
        digest=text_digest(record),
    )
    return {
        "formulas": [row],
        **{
            table: [
                row_of(table, noun, formula=formula.id, position=position, **others)
                for position, (noun, others) in enumerate(nouns)
            ]
            for table, nouns in _children_of(formula).items()
        },
    }


def _children_of(formula: Formula) -> dict[str, list[tuple[object, dict[str, object]]]]:
    """What a formula has several of, by table: the noun of each row, and the columns that are no field of it."""
    labels = dict.fromkeys(label for label in (formula.label, *formula.labels) if label)
    return {
        "formula_labels": [(formula, {"label": label}) for label in labels],
        "formula_symbols": [(each, {"is_target": each.name == formula.target}) for each in formula.symbols],
        "formula_places": [(each, {"headings": " > ".join(each.headings)}) for each in formula.spans],
        "formula_conditions": [(each, _condition_columns(each)) for each in formula.conditions],
        "formula_concepts": [(formula, {"concept": name}) for name in concepts_used(formula)],
        "instances": [(each, {"bindings": plain_json(dict(each.values))}) for each in formula.instances],
    }


def _condition_columns(condition: Validity) -> dict[str, object]:
    quote = None if condition.evidence is None else condition.evidence.quote
    return {"is_computable": bool(condition.comparisons), "quote": quote}


def _write_constant(connection: sqlite3.Connection, constant: Constant, *, record: str) -> None:
    """Insert a constant, encoded in `record`, with its places, or replace them."""
    rows = constant_rows(constant, record)
    connection.execute(_upsert("constants"), rows["constants"][0])
    connection.execute("DELETE FROM constant_places WHERE constant = ?", (constant.id,))
    insert_rows(connection, "constant_places", rows["constant_places"])


def constant_rows(constant: Constant, record: str) -> dict[str, list[tuple[Value, ...]]]:
    """A constant, encoded in `record`, as rows of all tables that show it."""
    row = row_of(
        "constants",
        constant,
        number=float(constant.value),
        keywords=", ".join(constant.keywords),
        place_count=len(constant.spans),
        record=record,
        digest=text_digest(record),
    )
    places = [
        row_of("constant_places", span, constant=constant.id, position=position, headings=" > ".join(span.headings))
        for position, span in enumerate(constant.spans)
    ]
    return {"constants": [row], "constant_places": places}
