"""A share of `make babble`: a real, very small model babbles, and nothing of its own gets through."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from babbling import weights

TOOL = Path(__file__).parent.parent / "tools" / "babble.py"


@pytest.mark.soak
@pytest.mark.skipif(weights() is None, reason="the small model is not installed; `make test` installs it")
def test_a_babbling_model_gets_nothing_through(tmp_path: Path) -> None:
    page = tmp_path / "model.md"
    command = [sys.executable, str(TOOL), "--questions", "5", "--chunks", "4", "--out", str(tmp_path), "--report"]
    run = subprocess.run([*command, str(page)], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout[-2000:]
    text = page.read_text(encoding="utf-8")
    assert "| **violations** | 0 | **violations** | 0 |" in text
    calls = re.search(r"\| calls \| (\d+) \| calls \| (\d+) \|", text)
    assert calls is not None
    assert int(calls[1]) >= 5
    assert int(calls[2]) >= 2
