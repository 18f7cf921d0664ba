"""`mathrag solve-steps`: a problem solved step by step by a language model, every calculation checked."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import click

from mathrag.cli.ask import print_model_usage
from mathrag.cli.options import ModelOptions, library_option, model_options
from mathrag.cli.output import json_option, print_json
from mathrag.cli.solving_options import models_and_library, solving_options
from mathrag.types.solving import SolvingOptions, SteppedSolution, TakenStep

EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag solve-steps 'I pack 12 boxes with 4 lamps each and sell 30. How many are left?' --library my-library
  mathrag solve-steps 'What is the sum of 3 and 4 times 5?' --role critical --n 4 --vote last --library my-library
  echo 'What is 12 * 4 - 30?' | mathrag solve-steps - --json --max-calls 40 --library my-library
"""
)
_LONGEST_INPUT = 2_000_000


@click.command("solve-steps", epilog=EXAMPLE)
@click.argument("problem")
@library_option
@json_option
@solving_options(attempts=1)
@click.option("--trace", "with_trace", is_flag=True, help="Print every step as it is written, to standard error.")
@model_options()
def command(
    problem: str,
    folder: Path | None,
    as_json: bool,
    solving: SolvingOptions,
    with_trace: bool,
    models: ModelOptions,
) -> int:
    """Let a language model solve PROBLEM step by step and check every calculation; `-` reads it from standard input.

    A step with a false calculation is written again with the right value told. The answer is shown as an answer only
    where a checked calculation gives it; else it is marked as unverified. The exit code is 0 for a checked answer, 1
    for any other end, 2 when the command was called wrongly. A library is not needed, and is used where there is one.
    """
    from mathrag.library.ask.stepped_solving import step_lines, stepped_lines, stepped_object

    text = sys.stdin.buffer.read(_LONGEST_INPUT).decode("utf-8", "replace") if problem == "-" else problem

    def listen(step: TakenStep, number: int) -> None:
        for line in step_lines(step, number):
            click.echo(line, err=True)

    solved = _solved(text, folder, models, solving, listen if with_trace else None)
    if as_json:
        print_json(stepped_object(solved))
    else:
        for place, line in enumerate(stepped_lines(solved)):
            click.echo(click.style(line, bold=True) if place == 0 else line)
    print_model_usage(solved.usage)
    return 0 if solved.standing == "checked" else 1


def _solved(
    problem: str,
    folder: Path | None,
    limits: ModelOptions,
    options: SolvingOptions,
    listener: Callable[[TakenStep, int], None] | None,
) -> SteppedSolution:
    from mathrag.library.ask.stepped_solving import checked_problem, solve_in_steps

    checked_problem(problem)
    with models_and_library(folder, limits) as (models, library):
        if library is None:
            return solve_in_steps(problem, models=models, options=options, listener=listener)
        return library.solve_steps(problem, options=options, models=models, listener=listener)
