"""`mathrag sql`: read-only SQL over the tables of the library."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from mathrag.cli.options import library_option, open_library
from mathrag.cli.output import cut, json_option, print_json, screen_width, table_console

EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag sql 'SELECT label, latex FROM formulas LIMIT 5' --library my-library
  mathrag sql "SELECT name FROM sqlite_master WHERE type = 'table'" --library my-library
"""
)
_NARROWEST_COLUMN = 12


@click.command("sql", epilog=EXAMPLE)
@click.argument("query")
@click.option("--rows", type=click.IntRange(1, 100_000), default=1000, show_default=True, help="At most so many rows.")
@click.option("--seconds", type=click.FloatRange(0.1, 600), default=5.0, show_default=True, help="At most so long.")
@library_option
@json_option
def command(query: str, rows: int, seconds: float, folder: Path | None, as_json: bool) -> None:
    """Run a SELECT over the library: documents, sections, chunks, tables, equations, formulas, constants and more.

    Nothing can be changed: writing, attaching, pragmas and file access are refused; time, rows and memory are limited.
    """
    with open_library(folder) as library:
        result = library.sql(query, rows=rows, seconds=seconds)
    print_rows(result.columns, result.rows, as_json=as_json)
    if result.truncated:
        click.echo(f"only the first {len(result.rows)} rows; ask for more with --rows", err=True)


def print_rows(columns: Any, rows: Any, *, as_json: bool) -> None:
    """A result as JSON objects or as a table."""
    if as_json:
        names = _told_apart(columns)
        for row in rows:
            print_json(dict(zip(names, row, strict=True)))
        return
    # Cells of a few letters help nobody: where there are many columns, one line for each.
    if len(columns) * _NARROWEST_COLUMN > screen_width():
        _print_records(columns, rows)
        return
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(Text(str(column)), overflow="fold")
    for row in rows:
        table.add_row(*(Text("" if value is None else str(value)) for value in row))
    table_console().print(table)


def _print_records(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Each row as lines of name and value, an empty line between rows."""
    longest = min(30, max(len(str(name)) for name in columns))
    for number, row in enumerate(rows):
        if number:
            click.echo()
        for name, value in zip(columns, row, strict=True):
            said = "" if value is None else " ".join(str(value).split())
            click.echo(cut(f"{cut(str(name), longest):<{longest}}  {said}"))


def _told_apart(columns: Sequence[str]) -> list[str]:
    """The names of the columns, numbered where two are called the same, which an object cannot have."""
    names: list[str] = []
    for column in columns:
        name, number = column, 1
        while name in names:
            number += 1
            name = f"{column}_{number}"
        names.append(name)
    return names
