"""Laws of sets in words and signs, with premises, of pairs and of numbers of elements: proved, refuted, or left."""

from __future__ import annotations

import pytest

from mathrag.reason.direct import compute_directly
from mathrag.reason.direct.algebra.set_sizes import answer_set_sizes
from mathrag.reason.direct.algebra.sets import answer_sets
from mathrag.reason.direct.result import DirectStatement

TRUE = (
    "is the complement of the intersection of P and Q the union of their complements?",
    "the complement of S ∪ T equals the intersection of the complements of S and T, right?",
    "T/F: the empty set is a subset of any set",
    "is any set a subset of itself ???",
    "does X ∩ Y ⊆ Y hold",
    "X∪Y == Y∪X ??",
    r"\overline{P \cap Q} = \overline{P} \cup \overline{Q}",
    "the intersection of two sets is contained in their union",
    "the union of a set with its complement is the universal set",
    "are X ∖ Y and Y disjoint?",
    "is the intersection of X and the union of Y and Z equal to (X ∩ Y) ∪ (X ∩ Z)",
    "if X ⊆ Y and Y ⊆ Z, is X ⊆ Z?",
    "X ⊆ Y iff X ∩ Y = X, correct?",
    "let X and Y be sets. Is X ∪ (X ∩ Y) = X?",
    "X × (Y ∩ Z) = (X × Y) ∩ (X × Z)",
    "if X ⊆ Y then X × Z ⊆ Y × Z",
    "P ⊂ P ∪ Q",
    "P ∪ P' = U",
)
FALSE = (
    "is X − Y = Y − X for sets",
    "is the complement of the union of P and Q the union of their complements?",
    "every set is a proper subset of itself, true or false?",
    "does X ∩ Y = X ∩ Z imply Y = Z?",
    "X ⊆ Y implies X^c ⊆ Y^c",
    "is the cartesian product of P and Q the same as the cartesian product of Q and P",
    "(X × Y) ∪ (Z × W) = (X ∪ Z) × (Y ∪ W)",
    "X ⊆ Y iff X ∪ Y = X",
)
LEFT = (
    "is X ⊆ Y",
    "the union of the complement of P and Q is empty",
    "the complement of P union Q is R",
    "X × Z ⊆ Y × Z implies X ⊆ Y",
    "P ⊊ Q implies P ⊆ Q",
    "is the union of the workers a set of rules",
    "is the set of tools a part of the kit",
    "the intersection of A and B streets is closed",
    "is A the same as B",
)


@pytest.mark.parametrize(("question", "verdict"), [*((q, "True") for q in TRUE), *((q, "False") for q in FALSE)])
def test_laws_of_sets_are_decided(question: str, verdict: str) -> None:
    found = compute_directly(question)
    assert isinstance(found, DirectStatement)
    assert found.text.startswith(verdict), found.text


@pytest.mark.parametrize("question", LEFT)
def test_what_is_open_or_no_statement_is_left(question: str) -> None:
    assert answer_sets(question) is None


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("|X ∪ Y| = |X| + |Y| − |X ∩ Y|", "True"),
        ("is |X ∪ Y| = |X| + |Y| for finite sets?", "False"),
        ("is |X ∪ Y| = |X| + |Y| if X and Y are disjoint?", "True"),
        ("|X × Y| = |X| · |Y| for finite sets X, Y", "True"),
        (r"$|X \setminus Y| = |X| - |Y|$", "False"),
        ("if Y ⊆ X then |X \\ Y| = |X| - |Y|", "True"),
        ("|𝒫(X)| = 2^{|X|}", "True"),
        ("|X ∪ Y| ≤ |X| + |Y|", "True"),
        (
            "is the number of elements of X ∪ Y equal to the number of elements of X plus the number of elements of Y?",
            "False",
        ),
    ],
)
def test_numbers_of_elements_are_counted_by_regions(question: str, verdict: str) -> None:
    found = compute_directly(question)
    assert isinstance(found, DirectStatement)
    assert found.text.startswith(verdict), found.text


@pytest.mark.parametrize("question", ["is |A B| = |A||B|", "|A × B| = |A||B|", "|A + B| = |A| + |B|", "|x| = 3"])
def test_other_bars_are_left(question: str) -> None:
    assert answer_set_sizes(question) is None


@pytest.mark.parametrize("text", ["A ⊆ B and " * 29 + "A ⊆ B", "if A ⊆ B, " * 29 + "then A ⊆ B", "the union of " * 23])
def test_long_rows_of_statements_come_back_promptly(text: str) -> None:
    answer_sets(text)
