"""FormulaReasoning: stated answers with units, formulas named in two languages, the document made of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mathrag.errors import LibraryError
from mathrag.evaluate.formula_reasoning import load_reasoning, read_answer, reasoning_document
from mathrag.library import Library

SHARED = Path(__file__).parents[2].parent / "shared" / "data" / "formulareasoning"


@pytest.mark.parametrize(
    ("text", "value", "units"),
    [
        ("1.8×10^7 J", 1.8e7, ("J",)),
        ("7.5×10^{-3} m^3", 7.5e-3, ("m^3",)),
        ("10^5 Pa", 1e5, ("Pa",)),
        ("37.5%", 37.5, ("percent",)),
        ("40％", 40, ("percent",)),
        ("25℃", 25, ("degC", "delta_degC")),
        ("70°C", 70, ("degC", "delta_degC")),
        ("0.202703", 0.202703, ("",)),
        ("65A", 65, ("A",)),
        ("15 Ω", 15, ("ohm",)),
        ("126J/（kg•℃）", 126, ("J/(kg*delta_degC)",)),
        ("0.246 kW•h", 0.246, ("kW*h",)),
    ],
)
def test_stated_answers_are_read(text: str, value: float, units: tuple[str, ...]) -> None:
    found = read_answer(text)
    assert found is not None
    assert found[0] == pytest.approx(value)
    assert found[1] == units


@pytest.mark.parametrize("text", ["", "J", "many", "12 10^3 J", "3 whatsits"])
def test_what_cannot_be_read_is_left_out(text: str) -> None:
    assert read_answer(text) is None


ENTRIES = [
    ("Q_吸=c×m×Δt", {"Q_吸": "Heat absorbed", "c": "Specific heat capacity", "m": "Mass", "Δt": "Temperature change"}),
    ("η=W_有/Q_放*100%", {"η": "Efficiency", "W_有": "Useful work", "Q_放": "Heat released"}),
    ("U_{实际}=sqrt(P_{实际}*R)", {"U_{实际}": "Actual voltage", "P_{实际}": "Actual power", "R": "Resistance"}),
    ("t_末=min(t_理论,100℃)", {"t_末": "Final temperature", "t_理论": "Theoretical temperature"}),
]


@pytest.mark.slow
def test_the_formulas_become_a_document_that_can_be_computed(tmp_path: Path) -> None:
    formulas = tmp_path / "formulas.json"
    listed = [
        {"formula": formula, "symbol_map": [{"symbol": one, "en_name": name} for one, name in names.items()]}
        for formula, names in ENTRIES
    ]
    formulas.write_text(json.dumps(listed), encoding="utf-8")
    text, notices = reasoning_document(formulas, formulas)
    assert notices == ["3 formulas of the file of formulas were written into the document; 1 could not be"]
    assert "$$Q_{\\mathrm{absorbed}} =c \\times m \\times \\Delta t $$" in text
    assert "$W_{\\mathrm{useful}}$ is the useful work" in text
    page = tmp_path / "page.md"
    page.write_text(text, encoding="utf-8")
    with Library(tmp_path / "library") as library:
        library.ingest([page], workers=1)
        assert [formula.status for formula in library.formulas()] == ["executable"] * 3


def test_without_formulas_those_of_the_solutions_are_used(tmp_path: Path) -> None:
    questions = tmp_path / "questions.json"
    entry = {
        "id": "1_1",
        "question": " How much work? ",
        "answer": "6 J",
        "formula_list": ["[work done]=[traction force]×[driving distance]"],
    }
    questions.write_text(json.dumps([entry, {**entry, "id": "1_2", "answer": "much"}]), encoding="utf-8")
    text, _ = reasoning_document(None, questions)
    assert "## work done" in text
    truths, notices = load_reasoning(questions)
    assert [(truth.tier, truth.question, truth.units) for truth in truths] == [("1 step", "How much work?", ("J",))]
    assert notices == ["1 questions whose answer cannot be read were left out"]


@pytest.mark.parametrize("text", ["{", "3", "[3]", '[{"id": 3}]', "[]", "[" * 100_000])
def test_other_files_are_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "file.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(LibraryError):
        load_reasoning(file)


@pytest.mark.skipif(not SHARED.is_dir(), reason="../shared/data/formulareasoning is not here")
def test_nearly_all_of_the_real_file_is_read() -> None:
    truths, _ = load_reasoning(SHARED / "ood_test_en.json")
    assert len(truths) >= 390
    text, _ = reasoning_document(SHARED / "formulas.json", SHARED / "ood_test_en.json")
    assert text.count("\n## ") >= 255
