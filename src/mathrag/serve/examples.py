"""Questions to begin with that were asked already, so that every one shown is answered. Makes none itself."""

from __future__ import annotations

import threading

from mathrag.errors import MathragError
from mathrag.library import Library
from mathrag.library.ask.examples import candidate_questions
from mathrag.library.workers.asking_pool import AskingPool

_MOST_SHOWN = 5


class Examples:
    """Those of one library, tried in the background and kept until it changes."""

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
