"""Several equations become one: unknowns that nobody asks for are eliminated, those that cancel are left out.

Trees in, trees out: what comes back is one equation for the target over known symbols, for whoever evaluates it with
units. Only as many equations are used as are needed. Every result was put back into the equations it came from at
random points; `holds_at` does the same at the values of a question. Conditions of the equations are not looked at.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

from mathrag.compute.evaluate.compiled import CompiledExpression, compile_expression
from mathrag.compute.evaluate.failure import Failure
from mathrag.compute.patience import Patience
from mathrag.compute.solve.numeric import solve_numeric
from mathrag.compute.solve.rearrangement import NotRationalError, entries_of, numerator_of_difference
from mathrag.compute.solve.solver import Solution, solve
from mathrag.compute.solve.tidy import factored, tidied
from mathrag.compute.unknowns import measures_named, value_in_si
from mathrag.language.enumeration import listed
from mathrag.types.expression import (
    MAXIMUM_DEPTH,
    ONE,
    ZERO,
    Add,
    Equation,
    Expression,
    Measure,
    Series,
    Symbol,
    depth_of,
    divide,
    equation_symbols,
    map_parts,
    number,
    size_of,
    substitute,
    symbols_of,
    walk,
)

MOST_EQUATIONS = 8
# What a person would still read stays far below these.
_MOST_NODES_GIVEN, _MOST_NODES = 1_200, 800
# Solving for one unknown takes milliseconds; a system of six has more orders than anyone waits for.
_MOST_SOLVED, _MOST_ASKED_OF_SYMPY, _SYMPY_SECONDS = 60, 4, 1.5
_WIDTH, _MOST_BRANCHES, _MOST_CANCELLING = 3, 8, 3
# Points at which results are tried, how many of them must have a value, and how near two numbers are one.
_POINTS, _FEWEST, _PLENTY, _SAME = 60, 2, 12, 1e-7
# With values near one for all that is known, roots are not far from it either.
_NUMERIC_STEPS, _NUMERIC_BRACKET = 3_000_000, (-30.0, 31.0)
_COUNTED = {1: "one", 2: "two", 3: "three"}


@dataclass(frozen=True, slots=True)
class Branch:
    """One equation for the target, and what each eliminated unknown equals: the last follows from the target and known
    values alone, each one before it from those behind it too."""

    equation: Equation
    derived: tuple[tuple[str, Expression], ...]


@dataclass(frozen=True, slots=True)
class Combined:
    """What a system says about its target. `used` are places in the sequence of equations that was given.

    `unsolved` is the equation of the first branch before the target was put alone on a side: whoever knows what kind of
    quantity the target is can choose among its roots.
    """

    branches: tuple[Branch, ...]
    unsolved: Equation
    used: tuple[int, ...]
    eliminated: tuple[str, ...]
    cancelled: tuple[str, ...]

    @property
    def equation(self) -> Equation:
        """The branch to use: roots are those that `solve` prefers."""
        return self.branches[0].equation

    @property
    def others(self) -> tuple[Equation, ...]:
        """What the target may equal as well."""
        return tuple(branch.equation for branch in self.branches[1:])


def combine(
    equations: Sequence[Equation],
    target: str,
    known: Collection[str],
    *,
    kinds: Mapping[str, str] | None = None,
    values: Mapping[str, float] | None = None,
    seconds: float = 6.0,
    use_sympy: bool = True,
) -> Combined | Failure:
    """One equation in `target` and known symbols alone. Equations share their symbols; the rest is unknown.

    `kinds` says which symbols are "positive" or "non-negative", as for `solve`. Where `values` (in SI) of all known
    symbols are given, only branches are told that hold with them. Failures: `underdetermined` names what
    is not determined, `unsolved` and `timeout` say that algebra did not succeed, `too_large` that it was not tried.
    `seconds` are those of the processor.
    """
    refusal = refusal_of(equations, target)
    if refusal is not None:
        return refusal
    plain, measures = _without_measures(equations)
    given = frozenset(known) - {target} | {name for name, _ in measures}
    subsets = list(determining_subsets(plain, target, given))
    numbers = None if values is None else {**values, **{name: value_in_si(measure) for name, measure in measures}}
    search = _Search(target, given, dict(kinds or {}), numbers, patience=Patience(seconds))
    implicit: Combined | None = None
    for asks_sympy in (False, True) if use_sympy else (False,):
        search.begin(_MOST_ASKED_OF_SYMPY if asks_sympy else 0)
        for subset in subsets:
            found = search.within(subset, plain)
            if search.patience.is_over:
                # What was found so far may lack branches, and nobody could tell.
                return shortage(plain, target, given) or search.too_late()
            if found is not None and found.equation.target == target:
                return _with_measures(found, dict(measures))
            implicit = implicit or found
        if implicit is not None:
            return _with_measures(implicit, dict(measures))
    return shortage(plain, target, given) or search.failure(plain)


def holds_at(equations: Sequence[Equation], branch: Branch, values: Mapping[str, float]) -> bool:
    """Whether equations hold with these values (in SI) of the known symbols and the target; what was eliminated is
    computed from them, and what cancels is any number. A question has values at which a branch may be the wrong one."""
    plain = [Equation(in_si(each.left), in_si(each.right)) for each in equations]
    derived = tuple((name, in_si(expression)) for name, expression in branch.derived)
    anything = dict.fromkeys((name for each in plain for name in equation_symbols(each)), 1.0)
    return _fits(plain, derived, {**anything, **values}) is True


def in_si(node: Expression) -> Expression:
    """The tree with plain numbers in SI for its numbers with units."""
    if not isinstance(node, Measure):
        return map_parts(node, in_si)
    value = value_in_si(node)
    # What has no value makes every comparison fail: 0/0 has none either.
    return number(Decimal(repr(value))) if math.isfinite(value) else divide(ZERO, ZERO)


# What is refused at once, and numbers with units, which have names while equations are combined.


def refusal_of(equations: Sequence[Equation], target: str) -> Failure | None:
    """Why equations are not looked at more closely: too many, too long, or not about the target."""
    if not equations:
        return Failure("underdetermined", f"{target} is not determined: there is no equation")
    if len(equations) > MOST_EQUATIONS:
        return Failure("too_large", f"{len(equations)} equations are too many: at most {MOST_EQUATIONS} are combined")
    sides = [side for each in equations for side in (each.left, each.right)]
    if sum(map(size_of, sides)) > _MOST_NODES_GIVEN or any(depth_of(side) > MAXIMUM_DEPTH for side in sides):
        return Failure("too_large", "the equations are too long to be combined")
    names = {name for each in equations for name in equation_symbols(each)}
    if target not in names:
        return Failure("no_solution", f"{target} does not occur in the equations")
    indices = {node.index for side in sides for node in walk(side) if isinstance(node, Series)}
    if indices & names:
        shared = ", ".join(sorted(indices & names))
        return Failure("unsolved", f"{shared} is the index of a sum and the name of a quantity at once")
    return None


def _without_measures(equations: Sequence[Equation]) -> tuple[tuple[Equation, ...], tuple[tuple[str, Measure], ...]]:
    """The equations with one symbol for each number with a unit, the same in all of them."""
    joined = Equation(Add(tuple(each.left for each in equations)), Add(tuple(each.right for each in equations)))
    named, measures = measures_named(joined)
    if not measures:
        return tuple(equations), ()
    assert isinstance(named.left, Add)
    assert isinstance(named.right, Add)
    rows = zip(equations, named.left.terms, named.right.terms, strict=True)
    return tuple(Equation(left, right, each.relation) for each, left, right in rows), measures


def _with_measures(found: Combined, measures: Mapping[str, Expression]) -> Combined:
    if not measures:
        return found
    branches = tuple(
        Branch(
            _substituted(branch.equation, measures),
            tuple((name, substitute(expression, measures)) for name, expression in branch.derived),
        )
        for branch in found.branches
    )
    return Combined(branches, _substituted(found.unsolved, measures), found.used, found.eliminated, found.cancelled)


def _substituted(equation: Equation, values: Mapping[str, Expression]) -> Equation:
    return Equation(substitute(equation.left, values), substitute(equation.right, values), equation.relation)


# Which equations may be enough: as many as they have unknowns, or fewer where some unknowns cancel.


@dataclass(frozen=True, slots=True)
class Subset:
    """Some of the equations, and how many unknowns they have beyond those that can be eliminated."""

    places: tuple[int, ...]
    surplus: int


def unknowns_of(equations: Iterable[Equation], target: str, known: Collection[str]) -> tuple[str, ...]:
    """The symbols that are neither known nor asked for."""
    names = dict.fromkeys(name for each in equations for name in equation_symbols(each))
    return tuple(name for name in names if name != target and name not in known)


def determining_subsets(equations: Sequence[Equation], target: str, known: Collection[str]) -> Iterator[Subset]:
    """The sets of equations that may determine the target: fully determined ones first, small ones before large."""
    found = [
        Subset(places, surplus)
        for size in range(1, len(equations) + 1)
        for places in itertools.combinations(range(len(equations)), size)
        if 0 <= (surplus := _surplus([equations[place] for place in places], target, known)) <= _MOST_CANCELLING
        and _are_connected([equations[place] for place in places], target, known)
    ]
    yield from sorted(found, key=lambda subset: (subset.surplus, len(subset.places)))


def _surplus(equations: Sequence[Equation], target: str, known: Collection[str]) -> int:
    return len(unknowns_of(equations, target, known)) - (len(equations) - 1)


def _are_connected(equations: Sequence[Equation], target: str, known: Collection[str]) -> bool:
    """Whether every equation is reached from the target over unknowns that equations share."""
    names = [set(equation_symbols(each)) - set(known) for each in equations]
    reached, waiting = {target}, list(range(len(equations)))
    while waiting:
        at = next((place for place in waiting if names[place] & reached), None)
        if at is None:
            return False
        reached |= names[at]
        waiting.remove(at)
    return True


def shortage(equations: Sequence[Equation], target: str, known: Collection[str]) -> Failure | None:
    """What is lacking where no set of equations has as many equations as unknowns: told for the set lacking least,
    the largest of several, so that nothing is left unsaid."""
    best: tuple[int, tuple[str, ...]] | None = None
    for size in range(1, len(equations) + 1):
        for places in itertools.combinations(range(len(equations)), size):
            chosen = [equations[place] for place in places]
            surplus = _surplus(chosen, target, known)
            if _are_connected(chosen, target, known) and (best is None or surplus <= best[0]):
                best = surplus, (target, *unknowns_of(chosen, target, known))
    if best is None or best[0] <= 0:
        return None
    lacking, names = best
    verb = "is" if len(names) == 1 else "are"
    more = "equation or value is" if lacking == 1 else "equations or values are"
    return Failure(
        "underdetermined",
        f"{listed(names)} {verb} not determined: {_COUNTED.get(lacking, str(lacking))} more {more} needed",
    )


# Eliminating one unknown after another, in an order that is searched for.


@dataclass(frozen=True, slots=True)
class _Working:
    """An equation on the way, and which of the given ones went into it."""

    equation: Equation
    sources: frozenset[int]

    def has(self, name: str) -> bool:
        return name in equation_symbols(self.equation)

    def count(self, name: str) -> int:
        sides = (self.equation.left, self.equation.right)
        return sum(node == Symbol(name) for side in sides for node in walk(side))


@dataclass(frozen=True, slots=True)
class _Final:
    """An equation in the target, known symbols and perhaps unknowns that cancel, and what was eliminated for it."""

    working: _Working
    derived: tuple[tuple[str, Expression], ...]


class _Search:
    """One target, and what may still be spent on it."""

    def __init__(
        self,
        target: str,
        known: frozenset[str],
        kinds: Mapping[str, str],
        values: Mapping[str, float] | None,
        *,
        patience: Patience,
    ) -> None:
        self.target = target
        self.known = known
        self.kinds = kinds
        self.values = values
        self.patience = patience
        self.begin(0)
        # Whether what was solved last has no solution but zero.
        self.is_only_zero = False
        # Whether some equation took too long to be solved.
        self.was_late = False
        # Whether the target stood in no equation any more, once unknowns were eliminated.
        self.vanished = ""

    def begin(self, sympy_calls: int) -> None:
        """What one round may spend."""
        self.solves_left = _MOST_SOLVED
        self.sympy_left = sympy_calls

    @property
    def is_late(self) -> bool:
        """Whether nothing more is to be tried."""
        return self.solves_left <= 0 or self.patience.is_over

    def too_late(self) -> Failure:
        """Why nothing is told."""
        return Failure("timeout", f"no equation for {self.target} alone was found in the time allowed")

    def failure(self, equations: Sequence[Equation]) -> Failure:
        """Why nothing was found."""
        names = unknowns_of(equations, self.target, self.known)
        if self.was_late:
            return self.too_late()
        if self.vanished:
            return Failure(
                "underdetermined", f"{self.target} is not determined: the equations {self.vanished} each other"
            )
        without = f" without {listed(names)}" if names else ""
        return Failure("unsolved", f"no equation for {self.target}{without} was found")

    def within(self, subset: Subset, equations: Sequence[Equation]) -> Combined | None:
        """What some of the equations say about the target, where algebra finds it."""
        start = tuple(_Working(equations[place], frozenset((place,))) for place in subset.places)
        implicit: Combined | None = None
        for finals in self._orders(start, ()):
            found = [(final, self._branches(final, equations)) for final in finals]
            first = next(((final, branches) for final, branches in found if branches), None)
            if first is None:
                continue
            same = [rows for final, rows in found if final.working.sources == first[0].working.sources]
            combined = self._combined(first[0], [branch for rows in same for branch in rows], equations)
            if first[1][0].equation.target == self.target:
                return combined
            # In another order the target may stand where it can be put alone.
            implicit = implicit or combined
        return implicit

    def _combined(self, final: _Final, branches: Sequence[Branch], equations: Sequence[Equation]) -> Combined:
        used = tuple(sorted(final.working.sources))
        chosen = [equations[place] for place in used]
        relation: Literal["=", "≈"] = "≈" if any(each.relation == "≈" for each in chosen) else "="
        distinct: list[Branch] = []
        for branch in branches:
            if not any(_is_one(branch.equation, other.equation, self.kinds) for other in distinct):
                distinct.append(branch)
        eliminated = tuple(name for name, _ in distinct[0].derived)
        left = unknowns_of((final.working.equation,), self.target, self.known)
        unsolved = _without_cancelling(final.working.equation, self.target, left) or distinct[0].equation
        return Combined(
            tuple(
                Branch(replace(branch.equation, relation=relation), branch.derived)
                for branch in distinct[:_MOST_BRANCHES]
            ),
            replace(unsolved, relation=relation),
            used,
            eliminated,
            tuple(name for name in unknowns_of(chosen, self.target, self.known) if name not in eliminated),
        )

    def _orders(
        self, workings: tuple[_Working, ...], derived: tuple[tuple[str, Expression], ...]
    ) -> Iterator[list[_Final]]:
        """For each order that works out, the equations at its end: one for each branch, the usual one first."""
        ready = [each for each in workings if each.has(self.target) and not self._unknowns_of(each)]
        if ready or len(workings) == 1:
            yield [_Final((ready or workings)[0], derived)]
            return
        for name, place, solved in self._choices(workings):
            if self.is_late:
                return
            ways = [self._without(workings, place, (name, each.expression)) for each in solved]
            usable = [(each.expression, way) for each, way in zip(solved, ways, strict=True) if way is not None]
            if not usable:
                continue
            (expression, way), *others = usable
            for finals in self._orders(way, (*derived, (name, expression))):
                more = [
                    final
                    for other, its_way in others
                    for final in next(self._orders(its_way, (*derived, (name, other))), [])
                ]
                yield [*finals, *more][:_MOST_BRANCHES]

    def _unknowns_of(self, working: _Working) -> tuple[str, ...]:
        return unknowns_of((working.equation,), self.target, self.known)

    def _choices(self, workings: Sequence[_Working]) -> list[tuple[str, int, tuple[Solution, ...]]]:
        """Which unknown to eliminate with which equation, and what it equals: where it stands once and has one value.

        What is written for the target is left for last, and so is what stands in many equations: if something cancels,
        that is it.
        """
        ranked: list[tuple[tuple[int, ...], str, int]] = []
        for name in dict.fromkeys(name for each in workings for name in self._unknowns_of(each)):
            holders = [place for place, each in enumerate(workings) if each.has(name)]
            if len(holders) < 2:
                continue
            for place in holders:
                equation = workings[place].equation
                size = size_of(equation.left) + size_of(equation.right)
                written_for = equation.target
                stands_once = workings[place].count(name) == 1
                rank = (written_for == self.target, not stands_once, len(holders), written_for != name, size)
                ranked.append((tuple(map(int, rank)), name, place))
        found: list[tuple[str, int, tuple[Solution, ...]]] = []
        for _, name, place in sorted(ranked):
            solved = () if self.is_late else self._solved(workings[place].equation, name)
            if solved:
                found.append((name, place, solved))
            if len(found) == _WIDTH:
                break
        return sorted(found, key=lambda each: len(each[2]))

    def _without(
        self, workings: Sequence[_Working], place: int, derived: tuple[str, Expression]
    ) -> tuple[_Working, ...] | None:
        """The other equations with what the unknown equals put in; None where they get too long, or say nothing."""
        name, expression = derived
        sources = workings[place].sources
        rest: list[_Working] = []
        for working in (*workings[:place], *workings[place + 1 :]):
            if not working.has(name):
                rest.append(working)
                continue
            equation = _substituted(working.equation, {name: expression})
            sides = (equation.left, equation.right)
            if sum(map(size_of, sides)) > _MOST_NODES or max(map(depth_of, sides)) > MAXIMUM_DEPTH:
                return None
            equation = replace(equation, left=tidied(equation.left), right=tidied(equation.right))
            rest.append(_Working(equation, working.sources | sources))
        for working in rest:
            if not working.has(self.target) and not self._unknowns_of(working):
                self._note_vanished(working.equation)
                return None
        return tuple(rest)

    def _note_vanished(self, equation: Equation) -> None:
        self.vanished = self.vanished or ("repeat" if _is_the_same(equation) else "contradict")

    def _solved(self, equation: Equation, name: str) -> tuple[Solution, ...]:
        """What a symbol equals, the usual branch first. That it is zero solves much and is seldom what is meant."""
        self.is_only_zero = False
        self.solves_left -= 1
        relevant = {each: kind for each, kind in self.kinds.items() if each in equation_symbols(equation)}
        found = solve(equation, name, kinds=relevant, use_sympy=False)
        if isinstance(found, Failure) and found.code != "too_large" and self.sympy_left > 0:
            self.sympy_left -= 1
            found = solve(equation, name, kinds=relevant, seconds=_SYMPY_SECONDS)
        if isinstance(found, Failure):
            self.was_late = self.was_late or found.code == "timeout"
            return ()
        telling = tuple(each for each in found.solutions if not each.note.endswith("trivial"))
        self.is_only_zero = not telling
        return telling

    # -- the end of an order

    def _branches(self, final: _Final, equations: Sequence[Equation]) -> list[Branch]:
        """Equations for the target alone that hold in all equations they came from."""
        equation = final.working.equation
        chosen = [equations[place] for place in sorted(final.working.sources)]
        if not self._depends(equation):
            self._note_vanished(equation)
            return []
        left = unknowns_of((equation,), self.target, self.known)
        solutions = [] if self.is_late else self._solved(equation, self.target)
        found: list[Branch] = []
        for solution in solutions:
            expression: Expression | None = solution.expression
            if left:
                expression = self._freed(equation, solution.expression, left)
            if expression is not None:
                found.append(Branch(Equation(Symbol(self.target), _shortest(expression)), final.derived))
        if not solutions and not left and not self.is_only_zero:
            found.append(Branch(equation, final.derived))
        return [branch for branch in found if self._is_verified(branch, chosen)]

    def _holds_here(self, branch: Branch, equations: Sequence[Equation], values: Mapping[str, float]) -> bool:
        """Whether a branch is one at the values of the question."""
        anything = dict.fromkeys((name for each in equations for name in equation_symbols(each)), 1.0)
        point = {**anything, **values}
        value = compile_expression(branch.equation.right, tuple(point))(*point.values())
        return (
            not isinstance(value, Failure) and _fits(equations, branch.derived, {**point, self.target: value}) is True
        )

    def _depends(self, equation: Equation) -> bool:
        """Whether the target still matters in an equation, or only stands in it."""
        names = equation_symbols(equation)
        if self.target not in names:
            return False
        left, right = compile_expression(equation.left, names), compile_expression(equation.right, names)
        tried = False
        for point in _points(names, self.kinds):
            rows = [
                (left(*changed), right(*changed))
                for factor in (1.0, 1.7)
                for changed in ([value * factor if name == self.target else value for name, value in point.items()],)
            ]
            numbers = [each for row in rows for each in row if not isinstance(each, Failure)]
            if len(numbers) < 4:
                continue
            tried = True
            one, other = numbers[0] - numbers[1], numbers[2] - numbers[3]
            if abs(one - other) > _SAME * 1e-3 * max(map(abs, numbers)):
                return True
        # Where no point has a value nothing is shown; verification decides.
        return not tried

    def _freed(self, equation: Equation, expression: Expression, left: Sequence[str]) -> Expression | None:
        """The expression without unknowns that make no difference to it; None where one does."""
        names = symbols_of(expression)
        function = compile_expression(expression, names)
        for name in left:
            if name in names and not _cancels(function, names, name, self.kinds):
                return None
        freed = _without_cancelling(equation, self.target, left)
        if freed is not None and not self.is_late:
            for solution in self._solved(freed, self.target):
                if _agree(solution.expression, expression, self.kinds):
                    return solution.expression
        return substitute(expression, dict.fromkeys(left, ONE))

    def _is_verified(self, branch: Branch, equations: Sequence[Equation]) -> bool:
        """Whether the equations hold with what the branch says: at the values of the question, or wherever it was tried
        and everything has a value."""
        if self.values is not None and branch.equation.target == self.target:
            return self._holds_here(branch, equations, self.values)
        names = dict.fromkeys(name for each in (*equations, branch.equation) for name in equation_symbols(each))
        held = 0
        for point in self._points_on(branch.equation, tuple(names)):
            verdict = _fits(equations, branch.derived, point)
            if verdict is False:
                return False
            held += verdict is True
            if held == _PLENTY:
                break
        return held >= _FEWEST

    def _points_on(self, equation: Equation, names: Sequence[str]) -> Iterator[dict[str, float]]:
        """Random values of everything at which an equation holds: one symbol of it is computed from the others."""
        computed = self._computed_symbol(equation)
        if computed is not None:
            name, expression = computed
            value_of = compile_expression(expression, names)
            for point in _points(names, self.kinds):
                value = value_of(*point.values())
                if not isinstance(value, Failure):
                    yield {**point, name: value}
            return
        for point in _points(names, self.kinds):
            if self.is_late:
                return
            others = {name: value for name, value in point.items() if name != self.target}
            roots = solve_numeric(equation, self.target, others, bracket=_NUMERIC_BRACKET, steps=_NUMERIC_STEPS)
            for root in () if isinstance(roots, Failure) else roots[:_FEWEST]:
                yield {**point, self.target: root}

    def _computed_symbol(self, equation: Equation) -> tuple[str, Expression] | None:
        """A symbol of an equation and what it equals; the target where it is alone on a side."""
        if equation.target == self.target:
            return self.target, equation.right
        for name in equation_symbols(equation):
            solved = () if self.is_late or name == self.target else self._solved(equation, name)
            if solved:
                return name, solved[0].expression
        return None


def _shortest(expression: Expression) -> Expression:
    tidy = tidied(expression)
    return min((factored(tidy), tidy, expression), key=size_of)


def _without_cancelling(equation: Equation, target: str, names: Sequence[str]) -> Equation | None:
    """An equation that says the same without unknowns that cancel: as a polynomial in such an unknown it holds for
    each power by itself. None where they do not enter as polynomials."""
    for name in names:
        sides = (equation.left, equation.right)
        if all(name not in symbols_of(side) for side in sides):
            continue
        if entries_of(*sides, name) != (Symbol(name),):
            return None
        try:
            polynomial = numerator_of_difference(*sides, Symbol(name))
        except NotRationalError:
            return None
        telling = [value for value in polynomial.values() if target in symbols_of(value)]
        if not telling:
            return None
        equation = Equation(min(telling, key=size_of), ZERO)
    return equation


# Numbers in place of symbols: whether an unknown cancels, and whether equations hold.


def _points(names: Iterable[str], kinds: Mapping[str, str]) -> Iterator[dict[str, float]]:
    """Values for symbols, the same every time: positive, and by turns some negative where a kind allows it."""
    chance = random.Random("systems")  # noqa: S311 - not a secret; the same every time
    ordered = tuple(names)
    for attempt in range(_POINTS):
        point = {name: 10.0 ** chance.uniform(-0.5, 0.5) for name in ordered}
        if attempt % 2:
            point = {
                name: -value if kinds.get(name, "any") == "any" and chance.random() < 0.3 else value
                for name, value in point.items()
            }
        yield point


def _cancels(function: CompiledExpression, names: Sequence[str], name: str, kinds: Mapping[str, str]) -> bool:
    """Whether a value does not depend on a symbol, wherever it has one."""
    tried = 0
    for point in _points(names, kinds):
        first, *others = (
            function(*(value * factor if each == name else value for each, value in point.items()))
            for factor in (1.0, 2.7, 0.31)
        )
        if isinstance(first, Failure):
            continue
        for other in others:
            if isinstance(other, Failure) or not math.isclose(first, other, rel_tol=_SAME):
                return False
        tried += 1
        if tried == _PLENTY:
            break
    return tried >= _FEWEST


def _agree(first: Expression, second: Expression, kinds: Mapping[str, str]) -> bool:
    names = tuple(dict.fromkeys((*symbols_of(first), *symbols_of(second))))
    one, other = compile_expression(first, names), compile_expression(second, names)
    compared = 0
    for point in _points(names, kinds):
        a, b = one(*point.values()), other(*point.values())
        if isinstance(a, Failure) or isinstance(b, Failure):
            continue
        if not math.isclose(a, b, rel_tol=_SAME):
            return False
        compared += 1
        if compared == _PLENTY:
            break
    return compared >= _FEWEST


def _is_one(first: Equation, second: Equation, kinds: Mapping[str, str]) -> bool:
    """Whether two branches say the same about the target."""
    if first == second:
        return True
    return first.left == second.left and isinstance(first.left, Symbol) and _agree(first.right, second.right, kinds)


def _is_the_same(equation: Equation) -> bool:
    """Whether both sides are equal whatever the symbols are."""
    names = equation_symbols(equation)
    return all(_fits((equation,), (), point) is not False for point in itertools.islice(_points(names, {}), _PLENTY))


def _fits(
    equations: Sequence[Equation], derived: Sequence[tuple[str, Expression]], values: Mapping[str, float]
) -> bool | None:
    """Whether equations hold with these values and what is derived from them; None where something has no value."""
    point = dict(values)
    for name, expression in reversed(derived):
        value = compile_expression(expression, tuple(point))(*point.values())
        if isinstance(value, Failure):
            return None
        point[name] = value
    verdict = True
    for equation in equations:
        left, right = (_value_and_size(side, point) for side in (equation.left, equation.right))
        if left is None or right is None:
            return None
        difference = abs(left[0] - right[0])
        if difference > _SAME * max(abs(left[0]), abs(right[0])) and difference > 1e-9 * max(left[1], right[1]):
            verdict = False
    return verdict


def _value_and_size(side: Expression, point: Mapping[str, float]) -> tuple[float, float] | None:
    """A side's value, and the size of its largest term: what terms that cancel leave behind is rounding."""
    terms = side.terms if isinstance(side, Add) else (side,)
    values = [compile_expression(term, tuple(point))(*point.values()) for term in terms]
    numbers = [value for value in values if not isinstance(value, Failure)]
    return (math.fsum(numbers), max(map(abs, numbers))) if len(numbers) == len(values) else None
