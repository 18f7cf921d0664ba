"""What a running server holds: the library, the processes that answer, jobs, sessions, figures. Decides nothing."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from dataclasses import dataclass, field

import anyio
from starlette.requests import HTTPConnection

from mathrag.errors import MathragError
from mathrag.library import Library
from mathrag.library.views.queries import Table, sql_tables
from mathrag.library.workers.asking_pool import AskingPool
from mathrag.serve.jobs.runner import JobRunner
from mathrag.serve.kept import Examples, KeptGraphs, Pictures
from mathrag.serve.metrics import Metrics
from mathrag.serve.options import ServeOptions
from mathrag.serve.security.sessions import Sessions
from mathrag.types.library import Conflict


@dataclass(slots=True)
class ServeState:
    """One for each app; pages and routes get it with `state_of(request)`."""

    options: ServeOptions
    library: Library
    pool: AskingPool
    jobs: JobRunner
    sessions: Sessions
    metrics: Metrics
    # Threads that wait for answers are counted apart, so that pages stay quick while many ask.
    asking: anyio.CapacityLimiter = field(default_factory=lambda: anyio.CapacityLimiter(512))
    # Each of these starts a process.
    heavy: anyio.CapacityLimiter = field(default_factory=lambda: anyio.CapacityLimiter(2))
    pictures: Pictures = field(default_factory=Pictures)
    graphs: KeptGraphs = field(default_factory=KeptGraphs)
    streams: int = 0
    _conflicts: tuple[int, list[Conflict]] | None = None
    _looking: int | None = None
    _tables: tuple[int, tuple[Table, ...]] | None = None
    _examples: Examples = field(default_factory=Examples)

    def planners(self) -> tuple[str, ...]:
        """The planners with a language model that may be asked for: none where there is none, or rules alone serve."""
        return () if self.options.budget is None else ("auto", "react", "small")

    def conflicts(self) -> list[Conflict]:
        """The conflicts of the library; looking for them goes through all of it, so they are kept until it changes."""
        generation = self.library.database.generation
        if self._conflicts is None or self._conflicts[0] != generation:
            self._conflicts = (generation, self.library.conflicts())
        return self._conflicts[1]

    def conflicts_at_hand(self, *, seconds: float = 0.2) -> list[Conflict] | None:
        """The conflicts where they are known within moments; else None, and they are looked for meanwhile."""
        generation = self.library.database.generation
        if self._looking != generation and (self._conflicts is None or self._conflicts[0] != generation):
            self._looking = generation
            looking = threading.Thread(target=self._look, name="mathrag-conflicts", daemon=True)
            looking.start()
            looking.join(seconds)
        known = self._conflicts
        return known[1] if known is not None and known[0] == generation else None

    def _look(self) -> None:
        # The library may be closed meanwhile; then nobody waits for this.
        with contextlib.suppress(MathragError, sqlite3.Error):
            self.conflicts()

    def sql_tables(self) -> tuple[Table, ...]:
        """The tables that SQL may read; counting their rows takes long in a large library, so it is done once."""
        generation = self.library.database.generation
        if self._tables is None or self._tables[0] != generation:
            self._tables = (generation, sql_tables(self.library))
        return self._tables[1]

    def examples(self) -> list[str]:
        """Questions that the library does answer."""
        return self._examples.of(self.library, self.pool)


def state_of(request: HTTPConnection) -> ServeState:
    """The state of the app that a request belongs to."""
    state = request.app.state.mathrag
    assert isinstance(state, ServeState)
    return state
