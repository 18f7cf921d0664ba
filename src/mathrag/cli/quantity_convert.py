"""`mathrag quantity convert`: a quantity in another unit."""

from __future__ import annotations

import click

from mathrag.cli.output import json_option, print_json, quantity_json, quantity_text

EXAMPLE = (
    "\b\n"
    r"""Examples:
  mathrag quantity convert '60 mph' m/s
  mathrag quantity convert '25 °C' K
"""
)


@click.command("convert", epilog=EXAMPLE)
@click.argument("value")
@click.argument("unit")
@json_option
def command(value: str, unit: str, as_json: bool) -> None:
    """Convert VALUE, such as '60 mph', to UNIT."""
    from mathrag.calculator import convert_text, reading_notes

    result = convert_text(value, unit)
    if as_json:
        print_json(quantity_json(result))
    else:
        click.echo(quantity_text(result))
    for note in reading_notes(value, unit, result):
        click.echo(f"note: {note}", err=True)
