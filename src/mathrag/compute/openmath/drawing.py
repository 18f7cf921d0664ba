"""Values to try a statement with: drawn by kind, small and exact, so that chance meetings and edges happen often.

A draw is made once and can be turned into a value at any precision, so that what fails can be looked at again with more
digits.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product as combinations
from typing import Literal, TypeAlias

from mathrag.compute.openmath.amounts import SAMPLE_UNITS, amount_of_unit
from mathrag.compute.openmath.evaluating import Evaluator
from mathrag.compute.openmath.structures import KINDS
from mathrag.compute.openmath.values import (
    Amount,
    FiniteSet,
    Function,
    Interval,
    ListOf,
    Matrix,
    Multiset,
    NumberSet,
    Structure,
    UndefinedError,
    Value,
    Vector,
)

# Which numbers are drawn: whole ones, fractions, complex ones.
Stage: TypeAlias = Literal["whole", "real", "complex"]
STAGES: tuple[Stage, ...] = ("whole", "real", "complex")


@dataclass(frozen=True, slots=True)
class Draw:
    """A value before its precision is chosen: how to make it, how it reads, and its two parts if it is a number."""

    make: Callable[[Evaluator], Value]
    text: str
    number: tuple[Fraction, Fraction] | None = None


def drawn_number(real: Fraction, imaginary: Fraction = Fraction(0)) -> Draw:
    """A number by its two parts."""

    def make(evaluator: Evaluator) -> Value:
        if not imaginary:
            return real
        return evaluator.numbers.context.mpc(evaluator.numbers.many(real), evaluator.numbers.many(imaginary))

    sign = "-" if imaginary < 0 else "+"
    text = f"{real} {sign} {abs(imaginary)} i" if imaginary and real else f"{imaginary} i" if imaginary else str(real)
    return Draw(make, text, (real, imaginary))


def _fixed(value: Value) -> Draw:
    return Draw(lambda _evaluator: value, value_text(value))


def value_text(value: Value) -> str:
    """A value in words of mathematics, for a counterexample."""
    match value:
        case bool():
            return "true" if value else "false"
        case Fraction():
            return str(value)
        case FiniteSet(items):
            return f"{{{', '.join(map(value_text, items))}}}"
        case Multiset(items):
            return f"{{{', '.join(map(value_text, items))}}} (counted)"
        case ListOf(items):
            return f"[{', '.join(map(value_text, items))}]"
        case Vector(items, _):
            return f"({', '.join(map(value_text, items))})"
        case Matrix(rows):
            return f"[{'; '.join(' '.join(map(value_text, row)) for row in rows)}]"
        case Function(text=text) if text:
            return text
        case Amount(size, dimension):
            return f"{float(size):.12g} {dimension}"
        case _:
            return str(value)


class Drawing:
    """Draws for one statement, always the same for the same seed. Sizes of vectors are the same throughout a point."""

    def __init__(
        self, seed: bytes, *, largest_place: int = 0, has_relations: bool = False, has_maps: bool = False
    ) -> None:
        self.random = random.Random(seed)  # noqa: S311 - not a secret; the same every time
        self.largest_place = largest_place
        self.has_relations = has_relations
        self.has_maps = has_maps
        self.size = self.width = self.members = 3

    def start_point(self) -> None:
        """A new point: how long its vectors are."""
        self.size = self.largest_place or self.random.choice((2, 3))
        self.width = self.size if self.random.random() < 0.5 else self.random.choice((1, 2, 3))
        self.members = self.random.choice((2, 3, 4) if not self.has_maps else (3, 4, 5, 6, 7))

    def of_kind(self, kind: str, stage: Stage) -> Draw:
        makers: dict[str, Callable[[], Draw]] = {
            "truth": lambda: _fixed(self.random.random() < 0.5),
            "set": lambda: _fixed(self._set()),
            "multiset": lambda: _fixed(Multiset(self._wholes(self.random.randrange(5), 3))),
            "list": lambda: _fixed(ListOf(self._wholes(self.random.randrange(5), 6))),
            "vector": lambda: _fixed(Vector(self._fractions(self.size))),
            "matrix": lambda: _fixed(Matrix(tuple(self._fractions(self.width) for _ in range(self.size)))),
            "triangle": lambda: _fixed(self._triangle()),
            "relation": lambda: _fixed(self._relation()),
            "function": self._smooth,
            "map": self._map,
            "distribution": self._normal,
            "predicate": self._predicate,
            "unit": self._unit,
            **{each: partial(self._structure, each) for each in KINDS},
            "endomap": self._endomap,
            "place": lambda: drawn_number(Fraction(self.random.randint(1, max(self.size, 3)))),
        }
        return makers[kind]() if kind in makers else self._number(stage)

    def is_drawn(self, kind: str) -> bool:
        """Whether this kind can be drawn at all."""
        return kind in _DRAWN

    def member(self, domain: Value, stage: Stage) -> Draw | None:
        """A member of a set; None where none can be drawn from it."""
        match domain:
            case FiniteSet(items) | Multiset(items):
                return _fixed(self.random.choice(items)) if items else None
            case NumberSet(name):
                return self._of_set(name, stage)
            case Interval(low, high, _, _):
                return self._between(low, high)
            case _:
                return None

    def _number(self, stage: Stage) -> Draw:
        if stage == "whole" or (stage == "complex" and self.random.random() < 0.15):
            return drawn_number(self._whole())
        if stage == "real":
            # Some whole numbers among them: many functions take a whole number beside a real one.
            return drawn_number(self._fraction() if self.random.random() < 0.8 else self._whole())
        return drawn_number(self._fraction(), self._fraction())

    def _whole(self) -> Fraction:
        return Fraction(self.random.choice((0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 9, 12, -1, -2, -3, -4, -5, -6)))

    def _fraction(self) -> Fraction:
        """No whole number: often less than one in size, now and then far out, where functions go round once more."""
        below = self.random.choice((2, 2, 3, 4, 5, 7))
        reach = self.random.choice((1, 1, 1, 5, 5, 5, 5, 5, 25))
        return Fraction(
            self.random.choice([each for each in range(-reach * below, reach * below) if each % below]), below
        )

    def _wholes(self, count: int, limit: int) -> tuple[Fraction, ...]:
        return tuple(Fraction(self.random.randrange(limit)) for _ in range(count))

    def _fractions(self, count: int) -> tuple[Fraction, ...]:
        return tuple(self._fraction() if self.random.random() < 0.5 else self._whole() for _ in range(count))

    def _of_set(self, name: str, stage: Stage) -> Draw:
        match name:
            case "N":
                return drawn_number(abs(self._whole()))
            case "Z":
                return drawn_number(self._whole())
            case "P":
                return drawn_number(Fraction(self.random.choice((2, 3, 5, 7, 11, 13))))
            case "C":
                return self._number(stage)
            case _:
                return drawn_number(self._whole() if stage == "whole" else self._fraction())

    def _between(self, low: Value, high: Value) -> Draw | None:
        """A fraction inside, off the ends."""
        try:
            first, last = Fraction(str(float(low))), Fraction(str(float(high)))
        except (TypeError, ValueError, OverflowError):
            return None
        inner = first + (last - first) * Fraction(self.random.randrange(1, 64), 64)
        return drawn_number(inner.limit_denominator(997)) if last > first else None

    def _set(self) -> FiniteSet:
        # A relation needs the set that it is on.
        if self.has_relations:
            return FiniteSet(tuple(Fraction(each) for each in range(self.members)))
        return FiniteSet(tuple(Fraction(each) for each in range(4) if self.random.random() < 0.55))

    def _relation(self) -> FiniteSet:
        """Pairs of small numbers; often an equivalence, since few random relations are one."""
        members = [Fraction(each) for each in range(4)]
        if self.random.random() < 0.5:
            labels = [self.random.randrange(3) for _ in members]
            pairs = [(a, b) for a, b in combinations(range(4), repeat=2) if labels[a] == labels[b]]
        else:
            pairs = [(a, b) for a, b in combinations(range(4), repeat=2) if self.random.random() < 0.6]
        size = self.members
        return FiniteSet(tuple(ListOf((members[a], members[b])) for a, b in pairs if a < size and b < size))

    def _triangle(self) -> Vector:
        rows = self.random.choice((2, 3))
        return Vector(tuple(Vector(self._fractions(rows - place)) for place in range(rows)))

    def _unit(self) -> Draw:
        text = self.random.choice(SAMPLE_UNITS)
        return Draw(lambda _evaluator: amount_of_unit(text), text)

    def _predicate(self) -> Draw:
        name, shift = self.random.choice(("lt", "leq", "neq", "geq")), Fraction(self.random.randint(-4, 4))
        full = f"relation1:{name}"

        def make(evaluator: Evaluator) -> Value:
            def apply(left: Value, right: Value) -> Value:
                return evaluator.operation(full, (left, evaluator.operation("arith1:plus", (right, shift))))

            return Function(apply)

        return Draw(make, f"(a, b) -> a {name} b + {shift}")

    def _smooth(self) -> Draw:
        """A function that has every derivative everywhere: a polynomial, a wave or an exponential."""
        shape = self.random.choice(("polynomial", "wave", "exponential"))
        a, b, c = (Fraction(self.random.choice((-3, -2, -1, 1, 2, 3)), self.random.choice((1, 2))) for _ in range(3))
        text = {
            "polynomial": f"t -> {a} t^3 + {b} t + {c}",
            "wave": f"t -> sin({a} t + {b}) + {c}",
            "exponential": f"t -> {c} exp({a} t/2) + {b}",
        }[shape]

        def make(evaluator: Evaluator) -> Value:
            numbers = evaluator.numbers

            def apply(argument: Value) -> Value:
                evaluator.spend()
                if shape == "polynomial":
                    return (
                        a * argument * argument * argument + b * argument + c
                        if isinstance(argument, Fraction)
                        else (numbers.many(a) * argument**3 + numbers.many(b) * argument + numbers.many(c))
                    )
                inner = numbers.many(a) * numbers.many(argument)
                if shape == "wave":
                    return numbers.function("sin", inner + numbers.many(b)) + numbers.many(c)
                return numbers.many(c) * numbers.function("exp", inner / 2) + numbers.many(b)

            return Function(apply, text=text)

        return Draw(make, text)

    def _map(self) -> Draw:
        """A finite map of small numbers, not always onto its range, sometimes one to one."""
        domain = tuple(Fraction(each) for each in range(5) if self.random.random() < 0.7) or (Fraction(0),)
        targets = [Fraction(each) for each in range(7)]
        if self.random.random() < 0.5:
            values = dict(zip(domain, self.random.sample(targets, len(domain)), strict=True))
        else:
            values = {each: self.random.choice(targets[:3]) for each in domain}
        text = "{" + ", ".join(f"{key} -> {value}" for key, value in values.items()) + "}"

        def make(_evaluator: Evaluator) -> Value:
            return Function(lambda argument: values[argument], FiniteSet(domain), FiniteSet(tuple(targets)), text=text)

        return Draw(make, text)

    def _structure(self, kind: str) -> Draw:
        """Whole numbers modulo a small one, under addition or multiplication; for more, tables that chance filled."""
        is_triangle = kind in ("group", "magma") and not self.has_maps and self.random.random() < 0.4
        size = 6 if is_triangle else self.members
        members = [Fraction(each) for each in range(size)]
        rules: dict[str, Callable[[int, int], int]] = {
            "addition": lambda a, b: (a + b) % size,
            "multiplication": lambda a, b: a * b % size,
            "the first of two": lambda a, _: a,
        }
        choices = {"group": 1, "monoid": 2, "semigroup": 3, "magma": 3}[kind]
        name = "motions of a triangle" if is_triangle else self.random.choice(list(rules)[:choices])
        rules["motions of a triangle"] = _motion
        table = {(a, b): Fraction(rules[name](int(a), int(b))) for a, b in combinations(members, repeat=2)}
        if kind == "magma" and self.random.random() < 0.4:
            name = "a table"
            table = {pair: self.random.choice(members) for pair in table}
        entries = ", ".join(f"{a}*{b}={value}" for (a, b), value in table.items())
        text = f"{name} on {size} numbers" if name != "a table" else entries

        def apply(left: Value, right: Value) -> Value:
            if (left, right) not in table:
                raise UndefinedError("no member of the structure")
            return table[left, right]

        value = Structure(FiniteSet(tuple(members)), Function(apply), text)
        return Draw(lambda _: value, text)

    def _endomap(self) -> Draw:
        """A map of the numbers modulo a small one to themselves: a multiple of each, now and then shifted."""
        size, factor = self.members, self.random.randrange(self.members)
        shift = self.random.choice((0, 0, 0, 1))
        values = {Fraction(each): Fraction((factor * each + shift) % size) for each in range(size)}
        text = "{" + ", ".join(f"{key} -> {value}" for key, value in values.items()) + "}"
        domain = FiniteSet(tuple(values))
        return Draw(lambda _: Function(lambda each: values[each], domain, domain, text=text), text)

    def _normal(self) -> Draw:
        """The density of a normal distribution."""
        mean = Fraction(self.random.randrange(-4, 5), 2)
        spread = Fraction(self.random.choice((1, 2, 3)), self.random.choice((1, 2)))
        text = f"normal density with mean {mean} and deviation {spread}"

        def make(evaluator: Evaluator) -> Value:
            numbers = evaluator.numbers
            scale = 1 / (numbers.many(spread) * numbers.context.sqrt(2 * numbers.context.pi))

            def apply(argument: Value) -> Value:
                evaluator.spend()
                offset = (numbers.many(argument) - numbers.many(mean)) / numbers.many(spread)
                return scale * numbers.context.exp(-offset * offset / 2)

            return Function(apply, text=text, mean=mean, deviation=spread)

        return Draw(make, text)


_DRAWN = frozenset(
    (
        *"number place truth set multiset list vector matrix triangle relation".split(),
        *"function map endomap distribution predicate unit".split(),
        *KINDS,
    )
)


def _motion(first: int, second: int) -> int:
    """Two motions of a triangle one after the other: 0 to 2 turn it, 3 to 5 turn it over as well."""
    turn = first + (-second if first >= 3 else second)
    return turn % 3 + 3 * ((first >= 3) != (second >= 3))


def truth_rows(names: Sequence[str]) -> list[dict[str, Draw]]:
    """All rows of a truth table."""
    return [dict(zip(names, map(_fixed, row), strict=True)) for row in combinations((False, True), repeat=len(names))]
