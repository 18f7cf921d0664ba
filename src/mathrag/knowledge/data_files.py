"""Load the data files of the package and hold them to their schema. What they mean: see `kinds`, `constants`, `roles`.

The TOML files are the source: people read, argue about and edit them. tomllib needs a quarter of a second for the
quantity kinds, more than a whole command may take, and a unit's dimension needs pint, which takes longer still. So each
file has a compact JSON twin with the same entries and the dimensions worked out (`tools/build_data.py`, `make data`);
it loads in a few milliseconds, and a test keeps the two equal.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any, TypeVar

from mathrag.errors import DataFileError
from mathrag.types.knowledge import KnowledgeError, is_symbol_name
from mathrag.types.quantity import Dimension

Entry = Mapping[str, Any]
Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Key:
    """One key of an entry: what it must hold, in words and as a test."""

    expected: str
    holds: Callable[[object], bool]
    is_required: bool = True


@dataclass(frozen=True, slots=True)
class DataFile:
    """A data file by its name (`quantities`), the table its entries stand in (`kind`), and its keys."""

    name: str
    table: str
    keys: Mapping[str, Key]

    @property
    def source_name(self) -> str:
        """The file that people edit."""
        return f"{self.name}.toml"

    @property
    def compiled_name(self) -> str:
        """The file that the program loads."""
        return f"{self.name}.json"


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_list_of_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) and item for item in value)


def _is_list_of_symbols(value: object) -> bool:
    return _is_list_of_texts(value) and isinstance(value, list) and all(is_symbol_name(item) for item in value)


def _is_truth(value: object) -> bool:
    return isinstance(value, bool)


def _is_range(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(type(end) in (int, float) for end in value)


def _is_decimal(value: object) -> bool:
    if not isinstance(value, str):
        return False
    try:
        return Decimal(value).is_finite()
    except InvalidOperation:
        return False


_TEXT = Key("a text", _is_text)
_TEXTS = Key("a list of texts", _is_list_of_texts)
_SYMBOLS = Key("a list of symbol names", _is_list_of_symbols)
_TRUTH = Key("true or false", _is_truth)
_DECIMAL = Key("a number in quotes, with the digits as published", _is_decimal)


def _optional(key: Key) -> Key:
    return Key(key.expected, key.holds, is_required=False)


QUANTITIES = DataFile(
    "quantities",
    "kind",
    {
        "id": _TEXT,
        "name": _TEXT,
        "synonyms": _TEXTS,
        "asks": _TEXTS,
        "symbols": _SYMBOLS,
        "unit": _TEXT,
        "units": _TEXTS,
        "sign": _TEXT,
        "range": Key("a list of two numbers", _is_range),
        "field": _TEXT,
        "broader": _optional(_TEXT),
        "difference": _optional(_TRUTH),
        "cycles": _optional(_TRUTH),
        "any_unit": _optional(_TRUTH),
        "qudt": _optional(_TEXT),
    },
)

CONSTANTS = DataFile(
    "constants",
    "constant",
    {
        "id": _TEXT,
        "names": _TEXTS,
        "symbols": _SYMBOLS,
        "value": _DECIMAL,
        "unit": _TEXT,
        "uncertainty": _optional(_DECIMAL),
        "exact": _TRUTH,
        "nominal": _optional(_TRUTH),
        "default": _optional(_TRUTH),
        "source": _TEXT,
        "field": _TEXT,
        "qudt": _optional(_TEXT),
    },
)

ROLES = DataFile(
    "roles",
    "role",
    {
        "id": _TEXT,
        "name": _TEXT,
        "subscripts": _TEXTS,
        "marks": _TEXTS,
        "words": _TEXTS,
        "opposite": _optional(_TEXT),
        "group": _TEXT,
        "note": _TEXT,
    },
)

DATA_FILES = (QUANTITIES, CONSTANTS, ROLES)
# Files of rows that their own modules check; their JSON twins hold the same tables.
TABLE_FILES = ("errata", "notations", "properties")


def read_source(file: DataFile) -> list[Entry]:
    """The entries of the TOML file, checked. Slow: for building and testing."""
    text = _folder().joinpath(file.source_name).read_text(encoding="utf-8")
    return parse_source(file, text)


def parse_source(file: DataFile, text: str) -> list[Entry]:
    """The entries of TOML text, checked."""
    import tomllib

    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DataFileError(f"{file.source_name} is not valid TOML: {error}") from None
    extra = sorted(set(tables) - {file.table})
    if extra:
        raise DataFileError(f"{file.source_name}: unknown table [{extra[0]}]; entries stand under [[{file.table}]]")
    entries = tables.get(file.table)
    if not isinstance(entries, list) or not entries:
        raise DataFileError(f"{file.source_name} has no [[{file.table}]] entry")
    check_entries(file, entries)
    return entries


def check_entries(file: DataFile, entries: Sequence[Entry]) -> None:
    """Raise `DataFileError` that names the entry and the key of the first fault."""
    seen: set[str] = set()
    for number, entry in enumerate(entries, start=1):
        name = entry.get("id", f"number {number}")
        for key in entry:
            if key not in file.keys:
                raise _fault(file, name, key, "is not a key of this file")
        for key, rule in file.keys.items():
            if key not in entry:
                if rule.is_required:
                    raise _fault(file, name, key, "is missing")
            elif not rule.holds(entry[key]):
                raise _fault(file, name, key, f"must be {rule.expected}, not {entry[key]!r}")
        if name in seen:
            raise _fault(file, name, "id", "is used by an earlier entry too")
        seen.add(name)


def make_entries(file: DataFile, entries: Sequence[Entry], make: Callable[[Entry], Made]) -> tuple[Made, ...]:
    """One value for each entry; a value that refuses to be made becomes a `DataFileError` that names the entry."""
    made: list[Made] = []
    for entry in entries:
        try:
            made.append(make(entry))
        except KnowledgeError as error:
            raise _fault(file, entry["id"], error.key, error.problem) from None
    return tuple(made)


def _fault(file: DataFile, entry: object, key: str, problem: str) -> DataFileError:
    return DataFileError(f"{file.source_name}, {file.table} {entry!r}: {key} {problem}")


def compile_entries(file: DataFile, entries: Sequence[Entry]) -> str:
    """The JSON twin: rows in the order of the keys, one line a row, and the dimension of every coherent unit used."""
    keys = list(file.keys)
    rows = [json.dumps([entry.get(key) for key in keys], ensure_ascii=False) for entry in entries]
    units = sorted({entry["unit"] for entry in entries}) if "unit" in file.keys else []
    dimensions = {unit: _exponents(unit) for unit in units}
    head = f'"keys": {json.dumps(keys)},\n"dimensions": {json.dumps(dimensions)},\n"rows": [\n'
    return "{" + head + ",\n".join(rows) + "\n]}\n"


def _exponents(unit: str) -> str:
    from mathrag.knowledge.units import read_canonical_unit

    return " ".join(str(exponent) for exponent in read_canonical_unit(unit).dimension.exponents)


def _folder() -> Traversable:
    return resources.files("mathrag.knowledge").joinpath("data")


def small_tables(name: str) -> dict[str, Any]:
    """A TOML file that is read as it is: too small for a JSON twin to be worth its while."""
    import tomllib

    return tomllib.loads(_folder().joinpath(f"{name}.toml").read_text(encoding="utf-8"))


def compile_tables(name: str) -> str:
    """The JSON twin of a file of rows: the same tables, one line a row."""
    tables = small_tables(name)
    lines = {
        table: ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) for table, rows in sorted(tables.items())
    }
    return "{" + ",\n".join(f"{json.dumps(table)}: [\n{rows}\n]" for table, rows in lines.items()) + "}\n"


def source_texts(folder: str) -> dict[str, str]:
    """The text of every file people edit in a folder of sources, by its name without ending."""
    files = [file for file in _folder().joinpath(folder).iterdir() if file.name.endswith(".toml")]
    texts = {file.name.removesuffix(".toml"): file.read_text(encoding="utf-8") for file in files}
    return dict(sorted(texts.items()))


def digest(texts: Mapping[str, str]) -> str:
    """What tells whether a compiled file belongs to these sources."""
    return hashlib.sha256("\0".join(f"{name}\0{text}" for name, text in texts.items()).encode()).hexdigest()


@cache
def compiled(file_name: str) -> dict[str, Any]:
    """What a compiled file holds; not to be changed."""
    path = _folder().joinpath(file_name)
    try:
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise DataFileError(f"{file_name} is missing; run `make data` to build it from its TOML source") from None
    except ValueError as error:
        raise DataFileError(f"{file_name} is damaged ({error}); run `make data` to build it again") from None
    return content


def compiled_digest(file_name: str) -> str:
    """The digest of the sources that a compiled file was made from."""
    return str(compiled(file_name)["digest"])


def load_entries(file: DataFile) -> list[Entry]:
    """The entries as compiled: every key present, None where the source leaves it out."""
    content = compiled(file.compiled_name)
    if content.get("keys") != list(file.keys):
        raise DataFileError(f"{file.compiled_name} is out of date; run `make data` to build it again")
    keys = content["keys"]
    return [dict(zip(keys, row, strict=True)) for row in content["rows"]]


def load_dimensions(file: DataFile) -> Mapping[str, Dimension]:
    """The dimension of every coherent unit the entries use."""
    read = cache(Fraction)  # few different exponents occur, and reading a fraction is slow
    dimensions: Mapping[str, str] = compiled(file.compiled_name)["dimensions"]
    return {unit: Dimension(tuple(read(item) for item in text.split())) for unit, text in dimensions.items()}
