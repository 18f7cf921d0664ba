"""What a row is worth: whole rows read to their end, and arithmetic with numbers and small matrices alike.

Matrices are expanded entry by entry into ordinary expressions: sums, products, determinants, component equations.
"""

from __future__ import annotations

from collections.abc import Sequence

from mathrag.compute.grammar.context import Context, Cursor, Matrix, Value
from mathrag.compute.grammar.names import prepare
from mathrag.compute.notation import Mark, Row
from mathrag.types.expression import Expression, add, divide, multiply, negate, subtract

# A determinant of n rows has n! terms; what textbooks write out ends at four.
_LARGEST_MATRIX = 4


def read_row(row: Row, context: Context) -> Expression:
    """A row as a number."""
    return number_of(cursor_over(row.items, context, _end_of(row)))


def read_value(row: Row, context: Context) -> Value:
    """A row as a number or a matrix."""
    return value_of(cursor_over(row.items, context, _end_of(row)))


def read_fenced(row: Row, context: Context) -> Value:
    """What a bracket holds, as a number or a matrix."""
    cursor = cursor_over(row.items, context, _end_of(row))
    cursor.is_fenced = True
    return value_of(cursor)


def cursor_over(items: Sequence[Mark], context: Context, end: int) -> Cursor:
    """A cursor at the start of marks that nobody has prepared yet; `end` is where they end in the source."""
    return Cursor(prepare(tuple(items), context), context, end)


def number_of(cursor: Cursor) -> Expression:
    """The whole row under a cursor as a number."""
    start = cursor.position()
    return cursor.scalar(value_of(cursor), start)


def value_of(cursor: Cursor) -> Value:
    """The whole row under a cursor; anything left over is an error at its place."""
    context = cursor.context
    context.enter(cursor.position())
    if not cursor.marks:
        context.decline("syntax", "something is missing here", cursor.end)
    result = cursor.sum()
    leftover = cursor.peek()
    if leftover is not None:
        cursor.refuse(leftover)
    context.leave()
    return result


def _end_of(row: Row) -> int:
    return row.items[-1].position + 1 if row.items else row.position


def make_matrix(rows: list[list[Expression]], context: Context, position: int) -> Matrix:
    """A checked matrix."""
    if not rows or not rows[0] or any(len(row) != len(rows[0]) for row in rows):
        context.decline("matrix", "the lines of the matrix differ in length", position)
    if len(rows) > _LARGEST_MATRIX or len(rows[0]) > _LARGEST_MATRIX:
        context.decline(
            "matrix", f"matrices larger than {_LARGEST_MATRIX} by {_LARGEST_MATRIX} are not expanded", position
        )
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
