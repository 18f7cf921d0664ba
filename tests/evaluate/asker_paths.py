"""Let worker processes find the fake askers, and let an edit of the program during a test change nothing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def use_fake_askers(patch: pytest.MonkeyPatch) -> None:
    """Worker processes inherit the environment, not the import path."""
    known = os.environ.get("PYTHONPATH")
    patch.setenv("PYTHONPATH", os.pathsep.join([str(Path(__file__).parent), *([known] if known else [])]))
    patch.setattr("mathrag.library.evaluate.evaluation.program_fingerprint", lambda: "program")
    patch.setattr("mathrag.library.evaluate.evaluation.reading_fingerprint", lambda: "reading")
