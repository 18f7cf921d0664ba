"""Matrices of fractions: what is computed can be put back."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from mathrag.compute.algebra.matrices import Matrix, determinant, inverse, product, rank, trace, transposed, unit_matrix

_ENTRIES = st.builds(Fraction, st.integers(-6, 6), st.integers(1, 4))


@st.composite
def _squares(draw: st.DrawFn, size: int | None = None) -> Matrix:
    side = size or draw(st.integers(1, 4))
    return tuple(tuple(draw(_ENTRIES) for _ in range(side)) for _ in range(side))


@given(_squares())
def test_an_inverse_gives_the_unit_matrix_and_exists_just_where_the_determinant_is_not_zero(matrix: Matrix) -> None:
    found = inverse(matrix)
    assert (found is None) == (determinant(matrix) == 0) == (rank(matrix) < len(matrix))
    if found is not None:
        assert product(matrix, found) == product(found, matrix) == unit_matrix(len(matrix))


@given(_squares(3), _squares(3))
def test_determinants_and_traces_of_products(left: Matrix, right: Matrix) -> None:
    assert determinant(product(left, right)) == determinant(left) * determinant(right)
    assert trace(product(left, right)) == trace(product(right, left))
    assert determinant(transposed(left)) == determinant(left)
