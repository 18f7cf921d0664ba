"""`mathrag selftest`: the library examined by its own worked examples."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mathrag.cli.options import library_option, open_library
from mathrag.cli.output import json_option, print_json

if TYPE_CHECKING:
    from mathrag.library.selftest import Examination, Examined
    from mathrag.types.json_value import Json

EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag selftest --library my-library
  mathrag selftest --limit 50 --json --library my-library
"""
)
# Of a problem, so that each wrong one has a line of its own.
_LONGEST = 160


@click.command("selftest", epilog=EXAMPLE)
@click.option("--limit", type=click.IntRange(min=1), help="Ask at most so many examples, spread evenly.")
@library_option
@json_option
def command(limit: int | None, folder: Path | None, as_json: bool) -> None:
    """Ask each worked example of the documents its own question, with that example hidden, and compare with the result
    that is printed there.

    Reports how many are right, wrong and refused, the share of right ones among the numbers given, by confidence, and
    lists the wrong ones. What comes of it is kept in the library.
    """
    with open_library(folder) as library:
        found = library.selftest(limit=limit)
    if as_json:
        print_json(_as_json(found))
        return
    if not found.examined:
        click.echo("no worked example with a printed result was found in the documents")
        return
    _print(found)


def _print(found: Examination) -> None:
    right, wrong, refused = (found.count(outcome) for outcome in ("right", "wrong", "refused"))
    click.echo(f"{len(found.examined)} worked examples asked: {right} right, {wrong} wrong, {refused} refused")
    if found.precision is not None:
        click.echo(f"of the numbers given, {found.precision:.0%} are right")
    for band in found.bands():
        click.echo(f"  confidence {band.low:.2f} to {band.high:.2f}: {band.right} of {band.given} right")
    if found.without_result:
        click.echo(f"{found.without_result} more have no result that could be read")
    if wrong:
        click.echo("\nwrong:")
    for one in found.of("wrong"):
        problem = one.case.problem
        shown = problem if len(problem) <= _LONGEST else f"…{problem[1 - _LONGEST :]}"
        click.echo(f"- {one.case.name}: {shown}")
        click.echo(f"  printed {_printed(one)}; answered: {one.result.answer} ({one.result.confidence:.2f})")


def _printed(one: Examined) -> str:
    return f"{one.case.value} {one.case.unit}".strip()


def _as_json(found: Examination) -> Json:
    return {
        "asked": len(found.examined),
        "right": found.count("right"),
        "wrong": found.count("wrong"),
        "refused": found.count("refused"),
        "without_result": found.without_result,
        "precision": found.precision,
        "bands": [{"from": one.low, "to": one.high, "given": one.given, "right": one.right} for one in found.bands()],
        "cases": [
            {
                "id": one.case.id,
                "name": one.case.name,
                "document": one.case.document,
                "problem": one.case.problem,
                "printed": _printed(one),
                "outcome": one.result.outcome,
                "is_right": one.result.is_right,
                "confidence": one.result.confidence,
                "answer": one.result.answer,
            }
            for one in found.examined
        ],
    }
