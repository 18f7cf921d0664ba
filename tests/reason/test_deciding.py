"""What is computed, asked back or refused, for a small library: the decision and its reasons."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from mathrag.library import Library
from mathrag.library.ask.asker import Asker
from mathrag.reason.choosing.confidence import confidence_model
from mathrag.reason.decision import Decider, Decision
from mathrag.reason.judge import Judge
from mathrag.reason.question import read_question
from mathrag.retrieve.vector_search import VectorSearch
from mathrag.types.answer import Refusal

NOTES = r"""# Notes

## Kinetic energy

$$E_k = \frac{1}{2} m v^2$$

where $E_k$ is the kinetic energy in J, $m$ is the mass in kg and $v$ is the speed in m/s.

## Force

$$F = m a$$

where $F$ is the force in N, $m$ is the mass in kg and $a$ is the acceleration in m/s^2.

## Average speed

$$v = \frac{d}{t}$$

where $v$ is the average speed in m/s, $d$ is the distance in m and $t$ is the time in s.

## Pressure of an ideal gas

$$P = \frac{n R T}{V}$$

where $P$ is the pressure in Pa, $n$ is the amount of substance in mol, $R$ is the gas constant, $T$ is the temperature
in K and $V$ is the volume in m^3.
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("decided")
    (folder / "notes.md").write_text(NOTES, encoding="utf-8")
    with Library(folder / "library") as made:
        made.ingest([folder / "notes.md"], workers=1)
        yield made


@pytest.fixture(scope="module")
def decider(library: Library) -> Decider:
    sources = Asker(library.database, VectorSearch(library.database, library.embedder)).sources
    return Decider(Judge(sources.finder, sources.load_constant, sources.name_document))


def refusal(decision: Decision) -> Refusal:
    assert decision.refusal is not None
    assert decision.refusal.reason
    return decision.refusal


@pytest.mark.parametrize(
    ("text", "target", "symbols"),
    [
        ("What is the kinetic energy of a mass of 2 kg at a speed of 3 m/s?", "E_k", {"m", "v"}),
        ("A force of 6 N acts on a mass of 2 kg. What is the acceleration?", "a", {"F", "m"}),
        ("What is the pressure of 2 mol of an ideal gas at 300 K in 0.5 m^3?", "P", {"n", "R", "T", "V"}),
    ],
)
def test_a_complete_plan_is_suggested(decider: Decider, text: str, target: str, symbols: set[str]) -> None:
    decision = decider.decide(read_question(text))
    assert decision.refusal is None
    best = decision.choices[0]
    assert best.confidence >= confidence_model().answer
    assert [step.target for step in best.steps] == [target]
    assert {bound.symbol for bound in best.steps[0].bindings} == symbols
    assert best.missing == ()
    assert [choice.score for choice in decision.choices] == sorted((c.score for c in decision.choices), reverse=True)


def test_a_constant_comes_from_the_table(decider: Decider) -> None:
    decision = decider.decide(read_question("What is the pressure of 2 mol of an ideal gas at 300 K in 0.5 m^3?"))
    constant = next(bound for bound in decision.choices[0].steps[0].bindings if bound.symbol == "R")
    assert constant.provenance.origin == "constant"
    assert constant.quantity is not None
    assert constant.quantity.si_value == pytest.approx(8.314462618)


def test_what_is_missing_is_named(decider: Decider) -> None:
    found = refusal(decider.decide(read_question("What is the kinetic energy of a body at a speed of 3 m/s?")))
    assert found.code == "missing"
    assert [(each.symbol, each.words, each.unit) for each in found.missing] == [("m", "mass", "kg")]
    assert "mass" in found.reason
    assert found.nearest[0].label == "Kinetic energy"
    assert found.proposal == ()


def test_a_contradiction_is_told(decider: Decider) -> None:
    found = refusal(decider.decide(read_question("kinetic energy with m = 2 kg, m = 3 kg and v = 3 m/s")))
    assert found.code == "contradiction"
    assert "m" in found.reason


def test_nothing_fits(decider: Decider) -> None:
    found = refusal(decider.decide(read_question("What is the capacitance of plates of 3 m^2 that are 2 mm apart?")))
    assert found.code in ("no_formula", "missing")
    assert len(found.nearest) <= 3


def test_a_pinned_formula_is_used_whatever_the_confidence(decider: Decider, library: Library) -> None:
    only = library.formula("Force")
    decision = decider.decide(read_question("m = 2 kg, a = 3 m/s^2"), only=only)
    assert decision.refusal is None
    assert {step.formula.id for choice in decision.choices for step in choice.steps} == {only.id}
    incomplete = refusal(decider.decide(read_question("m = 2 kg"), only=only))
    assert incomplete.code == "missing"


def test_a_chain_refers_to_its_earlier_step(decider: Decider) -> None:
    text = "What is the kinetic energy of a mass of 2 kg that covers a distance of 12 m in a time of 4 s?"
    decision = decider.decide(read_question(text))
    assert [step.target for step in decision.choices[0].steps] == ["v", "E_k"]
    inner, outer = decision.choices[0].steps
    assert inner.needed_steps == ()
    assert outer.needed_steps == (1,)


def test_no_number_is_in_a_refusal(decider: Decider) -> None:
    """What would be computed may be shown, never its result."""
    for text in ("42", "m = 2 kg, v = 3 m/s", "what about 3 m/s?", "kinetic energy"):
        decision = decider.decide(read_question(text))
        assert decision.refusal is not None, text
        assert not re.search(r"\d", decision.refusal.reason), text


def test_the_same_question_is_decided_the_same(decider: Decider) -> None:
    for text in ("What is the force on 2 kg at 3 m/s^2?", "m = 2 kg, v = 3 m/s", "hello"):
        first, second = (decider.decide(read_question(text)) for _ in range(2))
        assert first.choices == second.choices
        assert first.refusal == second.refusal


def test_a_stronger_promise_gives_fewer_numbers(library: Library) -> None:
    sources = Asker(library.database, VectorSearch(library.database, library.embedder)).sources
    texts = (
        "What is the kinetic energy of a mass of 2 kg at a speed of 3 m/s?",
        "A cart of 2 kg, 7 s, 9 mol and 3 m/s: how much energy?",
        "What work is done in 4 s on 2 kg at 3 m/s?",
    )

    def given(promise: float) -> set[str]:
        decider = Decider(Judge(sources.finder, sources.load_constant, sources.name_document), promise=promise)
        return {text for text in texts if decider.decide(read_question(text)).refusal is None}

    assert texts[0] in given(0.9)
    assert given(0.9999) <= given(0.97) <= given(0.9) <= given(0.0)


def test_what_is_missing_is_told_in_words_without_symbols(decider: Decider) -> None:
    said = refusal(decider.decide(read_question("What is the kinetic energy of a body at a speed of 3 m/s?")))
    assert said.code == "missing"
    assert said.reason == "the question does not give mass"
    assert all(needed not in {"m", "v", "F", "P"} for near in said.nearest for needed in near.needs)


def test_the_nearest_formulas_speak_of_what_the_question_speaks_of(decider: Decider) -> None:
    said = refusal(decider.decide(read_question("How does an ideal gas of 3 candela feel?")))
    assert said.code == "no_formula"
    assert "gas" in said.nearest[0].label
