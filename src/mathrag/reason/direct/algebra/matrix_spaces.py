"""What is asked of one matrix of numbers beyond its determinant and inverse: null space, eigenvectors, adjugate,
reduced rows, whether it is diagonalizable or positive definite, that it satisfies its characteristic polynomial."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from mathrag.compute.algebra.matrices import (
    Matrix,
    adjugate,
    at_matrix,
    characteristic,
    determinant,
    null_space,
    product,
    rank,
    reduced_rows,
    shape_of,
    transposed,
    unit_matrix,
)
from mathrag.compute.algebra.polynomials import (
    common_divisor,
    derived,
    divided,
    polynomial_expression,
    rational_roots,
    roots_of,
)
from mathrag.language.enumeration import listed
from mathrag.reason.direct.algebra.outcomes import failure
from mathrag.reason.direct.algebra.vectors import shown_vector
from mathrag.reason.direct.algebra.wording import plain
from mathrag.reason.direct.result import AlgebraOutcome, DirectStatement
from mathrag.types.answer import WorkingLine


def shown_matrix(matrix: Matrix) -> str:
    """`[[1, −2], [0, 1/2]]`."""
    return "[" + ", ".join("[" + ", ".join(str(value).replace("-", "−") for value in row) + "]" for row in matrix) + "]"


def answer_matrix_task(asked: str, matrix: Matrix) -> AlgebraOutcome:
    """What is asked of a matrix by the name of a task."""
    rows, columns = shape_of(matrix)
    if rows != columns and asked in ("eigenvectors", "adjugate", "cayley_hamilton"):
        return failure("undefined", f"{shown_matrix(matrix)} has {rows} rows and {columns} columns: it must be square")
    return _TASKS[asked](matrix)


def _stated(text: str, matrix: Matrix, line: str) -> DirectStatement:
    return DirectStatement(text, shown_matrix(matrix), (WorkingLine(line),))


def _null_space(matrix: Matrix) -> DirectStatement:
    basis = null_space(matrix)
    assert all(not any(value for row in product(matrix, transposed((vector,))) for value in row) for vector in basis)
    shown = shown_matrix(matrix)
    counted = f"the rank is {rank(matrix)}, so its dimension is {len(matrix[0])} − {rank(matrix)} = {len(basis)}"
    if not basis:
        return _stated(f"The null space (kernel) of {shown} is {{0}}: {counted} (computed exactly).", matrix, counted)
    vectors = listed([shown_vector(vector) for vector in basis])
    text = (
        f"The null space (kernel) of {shown} has the basis {vectors}: {counted} (each was put back: the product is 0)."
    )
    return _stated(text, matrix, f"basis: {vectors}")


def _nullity(matrix: Matrix) -> DirectStatement:
    found = len(null_space(matrix))
    why = f"{len(matrix[0])} columns less the rank {rank(matrix)}"
    return _stated(
        f"The nullity of {shown_matrix(matrix)} (dimension of its null space) is {found}: {why}.", matrix, why
    )


def _column_space(matrix: Matrix) -> DirectStatement:
    _, pivots = reduced_rows(matrix)
    columns = [shown_vector(transposed(matrix)[place]) for place in pivots]
    basis = f" and the basis {listed(columns)} (columns of the matrix)" if columns else ""
    text = (
        f"The column space of {shown_matrix(matrix)} has the dimension {len(pivots)}, its rank,{basis} "
        f"(computed exactly)."
    )
    return _stated(text.replace(", (", " ("), matrix, f"dimension {len(pivots)}")


def _row_space(matrix: Matrix) -> DirectStatement:
    rows, pivots = reduced_rows(matrix)
    basis = listed([shown_vector(rows[place]) for place in range(len(pivots))]) if pivots else ""
    told = f" and the basis {basis}" if basis else ""
    text = (
        f"The row space of {shown_matrix(matrix)} has the dimension {len(pivots)}, its rank{told} (computed exactly)."
    )
    return _stated(text, matrix, f"dimension {len(pivots)}")


def _reduced(matrix: Matrix) -> DirectStatement:
    rows, _ = reduced_rows(matrix)
    text = f"The reduced row echelon form of {shown_matrix(matrix)} is {shown_matrix(rows)} (computed exactly)."
    return _stated(text, matrix, shown_matrix(rows))


def _adjugate(matrix: Matrix) -> DirectStatement:
    found = adjugate(matrix)
    value = determinant(matrix)
    scaled = tuple(tuple(value * entry for entry in row) for row in unit_matrix(len(matrix)))
    assert product(matrix, found) == scaled
    text = (
        f"The adjugate of {shown_matrix(matrix)} is {shown_matrix(found)} (the matrix times it is its determinant "
        f"{str(value).replace('-', '−')} times the unit matrix; put back)."
    )
    return _stated(text, matrix, shown_matrix(found))


def _eigenvectors(matrix: Matrix) -> AlgebraOutcome:
    polynomial = characteristic(matrix)
    values = sorted(rational_roots(polynomial))
    counted = sum(root.multiplicity for root in roots_of(polynomial).real if root.low == root.high)
    if not values or counted != len(matrix):
        shown = shown_matrix(matrix)
        return failure(
            "no_closed_form", f"not all eigenvalues of {shown} are fractions; its eigenvectors are not told here"
        )
    told = []
    for value in values:
        basis = null_space(_shifted(matrix, value))
        vectors = listed([shown_vector(vector) for vector in basis])
        combined = "its multiples" if len(basis) == 1 else "their combinations"
        told.append(f"for the eigenvalue {str(value).replace('-', '−')}: {vectors} and {combined}")
    text = f"Eigenvectors of {shown_matrix(matrix)}, {'; '.join(told)} (without 0; put back exactly)."
    return _stated(text, matrix, "; ".join(told))


def _shifted(matrix: Matrix, value: Fraction) -> Matrix:
    return tuple(
        tuple(entry - (value if row == column else 0) for column, entry in enumerate(entries))
        for row, entries in enumerate(matrix)
    )


def _cayley_hamilton(matrix: Matrix) -> DirectStatement:
    polynomial = characteristic(matrix)
    written = plain(polynomial_expression(polynomial, "lambda"))
    assert not any(value for row in at_matrix(polynomial, matrix) for value in row)
    shown = shown_matrix(matrix)
    text = (
        f"True: {shown} satisfies its characteristic polynomial p(λ) = {written}: p of the matrix, with the "
        f"constant times "
        "the unit matrix, is the zero matrix (computed exactly). Every square matrix does, by the theorem of "
        "Cayley and "
        "Hamilton (told here, not shown)."
    )
    return _stated(text, matrix, f"p(λ) = {written}, p(A) = 0")


_TASKS: Mapping[str, Callable[[Matrix], AlgebraOutcome]] = {
    "null_space": _null_space,
    "nullity": _nullity,
    "column_space": _column_space,
    "row_space": _row_space,
    "reduced_rows": _reduced,
    "adjugate": _adjugate,
    "eigenvectors": _eigenvectors,
    "cayley_hamilton": _cayley_hamilton,
}


# Qualities of a square matrix: whether it has one, and why.


def has_quality(matrix: Matrix, said: str) -> tuple[bool, str]:
    """Whether a square matrix is nilpotent, idempotent, positive definite, diagonalizable, …, and why."""
    return _QUALITIES[said](matrix)


def _zero(matrix: Matrix) -> bool:
    return not any(value for row in matrix for value in row)


def _nilpotent(matrix: Matrix) -> tuple[bool, str]:
    power, size = matrix, len(matrix)
    for step in range(1, size + 1):
        if _zero(power):
            return True, f"its power {step} is the zero matrix"
        power = product(power, matrix)
    return False, f"its power {size} is not the zero matrix, and no later one could be the first"


def _idempotent(matrix: Matrix) -> tuple[bool, str]:
    square = product(matrix, matrix)
    return square == matrix, f"its square is {shown_matrix(square)}"


def _involutory(matrix: Matrix) -> tuple[bool, str]:
    square = product(matrix, matrix)
    return square == unit_matrix(len(matrix)), f"its square is {shown_matrix(square)}"


def _positive_definite(matrix: Matrix) -> tuple[bool, str]:
    if transposed(matrix) != matrix:
        return False, "it is not symmetric (the word is used here for symmetric matrices)"
    minors = [determinant(tuple(row[:size] for row in matrix[:size])) for size in range(1, len(matrix) + 1)]
    shown = ", ".join(str(value).replace("-", "−") for value in minors)
    return all(value > 0 for value in minors), f"it is symmetric with the leading minors {shown}"


def _diagonalizable(matrix: Matrix) -> tuple[bool, str]:
    polynomial = characteristic(matrix)
    written = plain(polynomial_expression(polynomial, "lambda"))
    free = divided(polynomial, common_divisor(polynomial, derived(polynomial)))[0]
    if not _zero(at_matrix(free, matrix)):
        return False, (
            f"its characteristic polynomial is {written}, and the polynomial with the same roots once each does "
            f"not send "
            "the matrix to 0, so there are too few eigenvectors, over the complex numbers too"
        )
    real = roots_of(free).real
    if len(real) == len(free) - 1:
        return True, f"the roots of its characteristic polynomial {written} are real, and there are enough eigenvectors"
    return True, (
        f"that is so over the complex numbers; over the real numbers it is not, as its characteristic polynomial "
        f"{written} "
        "has roots that are not real"
    )


_QUALITIES: Mapping[str, Callable[[Matrix], tuple[bool, str]]] = {
    "nilpotent": _nilpotent,
    "idempotent": _idempotent,
    "involutory": _involutory,
    "positive definite": _positive_definite,
    "diagonalizable": _diagonalizable,
}
