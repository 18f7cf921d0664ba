"""`mathrag serve`: the library as web pages and a JSON API."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mathrag.cli.ask import PLANNER_HELP, PLANNERS
from mathrag.cli.options import ModelOptions, library_folder, model_options
from mathrag.cli.paths import ExistingPath
from mathrag.errors import UsageError

if TYPE_CHECKING:
    from mathrag.library.ask.models import Budget
    from mathrag.settings import Settings

EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag serve --library my-library
  mathrag serve --port 0 --library my-library
  mathrag serve --library physics=notes/physics --library chem=notes/chemistry
  mathrag serve --host 0.0.0.0 --token "$TOKEN" --allow-host math.example.org --library my-library
  mathrag serve --host 0.0.0.0 --users users.toml --allow-host math.example.org --library my-library
"""
)


@click.command("serve", epilog=EXAMPLE)
@click.option(
    "--library",
    "libraries",
    multiple=True,
    metavar="[NAME=]DIR",
    help="Folder of the library. May be repeated with names; the first one is meant where a request names none. "
    "Default: the setting MATHRAG_LIBRARY, else a folder in your data folder.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to serve on. A public one needs a token.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="Port; 0 takes a free one."
)
@click.option("--token", help="What clients must know. Default: the setting MATHRAG_SERVE_TOKEN.")
@click.option(
    "--users",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="FILE",
    help="Let in the users of this file, each in their role; see `mathrag users`.",
)
@click.option("--allow-host", "hosts", multiple=True, metavar="NAME", help="Another name this server is reached under.")
@click.option(
    "--allow-path",
    "folders",
    multiple=True,
    type=ExistingPath(file_okay=False),
    metavar="DIR",
    help="Let clients have files of this folder read. May be repeated.",
)
@click.option(
    "--watch",
    "watched",
    multiple=True,
    metavar="[NAME=]DIR",
    help="Read new and changed files of this folder as they come, into the library of that name. May be repeated.",
)
@click.option("--watch-remove", is_flag=True, help="Also take documents out whose files in watched folders are gone.")
@click.option("--workers", type=click.IntRange(1, 64), help="How many processes answer questions. Default: one a core.")
@click.option("--planner", type=click.Choice(PLANNERS), help=PLANNER_HELP)
@model_options()
@click.option("--log-questions", is_flag=True, help="Write questions to the log, too.")
def command(
    libraries: tuple[str, ...],
    host: str,
    port: int,
    token: str | None,
    users: Path | None,
    hosts: tuple[str, ...],
    folders: tuple[Path, ...],
    watched: tuple[str, ...],
    watch_remove: bool,
    workers: int | None,
    planner: str | None,
    models: ModelOptions,
    log_questions: bool,
) -> None:
    """Serve one library or several: web pages for people, a JSON API under /api/v1 for programs.

    The address is printed when requests are taken. A library that is not there is made: documents can be uploaded.
    Ctrl-C stops; what is being answered may finish, and documents being read are taken up again next time.
    """
    try:
        from mathrag.serve.options import Limits, ServeOptions
        from mathrag.serve.server import serve
    except ImportError as error:
        raise UsageError(f"{error.name} is missing; install it with: pip install 'mathrag[serve]'") from error
    from mathrag.settings import load_settings

    settings = load_settings()
    # A language model takes its time, and up to twenty rounds of it.
    seconds = 20.0 if not settings.llm_url or planner == "rules" else max(600.0, 5 * settings.llm_timeout_seconds)
    (name, folder), *others = _named(libraries)
    serve(
        ServeOptions(
            library=folder,
            name=name,
            others=tuple(others),
            host=host,
            port=port,
            token=token if token is not None else settings.serve_token,
            users=users,
            hosts=hosts,
            workers=workers,
            ingest_folders=tuple(path.resolve() for path in folders),
            watch=_watched(watched, name),
            watch_remove=watch_remove,
            log_questions=log_questions,
            limits=Limits(ask_seconds=seconds),
            planner=planner,
            budget=None if planner == "rules" else _budget(models, settings=settings, folder=folder),
        )
    )


def _named(libraries: tuple[str, ...]) -> list[tuple[str, Path]]:
    """The libraries by name. One alone needs none; a folder whose path holds `=` is one where no name stands before."""
    from mathrag.serve.options import DEFAULT_NAME, is_library_name

    if not libraries:
        return [(DEFAULT_NAME, library_folder(None))]
    found = []
    for text in libraries:
        name, sign, path = text.partition("=")
        if sign and is_library_name(name) and path:
            found.append((name, Path(path)))
        elif len(libraries) > 1:
            raise UsageError(f"several libraries need names: give --library NAME={text[:200]}")
        else:
            found.append((DEFAULT_NAME, Path(text)))
    for _, folder in found:
        if folder.is_file():
            raise UsageError(f"{folder} is a file; a library is a folder")
    return found


def _watched(folders: tuple[str, ...], usual: str) -> tuple[tuple[str, Path], ...]:
    from mathrag.serve.options import is_library_name

    found = []
    for text in folders:
        name, sign, path = text.partition("=")
        named = (name, Path(path)) if sign and is_library_name(name) and path else (usual, Path(text))
        if not named[1].is_dir():
            raise UsageError(f"there is no folder {named[1]} to watch")
        found.append(named)
    return tuple(found)


def _budget(models: ModelOptions, *, settings: Settings, folder: Path) -> Budget | None:
    """What may be spent in the whole run. Where a model is set it is counted, with a limit or without."""
    if not settings.llm_model and not settings.llm_model_reason:
        return None
    from mathrag.library.ask.models import Budget, open_models

    budget = models.budget() or Budget()
    # What is wrong with settings and limits is said now, not by the processes that answer.
    opened = open_models(folder, settings=settings, budget=budget)
    if opened is None:
        return None
    opened.close()
    return budget
