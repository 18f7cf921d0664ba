"""Questions about substances: values with their steps and sources, statements, refusals with the reason, and nothing
where a text is not wholly understood."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from mathrag.answer.replay import replay, save_replay
from mathrag.reason.agent.endings import answer_directly
from mathrag.reason.direct import DirectFailure, DirectResult, DirectStatement, compute_directly
from mathrag.reason.direct.chemistry import answer_chemistry
from mathrag.reason.question import read_question
from mathrag.types.answer import Answer

FILES = [
    tomllib.loads((Path(__file__).parent / name).read_text(encoding="utf-8"))
    for name in ("chemistry.toml", "chemistry_in_water.toml")
]
ROWS = {
    "computed": {
        text: row
        for file in FILES
        for table, rows in file.items()
        if table not in ("stated", "refused", "left_alone")
        for text, row in rows.items()
    },
    "stated": FILES[0]["stated"] | FILES[1]["stated"],
    "refused": FILES[0]["refused"] | FILES[1]["refused"],
    "left_alone": FILES[0]["left_alone"]["questions"] + FILES[1]["left_alone"]["questions"],
}


@pytest.mark.parametrize("text", ROWS["computed"])
def test_values_have_steps_and_sources(text: str) -> None:
    value, unit = ROWS["computed"][text]
    found = compute_directly(text)
    assert isinstance(found, DirectResult), found
    assert found.kind == "chemistry"
    assert float(found.quantity.value) == pytest.approx(value, rel=5e-6)
    assert found.quantity.unit.text == unit
    assert found.lines
    assert found.text.endswith(".")


@pytest.mark.parametrize("text", ROWS["stated"])
def test_what_is_no_number_is_a_statement(text: str) -> None:
    found = compute_directly(text)
    assert isinstance(found, DirectStatement), found
    assert found.text.startswith(ROWS["stated"][text])


@pytest.mark.parametrize("text", ROWS["refused"])
def test_what_is_open_or_impossible_says_why(text: str) -> None:
    code, says = ROWS["refused"][text]
    found = compute_directly(text)
    assert isinstance(found, DirectFailure), found
    assert found.code == code
    assert says in found.message


@pytest.mark.parametrize("text", ROWS["left_alone"])
def test_what_is_not_wholly_understood_is_left_alone(text: str) -> None:
    assert answer_chemistry(text) is None


def test_weights_are_named_and_assumptions_told() -> None:
    found = compute_directly("How many grams of CO2 are produced when 32 g of CH4 burns?")
    assert isinstance(found, DirectResult)
    assert "the combustion is taken as complete: CH₄ + 2 O₂ → CO₂ + 2 H₂O" in found.notes
    assert "enough O₂ is taken to be there" in found.notes
    sources = {(each.origin, each.text, each.source) for each in found.provenance}
    assert ("question", "32 g", "") in sources
    assert any("atomic weights of C, H, O" in text and "IUPAC" in source for _, text, source in sources)


def test_constants_of_the_table_are_named_as_assumptions() -> None:
    found = compute_directly("What is the pH of 0.1 M acetic acid?")
    assert isinstance(found, DirectResult)
    assert any(note.startswith("pKa of acetic acid: 4.76 (built-in table") for note in found.notes)
    assert any("exact root of the quadratic" in line.text for line in found.lines)
    assert any(each.text == "pKa of acetic acid: 4.76" for each in found.provenance)


def test_a_written_reaction_is_balanced_and_that_is_told() -> None:
    found = compute_directly("Given N2 + H2 -> NH3, how many moles of ammonia are produced from 6.0 mol of H2?")
    assert isinstance(found, DirectResult)
    assert "the reaction is not balanced as stated; it is taken as N₂ + 3 H₂ → 2 NH₃" in found.notes


@pytest.mark.parametrize("length", [10, 1_000, 100_000])
def test_long_texts_end(length: int) -> None:
    for text in (
        "molar mass of " + "(" * length,
        "balance " + "H2 + " * length + "-> O2",
        "mol " * length,
        "-> " * length,
    ):
        found = compute_directly(text)
        assert found is None or isinstance(found, DirectFailure)


def test_an_answer_is_computed_again_from_its_question() -> None:
    outcome = answer_directly(read_question("What is the mass of 0.3 mol of glucose?"))
    assert isinstance(outcome, Answer)
    report = replay(save_replay(outcome))
    assert report.is_same
    assert report.recomputed == 1
