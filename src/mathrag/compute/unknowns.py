"""The one unknown of an equation as a number with its unit: solve, put the values in, keep the branches that hold.

Closed forms come from `mathrag.compute.solve`, which keeps them by equation and symbol, so that a question asked twice
waits for no algebra. Where there is none, or none has a value here, roots are searched by number. Which branch is meant
is for the caller: `rank` orders them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from mathrag.compute.evaluate import Failure, evaluate_quantity
from mathrag.errors import UnitError
from mathrag.types.expression import (
    Add,
    Equation,
    Expression,
    Measure,
    Negate,
    Symbol,
    equation_symbols,
    map_parts,
    substitute,
    symbols_of,
    walk,
)
from mathrag.types.quantity import DIMENSIONLESS, Dimension, Quantity

if TYPE_CHECKING:
    from mathrag.compute.solve import Solutions

# A periodic function has roots without end; nobody reads more than a few.
_MOST_ROOTS = 8
_CLOSE = 1e-6


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A computed value: of which symbol (None for a bare expression), by which rearrangement, and other branches.

    `limit` says what was given up on the way, where something was; it is among the notes too.
    """

    symbol: str | None
    value: Quantity
    equation: Equation | None
    rearranged: Expression | None
    method: str
    others: tuple[Quantity, ...] = ()
    notes: tuple[str, ...] = ()
    limit: str = ""


def evaluate_unknown(
    equation: Equation,
    unknown: str,
    values: Mapping[str, Quantity],
    *,
    seconds: float = 2.0,
    rank: Callable[[Quantity], int] | None = None,
    is_shown: bool = True,
) -> Evaluation | Failure:
    """The value of `unknown` in coherent SI units. Branches of a lower `rank` come first; negative ones last if none.

    `seconds` limits the search for a closed form; one that was found before costs nothing. Nobody sees the closed form
    of what is not `is_shown`: where it takes a worker to find one, its roots are searched by number.
    """
    from mathrag.compute.solve import solve

    known = {name: quantity for name, quantity in values.items() if name != unknown}
    if _is_direct(equation, unknown):
        value = evaluate_quantity(equation.right, known)
        return (
            value if isinstance(value, Failure) else Evaluation(unknown, value, equation, equation.right, "evaluation")
        )
    plain, measures = measures_named(equation)
    inside = _quantities_of(measures)
    if isinstance(inside, Failure):
        return inside
    everything = {**known, **inside}
    solutions = solve(plain, unknown, seconds=seconds, use_sympy=is_shown)
    order = rank or _negative_last
    if isinstance(solutions, Failure):
        roots = _roots(plain, unknown, everything)
        if isinstance(roots, Failure) or not roots:
            return roots if isinstance(roots, Failure) else solutions
        searched = _by_number(equation, unknown, sorted(roots, key=_nearest(order)), solutions.message)
        return replace(searched, limit=solutions.message) if solutions.code == "timeout" else searched
    found = _by_forms(plain, solutions, everything, order)
    if isinstance(found, Failure):
        return found
    rearranged = found.rearranged
    if rearranged is not None and measures:
        rearranged = substitute(rearranged, dict(measures))
    return replace(found, equation=equation, rearranged=rearranged)


def _by_forms(
    equation: Equation, solutions: Solutions, known: Mapping[str, Quantity], order: Callable[[Quantity], int]
) -> Evaluation | Failure:
    """The values of the closed forms; by number where there are real ones that no closed form gives."""
    unknown = solutions.symbol
    results = [(solution, evaluate_quantity(solution.expression, known)) for solution in solutions.solutions]
    admissible = [
        (solution, value)
        for solution, value in results
        if not isinstance(value, Failure) and _holds(equation, unknown, value, known)
    ]
    ranked = sorted(admissible, key=lambda pair: (order(pair[1]), not pair[0].is_default))
    limit = ""
    if solutions.method == "sympy" and (not admissible or _is_rational(equation, unknown)):
        # In closed form the three real roots of a cubic take complex numbers on the way, and so are left out.
        roots = _roots(equation, unknown, known)
        if isinstance(roots, Failure):
            limit = roots.message if roots.code == "too_large" else ""
        elif not all(any(_is_near(root, value) for _, value in ranked) for root in roots):
            why = f"not every {unknown} has a closed form"
            return _by_number(equation, unknown, sorted(roots, key=_nearest(order)), why)
    if not ranked:
        failure = next((value for _, value in results if isinstance(value, Failure)), None)
        return failure or Failure("no_solution", f"no real value of {unknown} satisfies the equation with these values")
    best, value = ranked[0]
    return Evaluation(
        unknown,
        value,
        equation,
        best.expression,
        solutions.method,
        tuple(other for _, other in ranked[1:]),
        tuple(note for note in (best.note, limit) if note),
        limit,
    )


def _is_direct(equation: Equation, unknown: str) -> bool:
    return (
        isinstance(equation.left, Symbol)
        and equation.left.name == unknown
        and unknown not in symbols_of(equation.right)
    )


def _negative_last(value: Quantity) -> int:
    return int(value.value < 0)


def _quantities_of(measures: Sequence[tuple[str, Measure]]) -> dict[str, Quantity] | Failure:
    """What the named numbers with units of an equation are worth."""
    found: dict[str, Quantity] = {}
    for name, measure in measures:
        # Imported here: the unit tables take a while to load and most formulas carry no units.
        from mathrag.knowledge.units import read_canonical_unit

        try:
            unit = read_canonical_unit(measure.unit)
        except UnitError as error:
            return Failure("unit", f"the unit {measure.unit!r} inside the formula cannot be used: {error}")
        found[name] = Quantity(float(measure.number.value), unit)
    return found


def _holds(equation: Equation, unknown: str, value: Quantity, known: Mapping[str, Quantity]) -> bool:
    """Whether the two sides agree with this value: a branch may be a solution elsewhere but not here."""
    values = {**known, unknown: value}
    left, right = (_side(side, values) for side in (equation.left, equation.right))
    if isinstance(left, Failure) or isinstance(right, Failure):
        return False
    difference = abs(left.si_value - right.si_value)
    scale = max(abs(left.si_value), abs(right.si_value))
    if difference <= _CLOSE * scale or scale == 0:
        return True
    # Terms that cancel, as in 0 = a x^2 + b x + c, leave rounding behind that is small beside each of them.
    return difference <= _CLOSE * 1e-3 * max(_largest_term(side, values) for side in (equation.left, equation.right))


def _side(side: Expression, values: Mapping[str, Quantity]) -> Quantity | Failure:
    """A side of an equation at a solution; one whose terms cancel is zero there."""
    found = evaluate_quantity(side, values)
    return Quantity(0.0) if isinstance(found, Failure) and found.code == "digits_lost" else found


def _largest_term(side: Expression, values: Mapping[str, Quantity]) -> float:
    inner = side.operand if isinstance(side, Negate) else side
    terms = inner.terms if isinstance(inner, Add) else ()
    sizes = [evaluate_quantity(term, values) for term in terms]
    return max((abs(size.si_value) for size in sizes if not isinstance(size, Failure)), default=0.0)


def _nearest(order: Callable[[Quantity], int]) -> Callable[[Quantity], tuple[int, float]]:
    return lambda quantity: (order(quantity), abs(quantity.value))


def _is_near(one: Quantity, other: Quantity) -> bool:
    return math.isclose(one.si_value, other.si_value, rel_tol=_CLOSE)


def _is_rational(equation: Equation, unknown: str) -> bool:
    """Whether the unknown enters by whole powers alone, so that it has few real values."""
    # Imported here: few equations are solved by more than undoing what stands in them.
    from mathrag.compute.solve.rearrangement import entries_of

    return entries_of(equation.left, equation.right, unknown) == (Symbol(unknown),)


def _by_number(equation: Equation, unknown: str, roots: Sequence[Quantity], why: str) -> Evaluation:
    first, *others = roots[:_MOST_ROOTS]
    return Evaluation(unknown, first, equation, None, "numeric", tuple(others), (why,))


def _roots(equation: Equation, unknown: str, known: Mapping[str, Quantity]) -> list[Quantity] | Failure:
    """Values of the unknown found by number; their dimension comes from the rest of the equation."""
    from mathrag.compute.dimensions import check_dimensions
    from mathrag.compute.evaluate.quantities import si_value_of
    from mathrag.compute.solve import solve_numeric
    from mathrag.knowledge.units import coherent_unit

    roots = solve_numeric(equation, unknown, {name: si_value_of(name, quantity) for name, quantity in known.items()})
    if isinstance(roots, Failure):
        return roots
    report = check_dimensions(equation, {name: quantity.dimension for name, quantity in known.items()})
    if report.status == "inconsistent":
        return Failure("dimension", report.disagreements[0].message)
    dimension: Dimension = report.dimensions.get(unknown, DIMENSIONLESS)
    unit = coherent_unit(dimension)
    exact = dict.fromkeys(root for each in roots if (root := _polished(equation, unknown, known, each)) is not None)
    return [each for root in exact if _holds(equation, unknown, each := Quantity(root, unit), known)]


def _polished(equation: Equation, unknown: str, known: Mapping[str, Quantity], root: float) -> float | None:
    """A root with all its digits; None where the values leave it none."""
    # Imported here: few equations are solved by number.
    from mathrag.compute.evaluate.fifty_digits import polished
    from mathrag.compute.evaluate.quantities import differences_among

    residual = Add((equation.left, Negate(equation.right)))
    return polished(residual, known, differences_among(known), unknown, root) if root else root


def closed_forms(equation: Equation, unknown: str, *, seconds: float = 2.0) -> tuple[Expression, ...] | Failure:
    """What the unknown equals in closed form, the usual branch first; a failure where there is none."""
    from mathrag.compute.solve import solve

    if _is_direct(equation, unknown):
        return (equation.right,)
    plain, measures = measures_named(equation)
    solutions = solve(plain, unknown, seconds=seconds)
    if isinstance(solutions, Failure):
        return solutions
    return tuple(substitute(each.expression, dict(measures)) for each in solutions.solutions)


# Numbers with units inside an equation, given names: solvers work on plain numbers and symbols.


@lru_cache(maxsize=2048)
def measures_named(equation: Equation) -> tuple[Equation, tuple[tuple[str, Measure], ...]]:
    """The equation with a symbol for each of its numbers with a unit, and what those symbols stand for."""
    found = dict.fromkeys(
        node for side in (equation.left, equation.right) for node in walk(side) if isinstance(node, Measure)
    )
    if not found:
        return equation, ()
    taken = {node.name for side in (equation.left, equation.right) for node in walk(side) if isinstance(node, Symbol)}
    taken.update(equation_symbols(equation))
    names: dict[Measure, str] = {}
    for position, measure in enumerate(found):
        name = f"measure_{position}"
        while name in taken:
            name += "x"
        names[measure] = name
    named = replace(equation, left=_swapped(equation.left, names), right=_swapped(equation.right, names))
    return named, tuple((name, measure) for measure, name in names.items())


def _swapped(node: Expression, names: Mapping[Measure, str]) -> Expression:
    return Symbol(names[node]) if isinstance(node, Measure) else map_parts(node, lambda part: _swapped(part, names))


def value_in_si(measure: Measure) -> float:
    """What a number with a unit is worth in coherent SI units; not a number where the unit is not known."""
    # Imported here: the unit tables take a while to load and most formulas carry no units.
    from mathrag.knowledge.units import read_canonical_unit

    try:
        return Quantity(float(measure.number.value), read_canonical_unit(measure.unit)).si_value
    except (UnitError, OverflowError):
        return math.nan
