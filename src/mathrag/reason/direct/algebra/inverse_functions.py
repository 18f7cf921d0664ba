"""The function that undoes another: `inverse of f(x) = (2x + 1)/(x - 3)`. Both compositions are checked; a function
that takes a value twice has no inverse, and that is told with the two places."""

from __future__ import annotations

import re
from fractions import Fraction

from mathrag.compute.algebra.identities import Comparison, try_statement
from mathrag.compute.algebra.points import value_at
from mathrag.compute.algebra.proofs import conditions_for
from mathrag.compute.algebra.rewriting import in_order, simplified
from mathrag.compute.algebra.solving import Solved, solve_equation
from mathrag.compute.evaluate.failure import Failure
from mathrag.compute.solve.tidy import literal
from mathrag.compute.typed_mathematics import AmbiguousMathematicsError, UnreadMathematicsError
from mathrag.language.word_classes import any_of
from mathrag.reason.direct.algebra.outcomes import failure
from mathrag.reason.direct.algebra.questions import function_body, task_text
from mathrag.reason.direct.algebra.wording import latex, number_with_digits, plain
from mathrag.reason.direct.result import AlgebraOutcome, DirectStatement
from mathrag.types.answer import WorkingLine
from mathrag.types.expression import (
    ZERO,
    Call,
    Divide,
    Expression,
    Number,
    Power,
    Symbol,
    map_parts,
    substitute,
    symbols_of,
    walk,
)

_LONGEST = 160
_ASKED = re.compile(
    rf"(?:find )?(?:{any_of('numbers_of_kinds.inverse')}) (?:the function )?(?P<body>.+?)(?P<noun> function)?",
    re.IGNORECASE,
)
_VALUE = "y"
_KNOWN = frozenset(("confirmed", "by_algebra", "held", "partly"))


def answer_inverse_function(text: str) -> AlgebraOutcome:
    """The inverse of a function of one symbol; None for any other question."""
    if len(text) > _LONGEST:
        return None
    found = _ASKED.fullmatch(task_text(text))
    if found is None:
        return None
    try:
        statement, named = function_body(found["body"])
    except (UnreadMathematicsError, AmbiguousMathematicsError):
        return None
    body = statement.sides[0]
    names = symbols_of(body)
    is_called = (
        re.match(r"y ?=", found["body"]) is not None
        or named
        or "function" in found.group().lower()
        or any(isinstance(node, Call | Power | Divide) for node in walk(body))
    )
    if len(names) != 1 or names[0] == _VALUE or not is_called or (named and named != names[0]):
        return None
    return _inverted(body, names[0])


def _inverted(body: Expression, symbol: str) -> AlgebraOutcome:
    twice = _taken_twice(body, symbol)
    shown = f"f({symbol}) = {plain(body)}"
    if twice is not None:
        first, second, value = twice
        text = (
            f"{shown} has no inverse on all numbers where it is defined: it takes a value twice, f({first}) = "
            f"f({second}) = {value}. It has one only on a part on which it is one-to-one."
        )
        return DirectStatement(text, shown, (WorkingLine(text),))
    found = solve_equation(body, Symbol(_VALUE), symbol)
    if isinstance(found, Failure) or len(found.solutions) != 1 or found.solutions[0].exact is None:
        return failure("unsolved", f"{shown}: no inverse was found that can be written down here")
    inverse = _short(found.solutions[0].exact)
    back = in_order(_without_squared_roots(substitute(inverse, {_VALUE: body})))
    forth = in_order(substitute(body, {symbol: inverse}))
    trials = [
        try_statement(Comparison(back, "=", Symbol(symbol))),
        try_statement(Comparison(forth, "=", Symbol(_VALUE))),
    ]
    limits = ""
    if trials[1].verdict == "refuted":
        # The function does not take all values that its inverse could be given.
        known = conditions_for(Comparison(forth, "=", Symbol(_VALUE)))
        if known is not None:
            limits = f" for {symbol} ≥ 0, the values that f takes"
            trials = [trials[0], try_statement(Comparison(forth, "=", Symbol(_VALUE)), known[0])]
            has_zero = value_at(substitute(forth, {_VALUE: ZERO}), {})
            if not has_zero.is_real or float(has_zero.real):
                return failure("not_confirmed", f"{shown}: no inverse was confirmed")
    if any(trial.verdict not in _KNOWN for trial in trials):
        return failure("not_confirmed", f"{shown}: no inverse was confirmed by putting one function into the other")
    result = substitute(inverse, {_VALUE: Symbol(symbol)})
    how = "by algebra" if all(trial.verdict == "by_algebra" for trial in trials) else "at all points tried"
    where = "wherever both are defined"
    text = (
        f"The inverse of {shown} is f⁻¹({symbol}) = {plain(result)}{limits} (f(f⁻¹({symbol})) = {symbol} and "
        f"f⁻¹(f({symbol})) = {symbol} {where}, checked {how})."
    )
    return DirectStatement(text, shown, (WorkingLine(f"f⁻¹({symbol}) = {plain(result)}", latex(result)),))


def _without_squared_roots(node: Expression) -> Expression:
    """Squares of square roots as what stands under the root: the same wherever the root has a value."""
    inner = map_parts(node, _without_squared_roots)
    match inner:
        case Power(Call("sqrt", (under,)), Number(2)):
            return under
    return inner


def _short(expression: Expression) -> Expression:
    found = simplified(expression)
    return expression if isinstance(found, Failure) else found.expression


def _taken_twice(body: Expression, symbol: str) -> tuple[str, str, str] | None:
    """Two places at which a function takes one value, exactly."""
    for place in (1, 2, Fraction(1, 2), -1, 3):
        value = value_at(body, {symbol: Fraction(place)})
        if not value.is_real:
            continue
        target = substitute(body, {symbol: literal(Fraction(place))})
        found = solve_equation(body, target, symbol, may_search=False)
        if not isinstance(found, Solved) or found.everything:
            continue
        for each in found.solutions:
            number = each.number if each.number is not None else None
            if each.exact is None or (number is not None and abs(number - float(place)) < 1e-9):
                continue
            at = value_at(each.exact, {})
            if at.is_real and abs(float(at.real) - float(place)) > 1e-9:
                shown = number_with_digits(each.exact, number)
                return plain(literal(Fraction(place))), shown, value.shown()
    return None
