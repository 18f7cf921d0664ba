"""Answers from a file instead of from a library: what evaluation is tested with. Runs in the worker processes."""

from __future__ import annotations

import json
import os
import time
from functools import cache
from pathlib import Path
from typing import Any

from mathrag.library import Library

ANSWERS = Path(__file__).parent / "data" / "small" / "answers.json"
ASK = "fake_asker:ask"
ASK_SLOWLY = "fake_asker:ask_slowly"
ASK_AND_CRASH = "fake_asker:ask_and_crash"
FAIL = "fake_asker:fail"


@cache
def _identifiers(folder: str) -> dict[str, str]:
    with Library(folder, create=False) as library:
        return {" ".join(formula.latex.split()): formula.id for formula in library.formulas()}


def ask(payload: Any) -> Any:
    """The answer in the file, with the ids that its formulas have in the library."""
    answer = json.loads(ANSWERS.read_text(encoding="utf-8"))[payload["question"]]
    known = _identifiers(payload["library"])
    return answer | {"formulas": [one | {"id": known.get(one["latex"], "")} for one in answer["formulas"]]}


def ask_slowly(payload: Any) -> Any:
    time.sleep(0.4)
    return ask(payload)


def ask_and_crash(payload: Any) -> Any:
    if "sack" in payload["question"]:
        os._exit(3)
    return ask(payload)


def fail(_: Any) -> Any:
    raise ValueError("nobody is at home")
