"""The graph that SPARQL asks, built in the background where it takes long: a page waits for it only for moments."""

from __future__ import annotations

import sqlite3
import threading
import time

from mathrag.errors import LibraryError, MathragError
from mathrag.library import Library

_lock = threading.Lock()
_running: dict[str, _Building] = {}


class _Building:
    """One thread that builds the graph of one state of a library."""

    def __init__(self, library: Library, generation: int) -> None:
        self.generation = generation
        self.problem: MathragError | None = None
        self._library = library
        self.thread = threading.Thread(target=self._build, name="mathrag-graph", daemon=True)

    def _build(self) -> None:
        try:
            self._library.prepare_graph()
        except MathragError as error:
            self.problem = error
        except sqlite3.Error:
            # The library was closed meanwhile; then nobody waits for this.
            self.problem = LibraryError("the library was closed while its graph was built")


def is_graph_ready(library: Library, *, seconds: float) -> bool:
    """Whether the graph is that of the library as it now is, after waiting so long at most; else it is being built."""
    deadline = time.monotonic() + seconds
    while True:
        building = _building(library)
        building.thread.join(max(0.0, deadline - time.monotonic()))
        if building.thread.is_alive():
            return False
        with _lock:
            if _running.get(str(library.folder)) is building:
                del _running[str(library.folder)]
        if building.problem is not None:
            raise building.problem
        # The library may have changed while the graph of an older state was built.
        if building.generation == library.database.generation:
            return True
        if time.monotonic() >= deadline:
            return False


def _building(library: Library) -> _Building:
    """What builds the graph of this library now; started where nothing does."""
    name = str(library.folder)
    with _lock:
        building = _running.get(name)
        if building is None or not building.thread.is_alive():
            building = _running[name] = _Building(library, library.database.generation)
            building.thread.start()
        return building
