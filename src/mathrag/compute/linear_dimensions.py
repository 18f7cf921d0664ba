"""Linear equations between unknown dimensions, solved exactly as they come in. Knows exponents, not formulas."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from mathrag.types.quantity import DIMENSIONLESS, Dimension


@dataclass(frozen=True, slots=True)
class Form:
    """A known dimension times powers of unknown ones, by name."""

    known: Dimension = DIMENSIONLESS
    unknown: Mapping[str, Fraction] = field(default_factory=dict)

    def times(self, other: Form) -> Form:
        """The dimension of a product."""
        powers = dict(self.unknown)
        for name, exponent in other.unknown.items():
            powers[name] = powers.get(name, Fraction(0)) + exponent
        return Form(
            _product(self.known, other.known), {name: exponent for name, exponent in powers.items() if exponent}
        )

    def to(self, exponent: Fraction) -> Form:
        """The dimension of a power."""
        if not exponent:
            return Form()
        known = self.known if self.known is DIMENSIONLESS else self.known**exponent
        return Form(known, {name: power * exponent for name, power in self.unknown.items()})


def _product(first: Dimension, second: Dimension) -> Dimension:
    """The product; most forms are of symbols alone, and fractions are slow to add."""
    if second is DIMENSIONLESS:
        return first
    return second if first is DIMENSIONLESS else first * second


class DimensionSystem:
    """Facts "this combination is a plain number", kept in solved form: each solved unknown in terms of free ones."""

    def __init__(self) -> None:
        self.solved: dict[str, Form] = {}

    def reduce(self, form: Form) -> Form:
        """The form with everything known put in."""
        result = Form(form.known)
        for name, exponent in form.unknown.items():
            result = result.times(self.solved.get(name, Form(unknown={name: Fraction(1)})).to(exponent))
        return result

    def equate(self, left: Form, right: Form) -> bool:
        """Take in that two forms are equal; False (and nothing taken in) if that contradicts what is known."""
        rest = self.reduce(left.times(right.to(Fraction(-1))))
        if not rest.unknown:
            return rest.known.is_dimensionless
        name, exponent = next(iter(rest.unknown.items()))
        others = Form(rest.known, {other: power for other, power in rest.unknown.items() if other != name})
        value = others.to(-1 / exponent)
        for solved, form in list(self.solved.items()):
            share = form.unknown.get(name)
            if share:
                remaining = {other: power for other, power in form.unknown.items() if other != name}
                self.solved[solved] = Form(form.known, remaining).times(value.to(share))
        self.solved[name] = value
        return True

    def dimension_of(self, form: Form) -> Dimension | None:
        """The dimension of a form, or None while unknowns are left in it."""
        reduced = self.reduce(form)
        return None if reduced.unknown else reduced.known
