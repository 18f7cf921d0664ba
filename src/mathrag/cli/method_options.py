"""The options of commands that ask about documents by a method: which one, and how a model writes and is shown rows."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import click

from mathrag.errors import UsageError
from mathrag.types.document_actions import ACTION_FORMATS, OBSERVATION_FORMATS, ActionFormat, ObservationFormat

# The rows of `mathrag.reason.agent.documents.methods`; named here so that --help loads nothing of it.
METHODS = (
    "question-only", "title-abstract", "full-text", "classic", "iterative-classic", "two-stage-neural",
    "iterative-neural", "two-stage-symbolic", "iterative-symbolic", "graph", "two-stage-hybrid", "neusym",
)  # fmt: skip
_HELP = (
    "Ask about the documents themselves, with a language model: what it sees first and what it may do. neusym "
    "searches, queries, calculates and looks at pages as it sees fit; the others do less, to compare."
)


@dataclass(frozen=True, slots=True)
class MethodOptions:
    """The method and the formats that were chosen."""

    name: str
    action_format: ActionFormat = "markdown"
    observation_format: ObservationFormat = "json"

    def check(self, others: Mapping[str, object]) -> None:
        """`UsageError` where an option is given too that is for formulas."""
        named = [name for name, value in others.items() if value]
        if named:
            raise UsageError(f"{named[0]} is for questions that formulas answer; leave it out, or leave out --method")


def format_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the formats of methods to a command that compares them, as `action_format` and `observation_format`."""
    command = click.option(
        "--observation-format",
        type=click.Choice(OBSERVATION_FORMATS),
        default="json",
        show_default=True,
        help="How a method shows the model rows.",
    )(command)
    return click.option(
        "--action-format",
        type=click.Choice(ACTION_FORMATS),
        default="markdown",
        show_default=True,
        help="How the model writes actions of a method.",
    )(command)


def method_options() -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add --method and its formats to a command, which gets them as `method: MethodOptions | None`."""
    options = (
        click.option("--method", "name", type=click.Choice(METHODS), help=_HELP),
        click.option(
            "--action-format",
            type=click.Choice(ACTION_FORMATS),
            help="With --method: how the model writes actions. Default: markdown.",
        ),
        click.option(
            "--observation-format",
            type=click.Choice(OBSERVATION_FORMATS),
            help="With --method: how the model is shown rows. Default: json.",
        ),
    )

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(command)
        def gathered(
            *arguments: Any,
            name: str | None,
            action_format: ActionFormat | None,
            observation_format: ObservationFormat | None,
            **others: Any,
        ) -> Any:
            if name is None:
                if action_format or observation_format:
                    raise UsageError(
                        "--action-format and --observation-format go with --method; give one, such as neusym"
                    )
                return command(*arguments, method=None, **others)
            chosen = MethodOptions(name, action_format or "markdown", observation_format or "json")
            return command(*arguments, method=chosen, **others)

        for option in reversed(options):
            gathered = option(gathered)
        return gathered

    return decorate
