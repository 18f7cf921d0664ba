"""PDFs made from formulas of our own come back as they were written: floors by font, nothing wrong that is believed."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[4] / "tools"))

from pdf_truth.judging import Verdict
from pdf_truth.make import make_variant
from pdf_truth.score import THRESHOLD, Scored, score, truths
from pdf_truth.variants import SMALL_VARIANTS, TEX_VARIANTS

DATA = Path(__file__).parent / "data"
# Percent that must come back right in the small documents: display, table, inline (formulas and single symbols).
FLOORS = {
    "small-browser": (80, 80, 80),
    "small-computer-modern": (85, 90, 90),
    "small-latin-modern": (95, 90, 90),
    "small-palatino": (90, 90, 90),
    "small-times": (95, 90, 90),
    "small-two-columns": (85, 80, 85),
    "small-unicode": (95, 90, 85),
}
# The same for whole documents that are made on the spot, and the most that may be wrong but believed, in percent. These
# are what was reached, a little less; docs/reports/pdf.md says what is wanted.
MADE_FLOORS = {
    "cm-10": (97, 97, 95, 1),
    "lm-11": (96, 96, 96, 1),
    "mathptmx-11": (97, 93, 94, 1),
    "mathpazo-11": (96, 85, 94, 2),
    "cm-two-columns": (97, 95, 94, 1),
}


def _percent(scored: Scored, *where: str) -> float:
    asked: list[Verdict] = [each for each in scored.judgement.verdicts if each.expected.where in where]
    return 100 * sum(each.outcome == "right" for each in asked) / len(asked)


def _shares(scored: Scored) -> tuple[float, float, float]:
    return _percent(scored, "display"), _percent(scored, "table"), _percent(scored, "inline", "symbol")


def _missed(scored: Scored) -> str:
    """What to look at when a floor is broken."""
    misses = [each for each in scored.judgement.verdicts if each.outcome != "right"]
    came = [each.found.latex if each.found else "nothing" for each in misses]
    return "\n".join(
        f"page {miss.page} {miss.expected.where}: {miss.expected.latex}  came as  {got}"
        for miss, got in zip(misses, came, strict=True)
    )


def _believed(scored: Scored) -> list[str]:
    wrong = [each.found.latex for each in scored.judgement.verdicts if each.is_believed and each.found]
    return wrong + [each.latex for each in scored.judgement.invented_believed]


def _scored(folder: Path, name: str) -> Scored:
    (truth,) = truths(folder, [name])
    return score(*truth, threshold=THRESHOLD)


@pytest.mark.parametrize("variant", SMALL_VARIANTS, ids=lambda each: each.name)
def test_small_documents_come_back_as_written(variant: object) -> None:
    scored = _scored(DATA, variant.name)
    for share, floor in zip(_shares(scored), FLOORS[variant.name], strict=True):
        assert share >= floor, _missed(scored)
    assert _believed(scored) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", MADE_FLOORS)
def test_made_documents_come_back_as_written(name: str, tmp_path: Path) -> None:
    variant = next(each for each in TEX_VARIANTS if each.name == name)
    if not shutil.which(variant.engine):
        pytest.skip(f"{variant.engine} is not installed; `make pdf-truth-tools` installs what these documents need")
    make_variant(variant, tmp_path)
    scored = _scored(tmp_path, name)
    *floors, most_believed = MADE_FLOORS[name]
    for share, floor in zip(_shares(scored), floors, strict=True):
        assert share >= floor, _missed(scored)
    believed = _believed(scored)
    assert 100 * len(believed) / scored.judgement.executable <= most_believed, believed
