"""What questions leave out because everybody knows it: properties in tables of the document, particles, molar masses,
radii, where motion begins, and quantities that cancel. Each is shown in the answer; what nobody knows is refused."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mathrag.library import Library
from mathrag.types.answer import Answer, Refusal

CASES = tomllib.loads(Path(__file__).with_name("what_people_leave_out.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("left-out")
    (folder / "notes.md").write_text(CASES["document"], encoding="utf-8")
    with Library(folder / "library") as made:
        made.ingest([folder / "notes.md"], workers=1)
        yield made


@pytest.mark.parametrize("case", CASES["answered"], ids=lambda case: case["question"][:50])
def test_what_everybody_knows_is_filled_in_and_shown(library: Library, case: dict[str, Any]) -> None:
    outcome = library.ask(case["question"])
    assert isinstance(outcome, Answer), outcome
    assert outcome.quantity.si_value == pytest.approx(case["answer"], rel=5e-3)
    assert any(case["shown"] in text for text in outcome.assumptions), outcome.assumptions


@pytest.mark.parametrize("question", CASES["refused"])
def test_what_nobody_knows_is_not_made_up(library: Library, question: str) -> None:
    assert isinstance(library.ask(question), Refusal)


def test_every_formula_of_a_system_is_a_step_with_its_source(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    # What is computed, whatever the promise: few exercises with printed answers say yet how sure such plans are.
    monkeypatch.setenv("MATHRAG_PROMISED_PRECISION", "0.5")
    outcome = library.ask(CASES["system"]["question"])
    assert isinstance(outcome, Answer), outcome
    assert outcome.quantity.si_value == pytest.approx(CASES["system"]["answer"], rel=5e-3)
    assert {step.target for step in outcome.steps} == set(CASES["system"]["targets"])
    assert len(outcome.citations) >= len(outcome.steps)
    assert any("cancels out" in text for text in outcome.assumptions)
