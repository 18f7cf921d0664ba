"""What a server made a moment ago and need not make again: pages drawn, questions that are answered, pictures of the
graph. All of it is kept in memory, within limits, and until the library changes. For any number of threads."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import TypeAlias

from mathrag.errors import MathragError
from mathrag.library import Library
from mathrag.library.ask.example_questions import candidate_questions
from mathrag.library.views.graph import GraphFilter, GraphView, Point, graph_choices, graph_view, place_view
from mathrag.library.views.lists import Facet
from mathrag.library.workers.asking_pool import AskingPool
from mathrag.serve.problems import ProblemError

# Some hundreds of drawn pages.
_MOST_BYTES = 64 * 1024 * 1024
# So many questions to begin with are shown.
_MOST_SHOWN = 5
# One at a time: laying out is all computing, and questions are answered meanwhile.
_PLACING = threading.Lock()
# How many may wait for that: each holds a thread that could serve a page.
_WAITING = threading.BoundedSemaphore(8)
# Of all kept views together, so that memory stays bounded whatever is asked for.
_MOST_NODES = 40_000
_MOST_VIEWS = 64
Choices: TypeAlias = tuple[tuple[Facet, ...], tuple[Facet, ...]]


class Pictures:
    """Pages that were drawn: drawing one starts a process, showing one again should not. Those unused longest go first
    where there are too many bytes of them."""

    def __init__(self, most_bytes: int = _MOST_BYTES) -> None:
        self._held: OrderedDict[Hashable, bytes] = OrderedDict()
        self._bytes = 0
        self._most = most_bytes
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> bytes | None:
        """A picture drawn before."""
        with self._lock:
            found = self._held.get(key)
            if found is not None:
                self._held.move_to_end(key)
            return found

    def put(self, key: Hashable, picture: bytes) -> None:
        """Keep a picture."""
        with self._lock:
            self._bytes += len(picture) - len(self._held.pop(key, b""))
            self._held[key] = picture
            while self._bytes > self._most and self._held:
                self._bytes -= len(self._held.popitem(last=False)[1])


class Examples:
    """Questions to begin with, asked already in the background, so that every one shown is answered."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._generation: int | None = None
        self._answered: list[str] = []
        self._is_done = threading.Event()

    def of(self, library: Library, pool: AskingPool, *, seconds: float = 0.3) -> list[str]:
        """Those known to be answered; waits a little where they are just being tried."""
        generation = library.database.generation
        with self._lock:
            if self._generation != generation:
                self._generation, self._answered, self._is_done = generation, [], threading.Event()
                threading.Thread(
                    target=self._try_all, args=(library, pool, self._answered, self._is_done),
                    name="mathrag-examples", daemon=True,
                ).start()  # fmt: skip
            answered, done = self._answered, self._is_done
        done.wait(seconds)
        return list(answered)

    def _try_all(self, library: Library, pool: AskingPool, answered: list[str], done: threading.Event) -> None:
        try:
            for question in candidate_questions(library):
                if len(answered) >= _MOST_SHOWN:
                    break
                if pool.ask(question)["outcome"] == "answered":
                    answered.append(question)
        except MathragError:
            # The library or the pool was closed, or is too busy; the next change of the library tries again.
            with self._lock:
                self._generation = None
        finally:
            done.set()


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
    """The last views of a library. Laying one out takes seconds where there are thousands of nodes, so each is made
    once for each state of the library, by whoever asks first."""

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
