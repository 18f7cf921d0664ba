"""Several equations at once: linear ones by elimination, others where one can be solved for an unknown and put into the
other. Exact; every solution is put back into all of the equations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from mathrag.compute.algebra.points import value_at
from mathrag.compute.algebra.polynomials import NotPolynomialError, Terms, expression_of, terms_of
from mathrag.compute.algebra.solving import solve_equation
from mathrag.compute.evaluate.failure import Failure
from mathrag.compute.solve.tidy import literal, tidied
from mathrag.types.expression import Expression, Symbol, substitute, subtract, symbols_of

Sides: TypeAlias = tuple[Expression, Expression]
_MOST_UNKNOWNS = 8


@dataclass(frozen=True, slots=True)
class SystemSolved:
    """The solutions of a system, each a value for every unknown. `free` are unknowns that may have any value; the
    others are then given through them. `is_complete`: there are no other real solutions."""

    unknowns: tuple[str, ...]
    solutions: tuple[tuple[Expression, ...], ...]
    free: tuple[str, ...] = ()
    is_complete: bool = True


def solve_system(equations: Sequence[Sides], unknowns: Sequence[str]) -> SystemSolved | Failure:
    """Solve for the unknowns; a failure where this is not wholly possible."""
    if not 1 < len(unknowns) <= _MOST_UNKNOWNS or len(equations) > _MOST_UNKNOWNS:
        return Failure("unsolved", f"systems have two to {_MOST_UNKNOWNS} unknowns here")
    others = {name for sides in equations for side in sides for name in symbols_of(side)} - set(unknowns)
    if others:
        return Failure("unsolved", f"there are more unknowns than {', '.join(unknowns)}")
    rows = _linear_rows(equations, unknowns)
    if rows is not None:
        return _eliminated(rows, equations, unknowns)
    return _by_substitution(equations, unknowns)


def _linear_rows(equations: Sequence[Sides], unknowns: Sequence[str]) -> list[list[Fraction]] | None:
    rows: list[list[Fraction]] = []
    for left, right in equations:
        try:
            terms = terms_of(subtract(left, right))
        except NotPolynomialError:
            return None
        if any(sum(count for _, count in monomial) > 1 for monomial in terms):
            return None
        coefficients = [terms.get(((name, 1),), Fraction(0)) for name in unknowns]
        rows.append([*coefficients, -terms.get((), Fraction(0))])
    return rows


def _eliminated(
    rows: list[list[Fraction]], equations: Sequence[Sides], unknowns: Sequence[str]
) -> SystemSolved | Failure:
    leading = _reduced(rows, len(unknowns))
    if any(row[-1] and not any(row[:-1]) for row in rows):
        return SystemSolved(tuple(unknowns), ())
    free = [column for column in range(len(unknowns)) if column not in leading]
    values: list[Expression] = [Symbol(name) for name in unknowns]
    for row, column in enumerate(leading):
        terms: Terms = {((unknowns[each], 1),): -rows[row][each] for each in free if rows[row][each]}
        if rows[row][-1]:
            terms[()] = rows[row][-1]
        values[column] = expression_of(terms)
    solution = tuple(values)
    if not all(_vanishes(sides, unknowns, solution) for sides in equations):
        return Failure("unsolved", "the solution did not hold when it was put back")
    return SystemSolved(tuple(unknowns), (solution,), tuple(unknowns[column] for column in free))


def _reduced(rows: list[list[Fraction]], width: int) -> list[int]:
    """The rows brought to steps, in place; the columns that lead a row."""
    leading: list[int] = []
    for column in range(width):
        place = len(leading)
        found = next((row for row in range(place, len(rows)) if rows[row][column]), None)
        if found is None:
            continue
        rows[place], rows[found] = rows[found], rows[place]
        rows[place] = [value / rows[place][column] for value in rows[place]]
        for row, values in enumerate(rows):
            if row != place:
                rows[row] = [one - values[column] * other for one, other in zip(values, rows[place], strict=True)]
        leading.append(column)
    return leading


def _vanishes(sides: Sides, unknowns: Sequence[str], values: Sequence[Expression]) -> bool:
    put_in = dict(zip(unknowns, values, strict=True))
    return not terms_of(subtract(substitute(sides[0], put_in), substitute(sides[1], put_in)))


def _by_substitution(equations: Sequence[Sides], unknowns: Sequence[str]) -> SystemSolved | Failure:
    """Two equations of which one says what an unknown is."""
    if len(equations) != 2 or len(unknowns) != 2:
        return Failure("unsolved", "a system that is not linear is solved here for two unknowns alone")
    for place in (0, 1):
        for name in unknowns:
            value = _linear_in(equations[place], name)
            if value is None:
                continue
            other = next(each for each in unknowns if each != name)
            left, right = (substitute(side, {name: value}) for side in equations[1 - place])
            solved = solve_equation(left, right, other)
            if isinstance(solved, Failure) or not solved.is_complete or solved.everything:
                continue
            if any(found.exact is None or found.period is not None for found in solved.solutions):
                continue
            pairs: list[tuple[Expression, ...]] = []
            for found in solved.solutions:
                assert found.exact is not None
                values = {other: found.exact, name: _neat(substitute(value, {other: found.exact}))}
                if all(_holds(sides, values) for sides in equations):
                    pairs.append(tuple(values[each] for each in unknowns))
            if len(pairs) == len(solved.solutions):
                return SystemSolved(tuple(unknowns), tuple(pairs))
    return Failure("unsolved", "no equation of the system could be solved for one unknown and put into the other")


def _linear_in(sides: Sides, name: str) -> Expression | None:
    """What the name is, where it stands in the first power with a number before it."""
    try:
        terms = terms_of(subtract(*sides))
    except NotPolynomialError:
        return None
    factor = terms.pop(((name, 1),), Fraction(0))
    if not factor or any(each == name for monomial in terms for each, _ in monomial):
        return None
    return expression_of({monomial: -value / factor for monomial, value in terms.items()})


def _neat(value: Expression) -> Expression:
    try:
        return literal(terms_of(value).get((), Fraction(0)))
    except NotPolynomialError:
        return tidied(value)


def _holds(sides: Sides, values: dict[str, Expression]) -> bool:
    left, right = (value_at(substitute(side, values), {}) for side in sides)
    if left.digits is None or right.digits is None:
        return False
    return bool(abs(left.real - right.real) <= 1e-40 * max(abs(left.real), abs(right.real), 1))
