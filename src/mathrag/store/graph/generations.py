"""The graph on disk: one folder for each state of the library, made whole and never changed. Knows no SPARQL.

A graph is built in a folder of its own and renamed when complete, so there is never half a graph to be read, whenever
the program is killed. On disk rather than in memory, because opening takes milliseconds where loading takes seconds
(figures in `docs/reference/ontology.md`). Readers hold a shared lock on the graph they use; old graphs that nobody
holds are removed.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import re
import shutil
import time
import uuid
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pyoxigraph

from mathrag.errors import LibraryError
from mathrag.store.graph.contents import LibraryContents
from mathrag.store.graph.terms import ntriples_text
from mathrag.store.graph.triples import FORMAT_VERSION, nodes_of
from mathrag.store.graph.vocabulary import MATHRAG, ontology_text

_FOLDER = "graph"
_LOCK = "lock"
_THINGS = "urn:mathrag:"
_BUILDING = ".building-"
_REMOVING = ".removing-"
_NAME = re.compile(r"([0-9]{1,18})-([0-9a-f]{8})")
_PATIENCE_SECONDS = 600.0
_WRITE_BLOCK = 1 << 16


@cache
def _layout() -> str:
    """Changes with the vocabulary, so that a newer program makes the graph anew."""
    return hashlib.sha256(f"{FORMAT_VERSION} {ontology_text()}".encode()).hexdigest()[:8]


def graph_folder(folder: Path, generation: int) -> Path:
    """Where the graph of one state of the library is, or will be."""
    return folder / _FOLDER / f"{generation}-{_layout()}"


def newest_graph(folder: Path) -> Path | None:
    """The graph of the newest state that has one."""
    found = [
        (int(match[1]), path)
        for path in _entries(folder / _FOLDER)
        if (match := _NAME.fullmatch(path.name)) and match[2] == _layout()
    ]
    return max(found)[1] if found else None


def ensure_graph(
    folder: Path, generation: int, read: Callable[[], tuple[int, LibraryContents]], *, rebuild: bool = False
) -> Path:
    """The graph of this state of the library or a newer one; builds it where it is missing.

    `read` gives the contents with the number of their state, read in one transaction. With `rebuild`, whatever is
    there is made anew.
    """
    wanted = graph_folder(folder, generation)
    if wanted.is_dir() and not rebuild:
        return wanted
    home = folder / _FOLDER
    try:
        home.mkdir(parents=True, exist_ok=True)
        with _building_lock(home):
            # Another process may have built it, or a newer one, while we waited.
            if wanted.is_dir() and not rebuild:
                return wanted
            _sweep(home)
            number, contents = read()
            made = graph_folder(folder, number)
            if made.is_dir() and rebuild:
                _remove(made, wait=True)
            if not made.is_dir():
                _build(home, made, contents)
            _remove_older(home, keep=made)
            return made
    except OSError as error:
        raise LibraryError(
            f"the graph of the library in {folder} cannot be built: {error.strerror or error}; "
            "check the permissions and the free space of that folder"
        ) from error


def graph_problems(folder: Path, generation: int, contents: LibraryContents) -> list[str]:
    """What is wrong with the graph on disk of this state of the library; nothing where there is none yet."""
    graph = graph_folder(folder, generation)
    if not graph.is_dir():
        return []
    wanted = pyoxigraph.Store()
    pieces = ntriples_text(nodes_of(contents, with_records=False))
    wanted.bulk_load("".join(pieces).encode(), format=pyoxigraph.RdfFormat.N_TRIPLES, lenient=True)
    try:
        store = pyoxigraph.Store.read_only(str(graph))
        is_same = all(quad in store for quad in wanted) and len(wanted) == sum(map(_is_of_library, store))
    except (OSError, ValueError) as error:
        return [f"the graph on disk cannot be read ({error}); mathrag check --rebuild makes it anew"]
    return [] if is_same else ["the graph on disk does not say what the library says; mathrag check --rebuild mends it"]


def _is_of_library(quad: pyoxigraph.Quad) -> bool:
    """Whether a statement is about a thing of the library, not about the words of the graph."""
    name = quad.subject.value if isinstance(quad.subject, pyoxigraph.NamedNode) else ""
    return name.startswith(_THINGS) and not name.startswith(MATHRAG.rstrip(":"))


def _entries(home: Path) -> list[Path]:
    try:
        return sorted(home.iterdir())
    except OSError:
        return []


@contextlib.contextmanager
def _building_lock(home: Path) -> Iterator[None]:
    """One builder at a time. The lock goes with its process, however that ends."""
    with (home / _LOCK).open("a") as handle:
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while not _try_lock(handle.fileno(), fcntl.LOCK_EX):
            if time.monotonic() > deadline:
                raise LibraryError("another process has been building the graph for minutes; try again later")
            time.sleep(0.05)
        yield


def _try_lock(handle: int, kind: int) -> bool:
    try:
        fcntl.flock(handle, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _build(home: Path, made: Path, contents: LibraryContents) -> None:
    building = home / f"{_BUILDING}{uuid.uuid4().hex}"
    building.mkdir()
    try:
        source = home / f"{building.name}.nt"
        try:
            _write(source, contents)
            store = pyoxigraph.Store(str(building))
            store.bulk_load(path=str(source), format=pyoxigraph.RdfFormat.N_TRIPLES, lenient=True)
            store.bulk_load(ontology_text().encode(), format=pyoxigraph.RdfFormat.TURTLE)
            store.flush()
            # The store closes its files when the last reference to it goes.
            del store
        finally:
            source.unlink(missing_ok=True)
        _to_disk(building)
        building.rename(made)
        _to_disk(home)
    except BaseException:
        shutil.rmtree(building, ignore_errors=True)
        raise


def _write(path: Path, contents: LibraryContents) -> None:
    with path.open("w", encoding="utf-8", buffering=_WRITE_BLOCK) as file:
        for piece in ntriples_text(nodes_of(contents, with_records=False)):
            file.write(piece)


def _to_disk(folder: Path) -> None:
    """What is renamed has to be there after a power cut, too."""
    for path in [*(each for each in folder.iterdir() if each.is_file()), folder]:
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _sweep(home: Path) -> None:
    """Remove what killed processes left behind; nobody else can be building now."""
    for path in _entries(home):
        if path.name.startswith((_BUILDING, _REMOVING)):
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)


def _remove_older(home: Path, *, keep: Path) -> None:
    for path in _entries(home):
        if path != keep and path.is_dir() and _NAME.fullmatch(path.name):
            _remove(path, wait=False)


def _remove(graph: Path, *, wait: bool) -> None:
    """Remove a graph that nobody uses; one that is used stays for another time."""
    lock = use_lock_path(graph)
    with lock.open("a") as handle:
        if wait:
            deadline = time.monotonic() + _PATIENCE_SECONDS
            while not _try_lock(handle.fileno(), fcntl.LOCK_EX):
                if time.monotonic() > deadline:
                    raise LibraryError("another process has been using the graph for minutes; try again later")
                time.sleep(0.05)
        elif not _try_lock(handle.fileno(), fcntl.LOCK_EX):
            return
        removing = graph.with_name(f"{_REMOVING}{uuid.uuid4().hex}")
        graph.rename(removing)
        lock.unlink(missing_ok=True)
    shutil.rmtree(removing, ignore_errors=True)


def use_lock_path(graph: Path) -> Path:
    """The file whose shared lock says that a graph is in use. Beside the graph, because a graph is never changed."""
    return graph.with_name(f"{graph.name}.used")
