"""What commands that may ask a language model share: the limits of what they spend."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from mathrag.library.ask.models import Budget


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """What the user allows. `estimate`: only say what it would cost."""

    maximal_cost: float | None = None
    maximal_calls: int | None = None
    estimate: bool = False

    def budget(self) -> Budget | None:
        """The limits for `open_models`; None where none are set."""
        if self.maximal_cost is None and self.maximal_calls is None:
            return None
        from mathrag.library.ask.models import Budget

        return Budget(self.maximal_cost, self.maximal_calls)


def model_options(*, estimate: bool = False) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add --max-cost and --max-calls (and --estimate) to a command, which gets them as `models: ModelOptions`."""
    options = [
        click.option(
            "--max-cost",
            "maximal_cost",
            type=click.FloatRange(min=0),
            metavar="DOLLARS",
            help="Stop before a language model could cost more, in US dollars. Needs the prices to be set.",
        ),
        click.option(
            "--max-calls",
            "maximal_calls",
            type=click.IntRange(min=0),
            metavar="N",
            help="Stop before a language model is asked more often. Kept replies do not count.",
        ),
    ]
    if estimate:
        options.append(
            click.option("--estimate", is_flag=True, help="Only say what asking the language model would take.")
        )

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(command)
        def gathered(
            *arguments: Any,
            maximal_cost: float | None,
            maximal_calls: int | None,
            estimate: bool = False,
            **others: Any,
        ) -> Any:
            return command(*arguments, models=ModelOptions(maximal_cost, maximal_calls, estimate), **others)

        for option in reversed(options):
            gathered = option(gathered)
        return gathered

    return decorate
