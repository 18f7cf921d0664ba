"""`mathrag replay`: compute a recorded answer again, offline, and say whether it is still the same."""

from __future__ import annotations

from pathlib import Path

import click

from mathrag.cli.options import library_option, open_library
from mathrag.cli.output import json_option, print_json
from mathrag.cli.paths import ExistingPath

EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag replay answer.json --library my-library
"""
)


@click.command("replay", epilog=EXAMPLE)
@click.argument("file", type=ExistingPath(dir_okay=False))
@library_option
@json_option
def command(file: Path, folder: Path | None, as_json: bool) -> int:
    """Compute again the answer that `mathrag ask --replay FILE` wrote down; neither network nor library is needed.

    With --library, its formulas are compared with those of the library today. The exit code is 1 when anything changed.
    """
    from mathrag.library.ask.outcomes import replay_file

    if folder is None:
        report = replay_file(file)
    else:
        with open_library(folder) as library:
            report = replay_file(file, library=library)
    if as_json:
        print_json(
            {
                "question": report.question,
                "outcome": report.outcome,
                "same": report.is_same,
                "recomputed": report.recomputed,
                "value": None if report.value is None else report.value.value,
                "unit": None if report.value is None else report.value.unit.text,
                "changes": [
                    {"kind": change.kind, "step": change.step, "message": change.message} for change in report.changes
                ],
                "software_then": report.software_then,
                "software_now": report.software_now,
            }
        )
    else:
        click.echo(f"{safe_line(report.question)}\n{report.text}")
    return 0 if report.is_same else 1


def safe_line(text: str) -> str:
    """A question from a file, which may come from anywhere, as one harmless line."""
    from mathrag.errors import readable

    return readable(" ".join(text.split()))
