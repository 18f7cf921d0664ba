"""The checkers of violations find what they are for: numbers in every disguise, entries that no document states."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from babbling import MADE_UP_QUERIES, STORED_QUERIES, document_forms
from library_violations import constant_faults, formula_faults
from mathrag.library import Library
from mathrag.library.ask.document_session import ask_by_method
from mathrag.llm.metered import Models
from mathrag.llm.seams import ScriptedModel
from mathrag.reason.agent.episode import EpisodeResult
from mathrag.types.answer import Answer, Reply
from mathrag.types.expression import Equation, Number
from recorded.playing import DOCUMENTS
from violations import Shelf, document_violations, outcome_violations

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


# ---- answers about documents

LOOMS = """# Looms and yarns

| yarn | breaks | length |
|---|---|---|
| wool | 17 | 5.25 |
| silk | 23 | 4.5 |

Forty-eight days were woven.
"""
BREAKS = "How much more often does silk break than wool?"


@pytest.fixture(scope="module")
def looms(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("looms")
    (folder / "looms.md").write_text(LOOMS, encoding="utf-8")
    with Library(folder / "library") as library:
        library.ingest([folder / "looms.md"], workers=1)
        yield library


def episode(library: Library, *script: str) -> EpisodeResult:
    with Models.of(ScriptedModel(script)) as models:
        return ask_by_method(library, BREAKS, method="neusym", models=models)


def told(result: EpisodeResult, library: Library, text: str) -> list[str]:
    """What is found where the answer says this instead."""
    assert isinstance(result.outcome, Reply), result.outcome
    outcome = replace(result.outcome, text=text)
    return document_violations(outcome, BREAKS, library, events=result.events, stored=STORED_QUERIES)


@pytest.fixture(scope="module")
def difference(looms: Library) -> EpisodeResult:
    query = f'RetrieveFromDatabase(sql="{STORED_QUERIES[0]}")'
    made_up = f'RetrieveFromDatabase(sql="{MADE_UP_QUERIES[0]}")'
    return episode(looms, query, made_up, 'CalculateExpr(expr="23 / 17")', "GenerateAnswer(answer=1.35)")


@pytest.mark.parametrize("truth", ["1.35", "1.353 times", "23 and 17", "5.25"])
def test_what_was_seen_or_calculated_may_be_said_of_documents(
    truth: str, difference: EpisodeResult, looms: Library
) -> None:
    assert told(difference, looms, truth) == []


@pytest.mark.parametrize("lie", ["42", "forty-two", "1.36", "4242", "17.5", "４２", "half of it", "23 of 42"])
def test_a_lie_about_documents_is_found(lie: str, difference: EpisodeResult, looms: Library) -> None:
    assert told(difference, looms, lie)


def test_what_a_text_spells_out_may_be_said_in_digits(looms: Library) -> None:
    result = episode(looms, 'RetrieveFromVectorstore(query="days woven")', 'GenerateAnswer(answer="48 days")')
    assert told(result, looms, "48 days") == []
    assert told(result, looms, "49 days")


def test_a_number_that_was_not_looked_up_is_found(looms: Library) -> None:
    result = episode(looms, 'GenerateAnswer(answer="the documents do not say it")')
    assert told(result, looms, "the documents do not say it") == []
    assert told(result, looms, "23")


def test_a_calculation_over_numbers_of_its_own_is_found(difference: EpisodeResult, looms: Library) -> None:
    events = list(difference.events)
    laundered = replace(events[2].action, inputs={"expr": "23 * 0 + 42"})
    result = replace(difference, events=(*events[:2], replace(events[2], action=laundered), *events[3:]))
    assert told(result, looms, "1.35")


def test_a_quotation_that_was_not_seen_is_found(difference: EpisodeResult, looms: Library) -> None:
    outcome = difference.outcome
    assert isinstance(outcome, Reply)
    citation = outcome.citations[0]
    invented = replace(citation, span=replace(citation.span, quote="silk never breaks"))
    result = replace(difference, outcome=replace(outcome, citations=(invented,)))
    assert told(result, looms, "1.35")


def test_queries_that_are_offered_to_a_babbling_model_run(looms: Library) -> None:
    for sql in (*STORED_QUERIES, *MADE_UP_QUERIES):
        result = episode(looms, f'RetrieveFromDatabase(sql="{sql}")', 'GenerateAnswer(answer="no")')
        assert result.events[0].observation.code in ("found", "nothing_found"), sql
    forms = document_forms("[Observation]: 17 and 5.25 of d-0123456789ab\n\nAllowed now: x (19 turns left).")
    assert len({form.name for form in forms}) == 5
    assert all("19" not in str(form.schema) for form in forms)
