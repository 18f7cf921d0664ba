"""A translation keeps every number and every unit, or it is not used."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathrag.reason.agent.translation_check import translation_problem

GERMAN = "Wie groß ist die kinetische Energie einer Masse von 2,5 kg bei einer Geschwindigkeit von 3 m/s?"


@pytest.mark.parametrize(
    ("original", "translation", "code"),
    [
        (GERMAN, "What is the kinetic energy of a mass of 2.5 kg at a speed of 3 m/s?", ""),
        (GERMAN, "What is the kinetic energy of a mass of 2.5 g at a speed of 3 m/s?", "unit_changed"),
        (GERMAN, "What is the kinetic energy of a mass of 25 kg at a speed of 3 m/s?", "number_lost"),
        (GERMAN, "What is the kinetic energy of a mass of 2.5 kg at 3 m/s for 4 s?", "number_without_source"),
        (GERMAN, "What is the kinetic energy of a mass of 2.5 kg?", "number_lost"),
        (GERMAN, "What is the kinetic energy of a mass of 3 kg at a speed of 2.5 m/s?", "unit_changed"),
        ("120 kilomètres en 1,5 heures", "120 kilometres in 1.5 hours", ""),
        ("120 kilomètres en 1,5 heures", "120 kilometres in 1.5 minutes", "unit_changed"),
        ("120 kilomètres en 1,5 heures", "120 kilometres in 1.5", "unit_changed"),
        ("2 kilogramos a 3 metros por segundo", "2 kilograms at 3 metres per second", ""),
        ("масса 2 килограмма", "a mass of 2 kilograms", ""),
        ("Wasser von -5 °C", "water at 5 °C", "number_lost"),
        ("Wasser von −5 °C", "water at -5 °C", ""),
        ("1.200 kg", "1200 kg", "ambiguous_number"),
        ("1.234.567 kg", "1234567 kg", ""),
        ("1.234,5 kg", "1234.5 kg", ""),
        ("zwei Kilo", "two kilograms", "number_without_source"),
        ("質量２kgの物体", "a body with a mass of 2 kg", ""),
        ("Qu'est-ce que l'entropie ?", "What is entropy?", ""),
        ("Qu'est-ce que l'entropie ?", "What is the entropy of 2 kg of water?", "number_without_source"),
    ],
)
def test_numbers_and_units(original: str, translation: str, code: str) -> None:
    problem = translation_problem(original, translation)
    assert ("" if problem is None else problem.code) == code


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60), st.text(max_size=60))
def test_any_two_texts_can_be_compared(original: str, translation: str) -> None:
    translation_problem(original, translation)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(0, 999), max_size=4), st.lists(st.integers(0, 999), max_size=4))
def test_only_the_same_numbers_pass(before: list[int], after: list[int]) -> None:
    original = " und ".join(f"{number} kg" for number in before)
    translation = " and ".join(f"{number} kg" for number in after)
    assert (translation_problem(original, translation) is None) == (sorted(before) == sorted(after))
