"""A library examined by its own worked examples: each is asked with itself hidden, and compared with what is printed.

What comes of it is kept beside the cases, so that confidence can be judged on the library's own subject. Answers
nothing itself and judges no formula.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import TypeAlias

from mathrag.errors import MathragError
from mathrag.knowledge.units import read_canonical_unit
from mathrag.library.ask.asker import Asker
from mathrag.library.ingest.reader_choice import software_version
from mathrag.library.opened import OpenLibrary
from mathrag.reason.computing import StepFailure, compute_steps
from mathrag.reason.session import SessionResult
from mathrag.store.truth.cases import list_cases, list_exam_results, write_exam_results
from mathrag.types.answer import Answer
from mathrag.types.library import EXAM_OUTCOMES, Case, ExamOutcome, ExamResult
from mathrag.types.quantity import Quantity

# Called with how many cases are done, and how many there are.
Watcher: TypeAlias = Callable[[int, int], None]
# Where the shares of right answers are told apart by confidence.
BANDS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)
# Books round on the way: two per cent, or a little more than half of the last digit printed.
_TOLERANCE = 0.02
_OF_LAST_DIGIT = 0.75


@dataclass(frozen=True, slots=True)
class Examined:
    """A case with what the library made of it."""

    case: Case
    result: ExamResult


@dataclass(frozen=True, slots=True)
class Band:
    """The answers given with a confidence from `low` on, up to `high`."""

    low: float
    high: float
    given: int
    right: int


@dataclass(frozen=True, slots=True)
class Examination:
    """The outcome of a self-test. `without_result` counts the cases whose result could not be read."""

    examined: tuple[Examined, ...]
    without_result: int = 0

    def count(self, outcome: ExamOutcome) -> int:
        """How many cases ended this way."""
        return sum(one.result.outcome == outcome for one in self.examined)

    @property
    def precision(self) -> float | None:
        """The share of right numbers among those given; None where none was given."""
        given = self.count("right") + self.count("wrong")
        return self.count("right") / given if given else None

    def bands(self) -> tuple[Band, ...]:
        """The numbers given by confidence; bands without any are left out."""
        given = [one.result for one in self.examined if one.result.outcome != "refused"]
        found = []
        for low, high in pairwise(BANDS):
            is_last = high == BANDS[-1]
            inside = [one for one in given if low <= one.confidence and (one.confidence < high or is_last)]
            if inside:
                found.append(Band(low, high, len(inside), sum(one.outcome == "right" for one in inside)))
        return tuple(found)

    def of(self, outcome: ExamOutcome) -> tuple[Examined, ...]:
        """The cases that ended this way, in the order of the documents."""
        return tuple(one for one in self.examined if one.result.outcome == outcome)


def examine(library: OpenLibrary, *, limit: int | None = None, watch: Watcher | None = None) -> Examination:
    """Ask every case of the library its own question and keep what came of it.

    With a `limit`, so many of them, spread evenly over the documents.
    """
    cases = list_cases(library.database)
    readable = [case for case in cases if expected_value(case) is not None]
    chosen = _spread(readable, limit)
    asker = Asker(library.database, library.vectors)
    examined = []
    for done, case in enumerate(chosen):
        if watch is not None:
            watch(done, len(chosen))
        # All parts of an example tell the same story.
        asker.sources.finder.hidden = frozenset(
            one.id for one in cases if (one.document, one.span.place) == (case.document, case.span.place)
        )
        examined.append(Examined(case, _examined(case, asker)))
    if watch is not None:
        watch(len(chosen), len(chosen))
    write_exam_results(library.database, [one.result for one in examined], software=software_version())
    return Examination(tuple(examined), len(cases) - len(readable))


def calibration_samples(library: OpenLibrary) -> Iterator[tuple[dict[str, float], bool]]:
    """For each case of the last self-test that had a plan with a number: the features of the ranking, and whether that
    number is the printed one."""
    for result in list_exam_results(library.database):
        if result.features:
            yield dict(result.features), result.is_right


def expected_value(case: Case) -> Quantity | None:
    """The printed result of a case; None where it has none that can be compared."""
    if case.value is None:
        return None
    try:
        value = float(case.value)
        unit = read_canonical_unit(case.unit)
    except (MathragError, ValueError, OverflowError):
        return None
    return Quantity(value, unit) if math.isfinite(value) else None


def is_printed(found: Quantity, case: Case) -> bool:
    """Whether a quantity is the printed result of a case, as far as its digits go."""
    expected = expected_value(case)
    if expected is None or case.value is None or found.dimension != expected.dimension:
        return False
    value = (found.si_value - expected.unit.offset) / expected.unit.scale
    stated = float(case.value)
    return abs(value - stated) <= max(_TOLERANCE * abs(stated), _OF_LAST_DIGIT * _last_digit(case.value))


def _last_digit(number: Decimal) -> float:
    """What the last digit that tells something counts; zeros at the end of a whole number may tell nothing."""
    exponent = number.normalize().as_tuple().exponent
    written = number.as_tuple().exponent
    if not isinstance(exponent, int) or not isinstance(written, int):
        return 0.0
    return float(10.0 ** (written if written < 0 else max(exponent, 0)))


def _spread(cases: Sequence[Case], limit: int | None) -> Sequence[Case]:
    if limit is None or limit >= len(cases):
        return cases
    return [cases[place * len(cases) // limit] for place in range(limit)]


def _examined(case: Case, asker: Asker) -> ExamResult:
    asked = asker.ask(case.problem, planner="rules")
    outcome = asked.result.outcome
    value = _best_value(asked)
    is_right = value is not None and is_printed(value, case)
    features = asked.features if value is not None else ()
    if not isinstance(outcome, Answer):
        confidence = asked.choices[0].confidence if asked.choices else 0.0
        return ExamResult(case.id, "refused", is_right, confidence, "", features)
    is_right = is_printed(outcome.quantity, case)
    ending = EXAM_OUTCOMES[0] if is_right else EXAM_OUTCOMES[1]
    return ExamResult(case.id, ending, is_right, outcome.confidence, outcome.text, features)


def _best_value(asked: SessionResult) -> Quantity | None:
    """The number of the plan that ranks first, given or not."""
    if not asked.choices or asked.choices[0].missing:
        return None
    steps = compute_steps(asked.choices[0].steps)
    return None if isinstance(steps, StepFailure) else steps[-1].result
