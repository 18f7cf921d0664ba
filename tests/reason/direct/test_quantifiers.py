"""Statements with quantifiers: refuted by a small domain, proved, or left open; negations pushed inwards."""

from __future__ import annotations

import pytest

from mathrag.compute.instances import is_proved
from mathrag.compute.quantified import as_predicates, read_quantified
from mathrag.reason.direct import compute_directly
from mathrag.reason.direct.algebra.quantifiers import answer_quantifiers

TOLD = (
    ("¬∃x F(x) ⟺ ∀x ¬F(x)", "True: "),
    (r"$\forall x (F(x) \land G(x)) \leftrightarrow (\forall x F(x) \land \forall x G(x))$", "True: "),
    ("∀x (F(x) ∨ G(x)) ↔ (∀x F(x) ∨ ∀x G(x)), true or false?", "False: "),
    ("∀x ∃y L(x,y) implies ∃y ∀x L(x,y).", "False: "),
    ("is it true that ∃y ∀x L(x,y) implies ∀x ∃y L(x,y)", "instances of its negation contradict each other"),
    ("∀x∈S F(x) → ∃x∈S F(x)", "“∈ S” true of nothing"),
    ("not for all x F(x) iff there exists x such that not F(x)", "True: "),
    ("¬∃x ∀y L(x,y) ↔ ∀x ∃y ¬L(x,y)", "True: "),
    ("∀x (F(x) → G(x)), ∃x F(x) ⊢ ∃x G(x)", "True: "),
    ("Negate: ∀e>0 ∃d>0 ∀x (|x−c|<d → |g(x)−g(c)|<e)", "is ∃e>0 ∀d>0 ∃x (|x−c|<d ∧ |g(x)−g(c)|≥e)"),
    ("negation of ∃M ∀n: a_n ≤ M", "is ∀M ∃n a_n > M"),
    ("negate ∀x ∈ ℝ ∃y ∈ ℝ: x + y = 0", "is ∃x ∈ ℝ ∀y ∈ ℝ x + y ≠ 0"),
    ("what is the negation of ∃x (F(x) ∧ G(x))?", "is ∀x (¬F(x) ∨ ¬G(x))"),
    ("negate ∀x (0<|x|<1 ∨ F(x))", "is ∃x (¬(0<|x|<1) ∧ ¬F(x))"),
)


@pytest.mark.parametrize(("question", "told"), TOLD)
def test_quantifiers_are_judged(question: str, told: str) -> None:
    found = compute_directly(question)
    assert told in getattr(found, "text", ""), found


@pytest.mark.parametrize(
    "question",
    [
        "∀x F(x) → G(x)",
        "∀x ∈ ℝ: x² ≥ 0",
        "∃x: x^2 = 2",
        "for all x > 0 there is y",
        "how is the symbol ∃! read",
        "negate: all cats are black",
        "is there a formula with x and y",
        "for every kilogram there is a price",
    ],
)
def test_what_is_no_formula_of_predicates_is_left(question: str) -> None:
    assert answer_quantifiers(question) is None


@pytest.mark.parametrize(
    ("text", "proved"),
    [
        ("∀x ∀y L(x,y) → ∀x L(x,x)", True),
        ("∀x L(x,x) → ∀x ∀y L(x,y)", False),
        ("(∀x ∀y (L(x,y) → L(y,x)) ∧ ∃x ∃y L(x,y)) → ∃x ∃y (L(x,y) ∧ L(y,x))", True),
        ("∀x ∃y L(x,y) → ∃y ∀x L(x,y)", False),
    ],
)
def test_instances_prove_only_what_holds(text: str, proved: bool) -> None:
    assert is_proved(as_predicates(read_quantified(text))) is proved
