"""Look through a library page by page: formulas with facets, constants, documents. Reads rows, not whole records."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from mathrag.library.opened import OpenLibrary
from mathrag.library.records import HitKind
from mathrag.library.views.mathml import mathml_of_latex
from mathrag.types.library import Status

# So many hits of a search are looked through; whoever wants more asks more precisely.
_MOST_HITS = 300
# Everything means something like anything: beyond these, a hit must have a word in common with what was asked.
_NEAREST = 20
# Whoever looks for a rarer value searches by words.
_MOST_VALUES = 50
_ROW = (
    "id", "label", "latex", "status", "reason_code", "reason", "description", "target", "target_unit", "target_kind",
    "place_count", "document_count", "is_corrected",
)  # fmt: skip
FACETS = ("status", "document", "field", "kind", "reason")
_COLUMNS = {"status": "f.status", "kind": "f.target_kind", "reason": "f.reason_code"}


@dataclass(frozen=True, slots=True)
class FormulaFilter:
    """Which formulas: those found by words, of a status, in a document (by id), that give a kind of quantity, that were
    set aside for a reason (by code), that give a quantity of a field such as `mechanics`."""

    words: str = ""
    status: Status | None = None
    document: str | None = None
    kind: str | None = None
    reason: str | None = None
    field: str | None = None


@dataclass(frozen=True, slots=True)
class Facet:
    """A value to narrow down by, with how many formulas have it."""

    value: str
    label: str
    count: int


@dataclass(frozen=True, slots=True)
class FormulaPage:
    """Some rows of a list, how long the list is, and what it can be narrowed down by."""

    rows: tuple[dict[str, Any], ...]
    total: int
    facets: Mapping[str, tuple[Facet, ...]] = field(default_factory=dict)


def browse_formulas(
    library: OpenLibrary, wanted: FormulaFilter, *, limit: int = 50, offset: int = 0, with_facets: bool = True
) -> FormulaPage:
    """A page of formulas: by label, or best first where words are given."""
    ids = _hits(library, wanted.words) if wanted.words.strip() else None
    with library.database.reading() as connection:
        where, values = _where(wanted, ids)
        total = int(connection.execute(f"SELECT count(*) FROM formulas f WHERE {where}", values).fetchone()[0])  # noqa: S608
        columns = ", ".join(f"f.{name}" for name in _ROW)
        order = "f.label = '', f.label COLLATE NOCASE, f.id" if ids is None else "f.id"
        if ids is None:
            rows = connection.execute(
                f"SELECT {columns} FROM formulas f WHERE {where} ORDER BY {order} LIMIT ? OFFSET ?",  # noqa: S608
                (*values, limit, offset),
            ).fetchall()
        else:
            found = connection.execute(f"SELECT {columns} FROM formulas f WHERE {where}", values).fetchall()  # noqa: S608
            rank = {identifier: place for place, identifier in enumerate(ids)}
            rows = sorted(found, key=lambda row: rank[row[0]])[offset : offset + limit]
        facets = {name: _facet(connection, name, wanted, ids) for name in FACETS} if with_facets else {}
    return FormulaPage(tuple(_row(row) for row in rows), total, facets)


def _hits(library: OpenLibrary, words: str, kind: HitKind = "formula") -> list[str]:
    """Those that fit words, best first: by the words themselves, and the nearest in meaning."""
    found = library.search(words, kinds=(kind,), limit=_MOST_HITS)
    return [hit.id for place, hit in enumerate(found) if place < _NEAREST or "words" in hit.found_by]


def _where(wanted: FormulaFilter, ids: Sequence[str] | None, *, without: str = "") -> tuple[str, list[object]]:
    """The condition of a filter, perhaps without one of its parts. Only our own names are put into the text."""
    parts: list[str] = ["1"]
    values: list[object] = []
    for name, column in _COLUMNS.items():
        value = getattr(wanted, name)
        if value is not None and name != without:
            parts.append(f"{column} = ?")
            values.append(value)
    if wanted.field is not None and without != "field":
        kinds = [kind for kind, field_name in kind_fields().items() if field_name == wanted.field]
        parts.append(f"f.target_kind IN ({', '.join('?' * len(kinds))})")
        values.extend(kinds)
    if wanted.document is not None and without != "document":
        parts.append("f.id IN (SELECT formula FROM formula_findings WHERE document = ?)")
        values.append(wanted.document)
    if ids is not None:
        parts.append(f"f.id IN ({', '.join('?' * len(ids))})" if ids else "0")
        values.extend(ids)
    return " AND ".join(parts), values


def _facet(
    connection: sqlite3.Connection, name: str, wanted: FormulaFilter, ids: Sequence[str] | None
) -> tuple[Facet, ...]:
    where, values = _where(wanted, ids, without=name)
    if name == "document":
        question = (
            "SELECT d.id, coalesce(nullif(d.title, ''), d.name), count(DISTINCT l.formula) FROM formulas f "  # noqa: S608
            f"JOIN formula_findings l ON l.formula = f.id JOIN documents d ON d.id = l.document WHERE {where} "
            "GROUP BY d.id ORDER BY 3 DESC, 2 LIMIT ?"
        )
    elif name == "field":
        return _field_facet(connection, where, values)
    else:
        column = _COLUMNS[name]
        question = (
            f"SELECT {column}, {column}, count(*) FROM formulas f WHERE {where} "  # noqa: S608
            f"AND coalesce({column}, '') <> '' GROUP BY 1 ORDER BY 3 DESC, 1 LIMIT ?"
        )
    rows = connection.execute(question, (*values, _MOST_VALUES))
    return tuple(Facet(str(value), str(label).replace("_", " "), count) for value, label, count in rows)


def _field_facet(connection: sqlite3.Connection, where: str, values: Sequence[object]) -> tuple[Facet, ...]:
    """The fields of the kinds of quantity that the formulas give."""
    fields, counts = kind_fields(), dict[str, int]()
    rows = connection.execute(f"SELECT f.target_kind, count(*) FROM formulas f WHERE {where} GROUP BY 1", values)  # noqa: S608
    for kind, count in rows:
        name = fields.get(kind)
        if name is not None:
            counts[name] = counts.get(name, 0) + int(count)
    ordered = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    return tuple(Facet(name, name.replace("_", " "), count) for name, count in ordered)


@lru_cache(maxsize=1)
def kind_fields() -> dict[str, str]:
    """The field that each kind of quantity belongs to, by its id."""
    from mathrag.knowledge.kinds import all_kinds

    return {kind.id: kind.field for kind in all_kinds()}


@lru_cache(maxsize=1)
def kind_names() -> dict[str, str]:
    """What the kinds of quantity are called, by their ids, in the order of the names."""
    from mathrag.knowledge.kinds import all_kinds

    return dict(sorted(((kind.id, kind.name) for kind in all_kinds()), key=lambda each: each[1]))


def _row(row: Iterable[Any]) -> dict[str, Any]:
    made = dict(zip(_ROW, row, strict=True))
    made["is_corrected"] = bool(made["is_corrected"])
    made["mathml"] = mathml_of_latex(made["latex"])
    return made


def browse_constants(
    library: OpenLibrary, *, words: str = "", document: str | None = None, limit: int = 50, offset: int = 0
) -> tuple[list[str], int]:
    """Ids of a page of constants, by name or best first, and how many there are."""
    if words.strip():
        ids = _hits(library, words, "constant")
        return ids[offset : offset + limit], len(ids)
    within = "id IN (SELECT constant FROM constant_places WHERE document = :document)" if document else "1"
    values = {"document": document, "limit": limit, "offset": offset}
    with library.database.reading() as connection:
        total = connection.execute(f"SELECT count(*) FROM constants WHERE {within}", values).fetchone()[0]  # noqa: S608
        rows = connection.execute(
            f"SELECT id FROM constants WHERE {within} ORDER BY name = '', name COLLATE NOCASE, id "  # noqa: S608
            "LIMIT :limit OFFSET :offset",
            values,
        ).fetchall()
    return [row[0] for row in rows], int(total)


def document_names(library: OpenLibrary) -> dict[str, str]:
    """What documents are called, by their ids: the title, else the name of the file."""
    with library.database.reading() as connection:
        rows = connection.execute("SELECT id, coalesce(nullif(title, ''), name) FROM documents").fetchall()
    return {str(identifier): str(name) for identifier, name in rows}


def labels_of(library: OpenLibrary, entries: Iterable[str]) -> dict[str, str]:
    """What formulas and constants are called, by their ids."""
    found: dict[str, str] = {}
    with library.database.reading() as connection:
        for identifier in dict.fromkeys(entries):
            row = connection.execute(
                "SELECT coalesce(nullif(label, ''), latex) FROM formulas WHERE id = :id UNION ALL "
                "SELECT coalesce(nullif(name, ''), symbol) FROM constants WHERE id = :id",
                {"id": identifier},
            ).fetchone()
            if row is not None:
                found[identifier] = str(row[0])
    return found
