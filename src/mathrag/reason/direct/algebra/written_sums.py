"""Sums as people write them: with a sign and bounds, with dots between the first terms and the last, or in words."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from mathrag.compute.algebra.lettered_powers import are_equal_for_every, linear_in
from mathrag.compute.algebra.polynomials import NotPolynomialError
from mathrag.compute.evaluate.exact import evaluate
from mathrag.compute.solve.tidy import constant_of, literal, tidied
from mathrag.compute.typed_mathematics import read_one
from mathrag.language.word_classes import any_of, word_pairs
from mathrag.types.expression import (
    Add,
    Expression,
    Number,
    Symbol,
    add,
    children,
    map_parts,
    multiply,
    negate,
    number,
    substitute,
    subtract,
    symbols_of,
)


@dataclass(frozen=True, slots=True)
class WrittenSum:
    """The body over an index from a whole number to an expression in one letter. `is_open`: the body is a sum without
    parentheses, so that some would take its first term alone."""

    body: Expression
    index: str
    start: int
    upper: Expression
    symbol: str
    is_product: bool = False
    is_open: bool = False
    note: str = ""


_LETTER = r"[A-Za-z]"
_UP = r"(?:\{[^{}]{1,30}\}|\([^()]{1,30}\)|[A-Za-z0-9])"
_NAME = r"(?P<name>\\sum|∑|Σ|[Ss]um|\\prod|∏|Π|[Pp]rod(?:uct)?)(?:\\(?:no)?limits)?"
_HEADS = (
    re.compile(
        rf"{_NAME} ?_ ?[{{(]? ?(?P<index>{_LETTER}) ?= ?(?P<low>-?[0-9]{{1,3}}) ?[)}}]? ?\^ ?(?P<high>{_UP}) ?(?:of )?"
    ),
    re.compile(
        rf"{_NAME} ?(?:_ ?)?[{{(\[]? ?(?:from |for |over )?(?P<index>{_LETTER}) ?(?:=|from) ?(?P<low>-?[0-9]{{1,3}}) ?"
        rf"(?:to|up to|\.\.\.?|…|until|through|\\l?dots) ?(?P<high>[A-Za-z0-9]{{1,3}}(?: ?[-+−] ?[0-9]{{1,2}})?) ?"
        r"[)}\]]? ?(?:of |, ?|: ?)?"
    ),
    re.compile(
        rf"{_NAME} ?_ ?\{{ ?(?P<low>[0-9]{{1,3}}) ?(?:\\leq?|<=|≤) ?(?P<index>{_LETTER}) ?(?:\\leq?|<=|≤) ?"
        r"(?P<high>[^{}]{1,20})\} ?"
    ),
)
_CALLED = re.compile(
    rf"(?P<name>[Ss]um|[Pp]rod|[Pp]roduct) ?\( ?(?P<body>.+), ?(?P<index>{_LETTER}) ?[=,] ?(?P<low>[0-9]{{1,3}}) ?"
    r"(?:\.\.\.?|,|to|…) ?(?P<high>[^(),=]{1,12})\)"
)
_LOWERED = dict(zip("₀₁₂₃₄₅₆₇₈₉₌ₖᵢⱼₙₘ", "0123456789=kijnm", strict=True))
_RAISED = dict(zip("ⁿᵐ⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "nm0123456789+-", strict=True))
_SCRIPTED = re.compile(rf"([∑Σ∏Π]) ?([{''.join(_LOWERED)}]+) ?([{''.join(_RAISED)}]+)")
_CHOICES = (
    (re.compile(r"\{ ?([^{}]{1,12}?) ?\\choose ?([^{}]{1,12}?) ?\}"), r"\\binom{\1}{\2}"),
    (re.compile(r"\b([A-Za-z0-9]{1,2}) choose ([A-Za-z0-9])\b"), r"binom(\1,\2)"),
    (re.compile(r"\b([nm])C_?([a-z0-9])\b"), r"binom(\1,\2)"),
)


def normal_signs(text: str) -> str:
    """One writing for scripts at the sign of a sum and for numbers of choices."""
    for pattern, by in _CHOICES:
        text = pattern.sub(by, text)
    return _SCRIPTED.sub(
        lambda found: (
            f"{found[1]}_{{{''.join(_LOWERED[each] for each in found[2])}}}"
            f"^{{{''.join(_RAISED[each] for each in found[3])}}} "
        ),
        text,
    )


def signed_head(text: str) -> re.Match[str] | None:
    """The sign of a sum with its bounds, where a text begins with one."""
    return next((found for head in _HEADS if (found := head.match(text))), None)


def read_sum(text: str) -> WrittenSum | None:
    """A text that is one sum; None where it is none. Raises `UnreadMathematicsError` for what is no mathematics."""
    text = text.strip()
    while text.startswith("(") and _closing(text) == len(text) - 1:
        text = text[1:-1].strip()
    head = signed_head(text)
    if head is not None:
        return _with_bounds(head, text[head.end() :])
    called = _CALLED.fullmatch(text)
    if called is not None:
        return _with_bounds(called, called["body"])
    return _with_dots(text) or _in_words(text)


def _closing(text: str) -> int:
    depth = 0
    for place, sign in enumerate(text):
        depth += (sign in "({[") - (sign in ")}]")
        if not depth:
            return place
    return -1


def _with_bounds(head: re.Match[str], body: str) -> WrittenSum | None:
    term = read_one(body)
    upper = read_one(head["high"].strip("{}() "))
    names = symbols_of(upper)
    if len(names) != 1 or names[0] == head["index"]:
        return None
    is_product = head["name"].lower() in ("\\prod", "∏", "π", "prod", "product")
    is_open = isinstance(term, Add) and not _is_enclosed(body.strip())
    return WrittenSum(term, head["index"], int(head["low"]), upper, names[0], is_product, is_open)


def _is_enclosed(body: str) -> bool:
    body = body.replace("\\left", "").replace("\\right", "").strip()
    return body[:1] in ("(", "{", "[") and _closing(body) == len(body) - 1


# Dots.

_DOTS = re.compile(r"\\(?:l|c|d|v)?dots[bcmio]?\b|…|⋯|\.(?: ?\.){1,5}")
_MOST_TERMS = 8
_STARTS = (1, 0, 2, 3, -1, 4, 5)


def _with_dots(text: str) -> WrittenSum | None:
    dots = _DOTS.search(text)
    if dots is None or _DOTS.search(text, dots.end()):
        return None
    before, after = text[: dots.start()].rstrip(), text[dots.end() :].lstrip()
    sign = after[:1]
    if before[-1:] not in ("+", "-", "−") or sign not in ("+", "-", "−"):
        return None
    shown = [read_one(part) for part in _summands(before[:-1])]
    behind = [part.strip() for part in re.split(r"\+", after[1:])] if "(" not in after else _plus_parts(after[1:])
    ends = [read_one(part) for part in behind]
    last = negate(ends[-1]) if sign in "-−" and len(ends) == 1 else ends[-1]
    if not 2 <= len(shown) <= _MOST_TERMS or not 1 <= len(ends) <= 2:
        return None
    found = _general(shown, last)
    if found is None or (len(ends) == 2 and not _same(_at(found, subtract(found.upper, number(1))), ends[0])):
        return None
    return found


def _summands(text: str) -> list[str]:
    """The summands of a text with their signs, at the outermost level."""
    parts: list[str] = []
    depth, begin = 0, 0
    for place, sign in enumerate(text):
        depth += (sign in "({[") - (sign in ")}]")
        is_sign = (
            sign in "+-−" and depth == 0 and text[begin:place].strip() and text[:place].rstrip()[-1] not in "^*/·×(_"
        )
        if is_sign:
            parts.append(text[begin:place])
            begin = place if sign in "-−" else place + 1
    return [*parts, text[begin:]]


def _plus_parts(text: str) -> list[str]:
    parts, depth, begin = [], 0, 0
    for place, sign in enumerate(text):
        depth += (sign in "({[") - (sign in ")}]")
        if sign == "+" and depth == 0:
            parts.append(text[begin:place])
            begin = place + 1
    return [*parts, text[begin:]]


def _general(shown: Sequence[Expression], last: Expression) -> WrittenSum | None:
    """The term that gives those that are shown, and the last one."""
    names = symbols_of(last)
    for symbol in [name for name in ("n", "m", "N", "k") if name in names]:
        index = next(name for name in ("k", "j", "i", "l") if name != symbol and name not in names)
        if not any(symbol in symbols_of(each) for each in shown):
            term = substitute(last, {symbol: Symbol(index)})
            for start in _STARTS:
                made = WrittenSum(term, index, start, Symbol(symbol), symbol)
                if all(_same(_at(made, number(start + place)), each) for place, each in enumerate(shown)):
                    return made
            return _arithmetic(shown, last, index, symbol)
        common = _common(shown, last, index, symbol)
        if common is not None:
            return common
    return None


def _at(made: WrittenSum, place: Expression) -> Expression:
    return substitute(made.body, {made.index: place})


def _same(one: Expression, other: Expression) -> bool:
    names = {*symbols_of(one), *symbols_of(other)}
    if not names:
        values = [evaluate(each, {}) for each in (one, other)]
        return all(isinstance(each, int | Fraction) for each in values) and values[0] == values[1]
    return are_equal_for_every(one, other, "n")


def _arithmetic(shown: Sequence[Expression], last: Expression, index: str, symbol: str) -> WrittenSum | None:
    """Numbers that differ by the same, up to one that is not written as the term of its number: 1 + 2 + … + 2n."""
    values = [constant_of(tidied(each)) for each in shown]
    known = [value for value in values if value is not None]
    if len(known) != len(values) or len(known) < 3:
        return None
    step = known[1] - known[0]
    if not step or any(after - before != step for before, after in itertools.pairwise(known)):
        return None
    try:
        factor, shift = linear_in(last, symbol)
    except NotPolynomialError:
        return None
    count, begin = Fraction(factor) / step, (shift - known[0]) / step + 1
    if count.denominator != 1 or begin.denominator != 1 or count < 1:
        return None
    term = add(multiply(literal(step), Symbol(index)), literal(known[0] - step))
    if known[0] == step:
        term = multiply(literal(step), Symbol(index)) if step != 1 else Symbol(index)
    upper = multiply(literal(count), Symbol(symbol)) if count != 1 else Symbol(symbol)
    return WrittenSum(term, index, 1, add(upper, literal(begin)) if begin else upper, symbol)


def _common(shown: Sequence[Expression], last: Expression, index: str, symbol: str) -> WrittenSum | None:
    """The term where all are alike but for a number that counts up to n: C(n, 0) + C(n, 1) + … + C(n, n)."""
    begin = _first_difference(shown[0], shown[1])
    if begin is None:
        return None
    term = _counted(shown[0], shown[1], last, index, symbol)
    if term is None:
        return None
    made = WrittenSum(term, index, begin, Symbol(symbol), symbol)
    fits = all(_at(made, number(begin + place)) == each for place, each in enumerate(shown))
    return made if fits and _at(made, Symbol(symbol)) == last else None


def _first_difference(one: Expression, other: Expression) -> int | None:
    if isinstance(one, Number) and isinstance(other, Number) and one != other:
        is_next = isinstance(one.value, int) and isinstance(other.value, int) and other.value == one.value + 1
        return int(one.value) if is_next else None
    pairs = zip(children(one), children(other), strict=False)
    return next((found for a, b in pairs if a != b and (found := _first_difference(a, b)) is not None), None)


def _counted(one: Expression, other: Expression, last: Expression, index: str, symbol: str) -> Expression | None:
    if one == other:
        return one
    if isinstance(one, Number) and isinstance(other, Number):
        return Symbol(index) if last == Symbol(symbol) else None
    parts = [children(each) for each in (one, other, last)]
    if type(one) is not type(other) or type(one) is not type(last) or len({len(each) for each in parts}) != 1:
        return None
    made = [_counted(a, b, c, index, symbol) for a, b, c in zip(*parts, strict=True)]
    if None in made:
        return None
    following = iter([each for each in made if each is not None])
    return map_parts(one, lambda _: next(following))


# Words.

_ADDED = rf"(?:the )?(?:{any_of('stated_sums.added_things')}) (?:all )?(?:the )?"
_FIRST = re.compile(
    rf"{_ADDED}(?:(?P<of>{any_of('stated_sums.of_first_numbers')}) )?(?:the )?first (?P<symbol>[A-Za-z]) "
    rf"(?P<kind>{any_of('numbers_of_kinds.sequences')})",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    rf"{_ADDED}(?:(?P<of>{any_of('stated_sums.of_first_numbers')}) )?(?:the )?(?:(?:whole |natural )?numbers|"
    r"(?:positive )?integers) (?:from )?(?P<low>[0-9]{1,3}) (?:to|up to|through) (?P<symbol>[A-Za-z])",
    re.IGNORECASE,
)
_BOUNDED = re.compile(
    rf"{_ADDED}(?P<body>.+?),? (?:for|from|as|over|with|when|where) (?:(?P<index>{_LETTER}) ?(?:=|from|goes from|runs "
    r"from|ranges from|running from|going from|in) ?)?(?P<low>-?[0-9]{1,3}) ?(?:to|up to|through|until|\.\.\.?|…) ?"
    r"(?P<high>[^ =]{1,12}(?: ?[-+−] ?[0-9]{1,2})?)",
    re.IGNORECASE,
)


def _in_words(text: str) -> WrittenSum | None:
    first = _FIRST.fullmatch(text)
    if first is not None:
        kind, of = first["kind"].lower(), (first["of"] or "").lower()
        term = read_one(word_pairs("numbers_of_kinds.sequences")[kind])
        if of:
            term = substitute(read_one(word_pairs("stated_sums.of_first_numbers")[of]), {"k": term})
        return _counted_to(term, 1, first["symbol"], word_pairs("numbers_of_kinds.sequence_notes").get(kind, ""))
    between = _BETWEEN.fullmatch(text)
    if between is not None:
        of = (between["of"] or "").lower()
        term = read_one(word_pairs("stated_sums.of_first_numbers")[of]) if of else Symbol("k")
        return _counted_to(term, int(between["low"]), between["symbol"], "")
    bounded = _BOUNDED.fullmatch(text)
    if bounded is None:
        return None
    body, upper = read_one(bounded["body"]), read_one(bounded["high"])
    names = symbols_of(upper)
    index = bounded["index"] or next((name for name in symbols_of(body) if name not in names), "")
    if len(names) != 1 or index not in symbols_of(body) or (not bounded["index"] and len(symbols_of(body)) != 1):
        return None
    return WrittenSum(body, index, int(bounded["low"]), upper, names[0])


def _counted_to(term: Expression, start: int, symbol: str, note: str) -> WrittenSum | None:
    if symbol == "k":
        return WrittenSum(substitute(term, {"k": Symbol("j")}), "j", start, Symbol("k"), "k", note=note)
    return WrittenSum(term, "k", start, Symbol(symbol), symbol, note=note)
