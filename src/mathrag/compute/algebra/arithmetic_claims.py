"""Equations and congruences of number theory in letters: `φ(m n) = φ(m) φ(n)`, `a^(p - 1) ≡ 1 (mod p)`. Read by a small
grammar of their own, with `%`, `!`, φ, σ, τ, μ, gcd, lcm and sums over divisors, and tried exactly at small numbers.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

_LONGEST = 160
_DEEPEST = 20
_MOST_LETTERS = 3
_MOST_BITS = 4_000
_LARGEST_FACTORED = 10**7
_TOKEN = re.compile(
    r"\s*(?:(?P<number>[0-9]{1,6})|(?P<name>gcd|lcm|mod|sumdiv)|(?P<sign><=|>=|[-+*/%^!()=≡<>,|])|(?P<letter>[a-zφστμ]))"
)

# A node: a number, a letter, or the name of an operation with its parts.
Node: TypeAlias = "int | str | tuple[str, tuple[Node, ...]]"


class UnreadClaimError(ValueError):
    """The text is no such claim."""


class NoValueError(ValueError):
    """A side has no value at these numbers."""


@dataclass(frozen=True, slots=True)
class ArithmeticClaim:
    """Two sides with the sign between them, and the modulus of a congruence."""

    left: Node
    sign: str
    right: Node
    modulus: Node | None = None

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters, in the order in which they come."""
        return tuple(
            dict.fromkeys(_letters((self.left, self.right, *(() if self.modulus is None else (self.modulus,)))))
        )

    def shape(self) -> tuple[object, ...]:
        """The claim with letters by their order: other letters are as good."""
        names = {letter: f"v{place}" for place, letter in enumerate(self.letters)}
        sides = [_renamed(side, names) for side in (self.left, self.right)]
        return (*sides, self.sign, None if self.modulus is None else _renamed(self.modulus, names))


def _letters(nodes: Sequence[Node]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, str):
            yield node
        elif isinstance(node, tuple):
            # The letter of a sum over divisors is bound.
            yield from (each for each in _letters(node[1]) if node[0] != "sumdiv" or each != node[1][0])


def _renamed(node: Node, names: Mapping[str, str]) -> Node:
    if isinstance(node, tuple):
        name, parts = node
        if name == "sumdiv":
            names = {**names, str(parts[0]): "bound"}
        return name, tuple(_renamed(part, names) for part in parts)
    return names.get(node, node) if isinstance(node, str) else node


# Reading.


def read_claim(text: str) -> ArithmeticClaim:
    """Read one claim; raises `UnreadClaimError`."""
    if len(text) > _LONGEST:
        raise UnreadClaimError("too long")
    reader = _Reader(_tokens(text))
    left = reader.sum()
    sign = reader.take("=", "≡", "<=", ">=", "<", ">")
    right = reader.sum()
    modulus: Node | None = None
    if sign == "≡" or reader.peek() == "mod" or reader.starts("(", "mod"):
        is_open = reader.peek() == "("
        if is_open:
            reader.take("(")
        reader.take("mod")
        modulus = reader.sum()
        if is_open:
            reader.take(")")
    if reader.peek() or (modulus is not None and sign not in ("=", "≡")):
        raise UnreadClaimError("something is left over")
    claim = ArithmeticClaim(left, "≡" if modulus is not None else sign, right, modulus)
    if not 1 <= len(claim.letters) <= _MOST_LETTERS:
        raise UnreadClaimError("too many letters or none")
    return claim


def _tokens(text: str) -> list[str]:
    found: list[str] = []
    place = 0
    while place < len(text.rstrip()):
        match = _TOKEN.match(text, place)
        if match is None:
            raise UnreadClaimError("an unknown sign")
        found.append(match[0].strip())
        place = match.end()
    return found


class _Reader:
    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._place = 0
        self._depth = 0

    def peek(self) -> str:
        return self._tokens[self._place] if self._place < len(self._tokens) else ""

    def starts(self, *tokens: str) -> bool:
        return tuple(self._tokens[self._place : self._place + len(tokens)]) == tokens

    def take(self, *wanted: str) -> str:
        mark = self.peek()
        if not mark or (wanted and mark not in wanted):
            raise UnreadClaimError(f"{mark!r} is not expected")
        self._place += 1
        return mark

    def sum(self) -> Node:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise UnreadClaimError("too deep")
        node = self.product()
        while self.peek() in ("+", "-"):
            sign = self.take()
            node = (sign, (node, self.product()))
        self._depth -= 1
        return node

    def product(self) -> Node:
        if self.peek() == "-":
            self.take()
            return "-", (0, self.product())
        node = self.power()
        while True:
            mark = self.peek()
            if mark in ("*", "/", "%"):
                node = (self.take(), (node, self.power()))
            elif mark and (mark.isalnum() or (mark == "(" and not self.starts("(", "mod"))) and mark != "mod":
                node = ("*", (node, self.power()))
            else:
                return node

    def power(self) -> Node:
        node = self.atom()
        while self.peek() == "!":
            self.take()
            node = ("!", (node,))
        if self.peek() == "^":
            self.take()
            exponent: Node = self.power()
            return "^", (node, exponent)
        return node

    def atom(self) -> Node:
        mark = self.take()
        if mark == "(":
            node = self.sum()
            self.take(")")
            return node
        if mark.isdecimal():
            return int(mark)
        if mark in ("φ", "σ", "τ", "μ", "gcd", "lcm"):
            return self._called(mark)
        if mark == "sumdiv":
            self.take("(")
            letter = self.take()
            self.take(",")
            of = self.sum()
            self.take(")")
            return "sumdiv", (letter, of, self.product())
        if len(mark) == 1 and mark.isalpha():
            return mark
        raise UnreadClaimError(f"{mark!r} is not expected")

    def _called(self, name: str) -> Node:
        self.take("(")
        parts = [self.sum()]
        while self.peek() == ",":
            self.take()
            parts.append(self.sum())
        self.take(")")
        if len(parts) != (2 if name in ("gcd", "lcm") else 1):
            raise UnreadClaimError("a wrong number of arguments")
        return name, tuple(parts)


# Values.


def value_of(node: Node, at: Mapping[str, int]) -> Fraction:
    """The exact value; raises `NoValueError` where there is none or it is too large."""
    if isinstance(node, int):
        return Fraction(node)
    if isinstance(node, str):
        return Fraction(at[node])
    name, parts = node
    if name == "sumdiv":
        letter, of, term = parts
        return sum(
            (value_of(term, {**at, str(letter): each}) for each in _divisors(_whole(value_of(of, at)))), Fraction(0)
        )
    values = [value_of(part, at) for part in parts]
    if name in _EXACT:
        return _EXACT[name](*values)
    if name == "/":
        if not values[1]:
            raise NoValueError
        return values[0] / values[1]
    return Fraction(_WHOLE[name](*map(_whole, values)))


def _whole(value: Fraction) -> int:
    if value.denominator != 1 or value.numerator.bit_length() > _MOST_BITS:
        raise NoValueError
    return value.numerator


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    count = _whole(exponent)
    if abs(count) * max(base.numerator.bit_length(), base.denominator.bit_length()) > _MOST_BITS or (
        count < 0 and not base
    ):
        raise NoValueError
    return base**count


def _remainder(value: int, modulus: int) -> int:
    if modulus <= 0:
        raise NoValueError
    return value % modulus


def _factorial(value: int) -> int:
    if not 0 <= value <= 400:
        raise NoValueError
    return math.factorial(value)


def _factors(value: int) -> dict[int, int]:
    if not 1 <= value <= _LARGEST_FACTORED:
        raise NoValueError
    found: dict[int, int] = {}
    divisor = 2
    while divisor * divisor <= value:
        while value % divisor == 0:
            found[divisor] = found.get(divisor, 0) + 1
            value //= divisor
        divisor += 1
    return found | ({value: 1} if value > 1 else {})


def _divisors(value: int) -> list[int]:
    found = [1]
    for prime, count in _factors(value).items():
        found = [each * prime**power for each in found for power in range(count + 1)]
    return found


def _totient(value: int) -> int:
    return math.prod((prime - 1) * prime ** (power - 1) for prime, power in _factors(value).items())


def _mobius(value: int) -> int:
    powers = _factors(value).values()
    return 0 if any(power > 1 for power in powers) else (-1) ** len(powers)


_EXACT: Mapping[str, Callable[..., Fraction]] = {
    "+": lambda one, other: one + other,
    "-": lambda one, other: one - other,
    "*": lambda one, other: one * other,
    "^": _power,
}
_WHOLE: Mapping[str, Callable[..., int]] = {
    "%": _remainder,
    "!": _factorial,
    "gcd": math.gcd,
    "lcm": math.lcm,
    "φ": _totient,
    "σ": lambda value: sum(_divisors(value)),
    "τ": lambda value: len(_divisors(value)),
    "μ": _mobius,
}


def is_prime(value: int) -> bool:
    """Whether a small number is prime."""
    return value > 1 and list(_factors(value).values()) == [1]


# Trying.


@dataclass(frozen=True, slots=True)
class Given:
    """A condition: `prime` of a letter, `coprime` of two, `apart` where the first does not divide the second, `odd`,
    `even`, `above` a number."""

    kind: str
    letters: tuple[str, ...]
    bound: int = 0

    def holds(self, at: Mapping[str, int]) -> bool:
        """Whether it is met at these numbers."""
        values = [at[letter] for letter in self.letters]
        match self.kind:
            case "prime":
                return is_prime(values[0])
            case "coprime":
                return math.gcd(*values) == 1
            case "apart":
                return values[1] % values[0] != 0
            case "odd" | "even":
                return values[0] % 2 == (self.kind == "odd")
        return values[0] > self.bound


@dataclass(frozen=True, slots=True)
class Trial:
    """How many points were tried, up to which number; and the first at which it fails, with what the sides are."""

    tried: int
    largest: int
    point: tuple[tuple[str, int], ...] = ()
    sides: tuple[str, str] = ("", "")


_RANGES = {1: 120, 2: 30, 3: 8}
_NEGATIVE = (0, -1, -2, -3)


def try_claim(claim: ArithmeticClaim, given: Sequence[Given], signed: frozenset[str] = frozenset()) -> Trial:
    """Try all small numbers from 1 on, and for `signed` letters 0 and some negative ones, the smallest first."""
    letters = claim.letters
    largest = _RANGES[len(letters)]
    choices = [(*range(1, largest + 1), *(_NEGATIVE if letter in signed else ())) for letter in letters]
    tried = 0
    for values in sorted(itertools.product(*choices), key=lambda each: (min(each) <= 0, sum(map(abs, each)))):
        at = dict(zip(letters, values, strict=True))
        try:
            if not all(one.holds(at) for one in given):
                continue
            left, right = value_of(claim.left, at), value_of(claim.right, at)
            is_so = _is_so(claim, left, right, at)
        except NoValueError:
            continue
        tried += 1
        if not is_so:
            return Trial(tried, largest, tuple(at.items()), (_short(left), _short(right)))
    return Trial(tried, largest)


def _is_so(claim: ArithmeticClaim, left: Fraction, right: Fraction, at: Mapping[str, int]) -> bool:
    match claim.sign:
        case "=":
            return left == right
        case "<" | ">":
            return left < right if claim.sign == "<" else left > right
        case "<=" | ">=":
            return left <= right if claim.sign == "<=" else left >= right
    assert claim.modulus is not None
    modulus = _whole(value_of(claim.modulus, at))
    if modulus <= 0:
        raise NoValueError
    return (_whole(left) - _whole(right)) % modulus == 0


def _short(value: Fraction) -> str:
    text = str(value).replace("-", "−")
    return text if len(text) <= 24 else f"{text[:12]}… ({len(text)} digits)"
