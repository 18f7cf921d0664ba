"""Members of a chain that give no value themselves: a rate at its head, a proportionality at its end."""

from __future__ import annotations

import pytest

from mathrag.compute.latex import read_latex
from mathrag.compute.printers.pythontext import python_text
from mathrag.types.expression import Declined, Reading


def _equations(latex: str) -> list[str]:
    reading = read_latex(latex, ())
    assert isinstance(reading, Reading), reading
    return [f"{python_text(each.left)} = {python_text(each.right)}" for each in reading.equations]


def test_a_rate_at_the_head_of_a_chain_is_one_symbol() -> None:
    found = _equations(r"\frac{d[\mathrm{P}]}{dt} = k_2 C = \frac{V S}{K + S}")
    assert found == ["rate_conc_P = k_2*C", "rate_conc_P = V*S/(K + S)"]


@pytest.mark.parametrize(
    "latex",
    [
        r"\frac{dN}{dt} = -\lambda N",  # a differential equation: no value without its solution
        r"v = \frac{dx}{dt}",
        r"\frac{d^2x}{dt^2} = a = b",
        r"\frac{\partial u}{\partial t} = a = b c",
        r"F \propto \frac{1}{r^2}",
    ],
)
def test_other_derivatives_and_bare_proportionalities_are_declined(latex: str) -> None:
    reading = read_latex(latex, ())
    assert isinstance(reading, Declined) or all("rate" not in text for text in _equations(latex))


def test_a_proportionality_after_the_value_is_a_remark() -> None:
    assert _equations(r"x = \sqrt{a t} \propto \sqrt{t}") == ["x = sqrt(a*t)"]
    reading = read_latex(r"x = \sqrt{a t} \propto \sqrt{t}", ())
    assert isinstance(reading, Reading)
    assert "member_declined" in {flag.code for flag in reading.flags}
