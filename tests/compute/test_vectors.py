"""Vectors by type: single vectors give equations of magnitudes, sums and components of vectors are declined."""

from __future__ import annotations

import pytest

from mathrag.compute.equality import symbol_renaming
from mathrag.compute.latex import read_latex
from mathrag.compute.mathml import read_mathml
from mathrag.compute.pythontext import read_python_text
from mathrag.types.expression import Declined, Reading

MAGNITUDES = {
    r"\vec F = m\vec g": "F = m*g",
    r"\mathbf{p} = m\mathbf{u}": "p = m*u",
    r"\boldsymbol{D} = \varepsilon\boldsymbol{E}": "D = e*E",
    r"\vec E = \frac{\lambda}{2\pi\epsilon_0 s}\hat s": "E_vec = l/(2*pi*e*s)*s_hat",
    r"\vec F = -mg\hat j": "F = m*g*h",
    r"|\vec B| = \sqrt{B_x^2 + B_y^2}": "B = sqrt(x**2 + y**2)",
    r"\|\mathbf{u}\| = \sqrt{u_1^2 + u_2^2}": "u = sqrt(x**2 + y**2)",
    r"P = \vec F\cdot\vec v = F v \cos\theta": "P = F*v*cos(t)",
    r"|\vec M| = |\vec d \times \vec F| = d F \sin\theta": "M = d*F*sin(t)",
    r"|M| = |d \times F| = d F \sin\theta": "M = d*F*sin(t)",
    r"\mathbf{s = v t + b}": "s = v*t + b",
    r"K = \frac{1}{2} m \vec v^2 + q U": "K = m*v**2/2 + q*U",
}
DECLINED = {
    r"\vec C = \vec A + \vec B": "vector_sum",
    r"\mathbf{F} = \mathbf{F}_1 - \mathbf{F}_2": "vector_sum",
    r"\vec u = \frac{\vec u_1 + \vec u_2}{2}": "vector_sum",
    r"\vec F = q(\vec E + \vec E_0)": "vector_sum",
    r"|\vec A + \vec B| = 5 c": "vector_sum",
    r"\vec v = v_x\hat x + v_y\hat y": "vector_sum",
    r"F = 3 a\hat\imath + 4 a\hat\jmath": "vector_sum",
    r"F = F_x i + F_y j + F_z k": "vector_sum",
    r"\hat n = \cos\alpha\,\hat x + \sin\alpha\,\hat y": "vector_sum",
    r"\hat u = \frac{\vec u}{|\vec u|}": "direction",
    r"\vec S = \vec E\times\vec H": "vector_product",
    r"\mathbf{y} = \mathbf{X}\mathbf{b}": "vector_product",
}
# A hat is an estimate where nothing points anywhere.
ESTIMATES = (r"\hat y = a + b x", r"\hat\theta = \frac{k}{n}", r"u = y - \hat y", r"\hat s^2 = \frac{Q}{n - 1}")


@pytest.mark.parametrize(("latex", "wanted"), MAGNITUDES.items())
def test_single_vectors_give_equations_of_magnitudes(latex: str, wanted: str) -> None:
    reading, expected = read_latex(latex), read_python_text(wanted)
    assert isinstance(reading, Reading)
    assert isinstance(expected, Reading)
    assert [symbol_renaming(equation, expected.equations[0]) is not None for equation in reading.equations] == [True]


@pytest.mark.parametrize(("latex", "code"), DECLINED.items())
def test_what_has_no_size_of_its_own_is_declined(latex: str, code: str) -> None:
    reading = read_latex(latex)
    assert isinstance(reading, Declined)
    assert reading.code == code


@pytest.mark.parametrize("latex", ESTIMATES)
def test_estimates_are_no_directions(latex: str) -> None:
    reading = read_latex(latex)
    assert isinstance(reading, Reading)
    assert all(flag.code not in ("unit_vector", "magnitudes") for flag in reading.flags)


@pytest.mark.parametrize("latex", [r"\vec F = m\vec g", r"\mathbf{J} = \sigma\mathbf{E}"])
def test_magnitudes_are_flagged(latex: str) -> None:
    assert "magnitudes" in {flag.code for flag in read_latex(latex).flags}


def test_directions_are_flagged_with_their_name() -> None:
    flags = read_latex(r"\vec E = E_0\hat z").flags
    assert [flag.message for flag in flags if flag.code == "unit_vector"] == ["z_hat is a direction: its size is 1"]


def test_mathml_has_the_same_types() -> None:
    arrow = "<mover><mi>{}</mi><mo>→</mo></mover>"
    added = f"<math>{arrow.format('C')}<mo>=</mo>{arrow.format('A')}<mo>+</mo>{arrow.format('B')}</math>"
    assert getattr(read_mathml(added), "code", "") == "vector_sum"
    scaled = f"<math>{arrow.format('F')}<mo>=</mo><mi>m</mi>{arrow.format('a')}</math>"
    assert isinstance(read_mathml(scaled), Reading)


def test_an_expression_alone_states_nothing_of_sizes() -> None:
    assert isinstance(read_latex(r"\vec A + \vec B"), Reading)


def test_a_name_in_quotation_marks_is_no_member() -> None:
    reading = read_latex(r'w = \text{"useful share"} = \frac{a}{b}')
    assert isinstance(reading, Reading)
    assert len(reading.equations) == 1
    assert [(phrase.name, phrase.text) for phrase in reading.phrases] == [("w", "useful share")]
