"""`mathrag evaluate formula-qa`: answer a question set over its own documents, and report how well."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from mathrag.cli.evaluate_options import asking_options, is_unfinished, print_summary, progress_bar, results_in
from mathrag.cli.options import ModelOptions, model_options
from mathrag.cli.output import json_option, print_json
from mathrag.cli.paths import ExistingPath

if TYPE_CHECKING:
    from typing import Literal

EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag evaluate formula-qa sets/physics --library my-library
  mathrag evaluate formula-qa sets/physics --out results/physics
  mathrag evaluate formula-qa sets/physics --planner react --estimate
  mathrag evaluate formula-qa sets/book --documents book.html --half even --out results/book
"""
)


@click.command("formula-qa", epilog=EXAMPLE)
@click.argument("folder", metavar="SET_DIR", type=ExistingPath(file_okay=False))
@click.option(
    "--documents",
    multiple=True,
    type=ExistingPath(),
    help="Read this file or folder instead of the set's documents/. May be repeated.",
)
@asking_options
@click.option(
    "--handbook", is_flag=True, help="Let built-in knowledge answer, too, where the documents do not; counted apart."
)
@click.option(
    "--assume", is_flag=True, help="Let a language model assume well-known values that stand nowhere; counted apart."
)
@model_options(estimate=True)
@json_option
def command(
    folder: Path,
    documents: tuple[Path, ...],
    out: Path | None,
    library: Path | None,
    planner: str,
    limit: int | None,
    half: str | None,
    workers: int | None,
    handbook: bool,
    assume: bool,
    models: ModelOptions,
    as_json: bool,
) -> int:
    """Read the documents of SET_DIR into a fresh library, ask every question of its questions.jsonl, and grade.

    Writes predictions.jsonl (one answer a line), report.json and report.md with charts. A run that was stopped goes on
    when it is started again.
    """
    if models.estimate:
        return _estimate(folder, planner=planner, limit=limit, half=half, as_json=as_json)
    from mathrag.library.evaluate.evaluation import RunOptions, evaluate_formula_qa

    results = results_in(out, library, questions=folder, planner=planner)
    with progress_bar(quiet=as_json) as watch:
        chosen = cast("Literal['odd', 'even'] | None", half)
        asking = RunOptions(
            planner,
            limit=limit,
            half=chosen,
            workers=workers,
            watch=watch,
            maximal_cost=models.maximal_cost,
            maximal_calls=models.maximal_calls,
            handbook=handbook,
            assume=assume,
        )
        report = evaluate_formula_qa(folder, results, documents=documents, asking=asking)
    if as_json:
        told = {name: value for name, value in report.items() if name != "questions"}
        print_json({**told, "folder": str(results)})
    else:
        print_summary(report, results)
    return 1 if is_unfinished(report) else 0


def _estimate(folder: Path, *, planner: str, limit: int | None, half: str | None, as_json: bool) -> int:
    """Say what a run would take of a language model, and ask nothing."""
    from mathrag.library.evaluate.estimates import estimate_asking
    from mathrag.settings import load_settings

    chosen = cast("Literal['odd', 'even'] | None", half)
    found = estimate_asking(folder, planner=planner, settings=load_settings(), limit=limit, half=chosen)
    if as_json:
        print_json({"questions": found.questions, "most_calls": found.most_calls, **found.usual.to_json()})
        return 0
    click.echo(f"{found.questions} questions with the planner {planner}")
    click.echo(f"usually: {found.usual.sentence()}")
    click.echo(f"never more than {found.most_calls} calls; set --max-calls or --max-cost to be held to less")
    return 0
