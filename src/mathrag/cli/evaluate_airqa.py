"""`mathrag evaluate airqa`: grade answers about papers, of a file or of a model, and how well the papers are found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mathrag.cli.evaluate_options import print_odd, print_recall, progress_bar
from mathrag.cli.method_options import METHODS, format_options
from mathrag.cli.options import (
    ModelOptions,
    library_folder,
    library_option,
    model_options,
    open_library,
    opened_models,
)
from mathrag.cli.output import json_option, print_json, table_console
from mathrag.cli.paths import ExistingPath

if TYPE_CHECKING:
    from rich.table import Table

    from mathrag.library.ask.models import Models

EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag evaluate airqa questions.jsonl --answers answers.jsonl
  mathrag evaluate airqa questions.jsonl --answers answers.jsonl --out graded.jsonl --json
  mathrag evaluate airqa questions.jsonl --library papers --method classic --method neusym --max-calls 500
  mathrag evaluate airqa questions.jsonl --retrieval --papers papers.jsonl
  mathrag evaluate airqa questions.jsonl --retrieval --papers papers.jsonl --out titles.jsonl
"""
)
_file = click.Path(path_type=Path, exists=True, dir_okay=False)


@click.command("airqa", epilog=EXAMPLE)
@click.argument("questions", type=_file)
@click.option(
    "--answers",
    metavar="FILE",
    type=_file,
    help="Answers to grade: one JSON object a line, with uuid, answer and, where there are several, its method.",
)
@click.option(
    "--method",
    "methods",
    multiple=True,
    type=click.Choice(METHODS),
    help="Let the language model of the settings answer by this method the questions whose papers are in the library, "
    "and grade that. May be repeated.",
)
@format_options
@click.option(
    "--judge", "is_judged", is_flag=True, help="Let the language model of the settings judge what words mean."
)
@click.option(
    "--out",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Also write each question, one JSON object a line: with its outcome and the reason, and with --method its "
    "answer; with --retrieval, with the title found first as its answer, and the ranks of the right one.",
)
@click.option("--retrieval", is_flag=True, help="Measure how well the papers that are asked for are found.")
@click.option(
    "--papers",
    metavar="PATH",
    type=ExistingPath(),
    help="Where they are looked for: XML of the ACL Anthology, or JSON lines with id, title and abstract; a file or a "
    "folder of such files.",
)
@library_option
@model_options()
@json_option
def command(
    folder: Path | None,
    models: ModelOptions,
    as_json: bool,
    retrieval: bool,
    methods: tuple[str, ...],
    action_format: str,
    observation_format: str,
    **chosen: Any,
) -> int:
    """Grade answers to the questions of QUESTIONS, let a model answer them, or measure how well papers are found.

    QUESTIONS has one JSON object a line in the format of AirQA (uuid, question, answer_format, tags, anchor_pdf,
    reference_pdf, conference, evaluator), of M3SciQA or of SciDQA. An answer is right, wrong or unknown: what only a
    judge could tell is unknown without one, and counted apart.

    With --method the model is given each question with its answer format. A paper is in the library where a file is
    called by its id, such as ID.pdf; questions about others are left out and counted. What is answered, right and
    unknown is told for each method, with intervals, and what a question costs.

    With --retrieval every question that asks for a paper is searched for by words, by meaning and by both, over titles
    and abstracts; numbers were chosen on the odd questions.
    """
    if methods:
        _check(retrieval=retrieval, answers=chosen["answers"])
    costs = ""
    with ExitStack() as open_ones:
        watch = open_ones.enter_context(progress_bar(quiet=as_json))
        if retrieval:
            figures = _retrieval(watch, **chosen)
        elif methods:
            named, formats = tuple(dict.fromkeys(methods)), (action_format, observation_format)
            figures, costs = _asking(open_ones, watch, folder, models, methods=named, formats=formats, **chosen)
        else:
            figures = _grading(open_ones, watch, folder, models, **chosen)
    if as_json:
        print_json(figures)
    elif retrieval:
        _print_retrieval(figures)
    else:
        _print_grades(figures, costs=costs)
    return 1 if any(row.get("failures") for row in figures.get("methods", ())) else 0


def _check(*, retrieval: bool, answers: Path | None) -> None:
    from mathrag.errors import UsageError

    if retrieval or answers is not None:
        other = "--retrieval" if retrieval else "--answers"
        raise UsageError(f"{other} asks no model; leave it out, or leave out --method")


def _retrieval(watch: Callable[[str, int, int], None] | None, **chosen: Any) -> dict[str, Any]:
    from mathrag.errors import UsageError
    from mathrag.library.evaluate.paper_questions import measure_paper_retrieval

    if chosen["papers"] is None:
        raise UsageError("say where the papers are looked for, with --papers")
    figures: dict[str, Any] = measure_paper_retrieval(
        chosen["questions"], chosen["papers"], out=chosen["out"], watch=watch
    )
    return figures


def _grading(
    open_ones: ExitStack,
    watch: Callable[[str, int, int], None] | None,
    folder: Path | None,
    limits: ModelOptions,
    **chosen: Any,
) -> dict[str, Any]:
    from mathrag.errors import UsageError
    from mathrag.library.ask import models as opening
    from mathrag.library.evaluate.paper_questions import grade_paper_answers
    from mathrag.settings import load_settings

    if chosen["answers"] is None:
        raise UsageError(
            "name the answers to grade with --answers, let a model answer with --method, or measure --retrieval"
        )
    judge = None
    if chosen["is_judged"]:
        models = opening.open_models(library_folder(folder), settings=load_settings(), budget=limits.budget())
        judge = _judge(None if models is None else open_ones.enter_context(models))
    figures: dict[str, Any] = grade_paper_answers(
        chosen["questions"], chosen["answers"], judge=judge, out=chosen["out"], watch=watch
    )
    return figures


def _judge(models: Models | None) -> Any:
    from mathrag.errors import UsageError

    if models is None or not models.has("judge"):
        raise UsageError("a judge needs a language model: set MATHRAG_LLM_URL and MATHRAG_LLM_MODEL")
    return models.chat("judge")


def _asking(
    open_ones: ExitStack,
    watch: Callable[[str, int, int], None] | None,
    folder: Path | None,
    limits: ModelOptions,
    **chosen: Any,
) -> tuple[dict[str, Any], str]:
    from mathrag.library.evaluate.paper_questions import ask_paper_questions

    models = open_ones.enter_context(opened_models(folder, limits))
    library = open_ones.enter_context(open_library(folder))
    return ask_paper_questions(
        library,
        chosen["questions"],
        methods=chosen["methods"],
        models=models,
        formats=chosen["formats"],
        judge=_judge(models) if chosen["is_judged"] else None,
        out=chosen["out"],
        watch=watch,
    )


def _print_retrieval(figures: Mapping[str, Any]) -> None:
    print_recall(figures["recall"])
    named = ", ".join(figures["conferences"])
    click.echo(f"{figures['searched_for']} questions for papers of {named}, among {figures['papers']} papers")
    if figures["left_out"]:
        click.echo(f"left out: {figures['left_out']} questions for papers of other conferences")
    if figures["not_among_papers"]:
        click.echo(f"not among the papers, counted as missed: {len(figures['not_among_papers'])}")
    print_odd(figures)


def _print_grades(figures: Mapping[str, Any], *, costs: str = "") -> None:
    if any(row["method"] for row in figures["methods"]):
        _print_methods(figures["methods"])
    if "all" in figures:
        _print_kinds(figures)
    if any(row["unknown"] for row in figures["methods"]) and not figures["judge"]:
        click.echo("unknown: only a judge could tell (--judge); not counted in the shares")
    if figures["answers_to_no_question"]:
        click.echo(f"answers to no question of the file: {figures['answers_to_no_question']}")
    if costs:
        click.echo(f"\n{costs}\n")
        left_out = f"{figures['papers_not_in_library']} about papers that are not in the library"
        click.echo(
            f"asked: {figures['asked']} questions; left out: {left_out}, {figures['names_no_paper']} that name none"
        )
    for row in figures["methods"]:
        for reason, count in row.get("failures", {}).items():
            click.echo(f"note: {row['method']}: {count} unanswered because {reason}", err=True)
    print_odd(figures)


def _print_methods(rows: Sequence[Mapping[str, Any]]) -> None:
    """A line for each method: how many questions it answered, and how many of those that can be graded are right."""
    table = _table(
        "method", "questions", "answered", "95 % interval", "right", "wrong", "unknown", "share", "95 % interval"
    )
    for row in rows:
        answered = f"{100 * row['answered_low']:.1f} to {100 * row['answered_high']:.1f}"
        counts = (str(row[outcome]) for outcome in ("right", "wrong", "unknown"))
        name = row["method"] or "(none named)"
        table.add_row(name, str(row["questions"]), str(row["answered"]), answered, *counts, *_share(row))
    table_console().print(table)


def _print_kinds(figures: Mapping[str, Any]) -> None:
    """A line for all, for each grader and for each tag."""
    table = _table("", "right", "wrong", "unanswered", "unknown", "share", "95 % interval")
    rows = {"all": figures["all"], **figures["by_grader"]}
    rows |= {f"#{tag}": counted for tag, counted in figures["by_tag"].items()}
    for name, counted in rows.items():
        counts = (str(counted[outcome]) for outcome in ("right", "wrong", "unanswered", "unknown"))
        table.add_row(name, *counts, *_share(counted))
    table_console().print(table)


def _table(*columns: str) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for place, name in enumerate(columns):
        table.add_column(name, justify="right" if place else "left")
    return table


def _share(counted: Mapping[str, Any]) -> tuple[str, str]:
    if counted["share"] is None:
        return "", ""
    return f"{100 * counted['share']:.1f} %", f"{100 * counted['low']:.1f} to {100 * counted['high']:.1f}"
