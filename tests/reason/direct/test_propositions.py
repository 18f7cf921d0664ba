"""Tables, forms, negations, turned implications and arguments of propositions, by all cases."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mathrag.compute.logic import Joined, Letter, Not, Proposition, cases, letters_of, read_proposition, truth
from mathrag.compute.normal_forms import full_form, negated, short_form, shortest, written
from mathrag.reason.direct import compute_directly
from mathrag.reason.direct.algebra.propositions import answer_propositions
from mathrag.reason.direct.algebra.turned_implications import answer_turned_implications

TOLD = (
    ("(r → s) ↔ (¬s → ¬r)", "True: "),
    (r"$(r \to s) \leftrightarrow (\neg r \lor s)$", "True: "),
    ("(r -> s) <-> (s -> r)", "False: with r true, s false"),
    ("r ∧ ¬r", "contradiction"),
    ("when is r → s false?", "false only with r true, s false"),
    ("truth table of r xor s", "true in 2 of 4 cases"),
    ("make a truth table: r ∧ (s ∨ t)", "true in 3 of 8 cases"),
    ("Simplify (s ∧ t) ∨ (s ∧ ¬t).", "≡ s."),
    ("simplify r or (r and s)", "≡ r."),
    ("disjunctive normal form of r xor s", "is (r ∧ ¬s) ∨ (¬r ∧ s)"),
    ("CNF of r ↔ s", "is (¬r ∨ s) ∧ (r ∨ ¬s)"),
    ("convert (r → s) ∧ t into DNF", "(¬r ∧ t) ∨ (s ∧ t)"),
    ("negate r → s", "is r ∧ ¬s"),
    ("what is the negation of (r or s)?", "is ¬r ∧ ¬s"),
    ("is r ∧ ¬r satisfiable?", "False: "),
    ("r ∧ s: tautology, contradiction or contingency?", "neither a tautology nor a contradiction"),
    ("does s follow from r and r → s", "Yes: "),
    ("r → s, s ∴ r", "No: "),
    ("from r → s and ¬s can we conclude ¬r?", "Yes: "),
    ("is the argument r → s, s, therefore r valid?", "No: "),
    ("how many boolean functions of 3 variables are there?", "= 256 functions"),
    ("how many boolean functions are there in n variables", "2^(2^n)"),
    ("is modus tollens valid", "True: "),
    ("is denying the antecedent valid?", "False: "),
    ("converse, inverse and contrapositive of r → s: which is equivalent?", "the contrapositive is equivalent"),
    ("is the converse of r → s equivalent to r → s", "No. "),
    ("contrapositive of “If the lamp is on, the room is bright”", "If the room is not bright, then the lamp is not on"),
    ("converse of: If a number is even, it is divisible by 2.", "If a number is divisible by 2, then it is even"),
)


@pytest.mark.parametrize(("question", "told"), TOLD)
def test_propositions_are_judged_by_all_cases(question: str, told: str) -> None:
    found = compute_directly(question)
    assert told in getattr(found, "text", ""), found


@pytest.mark.parametrize(
    "question",
    [
        "A → B",
        "x → 0",
        "f: A → B",
        "H2 + O2 → H2O",
        "what is a and b",
        "negate 5",
        "negation of the statement",
        "does rain follow from clouds",
        "truth table",
        "is p true",
        "simplify a + b",
        "inverse of 3x + 2",
        "converse shoes of size 9",
        "the inverse of a matrix if it is singular",
    ],
)
def test_other_questions_are_left(question: str) -> None:
    assert answer_propositions(question) is None
    assert answer_turned_implications(question) is None


_PROPOSITIONS = st.recursive(
    st.sampled_from("pqrs").map(Letter),
    lambda inner: st.one_of(
        inner.map(Not),
        st.tuples(st.sampled_from(("and", "or", "xor", "implies", "iff", "nand", "nor")), inner, inner).map(
            lambda parts: Joined(*parts)
        ),
    ),
    max_leaves=8,
)


@given(_PROPOSITIONS)
def test_every_form_is_true_in_the_same_cases(made: Proposition) -> None:
    names = letters_of(made)
    forms = [full_form(made, disjunctive=True), full_form(made, disjunctive=False), shortest(made)]
    forms += [short_form(made, disjunctive=each) for each in (True, False)]
    back = read_proposition(written(made))
    for case in cases(names):
        wanted = truth(made, case)
        assert all(truth(form, case) == wanted for form in (*forms, back))
        assert truth(negated(made), case) != wanted
