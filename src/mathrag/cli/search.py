"""`mathrag search`: find formulas, constants and passages by words and by meaning."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from mathrag.cli.cards import place_text, span_json
from mathrag.cli.options import library_option, open_library
from mathrag.cli.output import json_option, print_json
from mathrag.errors import UsageError

if TYPE_CHECKING:
    from mathrag.library import HitKind

EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag search kinetic energy --library my-library
  mathrag search 'speed of light' --kind constant --library my-library
"""
)


@click.command("search", epilog=EXAMPLE)
@click.argument("words", nargs=-1, required=True)
@click.option(
    "--kind", type=click.Choice(["formula", "constant", "text", "summary"]), help="Only entries of this kind."
)
@click.option("--limit", type=click.IntRange(1, 200), default=10, show_default=True, help="How many to show.")
@library_option
@json_option
def command(words: tuple[str, ...], kind: str | None, limit: int, folder: Path | None, as_json: bool) -> int:
    """Find what fits WORDS, best first. Symbols and Greek letters by name or by letter: lambda, λ, v_0.

    Summaries are what a language model says parts of documents are about; they are found only with --kind summary.
    """
    text = " ".join(words).strip()
    if not text:
        raise UsageError("say what to look for")
    kinds = (cast("HitKind", kind),) if kind is not None else ()
    with open_library(folder) as library:
        hits = library.search(text, kinds=kinds, limit=limit)
        names = {info.id: info.name for info in library.documents()}
    for hit in hits:
        if as_json:
            print_json(
                {
                    "kind": hit.kind,
                    "id": hit.id,
                    "label": hit.label,
                    "text": hit.text,
                    "score": round(hit.score, 6),
                    "found_by": list(hit.found_by),
                    "place": span_json(hit.span, names) if hit.span is not None else None,
                }
            )
            continue
        click.echo(f"{hit.label or hit.id}    [{hit.id}]")
        line = " ".join(hit.text.split())
        click.echo(f"  {line if len(line) <= 160 else line[:159] + '…'}")
        if hit.span is not None:
            click.echo(f"  {place_text(hit.span, names)}")
    if not hits and not as_json:
        click.echo("nothing fits; try other words")
    return 0 if hits else 1
