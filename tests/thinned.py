"""Many variants of one idea: some of them in the check, the others in a command of their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest


def thinned(
    values: Sequence[Any], keep: int, mark: pytest.MarkDecorator, *, name: Callable[[Any], str] | None = None
) -> list[Any]:
    """The values as parameters: `keep` of them, spread evenly, as they are, and the others with the mark."""
    kept = {number * len(values) // keep for number in range(keep)}
    made = [value if hasattr(value, "marks") else _parameter(value, name) for value in values]
    return [
        one if place in kept else pytest.param(*one.values, id=one.id, marks=[*one.marks, mark])
        for place, one in enumerate(made)
    ]


def _parameter(value: Any, name: Callable[[Any], str] | None) -> Any:
    values = value if isinstance(value, tuple) else (value,)
    return pytest.param(*values, id=None if name is None else name(value))
