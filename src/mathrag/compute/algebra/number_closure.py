"""Whether sums, products and the like of numbers of some kinds are of a kind again: rational, irrational, whole,
positive, even, prime. Refuted by exact numbers a + b√2, shown by the definitions of the kinds, or left open.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

Operation = Literal["+", "-", "*", "/", "^2", "^3", "2*", "1/", "same"]


@dataclass(frozen=True, slots=True)
class Surd:
    """The number `plain` + `root` √2, exactly."""

    plain: Fraction
    root: Fraction = Fraction(0)

    @property
    def sign(self) -> int:
        """1, 0 or −1: whichever of the squares of the two parts is larger decides where their signs differ."""
        first, second = _sign(self.plain), _sign(self.root)
        if first == second or not second:
            return first
        return first if first and self.plain**2 > 2 * self.root**2 else second

    @property
    def whole(self) -> int | None:
        """As a whole number; None where it is none."""
        return self.plain.numerator if not self.root and self.plain.denominator == 1 else None

    def shown(self) -> str:
        """As people write it: `1 − √2`."""
        root, size = self.root, abs(self.root)
        below = f"/{size.denominator}" if size.denominator > 1 else ""
        radical = f"{size.numerator if size.numerator != 1 else ''}√2{below}"
        if not root:
            return str(self.plain).replace("-", "−")
        if not self.plain:
            return radical if root > 0 else f"−{radical}"
        return f"{self.plain} {'+' if root > 0 else '−'} {radical}".replace("-", "−")


def _sign(value: Fraction) -> int:
    return (value > 0) - (value < 0)


def _times(one: Surd, other: Surd) -> Surd:
    return Surd(one.plain * other.plain + 2 * one.root * other.root, one.plain * other.root + one.root * other.plain)


def _inverse(one: Surd) -> Surd | None:
    size = one.plain**2 - 2 * one.root**2
    return Surd(one.plain / size, -one.root / size) if size else None


def apply(operation: Operation, numbers: Sequence[Surd]) -> Surd | None:
    """The value of an operation; None where there is none."""
    one = numbers[0]
    other = numbers[-1]
    match operation:
        case "+":
            return Surd(one.plain + other.plain, one.root + other.root)
        case "-":
            return Surd(one.plain - other.plain, one.root - other.root)
        case "*" | "^2":
            return _times(one, other)
        case "^3":
            return _times(one, _times(one, one))
        case "2*":
            return Surd(2 * one.plain, 2 * one.root)
        case "same":
            return one
    below = _inverse(other)
    if below is None:
        return None
    return below if operation == "1/" else _times(one, below)


def _is_prime(value: int) -> bool:
    return value > 1 and all(value % each for each in range(2, math.isqrt(value) + 1))


# What each kind is: of a number, or of a whole number.
_KINDS: Mapping[str, Callable[[Surd], bool]] = {
    "real": lambda _: True,
    "rational": lambda one: not one.root,
    "irrational": lambda one: bool(one.root),
    "integer": lambda one: one.whole is not None,
    "natural": lambda one: one.whole is not None and one.whole >= 0,
    "positive": lambda one: one.sign > 0,
    "negative": lambda one: one.sign < 0,
    "nonzero": lambda one: one.sign != 0,
    "even": lambda one: one.whole is not None and one.whole % 2 == 0,
    "odd": lambda one: one.whole is not None and one.whole % 2 == 1,
    "prime": lambda one: one.whole is not None and _is_prime(one.whole),
    "composite": lambda one: one.whole is not None and one.whole > 3 and not _is_prime(one.whole),
    "square": lambda one: one.whole is not None and one.whole >= 0 and math.isqrt(one.whole) ** 2 == one.whole,
}

# By definition: what is of one kind is of the others.
_WIDER: Mapping[str, tuple[tuple[str, str], ...]] = {
    "natural": (("integer", "the natural numbers are among the integers"),),
    "integer": (("rational", "n = n/1"),),
    "rational": (("real", "the rational numbers are among the real ones"),),
    "irrational": (("real", "irrational numbers are real numbers that are not rational"), ("nonzero", "0 is rational")),
    "even": (("integer", "by definition"),),
    "odd": (("integer", "by definition"), ("nonzero", "0 is even")),
    "prime": (("natural", "by definition"), ("positive", "primes are above 1")),
    "composite": (("natural", "by definition"), ("positive", "by definition")),
    "square": (("natural", "by definition"),),
    "positive": (("nonzero", "by definition"), ("real", "by definition")),
    "negative": (("nonzero", "by definition"), ("real", "by definition")),
}

_PARITIES = (
    (("odd", "odd"), "even", "(2m + 1) ± (2n + 1) is 2 times a whole number"),
    (("even", "even"), "even", "2m ± 2n = 2(m ± n)"),
    (("even", "odd"), "odd", "2m ± (2n + 1) is 2 times a whole number and ±1 more"),
    (("odd", "even"), "odd", "(2m + 1) ± 2n = 2(m ± n) + 1"),
)
_APART = "otherwise the irrational number would be the result less the rational one, and that is rational"
_APART_TIMES = "otherwise the irrational number could be had from the result and the rational one by dividing"
_SAME_SIGN = "numbers of the same sign have a positive product, |a| |b|"
_OTHER_SIGN = "numbers of different signs have a negative product, −|a| |b|"
_BOTH = (("rational", "irrational"), ("irrational", "rational"))

# Operation, kinds of the numbers, kind of the result, why.
_RULES: tuple[tuple[str, tuple[str, ...], str, str], ...] = (
    *(("+-", pair, kind, why) for pair, kind, why in _PARITIES),
    ("+-*", ("rational", "rational"), "rational", "p/q ± r/s = (ps ± qr)/(qs), and p/q · r/s = pr/(qs)"),
    ("/", ("rational", "rational"), "rational", "(p/q)/(r/s) = ps/(qr), where the divisor is not 0"),
    *(("+-", pair, "irrational", _APART) for pair in _BOTH),
    ("+-*", ("integer", "integer"), "integer", "sums, differences and products of whole numbers are whole"),
    ("+*", ("natural", "natural"), "natural", "sums and products of whole numbers from 0 on are such again"),
    ("+", ("positive", "positive"), "positive", "a + b > a > 0"),
    ("+", ("negative", "negative"), "negative", "a + b < a < 0"),
    ("-", ("positive", "negative"), "positive", "subtracting a negative number adds its size"),
    ("-", ("negative", "positive"), "negative", "it becomes smaller still"),
    *(("*/", (kind, kind), "positive", _SAME_SIGN) for kind in ("positive", "negative")),
    *(("*/", pair, "negative", _OTHER_SIGN) for pair in (("positive", "negative"), ("negative", "positive"))),
    ("*", ("nonzero", "nonzero"), "nonzero", "a product is 0 only where a factor is"),
    ("*", ("odd", "odd"), "odd", "(2m + 1)(2n + 1) = 2(2mn + m + n) + 1"),
    *(("*", pair, "even", "2m · n = 2(mn)") for pair in (("even", "integer"), ("integer", "even"))),
    ("+-*", ("real", "real"), "real", "by definition"),
    ("*", ("square", "square"), "square", "m² n² = (mn)²"),
    ("^2", ("odd",), "odd", "(2m + 1)² = 2(2m² + 2m) + 1"),
    ("^2", ("even",), "even", "(2m)² = 2(2m²)"),
    ("^2", ("nonzero",), "positive", _SAME_SIGN),
    ("^2", ("integer",), "square", "by definition"),
    ("^2", ("rational",), "rational", "(p/q)² = p²/q²"),
    ("^3", ("odd",), "odd", "a product of odd numbers is odd"),
    ("^3", ("even",), "even", "(2m)³ = 2(4m³)"),
    ("^3", ("positive",), "positive", "a product of positive numbers"),
    ("^3", ("negative",), "negative", "x³ = x² · x, a positive number times a negative one"),
    ("^3", ("rational",), "rational", "(p/q)³ = p³/q³"),
    ("^3", ("integer",), "integer", "a product of whole numbers"),
    ("2*", ("integer",), "even", "by definition"),
    ("2*", ("rational",), "rational", "2 · p/q = 2p/q"),
    ("2*", ("irrational",), "irrational", "otherwise its half would be rational"),
    ("1/", ("rational",), "rational", "1/(p/q) = q/p"),
    ("1/", ("irrational",), "irrational", "otherwise its reciprocal, the number itself, would be rational"),
    ("1/", ("positive",), "positive", "x · 1/x = 1 is positive"),
    ("1/", ("negative",), "negative", "x · 1/x = 1 is positive"),
)
# Here the rational number must not be 0.
_NONZERO_RULES: tuple[tuple[str, tuple[frozenset[str], ...], str, str], ...] = (
    *(("*/", tuple(frozenset({kind, "nonzero"}) for kind in pair), "irrational", _APART_TIMES) for pair in _BOTH),
)


@dataclass(frozen=True, slots=True)
class Closure:
    """`counter` are numbers at which it fails, `example` numbers at which it holds, with the results."""

    kind: Literal["shown", "refuted", "open"]
    why: str = ""
    counter: tuple[Surd, ...] = ()
    example: tuple[Surd, ...] = ()
    tried: int = 0


def judge_closure(operation: Operation, kinds: Sequence[frozenset[str]], claimed: frozenset[str]) -> Closure:
    """Whether results for numbers of these kinds are always of the claimed kinds."""
    counter: tuple[Surd, ...] = ()
    example: tuple[Surd, ...] = ()
    tried = 0
    for numbers in sorted(itertools.product(*map(_samples, kinds)), key=_size):
        value = apply(operation, numbers)
        if value is None:
            continue
        tried += 1
        is_so = all(_KINDS[kind](value) for kind in claimed)
        if is_so and not example:
            example = numbers
        if not is_so and not counter:
            counter = numbers
    if counter:
        return Closure("refuted", counter=counter, example=example, tried=tried)
    why = [_why(operation, kinds, kind) for kind in sorted(claimed)]
    if all(why) and tried:
        return Closure("shown", "; ".join(dict.fromkeys(each for each in why if each)), tried=tried)
    return Closure("open", tried=tried)


_PLAIN = (1, 2, 3, 4, 5, 6, 7, 9, -1, -2, -3, -4, 0, Fraction(1, 2), Fraction(-1, 2), Fraction(3, 2))
_ROOTS = ((0, 1), (0, -1), (1, 1), (1, -1), (2, -1), (0, 2), (-1, 1), (0, Fraction(1, 2)))
_NUMBERS = (
    *(Surd(Fraction(each)) for each in _PLAIN),
    *(Surd(Fraction(plain), Fraction(root)) for plain, root in _ROOTS),
)


def _samples(kinds: frozenset[str]) -> list[Surd]:
    # Whether 0 is a natural number is left open: it is no example of one.
    return [
        one
        for one in _NUMBERS
        if all(_KINDS[kind](one) for kind in kinds) and not ("natural" in kinds and one.sign == 0)
    ]


def _size(numbers: Sequence[Surd]) -> int:
    """How simple numbers are: small whole ones first, and 0 behind them, for it is often a special case."""
    parts = [part for one in numbers for part in (one.plain, one.root) if part]
    signs = sum(part < 0 for part in parts)
    return (
        signs
        + sum(abs(part.numerator) + 3 * part.denominator for part in parts)
        + 9 * sum(not one.sign for one in numbers)
    )


def _wider(kinds: frozenset[str]) -> dict[str, str]:
    """All kinds that numbers of these kinds are, each with the reason; none for those that were stated."""
    found = dict.fromkeys(kinds, "")
    pending = sorted(kinds)
    while pending:
        kind = pending.pop()
        for wider, why in _WIDER.get(kind, ()):
            if wider not in found:
                found[wider] = "; ".join(each for each in (found[kind], why) if each)
                pending.append(wider)
    return found


def _why(operation: Operation, kinds: Sequence[frozenset[str]], wanted: str) -> str:
    """The rule that shows it; empty where there is none."""
    if operation == "same":
        return _wider(kinds[0]).get(wanted, "")
    rules = (*((signs, tuple(frozenset({one}) for one in given), gives, why) for signs, given, gives, why in _RULES),)
    for signs, given, gives, why in (*rules, *_NONZERO_RULES):
        is_it = operation in (tuple(signs) if len(kinds) == 2 else (signs,)) and len(given) == len(kinds)
        if is_it and all(one <= _wider(kind).keys() for one, kind in zip(given, kinds, strict=True)):
            reached = _wider(frozenset({gives}))
            if wanted in reached:
                return "; ".join(each for each in (why, reached[wanted]) if each)
    return ""
