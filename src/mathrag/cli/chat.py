"""`mathrag chat`: questions one after the other; a short one may lean on the answer before it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mathrag.cli.ask import ASSUME_HELP, PLANNER_HELP, PLANNERS, asked_models, default_planner, print_outcome
from mathrag.cli.options import ModelOptions, library_option, library_to_ask, model_options
from mathrag.cli.output import is_watched, json_option, print_json
from mathrag.errors import MathragError, readable

if TYPE_CHECKING:
    from mathrag.library.ask.conversation import Conversation

EXAMPLE = (
    "\b\n"
    r"""Examples:
  printf 'kinetic energy of 2 kg at 3 m/s?\nand for 5 kg?\n' | mathrag chat --library my-library
"""
)
_GREETING = "Ask for a quantity. Then: “and for 5 kg?”, “what if the radius doubles?”, “in kPa?”, “why”, “quit”."
_LEAVING = frozenset(("quit", "exit", "bye", "q", ":q"))
_REASONS = frozenset(("why", "why?", "details", "show", "how", "how?"))
_LONGEST_LINE = 1_000_000


@click.command("chat", epilog=EXAMPLE)
@library_option
@json_option
@click.option("--planner", type=click.Choice(PLANNERS), help=PLANNER_HELP)
@click.option("--only-documents", is_flag=True, help="Do not answer from the handbook.")
@click.option("--assume", is_flag=True, help=ASSUME_HELP)
@model_options()
def command(
    folder: Path | None,
    as_json: bool,
    planner: str | None,
    only_documents: bool,
    assume: bool,
    models: ModelOptions,
) -> None:
    """Answer questions line by line from standard input until it ends, or until `quit`.

    A follow-up takes the values of the last answer: "and for 5 kg?", "what if the radius doubles?", "same with
    T = 400 K", "and in kPa?". After a refusal, the missing value is enough. `why` shows the whole working.
    """
    is_terminal = sys.stdin.isatty()
    watched = is_watched(None) and not as_json
    opened = library_to_ask(folder, only_documents=only_documents)
    with opened as library, asked_models(library, planner, models, watched=watched) as known:
        conversation = library.conversation(
            planner=planner or default_planner(known),
            models=known,
            only_documents=only_documents or None,
            assume=assume or None,
        )
        if is_terminal and not as_json:
            click.echo(_GREETING)
        for line in _lines(is_terminal=is_terminal):
            if line.lower() in _LEAVING:
                break
            if line.lower() in _REASONS and conversation.last is not None:
                print_outcome(conversation.last, "json" if as_json else "text")
                continue
            _answer(conversation, line, as_json=as_json)


def _lines(*, is_terminal: bool) -> Iterator[str]:
    """Lines with something on them. One endless line ends where no question could go on."""
    while True:
        if is_terminal:
            click.echo("> ", nl=False)
        line = sys.stdin.readline(_LONGEST_LINE)
        if not line:
            if is_terminal:
                click.echo()
            return
        if line.strip():
            yield line.strip()


def _answer(conversation: Conversation, line: str, *, as_json: bool) -> None:
    """A line that cannot be answered ends the line, not the conversation."""
    try:
        outcome = conversation.ask(line)
    except MathragError as error:
        sentence = readable(str(error))
        if as_json:
            print_json({"outcome": "error", "text": sentence})
        else:
            click.echo(sentence)
        return
    print_outcome(outcome, "json" if as_json else "text", is_chat=True)
    if not as_json:
        click.echo("")
