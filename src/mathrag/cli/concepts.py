"""`mathrag concepts`: how much the dictionaries of a library hold, and what came of checking their properties."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mathrag.cli.options import library_option, open_library
from mathrag.cli.output import cut, json_option, print_json

if TYPE_CHECKING:
    from mathrag.library import StoredConcept

EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag concepts --library my-library
  mathrag concepts gcd --library my-library
  mathrag concepts --checks --library my-library
"""
)


@click.command("concepts", epilog=EXAMPLE)
@click.argument("name", required=False)
@click.option("--checks", is_flag=True, help="List every property that is a formula, with what trying it gave.")
@library_option
@json_option
def command(name: str | None, checks: bool, folder: Path | None, as_json: bool) -> int:
    """Count what the OpenMath dictionaries of the library define, or list the concepts called NAME (a symbol such as
    gcd, a name such as arith1:gcd, or a dictionary such as arith1), after what the glossary of MathRAG calls so.

    `mathrag ingest --openmath` reads the dictionaries that come along. Formulas are tried at points: that one holds at
    all of them is no proof. The exit code is 1 when there is nothing to list.
    """
    with open_library(folder) as library:
        counts = library.concept_counts()
        found = () if name is None and not checks else _wanted(library.concepts(), name)
    if name is None and not checks:
        _print_counts(counts, as_json=as_json)
        return 0
    if checks:
        return _print_checks(found, as_json=as_json)
    from mathrag.library.views.concepts import concept_summary, glossary_summaries

    entries = glossary_summaries(name or "")
    for entry in entries:
        if as_json:
            print_json(entry)
        else:
            click.echo(cut(f"{entry['name']:<32} {entry['definition']} ({entry['source']})"))
    for one in found:
        if as_json:
            print_json(concept_summary(one))
        else:
            click.echo(cut(f"{one.concept.name:<32} {' '.join(one.concept.description.split())}"))
    if not found and not entries and not as_json:
        click.echo("no concept is called so; try `mathrag search --kind concept`")
    return 0 if found or entries else 1


def _wanted(concepts: tuple[StoredConcept, ...], name: str | None) -> tuple[StoredConcept, ...]:
    if name is None:
        return concepts
    return tuple(
        one for one in concepts if name in (one.concept.name, one.concept.symbol, one.concept.dictionary, one.id)
    )


def _print_counts(counts: dict[str, int], *, as_json: bool) -> None:
    if as_json:
        print_json(counts)
        return
    for name, count in counts.items():
        click.echo(f"{name.replace('_', ' '):<24} {count:>8}")


def _print_checks(concepts: tuple[StoredConcept, ...], *, as_json: bool) -> int:
    from mathrag.library.views.concepts import property_object

    shown = 0
    for stored in concepts:
        for one in stored.concept.properties:
            if one.kind == "stated":
                continue
            shown += 1
            told = property_object(one)
            if as_json:
                print_json({"concept": stored.concept.name, **told})
            else:
                click.echo(cut(f"{stored.concept.name:<32} {told['check']['text']}"))
                click.echo(cut(f"    {' '.join(one.latex.split())}"))
    return 0 if shown else 1
