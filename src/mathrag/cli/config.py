"""`mathrag config`: the settings, where each comes from, and the file that keeps them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from mathrag.cli.output import cut, json_option, print_json, screen_width
from mathrag.errors import UsageError
from mathrag.settings import (
    MEANINGS,
    SECRETS,
    VARIABLES,
    Said,
    config_file,
    is_private,
    set_in_config,
    setting_named,
    settings_said,
)

SHOW_EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag config show
  mathrag config show --json
"""
)
GET_EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag config get llm_orders
"""
)
SET_EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag config set llm_url http://localhost:11434/v1
  mathrag config set library my-library
  echo 'a-key-of-mine' | mathrag config set llm_key -
"""
)
UNSET_EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag config unset llm_url
"""
)
PATH_EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag config path
"""
)
_LONGEST_INPUT = 10_000


def _object(said: Said) -> dict[str, Any]:
    value = said.shown if said.name in SECRETS or not isinstance(said.value, bool | int | float) else said.value
    return {
        "name": said.name,
        "value": None if said.value is None else value,
        "source": said.source,
        "variable": VARIABLES[said.name],
        "meaning": MEANINGS[said.name],
    }


@click.command("show", epilog=SHOW_EXAMPLE)
@json_option
def show(as_json: bool) -> None:
    """Show every setting with its value and where that comes from: the environment, the settings file, or the default.

    Options of commands go before all of them. Keys, tokens and passwords are not shown.
    """
    for said in settings_said():
        if as_json:
            print_json(_object(said))
        else:
            width = screen_width() - 38
            click.echo(f"{said.name:<23} {cut(said.shown or '-', width):<{min(width, 40)}} {said.source}".rstrip())


@click.command("get", epilog=GET_EXAMPLE)
@click.argument("name")
@json_option
def get(name: str, as_json: bool) -> int:
    """Print the value of the setting NAME, as it holds now. The exit code is 1 where it has none."""
    wanted = setting_named(name)
    said = next(one for one in settings_said() if one.name == wanted)
    if as_json:
        print_json(_object(said))
    elif said.shown:
        click.echo(said.shown)
    return 0 if said.shown else 1


@click.command("set", epilog=SET_EXAMPLE)
@click.argument("name")
@click.argument("value", required=False)
def set_(name: str, value: str | None) -> None:
    """Write VALUE for the setting NAME into the settings file, which only you can read. `-` reads it from standard
    input; keys and passwords that are left out are asked for without being shown.

    The value is checked before it is written.
    """
    wanted = setting_named(name)
    if value is None and wanted not in SECRETS:
        raise UsageError(f"say which value {wanted} shall have: {MEANINGS[wanted]}")
    if value is None:
        value = click.prompt(f"{wanted} (not shown)", hide_input=True, err=True)
    elif value == "-":
        value = sys.stdin.read(_LONGEST_INPUT).rstrip("\r\n")
    if wanted == "library":
        # A relative path would mean another library in every folder.
        value = str(Path(value).expanduser().absolute())
    file = config_file()
    set_in_config(file, wanted, value)
    click.echo(f"{wanted} is set in {file}")
    _warn_of_environment(wanted)


@click.command("unset", epilog=UNSET_EXAMPLE)
@click.argument("name")
def unset(name: str) -> int:
    """Take the setting NAME out of the settings file; then the default holds. The exit code is 1 where it is not in
    the file."""
    wanted = setting_named(name)
    file = config_file()
    if not set_in_config(file, wanted, None):
        click.echo(f"{wanted} is not in {file}", err=True)
        return 1
    click.echo(f"{wanted} is taken out of {file}")
    _warn_of_environment(wanted)
    return 0


@click.command("path", epilog=PATH_EXAMPLE)
@json_option
def path(as_json: bool) -> None:
    """Print where the settings file is, whether it exists or not. The variable MATHRAG_CONFIG names another one."""
    file = config_file()
    if as_json:
        print_json({"file": str(file), "exists": file.is_file(), "private": file.is_file() and is_private(file)})
    else:
        click.echo(str(file))


def _warn_of_environment(name: str) -> None:
    try:
        said = next(one for one in settings_said() if one.name == name)
    except UsageError:
        return
    if said.source == "environment":
        click.echo(f"note: the variable {VARIABLES[name]} is set too, and goes before the file", err=True)
