"""Formulas as text for eyes: roots, powers, fractions and names that read well and group what belongs together."""

from __future__ import annotations

import pytest

from mathrag.calculator import understood
from mathrag.compute.printers.plaintext import plain_formula, plain_symbol


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("sqrt(3*R*T/M)", "√(3 R T / M)"),
        ("a/(b*c)", "a / (b c)"),
        ("a/b/c", "a / b / c"),
        ("a*(b/c)", "a (b / c)"),
        ("(a + b)*c", "(a + b) c"),
        ("a - (b - c)", "a − (b − c)"),
        ("-x**2", "−x²"),
        ("(-x)**2", "(−x)²"),
        ("x**(-3)", "x⁻³"),
        ("x**(a + 1)", "x^(a + 1)"),
        ("x**(y**2)", "x^(y²)"),
        ("(x**2)**3", "(x²)³"),
        ("sin(x)**2", "sin(x)²"),
        ("sqrt(x)**3", "(√x)³"),
        ("log(x) + log10(y)", "ln(x) + log₁₀(y)"),
        ("exp(-t/tau)", "exp(−(t / τ))"),
        ("n*2", "n × 2"),
        ("6.67e-11*m", "6.67×10⁻¹¹ m"),
        ("abs(x - y)", "|x − y|"),
        ("factorial(n + 1)", "(n + 1)!"),
        ("2*pi*r", "2 π r"),
    ],
)
def test_formulas_read_well(source: str, text: str) -> None:
    expression = understood(source, notation="text").expression
    assert expression is not None
    assert plain_formula(expression) == text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("v_0", "v₀"),
        ("v_rms", "v_rms"),
        ("Delta_x", "Δx"),
        ("Q_dot", "Q̇"),
        ("x_bar", "x̄"),
        ("lambda_", "λ"),
        ("mu_0", "μ₀"),
        ("conc_H_plus", "[H⁺]"),
        ("v_prime", "v′"),
        ("theta_1", "θ₁"),
        ("hbar", "ħ"),
    ],
)
def test_symbols_read_well(name: str, text: str) -> None:
    assert plain_symbol(name) == text


def test_negative_values_put_in_are_grouped() -> None:
    expression = understood("a*b - c**2", notation="text").expression
    assert expression is not None
    text = plain_formula(expression, {"a": "−2 m", "b": "3 s", "c": "−1"})
    assert text == "(−2 m) × 3 s − (−1)²"
