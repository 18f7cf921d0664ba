"""School mathematics with bare numbers: what is answered with which number, and what gets none."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from mathrag.reason.direct import DirectResult, compute_directly

_TABLE: dict[str, list[Any]] = tomllib.loads(
    Path(__file__).with_name("school_mathematics.toml").read_text(encoding="utf-8")
)
_ANSWERED = [row for name, rows in _TABLE.items() if name != "no_number" for row in rows]


@pytest.mark.parametrize(("question", "value", "unit"), _ANSWERED)
def test_it_is_answered_with_its_number(question: str, value: float, unit: str) -> None:
    found = compute_directly(question)
    assert isinstance(found, DirectResult)
    assert float(found.quantity.value) == pytest.approx(value, rel=1e-5)
    assert found.quantity.unit.text == unit


@pytest.mark.parametrize("question", _TABLE["no_number"])
def test_what_is_open_or_impossible_gets_no_number(question: str) -> None:
    assert not isinstance(compute_directly(question), DirectResult)
