"""Formulas that the rules declined: a model may give them structure, a picture may confirm a guess. Nothing more."""

from __future__ import annotations

from dataclasses import replace

import pytest
from golden_cases import Read

from mathrag.documents.views import make_views
from mathrag.extract.pipeline import extract
from mathrag.extract.proposals import FormulaProposal, Parameter, apply_proposals
from mathrag.types.document import Display, Document, Heading, Math, Paragraph, Place, Text
from mathrag.types.library import Extraction

PLACE = Place(page=1)
PARAMETERS = (
    Parameter("E", "kinetic energy", "J"),
    Parameter("m", "mass", "kg"),
    Parameter("v", "velocity", "m/s"),
)


def _known(source: str, *, confidence: float = 1.0) -> Read:
    math = Math(source, "latex", PLACE, source, is_display=True, confidence=confidence, doubts=("a sign is unknown",))
    blocks = (
        Heading(PLACE, "Energy", 1, (Text("Energy"),)),
        Paragraph(PLACE, "The energy is", (Text("The kinetic energy of a body is"),)),
        Display(PLACE, source, math),
        Paragraph(PLACE, "Done.", (Text("That is all about it."),)),
    )
    document = Document("energy.pdf", "application/pdf", "0" * 64, blocks, title="Energy")
    return Read(document, make_views(document).chunks, extract(document, document_id="doc"))


def _apply(known: Read, proposal: FormulaProposal) -> tuple[Extraction, list[str]]:
    found, rejected = apply_proposals(
        known.extraction, known.chunks, [proposal], model_name="m", document=known.document
    )
    return found, [one.code for one in rejected]


def _proposal(latex: str, quote: str) -> FormulaProposal:
    return FormulaProposal(0, "P1", "{}", latex=latex, quote=quote, parameters=PARAMETERS)


GUESS = r"E = \frac{1}{2} m v^{2}"


def test_a_guess_of_the_page_proves_nothing() -> None:
    known = _known(GUESS, confidence=0.4)
    assert [one.status for one in known.extraction.findings] == ["declined"]
    found, codes = _apply(known, _proposal(GUESS, GUESS))
    assert found == known.extraction
    assert codes == ["uncertain_source"]


def test_a_picture_confirms_a_guess() -> None:
    known = _known(GUESS, confidence=0.4)
    found, codes = _apply(known, replace(_proposal(GUESS, GUESS), was_seen=True))
    assert codes == []
    (finding,) = found.findings
    assert finding.status == "executable"
    assert finding.position == known.extraction.findings[0].position
    assert {one.origin for one in finding.symbols} <= {"proposed", "document"}
    assert any(flag.code == "proposed_by_model" for flag in finding.flags)


@pytest.mark.parametrize(
    "seen", [r"E = \frac{1}{2} m v^{3}", r"E = m v^{2}", r"E = \frac{1}{2} v m^{2}", r"E = 2 m v^2"]
)
def test_a_picture_that_shows_something_else_does_not(seen: str) -> None:
    known = _known(GUESS, confidence=0.4)
    found, codes = _apply(known, replace(_proposal(seen, GUESS), was_seen=True))
    assert found == known.extraction
    assert len(codes) == 1


@pytest.mark.parametrize("source", [r"E \propto m v^2", r"E = \int m v \, dv", r"E \ge m v^2", r"\frac{dE}{dt} = m v"])
def test_what_is_no_equation_does_not_become_one(source: str) -> None:
    known = _known(source)
    found, codes = _apply(known, _proposal("E = m v^2", source))
    assert found == known.extraction
    assert len(codes) == 1


def test_signs_without_structure_get_it_back_only_with_units() -> None:
    known = _known("E = 1 2 m v 2 ?")
    good = _proposal(GUESS, "E = 1 2 m v 2")
    found, codes = _apply(known, good)
    assert codes == []
    assert [one.status for one in found.findings if one.equation is not None] == ["executable"]
    found, codes = _apply(known, replace(good, parameters=()))
    assert [(one.status, one.reason_code) for one in found.findings if one.equation is not None] == [
        ("quarantined", "units_unknown")
    ]
