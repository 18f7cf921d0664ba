"""Everything a library holds, as one value that exports and the graph take. Knows no database and no file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from mathrag.types.library import Constant, Correction, Extraction, Formula, Relation

# The tables of the library whose rows are plain values. Those after the first three are views of a document's text, or
# what a language model said about it.
TableName: TypeAlias = Literal[
    "documents",
    "failures",
    "worksheets",
    "pages",
    "sections",
    "chunks",
    "passages",
    "tables",
    "table_cells",
    "images",
    "equations",
    "bibliography",
    "page_layouts",
    "pictures",
    "cases",
    "problems",
    "solutions",
    "solution_steps",
    "concepts",
    "concept_signatures",
    "concept_properties",
    "concept_examples",
    "model_readings",
    "proposals_rejected",
    "summaries",
]
Value: TypeAlias = str | int | float | None

TABLE_NAMES: tuple[TableName, ...] = get_args(TableName)
TEXT_TABLES: tuple[TableName, ...] = TABLE_NAMES[3:]


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row of a table, such as a document or a chunk: plain values under the names of their columns."""

    table: TableName
    values: tuple[tuple[str, Value], ...]

    def as_mapping(self) -> Mapping[str, Value]:
        """The values by column."""
        return dict(self.values)


@dataclass(frozen=True, slots=True)
class ProblemTyping:
    """Which type a problem has, from wide to narrow, and whether a record states it, a model said it (`model:` and its
    name) or its neighbours give it."""

    problem: str
    branch: str
    subfield: str
    type: str
    origin: str


@dataclass(frozen=True, slots=True)
class LibraryContents:
    """What was read (`rows`, `extractions`), what people said (`corrections`), and the views computed from it.

    Formulas, constants, relations and types of problems follow from the extractions, the corrections and the rows, so
    a copy of a library needs only the rest; they are here because readers want them. Notes of an extraction stay in
    its document's row.
    """

    rows: tuple[TableRow, ...] = ()
    extractions: tuple[Extraction, ...] = ()
    corrections: tuple[Correction, ...] = ()
    formulas: tuple[Formula, ...] = ()
    constants: tuple[Constant, ...] = ()
    relations: tuple[Relation, ...] = ()
    problem_types: tuple[ProblemTyping, ...] = ()

    def of_table(self, table: TableName) -> tuple[Mapping[str, Value], ...]:
        """The rows of one table, as mappings."""
        return tuple(row.as_mapping() for row in self.rows if row.table == table)
