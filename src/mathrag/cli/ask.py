"""`mathrag ask`: one question, answered by computing, or refused with the reason."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mathrag.cli.options import ModelOptions, library_option, model_options, open_library, split_pins
from mathrag.cli.output import json_option
from mathrag.errors import UsageError, readable
from mathrag.settings import load_settings
from mathrag.types.answer import Outcome, Refusal

if TYPE_CHECKING:
    from mathrag.library import Library
    from mathrag.library.ask.models import Models
    from mathrag.library.ask.outcomes import AnswerFormat
    from mathrag.types.episode import Event

EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag ask 'What is the kinetic energy of 2 kg at 3 m/s?' --library my-library
  mathrag ask 'How fast is 2 kg with a kinetic energy of 9 J?' --unit km/h --library my-library
  echo 'kinetic energy, m = 2 kg' | mathrag ask - --set 'v=3 m/s' --json --library my-library
"""
)
FORMATS = ("text", "markdown", "latex", "html", "json")
PLANNERS = ("rules", "react", "auto", "small")
PLANNER_HELP = (
    "Who picks the steps: rules, a language model (react), or rules and the model where they are unsure: free to plan "
    "(auto), or reading the question and choosing among plans in two short calls, for small models (small). Default: "
    "auto where a model is set up, else rules."
)
_LONGEST_INPUT = 2_000_000


@click.command("ask", epilog=EXAMPLE)
@click.argument("question")
@library_option
@json_option
@click.option(
    "--format",
    "style",
    type=click.Choice(FORMATS),
    help="How to show the answer; latex and html are fragments to paste.",
)
@click.option("--planner", type=click.Choice(PLANNERS), help=PLANNER_HELP)
@model_options()
@click.option("--trace", "with_trace", is_flag=True, help="Print every action and what came of it, as it happens.")
@click.option("--explain", "with_reasons", is_flag=True, help="Say why this formula was taken and not another.")
@click.option("--set", "pins", multiple=True, metavar="SYMBOL=VALUE", help="Pin a value: m=2kg. May be repeated.")
@click.option("--formula", metavar="ID", help="Use this formula and no other.")
@click.option("--unit", help="The unit of the answer.")
@click.option(
    "--replay",
    "record",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Also write down every step, for `mathrag replay`.",
)
def command(
    question: str,
    folder: Path | None,
    as_json: bool,
    style: AnswerFormat | None,
    planner: str | None,
    models: ModelOptions,
    with_trace: bool,
    with_reasons: bool,
    pins: tuple[str, ...],
    formula: str | None,
    unit: str | None,
    record: Path | None,
) -> int:
    """Answer QUESTION from the formulas of the library; `-` reads it from standard input.

    The exit code is 0 when it was answered, 1 when it was refused (the reason and what is missing are printed), 2 when
    the command was called wrongly. Actions and explanations go to standard error.
    """
    from mathrag.library.ask.outcomes import (
        checked_question,
        event_lines,
        event_object,
        explanation_lines,
        write_record,
    )

    asked = checked_question(_read_standard_input() if question == "-" else question)
    shown = chosen_format(style, as_json=as_json)
    events: list[Event] = []

    def listen(event: Event) -> None:
        events.append(event)
        if with_trace:
            for line in event_lines(event):
                click.echo(line, err=True)

    pinned = split_pins(pins)
    with open_library(folder) as library, asked_models(library, planner, models) as known:
        planner = planner or default_planner(known)
        outcome = library.ask(
            asked, planner=planner, pinned=pinned, formula=formula, unit=unit, listener=listen, models=known
        )
        if record is not None:
            options = {"planner": planner, "pinned": pinned, "formula": formula, "unit": unit}
            write_record(record, library=library, outcome=outcome, events=events, options=options)
    if with_reasons:
        for line in explanation_lines(events):
            click.echo(line, err=True)
    print_usage(outcome)
    extra = {"trace": [event_object(event) for event in events]} if with_trace else {}
    print_outcome(outcome, shown, library=str(folder or ""), extra=extra)
    return 1 if isinstance(outcome, Refusal) else 0


@contextlib.contextmanager
def asked_models(library: Library, planner: str | None, options: ModelOptions) -> Iterator[Models | None]:
    """The language models that may be asked, within the limits; None where none is set up or wanted."""
    settings = load_settings()
    if planner == "rules" or not (settings.llm_model or settings.llm_model_reason):
        yield None
        return
    from mathrag.library.ask.models import open_models

    models = open_models(library.folder, settings=settings, budget=options.budget())
    try:
        yield models
    finally:
        if models is not None:
            models.close()


def default_planner(models: Models | None) -> str:
    """Who plans where nobody is named."""
    return "rules" if models is None else "auto"


def print_usage(outcome: Outcome) -> None:
    """Say on standard error what a language model was asked for, and what that cost where the price is known."""
    used = outcome.usage
    if used is None:
        return
    cost = "" if used.cost is None else f", {used.cost:.4f} US dollars"
    calls = "1 call" if used.calls == 1 else f"{used.calls} calls"
    click.echo(
        f"language model {readable(used.model)}: {calls} ({used.cached_calls} more from kept replies), "
        f"{used.prompt_tokens} tokens sent, {used.completion_tokens} written{cost}; {used.reason}",
        err=True,
    )


def chosen_format(style: AnswerFormat | None, *, as_json: bool) -> AnswerFormat:
    """The format that two options together ask for."""
    if as_json and style not in (None, "json"):
        raise UsageError(f"--json and --format {style} contradict each other; give one of them")
    return "json" if as_json else style or "text"


def print_outcome(
    outcome: Outcome,
    style: AnswerFormat,
    *,
    library: str = "",
    is_chat: bool = False,
    extra: Mapping[str, object] | None = None,
) -> None:
    """Print an outcome; on a terminal the headline is bold. `extra` fields go into the JSON object."""
    from mathrag.library.ask.outcomes import object_text, outcome_lines, outcome_object, render

    if style == "json":
        click.echo(object_text({**outcome_object(outcome), **(extra or {})}))
        return
    if style != "text":
        click.echo(render(outcome, style, library=library))
        return
    for kind, line in outcome_lines(outcome, library=library, is_chat=is_chat):
        # The lines are clean: the only control characters are those set here, and only a terminal gets them.
        click.echo(click.style(line, bold=kind == "headline", dim=kind == "title") if kind != "body" and line else line)


def _read_standard_input() -> str:
    """The question from a pipe; no more than could ever be one is taken in."""
    return sys.stdin.buffer.read(_LONGEST_INPUT).decode("utf-8", "replace")
