"""The data files keep their schema, and a broken one is reported by entry and key."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

from mathrag.errors import DataFileError
from mathrag.knowledge import constants, kinds, roles
from mathrag.knowledge.data_files import (
    CONSTANTS,
    DATA_FILES,
    QUANTITIES,
    ROLES,
    TABLE_FILES,
    DataFile,
    Entry,
    compile_entries,
    compile_tables,
    compiled,
    parse_source,
    read_source,
    small_tables,
)
from mathrag.knowledge.theorems import compile_theorems
from mathrag.types.knowledge import FIELDS
from mathrag.types.quantity import Dimension

PROJECT = Path(__file__).resolve().parents[2]


def load_tool(name: str) -> ModuleType:
    """A script of the tools folder as a module."""
    spec = importlib.util.spec_from_file_location(name, PROJECT / "tools" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def sources() -> dict[str, list[Entry]]:
    return {file.name: read_source(file) for file in DATA_FILES}


@pytest.mark.parametrize("file", DATA_FILES, ids=lambda file: file.name)
def test_the_compiled_file_equals_its_source(file: DataFile, sources: dict[str, list[Entry]]) -> None:
    compiled = (PROJECT / "src/mathrag/knowledge/data" / file.compiled_name).read_text(encoding="utf-8")
    assert compiled == compile_entries(file, sources[file.name]), (
        f"{file.compiled_name} is out of date: run `make data`"
    )


@pytest.mark.parametrize("name", TABLE_FILES)
def test_the_compiled_rows_equal_their_source(name: str) -> None:
    text = (PROJECT / "src/mathrag/knowledge/data" / f"{name}.json").read_text(encoding="utf-8")
    assert text == compile_tables(name), f"{name}.json is out of date: run `make data`"
    assert compiled(f"{name}.json") == small_tables(name)


def test_the_compiled_theorems_equal_their_source() -> None:
    text = (PROJECT / "src/mathrag/knowledge/data/theorems.json").read_text(encoding="utf-8")
    assert text == compile_theorems(), "theorems.json is out of date: run `make data`"


def test_the_build_tool_writes_every_data_file() -> None:
    assert {path.name for path in load_tool("build_data").compiled_files()} == {
        "glossary.json",
        "theorems.json",
        "unit_factors.json",
        *(file.compiled_name for file in DATA_FILES),
        *(f"{name}.json" for name in TABLE_FILES),
    }


def test_headings_follow_the_order_of_fields() -> None:
    text = (PROJECT / "src/mathrag/knowledge/data" / QUANTITIES.source_name).read_text(encoding="utf-8")
    assert tuple(re.findall(r"^# =+ (.+)$", text, re.MULTILINE)) == FIELDS
    assert list(dict.fromkeys(kind.field for kind in kinds.all_kinds())) == list(FIELDS)


KIND = """
[[kind]]
id = "force"
name = "force"
synonyms = ["push"]
asks = []
symbols = ["F"]
unit = "N"
units = ["kN"]
sign = "any"
range = [-1e50, 1e50]
field = "mechanics"
"""

CONSTANT = """
[[constant]]
id = "speed_of_light"
names = ["speed of light"]
symbols = ["c"]
value = "299792458"
unit = "m/s"
uncertainty = "0"
exact = true
source = "CODATA 2022"
field = "modern physics"
"""

ROLE = """
[[role]]
id = "initial"
name = "initial"
subscripts = ["0"]
marks = []
words = ["initially"]
group = "state"
note = "at the beginning"
"""


@pytest.mark.parametrize(
    ("file", "text", "old", "new", "message"),
    [
        (QUANTITIES, KIND, 'name = "force"', 'name = "force"\nnick = "f"', "kind 'force': nick is not a key"),
        (QUANTITIES, KIND, "asks = []\n", "", "kind 'force': asks is missing"),
        (
            QUANTITIES,
            KIND,
            'synonyms = ["push"]',
            'synonyms = "push"',
            "kind 'force': synonyms must be a list of texts",
        ),
        (QUANTITIES, KIND, 'symbols = ["F"]', 'symbols = ["F vec"]', "kind 'force': symbols must be a list of symbol"),
        (QUANTITIES, KIND, 'symbols = ["F"]', 'symbols = ["lambda"]', "kind 'force': symbols must be a list of symbol"),
        (QUANTITIES, KIND, 'symbols = ["F"]', 'symbols = ["φ"]', "kind 'force': symbols must be a list of symbol"),
        (QUANTITIES, KIND, "[-1e50, 1e50]", "[1]", "kind 'force': range must be a list of two numbers"),
        (QUANTITIES, KIND, "[-1e50, 1e50]", "[true, false]", "kind 'force': range must be a list of two numbers"),
        (QUANTITIES, KIND, 'sign = "any"', "sign = 1", "kind 'force': sign must be a text"),
        (QUANTITIES, KIND, 'id = "force"\n', "", "kind 'number 1': id is missing"),
        (QUANTITIES, KIND, 'field = "mechanics"\n', 'field = "mechanics"\n' + KIND, "kind 'force': id is used by"),
        (QUANTITIES, KIND, "[[kind]]", "[[kinds]]", "unknown table"),
        (QUANTITIES, KIND, KIND, "", "has no [[kind]] entry"),
        (QUANTITIES, KIND, "asks = []", "asks = [", "not valid TOML"),
        (
            CONSTANTS,
            CONSTANT,
            '"299792458"',
            "299792458",
            "constant 'speed_of_light': value must be a number in quotes",
        ),
        (CONSTANTS, CONSTANT, '"299792458"', '"fast"', "constant 'speed_of_light': value must be a number in quotes"),
        (CONSTANTS, CONSTANT, "exact = true\n", "", "constant 'speed_of_light': exact is missing"),
        (
            CONSTANTS,
            CONSTANT,
            "exact = true",
            'exact = "yes"',
            "constant 'speed_of_light': exact must be true or false",
        ),
        (ROLES, ROLE, 'words = ["initially"]', 'words = [""]', "role 'initial': words must be a list of texts"),
        (ROLES, ROLE, 'note = "at the beginning"\n', "", "role 'initial': note is missing"),
    ],
)
def test_a_broken_file_names_the_entry_and_the_key(file: DataFile, text: str, old: str, new: str, message: str) -> None:
    assert old in text
    with pytest.raises(DataFileError, match=re.escape(message)):
        parse_source(file, text.replace(old, new, 1))


@pytest.mark.parametrize(
    ("file", "text", "old", "new", "message"),
    [
        (QUANTITIES, KIND, 'sign = "any"', 'sign = "maybe"', "kind 'force': sign is 'maybe'"),
        (QUANTITIES, KIND, 'sign = "any"', 'sign = "positive"', "kind 'force': range has negative values"),
        (QUANTITIES, KIND, "[-1e50, 1e50]", "[5, 5]", "kind 'force': range runs from 5 to 5"),
        (QUANTITIES, KIND, "[-1e50, 1e50]", "[nan, nan]", "kind 'force': range runs from"),
        (QUANTITIES, KIND, 'symbols = ["F"]', "symbols = []", "kind 'force': symbols is empty"),
        (QUANTITIES, KIND, '"mechanics"', '"cooking"', "kind 'force': field is 'cooking'"),
        (QUANTITIES, KIND, 'id = "force"', 'id = "The Force"', "kind 'The Force': id is 'The Force'"),
        (
            CONSTANTS,
            CONSTANT,
            'uncertainty = "0"',
            'uncertainty = "1"',
            "constant 'speed_of_light': uncertainty must be 0",
        ),
        (CONSTANTS, CONSTANT, "exact = true", "exact = false", "constant 'speed_of_light': uncertainty must be 0"),
        (CONSTANTS, CONSTANT, 'source = "CODATA 2022"', 'source = ""', "constant 'speed_of_light': source is empty"),
        (
            ROLES,
            ROLE,
            'group = "state"',
            'group = "state"\nopposite = "initial"',
            "role 'initial': opposite is the role",
        ),
        (ROLES, ROLE, 'subscripts = ["0"]', 'subscripts = ["a b"]', "role 'initial': subscripts has 'a b'"),
    ],
)
def test_a_value_that_cannot_be_names_the_entry(file: DataFile, text: str, old: str, new: str, message: str) -> None:
    assert old in text
    entries = parse_source(file, text.replace(old, new, 1))
    dimensions = {entry["unit"]: Dimension() for entry in entries if "unit" in entry}
    make = {
        QUANTITIES.name: lambda: kinds.make_kinds(entries, dimensions),
        CONSTANTS.name: lambda: constants.make_constants(entries, dimensions),
        ROLES.name: lambda: roles.make_roles(entries),
    }[file.name]
    with pytest.raises(DataFileError, match=re.escape(message)):
        make()
