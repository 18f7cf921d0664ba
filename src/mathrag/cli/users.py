"""`mathrag users`: add, list and remove the users of a server, and give them tokens."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from mathrag.cli.output import json_option, print_json
from mathrag.serve.security.users import ROLE_WORDS, UsersFile, role_of

DEFAULT_FILE = "users.toml"


def _file_option(command: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--users",
        "path",
        type=click.Path(path_type=Path, dir_okay=False),
        default=DEFAULT_FILE,
        show_default=True,
        metavar="FILE",
        help="The file of the users, private to you; the same as for `mathrag serve --users`.",
    )(command)


def _example(*lines: str) -> str:
    return "\b\nExamples:\n" + "".join(f"  {line}\n" for line in lines)


@click.command("add", epilog=_example("mathrag users add ada --role reader", "mathrag users add bo --role owner"))
@click.argument("name")
@click.option(
    "--role",
    type=click.Choice(ROLE_WORDS),
    required=True,
    help="A reader asks and searches, an editor also uploads and corrects, an owner also removes and manages.",
)
@_file_option
@json_option
def add(name: str, role: str, path: Path, as_json: bool) -> None:
    """Add the user NAME and show the token. It is shown this once: the file keeps only a salted hash of it."""
    chosen = role_of(role)
    assert chosen is not None
    _tell(name, role, UsersFile(path).add(name, chosen), as_json=as_json)


@click.command("list", epilog=_example("mathrag users list", "mathrag users list --users team.toml"))
@_file_option
@json_option
def show(path: Path, as_json: bool) -> None:
    """List the users with their roles and since when they are there."""
    users = sorted(UsersFile(path).users().values(), key=lambda user: user.name)
    if as_json:
        print_json({"users": [{"name": user.name, "role": user.role.word, "created": user.created} for user in users]})
        return
    width = max((len(user.name) for user in users), default=0)
    for user in users:
        click.echo(f"{user.name:<{width}}  {user.role.word:<6}  {user.created}".rstrip())
    if not users:
        click.echo("no users")


@click.command("remove", epilog=_example("mathrag users remove ada"))
@click.argument("name")
@_file_option
@json_option
def remove(name: str, path: Path, as_json: bool) -> None:
    """Take the user NAME out. A running server lets them in no longer, and ends their sessions."""
    UsersFile(path).remove(name)
    if as_json:
        print_json({"removed": name})
    else:
        click.echo(f"removed {name}")


@click.command("token", epilog=_example("mathrag users token ada"))
@click.argument("name")
@_file_option
@json_option
def token(name: str, path: Path, as_json: bool) -> None:
    """Give the user NAME another token. The one before, and sessions begun with it, end at once."""
    users = UsersFile(path)
    made = users.renew(name)
    _tell(name, users.users()[name].role.word, made, as_json=as_json)


def _tell(name: str, role: str, token: str, *, as_json: bool) -> None:
    if as_json:
        print_json({"name": name, "role": role, "token": token})
        return
    click.echo(token)
    click.echo(f"This is the token of {name} ({role}). It is not shown again.", err=True)
