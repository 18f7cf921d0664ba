"""`mathrag evaluate problems`: how well problems and steps are found among worked solutions."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from mathrag.cli.output import json_option, print_json
from mathrag.cli.paths import ExistingPath

EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag evaluate problems solutions.jsonl
  mathrag evaluate problems first.jsonl second.json --json
"""
)


@click.command("problems", epilog=EXAMPLE)
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=ExistingPath(dir_okay=False))
@json_option
def command(files: tuple[Path, ...], as_json: bool) -> None:
    """Measure retrieval on files of worked solutions, in the formats of `mathrag import --solutions`.

    Types: the subject of each problem by its neighbours, without itself and its near duplicates. Steps: whether a step
    of another solution of a problem lands on that problem, within the three problems found and among all steps. The
    odd problems were used to choose the numbers; the even ones tell how good they are.
    """
    from mathrag.library.evaluate.problems import evaluate_problems

    figures = evaluate_problems(files)
    if as_json:
        print_json(figures)
        return
    click.echo(f"{figures['problems']} problems; near duplicates left out: {figures['near_duplicates_left_out']}")
    for half, found in figures["types"].items():
        if found["trials"]:
            click.echo(f"types, {half}: first {_shown(found, 'first')}, among three {_shown(found, 'among_three')}")
    for half, found in figures["steps"].items():
        if found["trials"]:
            click.echo(
                f"steps, {half}: on the same problem within the {figures['problems_looked_at']} problems found "
                f"{_shown(found, 'within')}, among all steps {_shown(found, 'flat')}"
            )
    if figures["repeated_steps_left_out"]:
        click.echo(f"steps that stand in both solutions, left out: {figures['repeated_steps_left_out']}")


def _shown(found: Mapping[str, Any], name: str) -> str:
    return f"{found[name]} of {found['trials']} ({100 * found[f'{name}_share']:.1f} %)"
