"""A run that is killed loses nothing that was handed out and pays for nothing twice but what was under way."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import killed_run


def test_a_killed_run_goes_on_where_it_was(tmp_path: Path) -> None:
    bill, got = tmp_path / "bill", tmp_path / "got"
    kills = 0
    for wanted in (5, 25, 60):
        process = subprocess.Popen([sys.executable, killed_run.__file__, str(tmp_path), "100000"])
        deadline = time.monotonic() + 60
        while (not bill.exists() or len(bill.read_text().splitlines()) < wanted) and time.monotonic() < deadline:
            time.sleep(0.005)
        process.kill()
        process.wait()
        kills += 1
    handed_out = {line for line in got.read_text().splitlines() if line}
    charged = bill.read_text().splitlines()
    assert len(charged) - len(set(charged)) <= kills, "only what was under way is asked again"
    before = len(charged)
    killed_run.run(tmp_path, len(set(charged)))
    again = bill.read_text().splitlines()[before:]
    assert len(again) <= 1, "everything else is there"
    assert not {line.removeprefix("reply to ") for line in handed_out} & set(again)
