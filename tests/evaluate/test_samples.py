"""Samples without a common problem, and figures over runs."""

from __future__ import annotations

import pytest

from mathrag.errors import UsageError
from mathrag.evaluate.samples import disjoint_samples, over_runs


def test_samples_share_no_item_and_keep_the_order() -> None:
    samples = disjoint_samples(range(50), runs=5, size=8, seed=3)
    assert [len(sample) for sample in samples] == [8] * 5
    everything = [item for sample in samples for item in sample]
    assert len(set(everything)) == 40
    assert all(sample == sorted(sample) for sample in samples)
    assert samples == disjoint_samples(range(50), runs=5, size=8, seed=3)
    assert samples != disjoint_samples(range(50), runs=5, size=8, seed=4)


def test_without_a_size_all_are_shared_out() -> None:
    assert disjoint_samples("abc", runs=1, size=None, seed=0) == [["a", "b", "c"]]
    samples = disjoint_samples(range(7), runs=3, size=None, seed=0)
    assert [len(sample) for sample in samples] == [2, 2, 2]


def test_one_run_takes_what_there_is() -> None:
    assert disjoint_samples(range(3), runs=1, size=10, seed=0) == [[0, 1, 2]]
    assert disjoint_samples((), runs=1, size=None, seed=0) == [[]]


def test_too_few_problems_are_told() -> None:
    with pytest.raises(UsageError, match="5 runs of 3 without a common problem need 15; there are 14"):
        disjoint_samples(range(14), runs=5, size=3, seed=0)
    with pytest.raises(UsageError):
        disjoint_samples(range(2), runs=3, size=None, seed=0)
    with pytest.raises(UsageError):
        disjoint_samples(range(2), runs=0, size=None, seed=0)


def test_mean_deviation_and_interval_over_runs() -> None:
    found = over_runs([0.5, 0.6, 0.7])
    assert found is not None
    assert (found["runs"], found["mean"], found["deviation"]) == (3, pytest.approx(0.6), pytest.approx(0.1))
    # Student's t with two degrees of freedom is 4.3027.
    assert found["high"] - found["mean"] == pytest.approx(4.3027 * 0.1 / 3**0.5, abs=1e-5)


def test_one_run_has_no_deviation() -> None:
    found = over_runs([0.5])
    assert found is not None
    assert (found["mean"], found["deviation"], found["low"]) == (0.5, None, None)
    assert over_runs([]) is None
