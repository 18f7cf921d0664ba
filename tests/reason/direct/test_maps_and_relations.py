"""Claims on relations, on maps and their compositions, on images and preimages."""

from __future__ import annotations

import pytest

from mathrag.reason.direct import compute_directly
from mathrag.reason.direct.result import DirectFailure, DirectStatement


def said(question: str) -> str:
    found = compute_directly(question)
    assert isinstance(found, DirectStatement), (question, found)
    return found.text


@pytest.mark.parametrize(
    "question",
    [
        "the intersection of two equivalence relations is an equivalence relation",
        "Is the intersection of two preorders a preorder?",
        "if R and S are symmetric, is R ∪ S symmetric",
        "Let $R$ and $S$ be partial orders on a set $M$. Is $R\\cap S$ a partial order?",
        "T/F: the inverse of a transitive relation is transitive",
        "if R is antisymmetric then R^{-1} is antisymmetric, right?",
        "(R ∘ S)^-1 = S^-1 ∘ R^-1 for relations R and S",
        "R ∪ R^{-1} is symmetric for any relation R",
        "my teacher says every irreflexive and transitive relation is asymmetric",
    ],
)
def test_claims_on_relations_that_are_proved(question: str) -> None:
    text = said(question)
    assert text.startswith(("True for all relations", "Yes"))


@pytest.mark.parametrize(
    "question",
    [
        "every relation that is symmetric and transitive is reflexive",
        "does reflexive and symmetric imply transitive for relations?",
        "is the union of two partial orders a partial order?",
        "If R is symmetric and S is symmetric then R ∘ S is symmetric. prove or disprove",
        "are all transitive relations symmetric",
        "a symmetric relation that is also antisymmetric must be reflexive?",
        "Must the composition of two equivalence relations be an equivalence relation?",
        "R ∘ S = S ∘ R for relations?",
    ],
)
def test_claims_on_relations_that_are_refuted(question: str) -> None:
    assert said(question).startswith(("False", "No"))


def test_a_relation_may_have_qualities_that_seem_opposite() -> None:
    assert said("can a relation be both symmetric and antisymmetric?").startswith("Yes: on {1}")
    assert said("is there a relation that is reflexive and irreflexive").startswith("No: no relation on a set with an")
    assert said("can a relation be neither symmetric nor antisymmetric").startswith("Yes")


@pytest.mark.parametrize(
    "question",
    [
        "the relation between heat and work is symmetric",
        "is every relation between siblings symmetric or transitive?",
        "If R is 5 ohm and S is symmetric, what is R?",
        "a relation is symmetric only if it is transitive",
    ],
)
def test_what_is_no_claim_on_relations_is_left_alone(question: str) -> None:
    assert not isinstance(compute_directly(question), DirectStatement)


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("if f and g are surjective, is g∘f surjective?", "True"),
        ("g∘f injective ⇒ f injective", "True"),
        ("if h(g(x)) is onto then h is onto", "True"),
        ("Let u: A→B and v: B→C be maps. If $v\\circ u$ is injective, must v be injective?", "False"),
        ("If g∘f is a bijection, must f and g be bijections?", "False"),
        ("suppose f o g is one-to-one. is f one-to-one?", "False"),
        ("(g o h)^-1 = g^-1 o h^-1", "False"),
        ("$(g\\circ h)^{-1}=h^{-1}\\circ g^{-1}$ for bijections g and h", "True"),
        ("u ∘ v = v ∘ u for all functions?", "False"),
        ("u ∘ (v ∘ w) = (u ∘ v) ∘ w", "True"),
        ("(f∘g)(x) = f(g(x))", "True"),
    ],
)
def test_compositions(question: str, verdict: str) -> None:
    assert said(question).startswith(verdict)


def test_a_ring_is_never_a_product() -> None:
    text = said("(f o g)^-1 = f^-1 o g^-1")
    assert "o = " not in text
    assert "bijections: the order is turned" in text
    derived = compute_directly("(f∘g)'(x) = f'(g(x)) g'(x)")
    assert not isinstance(derived, DirectFailure) or "composition of maps" not in derived.message
    assert not isinstance(compute_directly("(f∘g)' = f' ∘ g'"), DirectStatement)
    found = compute_directly("(f + g) o h = f o h + g o h")
    assert found is None or isinstance(found, DirectFailure)


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("f(A ∪ B) = f(A) ∪ f(B)", "True for all maps"),
        ("g^{-1}(C ∖ D) = g^{-1}(C) ∖ g^{-1}(D)?", "True for all maps"),
        ("is f(A ∩ B) = f(A) ∩ f(B)", "False for maps"),
        ("f(A ∩ B) = f(A) ∩ f(B) if f is injective", "True for all injective maps"),
        ("$f(f^{-1}(D)) = D$ for every function", "False for maps"),
        ("if f is surjective then f(f^-1(D)) = D", "True for all surjective maps"),
        ("if A ⊆ B then f(A) ⊆ f(B), right?", "True for all maps"),
        ("f(A) ⊆ f(B) implies A ⊆ B", "False for maps"),
        ("if f is injective and f(A) ⊆ f(B) then A ⊆ B", "No counterexample found, not proved"),
        ("f^{-1}(Y \\setminus D) = X \\setminus f^{-1}(D)", "True for all maps"),
    ],
)
def test_images(question: str, verdict: str) -> None:
    assert said(question).startswith(verdict)


@pytest.mark.parametrize("question", ["f(A) = 3A + 2", "f(2) = 5", "g(T ∪ S) = 5 m", "f(A) = A^2, find f(3)"])
def test_what_is_no_claim_on_images_is_left_alone(question: str) -> None:
    found = compute_directly(question)
    assert not isinstance(found, DirectStatement) or "maps" not in found.text
