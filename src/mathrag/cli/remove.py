"""`mathrag remove`: take a document out of the library."""

from __future__ import annotations

from pathlib import Path

import click

from mathrag.cli.library_option import library_option, open_library
from mathrag.cli.output import json_option, print_json

EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag remove notes.md --library my-library
"""
)


@click.command("remove", epilog=EXAMPLE)
@click.argument("document")
@library_option
@json_option
def command(document: str, folder: Path | None, as_json: bool) -> None:
    """Remove DOCUMENT (by name, path, title or id) and all that only it supported. The file itself is not touched."""
    with open_library(folder) as library:
        info = library.remove(document)
        totals = library.totals()
    if as_json:
        print_json({"removed": info.name, "id": info.id, **totals})
    else:
        click.echo(f"removed {info.name}; the library now holds {totals['formulas']} formulas")
