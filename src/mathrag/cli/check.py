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
  mathrag check --accept --library my-library
"""
)


@click.command("check", epilog=EXAMPLE)
@click.option("--rebuild", is_flag=True, help="First make formulas, indexes, vectors and graph anew.")
@click.option("--accept", is_flag=True, help="First take what was changed by other means for right as it stands.")
@click.option("--fingerprint", default="", metavar="DIGEST", help="Compare with a fingerprint written down before.")
@library_option
@json_option
def command(rebuild: bool, accept: bool, fingerprint: str, folder: Path | None, as_json: bool) -> int:
    """Check the files of the library, that it holds what was read, that every derived part agrees, and the graph.

    Every document and every formula, constant, table and correction has a digest. What was changed, added or removed by
    other means than MathRAG is named; it is not computed with, --rebuild leaves it out, and ingesting the same file
    again mends it. Digests tell accidents and careless editing. Whoever recomputes them all is told by the fingerprint,
    if you wrote it down elsewhere (--json shows it). Files that have changed since they were read, or are missing, are
    named, too.

    The exit code is 1 when something is wrong.
    """
    with open_library(folder) as library:
        if accept:
            library.accept()
        if rebuild or accept:
            library.rebuild()
        found = library.check_in_detail(fingerprint=fingerprint)
    if as_json:
        print_json(
            {
                "problems": list(found.problems),
                "rebuilt": rebuild or accept,
                "fingerprint": found.fingerprint,
                "files": {
                    "unchanged": found.unchanged,
                    "changed": list(found.changed),
                    "missing": list(found.missing),
                },
                "upgraded": found.upgraded,
            }
        )
    else:
        for sentence in (*found.problems, *found.remarks):
            click.echo(sentence)
        if not found.problems:
            click.echo("the library is sound")
    return 1 if found.problems else 0
