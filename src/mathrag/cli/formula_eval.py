"""`mathrag formula eval`: the missing value of a formula, with units and uncertainties."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import click

from mathrag.cli.options import listed, split_assignments
from mathrag.cli.output import flags_json, json_option, print_json, quantity_json, quantity_text
from mathrag.settings import load_settings
from mathrag.types.expression import Reading, equation_symbols, symbols_of
from mathrag.types.quantity import Quantity

if TYPE_CHECKING:
    from mathrag.calculator import Evaluation

EXAMPLE = (
    "\b\n"
    r"""Examples:
  mathrag formula eval 'E_k = \frac{1}{2} m v^2' m=2kg 'v=3 m/s'
  mathrag formula eval 'P V = n R T' 'P=1 atm' n=1mol 'R=8.314 J/(mol K)' 'T=25 °C' --unit L
  mathrag formula eval 'E = m c^2' m=1g --constants
  mathrag formula eval '7^{222} \bmod 13'
"""
)


@click.command("eval", epilog=EXAMPLE)
@click.argument("formula")
@click.argument("values", nargs=-1)
@click.option("--for", "symbol", help="The symbol to compute, where more than one could be.")
@click.option("--unit", "unit_text", help="The unit of the result.")
@click.option("--constants", "with_constants", is_flag=True, help="Fill in physical constants (c, G, R, k_B, ...).")
@click.option("--symbols", default="", help="Names that are one symbol each, separated by commas.")
@json_option
def command(
    formula: str,
    values: tuple[str, ...],
    symbol: str | None,
    unit_text: str | None,
    with_constants: bool,
    symbols: str,
    as_json: bool,
) -> None:
    """Compute the symbol of FORMULA that has no value. VALUES are given as symbol=value, such as m=2kg.

    The formula is rearranged when the unknown does not stand alone. Units are checked; values without a unit count as
    plain numbers. A value may carry an uncertainty: x='5.0 ± 0.1 cm'.
    """
    from mathrag.calculator import (
        choose_values,
        evaluate_formula,
        fill_constants,
        python_text,
        read_unit,
        read_value,
        resolve_symbol,
        understood,
    )

    reading = understood(formula, symbols=listed(symbols))
    names = formula_symbols(reading)
    texts = split_assignments(values, names)
    quantities = choose_values(reading.equations, {name: read_value(text) for name, text in texts.items()})
    asked = resolve_symbol(symbol, names) if symbol else None
    constants = fill_constants(reading.equations, quantities, asked=asked) if with_constants else {}
    quantities.update({name: quantity for name, (quantity, _) in constants.items()})
    result = evaluate_formula(
        reading,
        quantities,
        symbol=asked,
        unit=read_unit(unit_text) if unit_text else None,
        seconds=load_settings().solve_seconds,
    )
    rearranged = python_text(result.rearranged) if result.rearranged is not None else None
    notes = (*result.notes, *(flag.message for flag in reading.flags))
    if not as_json:
        _show(result, rearranged, constants, notes)
        return
    print_json(
        {
            "symbol": result.symbol,
            **quantity_json(result.value),
            "rearranged": rearranged,
            "method": result.method,
            "values": {name: quantity_json(quantity) for name, quantity in quantities.items()},
            "others": [quantity_json(other) for other in result.others],
            "constants": {name: source for name, (_, source) in constants.items()},
            "notes": list(result.notes),
            "flags": flags_json(reading.flags),
        }
    )


def _show(
    result: Evaluation, rearranged: str | None, constants: Mapping[str, tuple[Quantity, str]], notes: Iterable[str]
) -> None:
    click.echo(f"{result.symbol or 'value'} = {quantity_text(result.value)}")
    if result.method != "evaluation" and rearranged:
        click.echo(f"  by       {result.symbol} = {rearranged}")
    for name, (quantity, source) in constants.items():
        click.echo(f"  with     {name} = {quantity_text(quantity)} ({source})")
    for other in result.others:
        click.echo(f"  also     {quantity_text(other)}")
    for note in notes:
        click.echo(f"  note     {note}")


def formula_symbols(reading: Reading) -> tuple[str, ...]:
    """All symbols of a reading."""
    names = [name for equation in reading.equations for name in equation_symbols(equation)]
    if reading.expression is not None:
        names.extend(symbols_of(reading.expression))
    return tuple(dict.fromkeys(names))
