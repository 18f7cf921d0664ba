"""The unit table as it stands in `units.toml`, checked against its schema. No spelling rules here: see `lexicon`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from mathrag.errors import DataFileError


@dataclass(frozen=True, slots=True)
class Prefix:
    """A decimal prefix by symbol and word."""

    symbol: str
    word: str
    power: int


@dataclass(frozen=True, slots=True)
class UnitEntry:
    """One line of the table; `product` replaces `text` for units that are products of others."""

    name: str
    text: str
    product: str
    plain: bool
    symbols: tuple[str, ...]
    words: tuple[str, ...]
    fixed: tuple[str, ...]
    rare: tuple[str, ...]
    also: tuple[str, ...]
    strict: bool
    prefixes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UnitsData:
    """The whole file."""

    prefixes: Mapping[str, Prefix]
    entries: Mapping[str, UnitEntry]
    definitions: tuple[str, ...]
    ambiguous: Mapping[str, tuple[str, ...]]
    declined: Mapping[str, str]
    known: tuple[str, ...]


_FIELDS = frozenset({"text", "product", "plain", "symbols", "words", "fixed", "rare", "also", "strict", "prefixes"})


@cache
def units_data() -> UnitsData:
    """Read and check the file once."""
    source = resources.files("mathrag.compute").joinpath("data/units.toml").read_text(encoding="utf-8")
    raw = tomllib.loads(source)
    prefixes = {symbol: Prefix(symbol, row["word"], row["power"]) for symbol, row in raw["prefixes"].items()}
    sets = {name: tuple(symbols.split()) for name, symbols in raw["prefix_sets"].items()}
    entries = {name: _entry(name, row, sets, prefixes) for name, row in raw["units"].items()}
    ambiguous = {spelling: tuple(names) for spelling, names in raw["ambiguous"].items()}
    for spelling, names in ambiguous.items():
        unknown = [name for name in names if name not in entries]
        if unknown:
            raise DataFileError(f"units.toml: {spelling!r} refers to {unknown[0]!r}, which is not in the table")
    return UnitsData(
        prefixes=prefixes,
        entries=entries,
        definitions=tuple(raw["definitions"]["lines"]),
        ambiguous=ambiguous,
        declined=dict(raw["declined"]),
        known=tuple(raw["known"]["units"]),
    )


def _entry(
    name: str, row: Mapping[str, Any], sets: Mapping[str, tuple[str, ...]], prefixes: Mapping[str, Prefix]
) -> UnitEntry:
    extra = set(row) - _FIELDS
    if extra:
        raise DataFileError(f"units.toml: {name} has the unknown field {sorted(extra)[0]!r}")
    chosen: list[str] = []
    for word in row.get("prefixes", "").split():
        chosen.extend(sets.get(word, (word,)))
    for symbol in chosen:
        if symbol not in prefixes:
            raise DataFileError(f"units.toml: {name} allows the unknown prefix {symbol!r}")
    if "text" not in row and "product" not in row:
        raise DataFileError(f"units.toml: {name} has neither a text nor a product")
    return UnitEntry(
        name=name,
        text=row.get("text", ""),
        product=row.get("product", ""),
        plain=row.get("plain", False),
        symbols=tuple(row.get("symbols", ())),
        words=tuple(row.get("words", ())),
        fixed=tuple(row.get("fixed", ())),
        rare=tuple(row.get("rare", ())),
        also=tuple(row.get("also", ())),
        strict=row.get("strict", False),
        prefixes=tuple(chosen),
    )
