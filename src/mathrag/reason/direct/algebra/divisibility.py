"""Statements about whole numbers: an expression is even, odd, divisible by a number, whole, prime or a square; also of
numbers that are only described ("the sum of two odd numbers").

Divisibility is shown by all remainders, or refuted by one number. Of primes and squares only a counterexample is sure.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from mathrag.compute.algebra.divisibility import NotWholeError, Remainders, remainders, value_of
from mathrag.compute.algebra.factoring import is_certainly_prime
from mathrag.compute.algebra.identities import Comparison, try_statement
from mathrag.compute.algebra.points import point_text
from mathrag.compute.printers.plaintext import plain_symbol
from mathrag.compute.typed_mathematics import AmbiguousMathematicsError, UnreadMathematicsError, read_one
from mathrag.language.enumeration import listed
from mathrag.language.quantities.numbers import ONES
from mathrag.language.word_classes import any_of, word_pairs
from mathrag.reason.direct.algebra.questions import task_text
from mathrag.reason.direct.algebra.wording import plain
from mathrag.reason.direct.question_text import tidy, without_ending
from mathrag.reason.direct.result import AlgebraOutcome, DirectStatement
from mathrag.types.answer import WorkingLine
from mathrag.types.expression import (
    ONE,
    TWO,
    Expression,
    Number,
    Symbol,
    add,
    multiply,
    negate,
    power,
    substitute,
    symbols_of,
)

_LONGEST = 200
_MOST_SYMBOLS = 3
_SEARCHED = 1_000
_FEW_CASES = 12
_LEAST_TRIED = 10
_LARGEST_TESTED = 10**24

_OPENER = rf"(?:(?:{any_of('divisibility.openers')})[ :,]+)*"
_FOR_ALL = (
    rf"(?:{any_of('divisibility.for_all')})(?: [a-z](?:(?:, | and |, and )[a-z])*)?(?: is an integer)?"
    r"(?: (?:(?:>=|≥) ?[01]|> ?0))?"
)
_SAID = rf"(?P<said>{any_of('divisibility.properties')})(?: (?P<number>[0-9]{{1,4}}|{'|'.join(ONES)}))?"
_ALWAYS = rf"(?:(?:{any_of('divisibility.always')}) )*"
_DOES = "(?:does |is it true that |prove that |show that )?"
_STATEMENTS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:{_FOR_ALL}[,:]? )?{_OPENER}(?P<body>.+?) {_ALWAYS}{_SAID}(?:,? {_FOR_ALL})?",
        rf"(?:{_FOR_ALL}[,:]? )?{_DOES}(?P<divisor>[0-9]{{1,4}}) (?:always )?divides? (?P<body>.+?)(?:,? {_FOR_ALL})?",
        r"is (?P<divisor>[0-9]{1,4}) (?:always )?an? (?:factor|divisor) of (?P<body>.+?)(?:,? " + _FOR_ALL + ")?",
    )
)


# A condition on one letter: it is odd, or even.
_PARITY = re.compile(
    r",? ?\b(?:if|when|whenever|where|for|given that) "
    r"(?:(?P<name>[a-z]) is (?:an? )?(?P<kind>odd|even)(?: number| integer)?"
    r"|(?:all |every |any |each )?(?P<before>odd|even) (?:numbers? |integers? )?(?P<other>[a-z]))(?:, ?| then |$)",
    re.IGNORECASE,
)


def answer_divisibility(text: str) -> AlgebraOutcome:
    """Whether what is said of whole numbers is true; None for any other question."""
    if len(text) > _LONGEST:
        return None
    asked = without_ending(tidy(text)).strip()
    of_a_kind = _of_a_kind(asked)
    if of_a_kind is not None:
        return of_a_kind
    parity = _PARITY.search(asked)
    limits: dict[str, str] = {}
    if parity is not None:
        limits[parity["name"] or parity["other"]] = (parity["kind"] or parity["before"]).lower()
        asked = " ".join(f"{asked[: parity.start()]} {asked[parity.end() :]}".split())
    for pattern in _STATEMENTS:
        found = pattern.fullmatch(asked)
        if found is None:
            continue
        try:
            made = _answered(found.groupdict(), asked, limits)
        except (AmbiguousMathematicsError, UnreadMathematicsError, NotWholeError):
            continue
        if made is not None:
            return made
    return None


def _answered(said: Mapping[str, str | None], asked: str, limits: Mapping[str, str]) -> AlgebraOutcome:
    read = _property(said)
    if read is None:
        return None
    property_said, number = read
    body, named = _body(said["body"] or "")
    from_one = re.search(r"\b(?:natural|naturals|positive)\b|(?:>=|≥) ?1|> ?0", asked, re.IGNORECASE) is not None
    if limits:
        if not set(limits) <= set(symbols_of(body)) or named:
            return None
        ((name, kind),) = limits.items()
        letter = next(each for each in "kjhlmpqrs" if each not in symbols_of(body))
        said_of = substitute(body, {name: _kind(Symbol(letter), kind)})
        named = f"where {name} is {kind}, {plain(body)}, which is {plain(said_of)} with a whole {letter},"
        body = said_of
    elif property_said.endswith(" function") or (property_said in ("even", "odd") and _is_function(body, asked)):
        return _function_parity(body, property_said.split()[0])
    if len(symbols_of(body)) > _MOST_SYMBOLS or (not symbols_of(body) and property_said in ("prime", "whole")):
        return None
    match property_said:
        case "even" | "odd":
            return _by_remainders(
                _Said(body, property_said, named, from_one), 2, {0} if property_said == "even" else {1}
            )
        case "divisible":
            return _by_remainders(_Said(body, f"divisible by {number}", named, from_one), number, {0})
        case "indivisible":
            return _by_remainders(
                _Said(body, f"not divisible by {number}", named, from_one), number, set(range(1, number))
            )
        case "whole":
            return _by_remainders(_Said(body, "a whole number", named, from_one), 1, {0})
        case "prime":
            return _by_search(_Said(body, "prime", named, from_one), is_certainly_prime)
    return _by_search(_Said(body, "a square", named, from_one), _is_square)


def _property(said: Mapping[str, str | None]) -> tuple[str, int] | None:
    """What is said, and the number in it; 0 where there is none."""
    divisor = said.get("divisor")
    property_said = "divisible" if divisor else word_pairs("divisibility.properties")[(said["said"] or "").lower()]
    written = divisor or said.get("number") or ""
    number = (int(written) if written.isdecimal() else ONES[written.lower()]) if written else 0
    takes_number = property_said in ("divisible", "indivisible")
    return (property_said, number) if bool(written) == takes_number and (number >= 1 or not takes_number) else None


_EVERY = re.compile(
    rf"(?:is it true that )?(?:is|are) (?:every|each|all) (?P<kind>{any_of('divisibility.kinds')})(?: always)? {_SAID}",
    re.IGNORECASE,
)


def _of_a_kind(asked: str) -> AlgebraOutcome:
    """What is said of all primes, squares, cubes: of primes refuted by the first that lacks it, or left open."""
    found = _EVERY.fullmatch(asked)
    if found is None:
        return None
    kind = word_pairs("divisibility.kinds")[found["kind"].lower()]
    said = {"said": found["said"], "number": found["number"]}
    if kind != "prime":
        return _answered({**said, "body": kind}, asked, {})
    read = _property(said)
    if read is None or read[0] not in ("even", "odd", "divisible", "indivisible"):
        return None
    property_said, number = read
    named = {"divisible": f"divisible by {number}", "indivisible": f"not divisible by {number}"}.get(
        property_said, property_said
    )
    for prime in filter(is_certainly_prime, range(2, _SEARCHED)):
        is_divisible = prime % (number or 2) == 0
        if is_divisible != (property_said in ("even", "divisible")):
            text = f"False: {prime} is a prime number and is {_denied(named)}."
            return DirectStatement(text, asked, (WorkingLine(text),))
    text = f"No counterexample found, not proved: all prime numbers below {_SEARCHED} are {named}."
    return DirectStatement(text, asked, (WorkingLine(text),))


# What is spoken of.


def _body(text: str) -> tuple[Expression, str]:
    """An expression, and how it is to be named; numbers that are described have letters of their own."""
    described = _described(text)
    if described is not None:
        return described, f"{text.strip()}, {plain(described)} with whole {_letters(described)},"
    written = re.sub(r"\A(?:the )?(?:number|expression|function) ", "", text.strip(), flags=re.IGNORECASE)
    written = re.sub(r"\A[fgh]\([xt]\) ?= ?", "", written)
    written = str(ONES[written.lower()]) if written.lower() in ONES else written
    return read_one(task_text(written)), ""


def _letters(expression: Expression) -> str:
    return listed([plain_symbol(name) for name in symbols_of(expression)])


_NOUN = r"(?:numbers?|integers?|whole numbers?|natural numbers?)"
_KIND = rf"(?:(?P<order>consecutive|successive) )?(?:(?P<kind>odd|even) )?{_NOUN}"
_OPERATION = re.compile(
    rf"(?:the )?(?P<operation>{any_of('divisibility.operations')}) "
    rf"(?:the )?(?:(?P<count>{any_of('divisibility.counts')}) )?{_KIND}",
    re.IGNORECASE,
)


def _one(group: str, *, may_lack_noun: bool = False) -> str:
    noun = rf"(?:(?P<{group}>odd|even) )?{_NOUN}"
    alone = rf"|(?P<{group}_alone>odd|even)" if may_lack_noun else ""
    return rf"(?:an?|any|every|one) (?:{noun}{alone})"


_PAIR = re.compile(
    rf"(?:the )?(?:(?P<operation>{any_of('divisibility.operations')}) )?{_one('first', may_lack_noun=True)} "
    rf"(?P<sign>{any_of('divisibility.between')}) {_one('second')}",
    re.IGNORECASE,
)


def _described(text: str) -> Expression | None:
    """`the sum of two odd numbers`, `an odd number times an even number`."""
    asked = re.sub(r"\A(?:the )", "", text.strip(), flags=re.IGNORECASE)
    one = _OPERATION.fullmatch(asked)
    if one is not None:
        count = int(word_pairs("divisibility.counts").get((one["count"] or "").lower(), "0"))
        operation = word_pairs("divisibility.operations")[one["operation"].lower()]
        single = operation in ("^2", "^3", "2*")
        if (single and count not in (0, 1)) or (not single and count < 2):
            return None
        return _made(operation, _numbers(max(count, 1), one["kind"], in_order=bool(one["order"])))
    two = _PAIR.fullmatch(asked)
    if two is None:
        return None
    sign = word_pairs("divisibility.between")[two["sign"].lower()]
    named = two["operation"]
    if (sign == ",") != bool(named):
        return None
    operation = word_pairs("divisibility.operations")[named.lower()] if named else sign
    if operation not in ("+", "*", "-"):
        return None
    return _made(operation, [_kind(Symbol("a"), two["first"] or two["first_alone"]), _kind(Symbol("b"), two["second"])])


def _numbers(count: int, kind: str | None, *, in_order: bool) -> list[Expression]:
    if not in_order:
        return [_kind(Symbol("abcdef"[place]), kind) for place in range(count)]
    step = 2 if kind else 1
    first = _kind(Symbol("a"), kind)
    return [add(first, Number(step * place)) if place else first for place in range(count)]


def _kind(symbol: Symbol, kind: str | None) -> Expression:
    match (kind or "").lower():
        case "odd":
            return add(multiply(TWO, symbol), ONE)
        case "even":
            return multiply(TWO, symbol)
    return symbol


def _made(operation: str, numbers: list[Expression]) -> Expression:
    match operation:
        case "+":
            return add(*numbers)
        case "*":
            return multiply(*numbers)
        case "-":
            return add(numbers[0], *map(negate, numbers[1:]))
        case "^2" | "^3":
            return power(numbers[0], Number(int(operation[1:])))
    return multiply(TWO, numbers[0])


# What is said of it.


@dataclass(frozen=True, slots=True)
class _Said:
    """An expression, what is said of it, how it was described, and whether its symbols are above 0."""

    body: Expression
    said: str
    named: str = ""
    from_one: bool = False

    @property
    def numbers(self) -> str:
        """The symbols with the numbers that they stand for."""
        return f"whole numbers {_letters(self.body)}"


def _is_square(value: int) -> bool:
    return value >= 0 and math.isqrt(value) ** 2 == value


def _by_remainders(claim: _Said, modulus: int, wanted: set[int]) -> AlgebraOutcome:
    body, said = claim.body, claim.said
    if not symbols_of(body):
        return _of_a_number(body, modulus, said, wanted)
    known = remainders(body, modulus, from_one=claim.from_one)
    shown = claim.named or plain(body)
    failing = {rest: point for rest, point in known.examples.items() if rest not in wanted}
    if failing:
        return _refuted(body, shown, said, failing, is_never=len(failing) == len(known.examples))
    _confirm(body, modulus, wanted, first=(1 if claim.from_one else 0) if known.from_zero else None)
    first = f" from {1 if claim.from_one else 0} on" if known.from_zero else ""
    text = f"True for all {claim.numbers}{first}: {shown} is {said}. {_how(body, known)}"
    if claim.named:
        text = f"True: {shown} is {said}. {_how(body, known)}"
    return DirectStatement(text, shown, _table(body, known))


def _of_a_number(body: Expression, modulus: int, said: str, wanted: set[int]) -> AlgebraOutcome:
    value = value_of(body, {})
    if value.denominator != 1:
        return None
    rest = int(value) % modulus
    is_so = rest in wanted
    text = f"{'Yes' if is_so else 'No'}: {plain(body)} is {said if is_so else _denied(said)}: "
    text += f"{int(value)} = {modulus} × {int(value) // modulus}" + (f" + {rest}." if rest else ".")
    return DirectStatement(text.replace("-", "−"), plain(body), (WorkingLine(f"{int(value)} mod {modulus} = {rest}"),))


def _denied(said: str) -> str:
    return said.removeprefix("not ") if said.startswith("not ") else f"not {said}"


def _refuted(
    body: Expression, shown: str, said: str, failing: Mapping[int, dict[str, int]], *, is_never: bool
) -> DirectStatement:
    point = min(failing.values(), key=lambda each: sum(each.values()))
    value = value_of(body, point)
    at = ", ".join(f"{plain_symbol(name)} = {count}" for name, count in point.items())
    number = f"{value.numerator}" if value.denominator == 1 else f"{value.numerator}/{value.denominator}"
    never = f" It is never {said}." if is_never and not said.startswith("not ") else ""
    text = f"False: at {at}, {plain(body)} is {number.replace('-', '−')}, which is {_denied(said)}.{never}"
    return DirectStatement(text, shown, (WorkingLine(f"at {at}: {number}"),))


def _how(body: Expression, known: Remainders) -> str:
    cases = f"Shown by the remainders of {_letters(body)}: all {known.cases} cases of one period"
    if known.modulus == 1:
        return f"{cases} give whole numbers."
    return f"{cases} were computed modulo {known.modulus}."


def _table(body: Expression, known: Remainders) -> tuple[WorkingLine, ...]:
    names = symbols_of(body)
    if len(names) != 1 or known.cases > _FEW_CASES or known.from_zero:
        return (WorkingLine(f"{plain(body)} modulo {known.modulus}: {sorted(known.examples)}"),)
    name = plain_symbol(names[0])
    return tuple(
        WorkingLine(f"{name} = {place}: {value} = {known.modulus} × {value // known.modulus}")
        for place in range(known.cases)
        if (value := int(value_of(body, {names[0]: place}))) % known.modulus == 0
    ) or (WorkingLine(f"{plain(body)} modulo {known.modulus}: {sorted(known.examples)}"),)


def _confirm(body: Expression, modulus: int, wanted: set[int], *, first: int | None) -> None:
    """The same by plain numbers, far from the first period too."""
    names = symbols_of(body)
    places = (-23, -8, -1, 0, 1, 5, 31) if first is None else (first, 1, 2, 3, 17, 40)
    for values in itertools.product(places, repeat=len(names)):
        value = value_of(body, dict(zip(names, values, strict=True)))
        if value.denominator != 1 or int(value) % modulus not in wanted:
            raise AssertionError("the remainders disagree with the numbers")


def _by_search(claim: _Said, is_so: Callable[[int], bool]) -> AlgebraOutcome:
    """A property without a proof here: refuted by the first number that lacks it."""
    body, said = claim.body, claim.said
    names = symbols_of(body)
    if not names:
        value = value_of(body, {})
        return None if value.denominator != 1 else _plainly(body, int(value), said, is_so=is_so(int(value)))
    if len(names) != 1:
        return None
    first = place = 1 if claim.from_one else 0
    for place in range(first, _SEARCHED):
        value = value_of(body, {names[0]: place})
        if value.denominator != 1 or abs(value) > _LARGEST_TESTED:
            break
        if not is_so(int(value)):
            why = _factors(int(value)) if said == "prime" else ""
            at = f"{plain_symbol(names[0])} = {place}"
            text = f"False: at {at}, {plain(body)} is {int(value)}{why}, which is not {said}.".replace("-", "−")
            return DirectStatement(text, plain(body), (WorkingLine(f"at {at}: {int(value)}{why}"),))
    if place - first < _LEAST_TRIED:
        return None
    text = f"No counterexample found, not proved: {plain(body)} is {said} for {names[0]} = {first} to {place - 1}."
    return DirectStatement(text, plain(body), (WorkingLine(text),))


# Even and odd functions.


def _is_function(body: Expression, asked: str) -> bool:
    """Whether even and odd are said of a function: its letter is none for whole numbers, and these are not named."""
    is_named = re.search(r"\b(?:integers?|whole|natural|numbers?)\b", asked, re.IGNORECASE) is not None
    return not is_named and symbols_of(body) in (("x",), ("t",), ("theta",))


def _function_parity(body: Expression, said: str) -> AlgebraOutcome:
    if len(symbols_of(body)) != 1:
        return None
    (name,) = symbols_of(body)
    turned = substitute(body, {name: negate(Symbol(name))})
    wanted = body if said == "even" else negate(body)
    trial = try_statement(Comparison(turned, "=", wanted))
    shown = f"{plain(body)} is {{}} {'an even' if said == 'even' else 'an odd'} function of {plain_symbol(name)}"
    law = f"f(−{name}) = {'' if said == 'even' else '−'}f({name})"
    if trial.verdict == "refuted" and trial.counterexample is not None:
        at = point_text(trial.counterexample.point)
        left, right = trial.counterexample.left.shown(), trial.counterexample.right.shown()
        text = f"No: {shown.format('not')}: {law} fails at {at}, where the sides are {left} and {right}."
    elif trial.verdict == "by_algebra":
        text = f"Yes: {shown.format('')}: {law} (shown by algebra).".replace("is  ", "is ")
    elif trial.verdict == "held":
        text = f"No counterexample found, not proved: {shown.format('')}: {law} held at {trial.held} points."
        text = text.replace("is  ", "is ")
    else:
        return None
    return DirectStatement(text, plain(body), (WorkingLine(text),))


def _plainly(body: Expression, value: int, said: str, *, is_so: bool) -> DirectStatement:
    root = f": {math.isqrt(value)}² = {value}" if is_so and said == "a square" else ""
    text = f"{'Yes' if is_so else 'No'}: {plain(body)} is {'' if is_so else 'not '}the square of a whole number{root}."
    return DirectStatement(text, plain(body), (WorkingLine(text),))


def _factors(value: int) -> str:
    divisor = next((each for each in range(2, min(math.isqrt(max(value, 0)), 10**6) + 1) if value % each == 0), None)
    return f" = {divisor} × {value // divisor}" if divisor is not None else ""
