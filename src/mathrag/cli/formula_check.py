"""`mathrag formula check`: whether the dimensions of a formula agree, and what they say about the other symbols."""

from __future__ import annotations

import click

from mathrag.cli.formula_eval import formula_symbols
from mathrag.cli.options import listed, split_assignments
from mathrag.cli.output import json_option, print_json
from mathrag.errors import UsageError

EXAMPLE = (
    "\b\n"
    r"""Examples:
  mathrag formula check 'E_k = \frac{1}{2} m v^2' E_k=J m=kg v=m/s
  mathrag formula check 'F = m a' m=kg a=m/s^2
"""
)


@click.command("check", epilog=EXAMPLE)
@click.argument("formula")
@click.argument("units", nargs=-1)
@click.option("--symbols", default="", help="Names that are one symbol each, separated by commas.")
@json_option
def command(formula: str, units: tuple[str, ...], symbols: str, as_json: bool) -> int:
    """Check the dimensions of FORMULA. UNITS are given as symbol=unit; the rest is worked out where it can be.

    The exit code is 1 when terms disagree.
    """
    from mathrag.calculator import check_dimensions, python_text, read_unit, understood

    reading = understood(formula, symbols=listed(symbols))
    if not reading.equations:
        raise UsageError("there is no equation to check; write one with an equals sign")
    texts = split_assignments(units, formula_symbols(reading))
    known = {name: read_unit("" if text == "1" else text).dimension for name, text in texts.items()}
    failed = False
    for equation in reading.equations:
        report = check_dimensions(equation, known)
        failed = failed or report.status == "inconsistent"
        if as_json:
            print_json(
                {
                    "equation": f"{python_text(equation.left)} = {python_text(equation.right)}",
                    "status": report.status,
                    "dimensions": {name: str(dimension) for name, dimension in report.dimensions.items()},
                    "undetermined": list(report.undetermined),
                    "disagreements": [
                        {
                            "term": each.term,
                            "found": str(each.found),
                            "expected": str(each.expected),
                            "message": each.message,
                        }
                        for each in report.disagreements
                    ],
                    "notes": list(report.notes),
                }
            )
            continue
        click.echo(f"{report.status}: {python_text(equation.left)} = {python_text(equation.right)}")
        for name, dimension in report.dimensions.items():
            click.echo(f"  {name:<8} {dimension}{'' if name in known else '   (worked out)'}")
        for each in report.disagreements:
            click.echo(f"  wrong    {each.message}")
        if report.undetermined:
            click.echo(f"  open     {', '.join(report.undetermined)}")
        for note in report.notes:
            click.echo(f"  note     {note}")
    return 1 if failed else 0
