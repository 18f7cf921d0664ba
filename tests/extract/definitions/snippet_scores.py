"""Compare the definitions found in a snippet with those expected, symbol by symbol."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from extract.definitions.snippet_documents import snippet_document
from mathrag.extract.definitions import find_definitions
from mathrag.types.library import SymbolDefinition

FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Expected:
    """One line of a golden file; a kind left empty is not compared."""

    name: str
    description: str
    unit: str | None
    kind: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What went right and wrong in one snippet."""

    text: str
    expected: tuple[Expected, ...]
    found: tuple[SymbolDefinition, ...]
    problems: tuple[str, ...]
    right_descriptions: int
    right_units: int


def load(name: str) -> list[tuple[str, tuple[Expected, ...]]]:
    """The snippets of a golden file."""
    data = tomllib.loads((FOLDER / name).read_text(encoding="utf-8"))
    return [(entry["text"], tuple(_expected(line) for line in entry["expect"])) for entry in data["snippet"]]


def _expected(line: str) -> Expected:
    name, description, unit, kind = (part.strip() for part in line.split("|"))
    return Expected(name, description, {"": None, "1": ""}.get(unit, unit), kind)


def outcome(text: str, expected: tuple[Expected, ...]) -> Outcome:
    """Run the rules on a snippet and compare."""
    found = find_definitions(snippet_document(text), document_id="snippet")
    problems: list[str] = []
    left = list(found)
    descriptions = units = 0
    for wanted in expected:
        candidates = [one for one in left if one.name == wanted.name]
        if not candidates:
            problems.append(f"missing {wanted.name}: {wanted.description}")
            continue
        best = max(candidates, key=lambda one: (one.description == wanted.description, one.confidence))
        left = [one for one in left if one is not best]
        if best.description == wanted.description:
            descriptions += 1
        else:
            problems.append(f"{wanted.name}: {best.description!r}, not {wanted.description!r}")
        if best.unit == wanted.unit:
            units += 1
        else:
            problems.append(f"{wanted.name}: unit {best.unit!r}, not {wanted.unit!r}")
        if wanted.kind and best.kind != wanted.kind:
            problems.append(f"{wanted.name}: kind {best.kind}, not {wanted.kind}")
    problems.extend(f"unexpected {one.name}: {one.description} ({one.source})" for one in left)
    return Outcome(text, expected, found, tuple(problems), descriptions, units)
