"""`mathrag evaluate methods`: ask questions about documents by several methods, and compare what that costs."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import click

from mathrag.cli.evaluate_options import progress_bar
from mathrag.cli.method_options import METHODS, format_options
from mathrag.cli.options import ModelOptions, library_option, model_options, open_library, opened_models
from mathrag.cli.output import json_option, print_json
from mathrag.cli.paths import ExistingPath
from mathrag.types.document_actions import ActionFormat, ObservationFormat

EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag evaluate methods questions.txt --library my-library
  mathrag evaluate methods questions.jsonl --method classic --method neusym --answers answers.jsonl
"""
)


@click.command("methods", epilog=EXAMPLE)
@click.argument("questions", type=ExistingPath(dir_okay=False))
@click.option("--method", "methods", multiple=True, type=click.Choice(METHODS), help="May be repeated. Default: all.")
@format_options
@click.option(
    "--answers",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Also write what was answered: one JSON object a line, with uuid, answer (null: refused) and method.",
)
@library_option
@model_options()
@json_option
def command(
    questions: Path,
    methods: tuple[str, ...],
    action_format: ActionFormat,
    observation_format: ObservationFormat,
    answers: Path | None,
    folder: Path | None,
    models: ModelOptions,
    as_json: bool,
) -> int:
    """Ask the library every question of QUESTIONS by each method, and print what a question costs with it.

    QUESTIONS has one question a line, or JSON objects with question, uuid and answer_format, which the model is told
    too. The table has the means of one question: how often the model was asked, tokens sent and written, seconds, and
    US dollars where the prices are set.
    """
    from mathrag.library.evaluate.methods import cost_objects, cost_table, read_asked, run_methods, write_answers

    asked = read_asked(questions)
    with ExitStack() as open_ones:
        known = open_ones.enter_context(opened_models(folder, models))
        library = open_ones.enter_context(open_library(folder))
        watch = open_ones.enter_context(progress_bar(quiet=as_json))
        run = run_methods(
            library,
            asked,
            methods=methods or METHODS,
            models=known,
            formats=(action_format, observation_format),
            watch=watch,
        )
    if answers is not None:
        write_answers(run, answers)
    if as_json:
        print_json({"methods": cost_objects(run.costs)})
    else:
        click.echo(cost_table(run.costs))
    return 0
