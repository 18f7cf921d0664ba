"""`mathrag worksheet new, save, list, show, remove`: the worksheets that a library keeps."""

from __future__ import annotations

from pathlib import Path

import click

from mathrag.cli.options import library_option, open_library
from mathrag.cli.output import json_option, print_json
from mathrag.errors import UsageError


@click.command("new")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def new(file: Path) -> None:
    """Write a worksheet to begin with into FILE; a file that exists is left alone."""
    from mathrag.library.worksheets.opening import EXAMPLE

    try:
        with file.open("x", encoding="utf-8") as made:
            made.write(EXAMPLE)
    except OSError as error:
        raise UsageError(f"{file} cannot be written: {error.strerror or error}") from error
    click.echo(f"wrote {file}; compute it with: mathrag worksheet run {file}")


@click.command("save")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.argument("name", required=False)
@library_option
def save(file: Path, name: str | None, folder: Path | None) -> None:
    """Keep FILE as a worksheet of the library, under NAME or the name of the file; an older one is replaced."""
    from mathrag.library.worksheets.opening import worksheet_file

    text = worksheet_file(file)
    with open_library(folder) as library:
        click.echo(f"saved {library.save_worksheet(name or file.stem, text).name}")


@click.command("list")
@library_option
@json_option
def list_all(folder: Path | None, as_json: bool) -> None:
    """List the worksheets of the library, the one changed last first."""
    with open_library(folder) as library:
        found = library.worksheets()
    for each in found:
        lines = each.text.count("\n") + 1
        if as_json:
            print_json({"name": each.name, "lines": lines, "created": each.created, "changed": each.changed})
        else:
            click.echo(f"{each.name:<40} {lines:>4} lines  {each.changed}")
    if not found and not as_json:
        click.echo("the library keeps no worksheets; save one with: mathrag worksheet save FILE")


@click.command("show")
@click.argument("name")
@library_option
def show(name: str, folder: Path | None) -> None:
    """Print the text of a worksheet, as it was saved."""
    with open_library(folder) as library:
        click.echo(library.saved_worksheet(name).text, nl=False)


@click.command("remove")
@click.argument("name")
@library_option
def remove(name: str, folder: Path | None) -> None:
    """Take a worksheet out of the library."""
    with open_library(folder) as library:
        library.remove_worksheet(name)
    click.echo(f"removed {name}")
