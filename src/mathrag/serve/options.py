"""How a server is to be run: checked once, when made. Reads no environment and opens nothing."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from mathrag.errors import UsageError

if TYPE_CHECKING:
    from mathrag.library.ask.models import Budget

# Shorter ones can be guessed, even a few a minute.
_SHORTEST_TOKEN = 16
_MEGABYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one client may send, wait for and ask."""

    body_bytes: int = _MEGABYTE
    body_seconds: float = 20.0
    upload_bytes: int = 256 * _MEGABYTE
    upload_file_bytes: int = 64 * _MEGABYTE
    upload_files: int = 50
    upload_seconds: float = 600.0
    header_seconds: float = 10.0
    connections: int = 1_000
    ask_seconds: float = 20.0
    queue: int = 256
    streams: int = 200
    queries: int = 2
    # None: no limit, as on loopback, where the only client is the owner of the machine.
    requests_a_minute: int | None = None
    wrong_tokens_a_minute: int = 10
    jobs_waiting: int = 1_000
    # More formulas than these are not drawn one by one.
    graph_formulas: int = 5_000


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """Which library is served, where, and to whom.

    `token` is what a client must know; a public address needs one. `hosts` are further names that this server is
    reached under. `ingest_folders` are folders of this machine whose files clients may have read; none by default.
    `budget` is what language models may cost in the whole run; None counts nothing.
    """

    library: Path
    host: str = "127.0.0.1"
    port: int = 8000
    token: str = field(default="", repr=False)
    hosts: tuple[str, ...] = ()
    workers: int | None = None
    ingest_folders: tuple[Path, ...] = ()
    log_questions: bool = False
    limits: Limits = field(default_factory=Limits)
    planner: str | None = None
    budget: Budget | None = None

    def __post_init__(self) -> None:
        if self.token and (
            len(self.token) < _SHORTEST_TOKEN or not self.token.isascii() or not self.token.isprintable()
        ):
            raise UsageError(
                f"a token has at least {_SHORTEST_TOKEN} letters and digits; make one with "
                "python3 -c 'import secrets; print(secrets.token_urlsafe())'"
            )
        if not self.token and not is_loopback(self.host):
            raise UsageError(
                f"{self.host} can be reached from other machines, so a token is needed: give --token, "
                "or stay on this machine with --host 127.0.0.1"
            )

    @property
    def is_public(self) -> bool:
        """Whether other machines can reach it."""
        return not is_loopback(self.host)


def is_loopback(host: str) -> bool:
    """Whether an address is that of this machine alone."""
    name = host.strip("[]").lower()
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
