"""Decide whether a record from outside may enter a library. Gives sentences about what is wrong; mends nothing.

A record goes through three sieves: its JSON is shallow and its numbers are harmless, it makes a noun of the declared
types, and what the noun says is possible.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from functools import cache

from mathrag.compute.units import read_canonical_unit
from mathrag.errors import MathragError
from mathrag.store.graph.contents import TableName, Value
from mathrag.store.graph.noun_types import is_well_typed
from mathrag.store.records import document_id
from mathrag.store.schema import VERSION_1, VERSION_2, VERSION_3
from mathrag.types.document import ReaderNote
from mathrag.types.expression import MAXIMUM_DEPTH, MAXIMUM_DIGITS, MAXIMUM_NODES, Equation, depth_of, size_of
from mathrag.types.json_codec import Json, from_json
from mathrag.types.knowledge import is_symbol_name
from mathrag.types.library import (
    ConstantFinding,
    Correction,
    Finding,
    Span,
    SymbolDefinition,
    SymbolMeaning,
    TextRelation,
)
from mathrag.types.quantity import Dimension

_DEEPEST_JSON = 300
_FRACTION = re.compile(r"-?[0-9]{1,6}(?:/[1-9][0-9]{0,5})?")
_DECIMAL = re.compile(r"-?[0-9]{1,4300}(?:\.[0-9]{1,4300})?(?:E[+-]?[0-9]{1,4})?")
# Row numbers of the database are its own affair.
_INTERNAL_COLUMNS = frozenset(("entry",))
_HASH = re.compile("[0-9a-f]{64}")


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


@cache
def row_columns() -> Mapping[str, Mapping[str, tuple[str, bool]]]:
    """For every table of the library: its columns, each with its type and whether it has to have a value."""
    connection = sqlite3.connect(":memory:")
    try:
        for statement in (*VERSION_1, *VERSION_2, *VERSION_3):
            if "fts5" not in statement:
                connection.execute(statement)
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {
            table: {
                row[1]: (str(row[2]), bool(row[3]) or bool(row[5]))
                for row in connection.execute(f"PRAGMA table_info({table})")
                if row[1] not in _INTERNAL_COLUMNS
            }
            for table in tables
        }
    finally:
        connection.close()


_TYPES: dict[str, tuple[type, ...]] = {"TEXT": (str,), "INTEGER": (int,), "REAL": (float, int)}


def row_problems(table: TableName, row: Mapping[str, Value], documents: Mapping[str, object]) -> Iterator[str]:
    """What is wrong with a row of plain values."""
    columns = row_columns()[table]
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
