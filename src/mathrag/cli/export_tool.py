"""`mathrag export-tool`: a formula of the library as a Python function that stands alone."""

from __future__ import annotations

from pathlib import Path

import click

from mathrag.cli.options import library_option, open_library
from mathrag.errors import UsageError

EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag export-tool 'Kinetic energy' --library my-library
  mathrag export-tool 'Kinetic energy' --solve-for v --out speed.py --library my-library
"""
)


@click.command("export-tool", epilog=EXAMPLE)
@click.argument("formula")
@click.option("--solve-for", "symbol", metavar="SYMBOL", help="The symbol to compute. Default: the one on the left.")
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="The file to write. Default: standard output."
)
@library_option
def command(formula: str, symbol: str | None, out: Path | None, folder: Path | None) -> None:
    """Write FORMULA (its id or label) as a Python function with checked units, its source and its own tests.

    The function needs nothing but Python.
    """
    from mathrag.library.ask.outcomes import tool_source

    with open_library(folder) as library:
        names = {info.id: info.name for info in library.documents()}
        source = tool_source(library.formula(formula), symbol, names=names)
    if out is None:
        click.echo(source, nl=not source.endswith("\n"))
        return
    try:
        out.write_text(source, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot write {out}: {error.strerror or error}") from error
    click.echo(f"wrote {out}")
