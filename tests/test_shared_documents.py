"""Every formula of the real documents is read, declined or flagged: nothing crashes, nothing hangs."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))

from shared_documents import DOCUMENTS, documents, formulas_of

from mathrag.calculator import read_formula
from mathrag.types.expression import Declined

if not DOCUMENTS.is_dir():
    pytest.skip("the documents of ../shared are not here", allow_module_level=True)


@pytest.mark.corpora
@pytest.mark.parametrize("path", documents(), ids=lambda path: path.relative_to(DOCUMENTS).as_posix())
def test_every_formula_gets_an_answer(path: Path) -> None:
    for notation, source in formulas_of(path):
        reading = read_formula(source, notation=notation)  # type: ignore[arg-type]
        # The first unit of a process loads the unit registry, hence the room.
        if isinstance(reading, Declined):
            assert len(reading.reason) > 8
            assert reading.position is None or 0 <= reading.position <= len(source)
        else:
            assert reading.equations or reading.expression is not None


@pytest.mark.corpora
def test_most_of_the_physics_book_is_read() -> None:
    """A floor well under what is reached, to notice when a change breaks reading at large."""
    book = DOCUMENTS / "openstax-physics" / "physics.html"
    readings = [read_formula(source, notation="mathml") for _, source in formulas_of(book)]
    assert sum(not isinstance(reading, Declined) for reading in readings) > 0.8 * len(readings)
