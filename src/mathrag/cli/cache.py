"""`mathrag cache`: the replies of language models that are kept in the library."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click

from mathrag.cli.options import library_folder, library_option
from mathrag.cli.output import cut, json_option, print_json
from mathrag.errors import UsageError, readable

EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag cache --library my-library
  mathrag cache clear --older-than 30 --library my-library
"""
)


@click.command("cache", epilog=EXAMPLE)
@click.argument("action", type=click.Choice(["status", "clear"]), default="status")
@click.option("--model", metavar="NAME", help="With clear: only the replies of this model.")
@click.option(
    "--older-than", "days", type=click.FloatRange(min=0), metavar="DAYS", help="With clear: only older replies."
)
@library_option
@json_option
def command(action: str, model: str | None, days: float | None, folder: Path | None, as_json: bool) -> None:
    """Show or clear the replies of language models that the library keeps.

    A reply that is kept is not asked for, nor paid for, again: a run that was stopped goes on where it was. The file
    replies.sqlite in the library's folder holds them, without questions or keys.
    """
    chosen = library_folder(folder)
    if action == "clear":
        _clear(chosen, model=model, days=days, as_json=as_json)
    elif model is not None or days is not None:
        raise UsageError("--model and --older-than choose what to clear: mathrag cache clear --model NAME")
    else:
        _show(chosen, as_json=as_json)


def _clear(folder: Path, *, model: str | None, days: float | None, as_json: bool) -> None:
    from mathrag.library.ask.models import clear_replies

    cleared = clear_replies(folder, model=model, older_than_days=days)
    if as_json:
        print_json({"library": str(folder), "cleared": cleared})
    else:
        click.echo(f"cleared {_replies(cleared)}")


def _show(folder: Path, *, as_json: bool) -> None:
    from mathrag.library.ask.models import replies_status

    status = replies_status(folder)
    if as_json:
        print_json(
            {
                "library": str(folder),
                "file": str(status.path),
                "entries": status.entries,
                "bytes": status.size,
                "oldest": _time(status.oldest),
                "newest": _time(status.newest),
                "kept": [
                    {"model": one.model, "role": one.role, "entries": one.entries, "bytes": one.size}
                    for one in status.kept
                ],
            }
        )
        return
    if not status.entries:
        click.echo(f"no replies are kept in {folder}")
        return
    click.echo(f"{_replies(status.entries)} in {status.path}, {_size(status.size)} on disk")
    click.echo(f"  from {_time(status.oldest)} to {_time(status.newest)}")
    for one in status.kept:
        click.echo(f"  {cut(readable(one.model), 40):<40} {one.role:<8} {one.entries:>8} {_size(one.size):>10}")


def _replies(count: int) -> str:
    return "1 reply" if count == 1 else f"{count} replies"


def _time(seconds: int | None) -> str | None:
    if seconds is None:
        return None
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def _size(count: int) -> str:
    for unit, size in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return f"{count} B"
