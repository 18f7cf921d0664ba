"""Distributions against values of printed tables, and laws that hold for any numbers."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathrag.compute.distributions import (
    binomial_exactly,
    chi_square_above,
    hypergeometric_exactly,
    normal_below,
    normal_quantile,
    poisson_exactly,
    student_below,
    student_quantile,
)

SHARES = st.floats(0.001, 0.999)
FREE = st.integers(1, 200)


@pytest.mark.parametrize(
    ("z", "share"), [(0, 0.5), (1, 0.8413447461), (1.96, 0.9750021049), (-2.5, 0.00620966533), (-6, 9.865876450e-10)]
)
def test_the_normal_table(z: float, share: float) -> None:
    assert normal_below(z) == pytest.approx(share, rel=1e-9)


@pytest.mark.parametrize(
    ("free", "share", "t"),
    [
        (1, 0.975, 12.7062047),
        (2, 0.95, 2.91998558),
        (5, 0.995, 4.03214298),
        (10, 0.975, 2.22813885),
        (30, 0.9, 1.31041503),
        (120, 0.975, 1.97993041),
    ],
)
def test_the_table_of_student(free: int, share: float, t: float) -> None:
    assert student_quantile(share, free) == pytest.approx(t, rel=1e-8)
    assert student_below(t, free) == pytest.approx(share, rel=1e-8)


@pytest.mark.parametrize(("free", "value"), [(1, 3.84145882), (2, 5.99146455), (10, 18.30703805), (100, 124.34211340)])
def test_the_table_of_chi_square(free: int, value: float) -> None:
    assert chi_square_above(value, free) == pytest.approx(0.05, rel=1e-6)


@settings(max_examples=30)
@given(SHARES, FREE)
def test_a_quantile_has_its_share_below_it(share: float, free: int) -> None:
    assert normal_below(normal_quantile(share)) == pytest.approx(share, rel=1e-9)
    assert student_below(student_quantile(share, free), free) == pytest.approx(share, rel=1e-7)


@settings(max_examples=30)
@given(st.floats(-8, 8), FREE)
def test_both_tails_are_alike_and_those_of_student_heavier(t: float, free: int) -> None:
    assert student_below(t, free) + student_below(-t, free) == pytest.approx(1, rel=1e-12)
    assert student_below(-abs(t), free) >= normal_below(-abs(t)) * (1 - 1e-9)


@settings(max_examples=20)
@given(st.integers(0, 30), st.fractions(0, 1, max_denominator=20))
def test_all_counts_together_are_certain(trials: int, chance: Fraction) -> None:
    assert sum(binomial_exactly(count, trials, chance) for count in range(trials + 1)) == 1
    whole, special = trials + 7, trials // 2 + 3
    assert sum(hypergeometric_exactly(count, trials, special, whole) for count in range(trials + 1)) == 1


@settings(max_examples=20)
@given(st.floats(0.01, 40))
def test_a_poisson_variable_has_its_mean(mean: float) -> None:
    chances = [poisson_exactly(count, mean) for count in range(200)]
    assert sum(chances) == pytest.approx(1, rel=1e-9)
    assert sum(count * chance for count, chance in enumerate(chances)) == pytest.approx(mean, rel=1e-9)
