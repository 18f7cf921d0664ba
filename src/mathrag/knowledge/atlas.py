"""The atlas of known relations, found by shape. It proposes all that have a shape and chooses none.

The TOML files of `data/atlas`, one a field, are the source; `make data` writes `atlas.json`, which loads fast and holds
the shapes too (`compute.shapes`), since working them out takes a minute.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any

from mathrag.knowledge.data_files import compiled, source_texts
from mathrag.knowledge.units import read_canonical_unit
from mathrag.types.knowledge import KnownPlace, KnownRelation
from mathrag.types.quantity import DIMENSIONLESS, Dimension

COMPILED = "atlas.json"


@dataclass(frozen=True, slots=True)
class Placed:
    """A relation that has a shape; `numbers` are the numbers of its symbols' places there, in the order of `places`."""

    relation: KnownRelation
    numbers: tuple[int, ...]


def sources() -> dict[str, str]:
    """The text of every file people edit, by its field."""
    return source_texts("atlas")


def parse_relations(field: str, text: str) -> Iterator[KnownRelation]:
    """The relations of one file."""
    import tomllib

    for entry in tomllib.loads(text)["relation"]:
        yield KnownRelation(
            name=entry["name"],
            also=tuple(entry.get("also", ())),
            equation=entry["equation"],
            places=tuple(map(_place, entry["where"])),
            field=field,
            holds=entry.get("holds", ""),
            is_numerical=bool(entry.get("numerical", False)),
            is_asked=bool(entry.get("asked", False)),
        )


def _place(line: str) -> KnownPlace:
    name, meaning, unit, *rest = [part.strip() for part in line.split("|")]
    letters = tuple(rest[0].split()) if rest else ()
    dimension = DIMENSIONLESS if unit == "1" else read_canonical_unit(unit).dimension
    return KnownPlace(name, meaning, unit, dimension, letters, is_constant=rest[1:2] == ["constant"])


def compile_atlas(
    relations: list[KnownRelation], shapes: Mapping[str, list[tuple[int, tuple[int, ...]]]], source_digest: str
) -> str:
    """The JSON twin: `shapes` gives for each key the numbers of the relations and of their symbols' places."""
    rows = [json.dumps(_row(relation), ensure_ascii=False) for relation in relations]
    units = sorted({place.unit for relation in relations for place in relation.places})
    dimensions = {unit: " ".join(map(str, _dimension(unit).exponents)) for unit in units}
    keyed = [f"{json.dumps(key)}: {json.dumps(found, separators=(',', ':'))}" for key, found in sorted(shapes.items())]
    return (
        f'{{"digest": "{source_digest}",\n"dimensions": {json.dumps(dimensions)},\n"relations": [\n'
        + ",\n".join(rows)
        + '\n],\n"shapes": {\n'
        + ",\n".join(keyed)
        + "\n}}\n"
    )


def _row(relation: KnownRelation) -> list[Any]:
    places = [
        [place.name, place.meaning, place.unit, " ".join(place.letters), int(place.is_constant)]
        for place in relation.places
    ]
    head: list[Any] = [relation.name, list(relation.also), relation.equation, places, relation.field]
    return [*head, relation.holds, int(relation.is_numerical)]


def _dimension(unit: str) -> Dimension:
    return DIMENSIONLESS if unit == "1" else read_canonical_unit(unit).dimension


@cache
def _dimensions() -> Mapping[str, Dimension]:
    texts: Mapping[str, str] = compiled(COMPILED)["dimensions"]
    return {unit: Dimension(tuple(map(Fraction, text.split()))) for unit, text in texts.items()}


@lru_cache(maxsize=8192)
def _relation(number: int) -> KnownRelation:
    name, also, equation, places, field, holds, is_numerical = compiled(COMPILED)["relations"][number]
    dimensions = _dimensions()
    return KnownRelation(
        name=name,
        also=tuple(also),
        equation=equation,
        places=tuple(
            KnownPlace(symbol, meaning, unit, dimensions[unit], tuple(letters.split()), bool(is_constant))
            for symbol, meaning, unit, letters, is_constant in places
        ),
        field=field,
        holds=holds,
        is_numerical=bool(is_numerical),
    )


def all_relations() -> tuple[KnownRelation, ...]:
    """Every relation, in the order of the files."""
    return tuple(map(_relation, range(len(compiled(COMPILED)["relations"]))))


@lru_cache(maxsize=2048)
def relations_of_shape(key: str) -> tuple[Placed, ...]:
    """The known relations of a shape; none where nobody knows one."""
    rows = compiled(COMPILED)["shapes"].get(key, ())
    return tuple(Placed(_relation(number), tuple(places)) for number, places in rows)
