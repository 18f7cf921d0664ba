"""Read a question of pure mathematics: what is to be done, with which expression, by which symbol, in which bounds.

Strict: every word must be one of the command, and the rest must be mathematics; else the question is none of these.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from mathrag.compute.algebra.identities import Comparison, Numbers
from mathrag.compute.algebra.sign_proofs import sign_shown
from mathrag.compute.typed_mathematics import (
    LONGEST_TEXT,
    AmbiguousMathematicsError,
    Statement,
    UnreadMathematicsError,
    read_mathematics,
    read_one,
)
from mathrag.knowledge.units import is_unit_text
from mathrag.language.word_classes import any_of, word_class, word_pairs
from mathrag.reason.direct.algebra.statement_checks import check_angles, is_order_or_call
from mathrag.reason.direct.algebra.tasks import (
    AddUp,
    Claim,
    Differentiate,
    Evaluate,
    Integrate,
    Rewrite,
    Solve,
    TakeLimit,
    Task,
    Way,
)
from mathrag.reason.direct.question_text import rounding_by_name, tidy, without_ending
from mathrag.types.expression import ZERO, Expression, Multiply, Number, Symbol, symbols_of, walk

__all__ = [
    "AddUp",
    "Claim",
    "Differentiate",
    "Evaluate",
    "Integrate",
    "Rewrite",
    "Solve",
    "TakeLimit",
    "Task",
    "function_body",
    "mathematics_alone",
    "read_task",
    "task_text",
    "variable_of",
]

_LONGEST_QUESTION = LONGEST_TEXT + 200
_LETTER = r"(?:[A-Za-z](?:_?[0-9])?|alpha|beta|gamma|delta|theta|phi|omega|lambda|mu|tau|[α-ω])"

# What surrounds the mathematics, taken off before anything else is looked at.

_MATH_MARKS = re.compile(r"\$+|\\[()\[\]]|\\displaystyle|`")
_TWICE_EQUAL = re.compile(r"(?<![=<>!])={2,3}(?!=)")
_SPOKEN = re.compile(rf"\b(?:{any_of('algebra.spoken')})\b|\binfinity\b", re.IGNORECASE)
_CALCULATE = "|".join(
    re.escape(word) for word in sorted(word_class("direct.calculate") - {"simplify"}, key=len, reverse=True)
)
_OPENING = re.compile(
    rf"(?:(?:{any_of('direct.greetings')})\b[ ,:;!.]*"
    rf"|(?:{any_of('direct.may_you')}) you (?:please )?(?:help me )?(?:to )?"
    rf"|(?:{any_of('direct.wishes')})\b[ ,:]*|(?:{any_of('direct.demands')})\b[ ,:]*"
    rf"|(?:{_CALCULATE})\b[ ,:]*|(?:{any_of('direct.what_is')})\b[ ,:]*|the\b[ ]*)",
    re.IGNORECASE,
)
_VALUE_OF = re.compile(rf"(?:the )?(?:{any_of('direct.value_nouns')}) of\b[ ,:]*", re.IGNORECASE)
_NAMED = re.compile(rf"(?:{any_of('algebra.equation_names')})\b[ :,]*", re.IGNORECASE)
_FUNCTION_HEAD = re.compile(rf"(?:[fghFGyz]\s*\(\s*(?P<symbol>{_LETTER})\s*\)|(?:y|z|f))\s*=\s*(?!=)")


def read_task(text: str) -> Task | None:
    """What a question asks to be done; None where it is none of these.

    Raises `AmbiguousMathematicsError` where the task is plain and its expression has two readings.
    """
    if len(text) > _LONGEST_QUESTION:
        return None
    whole = _written(text)
    core = _without_opening(whole)
    ambiguous: AmbiguousMathematicsError | None = None
    for rule in _RULES:
        for words in dict.fromkeys((core, whole)):
            try:
                found = rule(words)
            except AmbiguousMathematicsError as error:
                # Without a word of command it may be units that are read as letters.
                if rule not in (_evaluation, _bare) and not (rule is _claim and _MEASURED.search(words)):
                    ambiguous = ambiguous or error
                continue
            except UnreadMathematicsError:
                continue
            if found is not None:
                return found
    if ambiguous is not None:
        raise ambiguous
    return None


def task_text(text: str) -> str:
    """A question as the rules read it: without marks around formulas, greetings and the words before the task."""
    return _without_opening(_written(text))


def mathematics_alone(text: str) -> str:
    """What is left of a question without marks around formulas and words that only ask for a value."""
    return _VALUE_OF.sub("", _without_opening(_written(text)), count=1)


@lru_cache(maxsize=32)
def _written(text: str) -> str:
    text = _INFINITY.sub("infinity", text)
    text = _LIMIT_SIGN.sub(r"\1 ", _FRACTION.sub(r"\\frac", text)) if "\\" in text else text
    whole = without_ending(_MATH_MARKS.sub(" ", _PARTIAL.sub(_as_quotient, rounding_by_name(tidy(text)))))
    whole = _TWICE_EQUAL.sub("=", without_ending(_MANNER.sub("", whole)))
    return _IS_NUMBER.sub(r"\1 = ", " ".join(_SPOKEN.sub(_as_written, whole).split()))


_FRACTION = re.compile(r"\\[dtc]frac(?![A-Za-z])")
_INFINITY = re.compile(r"(?<![\\A-Za-z])inft?y(?![A-Za-z])")
_LIMIT_SIGN = re.compile(r"(\\lim(?:\\limits)? ?_ ?\{[^{}]{1,40}\})")
# How the way shall be shown is no part of the mathematics.
_MANNER = re.compile(rf"[ ,;:]+(?:{any_of('algebra.manner')})$", re.IGNORECASE)
_PARTIAL = re.compile(
    r"\\frac ?\{ ?(?:d|\\partial) ?(?P<raised>\^ ?\{?[2-5]\}? ?)?(?P<name>[fghuvwyzF]) ?\} ?"
    r"\{ ?(?:d|\\partial) ?(?P<symbol>[A-Za-z]) ?(?:\^ ?\{?[2-5]\}? ?)?\}"
)


def _as_quotient(found: re.Match[str]) -> str:
    order = "".join(filter(str.isdigit, found["raised"] or ""))
    raised = f"^{order}" if order else ""
    return f"∂{raised}{found['name']}/∂{found['symbol']}{raised}"


_IS_NUMBER = re.compile(rf"\b((?:{any_of('algebra.places')}) {_LETTER}) is (?=[-−]?[0-9])", re.IGNORECASE)
_MEASURED = re.compile(r"[0-9] [A-Za-zµ°Ω]")


def _as_written(found: re.Match[str]) -> str:
    word = found.group().lower()
    return word_pairs("algebra.spoken").get(word, f" {word} ")


def _without_opening(text: str) -> str:
    for _ in range(8):
        match = _OPENING.match(text)
        if match is None or match.end() == 0:
            break
        text = text[match.end() :].lstrip()
    return text


def function_body(text: str) -> tuple[Statement, str]:
    """The expression of a function, without the words and the name before it; and the symbol that the name tells."""
    text = text.strip(" ,:;")
    for _ in range(3):
        text = _NAMED.sub("", text, count=1) if _NAMED.match(text) else text
    head = _FUNCTION_HEAD.match(text)
    symbol = ""
    if head:
        symbol = head.group("symbol") or ""
        text = text[head.end() :]
    statement = read_mathematics(text)
    if statement.signs:
        raise UnreadMathematicsError("an equation stands where an expression is wanted")
    return statement, symbol


def _symbol_of(text: str) -> str:
    found = read_one(text)
    if not isinstance(found, Symbol):
        raise UnreadMathematicsError("no symbol")
    return found.name


def variable_of(body: Expression, said: str) -> str:
    """The symbol that is meant: the one that was said, the only one, or x, t, θ before letters for constants."""
    if said:
        return said
    names = symbols_of(body)
    if len(names) == 1:
        return names[0]
    for usual in ("x", "t", "y", "theta", "z", "u", "s"):
        if usual in names:
            return usual
    if not names:
        return "x"
    raise AmbiguousMathematicsError(f"say by which symbol: {', '.join(sorted(names))}")


# Clauses at the end: by which symbol, at which place, between which bounds.

_RESPECT = re.compile(rf",? (?:{any_of('algebra.respect')}) (?P<symbol>{_LETTER})$")
_ASSIGNED = rf"{_LETTER} ?= ?[^=<>,]{{1,60}}?"
_PLACE = re.compile(
    rf",? (?:{any_of('algebra.places')}) (?P<values>{_ASSIGNED}(?:(?:,? and |, ?|; ?){_ASSIGNED})*)$", re.IGNORECASE
)
_TO = any_of("algebra.whole_bounds")
_BOUNDS = re.compile(
    rf",? (?:{any_of('algebra.from')}) (?:(?P<symbol>{_LETTER}) ?= ?)?(?P<low>[^=,]{{1,60}}?) ?(?:{_TO}) ?"
    rf"(?:{_LETTER} ?= ?)?(?P<high>[^=,]{{1,60}})$"
)
_INTERVAL = re.compile(rf",? (?:{any_of('algebra.from')}) \[(?P<low>[^=,]{{1,60}}),(?P<high>[^=,]{{1,60}})\]$")


def _respect(text: str) -> tuple[str, str]:
    found = _RESPECT.search(text)
    return (text[: found.start()], _symbol_of(found.group("symbol"))) if found else (text, "")


def _place(text: str) -> tuple[str, tuple[tuple[str, Expression], ...]]:
    found = _PLACE.search(text)
    if found is None:
        return text, ()
    values: dict[str, Expression] = {}
    for part in re.split(r",? and |, ?|; ?", found.group("values")):
        name, _, value = part.partition("=")
        read = read_one(value)
        if symbols_of(read):
            raise UnreadMathematicsError("a place is a number")
        values[_symbol_of(name.strip())] = read
    return text[: found.start()], tuple(values.items())


def _bounds(text: str) -> tuple[str, tuple[Expression, Expression] | None, str]:
    found = _INTERVAL.search(text) or _BOUNDS.search(text)
    if found is None:
        return text, None, ""
    said = found.groupdict().get("symbol") or ""
    low, high = read_one(found.group("low")), read_one(found.group("high"))
    return text[: found.start()], (low, high), _symbol_of(said) if said else ""


# Derivatives.

_ORDER = any_of("algebra.orders")
_DERIVATIVE = re.compile(
    rf"(?:the )?(?:(?P<order>{_ORDER})(?: order)? )?(?:{any_of('algebra.derivative')}) (?:of|for) (?P<body>.+)",
    re.IGNORECASE,
)
_DIFFERENTIATE = re.compile(rf"(?:{any_of('algebra.differentiate')}) (?P<body>.+)", re.IGNORECASE)
_TWICE = re.compile(r" (?P<count>once|twice|two times|three times)\b", re.IGNORECASE)
_COUNTS = {"once": 1, "twice": 2, "two times": 2, "three times": 3}
_OPERATOR = re.compile(
    r"(?:\\frac ?\{ ?(?:d|\\partial) ?(?:\^ ?\{? ?(?P<first>[1-5]) ?\}? ?)?\} ?"
    r"\{ ?(?:d|\\partial) ?(?P<symbol>[A-Za-z])(?: ?\^ ?\{? ?[1-5] ?\}?)? ?\}"
    r"|[d∂](?:\^?(?P<second>[2-5]|²|³))? ?/ ?[d∂] ?(?P<other>[A-Za-zθ])(?:\^?(?:[2-5]|²|³))?)(?: of)? ?(?P<body>.+)"
)
_RAISED = {"²": 2, "³": 3}
_QUOTIENT = (
    rf"[d∂](?:\^?(?P<order>[2-5]|²|³))? ?(?P<name>[A-Za-z]) ?/ ?[d∂] ?(?P<symbol>{_LETTER})(?:\^?(?:[2-5]|²|³))?"
)
_HEAD = r"(?P=name) ?(?:\( ?[A-Za-z](?: ?, ?[A-Za-z])* ?\))? ?= ?(?P<body>.+)"
_OF_NAMED = re.compile(rf"{_QUOTIENT},? (?:for|of|if|when|where|given|given that|with) (?:the function )?{_HEAD}")
_NAMED_FIRST = re.compile(
    r"(?:if|given|given that|let|for|suppose) (?P<named>[A-Za-z]) ?(?:\( ?[A-Za-z](?: ?, ?[A-Za-z])* ?\))"
    r"? ?= ?(?P<body>.+?)"
    r"(?:[,.;] ?| then )(?:then )?(?:find |what is |compute |calculate |determine |give |evaluate )?(?:the "
    rf")?{_QUOTIENT}",
    re.IGNORECASE,
)


def _derivative(text: str) -> Task | None:
    of_named = _OF_NAMED.fullmatch(text) or _NAMED_FIRST.fullmatch(text)
    if of_named and of_named.groupdict().get("named", of_named["name"]) == of_named["name"]:
        written = of_named["order"] or "1"
        return _differentiated(of_named["body"], _RAISED.get(written) or int(written), _symbol_of(of_named["symbol"]))
    operator = _OPERATOR.fullmatch(text)
    if operator:
        written = operator.group("first") or operator.group("second") or "1"
        order = _RAISED.get(written) or int(written)
        return _differentiated(
            operator.group("body"), order, _symbol_of(operator.group("symbol") or operator.group("other"))
        )
    noun = _DERIVATIVE.fullmatch(text)
    if noun:
        said = (noun.group("order") or "").lower()
        return _differentiated(noun.group("body"), int(word_pairs("algebra.orders").get(said, "1")), "")
    verb = _DIFFERENTIATE.fullmatch(text)
    if verb is None:
        return None
    body, order = verb.group("body"), 1
    twice = _TWICE.search(body)
    if twice:
        body, order = body[: twice.start()] + body[twice.end() :], _COUNTS[twice.group("count").lower()]
    return _differentiated(body, order, "")


def _differentiated(body: str, order: int, symbol: str) -> Task | None:
    for _ in range(2):
        body, said = _respect(body)
        symbol = symbol or said
        body, values = _place(body)
        if values:
            break
    body, said = _respect(body)
    symbol = symbol or said
    statement, named = function_body(body)
    variable = variable_of(statement.sides[0], symbol or named)
    place = dict(values).get(variable)
    if values and (place is None or len(values) > 1):
        return None
    return Differentiate(statement.sides[0], variable, order, place, statement.notes)


# Integrals.

_AREA = re.compile(
    r"(?:the )?area (?:under|below)(?: the)?(?: (?:curve|graph|parabola|line)(?: of)?)? "
    r"(?P<body>.+ (?:from|between) .+)",
    re.IGNORECASE,
)
_INTEGRAL = re.compile(
    rf"(?:(?:the )?(?:{any_of('algebra.integral')}) (?:of|for)|(?:{any_of('algebra.integrate')})) (?P<body>.+)",
    re.IGNORECASE,
)
_SIGN = re.compile(
    r"(?:the integral )?(?:∫|\\int(?:\\limits)?) ?"
    r"(?:_ ?(?:\{(?P<low>[^{}]{1,60})\}|(?P<low1>-?[^ {}^]{1,12}?)) ?\^ ?"
    r"(?:\{(?P<high>[^{}]{1,60})\}|(?P<high1>-?(?:[0-9]+|\\infty|∞|\\pi|π|[a-z])))(?= |\(|\\|[A-Za-z0-9]|$))?"
    r" ?(?P<body>.+)"
)
_DIFFERENTIAL = re.compile(
    r"(?:\\,|\\;|\\!|\\mathrm ?\{d\}| )*(?<![A-Za-z])d ?(?P<symbol>[A-Za-zθ])$|(?<=[A-Za-z0-9)}])d(?P<joined>[xyztuθ])"
    r"$"
)


_BOUNDS_FIRST = re.compile(
    rf"(?:the )?(?:∫|\\int|{any_of('algebra.integral')}) from (?P<low>[^=,]{{1,60}}?) to "
    r"(?P<high>[^=,]{1,60}?) of (?P<body>.+)",
    re.IGNORECASE,
)


def _integral(text: str) -> Task | None:
    bounds: tuple[Expression, Expression] | None = None
    signed = _SIGN.fullmatch(text)
    first = _BOUNDS_FIRST.fullmatch(text)
    area = _AREA.fullmatch(text)
    if area:
        return _area(area.group("body"))
    if first:
        bounds = (read_one(first.group("low")), read_one(first.group("high")))
        body = first.group("body")
    elif signed:
        low, high = signed.group("low") or signed.group("low1"), signed.group("high") or signed.group("high1")
        bounds = (read_one(low), read_one(high)) if low and high else None
        body = signed.group("body")
    else:
        named = _INTEGRAL.fullmatch(text)
        if named is None:
            return None
        body = named.group("body")
    said = ""
    for _ in range(2):
        body, symbol = _respect(body)
        said = said or symbol
        if bounds is None:
            body, bounds, symbol = _bounds(body)
            said = said or symbol
    found = _DIFFERENTIAL.search(body)
    if found:
        said = said or _symbol_of(found.group("symbol") or found.group("joined"))
        body = body[: found.start()]
    statement, head = function_body(body)
    return Integrate(statement.sides[0], variable_of(statement.sides[0], said or head), bounds, statement.notes)


def _area(text: str) -> Task | None:
    """The area between a curve and the axis below it: the integral, where the curve is nowhere under the axis."""
    body, bounds, said = _bounds(text)
    if bounds is None:
        return None
    statement, head = function_body(body)
    function = statement.sides[0]
    symbol = variable_of(function, said or head)
    low, high = (Comparison(Symbol(symbol), sign, bound) for sign, bound in zip((">=", "<="), bounds, strict=True))
    if sign_shown(Comparison(function, ">=", ZERO), (low, high)) is None:
        raise UnreadMathematicsError("the curve may be under the axis: its area is not told")
    note = "the curve is nowhere below the axis there, so the area is the integral"
    return Integrate(function, symbol, bounds, (*statement.notes, note))


# Limits.

_ARROW = any_of("algebra.approaches")
_LIMIT = re.compile(
    rf"(?:the )?limit (?:of )?(?P<body>.+?),? (?:as|when|for|if|where) (?P<symbol>{_LETTER}) ?(?:{_ARROW}) ?"
    r"(?P<place>.+)",
    re.IGNORECASE,
)
_LIMIT_FIRST = re.compile(
    rf"(?:the )?(?:limit|lim|\\lim(?:\\limits)?) ?(?:_ ?\{{? ?|\(? ?)?(?:as )?(?P<symbol>{_LETTER}) ?(?:{_ARROW}) ?"
    r"(?P<place>[^ {}(),]{1,40}|\([^()]{1,40}\)) ?(?:\}|\))?,?(?: of)? (?P<body>.+)",
    re.IGNORECASE,
)
_SIDE = re.compile(rf",? (?:{any_of('algebra.sides')})$", re.IGNORECASE)
_SIDE_MARK = re.compile(r"(?<=[0-9A-Za-z)])(?:\^ ?\{? ?(?P<sign>[+-]) ?\}?|(?P<bare>[+⁺⁻]))$")


def _limit(text: str) -> Task | None:
    side = 0
    ending = _SIDE.search(text)
    if ending:
        side = int(word_pairs("algebra.sides")[ending.group().strip(" ,").lower()])
        text = text[: ending.start()]
    found = _LIMIT.fullmatch(text) or _LIMIT_FIRST.fullmatch(text)
    if found is None:
        return None
    place = found.group("place").strip()
    mark = _SIDE_MARK.search(place)
    if mark and not side:
        side = -1 if (mark.group("sign") or mark.group("bare")) in ("-", "⁻") else 1
        place = place[: mark.start()]
    statement, _ = function_body(found.group("body"))
    symbol = _symbol_of(found.group("symbol"))
    where = read_one(place.removeprefix("+"))
    if symbol in symbols_of(where):
        return None
    return TakeLimit(statement.sides[0], symbol, where, side, statement.notes)


# Other forms.

_WAYS: tuple[tuple[re.Pattern[str], Way], ...] = (
    (re.compile(rf"(?:{any_of('algebra.simplify')})\b:? ?(?P<body>.+)", re.IGNORECASE), "simplify"),
    (re.compile(rf"(?:{any_of('algebra.one_fraction')})\b:? ?(?P<body>.+)", re.IGNORECASE), "one_fraction"),
    (re.compile(rf"(?:{any_of('algebra.expand')})\b:? ?(?P<body>.+)", re.IGNORECASE), "expand"),
    (
        re.compile(
            rf"(?:the )?(?:{any_of('algebra.factor')})\b:? ?(?P<body>.+?)(?: completely| fully)?", re.IGNORECASE
        ),
        "factor",
    ),
    (
        re.compile(rf"(?:the )?(?:{any_of('algebra.partial_fractions')}) (?P<body>.+)", re.IGNORECASE),
        "partial_fractions",
    ),
)


def _rewriting(text: str) -> Task | None:
    for pattern, way in _WAYS:
        found = pattern.fullmatch(text)
        if found:
            statement, _ = function_body(found.group("body"))
            if way in ("factor", "partial_fractions") and not symbols_of(statement.sides[0]):
                return None
            return Rewrite(statement.sides[0], way, statement.notes)
    return None


# Equations.

_LETTERS = rf"{_LETTER}(?:(?: ?, ?| and | ?& ?){_LETTER})*"
_NAMES = rf"(?P<names>{_LETTERS})"
_SOLVE = re.compile(rf"(?:{any_of('algebra.solve')})\b:? ?(?P<body>.+)", re.IGNORECASE)
_SOLVE_FOR = re.compile(rf"(?:solve )?for {_NAMES} ?(?:in|:|,| ) ?(?P<body>.+)", re.IGNORECASE)
_FOR = re.compile(rf",? (?:for|in) {_NAMES}$")
_ROOTS = re.compile(
    rf"(?:(?:{any_of('algebra.solution_qualities')}) )*(?:{any_of('algebra.solutions')}) (?:of|to|for) (?P<body>.+)",
    re.IGNORECASE,
)
_FIND = re.compile(
    rf"(?:(?:{any_of('algebra.solution_qualities')}) )*{_NAMES},? (?:{any_of('algebra.such_that')}) (?P<body>.+)",
    re.IGNORECASE,
)
_VALUES = re.compile(
    rf"(?:(?:{any_of('algebra.values_of')}) )(?P<names>{_LETTER}),? "
    rf"(?:{any_of('algebra.satisfy')}|{any_of('algebra.such_that')}) (?P<body>.+)",
    re.IGNORECASE,
)
_NAMED_BEFORE = re.compile(rf"{_NAMES} ?: ?(?P<body>[^:]+=[^:]+)")
# What is asked of equations that stand before it: "3x − 5 = 10, solve for x", "x² = 16, what is x".
_SEEKING = rf"(?:{_CALCULATE}|{any_of('direct.what_is')})"
_BEHIND = re.compile(
    rf"[ ,;:.]+(?:and |then )?(?:(?P<solve>{any_of('algebra.solve')})(?: it| this)?(?:,? for {_NAMES})?"
    rf"|{_SEEKING} (?:(?:{any_of('algebra.values_of')}) )?(?P<unknowns>{_LETTERS})"
    rf"|{_SEEKING} (?:(?:{any_of('algebra.solution_qualities')}) )*(?:{any_of('algebra.solutions')}))$",
    re.IGNORECASE,
)
_OVER = re.compile(r",? (?:over|in|among) the (?:real|complex)(?: number)?s?$", re.IGNORECASE)
_SEPARATOR = re.compile(r"(?:,|;|\\\\)(?: ?and)? ?| and (?=[^=<>]*[=<>])")


def _solving(text: str) -> Task | None:
    wants_complex = "complex" in text.lower()
    text = _OVER.sub("", text)
    behind = _BEHIND.search(text)
    if behind is not None and any(sign in text[: behind.start()] for sign in "=<>≤≥"):
        return _asked_behind(text[: behind.start()], behind, wants_complex=wants_complex)
    names: tuple[str, ...] = ()
    for pattern in (_SOLVE_FOR, _SOLVE, _ROOTS, _VALUES, _FIND, _NAMED_BEFORE):
        found = pattern.fullmatch(text)
        if found is None:
            continue
        groups = found.groupdict()
        body = found.group("body")
        if groups.get("names"):
            names = _listed(groups["names"])
        ending = _FOR.search(body)
        if ending and not names:
            names, body = _listed(ending.group("names")), body[: ending.start()]
        made = _equations(body, names, is_root=pattern is _ROOTS)
        if made is not None:
            return Solve(made[0], names, wants_complex, made[1], _with_decimal_logs(body, names, made))
    return None


def _asked_behind(body: str, asked: re.Match[str], *, wants_complex: bool) -> Task | None:
    """Equations with what is asked of them behind. Where a letter is merely to be found, there may be no other one:
    what is left would be quantities with values, or units."""
    said = asked["names"] or asked["unknowns"]
    names = _listed(said) if said else ()
    made = _equations(body, names, is_root=False)
    if made is None:
        return None
    symbols = {name for relation in made[0] for name in relation.names}
    if not symbols or (not asked["solve"] and symbols - set(names) and (names or len(symbols) > 1)):
        return None
    return Solve(made[0], names, wants_complex, made[1], _with_decimal_logs(body, names, made))


_BARE_LOG = re.compile(r"(?<![A-Za-z\\])log(?= ?[(A-Za-z0-9])(?![0-9]+\()")


def _with_decimal_logs(
    body: str, names: tuple[str, ...], made: tuple[tuple[Comparison, ...], tuple[str, ...]]
) -> tuple[Comparison, ...]:
    """The equations with logarithms to base 10 where none is told; none where all have a base."""
    if "log is read as the natural logarithm" not in made[1]:
        return ()
    other = _equations(_BARE_LOG.sub("log_10 ", body), names, is_root=False)
    return () if other is None else other[0]


def _listed(text: str) -> tuple[str, ...]:
    return tuple(_symbol_of(part) for part in re.split(r" ?, ?| and | ?& ?", text))


def _equations(
    text: str, names: Iterable[str], *, is_root: bool
) -> tuple[tuple[Comparison, ...], tuple[str, ...]] | None:
    text = text.strip(" ,:;")
    for _ in range(3):
        text = _NAMED.sub("", text, count=1) if _NAMED.match(text) else text
    if is_root and text.count("=") == 1 and _FUNCTION_HEAD.match(text) and "y" not in names:
        # The zeros of a function that has a name.
        text = text[_FUNCTION_HEAD.match(text).end() :]  # type: ignore[union-attr]
    relations: list[Comparison] = []
    notes: dict[str, None] = {}
    for part in _SEPARATOR.split(text):
        statement = read_mathematics(part)
        notes.update(dict.fromkeys(statement.notes))
        sides, signs = statement.sides, statement.signs
        if not signs and is_root:
            sides, signs = (*sides, ZERO), ("=",)
        if not signs:
            return None
        relations.extend(Comparison(sides[n], sign, sides[n + 1]) for n, sign in enumerate(signs))
    symbols = {name for relation in relations for name in relation.names}
    if not symbols.issuperset(names):
        return None
    return tuple(relations), tuple(notes)


# Values.


def _evaluation(text: str) -> Task | None:
    text = _VALUE_OF.sub("", text, count=1) if _VALUE_OF.match(text) else text
    body, values = _place(text)
    if not values:
        return None
    statement, _ = function_body(body)
    expression = statement.sides[0]
    given = {name for name, _ in values}
    if set(symbols_of(expression)) != given or _is_bare(expression):
        return None
    return Evaluate(expression, values, statement.notes)


def _is_bare(expression: Expression) -> bool:
    """Letters alone, side by side: that may be the name of a quantity."""
    return all(isinstance(node, Symbol | Multiply) for node in walk(expression))


# Statements.

_ASKED = re.compile(rf"(?:{any_of('algebra.whether_true')})\b[ :,]*(?P<body>.+)", re.IGNORECASE)
_TRUTH_BEHIND = re.compile(
    rf"[ ,;:]+(?:is it |is that |is this )?(?:always )?(?:{any_of('algebra.truth')})$", re.IGNORECASE
)
_HOLDS = re.compile(rf" (?:always )?(?:{any_of('algebra.holds')})$", re.IGNORECASE)
_EQUAL_WORDS = re.compile(rf" (?:always )?(?:{any_of('algebra.equals')}) ", re.IGNORECASE)
_ARE_ALIKE = re.compile(rf"are (?P<left>.+) and (?P<right>.+?)(?: (?:{any_of('algebra.sides_alike')}))?", re.IGNORECASE)
_LIMITED = re.compile(
    r",? (?:for|when|where|if|with|given|provided|whenever|assuming)(?: that)? (?P<limits>[^?]{1,120})$", re.IGNORECASE
)
_LIMITED_BEFORE = re.compile(
    r"(?:for|when|where|if|with|given|provided|whenever|assuming)(?: that)? (?=[^?=<>])", re.IGNORECASE
)
_RELATION_SIGN = re.compile(r"[<>!]=|[=<>≤≥≠≡]|\\(?:leq?|geq?|neq?|equiv)\b")
# A unit of several letters, set apart from its number.
_UNIT_BEHIND = re.compile(r"[0-9] ([A-Za-zµ]{2,})(?![A-Za-z(^])")
_NUMBER_AND_UNIT = re.compile(r"-?[0-9.,]+ ?(?P<unit>[A-Za-zµ°Ω][A-Za-zµ°Ω/^0-9 .]*)")


def _claim(text: str) -> Task | None:
    pair = _ARE_ALIKE.fullmatch(text)
    if pair:
        return _stated(f"{pair.group('left')} = {pair.group('right')}", ())
    text, is_asked = _with_limits_last(text)
    asked = _ASKED.fullmatch(text)
    body, is_asked = (asked.group("body"), True) if asked else (text, is_asked)
    for pattern in (_TRUTH_BEHIND, _HOLDS):
        match = pattern.search(body)
        if match:
            body, is_asked = body[: match.start()], True
    body, conditions, numbers = _limits(body)
    for pattern in (_TRUTH_BEHIND, _HOLDS):
        match = pattern.search(body)
        if match:
            body, is_asked = body[: match.start()], True
    if not is_asked:
        return None
    if not _RELATION_SIGN.search(body):
        body = _EQUAL_WORDS.sub(" = ", body, count=1)
    for _ in range(2):
        body = _NAMED.sub("", body, count=1) if _NAMED.match(body) else body
    return _stated(body, conditions, numbers)


def _with_limits_last(text: str) -> tuple[str, bool]:
    """`for positive a, is …` in the usual order; and whether a condition before a relation makes it a statement."""
    opening = _LIMITED_BEFORE.match(text)
    if opening is None:
        return text, False
    for cut in re.finditer(r",? then |, ?| (?=(?:is|does|do) )", text):
        rest = text[cut.end() :].rstrip(" ?")
        said = text[opening.end() : cut.start()]
        if _ASKED.fullmatch(rest):
            return f"{rest} for {said}", False
        is_relation = len(_RELATION_SIGN.findall(rest)) >= 1 and not _RELATION_SIGN.search(rest[-1:])
        if is_relation and not re.search(r"(?<![<>!])=", said):
            return f"{rest} for {said}", True
    return text, False


def _limits(text: str) -> tuple[str, tuple[Comparison, ...], Numbers]:
    """The statement without the clause that limits its symbols, and what that says."""
    found = _LIMITED.search(text)
    if found is None:
        return text, (), "real"
    said = found.group("limits").strip(" ,")
    rest = text[: found.start()]
    words = [word for word in re.split(r"[ ,]+", said.lower()) if word]
    numbers = _numbers_said(words, rest)
    words = [word for word in words if word not in word_class("algebra.counting_numbers")]
    letters = [word for word in words if re.fullmatch(_LETTER, word)]
    others = [word for word in words if word not in letters and word not in word_class("algebra.for_all")]
    if not others:
        return rest, (), numbers
    signs = word_pairs("algebra.sign_words")
    kinds = [signs[word] for word in others if word in signs]
    if len(kinds) == 1 and all(word in signs or word in ("is", "are", "both") for word in others):
        names = letters or sorted(_all_names(rest))
        return rest, tuple(_compared(f"{name} {kinds[0]}") for name in names), numbers
    return rest, tuple(_conditions(_without_kinds(said))), numbers


def _without_kinds(said: str) -> str:
    """`all natural n >= 4` without the words before what is compared."""
    idle = word_class("algebra.for_all") | word_class("algebra.counting_numbers") | {"some"}
    words = said.split()
    while words and words[0].lower() in idle - {"x"}:
        words.pop(0)
    return " ".join(words)


def _conditions(said: str) -> list[Comparison]:
    """Several conditions; letters in front of one share it: `a, b > 0`."""
    found: list[Comparison] = []
    waiting: list[str] = []
    for part in re.split(r",? and |, ?", said):
        if not _RELATION_SIGN.search(part) and re.fullmatch(_LETTER, part.strip()):
            waiting.append(part.strip())
            continue
        made = _several(part)
        if waiting and (len(made) != 1 or not isinstance(made[0].left, Symbol)):
            raise UnreadMathematicsError("no condition")
        found.extend(Comparison(Symbol(_symbol_of(name)), made[0].sign, made[0].right) for name in waiting)
        found.extend(made)
        waiting = []
    if waiting:
        raise UnreadMathematicsError("no condition")
    return found


def _numbers_said(words: Sequence[str], statement: str) -> Numbers:
    """Which numbers the symbols of a statement are said to be; all of them or none."""
    if word_class("algebra.counting_numbers").isdisjoint(words):
        return "real"
    said, names = {word for word in words if re.fullmatch(_LETTER, word)}, _all_names(statement)
    # Beside the imaginary unit these letters count, and the others are angles.
    is_counted = "i" in names and bool(said) and said <= set("kmn")
    if said not in (set(), names) and not is_counted:
        raise UnreadMathematicsError("of some symbols it is not said which numbers they are")
    return "whole" if not {"natural", "naturals"}.isdisjoint(words) else "integers"


def _all_names(text: str) -> set[str]:
    return {name for side in read_mathematics(text).sides for name in symbols_of(side)}


def _compared(text: str) -> Comparison:
    statement = read_mathematics(text)
    return Comparison(statement.sides[0], statement.signs[0], statement.sides[1])


def _several(text: str) -> list[Comparison]:
    """`a, b > 0` and `0 < x < 1`."""
    statement = read_mathematics(text)
    if not statement.signs:
        raise UnreadMathematicsError("no condition")
    sides = statement.sides
    return [Comparison(sides[n], sign, sides[n + 1]) for n, sign in enumerate(statement.signs)]


def _stated(body: str, conditions: tuple[Comparison, ...], numbers: Numbers = "real") -> Task | None:
    parts = _RELATION_SIGN.split(body)
    if len(parts) >= 2 and all(_is_measure(part.strip()) for part in parts):
        return None
    if any(is_unit_text(found.group(1)) for found in _UNIT_BEHIND.finditer(body)):
        return None
    statement = read_mathematics(body)
    if not statement.signs:
        return None
    if any(node == Symbol("infinity") for side in statement.sides for node in walk(side)):
        return None
    check_angles(statement)
    relations = tuple(
        Comparison(statement.sides[n], sign, statement.sides[n + 1]) for n, sign in enumerate(statement.signs)
    )
    # Under conditions an order between different symbols is a statement; without them it may be one about quantities.
    if any(_is_law(relation) and not (conditions and relation.sign != "=") for relation in relations):
        return None
    return Claim(relations, conditions, numbers, statement.has_bare_log, statement.notes)


def _is_measure(text: str) -> bool:
    found = _NUMBER_AND_UNIT.fullmatch(text)
    return found is not None and is_unit_text(found.group("unit").strip())


def _is_law(relation: Comparison) -> bool:
    """Whether it relates different quantities, or gives one a value: that is no statement about all numbers."""
    left, right = set(symbols_of(relation.left)), set(symbols_of(relation.right))
    if not (left <= right or right <= left):
        return True
    if not left or not right:
        side = relation.left if left else relation.right
        return bool(left or right) and _is_bare(side)
    return False


# Sums.

_SUM_NAMES = any_of("algebra.sum")
_SUM_LAST = re.compile(
    rf"(?:the )?(?P<name>{_SUM_NAMES}) of (?P<body>.+?),? (?:for|from|as|over|with|when|where) (?P<index>{_LETTER}) ?"
    r"(?:=|from|goes from|runs from|going from|ranging from|running from|in) ?(?P<low>[^ =,]{1,30}) ?"
    rf"(?:{_TO}) ?(?P<high>[^ =,]{{1,30}})",
    re.IGNORECASE,
)
_SUM_FIRST = re.compile(
    rf"(?:the )?(?P<name>{_SUM_NAMES}) (?:from|for|over) (?P<index>{_LETTER}) ?(?:=|from) ?(?P<low>[^ =,]{{1,30}}) ?"
    rf"(?:{_TO}) ?(?P<high>[^ =,]{{1,30}}) of (?P<body>.+)",
    re.IGNORECASE,
)
_SUM_SIGN = re.compile(
    rf"(?P<name>∑|Σ|∏|\\sum|\\prod)(?:\\limits)? ?_ ?[({{]? ?(?P<index>{_LETTER}) ?= ?"
    r"(?P<low>[^ (){}^=]{1,30}) ?[)}]? ?\^ ?"
    r"(?:\{(?P<high>[^{}]{1,30})\}|(?P<short>[0-9]+|[A-Za-z]|∞|\\infty)) ?(?P<body>.+)"
)


def _adding(text: str) -> Task | None:
    found = _SUM_LAST.fullmatch(text) or _SUM_FIRST.fullmatch(text) or _SUM_SIGN.fullmatch(text)
    if found is None:
        return None
    groups = found.groupdict()
    is_product = groups["name"] in ("∏", "\\prod") or word_pairs("algebra.sum").get(groups["name"].lower()) == "product"
    statement, _ = function_body(groups["body"])
    index = _symbol_of(groups["index"])
    upper = groups.get("high") or groups.get("short") or ""
    return AddUp(statement.sides[0], index, read_one(groups["low"]), read_one(upper), is_product, statement.notes)


# Relations without a word.


def _bare(text: str) -> Task | None:
    """A relation and nothing else: with a number on one side it is there to be solved, else its truth is asked for."""
    limited = _LIMITED.search(text)
    signs = len(_RELATION_SIGN.findall(text[: limited.start()] if limited else text))
    if signs not in (1, 2):
        return None
    body, conditions, numbers = _limits(text)
    statement = read_mathematics(body)
    if signs == 2:
        # Bounds on both sides of a function; other chains may be conditions.
        return (
            _stated(body, conditions, numbers) if is_order_or_call(statement) and "=" not in statement.signs else None
        )
    names = [set(symbols_of(side)) for side in statement.sides]
    if not statement.signs:
        return None
    if not any(each - {"i"} for each in names):
        # Numbers alone: a value that is given to nothing, or a statement.
        is_computed = not all(isinstance(side, Number) for side in statement.sides)
        return _stated(body, conditions, numbers) if is_computed else None
    if any(_is_bare(side) and not other for side, other in zip(statement.sides, reversed(names), strict=True)):
        # A letter alone is given a value.
        return None
    if conditions:
        return _stated(body, conditions, numbers)
    return _open_relation(body, statement, numbers)


def _open_relation(body: str, statement: Statement, numbers: Numbers) -> Task | None:
    """With one unknown alone it is solved, unless a function may make it an identity."""
    names = [set(symbols_of(side)) for side in statement.sides]
    is_called, is_single = is_order_or_call(statement), len(names[0] | names[1]) == 1
    if is_single and not is_called:
        return _solving(f"solve {body}")
    if not (is_called or all(names)):
        return None
    stated = _stated(body, (), numbers)
    is_open = is_single and statement.signs == ("=",) and not all(names)
    return replace(stated, is_bare=True) if is_open and isinstance(stated, Claim) else stated


_RULES: tuple[Callable[[str], Task | None], ...] = (
    _derivative,
    _limit,
    _adding,
    _integral,
    _rewriting,
    _solving,
    _claim,
    _evaluation,
    _bare,
)
