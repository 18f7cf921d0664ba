"""A canonical form of equations: sums of monomials in symbols and closed parts, free of order and constant factors.

Two equations with one key are the same; the same equation can still have two keys, since telling always is
impossible. Roots and powers are opened as if everything under them were positive, as quantities mostly are.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from typing import TypeAlias, assert_never

from mathrag.compute.printers.pythontext import number_text
from mathrag.types.expression import (
    MAXIMUM_DEPTH,
    Add,
    Call,
    Comparison,
    Divide,
    Equation,
    Expression,
    MathConstant,
    Measure,
    Multiply,
    Negate,
    Number,
    Piecewise,
    Power,
    Series,
    Symbol,
    children,
    depth_of,
    rename_symbols,
    size_of,
    walk,
)

# Part -> exponent, sorted by part; and monomial -> coefficient.
Monomial: TypeAlias = tuple[tuple[str, Fraction], ...]
Polynomial: TypeAlias = dict[Monomial, Fraction]

_UNIT: Monomial = ()
_MAXIMUM_TERMS = 100
_LONGEST_PART = 400
_LARGEST_POWER = 8
_MAXIMUM_BITS = 512
_LONGEST_NUMBER = 60
_MAXIMUM_NODES = 800
_UNORDERED = frozenset(("min", "max", "gcd", "lcm"))
_LOGARITHM_BASES = {"log10": "10", "log2": "2"}


# Begins the key of an equation that holds whatever its symbols are.
LAW = "law: "


def canonical_key(equation: Equation) -> str:
    """A text that is one for equations differing in order, sides, constant factors and simple rearrangement."""
    if is_too_large(equation):
        return f"{_plain_key(equation.left)} = {_plain_key(equation.right)}"
    above, _ = _difference(_rational(equation.left), _rational(equation.right))
    terms = {monomial: value for monomial, value in above.items() if value}
    if not terms:
        # A law such as (ab)^n = a^n b^n: nothing is left of it, and of every other one neither.
        return LAW + " = ".join(sorted(map(_plain_key, (equation.left, equation.right))))
    if len(terms) == 2:
        return _two_term_key(terms)
    return _text(_normalised(terms))


def is_too_large(equation: Equation) -> bool:
    """Whether an equation is too long or too deep for the canonical form."""
    sides = (equation.left, equation.right)
    return any(depth_of(side) > MAXIMUM_DEPTH for side in sides) or sum(map(size_of, sides)) > _MAXIMUM_NODES


def _plain_key(side: Expression) -> str:
    """A tree as it stands, written without recursion."""
    marks = (repr(node) if not children(node) else f"{type(node).__name__}{len(children(node))}" for node in walk(side))
    return " ".join(marks)


@dataclass(frozen=True, slots=True)
class PowerProduct:
    """What an equation of two terms says: this product of whole, coprime powers is `sign` times ten to the `size`."""

    powers: Monomial
    size: float
    sign: str

    def turned(self) -> PowerProduct:
        """The same, said of the inverse."""
        return PowerProduct(tuple((part, -exponent) for part, exponent in self.powers), -self.size, self.sign)


def power_product(terms: Polynomial) -> PowerProduct:
    """a*X = b*Y as one product of powers."""
    (first, first_value), (second, second_value) = terms.items()
    ratio = second_value / first_value
    size = _logarithm(abs(ratio))
    symbolic: list[tuple[str, Fraction]] = []
    for part, exponent in _times(first, tuple((part, -exponent) for part, exponent in second)):
        if part[0].isdigit():
            size -= _logarithm(Fraction(part)) * float(exponent)
        else:
            symbolic.append((part, exponent))
    scale = Fraction(math.lcm(*(exponent.denominator for _, exponent in symbolic)))
    scale /= math.gcd(*(int(exponent * scale) for _, exponent in symbolic)) or 1
    powers = tuple((part, exponent * scale) for part, exponent in symbolic)
    return PowerProduct(powers, size * float(scale), "-" if ratio > 0 else "")


def _two_term_key(terms: Polynomial) -> str:
    product = power_product(terms)
    if not product.powers:
        return f"0 = {product.sign}10^{rounded(product.size)}"
    if product.powers[0][1] < 0:
        product = product.turned()
    return f"{_monomial_text(product.powers)} = {product.sign}10^{rounded(product.size)}"


def _logarithm(value: Fraction) -> float:
    """The decimal logarithm; of any size, since Python takes that of long integers."""
    return math.log10(value.numerator) - math.log10(value.denominator)


def rounded(value: float, digits: int = 9) -> str:
    """So many decimals; a zero has no sign."""
    text = f"{value:.{digits}f}"
    return text.removeprefix("-") if float(text) == 0 else text


def without_shared_factor(terms: Polynomial) -> Polynomial:
    """Divided by the powers that all terms share, so that no exponent of a part is below zero in all of them."""
    exponents = [dict(monomial) for monomial in terms]
    lowest = {part: min(each.get(part, Fraction(0)) for each in exponents) for part in sorted(set().union(*exponents))}
    divisor = tuple((part, -exponent) for part, exponent in lowest.items() if exponent)
    return {_times(monomial, divisor): value for monomial, value in terms.items()}


def _normalised(terms: Polynomial) -> Polynomial:
    """Divide by the monomial all terms share and by the coefficient of the first term."""
    if not terms:
        return terms
    divided = without_shared_factor(terms)
    leading = divided[min(divided, key=_monomial_text)]
    return {monomial: value / leading for monomial, value in divided.items()}


def _text(terms: Polynomial) -> str:
    rows = sorted((_monomial_text(monomial), value) for monomial, value in terms.items())
    return " + ".join(f"{value}*{monomial}" for monomial, value in rows) + " = 0"


def _monomial_text(monomial: Monomial) -> str:
    return "*".join(part if exponent == 1 else f"{part}^{exponent}" for part, exponent in monomial) or "1"


# -- arithmetic of monomials and polynomials


def _times(first: Monomial, second: Monomial) -> Monomial:
    exponents = dict(first)
    for part, exponent in second:
        exponents[part] = exponents.get(part, Fraction(0)) + exponent
    return tuple(sorted((part, exponent) for part, exponent in exponents.items() if exponent))


def _sum(first: Polynomial, second: Polynomial) -> Polynomial:
    result = dict(first)
    for monomial, value in second.items():
        result[monomial] = result.get(monomial, Fraction(0)) + value
    return {monomial: value for monomial, value in result.items() if value}


def _product(first: Polynomial, second: Polynomial) -> Polynomial | None:
    if len(first) * len(second) > _MAXIMUM_TERMS:
        return None
    result: Polynomial = {}
    for monomial, value in first.items():
        for other, factor in second.items():
            key = _times(monomial, other)
            result[key] = result.get(key, Fraction(0)) + value * factor
    return {monomial: value for monomial, value in result.items() if value}


def _atom(text: str) -> Polynomial:
    return {((_shortened(text), Fraction(1)),): Fraction(1)}


def _shortened(text: str) -> str:
    """Long texts are replaced by their digest: parts inside parts would otherwise double in length at every level."""
    return text if len(text) <= _LONGEST_PART else f"#{hashlib.sha256(text.encode()).hexdigest()}"


def _closed(polynomial: Polynomial) -> str:
    return _shortened(f"({_text_of_sum(polynomial)})")


def _text_of_sum(polynomial: Polynomial) -> str:
    rows = sorted((_monomial_text(monomial), value) for monomial, value in polynomial.items())
    return "+".join(f"{value}*{monomial}" for monomial, value in rows) or "0"


_Rational: TypeAlias = tuple[Polynomial, Polynomial]
_ONE: Polynomial = {_UNIT: Fraction(1)}


def _difference(left: _Rational, right: _Rational) -> _Rational:
    return _added(left, ({monomial: -value for monomial, value in right[0].items()}, right[1]))


def _added(first: _Rational, second: _Rational) -> _Rational:
    if first[1] == second[1]:
        return _sum(first[0], second[0]), first[1]
    left, right = _product(first[0], second[1]), _product(second[0], first[1])
    below = _product(first[1], second[1])
    if left is None or right is None or below is None:
        return _sum(_atom(_quotient_text(first)), _atom(_quotient_text(second))), _ONE
    return _cancelled(_sum(left, right), below)


def _multiplied(first: _Rational, second: _Rational) -> _Rational:
    above, below = _product(first[0], second[0]), _product(first[1], second[1])
    if above is None or below is None:
        return _atom(f"{_quotient_text(first)}*{_quotient_text(second)}"), _ONE
    return _cancelled(above, below)


def _factors_product(factors: Sequence[_Rational]) -> _Rational:
    """Single terms are gathered first, then sums are multiplied out; if that gets long, every sum stays closed."""
    exponents: dict[str, Fraction] = {}
    number = Fraction(1)
    sums: list[_Rational] = []
    for above, below in factors:
        if not above:
            return {}, _ONE
        if len(above) == 1 and below == _ONE:
            ((monomial, value),) = above.items()
            number *= value
            for part, exponent in monomial:
                exponents[part] = exponents.get(part, Fraction(0)) + exponent
        else:
            sums.append((above, below))
    kept = tuple(sorted((part, exponent) for part, exponent in exponents.items() if exponent))
    if any(math.prod(map(len, side)) > _MAXIMUM_TERMS for side in zip(*sums, strict=True)):
        for each in sums:
            kept = _times(kept, ((_shortened(_quotient_text(each)), Fraction(1)),))
        return {kept: number}, _ONE
    total: _Rational = ({kept: number}, _ONE)
    for each in sums:
        total = _multiplied(total, each)
    return total


def _cancelled(above: Polynomial, below: Polynomial) -> _Rational:
    """A denominator of one term goes up; the rest stays."""
    if len(below) == 1:
        ((monomial, value),) = below.items()
        inverse = tuple((part, -exponent) for part, exponent in monomial)
        return {_times(each, inverse): factor / value for each, factor in above.items()}, _ONE
    return above, below


def _quotient_text(value: _Rational) -> str:
    return f"({_text_of_sum(value[0])})/({_text_of_sum(value[1])})"


def _inverse(value: _Rational) -> _Rational:
    if not value[0]:
        return _atom("[1/0]"), _ONE
    return _cancelled(value[1], value[0])


# -- from the tree


def _rational(node: Expression) -> _Rational:
    match node:
        case Number(value):
            return _literal(value), _ONE
        case Symbol(name):
            return _atom(name), _ONE
        case MathConstant():
            return _atom("pi()"), _ONE
        case Measure(number, unit):
            return _atom(f"[{number_text(number.value)} {unit}]"), _ONE
        case Add(terms):
            nothing: _Rational = ({}, _ONE)
            return reduce(_added, map(_rational, terms), nothing)
        case Multiply(factors):
            return _factors_product(list(map(_rational, factors)))
        case Divide(numerator, denominator):
            return _multiplied(_rational(numerator), _inverse(_rational(denominator)))
        case Negate(operand):
            above, below = _rational(operand)
            return {monomial: -value for monomial, value in above.items()}, below
        case Power(base, exponent):
            return _power(_rational(base), _rational(exponent))
        case Call(function, arguments):
            return _call(function, list(map(_rational, arguments)))
        case Series(operation, index, lower, upper, body):
            parts = [_quotient_text(_rational(each)) for each in (lower, upper, _renamed(body, index))]
            return _atom(f"{operation}({','.join(parts)})"), _ONE
        case Piecewise():
            return _atom(_piecewise_text(node)), _ONE
    assert_never(node)


def _literal(value: int | Decimal) -> Polynomial:
    """A number; one too long to be added and multiplied exactly stands for itself."""
    digits = Decimal(value)
    if abs(digits.adjusted()) > _LONGEST_NUMBER or len(digits.as_tuple().digits) > _LONGEST_NUMBER:
        return _atom(f"[{number_text(value)}]")
    return {_UNIT: Fraction(value)} if value else {}


def _constant(value: _Rational) -> Fraction | None:
    above, below = value
    if below != _ONE or any(monomial != _UNIT for monomial in above):
        return None
    return above.get(_UNIT, Fraction(0))


def _power(base: _Rational, exponent: _Rational) -> _Rational:
    count = _constant(exponent)
    if count is not None:
        return _constant_power(base, count)
    above = exponent[0]
    if exponent[1] == _ONE and len(above) == 1 and len(base[0]) == 1 and base[1] == _ONE and base[0] != _ONE:
        ((monomial, factor),) = above.items()
        return _atom(f"{_quotient_text(_constant_power(base, factor))}**{_monomial_text(monomial)}"), _ONE
    return _atom(f"{_quotient_text(base)}**{_quotient_text(exponent)}"), _ONE


def _constant_power(base: _Rational, count: Fraction) -> _Rational:
    if count < 0:
        return _constant_power(_inverse(base), -count)
    if count == 0:
        return _ONE, _ONE
    above, below = base
    if len(above) == 1 and len(below) == 1:
        return _monomial_power(above, count), _monomial_power(below, count)
    if count.denominator == 1 and count <= _LARGEST_POWER:
        result: _Rational = (_ONE, _ONE)
        for _ in range(int(count)):
            result = _multiplied(result, base)
        return result
    return _closed_power(above, count), _closed_power(below, count)


def _closed_power(polynomial: Polynomial, count: Fraction) -> Polynomial:
    if len(polynomial) == 1:
        return _monomial_power(polynomial, count)
    return {((_closed(polynomial), count),): Fraction(1)}


def _monomial_power(polynomial: Polynomial, count: Fraction) -> Polynomial:
    ((monomial, value),) = polynomial.items()
    raised = tuple((part, exponent * count) for part, exponent in monomial)
    bits = max(value.numerator.bit_length(), value.denominator.bit_length())
    if count.denominator == 1 and bits * count < _MAXIMUM_BITS:
        return {raised: value ** int(count)}
    if value == 1:
        return {raised: Fraction(1)}
    root = _exact_root(value, count)
    if root is not None:
        return {raised: root}
    return {_times(raised, ((f"{value}", count),)): Fraction(1)}


def _exact_root(value: Fraction, count: Fraction) -> Fraction | None:
    if value < 0 or abs(count.numerator) > _LARGEST_POWER or count.denominator > _LARGEST_POWER:
        return None
    parts = []
    for number in (value.numerator, value.denominator):
        if number.bit_length() > 50:
            return None
        found = round(number ** (1 / count.denominator))
        if found**count.denominator != number:
            return None
        parts.append(found**count.numerator)
    return Fraction(parts[0], parts[1])


def _call(function: str, arguments: Sequence[_Rational]) -> _Rational:
    if function in ("sqrt", "cbrt"):
        return _constant_power(arguments[0], Fraction(1, 2 if function == "sqrt" else 3))
    if function in _LOGARITHM_BASES:
        if _constant(arguments[0]) is not None:
            return _atom(f"{function}({arguments_text(arguments)})"), _ONE
        return _multiplied((_atom(f"log({arguments_text(arguments)})"), _ONE), _inverse(_log_base(function)))
    return _atom(f"{function}({arguments_text(arguments, ordered=function not in _UNORDERED)})"), _ONE


def _log_base(function: str) -> _Rational:
    number = Fraction(_LOGARITHM_BASES[function])
    return _atom(f"log({_quotient_text(({_UNIT: number}, _ONE))})"), _ONE


def arguments_text(arguments: Sequence[_Rational], *, ordered: bool = True) -> str:
    """The arguments of a function as text; sorted where their order does not matter."""
    texts = [_quotient_text(each) for each in arguments]
    return ",".join(texts if ordered else sorted(texts))


def _piecewise_text(node: Piecewise) -> str:
    rows = [
        f"{_quotient_text(_rational(value))} if {' and '.join(sorted(map(_comparison_text, tests)))}"
        for value, tests in node.branches
    ]
    last = "nan" if node.otherwise is None else _quotient_text(_rational(node.otherwise))
    return f"cases({'; '.join(rows)}; {last})"


def _comparison_text(comparison: Comparison) -> str:
    left, right, relation = comparison.left, comparison.right, comparison.relation
    if relation in (">", ">="):
        left, right, relation = right, left, "<" if relation == ">" else "<="
    return f"{_quotient_text(_rational(left))} {relation} {_quotient_text(_rational(right))}"


def _renamed(body: Expression, index: str) -> Expression:
    return rename_symbols(body, {index: "index__"})


def vanishing_terms(equation: Equation) -> Polynomial:
    """The sum of monomials that an equation says is zero, with denominators cleared; empty if it is too large."""
    if is_too_large(equation):
        return {}
    above, _ = _difference(_rational(equation.left), _rational(equation.right))
    return {monomial: value for monomial, value in above.items() if value}
