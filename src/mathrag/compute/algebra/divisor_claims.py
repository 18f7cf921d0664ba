"""Whether statements about divisors in whole numbers follow from others: `a divides b`, `n leaves the remainder 1
modulo 4`, `p is prime`.

Where all moduli are numbers, all remainders are tried, which proves it. Else what divides is put in as a factor, and
the factor must stand in every term. What neither shows nor a small point refutes is left open.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from mathrag.compute.algebra.divisibility import NotWholeError, value_of
from mathrag.compute.algebra.factoring import is_certainly_prime
from mathrag.compute.algebra.polynomials import NotPolynomialError, Terms, product_of, terms_of
from mathrag.types.expression import (
    Add,
    Divide,
    Expression,
    Multiply,
    Negate,
    Number,
    Power,
    Symbol,
    multiply,
    substitute,
    symbols_of,
    walk,
)

_MOST_CASES = 30_000
_MOST_TERMS = 200
_HIGHEST = 6
_MOST_SYMBOLS = 4
_SEARCHED = {1: range(1, 61), 2: range(1, 25), 3: range(1, 13), 4: range(1, 8)}
_WITH_NEGATIVE = (1, -1, 2, -2, 0, 3, -3)


@dataclass(frozen=True, slots=True)
class Atom:
    """One statement. `rest`: `body` leaves one of `wanted` as remainder modulo `modulus`. `divides`: `divisor` divides
    `body`. `equal`: `divisor` equals `body`. `prime`: `body` is a prime number. `coprime`: no common divisor but 1."""

    kind: Literal["rest", "divides", "equal", "prime", "coprime"]
    body: Expression
    modulus: int = 1
    wanted: frozenset[int] = frozenset()
    divisor: Expression | None = None
    is_denied: bool = False

    @property
    def symbols(self) -> frozenset[str]:
        """The letters in it."""
        return frozenset(symbols_of(self.body)) | (frozenset(symbols_of(self.divisor)) if self.divisor else frozenset())


@dataclass(frozen=True, slots=True)
class Verdict:
    """`cases` are so many remainders modulo `modulus`; `put_in` what letters were written as; `point` a point at which
    it fails; `is_empty` where nothing meets the conditions."""

    kind: Literal["remainders", "factor", "euclid", "refuted", "open"]
    cases: int = 0
    modulus: int = 0
    put_in: tuple[tuple[str, Expression], ...] = ()
    point: Mapping[str, int] | None = None
    is_empty: bool = False
    tried: int = 0


def judge(given: Sequence[Atom], claimed: Sequence[Atom], *, is_any: bool, only_positive: bool) -> Verdict:
    """Whether all, or with `is_any` one, of the claimed follow from the given. Raises `NotWholeError`."""
    names = sorted(frozenset().union(*(atom.symbols for atom in (*given, *claimed))))
    if not 1 <= len(names) <= _MOST_SYMBOLS:
        raise NotWholeError
    for atom in (*given, *claimed):
        _check(atom.body)
        if atom.divisor is not None:
            _check(atom.divisor)
    if all(atom.kind == "rest" for atom in (*given, *claimed)):
        found = _by_remainders(given, claimed, names, is_any=is_any)
        if found is not None:
            return found
    refuted, tried = _by_search(given, claimed, names, is_any=is_any, only_positive=only_positive)
    if refuted is not None:
        return Verdict("refuted", point=refuted)
    if _is_euclid(given, claimed, is_any=is_any):
        return Verdict("euclid")
    shown = _by_factors(given, claimed, is_any=is_any)
    if shown is not None:
        return shown
    if not tried:
        raise NotWholeError
    return Verdict("open", tried=tried)


def _check(expression: Expression) -> None:
    """Sums, products and small powers of whole numbers and letters."""
    for node in walk(expression):
        is_whole = isinstance(node, Number) and isinstance(node.value, int)
        is_power = isinstance(node, Power) and isinstance(node.exponent, Number) and node.exponent.value in range(1, 13)
        if isinstance(node, Divide) or not (is_whole or is_power or isinstance(node, Add | Multiply | Negate | Symbol)):
            raise NotWholeError


# All remainders.


def _by_remainders(
    given: Sequence[Atom], claimed: Sequence[Atom], names: Sequence[str], *, is_any: bool
) -> Verdict | None:
    modulus = math.lcm(*(atom.modulus for atom in (*given, *claimed)))
    cases = modulus ** len(names)
    if cases > _MOST_CASES:
        return None
    met = 0
    # The smallest numbers first, so that a counterexample is a simple one.
    for values in sorted(itertools.product(range(1, modulus + 1), repeat=len(names)), key=sum):
        point = dict(zip(names, values, strict=True))
        if not all(holds(atom, point) for atom in given):
            continue
        met += 1
        if not _follows(claimed, point, is_any=is_any):
            return Verdict("refuted", point=point)
    return Verdict("remainders", cases, modulus, is_empty=not met)


def holds(atom: Atom, point: Mapping[str, int]) -> bool:
    """Whether a statement is true at a point of whole numbers."""
    value = int(value_of(atom.body, point))
    other = int(value_of(atom.divisor, point)) if atom.divisor is not None else 0
    match atom.kind:
        case "rest":
            is_so = value % atom.modulus in atom.wanted
        case "divides":
            is_so = value % other == 0 if other else value == 0
        case "equal":
            is_so = value == other
        case "coprime":
            is_so = math.gcd(value, other) == 1
        case "prime":
            is_so = is_certainly_prime(value)
    return is_so != atom.is_denied


def _follows(claimed: Sequence[Atom], point: Mapping[str, int], *, is_any: bool) -> bool:
    return any(holds(atom, point) for atom in claimed) if is_any else all(holds(atom, point) for atom in claimed)


# Small points.


def _by_search(
    given: Sequence[Atom], claimed: Sequence[Atom], names: Sequence[str], *, is_any: bool, only_positive: bool
) -> tuple[dict[str, int] | None, int]:
    """A point that meets what is given and not what is claimed; and how many met what is given."""
    tried = 0
    for values in _points(len(names), only_positive=only_positive):
        point = dict(zip(names, values, strict=True))
        if all(holds(atom, point) for atom in given):
            tried += 1
            if not _follows(claimed, point, is_any=is_any):
                return point, tried
    return None, tried


def _points(count: int, *, only_positive: bool) -> Iterator[tuple[int, ...]]:
    # What is 1 or less divides too easily to be a good example: larger numbers come first among equals.
    yield from sorted(itertools.product(_SEARCHED[count], repeat=count), key=lambda each: (max(each), sum(each)))
    if not only_positive:
        yield from itertools.product(_WITH_NEGATIVE, repeat=count)


# Factors.


def _by_factors(given: Sequence[Atom], claimed: Sequence[Atom], *, is_any: bool) -> Verdict | None:
    """What divides a letter is put in as its factor; what is claimed to divide must then stand in every term."""
    letters = iter(each for each in "kmrsuvw" if all(each not in atom.symbols for atom in (*given, *claimed)))
    put_in: dict[str, Expression] = {}
    for atom in given:
        if atom.kind != "divides" or atom.is_denied or atom.divisor is None or not isinstance(atom.body, Symbol):
            continue
        name = atom.body.name
        if name in put_in or name in symbols_of(substitute(atom.divisor, put_in)):
            continue
        made = multiply(substitute(atom.divisor, put_in), Symbol(next(letters)))
        put_in = {each: substitute(before, {name: made}) for each, before in put_in.items()} | {name: made}
    shown = [_is_shown(atom, given, put_in) for atom in claimed]
    if not (any(shown) if is_any else all(shown)):
        return None
    return Verdict("factor", put_in=tuple(put_in.items()))


def _is_shown(atom: Atom, given: Sequence[Atom], put_in: Mapping[str, Expression]) -> bool:
    if atom.is_denied or atom.kind not in ("divides", "rest"):
        return False
    if atom.kind == "rest":
        if atom.wanted != frozenset((0,)):
            return False
        divisor: Expression = Number(atom.modulus)
    else:
        assert atom.divisor is not None
        divisor = atom.divisor
    body = _terms(substitute(atom.body, put_in))
    if _has_factor(body, _terms(substitute(divisor, put_in))):
        return True
    # What divides one thing divides its multiples.
    return any(
        one.kind == "divides" and not one.is_denied and one.divisor == divisor and _has_factor(body, _terms(one.body))
        for one in given
    )


def _has_factor(terms: Terms, factor: Terms) -> bool:
    """Whether a product of letters and a number stands in every term."""
    if len(factor) != 1:
        return False
    ((letters, count),) = factor.items()
    wanted = dict(letters)
    return count != 0 and all(
        number % count == 0 and all(dict(term).get(name, 0) >= power for name, power in wanted.items())
        for term, number in terms.items()
    )


def _terms(node: Expression) -> Terms:
    """The terms of a polynomial with whole coefficients, multiplied out, within narrower bounds than others have."""
    powers = (each.exponent for each in walk(node) if isinstance(each, Power))
    if not all(isinstance(power, Number) and power.value <= _HIGHEST for power in powers):
        raise NotWholeError
    try:
        return terms_of(node, times=_times)
    except NotPolynomialError:
        raise NotWholeError from None


def _times(one: Terms, other: Terms) -> Terms:
    if len(one) * len(other) > _MOST_TERMS:
        raise NotWholeError
    return product_of(one, other)


# Euclid's lemma.


def _is_euclid(given: Sequence[Atom], claimed: Sequence[Atom], *, is_any: bool) -> bool:
    """A prime that divides a product divides a factor; so does what has no common divisor with the other factor."""
    if any(atom.is_denied for atom in (*given, *claimed)):
        return False
    products = (atom for atom in given if atom.kind == "divides" and isinstance(atom.body, Multiply | Power))
    return any(_divides_a_factor(atom, given, claimed, is_any=is_any) for atom in products)


def _divides_a_factor(product: Atom, given: Sequence[Atom], claimed: Sequence[Atom], *, is_any: bool) -> bool:
    body, divisor = product.body, product.divisor
    factors = list(body.factors) if isinstance(body, Multiply) else [body.base] if isinstance(body, Power) else []
    hit = [one.body for one in claimed if one.kind == "divides" and one.divisor == divisor]
    if len(hit) != len(claimed):
        return False
    is_prime = any(one.kind == "prime" and one.body == divisor for one in given)
    if is_prime and all(factor in hit for factor in factors) and (is_any or len(hit) == 1):
        return True
    apart = ({one.body, one.divisor} for one in given if one.kind == "coprime")
    others = ([factor for factor in factors if pair != {divisor, factor}] for pair in apart)
    return len(factors) == 2 and any(len(left) == 1 and left[0] in hit for left in others)
