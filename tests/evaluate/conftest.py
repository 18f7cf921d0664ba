"""The small question set, and worker processes that answer from a file."""

from __future__ import annotations

from pathlib import Path

import pytest
from asker_paths import use_fake_askers


@pytest.fixture
def small_set() -> Path:
    return Path(__file__).parent / "data" / "small"


@pytest.fixture
def askers(monkeypatch: pytest.MonkeyPatch) -> None:
    use_fake_askers(monkeypatch)
