"""Formulas in plain words: which lines are formulas, which are sentences, and that what is found can be read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mathrag.compute.latex import read_latex
from mathrag.compute.pythontext import read_python_text
from mathrag.documents.math_in_text.typed_lines import find_formula, split_formulas
from mathrag.types.document import Math, Place, Text, plain_text
from mathrag.types.expression import Declined

FORMULAS = {
    "F = m·a": r"F = m\cdot a",
    "E = ½mv²": "E = ½mv^{2}",
    "v = v₀ + at": "v = v_{0} + at",
    "v² = v₀² + 2aΔx": "v^{2} = v_{0}^{2} + 2aΔx",
    "c = 3.00 × 10⁸ m/s": r"c = 3.00 \times 10^{8}\ \mathrm{m/s}",
    "R = 8.314 J/(mol·K)": r"R = 8.314\ \mathrm{J/(mol·K)}",
    "F = 96,485 C/mol": r"F = 96485\ \mathrm{C/mol}",
    "sin²θ + cos²θ = 1": r"\sin ^{2}θ + \cos ^{2}θ = 1",
    "τ = rFsinθ": r"τ = rF\sin θ",
    "logₐ b = (ln b) / (ln a)": r"\log _{a} b = (\ln b) / (\ln a)",
    "aᵐ · aⁿ = aᵐ⁺ⁿ": r"a^{m} \cdot a^{n} = a^{m+n}",
    "pH = -log[H+]": r"pH = -\log [\mathrm{H^{+}}]",
    "F = G m1 m2 / r^2": "F = G m_{1} m_{2} / r^{2}",
    "E = 1/2 m v^2": r"E = \frac{1}{2} m v^{2}",
    "Area = πr²": r"\mathrm{Area} = πr^{2}",
    "Surface area = 4πr²": r"\text{Surface area} = 4πr^{2}",
    "Density = mass / volume": r"\mathrm{Density} = \mathrm{mass} / \mathrm{volume}",
    "T = 2π√(L/g)": r"T = 2π\sqrt{L/g}",
    "x = (-b ± √(b² - 4ac)) / 2a": r"x = (-b \pm \sqrt{b^{2} - 4ac}) / 2a",
    "v_avg = (v_1 + v_2)/2": "v_{avg} = (v_{1} + v_{2})/2",
    "A = P(1 + r/n)^(nt)": "A = P(1 + r/n)^{nt}",
    "PV = nRT": "PV = nRT",
    "S∞ = a₁/(1 - r)": r"S_\infty = a_{1}/(1 - r)",
}
PROGRAMS = {"FV = PV*(1+r)**n", "x = sqrt(2*g*h)", "rate = k * A", "F = m*a"}
PARTS = {
    "Kinetic energy: E = ½mv²": "E = ½mv²",
    "Ohm's law - V = IR": "V = IR",
    "E = hf, where h is Planck's constant": "E = hf",
    "F = ma (Newton's second law)": "F = ma",
    "Q = mcΔT for a solid": "Q = mcΔT",
    "  λ = h/p.": "λ = h/p",
    "v = at            (1.1)": "v = at",
}
SENTENCES = """
where x = the number of apples
charged = uniformly charged throughout (insulating)
conducting = charge only on surface
The energy is E = mc²
if a == b
x += 1
a => b
Chapter = 5
timeout = 30
key=value
a = the speed, b = the height
Score = A
Grade = A-
Rating = 4/5
S = sum of the terms
Let x = y be given
n = number of moles
v = velocity
I = current (A)
m = mass in kg
option = yes/no
result = foo(bar)
self.x = y
T = 2π√L/g
x = √gh
2H₂ + O₂ → 2H₂O
= 5
a = 1 in this case
a = b; c = d
x = (a + b
y = a +
I am = you are
Σk² = n(n+1)(2n+1)/6
""".strip().split("\n")


@pytest.mark.parametrize(("text", "latex"), FORMULAS.items())
def test_formulas_are_found_and_read(text: str, latex: str) -> None:
    found = find_formula(text)
    assert found is not None
    assert (found.source, found.notation, found.start, found.end) == (latex, "latex", 0, len(text))
    assert not isinstance(read_latex(found.source), Declined)


@pytest.mark.parametrize("text", sorted(PROGRAMS))
def test_explicit_products_stay_text(text: str) -> None:
    found = find_formula(text)
    assert found is not None
    assert (found.source, found.notation) == (text, "text")
    assert not isinstance(read_python_text(found.source), Declined)


@pytest.mark.parametrize(("text", "part"), PARTS.items())
def test_leads_and_tails_are_not_part_of_the_formula(text: str, part: str) -> None:
    found = find_formula(text)
    assert found is not None
    assert text[found.start : found.end] == part


@pytest.mark.parametrize("text", SENTENCES)
def test_sentences_are_never_formulas(text: str) -> None:
    assert find_formula(text) is None


SETTINGS = ("x = 1", "i = i + 1", "key=value", "lr=0.01", "a = b", "n = len(x)", "x = y.z", "E: a = b+c")


@pytest.mark.parametrize("text", SETTINGS)
def test_code_is_taken_for_a_formula_only_when_nothing_else_will_do(text: str) -> None:
    assert find_formula(text, strict=True) is None


@pytest.mark.parametrize("text", ["F = m*a", "E=mc^2", "F = ma", "PV = nRT", "v = v0 + a*t"])
def test_formulas_in_code(text: str) -> None:
    assert find_formula(text, strict=True) is not None


def test_pieces_keep_every_character() -> None:
    place = Place(line=3)
    pieces = split_formulas("Law: F = m·a, where m is the mass", place=place, bold=True)
    assert pieces == (
        Text("Law: ", bold=True),
        Math(r"F = m\cdot a", "latex", place, "F = m·a"),
        Text(", where m is the mass", bold=True),
    )


@given(st.text(alphabet="abxF =+-*/^_()²₀½√πΔ.,:1 2where[]{}|'", max_size=60))
def test_any_text_is_cut_without_loss(text: str) -> None:
    assert plain_text(split_formulas(text, place=Place(line=1))) == text
