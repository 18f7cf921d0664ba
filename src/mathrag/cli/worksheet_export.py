"""`mathrag worksheet export`: a computed worksheet in another format."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from mathrag.cli.options import library_option
from mathrag.cli.worksheet_run import computed_sheet
from mathrag.errors import UsageError

FORMATS = ("markdown", "notebook", "latex", "python", "html", "pdf")
EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag worksheet export braking.txt --format markdown --out braking.md
  mathrag worksheet export braking.txt --format python --out braking.py
"""
)


@click.command("export", epilog=EXAMPLE)
@click.argument("sheet", metavar="FILE|NAME")
@click.option("--format", "form", type=click.Choice(FORMATS), required=True, help="The format to write.")
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="The file to write. Default: standard output."
)
@library_option
def command(sheet: str, form: str, out: Path | None, folder: Path | None) -> None:
    """Write the worksheet in FILE, or the one the library keeps as NAME, with its results.

    python is a program that needs nothing but Python; notebook holds the same program. pdf needs a browser (chromium)
    or a LaTeX engine on this machine.
    """
    from mathrag.library.worksheets.exports import exported_worksheet

    results, title = computed_sheet(sheet, folder)
    content = exported_worksheet(results, form, title=title)
    if out is None:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    try:
        out.write_bytes(content)
    except OSError as error:
        raise UsageError(f"{out} cannot be written: {error.strerror or error}") from error
    click.echo(f"wrote {out}")
