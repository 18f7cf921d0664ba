"""`mathrag evaluate compare`: what got better and worse between two runs, question by question."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mathrag.cli.output import cut, json_option, print_json, screen_width, table_console
from mathrag.cli.paths import ExistingPath

if TYPE_CHECKING:
    from mathrag.library.evaluate.evaluation import Comparison

EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag evaluate compare results/before results/after
  mathrag evaluate compare results/before results/after --json
"""
)


@click.command("compare", epilog=EXAMPLE)
@click.argument("first", metavar="A", type=ExistingPath(file_okay=False))
@click.argument("second", metavar="B", type=ExistingPath(file_okay=False))
@json_option
def command(first: Path, second: Path, as_json: bool) -> int:
    """Compare the output folders A (before) and B (after) of two runs over the same questions.

    For each tier, p is the probability that changes as lopsided as these happen by chance (McNemar, exact).
    """
    from mathrag.library.evaluate.evaluation import compare_evaluations

    comparison = compare_evaluations(first, second)
    if as_json:
        print_json(asdict(comparison))
    else:
        _print(comparison)
    return 0


def _print(comparison: Comparison) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("tier", "of", "A right", "B right", "better", "worse", "p"):
        table.add_column(name, justify="left" if name == "tier" else "right")
    for row in comparison.tiers:
        counts = (row.total, row.before, row.after, row.better, row.worse)
        table.add_row(row.tier, *map(str, counts), f"{row.chance:.3g}", style="bold" if row.tier == "all" else None)
    table_console().print(table)
    for title, is_better in (("worse", False), ("better", True)):
        changes = [change for change in comparison.changes if change.is_better == is_better]
        if changes:
            click.echo(f"\n{title}:")
        for change in changes:
            click.echo(f"  {change.id}  {change.before} -> {change.after}")
            click.echo(cut(f"      {' '.join(change.question.split())}", min(116, screen_width())))
    for name, count in (("A", comparison.only_first), ("B", comparison.only_second)):
        if count:
            asked = "question was asked" if count == 1 else "questions were asked"
            click.echo(f"note: {count} {asked} in {name} alone and not compared", err=True)
