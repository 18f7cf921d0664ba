"""What equations that people write by mistake should say: `data/corrections.toml`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from mathrag.knowledge.data_files import small_tables


@dataclass(frozen=True, slots=True)
class Correction:
    """A side of an equation and what it is equal to, as text; `where` is a condition in words, or empty."""

    left: str
    right: str
    where: str = ""


@cache
def corrections() -> tuple[Correction, ...]:
    """All of them, in the order of the file."""
    rows = small_tables("corrections")["law"]
    return tuple(Correction(row["left"], row["right"], row.get("where", "")) for row in rows)
