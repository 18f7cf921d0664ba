"""`mathrag evaluate retrieval`: how well concepts of mathematics are found for problems."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from mathrag.cli.evaluate_options import progress_bar
from mathrag.cli.options import ModelOptions, library_folder, library_option, model_options
from mathrag.cli.output import json_option, print_json, table_console
from mathrag.cli.paths import ExistingPath

EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag evaluate retrieval labels.json
  mathrag evaluate retrieval labels.json --problems problems.jsonl --base base.json --config fused
  mathrag evaluate retrieval labels.json --problems problems.jsonl --base base.json --concepts names.json
    --names file --config reranked --out results
"""
)
_file = ExistingPath(dir_okay=False)


@click.command("retrieval", epilog=EXAMPLE)
@click.argument("labels", type=_file)
@click.option(
    "--problems", metavar="FILE", type=_file, help="The whole problems, one JSON object a line, in the order of LABELS."
)
@click.option("--base", metavar="FILE", type=_file, help="Concepts from a file (JSON). Default: those of the library.")
@click.option("--concepts", metavar="FILE", type=_file, help="Names of concepts that a model gave each problem (JSON).")
@click.option(
    "--config",
    type=click.Choice(("words", "meaning", "fused", "reranked", "gated")),
    help="How concepts are searched; gated also ranks by the form of their cards, where the labels of the other half "
    "of the problems show that it tells. Without it only the scores that come with LABELS are counted.",
)
@click.option(
    "--names",
    default="rules",
    show_default=True,
    type=click.Choice(("rules", "file", "model", "text")),
    help="What is searched for: names of concepts found by rules, those of --concepts, those that a language model "
    "gives, or the problem itself.",
)
@click.option(
    "--reranker", metavar="NAME", help="The reranker of the configuration reranked. Default: MATHRAG_RERANKER."
)
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="Also write each problem as a line, the figures and a report into a new folder in DIR.",
)
@click.option("--limit", type=click.IntRange(min=1), help="Only the first so many problems.")
@library_option
@model_options()
@json_option
def command(folder: Path | None, models: ModelOptions, as_json: bool, **chosen: Any) -> int:
    """Search concepts for the problems of LABELS and count how many of the labelled ones are found, and how high.

    LABELS is a JSON object: under the id of each problem its problem_text and its reranked_symbols, each with cd, name
    and reranker_score; from a score of 0.5 on a concept counts as one that the problem is about. Coverage counts the
    problems that have a concept at each threshold, always over all problems. The odd problems were used to choose
    words and weights; the even ones tell how good they are.
    """
    figures = _figures(models, folder, quiet=as_json, **chosen)
    if as_json:
        print_json(figures)
    else:
        _print(figures)
    return 0


def _figures(limits: ModelOptions, folder: Path | None, *, quiet: bool, **chosen: Any) -> dict[str, Any]:
    from mathrag.library import Library
    from mathrag.library.ask import models as opening
    from mathrag.library.evaluate.retrieval import RetrievalFiles, measure_retrieval
    from mathrag.settings import load_settings

    files = RetrievalFiles(chosen.pop("labels"), chosen.pop("problems"), chosen.pop("concepts"), chosen.pop("base"))
    settings = load_settings()
    place = library_folder(folder)
    is_asked = chosen["names"] == "model" or (chosen["reranker"] or settings.reranker) == "judge"
    with ExitStack() as open_ones:
        told = open_ones.enter_context(progress_bar(quiet=quiet))
        models = opening.open_models(place, settings=settings, budget=limits.budget()) if is_asked else None
        if models is not None:
            open_ones.enter_context(models)
        library = None
        if chosen["config"] is not None and files.base is None and Library.exists(place):
            library = open_ones.enter_context(Library(place, create=False))
        return measure_retrieval(files, library=library, models=models, watch=told, **chosen)


def _print(figures: Mapping[str, Any]) -> None:
    from rich.table import Table

    if "recall" in figures:
        table = Table(box=None, pad_edge=False, header_style="bold")
        for name in ("", "pairs", "at 3", "at 10", "at 50", "reciprocal rank"):
            table.add_column(name, justify="left" if not name else "right")
        for half, found in figures["recall"].items():
            if found["pairs"]:
                shares = (f"{found[f'at_{depth}']['share']:.3f}" for depth in (3, 10, 50))
                table.add_row(half, str(found["pairs"]), *shares, f"{found['reciprocal_rank']:.3f}")
        table_console().print(table)
        times = figures["milliseconds"]
        click.echo(f"{figures['concepts']} concepts, names by {figures['names']}, {figures['embedder']}")
        click.echo(f"milliseconds: median {times['median']['value']:.1f}, p95 {times['p95']['value']:.1f}")
    for half, decided in figures.get("gate", {}).items():
        click.echo(f"gate for the {half} problems: {decided['choice']}, because {decided['reason']}")
    if figures["names_unknown"]:
        click.echo(f"names that the model could not give, taken by rules: {figures['names_unknown']}")
    for name, title in (("stored_scores", "the scores of the labels"), ("own_scores", "the scores of the reranker")):
        if name in figures:
            _print_coverage(title, figures[name])
    if "folder" in figures:
        click.echo(f"report: {Path(figures['folder']) / 'report.md'}")


def _print_coverage(title: str, found: Mapping[str, Any]) -> None:
    counts = ", ".join(f"{one['problems']} from {one['from']}" for one in found["thresholds"])
    click.echo(f"problems with a concept by {title}: {counts}")
    mean = "none" if found["mean"] is None else f"{found['mean']:.4f}"
    unknown = f", unknown {found['unknown']}" if found["unknown"] else ""
    click.echo(
        f"  of {found['problems']}: mean of the best {mean}, high {found['high']}, poor {found['poor']}{unknown}"
    )
