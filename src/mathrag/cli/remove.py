"""`mathrag remove`: take a document out of the library."""

from __future__ import annotations

from pathlib import Path

import click

from mathrag.cli.options import library_option, open_library
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
    """Remove DOCUMENT (by name, path, title or id) and all that only it supported. The file itself is not touched.

    A file that could not be read is taken off the list of `mathrag status`.
    """
    with open_library(folder) as library:
        failure = None if library.find_documents(document) else library.forget_failure(document)
        info = library.remove(document) if failure is None else None
        totals = library.totals()
    name = info.name if info is not None else failure.name if failure is not None else document
    if as_json:
        print_json({"removed": name, "id": None if info is None else info.id, **totals})
    elif info is None:
        click.echo(f"forgot that {name} could not be read")
    else:
        click.echo(f"removed {name}; the library now holds {totals['formulas']} formulas")
