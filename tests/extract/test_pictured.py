"""A formula read in a picture: taken where the signs on the page give the same one, a guess everywhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from mathrag.documents.pdf import doubtful_formulas as doubts_of_pages
from mathrag.documents.pdf.formulas.doubts import CUT_IN_ROW, OPEN_ENDS, SETTLED_BY_SIGHT
from mathrag.extract.formula_reader import uncertainty
from mathrag.extract.pictures import READ_FROM_PICTURE, understood_picture
from mathrag.extract.proposals.records import Problem
from mathrag.types.document import Math, Place
from mathrag.types.library import Finding, Span

PLACE = Place(page=3, box=(1.0, 2.0, 3.0, 4.0))


UNCLEAR = "a script whose level is unclear"


def reason(*doubts: str) -> str:
    return uncertainty(Math("x", "latex", PLACE, "x", confidence=0.5, doubts=doubts)).reason


def guess(source: str, notation: str = "latex", *, doubts: tuple[str, ...] = (UNCLEAR,)) -> Finding:
    return Finding(
        "d-1", 4, "guess-1", source, source, notation, "declined", Span("d-1", PLACE, source),
        reason_code="uncertain_reading", reason=reason(*doubts), label="Kinetic energy",
    )  # fmt: skip


@pytest.mark.parametrize(
    "latex", [r"E_k = \frac{1}{2} m v^2", r"E_k = \tfrac12 m v^{2}", r"\frac{m v^2}{2} = E_k", r"2 E_k = m v v"]
)
def test_two_witnesses(latex: str) -> None:
    found = understood_picture(guess(r"E_k = \frac{1}{2} m v^2"), latex, {}, model="eyes")
    assert isinstance(found, Finding)
    assert (found.status, found.reason_code, found.reason) == ("executable", "", "")
    assert (found.position, found.span.place, found.label) == (4, PLACE, "Kinetic energy")
    assert [flag.code for flag in found.flags] == [READ_FROM_PICTURE]
    assert {symbol.name: symbol.unit for symbol in found.symbols} == {"E_k": "J", "m": "kg", "v": "m/s"}


@pytest.mark.parametrize(
    ("source", "latex", "code"),
    [
        # Digits alone would not tell these apart, and dimensions would not notice.
        (r"E_k = \frac{1}{2} m v^2", r"E_k = 12 m v^2", "page_disagrees"),
        (r"E_k = 12 m v^2", r"E_k = \frac{1}{2} m v^2", "page_disagrees"),
        (r"E_k = \frac{1}{2} m v^2", r"E_k = \frac{1}{2} m v", "page_disagrees"),
        (r"E_k = \square m v^2", r"E_k = \frac{1}{2} m v^2", "page_unreadable"),
        ("", r"E_k = \frac{1}{2} m v^2", "page_unreadable"),
        (r"E_k = \frac{1}{2} m v^2", "a dog", "not_one_equation"),
        (r"E_k = \frac{1}{2} m v^2", r"\frac{1}{2} m v^2", "not_one_equation"),
        (r"E_k = \frac{1}{2} m v^2", "x = 1" * 1000, "not_one_equation"),
    ],
)
def test_one_witness_is_not_enough(source: str, latex: str, code: str) -> None:
    found = understood_picture(guess(source), latex, {}, model="eyes")
    assert isinstance(found, Problem)
    assert found.code == code


def test_a_picture_of_something_that_is_no_latex() -> None:
    found = understood_picture(guess("<math>…</math>", "mathml"), "F = m a", {}, model="eyes")
    assert isinstance(found, Problem)
    assert found.code == "page_unreadable"


@pytest.mark.parametrize(
    "doubts",
    [(), (CUT_IN_ROW,), (UNCLEAR, CUT_IN_ROW), ("something new",), tuple(sorted(SETTLED_BY_SIGHT))[:4]],
)
def test_both_saw_the_same_piece_of_the_page(doubts: tuple[str, ...]) -> None:
    """Agreeing proves nothing where the formula may go on beyond the picture, or where not all doubts are known."""
    found = understood_picture(guess("F = m a", doubts=doubts), "F = m a", {}, model="eyes")
    assert isinstance(found, Problem)
    assert found.code == "picture_is_cut"


def test_the_doubts_are_those_of_the_reader_of_pages() -> None:
    assert not SETTLED_BY_SIGHT & OPEN_ENDS
    folder = Path(doubts_of_pages.__file__).parent / "formulas"
    said = "".join(file.read_text(encoding="utf-8") for file in sorted(folder.glob("*.py")))
    assert [doubt for doubt in sorted(SETTLED_BY_SIGHT) if f'"{doubt}"' not in said] == []
