"""Laws of operations as statements, with slips, several at once, and all laws of one operation."""

from __future__ import annotations

import pytest

from mathrag.reason.direct import compute_directly
from mathrag.reason.direct.algebra.operation_properties import answer_operation_properties


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("what properties does xor have", "everything is its own inverse"),
        ("which laws hold for the symmetric difference", "neutral element (identity): the empty set ∅"),
        ("algebraic properties of intersection", "neutral element (identity): the universal set; no inverses"),
        ("algebraic properties of nand (comm, assoc)", "not associative"),
        ("Substraction is commutativ?", "subtraction is not commutative"),
        ("union is idempotent, right?", "A ∪ A = A"),
        ("division is associative, true or false", "division is not associative"),
        ("Union distributes over intersection. Does intersection distribute over union as well?", "Yes: intersection"),
        ("The union of sets is commutativ, P∪Q = Q∪P, yes?", "True: A ∪ B = B ∪ A"),
        ("is subtraction commutative or associative?", "not associative"),
    ],
)
def test_laws_are_told(question: str, told: str) -> None:
    found = compute_directly(question)
    assert told in getattr(found, "text", ""), found


@pytest.mark.parametrize(
    "question",
    [
        "properties of water",
        "properties of addition polymers",
        "what properties does steel have",
        "properties of union (workers)",
    ],
)
def test_other_properties_are_left(question: str) -> None:
    assert answer_operation_properties(question) is None
