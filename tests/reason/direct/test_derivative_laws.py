"""Laws of derivatives in letters: true by algebra, or false at values; anything else is left alone."""

from __future__ import annotations

import pytest

from mathrag.reason.direct import DirectResult, DirectStatement, compute_directly
from mathrag.reason.direct.algebra.derivative_laws import answer_derivative_law


@pytest.mark.parametrize(
    ("question", "beginning"),
    [
        ("Is (u + v)' = u' + v'?", "True for all differentiable functions u and v"),
        ("is it true that (uv)' = u'v + uv'", "True for all differentiable functions u and v"),
        ("does (u/v)′ = (u′v − uv′)/v² hold for differentiable functions?", "True for all differentiable functions u"),
        ("is (h(x)^3)' = 3 h(x)^2 h'(x)?", "True for all differentiable functions h"),
        ("is (k g)' = k g'?", "True for all differentiable functions g"),
        ("is (u v)' = u' v'?", "False in general"),
        ("is (1/g)' = 1/g'?", "False in general"),
        ("is (h^3)' = 3 h^2?", "False in general"),
    ],
)
def test_a_law_is_shown_or_refuted(question: str, beginning: str) -> None:
    found = compute_directly(question)
    assert isinstance(found, DirectStatement)
    assert found.text.startswith(beginning)


def test_what_refutes_a_law_are_values_of_the_functions() -> None:
    found = answer_derivative_law("is (u v)' = u' v'?")
    assert isinstance(found, DirectStatement)
    assert "the left side is v u′ + u v′, and the right side is u′ v′" in found.text
    assert "u = 1, u′ = 2, v = 3, v′ = 5" in found.text


@pytest.mark.parametrize(
    "question",
    [
        "is (f(g(x)))' = f'(g(x)) g'(x)?",  # composed functions are at two places
        "is f'' = 2?",
        "is (f g)' = f' g + f g' for even functions?",
        "what is f' if f = x^2?",
        "is Newton's second law F = m a?",
        "is 5' = 60 in?",
        "')'=" * 40,
        "(" * 90 + "f" + ")" * 90 + "' = f'",
    ],
)
def test_anything_else_is_left_alone(question: str) -> None:
    assert answer_derivative_law(question) is None


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("4x - 7 = 13, solve for x", "x = 5"),
        ("y^2 = 81, find y", "y = −9 or y = 9"),
        ("5t + 2 = 12; what is t?", "t = 2"),
        ("z^2 - 5z + 4 = 0, what are the roots?", "z = 1 or z = 4"),
        ("a + b = 9 and a - b = 3, find a and b", "a = 6, b = 3"),
        ("3x + 1 > 7, solve", "x > 2"),
    ],
)
def test_what_is_asked_may_stand_behind_the_equations(question: str, said: str) -> None:
    found = compute_directly(question)
    assert isinstance(found, DirectStatement | DirectResult)
    assert said in found.text


@pytest.mark.parametrize("question", ["m = 4 kg, v = 2 m/s, what is v?", "v = 9 m/s, find t", "x = 4, what is 3x?"])
def test_values_of_quantities_are_no_equations_to_be_solved(question: str) -> None:
    assert compute_directly(question) is None


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("simplify sqrt(98)", "√98 = 7 √2 ≈ 9.899494937."),
        ("simplify sqrt(27) + sqrt(12)", "√27 + √12 = 5 √3 ≈ 8.660254038."),
    ],
)
def test_roots_are_simplified_to_roots(question: str, said: str) -> None:
    found = compute_directly(question)
    assert isinstance(found, DirectResult)
    assert found.text == said
