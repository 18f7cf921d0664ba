"""`mathrag export`: the library as Turtle, JSON-LD, CSV, Parquet, LaTeX or Markdown."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from mathrag.cli.options import library_option, open_library

EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag export --format turtle --out library.ttl --library my-library
  mathrag export --format csv --out tables.zip --library my-library
"""
)
FORMATS = ("turtle", "jsonld", "csv", "parquet", "latex", "markdown")


@click.command("export", epilog=EXAMPLE)
@click.option("--format", "form", type=click.Choice(FORMATS), required=True, help="The format to write.")
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="The file to write. Default: standard output."
)
@library_option
def command(form: str, out: Path | None, folder: Path | None) -> None:
    """Write the library in another format. Turtle can be read back with `mathrag import`.

    csv and parquet are a zip of tables: formulas, symbols, constants, relations, places, concepts, worksheets, and the
    views of documents (pages, sections, passages, tables and their cells, pictures, equations, references). parquet
    needs the extra `parquet`.
    """
    with open_library(folder) as library:
        if out is not None:
            library.export(form, out)
            click.echo(f"wrote {out}")
        else:
            for part in library.exported(form):
                sys.stdout.buffer.write(part)
            sys.stdout.buffer.flush()
