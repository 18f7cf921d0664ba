"""Real solutions of small systems by number, where algebra finds no one equation: Newton's method from many starts.

Plain numbers in SI, no units. Unknowns are sought as a sign and a logarithm, since quantities differ by many powers of
ten. Every solution handed out satisfies all equations used; that no other exists is never claimed.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from mathrag.compute.evaluate.compiled import CompiledExpression, Work, compile_expression
from mathrag.compute.evaluate.failure import Failure
from mathrag.compute.solve.systems import determining_subsets, in_si, refusal_of, shortage, unknowns_of
from mathrag.types.expression import Add, Equation, Expression, size_of

_STARTS, _STEPS, _HALVINGS = 240, 40, 8
_MOST_ROOTS = 8
# No step changes an unknown by more than this factor; nothing real is larger or smaller than these powers of e.
_LONGEST_STEP, _FARTHEST = 3.0, 140.0
_NUDGE = 1e-6
_SOLVED, _SAME = 1e-9, 1e-7
# How much the equations must change, at least, with any change of the unknowns.
_STANDS_ALONE = 1e-6
# Nodes evaluated in all, each term counting for some more: a few seconds. Counted rather than timed, so that the same
# starts are made on every machine.
_MOST_STEPS, _STEPS_A_TERM = 12_000_000, 10


@dataclass(frozen=True, slots=True)
class NumericRoot:
    """A value of the target with the values of the other unknowns beside it, in SI; `used` are places of equations."""

    value: float
    others: Mapping[str, float]
    used: tuple[int, ...]


def solve_numerically(
    equations: Sequence[Equation], target: str, known: Mapping[str, float], *, steps: int = _MOST_STEPS
) -> tuple[float, ...] | Failure:
    """The values of the target found for which the equations have a real solution, in rising order.

    `known` are values in SI. A set of as many equations as unknowns is solved, the smallest; the others are left out.
    Zero is not found as the value of an unknown, nor a solution where curves only touch.
    """
    found = numeric_roots(equations, target, known, steps=steps)
    return found if isinstance(found, Failure) else _distinct(root.value for root in found)


def numeric_roots(
    equations: Sequence[Equation], target: str, known: Mapping[str, float], *, steps: int = _MOST_STEPS
) -> tuple[NumericRoot, ...] | Failure:
    """What `solve_numerically` finds, each with the other unknowns: one value of the target may have several."""
    refusal = refusal_of(equations, target)
    if refusal is not None:
        return refusal
    given = {name: float(value) for name, value in known.items() if name != target}
    if not all(map(math.isfinite, given.values())):
        return Failure("bad_value", "a given value is not a finite number")
    lacking = shortage(equations, target, given)
    if lacking is not None:
        return lacking
    plain = [Equation(in_si(each.left), in_si(each.right)) for each in equations]
    work = Work()
    for subset in determining_subsets(plain, target, given):
        if subset.surplus:
            break
        chosen = [plain[place] for place in subset.places]
        unknowns = (target, *unknowns_of(chosen, target, given))
        found = _distinct_points(_System(chosen, unknowns, given, work).solutions(steps))
        if found:
            points = (dict(zip(unknowns[1:], point[1:], strict=True)) for point in found)
            return tuple(
                NumericRoot(point[0], others, subset.places) for point, others in zip(found, points, strict=True)
            )
    if work.nodes > steps:
        return Failure("unsolved", f"no value of {target} was found in {steps:,} steps")
    return Failure("no_solution", f"no real value of {target} was found that satisfies the equations")


def _distinct_points(solutions: Iterator[list[float]]) -> list[list[float]]:
    """The first points found that differ, in rising order of the target."""
    found: list[list[float]] = []
    for point in solutions:
        if not any(all(map(_is_close, point, other)) for other in found):
            found.append(point)
        if len(found) == _MOST_ROOTS:
            break
    return sorted(found)


def _is_close(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=_SAME)


def _distinct(solutions: Iterator[float]) -> tuple[float, ...]:
    found: list[float] = []
    for value in solutions:
        if not any(_is_close(value, other) for other in found):
            found.append(value)
        if len(found) == _MOST_ROOTS:
            break
    return tuple(sorted(found))


class _System:
    """As many equations as unknowns, as functions of the unknowns alone."""

    def __init__(
        self, equations: Sequence[Equation], unknowns: Sequence[str], known: Mapping[str, float], work: Work
    ) -> None:
        order = (*unknowns, *known)
        self.count = len(unknowns)
        self.others = tuple(known.values())
        self.work = work
        self.rows = [[_terms(side, order, work) for side in (each.left, each.right)] for each in equations]
        self.cost = sum(size_of(side) for each in equations for side in (each.left, each.right))
        self.cost += _STEPS_A_TERM * sum(len(side) for row in self.rows for side in row)
        sizes = [math.log(abs(value)) for value in known.values() if value]
        self.scales = (0.0, *sizes)

    def residuals(self, values: Sequence[float]) -> list[float] | None:
        """How far each equation is from holding, beside the largest of its terms; None where one has no value."""
        found: list[float] = []
        self.work.nodes += self.cost
        for left, right in self.rows:
            terms = [term(*values, *self.others) for term in left] + [term(*values, *self.others) for term in right]
            numbers = [each for each in terms if not isinstance(each, Failure)]
            if len(numbers) < len(terms):
                return None
            size = max(map(abs, numbers)) or 1.0
            found.append((math.fsum(numbers[: len(left)]) - math.fsum(numbers[len(left) :])) / size)
        return found

    def solutions(self, steps: int) -> Iterator[list[float]]:
        """All unknowns, the target first, at every solution that a start leads to."""
        chance = random.Random("starts")  # noqa: S311 - not a secret; the same every time
        for start in range(_STARTS):
            if self.work.nodes > steps:
                return
            # Most quantities are positive, and many of the size of what is known.
            signs = [1.0 if start % 2 == 0 or chance.random() < 0.5 else -1.0 for _ in range(self.count)]
            logs = [chance.choice(self.scales) + chance.gauss(0.0, 2.0) for _ in range(self.count)]
            values = self._newton(signs, logs, steps)
            if values is not None:
                yield values

    def _newton(self, signs: Sequence[float], logs: list[float], steps: int) -> list[float] | None:
        def at(place: Sequence[float]) -> list[float] | None:
            return self.residuals([sign * math.exp(each) for sign, each in zip(signs, place, strict=True)])

        here = at(logs)
        for _ in range(_STEPS):
            if here is None or self.work.nodes > steps:
                return None
            if max(map(abs, here)) <= _SOLVED * 1e-3:
                break
            step = _newton_step(at, logs, here)
            if step is None:
                break
            moved = _damped(at, logs, step, sum(each * each for each in here))
            if moved is None:
                break
            logs, here = moved
        if here is None or max(map(abs, here)) > _SOLVED:
            return None
        # On the way to infinity terms cancel as at a solution, and equations that say the same have solutions without
        # end. At a solution that stands alone, no direction leaves the equations as they are.
        last = _newton_step(at, logs, here, least_pivot=_STANDS_ALONE)
        if last is None or max(map(abs, last)) > _SAME:
            return None
        return [sign * math.exp(each) for sign, each in zip(signs, logs, strict=True)]


_At = Callable[[Sequence[float]], "list[float] | None"]


def _terms(side: Expression, order: Sequence[str], work: Work) -> list[CompiledExpression]:
    return [compile_expression(term, order, work=work) for term in (side.terms if isinstance(side, Add) else (side,))]


def _newton_step(
    at: _At, logs: Sequence[float], here: Sequence[float], *, least_pivot: float = 1e-14
) -> list[float] | None:
    columns: list[list[float]] = []
    for place in range(len(logs)):
        sides = [at([*logs[:place], logs[place] + nudge, *logs[place + 1 :]]) for nudge in (-_NUDGE, _NUDGE)]
        before, after = sides
        if before is None or after is None:
            return None
        columns.append([(b - a) / (2 * _NUDGE) for a, b in zip(before, after, strict=True)])
    rows = [[column[row] for column in columns] for row in range(len(here))]
    step = _solve_linear(rows, [-each for each in here], least_pivot)
    if step is None:
        return None
    longest = max(map(abs, step))
    return [each * _LONGEST_STEP / longest for each in step] if longest > _LONGEST_STEP else step


def _damped(
    at: _At, logs: Sequence[float], step: Sequence[float], height: float
) -> tuple[list[float], list[float]] | None:
    """The first of ever shorter steps that comes nearer."""
    for halving in range(_HALVINGS):
        place = [each + move / 2**halving for each, move in zip(logs, step, strict=True)]
        if max(map(abs, place)) > _FARTHEST:
            continue
        found = at(place)
        if found is not None and sum(each * each for each in found) < height:
            return place, found
    return None


def _solve_linear(rows: list[list[float]], right: Sequence[float], least_pivot: float) -> list[float] | None:
    """Gauss with the largest pivot; None where the rows depend on each other."""
    count = len(rows)
    work = [[*row, value] for row, value in zip(rows, right, strict=True)]
    for place in range(count):
        pivot = max(range(place, count), key=lambda row: abs(work[row][place]))
        if abs(work[pivot][place]) < least_pivot:
            return None
        work[place], work[pivot] = work[pivot], work[place]
        for row in range(place + 1, count):
            factor = work[row][place] / work[place][place]
            work[row] = [value - factor * top for value, top in zip(work[row], work[place], strict=True)]
    found = [0.0] * count
    for place in reversed(range(count)):
        rest = sum(work[place][other] * found[other] for other in range(place + 1, count))
        found[place] = (work[place][-1] - rest) / work[place][place]
    return found if all(map(math.isfinite, found)) else None
