"""The `--library` option, and opening the library that a command is about."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mathrag.errors import LibraryError

if TYPE_CHECKING:
    from mathrag.library import Library

library_option = click.option(
    "--library",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Folder of the library. Default: the setting MATHRAG_LIBRARY, else a folder in your data folder.",
)


def library_folder(folder: Path | None) -> Path:
    """The folder a command works on."""
    from mathrag.settings import load_settings

    return folder if folder is not None else load_settings().library


def open_library(folder: Path | None, *, create: bool = False) -> Library:
    """The library in that folder. One that is not there is made only where `create` says so."""
    from mathrag.library import Library

    chosen = library_folder(folder)
    if not create and not Library.exists(chosen):
        raise LibraryError(f"there is no library in {chosen}; make one with `mathrag ingest FILES --library {chosen}`")
    return Library(chosen, create=create)
