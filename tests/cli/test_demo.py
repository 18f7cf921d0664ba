"""`mathrag demo` shows what it promises: direct, rearranged, chained, a table, a refusal; nothing is left to luck."""

from __future__ import annotations

from pathlib import Path

import pytest

from mathrag.cli.demo import TOUR
from mathrag.cli.main import main
from mathrag.library import Library
from mathrag.types.answer import Answer, Refusal


@pytest.mark.soak
def test_the_demo_answers_and_refuses_as_it_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--library", str(tmp_path / "library")]) == 0
    out = capsys.readouterr().out
    with Library(tmp_path / "library") as library:
        outcomes = [library.ask(question) for _, question in TOUR]
    direct, rearranged, chained, table, refusal = outcomes
    assert isinstance(direct, Answer)
    assert (direct.quantity.value, direct.quantity.unit.text) == (pytest.approx(1.74375), "kJ")
    assert isinstance(rearranged, Answer)
    assert rearranged.steps[0].rearranged
    assert rearranged.quantity.si_value == pytest.approx(9.80665 * (1.6 / 2 / 3.14159265) ** 2)
    assert isinstance(chained, Answer)
    assert len(chained.steps) == 2
    assert chained.quantity.si_value == pytest.approx(60 / 230 * 7200)
    assert isinstance(table, Answer)
    assert [row.result.value for row in table.rows] == [
        pytest.approx(1239.84 / size, rel=1e-4) for size in (400, 550, 700)
    ]
    assert isinstance(refusal, Refusal)
    assert [each.symbol for each in refusal.missing] == ["T"]
    for words in ("1.74 kJ", "0.994 m", "1880 C", "2.25 eV", "No answer", "temperature"):
        assert words in out
