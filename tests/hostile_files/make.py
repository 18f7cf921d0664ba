"""Writes every bad file into a folder, each in a folder of its own. Knows nothing of the readers."""

from __future__ import annotations

import os
from pathlib import Path

from hostile_files import bombs, broken, markup, notebooks, pages, places, projects
from hostile_files.recipe import BadFile, Recipe

RECIPES: tuple[Recipe, ...] = (
    *broken.RECIPES,
    *bombs.RECIPES,
    *markup.RECIPES,
    *pages.RECIPES,
    *projects.RECIPES,
    *notebooks.RECIPES,
    *places.RECIPES,
)


def missing_for(recipe: Recipe, folder: Path) -> str:
    """Why a recipe cannot be tried here; empty where it can."""
    if recipe.needs == "not root" and hasattr(os, "geteuid") and os.geteuid() == 0:
        return "the administrator may read every file"
    if recipe.needs == "odd bytes in names":
        try:
            (folder / os.fsdecode(b"\xff")).exists()
        except (OSError, UnicodeError):
            return "this file system has no such names"
    return ""


def bad_files(folder: Path, *, with_slow: bool = True) -> list[BadFile]:
    """Write all bad files that can be had here, each into a folder named like its recipe."""
    folder.mkdir(parents=True, exist_ok=True)
    return [
        recipe.made_in(folder / recipe.id)
        for recipe in RECIPES
        if (with_slow or not recipe.is_slow) and not missing_for(recipe, folder)
    ]
