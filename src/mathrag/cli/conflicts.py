"""`mathrag conflicts`: entries of the library that cannot all be right."""

from __future__ import annotations

from pathlib import Path

import click

from mathrag.cli.cards import place_text, span_json
from mathrag.cli.model_cards import same_pairs
from mathrag.cli.options import library_option, open_library
from mathrag.cli.output import json_option, print_json

EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag conflicts --library my-library
"""
)


@click.command("conflicts", epilog=EXAMPLE)
@library_option
@json_option
def command(folder: Path | None, as_json: bool) -> int:
    """List constants with two values, names with two formulas, worked examples that come out otherwise.

    Pairs of formulas that a language model says are the same, and that were not merged, are listed too. The exit code
    is 1 when there are conflicts; such pairs are none.
    """
    with open_library(folder) as library:
        conflicts = library.conflicts()
        pairs = same_pairs(library)
        names = {info.id: info.name for info in library.documents()}
    for conflict in conflicts:
        if as_json:
            print_json(
                {
                    "kind": conflict.kind,
                    "subject": conflict.subject,
                    "entries": list(conflict.entries),
                    "message": conflict.message,
                    "places": [span_json(span, names) for span in conflict.spans],
                }
            )
            continue
        click.echo(conflict.message)
        for span in conflict.spans:
            click.echo(f"  {place_text(span, names)}")
    for pair in pairs:
        if as_json:
            print_json({"kind": "said_to_be_the_same", **pair})
        else:
            click.echo(pair["message"])
    if not conflicts and not as_json:
        click.echo("no conflicts")
    return 1 if conflicts else 0
