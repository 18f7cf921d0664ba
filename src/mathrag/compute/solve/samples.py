"""Random points at which a solution is put to the test, and the choice between branches. Deterministic by seed."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mathrag.compute.evaluate.careful import holds
from mathrag.compute.evaluate.compiled import CompiledExpression, compile_expression
from mathrag.compute.evaluate.failure import Failure
from mathrag.compute.solve.isolation import Candidate
from mathrag.types.expression import Call, Equation, Expression, Series, Symbol, equation_symbols, symbols_of, walk

_TRIES = 60
_ENOUGH = 5
_CLOSE = 1e-6
# A formula with long sums is slow to try; what was tried until then decides.
_SECONDS = 1.0

_WHOLE_FUNCTIONS = frozenset(("factorial", "comb", "perm", "gcd", "lcm"))


@dataclass(frozen=True, slots=True)
class Trial:
    """How a candidate fared: at how many points it held, failed, and equalled the value the point was made from."""

    held: int
    failed: int
    matched: int

    @property
    def is_verified(self) -> bool:
        """Held somewhere and failed nowhere."""
        return self.held > 0 and self.failed == 0


def points(
    equation: Equation, symbol: str, kinds: Mapping[str, str], *, seed: str = "points"
) -> Iterator[dict[str, float]]:
    """Values of all symbols: a first half positive, then some negative where the kind of the symbol allows it.

    Where one side is a lone symbol, its value is computed from the other side, so that the point lies on the curve.
    """
    chance = random.Random(f"{seed}:{symbol}")  # noqa: S311 - not a secret; the same every time
    names = equation_symbols(equation)
    defined = _defined_symbol(equation, symbol)
    whole = _whole_symbols(equation)
    forward = compile_expression(defined[1], names) if defined else None
    deadline = time.thread_time() + _SECONDS / 2
    for attempt in range(_TRIES):
        if time.thread_time() > deadline:
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
        self.seconds_left = _SECONDS
        self.names = equation_symbols(equation)
        self.others = [name for name in self.names if name != symbol]
        self.left = compile_expression(equation.left, self.names)
        self.right = compile_expression(equation.right, self.names)
        self.points = list(points(equation, symbol, kinds))
        self.on_curve = _defined_symbol(equation, symbol) is not None

    def trial(self, candidate: Candidate) -> Trial:
        """Substitute the candidate at the points where it has a value and its conditions hold."""
        solve_for = compile_expression(candidate.expression, self.others)
        tests = [
            (each.relation, compile_expression(each.left, self.others), compile_expression(each.right, self.others))
            for each in candidate.conditions
        ]
        held = failed = matched = 0
        started = time.thread_time()
        for point in self.points:
            if time.thread_time() - started > self.seconds_left:
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
        self.seconds_left -= time.thread_time() - started
        return Trial(held, failed, matched)

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
