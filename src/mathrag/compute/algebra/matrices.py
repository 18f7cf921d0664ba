"""Matrices of fractions, exactly: determinant, rank, inverse, product. Small ones; every result can be put back."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

Matrix: TypeAlias = tuple[tuple[Fraction, ...], ...]

MOST_ROWS = 12


def shape_of(matrix: Matrix) -> tuple[int, int]:
    """Rows and columns."""
    return len(matrix), len(matrix[0])


def unit_matrix(size: int) -> Matrix:
    """Ones on the diagonal, nothing else."""
    return tuple(tuple(Fraction(row == column) for column in range(size)) for row in range(size))


def transposed(matrix: Matrix) -> Matrix:
    """Rows as columns."""
    return tuple(zip(*matrix, strict=True))


def product(left: Matrix, right: Matrix) -> Matrix:
    """The product of two matrices that fit."""
    columns = transposed(right)
    return tuple(
        tuple(sum((a * b for a, b in zip(row, column, strict=True)), Fraction(0)) for column in columns) for row in left
    )


def trace(matrix: Matrix) -> Fraction:
    """The sum of the diagonal of a square matrix."""
    return sum((matrix[place][place] for place in range(len(matrix))), Fraction(0))


def determinant(matrix: Matrix) -> Fraction:
    """The determinant of a square matrix."""
    rows, sign = _reduced(matrix)
    value = Fraction(sign)
    for place, row in enumerate(rows):
        value *= row[place]
    return value


def rank(matrix: Matrix) -> int:
    """How many rows are independent."""
    rows, _ = _reduced(matrix)
    return sum(any(row) for row in rows)


def inverse(matrix: Matrix) -> Matrix | None:
    """The inverse of a square matrix; None where there is none."""
    size = len(matrix)
    rows = [[*row, *(Fraction(place == column) for column in range(size))] for place, row in enumerate(matrix)]
    for column in range(size):
        pivot = next((place for place in range(column, size) if rows[place][column]), None)
        if pivot is None:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        scale = rows[column][column]
        rows[column] = [value / scale for value in rows[column]]
        for place in range(size):
            if place != column and rows[place][column]:
                factor = rows[place][column]
                rows[place] = [a - factor * b for a, b in zip(rows[place], rows[column], strict=True)]
    return tuple(tuple(row[size:]) for row in rows)


def reduced_rows(matrix: Matrix) -> tuple[Matrix, tuple[int, ...]]:
    """The reduced row echelon form, and the columns in which a row begins."""
    rows = [list(row) for row in matrix]
    pivots: list[int] = []
    for column in range(len(rows[0])):
        step = len(pivots)
        place = next((place for place in range(step, len(rows)) if rows[place][column]), None)
        if place is None:
            continue
        rows[step], rows[place] = rows[place], rows[step]
        scale = rows[step][column]
        rows[step] = [value / scale for value in rows[step]]
        for other in range(len(rows)):
            if other != step and rows[other][column]:
                factor = rows[other][column]
                rows[other] = [a - factor * b for a, b in zip(rows[other], rows[step], strict=True)]
        pivots.append(column)
        if len(pivots) == len(rows):
            break
    return tuple(map(tuple, rows)), tuple(pivots)


def null_space(matrix: Matrix) -> tuple[tuple[Fraction, ...], ...]:
    """A basis of the vectors that a matrix sends to 0."""
    rows, pivots = reduced_rows(matrix)
    columns = len(matrix[0])
    found = []
    for free in range(columns):
        if free in pivots:
            continue
        vector = [Fraction(0)] * columns
        vector[free] = Fraction(1)
        for place, pivot in enumerate(pivots):
            vector[pivot] = -rows[place][free]
        found.append(tuple(vector))
    return tuple(found)


def adjugate(matrix: Matrix) -> Matrix:
    """The matrix that gives the determinant times the unit matrix when multiplied by a square matrix."""
    size = len(matrix)
    if size == 1:
        return unit_matrix(1)

    def cofactor(row: int, column: int) -> Fraction:
        smaller = tuple(
            tuple(value for place, value in enumerate(values) if place != column)
            for index, values in enumerate(matrix)
            if index != row
        )
        value = determinant(smaller)
        return -value if (row + column) % 2 else value

    return tuple(tuple(cofactor(column, row) for column in range(size)) for row in range(size))


def at_matrix(polynomial: Sequence[Fraction], matrix: Matrix) -> Matrix:
    """A polynomial, the constant first, at a square matrix."""
    size = len(matrix)
    made: Matrix = tuple((Fraction(0),) * size for _ in range(size))
    for coefficient in reversed(polynomial):
        made = tuple(
            tuple(value + (coefficient if row == column else 0) for column, value in enumerate(values))
            for row, values in enumerate(product(made, matrix))
        )
    return made


def characteristic(matrix: Matrix) -> tuple[Fraction, ...]:
    """The coefficients of det(λ − A) of a square matrix, the constant first (Faddeev and LeVerrier)."""
    size = len(matrix)
    coefficients = [Fraction(1)]
    made = matrix
    for step in range(1, size + 1):
        value = -trace(made) / step
        coefficients.append(value)
        shifted = tuple(
            tuple(entry + (value if row == column else 0) for column, entry in enumerate(entries))
            for row, entries in enumerate(made)
        )
        made = product(matrix, shifted)
    return tuple(reversed(coefficients))


def _reduced(matrix: Matrix) -> tuple[list[list[Fraction]], int]:
    """The rows in steps, and the sign that exchanging them gave."""
    rows, sign, step = [list(row) for row in matrix], 1, 0
    for column in range(len(matrix[0])):
        pivot = next((place for place in range(step, len(rows)) if rows[place][column]), None)
        if pivot is None:
            continue
        if pivot != step:
            rows[step], rows[pivot], sign = rows[pivot], rows[step], -sign
        for place in range(step + 1, len(rows)):
            factor = rows[place][column] / rows[step][column]
            rows[place] = [a - factor * b for a, b in zip(rows[place], rows[step], strict=True)]
        step += 1
        if step == len(rows):
            break
    return rows, sign
