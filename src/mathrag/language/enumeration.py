"""Several things in a sentence: `a, b and c`."""

from __future__ import annotations

from collections.abc import Sequence


def listed(things: Sequence[str], joint: str = "and") -> str:
    """Things as a sentence names them; nothing where there are none."""
    return "".join(things) if len(things) < 2 else f"{', '.join(things[:-1])} {joint} {things[-1]}"
