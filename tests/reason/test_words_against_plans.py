"""What the words of a question say, and a plan does not take up, leaves no number."""

from __future__ import annotations

import pytest

from mathrag.types.answer import Answer, Refusal
from trust.asked import ask


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (
            "A force of 70 N acts on a lever 0.20 m from its axis, 25° off the perpendicular. What is the torque?",
            "elsewhere",
        ),
        ("A ball is thrown at 18 m/s at 40° to the vertical. What maximum height does it reach?", "elsewhere"),
        (
            "A tram left at 6:00, arrived at 7:00 and took two hours for 30 km. What was its average speed?",
            "times of day",
        ),
        ("Volumes of 12 mL and 18 mL were read off. The mass is 40 g. What is the density?", "takes them apart"),
        (
            "Water (1.0 mPa·s) is driven by 0.80 bar through a pipe of 5.0 m, radius 1.5 cm. What is the flow rate?",
            "Re < 2300",
        ),
        ("A diverging lens has a focal length of 12 cm; an object is 24 cm before it. Where is the image?", "negative"),
        ("A snowflake falls 40 m from rest. How long does it take?", "does not meet a condition"),
        ("A hammer falls from rest from a height of 7 km. What speed does it reach?", "1000 m in air"),
        ("A gas at 2e5 Pa and 300 K is warmed to 330 K at constant pressure. What is its pressure?", ""),
        ("What length must a horn have to sound at 220 Hz where sound travels at 341 m/s?", "more particular"),
        ("A motor is fed 900 J of heat a stroke and delivers 270 J of work. What is its efficiency?", "something else"),
        (
            "What heat melts 0.50 kg of tin, with a specific heat of 230 J/(kg K) and a melting point of 232 °C?",
            "something else",
        ),
        ("An alternating voltage is 48 V peak-to-peak. What is the effective voltage?", "something else"),
        ("From 14 m/s a sledge comes to rest within 49 m. What is its acceleration?", "a constant"),
        (
            "Light of 600 nm meets slits 0.20 mm apart, 1.5 m before a screen. How far out is the fifth bright fringe?",
            "one of many",
        ),
        (
            "A cyclist at 8.0 m/s waits 1.5 s and then brakes with 2.5 m/s². How far does she get until she stands?",
            "after the other",
        ),
        (
            "80 mL of water is poured into 40 mL of a 0.9 M solution. What is the concentration then?",
            "added to another",
        ),
        (
            "A 4.7 µF capacitor at 50 V is joined to an identical one. What energy is stored in the two together?",
            "several things",
        ),
        ("A hoop of 1.2 kg rolls along at 2.0 m/s. What is its total kinetic energy?", "all of it"),
        (
            "A siren of 700 Hz moves at 25 m/s; sound travels at 340 m/s. What frequency does somebody at rest hear?",
            "toward or away",
        ),
        ("A string of 0.75 m carries waves at 150 m/s. What is the frequency of its fourth overtone?", "counts other"),
        ("How many grams of acetone are in 250 mL of 30 % acetone, with a density of 0.784 g/mL?", "percentage"),
        ("How many hydrogen atoms are in 0.50 mol of methane?", "atoms"),
        (
            "Of 60 m of wire (0.80 mm², resistivity 1.7e-8 Ω m) 25 m were cut off. What is its resistance?",
            "taken away",
        ),
        ("A bus of 12 t at 10 m/s passes a parked 1.5 t van. What is the van's kinetic energy?", "something else"),
        ("What is the mean speed, not the rms speed, of helium atoms (4.0 g/mol) at 290 K?", "not what"),
        (
            "A candle is 45 cm from a converging lens of focal length 15 cm. How far is its image from the candle?",
            "elsewhere",
        ),
        ("An electron at 3.0e6 m/s circles in a field of 0.020 T. How wide across is its circle?", "how wide"),
        ("A sledge at 12 m/s brakes at a steady 4.0 m/s². How far has it gone after 5.0 s?", "stands before"),
        ("3.0 mol of an ideal gas at 320 K expand from 8.0 L to 24 L. What work does the gas do?", "condition"),
        ("I pour 150 mL of water into 50 mL of 0.80 M acid. What is the new concentration?", "added to another"),
        ("How do I dilute 50 mL of 0.20 M brine to get a 0.60 M solution: what volume is needed?", "the reverse"),
        ("What is the internal energy of 1.5 mol of oxygen at 310 K?", "condition"),
        (
            "A sealed steel bottle holds 5.0 L of gas at 290 K. It is heated to 350 K. What volume has the gas?",
            "condition",
        ),
        ("What is the energy of the n = 3 level of a lithium atom?", "condition"),
        (
            "A particle and its antiparticle (106 MeV/c² each) meet at rest. What is their rest energy?",
            "several of them",
        ),
        ("A pendulum of 0.80 m is let go at 65 degrees. What is its period?", "condition"),
        (
            "A 9 V battery feeds a transformer of 200 primary and 1000 secondary turns. What is the secondary voltage?",
            "condition",
        ),
        ("A vessel of 2.0 L holds 0.30 mol of water at 30 °C. What is the pressure in it?", "condition"),
        ("What wavelength does hydrogen emit when its electron goes from n = 3 to n = 6?", "the reverse"),
        (
            "A cell of 6.0 V and internal resistance 0.25 Ω feeds a lamp of 2.75 Ω. What power does the lamp take?",
            "",
        ),
    ],
)
def test_no_number_where_the_words_say_otherwise(question: str, said: str) -> None:
    outcome = ask(question)
    assert isinstance(outcome, Refusal), outcome
    assert said in outcome.reason


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
