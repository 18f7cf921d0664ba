"""Whether things with one property have another: by a chain, by an example, or not answered."""

from __future__ import annotations

import pytest

from mathrag.reason.direct.properties import answer_properties


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("is every Lipschitz function continuous?", "Yes: every Lipschitz function is continuous."),
        ("does smoothness imply continuity", "Yes: every smooth function is continuous."),
        ("is every uniformly continuous function bounded", "No, not always: |x|"),
        ("is a monotone function always continuous", "No, not always: the step function"),
        ("if g is continuous, is it differentiable?", "No, not always: |x|"),
        ("if a matrix is orthogonal, then it is normal", "Yes: every orthogonal matrix is normal."),
        ("is every nilpotent matrix singular", "Yes: every nilpotent matrix is singular."),
        ("can a symmetric matrix be singular", "Yes: "),
        ("can a positive definite matrix be singular", "No: no positive definite matrix is singular."),
        ("must a bounded monotone sequence converge", "Yes: every bounded monotone sequence is convergent."),
        ("does every divergent sequence have a convergent subsequence", "No, not always: n "),
        ("is every alternating series convergent?", "No, not always: Σ (−1)ⁿ is alternating, but is divergent."),
        ("is every Euclidean domain a unique factorization domain", "Yes: every Euclidean domain is a unique"),
        ("are all rectangles rhombuses", "No, not always: a rectangle with sides 2 and 1"),
        ("is every partial order a total order", "No, not always: equality on the integers"),
        ("is every regular graph connected", "No, not always: two edges without a common vertex"),
        ("is every compact set closed", "Yes: every compact set is closed."),
        ("does boundedness imply convergence for sequences", "No, not always: (−1)ⁿ"),
        ("is every odd number prime", "No, not always: 1 is odd, but is not a prime."),
        ("is every group abelian", "No, not always: S₃ is not abelian."),
        ("is ≤ antisymmetric?", "Yes: ≤ on the real numbers is antisymmetric."),
        ("is the relation < reflexive", "No: < on the real numbers is not reflexive."),
        ("is the function f(x) = |x| Lipschitz?", "Yes: |x| is Lipschitz."),
        ("is x^3 surjective", "Yes: x³ is surjective."),
        ("is arctan(x) bounded?", "Yes: arctan x is bounded."),
        ("is every continuous function on a closed interval bounded", "Yes: every function that is continuous and on"),
    ],
)
def test_what_is_decided(question: str, said: str) -> None:
    reply = answer_properties(question)
    assert reply is not None
    assert reply.text.startswith(said), reply.text
    assert "MathRAG properties" in reply.text


@pytest.mark.parametrize(
    ("question", "more"),
    [
        ("is every bounded sequence convergent", "where it also is monotone"),
        ("is every transcendental number irrational", "where it also is a real number"),
        ("is every closed set compact", "where it also is bounded"),
    ],
)
def test_what_else_would_make_it_so(question: str, more: str) -> None:
    reply = answer_properties(question)
    assert reply is not None
    assert more in reply.text, reply.text


@pytest.mark.parametrize(
    "question",
    [
        "is every lamp bright",
        "is a continuous flow laminar",
        "does heat imply pressure",
        "is every prime number lucky",
        "is the energy positive",
        "is every convex function even differentiable twice",
        "is a force a vector",
        "if a car is fast, is it expensive",
        "is every connected graph yellow",
    ],
)
def test_other_questions_are_left_alone(question: str) -> None:
    assert answer_properties(question) is None


def test_a_plural_means_all_of_them() -> None:
    found = answer_properties("are monotone sequences bounded?")
    assert found is not None
    assert found.text.startswith("No, not always")
    assert answer_properties("are the masses equal?") is None
