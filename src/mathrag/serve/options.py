"""How a server is to be run: checked once, when made. Reads no environment and opens nothing."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from mathrag.errors import UsageError

if TYPE_CHECKING:
    from mathrag.library.ask.models import Budget

# Shorter ones can be guessed, even a few a minute.
_SHORTEST_TOKEN = 16
_MEGABYTE = 1024 * 1024
# What a library is called in addresses, in requests and as a model's name.
_LIBRARY_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
DEFAULT_NAME = "default"
# Each has processes of its own.
MOST_LIBRARIES = 20


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
    """Which libraries are served, where, and to whom.

    `library` is the one that is meant where a request names none, and is called `name`; `others` are those beside it,
    by name. `token` is what a client must know; a public address needs one, or `users`: the file with a token and a
    role for each user. `hosts` are further names that this server is
    reached under. `ingest_folders` are folders of this machine whose files clients may have read; none by default.
    `watch` are folders whose files are read as they come, each with the library they are for; documents whose files
    are gone are taken out where `watch_remove` says so. `budget` is what language models may cost in the whole run;
    None counts nothing.
    """

    library: Path
    name: str = DEFAULT_NAME
    others: tuple[tuple[str, Path], ...] = ()
    host: str = "127.0.0.1"
    port: int = 8000
    token: str = field(default="", repr=False)
    users: Path | None = None
    hosts: tuple[str, ...] = ()
    workers: int | None = None
    ingest_folders: tuple[Path, ...] = ()
    watch: tuple[tuple[str, Path], ...] = ()
    watch_remove: bool = False
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
        self._check_names()
        if not self.needs_token and not is_loopback(self.host):
            raise UsageError(
                f"{self.host} can be reached from other machines, so a token is needed: give --token or --users, "
                "or stay on this machine with --host 127.0.0.1"
            )

    def _check_names(self) -> None:
        names = [name for name, _ in self.libraries]
        for name in names:
            if not is_library_name(name):
                raise UsageError(f"{name[:60]!r} is no name for a library: letters, digits, hyphens, underscores")
        folders = [folder.expanduser().resolve() for _, folder in self.libraries]
        if len(set(names)) < len(names) or len(set(folders)) < len(folders):
            raise UsageError("each library is served once, under a name of its own")
        if unknown := [name for name, _ in self.watch if name not in names]:
            raise UsageError(f"there is no library {unknown[0][:60]!r} to watch a folder for")
        if len(names) > MOST_LIBRARIES:
            raise UsageError(f"one server serves at most {MOST_LIBRARIES} libraries")

    @property
    def libraries(self) -> tuple[tuple[str, Path], ...]:
        """All libraries by name, the usual one first."""
        return ((self.name, self.library), *self.others)

    @property
    def needs_token(self) -> bool:
        """Whether clients have to say who they are."""
        return bool(self.token) or self.users is not None

    @property
    def is_public(self) -> bool:
        """Whether other machines can reach it."""
        return not is_loopback(self.host)


def is_library_name(text: str) -> bool:
    """Whether a library can be called so."""
    return _LIBRARY_NAME.fullmatch(text) is not None


def is_loopback(host: str) -> bool:
    """Whether an address is that of this machine alone."""
    name = host.strip("[]").lower()
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
