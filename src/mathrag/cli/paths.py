"""Paths that must be there: where one is not, the message names what lies nearest to it."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path
from typing import Any

import click

from mathrag.errors import did_you_mean

# A folder with more entries is not searched to its end for a name that nobody may have meant.
_MOST_ENTRIES = 5_000


class ExistingPath(click.Path):
    """A file or folder that is read. Like `click.Path`, but one that is missing gets a sentence that helps."""

    def __init__(self, *, file_okay: bool = True, dir_okay: bool = True) -> None:
        super().__init__(path_type=Path, exists=True, file_okay=file_okay, dir_okay=dir_okay)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not os.path.lexists(value):
            raise click.UsageError(missing_path(value, only_folders=not self.file_okay), ctx=ctx)
        return super().convert(value, param, ctx)


def is_missing(path: str) -> bool:
    """Whether a path that was typed leads nowhere. Patterns lead somewhere or not when they are expanded."""
    return not os.path.lexists(path.replace("\x00", "?")) and not any(sign in path for sign in "*?[")


def missing_path(path: str | os.PathLike[str], *, only_folders: bool = False) -> str:
    """The sentence about a path that leads nowhere, with the nearest name in its folder where there is one."""
    wanted = Path(os.fspath(path).replace("\x00", "?"))
    what = "folder" if only_folders else "file or folder"
    # The first part that is missing is what was mistyped.
    folder, name = wanted.parent, wanted.name
    while not os.path.isdir(folder) and folder != folder.parent:  # noqa: PTH112 - names that are too long raise in pathlib
        folder, name = folder.parent, folder.name
    near = did_you_mean(name, _entries(folder, only_folders=only_folders or folder != wanted.parent))
    where = f" (the folder {folder} has no {name})" if folder != wanted.parent else ""
    return f"there is no {what} {wanted}{where}{near or '; check the path'}"


def _entries(folder: Path, *, only_folders: bool) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return [one.name for one in islice(entries, _MOST_ENTRIES) if not only_folders or one.is_dir()]
    except OSError:
        return []
