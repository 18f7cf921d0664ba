"""What the commands that let a model solve problems in steps share: their options, and opening models and library."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from mathrag.cli.options import ModelOptions, library_folder
from mathrag.types.solving import (
    MATERIAL_USES,
    MOST_ATTEMPTS,
    MOST_STEPS,
    TEACHERS,
    VOTE_RULES,
    MaterialUse,
    SolvingOptions,
    Teacher,
    VoteRule,
)

if TYPE_CHECKING:
    from mathrag.library import Library
    from mathrag.library.ask.models import Models


_OPTIONS = (
    click.option(
        "--role",
        type=click.Choice(TEACHERS),
        default="responsible",
        show_default=True,
        help="The teacher beside the one that solves: responsible guides and scores, socratic asks, critical "
        "diagnoses and scores.",
    ),
    click.option(
        "--depth",
        type=click.IntRange(1, MOST_STEPS),
        default=8,
        show_default=True,
        help="The most steps of an attempt.",
    ),
    click.option(
        "--padding",
        type=click.IntRange(1, MOST_STEPS),
        default=4,
        show_default=True,
        help="How many steps are written before the teacher speaks again.",
    ),
    click.option(
        "--vote",
        type=click.Choice(VOTE_RULES),
        default="majority",
        show_default=True,
        help="How several attempts become one answer: the most frequent one, the one with the largest sum of last "
        "(or least) scores, or the one of the single best attempt.",
    ),
    click.option(
        "--material",
        type=click.Choice(MATERIAL_USES),
        default="refined",
        show_default=True,
        help="Similar solutions of the library: refined by the teacher, shown raw, or left out.",
    ),
)


def solving_options(*, attempts: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add the options of solving to a command, which gets them as `solving: SolvingOptions`.

    `attempts` is how many are made where nobody says otherwise.
    """
    count = click.option(
        "--n",
        "attempts",
        type=click.IntRange(1, MOST_ATTEMPTS),
        default=attempts,
        show_default=True,
        help="How many attempts, with seeds of their own.",
    )

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(command)
        def gathered(
            *arguments: Any,
            role: str,
            attempts: int,
            depth: int,
            padding: int,
            vote: str,
            material: str,
            **others: Any,
        ) -> Any:
            chosen = SolvingOptions(
                teacher=cast("Teacher", role),
                attempts=attempts,
                depth=depth,
                padding=padding,
                vote=cast("VoteRule", vote),
                material=cast("MaterialUse", material),
            )
            return command(*arguments, solving=chosen, **others)

        for option in (*reversed(_OPTIONS), count):
            gathered = option(gathered)
        return gathered

    return decorate


@contextlib.contextmanager
def models_and_library(folder: Path | None, limits: ModelOptions) -> Iterator[tuple[Models, Library | None]]:
    """The language models within the limits, and the library where there is one; `UsageError` without a model."""
    from mathrag.library import Library
    from mathrag.library.ask import models as opening
    from mathrag.settings import load_settings

    place = library_folder(folder)
    models = opening.open_models(place, settings=load_settings(), budget=limits.budget())
    if models is None:
        raise opening.no_model()
    with models, contextlib.ExitStack() as opened:
        known = opened.enter_context(Library(place, create=False)) if Library.exists(place) else None
        yield models, known
