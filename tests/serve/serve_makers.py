"""Documents, a library and servers for the tests of what is served: in process, and as a process of its own."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from starlette.testclient import TestClient

from mathrag.library import Library
from mathrag.serve.app import make_app
from mathrag.serve.options import ServeOptions

MECHANICS = r"""# Notes on mechanics

## Kinetic energy

The energy of a moving body.

$$E_k = \frac{1}{2} m v^2$$

where $E_k$ is the kinetic energy in J, $m$ is the mass in kg and $v$ is the speed in m/s.

Example. For 1500 kg at 20 m/s, $E_k = \frac{1}{2} \times 1500\,\mathrm{kg} \times (20\,\mathrm{m/s})^2 = 3.0 \times
10^5\,\mathrm{J}$.

## Momentum

$$p = m v$$

where $p$ is the momentum in kg m/s, $m$ is the mass in kg and $v$ is the speed in m/s.

## Spring force

$$F = k x$$

where $F$ is the force in N, $k$ is the spring constant in N/m and $x$ is the extension in m.

The speed of sound in dry air is $c_s = 343$ m/s.
"""
CIRCUITS = r"""# Notes on circuits

## Ohm's law

$$V = I R$$

where $V$ is the voltage in V, $I$ is the current in A and $R$ is the resistance in ohm.

## Electric power

$$P = V I$$

where $P$ is the power in W, $V$ is the voltage in V and $I$ is the current in A.
"""
# Whatever shows these must show them as text.
HOSTILE = r"""---
title: "<script>alert('title')</script>"
---

# Hostile

## \<img src=x onerror=alert('label')\> energy

$$W_h = q_h U_h$$

where $W_h$ is the <b onclick=alert(1)>work</b> in J, $q_h$ is the charge in C and $U_h$ is the voltage in V.
"""
QUESTION = "What is the kinetic energy of 2 kg at 3 m/s?"
TOKEN = "a-token-of-enough-letters"


def make_library(folder: Path) -> Path:
    """A library of small documents."""
    documents = folder / "documents"
    documents.mkdir(parents=True)
    for name, text in (("mechanics.md", MECHANICS), ("circuits.md", CIRCUITS), ("hostile.md", HOSTILE)):
        (documents / name).write_text(text, encoding="utf-8")
    with Library(folder / "library") as library:
        report = library.ingest([documents], workers=1)
        assert not report.failed
    return folder / "library"


@contextlib.contextmanager
def client_of(library: Path, *, is_ready: bool = True, **options: Any) -> Iterator[TestClient]:
    """A client of an app in this process, when it is ready to answer; what asks nothing need not wait for that."""
    options.setdefault("workers", 1)
    app = make_app(ServeOptions(library=library, **options))
    with TestClient(app, base_url="http://localhost:8000", client=("127.0.0.1", 50000)) as client:
        assert not is_ready or app.state.mathrag.pool.wait_until_ready(60)
        yield client


class RunningServer:
    """`mathrag serve` as a process: its address, its log, and ways to end it."""

    def __init__(self, library: Path, *arguments: str, environment: dict[str, str] | None = None) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "mathrag", "serve", "--library", str(library), "--port", "0", "--workers", "1",
             *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **(environment or {})},
        )  # fmt: skip
        assert self.process.stdout is not None
        self.log: list[str] = []
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        line = self.process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found is not None, (line, "".join(self.log))
        self.address = found.group().rstrip("/")

    def _listen(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.log.append(line)

    @property
    def port(self) -> int:
        """The port it took."""
        return int(self.address.rpartition(":")[2])

    def ask(self, path: str, body: Any = None, *, method: str | None = None, **headers: str) -> tuple[int, Any]:
        """Status and content of a reply; JSON is read."""
        data = None if body is None else json.dumps(body).encode()
        if data is not None:
            headers.setdefault("Content-Type", "application/json")
        request = Request(f"{self.address}{path}", data, headers, method=method)
        try:
            with urlopen(request, timeout=60) as reply:
                status, content, kind = reply.status, reply.read(), reply.headers.get("Content-Type", "")
        except HTTPError as error:
            with error:
                status, content, kind = error.code, error.read(), error.headers.get("Content-Type", "")
        return status, json.loads(content) if "json" in kind else content.decode()

    def wait_until_ready(self, seconds: float = 60) -> None:
        """Wait until questions can be answered."""
        deadline = time.monotonic() + seconds
        while self.ask("/healthz")[0] != 200:
            assert time.monotonic() < deadline, "".join(self.log)
            time.sleep(0.05)

    def children(self) -> list[int]:
        """The processes it has started that still run."""
        return descendants(self.process.pid)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """End it with a signal; its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        code = self.process.wait(timeout=30)
        self._listener.join(timeout=10)
        for pipe in (self.process.stdout, self.process.stderr):
            assert pipe is not None
            pipe.close()
        return code


def descendants(process: int) -> list[int]:
    """Processes below one, by the system's list of parents."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError, IndexError, ValueError):
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                if fields[0] != "Z":
                    parents.setdefault(int(fields[1]), []).append(int(entry.name))
    found, waiting = [], [process]
    while waiting:
        below = parents.get(waiting.pop(), [])
        found += below
        waiting += below
    return found


def is_running(process: int) -> bool:
    """Whether a process exists and is no zombie."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (OSError, IndexError):
        return False


def wait_for(condition: Any, *, seconds: float = 30, what: str = "it") -> Any:
    """Wait until something is true; what it was."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline, f"{what} did not happen within {seconds} s"
        time.sleep(0.02)
    return found


def csrf_of(html: str) -> str:
    """The secret that a page gives its forms."""
    found = re.search(r'name="csrf" value="([^"]+)"', html)
    assert found is not None, html[:500]
    return found.group(1)
