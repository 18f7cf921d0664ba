"""What a running server holds: the library, the processes that answer, jobs, sessions, figures. Decides nothing."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field

import anyio
from starlette.requests import HTTPConnection

from mathrag.errors import MathragError
from mathrag.library import Library
from mathrag.library.ask.models import answering_model
from mathrag.library.views.queries import Table, sql_tables
from mathrag.library.workers.asking_pool import AskingPool
from mathrag.serve.conversations import Conversations, owner_name
from mathrag.serve.jobs.runner import JobRunner
from mathrag.serve.jobs.watcher import Watcher
from mathrag.serve.kept import Examples, KeptGraphs, Pictures
from mathrag.serve.libraries import no_library
from mathrag.serve.metrics import Metrics
from mathrag.serve.options import ServeOptions
from mathrag.serve.security.sessions import Session, Sessions
from mathrag.settings import load_settings
from mathrag.types.library import Conflict


@dataclass(slots=True)
class ServeState:
    """One for each library of an app; pages and routes get that of theirs with `state_of(request)`."""

    name: str
    options: ServeOptions
    library: Library
    pool: AskingPool
    jobs: JobRunner
    sessions: Sessions
    metrics: Metrics
    conversations: Conversations
    # Threads that wait for answers are counted apart, so that pages stay quick while many ask.
    asking: anyio.CapacityLimiter = field(default_factory=lambda: anyio.CapacityLimiter(512))
    # Each of these starts a process.
    heavy: anyio.CapacityLimiter = field(default_factory=lambda: anyio.CapacityLimiter(2))
    pictures: Pictures = field(default_factory=Pictures)
    graphs: KeptGraphs = field(default_factory=KeptGraphs)
    watchers: list[Watcher] = field(default_factory=list)
    streams: int = 0
    _conflicts: tuple[int, list[Conflict]] | None = None
    _looking: int | None = None
    _tables: tuple[int, tuple[Table, ...]] | None = None
    _examples: Examples = field(default_factory=Examples)

    def planners(self) -> tuple[str, ...]:
        """The planners with a language model that may be asked for: none where there is none, or rules alone serve."""
        return () if self.options.budget is None else ("auto", "react", "small")

    def model_names(self) -> dict[str, str]:
        """The model that these planners ask, and the host it runs on; empty where none is asked."""
        found = answering_model(load_settings()) if self.planners() else None
        return {} if found is None else {"name": found[0], "host": found[1]}

    def conflicts(self) -> list[Conflict]:
        """The conflicts of the library; looking for them goes through all of it, so they are kept until it changes."""
        generation = self.library.database.generation
        if self._conflicts is None or self._conflicts[0] != generation:
            self._conflicts = (generation, self.library.conflicts())
        return self._conflicts[1]

    def conflicts_at_hand(self, *, seconds: float = 0.2) -> list[Conflict] | None:
        """The conflicts where they are known within moments; else None, and they are looked for meanwhile.

        A page that gets None says so: that there are none is another thing.
        """
        generation = self.library.database.generation
        if self._looking != generation and (self._conflicts is None or self._conflicts[0] != generation):
            self._looking = generation
            looking = threading.Thread(target=self._look, name="mathrag-conflicts", daemon=True)
            looking.start()
            looking.join(seconds)
        known = self._conflicts
        return known[1] if known is not None and known[0] == generation else None

    def _look(self) -> None:
        try:
            self.conflicts()
        except (MathragError, sqlite3.Error):
            # The library may be closed meanwhile; then nobody waits for this. Otherwise the next page looks again.
            self._looking = None

    def sql_tables(self) -> tuple[Table, ...]:
        """The tables that SQL may read; counting their rows takes long in a large library, so it is done once."""
        generation = self.library.database.generation
        if self._tables is None or self._tables[0] != generation:
            self._tables = (generation, sql_tables(self.library))
        return self._tables[1]

    def examples(self) -> list[str]:
        """Questions that the library does answer."""
        return self._examples.of(self.library, self.pool)


def states_of(request: HTTPConnection) -> Mapping[str, ServeState]:
    """The states of all libraries by name, the usual one first."""
    states: Mapping[str, ServeState] = request.app.state.libraries
    return states


def state_of(request: HTTPConnection, library: str | None = None) -> ServeState:
    """The state of the library that a request means, or of the one that its body names."""
    states = states_of(request)
    if library is not None and library not in states:
        raise no_library(library, tuple(states))
    return states[library or request.scope["mathrag_library"]]


def owner_of(request: HTTPConnection) -> str:
    """Whose conversations a request may list and go on with: those of its user, or else of its browser session.

    A server that only this machine reaches and that asks for no token has one owner, whatever browser is used.
    """
    client, state = request.scope.get("mathrag_client"), state_of(request)
    if client is not None and client.is_user:
        return owner_name(f"user {client.name}")
    session = request.scope.get("mathrag_session")
    if _has_one_owner(state.options) or not isinstance(session, Session):
        return programs_owner(state)
    return owner_name(session.id)


def programs_owner(state: ServeState) -> str:
    """Whose the conversations of programs are, which have no browser session."""
    return "" if _has_one_owner(state.options) else owner_name("programs")


def _has_one_owner(options: ServeOptions) -> bool:
    return not (options.needs_token or options.is_public or options.hosts)
