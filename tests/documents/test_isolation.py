"""Worker processes: limits hold, every task has one outcome, nobody is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mathrag.errors import DocumentError
from mathrag.isolation.frames import FrameBuffer, FrameError, frame, strict_json
from mathrag.isolation.launcher import ProgramLateError, run_program
from mathrag.isolation.pool import WorkerPool
from mathrag.isolation.spares import SPARES, Spares
from mathrag.isolation.tasks import Done, Failed, Outcome, ServiceName, Task, WorkerLimits
from mathrag.isolation.worker import Worker, WorkerLateError, WorkerStartError, ask_once

HERE = Path(__file__).parent
NAMES = (
    "echo which_process sleep spin fill_memory kill_itself crash leave raise_ours raise_foreign exit_politely not_json "
    "large deep chatter open_handles start_child"
).split()
FUNCTIONS = tuple(f"isolation_functions:{name}" for name in NAMES)


@pytest.fixture(autouse=True)
def _functions_importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(HERE), os.environ.get("PYTHONPATH", ""))))


@pytest.fixture
def pool() -> Iterator[WorkerPool]:
    with WorkerPool(FUNCTIONS, workers=1, limits=WorkerLimits(seconds=20, megabytes=300, answer_megabytes=1)) as pool:
        yield pool


def _task(name: str, payload: Any = None, key: str = "") -> Task:
    return Task(key or name, f"isolation_functions:{name}", payload)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
        status = Path(f"/proc/{process}/status")
        # A process that ended but whose new parent did not collect it yet is not alive.
        return not (status.exists() and "\nState:\tZ" in status.read_text())
    except (ProcessLookupError, FileNotFoundError):
        # It may be collected at any moment, also between opening and reading its status.
        return False


def _wait_until_gone(process: int) -> None:
    deadline = time.monotonic() + 10
    while _is_alive(process):
        assert time.monotonic() < deadline, "the process is still there"
        time.sleep(0.02)


def test_results_come_back_with_their_tasks() -> None:
    payloads = [None, 1.5, "ü\ud800\n", [1, {"a": [True]}], {"x": "y" * 300_000}]
    tasks = [_task("echo", payload, key=str(number)) for number, payload in enumerate(payloads)]
    with WorkerPool(FUNCTIONS, workers=2, limits=WorkerLimits(seconds=20)) as pool:
        outcomes = {outcome.task.key: outcome for outcome in pool.run(tasks)}
    assert len(outcomes) == len(payloads)
    for number, payload in enumerate(payloads):
        outcome = outcomes[str(number)]
        assert isinstance(outcome, Done)
        assert outcome.result == payload


def test_one_process_does_many_tasks(pool: WorkerPool) -> None:
    numbers = {
        outcome.result for outcome in pool.run(_task("which_process") for _ in range(5)) if isinstance(outcome, Done)
    }
    assert len(numbers) == 1
    pool.close()
    _wait_until_gone(numbers.pop())


def test_a_process_is_replaced_after_its_share_of_tasks() -> None:
    with WorkerPool(FUNCTIONS, workers=1, limits=WorkerLimits(tasks=2)) as pool:
        numbers = [outcome.result for outcome in pool.run(_task("which_process") for _ in range(4))]  # type: ignore[union-attr]
    assert numbers[0] == numbers[1] != numbers[2] == numbers[3]


@pytest.mark.parametrize(
    ("name", "payload", "code", "words"),
    [
        ("fill_memory", None, "memory", "more than 300 MB"),
        ("kill_itself", "SIGKILL", "killed", "was killed"),
        ("kill_itself", "SIGSEGV", "crashed", "SIGSEGV"),
        ("crash", None, "crashed", "crashed"),
        ("leave", 7, "crashed", "status 7"),
        ("raise_ours", None, "encoding", "no known alphabet"),
        ("raise_foreign", None, "broken", "KeyError"),
        ("exit_politely", None, "broken", "SystemExit"),
        ("not_json", None, "broken", "TypeError"),
        ("deep", 100_000, "broken", "RecursionError"),
        ("large", 2_000_000, "too_large", "larger than 1 MB"),
    ],
)
def test_whatever_a_task_does_it_fails_alone(pool: WorkerPool, name: str, payload: Any, code: str, words: str) -> None:
    outcomes = list(pool.run([_task("echo", 1, "before"), _task(name, payload), _task("echo", 2, "after")]))
    by_key = {outcome.task.key: outcome for outcome in outcomes}
    assert isinstance(by_key["before"], Done)
    assert isinstance(by_key["after"], Done)
    failed = by_key[name]
    assert isinstance(failed, Failed)
    assert failed.code == code
    assert words in failed.reason


def test_the_detail_holds_the_last_lines_of_a_crash(pool: WorkerPool) -> None:
    outcome = pool.run_one(_task("crash"))
    assert isinstance(outcome, Failed)
    assert "Segmentation fault" in outcome.detail


@pytest.mark.parametrize("name", ["sleep", "spin"])
def test_a_late_task_is_stopped(name: str) -> None:
    limits = WorkerLimits(seconds=0.5, processor_seconds=30)
    with WorkerPool(FUNCTIONS, workers=2, limits=limits) as pool:
        outcomes = {
            outcome.task.key: outcome
            for outcome in pool.run([_task(name, 60), _task("echo", 1), _task("echo", 2, "e")])
        }
    late = outcomes[name]
    assert isinstance(late, Failed)
    assert (late.code, late.reason) == ("timeout", "the work took longer than 0.5 s and was stopped")
    assert isinstance(outcomes["echo"], Done)


def test_processor_time_is_limited() -> None:
    with WorkerPool(FUNCTIONS, workers=1, limits=WorkerLimits(seconds=30, processor_seconds=0.1)) as pool:
        outcome = pool.run_one(_task("spin"))
    assert isinstance(outcome, Failed)
    assert outcome.code == "processor_time"


def test_an_answer_that_waited_for_the_caller_is_not_late() -> None:
    with WorkerPool(FUNCTIONS, workers=2, limits=WorkerLimits(seconds=1.0)) as pool:
        run = pool.run([_task("echo", 1), _task("large", 900_000), _task("sleep", 0.01)])
        first = next(run)
        time.sleep(1.5)
        outcomes = [first, *run]
    assert all(isinstance(outcome, Done) for outcome in outcomes), outcomes


def test_printing_and_reading_do_not_disturb(pool: WorkerPool) -> None:
    outcome = pool.run_one(_task("chatter"))
    assert isinstance(outcome, Done)
    assert outcome.result == ""


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc")
def test_no_open_file_of_ours_reaches_a_worker(pool: WorkerPool, tmp_path: Path) -> None:
    secret = tmp_path / "library.sqlite"
    with secret.open("w") as file:
        os.set_inheritable(file.fileno(), True)
        outcome = pool.run_one(_task("open_handles"))
    assert isinstance(outcome, Done)
    assert not [name for name in outcome.result if "library" in name]


def test_a_late_task_takes_its_children_with_it(tmp_path: Path) -> None:
    note = tmp_path / "child"
    with WorkerPool(FUNCTIONS, workers=1, limits=WorkerLimits(seconds=2)) as pool:
        outcome = pool.run_one(_task("start_child", str(note)))
    assert isinstance(outcome, Failed)
    _wait_until_gone(int(note.read_text()))


def test_leaving_early_ends_the_busy_processes() -> None:
    with WorkerPool(FUNCTIONS, workers=2, limits=WorkerLimits(seconds=60)) as pool:
        run = pool.run([_task("which_process"), _task("sleep", 60), _task("sleep", 60)])
        outcome = next(run)
        assert isinstance(outcome, Done)
        run.close()  # type: ignore[attr-defined]
        again = pool.run_one(_task("echo", 1))
        assert isinstance(again, Done)
    _wait_until_gone(outcome.result)


def test_tasks_are_taken_only_when_a_process_is_free() -> None:
    taken: list[int] = []

    def tasks() -> Iterator[Task]:
        for number in range(10):
            taken.append(number)
            yield _task("echo", number)

    with WorkerPool(FUNCTIONS, workers=2) as pool:
        run = pool.run(tasks())
        next(run)
        assert len(taken) <= 3
        assert len(list(run)) == 9


def test_only_the_functions_named_at_the_start_can_be_called(pool: WorkerPool) -> None:
    with pytest.raises(ValueError, match="does not run"):
        pool.run_one(Task("x", "os:system", "true"))
    with pytest.raises(ValueError, match="does not name a function"):
        WorkerPool(["os.system('true')"])


@pytest.mark.parametrize("function", ["no_such_module:read", "isolation_functions:no_such_function"])
def test_a_pool_that_cannot_start_says_so(function: str) -> None:
    with WorkerPool([function], workers=1) as pool, pytest.raises(DocumentError, match="do not start") as caught:
        pool.run_one(Task("x", function, None))
    assert caught.value.code == "worker"


def test_one_run_at_a_time(pool: WorkerPool) -> None:
    run: Iterator[Outcome] = pool.run([_task("echo", 1), _task("echo", 2)])
    next(run)
    with pytest.raises(ValueError, match="already running"):
        next(pool.run([_task("echo", 3)]))
    assert len(list(run)) == 1


_PARENT = """
import sys
import threading
from mathrag.isolation.pool import WorkerPool
from mathrag.isolation.spares import SPARES, Spares
from mathrag.isolation.tasks import Task
pool = WorkerPool(["isolation_functions:which_process", "isolation_functions:{busy}"], workers=2)
run = pool.run([Task("a", "isolation_functions:which_process", None), Task("b", "isolation_functions:{busy}", 60)])
print(next(run).result, *(worker.process.pid for worker in pool._workers), flush=True)
{then}
"""


@pytest.mark.parametrize(
    "then", ["import os; os.kill(os.getpid(), 9)", "import os; os._exit(0)", "pass", "raise KeyboardInterrupt"]
)
@pytest.mark.parametrize("busy", ["sleep", "spin"])
def test_workers_end_with_the_process_that_started_them(busy: str, then: str) -> None:
    code = _PARENT.format(busy=busy, then=then)
    parent = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    workers = [int(word) for word in parent.stdout.split()]
    assert len(workers) >= 2
    for worker in workers:
        _wait_until_gone(worker)


def test_frames_survive_any_cutting() -> None:
    messages = [{"a": 1}, [], "ä" * 100]
    stream = b"".join(frame(message) for message in messages)
    for step in (1, 3, 7, len(stream)):
        buffer = FrameBuffer(1_000)
        got = [
            message for start in range(0, len(stream), step) for message in buffer.feed(stream[start : start + step])
        ]
        assert got == messages
        assert not buffer.has_begun


@pytest.mark.parametrize("stream", [b"\xff" * 8, (3).to_bytes(8, "big") + b"abc", (9).to_bytes(8, "big") + b"[" * 9])
def test_bytes_that_are_no_frames(stream: bytes) -> None:
    with pytest.raises(FrameError):
        list(FrameBuffer(1_000).feed(stream))


def test_a_task_may_wait_for_an_outcome() -> None:
    heard: list[str] = []

    def tasks() -> Iterator[Task | None]:
        yield _task("echo", 1, key="first")
        while not heard:
            yield None
        yield _task("echo", 2, key="second")

    with WorkerPool(FUNCTIONS, workers=2) as pool:
        for outcome in pool.run(tasks()):
            heard.append(outcome.task.key)  # noqa: PERF401 - the tasks look at it meanwhile
        assert heard == ["first", "second"]
        with pytest.raises(ValueError, match="nothing is being done"):
            list(pool.run([None]))


def test_a_task_may_have_less_time_than_others_and_its_payload_is_not_shown(pool: WorkerPool) -> None:
    task = Task("short", "isolation_functions:sleep", 7_654_321, seconds=0.5)
    outcome = pool.run_one(task)
    assert isinstance(outcome, Failed)
    assert (outcome.code, outcome.reason) == ("timeout", "the work took longer than 0.5 s and was stopped")
    assert "7654321" not in repr(outcome)


# ---- one worker, asked by whoever holds it


@pytest.fixture
def counter() -> Iterator[Worker]:
    limits = WorkerLimits(seconds=20, counts_silence=True)
    worker = Worker(ServiceName("isolation_functions:counting_service", {"start": 5}), limits)
    yield worker
    worker.stop()


def test_a_service_keeps_what_it_opened_and_tells_on_the_way(counter: Worker) -> None:
    heard: list[Any] = []
    counter.wait_until_ready()
    for expected in (6, 7):
        outcome = counter.ask(Task("", "count", 3), listener=heard.append)
        assert isinstance(outcome, Done)
        assert outcome.result["number"] == expected
    assert heard == [0, 1, 2, 0, 1, 2]


def test_a_service_works_on_while_nobody_asks(counter: Worker) -> None:
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        outcome = counter.ask(Task("", "count", 0))
        assert isinstance(outcome, Done)
        if outcome.result["idle_steps"] == 3:
            return
    pytest.fail("nothing was done ahead")


@pytest.mark.slow
def test_silence_counts_and_not_the_whole_time() -> None:
    limits = WorkerLimits(seconds=1.0, counts_silence=True)
    worker = Worker(ServiceName("isolation_functions:counting_service", {"start": 0}), limits)
    try:
        outcome = worker.ask(Task("", "count_slowly", [0.3] * 6))
        assert isinstance(outcome, Done)
        outcome = worker.ask(Task("", "count_slowly", [30]))
        assert isinstance(outcome, Failed)
        assert outcome.code == "timeout"
    finally:
        worker.stop()


def test_a_cancelled_task_can_be_waited_for_and_tells_nobody_any_more(counter: Worker) -> None:
    heard: list[Any] = []
    outcome = counter.ask(Task("", "count_slowly", [0.2] * 3), listener=heard.append, cancelled=lambda: bool(heard))
    assert isinstance(outcome, Failed)
    assert (outcome.code, heard) == ("cancelled", [0])
    assert isinstance(counter.outcome(), Done)
    assert heard == [0]
    assert counter.is_usable


def test_an_error_is_told_with_its_classes_and_a_dead_process_without() -> None:
    refused = ask_once("isolation_functions:raise_ours", None, WorkerLimits())
    assert isinstance(refused, Failed)
    assert (refused.is_refusal, refused.error_classes[:2]) == (True, ("DocumentError", "MathragError"))
    foreign = ask_once("isolation_functions:raise_foreign", None, WorkerLimits())
    assert isinstance(foreign, Failed)
    assert (foreign.is_refusal, foreign.error_classes[0]) == (False, "KeyError")
    gone = ask_once("isolation_functions:leave", 3, WorkerLimits())
    assert isinstance(gone, Failed)
    assert (gone.code, gone.error_classes) == ("crashed", ())
    alarmed = ask_once("isolation_functions:kill_itself", "SIGALRM", WorkerLimits())
    assert isinstance(alarmed, Failed)
    assert alarmed.code == "timeout"


def test_a_worker_that_does_not_get_ready_says_why() -> None:
    unusable = ask_once("no_such_module:read", None, WorkerLimits())
    assert isinstance(unusable, Failed)
    assert (unusable.code, "no_such_module" in unusable.reason) == ("unusable", True)
    service = ServiceName("isolation_functions:unwilling_service", None)
    worker = Worker(service, WorkerLimits())
    with pytest.raises(WorkerStartError, match=r"^no room$"):
        worker.wait_until_ready()
    worker.stop()
    slow = Worker(service, WorkerLimits(start_seconds=0.0))
    with pytest.raises(WorkerLateError, match="not ready after 0 s"):
        slow.wait_until_ready()
    slow.stop()
    assert slow.process.wait(timeout=60) is not None


def test_strict_json_has_no_odd_numbers_and_no_half_characters() -> None:
    given = {1: float("nan"), "a": [float("inf"), 1.5, ("x\ud800", None, True)]}
    assert strict_json(given) == {"1": None, "a": [None, 1.5, ["x?", None, True]]}


# ---- programs of others


def test_a_program_gets_bytes_and_gives_bytes(tmp_path: Path) -> None:
    code = (
        "import sys, os; sys.stdout.write(sys.stdin.read().upper() + os.getcwd()); sys.stderr.write('hm'); sys.exit(3)"
    )
    end = run_program([sys.executable, "-c", code], folder=tmp_path, seconds=20, data=b"abc", largest_output=1_000_000)
    assert (end.status, end.output, end.complaint) == (3, b"ABC" + os.fsencode(tmp_path.resolve()), "hm")
    merged = run_program([sys.executable, "-c", code], folder=tmp_path, seconds=20)
    assert merged.output == b""
    assert "hm" in merged.complaint


def test_a_program_that_writes_too_much_or_takes_too_long_is_ended(tmp_path: Path) -> None:
    loud = [sys.executable, "-c", "import sys; sys.stderr.write('<' + 'x' * 9_000 + '>'); print('y' * 200_000)"]
    end = run_program(loud, folder=tmp_path, seconds=20, largest_output=100_000)
    assert end.output is None or end.status != 0
    assert (end.complaint[0], len(end.complaint) < 9_000) == ("<", True)
    with pytest.raises(ProgramLateError):
        run_program([sys.executable, "-c", "import time; time.sleep(60)"], folder=tmp_path, seconds=0.3)
    with pytest.raises(OSError, match="no-such-program"):
        run_program([str(tmp_path / "no-such-program")], folder=tmp_path, seconds=1)


def _process_of_a_pool(**changes: Any) -> int:
    settings: dict[str, Any] = {"workers": 1, "limits": WorkerLimits(seconds=20, megabytes=300), **changes}
    with WorkerPool(FUNCTIONS, keeps_spares=True, **settings) as pool:
        outcome = pool.run_one(_task("which_process"))
    assert isinstance(outcome, Done)
    assert isinstance(outcome.result, int)
    return outcome.result


def test_a_process_without_work_waits_for_the_next_pool_of_its_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        first = _process_of_a_pool()
        assert _is_alive(first)
        assert _process_of_a_pool() == first
        others = {_process_of_a_pool(limits=WorkerLimits(seconds=20, megabytes=301))}
        monkeypatch.setenv("SOMETHING", "else")
        others.add(_process_of_a_pool())
        assert first not in others
        assert len(others) == 2
    finally:
        SPARES.clear()
    _wait_until_gone(first)


def test_a_process_in_doubt_does_not_wait() -> None:
    limits = WorkerLimits(seconds=20, megabytes=300)
    try:
        with WorkerPool(FUNCTIONS, workers=1, limits=limits, keeps_spares=True) as pool:
            spent = pool.run_one(_task("which_process"))
            assert isinstance(spent, Done)
            assert isinstance(pool.run_one(_task("kill_itself", "SIGKILL")), Failed)
        assert _process_of_a_pool(limits=limits) != spent.result
        waiting = _process_of_a_pool(limits=limits)
        os.kill(waiting, 9)
        _wait_until_gone(waiting)
        assert _process_of_a_pool(limits=limits) != waiting
    finally:
        SPARES.clear()


def test_a_process_that_ends_while_it_waits_costs_no_task() -> None:
    """Its parent may not see that yet when it gives the task: here the process stands still before it ends."""
    with WorkerPool(FUNCTIONS, workers=1, limits=WorkerLimits(seconds=20)) as pool:
        first = pool.run_one(_task("which_process"))
        assert isinstance(first, Done)
        os.kill(first.result, signal.SIGSTOP)
        threading.Timer(0.3, os.kill, (first.result, signal.SIGKILL)).start()
        second = pool.run_one(_task("which_process"))
    assert isinstance(second, Done)
    assert second.result != first.result


def test_nobody_waits_for_ever_and_not_too_many() -> None:
    limits = WorkerLimits(seconds=20, megabytes=300)
    workers = [Worker(FUNCTIONS, limits) for _ in range(2)]
    for worker in workers:
        worker.wait_until_ready()
    spares = Spares(most=1, seconds=0.2)
    spares.put("kind", workers[0])
    spares.put("kind", workers[1])
    _wait_until_gone(workers[0].process.pid)
    _wait_until_gone(workers[1].process.pid)
    assert spares.take("kind") is None
