"""Repeated runs on samples that share no problem: drawing them, and the mean, deviation and interval over runs.

The same problems every time would only repeat one draw. Pure functions; a seed fixes every draw.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import TypeVar

from mathrag.errors import UsageError
from mathrag.evaluate.metrics import rounded
from mathrag.types.json_value import Json

Item = TypeVar("Item")
MOST_RUNS = 30
# Two-sided 95 % points of Student's distribution for 1, 2, … degrees of freedom: a few runs vary more than many.
_STUDENT = (
    12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281,
    2.2010, 2.1788, 2.1604, 2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860,
    2.0796, 2.0739, 2.0687, 2.0639, 2.0595, 2.0555, 2.0518, 2.0484, 2.0452,
)  # fmt: skip


def disjoint_samples(items: Sequence[Item], *, runs: int, size: int | None, seed: int) -> list[list[Item]]:
    """So many samples without a common item, each in the order of the items; `UsageError` where there are too few.

    Without `size` the items are shared out as evenly as can be.
    """
    if not 1 <= runs <= MOST_RUNS:
        raise UsageError(f"there are 1 to {MOST_RUNS} runs, not {runs}")
    each = len(items) // runs if size is None else size
    if runs == 1:
        each = min(each, len(items))
    if runs > 1 and (each < 1 or each * runs > len(items)):
        wanted = f"{runs} runs of {max(1, each)}"
        raise UsageError(f"{wanted} without a common problem need {runs * max(1, each)}; there are {len(items)}")
    if each * runs == len(items) and runs == 1:
        return [list(items)]
    order = random.Random(seed).sample(range(len(items)), each * runs)  # noqa: S311 - a sample, not a secret
    return [[items[place] for place in sorted(order[run * each : (run + 1) * each])] for run in range(runs)]


def over_runs(values: Sequence[float]) -> Json | None:
    """Mean, standard deviation and 95 % interval of the mean over runs; None where there is no run.

    One run has neither a deviation nor an interval.
    """
    if not values:
        return None
    count = len(values)
    mean = math.fsum(values) / count
    if count == 1:
        return {
            "runs": 1,
            "values": [rounded(mean)],
            "mean": rounded(mean),
            "deviation": None,
            "low": None,
            "high": None,
        }
    deviation = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (count - 1))
    reach = _STUDENT[min(count - 1, len(_STUDENT)) - 1] * deviation / math.sqrt(count)
    return {
        "runs": count,
        "values": [rounded(value) for value in values],
        "mean": rounded(mean),
        "deviation": rounded(deviation),
        "low": rounded(mean - reach),
        "high": rounded(mean + reach),
    }
