"""`mathrag quantity parse`: the quantities of a sentence, with their places."""

from __future__ import annotations

import click

from mathrag.cli.options import listed
from mathrag.cli.output import json_option, number_text, print_json

EXAMPLE = (
    "\b\n"
    r"""Examples:
  mathrag quantity parse 'A 1,200 kg car goes from rest to 60 mph in 8.5 s.'
  mathrag quantity parse 'm = 5.0 ± 0.1 g at 25°C' --json
"""
)


@click.command("parse", epilog=EXAMPLE)
@click.argument("text")
@click.option("--symbols", default="", help="Names that stand for quantities in the text, separated by commas.")
@json_option
def command(text: str, symbols: str, as_json: bool) -> None:
    """Find every number of TEXT, with its unit, its uncertainty and what kind of number it is."""
    from mathrag.calculator import find_quantities

    mentions = find_quantities(text, symbols=listed(symbols))
    for mention in mentions:
        units = [unit.text for unit in mention.units]
        if as_json:
            print_json(
                {
                    "text": mention.text,
                    "start": mention.start,
                    "end": mention.end,
                    "kind": mention.kind,
                    "value": mention.value,
                    "unit": units[0] if len(units) == 1 else None,
                    "units": units,
                    "uncertainty": mention.uncertainty,
                    "symbol": mention.symbol_name or None,
                    "significant_figures": mention.significant_figures,
                    "note": mention.note or None,
                }
            )
            continue
        unit = " or ".join(units) if units else ""
        symbol = f"{mention.symbol_name} = " if mention.symbol_name else ""
        spread = f" ± {number_text(mention.uncertainty, 2)}" if mention.uncertainty is not None else ""
        click.echo(
            f"{mention.kind:<9} {symbol}{number_text(mention.value)}{spread} {unit}".rstrip() + f"   ({mention.text!r})"
        )
    if not mentions and not as_json:
        click.echo("no numbers found")
