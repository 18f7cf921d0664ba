"""Factors of a polynomial over the real or the complex numbers, where its roots have exact forms."""

from __future__ import annotations

import re
from fractions import Fraction

from mathrag.compute.algebra.points import value_at
from mathrag.compute.algebra.polynomials import (
    NotPolynomialError,
    Polynomial,
    polynomial_of,
    roots_of,
    square_free_parts,
    square_root,
)
from mathrag.compute.solve.tidy import constant_of, literal, tidied
from mathrag.compute.typed_mathematics import AmbiguousMathematicsError, UnreadMathematicsError, read_one
from mathrag.language.word_classes import any_of
from mathrag.reason.direct.algebra.questions import task_text
from mathrag.reason.direct.algebra.wording import plain
from mathrag.reason.direct.result import AlgebraOutcome, DirectStatement
from mathrag.types.answer import WorkingLine
from mathrag.types.expression import (
    ONE,
    TWO,
    Expression,
    Negate,
    Number,
    Symbol,
    add,
    multiply,
    negate,
    power,
    subtract,
    symbols_of,
)

_LONGEST, _HIGHEST = 240, 12
_FACTOR = re.compile(
    rf"(?:the )?(?:{any_of('algebra.factor')})[ :]+(?P<body>.+?)(?: completely| fully)?,? (?:(?:into "
    rf"linear factors |as far as possible )?"
    rf"(?:(?P<real>{any_of('polynomials.over_reals')})|(?P<complex>{any_of('polynomials.over_complex')})))",
    re.IGNORECASE,
)


def answer_factors_over(text: str) -> AlgebraOutcome:
    """The factors; None for any other question, and where the roots have no exact form."""
    if len(text) > _LONGEST or "actor" not in text:
        return None
    found = _FACTOR.fullmatch(task_text(text))
    if found is None:
        return None
    try:
        body = read_one(found["body"])
        names = symbols_of(body)
        if len(names) != 1 or names[0] == "i":
            return None
        polynomial = polynomial_of(body, names[0])
    except (UnreadMathematicsError, AmbiguousMathematicsError, NotPolynomialError):
        return None
    if not 2 <= len(polynomial) - 1 <= _HIGHEST:
        return None
    return _told(body, polynomial, names[0], is_complex=found["complex"] is not None)


def _told(body: Expression, polynomial: Polynomial, name: str, *, is_complex: bool) -> AlgebraOutcome:
    factors: list[tuple[Expression, int]] = []
    for part, count in square_free_parts(polynomial):
        made = _parts(part, Symbol(name), is_complex=is_complex)
        if made is None:
            return None
        factors.extend((each, count) for each in made)
    leading = polynomial[-1]
    product = multiply(
        *([literal(leading)] if leading != 1 else []),
        *(each if count == 1 else power(each, Number(count)) for each, count in factors),
    )
    if not is_complex and not _agrees(body, product, name):
        return None
    where = "complex" if is_complex else "real"
    head = plain(body)
    last = "linear factors" if is_complex else "factors of degree 1, and of degree 2 without real roots"
    text = f"{head} = {plain(product)} over the {where} numbers ({last}; by its roots)."
    if plain(product) == head:
        text = f"{head} has no further factors over the {where} numbers: it is of degree 2 and has no real root."
    return DirectStatement(text, head, (WorkingLine(f"{head} = {plain(product)}"),))


def _parts(part: Polynomial, letter: Expression, *, is_complex: bool) -> list[Expression] | None:
    """The factors of a polynomial without multiple roots."""
    if not is_complex and (split := _two_squares(part, letter)) is not None:
        return split
    roots = roots_of(part)
    exact = [root.exact for root in roots.real if root.exact is not None]
    if len(exact) != len(roots.real) or len(exact) + 2 * len(roots.complex_pairs) != len(part) - 1:
        return None
    made = [_minus(letter, root) for root in exact]
    for middle, spread in roots.complex_pairs:
        if is_complex:
            turned = Symbol("i") if spread == ONE else multiply(spread, Symbol("i"))
            made.extend(_minus(_minus(letter, literal(middle)), each) for each in (turned, negate(turned)))
            continue
        size = constant_of(tidied(power(spread, TWO)))
        if size is None:
            return None
        made.append(_quadratic(letter, literal(-2 * middle), literal(middle**2 + size)))
    return made


def _minus(letter: Expression, root: Expression) -> Expression:
    number = constant_of(root)
    if number == 0:
        return letter
    if isinstance(root, Negate):
        return add(letter, root.operand)
    return add(letter, tidied(negate(root))) if number is not None and number < 0 else subtract(letter, root)


def _quadratic(letter: Expression, linear: Expression, constant: Expression) -> Expression:
    number = constant_of(tidied(linear))
    square = power(letter, TWO)
    if number == 0:
        return add(square, constant)
    if number is not None and number < 0:
        return add(square, negate(tidied(multiply(literal(-number), letter))), constant)
    return add(square, tidied(multiply(linear, letter)), constant)


def _two_squares(part: Polynomial, letter: Expression) -> list[Expression] | None:
    """x⁴ + p x² + q without real roots, as (x² + √q)² − (2 √q − p) x²."""
    if len(part) != 5 or part[1] or part[3] or roots_of(part).real:
        return None
    middle, constant = part[2] / part[4], part[0] / part[4]
    root = constant_of(square_root(constant)) if constant > 0 else None
    if root is None or 2 * root - middle <= 0:
        return None
    width = square_root(2 * root - middle)
    whole: Expression = literal(root)
    across = tidied(multiply(width, letter))
    return [add(power(letter, TWO), negate(across), whole), add(power(letter, TWO), across, whole)]


def _agrees(body: Expression, product: Expression, name: str) -> bool:
    for place in range(-7, 8):
        values = [value_at(each, {name: Fraction(place, 2)}) for each in (body, product)]
        if not all(value.is_real for value in values):
            return False
        if abs(values[0].real - values[1].real) > 1e-30 * (1 + abs(values[0].real)):
            return False
    return True
