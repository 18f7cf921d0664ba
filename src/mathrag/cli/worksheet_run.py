"""`mathrag worksheet run`: compute a worksheet and print what each line gives."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mathrag.cli.options import library_option, open_library
from mathrag.cli.output import json_option, print_json

if TYPE_CHECKING:
    from mathrag.library import WorksheetResults

EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag worksheet new braking.txt
  mathrag worksheet run braking.txt
  mathrag worksheet run braking.txt --library my-library --json
"""
)


@click.command("run", epilog=EXAMPLE)
@click.argument("sheet", metavar="FILE|NAME")
@library_option
@json_option
def command(sheet: str, folder: Path | None, as_json: bool) -> int:
    """Compute the worksheet in FILE, or the one the library keeps as NAME.

    Formulas and questions need a library (--library); values, units, systems, plots, goals and uncertainties do not.
    The exit code is 1 when a line has an error.
    """
    results, _ = computed_sheet(sheet, folder)
    if as_json:
        from mathrag.library.worksheets.objects import line_object

        for each in results.lines:
            print_json(line_object(each, with_pictures=False))
    else:
        _print(results)
    return 1 if results.problems else 0


def computed_sheet(sheet: str, folder: Path | None) -> tuple[WorksheetResults, str]:
    """The results of a worksheet by file or name, and its title."""
    from mathrag.library.worksheets.opening import computed_alone, worksheet_file

    path = Path(sheet)
    if path.is_file() and folder is None:
        return computed_alone(worksheet_file(path)), path.stem
    with open_library(folder) as library:
        if path.is_file():
            return library.worksheet(worksheet_file(path)), path.stem
        saved = library.saved_worksheet(sheet)
        return library.worksheet(saved.text), saved.name


def _print(results: WorksheetResults) -> None:
    from mathrag.library.worksheets.objects import line_object

    for each in results.lines:
        shown = line_object(each, with_pictures=False)
        problem = shown["problem"]
        if problem is not None:
            click.echo(f"{each.number:>4}  {shown['source']}")
            column = problem["column"]
            if column is not None:
                click.echo(f"      {' ' * (column - 1)}^")
            click.echo(f"      error: {problem['message']}")
        elif shown["kind"] in ("heading", "blank"):
            click.echo(shown["source"])
        else:
            click.echo(f"{each.number:>4}  {shown['text']}")
        for row in shown["rows"]:
            click.echo(f"        {row['name']:<12} ± {row['spread']:<16} {row['slope']:<24} {row['share']:.1%}")
        for note in shown["notes"]:
            click.echo(f"        {note}")
        for link in shown["links"]:
            click.echo(f"        from {link['label']} {link['formula'] or link['source']}")
