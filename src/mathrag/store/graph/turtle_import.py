"""Read a library back from Turtle that anyone may have written. Fetches nothing; believes nothing it has not checked.

Only the records are read (see `nodes_of`); whatever else the file says follows from them, or is foreign.
"""

from __future__ import annotations

import dataclasses
import json
import math
import re
import time
import types
import typing
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache
from typing import Any, BinaryIO, Literal, TypeAlias, Union, cast, get_args

import pyoxigraph

from mathrag.errors import LibraryError, MathragError
from mathrag.knowledge.units import read_canonical_unit
from mathrag.store.graph.contents import TABLE_NAMES, LibraryContents, TableName, TableRow, Value
from mathrag.store.graph.document_nodes import row_iri
from mathrag.store.graph.names import correction_iri, iri
from mathrag.store.graph.record_digests import DIGEST, SEAL, changed_records, owner_of_record
from mathrag.store.graph.triples import FORMAT_VERSION
from mathrag.store.graph.vocabulary import JSON, MATHRAG, PREFIXES, RECORD, WRITTEN_PREFIXES
from mathrag.store.truth.codec import storable
from mathrag.store.truth.records import document_id
from mathrag.store.truth.schema import table_columns
from mathrag.store.truth.solution_labels import LABEL_KINDS, label_of_row
from mathrag.store.truth.worksheets import sound_name
from mathrag.types.concept import PropertyKind, SampleOutcome
from mathrag.types.document import ReaderNote
from mathrag.types.expression import MAXIMUM_DEPTH, MAXIMUM_DIGITS, MAXIMUM_NODES, Equation, depth_of, size_of
from mathrag.types.json_codec import from_json
from mathrag.types.json_value import Json
from mathrag.types.knowledge import is_symbol_name
from mathrag.types.library import (
    ConstantFinding,
    Correction,
    Extraction,
    Finding,
    Span,
    SymbolDefinition,
    SymbolMeaning,
    TextRelation,
)
from mathrag.types.quantity import Dimension
from mathrag.types.solution import StepLabel

# Check that a value has the types its class declares, all the way down. For values that came from outside.

Check: TypeAlias = Callable[[object], bool]
_PLAIN = (str, bool)


def is_well_typed(value: object) -> bool:
    """Whether a noun and everything inside it is what the annotations of its classes say."""
    return dataclasses.is_dataclass(value) and not isinstance(value, type) and _of_class(type(value))(value)


@cache
def _of_class(kind: type) -> Check:
    checks: list[tuple[str, Check]] = []

    def check(value: object) -> bool:
        return type(value) is kind and all(each(getattr(value, name)) for name, each in _filled())

    def _filled() -> list[tuple[str, Check]]:
        # Filled at first use, not when made: trees contain themselves.
        if not checks:
            hints = typing.get_type_hints(kind)
            checks.extend((field.name, _check(hints[field.name])) for field in dataclasses.fields(kind))
        return checks

    return check


def _check(annotation: Any) -> Check:
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is Literal:
        return lambda value: isinstance(value, str) and value in arguments
    if origin in (Union, types.UnionType):
        checks = [_check(each) for each in arguments]
        return lambda value: any(each(value) for each in checks)
    if origin is tuple:
        return _tuple(arguments)
    if dataclasses.is_dataclass(annotation) and isinstance(annotation, type):
        return _of_class(annotation)
    if annotation is float:
        return lambda value: type(value) in (int, float) and math.isfinite(typing.cast("float", value))
    if annotation in _PLAIN:
        return lambda value: type(value) is annotation
    if isinstance(annotation, type):
        return lambda value: type(value) is annotation
    raise TypeError(f"no check for {annotation}")


def _tuple(arguments: tuple[Any, ...]) -> Check:
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        every = _check(arguments[0])
        return lambda value: isinstance(value, tuple) and all(every(item) for item in value)
    checks = [_check(each) for each in arguments]
    return lambda value: (
        isinstance(value, tuple)
        and len(value) == len(checks)
        and all(check(item) for check, item in zip(checks, value, strict=True))
    )


# Decide whether a record from outside may enter a library. Gives sentences about what is wrong; mends nothing.
#
# A record goes through three sieves: its JSON is shallow and its numbers are harmless, it makes a noun of the
# declared types, and what the noun says is possible.

_DEEPEST_JSON = 300
_FRACTION = re.compile(r"-?[0-9]{1,6}(?:/[1-9][0-9]{0,5})?")
_DECIMAL = re.compile(r"-?[0-9]{1,4300}(?:\.[0-9]{1,4300})?(?:E[+-]?[0-9]{1,4})?")
_HASH = re.compile("[0-9a-f]{64}")
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\+00:00")


class RecordError(ValueError):
    """A record that may not enter; the sentence says why."""


def parse_record(text: str) -> Json:
    """The JSON of a record, known to be harmless to build nouns from."""
    data = _parse(text)
    if not isinstance(data, dict):
        raise RecordError("it is no JSON object")
    return data


def parse_list(text: str) -> list[Json]:
    """The same for a list inside a column."""
    data = _parse(text)
    if not isinstance(data, list):
        raise RecordError("it is no JSON list")
    return data


def _parse(text: str) -> Json:
    try:
        data = json.loads(text, parse_constant=_no_constant)
    except RecursionError as error:
        raise RecordError("its JSON is nested too deeply") from error
    except ValueError as error:
        raise RecordError(f"its JSON cannot be read ({error})") from error
    _check_json(data)
    return data


def _no_constant(name: str) -> float:
    raise RecordError(f"{name} is no number")


def _check_json(data: Json) -> None:
    pending: list[tuple[Json, int]] = [(data, 1)]
    while pending:
        item, depth = pending.pop()
        if depth > _DEEPEST_JSON:
            raise RecordError("its JSON is nested too deeply")
        if isinstance(item, list):
            pending.extend((each, depth + 1) for each in item)
        elif isinstance(item, dict):
            _check_numbers(item)
            pending.extend((each, depth + 1) for each in item.values())


def _check_numbers(item: dict[str, Json]) -> None:
    """Numbers written as text: 1e999999999 as a fraction would fill the memory of any machine."""
    for name, pattern in (("$decimal", _DECIMAL), ("$fraction", _FRACTION)):
        if name in item and not (isinstance(item[name], str) and pattern.fullmatch(item[name])):
            raise RecordError(f"{name} holds no ordinary number")
    if "$dimension" in item:
        shown = item["$dimension"]
        parts = shown.split(" ") if isinstance(shown, str) and len(shown) < 200 else [""]
        if not all(_FRACTION.fullmatch(part) for part in parts):
            raise RecordError("$dimension holds no ordinary numbers")


def make_noun(data: Json) -> object:
    """The noun that a record stands for, with every type checked."""
    try:
        noun = from_json(data)
    except RecursionError as error:
        raise RecordError("it is nested too deeply") from error
    except (ValueError, TypeError, ArithmeticError) as error:
        raise RecordError(str(error)) from error
    try:
        if not is_well_typed(noun):
            raise RecordError(f"a field of {type(noun).__name__} has the wrong type")
    except RecursionError as error:
        raise RecordError("it is nested too deeply") from error
    return noun


def problems_of(noun: object, documents: Mapping[str, object]) -> Iterator[str]:
    """What a noun says that cannot be."""
    for span in _spans(noun):
        if span.document not in documents:
            yield f"it points into {span.document!r}, which is no document of this library"
    match noun:
        case Finding():
            yield from _finding_problems(noun)
        case ConstantFinding():
            yield from _value_problems(noun.value, noun.uncertainty)
            yield from _unit_problems(noun.unit, noun.dimension)
            # A table of data may give a value a name and no letter.
            if noun.symbol:
                yield from _name_problems(noun.symbol)
        case SymbolDefinition():
            yield from _name_problems(noun.name)
            yield from _unit_problems(noun.unit, noun.dimension)
            yield from _share_problems("confidence", noun.confidence)
        case TextRelation():
            yield from _share_problems("confidence", noun.confidence)
        case Correction():
            if not noun.formula or not noun.field:
                yield "it corrects nothing"


def _spans(noun: object) -> Iterator[Span]:
    match noun:
        case Finding():
            yield noun.span
            yield from (symbol.evidence for symbol in noun.symbols if symbol.evidence is not None)
            yield from (condition.evidence for condition in noun.conditions if condition.evidence is not None)
            yield from (instance.span for instance in noun.instances)
        case ConstantFinding() | SymbolDefinition():
            yield noun.span
        case TextRelation(span=Span() as span):
            yield span


def _finding_problems(finding: Finding) -> Iterator[str]:
    if finding.span.document != finding.document:
        yield "it was found in another document than it says"
    if finding.status == "executable" and finding.equation is None:
        yield "it is executable and has no equation"
    if not finding.form:
        yield "it has no form"
    yield from _share_problems("prior", finding.prior)
    if finding.equation is not None:
        yield from _equation_problems(finding.equation)
    for symbol in (*finding.symbols, *(each for other in finding.alternatives for each in other.symbols)):
        yield from _symbol_problems(symbol)


def _equation_problems(equation: Equation) -> Iterator[str]:
    sides = [equation.left, equation.right]
    for condition in equation.conditions:
        sides.extend(side for each in condition.comparisons for side in (each.left, each.right))
    if any(depth_of(side) > MAXIMUM_DEPTH for side in sides) or sum(map(size_of, sides)) > MAXIMUM_NODES:
        yield "its equation is larger than any real formula"


def _symbol_problems(symbol: SymbolMeaning) -> Iterator[str]:
    yield from _name_problems(symbol.name)
    yield from _unit_problems(symbol.unit, symbol.dimension)


def _name_problems(name: str) -> Iterator[str]:
    if not is_symbol_name(name):
        yield f"{name!r} is no name of a symbol"


def _share_problems(what: str, value: float) -> Iterator[str]:
    if not 0 <= value <= 1:
        yield f"its {what} is {value}, not between 0 and 1"


def _value_problems(*values: Decimal | None) -> Iterator[str]:
    for value in values:
        if value is not None and (not value.is_finite() or abs(value.adjusted()) > MAXIMUM_DIGITS):
            yield "its value is no ordinary number"


def _unit_problems(unit: str | None, dimension: Dimension | None) -> Iterator[str]:
    if not unit:
        return
    known = _dimension_of_unit(unit)
    if known is None:
        yield f"{unit!r} is no unit in canonical form"
    elif dimension is not None and known != dimension:
        yield f"its unit {unit} does not have the dimension {dimension}"


@cache
def _cached_dimension(unit: str) -> Dimension | None:
    try:
        return read_canonical_unit(unit).dimension
    except MathragError:
        return None


def _dimension_of_unit(unit: str) -> Dimension | None:
    return _cached_dimension(unit) if len(unit) <= 200 else None


_TYPES: dict[str, tuple[type, ...]] = {"TEXT": (str,), "INTEGER": (int,), "REAL": (float, int)}


def row_problems(table: TableName, row: Mapping[str, Value], documents: Mapping[str, object]) -> Iterator[str]:
    """What is wrong with a row of plain values."""
    columns = table_columns()[table]
    missing, unknown = columns.keys() - row.keys(), row.keys() - columns.keys()
    if missing or unknown:
        yield from _column_problems(missing, unknown)
        return
    for name, (kind, has_to_be) in columns.items():
        value = row[name]
        if value is None:
            if has_to_be:
                yield f"it has no {name}"
        elif type(value) not in _TYPES.get(kind, (str,)):
            yield f"its {name} is no {kind.lower()}"
        elif isinstance(value, int) and not -(2**63) <= value < 2**63:
            yield f"its {name} is too large a number"
    document = row.get("document")
    if document is not None and document not in documents:
        yield f"it is a piece of {document!r}, which is no document of this library"
    if table == "documents":
        yield from _document_problems(row)
    elif table in _PARTS_OF_SOLUTIONS:
        yield from _solution_problems(table, row)
    elif table in _PARTS_OF_DICTIONARIES:
        yield from _concept_problems(table, row)
    elif table == "worksheets":
        yield from _worksheet_problems(row)
    elif table == "summaries" and row.get("kind") in LABEL_KINDS:
        yield from _label_problems(row)


# What the rows of worked solutions refer to; all of it lies in the same document.
_PARTS_OF_SOLUTIONS: dict[str, tuple[str, ...]] = {
    "problems": (),
    "solutions": ("problem",),
    "solution_steps": ("solution", "alternative_to"),
}


def _solution_problems(table: str, row: Mapping[str, Value]) -> Iterator[str]:
    for name in ("id", *_PARTS_OF_SOLUTIONS[table]):
        value = row.get(name)
        if value is not None and not str(value).startswith(f"{row.get('document')}/"):
            yield f"its {name} is none of its document"
    if table != "solution_steps":
        return
    if row.get("label") not in get_args(StepLabel):
        yield "its label is none that a step has"
    try:
        is_right = all(isinstance(each, str) for each in parse_list(str(row.get("forms"))))
    except RecordError as error:
        yield f"its forms cannot be read: {error}"
    else:
        if not is_right:
            yield "its forms are no texts"


# The same for the rows of dictionaries; a signature names its concept, which may stand in another document.
_PARTS_OF_DICTIONARIES: dict[str, tuple[str, ...]] = {
    "concepts": (),
    "concept_signatures": (),
    "concept_properties": ("concept",),
    "concept_examples": ("concept",),
}


def _concept_problems(table: str, row: Mapping[str, Value]) -> Iterator[str]:
    for name in ("id", *_PARTS_OF_DICTIONARIES[table]):
        if not str(row.get(name)).startswith(f"{row.get('document')}/"):
            yield f"its {name} is none of its document"
    if table == "concepts" and row.get("name") != f"{row.get('dictionary')}:{row.get('symbol')}":
        yield "its name is not that of its dictionary and symbol"
    if table == "concept_properties":
        if row.get("kind") not in get_args(PropertyKind):
            yield "its kind is none that a property has"
        if row.get("outcome") not in (None, *get_args(SampleOutcome)):
            yield "its outcome is none that a check has"
    for name in {"concept_properties": ("counterexample",), "concept_examples": ("latex",)}.get(table, ()):
        try:
            parse_list(str(row.get(name)))
        except RecordError as error:
            yield f"its {name} cannot be read: {error}"


def _label_problems(row: Mapping[str, Value]) -> Iterator[str]:
    if not str(row.get("source")).startswith(f"{row.get('document')}/"):
        yield "its source is none of its document"
    if label_of_row(row) is None:
        yield "its text is no label"


def _worksheet_problems(row: Mapping[str, Value]) -> Iterator[str]:
    name = str(row.get("name"))
    try:
        if sound_name(name) != name:
            yield "its name is not written as a library keeps it"
    except MathragError as error:
        yield f"its name is none: {error}"
    if storable(str(row.get("text"))) != row.get("text"):
        yield "its text cannot be kept"
    for column in ("created", "changed"):
        if not _TIME.fullmatch(str(row.get(column))):
            yield f"its {column} is no time"


def _document_problems(row: Mapping[str, Value]) -> Iterator[str]:
    if not _HASH.fullmatch(str(row["hash"])):
        yield "its hash is not 64 hexadecimal digits"
    if row["id"] != document_id(str(row["key"])):
        yield "its id is not the one that its key gives it"
    for name in ("authors", "files", "extraction_notes", "notes"):
        try:
            listed = parse_list(str(row[name]))
            if name == "notes":
                notes = [make_noun(each) for each in listed]
                is_right = all(isinstance(note, ReaderNote) for note in notes)
            else:
                is_right = all(isinstance(each, str) for each in listed)
        except RecordError as error:
            yield f"its {name} cannot be read: {error}"
        else:
            if not is_right:
                yield f"its {name} are not what they should be"


def _column_problems(missing: Iterable[str], unknown: Iterable[str]) -> Iterator[str]:
    if missing:
        yield f"it lacks {', '.join(sorted(missing))}"
    if unknown:
        yield f"it has {', '.join(sorted(unknown))[:100]}, which this version does not know"


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

    `derived` counts statements that follow from the records; `foreign` those that are not about a library; `digests`
    those that records were compared with, none for a file of an earlier version.
    """

    contents: LibraryContents
    derived: int
    foreign: int
    digests: int = 0


def read_turtle(stream: BinaryIO, *, limits: TurtleLimits | None = None) -> ImportedLibrary:
    """The library that a Turtle document holds; `LibraryError` where anything in it is wrong."""
    found = _Collected()
    _collect(stream, limits or TurtleLimits(), found)
    if not found.records and not found.derived:
        raise LibraryError("this Turtle holds no library; write one with: mathrag export --format turtle")
    restoring = _Restoring(found.records)
    restoring.compare(found)
    return ImportedLibrary(restoring.contents(), found.derived, found.foreign, len(found.digests))


@dataclass(slots=True)
class _Collected:
    """Records, digests and seals of a file by the names of what they are about; the other statements are counted."""

    records: dict[str, str] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)
    seals: dict[str, str] = field(default_factory=dict)
    derived: int = 0
    foreign: int = 0


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


def _collect(stream: BinaryIO, limits: TurtleLimits, found: _Collected) -> None:
    """Take every statement of the file."""
    deadline = time.monotonic() + limits.seconds
    counted = cast("BinaryIO", _Counted(stream, limits.megabytes))
    try:
        for number, quad in enumerate(pyoxigraph.parse(counted, format=pyoxigraph.RdfFormat.TURTLE), 1):
            if number > limits.triples:
                raise LibraryError(f"the Turtle has more than {limits.triples} statements; import it in parts")
            if number % 4096 == 0 and time.monotonic() > deadline:
                raise LibraryError(f"reading the Turtle took longer than {limits.seconds:g} s; import it in parts")
            _take(quad, found)
    except SyntaxError as error:
        raise LibraryError(f"this is not valid Turtle: {error}") from error
    except (OSError, ValueError) as error:
        raise LibraryError(f"the Turtle cannot be read: {error}") from error


def _take(quad: pyoxigraph.Quad, found: _Collected) -> None:
    subject, predicate, value = quad.subject, quad.predicate.value, quad.object
    if not (isinstance(subject, pyoxigraph.NamedNode) and subject.value.startswith(_OURS)):
        found.foreign += 1
        return
    literal = value if isinstance(value, pyoxigraph.Literal) else None
    kept = {RECORD: found.records, DIGEST: found.digests, SEAL: found.seals}.get(predicate)
    if kept is not None and literal is not None and (predicate != RECORD or literal.datatype.value == JSON):
        if kept.setdefault(subject.value, literal.value) != literal.value:
            raise LibraryError(f"<{subject.value}> has two different {_term_of(predicate)}s; keep one of them")
    elif predicate == MATHRAG + "formatVersion" and literal is not None and literal.value != str(FORMAT_VERSION):
        raise LibraryError(
            f"this library was written in format {literal.value[:20]}, and only {FORMAT_VERSION} can be read here; "
            "upgrade MathRAG to import it"
        )
    elif predicate.startswith(_VOCABULARIES):
        found.derived += 1
    else:
        found.foreign += 1


def _term_of(predicate: str) -> str:
    return predicate.removeprefix(MATHRAG)


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

    def compare(self, found: _Collected) -> None:
        """Note what was changed in the file after it was written."""
        names = {iri("document", identifier): data.get("name") for identifier, data in self.documents.items()}
        owners = {name: owner_of_record(data) for name, data in self.parsed.items()}
        for name, sentence in changed_records(found.records, found.digests, found.seals, owners=owners):
            document = names.get(owners.get(name, name))
            self.problem(name, f"{sentence} ({document})" if document else sentence)

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
    return TableRow(table, tuple((column, row[column]) for column in table_columns()[table] if column in row))


def _ordered(entries: Mapping[int, object] | None) -> tuple[object, ...]:
    return () if entries is None else tuple(entries[index] for index in sorted(entries))
