"""What the evaluating commands share: their options, a progress bar, and the summary of a report."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click

from mathrag.cli.ask import PLANNERS
from mathrag.cli.options import library_folder
from mathrag.cli.output import table_console

Command = TypeVar("Command", bound=Callable[..., Any])


def asking_options(command: Command) -> Command:
    """The options of a run."""
    options = (
        click.option(
            "--out",
            type=click.Path(path_type=Path, file_okay=False),
            help="Where the results go. Default: a new folder under evaluation in that of the library, where the pages "
            "of `mathrag serve` show them; a run that was stopped goes on in its own.",
        ),
        click.option(
            "--library",
            type=click.Path(path_type=Path, file_okay=False),
            metavar="DIR",
            help="The library whose folder keeps the results without --out. It is not asked. Default: the setting "
            "MATHRAG_LIBRARY, else a folder in your data folder.",
        ),
        click.option(
            "--planner",
            default="rules",
            show_default=True,
            type=click.Choice(PLANNERS),
            help="Who picks the steps of an answer: rules, a language model (react), or the model where the rules are "
            "unsure (auto; small: in two short calls, for small models).",
        ),
        click.option("--limit", type=click.IntRange(min=1), help="Only the first so many questions."),
        click.option("--half", type=click.Choice(["odd", "even"]), help="Only formulas with an odd, or even, number."),
        click.option(
            "--workers", type=click.IntRange(1, 64), help="How many processes ask at once. Default: one a core."
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def results_in(out: Path | None, library: Path | None, *, questions: Path, planner: str) -> Path:
    """Where the results of a run go: to `--out`, else beside the library, by the set, the planner and the model, with
    a number where there are results already."""
    if out is not None:
        return out
    from mathrag.library.views.evaluations import fresh_results_folder, results_folder
    from mathrag.settings import load_settings

    settings = load_settings()
    model = "" if planner == "rules" else settings.llm_model_reason or settings.llm_model
    return fresh_results_folder(results_folder(library_folder(library), questions, planner, model=model))


@contextmanager
def progress_bar(*, quiet: bool) -> Iterator[Callable[[str, int, int], None] | None]:
    """A bar with the time left on a terminal; nothing where nobody watches."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        tasks: dict[str, Any] = {}

        def told(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bars.add_task(what, total=total)
            bars.update(tasks[what], completed=done, total=total)

        yield told


def print_summary(report: dict[str, Any], out: Path) -> None:
    """The main figures of a report as a table, and where the rest is."""
    from rich.table import Table

    metrics = report["metrics"]
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("", "right", "of", "share", "95 % interval"):
        table.add_column(name, justify="left" if not name else "right")
    rows = {**metrics["tiers"], "precision when answering": metrics["precision"]}
    tools = metrics["tools"].get("answerable")
    if tools is not None:
        rows |= {"correct tool": tools["correct"], "right given the tool": tools["conditional_accuracy"]}
    for name, share in rows.items():
        if share["of"]:
            interval = f"{100 * share['low']:.1f} to {100 * share['high']:.1f}"
            table.add_row(name, str(share["right"]), str(share["of"]), f"{100 * share['share']:.1f} %", interval)
    table_console().print(table)
    missed = {stage: figures["right"] for stage, figures in metrics["stages"].items() if figures["right"]}
    if missed:
        click.echo("misses: " + ", ".join(f"{stage} {count}" for stage, count in missed.items()))
    times = metrics["milliseconds"]
    if times is not None:
        click.echo(f"milliseconds: median {times['median']['value']:.1f}, p95 {times['p95']['value']:.1f}")
    model = report.get("language_model")
    if model is not None:
        click.echo(_model_line(model))
    for notice in report["notices"]:
        click.echo(f"note: {notice}", err=True)
    click.echo(f"report: {out / 'report.md'}")


def _model_line(figures: dict[str, Any]) -> str:
    spent = figures["spent"]
    cost = "cost unknown" if spent["cost"] is None else f"${spent['cost']:.6f}"
    return (
        f"language model {figures['model']}: asked for {figures['questions_with_model']} of {figures['questions']} "
        f"questions; {spent['calls']} calls, {spent['cached']} replies from the cache, {spent['prompt_tokens']} tokens "
        f"sent, {spent['completion_tokens']} written, {cost}"
    )


def is_unfinished(report: dict[str, Any]) -> bool:
    """Whether a budget ended the run early; the same command goes on from there."""
    model = report.get("language_model")
    return model is not None and bool(model["stopped_by_budget"])


def print_recall(recall: Mapping[str, Any]) -> None:
    """Recall of papers or passages as a table: a row for each collection and half, with intervals."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("collection", "half", "questions", "at 1", "at 5", "at 10", "reciprocal rank"):
        table.add_column(name, justify="left" if name in ("collection", "half") else "right")
    for collection, halves in recall.items():
        for half, found in halves.items():
            if found["questions"]:
                shares = (found[f"at_{depth}"] for depth in (1, 5, 10))
                cells = (f"{one['share']:.3f} ({one['low']:.3f} to {one['high']:.3f})" for one in shares)
                table.add_row(collection, half, str(found["questions"]), *cells, f"{found['reciprocal_rank']:.3f}")
    table_console().print(table)


def print_odd(figures: Mapping[str, Any]) -> None:
    """What was refused in a file of questions, and what is odd about it, as notes."""
    for refused in figures["refused"][:10]:
        click.echo(f"note: line {refused['line']} is no question: {refused['reason']}", err=True)
    if len(figures["refused"]) > 10:
        click.echo(f"note: and {len(figures['refused']) - 10} other lines", err=True)
    for remark, count in figures["odd"].items():
        click.echo(f"note: {count} times: {remark}", err=True)
