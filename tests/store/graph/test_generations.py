"""The graph on disk: always whole, always the newest, whoever builds, reads or is killed."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from mathrag.errors import LibraryError
from mathrag.store.graph.contents import LibraryContents
from mathrag.store.graph.generations import ensure_graph, graph_folder, newest_graph, use_lock_path
from mathrag.store.graph.sparql import run_sparql
from store.graph.sample_library import large_library, sample_library

COUNT = "SELECT (COUNT(?f) AS ?n) { ?f a mathrag:Formula }"


def count(folder: Path) -> int:
    ((value,),) = run_sparql(folder, COUNT).rows
    assert value is not None
    return int(value.value)


def never() -> tuple[int, LibraryContents]:
    raise AssertionError("it was there already")


def test_built_once_for_each_state(tmp_path: Path) -> None:
    first = ensure_graph(tmp_path, 1, lambda: (1, LibraryContents()))
    assert first == ensure_graph(tmp_path, 1, never) == newest_graph(tmp_path)
    assert count(tmp_path) == 0
    second = ensure_graph(tmp_path, 2, lambda: (2, sample_library()))
    assert newest_graph(tmp_path) == second
    assert count(tmp_path) == 3
    assert not first.exists()
    assert not list((tmp_path / "graph").glob(".*"))


def test_the_number_read_with_the_contents_counts(tmp_path: Path) -> None:
    made = ensure_graph(tmp_path, 3, lambda: (5, sample_library()))
    assert made == graph_folder(tmp_path, 5)


def test_a_graph_in_use_is_not_removed(tmp_path: Path) -> None:
    import fcntl

    first = ensure_graph(tmp_path, 1, lambda: (1, sample_library()))
    with use_lock_path(first).open("a") as handle:
        fcntl.flock(handle.fileno(), fcntl.LOCK_SH)
        ensure_graph(tmp_path, 2, lambda: (2, sample_library()))
        assert first.exists()
    ensure_graph(tmp_path, 3, lambda: (3, sample_library()))
    assert not first.exists()
    assert {path.name for path in (tmp_path / "graph").iterdir() if path.is_dir()} == {graph_folder(tmp_path, 3).name}


def test_rebuilding_replaces_a_damaged_graph(tmp_path: Path) -> None:
    graph = ensure_graph(tmp_path, 1, lambda: (1, sample_library()))
    (graph / "CURRENT").write_text("nonsense")
    with pytest.raises(LibraryError, match="mathrag check --rebuild"):
        count(tmp_path)
    ensure_graph(tmp_path, 1, lambda: (1, sample_library()), rebuild=True)
    assert count(tmp_path) == 3


def test_a_failed_build_leaves_nothing(tmp_path: Path) -> None:
    ensure_graph(tmp_path, 1, lambda: (1, sample_library()))

    def fail() -> tuple[int, LibraryContents]:
        raise LibraryError("no")

    with pytest.raises(LibraryError, match="no"):
        ensure_graph(tmp_path, 2, fail)
    assert newest_graph(tmp_path) == graph_folder(tmp_path, 1)
    assert count(tmp_path) == 3


def test_a_folder_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "graph").write_text("in the way")
    with pytest.raises(LibraryError, match="cannot be built"):
        ensure_graph(tmp_path, 1, lambda: (1, sample_library()))


def _build(folder: Path, results: multiprocessing.SimpleQueue[str]) -> None:
    ensure_graph(folder, 1, lambda: (1, large_library(30)))
    results.put(str(count(folder)))


@pytest.mark.soak
def test_several_processes_build_one_graph(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    results = context.SimpleQueue()
    processes = [context.Process(target=_build, args=(tmp_path, results)) for _ in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
        assert process.exitcode == 0
    assert [results.get() for _ in processes] == ["30"] * 3
    assert len([path for path in (tmp_path / "graph").iterdir() if path.is_dir()]) == 1


@pytest.mark.slow
def test_readers_are_safe_while_graphs_come_and_go(tmp_path: Path) -> None:
    ensure_graph(tmp_path, 1, lambda: (1, sample_library()))
    code = textwrap.dedent(
        """
        import sys
        from pathlib import Path
        from mathrag.store.graph.sparql import run_sparql
        for _ in range(8):
            result = run_sparql(Path(sys.argv[1]), "SELECT (COUNT(?f) AS ?n) { ?f a mathrag:Formula }")
            assert result.rows[0][0].value == "3"
        """
    )
    readers = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path)]) for _ in range(2)]
    generation = 1
    while any(reader.poll() is None for reader in readers):
        generation += 1
        ensure_graph(tmp_path, generation, lambda number=generation: (number, sample_library()))
    assert [reader.returncode for reader in readers] == [0, 0]


@pytest.mark.soak
def test_killed_at_any_moment_the_next_build_is_right(tmp_path: Path) -> None:
    code = textwrap.dedent(
        """
        import sys
        from pathlib import Path
        from mathrag.store.graph.generations import ensure_graph
        from store.graph.sample_library import large_library
        contents = large_library(300)
        print("ready", flush=True)
        ensure_graph(Path(sys.argv[1]), 2, lambda: (2, contents))
        """
    )
    ensure_graph(tmp_path, 1, lambda: (1, sample_library()))
    tests = str(Path(__file__).parent.parent.parent)
    for delay in (0.0, 0.05, 0.15, 0.3, 0.5):
        process = subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path)], env={**os.environ, "PYTHONPATH": tests}, stdout=subprocess.PIPE
        )
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert count(tmp_path) in (3, 300)
    ensure_graph(tmp_path, 2, lambda: (2, large_library(300)))
    assert count(tmp_path) == 300
    # What a killed process was removing stays until the next build, and no longer.
    ensure_graph(tmp_path, 3, lambda: (3, sample_library()))
    assert not [path for path in (tmp_path / "graph").iterdir() if path.name.startswith(".")]
