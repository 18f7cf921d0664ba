"""Write the JSON twins of the data files (`make data`). To run after every edit of the data files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mathrag.compute.pythontext import read_python_text
from mathrag.compute.shapes import shapes_of
from mathrag.knowledge import atlas, glossary, theorems
from mathrag.knowledge.data_files import (
    DATA_FILES,
    TABLE_FILES,
    compile_entries,
    compile_tables,
    compiled_digest,
    digest,
    read_source,
)
from mathrag.knowledge.units.table import factors_table
from mathrag.types.expression import Declined
from mathrag.types.knowledge import KnownRelation

FOLDER = Path(__file__).resolve().parent.parent / "src" / "mathrag" / "knowledge" / "data"


def compiled_files() -> dict[Path, str]:
    """What each JSON file should hold, but for the atlas."""
    twins = {FOLDER / file.compiled_name: compile_entries(file, read_source(file)) for file in DATA_FILES}
    words = {FOLDER / glossary.COMPILED: glossary.compile_glossary(glossary.sources())}
    words[FOLDER / theorems.COMPILED] = theorems.compile_theorems()
    tables = {FOLDER / f"{name}.json": compile_tables(name) for name in TABLE_FILES}
    return {FOLDER / "unit_factors.json": factors_table(), **words, **tables, **twins}


def compiled_atlas() -> str:
    """What the atlas' JSON file should hold. Takes about a minute."""
    texts = atlas.sources()
    relations = [relation for field, text in texts.items() for relation in atlas.parse_relations(field, text)]
    return atlas.compile_atlas(relations, shapes_of_relations(relations), digest(texts))


def shapes_of_relations(relations: Sequence[KnownRelation]) -> dict[str, list[tuple[int, tuple[int, ...]]]]:
    """For each shape the numbers of the relations that have it and of their symbols' places."""
    found: dict[str, list[tuple[int, tuple[int, ...]]]] = {}
    for number, relation in enumerate(relations):
        reading = read_python_text(relation.equation)
        if isinstance(reading, Declined):
            raise SystemExit(f"{relation.name}: {reading.reason}")
        for shape in shapes_of(reading.equations[0]):
            places = shape.numbered
            found.setdefault(shape.key, []).append((number, tuple(places[place.name] for place in relation.places)))
    return found


def main() -> None:
    """Write the files that changed."""
    files = compiled_files()
    path = FOLDER / atlas.COMPILED
    if not path.exists() or compiled_digest(atlas.COMPILED) != digest(atlas.sources()):
        files[path] = compiled_atlas()
    for path, text in files.items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(f"wrote {path.name}")


if __name__ == "__main__":
    main()
