"""Values named as in a form: `sd 10`, `Na 140`."""

from __future__ import annotations

import pytest

from mathrag.reason.question.reader import read_question


def _labels(text: str) -> dict[str, str]:
    return {each.text: each.label for each in read_question(text).givens if each.label}


@pytest.mark.parametrize(
    ("question", "labels"),
    [
        ("Standard error for sd 12 and n 36", {"12": "sd", "36": "n"}),
        ("anion gap Na 141, Cl 102, HCO3 25", {"141": "Na", "102": "Cl", "25": "HCO3"}),
        ("cardiac output, HR 80 and SV 65 mL", {"80": "HR", "65 mL": "SV"}),
        ("HR 80, SV 65 mL, what is the CO?", {"80": "HR", "65 mL": "SV"}),
        ("half-life 4 years, initial 90 g, how much after 8 years?", {"4 years": "half-life", "90 g": "initial"}),
        # Things, verbs and what is asked for name no value.
        ("A red crate weighs 2 kg, a blue crate weighs 5 kg. How heavy are both?", {}),
        ("A blend of 8 mol in total contains 2 mol of argon.", {}),
        ("MAP 92", {}),
        ("kinetic energy 5 kg 3 m/s", {}),
    ],
)
def test_what_stands_alone_before_a_value_names_it(question: str, labels: dict[str, str]) -> None:
    assert _labels(question) == labels


@pytest.mark.parametrize(
    ("question", "phrase", "unit"),
    [
        ("real return: nominal 8%, inflation 3%", "real return", ""),
        ("beam on two supports, 5 m span, 3 kN/m: greatest sag?", "greatest sag", ""),
        ("path 9 m long 2 m wide, gravel 4 cm deep, cubic metres?", "", "m^3"),
        ("320 km at an average 80 km/h, hours on the road", "road", "h"),
        ("RC low-pass 10k 22nF cutoff", "cutoff", ""),
    ],
)
def test_what_has_no_value_beside_it_is_asked_for(question: str, phrase: str, unit: str) -> None:
    read = read_question(question)
    assert (read.targets[0].phrase if read.targets else "") == phrase
    assert (read.units[0].text if read.units else "") == unit


@pytest.mark.parametrize(("written", "value"), [("10k", 10_000), ("4.7k", 4_700), ("4k7", 4_700), ("0k22", 220)])
def test_thousands_may_be_ohms(written: str, value: int) -> None:
    readings = read_question(f"current through {written} at 5 V").givens[0].readings
    assert [(each.value, each.unit.text) for each in readings] == [(value, ""), (value, "ohm")]
