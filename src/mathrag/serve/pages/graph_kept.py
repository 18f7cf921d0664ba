"""Pictures of the library that were laid out a moment ago. Laying out takes seconds where there are thousands of nodes,
so each is made once for each state of the library, by whoever asks first."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TypeAlias

from mathrag.library import Library
from mathrag.library.views.graph import GraphFilter, GraphView, Point, graph_choices, graph_view, place_view
from mathrag.library.views.lists import Facet
from mathrag.serve.problems import ProblemError

# One at a time: laying out is all computing, and questions are answered meanwhile.
_PLACING = threading.Lock()
# How many may wait for that: each holds a thread that could serve a page.
_WAITING = threading.BoundedSemaphore(8)
_MOST_NODES = 40_000
_MOST_VIEWS = 64
Choices: TypeAlias = tuple[tuple[Facet, ...], tuple[Facet, ...]]


@dataclass(slots=True)
class KeptView:
    """One view, and what was made of it so far."""

    view: GraphView
    points: list[Point] | None = None
    svg: str | None = None
    parts: bytes | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)

    def placed(self) -> list[Point]:
        """Where the nodes stand; others who ask meanwhile wait for the same."""
        with self.lock:
            if self.points is None:
                if not _WAITING.acquire(blocking=False):
                    raise ProblemError(503, "many pictures are being laid out; try again in a moment", code="busy")
                try:
                    with _PLACING:
                        self.points = place_view(self.view)
                finally:
                    _WAITING.release()
            return self.points


class KeptGraphs:
    """The last views of a library; for any number of threads."""

    def __init__(self, most_nodes: int = _MOST_NODES) -> None:
        self._most = most_nodes
        self._held: OrderedDict[tuple[int, int, GraphFilter], KeptView] = OrderedDict()
        self._choices: tuple[int, Choices] | None = None
        self._lock = threading.Lock()

    def choices(self, library: Library) -> Choices:
        """The documents and the fields to choose from; counting goes through all formulas, so it is done once."""
        generation, known = library.database.generation, self._choices
        if known is None or known[0] != generation:
            known = self._choices = (generation, graph_choices(library))
        return known[1]

    def of(self, library: Library, wanted: GraphFilter, *, most_formulas: int) -> KeptView:
        """The view of a part of the library as it is now."""
        key = (library.database.generation, most_formulas, wanted)
        with self._lock:
            found = self._held.get(key)
            if found is not None:
                self._held.move_to_end(key)
                return found
        made = KeptView(graph_view(library, wanted, most_formulas=most_formulas))
        with self._lock:
            made = self._held.setdefault(key, made)
            for old in [each for each in self._held if each[0] < key[0]]:
                del self._held[old]
            while len(self._held) > 1 and (len(self._held) > _MOST_VIEWS or self._nodes() > self._most):
                self._held.popitem(last=False)
        return made

    def _nodes(self) -> int:
        return sum(len(kept.view.nodes) for kept in self._held.values())
