"""Which of the bad files are in the check. Knows nothing of what is done with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from hostile_files.recipe import Recipe


def cases(recipes: Sequence[Recipe]) -> list[Any]:
    """A quick one of every kind in the check, the others in `make soak`."""
    first: dict[str, str] = {}
    for recipe in recipes:
        if not recipe.is_slow:
            first.setdefault(recipe.id.partition("-")[0], recipe.id)
    return [
        pytest.param(recipe, id=recipe.id, marks=[] if recipe.id in first.values() else [pytest.mark.soak])
        for recipe in recipes
    ]
