"""The seams for embedders: texts or pictures in, unit vectors out. Which one is used is decided by name, through entry
points."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any, Protocol

from mathrag.errors import LibraryError

if TYPE_CHECKING:
    import numpy

GROUP = "mathrag.embedders"
IMAGE_GROUP = "mathrag.image_embedders"
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


class ImageEmbedder(Embedder, Protocol):
    """Turns pictures and texts into vectors of one space, so that a text finds the pictures that show what it says."""

    def embed_images(self, images: Sequence[bytes]) -> numpy.ndarray[tuple[int, int], numpy.dtype[numpy.float32]]:
        """One row of `dimensions` numbers a picture (PNG)."""
        ...


def load_embedder(name: str = DEFAULT_EMBEDDER) -> Embedder:
    """The embedder that a package registered under this name; `LibraryError` where there is none or it fails."""
    known = {entry.name: entry for entry in entry_points(group=GROUP)}
    if name not in known:
        raise LibraryError(f"there is no embedder {name!r}; installed are: {', '.join(sorted(known)) or 'none'}")
    embedder: Embedder = _made(known[name])
    return embedder


def load_image_embedder(name: str = "") -> ImageEmbedder:
    """The encoder of pictures that a package registered under this name, or the first; `LibraryError` for none."""
    known = {entry.name: entry for entry in entry_points(group=IMAGE_GROUP)}
    if not known:
        raise LibraryError(
            "no encoder of pictures is installed: install a package that registers one under the entry point "
            f"{IMAGE_GROUP}; without one, pictures are found by the words of their captions"
        )
    if name and name not in known:
        raise LibraryError(f"there is no encoder of pictures {name!r}; installed are: {', '.join(sorted(known))}")
    embedder: ImageEmbedder = _made(known[name or min(known)])
    return embedder


def load_encoder(name: str) -> Embedder:
    """The embedder of texts or pictures with this name, be it that of the package or that of the vectors it makes."""
    found = {entry.name: entry for group in (IMAGE_GROUP, GROUP) for entry in entry_points(group=group)}
    if name in found:
        embedder: Embedder = _made(found[name])
        return embedder
    for entry in found.values():
        # The name of vectors is that of a model and a version, and begins like that of its package.
        if name.startswith(entry.name) and (embedder := _made(entry)).name == name:
            return embedder
    raise LibraryError(f"there is no embedder {name!r}; installed are: {', '.join(sorted(found)) or 'none'}")


def _made(entry: EntryPoint) -> Any:
    try:
        return entry.load()()
    except Exception as error:
        # A plugin is foreign code: whatever it raises becomes one sentence of ours.
        raise LibraryError(f"the embedder {entry.name!r} cannot be loaded: {error}") from error
