"""`mathrag evaluate math`: solve a file of mathematics problems with a language model, and report how well."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from mathrag.cli.evaluate_options import progress_bar
from mathrag.cli.options import ModelOptions, library_folder, library_option, model_options
from mathrag.cli.output import json_option, print_json, table_console
from mathrag.cli.paths import ExistingPath
from mathrag.cli.solving_options import models_and_library, solving_options
from mathrag.errors import UsageError
from mathrag.types.solving import SolvingOptions

EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag evaluate math problems.jsonl --sample 20 --n 4 --estimate
  mathrag evaluate math problems.jsonl --n 8 --role critical --out results/math
  mathrag evaluate math problems.jsonl --n 4 --material raw --search flat --padding 1 --json
  mathrag evaluate math problems.jsonl --way whole --n 5 --threshold 0.3 --threshold 0.7 --out results/whole
  mathrag evaluate math problems.jsonl --way whole --n 3 --scorer judge --runs 3 --sample 1 --out results/runs
"""
)


@click.command("math", epilog=EXAMPLE)
@click.argument("file", type=ExistingPath(dir_okay=False))
@library_option
@click.option(
    "--way",
    type=click.Choice(["steps", "whole"]),
    default="steps",
    show_default=True,
    help="steps: one step at a time with a teacher. whole: whole solutions, a greedy one and --n drawn ones, without "
    "and with similar solutions of the library before the problem; all is found and scored before any is written.",
)
@solving_options(attempts=4)
@click.option(
    "--search",
    type=click.Choice(["graph", "flat"]),
    default="graph",
    show_default=True,
    help="How similar solutions are found: by type and within the problems found (graph), or by similarity alone.",
)
@click.option(
    "--texts",
    type=click.Choice(["solutions", "concepts"]),
    default="solutions",
    show_default=True,
    help="For whole solutions: what stands before the problem: similar solutions of the library, or cards of the "
    "concepts that it is about, from its dictionaries.",
)
@click.option(
    "--threshold",
    "thresholds",
    type=click.FloatRange(0, 1),
    multiple=True,
    default=(0.5,),
    show_default=True,
    help="For whole solutions: only texts with at least this score stand before the problem. May be repeated.",
)
@click.option(
    "--scorer",
    type=click.Choice(["similarity", "judge"]),
    default="similarity",
    show_default=True,
    help="For whole solutions: who scores the texts: their similarity, or the model of MATHRAG_LLM_MODEL_JUDGE.",
)
@click.option(
    "--switch-command",
    metavar="COMMAND",
    help="For whole solutions with a judge: run this once, between scoring and solving, to load the other model.",
)
@click.option(
    "--labels",
    type=ExistingPath(dir_okay=False),
    help='For whole solutions: which sources are relevant, a line {"id": …, "relevant": […]} a problem, for recall.',
)
@click.option(
    "--tokens",
    type=click.IntRange(1, 100_000),
    default=2000,
    show_default=True,
    help="The most tokens of a reply.",
)
@click.option("--limit", type=click.IntRange(min=1), help="Only the first so many problems.")
@click.option("--sample", type=click.IntRange(min=1), help="Only so many problems (of each run), drawn by the seed.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of the samples.")
@click.option(
    "--runs",
    type=click.IntRange(1, 30),
    default=1,
    show_default=True,
    help="Repeated runs on samples without a common problem, with mean, deviation and interval.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where the report, its charts and a line for every problem go. Default: a folder of its own under evaluation "
    "in that of the library.",
)
@model_options(estimate=True)
@json_option
def command(
    file: Path,
    folder: Path | None,
    out: Path | None,
    as_json: bool,
    models: ModelOptions,
    solving: SolvingOptions,
    **chosen: Any,
) -> int:
    """Solve the problems of FILE (JSON lines of MATH-500 or GSM8K) with a language model, and compare the answers.

    Every vote is reported by level and type, with what the checks of calculations found and what it took; what an
    oracle that knows the answers would choose stands apart. Problems that stand in FILE and in the library are never
    shown to the model; their number is reported. The same command goes on where a run was stopped or killed.
    """
    run = _run(solving, chosen)
    if models.estimate:
        _estimate(file, run, as_json=as_json)
        return 0
    report, place = _report(file, folder, out, models, run, quiet=as_json)
    if as_json:
        print_json({**report, "folder": str(place)})
    else:
        (_print_whole if run.way == "whole" else _print)(report)
        _print_end(report)
        click.echo(f"report: {place / 'report.md'}")
    return 1 if report["stopped"] else 0


def _run(solving: SolvingOptions, chosen: dict[str, Any]) -> Any:
    from mathrag.library.evaluate.math_run import MathRun
    from mathrag.library.evaluate.staged_run import StagedOptions

    try:
        words = tuple(shlex.split(chosen["switch_command"] or ""))
    except ValueError as error:
        raise UsageError(f"--switch-command cannot be read: {error}") from error
    staged = StagedOptions(
        attempts=solving.attempts,
        thresholds=tuple(sorted(set(chosen["thresholds"]))),
        tokens=chosen["tokens"],
        switch_command=words,
    )
    return MathRun(
        replace(solving, tokens=chosen["tokens"]),
        chosen["limit"],
        chosen["sample"],
        chosen["seed"],
        chosen["search"],
        runs=chosen["runs"],
        way=chosen["way"],
        staged=staged,
        scorer=chosen["scorer"],
        labels=chosen["labels"],
        texts=chosen["texts"],
    )


def _estimate(file: Path, run: Any, *, as_json: bool) -> None:
    from mathrag.library.evaluate.math_run import estimate_math
    from mathrag.settings import load_settings

    found = estimate_math(file, run=run, settings=load_settings())
    if as_json:
        print_json({"problems": found.problems, "most_calls": found.most_calls, **found.usual.to_json()})
        return
    click.echo(f"{found.problems} problems with {run.options.attempts} attempts each")
    click.echo(f"usually: {found.usual.sentence()}")
    click.echo(f"never more than {found.most_calls} calls; set --max-calls or --max-cost to be held to less")


def _report(
    file: Path, folder: Path | None, out: Path | None, limits: ModelOptions, run: Any, *, quiet: bool
) -> tuple[dict[str, Any], Path]:
    from mathrag.library.evaluate.math_run import evaluate_math, load_problems, math_folder

    with models_and_library(folder, limits) as (models, library), progress_bar(quiet=quiet) as watch:
        # A file that cannot be read leaves no folder behind.
        load_problems(file, run)
        watched = replace(run, watch=watch)
        place = out or math_folder(library_folder(folder), file, run=run, models=models, library=library)
        return evaluate_math(file, models=models, run=watched, library=library, out=place), place


def _print(report: dict[str, Any]) -> None:
    """The shares as a table, one column a level, then the rest in sentences."""
    from rich.table import Table

    count = report["options"]["n"]
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(f"{report['solved']} of {report['problems']} problems")
    table.add_column("all", justify="right")
    for level in report["levels"]:
        table.add_column(f"level {level}", justify="right")
    for name in report["shares"]:
        shown = {
            "first": "first attempt",
            "majority": f"Maj@{count}",
            "last": f"Last@{count}",
            "any": "any (an oracle)",
        }
        cells = [report["shares"][name], *(shares[name] for shares in report["levels"].values())]
        table.add_row(shown.get(name, f"{name} of {count}"), *(_share(cell) for cell in cells))
    for name, share in report["checked"].items():
        table.add_row(f"right where the answer is {name}", _share(share))
    table_console().print(table)
    steps = report["steps"]
    click.echo(
        f"steps: {steps['written']} written, {steps['verified']} with checked calculations, {steps['refuted']} with "
        f"false ones left, {steps['rewritten']} written again, {steps['scored']} scored"
    )


def _print_whole(report: dict[str, Any]) -> None:
    """The arms as a table, then what the texts change, each threshold on the same problems."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(f"{report['solved']} of {report['problems']} problems")
    for name in ("greedy", f"vote of {report['options']['n']}", "settled after", "with texts"):
        table.add_column(name, justify="right")
    covered = {row["threshold"]: row["problems"] for row in report["coverage"]}
    for name, arm in report["arms"].items():
        effect = report["effects"].get(name)
        with_texts = "" if effect is None else str(covered[effect["threshold"]])
        settled = "-" if arm["settled"] is None else f"{arm['settled']:.2f}"
        table.add_row(name, _share(arm["greedy"]), _share(arm["vote"]), settled, with_texts)
    table_console().print(table)
    for name, effect in report["effects"].items():
        change = effect["all"]["vote"]
        if change["difference"] is not None:
            click.echo(
                f"{name}: {100 * change['difference']:+.1f} points by vote ({change['better']} better, "
                f"{change['worse']} worse, p = {change['p']:.3g})"
            )
    scores = report["scores"]
    click.echo(
        f"texts: {scores['texts']} found, {scores['known']} with a score, {scores['unknown']} unknown; models switched "
        f"{report['switches']} times"
    )


def _print_end(report: dict[str, Any]) -> None:
    click.echo(
        f"left out of the library because they stand in the file: {report['leakage']['left_out_of_the_library']}"
    )
    spent = report["spent"]
    cost = "cost unknown" if spent["cost"] is None else f"${spent['cost']:.6f}"
    click.echo(
        f"language model {report['model']}: {spent['calls']} calls, {spent['cached']} replies from the cache, "
        f"{spent['prompt_tokens']} tokens sent, {spent['completion_tokens']} written, {cost}"
    )
    if report["failed"]:
        click.echo(f"note: {report['failed']} problems failed", err=True)
    if report["stopped"]:
        click.echo(f"stopped: {report['stopped']}; run the same command again to go on", err=True)


def _share(share: dict[str, Any]) -> str:
    return f"{share['right']}/{share['of']} ({100 * share['share']:.1f} %)" if share["of"] else "-"
