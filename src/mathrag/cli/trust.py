"""`mathrag trust`: say which documents are to be trusted, and which are not."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from mathrag.cli.options import library_option, open_library
from mathrag.cli.output import json_option, print_json

EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag trust mechanics.md --library my-library
  mathrag trust notes.md --untrusted --library my-library
  mathrag trust notes.md --forget --library my-library
"""
)


@click.command("trust", epilog=EXAMPLE)
@click.argument("document")
@click.option("--untrusted", "choice", flag_value="untrusted", help="Mark it as one that is not to be trusted.")
@click.option("--forget", "choice", flag_value="forget", help="Take the mark away.")
@library_option
@json_option
def command(document: str, choice: str | None, folder: Path | None, as_json: bool) -> None:
    """Mark DOCUMENT (by name, path, title or id) as trusted, or with --untrusted as not to be trusted.

    Where documents say different things about the same, the one that is trusted more gives the number, and the other
    number is shown beside it. A number that rests on an untrusted document carries a warning. Marks stay when a
    document is read again, or removed and read again.
    """
    mark: Literal["trusted", "untrusted"] | None = (
        None if choice == "forget" else "untrusted" if choice == "untrusted" else "trusted"
    )
    with open_library(folder) as library:
        info = library.trust(document, mark)
    if as_json:
        print_json({"id": info.id, "name": info.name, "trust": info.trust or None})
    elif mark is None:
        click.echo(f"{info.name} is neither trusted nor untrusted now")
    else:
        click.echo(f"{info.name} is marked as {mark}")
