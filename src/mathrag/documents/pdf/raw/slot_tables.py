"""The slot tables of `encodings.toml`: which sign stands at which code of a classic font. No other file."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib import resources

from mathrag.errors import DataFileError

# Marks inside this package for parts of built-up signs that Unicode does not have; `assembly` joins them.
BRACE_DOWN_LEFT, BRACE_DOWN_RIGHT, BRACE_UP_LEFT, BRACE_UP_RIGHT = (
    "\U000f0000",
    "\U000f0001",
    "\U000f0002",
    "\U000f0003",
)
MAPS_TO_BAR = "\U000f0004"
DASHED_LINE = "\U000f0005"
BRACE_EXTENSION = "\U000f0006"
# Maps of classic fonts leave the two right pieces of a brace without a sign of their own.
BRACE_RIGHT = "\U000f000a"
HOOK_LEFT, HOOK_RIGHT = "\U000f0008", "\U000f0009"
MARKS = frozenset(
    (BRACE_DOWN_LEFT, BRACE_DOWN_RIGHT, BRACE_UP_LEFT, BRACE_UP_RIGHT, MAPS_TO_BAR, DASHED_LINE, BRACE_EXTENSION,
     BRACE_RIGHT, HOOK_LEFT, HOOK_RIGHT)
)  # fmt: skip
_ROW = 16


@lru_cache(maxsize=1)
def slot_tables() -> dict[str, dict[int, str]]:
    """Every table by its name: code to sign."""
    text = resources.files(__package__ or "").joinpath("encodings.toml").read_text(encoding="utf-8")
    return {name: _read_table(name, rows) for name, rows in tomllib.loads(text).items()}


def _read_table(name: str, rows: dict[str, str]) -> dict[int, str]:
    table: dict[int, str] = {}
    for start, row in rows.items():
        slots = row.split()
        if len(slots) > _ROW:
            raise DataFileError(f"encodings.toml: row {start} of {name} has {len(slots)} slots; sixteen fit")
        for offset, slot in enumerate(slots):
            if slot != ".":
                table[int(start, 16) + offset] = _read_slot(slot)
    return table


def _read_slot(slot: str) -> str:
    return chr(int(slot[2:], 16)) if slot.startswith("U+") and len(slot) > 2 else slot
