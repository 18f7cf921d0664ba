"""What is told of work that grows: squared is found, a step and a limit are not taken for it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from trust import growing


def _found(monkeypatch: pytest.MonkeyPatch, seconds: Callable[[int], float], *, longest: int = 4_000) -> growing.Growth:
    """What is told of work that takes so many seconds for a size, by a clock that only that work moves."""
    clock = [0.0]
    monkeypatch.setattr(growing, "_processor_seconds", lambda: clock[0])

    def work(size: int) -> None:
        clock[0] += seconds(size)

    return growing.growth_of(work, lambda size: size, longest=longest)


def test_work_in_proportion_is_linear(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _found(monkeypatch, lambda size: size / 20_000).is_linear


@pytest.mark.parametrize("longest", [4_000, 16_000, 256_000])
def test_squared_work_is_found(monkeypatch: pytest.MonkeyPatch, longest: int) -> None:
    assert not _found(monkeypatch, lambda size: (size / 5_000) ** 2, longest=longest).is_linear


def test_a_step_is_no_growth(monkeypatch: pytest.MonkeyPatch) -> None:
    found = _found(monkeypatch, lambda size: size / 200_000 if size < 3_000 else size / 20_000)

    assert found.is_linear
    assert found.size == 16_000


def test_squared_up_to_a_limit_is_no_growth(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _found(monkeypatch, lambda size: (min(size, 4_000) / 5_000) ** 2).is_linear
