"""Logarithms and trigonometric functions in a form that is asked for: a sum of logarithms as one, sin a + sin b as a
product, cos 2x by the sine of x. Every form is compared before it is told."""

from __future__ import annotations

import re
from fractions import Fraction

from mathrag.compute.algebra.angle_equations import by_one_function
from mathrag.compute.algebra.identities import Comparison, try_statement
from mathrag.compute.algebra.polynomials import NotPolynomialError, expression_of, terms_of
from mathrag.compute.solve.tidy import constant_of, tidied
from mathrag.compute.typed_mathematics import AmbiguousMathematicsError, UnreadMathematicsError, read_one
from mathrag.language.word_classes import any_of
from mathrag.reason.direct.algebra.questions import task_text
from mathrag.reason.direct.algebra.wording import latex, line, plain
from mathrag.reason.direct.result import AlgebraOutcome, DirectStatement
from mathrag.types.expression import (
    ONE,
    TWO,
    Add,
    Call,
    Divide,
    Expression,
    Multiply,
    Negate,
    Symbol,
    add,
    call,
    divide,
    multiply,
    negate,
    power,
    subtract,
    symbols_of,
)

_LONGEST = 240
_PUT = any_of("function_forms.put")
_ONE_LOG = re.compile(rf"(?:(?:{_PUT}) )?(?P<body>.+?),? (?:{any_of('function_forms.one_logarithm')})", re.IGNORECASE)
_LOG_FIRST = re.compile(rf"(?:{any_of('function_forms.condense')})[ :]+(?P<body>.+)", re.IGNORECASE)
_PRODUCT = re.compile(rf"(?:(?:{_PUT}) )?(?P<body>.+?),? (?:{any_of('function_forms.as_product')})", re.IGNORECASE)
_SUM = re.compile(rf"(?:(?:{_PUT}) )?(?P<body>.+?),? (?:{any_of('function_forms.as_sum')})", re.IGNORECASE)
_BY = re.compile(
    (
        rf"(?:(?:{_PUT}) )?(?P<body>.+?),? (?:{any_of('function_forms.by')}) (?P<by>(?:sin|cos|tan)[^=]{{1,20}}?)"
        rf"(?: only| alone)?"
    ),
    re.IGNORECASE,
)


def answer_function_forms(text: str) -> AlgebraOutcome:
    """An expression in the form that is asked for; None for any other question."""
    if len(text) > _LONGEST or not re.search(r"log|ln|sin|cos|tan", text):
        return None
    asked = task_text(text).strip(" ,:")
    try:
        single = _ONE_LOG.fullmatch(asked) or _LOG_FIRST.fullmatch(asked)
        if single is not None:
            return _one_logarithm(read_one(single["body"]))
        product = _PRODUCT.fullmatch(asked)
        if product is not None:
            return _as_product(read_one(product["body"]))
        total = _SUM.fullmatch(asked)
        if total is not None:
            return _as_sum(read_one(total["body"]))
        by = _BY.fullmatch(asked)
        return None if by is None else _by_function(read_one(by["body"]), read_one(by["by"]))
    except (UnreadMathematicsError, AmbiguousMathematicsError, NotPolynomialError):
        return None


def _told(body: Expression, made: Expression, how: str) -> DirectStatement | None:
    trial = try_statement(Comparison(body, "=", made))
    if trial.verdict not in ("by_algebra", "held", "partly"):
        return None
    head = plain(body)
    shown = (
        "shown by algebra"
        if trial.verdict == "by_algebra"
        else f"also compared with many digits at {trial.held} points"
    )
    return DirectStatement(f"{head} = {plain(made)} ({how}; {shown}).", head, (line(head, latex(body), made),))


# Logarithms.


def _one_logarithm(body: Expression) -> AlgebraOutcome:
    parts: list[tuple[Expression, Expression]] = []
    names: set[str] = set()
    bases: set[Expression] = set()
    for term in body.terms if isinstance(body, Add) else (body,):
        made = _multiple(term)
        if made is None:
            return None
        factor, function, inside, base = made
        parts.append((factor, inside))
        names.add(function)
        bases.add(base)
    if len(names) != 1 or len(bases) != 1 or (len(parts) < 2 and parts[0][0] == ONE):
        return None
    above = [_raised(inside, factor) for factor, inside in parts if not _is_negative(factor)]
    below = [_raised(inside, tidied(negate(factor))) for factor, inside in parts if _is_negative(factor)]
    product = multiply(*above) if above else ONE
    inside_all = divide(product, multiply(*below)) if below else product
    inside_all = inside_all if symbols_of(inside_all) else tidied(inside_all)
    made_one = call(names.pop(), inside_all)
    base = bases.pop()
    result: Expression = made_one if base == ONE else divide(made_one, call("log", base))
    letters = [plain(inside) for _, inside in parts if symbols_of(inside)]
    where = f"for {', '.join(f'{each} > 0' for each in dict.fromkeys(letters))}" if letters else "with positive numbers"
    shown_base = (
        "" if base == ONE else f"; the logarithm to the base {plain(base)} is written ln(…) / ln({plain(base)})"
    )
    return _told(body, result, f"laws of logarithms, {where}{shown_base}")


def _multiple(term: Expression) -> tuple[Expression, str, Expression, Expression] | None:
    """`factor · log(inside)`, and the base where it is written as a divisor; 1 stands for the base of the function."""
    match term:
        case Negate(part):
            made = _multiple(part)
            return None if made is None else (tidied(negate(made[0])), *made[1:])
        case Divide(Call("log", (inside,)), Call("log", (base,))) if not symbols_of(base):
            return ONE, "log", inside, base
        case Divide(part, below) if constant_of(tidied(below)) is not None:
            made = _multiple(part)
            return None if made is None else (tidied(divide(made[0], below)), *made[1:])
        case Multiply(factors):
            logs = [each for each in factors if _multiple(each) is not None]
            if len(logs) != 1:
                return None
            made = _multiple(logs[0])
            rest = [each for each in factors if each is not logs[0]]
            return None if made is None else (tidied(multiply(made[0], *rest)), *made[1:])
        case Call(function, (inside,)) if function in ("log", "log2", "log10"):
            return ONE, function, inside, ONE
    return None


def _is_negative(factor: Expression) -> bool:
    number = constant_of(factor)
    return number < 0 if number is not None else isinstance(factor, Negate)


def _raised(inside: Expression, factor: Expression) -> Expression:
    if factor == ONE:
        return inside
    number = constant_of(factor)
    if number == Fraction(1, 2):
        return call("sqrt", inside)
    return tidied(power(inside, factor))


# Sines and cosines.


def _halved(first: Expression, second: Expression, *, is_sum: bool) -> Expression:
    whole = divide(add(first, second) if is_sum else subtract(first, second), TWO)
    try:
        return expression_of(terms_of(whole)) if len(symbols_of(whole)) < 2 else whole
    except NotPolynomialError:
        return tidied(whole)


def _as_product(body: Expression) -> AlgebraOutcome:
    """sin a ± sin b and cos a ± cos b."""
    if not isinstance(body, Add) or len(body.terms) != 2:
        return None
    first, second = body.terms
    is_minus = isinstance(second, Negate)
    second = second.operand if isinstance(second, Negate) else second
    if not (isinstance(first, Call) and isinstance(second, Call) and first.function == second.function):
        return None
    a, b = first.arguments[0], second.arguments[0]
    middle, apart = _halved(a, b, is_sum=True), _halved(a, b, is_sum=False)
    match first.function, is_minus:
        case "sin", False:
            made = multiply(TWO, call("sin", middle), call("cos", apart))
        case "sin", True:
            made = multiply(TWO, call("cos", middle), call("sin", apart))
        case "cos", False:
            made = multiply(TWO, call("cos", middle), call("cos", apart))
        case "cos", True:
            made = negate(multiply(TWO, call("sin", middle), call("sin", apart)))
        case _:
            return None
    return _told(body, made, "addition formulas for half the sum and half the difference")


def _as_sum(body: Expression) -> AlgebraOutcome:
    """sin a cos b, cos a cos b and sin a sin b."""
    calls = [each for each in body.factors if isinstance(each, Call)] if isinstance(body, Multiply) else []
    if len(calls) != 2 or not isinstance(body, Multiply) or len(body.factors) != 2:
        return None
    one, two = sorted(calls, key=lambda each: each.function, reverse=True)
    a, b = one.arguments[0], two.arguments[0]
    plus, less = add(a, b), subtract(a, b)
    match one.function, two.function:
        case "sin", "cos":
            made = divide(add(call("sin", plus), call("sin", less)), TWO)
        case "cos", "cos":
            made = divide(add(call("cos", less), call("cos", plus)), TWO)
        case "sin", "sin":
            made = divide(subtract(call("cos", less), call("cos", plus)), TWO)
        case _:
            return None
    return _told(body, made, "addition formulas")


def _by_function(body: Expression, by: Expression) -> AlgebraOutcome:
    if not isinstance(by, Call) or not isinstance(by.arguments[0], Symbol) or symbols_of(body) != symbols_of(by):
        return None
    made = by_one_function(body, by.function, by.arguments[0].name)
    return None if made is None else _told(body, made, "addition formulas, with sin² + cos² = 1")
