"""Worksheets that a domain person can review: each line with what it gives, or what is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from mathrag.worksheets.engine import Engine

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.txt"))


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_every_line_gives_what_is_written_below_it(file: Path) -> None:
    lines = file.read_text(encoding="utf-8").splitlines()
    sheet = "\n".join(line for line in lines if not line.startswith("  "))
    given: list[str] = []
    for result, line in zip(Engine().run(sheet).lines, sheet.splitlines(), strict=True):
        given.append(line)
        if result.problem is not None:
            given.append(f"  ! {result.problem.message}")
        elif result.text:
            given.append(f"  | {result.text}")
    assert given == lines
