"""Command groups that import a command only when it runs, so that help and version answer at once."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import NamedTuple

import click


class Entry(NamedTuple):
    """Where a command lives (`module:name`) and its line in the list of commands."""

    target: str
    summary: str


class LazyGroup(click.Group):
    """A group whose commands are named, with their summaries, but not yet imported."""

    def __init__(self, name: str, entries: Mapping[str, Entry], *, summary: str, **options: object) -> None:
        super().__init__(name, help=summary, **options)  # type: ignore[arg-type]
        self.entries = entries

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(self.entries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        entry = self.entries.get(cmd_name)
        if entry is None:
            return None
        module, _, attribute = entry.target.partition(":")
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.summary) for name, entry in self.entries.items()])
