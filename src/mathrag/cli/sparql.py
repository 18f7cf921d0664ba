"""`mathrag sparql`: read-only SPARQL over the graph of the library."""

from __future__ import annotations

from pathlib import Path

import click

from mathrag.cli.options import library_option, open_library
from mathrag.cli.output import json_option, print_json
from mathrag.cli.sql import print_rows

EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag sparql 'SELECT ?label WHERE { ?f a mathrag:Formula ; rdfs:label ?label } LIMIT 5' --library my-library
"""
)


@click.command("sparql", epilog=EXAMPLE)
@click.argument("query")
@click.option("--rows", type=click.IntRange(1, 100_000), default=1000, show_default=True, help="At most so many rows.")
@click.option("--seconds", type=click.FloatRange(0.1, 600), default=10.0, show_default=True, help="At most so long.")
@library_option
@json_option
def command(query: str, rows: int, seconds: float, folder: Path | None, as_json: bool) -> None:
    """Run SELECT, ASK, CONSTRUCT or DESCRIBE over the library. The prefix mathrag: and common ones are known.

    Nothing can be changed or fetched; time, rows and memory are limited.
    """
    with open_library(folder) as library:
        result = library.sparql(query, rows=rows, seconds=seconds)
    if result.kind == "ask":
        if as_json:
            print_json({"answer": result.answer})
        else:
            click.echo("yes" if result.answer else "no")
        return
    print_rows(result.variables, result.rows, as_json=as_json)
    if result.truncated:
        click.echo(f"only the first {len(result.rows)} rows; ask for more with --rows", err=True)
