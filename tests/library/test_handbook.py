"""What everybody knows answers where the documents do not, says so, and is silent where they speak themselves."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from library_makers import mathrag
from model_scripts import act

from mathrag.answer.replay import replay
from mathrag.evaluate.formula_identity import Catalogue
from mathrag.evaluate.grades import grade
from mathrag.evaluate.metrics import origin_figures
from mathrag.evaluate.questions import Truth
from mathrag.library import Library
from mathrag.library.ask.models import Models
from mathrag.library.ask.outcomes import outcome_object, render, write_record
from mathrag.library.handbook import DIGEST, handbook_digest
from mathrag.library.handbook_pages import HANDBOOK_FOLDER
from mathrag.library.workers.evaluation_worker import ask_question
from mathrag.llm.messages import ChatRequest
from mathrag.llm.seams import ScriptedModel
from mathrag.store.truth.schema import FILE_NAME
from mathrag.types.answer import Answer, Outcome, Refusal
from mathrag.types.episode import Event

RESERVOIR = r"""# Notes on a reservoir

**Outflow.** The outflow of the reservoir is $Q = k S$, where $Q$ is the outflow in m^3/s, $k$ is the outflow
coefficient in 1/s and $S$ is the stored volume in m^3.

**Energy of motion of a drop**

$$W = \frac{1}{2} M u^2$$

where $W$ is the kinetic energy in J, $M$ is the mass in kg and $u$ is the speed in m/s.

**Daily dose.** The daily dose is $D = c w$, where $D$ is the daily dose in mg, $c$ is the dose coefficient in mg/kg
and $w$ is the weight of the patient in kg.
"""
LENS = "Where does the image form when an object stands 30 cm before a lens of focal length 10 cm?"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("handbook")
    note = made / "reservoir.md"
    note.write_text(RESERVOIR, encoding="utf-8")
    with Library(made / "library") as library:
        library.ingest([note], workers=1)
    return made / "library"


@pytest.fixture
def library(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    monkeypatch.setenv("MATHRAG_HANDBOOK", "yes")
    with Library(folder, create=False) as opened:
        yield opened


def answered(outcome: Outcome) -> Answer:
    assert isinstance(outcome, Answer), outcome.text
    return outcome


@pytest.mark.parametrize(
    ("question", "value", "unit"),
    [
        (LENS, 15.0, "cm"),
        ("What current flows through a heater of 23 ohm on 230 V?", 10.0, "A"),
        ("What is the power of a winch that does 1200 J of work in 8 s?", 150.0, "W"),
        # The plain case has a relation of its own: nobody who says "at right angles" gives an angle as well.
        ("A wire of 0.3 m carries 5 A at right angles to a field of 0.2 T. What is the force on it?", 0.3, "N"),
        ("A stone is thrown straight up at 18 m/s, how high does it get?", 16.51, "m"),
        ("What is the perimeter of a regular hexagon with a side of 9 cm?", 54.0, "cm"),
    ],
)
def test_what_no_document_states_is_answered_and_says_so(
    library: Library, question: str, value: float, unit: str
) -> None:
    found = answered(library.ask(question))
    assert found.quantity.value == pytest.approx(value, rel=1e-3)
    assert (found.unit, found.origin) == (unit, "handbook")
    assert {each.origin for each in found.citations} == {"handbook"}
    assert outcome_object(found)["origin"] == "handbook"
    card = render(found, "text")
    assert "built-in knowledge: " in card
    assert "your documents have no sure answer" in card
    assert "built in: " in card


@pytest.mark.parametrize(
    ("question", "value", "unit"),
    [
        ("cardiac output, HR 80 and SV 65 mL", 5.2, "L/min"),
        ("anion gap Na 141, Cl 102, HCO3 25", 14, "mmol/L"),
        ("HR 80, SV 65 mL, what is the CO?", 5.2, "L/min"),
    ],
)
def test_values_named_as_in_a_form_are_in_the_units_of_the_trade(
    library: Library, question: str, value: float, unit: str
) -> None:
    found = answered(library.ask(question))
    assert (found.quantity.value, found.unit) == (pytest.approx(value), unit)
    assert "taken in the unit that the formula counts in" in render(found, "text")


@pytest.mark.parametrize(
    "question",
    [
        # In theory nobody knows whether metres or centimetres are left out.
        "kinetic energy of a cart of mass 1200 at speed 90",
        # No heart beats so fast.
        "cardiac output, HR 80000 and SV 65 mL",
    ],
)
def test_units_that_are_left_out_elsewhere_are_asked_for(library: Library, question: str) -> None:
    assert isinstance(library.ask(question), Refusal)


@pytest.mark.parametrize(
    "question",
    [
        "What is the bending moment in a beam of 5 m, with a bracket of 3 kg, that carries 8 kN in the middle?",
        "What is the weight of three sacks of 12 kg?",
        "What is the stress in a round rod of 15 mm radius under 6 kN?",
        "What is the moment of inertia of a hollow cube of 2 kg about its axis, radius 0.2 m?",
        "What is the period of a pendulum of 0.8 m on the Moon?",
        "What is the weight of a crate of 40 kg on Venus?",
        "What is the height of an isosceles triangle with sides of 12 cm?",
        "A plane flies at 220 km/h, the wind blows at 30 km/h. What is its ground speed?",
        "What is the energy of 12 photons of 450 nm?",
        "Creatinine clearance by Cockcroft-Gault at 55 years, 80 kg, creatinine 1.1 mg/dL?",
    ],
)
def test_what_a_question_says_is_not_passed_over(library: Library, question: str) -> None:
    assert isinstance(library.ask(question), Refusal)


def test_documents_alone_are_asked_where_that_is_wanted(
    library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert isinstance(library.ask(LENS, only_documents=True), Refusal)
    assert mathrag("ask", LENS, "--library", str(folder)).code == 0
    assert mathrag("ask", LENS, "--library", str(folder), "--only-documents").code == 1
    monkeypatch.setenv("MATHRAG_HANDBOOK", "no")
    assert isinstance(library.ask(LENS), Refusal)
    assert answered(library.ask(LENS, only_documents=False)).origin == "handbook"


def test_a_relation_that_a_document_states_is_taken_from_it(library: Library) -> None:
    found = answered(library.ask("What is the kinetic energy of a 4 kg dog at a speed of 5 m/s?"))
    assert (found.value, found.origin) == (50, "documents")
    assert {each.name for each in found.citations} == {"Notes on a reservoir"}


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ("What is the volume of 0.4 mol of an ideal gas at 95 kPa?", "missing"),
        ("What is the outflow of the reservoir with a stored volume of 300 m^3?", "missing"),
        ("What is the daily dose for a patient with a weight of 70 kg?", "missing"),
        ("What do the Notes on a reservoir say is the capacitance of two plates of 3 m^2, 2 mm apart?", "no_formula"),
    ],
)
def test_what_lacks_a_value_or_is_asked_of_a_document_has_no_number(library: Library, question: str, code: str) -> None:
    found = library.ask(question)
    assert isinstance(found, Refusal)
    assert found.code == code


def test_a_refusal_of_the_handbook_says_what_it_lacks(library: Library) -> None:
    found = library.ask("What is the volume of 0.4 mol of an ideal gas at 95 kPa?")
    assert isinstance(found, Refusal)
    assert [each.symbol for each in found.missing] == ["T"]
    assert found.origin == "handbook"
    assert "built-in knowledge" in render(found, "text")


def test_what_speaks_against_a_plan_binds_the_handbook(library: Library) -> None:
    heated = "How much heat do 2 kg of water take up from 60 °C to 140 °C, with a specific heat of 4186 J/(kg K)?"
    assert isinstance(library.ask(heated), Refusal)


def test_a_formula_of_the_handbook_is_known_by_its_id(library: Library) -> None:
    formula = answered(library.ask(LENS)).steps[0].formula
    assert library.formula(formula.id) == formula
    again = answered(library.ask(LENS.replace("30", "20"), formula=formula.id))
    assert (again.quantity.value, again.origin) == (pytest.approx(20), "handbook")


def test_a_follow_up_leans_on_an_answer_of_the_handbook(library: Library) -> None:
    conversation = library.conversation()
    conversation.ask(LENS)
    found = answered(conversation.ask("and for a focal length of 15 cm?"))
    assert (found.quantity.value, found.origin) == (pytest.approx(30), "handbook")


def test_a_recorded_answer_of_the_handbook_is_the_same_again(library: Library, tmp_path: Path) -> None:
    events: list[Event] = []
    found = library.ask(LENS, listener=events.append)
    write_record(tmp_path / "record.json", library=library, outcome=found, events=events, options={})
    text = (tmp_path / "record.json").read_text(encoding="utf-8")
    report = replay(text, find_formula=lambda name: next(iter(library.find_formulas(name)), None))
    assert not report.changes


def test_an_evaluation_counts_built_in_knowledge_apart(folder: Path) -> None:
    truths = [
        Truth("note-d-001-01", "direct", LENS, 15.0, ("cm",)),
        Truth("note-d-002-01", "direct", "daily dose for c = 2 mg/kg, w = 70 kg?", 140.0, ("mg",)),
    ]
    for is_asked, origins in ((False, {"documents"}), (True, {"documents", "handbook"})):
        options = {"library": str(folder), "planner": "rules", "only_documents": not is_asked}
        answers = [ask_question({**options, "question": each.question}) for each in truths]
        graded = [grade(truth, found, Catalogue([])) for truth, found in zip(truths, answers, strict=True)]
        assert origin_figures(graded) == {name: {"numbers": 1, "right": 1} for name in origins}


def test_the_handbook_was_made_of_the_documents_as_they_are() -> None:
    """Else run `make data`."""
    file = HANDBOOK_FOLDER / FILE_NAME
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as connection:
        assert connection.execute("SELECT value FROM meta WHERE name = ?", (DIGEST,)).fetchone() == (handbook_digest(),)


PUMP = "40 m^3 of water are pumped over a head of 3 m in 2 h. What power does a pump of 60 % efficiency need for that?"


def pumped(library: Library, **options: Any) -> tuple[Outcome, str]:
    """What a model that knows the law comes to, and what it was shown."""

    def use(request: ChatRequest) -> str:
        found = re.search(r"^(\S+): Power of the water pump:", request.messages[1].text, re.MULTILINE)
        values = {"Q": "result_1", "H": "given_2", "eta": "given_4"}
        return act("CALL_TOOL", formula_id=found.group(1) if found else "none", target="P_w", parameters=values)

    search = act("RETRIEVE_MATH_KNOWLEDGE", query="power of a pump from flow rate, head and efficiency")
    flow = act("COMPUTE", expression="given_1 / given_3", meaning="volume flow rate")
    no = act("RESPOND", no="There is no formula for it.")
    model = ScriptedModel([search, flow, use, act("RESPOND"), "It is the power that is asked. Verdict: yes", no, no])
    with Models.of(model) as models:
        outcome = library.ask(PUMP, planner="react", models=models, **options)
    return outcome, model.requests[1].messages[1].text


def test_a_model_may_plan_with_what_everybody_knows_and_the_answer_says_so(library: Library) -> None:
    outcome, shown = pumped(library)
    answer = answered(outcome)
    assert answer.quantity.si_value == pytest.approx(1000 * 9.80665 * 3 * 40 / 7200 / 0.6)
    assert (answer.origin, [each.origin for each in answer.citations]) == ("handbook", ["handbook"])
    assert "built-in knowledge: Power of the water pump" in render(answer, "text")
    # What documents state comes first.
    assert shown.index("Outflow: Q = k S") < shown.index("[built-in knowledge]")


def test_a_model_sees_only_the_documents_where_they_alone_may_answer(library: Library) -> None:
    outcome, shown = pumped(library, only_documents=True)
    assert isinstance(outcome, Refusal)
    assert "[built-in knowledge]" not in shown


def test_what_documents_state_is_not_shown_again_as_built_in(library: Library) -> None:
    search = act("RETRIEVE_MATH_KNOWLEDGE", query="kinetic energy of a moving body from mass and speed")
    model = ScriptedModel([search, act("RESPOND", no="I stop.")])
    with Models.of(model) as models:
        library.ask("A drop of 2 g falls. Which energy does it have?", planner="react", models=models)
    shown = model.requests[1].messages[1].text
    assert "Energy of motion of a drop: W" in shown
    assert not re.search(r"^\S+: Kinetic energy: .*built-in", shown, re.MULTILINE)
