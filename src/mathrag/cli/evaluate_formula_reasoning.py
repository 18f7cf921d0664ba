"""`mathrag evaluate formula-reasoning`: answer the questions of FormulaReasoning over a document of its formulas."""

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
  mathrag evaluate formula-reasoning ood_test_en.json --formulas formulas.json --out results/reasoning
"""
)


@click.command("formula-reasoning", epilog=EXAMPLE)
@click.argument("file", type=ExistingPath(dir_okay=False))
@click.option(
    "--formulas",
    type=ExistingPath(dir_okay=False),
    help="The formulas to write into the document. Default: formulas.json beside FILE, else those FILE itself names.",
)
@asking_options
@model_options()
@json_option
def command(
    file: Path,
    formulas: Path | None,
    out: Path | None,
    library: Path | None,
    planner: str,
    limit: int | None,
    half: str | None,
    workers: int | None,
    models: ModelOptions,
    as_json: bool,
) -> int:
    """Write the formulas into a Markdown document, read it into a fresh library, ask every question of FILE, grade.

    Compared are number and unit of the answer, within 1 %; the formulas used are not, since the file names them in
    words. The tiers are the numbers of steps. A run that was stopped goes on when it is started again.
    """
    from mathrag.library.evaluate.evaluation import RunOptions, evaluate_formula_reasoning

    results = results_in(out, library, questions=file, planner=planner)
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
        )
        report = evaluate_formula_reasoning(file, results, formulas=formulas, asking=asking)
    if as_json:
        told = {name: value for name, value in report.items() if name != "questions"}
        print_json({**told, "folder": str(results)})
    else:
        print_summary(report, results)
    return 1 if is_unfinished(report) else 0
