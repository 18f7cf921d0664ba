"""What commands share of their options: the library they are about, what they may spend on a language model, and
values written as `m=2 kg`. Imports nothing heavy before it is needed: every command reads this."""

from __future__ import annotations

import contextlib
import functools
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mathrag.errors import LibraryError, UsageError, did_you_mean

if TYPE_CHECKING:
    from mathrag.library import Library
    from mathrag.library.ask.models import Budget, Models

library_option = click.option(
    "--library",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Folder of the library. Default: the setting MATHRAG_LIBRARY, else a folder in your data folder.",
)


def library_folder(folder: Path | None) -> Path:
    """The folder a command works on."""
    from mathrag.settings import load_settings

    return folder if folder is not None else load_settings().library


def open_library(folder: Path | None, *, create: bool = False) -> Library:
    """The library in that folder. One that is not there is made only where `create` says so."""
    from mathrag.library import Library

    chosen = library_folder(folder)
    if not create and not Library.exists(chosen):
        near = "" if chosen.is_dir() else _nearest_library(chosen)
        how = f"ake one with `mathrag ingest FILES --library {chosen}`"
        raise LibraryError(f"there is no library in {chosen}{f'{near} M' if near else '; m'}{how}")
    return Library(chosen, create=create)


@contextlib.contextmanager
def library_to_ask(folder: Path | None, *, only_documents: bool = False) -> Iterator[Library]:
    """The library that is asked. Who names none, and has made none yet, asks built-in knowledge alone: an empty library
    that is gone afterwards. Where the answer is of documents alone, or is kept with them, there must be some."""
    from mathrag.library import Library
    from mathrag.settings import Settings

    chosen = library_folder(folder)
    if only_documents or folder is not None or chosen != Settings().library or Library.exists(chosen):
        with open_library(folder) as library:
            yield library
        return
    click.echo("no documents yet (`mathrag ingest FILES` reads some): built-in knowledge is asked", err=True)
    with tempfile.TemporaryDirectory() as empty, Library(Path(empty), create=True) as library:
        yield library


def _nearest_library(wanted: Path) -> str:
    """A library beside the folder that is not there, called much like it."""
    from mathrag.library import Library

    try:
        beside = [one.name for one in islice(wanted.absolute().parent.iterdir(), 1000) if Library.exists(one)]
    except OSError:
        return ""
    return did_you_mean(wanted.name, beside)


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


def opened_models(folder: Path | None, options: ModelOptions) -> Models:
    """The models that the settings name; the error that says how to set one comes before anything is read."""
    from mathrag.library.ask.models import no_model, open_models
    from mathrag.settings import load_settings

    models = open_models(library_folder(folder), settings=load_settings(), budget=options.budget())
    if models is None:
        raise no_model()
    return models


def split_assignments(arguments: Iterable[str], symbols: Collection[str]) -> dict[str, str]:
    """Symbol names of the formula with the texts given for them."""
    from mathrag.calculator import resolve_symbol

    found: dict[str, str] = {}
    for argument in arguments:
        name, equals, text = argument.partition("=")
        if not equals or not name.strip() or not text.strip():
            raise UsageError(f"{argument!r} gives no value; write it as symbol=value, such as m=2kg")
        symbol = resolve_symbol(name.strip(), symbols)
        if symbol in found:
            raise UsageError(f"{symbol} is given twice")
        found[symbol] = text.strip()
    return found


def split_pins(arguments: Iterable[str]) -> dict[str, str]:
    """Values pinned for a question, before its formula is known: symbols as typed."""
    found: dict[str, str] = {}
    for argument in arguments:
        name, equals, text = argument.partition("=")
        symbol = name.strip()
        if not equals or not symbol or not text.strip():
            raise UsageError(f"{argument!r} pins no value; write it as symbol=value, such as m=2kg")
        if symbol in found:
            raise UsageError(f"{symbol} is pinned twice")
        found[symbol] = text.strip()
    return found


def listed(text: str) -> list[str]:
    """The names of an option that takes several, separated by commas."""
    return [name.strip() for name in text.split(",") if name.strip()]
