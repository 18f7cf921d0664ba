"""`mathrag ask`: one question, answered by computing, or refused with the reason."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mathrag.cli.method_options import MethodOptions, method_options
from mathrag.cli.options import (
    ModelOptions,
    library_option,
    library_to_ask,
    model_options,
    split_pins,
)
from mathrag.cli.output import is_watched, json_option, progress_option
from mathrag.errors import UsageError, readable
from mathrag.settings import load_settings
from mathrag.types.answer import ModelUsage, Outcome, Refusal

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
ASSUME_HELP = (
    "Let a language model that plans take a well-known value that stands nowhere (the wavelength of a sodium lamp). "
    "The answer says which, and is never called as sure as others."
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
@method_options()
@model_options()
@progress_option
@click.option("--trace", "with_trace", is_flag=True, help="Print every action and what came of it, as it happens.")
@click.option("--explain", "with_reasons", is_flag=True, help="Say why this formula was taken and not another.")
@click.option("--set", "pins", multiple=True, metavar="SYMBOL=VALUE", help="Pin a value: m=2kg. May be repeated.")
@click.option("--formula", metavar="ID", help="Use this formula and no other.")
@click.option("--unit", help="The unit of the answer.")
@click.option(
    "--only-documents",
    is_flag=True,
    help="Do not answer from the handbook (relations that everybody knows) where the documents have no answer.",
)
@click.option("--assume", is_flag=True, help=ASSUME_HELP)
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
    method: MethodOptions | None,
    models: ModelOptions,
    progress: bool | None,
    with_trace: bool,
    with_reasons: bool,
    pins: tuple[str, ...],
    formula: str | None,
    unit: str | None,
    only_documents: bool,
    assume: bool,
    record: Path | None,
) -> int:
    """Answer QUESTION from the formulas of the library, or with --method from its documents; `-` reads it from standard
    input. Without any library, built-in knowledge answers.

    The exit code is 0 when it was answered, 1 when it was refused (the reason and what is missing are printed), 2 when
    the command was called wrongly. Actions and explanations go to standard error.
    """
    from mathrag.library.ask.outcomes import checked_question, event_lines, event_object, explanation_lines

    asked, shown = checked_question(_question_from(question)), chosen_format(style, as_json=as_json)
    events: list[Event] = []

    def listen(event: Event) -> None:
        events.append(event)
        if with_trace:
            for line in event_lines(event):
                click.echo(line, err=True)

    pinned = split_pins(pins)
    if method is not None:
        method.check({"--planner": planner, "--set": pins, "--formula": formula, "--unit": unit, "--replay": record})
    watched = is_watched(progress)
    opened = library_to_ask(folder, only_documents=only_documents or method is not None or record is not None)
    with opened as library, asked_models(library, planner, models, watched=watched) as known:
        options: dict[str, Any] = {
            "planner": planner or default_planner(known), "pinned": pinned, "formula": formula, "unit": unit,
        }  # fmt: skip
        leave: dict[str, Any] = {"only_documents": only_documents or None, "assume": assume or None}
        if method is not None:
            outcome = _by_method(library, asked, method, listener=listen, models=known)
        else:
            outcome = library.ask(asked, **options, **leave, listener=listen, models=known)
        if record is not None:
            from mathrag.library.ask.outcomes import write_record

            write_record(record, library=library, outcome=outcome, events=events, options=options)
    if with_reasons:
        for line in explanation_lines(events):
            click.echo(line, err=True)
    print_usage(outcome)
    extra = {"trace": [event_object(event) for event in events]} if with_trace else {}
    print_outcome(outcome, shown, library=str(folder or ""), extra=extra)
    return 1 if isinstance(outcome, Refusal) else 0


def _by_method(
    library: Library,
    question: str,
    method: MethodOptions,
    *,
    listener: Callable[[Event], None],
    models: Models | None,
) -> Outcome:
    return library.ask_by_method(
        question,
        method=method.name,
        action_format=method.action_format,
        observation_format=method.observation_format,
        listener=listener,
        models=models,
    )


@contextlib.contextmanager
def asked_models(
    library: Library, planner: str | None, options: ModelOptions, *, watched: bool = False
) -> Iterator[Models | None]:
    """The language models that may be asked, within the limits; None where none is set up or wanted. Where somebody
    watches, each call is told before it is made."""
    settings = load_settings()
    if planner == "rules" or not (settings.llm_model or settings.llm_model_reason):
        yield None
        return
    from mathrag.library.ask.models import open_models

    models = open_models(library.folder, settings=settings, budget=options.budget())
    if models is not None and watched:
        watch_model(models)
    try:
        yield models
    finally:
        if models is not None:
            models.close()


_DOING = {
    "extract": "reads a passage",
    "reason": "works out the next step",
    "judge": "compares what was found",
    "vision": "reads a picture",
}


def watch_model(models: Models) -> None:
    """Say on standard error, before each call, which model is asked and for what."""
    calls = 0

    def told(model: str, role: str) -> None:
        nonlocal calls
        calls += 1
        click.echo(f"asking the language model {readable(model)}, call {calls}: it {_DOING.get(role, role)}…", err=True)

    models.watch(told)


def default_planner(models: Models | None) -> str:
    """Who plans where nobody is named."""
    return "rules" if models is None else "auto"


def print_usage(outcome: Outcome) -> None:
    """Say on standard error what a language model was asked for, and what that cost where the price is known."""
    print_model_usage(outcome.usage)


def print_model_usage(used: ModelUsage | None) -> None:
    """The same of whatever was asked of a model; nothing where none was."""
    if used is None:
        return
    reason = f"; {used.reason}" if used.reason else ""
    cost = "" if used.cost is None else f", {used.cost:.4f} US dollars"
    calls = "1 call" if used.calls == 1 else f"{used.calls} calls"
    click.echo(
        f"language model {readable(used.model)}: {calls} ({used.cached_calls} more from kept replies), "
        f"{used.prompt_tokens} tokens sent, {used.completion_tokens} written{cost}{reason}",
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


def _question_from(argument: str) -> str:
    """The question, from a pipe where `-` stands for it; no more than could ever be one is taken in."""
    return argument if argument != "-" else sys.stdin.buffer.read(_LONGEST_INPUT).decode("utf-8", "replace")
