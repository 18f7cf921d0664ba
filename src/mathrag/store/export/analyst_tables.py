"""What analysts get of a library, as tables: formulas and all that belongs to them, and the views of documents.

Knows no file format; `csv_files.py` and `parquet_files.py` write what is here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from mathrag.compute.printers.pythontext import python_equation
from mathrag.store.export.markdown import sources_of
from mathrag.store.graph.contents import LibraryContents, TableName
from mathrag.store.truth.schema import table_columns
from mathrag.types.library import Formula, Span

Cell: TypeAlias = str | int | float | None
Row: TypeAlias = tuple[Cell, ...]
_Rows: TypeAlias = Callable[[LibraryContents, Sequence[str]], Iterator[Row]]
# The views of documents, whole: what people ask about with `mathrag sql`, for those who would rather have files.
VIEWS: tuple[TableName, ...] = (
    "pages", "sections", "chunks", "passages", "tables", "table_cells", "images", "equations", "bibliography",
    "summaries",
)  # fmt: skip
# How the rows of a view are ordered, as far as it has these columns.
_ORDER = ("document", "table_id", "position", "number", "row_number", "column_number")


@dataclass(frozen=True, slots=True)
class AnalystTable:
    """A table with its columns; `kinds` has what a column holds (`TEXT`, `INTEGER`, `REAL`) where that is not text."""

    name: str
    head: tuple[str, ...]
    rows: Callable[[], Iterator[Row]]
    kinds: Mapping[str, str]


def analyst_tables(contents: LibraryContents, *, with_text: bool = True) -> tuple[AnalystTable, ...]:
    """The tables of a library; those of its formulas, and `with_text` the views of its documents."""
    return (
        *(_own_table(name, contents) for name in _OWN),
        *(_view_table(name, contents) for name in VIEWS if with_text),
    )


def _own_table(name: str, contents: LibraryContents) -> AnalystTable:
    head, rows = _OWN[name]
    columns = tuple(head.split())
    return AnalystTable(name, columns, lambda: rows(contents, columns), _KINDS)


def _view_table(name: TableName, contents: LibraryContents) -> AnalystTable:
    columns = {column: about.type for column, about in table_columns()[name].items()}

    def rows() -> Iterator[Row]:
        by = [column for column in _ORDER if column in columns]
        found = sorted(contents.of_table(name), key=lambda row: [_in_order(row[column]) for column in by])
        yield from (tuple(row[column] for column in columns) for row in found)

    return AnalystTable(name, tuple(columns), rows, columns)


def _in_order(value: Cell) -> tuple[float, str]:
    return (0.0, value) if isinstance(value, str) else (value or 0.0, "")


def _row(noun: object, head: Sequence[str], **others: Cell) -> Row:
    """A noun under the names of a head: each cell one of `others`, or the field of that name as text."""
    return tuple(others[name] if name in others else _cell(getattr(noun, name)) for name in head)


def _cell(value: object) -> Cell:
    match value:
        case None | str() | int() | float():
            return value
        case tuple():
            return "; ".join(value)
        case _:
            return str(value)


def _formulas(contents: LibraryContents, head: Sequence[str]) -> Iterator[Row]:
    sources = sources_of(contents)
    for formula in sorted(contents.formulas, key=lambda each: each.id):
        documents = dict.fromkeys(span.document for span in formula.spans)
        yield _row(
            formula,
            head,
            python=None if formula.equation is None else python_equation(formula.equation),
            result_unit=_result_unit(formula),
            conditions="; ".join(condition.text for condition in formula.conditions),
            documents="; ".join(sources.title(document) for document in documents),
        )


def _result_unit(formula: Formula) -> str | None:
    return next((symbol.unit for symbol in formula.symbols if symbol.name == formula.target), None)


def _symbols(contents: LibraryContents, head: Sequence[str]) -> Iterator[Row]:
    for formula in sorted(contents.formulas, key=lambda each: each.id):
        yield from (_row(symbol, head, formula=formula.id) for symbol in formula.symbols)


def _constants(contents: LibraryContents, head: Sequence[str]) -> Iterator[Row]:
    yield from (_row(constant, head) for constant in sorted(contents.constants, key=lambda each: each.id))


def _relations(contents: LibraryContents, head: Sequence[str]) -> Iterator[Row]:
    in_order = sorted(contents.relations, key=lambda each: (each.source, each.kind, each.target))
    yield from (_row(relation, head) for relation in in_order)


def _places(contents: LibraryContents, head: Sequence[str]) -> Iterator[Row]:
    entries: list[tuple[str, tuple[Span, ...]]] = [(each.id, each.spans) for each in contents.formulas]
    entries.extend((each.id, each.spans) for each in contents.constants)
    for entry, spans in sorted(entries, key=lambda each: each[0]):
        for span in spans:
            yield _row(
                span.place,
                head,
                entry=entry,
                document=span.document,
                box=None if span.place.box is None else " ".join(map(repr, span.place.box)),
                headings=" > ".join(span.headings),
                quote=span.quote,
            )


def _documents(contents: LibraryContents, head: Sequence[str]) -> Iterator[Row]:
    for row in sorted(contents.of_table("documents"), key=lambda each: str(each["id"])):
        try:
            authors = "; ".join(map(str, json.loads(str(row["authors"]))))
        except (ValueError, TypeError):
            authors = str(row["authors"])
        yield tuple(authors if name == "authors" else row[name] for name in head)


def _worksheets(contents: LibraryContents, head: Sequence[str]) -> Iterator[Row]:
    for row in sorted(contents.of_table("worksheets"), key=lambda each: str(each["name"])):
        yield tuple(row[name] for name in head)


def _of_table(table: TableName) -> _Rows:
    """The rows of a table as they are, in the order of their documents."""

    def rows(contents: LibraryContents, head: Sequence[str]) -> Iterator[Row]:
        found = contents.of_table(table)
        for row in sorted(found, key=lambda each: (str(each["document"]), int(each["position"] or 0))):
            yield tuple(row[name] for name in head)

    return rows


_OWN: dict[str, tuple[str, _Rows]] = {
    "formulas": (
        """id label description intent keywords latex python target result_unit status reason number conditions
        prior documents""",
        _formulas,
    ),
    "symbols": ("formula name letter description unit dimension kind role constant state origin", _symbols),
    "constants": (
        "id name symbol value uncertainty unit dimension description keywords standard",
        _constants,
    ),
    "relations": ("source kind target confidence evidence", _relations),
    "places": ("entry document file page line end_line path box headings quote", _places),
    "documents": ("id name title authors year venue volume identifier abstract media_type hash", _documents),
    "concepts": ("id name dictionary symbol description role status document line", _of_table("concepts")),
    "concept_properties": (
        "concept kind text latex outcome points numbers counterexample reason document line",
        _of_table("concept_properties"),
    ),
    "worksheets": ("name created changed text", _worksheets),
}
# Columns of the tables above that hold numbers.
_KINDS = {
    "prior": "REAL", "confidence": "REAL", "page": "INTEGER", "line": "INTEGER", "end_line": "INTEGER",
    "year": "INTEGER", "points": "INTEGER",
}  # fmt: skip
TABLE_NAMES = (*_OWN, *VIEWS)
