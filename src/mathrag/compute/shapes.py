"""The shape of an equation: what remains when its symbols lose their names, and which place each symbol has in it.

Equations of one shape are the same up to renaming, nearly always; a caller that needs certainty tries the renaming.
Every symbol has a *place*, a text that is equal for symbols that cannot be told apart by the shape alone (the factors
of a product). Rearranged equations mostly have one shape; `shapes_of` adds those of the forms solved for one symbol.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from mathrag.compute.canonical import (
    Monomial,
    Polynomial,
    power_product,
    rounded,
    vanishing_terms,
    without_shared_factor,
)
from mathrag.compute.solve.rearrangement import isolate
from mathrag.types.expression import (
    TWO,
    Add,
    Call,
    Divide,
    Equation,
    Expression,
    Multiply,
    Negate,
    Number,
    Power,
    Symbol,
    equation_symbols,
)

# Rounds of telling places apart: each looks one part further around.
_ROUNDS = 3
_DIGITS = 7
_TOKEN = re.compile(r"[^\W\d]\w*|\d+|\S")
_HALF = Fraction(1, 2)
_LOGARITHMS = frozenset(("log", "log10", "log2"))
# What a part is made of: texts, some of them names of symbols.
_Tokens: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shape:
    """`key` is one for equations of one shape; `places` says for every symbol which place it has."""

    key: str
    places: Mapping[str, str]

    @property
    def numbered(self) -> dict[str, int]:
        """The places as numbers, which are the same for every equation of the shape."""
        order = {place: number for number, place in enumerate(sorted(set(self.places.values())))}
        return {name: order[place] for name, place in self.places.items()}


def shape_of(equation: Equation) -> Shape | None:
    """The shape of an equation as it stands; None where it has none (too long, or nothing in it varies)."""
    names = equation_symbols(equation)
    terms = vanishing_terms(_with_open_logarithms(_without_root(equation)))
    if not names or not terms or any(part.startswith("#") for monomial in terms for part, _ in monomial):
        return None
    variants = [_coloured(rows, names) for rows in _scaled(terms)]
    return min(variants, key=lambda shape: shape.key)


def shapes_of(equation: Equation) -> Iterator[Shape]:
    """Its own shape and the different ones of its solved forms; each once."""
    seen: set[str] = set()
    forms = [equation]
    for name in equation_symbols(equation):
        candidates = isolate(equation.left, equation.right, name)
        forms.extend(Equation(Symbol(name), one.expression) for one in candidates if one.note != "trivial")
    for form in forms:
        shape = shape_of(form)
        # A form that lost a symbol says something else.
        if shape is not None and shape.key not in seen and set(shape.places) == set(equation_symbols(equation)):
            seen.add(shape.key)
            yield shape


def _without_root(equation: Equation) -> Equation:
    """Both sides squared where one is a root of a sum and the other no sum: c = sqrt(a^2 + b^2) is c^2 = a^2 + b^2."""
    sides = (equation.left, equation.right)
    if any(isinstance(side, Add) for side in sides) or not any(_has_root_of_sum(side) for side in sides):
        return equation
    return Equation(_squared(equation.left), _squared(equation.right))


def _has_root_of_sum(side: Expression) -> bool:
    match side:
        case Call("sqrt", (argument,)):
            return isinstance(argument, Add | Divide | Multiply)
        case Power(base, exponent):
            return _value(exponent) in (_HALF, -_HALF) and isinstance(base, Add | Divide | Multiply)
        case Multiply(factors):
            return any(_has_root_of_sum(factor) for factor in factors)
        case Divide(above, below):
            return _has_root_of_sum(above) or _has_root_of_sum(below)
        case Negate(operand):
            return _has_root_of_sum(operand)
        case _:
            return False


def _squared(side: Expression) -> Expression:
    match side:
        case Call("sqrt", (argument,)):
            return argument
        case Power(base, exponent) if _value(exponent) == _HALF:
            return base
        case Power(base, exponent) if _value(exponent) == -_HALF:
            return Divide(Number(1), base)
        case Multiply(factors):
            return Multiply(tuple(_squared(factor) for factor in factors))
        case Divide(above, below):
            return Divide(_squared(above), _squared(below))
        case Negate(operand):
            return _squared(operand)
        case _:
            return Power(side, TWO)


def _with_open_logarithms(equation: Equation) -> Equation:
    return Equation(_opened(equation.left), _opened(equation.right))


def _opened(node: Expression) -> Expression:
    """The logarithm of a product as a sum: ln(a/b) is -ln(b/a), which only shows in this way."""
    match node:
        case Add(terms):
            return Add(tuple(map(_opened, terms)))
        case Multiply(factors):
            return Multiply(tuple(map(_opened, factors)))
        case Divide(above, below):
            return Divide(_opened(above), _opened(below))
        case Negate(operand):
            return Negate(_opened(operand))
        case Call(function, (argument,)) if function in _LOGARITHMS:
            return _logarithm_of(function, argument)
        case _:
            return node


def _logarithm_of(function: str, argument: Expression) -> Expression:
    match argument:
        case Multiply(factors):
            return Add(tuple(_logarithm_of(function, factor) for factor in factors))
        case Divide(above, below):
            return Add((_logarithm_of(function, above), Negate(_logarithm_of(function, below))))
        case Power(base, exponent):
            return Multiply((exponent, _logarithm_of(function, base)))
        case Number(1):
            return Number(0)
        case _:
            return Call(function, (argument,))


def _value(exponent: Expression) -> Fraction | None:
    match exponent:
        case Number(value):
            return Fraction(value)
        case Divide(Number(above), Number(below)) if below:
            return Fraction(above) / Fraction(below)
        case Negate(operand):
            inner = _value(operand)
            return None if inner is None else -inner
        case _:
            return None


# -- the terms, free of the factor and the sign that an equation may be multiplied by

_Row: TypeAlias = tuple[str, Monomial]


def _scaled(terms: Polynomial) -> Iterator[list[_Row]]:
    """The terms with both signs; two terms as one product of powers, with both signs of the exponents."""
    if len(terms) == 2:
        yield from _as_product(terms)
        return
    divided = without_shared_factor(terms)
    largest = max(abs(value) for value in divided.values())
    for sign in (1, -1):
        yield [(_number(sign * value / largest), monomial) for monomial, value in divided.items()]


def _as_product(terms: Polynomial) -> Iterator[list[_Row]]:
    product = power_product(terms)
    if product.powers:
        for each in (product, product.turned()):
            yield [(f"{each.sign}10^{rounded(each.size, _DIGITS)}", each.powers)]


def _number(value: Fraction) -> str:
    return f"{float(value):.{_DIGITS}g}" if abs(value) < 10**300 else str(value)


# -- places


def _coloured(rows: list[_Row], names: Sequence[str]) -> Shape:
    """Tell the symbols apart by what stands around them, a few steps wide."""
    tokens = {part: _tokens(part) for _, monomial in rows for part, _ in monomial}
    places, varying = dict.fromkeys(names, "s"), frozenset(names)
    for _ in range(_ROUNDS):
        seen: dict[str, list[str]] = {name: [] for name in names}
        for number, monomial in rows:
            for part, exponent in monomial:
                for name in varying.intersection(tokens[part]):
                    others = sorted(
                        f"{_colour(tokens[other], places)}^{power}" for other, power in monomial if other != part
                    )
                    own = _colour(tokens[part], {**places, name: "@"})
                    seen[name].append(f"{number} {own}^{exponent} {others}")
        places = {name: _digest(f"{places[name]} {sorted(seen[name])}") for name in names}
    marks = sorted(
        f"{number} {sorted(f'{_colour(tokens[part], places)}^{exponent}' for part, exponent in monomial)}"
        for number, monomial in rows
    )
    return Shape(_digest(" | ".join(marks)), places)


def _tokens(part: str) -> _Tokens:
    return tuple(_TOKEN.findall(part))


def _colour(tokens: _Tokens, places: Mapping[str, str]) -> str:
    """What a part is, whatever its symbols are called. Their order inside it depends on the names: it is left out."""
    return " ".join(sorted(places.get(token, token) for token in tokens))


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()
