"""`mathrag evaluate airqa`: grade answers to questions about papers, and measure how well the papers are found."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from mathrag.cli.evaluate_options import print_odd, print_recall, progress_bar
from mathrag.cli.options import ModelOptions, library_folder, library_option, model_options
from mathrag.cli.output import json_option, print_json, table_console
from mathrag.cli.paths import ExistingPath

EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag evaluate airqa questions.jsonl --answers answers.jsonl
  mathrag evaluate airqa questions.jsonl --answers answers.jsonl --out graded.jsonl --json
  mathrag evaluate airqa questions.jsonl --retrieval --papers papers.jsonl
  mathrag evaluate airqa questions.jsonl --retrieval --papers papers.jsonl --out titles.jsonl
"""
)
_file = click.Path(path_type=Path, exists=True, dir_okay=False)


@click.command("airqa", epilog=EXAMPLE)
@click.argument("questions", type=_file)
@click.option(
    "--answers", metavar="FILE", type=_file, help="Answers to grade: one JSON object a line, uuid and answer."
)
@click.option(
    "--judge", "is_judged", is_flag=True, help="Let the language model of the settings judge what words mean."
)
@click.option(
    "--out",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Also write each question, one JSON object a line: with its outcome and the reason; with --retrieval, with "
    "the title found first as its answer, and the ranks of the right one.",
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
def command(folder: Path | None, models: ModelOptions, as_json: bool, retrieval: bool, **chosen: Any) -> int:
    """Grade answers to the questions of QUESTIONS, or measure how well the papers they ask for are found.

    QUESTIONS has one JSON object a line in the format of AirQA (uuid, question, answer_format, tags, anchor_pdf,
    reference_pdf, conference, evaluator), of M3SciQA or of SciDQA. An answer is right, wrong or unknown: what only a
    judge could tell is unknown without one, and counted apart. With --retrieval every question that asks for a paper is
    searched for by words, by meaning and by both, over titles and abstracts; numbers were chosen on the odd questions.
    """
    with ExitStack() as open_ones:
        watch = open_ones.enter_context(progress_bar(quiet=as_json))
        if retrieval:
            figures = _retrieval(watch, **chosen)
        else:
            figures = _grading(open_ones, watch, folder, models, **chosen)
    if as_json:
        print_json(figures)
    elif retrieval:
        _print_retrieval(figures)
    else:
        _print_grades(figures)
    return 0


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
        raise UsageError("name the answers to grade with --answers, or measure --retrieval")
    judge = None
    if chosen["is_judged"]:
        models = opening.open_models(library_folder(folder), settings=load_settings(), budget=limits.budget())
        if models is None or not models.has("judge"):
            raise UsageError("a judge needs a language model: set MATHRAG_LLM_URL and MATHRAG_LLM_MODEL")
        judge = open_ones.enter_context(models).chat("judge")
    figures: dict[str, Any] = grade_paper_answers(
        chosen["questions"], chosen["answers"], judge=judge, out=chosen["out"], watch=watch
    )
    return figures


def _print_retrieval(figures: Mapping[str, Any]) -> None:
    print_recall(figures["recall"])
    named = ", ".join(figures["conferences"])
    click.echo(f"{figures['searched_for']} questions for papers of {named}, among {figures['papers']} papers")
    if figures["left_out"]:
        click.echo(f"left out: {figures['left_out']} questions for papers of other conferences")
    if figures["not_among_papers"]:
        click.echo(f"not among the papers, counted as missed: {len(figures['not_among_papers'])}")
    print_odd(figures)


def _print_grades(figures: Mapping[str, Any]) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("", "right", "wrong", "unanswered", "unknown", "share", "95 % interval"):
        table.add_column(name, justify="left" if not name else "right")
    rows = {"all": figures["all"], **figures["by_grader"]}
    rows |= {f"#{tag}": counted for tag, counted in figures["by_tag"].items()}
    for name, counted in rows.items():
        known = counted["share"] is not None
        share = f"{100 * counted['share']:.1f} %" if known else ""
        interval = f"{100 * counted['low']:.1f} to {100 * counted['high']:.1f}" if known else ""
        counts = (str(counted[outcome]) for outcome in ("right", "wrong", "unanswered", "unknown"))
        table.add_row(name, *counts, share, interval)
    table_console().print(table)
    if figures["all"]["unknown"] and not figures["judge"]:
        click.echo("unknown: only a judge could tell (--judge); not counted in the shares")
    if figures["answers_to_no_question"]:
        click.echo(f"answers to no question of the file: {figures['answers_to_no_question']}")
    print_odd(figures)
