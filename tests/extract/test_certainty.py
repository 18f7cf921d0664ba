"""Guesses at what a page shows: kept as findings of their own, and nothing around them builds on them."""

from __future__ import annotations

from mathrag.extract.pipeline import extract
from mathrag.types.document import CERTAIN, Cell, Content, Display, Document, Math, Paragraph, Place, Table, Text
from mathrag.types.library import Extraction


def _place(page: int) -> Place:
    return Place(page=page, box=(72.0, 100.0, 200.0, 112.0))


def _math(source: str, confidence: float, *, page: int = 1, is_display: bool = True) -> Math:
    doubts = () if confidence == 1 else ("one sign has no identity",)
    return Math(source, "latex", _place(page), source, is_display, confidence=confidence, doubts=doubts)


def _display(source: str, confidence: float, *, page: int = 1) -> Display:
    math = _math(source, confidence, page=page)
    return Display(math.place, source, math)


def _extracted(*blocks: Display | Paragraph | Table) -> Extraction:
    return extract(Document("a.pdf", "application/pdf", "0" * 64, blocks), document_id="d-1")


def test_only_certain_readings_are_executable() -> None:
    for confidence, status, code in (
        (1.0, "executable", ""),
        (CERTAIN, "executable", ""),
        (CERTAIN - 0.01, "declined", "uncertain_reading"),
        (0.0, "declined", "uncertain_reading"),
    ):
        (finding,) = _extracted(_display("E = m c^2", confidence)).findings
        assert (finding.status, finding.reason_code, finding.latex) == (status, code, "E = m c^2")
        assert finding.span.place == _place(1)
        assert (finding.equation is None) is (status == "declined")
        assert ("one sign has no identity" in finding.reason) is (status == "declined")


def test_the_same_guess_in_two_places_is_two_formulas() -> None:
    found = _extracted(_display("x = y", 0.2), _display("x = y", 0.2, page=2), _display("", 0.0, page=3)).findings
    assert len({finding.form for finding in found}) == 3
    certain = _extracted(_display("E = m c^2", 1.0), _display("E = m c^2", 0.2)).findings
    assert [finding.status for finding in certain] == ["executable", "declined"]
    assert certain[0].form != certain[1].form


def test_nothing_builds_on_a_guess_beside_it() -> None:
    def table(confidence: float) -> Table:
        def cell(*content: Text | Math) -> Cell:
            return Cell(content, _place(1))

        header = tuple(cell(Text(title)) for title in ("Symbol", "Name", "Value", "Unit"))
        symbol = _math("g", confidence, is_display=False)
        value = _math("9.81", confidence, is_display=False)
        row = (cell(symbol), cell(Text("standard gravity")), cell(value), cell(Text("m/s^2")))
        return Table(_place(1), "", (header,), (row,))

    assert len(_extracted(table(1.0)).constants) == 1
    assert _extracted(table(0.5)).constants == ()

    def where(confidence: float) -> Paragraph:
        content: Content = (
            Text("where "), _math("q", confidence, is_display=False), Text(" is the electric charge in C."),
        )  # fmt: skip
        return Paragraph(_place(1), "", content)

    assert [one.name for one in _extracted(where(1.0)).definitions] == ["q"]
    assert _extracted(where(0.5)).definitions == ()
