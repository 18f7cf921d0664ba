"""Laws of ranks and exponentials of matrices that are told, not shown: found by their form, whatever the letters "
"are."""

from __future__ import annotations

from functools import cache

from mathrag.compute.algebra.matrix_statements import MatrixStatement, read_matrix_statement
from mathrag.compute.algebra.term_reader import Node, walk

# Each law with its reason; those of the second table hold for matrices that commute.
_LAWS = {
    "rank(AB) ≤ min(rank(A), rank(B))": "The columns of AB are combinations of those of A, its rows of those of B.",
    "rank(AB) ≤ rank(A)": "The columns of AB are combinations of those of A.",
    "rank(AB) ≤ rank(B)": "The rows of AB are combinations of those of B.",
    "rank(A + B) ≤ rank(A) + rank(B)": "The columns of A + B lie in the sum of the two column spaces.",
    "rank(A^T) = rank(A)": "Row rank and column rank are the same.",
    "rank(A^T A) = rank(A)": "For real A, AᵀAx = 0 gives |Ax|² = xᵀAᵀAx = 0, so Ax = 0: both have the same null space.",
    "rank(A A^T) = rank(A)": "For real A, AAᵀ has the rank of Aᵀ, which is that of A.",
    "exp(A)^-1 = exp(-A)": "A and −A commute, so exp(A)exp(−A) = exp(0) = I.",
    "exp(A) exp(-A) = I": "A and −A commute, so exp(A)exp(−A) = exp(0) = I.",
    "exp(A^T) = exp(A)^T": "Each power in the series is transposed.",
    "det(exp(A)) = exp(tr(A))": "In triangular form, over the complex numbers, the determinant is the product of "
    "the e^λ.",
}
_COMMUTING = {
    "exp(A + B) = exp(A) exp(B)": "With AB = BA the series multiply as those of numbers do.",
    "exp(A) exp(B) = exp(B) exp(A)": "The series of matrices that commute commute.",
}


def known_matrix_law(statement: MatrixStatement, commuting: frozenset[str]) -> str | None:
    """Why a statement is true, where it is one of the laws; None where it is none of them."""
    turned = {"=": "=", "≤": "≥", "≥": "≤"}[statement.sign]
    forms = {
        (statement.sign, _shape((statement.left, statement.right))),
        (turned, _shape((statement.right, statement.left))),
    }
    for form, (needs_commuting, why) in _known().items():
        if form in forms and (not needs_commuting or set(statement.letters) <= commuting):
            return why
    return None


@cache
def _known() -> dict[tuple[str, str], tuple[bool, str]]:
    found = {}
    for table, needs_commuting in ((_LAWS, False), (_COMMUTING, True)):
        for text, why in table.items():
            law = read_matrix_statement(text)
            found[law.sign, _shape((law.left, law.right))] = (needs_commuting, why)
    return found


def _shape(sides: tuple[Node, Node]) -> str:
    """Both sides with their letters by the order in which they come first."""
    names = list(dict.fromkeys(node.name for side in sides for node in walk(side) if node.kind == "letter"))
    return " = ".join(_written(side, names) for side in sides)


def _written(node: Node, names: list[str]) -> str:
    if node.kind == "letter":
        return node.name if node.name == "I" else f"v{names.index(node.name)}"
    return f"{node.kind}:{node.name}({', '.join(_written(part, names) for part in node.parts)})"
