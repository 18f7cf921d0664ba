"""Where a polynomial in one unknown is greatest or least, everywhere or on an interval, and its local extremes; also a
quadratic with its square completed and its extreme told."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from mathrag.compute.algebra.polynomial_parts import completed_square
from mathrag.compute.algebra.polynomials import NotPolynomialError, Polynomial, derived, polynomial_of, roots_of
from mathrag.compute.algebra.polynomials import value_at as polynomial_value
from mathrag.compute.algebra.surds import NotSurdError, surd_expression, surd_of
from mathrag.compute.printers.plaintext import plain_symbol
from mathrag.compute.solve.tidy import constant_of, literal, tidied
from mathrag.compute.typed_mathematics import AmbiguousMathematicsError, UnreadMathematicsError, read_one
from mathrag.language.enumeration import listed
from mathrag.language.word_classes import any_of, word_pairs
from mathrag.reason.direct.algebra.outcomes import failure
from mathrag.reason.direct.algebra.polynomials import answer_polynomials
from mathrag.reason.direct.algebra.questions import function_body, task_text
from mathrag.reason.direct.algebra.wording import plain
from mathrag.reason.direct.result import AlgebraOutcome, DirectStatement
from mathrag.types.answer import WorkingLine
from mathrag.types.expression import Expression, substitute, symbols_of

_LONGEST = 240
_SQUARE = re.compile(
    rf"(?P<square>(?:{any_of('polynomials.square')})[ :,]* ?.+?)[,;.]? (?:and|then|and hence|hence|and then|and so|to)"
    rf"(?: state| find| give| write down| determine| read off| tell me| say)?"
    rf" (?:{any_of('number_forms.stated_extreme')})"
    r"(?: of (?:it|the (?:function|expression|quadratic|parabola|curve)))?",
    re.IGNORECASE,
)
_EXTREME = re.compile(
    rf"(?:the )?(?P<word>{any_of('number_forms.make_extreme')})\b:? ?(?:the )?(?:function |expression |value of |"
    r"quadratic |profit |revenue )?(?P<body>.+)",
    re.IGNORECASE,
)
_TOLD = re.compile(
    r"(?P<told>[^0-9=.?]{3,160})\b[A-Za-z](?: ?\( ?[a-z] ?\))? ?= ?(?P<body>[-−0-9a-z^²+*/. ()]*[0-9a-z²)])"
    r"(?:,? [^0-9=.?]{1,60})?[.?,;] (?:what is|find|determine|what will be)(?: (?:its|the))? "
    rf"(?P<word>{any_of('polynomials.extremes')}) (?P<noun>[a-z]+)"
    r"(?: (?:of|that|it|the|reached|reach)\b[^0-9=.?]{0,60})?",
    re.IGNORECASE,
)
_ON = re.compile(
    r",? (?:on|over|in|for|with|where|subject to) (?:[a-z] (?:in|∈|\\in) ?)?(?:the interval )?"
    r"(?:\[(?P<low>[^,\[\]]{1,12}), ?(?P<high>[^,\[\]]{1,12})\]"
    r"|(?P<least>[^<>≤=]{1,12}) ?(?:<=|≤|\\leq?) ?[a-z] ?(?:<=|≤|\\leq?) ?(?P<most>[^<>≤=]{1,12}))\Z"
)


@dataclass(frozen=True, slots=True)
class _Place:
    """A place with the value there, and how the polynomial turns: 1 for a minimum, −1 for a maximum, 0 for neither."""

    at: Expression
    value: Expression
    number: float
    turn: int


def answer_extremes(text: str) -> AlgebraOutcome:
    """The greatest and least values; None for any other question."""
    if len(text) > _LONGEST:
        return None
    asked = task_text(text)
    try:
        return _squared(asked) or _extreme(asked) or _told(asked)
    except (UnreadMathematicsError, AmbiguousMathematicsError, NotPolynomialError, NotSurdError):
        return None


def _squared(asked: str) -> AlgebraOutcome:
    found = _SQUARE.fullmatch(asked)
    if found is None:
        return None
    done = answer_polynomials(found["square"])
    if not isinstance(done, DirectStatement):
        return None
    body = read_one(done.expression)
    (symbol,) = symbols_of(body)
    leading, shift, constant = completed_square(polynomial_of(body, symbol))
    kind = "least" if leading > 0 else "greatest"
    other = "minimum" if leading > 0 else "maximum"
    at = f"{plain_symbol(symbol)} = {plain(literal(-shift))}"
    said = f"Its {other} (the {kind} value) is {plain(literal(constant))}, at {at}, where the square is 0"
    no = f"it has no {'maximum' if leading > 0 else 'minimum'}"
    return DirectStatement(f"{done.text} {said}; {no}.", done.expression, (*done.lines, WorkingLine(said)), done.notes)


def _extreme(asked: str) -> AlgebraOutcome:
    found = _EXTREME.fullmatch(asked)
    if found is None:
        return None
    wanted = word_pairs("number_forms.make_extreme")[found["word"].lower()]
    body, bounds = found["body"], None
    span = _ON.search(body)
    if span is not None:
        bounds = tuple(
            constant_of(tidied(read_one(span[one] or span[other])))
            for one, other in (("low", "least"), ("high", "most"))
        )
        body = body[: span.start()]
    statement, _ = function_body(body)
    whole = statement.sides[0]
    names = symbols_of(whole)
    if len(names) != 1:
        return None
    polynomial = polynomial_of(whole, names[0])
    if len(polynomial) < 3 and not (bounds and len(polynomial) == 2):
        return None
    places = _places(whole, polynomial, names[0])
    if places is None:
        return failure("unsolved", f"{plain(whole)}: the places where it is flat have no short form here")
    if bounds is None:
        return _everywhere(whole, polynomial, names[0], places, wanted)
    low, high = bounds
    if low is None or high is None or low >= high:
        return None
    return _between(whole, polynomial, names[0], places, (low, high), wanted)


def _told(asked: str) -> AlgebraOutcome:
    """The extreme of a quantity whose formula the question tells: "The height is h = 20t − 5t². What is its maximum
    height?" The quantity that is asked for must be the one that was told."""
    found = _TOLD.fullmatch(asked)
    if found is None or found["noun"].lower() not in (*re.findall(r"[a-z]+", found["told"].lower()), "value"):
        return None
    wanted = word_pairs("polynomials.extremes")[found["word"].lower()]
    return _extreme(f"{'min' if wanted == 'least' else 'max'} {found['body']}")


def _places(whole: Expression, polynomial: Polynomial, symbol: str) -> list[_Place] | None:
    slope = derived(polynomial)
    found: list[_Place] = []
    flat = roots_of(slope).real if len(slope) > 1 else ()
    for index, root in enumerate(flat):
        if root.exact is None:
            return None
        before = flat[index - 1].high if index else root.low - 2
        after = flat[index + 1].low if index + 1 < len(flat) else root.high + 2
        left, right = (polynomial_value(slope, each) for each in ((before + root.low) / 2, (after + root.high) / 2))
        turn = 0 if left * right > 0 else 1 if left < 0 else -1
        value = surd_expression(surd_of(substitute(whole, {symbol: root.exact})))
        found.append(_Place(root.exact, value, root.value, turn))
    return found


def _everywhere(
    whole: Expression, polynomial: Polynomial, symbol: str, places: list[_Place], wanted: str
) -> DirectStatement:
    name, head = plain_symbol(symbol), plain(whole)
    is_even, is_up = len(polynomial) % 2 == 1, polynomial[-1] > 0
    said: list[str] = []
    for kind, turn in (("greatest", -1), ("least", 1)):
        if wanted not in (kind, "both"):
            continue
        if is_even and is_up == (turn == 1):
            values = {each: _number_of(polynomial, each) for each in places}
            best = min(values.values()) if turn == 1 else max(values.values())
            near = [each for each, value in values.items() if abs(value - best) <= 1e-12 * max(1.0, abs(best))]
            at = listed([f"{name} = {plain(each.at)}" for each in near])
            word = "minimum" if turn == 1 else "maximum"
            said.append(f"the {kind} value (global {word}) of {head} is {plain(near[0].value)}, at {at}")
        else:
            way = "grows" if turn == -1 else "falls"
            said.append(f"{head} has no {kind} value: it {way} beyond every bound (for real {name})")
    for each in places:
        is_told = each.turn and (wanted == "both" or not is_even)
        if is_told and not (is_even and len(places) == 1):
            word = "minimum" if each.turn == 1 else "maximum"
            said.append(f"there is a local {word} at {name} = {plain(each.at)}, of value {plain(each.value)}")
        elif not each.turn and wanted == "both":
            said.append(f"at {name} = {plain(each.at)} it is flat without an extreme, of value {plain(each.value)}")
    return _stated(said, head, "at all zeros of the derivative, with its signs between them")


def _number_of(polynomial: Polynomial, place: _Place) -> float:
    return float(polynomial_value(polynomial, Fraction(place.number)))


def _between(
    whole: Expression,
    polynomial: Polynomial,
    symbol: str,
    places: list[_Place],
    bounds: tuple[Fraction, Fraction],
    wanted: str,
) -> DirectStatement:
    name, head = plain_symbol(symbol), plain(whole)
    ends = [_Place(literal(end), literal(polynomial_value(polynomial, end)), float(end), 0) for end in bounds]
    inside = [each for each in places if float(bounds[0]) < each.number < float(bounds[1])]
    values = {each: _number_of(polynomial, each) for each in (*ends, *inside)}
    span = f"{plain(literal(bounds[0]))} ≤ {name} ≤ {plain(literal(bounds[1]))}"
    said: list[str] = []
    for kind in ("greatest", "least"):
        if wanted in (kind, "both"):
            best = max(values.values()) if kind == "greatest" else min(values.values())
            near = [each for each, value in values.items() if abs(value - best) <= 1e-12 * max(1.0, abs(best))]
            at = listed([f"{name} = {plain(each.at)}" for each in near])
            said.append(f"on {span} the {kind} value of {head} is {plain(near[0].value)}, at {at}")
    return _stated(said, head, "compared at both ends and at all zeros of the derivative between them")


def _stated(said: list[str], head: str, checked: str) -> DirectStatement:
    text = "; ".join(said)
    text = f"{text[:1].upper()}{text[1:]}" if text.startswith(("the ", "there ", "on ")) else text
    return DirectStatement(f"{text} ({checked}).", head, tuple(map(WorkingLine, said)))
