"""`mathrag watch` on real files: taken up, taken up again after a restart, removed only when told."""

from __future__ import annotations

import shlex
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from command_lines import run_line
from mathrag.library import Library

pytestmark = pytest.mark.slow
NOTES = "# Notes\n\n## Work\n\n$$W = F s$$\n\nwhere $W$ is the work in J, $F$ the force in N and $s$ the path in m.\n"


def _once(folder: Path, library: Path, *words: str) -> str:
    line = shlex.join(["mathrag", "watch", str(folder), "--library", str(library), "--once", "--settle", "0.2", *words])
    code, out, err = run_line(f"{line} --workers 1", folder.parent)
    assert code == 0, err
    return out


@pytest.mark.soak
def test_files_are_taken_up_failures_named_and_removal_asked_for(tmp_path: Path) -> None:
    folder, library = tmp_path / "notes", tmp_path / "library"
    folder.mkdir()
    (folder / "a.md").write_text(NOTES)
    (folder / "bad.pdf").write_bytes(b"%PDF-1.7\nnot really")
    first = _once(folder, library)
    assert "added      a.md: 1 formulas" in first
    assert "failed     bad.pdf" in first
    (folder / "a.md").write_text(NOTES.replace("W = F s", "W = 2 F s"))
    assert "replaced   a.md" in _once(folder, library)
    (folder / "a.md").unlink()
    assert "its document stays" in _once(folder, library)
    with Library(library) as opened:
        assert [info.name for info in opened.documents()] == ["a.md"]
    assert "removed    a.md" in _once(folder, library, "--remove")
    with Library(library) as opened:
        assert opened.documents() == []


@pytest.mark.soak
def test_a_file_that_arrives_while_it_watches(tmp_path: Path) -> None:
    folder, library = tmp_path / "notes", tmp_path / "library"
    folder.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "mathrag", "watch", str(folder), "--library", str(library), "--settle", "0.3",
         "--every", "0.1", "--workers", "1"],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    lines: list[str] = []
    assert process.stdout is not None
    listener = threading.Thread(target=lambda: lines.extend(iter(process.stdout.readline, "")), daemon=True)  # type: ignore[union-attr]
    listener.start()
    try:
        _wait(lines, "watching")
        (folder / "a.md").write_text(NOTES)
        _wait(lines, "added      a.md")
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 0
    finally:
        process.kill()
        process.wait()
        listener.join(timeout=10)
        process.stdout.close()


def _wait(lines: list[str], text: str) -> None:
    deadline = time.monotonic() + 120
    while not any(text in line for line in list(lines)):
        assert time.monotonic() < deadline, lines
        time.sleep(0.05)
