"""Many people asking one server at once, while documents are uploaded: times, errors, memory. For `make load`.

Starts `mathrag serve` on a library of made-up formulas (kept between runs), or asks one that runs already (--address).
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import synthetic_library
from bench_asking import grown_library

JSON = {"Content-Type": "application/json"}


@dataclass
class Tally:
    """What came of all requests."""

    times: list[float] = field(default_factory=list)
    first_events: list[float] = field(default_factory=list)
    pages: list[float] = field(default_factory=list)
    outcomes: dict[str, int] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, outcome: str, seconds: float) -> None:
        """Count one answer."""
        with self.lock:
            self.times.append(seconds)
            self.outcomes[outcome] = self.outcomes.get(outcome, 0) + 1


def main() -> int:
    """Run, print, and say with the exit code whether there were errors."""
    options = _options()
    with contextlib.ExitStack() as stack:
        if options.address:
            address, process = options.address.rstrip("/"), None
        else:
            address, process = stack.enter_context(_server(options.formulas))
        questions = _questions(options.formulas)
        memory: list[float] = []
        before = 0.0 if process is None else _processor_seconds(process)
        tally = _asked(address, questions, options, process, memory)
        spent = 0.0 if process is None else _processor_seconds(process) - before
    _print(tally, memory, options)
    if spent and tally.times:
        # Holds on a machine with other work to do, too, where the times say little.
        each = spent / len(tally.times) * 1e3
        print(f"processor        {spent:.1f} s in all, {each:.1f} ms an answer, reading included")
    return 1 if tally.errors else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--address", default="", help="a server that runs already")
    parser.add_argument("--formulas", type=int, default=5_000)
    parser.add_argument("--askers", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--documents", type=int, default=20, help="uploaded meanwhile")
    parser.add_argument("--pause", type=float, default=0.0, help="how long an asker thinks between two questions")
    parser.add_argument("--repeated", type=float, default=0.0, help="share of questions that are asked again and again")
    return parser.parse_args()


@contextlib.contextmanager
def _server(formulas: int) -> Iterator[tuple[str, int]]:
    """A server of our own, on a copy of the library, for it will be added to."""
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "library"
        shutil.copytree(grown_library(formulas), library)
        process = subprocess.Popen(
            [sys.executable, "-m", "mathrag", "serve", "--library", str(library), "--port", "0"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+?(?=/ )", process.stdout.readline())
            assert found is not None, "the server did not start"
            address = found.group()
            while _request(address, "GET", "/healthz")[0] != 200:
                time.sleep(0.1)
            _rest(process.pid)
            yield address, process.pid
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=60)


def _rest(process: int) -> None:
    """Wait until the server has read what it reads ahead: what is measured is one that has been running."""
    spent = -1.0
    for _ in range(60):
        if _processor_seconds(process) - spent < 0.05:
            return
        spent = _processor_seconds(process)
        time.sleep(1)


def _questions(formulas: int) -> list[str]:
    return [entry.question() for entry in synthetic_library.entries(formulas)]


def _request(
    address: str, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
) -> tuple[int, bytes]:
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=120)
    try:
        connection.request(method, path, body, headers or {})
        reply = connection.getresponse()
        return reply.status, reply.read()
    finally:
        connection.close()


def _asked(
    address: str, questions: list[str], options: argparse.Namespace, process: int | None, memory: list[float]
) -> Tally:
    tally, until = Tally(), time.monotonic() + options.seconds
    threads = [
        threading.Thread(target=_asker, args=(address, questions, number, until, tally, options))
        for number in range(options.askers)
    ]
    if options.documents:
        threads.append(threading.Thread(target=_uploader, args=(address, options.documents, tally)))
    threads.append(threading.Thread(target=_watcher, args=(address, until, tally)))
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        if process is not None:
            memory.append(_memory(process))
        time.sleep(1)
    return tally


def _asker(
    address: str, questions: list[str], number: int, until: float, tally: Tally, options: argparse.Namespace
) -> None:
    """One person: a question, its answer, perhaps a pause, the next question; on one connection."""
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=120)
    turn = number * 97
    while time.monotonic() < until:
        turn += 1
        is_repeated = (turn * 7919 % 1000) / 1000 < options.repeated
        question = questions[turn % 20 if is_repeated else turn * 131 % len(questions)]
        began = time.perf_counter()
        try:
            connection.request("POST", "/api/v1/ask", json.dumps({"question": question}), JSON)
            reply = connection.getresponse()
            content = reply.read()
        except OSError as error:
            with tally.lock:
                tally.errors.append(f"{type(error).__name__}: {error}")
            connection.close()
            continue
        if reply.status != 200:
            with tally.lock:
                tally.errors.append(f"{reply.status}: {content[:200]!r}")
        else:
            tally.add(json.loads(content)["outcome"], time.perf_counter() - began)
        if options.pause:
            time.sleep(options.pause)
    connection.close()


def _watcher(address: str, until: float, tally: Tally) -> None:
    """Now and then a page, as somebody would who only looks."""
    while time.monotonic() < until:
        began = time.perf_counter()
        status, _ = _request(address, "GET", "/")
        with tally.lock:
            tally.pages.append(time.perf_counter() - began)
            if status != 200:
                tally.errors.append(f"page: {status}")
        time.sleep(0.5)


def _uploader(address: str, documents: int, tally: Tally) -> None:
    """Documents dropped on the page together; all must be read."""
    body = b"".join(_part(number) for number in range(documents)) + b"--x--\r\n"
    headers = {"Content-Type": "multipart/form-data; boundary=x"}
    status, content = _request(address, "POST", "/api/v1/jobs/uploads", body, headers)
    if status != 202:
        with tally.lock:
            tally.errors.append(f"upload: {status} {content[:200]!r}")
        return
    path = f"/api/v1/jobs/{json.loads(content)['id']}"
    while (job := json.loads(_request(address, "GET", path)[1]))["state"] in ("queued", "running"):
        time.sleep(0.5)
    failed = [file for file in (job["report"] or {}).get("files", ()) if file["state"] == "failed"]
    if job["state"] != "done" or failed or job["done"] != documents:
        with tally.lock:
            tally.errors.append(f"job: {job['state']} {job['reason']} {failed[:2]}")


def _part(number: int) -> bytes:
    text = f"# Notes {number}\n\n## Work {number}\n\n$$W_{{{number}}} = F_{{{number}}} s$$\n\nwhere $s$ is in m.\n"
    head = f'--x\r\nContent-Disposition: form-data; name="files"; filename="load-{number}.md"\r\n\r\n'
    return f"{head}{text}\r\n".encode()


def _memory(process: int) -> float:
    """Megabytes of a process and of all it started; what they share counts once each."""
    total = 0.0
    for one in _family(process):
        with contextlib.suppress(OSError, ValueError, IndexError):
            total += int(Path(f"/proc/{one}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    return total


def _processor_seconds(process: int) -> float:
    """Processor time of a process and of all it started, those that have ended included."""
    total = 0.0
    for one in _family(process):
        with contextlib.suppress(OSError, ValueError, IndexError):
            fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
            total += sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return total


def _family(process: int) -> list[int]:
    found, waiting = [], [process]
    while waiting:
        found.append(waiting.pop())
        with contextlib.suppress(OSError, ValueError):
            for task in Path(f"/proc/{found[-1]}/task").iterdir():
                waiting += map(int, (task / "children").read_text().split())
    return found


def _print(tally: Tally, memory: list[float], options: argparse.Namespace) -> None:
    times = sorted(tally.times)
    print(f"askers           {options.askers} for {options.seconds:g} s over {options.formulas} formulas")
    print(f"answers          {len(times)} ({len(times) / options.seconds:.1f} a second) {tally.outcomes}")
    if times:
        print(f"p50, p95, max    {_at(times, 0.5):.3f} s, {_at(times, 0.95):.3f} s, {times[-1]:.3f} s")
    if tally.pages:
        print(f"page /           median {statistics.median(tally.pages):.3f} s, worst {max(tally.pages):.3f} s")
    if memory:
        third = max(1, len(memory) // 3)
        first, last = statistics.mean(memory[:third]), statistics.mean(memory[-third:])
        print(f"memory           {first:.0f} MB at first, {last:.0f} MB at last, {max(memory):.0f} MB at most")
    print(f"errors           {len(tally.errors)} {tally.errors[:3]}")


def _at(ordered: list[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


if __name__ == "__main__":
    sys.exit(main())
