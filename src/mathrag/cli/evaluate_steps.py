"""`mathrag evaluate steps`: how well false calculations are found in solutions whose wrong steps are known."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, cast

import click

from mathrag.cli.output import json_option, print_json

EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag evaluate steps processbench/math.json
  mathrag evaluate steps processbench/math.json --half even --out results/steps
  mathrag evaluate steps prmbench/confidence.jsonl --json
"""
)


@click.command("steps", epilog=EXAMPLE)
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--out", metavar="DIR", type=click.Path(path_type=Path, file_okay=False), help="Also write report.json into DIR."
)
@click.option("--half", type=click.Choice(("odd", "even")), help="Only every other solution, by its place from 0.")
@json_option
def command(files: tuple[Path, ...], out: Path | None, half: str | None, as_json: bool) -> int:
    """Judge every step of the solutions in FILE by calculation alone, and compare with what the file says.

    FILE is ProcessBench (steps and label) or PRMBench (modified_process and error_steps), as a JSON list or one object
    a line. No model is asked. A step without a false calculation is not thereby right.
    """
    from mathrag.library.evaluate.step_checks import evaluate_steps

    reports = evaluate_steps(files, half=cast("Literal['odd', 'even'] | None", half), out=out)
    for name, report in reports.items():
        if as_json:
            print_json({"file": name, **cast("dict[str, Any]", report)})
        else:
            _print(name, cast("dict[str, Any]", report))
    return 0


def _print(name: str, report: dict[str, Any]) -> None:
    click.echo(f"{name}: {report['solutions']} solutions")
    if "processbench" in report:
        part = report["processbench"]
        _line("first error located", part["located"])
        click.echo(
            f"  flagged at another step: {part['flagged_too_early']} before, {part['flagged_too_late']} after it"
        )
        _line("right solutions flagged", part["right_flagged"])
        _line("flagged ones that are wrong", part["flagged_that_are_wrong"])
        _coverage(part["coverage"])
    if "prmbench" in report:
        part = report["prmbench"]
        for error_class, share in part["flagged_inside_wrong_steps"].items():
            _line(f"flagged inside the wrong steps, {error_class or 'no class'}", share)
        _line("original solutions flagged", part["originals_flagged"])
        _coverage(part["coverage"])


def _coverage(part: dict[str, Any]) -> None:
    _line("claims that could be checked", part["claims_checked"])
    _line("steps with a checked claim", part["steps_with_a_checked_claim"])


def _line(title: str, share: dict[str, Any]) -> None:
    if share["share"] is None:
        click.echo(f"  {title}: none")
        return
    interval = f"{share['low']:.1%} to {share['high']:.1%}"
    click.echo(f"  {title}: {share['count']} of {share['of']} ({share['share']:.1%}, 95 % interval {interval})")
