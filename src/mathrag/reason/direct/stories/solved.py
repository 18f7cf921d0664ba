"""What a solved word problem is: the value, the rule it followed, the lines of working, the values it used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from mathrag.reason.direct.stories.algebra import Expression, Polynomial
from mathrag.reason.direct.stories.reading import Value
from mathrag.reason.direct.stories.relations import Relation


@dataclass(frozen=True, slots=True)
class Solved:
    """The answer in `unit` (canonical text; None for a plain number); `rule` names the rule in words."""

    value: Fraction
    unit: str | None
    rule: str
    working: tuple[str, ...]
    used: Sequence[Value]


def shown(relation: Relation) -> str:
    """An equation for a line of working."""
    left, right = relation.parts
    return f"{_expression(left)} = {_expression(right)}"


def _expression(expression: Expression) -> str:
    above = polynomial_text(expression.above)
    below = expression.below
    if below.terms == {(): Fraction(1)}:
        return above
    return f"({above}) / ({polynomial_text(below)})"


def polynomial_text(polynomial: Polynomial) -> str:
    """A polynomial as people write it: `2*width + 4`."""
    parts: list[str] = []
    for key, value in sorted(polynomial.terms.items(), key=lambda item: (-len(item[0]), item[0])):
        size = number_text(abs(value))
        factors = list(key) if abs(value) == 1 and key else [size, *key]
        sign = "-" if value < 0 else "+"
        parts.append(f"{sign} {'*'.join(factors)}")
    text = " ".join(parts) or "0"
    return text[2:] if text.startswith("+ ") else text


def number_text(value: Fraction) -> str:
    """A fraction for people: whole, a short decimal, or rounded."""
    if value.denominator == 1:
        return str(value.numerator)
    return f"{value.numerator / value.denominator:.8g}"
