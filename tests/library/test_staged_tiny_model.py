"""A run in stages with a real, very small model over a real connection: killed in both stages and resumed. One switch,
by what a server in between saw; nothing asked twice but what was under way; unknown scores counted."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from babbling import small_model, weights
from mathrag.library import Library

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(weights() is None, reason="the small model is not installed; `make test` installs it"),
]
SOLVED = [
    ("Tom packs 9 crates with 7 vases each and sells 20 vases. How many vases are left?", "9 * 7 = 63", "43"),
    ("Eva packs 5 crates with 6 cups each and sells 11 cups. How many cups are left?", "5 * 6 = 30", "19"),
]
ASKED = [
    ("Pia packs 7 crates with 8 vases each and sells 9 vases. How many vases are left?", "7 * 8 = 56", "47"),
    ("Kai packs 4 crates with 9 cups each and sells 5 cups. How many cups are left?", "4 * 9 = 36", "31"),
    ("Mia packs 3 crates with 6 lamps each and sells 2 lamps. How many lamps are left?", "3 * 6 = 18", "16"),
]


class Between(ThreadingHTTPServer):
    """Passes requests on to the one small model, whatever model they name, and writes down which one that was.

    The small model hardly ever gives a verdict. So one text is called a help here, and what is asked of the scorer
    about cups gets a reply that is no verdict for certain; everything else is its own word.
    """

    daemon_threads = True

    def __init__(self, address: str, name: str) -> None:
        super().__init__(("127.0.0.1", 0), _Passing)
        self.address, self.name = address, name
        self.seen: list[tuple[str, str]] = []
        self.lock = threading.Lock()

    def handle_error(self, *_: Any) -> None:
        """Whoever asked was killed: nothing to say about that."""


class _Passing(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        between = self.server
        assert isinstance(between, Between)
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        name = str(body["model"])
        with between.lock:
            between.seen.append((name, json.dumps(body["messages"]) + str(body.get("seed"))))
        said = _verdict(body["messages"][-1]["content"]) if name == "scorer" else ""
        if said:
            choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": said}}
            self._reply(200, json.dumps({"choices": [choice], "model": name}).encode())
            return
        request = urllib.request.Request(
            f"{between.address}{self.path.removeprefix('/v1')}",
            json.dumps({**body, "model": between.name}).encode(),
            {"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=600) as reply:
            self._reply(reply.status, reply.read())

    def _reply(self, status: int, data: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


def _verdict(text: str) -> str:
    """What the scorer says without the model; empty where the model is asked."""
    if "Eva packs" in text:
        return "Perhaps."
    return "Yes." if "Pia packs" in text and "Tom packs" in text else ""


@contextmanager
def in_between() -> Iterator[Between]:
    with small_model() as endpoint:
        between = Between(endpoint.address, endpoint.name)
        thread = threading.Thread(target=between.serve_forever, daemon=True)
        thread.start()
        try:
            yield between
        finally:
            between.shutdown()
            between.server_close()


def file_of(path: Path, rows: list[tuple[str, str, str]]) -> Path:
    lines = [
        {
            "problem": text,
            "solution": f"First ${step}$. Then subtract.",
            "answer": answer,
            "subject": "Prealgebra",
            "level": 1,
        }
        for text, step, answer in rows
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def lines_in(file: Path) -> int:
    return file.read_bytes().count(b"\n") if file.exists() else 0


def test_one_switch_killed_and_resumed(tmp_path: Path) -> None:
    with Library(tmp_path / "library") as library:
        library.import_solutions(file_of(tmp_path / "solved.jsonl", SOLVED))
    asked, out = file_of(tmp_path / "asked.jsonl", ASKED), tmp_path / "out"
    with in_between() as between:
        server = f"http://127.0.0.1:{between.server_address[1]}/v1"
        settings = {
            "MATHRAG_LLM_MODEL_JUDGE": f"scorer@{server}",
            "MATHRAG_LLM_MODEL_REASON": f"writer@{server}",
            "MATHRAG_LLM_CONCURRENCY": "1",
            "MATHRAG_LLM_TIMEOUT_SECONDS": "600",
            "MATHRAG_LIBRARY": str(tmp_path / "library"),
        }
        command = [sys.executable, "-m", "mathrag", "evaluate", "math", str(asked), "--way", "whole", "--n", "2"]
        command += ["--scorer", "judge", "--threshold", "0.1", "--search", "flat", "--tokens", "30", "--out", str(out)]
        kills = 0
        for file, wanted in (("scores.jsonl", 2), ("attempts.jsonl", 3)):
            process = subprocess.Popen(command, env={**os.environ, **settings})
            until = time.monotonic() + 600
            while lines_in(out / file) < wanted and process.poll() is None and time.monotonic() < until:
                time.sleep(0.01)
            process.kill()
            process.wait()
            kills += 1
            assert not (out / "report.json").exists(), "it was killed before its end"
        subprocess.run(command, env={**os.environ, **settings}, check=True, timeout=900)
        seen = list(between.seen)
        subprocess.run(command, env={**os.environ, **settings}, check=True, timeout=900)
        assert between.seen == seen, "a finished run asks nobody"
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    names = [name for name, _ in seen]
    assert names == ["scorer"] * names.count("scorer") + ["writer"] * names.count("writer")
    assert report["switches"] == 1
    assert sum(Counter(seen).values()) - len(set(seen)) <= kills, "only what was under way is asked again"
    assert (report["problems"], report["solved"], report["stopped"]) == (3, 3, "")
    scores = [json.loads(line)["score"] for line in (out / "scores.jsonl").read_text(encoding="utf-8").splitlines()]
    assert report["scores"]["unknown"] == scores.count(None) >= 3
    assert report["scores"]["known"] == len(scores) - scores.count(None)
    covered = next(row for row in report["coverage"] if row["threshold"] == 0.1)
    assert 1 <= covered["problems"] <= 3
    assert (out / "report.md").read_text(encoding="utf-8").startswith("# Mathematics: asked")
