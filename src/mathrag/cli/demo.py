"""`mathrag demo`: the main job on what the package carries: documents become a library, a formula of it is computed."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mathrag.cli.library_option import library_option

if TYPE_CHECKING:
    from mathrag.library import Library

# What to look for in the library, what is known, and the unit asked for: plain, rearranged, with a constant.
TOUR: tuple[tuple[str, dict[str, str], str, str], ...] = (
    ("kinetic energy of a moving body", {"m": "1200 kg", "v": "90 km/h"}, "kinetic energy", "kJ"),
    ("ideal gas law", {"P": "1 atm", "n": "1 mol", "T": "25 °C"}, "volume", "L"),
    ("period of a simple pendulum", {"T": "2.0 s", "L": "0.994 m"}, "acceleration", "m/s^2"),
)
REFUSALS = (
    (r"v = \frac{dx}{dt}", "a derivative is declined, not guessed"),
    (r"F = q\vec{v}\times\vec{B}", "so is a product of vectors"),
    ("9**9**9**9", "and a number larger than the universe"),
)


@click.command("demo")
@library_option
def command(folder: Path | None) -> None:
    """Read the documents that come with the package into a library, look formulas up, and compute with them.

    Without --library the library is made in a temporary folder and removed again.
    """
    if folder is not None:
        _tour(folder)
    else:
        with tempfile.TemporaryDirectory() as temporary:
            _tour(Path(temporary))
    click.echo("Now your own documents:  mathrag ingest notes/ handbook.html    mathrag search ...    mathrag --help")


def _tour(folder: Path) -> None:
    from mathrag.cli.ingest import print_report
    from mathrag.library import Library

    with Library(folder) as library:
        click.echo("Reading the documents that come with MathRAG\n")
        print_report(library.ingest([library.starter_folder()]))
        totals = library.totals()
        click.echo(
            f"\n{totals['formulas']} formulas, {totals['constants']} constants, {totals['relations']} relations, "
            f"each tied to the line it stands on.\n"
        )
        for words, given, asked, unit in TOUR:
            _compute(library, words, given, asked, unit)
    _show_refusals()


def _compute(library: Library, words: str, given: dict[str, str], asked: str, unit: str) -> None:
    """Find a formula by words, put values in, and show where it came from."""
    from mathrag.calculator import choose_values, evaluate_formula, fill_constants, read_unit, read_value
    from mathrag.cli.cards import place_text
    from mathrag.cli.output import quantity_text
    from mathrag.types.expression import Reading

    click.echo(f"? {words}: {asked}, given {', '.join(f'{name} = {text}' for name, text in given.items())}")
    for hit in library.search(words, kinds=("formula",), limit=5):
        formula = library.formula(hit.id)
        names = {symbol.name for symbol in formula.symbols}
        target = [one.name for one in formula.symbols if asked in one.description and one.name not in given]
        if formula.equation is None or formula.status != "executable" or not set(given) <= names or len(target) != 1:
            continue
        reading = Reading(formula.latex, equations=(formula.equation,))
        values = choose_values(reading.equations, {name: read_value(text) for name, text in given.items()})
        constants = fill_constants(reading.equations, values, asked=target[0])
        values |= {name: value for name, (value, _) in constants.items()}
        result = evaluate_formula(reading, values, symbol=target[0], unit=read_unit(unit))
        documents = {info.id: info.name for info in library.documents()}
        click.echo(f"  {formula.label}:  {' '.join(formula.latex.split())}")
        click.echo(f"  {place_text(formula.spans[0], documents)}")
        click.echo(f"  {result.symbol} = {quantity_text(result.value)}\n")
        return
    click.echo("  nothing in the library fits\n")


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
