"""The checkers of violations find what they are for: numbers in every disguise, entries that no document states."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from library_violations import constant_faults, formula_faults
from mathrag.library import Library
from mathrag.types.answer import Answer
from mathrag.types.expression import Equation, Number
from recorded.playing import DOCUMENTS
from violations import Shelf, outcome_violations

QUESTION = "What is the kinetic energy of a 2 kg ball at 3 m/s?"


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shelf]:
    with Library(tmp_path_factory.mktemp("checked") / "library") as library:
        library.ingest(sorted(DOCUMENTS.glob("*.md")), workers=1)
        yield Shelf(library)


@pytest.fixture(scope="module")
def honest(shelf: Shelf) -> Answer:
    outcome = shelf.library.ask(QUESTION, planner="rules")
    assert isinstance(outcome, Answer)
    return outcome


def test_an_honest_answer_has_no_violation(honest: Answer, shelf: Shelf) -> None:
    assert outcome_violations(honest, QUESTION, shelf) == []


@pytest.mark.parametrize(
    "lie",
    ["42", "forty-two", "４２", "٤٢", "④②", "𝟒𝟐", "⁴²", "4\u200b2", r"\frac{42}{1}", r"\boxed{42}", "| 42 |", "page 42",
     "10^42", "1e42", "42 %", "2024-05-17", "XLII", "四十二", "quarante-deux", "half of it", "twice that", "a dozen",
     "9 kJ", "3 J", "2 m", "0.9 J", "90 J", "about 10 J", "x42", "f-42", "&#52;2", "https://example.org/42"],
)  # fmt: skip
@pytest.mark.parametrize("field", ["words", "explanation", "warnings"])
def test_a_lie_is_found(lie: str, field: str, honest: Answer, shelf: Shelf) -> None:
    said = f"The kinetic energy is 9 J. {lie}"
    told = replace(honest, warnings=(said,)) if field == "warnings" else replace(honest, **{field: said})
    assert outcome_violations(told, QUESTION, shelf)


@pytest.mark.parametrize(
    "truth", ["The kinetic energy is 9 J.", "It is 0.009 kJ.", "9.00 J for 2 kg at 3 m/s", "E_k = 1/2 m v^2 = 9 J"]
)
def test_the_truth_may_be_said(truth: str, honest: Answer, shelf: Shelf) -> None:
    assert outcome_violations(replace(honest, explanation=truth), QUESTION, shelf) == []


def test_a_value_that_was_not_computed_is_found(honest: Answer, shelf: Shelf) -> None:
    changed = replace(honest.quantity, value=42.0)
    assert outcome_violations(replace(honest, quantity=changed), QUESTION, shelf)
    step = replace(honest.steps[0], result=changed)
    assert outcome_violations(replace(honest, quantity=changed, steps=(step,)), QUESTION, shelf)


def test_a_quote_that_is_in_no_document_is_found(honest: Answer, shelf: Shelf) -> None:
    citation = honest.citations[0]
    invented = replace(citation, span=replace(citation.span, quote="The kinetic energy is always 42 J."))
    assert outcome_violations(replace(honest, citations=(invented,)), QUESTION, shelf)


def test_the_sample_library_has_no_violation(shelf: Shelf) -> None:
    assert [fault for formula in shelf.library.formulas() for fault in formula_faults(formula)] == []
    assert [fault for constant in shelf.library.constants() for fault in constant_faults(constant)] == []


def test_formulas_that_no_document_states_are_found(shelf: Shelf) -> None:
    force = shelf.library.formula("Work done by a force")
    span = force.spans[0]
    assert list(formula_faults(replace(force, spans=(replace(span, quote="Work is done."),))))
    assert list(formula_faults(replace(force, spans=())))
    assert force.equation is not None
    assert list(formula_faults(replace(force, equation=Equation(force.equation.left, Number(7)))))
    wrong = tuple(replace(one, dimension=force.symbols[0].dimension) for one in force.symbols)
    assert list(formula_faults(replace(force, symbols=wrong)))


@pytest.mark.slow
def test_the_starter_documents_are_clean_and_other_digits_are_found(tmp_path: Path) -> None:
    folder = Library.starter_folder()
    with Library(tmp_path / "library") as library:
        library.ingest([folder / "energy-and-momentum.md", folder / "constants.md"], workers=1)
        formulas, constants = library.formulas(), library.constants()
    assert formulas
    assert constants
    assert [fault for formula in formulas for fault in formula_faults(formula)] == []
    assert [fault for constant in constants for fault in constant_faults(constant)] == []
    assert all(list(constant_faults(replace(one, value=Decimal("4.2424242424")))) for one in constants[:20])
