"""Small matrices of expressions: enough to expand determinants, products and component equations. Not a tree node."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from mathrag.compute.grammar.context import Context
from mathrag.types.expression import Expression, add, divide, multiply, negate, subtract

_LARGEST = 4


@dataclass(frozen=True, slots=True)
class Matrix:
    """Rows of expressions, all of the same length."""

    rows: tuple[tuple[Expression, ...], ...]

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and of columns."""
        return len(self.rows), len(self.rows[0])


Value: TypeAlias = Expression | Matrix


def make_matrix(rows: list[list[Expression]], context: Context, position: int) -> Matrix:
    """A checked matrix."""
    if not rows or not rows[0] or any(len(row) != len(rows[0]) for row in rows):
        context.decline("matrix", "the lines of the matrix differ in length", position)
    if len(rows) > _LARGEST or len(rows[0]) > _LARGEST:
        context.decline("matrix", f"matrices larger than {_LARGEST} by {_LARGEST} are not expanded", position)
    return Matrix(tuple(tuple(row) for row in rows))


def add_values(left: Value, right: Value, context: Context, position: int) -> Value:
    """A sum; matrices add entry by entry."""
    if not isinstance(left, Matrix) and not isinstance(right, Matrix):
        return add(left, right)
    if isinstance(left, Matrix) and isinstance(right, Matrix) and left.shape == right.shape:
        return Matrix(
            tuple(
                tuple(add(a, b) for a, b in zip(x, y, strict=True)) for x, y in zip(left.rows, right.rows, strict=True)
            )
        )
    context.decline("matrix", "these cannot be added: one is a matrix of another shape", position)


def negate_value(value: Value) -> Value:
    """The opposite, entry by entry."""
    if isinstance(value, Matrix):
        return Matrix(tuple(tuple(negate(entry) for entry in row) for row in value.rows))
    return negate(value)


def multiply_values(left: Value, right: Value, context: Context, position: int) -> Value:
    """A product: of numbers, of a number and a matrix, of two matrices."""
    if not isinstance(left, Matrix):
        if not isinstance(right, Matrix):
            return multiply(left, right)
        return Matrix(tuple(tuple(multiply(left, entry) for entry in row) for row in right.rows))
    if not isinstance(right, Matrix):
        return Matrix(tuple(tuple(multiply(entry, right) for entry in row) for row in left.rows))
    if left.shape[1] != right.shape[0]:
        context.decline("matrix", "the shapes of these matrices do not allow a product", position)
    columns = tuple(zip(*right.rows, strict=True))
    return Matrix(
        tuple(
            tuple(add(*(multiply(a, b) for a, b in zip(row, column, strict=True))) for column in columns)
            for row in left.rows
        )
    )


def divide_values(left: Value, right: Value, context: Context, position: int) -> Value:
    """A quotient by a number."""
    if isinstance(right, Matrix):
        context.decline("matrix", "division by a matrix is not defined", position)
    if isinstance(left, Matrix):
        return Matrix(tuple(tuple(divide(entry, right) for entry in row) for row in left.rows))
    return divide(left, right)


def transpose(matrix: Matrix) -> Matrix:
    """Rows become columns."""
    return Matrix(tuple(tuple(column) for column in zip(*matrix.rows, strict=True)))


def determinant(matrix: Matrix, context: Context, position: int) -> Expression:
    """Expanded along the first row."""
    rows, columns = matrix.shape
    if rows != columns:
        context.decline("matrix", "only a square matrix has a determinant", position)
    if rows == 1:
        return matrix.rows[0][0]
    if rows == 2:
        (a, b), (c, d) = matrix.rows
        return subtract(multiply(a, d), multiply(b, c))
    terms: list[Expression] = []
    for column in range(columns):
        minor = Matrix(
            tuple(tuple(entry for index, entry in enumerate(row) if index != column) for row in matrix.rows[1:])
        )
        term = multiply(matrix.rows[0][column], determinant(minor, context, position))
        terms.append(negate(term) if column % 2 else term)
    return add(*terms)
