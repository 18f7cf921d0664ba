"""`mathrag check`: whether the library is sound; with `--rebuild`, make its derived parts anew."""

from __future__ import annotations

from pathlib import Path

import click

from mathrag.cli.options import library_option, open_library
from mathrag.cli.output import json_option, print_json

EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag check --library my-library
  mathrag check --rebuild --library my-library
"""
)


@click.command("check", epilog=EXAMPLE)
@click.option("--rebuild", is_flag=True, help="First make formulas, indexes, vectors and graph anew.")
@library_option
@json_option
def command(rebuild: bool, folder: Path | None, as_json: bool) -> int:
    """Check the files of the library, that every derived part agrees with what was read, and the graph's shapes.

    The exit code is 1 when something is wrong.
    """
    with open_library(folder) as library:
        if rebuild:
            library.rebuild()
        problems = library.check()
    if as_json:
        print_json({"problems": problems, "rebuilt": rebuild})
    else:
        for problem in problems:
            click.echo(problem)
        if not problems:
            click.echo("the library is sound")
    return 1 if problems else 0
