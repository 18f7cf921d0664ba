"""The glossary of the package: what things of mathematics are, in words of our own. Which entry a name means: see
`mathrag.retrieve.glossary`.

The TOML files of `data/glossary`, one a field, are the source; `make data` writes `glossary.json`, which loads fast.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from mathrag.errors import DataFileError
from mathrag.knowledge.data_files import compiled, digest, source_texts
from mathrag.types.concept import GlossaryEntry

COMPILED = "glossary.json"
_KEYS = frozenset({"name", "also", "definition", "formula", "unlike", "example", "counterexample"})
_REQUIRED = ("name", "definition")
_MAY_STAND = ("formula", "example", "counterexample")


def sources() -> dict[str, str]:
    """The text of every file people edit, by its field."""
    return {name.replace("_", " "): text for name, text in source_texts("glossary").items()}


def parse_entries(field: str, text: str) -> Iterator[GlossaryEntry]:
    """The entries of one file, checked; a `DataFileError` names the first that is at fault."""
    import tomllib

    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DataFileError(f"glossary {field} is not valid TOML: {error}") from None
    rows = tables.pop("entry", None)
    if tables or not isinstance(rows, list) or not rows:
        raise DataFileError(f"glossary {field}: entries stand under [[entry]], and nothing else does")
    for number, row in enumerate(rows, start=1):
        problem = _problem(row)
        if problem:
            raise DataFileError(f"glossary {field}, entry {row.get('name', f'number {number}')!r}: {problem}")
        yield _entry(field, row)


def _problem(row: Mapping[str, Any]) -> str:
    """What is wrong with an entry; empty where nothing is."""
    unknown = sorted(row.keys() - _KEYS)
    if unknown:
        return f"{unknown[0]} is not a key of an entry"
    for key in _REQUIRED:
        if not _is_text(row.get(key)):
            return f"{key} must be a text that is not empty"
    for key in _MAY_STAND:
        if key in row and not _is_text(row[key]):
            return f"{key} must be a text that is not empty"
    also, unlike = row.get("also", []), row.get("unlike", {})
    if not isinstance(also, list) or not all(map(_is_text, also)):
        return "also must be a list of texts that are not empty"
    if not isinstance(unlike, dict) or not all(_is_text(each) for pair in unlike.items() for each in pair):
        return "unlike must pair names with sentences"
    sentences = (row["definition"], *unlike.values(), row.get("example", "."), row.get("counterexample", "."))
    unended = [each for each in sentences if not each.endswith(".")]
    return f"{unended[0][:40]!r} … does not end with a full stop" if unended else ""


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _entry(field: str, row: Mapping[str, Any]) -> GlossaryEntry:
    return GlossaryEntry(
        name=row["name"],
        field=field,
        definition=row["definition"],
        also=tuple(row.get("also", ())),
        formula=row.get("formula", ""),
        unlike=tuple(row.get("unlike", {}).items()),
        example=row.get("example", ""),
        counterexample=row.get("counterexample", ""),
    )


def compile_glossary(texts: Mapping[str, str]) -> str:
    """The JSON twin of the sources, one line an entry."""
    entries = [entry for field, text in texts.items() for entry in parse_entries(field, text)]
    rows = [
        [
            *(one.name, one.field, one.definition, list(one.also), one.formula, list(map(list, one.unlike))),
            *(one.example, one.counterexample),
        ]
        for one in entries
    ]
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    return f'{{"digest": "{digest(texts)}",\n"entries": [\n{lines}\n]}}\n'


@cache
def glossary_entries() -> tuple[GlossaryEntry, ...]:
    """Every entry, in the order of the files."""
    return tuple(
        GlossaryEntry(
            name, field, definition, tuple(also), formula, tuple((other, said) for other, said in unlike), *examples
        )
        for name, field, definition, also, formula, unlike, *examples in compiled(COMPILED)["entries"]
    )
