"""The seam for embedders: text in, unit vectors out. Which one is used is decided by name, through entry points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Protocol

from mathrag.errors import LibraryError

if TYPE_CHECKING:
    import numpy

GROUP = "mathrag.embedders"
DEFAULT_EMBEDDER = "wordllama"


class Embedder(Protocol):
    """Turns texts into vectors of length one, the same text always into the same vector."""

    @property
    def name(self) -> str:
        """Names model and version: vectors of different names are never compared."""
        ...

    @property
    def dimensions(self) -> int:
        """How many numbers a vector has."""
        ...

    def embed(self, texts: Sequence[str]) -> numpy.ndarray[tuple[int, int], numpy.dtype[numpy.float32]]:
        """One row of `dimensions` numbers a text."""
        ...


def load_embedder(name: str = DEFAULT_EMBEDDER) -> Embedder:
    """The embedder that a package registered under this name; `LibraryError` where there is none or it fails."""
    known = {entry.name: entry for entry in entry_points(group=GROUP)}
    if name not in known:
        raise LibraryError(f"there is no embedder {name!r}; installed are: {', '.join(sorted(known)) or 'none'}")
    try:
        make: Callable[[], Embedder] = known[name].load()
        return make()
    except Exception as error:
        # A plugin is foreign code: whatever it raises becomes one sentence of ours.
        raise LibraryError(f"the embedder {name!r} cannot be loaded: {error}") from error
