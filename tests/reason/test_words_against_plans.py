"""What the words of a question say, and a plan does not take up, leaves no number."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

from mathrag.library import Library
from mathrag.llm.messages import ChatRequest
from mathrag.llm.metered import Models
from mathrag.llm.seams import ScriptedModel
from mathrag.reason.computing import StepFailure, compute_steps
from mathrag.reason.decision import Decider
from mathrag.reason.judge import RULES, Judge
from mathrag.reason.judge.checks import OF_ONE_HAND
from mathrag.reason.plan_support import support_for
from mathrag.reason.session import Options, prepare_question
from mathrag.types.answer import Answer, Refusal
from thinned import thinned
from trust.asked import ask, starter_library

SAID = (
    ("A force of 70 N acts on a lever 0.20 m from its axis, 25° off the perpendicular. What is the torque?", "origin"),
    ("A ball is thrown at 18 m/s at 40° to the vertical. What maximum height does it reach?", "origin"),
    ("A tram left at 6:00, arrived at 7:00 and took two hours for 30 km. What was its average speed?", "time_of_day"),
    ("Volumes of 12 mL and 18 mL were read off. The mass is 40 g. What is the density?", "list"),
    ("Water (1.0 mPa·s) is driven by 0.80 bar through a pipe of 5.0 m, radius 1.5 cm. What is the flow rate?", "limit"),
    ("Ravi hooks up 40 Ω and 60 Ω in parallel and puts 30 Ω in series. What is the total resistance?", "arranged"),
    ("A diverging lens has a focal length of 12 cm; an object is 24 cm before it. Where is the image?", "sign"),
    ("A snowflake falls 40 m from rest. How long does it take?", "condition"),
    ("A hammer falls from rest from a height of 7 km. What speed does it reach?", "no_number"),
    ("A gas at 2e5 Pa and 300 K is warmed to 330 K at constant pressure. What is its pressure?", "condition"),
    ("What length must a horn have to sound at 220 Hz where sound travels at 341 m/s?", "particular"),
    ("A motor is fed 900 J of heat a stroke and delivers 270 J of work. What is its efficiency?", "other_kind"),
    (
        "What heat melts 0.50 kg of tin, with a specific heat of 230 J/(kg K) and a melting point of 232 °C?",
        "other_kind",
    ),
    ("An alternating voltage is 48 V peak-to-peak. What is the effective voltage?", "other_kind"),
    ("From 14 m/s a sledge comes to rest within 49 m. What is its acceleration?", "constant"),
    (
        "Light of 600 nm meets slits 0.20 mm apart, 1.5 m before a screen. How far out is the fifth bright fringe?",
        "which",
    ),
    (
        "A cyclist at 8.0 m/s waits 1.5 s and then brakes with 2.5 m/s². How far does she get until she stands?",
        "sequence",
    ),
    ("80 mL of water is poured into 40 mL of a 0.9 mol/m³ brine. What is the concentration then?", "added"),
    ("A 4.7 µF capacitor at 50 V is joined to an identical one. What energy is stored in the two together?", "alike"),
    ("A hoop of 1.2 kg rolls along at 2.0 m/s. What is its total kinetic energy?", "part"),
    ("A siren of 700 Hz moves at 25 m/s; sound travels at 340 m/s. What frequency does somebody at rest hear?", "way"),
    ("A string of 0.75 m carries waves at 150 m/s. What is the frequency of its fourth overtone?", "counted"),
    ("How many grams of acetone are in 250 mL of 30 % acetone, with a density of 0.784 g/mL?", "share"),
    ("How many hydrogen atoms are in half a mole of methane gas at home?", "atoms"),
    ("Of 60 m of wire (0.80 mm², resistivity 1.7e-8 Ω m) 25 m were cut off. What is its resistance?", "removed"),
    ("A bus of 12 t at 10 m/s passes a parked 1.5 t van. What is the van's kinetic energy?", "other_speed"),
    ("What is the mean speed, not the rms speed, of helium atoms (4.0 g/mol) at 290 K?", "said_not"),
    (
        "A candle is 45 cm from a converging lens of focal length 15 cm. How far is its image from the candle?",
        "other_distance",
    ),
    ("An electron at 3.0e6 m/s circles in a field of 0.020 T. How wide across is its circle?", "radius"),
    ("A sledge at 12 m/s brakes at a steady 4.0 m/s². How far has it gone after 5.0 s?", "standing"),
    ("3.0 mol of an ideal gas at 320 K expand from 8.0 L to 24 L. What work does the gas do?", "condition"),
    ("15 mL of a 2.0 M solution are diluted with 85 mL of alcohol. What is the concentration?", "added"),
    ("20 mL of a diprotic acid need 32 mL of 0.1 M KOH. What is the concentration of the acid?", "condition"),
    ("3.0 mol of an ideal gas at 320 K are under a gauge pressure of 1.5 bar. What is its volume?", "condition"),
    ("I pour 150 mL of water into 50 mL of 0.80 M acid. What is the new concentration?", "added"),
    ("How do I dilute 50 mL of 0.20 M brine to get a 0.60 M solution: what volume is needed?", "direction"),
    ("What is the internal energy of 1.5 mol of oxygen at 310 K?", "condition"),
    ("A sealed steel bottle holds 5.0 L of gas at 290 K. It is heated to 350 K. What volume has the gas?", "condition"),
    ("What is the energy of the n = 3 level of a lithium atom?", "condition"),
    ("A particle and its antiparticle (106 MeV/c² each) meet at rest. What is their rest energy?", "others"),
    ("A pendulum of 0.80 m is let go at 65 degrees. What is its period?", "condition"),
    (
        "A 9 V battery feeds a transformer of 200 primary and 1000 secondary turns. What is the secondary voltage?",
        "condition",
    ),
    ("A vessel of 2.0 L holds 0.30 mol of water at 30 °C. What is the pressure in it?", "condition"),
    ("What wavelength does hydrogen emit when its electron goes from n = 3 to n = 6?", "direction"),
    ("A cell of 6.0 V and internal resistance 0.25 Ω feeds a lamp of 2.75 Ω. What power does the lamp take?", "untold"),
    ("A cart with a mass of 900 kg and a mass of 1100 kg moves at 20 m/s. What is its kinetic energy?", "two_values"),
    (
        "A lamp with a voltage of 12 V and a current of 2 A has a resistance of 30 Ω. What power does it take?",
        "left_over",
    ),
    ("What is the kinetic energy of a 3 kg ball?", "missing"),
    ("What is the kinetic energy of a ball with a mass of -3 kg at 2 m/s?", "impossible_value"),
    ("What is the kinetic energy of a 2 kg ball at a speed of 3 m/s in kelvin?", "unit"),
    ("What is twice the kinetic energy of a 3 kg ball at 2 m/s?", "multiple"),
    ("A motor takes in 900 J of heat and delivers 270 J. What fraction of the heat is not turned into work?", "rest"),
    ("A train brakes over 300 m in 20 s. At what speed did it go?", "steady"),
    ("What heat warms 2 kg of water from 20 °C to 120 °C?", "change_of_state"),
    ("A steel rod of 2 m is warmed by 30 K, coefficient 1.2e-5 1/K. How long is it then?", "change_for_whole"),
    (
        "A gas at 2.0e5 Pa and 300 K is warmed to 330 K at constant volume. By how much does its pressure grow?",
        "whole_for_change",
    ),
    ("2 kg, 3 m/s.", "nothing_asked"),
    ("The sound intensity is 1e-5 W/m² at a level of 70 dB. What is the intensity?", "reference"),
    (
        "How far from the lens is the image if an object stands 10 cm before a converging lens of focal length 15 cm?",
        "backwards",
    ),
    ("What is the mass of a block of gold of 2 L and 30 N?", "unstated_knowledge"),
    (
        "A horn goes away at 25 m/s and is heard at rest with 700 Hz; sound has 340 m/s. What is the source frequency?",
        "against_motion",
    ),
    (
        "A rocket has 400 kg of fuel, 3 km/s exhaust velocity, an initial mass of 500 kg. What is its velocity change?",
        "other_place",
    ),
    (
        "A brass rod with a length of 3 m is warmed by 40 K, coefficient 1.9e-5 1/K. What is its length?",
        "change_for_whole",
    ),
    ("A pendulum of length 2.0 m swings with a period of 2.84 s. What is its length?", "echo"),
    ("A resistor of 8 Ω has a voltage of 24 V and a current of 2 A. What is its resistance?", "given"),
    ("A current of 2 A flows through a resistance of 6 Ω. What is the current at 18 V?", "given"),
)
OF_VARIANTS = {"variants", "belongs_to_another", "of_another", "named_after_another", "used_twice", "asked_taken"}
NOTES = r"""# Notes

## Kinetic energy

$$E_k = \frac{1}{2} m v^2$$

where $E_k$ is the kinetic energy in J, $m$ is the mass in kg and $v$ is the speed in m/s.

## Weight in a liquid

$$W = (\rho_s - \rho_f) g V$$

where $W$ is the apparent weight in N, $\rho_s$ is the density of the solid in kg/m^3, $\rho_f$ is the density of the
fluid in kg/m^3, $g$ is the gravitational acceleration and $V$ is the volume in m^3.

## Binomial probability

$$P_k = \frac{n!}{k! (n - k)!} p^k (1 - p)^{n - k}$$

where $P_k$ is the binomial probability, $n$ is the number of trials, $k$ is the number of successes and $p$ is the
probability of success in one trial.
"""
# A question of the notes above, and what is found.
SAID_OF_NOTES = (
    ("A 2 kg ball has an initial speed of 3 m/s and a final speed of 4 m/s. What is its kinetic energy?", "state"),
    ("A stone has a density of 2500 kg/m³ and a volume of 2 L. What is its apparent weight?", "whole_for_difference"),
    ("binomial probability n = 12, p = 0.3, 4 cracked flutes of the kiln in a row", "counts"),
)


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("notes")
    (folder / "notes.md").write_text(NOTES, encoding="utf-8")
    with Library(folder / "library") as made:
        made.ingest([folder / "notes.md"], workers=1)
        yield made


@pytest.mark.parametrize(("question", "code"), SAID_OF_NOTES)
def test_no_number_by_notes_either(notes: Library, question: str, code: str) -> None:
    outcome = notes.ask(question)
    assert isinstance(outcome, Refusal), outcome
    assert [each.code for each in outcome.findings] == [code]


def test_there_is_a_question_for_every_finding() -> None:
    # Documents that disagree are in test_rivals.py, stated cases in test_values_of_documents.py, what binds
    # the handbook alone in test_handbook.py, variants and names in test_equal_variants.py; no best plan takes a value
    # in another sense.
    elsewhere = {rule.code for rule, _ in OF_ONE_HAND} | {"disagreement", "other_sense", "case", "factor"} | OF_VARIANTS
    shown = {code for _, code in (*SAID, *SAID_OF_NOTES)} | elsewhere
    assert {rule.code for rule in RULES} == shown


@pytest.mark.parametrize(("question", "code"), SAID)
def test_no_number_where_the_words_say_otherwise(question: str, code: str) -> None:
    outcome = ask(question)
    assert isinstance(outcome, Refusal), outcome
    assert code in {each.code for each in outcome.findings}
    # What was found is quoted from the question.
    for each in outcome.findings:
        assert each.reason
        assert all(0 <= start < end <= len(question) for start, end in each.spans)


WEIGHTS = {rule.code: rule.weight for rule in RULES}
# What no planner can talk away, and what only a careful reader may go on in spite of.
FORBIDDEN = [question for question, code in SAID if WEIGHTS[code] == "hard"]
DOUBTED = [question for question, code in SAID if WEIGHTS[code] == "doubt"]
ROD = "A steel rod of 2 m is warmed by 30 K, coefficient 1.2e-5 1/K. How long is it then?"


def picking(place: int) -> ScriptedModel:
    """A model that understands nothing and takes a certain one of the plans it is shown first, and that one again."""
    taken: list[str] = []

    def pick(request: ChatRequest) -> str:
        plans = re.findall(r"(?ms)^([A-Z])\. (.*?)(?=^[A-Z]\. |^>>>)", request.messages[1].text)
        if not plans:
            return json.dumps({"givens": [], "target": "", "topic": ""})
        taken.append(taken[0] if taken else plans[min(place, len(plans) - 1)][1])
        return json.dumps({"plan": next((letter for letter, said in plans if said == taken[0]), "N")})

    return ScriptedModel([pick] * 8)


@pytest.mark.parametrize("place", thinned([0, 1], 1, pytest.mark.soak))
@pytest.mark.parametrize("question", [*FORBIDDEN, *dict.fromkeys((*DOUBTED[::3], ROD))])
def test_a_small_model_that_picks_any_plan_gets_no_number_either(question: str, place: int) -> None:
    outcome = starter_library().ask(question, planner="small", models=Models.of(picking(place)))
    assert isinstance(outcome, Refusal), outcome


@pytest.mark.soak
@pytest.mark.parametrize("place", thinned([0, 1, 2], 1, pytest.mark.soak))
def test_no_doubted_question_gives_a_small_model_a_number(place: int) -> None:
    models = ((each, Models.of(picking(place))) for each in DOUBTED)
    answers = {
        each: outcome
        for each, model in models
        if isinstance(outcome := starter_library().ask(each, planner="small", models=model), Answer)
    }
    assert answers == {}


@pytest.mark.parametrize("question", [*FORBIDDEN, *DOUBTED[::3]])
def test_a_strong_model_that_computes_the_same_meets_the_same_findings(question: str) -> None:
    sources = starter_library()._asker.sources
    judge = Judge(sources.finder, sources.load_constant, sources.name_document)
    decision = Decider(judge).decide(prepare_question(question, sources, Options({})))
    steps = compute_steps(decision.choices[0].steps)
    if isinstance(steps, StepFailure):
        return
    support = support_for(steps, decision, judge)
    assert (support.objection is not None) if question in FORBIDDEN else support.doubts


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("A force of 70 N acts on a lever 0.20 m from its axis at 65° to the lever. What is the torque?", 12.688),
        ("A current of 0.20 A flows from 9:00 until 9:30. What charge passes?", 360.0),
        ("A constant current of 3.0 A flows through a resistance of 4.0 Ω. What is the voltage?", 12.0),
        ("In vacuum a snowflake falls 40 m from rest. How long does it take?", 2.8557),
        (
            "A hammer falls from rest from 7 km on the Moon, where g = 1.62 m/s². What speed does it reach?",
            150.6,
        ),
        ("Light in air, glass with n = 1.60: what is Brewster's angle?", 1.0121),
        ("A block of wood with a density of 650 kg/m³ floats in water. What is its submerged fraction?", 0.6513),
        ("An alternating voltage has a peak voltage of 48 V. What is the effective voltage?", 33.941),
        ("A string of 0.60 m carries waves at 240 m/s. What is the frequency of its third harmonic?", 600.0),
        ("A motor is fed 900 J of heat a stroke and gives off 630 J of heat. What is its efficiency?", 0.3),
        ("What wavelength does hydrogen emit when its electron goes from n = 6 to n = 3?", 1.0935e-6),
        ("A candle is 45 cm from a lens of focal length 15 cm. How far is the image from the lens?", 0.225),
        ("A ray goes from air into water with n = 1.33 at an angle of incidence of 20°. Angle of refraction?", 0.26034),
        (
            "Slits are 0.40 mm apart, the screen is 1.6 m off, the light has 620 nm. Distance of neighbouring fringes?",
            0.00248,
        ),
        (
            "A transformer has 200 primary and 1000 secondary turns. At 9.0 V, what is the secondary voltage?",
            45.0,
        ),
        # A number that comes out may stand in the question, too: of another quantity, place or time.
        ("A cart accelerates from 1.0 m/s to 3.0 m/s over 2.0 m. What is its acceleration?", 2.0),
        ("An object is 30 cm in front of a converging lens of focal length 15 cm. Where is the image?", 0.30),
        ("A gas at 2.0 bar and 300 K in 4.0 L is brought to 8.0 L and 600 K. What is its pressure then?", 2e5),
        ("Two resistors of 4.0 Ω and 12 Ω are in parallel. What is the total resistance?", 3.0),
        ("Rods of 3 m with a coefficient of 1.2e-5 1/K are warmed by 50 K. What is their change in length?", 1.8e-3),
    ],
)
def test_ordinary_words_disturb_nobody(question: str, value: float) -> None:
    outcome = ask(question)
    assert isinstance(outcome, Answer), outcome
    assert outcome.quantity.si_value == pytest.approx(value, rel=2e-3)


def test_pressures_of_gases_are_told_to_be_absolute() -> None:
    said = "pressures are taken as absolute, not as above that of the air around"
    gas = ask("A gas of 2.0 L at 1.2 bar is squeezed to 1.5 L at constant temperature. What is the pressure then?")
    assert isinstance(gas, Answer)
    assert said in gas.assumptions
    wire = ask("A wire of 0.50 mm² cross-section is pulled by 40 N. What is the stress?")
    assert said not in getattr(wire, "assumptions", ())
