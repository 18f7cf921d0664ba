"""Questions about series: a function expanded about a place, an infinite sum, whether one converges."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mathrag.compute.algebra.analysis import INFINITY
from mathrag.compute.algebra.expansions import HIGHEST_ORDER, taylor
from mathrag.compute.algebra.infinite_sums import InfiniteSum, infinite_sum
from mathrag.compute.algebra.points import shown_number, value_at
from mathrag.compute.evaluate.failure import Failure
from mathrag.compute.printers.plaintext import plain_symbol
from mathrag.compute.solve.tidy import constant_of, tidied
from mathrag.compute.typed_mathematics import UnreadMathematicsError, read_one
from mathrag.language.quantities.numbers import ONES
from mathrag.language.word_classes import any_of, word_pairs
from mathrag.reason.direct.algebra.outcomes import failure, numeric
from mathrag.reason.direct.algebra.questions import AddUp, function_body, task_text, variable_of
from mathrag.reason.direct.algebra.wording import latex, line, number_with_digits, plain
from mathrag.reason.direct.result import AlgebraOutcome, DirectStatement
from mathrag.types.answer import WorkingLine
from mathrag.types.expression import Expression, symbols_of

_LONGEST = 300
_DEFAULT_ORDER = 5

# Expansions.

_COUNT = rf"[0-9]{{1,2}}|{any_of('algebra.orders')}|{'|'.join(ONES)}"
_SERIES = rf"(?P<kind>{any_of('algebra.expansion')})"
_EXPANSION = (
    re.compile(
        rf"(?:(?P<first>{_COUNT})(?:st|nd|rd|th)?[ -](?:order|degree) )?{_SERIES}"
        rf"(?: of (?:order|degree) (?P<second>{_COUNT}))? (?:of|for) (?P<body>.+)",
        re.IGNORECASE,
    ),
    re.compile(rf"expand (?P<body>.+?) (?:as|in|into) (?:an? |its |the )?{_SERIES}(?P<rest>.*)", re.IGNORECASE),
)
_ORDER = re.compile(
    rf",? (?:up to|to|through|until|with terms up to|including)(?: and including)? (?:the |terms of |terms up to )?"
    rf"(?:(?:order|degree|power) (?P<after>{_COUNT})|(?P<before>{_COUNT})(?:st|nd|rd|th)?[ -](?:order|degree|"
    r"power)(?: terms?)?"
    r"|(?:the )?(?:term (?:in|with) )?[A-Za-z]\^?(?P<raised>[0-9²³⁴⁵⁶])(?:[ -]?terms?)?)$",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    rf",? (?:{any_of('algebra.about')}) (?:the point )?(?:(?P<symbol>[A-Za-z]) ?= ?)?(?P<place>[^ ,=]{{1,30}})$",
    re.IGNORECASE,
)


def answer_series(text: str) -> AlgebraOutcome:
    """An expansion, or whether an infinite sum converges; None for any other question."""
    if len(text) > _LONGEST:
        return None
    asked = task_text(text)
    try:
        return _expanded(asked) or _converging(asked)
    except UnreadMathematicsError:
        return None


def _expanded(asked: str) -> AlgebraOutcome:
    found = next((match for pattern in _EXPANSION if (match := pattern.fullmatch(asked))), None)
    if found is None:
        return None
    body = f"{found['body']}{found.groupdict().get('rest') or ''}"
    ahead = found.groupdict().get("first") or found.groupdict().get("second")
    order = None if ahead is None else _number(ahead)
    place, symbol = "0", ""
    for _ in range(2):
        if (said := _ORDER.search(body)) is not None:
            order, body = _count(said), body[: said.start()]
        if (where := _ABOUT.search(body)) is not None:
            place, symbol, body = where["place"], where["symbol"] or "", body[: where.start()]
    statement, named = function_body(body)
    function = statement.sides[0]
    variable = variable_of(function, symbol or named)
    if set(symbols_of(function)) != {variable}:
        return None
    centre = read_one(place)
    if symbols_of(centre):
        return None
    wanted = _DEFAULT_ORDER if order is None else order
    made = taylor(function, variable, centre, wanted)
    name = plain_symbol(variable)
    head = f"{plain(function)} about {name} = {plain(centre)}, up to order {wanted}"
    if isinstance(made, Failure):
        reason = (
            f"orders go up to {HIGHEST_ORDER}" if made.code == "too_large" and wanted > HIGHEST_ORDER else made.message
        )
        return failure(made.code, f"{head}: {reason}")
    checked = "by its derivatives there; values nearby confirm how fast the rest falls"
    text = f"{head}: {plain(made)} ({checked})."
    notes = (*statement.notes, *((f"no order was said: {wanted} is taken",) if order is None else ()))
    return DirectStatement(
        text,
        head,
        (WorkingLine(f"{plain(function)} ≈ {plain(made)}", rf"{latex(function)} \approx {latex(made)}"),),
        notes,
    )


def _count(said: re.Match[str]) -> int:
    return _number(said["after"] or said["before"] or said["raised"])


def _number(written: str) -> int:
    written = written.lower()
    if written in "²³⁴⁵⁶":
        return "²³⁴⁵⁶".index(written) + 2
    if written.isdecimal():
        return int(written)
    return int(word_pairs("algebra.orders").get(written) or ONES[written])


# Infinite sums.

_CONVERGES = (
    re.compile(rf"(?:does|do|will|would) (?P<body>.+?) (?P<asked>{any_of('algebra.converge')})", re.IGNORECASE),
    re.compile(rf"(?:is|are) (?P<body>.+?) (?P<asked>{any_of('algebra.convergent')})", re.IGNORECASE),
    re.compile(r"(?P<asked>convergence|divergence) of (?P<body>.+)", re.IGNORECASE),
)
_SUMMED = re.compile(
    rf"(?:the )?(?:infinite )?(?:{any_of('algebra.series_names')})(?: of| over| with terms)? (?P<body>.+)",
    re.IGNORECASE,
)
_FROM = re.compile(
    r",? (?:(?:for|from|over|with) )?(?P<index>[A-Za-z]) ?(?:=|from) ?(?P<low>[0-9]{1,3}) ?(?:to|\.\.\.?|"
    r"…|up to) ?(?:infinity|∞)$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Sum:
    body: Expression
    index: str
    start: int
    is_start_said: bool


def _converging(asked: str) -> AlgebraOutcome:
    found = next((match for pattern in _CONVERGES if (match := pattern.fullmatch(asked))), None)
    if found is None:
        return None
    read = _read_sum(found["body"].strip(" ,"))
    if read is None:
        return None
    known = infinite_sum(read.body, read.index, read.start)
    name = plain_symbol(read.index)
    head = f"Σ({name}={read.start}…∞) {plain(read.body)}"
    if isinstance(known, Failure):
        return failure(known.code, f"{head}: {known.message}")
    notes = () if read.is_start_said else (f"no first index was said: {name} = {read.start} is taken",)
    return _told(known, head, "", notes, index=name)


def _read_sum(text: str) -> _Sum | None:
    names = word_pairs("algebra.known_series")
    plainly = re.sub(r"^(?:the )", "", text.lower())
    called = next((name for name in sorted(names, key=len, reverse=True) if plainly.startswith(name)), None)
    written = names[called] if called is not None else ""
    rest = plainly[len(called) :].strip(" ,:") if called is not None else text
    if called is not None and not rest:
        body, bounds = written, None
    else:
        summed = _SUMMED.fullmatch(rest)
        if summed is None:
            return None
        body = summed["body"]
        bounds = _FROM.search(body)
        body = body[: bounds.start()] if bounds is not None else body
    expression = read_one(body.strip(" ,:"))
    if called is not None and rest and tidied(expression) != tidied(read_one(written)):
        return None
    index = bounds["index"] if bounds is not None else next(iter(symbols_of(expression)), "")
    if symbols_of(expression) != (index,):
        return None
    start = int(bounds["low"]) if bounds is not None else 1
    return _Sum(expression, index, start, bounds is not None)


def added_to_infinity(task: AddUp, head: str, head_latex: str) -> AlgebraOutcome:
    """The sum over all whole numbers from a bound on: its value, that it diverges, or that neither is known."""
    start = constant_of(tidied(task.lower))
    if start is None or start.denominator != 1 or task.is_product or task.upper != INFINITY:
        return failure("unsolved", f"{head}: infinite sums are taken from a whole number on")
    known = infinite_sum(task.body, task.index, int(start))
    if isinstance(known, Failure):
        return failure(known.code, f"{head}: {known.message}")
    return _told(known, head, head_latex, task.notes, index=plain_symbol(task.index))


def _told(known: InfiniteSum, head: str, head_latex: str, notes: tuple[str, ...], *, index: str) -> AlgebraOutcome:
    test = re.sub(r"\bn\b", index, known.test)
    if not known.converges:
        text = f"{head} diverges: it has no finite value ({test})."
        return DirectStatement(text, head, (WorkingLine(f"{head} diverges"),), notes)
    if known.exact is not None:
        number = float(value_at(known.exact, {}).real)
        sentence = f"{head} converges, to {number_with_digits(known.exact, number)} ({test})."
        made = (line(head, head_latex, known.exact),) if head_latex else ()
        return numeric(
            known.exact, number, sentence, expression=head, checked=f"closed form; {test}", lines=made, notes=notes
        )
    if known.number is not None:
        sentence = (
            f"{head} converges, to ≈ {shown_number(known.number, 10)} ({test}; the value was added up numerically)."
        )
        return numeric(
            None,
            float(f"{known.number:.10g}"),
            sentence,
            expression=head,
            checked=f"added up numerically; {test}",
            notes=notes,
        )
    text = f"{head} converges ({test}); no closed form of its value is known here."
    return DirectStatement(text, head, (WorkingLine(f"{head} converges"),), notes)
