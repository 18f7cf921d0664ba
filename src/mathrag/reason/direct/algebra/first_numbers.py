"""Sums of the first numbers of a kind, or of all from one to another: `sum of the first 20 odd numbers`, `1 + … + n`.

The sum is computed term by term and by its closed form; both must agree.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from fractions import Fraction

from mathrag.compute.algebra.analysis import sum_to_symbol
from mathrag.compute.algebra.divisibility import NotWholeError, value_of
from mathrag.compute.algebra.polynomials import NotPolynomialError, polynomial_expression
from mathrag.compute.typed_mathematics import UnreadMathematicsError, read_one
from mathrag.language.quantities.numbers import ONES
from mathrag.language.word_classes import any_of, word_pairs
from mathrag.reason.direct.algebra.outcomes import failure, numeric
from mathrag.reason.direct.algebra.questions import task_text
from mathrag.reason.direct.algebra.wording import latex, plain
from mathrag.reason.direct.question_text import tidy, without_ending
from mathrag.reason.direct.result import AlgebraOutcome, DirectStatement
from mathrag.types.answer import WorkingLine
from mathrag.types.expression import ONE, Expression, Number, Symbol, substitute, symbols_of

_LONGEST = 160
_MOST_TERMS = 1_000_000
_MOST_ADDED = 20_000
_ASKED = r"(?:(?:what is|find|compute|calculate|give|evaluate|work out) )?(?:the )?"
_FIRST = re.compile(
    rf"{_ASKED}sum of (?:the )?first (?P<count>[0-9]{{1,7}}|{'|'.join(ONES)}|[a-z]) "
    rf"(?P<kind>{any_of('numbers_of_kinds.sequences')})",
    re.IGNORECASE,
)
_MULTIPLES = re.compile(
    rf"{_ASKED}sum of (?:the )?first (?P<count>[0-9]{{1,7}}|[a-z]) (?:positive )?multiples of (?P<factor>[0-9]{{1,6}})",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    rf"{_ASKED}sum of (?:all )?(?:the )?(?P<kind>(?:whole |natural )?numbers|integers|positive integers|squares|cubes) "
    r"(?:from|between) (?P<low>[0-9]{1,7}) (?:to|and|through|up to) (?P<high>[0-9]{1,7}|[a-z])"
    r"(?:,? (?P<inclusive>inclusive))?",
    re.IGNORECASE,
)
_DOTS = r"(?:\.\.\.|…|\\ldots|\\cdots|\\dots)"
_WRITTEN = re.compile(rf"{_ASKED}(?:sum of |sum )?(?P<terms>[^=.…]+\+ ?){_DOTS} ?\+ ?(?P<last>[^=+.…]+)", re.IGNORECASE)


def answer_first_numbers(text: str) -> AlgebraOutcome:
    """The sum of the first numbers of a kind; None for any other question."""
    if len(text) > _LONGEST:
        return None
    asked = without_ending(tidy(text))
    try:
        return _first(asked) or _between(asked) or _written(asked)
    except (UnreadMathematicsError, NotPolynomialError, NotWholeError):
        return None


def _first(asked: str) -> AlgebraOutcome:
    found = _FIRST.fullmatch(asked)
    if found is not None:
        kind = found["kind"].lower()
        term = read_one(word_pairs("numbers_of_kinds.sequences")[kind])
        note = word_pairs("numbers_of_kinds.sequence_notes").get(kind, "")
        called = kind if not note else f"{kind} ({note})"
    else:
        found = _MULTIPLES.fullmatch(asked)
        if found is None:
            return None
        called = f"positive multiples of {int(found['factor'])}"
        term = read_one(f"{int(found['factor'])} k")
    written = found["count"].lower()
    if not written.isdecimal() and written not in ONES:
        return _to_symbol(term, Symbol(written), f"the sum of the first {written} {called}")
    count = int(written) if written.isdecimal() else ONES[written]
    return _added(term, (1, count), f"the sum of the first {count} {called}")


def _between(asked: str) -> AlgebraOutcome:
    found = _BETWEEN.fullmatch(asked)
    if found is None:
        return None
    low, high = int(found["low"]), found["high"]
    kind = found["kind"].lower()
    term = read_one(word_pairs("numbers_of_kinds.sequences")[kind])
    what = f"the {kind} of all whole numbers" if kind in ("squares", "cubes") else "all whole numbers"
    name = f"the sum of {what} from {low} to {high}, both counted,"
    if high.isdecimal():
        return _added(term, (low, int(high)), name) if int(high) >= low else None
    return _to_symbol(term, Symbol(high), name, start=low) if low <= 1 else None


def _written(asked: str) -> AlgebraOutcome:
    """`1 + 4 + 9 + … + n^2`: a polynomial through the terms that are written, where the last one is of its kind."""
    found = _WRITTEN.fullmatch(asked)
    if found is None:
        return None
    terms = [value_of(read_one(each), {}) for each in found["terms"].strip(" +").split("+")]
    last = read_one(task_text(found["last"]))
    places = range(1, len(terms) + 1)
    if symbols_of(last):
        # The last term says what the others are.
        (name,) = symbols_of(last) if len(symbols_of(last)) == 1 else ("",)
        if not name or len(terms) < 2 or any(value_of(last, {name: n}) != terms[n - 1] for n in places):
            return None
        general = substitute(last, {name: Symbol("k")})
        return _to_symbol(general, Symbol(name), f"{found['terms'].strip(' +')} + … + {plain(last)}")
    if len(terms) < 3:
        return None
    if not _is_steady(terms):
        return None
    step = terms[1] - terms[0]
    end = value_of(last, {})
    count = (end - terms[0]) / step + 1
    if count.denominator != 1 or count < len(terms):
        return None
    name = f"{found['terms'].strip(' +')} + … + {end} ({int(count)} terms, each {step} more)"
    return _added(polynomial_expression((terms[0] - step, step), "k"), (1, int(count)), name)


def _is_steady(terms: Sequence[Fraction]) -> bool:
    steps = {after - before for before, after in itertools.pairwise(terms)}
    return len(steps) == 1 and steps != {0}


def _added(term: Expression, ends: tuple[int, int], name: str) -> AlgebraOutcome:
    low, high = ends
    if high - low >= _MOST_TERMS or high < low:
        return failure("too_large", f"{name}: too many terms")
    closed = sum_to_symbol(term, "k", Number(low), "n")
    if closed is None:
        return None
    value = value_of(closed, {"n": high})
    checked = "by its closed form"
    if high - low <= _MOST_ADDED:
        total = sum(value_of(term, {"k": place}) for place in range(low, high + 1))
        if total != value:
            return failure("not_confirmed", f"{name}: two ways disagree")
        checked = "added term by term, and by its closed form"
    shown = f"Σ(k={low}…{high}) {plain(term)}" if not _is_sum(term) else f"Σ(k={low}…{high}) ({plain(term)})"
    sentence = f"{name[0].upper()}{name[1:]} is {value}: {shown} ({checked})."
    exact = Number(int(value))
    return numeric(exact, None, sentence, expression=name, checked=checked, lines=(WorkingLine(f"{shown} = {value}"),))


def _is_sum(term: Expression) -> bool:
    return " + " in plain(term) or " − " in plain(term)


def _to_symbol(term: Expression, upper: Symbol, name: str, *, start: int = 1) -> AlgebraOutcome:
    closed = sum_to_symbol(term, "k", ONE if start == 1 else Number(start), upper.name)
    if closed is None:
        return None
    for count in (start, start + 1, start + 6):
        total = sum(value_of(term, {"k": place}) for place in range(start, count + 1))
        if value_of(closed, {upper.name: count}) != total:
            return failure("not_confirmed", f"{name}: two ways disagree")
    how = f"by interpolation, which is exact for a polynomial; for whole {plain(upper)} ≥ {start}"
    text = f"{name[0].upper()}{name[1:]} is {plain(closed)} ({how})."
    return DirectStatement(text, name, (WorkingLine(f"{name} = {plain(closed)}", latex(closed)),))
