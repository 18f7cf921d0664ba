"""Values of functions that the question states: `if f(x) = 3x + 2, what is f(4)`, `f(g(3))` of two of them.

Strict: each function is stated once in its own letter, the one that is asked for is of a number, and all the rest of
the text asks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from mathrag.compute.algebra.points import value_at
from mathrag.compute.algebra.solving import as_fraction
from mathrag.compute.solve.tidy import tidied
from mathrag.compute.typed_mathematics import (
    AmbiguousMathematicsError,
    UnreadMathematicsError,
    read_mathematics,
    read_one,
)
from mathrag.language.word_classes import any_of
from mathrag.reason.direct.algebra.outcomes import failure, numeric
from mathrag.reason.direct.algebra.wording import number_with_digits, plain
from mathrag.reason.direct.question_text import tidy, without_ending
from mathrag.reason.direct.result import AlgebraOutcome
from mathrag.types.answer import WorkingLine
from mathrag.types.expression import Expression, substitute, symbols_of

_LONGEST, _MOST_NESTED = 240, 4
_NUMBER = r"[-−]?[0-9]+(?:\.[0-9]+)?(?:/[0-9]+)?"
_DEFINED = r"(?:the function )?[a-zA-Z] ?\( ?[a-z] ?\) ?= ?[^=,;?]+?"
_DEFINITION = re.compile(r"(?:the function )?(?P<name>[a-zA-Z]) ?\( ?(?P<symbol>[a-z]) ?\) ?= ?(?P<body>[^=,;?]+)")
_DEFINITIONS = rf"(?P<stated>{_DEFINED}(?:(?:,? and |[,;] ?){_DEFINED})?)"
_SEEK = rf"(?:{any_of('direct.what_is')}|{any_of('direct.calculate')}|{any_of('direct.demands')})"
_TARGET = rf"(?:{_SEEK} )?(?:the value of )?(?P<target>(?:[a-zA-Z] ?\( ?){{1,4}}{_NUMBER}[ )]+)"
_GIVEN = rf"(?:{any_of('algebra.such_that')}|let|for|suppose)"
_FORMS = (
    re.compile(rf"(?:{_GIVEN} )?{_DEFINITIONS}[ ,.;:]+(?:then )?{_TARGET}", re.IGNORECASE),
    re.compile(rf"{_TARGET},? {_GIVEN} {_DEFINITIONS}", re.IGNORECASE),
)
_INNERMOST = re.compile(rf"(?P<name>[a-zA-Z]) ?\( ?(?P<number>{_NUMBER}) ?\)")


def answer_function_value(text: str) -> AlgebraOutcome:
    """The value of a stated function; None for any other question."""
    if len(text) > _LONGEST or "=" not in text:
        return None
    asked = without_ending(tidy(text)).replace("$", "")
    for form in _FORMS:
        found = form.fullmatch(asked)
        if found is None:
            continue
        try:
            functions = _functions(found["stated"])
            return None if functions is None else _value(functions, found["target"].replace(" ", ""))
        except (UnreadMathematicsError, AmbiguousMathematicsError):
            continue
    return None


def _functions(stated: str) -> Mapping[str, tuple[str, Expression]] | None:
    """The functions by their names, each with its letter; None where one is no expression in its letter alone."""
    functions: dict[str, tuple[str, Expression]] = {}
    for part in re.split(r",? and |[,;] ?", stated):
        found = _DEFINITION.fullmatch(part.strip())
        if found is None or found["name"] in functions:
            return None
        statement = read_mathematics(found["body"])
        body = statement.sides[0]
        if statement.signs or statement.has_bare_log or not set(symbols_of(body)) <= {found["symbol"]}:
            return None
        functions[found["name"]] = (found["symbol"], body)
    return functions


def _value(functions: Mapping[str, tuple[str, Expression]], target: str) -> AlgebraOutcome:
    names = re.findall(r"[a-zA-Z]", target)
    innermost = _INNERMOST.search(target)
    opening = "".join(f"{name}(" for name in names)
    if innermost is None or target != f"{opening}{innermost['number']}{')' * len(names)}":
        return None
    if not set(names) <= set(functions) or len(names) > _MOST_NESTED:
        return None
    value, real = read_one(innermost["number"]), 0.0
    lines: list[WorkingLine] = []
    for name in reversed(names):
        symbol, body = functions[name]
        put_in = substitute(body, {symbol: value})
        number = value_at(put_in, {})
        if not number.is_real:
            return failure("undefined", f"{name}({plain(value)}) has no real value")
        following = as_fraction(tidied(put_in))
        lines.append(WorkingLine(f"{name}({plain(value)}) = {plain(following)}"))
        value, real = following, float(number.real)
    stated = "; ".join(f"{name}({symbol}) = {plain(body)}" for name, (symbol, body) in functions.items())
    sentence = f"For {stated}: {target} = {number_with_digits(value, real)}."
    return numeric(value, real, sentence, expression=target, checked="put in and computed exactly", lines=lines)
