"""`mathrag formula solve`: a formula rearranged for one of its symbols."""

from __future__ import annotations

import click

from mathrag.cli.formula_eval import formula_symbols
from mathrag.cli.options import listed
from mathrag.cli.output import json_option, print_json
from mathrag.errors import SolveError, UsageError
from mathrag.settings import load_settings
from mathrag.types.expression import Comparison, equation_symbols

EXAMPLE = (
    "\b\n"
    r"""Examples:
  mathrag formula solve 'E_k = \frac{1}{2} m v^2' --for v --positive v,m,E_k
  mathrag formula solve '\frac{1}{f} = \frac{1}{d_o} + \frac{1}{d_i}' --for d_i
"""
)


@click.command("solve", epilog=EXAMPLE)
@click.argument("formula")
@click.option("--for", "symbol", required=True, help="The symbol to solve for.")
@click.option("--positive", default="", help="Symbols that are positive, separated by commas.")
@click.option("--symbols", default="", help="Names that are one symbol each, separated by commas.")
@json_option
def command(formula: str, symbol: str, positive: str, symbols: str, as_json: bool) -> None:
    """Solve FORMULA for a symbol in closed form; all real branches are shown, the usual one first."""
    from mathrag.calculator import Failure, latex_text, python_text, resolve_symbol, solve, understood

    reading = understood(formula, symbols=listed(symbols))
    if not reading.equations:
        raise UsageError("there is no equation to solve; write one with an equals sign")
    names = formula_symbols(reading)
    wanted = resolve_symbol(symbol, names)
    kinds = {resolve_symbol(name, names): "positive" for name in listed(positive)}
    settings = load_settings()
    shown = 0
    failure: Failure | None = None
    for equation in reading.equations:
        if wanted not in equation_symbols(equation):
            continue
        found = solve(equation, wanted, kinds=kinds, seconds=settings.solve_seconds, megabytes=settings.solve_megabytes)
        if isinstance(found, Failure):
            failure = found
            continue
        for solution in found.solutions:
            shown += 1
            conditions = [_condition(condition) for condition in solution.conditions]
            if as_json:
                print_json(
                    {
                        "symbol": wanted,
                        "expression": python_text(solution.expression),
                        "latex": latex_text(solution.expression),
                        "default": solution.is_default,
                        "conditions": conditions,
                        "note": solution.note,
                        "method": found.method,
                    }
                )
                continue
            click.echo(f"{wanted} = {python_text(solution.expression)}")
            for condition in conditions:
                click.echo(f"  where    {condition}")
            if solution.note:
                click.echo(f"  note     {solution.note}")
    if not shown:
        reason = failure.message if failure is not None else f"{wanted} does not occur in it"
        raise SolveError(f"the formula was not solved for {wanted}: {reason}; with values, try mathrag formula eval")


def _condition(condition: Comparison) -> str:
    from mathrag.calculator import python_text

    return f"{python_text(condition.left)} {condition.relation} {python_text(condition.right)}"
