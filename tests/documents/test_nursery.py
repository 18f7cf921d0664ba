"""Processes that are forked with everything loaded: whatever becomes of the one that forks them, tasks get outcomes."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mathrag.isolation.nursery import Nurseries
from mathrag.isolation.tasks import Done, Failed, Outcome, Task, WorkerLimits
from mathrag.isolation.worker import Worker

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux alone")
LIMITS = WorkerLimits(seconds=60, megabytes=600)


@pytest.fixture(autouse=True)
def nurseries(monkeypatch: pytest.MonkeyPatch) -> Iterator[Nurseries]:
    """Nurseries of their own for each test; the functions of these tests can be imported."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
    own = Nurseries()
    monkeypatch.setattr("mathrag.isolation.worker.NURSERIES", own)
    yield own
    own.clear()


def _asked(name: str, payload: Any = None, limits: WorkerLimits = LIMITS) -> Outcome:
    function = f"isolation_functions:{name}"
    worker = Worker((function,), limits)
    try:
        return worker.ask(Task("", function, payload))
    finally:
        worker.stop()


def _result(outcome: Outcome) -> Any:
    assert isinstance(outcome, Done), outcome
    return outcome.result


def _made(nurseries: Nurseries) -> list[int]:
    return [each.process.pid for each in nurseries._nurseries.values()]


def test_processes_of_a_kind_come_from_one_that_has_loaded_it(nurseries: Nurseries) -> None:
    parents = {_result(_asked("which_parent")) for _ in range(3)}
    assert parents == set(_made(nurseries))
    assert len(parents) == 1


def test_another_environment_is_another_kind(nurseries: Nurseries, monkeypatch: pytest.MonkeyPatch) -> None:
    first = _result(_asked("which_parent"))
    monkeypatch.setenv("ANYTHING", "else")
    assert _result(_asked("which_parent")) != first
    for number in range(9):
        monkeypatch.setenv("ANYTHING", str(number))
        _result(_asked("echo"))
    assert len(_made(nurseries)) == 8


def test_our_own_settings_and_the_folder_are_taken_over(
    nurseries: Nurseries, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for number in range(2):
        folder = tmp_path / str(number)
        folder.mkdir()
        monkeypatch.chdir(folder)
        monkeypatch.setenv("MATHRAG_READING_SECONDS", str(100 + number))
        assert _result(_asked("surroundings")) == [str(folder), str(100 + number)]
    assert len(_made(nurseries)) == 1


def test_a_process_that_waited_takes_them_over_with_its_next_task(monkeypatch: pytest.MonkeyPatch) -> None:
    function = "isolation_functions:surroundings"
    worker = Worker((function,), LIMITS)
    try:
        for seconds in ("7", "8"):
            monkeypatch.setenv("MATHRAG_READING_SECONDS", seconds)
            assert _result(worker.ask(Task("", function, None)))[1] == seconds
    finally:
        worker.stop()


def test_one_that_is_gone_is_replaced(nurseries: Nurseries) -> None:
    gone = _result(_asked("which_parent"))
    os.kill(gone, signal.SIGKILL)
    # At first it may not be seen that it is gone.
    assert gone not in {_result(_asked("which_parent")) for _ in range(3)}
    assert gone not in _made(nurseries)


def test_a_child_outlives_the_one_that_forked_it(nurseries: Nurseries) -> None:
    worker = Worker(("isolation_functions:which_process", "isolation_functions:kill_itself"), LIMITS)
    try:
        worker.wait_until_ready()
        os.kill(_made(nurseries)[0], signal.SIGKILL)
        own = _result(worker.ask(Task("", "isolation_functions:which_process", None)))
        assert own == worker.process.pid
        assert worker.is_usable
        ended = worker.ask(Task("", "isolation_functions:kill_itself", "SIGTERM"))
        assert isinstance(ended, Failed)
        assert worker.process.wait(timeout=60) is not None
        assert not worker.is_usable
    finally:
        worker.stop()


def test_one_without_work_ends_and_another_begins(nurseries: Nurseries) -> None:
    nurseries.seconds = 0.0
    first = _result(_asked("which_parent"))
    (nursery,) = nurseries._nurseries.values()
    assert nursery.process.wait(timeout=60) == 0
    assert _result(_asked("which_parent")) != first


def test_a_process_that_is_given_up_before_it_is_born_ends(nurseries: Nurseries) -> None:
    worker = Worker(("isolation_functions:echo",), LIMITS)
    worker.stop()
    assert worker.process.wait(timeout=60) is not None


def test_many_threads_get_a_process_each() -> None:
    results: list[Any] = []
    threads = [threading.Thread(target=lambda: results.append(_result(_asked("which_process")))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(results)) == 4


def test_time_counts_while_a_processor_works_on_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a machine where others have the processor: here the system says that it got a tenth of it."""
    worker = Worker(("isolation_functions:sleep",), WorkerLimits(seconds=0.3, megabytes=600))
    try:
        worker.wait_until_ready()
        looks = iter(range(1_000))
        monkeypatch.setattr(worker._piped, "processor_seconds", lambda: 0.05 * next(looks))
        assert _result(worker.ask(Task("", "isolation_functions:sleep", 0.8))) == 0.8
        monkeypatch.setattr(worker._piped, "processor_seconds", lambda: 0.0)
        late = worker.ask(Task("", "isolation_functions:sleep", 30))
        assert isinstance(late, Failed)
        assert late.code == "timeout"
    finally:
        worker.stop()
