"""Concepts that are compared: which ones, in which wordings, and what is left alone."""

from __future__ import annotations

import pytest

from mathrag.reason.direct.comparisons import APART, answer_comparison


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("whats the diference between a radius and a diameter of a circle", ("radius", "diameter")),
        ("Difference between the row space and the null space of a 2×3 matrix?", ("row space", "null space")),
        ("minimal element vs least element in a poset, whats the difference", ("minimal element", "least element")),
        ("injection vs surjection (I mean in maths, not in medicine)", ("injective function", "surjective function")),
        (
            "domain (of definition) and codomain of a function: how do they differ?",
            ("domain of a function", "codomain"),
        ),
        ("What is a ring, and how does it differ from a field?", ("ring", "field")),
        ("how is a lemma not the same as a theorem", ("lemma", "theorem")),
        ("pointwise and uniform convergence, differences please", ("pointwise convergence", "uniform convergence")),
        ("Hi! I keep mixing up “mode” and “median”. What is the difference between them?", ("mode", "median")),
        (
            'A friend used the word "eigenvector". What does it mean, and how is it different from an eigenvalue?',
            ("eigenvector", "eigenvalue"),
        ),
        ("what distinguishes a trail from a walk in a graph", ("trail in a graph", "walk in a graph")),
    ],
)
def test_both_are_defined_and_told_apart(question: str, names: tuple[str, ...]) -> None:
    reply = answer_comparison(question)
    assert reply is not None
    assert tuple(one.name for one in reply.glossary) == names
    assert APART in reply.text


def test_two_names_of_one_thing_are_told_to_be_so() -> None:
    reply = answer_comparison("are “onto” and “surjective” the same thing?")
    assert reply is not None
    assert reply.text.startswith("Two names of one thing")


@pytest.mark.parametrize(
    "question",
    [
        "what is the difference between 19 and 4",
        "difference between the mean and the median of 4, 7 and 9",
        "how is a cat different from a tiger",
        "what is the difference between my bill and yours",
        "difference between the product and the sum of 6 and 7",
        "is 2/4 the same as 1/2",
        "is the derivative of f the same as the derivative of g",
        "is the transpose of a product the same as the product of the transposes",
        "what is the difference between frequency and period",
    ],
)
def test_numbers_and_other_things_are_left_alone(question: str) -> None:
    assert answer_comparison(question) is None
