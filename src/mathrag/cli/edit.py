"""`mathrag edit`: correct what was read. Corrections are kept apart, survive reading anew, and can be taken back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from mathrag.cli.cards import formula_json, print_formula
from mathrag.cli.options import library_option, open_library
from mathrag.cli.output import json_option, print_json
from mathrag.errors import UsageError

EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag edit 'Kinetic energy' --label 'Energy of motion' --library my-library
  mathrag edit 'Kinetic energy' --symbol m.unit=kg --note 'checked' --library my-library
  mathrag edit 'Kinetic energy' --latex 'E_k = m v^2 / 2' --library my-library
  mathrag edit 'Kinetic energy' --numerical no --library my-library
  mathrag edit 'Kinetic energy' --undo 1 --library my-library
"""
)


@click.command("edit", epilog=EXAMPLE)
@click.argument("formula")
@click.option("--label", help="Its name.")
@click.option("--description", help="What it says.")
@click.option("--latex", help="The formula itself, where it was misread or misprinted.")
@click.option("--status", type=click.Choice(["executable", "quarantined"]), help="Set it aside, or trust it.")
@click.option(
    "--symbol", "symbols", multiple=True, metavar="NAME.FIELD=VALUE", help="FIELD: description, unit, kind, role."
)
@click.option(
    "--numerical",
    type=click.Choice(["yes", "no"]),
    help="Whether it holds for the numbers in the units of its symbols only, as n = 120 f/p does in rpm and Hz.",
)
@click.option("--undo", type=int, metavar="NUMBER", help="Take back the correction with this number.")
@click.option("--author", help="Who says so. Default: your user name.")
@click.option("--note", default="", help="Why.")
@library_option
@json_option
def command(
    formula: str,
    label: str | None,
    description: str | None,
    latex: str | None,
    status: str | None,
    symbols: tuple[str, ...],
    numerical: str | None,
    undo: int | None,
    author: str | None,
    note: str,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Correct FORMULA, named by its id, the beginning of its id, or its label. Shows the formula as it then is."""
    given = (("latex", latex), ("label", label), ("description", description))
    changes = [(name, value) for name, value in given if value is not None]
    changes += [_symbol_change(text) for text in symbols]
    changes += [(name, value) for name, value in (("numerical", numerical), ("status", status)) if value is not None]
    with open_library(folder) as library:
        if undo is not None:
            found = library.formula(formula)
            _check_undo(undo, [number for number, _ in library.corrections(found.id)])
            library.undo(undo)
            changed = library.formula(found.id)
        else:
            changed, _ = library.edit(formula, changes, author=author or _user(), note=note)
        relations = library.relations(changed.id)
        names = {info.id: info.name for info in library.documents()}
        numbers = library.corrections(changed.id)
    if as_json:
        print_json(formula_json(changed, relations, names))
        return
    print_formula(changed, relations, names)
    for number, correction in numbers:
        click.echo(f"  correction {number}: {correction.field}; take it back with --undo {number}")


def _check_undo(number: int, known: Sequence[int]) -> None:
    if number not in known:
        listed = f"those of this formula are {', '.join(map(str, known))}" if known else "this formula has none"
        raise UsageError(f"there is no correction {number} to take back; {listed}")


def _symbol_change(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or "." not in name:
        raise UsageError(f"write --symbol NAME.FIELD=VALUE, such as m.unit=kg, not {text!r}")
    return f"symbol.{name.strip()}", value.strip()


def _user() -> str:
    import getpass

    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "unknown"
