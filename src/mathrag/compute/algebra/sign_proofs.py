"""Proofs of inequalities between quotients of polynomials, also in several symbols and under conditions.

The difference of both sides is written so that its sign can be seen: as a sum of squares, as a product of parts whose
signs are known, or as a sum of terms none of which is negative. What is written so was compared with the difference by
algebra. Square roots of symbols that are not negative become those symbols' own roots first.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from mathrag.compute.algebra.identities import Comparison, is_exactly_equal
from mathrag.compute.algebra.inequalities import Interval, solve_inequality
from mathrag.compute.algebra.polynomials import (
    NotPolynomialError,
    Terms,
    expression_of,
    terms_of,
)
from mathrag.compute.algebra.rational_forms import rational_forms
from mathrag.compute.algebra.rewriting import factored, over_one
from mathrag.compute.evaluate.failure import Failure
from mathrag.compute.printers.plaintext import plain_formula
from mathrag.compute.solve.tidy import literal
from mathrag.types.expression import (
    ONE,
    TWO,
    ZERO,
    Call,
    Expression,
    Multiply,
    Negate,
    Number,
    Power,
    Symbol,
    add,
    call,
    divide,
    map_parts,
    multiply,
    power,
    substitute,
    subtract,
    symbols_of,
    walk,
)

_MOST_SYMBOLS = 4
_DEEPEST = 4
_PRODUCT = "each factor has one sign or stands in an even power, and together they are not negative"


@dataclass(frozen=True, slots=True)
class _Known:
    """Symbols that are above 0, and those that are not below it."""

    above: frozenset[str] = frozenset()
    not_below: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Sign:
    """A polynomial that is not negative; `is_strict` where it is never zero. `form` is what shows it."""

    is_strict: bool
    form: Expression
    why: str


def sign_shown(statement: Comparison, conditions: Sequence[Comparison], *, whole_numbers: bool = False) -> str | None:
    """How an inequality is shown, in words; None where it is not. `whole_numbers`: the symbols are no others."""
    if statement.sign not in ("<", "<=", ">", ">=") or len(statement.names) > _MOST_SYMBOLS:
        return None
    left, right = statement.left, statement.right
    larger, smaller = (left, right) if statement.sign in (">", ">=") else (right, left)
    difference = subtract(larger, smaller)
    is_strict = statement.sign in ("<", ">")
    if isinstance(smaller, Call) and smaller.function == "abs":
        # A size is below what its inside and the opposite of that are below.
        inside = smaller.arguments[0]
        sign = ">" if is_strict else ">="
        shown = [sign_shown(Comparison(larger, sign, each), conditions) for each in (inside, Negate(inside))]
        return shown[0] if None not in shown else None
    try:
        found = _by_intervals(statement, conditions, whole_numbers=whole_numbers) or _by_turns(
            difference, is_strict=is_strict
        )
        found = found or _by_forms(difference, conditions, is_strict=is_strict)
    except NotPolynomialError:
        found = None
    return found or _by_squares(larger, smaller, conditions, is_strict=is_strict)


def _by_squares(
    larger: Expression, smaller: Expression, conditions: Sequence[Comparison], *, is_strict: bool
) -> str | None:
    """A square root on one side alone: what is at least it has no smaller square, and is not negative."""
    if is_strict or not isinstance(smaller, Call) or smaller.function != "sqrt" or not symbols_of(larger):
        return None
    if sign_shown(Comparison(larger, ">=", ZERO), conditions) is None:
        return None
    shown = sign_shown(Comparison(power(larger, TWO), ">=", smaller.arguments[0]), conditions)
    if shown is None:
        return None
    return f"Neither side is negative, so the squares are compared. {shown.replace('of both sides', 'of the squares')}"


# One symbol.


def _by_intervals(statement: Comparison, conditions: Sequence[Comparison], *, whole_numbers: bool) -> str | None:
    """A quotient of polynomials in one symbol: the conditions must lie where the statement holds."""
    if len(statement.names) != 1:
        return None
    symbol = statement.names[0]
    if any(condition.names != (symbol,) for condition in conditions):
        return None
    holds = solve_inequality(statement.left, statement.sign, statement.right, symbol)
    if isinstance(holds, Failure):
        return None
    # What denies it: nowhere under the conditions.
    denied = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}[statement.sign]
    fails = solve_inequality(statement.left, denied, statement.right, symbol)
    allowed = _allowed(conditions, symbol)
    if isinstance(fails, Failure) or allowed is None:
        return None
    pieces = list(fails)
    for part in allowed:
        pieces = [met for one in pieces for other in part if (met := _met(one, other)) is not None]
    if any(not whole_numbers or _may_hold_whole(each) for each in pieces):
        return None
    between = " among the whole numbers" if whole_numbers else " there"
    return f"By the signs of the difference between all its zeros, it fails nowhere{between} (shown by algebra)."


def _allowed(conditions: Sequence[Comparison], symbol: str) -> list[tuple[Interval, ...]] | None:
    """Where each condition holds; None where one is not solved."""
    found: list[tuple[Interval, ...]] = []
    for condition in conditions:
        where = solve_inequality(condition.left, condition.sign, condition.right, symbol)
        if isinstance(where, Failure) or condition.sign == "=":
            return None
        found.append(where)
    return found


def _may_hold_whole(interval: Interval) -> bool:
    """Whether a whole number may lie in an interval."""
    low, high = interval.low, interval.high
    if low is None or high is None:
        return True
    first = math.ceil(low.low)
    if first == low.low == low.high and not interval.has_low:
        first += 1
    last = math.floor(high.high)
    if last == high.high == high.low and not interval.has_high:
        last -= 1
    return first <= last


def _met(one: Interval, other: Interval) -> Interval | None:
    """What two intervals share; None where that is nothing. Ends that are not told apart count as shared."""
    low, has_low = one.low, one.has_low
    if other.low is not None and (low is None or other.low.low > low.high):
        low, has_low = other.low, other.has_low
    elif other.low is not None and low is not None and other.low.high >= low.low:
        has_low = has_low and other.has_low
    high, has_high = one.high, one.has_high
    if other.high is not None and (high is None or other.high.high < high.low):
        high, has_high = other.high, other.has_high
    elif other.high is not None and high is not None and other.high.low <= high.high:
        has_high = has_high and other.has_high
    if low is not None and high is not None:
        if high.high < low.low:
            return None
        if high.low <= low.high and not (has_low and has_high):
            return None
    return Interval(low, high, has_low, has_high)


def _by_turns(difference: Expression, *, is_strict: bool) -> str | None:
    """Sines and cosines of one angle: in the tangent of its half a quotient of polynomials. What is missed there is one
    place in each turn, at which both sides are continuous."""
    if is_strict or not any(isinstance(node, Call) for node in walk(difference)):
        return None
    if any(isinstance(node, Call) and node.function not in ("sin", "cos") for node in walk(difference)):
        return None
    made = rational_forms(difference)
    if made is None or len(symbols_of(made[0])) != 1:
        return None
    symbol = symbols_of(made[0])[0]
    if not symbol.startswith("half_t"):
        return None
    fails = solve_inequality(made[0], "<", ZERO, symbol)
    if isinstance(fails, Failure) or fails:
        return None
    return (
        "In the tangent of half the angle the difference of both sides is a quotient of polynomials that is negative "
        "nowhere (shown by algebra)."
    )


# Several symbols.


def _by_forms(difference: Expression, conditions: Sequence[Comparison], *, is_strict: bool) -> str | None:
    moved, known, excesses = _under_conditions(difference, conditions)
    rooted = _without_roots(moved, known)
    if rooted is None:
        return None
    rooted_expression, known = rooted
    above, below = over_one(rooted_expression)
    top, bottom = _shown(terms_of(above), known, depth=0), _shown(terms_of(below), known, depth=0)
    if bottom is None or top is None:
        above, below = (expression_of(terms_of(Negate(each))) for each in (above, below))
        top, bottom = _shown(terms_of(above), known, depth=0), _shown(terms_of(below), known, depth=0)
    if top is None or bottom is None or (is_strict and not top.is_strict):
        return None
    whole = divide(top.form, below) if below != ONE else top.form
    if not is_exactly_equal(Comparison(rooted_expression, "=", whole)):
        return None
    taken = {*symbols_of(difference), *(name for condition in conditions for name in condition.names)}
    return _told(top, whole, below, is_strict=is_strict, excesses=excesses, taken=taken)


def _told(
    top: _Sign,
    whole: Expression,
    below: Expression,
    *,
    is_strict: bool,
    excesses: Mapping[str, tuple[str, bool]],
    taken: Collection[str],
) -> str:
    """The form in the symbols of the statement and of what exceeds a bound."""
    letters = [each for each in "dsuvwpqrhgklmjabcfxyzt" if each not in taken]
    named: dict[str, Expression] = {}
    said: list[str] = []
    for (symbol, (bound, is_above)), letter in zip(excesses.items(), letters, strict=False):
        named[symbol] = Symbol(letter)
        said.append(f"{bound} {letter} with {letter} {'>' if is_above else '≥'} 0")
    for name in symbols_of(whole):
        if name.startswith("root_"):
            inside = name.removeprefix("root_")
            named[name] = call("sqrt", named.get(inside, Symbol(inside)))
    put = f"With {' and '.join(said)}, the" if said else "The"
    over = " (the divisor is positive wherever both sides have a value)" if symbols_of(below) else ""
    never = ", and it is never 0" if is_strict else ""
    shown = plain_formula(substitute(whole, named))
    return f"{put} difference of both sides is {shown}{over}: {top.why}{never} (shown by algebra)."


def _under_conditions(
    difference: Expression, conditions: Sequence[Comparison]
) -> tuple[Expression, _Known, dict[str, tuple[str, bool]]]:
    """The difference with symbols that a condition bounds from below by others replaced: for a > b, a is b and
    something above 0; and how these symbols are to be read."""
    excesses: dict[str, tuple[str, bool]] = {}
    above: set[str] = set()
    not_below: set[str] = set()
    pending = [_as_bound(condition) for condition in conditions]
    for count, bound in enumerate(pending):
        if bound is None:
            continue
        form, is_strict = bound
        alone = [monomial[0][0] for monomial in form if len(monomial) == 1 and monomial[0][1] == 1]
        is_linear = len(alone) + (() in form) == len(form)
        single = next((name for name in alone if form[((name, 1),)] > 0 and name not in above | not_below), None)
        if not is_linear or single is None:
            continue
        scale = form[((single, 1),)]
        rest = {monomial: -value / scale for monomial, value in form.items() if monomial != ((single, 1),)}
        if rest:
            excess = f"{single}_excess"
            replaced = {single: add(expression_of(rest), Symbol(excess))}
            difference = substitute(difference, replaced)
            pending[count + 1 :] = [
                None if other is None else (terms_of(substitute(expression_of(other[0]), replaced)), other[1])
                for other in pending[count + 1 :]
            ]
            excesses[excess] = (f"{single} = {plain_formula(expression_of(rest))} +", is_strict)
            single = excess
        (above if is_strict else not_below).add(single)
    return difference, _Known(frozenset(above), frozenset(not_below | above)), excesses


def _as_bound(condition: Comparison) -> tuple[Terms, bool] | None:
    """A condition as a polynomial that is above 0, or not below it."""
    if condition.sign not in ("<", "<=", ">", ">="):
        return None
    sides = (condition.left, condition.right) if condition.sign in (">", ">=") else (condition.right, condition.left)
    try:
        return terms_of(subtract(*sides)), condition.sign in ("<", ">")
    except NotPolynomialError:
        return None


def _without_roots(node: Expression, known: _Known) -> tuple[Expression, _Known] | None:
    """Square roots of products of symbols that are not negative, by new symbols for the roots of these."""
    roots = [each for each in walk(node) if isinstance(each, Call)]
    if not roots:
        return node, known
    names = {name for root in roots for name in symbols_of(root)}
    if any(root.function != "sqrt" for root in roots) or not names <= known.not_below:
        return None
    squares: Mapping[str, Expression] = {name: power(Symbol(f"root_{name}"), TWO) for name in names}
    made = _rooted(substitute(node, squares))
    if made is None:
        return None
    named = {name: f"root_{name}" for name in names}
    turned = _Known(
        frozenset(named.get(name, name) for name in known.above),
        frozenset(named.get(name, name) for name in known.not_below),
    )
    return made, turned


def _rooted(node: Expression) -> Expression | None:
    if isinstance(node, Call):
        terms = terms_of(node.arguments[0])
        if len(terms) != 1:
            return None
        ((monomial, value),) = terms.items()
        above, below = math.isqrt(value.numerator), math.isqrt(value.denominator)
        is_square = above * above == value.numerator and below * below == value.denominator
        if not is_square or any(count % 2 for _, count in monomial):
            return None
        return expression_of({tuple((name, count // 2) for name, count in monomial): Fraction(above, below)})
    failed = False

    def inside(part: Expression) -> Expression:
        nonlocal failed
        made = _rooted(part)
        failed = failed or made is None
        return part if made is None else made

    found = map_parts(node, inside)
    return None if failed else found


# Signs of polynomials.


def _shown(terms: Terms, known: _Known, *, depth: int) -> _Sign | None:
    """Why a polynomial is not negative; None where that is not seen."""
    if not terms or depth > _DEEPEST:
        return _Sign(False, ZERO, "it is zero") if not terms else None
    by_terms = _term_by_term(terms, known)
    if by_terms is not None:
        return by_terms
    squares = _as_squares(terms, known) or _in_squares(terms, known, depth=depth)
    if squares is not None:
        return squares
    # Factors have no factors of their own.
    return _as_product(terms, known) if depth == 0 else None


def _term_by_term(terms: Terms, known: _Known) -> _Sign | None:
    is_strict = False
    for monomial, value in terms.items():
        odd = [name for name, count in monomial if count % 2]
        if value < 0 or not known.not_below.issuperset(odd):
            return None
        is_strict = is_strict or all(name in known.above for name, _ in monomial)
    why = "none of its terms is negative" if len(terms) > 1 else "it is not negative"
    return _Sign(is_strict, expression_of(terms), why)


def _as_squares(terms: Terms, known: _Known) -> _Sign | None:
    """A polynomial of degree two as a sum of squares with positive numbers before them, one symbol after the other."""
    if any(sum(count for _, count in monomial) > 2 for monomial in terms):
        return None
    names = sorted({each for monomial in terms for each, _ in monomial})
    rest, parts, is_strict = dict(terms), [], False
    for name in names:
        taken = _square_taken(rest, name)
        if taken is None:
            return None
        rest, square = taken
        parts.extend(square)
    constant = rest.pop((), Fraction(0))
    if rest or constant < 0:
        return None
    # Squares of as many forms as there are symbols vanish together at 0 alone.
    is_homogeneous = all(sum(count for _, count in monomial) == 2 for monomial in terms)
    is_strict = is_homogeneous and len(parts) == len(names) and not known.above.isdisjoint(names)
    if constant:
        parts.append(literal(constant))
        is_strict = True
    whole = add(*parts) if len(parts) > 1 else parts[0]
    if not is_exactly_equal(Comparison(expression_of(terms), "=", whole)):
        return None
    why = "squares are not negative" if len(parts) > 1 else "a square is not negative"
    return _Sign(is_strict, whole, why)


def _square_taken(rest: Terms, name: str) -> tuple[Terms, list[Expression]] | None:
    """All that has a symbol in it taken out as a multiple of a square; None where the number before it is negative."""
    leading = rest.get(((name, 2),), Fraction(0))
    cross = {
        tuple((other, count) for other, count in monomial if other != name): value
        for monomial, value in rest.items()
        if dict(monomial).get(name) == 1
    }
    if leading < 0 or (not leading and cross):
        return None
    if not leading:
        return rest, []
    others = {monomial: value / (2 * leading) for monomial, value in cross.items()}
    form: Terms = {((name, 1),): Fraction(1), **others}
    squared = power(expression_of(form), TWO)
    whole = squared if leading == 1 else multiply(literal(leading), squared)
    return terms_of(subtract(expression_of(rest), multiply(literal(leading), squared))), [whole]


def _in_squares(terms: Terms, known: _Known, *, depth: int) -> _Sign | None:
    """A polynomial of even powers alone, as one of the squares of its symbols."""
    if any(count % 2 for monomial in terms for _, count in monomial):
        return None
    halved = {tuple((name, count // 2) for name, count in monomial): value for monomial, value in terms.items()}
    names = frozenset(name for monomial in terms for name, _ in monomial)
    found = _shown(halved, _Known(known.above & names, names), depth=depth + 1)
    if found is None:
        return None
    squared = {name: power(Symbol(name), TWO) for name in names}
    return _Sign(found.is_strict, _flattened(substitute(found.form, squared)), found.why)


def _flattened(node: Expression) -> Expression:
    """Powers of powers as one power."""
    inner = map_parts(node, _flattened)
    match inner:
        case Power(Power(base, Number(int() as first)), Number(int() as second)):
            return power(base, Number(first * second))
    return inner


@lru_cache(maxsize=64)
def _factors(expression: Expression) -> Expression | None:
    """The product of its factors; None where algebra does not show that they are equal."""
    found = factored(expression)
    return None if isinstance(found, Failure) or not found.is_exact else found.expression


def _product_of(terms: Terms) -> Expression | None:
    """The product of the factors; a polynomial and its opposite are taken apart once."""
    turned = {monomial: -value for monomial, value in terms.items()}
    is_turned = sorted(terms.items()) < sorted(turned.items())
    whole = _factors(expression_of(turned if is_turned else terms))
    if whole is None or not is_turned:
        return whole
    return whole.operand if isinstance(whole, Negate) else Negate(whole)


def _as_product(terms: Terms, known: _Known) -> _Sign | None:
    product = _product_of(terms)
    if product is None:
        return None
    is_negative = isinstance(product, Negate)
    factors = product.operand if isinstance(product, Negate) else product
    parts = factors.factors if isinstance(factors, Multiply) else (factors,)
    if len(parts) < 2 and not isinstance(parts[0], Power):
        return None
    is_strict = True
    for part in parts:
        base, count = (part.base, part.exponent) if isinstance(part, Power) else (part, Number(1))
        if isinstance(count, Number) and isinstance(count.value, int) and count.value % 2 == 0:
            shown = _shown(terms_of(base), known, depth=1)
            is_strict = is_strict and shown is not None and shown.is_strict
            continue
        shown = _shown(terms_of(base), known, depth=1)
        if shown is None:
            shown = _shown({monomial: -value for monomial, value in terms_of(base).items()}, known, depth=1)
            is_negative = not is_negative
        if shown is None:
            return None
        is_strict = is_strict and shown.is_strict
    return None if is_negative else _Sign(is_strict, product, _PRODUCT)
