"""Read a library back from Turtle that anyone may have written. Fetches nothing; believes nothing it has not checked.

Only the records are read (see `nodes_of`); whatever else the file says follows from them, or is foreign.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import BinaryIO, cast

import pyoxigraph

from mathrag.errors import LibraryError
from mathrag.store.graph.contents import TABLE_NAMES, LibraryContents, TableName, TableRow, Value
from mathrag.store.graph.document_nodes import row_iri
from mathrag.store.graph.iris import correction_iri, iri
from mathrag.store.graph.record_checks import (
    RecordError,
    make_noun,
    parse_record,
    problems_of,
    row_columns,
    row_problems,
)
from mathrag.store.graph.triples import FORMAT_VERSION
from mathrag.store.graph.vocabulary import JSON, MATHRAG, PREFIXES, RECORD, WRITTEN_PREFIXES
from mathrag.types.json_codec import Json
from mathrag.types.library import ConstantFinding, Correction, Extraction, Finding, SymbolDefinition, TextRelation

_OURS = "urn:mathrag:"
_VOCABULARIES = tuple(PREFIXES[name] for name in WRITTEN_PREFIXES)
_MOST_PROBLEMS_SHOWN = 5
_KINDS: dict[str, type] = {
    "finding": Finding,
    "constant-finding": ConstantFinding,
    "definition": SymbolDefinition,
    "text-relation": TextRelation,
}


@dataclass(frozen=True, slots=True)
class TurtleLimits:
    """What an import may cost."""

    megabytes: int = 2048
    triples: int = 50_000_000
    seconds: float = 1800.0


@dataclass(frozen=True, slots=True)
class ImportedLibrary:
    """The truth of a library, without the views that follow from it, and how much of the file was not needed.

    `derived` counts statements that follow from the records; `foreign` those that are not about a library.
    """

    contents: LibraryContents
    derived: int
    foreign: int


def read_turtle(stream: BinaryIO, *, limits: TurtleLimits | None = None) -> ImportedLibrary:
    """The library that a Turtle document holds; `LibraryError` where anything in it is wrong."""
    records, derived, foreign = _collect(stream, limits or TurtleLimits())
    if not records and not derived:
        raise LibraryError("this Turtle holds no library; write one with: mathrag export --format turtle")
    return ImportedLibrary(_Restoring(records).contents(), derived, foreign)


class _Counted:
    """A stream that gives no more than it may."""

    def __init__(self, stream: BinaryIO, megabytes: int) -> None:
        self.stream = stream
        self.left = megabytes * 1024 * 1024
        self.megabytes = megabytes

    def read(self, size: int = -1) -> bytes:
        block = self.stream.read(1 << 16 if size < 0 else min(size, 1 << 16))
        self.left -= len(block)
        if self.left < 0:
            raise LibraryError(f"the Turtle is larger than {self.megabytes} MB; import it in parts")
        return block


def _collect(stream: BinaryIO, limits: TurtleLimits) -> tuple[dict[str, str], int, int]:
    """The records by the names of what they are about, and the numbers of the other statements."""
    records: dict[str, str] = {}
    counts = {"derived": 0, "foreign": 0}
    deadline = time.monotonic() + limits.seconds
    counted = cast("BinaryIO", _Counted(stream, limits.megabytes))
    try:
        for number, quad in enumerate(pyoxigraph.parse(counted, format=pyoxigraph.RdfFormat.TURTLE), 1):
            if number > limits.triples:
                raise LibraryError(f"the Turtle has more than {limits.triples} statements; import it in parts")
            if number % 4096 == 0 and time.monotonic() > deadline:
                raise LibraryError(f"reading the Turtle took longer than {limits.seconds:g} s; import it in parts")
            _take(quad, records, counts)
    except SyntaxError as error:
        raise LibraryError(f"this is not valid Turtle: {error}") from error
    except (OSError, ValueError) as error:
        raise LibraryError(f"the Turtle cannot be read: {error}") from error
    return records, counts["derived"], counts["foreign"]


def _take(quad: pyoxigraph.Quad, records: dict[str, str], counts: dict[str, int]) -> None:
    subject, predicate, value = quad.subject, quad.predicate.value, quad.object
    if not (isinstance(subject, pyoxigraph.NamedNode) and subject.value.startswith(_OURS)):
        counts["foreign"] += 1
        return
    literal = value if isinstance(value, pyoxigraph.Literal) else None
    if predicate == RECORD and literal is not None and literal.datatype.value == JSON:
        if records.setdefault(subject.value, literal.value) != literal.value:
            raise LibraryError(f"<{subject.value}> has two different records; keep one of them")
    elif predicate == MATHRAG + "formatVersion" and literal is not None and literal.value != str(FORMAT_VERSION):
        raise LibraryError(
            f"this library was written in format {literal.value[:20]}, and only {FORMAT_VERSION} can be read here; "
            "upgrade MathRAG to import it"
        )
    else:
        counts["derived" if predicate.startswith(_VOCABULARIES) else "foreign"] += 1


class _Restoring:
    """Turns records into contents; remembers what was wrong on the way."""

    def __init__(self, records: Mapping[str, str]) -> None:
        self.problems: list[str] = []
        self.parsed: dict[str, Json] = {}
        self.keys: dict[Value, str] = {}
        for name, text in records.items():
            try:
                self.parsed[name] = parse_record(text)
            except RecordError as error:
                self.problem(name, str(error))
        self.documents: dict[str, Json] = {
            str(data["id"]): data
            for data in self.parsed.values()
            if data.get("$row") == "documents" and isinstance(data.get("id"), str)
        }

    def problem(self, name: str, sentence: str) -> None:
        self.problems.append(f"<{name}>: {sentence}")

    def contents(self) -> LibraryContents:
        """Everything, or an error that tells what is wrong."""
        rows = [row for name, data in self.parsed.items() if "$row" in data for row in self._rows(name, data)]
        nouns = {name: self._noun(name, data) for name, data in self.parsed.items() if "$row" not in data}
        extractions = self._extractions(nouns)
        corrections = self._corrections(nouns)
        if self.problems:
            shown = "; ".join(self.problems[:_MOST_PROBLEMS_SHOWN])
            raise LibraryError(f"nothing was imported, because {len(self.problems)} records are wrong: {shown}")
        return LibraryContents(rows=tuple(rows), extractions=extractions, corrections=corrections)

    def _rows(self, name: str, data: dict[str, Json]) -> Iterator[TableRow]:
        table = data["$row"]
        if not isinstance(table, str) or table not in TABLE_NAMES or table == "table_cells":
            self.problem(name, "it belongs to no table of a library")
            return
        row = {column: value for column, value in data.items() if not column.startswith("$")}
        known = cast("TableName", table)
        if self._is_right(name, known, row) and row_iri(known, row) != name:
            self.problem(name, "its name is not the one that its record gives it")
        if table == "documents" and self.keys.setdefault(row.get("key"), name) != name:
            self.problem(name, "another document has the same key")
        yield _row(known, row)
        cells = data.get("$cells", [])
        if not isinstance(cells, list) or (cells and table != "tables"):
            self.problem(name, "its cells are no list")
            return
        places: set[tuple[Value, Value]] = set()
        for cell in cells:
            values = {"table_id": row.get("id"), **cell} if isinstance(cell, dict) else {}
            if self._is_right(name, "table_cells", values):
                place = values["row_number"], values["column_number"]
                if place in places:
                    self.problem(name, "two of its cells are in the same place")
                places.add(place)
            yield _row("table_cells", values)

    def _is_right(self, name: str, table: TableName, row: dict[str, Value]) -> bool:
        problems = list(row_problems(table, row, self.documents))
        for problem in problems:
            self.problem(name, problem)
        return not problems

    def _noun(self, name: str, data: Json) -> object:
        try:
            noun = make_noun(data)
        except RecordError as error:
            self.problem(name, str(error))
            return None
        for problem in problems_of(noun, self.documents):
            self.problem(name, problem)
        return noun

    def _extractions(self, nouns: Mapping[str, object]) -> tuple[Extraction, ...]:
        """The records of each document in the order of their numbers."""
        found: dict[tuple[str, str], dict[int, object]] = defaultdict(dict)
        for name, noun in nouns.items():
            kind, _, rest = name.removeprefix(_OURS).partition(":")
            if noun is None or kind == "correction":
                continue
            number = _number(rest.rpartition(":")[2])
            document = _document_of(noun)
            is_named = type(noun) is _KINDS.get(kind) and number is not None and iri(kind, document, number) == name
            is_numbered = getattr(noun, "position", number) == number
            if number is None or not is_named or not is_numbered:
                self.problem(name, "its name is not the one that its record gives it")
            else:
                found[document, kind][number] = noun
        self._check_extractions(found)
        return tuple(
            Extraction(
                document,
                findings=cast("tuple[Finding, ...]", _ordered(found.get((document, "finding")))),
                constants=cast("tuple[ConstantFinding, ...]", _ordered(found.get((document, "constant-finding")))),
                definitions=cast("tuple[SymbolDefinition, ...]", _ordered(found.get((document, "definition")))),
                relations=cast("tuple[TextRelation, ...]", _ordered(found.get((document, "text-relation")))),
            )
            for document in sorted({document for document, _ in found})
        )

    def _check_extractions(self, found: Mapping[tuple[str, str], Mapping[int, object]]) -> None:
        for (document, kind), entries in found.items():
            if document not in self.documents:
                self.problem(iri("document", document), "something was found in it, and it is not in the library")
            # Findings are numbered by their document, the others by their place in a list without gaps.
            if kind in ("definition", "text-relation") and sorted(entries) != list(range(len(entries))):
                self.problem(iri("document", document), f"some of its records of the kind {kind} are missing")
            if kind == "text-relation":
                known = found.get((document, "finding"), {})
                for number, entry in entries.items():
                    if isinstance(entry, TextRelation) and not {entry.source, entry.target} <= known.keys():
                        self.problem(iri(kind, document, number), "it relates formulas that are not in the document")

    def _corrections(self, nouns: Mapping[str, object]) -> tuple[Correction, ...]:
        ordered: dict[int, Correction] = {}
        for name, noun in nouns.items():
            if not name.startswith(_OURS + "correction:"):
                continue
            position = _number(name.removeprefix(_OURS).split(":")[1])
            if not isinstance(noun, Correction) or position is None or correction_iri(noun, position) != name:
                self.problem(name, "its name is not the one that its record gives it")
                continue
            ordered[position] = noun
        return tuple(ordered[position] for position in sorted(ordered))


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def _document_of(noun: object) -> str:
    """Definitions say in which document they stand only by their span."""
    if isinstance(noun, SymbolDefinition):
        return noun.span.document
    return noun.document if isinstance(noun, Finding | ConstantFinding | TextRelation) else ""


def _row(table: TableName, row: Mapping[str, Value]) -> TableRow:
    """With the columns in the order of the table, whatever the order in the file."""
    return TableRow(table, tuple((column, row[column]) for column in row_columns()[table] if column in row))


def _ordered(entries: Mapping[int, object] | None) -> tuple[object, ...]:
    return () if entries is None else tuple(entries[index] for index in sorted(entries))
