"""`mathrag watch`: keep a library in step with folders of documents."""

from __future__ import annotations

import signal
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mathrag.cli.options import library_folder, library_option
from mathrag.cli.paths import ExistingPath
from mathrag.errors import DocumentError, LibraryError

if TYPE_CHECKING:
    from mathrag.library import Library
    from mathrag.library.watching import WatchedFolder

EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag watch papers --library my-library
  mathrag watch papers handbook --remove --library my-library
  mathrag watch papers --once --library my-library
"""
)


@click.command("watch", epilog=EXAMPLE)
@click.argument(
    "folders",
    nargs=-1,
    required=True,
    metavar="FOLDER...",
    type=ExistingPath(file_okay=False),
)
@click.option("--remove", is_flag=True, help="Also take documents out whose files are gone.")
@click.option(
    "--settle", type=click.FloatRange(0, 3600), default=2.0, show_default=True, metavar="SECONDS",
    help="Read a file when it has not changed for so long.",
)  # fmt: skip
@click.option(
    "--every",
    type=click.FloatRange(0.1, 3600),
    default=1.0,
    show_default=True,
    metavar="SECONDS",
    help="How often to look.",
)
@click.option("--once", is_flag=True, help="Take up what there is, then leave.")
@click.option("--workers", type=click.IntRange(1, 64), help="How many processes read. Default: one a core.")
@library_option
def command(
    folders: tuple[Path, ...], remove: bool, settle: float, every: float, once: bool, workers: int | None,
    folder: Path | None,
) -> None:  # fmt: skip
    """Take up new and changed files of each FOLDER as they come, until Ctrl-C.

    A file that is still being written is left alone until it has settled. One that cannot be read is named, and tried
    again when it changes. Files that are gone are named; only with --remove their documents are taken out.
    """
    from mathrag.library import Library
    from mathrag.library.watching import WatchedFolder

    stopped = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.set())
    watched = [WatchedFolder(each, settle) for each in folders]
    with Library(library_folder(folder), create=True) as library:
        run = _Run(library, remove=remove, workers=workers, stopped=stopped)
        if not once:
            click.echo(f"watching {', '.join(str(each.folder) for each in watched)} (stop with Ctrl-C)")
        while not stopped.is_set():
            is_busy = [run.look(each) for each in watched]
            if once and not any(is_busy):
                return
            stopped.wait(min(every, settle or every) if once else every)


class _Run:
    """What is told of the folders, each thing once."""

    def __init__(self, library: Library, *, remove: bool, workers: int | None, stopped: threading.Event) -> None:
        self.library = library
        self.remove = remove
        self.workers = workers
        self.stopped = stopped
        self.told: set[str] = set()

    def look(self, watched: WatchedFolder) -> bool:
        """Take up what has changed; whether there is more to wait for."""
        changes = watched.look()
        if changes.problem:
            self._once(changes.problem)
            return False
        if changes.ready:
            paths = watched.documents_among(changes.ready)
            watched.taken(changes.ready)
            if paths:
                self._read(paths)
        for info in watched.gone(self.library.documents()):
            if self.remove:
                self.library.remove(info.id)
                click.echo(f"removed    {info.name}")
            else:
                self._once(f"gone       {info.name} (its document stays; --remove takes it out)")
        return bool(changes.waiting) or watched.has_missing

    def _read(self, paths: list[str]) -> None:
        from mathrag.library.workers.ingest_worker import ingest_apart

        try:
            report = ingest_apart(self.library.folder, paths, workers=self.workers, cancelled=self.stopped.is_set)
        except DocumentError as error:
            if error.code != "cancelled":
                raise LibraryError(str(error)) from error
            return
        for file in report["files"]:
            self._tell(file)

    def _tell(self, file: Mapping[str, Any]) -> None:
        state, name = str(file["state"]), str(file["name"])
        if state == "failed":
            click.echo(f"failed     {name}: {file['reason']}")
        elif state != "unchanged":
            counts = file.get("counts") or {}
            click.echo(f"{state:<10} {name}: {counts.get('formulas', 0)} formulas")

    def _once(self, line: str) -> None:
        if line not in self.told:
            self.told.add(line)
            click.echo(line)
