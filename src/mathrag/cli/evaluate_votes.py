"""`mathrag evaluate votes`: how often each way of choosing among several solutions finds the right answer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mathrag.cli.output import json_option, print_json, table_console
from mathrag.cli.paths import ExistingPath

if TYPE_CHECKING:
    from mathrag.types.json_value import Json

EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag evaluate votes samples.jsonl
  mathrag evaluate votes samples.jsonl --json
"""
)


@click.command("votes", epilog=EXAMPLE)
@click.argument("file", type=ExistingPath(dir_okay=False))
@json_option
def command(file: Path, as_json: bool) -> int:
    """Choose among the solutions of each problem in FILE by majority and by scores, and count the right choices.

    FILE has one JSON object a line: the right answer (gt), the answers of the solutions (pred), for each whether it is
    right (score; found by comparing where it is missing) and the scores of its steps (pred_score; null where unknown).
    Answers are compared by what they say: 1/2 is 0.5. Ties go to the first answer. "any" is what a perfect choice would
    reach.
    """
    from mathrag.library.evaluate.votes import evaluate_votes

    report = evaluate_votes(file)
    if as_json:
        print_json(report)
    else:
        _print(report)
    return 0


def _print(report: Json) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("vote", "right", "of", "ties", "by majority"):
        table.add_column(name, justify="left" if name == "vote" else "right")
    for row in report["votes"]:
        table.add_row(row["vote"], *map(str, (row["right"], report["problems"], row["ties"], row["by_majority"])))
    table_console().print(table)
    click.echo(f"\n{report['solutions']} solutions, {report['mean']} % of them right on average")
    for label in report["contradicted_labels"]:
        click.echo(f"the label of {label['id']} is not what comparing says: {label['answer']} for {label['gold']}")
