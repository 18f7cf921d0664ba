"""`mathrag search`: find formulas, constants, concepts and passages by words and by meaning."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from mathrag.cli.cards import place_text, span_json
from mathrag.cli.options import ModelOptions, library_folder, library_option, model_options, open_library
from mathrag.cli.output import cut, json_option, print_json, screen_width
from mathrag.errors import UsageError

if TYPE_CHECKING:
    from mathrag.library import HitKind, Library, SearchHit
    from mathrag.library.ask.models import Models

EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag search kinetic energy --library my-library
  mathrag search 'speed of light' --kind constant --library my-library
  mathrag search 'greatest common divisor' --kind concept --library my-library
  mathrag search 'potential energy' --kind cell --table sections --library my-library
"""
)


@click.command("search", epilog=EXAMPLE)
@click.argument("words", nargs=-1, required=True)
@click.option(
    "--kind",
    type=click.Choice(["formula", "constant", "concept", "text", "summary", "example", "cell"]),
    help="Only entries of this kind.",
)
@click.option("--table", default="", metavar="NAME", help="With --kind cell: only texts of this table.")
@click.option("--column", default="", metavar="NAME", help="With --kind cell: only texts of this column.")
@click.option(
    "--filter",
    "condition",
    default="",
    metavar="TEXT",
    help="With --kind cell: only texts that fit, such as 'page > 2 and \"loss\" in text'.",
)
@click.option("--limit", type=click.IntRange(1, 200), default=10, show_default=True, help="How many to show.")
@library_option
@model_options()
@json_option
def command(
    words: tuple[str, ...],
    kind: str | None,
    table: str,
    column: str,
    condition: str,
    limit: int,
    folder: Path | None,
    models: ModelOptions,
    as_json: bool,
) -> int:
    """Find what fits WORDS, best first. Symbols and Greek letters by name or by letter: lambda, λ, v_0.

    Concepts are those that OpenMath dictionaries of the library define.
    Summaries are what a language model says parts of documents are about; they are found only with --kind summary.
    Worked examples and solutions that were taken in are found only with --kind example, solutions with a score that
    says what it is about: correctness, or style alone. `mathrag gate` decides whether it counts for the order; a
    language model is asked only where it chose the model's opinion, and only if one is set.

    Cells are all texts of the tables that `mathrag sql` shows: titles, abstracts, captions, passages, references and
    more, by words alone. They are found only with --kind cell.
    """
    text = " ".join(words).strip()
    if not text:
        raise UsageError("say what to look for")
    if kind == "cell":
        return _search_cells(text, table, column, condition, limit, folder, as_json=as_json)
    if table or column or condition:
        raise UsageError("--table, --column and --filter go with --kind cell")
    kinds = (cast("HitKind", kind),) if kind is not None else ()
    with open_library(folder) as library, _judging(library, models) as asked:
        hits = library.search(text, kinds=kinds, limit=limit, models=asked)
        names = {info.id: info.name for info in library.documents()}
    for hit in hits:
        if as_json:
            print_json(_hit_object(hit, names))
        else:
            _print_hit(hit, names)
    if not hits and not as_json:
        click.echo("nothing fits; try other words")
    return 0 if hits else 1


def _judging(library: Library, limits: ModelOptions) -> contextlib.AbstractContextManager[Models | None]:
    """The models that grade what is found, where the gate chose that and some are set."""
    from mathrag.library.ask.models import open_models
    from mathrag.settings import load_settings

    found = None
    if library.quality_book.needs_model():
        found = open_models(library_folder(library.folder), settings=load_settings(), budget=limits.budget())
    return contextlib.nullcontext() if found is None else found


def _hit_object(hit: SearchHit, names: dict[str, str]) -> dict[str, Any]:
    made = {
        "kind": hit.kind,
        "id": hit.id,
        "label": hit.label,
        "text": hit.text,
        "score": round(hit.score, 6),
        "found_by": list(hit.found_by),
        "place": span_json(hit.span, names) if hit.span is not None else None,
    }
    if hit.quality is not None:
        from mathrag.library.quality import quality_object

        made["quality"] = quality_object(hit.quality)
    return made


def _print_hit(hit: SearchHit, names: dict[str, str]) -> None:
    name = cut(hit.label or hit.id, max(20, screen_width() - len(hit.id) - 6))
    click.echo(f"{name}    [{hit.id}]")
    line = " ".join(hit.text.split())
    click.echo(cut(f"  {line}"))
    if hit.span is not None:
        click.echo(cut(f"  {place_text(hit.span, names)}"))
    if hit.quality is not None:
        from mathrag.library.quality import quality_words

        click.echo(f"  {quality_words(hit.quality)}")


def _search_cells(
    text: str, table: str, column: str, condition: str, limit: int, folder: Path | None, *, as_json: bool
) -> int:
    with open_library(folder) as library:
        found = library.search_cells(text, table=table, column=column, filter=condition, limit=limit)
        names = {info.id: info.name for info in library.documents()}
    for each in found:
        cell = each.cell
        if as_json:
            print_json(
                {
                    "kind": "cell",
                    "table": cell.table,
                    "column": cell.column,
                    "key": cell.key,
                    "document": cell.document,
                    "page": cell.page,
                    "text": cell.text,
                    "score": round(each.score, 6),
                }
            )
            continue
        place = names.get(cell.document or "", "") + (f", page {cell.page}" if cell.page is not None else "")
        click.echo(f"{cell.table}.{cell.column}    [{cell.key}]")
        line = " ".join(cell.text.split())
        click.echo(f"  {line if len(line) <= 160 else line[:159] + '…'}")
        if place:
            click.echo(f"  {place}")
    if not found and not as_json:
        click.echo("nothing fits; try other words")
    return 0 if found else 1
