"""Small systems of polynomial equations over fractions, solved exactly where that is possible. Reads no text."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

Monomial = tuple[str, ...]
# More than any word problem needs; a longer product is a misreading.
_HIGHEST_DEGREE = 6
_MOST_UNKNOWNS = 24
_NEAR = Fraction(1, 10**7)


@dataclass(frozen=True, slots=True)
class Polynomial:
    """Sums of products of unknowns: each product, its unknowns in order, with its coefficient."""

    terms: Mapping[Monomial, Fraction]

    def __add__(self, other: Polynomial) -> Polynomial:
        found = dict(self.terms)
        for key, value in other.terms.items():
            found[key] = found.get(key, Fraction(0)) + value
        return Polynomial({key: value for key, value in found.items() if value})

    def __sub__(self, other: Polynomial) -> Polynomial:
        return self + other.scaled(Fraction(-1))

    def __mul__(self, other: Polynomial) -> Polynomial:
        found: dict[Monomial, Fraction] = {}
        for first, one in self.terms.items():
            for second, two in other.terms.items():
                key = tuple(sorted((*first, *second)))
                found[key] = found.get(key, Fraction(0)) + one * two
        return Polynomial({key: value for key, value in found.items() if value})

    def scaled(self, factor: Fraction) -> Polynomial:
        """Every coefficient times a number."""
        return Polynomial({key: value * factor for key, value in self.terms.items() if value * factor})

    @property
    def unknowns(self) -> frozenset[str]:
        """The unknowns that occur."""
        return frozenset(name for key in self.terms for name in key)

    @property
    def degree(self) -> int:
        """Of the longest product."""
        return max(map(len, self.terms), default=0)

    @property
    def constant(self) -> Fraction:
        """The term without unknowns."""
        return self.terms.get((), Fraction(0))

    def replaced(self, name: str, by: Polynomial) -> Polynomial:
        """With a polynomial in place of an unknown."""
        found = Polynomial({})
        for key, value in self.terms.items():
            rest = tuple(each for each in key if each != name)
            part = Polynomial({rest: value})
            for _ in range(len(key) - len(rest)):
                part = part * by
            found = found + part
        return found


@dataclass(frozen=True, slots=True)
class Expression:
    """A fraction of two polynomials."""

    above: Polynomial
    below: Polynomial

    def __add__(self, other: Expression) -> Expression:
        return Expression(self.above * other.below + other.above * self.below, self.below * other.below)

    def __sub__(self, other: Expression) -> Expression:
        return Expression(self.above * other.below - other.above * self.below, self.below * other.below)

    def __mul__(self, other: Expression) -> Expression:
        return Expression(self.above * other.above, self.below * other.below)

    def __truediv__(self, other: Expression) -> Expression:
        return Expression(self.above * other.below, self.below * other.above)

    @property
    def number(self) -> Fraction | None:
        """The value where no unknown takes part."""
        if self.above.unknowns or self.below.unknowns or not self.below.constant:
            return None
        return self.above.constant / self.below.constant

    @property
    def name(self) -> str | None:
        """The unknown where it is one and nothing else."""
        if self.below.terms != {(): Fraction(1)} or len(self.above.terms) != 1:
            return None
        ((key, value),) = self.above.terms.items()
        return key[0] if len(key) == 1 and value == 1 else None


_ONE = Polynomial({(): Fraction(1)})


def number(value: Fraction | int) -> Expression:
    """A plain number."""
    return Expression(Polynomial({(): Fraction(value)} if value else {}), _ONE)


def unknown(name: str) -> Expression:
    """A thing whose value is sought."""
    return Expression(Polynomial({(name,): Fraction(1)}), _ONE)


def total(parts: Iterable[Expression]) -> Expression:
    """The sum of all parts."""
    found = number(0)
    for part in parts:
        found = found + part
    return found


def equal(left: Expression, right: Expression) -> Polynomial:
    """What must vanish where both are equal."""
    return left.above * right.below - right.above * left.below


def solutions(equations: Sequence[Polynomial], *, positive: bool = True) -> list[dict[str, Fraction]]:
    """The values of all unknowns that are fixed by the equations, one table for each solution.

    An unknown that stays open is in no table. Roots that are no fractions are rounded far below what is shown. Where
    the system is too hard the list is empty, as where it contradicts itself.
    """
    if len({name for each in equations for name in each.unknowns}) > _MOST_UNKNOWNS:
        return []
    return _solve(list(equations), {}, positive=positive)


def only_value(equations: Sequence[Polynomial], name: str) -> Fraction | None:
    """The one positive value that the equations leave to an unknown."""
    found = {each[name] for each in solutions(equations) if name in each and each[name] > 0}
    return found.pop() if len(found) == 1 else None


def _solve(equations: list[Polynomial], known: dict[str, Polynomial], *, positive: bool) -> list[dict[str, Fraction]]:
    reduced = _reduced(equations, known)
    if reduced is None:
        return []
    equations, known = reduced
    if not equations:
        values = {name: each.constant for name, each in known.items() if not each.unknowns}
        return [values] if not positive or min(values.values(), default=Fraction(0)) >= 0 else []
    single = next((each for each in equations if len(each.unknowns) == 1), None)
    if single is None:
        return []
    (name,) = single.unknowns
    found: list[dict[str, Fraction]] = []
    for root in _roots(single):
        value = Polynomial({(): root} if root else {})
        rest = [each.replaced(name, value) for each in equations]
        replaced = {other: each.replaced(name, value) for other, each in known.items()}
        found += _solve(rest, {**replaced, name: value}, positive=positive)
    return found


def _reduced(
    equations: list[Polynomial], known: dict[str, Polynomial]
) -> tuple[list[Polynomial], dict[str, Polynomial]] | None:
    """With every unknown put in that one of the equations gives by the others; None where they contradict."""
    while True:
        if any(not each.unknowns and abs(each.constant) > _NEAR for each in equations):
            return None
        equations = [each for each in equations if each.unknowns]
        if any(each.degree > _HIGHEST_DEGREE for each in equations):
            return None
        isolated = _isolated(equations)
        if isolated is None:
            return equations, known
        name, value = isolated
        equations = [each.replaced(name, value) for each in equations]
        known = {**{other: each.replaced(name, value) for other, each in known.items()}, name: value}


def _isolated(equations: Sequence[Polynomial]) -> tuple[str, Polynomial] | None:
    """An unknown that one equation gives by the others: it stands there once, alone, times a number."""
    for equation in sorted(equations, key=lambda each: (len(each.unknowns), each.degree)):
        for name in sorted(equation.unknowns):
            holding = [key for key in equation.terms if name in key]
            if holding == [(name,)]:
                rest = Polynomial({key: value for key, value in equation.terms.items() if key != (name,)})
                return name, rest.scaled(-1 / equation.terms[(name,)])
    return None


def _roots(equation: Polynomial) -> list[Fraction]:
    """The real roots of an equation in one unknown, of the second degree or a pure power."""
    coefficients = {len(key): value for key, value in equation.terms.items()}
    lowest = min(coefficients)
    # A root of zero that stands in every term comes of clearing a fraction.
    coefficients = {power - lowest: value for power, value in coefficients.items()}
    degree = max(coefficients, default=0)
    if degree == 0:
        return []
    if set(coefficients) == {0, degree}:
        return _pure_roots(-coefficients[0] / coefficients[degree], degree)
    if degree != 2:
        return []
    a, b, c = (coefficients.get(power, Fraction(0)) for power in (2, 1, 0))
    inner = b * b - 4 * a * c
    if inner < 0:
        return []
    root = _root(inner, 2)
    return list(dict.fromkeys([(-b + root) / (2 * a), (-b - root) / (2 * a)]))


def _pure_roots(value: Fraction, degree: int) -> list[Fraction]:
    if degree % 2 == 0:
        if value < 0:
            return []
        root = _root(value, degree)
        return [root, -root] if root else [root]
    return [_root(value, degree)] if value >= 0 else [-_root(-value, degree)]


def _root(value: Fraction, degree: int) -> Fraction:
    above, below = _whole_root(value.numerator, degree), _whole_root(value.denominator, degree)
    if above is not None and below is not None:
        return Fraction(above, below)
    return Fraction(math.pow(value, 1 / degree)).limit_denominator(10**10)


def _whole_root(value: int, degree: int) -> int | None:
    if value > 10**300:
        return None
    near = round(math.pow(value, 1 / degree))
    return next((each for each in (near - 1, near, near + 1) if each >= 0 and each**degree == value), None)
