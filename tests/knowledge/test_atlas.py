"""The atlas of known relations: every equation reads, every symbol is explained, the units agree on both sides."""

from __future__ import annotations

import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from mathrag.compute.dimensions import check_dimensions
from mathrag.compute.pythontext import read_python_text
from mathrag.compute.shapes import shape_of
from mathrag.errors import UnitError
from mathrag.knowledge import atlas
from mathrag.knowledge.data_files import compiled_digest, digest
from mathrag.knowledge.units import read_canonical_unit
from mathrag.types.expression import Declined, Equation, equation_symbols
from mathrag.types.quantity import DIMENSIONLESS, Dimension

FOLDER = Path(__file__).parents[2] / "src" / "mathrag" / "knowledge" / "data" / "atlas"
FILES = [Path(name) for name in sys.argv[1:]] if __name__ == "__main__" else sorted(FOLDER.glob("*.toml"))
KEYS = {"name", "also", "equation", "where", "holds", "numerical", "asked"}


def problems(relation: dict[str, Any]) -> list[str]:
    """What is wrong with a relation, in sentences; empty where nothing is."""
    if unknown := relation.keys() - KEYS:
        return [f"unknown keys {sorted(unknown)}"]
    reading = read_python_text(relation["equation"])
    if isinstance(reading, Declined):
        return [f"the equation cannot be read: {reading.reason}"]
    if len(reading.equations) != 1:
        return ["one equation a relation"]
    (equation,) = reading.equations
    found: list[str] = []
    units: dict[str, Dimension] = {}
    for line in relation["where"]:
        parts = [part.strip() for part in line.split("|")]
        if len(parts) < 3 or not parts[0] or not parts[1]:
            found.append(f"{line!r} should be: symbol | meaning | unit | other letters")
            continue
        try:
            units[parts[0]] = DIMENSIONLESS if parts[2] == "1" else read_canonical_unit(parts[2]).dimension
        except (UnitError, ValueError) as error:
            found.append(f"{parts[0]}: the unit {parts[2]!r} cannot be read ({error})")
    names = equation_symbols(equation)
    if missing := [name for name in names if name not in units]:
        found.append(f"not explained: {missing}")
    if extra := [name for name in units if name not in names]:
        found.append(f"not in the equation: {extra}; it has {list(names)}")
    return found or _disagreement(relation, equation, units)


def _disagreement(relation: dict[str, Any], equation: Equation, units: dict[str, Dimension]) -> list[str]:
    if relation.get("numerical"):
        return []
    report = check_dimensions(equation, units)
    return [f"the units do not agree: {each.message}" for each in report.disagreements]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_relations_are_sound(file: Path) -> None:
    entries = tomllib.loads(file.read_text(encoding="utf-8"))["relation"]
    wrong = [f"{entry['name']}: {problem}" for entry in entries for problem in problems(entry)]
    assert wrong == []


def test_every_relation_stands_once() -> None:
    names = Counter(
        entry["name"] for file in FILES for entry in tomllib.loads(file.read_text(encoding="utf-8"))["relation"]
    )
    assert [name for name, count in names.items() if count > 1] == []


def test_the_compiled_file_belongs_to_its_sources() -> None:
    assert compiled_digest(atlas.COMPILED) == digest(atlas.sources()), "run `make data`"


def test_relations_are_found_by_their_shapes() -> None:
    # Working out all shapes takes a minute: every fortieth relation stands for the rest.
    for relation in atlas.all_relations()[::40]:
        reading = read_python_text(relation.equation)
        assert not isinstance(reading, Declined)
        shape = shape_of(reading.equations[0])
        if shape is not None:
            found = [one for one in atlas.relations_of_shape(shape.key) if one.relation == relation]
            places = shape.numbered
            assert [one.numbers for one in found] == [tuple(places[place.name] for place in relation.places)]


def test_an_unknown_shape_has_no_relations() -> None:
    assert atlas.relations_of_shape("no such shape") == ()


if __name__ == "__main__":
    for path in FILES:
        relations = tomllib.loads(path.read_text(encoding="utf-8"))["relation"]
        bad = [(entry["name"], problem) for entry in relations for problem in problems(entry)]
        print(f"{path.name}: {len(relations)} relations, {len(bad)} problems")
        for name, problem in bad:
            print(f"  {name}: {problem}")
