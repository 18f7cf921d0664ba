"""`mathrag status`: what the library holds, and which files failed and why."""

from __future__ import annotations

from pathlib import Path

import click

from mathrag.cli.model_cards import print_readings, reading_json
from mathrag.cli.options import library_option, open_library
from mathrag.cli.output import json_option, print_json

EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag status --library my-library
"""
)


@click.command("status", epilog=EXAMPLE)
@library_option
@json_option
def command(folder: Path | None, as_json: bool) -> int:
    """Count what the library holds and list the files that could not be read, with reasons.

    Of documents that were read with a language model it says with which, how far, and how much was refused. The exit
    code is 1 when there are files that could not be read.
    """
    with open_library(folder) as library:
        totals, failures, set_aside = library.totals(), library.failures(), library.set_aside()
        where = library.folder
        readings, refused = library.model_readings(), library.rejected_counts()
        names = {info.id: info.name for info in library.documents()}
    if as_json:
        print_json(
            {
                "library": str(where),
                **totals,
                "set_aside": set_aside,
                "model_readings": [reading_json(one, names) for one in readings],
                "proposals_rejected": refused,
                "failures": [
                    {
                        "file": one.name,
                        "key": one.key,
                        "code": one.code,
                        "reason": one.reason,
                        "time": one.time,
                        "attempts": one.attempts,
                    }
                    for one in failures
                ],
            }
        )
        return 1 if failures else 0
    click.echo(f"library in {where}")
    for name, count in totals.items():
        click.echo(f"  {name.replace('_', ' '):<24} {count:>8}")
    if set_aside:
        click.echo(f"formulas that are kept but not computed with: {sum(set_aside.values())}")
        for code, count in set_aside.items():
            click.echo(f"  {code.replace('_', ' '):<24} {count:>8}")
    print_readings(readings, refused, names)
    for failure in failures:
        tried = "once" if failure.attempts == 1 else f"{failure.attempts} times"
        click.echo(f"failed: {failure.name}: {failure.reason} (tried {tried}, last on {failure.time})")
    if failures:
        click.echo("try them again with `mathrag ingest --retry`, or forget one with `mathrag remove FILE`")
    return 1 if failures else 0
