"""`mathrag demo`: a short tour on formulas that come with the package."""

from __future__ import annotations

import click

# Formula, what is known, the unit asked for: chosen to show reading, rearranging, units, uncertainty and refusal.
TOUR: tuple[tuple[str, str, dict[str, str], str], ...] = (
    ("Kinetic energy of a car", r"E_k = \tfrac12 m v^2", {"m": "1200 kg", "v": "90 km/h"}, "kJ"),
    ("The same formula, asked for the speed", r"E_k = \tfrac12 m v^2", {"m": "1200 kg", "E_k": "375 kJ"}, "km/h"),
    (
        "Volume of one mole of gas at 25 °C",
        "PV = nRT",
        {"P": "1 atm", "n": "1 mol", "R": "8.314462618 J/(mol K)", "T": "25 °C"},
        "L",
    ),
    ("Image of a thin lens", r"\frac{1}{f} = \frac{1}{d_o} + \frac{1}{d_i}", {"f": "50 mm", "d_o": "2.0 m"}, "mm"),
    (
        "Activation by temperature",
        r"k = A e^{-E_a/RT}",
        {"k": "0.0030 1/s", "A": "1e13 1/s", "R": "8.314462618 J/(mol K)", "T": "350 K"},
        "kJ/mol",
    ),
    (
        "A measured density, with its uncertainty",
        r"\rho = \frac{m}{V}",
        {"m": "25.0 ± 0.1 g", "V": "9.3 ± 0.2 mL"},
        "g/cm^3",
    ),
)
REFUSALS = (
    (r"v = \frac{dx}{dt}", "a derivative is declined, not guessed"),
    (r"F = q\vec{v}\times\vec{B}", "so is a product of vectors"),
    ("9**9**9**9", "and a number larger than the universe"),
)


@click.command("demo")
def command() -> None:
    """Read, rearrange and evaluate a few formulas with units, and decline what cannot be computed."""
    from mathrag.calculator import choose_values, evaluate_formula, python_text, read_unit, read_value, understood
    from mathrag.cli.output import quantity_text

    for number, (title, formula, given, unit) in enumerate(TOUR, start=1):
        reading = understood(formula)
        values = choose_values(reading.equations, {name: read_value(text) for name, text in given.items()})
        result = evaluate_formula(reading, values, unit=read_unit(unit))
        click.echo(f"{number}. {title}")
        click.echo(f"   formula  {formula}")
        click.echo(f"   given    {', '.join(f'{name} = {text}' for name, text in given.items())}")
        if result.rearranged is not None:
            click.echo(f"   working  {result.symbol} = {python_text(result.rearranged)}")
        click.echo(f"   answer   {result.symbol} = {quantity_text(result.value)}\n")
    _show_refusals()
    click.echo("Try your own:  mathrag formula eval 'F = m a' m=2kg 'a=3 m/s^2'    mathrag --help")


def _show_refusals() -> None:
    from mathrag.calculator import evaluate_formula, understood
    from mathrag.errors import MathragError

    click.echo("What it will not do")
    for formula, why in REFUSALS:
        try:
            evaluate_formula(understood(formula), {})
        except MathragError as error:
            click.echo(f"   {formula:<28} {error} ({why})")
    click.echo("")
