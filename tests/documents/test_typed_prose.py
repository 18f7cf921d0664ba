"""Formulas typed inside a sentence without mark-up, and the many equals signs of prose that are none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mathrag.documents.math_in_text.explicit_lines import formulas_in_line
from mathrag.documents.math_in_text.typed_prose import formulas_in_prose

FOUND = (
    ("The wavelength of the beam is λ = h/p, where h is Planck's constant and p the momentum.", "λ = h/p"),
    ("The heater takes P = VI, where V is the voltage and I the current.", "P = VI"),
    ("Work done by the winch is W = F d cos θ; θ is the angle of the rope.", "W = F d \\cos θ"),
    ("For the gas in the tank, PV = nRT, where P is pressure and T the temperature.", "PV = nRT"),
    ("The crate covers s = ½ a t² before it reaches the end of the ramp.", "s = ½ a t^{2}"),
    ("The period is T = 2π√(l/g), where l is the length of the rope.", "T = 2π\\sqrt{l/g}"),
    ("So the result v = s/t = 5 m/s is what the others had, too.", "v = s/t"),
    ("Its resistance (R = ρL/A) depends on the material of the wire.", "R = ρL/A"),
    ("Then Q = mcΔT, where c is the specific heat, gives the heat needed.", "Q = mcΔT"),
    ("We find sin θ = n λ/d for the bright lines of the grating.", "\\sin θ = n λ/d"),
    ("The cart covers s = v₀t + ½at² on the track, from the first mark on.", "s = v_{0}t + ½at^{2}"),
    ("The swing turns with omega = sqrt(k/m), so the mass slows it down.", "omega = sqrt(k/m)"),
    ("The dye fades as C(t) = C0·exp(−k·t), where k is a rate.", "C = C0 * exp(-k * t)"),
    ("The half-life follows at once, namely t½ = ln 2/k for this dye.", "t_{1/2} = \\ln 2/k"),
    ("For every dilution c1V1 = c2V2, whatever the flask is made of.", "c_{1}V_{1} = c_{2}V_{2}"),
    ("The shop's return is S = (R_p - R_f)/σ_p; the other one's is less.", "S = (R_p - R_f) / σ_p"),
    ("The shop asks p = c + m a piece, as everybody there knows.", "p = c + m"),
)
NONE = (
    "We set the key = id and the type = mp before the tool starts.",
    "In the case n = m the two are equal and nothing is left.",
    "The trial ended with p = 0.03 and n = 24 in the second group.",
    "Let x = a be the first of the two values that were drawn.",
    "The current is I = 5 mA and the time t = 3 h in all runs.",
    "We measured it at T = 300 K and P = 2 bar in each case.",
    "The energy is E = mc2 as everybody has read somewhere.",
    "The area of the lid is A = πr2 where r is the radius.",
    "If a = b then the difference of the two is zero, as was said.",
    "The reaction time was t = ms or longer in the older group of people.",
    "His grade was B = ok, and hers was no more than that.",
    "The sum a + b = c is shown in the figure on the next page.",
    "The loop runs while x == y/z and then returns the value to us.",
    "The call f(x = a*b) { return x; } is what the program makes of it.",
)


@pytest.mark.parametrize(("sentence", "source"), FOUND)
def test_a_formula_in_a_sentence_is_found(sentence: str, source: str) -> None:
    (found,) = formulas_in_line(sentence)
    assert found.source.replace(" ", "") == source.replace(" ", "")
    assert "=" in sentence[found.start : found.end]


@pytest.mark.parametrize("sentence", NONE)
def test_what_is_no_formula_stays_prose(sentence: str) -> None:
    assert formulas_in_line(sentence) == []


def test_several_sentences_are_read_one_by_one() -> None:
    text = "The shop's sign says x -> y and no more. The line is y = 3x + 2 here. The other is y = x² - 4 there, too."
    assert [text[one.start : one.end] for one in formulas_in_prose(text)] == ["y = 3x + 2", "y = x² - 4"]


@given(st.text(alphabet="abIvx =+-/(),.²_0é→ \n", max_size=120))
def test_any_text_can_be_looked_through(text: str) -> None:
    for found in formulas_in_prose(text):
        assert 0 <= found.start < found.end <= len(text)
        assert found.source
