"""`mathrag import`: read a library back from Turtle."""

from __future__ import annotations

from pathlib import Path

import click

from mathrag.cli.options import library_option, open_library
from mathrag.cli.output import json_option, print_json

EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag import library.ttl --library another-library
"""
)


@click.command("import", epilog=EXAMPLE)
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@library_option
@json_option
def command(file: Path, folder: Path | None, as_json: bool) -> None:
    """Read the Turtle FILE that `mathrag export` wrote into the library. Every record is checked first.

    A record that was changed, added or taken out after the export is named, and nothing is imported. To import a file
    that was changed on purpose, take all its `mathrag:digest` and `mathrag:seal` statements out.
    """
    with open_library(folder, create=True) as library:
        report = library.import_turtle(file)
    if as_json:
        print_json(report)
    else:
        click.echo(", ".join(f"{count} {name.replace('_', ' ')}" for name, count in report.items()))
    if not report["digests_compared"]:
        click.echo("the file has no digests: whether it was changed after it was exported cannot be told", err=True)
