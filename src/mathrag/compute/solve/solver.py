"""Solve an equation for a symbol in closed form: undoing operations first, SymPy in its worker process second.

Every solution handed out was substituted back into the equation at random points; one is marked as the default.
"""

from __future__ import annotations

import math
import random
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import Literal

from mathrag.compute.evaluate.compiled import CompiledExpression, Work, compile_expression
from mathrag.compute.evaluate.failure import Failure
from mathrag.compute.evaluate.floats import holds
from mathrag.compute.patience import give_up, given_up
from mathrag.compute.solve.rearrangement import Candidate, entries_of, isolate
from mathrag.compute.solve.tidy import sign_parts
from mathrag.types.expression import (
    MAXIMUM_DEPTH,
    ZERO,
    Call,
    Comparison,
    Equation,
    Expression,
    Measure,
    Series,
    Symbol,
    depth_of,
    equation_symbols,
    size_of,
    symbols_of,
    walk,
)

# Random points at which a solution is put to the test, and the choice between branches. Deterministic by seed.

_TRIES = 60
_ENOUGH = 5
_CLOSE = 1e-6
# A formula with long sums is slow to try, about a second for so much. Counted, so that the same points are tried on
# every machine; what was tried until then decides where it is more than one point.
_MOST_WORK, _FEWEST = 12_000_000, 2

_WAVES = frozenset(("sin", "cos", "tan"))
_WHOLE_FUNCTIONS = frozenset(("factorial", "comb", "perm", "gcd", "lcm"))


@dataclass(frozen=True, slots=True)
class Trial:
    """How a candidate fared: at how many points it held, failed, and equalled the value the point was made from."""

    held: int
    failed: int
    matched: int
    is_cut: bool = False

    @property
    def is_verified(self) -> bool:
        """Held somewhere and failed nowhere; one point is not enough where there was no trying the others."""
        return self.failed == 0 and self.held >= (_FEWEST if self.is_cut else 1)


def points(
    equation: Equation, symbol: str, kinds: Mapping[str, str], *, work: Work, seed: str = "points"
) -> Iterator[dict[str, float]]:
    """Values of all symbols: a first half positive, then some negative where the kind of the symbol allows it.

    Where one side is a lone symbol, its value is computed from the other side, so that the point lies on the curve.
    """
    chance = random.Random(f"{seed}:{symbol}")  # noqa: S311 - not a secret; the same every time
    names = equation_symbols(equation)
    defined = _defined_symbol(equation, symbol)
    whole = _whole_symbols(equation)
    forward = compile_expression(defined[1], names, work=work) if defined else None
    for attempt in range(_TRIES):
        if work.nodes > _MOST_WORK / 2:
            return
        spread = (0.5, 1.2, 0.25)[attempt % 3]
        point: dict[str, float] = {}
        for name in names:
            value = 10.0 ** chance.uniform(-spread, spread * 0.6)
            negative = kinds.get(name, "any") == "any" and attempt >= _TRIES // 2 and chance.random() < 0.4
            point[name] = float(chance.randint(2, 6)) if name in whole else -value if negative else value
        if defined and forward is not None:
            value_of_defined = forward(*point.values())
            if isinstance(value_of_defined, Failure):
                continue
            point[defined[0]] = value_of_defined
        yield point


def _defined_symbol(equation: Equation, symbol: str) -> tuple[str, Expression] | None:
    for alone, other in ((equation.left, equation.right), (equation.right, equation.left)):
        if isinstance(alone, Symbol) and alone.name != symbol and alone.name not in symbols_of(other):
            return alone.name, other
    return None


def _whole_symbols(equation: Equation) -> set[str]:
    """Symbols inside functions of whole numbers and bounds of series."""
    found: set[str] = set()
    for side in (equation.left, equation.right):
        for node in walk(side):
            if isinstance(node, Call) and node.function in _WHOLE_FUNCTIONS:
                found.update(name for argument in node.arguments for name in symbols_of(argument))
            elif isinstance(node, Series):
                found.update((*symbols_of(node.lower), *symbols_of(node.upper)))
    return found


class Judge:
    """Puts candidates for one equation and symbol to the test."""

    def __init__(self, equation: Equation, symbol: str, kinds: Mapping[str, str]) -> None:
        self.symbol = symbol
        self.work = Work()
        self.names = equation_symbols(equation)
        self.others = [name for name in self.names if name != symbol]
        self.left = compile_expression(equation.left, self.names, work=self.work)
        self.right = compile_expression(equation.right, self.names, work=self.work)
        self.points = list(points(equation, symbol, kinds, work=self.work))
        self.is_cut = self.work.nodes > _MOST_WORK / 2
        self.on_curve = _defined_symbol(equation, symbol) is not None

    def trial(self, candidate: Candidate) -> Trial:
        """Substitute the candidate at the points where it has a value and its conditions hold."""
        solve_for = self._compiled(candidate.expression)
        tests = [
            (each.relation, self._compiled(each.left), self._compiled(each.right)) for each in candidate.conditions
        ]
        held = failed = matched = 0
        is_cut = self.is_cut
        for point in self.points:
            if self.work.nodes > _MOST_WORK:
                is_cut = True
                break
            others = [point[name] for name in self.others]
            if not _all_hold(tests, others):
                continue
            value = solve_for(*others)
            if isinstance(value, Failure):
                continue
            verdict = self._satisfies(point, value)
            held += verdict is True
            failed += verdict is False
            matched += self.on_curve and math.isclose(value, point[self.symbol], rel_tol=_CLOSE)
            matched += not self.on_curve and value > 0
            if failed > _ENOUGH:
                break
        return Trial(held, failed, matched, is_cut)

    def _compiled(self, expression: Expression) -> CompiledExpression:
        return compile_expression(expression, self.others, work=self.work)

    def _satisfies(self, point: Mapping[str, float], value: float) -> bool | None:
        arguments = [value if name == self.symbol else point[name] for name in self.names]
        left, right = self.left(*arguments), self.right(*arguments)
        if isinstance(left, Failure) or isinstance(right, Failure):
            return None
        if math.isclose(left, right, rel_tol=_CLOSE):
            return True
        # A side that is a difference of near equals keeps few digits; a nudge of the solution shows the scale.
        nudged = [value * (1 + 1e-4) + 1e-12 if name == self.symbol else point[name] for name in self.names]
        moved_left, moved_right = self.left(*nudged), self.right(*nudged)
        if isinstance(moved_left, Failure) or isinstance(moved_right, Failure):
            return False
        return abs(left - right) <= 1e-3 * abs(moved_left - moved_right)


def _all_hold(tests: Sequence[tuple[str, CompiledExpression, CompiledExpression]], values: Sequence[float]) -> bool:
    for relation, left, right in tests:
        first, second = left(*values), right(*values)
        if isinstance(first, Failure) or isinstance(second, Failure) or not holds(relation, first, second):
            return False
    return True


KINDS = frozenset(("positive", "non-negative", "any"))
_CACHE_SIZE = 4_096
_MAXIMUM_NODES = 2_000


@dataclass(frozen=True, slots=True)
class Solution:
    """What the symbol equals, where that holds, whether it is the branch to use, and a word about it."""

    expression: Expression
    conditions: tuple[Comparison, ...] = ()
    is_default: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Solutions:
    """All verified solutions, the default one first, and how they were found."""

    symbol: str
    solutions: tuple[Solution, ...]
    method: Literal["isolation", "sympy"]

    @property
    def default(self) -> Solution:
        """The branch to use: real, and of the sign that the symbol's kind asks for."""
        return self.solutions[0]


class _Cache:
    """The last results, by equation and question. The only state kept between calls."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.lock = Lock()
        self.entries: OrderedDict[object, Solutions | Failure] = OrderedDict()

    def get(self, key: object) -> Solutions | Failure | None:
        with self.lock:
            found = self.entries.get(key)
            if found is not None:
                self.entries.move_to_end(key)
            return found

    def put(self, key: object, value: Solutions | Failure) -> None:
        with self.lock:
            self.entries[key] = value
            while len(self.entries) > self.size:
                self.entries.popitem(last=False)


_cache = _Cache(_CACHE_SIZE)


def solve(
    equation: Equation,
    symbol: str,
    *,
    kinds: Mapping[str, str] | None = None,
    seconds: float = 2.0,
    megabytes: int = 1024,
    use_sympy: bool = True,
) -> Solutions | Failure:
    """Solve for `symbol`. `kinds` says which symbols are "positive", "non-negative" or "any" (the default).

    `seconds` and `megabytes` limit the worker process; starting it the first time comes on top. A Failure says that no
    closed form was found (`unsolved`, `timeout`), after which `solve_numeric` may still find numbers. What took too
    long is tried again the next time, but once in `one_computation`.
    """
    kinds = dict(kinds or {})
    wrong = sorted(set(kinds.values()) - KINDS)
    if wrong:
        raise ValueError(f"a kind is one of {', '.join(sorted(KINDS))}, not {wrong[0]!r}")
    refusal = _refusal(equation, symbol)
    if refusal is not None:
        return refusal
    relevant = frozenset((name, kind) for name, kind in kinds.items() if name in equation_symbols(equation))
    key = (equation.left, equation.right, symbol, relevant, seconds if use_sympy else None)
    found = _cache.get(key) or given_up(key)
    if found is None:
        found = _solve(equation, symbol, kinds, (seconds, megabytes, use_sympy))
        # A worker that broke, or was late, says nothing about the equation.
        if not (isinstance(found, Failure) and found.code in ("worker", "timeout")):
            _cache.put(key, found)
        elif found.code == "timeout":
            give_up(key, found)
    return found


def _refusal(equation: Equation, symbol: str) -> Failure | None:
    if symbol not in equation_symbols(equation):
        return Failure("no_solution", f"{symbol} does not occur in the equation")
    sides = (equation.left, equation.right)
    if any(depth_of(side) > MAXIMUM_DEPTH for side in sides) or sum(map(size_of, sides)) > _MAXIMUM_NODES:
        return Failure("too_large", "the equation is too long to be solved")
    return None


def _solve(
    equation: Equation, symbol: str, kinds: Mapping[str, str], limits: tuple[float, int, bool]
) -> Solutions | Failure:
    seconds, megabytes, use_sympy = limits
    judge = Judge(equation, symbol, kinds)
    candidates = isolate(equation.left, equation.right, symbol)
    solutions = _verified(judge, candidates, kinds)
    if solutions:
        return Solutions(symbol, solutions, "isolation")
    has_measures = any(isinstance(node, Measure) for side in (equation.left, equation.right) for node in walk(side))
    if not use_sympy or has_measures or _is_transcendental(equation, symbol):
        return Failure("unsolved", f"no closed form was found for {symbol}")
    # Imported here: most equations never need the worker.
    from mathrag.compute.solve.sympy_process import solve_in_worker

    answer = solve_in_worker(equation, symbol, kinds, seconds=seconds, megabytes=megabytes)
    if isinstance(answer, Failure):
        return answer
    solutions = _verified(judge, [Candidate(expression) for expression in answer], kinds)
    if solutions:
        return Solutions(symbol, solutions, "sympy")
    return Failure("unsolved", f"no closed form was found for {symbol}")


def _is_transcendental(equation: Equation, symbol: str) -> bool:
    """Whether the symbol stands both by itself and in a wave, as in x - sin x: looking for a closed form is in vain,
    and whether that takes too long would depend on the machine."""
    entries = entries_of(equation.left, equation.right, symbol)
    return Symbol(symbol) in entries and any(isinstance(each, Call) and each.function in _WAVES for each in entries)


def _verified(judge: Judge, candidates: Sequence[Candidate], kinds: Mapping[str, str]) -> tuple[Solution, ...]:
    """The candidates that hold wherever they have a value, the default branch first.

    Candidates come with the usual branch first (positive root, principal angle); another one leads only if it gives
    admissible values clearly more often.
    """
    kept: list[tuple[int, Solution]] = []
    for candidate in candidates:
        trial = judge.trial(candidate)
        if trial.is_verified:
            conditions = tuple(each for each in candidate.conditions if not _is_given(each, kinds))
            kept.append((_rank(candidate, trial), Solution(candidate.expression, conditions, note=candidate.note)))
    if not kept:
        return ()
    leader = 0
    for index, (rank, _) in enumerate(kept):
        if rank > 2 * max(kept[leader][0], 0):
            leader = index
    rank, first = kept.pop(leader)
    first = replace(first, is_default=True)
    if kinds.get(judge.symbol, "any") != "any" and any(2 * other > rank > 0 for other, _ in kept):
        notes = (first.note, "another branch is admissible too")
        first = replace(first, note="; ".join(note for note in notes if note))
    return (first, *(solution for _, solution in sorted(kept, key=lambda pair: -pair[0])))


def _rank(candidate: Candidate, trial: Trial) -> int:
    """How often the candidate gave an admissible value; zero as a solution, and second angles, come last."""
    if candidate.note.endswith("trivial"):
        return -2
    return -1 if "second angle" in candidate.note else trial.matched


def _is_given(condition: Comparison, kinds: Mapping[str, str]) -> bool:
    """Whether the kinds of the symbols already say that a product is not negative."""
    negative, parts = sign_parts(condition.left)
    if negative or condition.relation not in (">", ">=") or condition.right != ZERO:
        return False
    enough = ("positive",) if condition.relation == ">" else ("positive", "non-negative")
    return all(isinstance(part, Symbol) and kinds.get(part.name) in enough for part in parts)
