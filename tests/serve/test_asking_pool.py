"""Questions in processes: right answers, busy, late, killed, cancelled, closed; nothing left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from serve_makers import QUESTION, descendants, is_running, wait_for

from mathrag.errors import AskingError, LibraryError, UsageError
from mathrag.library import Library
from mathrag.library.workers.asking_pool import AskingPool, AskOptions


@pytest.fixture(scope="module")
def pool(made: Path) -> Iterator[AskingPool]:
    with AskingPool(made, workers=2, seconds=30) as found:
        assert found.wait_until_ready(60)
        yield found


@pytest.mark.slow
def test_outcome_is_the_public_object_and_events_come_on_the_way(pool: AskingPool) -> None:
    events: list[dict] = []
    outcome = pool.ask("What is the kinetic energy of 4 kg at 3 m/s?", listener=events.append)
    assert (outcome["outcome"], outcome["value"], outcome["unit"]) == ("answered", 18.0, "J")
    assert outcome["asked"]["question"] == "What is the kinetic energy of 4 kg at 3 m/s?"
    assert [event["round"] for event in events] == list(range(1, len(events) + 1))
    assert events[-1]["action"] == "RESPOND"


def test_a_repeated_question_comes_from_memory_with_its_events(pool: AskingPool) -> None:
    first: list[dict] = []
    second: list[dict] = []
    question = "What is the kinetic energy of 6 kg at 3 m/s?"
    once = pool.ask(question, listener=first.append)
    before = pool.state.cached
    again = pool.ask(question, listener=second.append)
    assert (once, first, pool.state.cached) == (again, second, before + 1)


def test_an_answer_that_something_was_given_up_for_is_not_remembered(
    pool: AskingPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another time there may be time enough."""
    call = pool.call

    def hurried(*arguments: Any, **options: Any) -> Any:
        return {**call(*arguments, **options), "is_hurried": True}

    monkeypatch.setattr(pool, "call", hurried)
    before = pool.state.cached
    for _ in range(2):
        assert "is_hurried" not in pool.ask("What is the kinetic energy of 8 kg at 3 m/s?")
    assert pool.state.cached == before


@pytest.mark.soak
def test_memory_ends_where_the_library_changes(copied: Path) -> None:
    with AskingPool(copied, workers=1) as pool:
        assert pool.ask(QUESTION)["formulas"][0]["label"] == "Kinetic energy"
        with Library(copied) as library:
            label = "Energy of motion"
            library.edit("Kinetic energy", [("label", label)], author="test")
        answered = pool.ask(QUESTION)
        assert answered["formulas"][0]["label"] == label
        assert pool.state.cached == 0


def test_a_follow_up_leans_on_the_question_before_in_any_process(pool: AskingPool) -> None:
    first = pool.ask(QUESTION)
    for _ in range(3):
        then = pool.ask("and for 5 kg?", options=AskOptions(previous=first["asked"], formats=("latex", "replay")))
        assert then["value"] == 22.5
    assert then["rendered"]["latex"]
    assert '"software"' in then["rendered"]["replay"]


def test_options_reach_the_library(pool: AskingPool) -> None:
    outcome = pool.ask("kinetic energy, m = 2 kg", options=AskOptions(pinned={"v": "3 m/s"}, unit="kJ"))
    assert outcome["value"] == pytest.approx(0.009)


def test_errors_of_the_input_are_told_as_such(pool: AskingPool) -> None:
    with pytest.raises(UsageError, match="no question"):
        pool.ask("   ")
    with pytest.raises(LibraryError, match="no formula"):
        pool.ask(QUESTION, options=AskOptions(formula="f-000000000000"))
    with pytest.raises(UsageError):
        pool.ask(QUESTION, options=AskOptions(unit="flurbs"))
    for name in ("", " ", "{}", "'"):
        with pytest.raises(UsageError, match="no symbol"):
            pool.ask(QUESTION, options=AskOptions(pinned={name: "2 kg"}))


def test_computing_fills_in_units_and_solves_for_any_symbol(pool: AskingPool, made: Path) -> None:
    with Library(made, create=False) as library:
        formula = library.formula("Kinetic energy").id
    assert pool.call("compute", {"formula": formula, "values": {"m": "2", "v": "3"}})["value"] == 9
    solved = pool.call(
        "compute", {"formula": formula, "values": {"m": "2 kg", "E_k": "9 J"}, "solve_for": "v", "unit": "km/h"}
    )
    assert solved["value"] == pytest.approx(10.8)
    curve = pool.call(
        "sweep",
        {"formula": formula, "values": {"m": "2"}, "symbol": "v", "start": "1", "stop": "3 m/s", "points": 3},
    )
    assert [point["y"] for point in curve["points"]] == [1, 4, 9]
    with pytest.raises(UsageError, match="missing for v"):
        pool.call("compute", {"formula": formula, "values": {"m": "2"}})


def test_many_threads_ask_at_once(pool: AskingPool) -> None:
    found: dict[int, float] = {}

    def ask(mass: int) -> None:
        found[mass] = pool.ask(f"What is the kinetic energy of {mass} kg at 2 m/s?")["value"]

    threads = [threading.Thread(target=ask, args=(mass,)) for mass in range(1, 31)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {mass: mass * 2 for mass in range(1, 31)}


def _stopped_pool(made: Path, **options: float) -> tuple[AskingPool, int]:
    """A pool of one process that is ready and then holds still, as a question without end would."""
    pool = AskingPool(made, workers=1, **options)  # type: ignore[arg-type]
    assert pool.wait_until_ready(60)
    (worker,) = pool._workers
    child = worker.process.pid
    os.kill(child, signal.SIGSTOP)
    return pool, child


@pytest.mark.soak
def test_a_late_process_is_killed_and_replaced(made: Path) -> None:
    pool, child = _stopped_pool(made, seconds=0.5)
    with pool:
        with pytest.raises(AskingError, match=r"longer than 0\.5 s") as caught:
            pool.ask(QUESTION)
        assert caught.value.code == "timeout"
        assert not is_running(child)
        wait_for(lambda: pool.state.ready == 1, what="another process")
        assert pool.state.replaced == 1


@pytest.mark.soak
def test_a_process_that_dies_gives_an_honest_error_and_the_next_question_an_answer(made: Path) -> None:
    pool, child = _stopped_pool(made)
    with pool:
        failed: list[str] = []

        def ask() -> None:
            try:
                pool.ask(QUESTION)
            except AskingError as error:
                failed.append(error.code)

        thread = threading.Thread(target=ask)
        thread.start()
        wait_for(lambda: pool.state.busy == 1)
        os.kill(child, signal.SIGKILL)
        thread.join()
        assert failed == ["crashed"]
        assert pool.ask(QUESTION)["value"] == 9


@pytest.mark.soak
def test_a_process_that_died_while_idle_is_noticed_before_it_is_asked(made: Path) -> None:
    pool, child = _stopped_pool(made)
    with pool:
        os.kill(child, signal.SIGKILL)
        # Its threads may take a moment longer to die than it does.
        wait_for(lambda: not any(each.is_usable for each in pool._idle))
        assert pool.ask(QUESTION)["value"] == 9


@pytest.mark.soak
def test_a_full_queue_is_busy_and_a_cancelled_question_ends_at_once(made: Path) -> None:
    pool, child = _stopped_pool(made, queue=1)
    with pool:
        is_over = threading.Event()
        codes: list[str] = []

        def ask() -> None:
            try:
                pool.ask(QUESTION, cancelled=is_over.is_set)
            except AskingError as error:
                codes.append(error.code)

        threads = [threading.Thread(target=ask) for _ in range(2)]
        for thread in threads:
            thread.start()
        wait_for(lambda: pool.state.waiting == 1)
        with pytest.raises(AskingError, match="too many questions") as caught:
            pool.ask(QUESTION)
        assert caught.value.code == "busy"
        is_over.set()
        for thread in threads:
            thread.join(timeout=5)
        assert codes == ["cancelled", "cancelled"]
        # The process held still beyond its grace, so it is gone.
        wait_for(lambda: not is_running(child))


@pytest.mark.soak
def test_closing_ends_all_processes_and_whoever_waits(made: Path) -> None:
    pool, child = _stopped_pool(made)
    codes: list[str] = []

    def ask() -> None:
        try:
            pool.ask(QUESTION)
        except AskingError as error:
            codes.append(error.code)

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    wait_for(lambda: pool.state.waiting == 2)
    pool.close()
    for thread in threads:
        thread.join()
    assert codes == ["closed"] * 3
    assert not is_running(child)
    pool.close()


def test_a_library_that_cannot_be_opened_is_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(LibraryError, match="no library"):
        AskingPool(tmp_path / "nothing")


@pytest.mark.soak
def test_processes_end_when_the_one_that_asks_is_killed(made: Path) -> None:
    code = (
        "import sys, time\nfrom mathrag.library.workers.asking_pool import AskingPool\n"
        "pool = AskingPool(sys.argv[1], workers=2)\npool.wait_until_ready()\nprint('ready', flush=True)\ntime.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(made)], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == "ready\n"
        children = descendants(parent.pid)
        assert children
        parent.kill()
        parent.wait()
    wait_for(lambda: not any(map(is_running, children)), seconds=10, what="the end of the processes")


@pytest.mark.soak
def test_starting_takes_no_time_from_the_caller(made: Path) -> None:
    AskingPool(made, workers=2).close()
