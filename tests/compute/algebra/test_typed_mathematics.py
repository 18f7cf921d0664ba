"""Mathematics as people type it: one tree for all writings, both readings named where there are two, words refused."""

from __future__ import annotations

import pytest

from mathrag.compute.printers.plaintext import plain_formula
from mathrag.compute.typed_mathematics import (
    AmbiguousMathematicsError,
    UnreadMathematicsError,
    read_mathematics,
    read_one,
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("x^3 sin x", "x³ sin(x)"),
        ("x³ sin x", "x³ sin(x)"),
        (r"x^{3} \sin x", "x³ sin(x)"),
        ("sin^2 t + cos^2 t", "sin(t)² + cos(t)²"),
        ("sin²t", "sin(t)²"),
        ("sin^-1(u)", "arcsin(u)"),
        ("sin 2x cos x", "sin(2 x) cos(x)"),
        ("ln(ab)", "ln(a b)"),
        ("ln y^2", "ln(y²)"),
        ("(w^2-1)/(w-1)", "(w² − 1) / (w − 1)"),
        (r"\frac{1}{x + 1}", "1 / (x + 1)"),
        (r"\frac12 x", "(1 / 2) x"),
        (r"\sqrt[3]{x}", "∛x"),
        ("√(x²+1)", "√(x² + 1)"),
        ("|a||b|", "|a| |b|"),
        ("e^(-x)", "exp(−x)"),
        ("e^-x", "exp(−x)"),
        ("2x(x+1)", "2 x (x + 1)"),
        ("πr²", "π r²"),
        ("θ − φ", "θ − φ"),
        ("log_2(8)", "log₂(8)"),
        ("cot x", "1 / tan(x)"),
        ("1/2 x", "(1 / 2) x"),
        ("x_1 + x_2", "x₁ + x₂"),
        ("2^3^2", "2^(3²)"),
        ("-k^2", "−k²"),
        ("n!", "n!"),
    ],
)
def test_one_tree_for_all_writings(text: str, shown: str) -> None:
    assert plain_formula(read_one(text)) == shown


@pytest.mark.parametrize("text", ["1/2x", "a/b c", "e^2x", "2^nx", "sin x/2", "sin x(x+1)", "ln^-1(x)"])
def test_two_readings_are_asked_back_about(text: str) -> None:
    with pytest.raises(AmbiguousMathematicsError):
        read_one(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x +",
        "(x",
        "x)",
        "mass",
        "the x",
        "f(x)",
        "2 3",
        "x = 1",
        "sin",
        "x; y",
        "1 2 x",
        "x # y",
        "{",
        "|x",
        "x!!(",
    ],
)
def test_what_is_no_expression_is_refused(text: str) -> None:
    with pytest.raises(UnreadMathematicsError):
        read_one(text)


def test_relations_come_with_their_signs() -> None:
    found = read_mathematics("0 < x ≤ 3")
    assert found.signs == ("<", "<=")
    assert len(found.sides) == 3
    assert read_mathematics("log(x) = 2").has_bare_log
    assert not read_mathematics("ln(x) = 2").has_bare_log


def test_depth_and_length_are_bounded() -> None:
    for text in ("(" * 300 + "x" + ")" * 300, "x+" * 190 + "x", "1" * 200, "x^" * 60 + "2", "-" * 390 + "x"):
        try:
            read_one(text)
        except UnreadMathematicsError:
            continue
