"""Whether a number is rational, and decimals that repeat for ever: `is sqrt(2) rational`, `is 0.999... = 1`.

Roots, logarithms and repeating decimals are decided by whole numbers alone. That π and e are irrational is a theorem
that is told, not shown.
"""

from __future__ import annotations

import re
from fractions import Fraction

from mathrag.compute.solve.tidy import constant_of, literal, tidied
from mathrag.compute.typed_mathematics import (
    AmbiguousMathematicsError,
    UnreadMathematicsError,
    read_mathematics,
    read_one,
)
from mathrag.language.word_classes import any_of, word_pairs
from mathrag.reason.direct.algebra.outcomes import numeric
from mathrag.reason.direct.algebra.questions import task_text
from mathrag.reason.direct.algebra.wording import plain
from mathrag.reason.direct.question_text import tidy, without_ending
from mathrag.reason.direct.result import AlgebraOutcome, DirectStatement
from mathrag.types.answer import WorkingLine
from mathrag.types.expression import (
    Add,
    Call,
    Divide,
    Expression,
    MathConstant,
    Multiply,
    Negate,
    Power,
    symbols_of,
    walk,
)

_LONGEST = 160
_IS = re.compile(
    r"(?:is|are|is it true that|true or false:?) (?:the number )?(?P<body>.+?) (?:is )?(?:an? )?"
    rf"(?P<kind>{any_of('numbers_of_kinds.kinds')})"
    rf"(?: or (?:an? )?(?:{any_of('numbers_of_kinds.kinds')}))?",
    re.IGNORECASE,
)


def answer_number_kinds(text: str) -> AlgebraOutcome:
    """Whether a number is rational, or what a repeating decimal is; None for any other question."""
    if len(text) > _LONGEST:
        return None
    try:
        asked = without_ending(tidy(text))
        return _repeating(tidy(text)) or _rational(asked) or _plainly(asked)
    except (UnreadMathematicsError, AmbiguousMathematicsError, OverflowError):
        return None


# Rational or not.


def _rational(asked: str) -> AlgebraOutcome:
    found = _IS.fullmatch(asked)
    if found is None:
        return None
    body = read_one(task_text(found["body"]))
    if symbols_of(body):
        return None
    known = _kind(body)
    if known is None:
        return None
    is_rational, why = known
    kind = word_pairs("numbers_of_kinds.kinds")[found["kind"].lower()]
    if kind == "surd":
        return _surd(body, why, is_rational=is_rational)
    is_so = is_rational == (kind == "rational")
    verdict = "Yes" if is_so else "No"
    if re.search(r" or (?:an? )?(?:ir)?rational", asked, re.IGNORECASE):
        verdict = "Rational" if is_rational else "Irrational"
    text = f"{verdict}: {plain(body)} is {'rational' if is_rational else 'irrational'}: {why}."
    return DirectStatement(text, plain(body), (WorkingLine(text),))


def _surd(body: Expression, why: str, *, is_rational: bool) -> AlgebraOutcome:
    """A surd has a root that is no rational number; what has no root at all is not judged here."""
    roots = [node for node in walk(body) if isinstance(node, Call) and node.function in ("sqrt", "cbrt")]
    # Several roots may come to a rational number, each being none.
    if not roots or (is_rational and len(roots) > 1):
        return None
    verdict = "No" if is_rational else "Yes"
    kind = "rational, so it is no surd" if is_rational else "irrational and written with a root, so it is a surd"
    text = f"{verdict}: {plain(body)} is {kind}: {why}."
    return DirectStatement(text, plain(body), (WorkingLine(text),))


_PLAIN = re.compile(
    rf"is (?:the number )?(?P<body>[-−+0-9][^a-z]*|zero) (?P<kind>{any_of('numbers_of_kinds.plain_kinds')})",
    re.IGNORECASE,
)


def _plainly(asked: str) -> AlgebraOutcome:
    """Whether a fraction is whole, natural, positive or negative."""
    found = _PLAIN.fullmatch(asked)
    if found is None:
        return None
    kind = word_pairs("numbers_of_kinds.plain_kinds")[found["kind"].lower()]
    body = read_one("0" if found["body"].lower() == "zero" else task_text(found["body"]))
    value = constant_of(tidied(body))
    if value is None:
        return None
    whole = value.denominator == 1
    shown = plain(body)
    if kind == "natural" and value == 0:
        text = "It depends on the convention: many authors begin the natural numbers with 0, many others with 1."
        return DirectStatement(text, shown, (WorkingLine(text),))
    is_so, why = {
        "integer": (whole, f"it is {plain(literal(value))}"),
        "natural": (whole and value > 0, f"it is {plain(literal(value))}; natural numbers are whole and not negative"),
        "positive": (value > 0, "positive means greater than 0"),
        "negative": (value < 0, "negative means less than 0"),
    }[kind]
    named = {"integer": "an integer", "natural": "a natural number"}.get(kind, kind)
    text = f"{'Yes' if is_so else 'No'}: {shown} is {'' if is_so else 'not '}{named}: {why}."
    return DirectStatement(text, shown, (WorkingLine(text),))


def _kind(node: Expression) -> tuple[bool, str] | None:
    """Whether a number is rational, with the reason; None where that is not decided here."""
    value = constant_of(tidied(node))
    if value is not None:
        return True, f"it is {plain(literal(value))}, a quotient of whole numbers"
    match node:
        case MathConstant():
            return False, "a theorem of Lambert (1761); it is told here, not shown"
        case Call("exp", (inner,)) if (power := constant_of(tidied(inner))) is not None and power:
            return False, "e to any rational power but 0 is irrational, a theorem; it is told here, not shown"
        case Negate(operand):
            return _kind(operand)
        case Call() | Power() | Divide(Call("log"), Call("log")):
            return _root_or_logarithm(node)
        case Add(parts) | Multiply(parts):
            return _with_rational(parts, is_product=isinstance(node, Multiply))
        case Divide(above, below):
            return _with_rational((above, below), is_product=True)
    return None


def _root_or_logarithm(node: Expression) -> tuple[bool, str] | None:
    match node:
        case Call("sqrt", (inner,)):
            return _root(constant_of(tidied(inner)), 2)
        case Call("cbrt", (inner,)):
            return _root(constant_of(tidied(inner)), 3)
        case Power(base, exponent):
            raised = constant_of(tidied(exponent))
            of = constant_of(tidied(base))
            if raised is None or of is None or raised.denominator == 1 or of <= 0:
                return None
            return _root(of**raised.numerator if abs(raised.numerator) < 20 else None, raised.denominator)
        case Call("log2" | "log10" as function, (inner,)):
            return _logarithm(constant_of(tidied(inner)), Fraction(2 if function == "log2" else 10))
        case Divide(Call("log", (above,)), Call("log", (below,))):
            return _logarithm(constant_of(tidied(above)), constant_of(tidied(below)))
    return None


def _with_rational(parts: tuple[Expression, ...], *, is_product: bool) -> tuple[bool, str] | None:
    """One irrational number and rational ones besides it; two irrational ones may give anything."""
    rational = [part for part in parts if constant_of(tidied(part)) is not None]
    others = [part for part in parts if part not in rational]
    if len(others) != 1 or len(rational) != len(parts) - 1:
        return None
    if is_product and any(constant_of(tidied(part)) == 0 for part in rational):
        return None
    known = _kind(others[0])
    if known is None or known[0]:
        return None
    way = "multiplied or divided with a rational number that is not 0" if is_product else "with a rational number added"
    return False, f"{plain(others[0])} is irrational ({known[1]}), and {way} it stays so"


def _root(value: Fraction | None, degree: int) -> tuple[bool, str] | None:
    if value is None or value < 0 or max(value.numerator, value.denominator) > 10**30:
        return None
    roots = [_whole_root(each, degree) for each in (value.numerator, value.denominator)]
    if None not in roots:
        return True, f"it is {plain(literal(Fraction(roots[0] or 0, roots[1] or 1)))}"
    name = {2: "square", 3: "third power"}.get(degree, f"power with exponent {degree}")
    lowest = f"{value.numerator}" if value.denominator == 1 else f"{value.numerator}/{value.denominator}"
    return False, (
        f"{lowest} is no {name} of a fraction: in lowest terms above and below would both have to be such powers of "
        "whole numbers, and they are not"
    )


def _whole_root(value: int, degree: int) -> int | None:
    low, high = 0, 1 << (value.bit_length() // degree + 1)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**degree <= value else (low, middle - 1)
    return low if low**degree == value else None


def _logarithm(value: Fraction | None, base: Fraction | None) -> tuple[bool, str] | None:
    """A quotient of logarithms of fractions is rational only where their prime factors are in proportion."""
    if value is None or base is None or value <= 0 or base <= 0 or base == 1 or value == 1:
        return None
    if max(value.numerator, value.denominator, base.numerator, base.denominator) > 10**9:
        return None
    first, second = _exponents(value), _exponents(base)
    primes = {*first, *second}
    ratios = {Fraction(first.get(prime, 0), second[prime]) if second.get(prime) else None for prime in primes}
    if len(ratios) == 1 and None not in ratios:
        (ratio,) = ratios
        assert ratio is not None
        return True, f"it is {plain(literal(ratio))}"
    return (
        False,
        "a power of the base with whole exponents is never a power of the other number: their prime factors differ",
    )


def _exponents(value: Fraction) -> dict[int, int]:
    found: dict[int, int] = {}
    for number, sign in ((value.numerator, 1), (value.denominator, -1)):
        divisor = 2
        while divisor * divisor <= number:
            while number % divisor == 0:
                found[divisor] = found.get(divisor, 0) + sign
                number //= divisor
            divisor += 1
        if number > 1:
            found[number] = found.get(number, 0) + sign
    return found


# Decimals that repeat.

_DECIMAL = re.compile(
    r"(?<![\w.])(?P<whole>[0-9]{0,9})\.(?:"
    r"(?P<first>[0-9]{0,12}?)(?:(?P<block>[0-9])(?P=block){2,}|(?P<longer>[0-9]{2,9}?)(?P=longer)+)(?:\.\.\.|…|\\ldots|\\dots)"
    r"|(?P<plain>[0-9]{0,12})\((?P<inside>[0-9]{1,12})\)(?:\.\.\.|…)?"
    r"|(?P<before>[0-9]{0,12})\\overline ?\{(?P<over>[0-9]{1,12})\}"
    r"|(?P<ahead>[0-9]{0,12}?)(?P<last>[0-9]) (?:repeating|recurring|repeated forever)\b)"
)
_COMPARED = re.compile(
    r"(?:is it true that|is|does|do|are|true or false:?|why is|prove that|show that)? ?(?P<left>.+?) ?"
    r"(?P<sign>=|<|>|equal to|equals?|the same as|less than|smaller than|greater than|is equal to|is less than)"
    r" ?(?P<right>.+)",
    re.IGNORECASE,
)
_AS_FRACTION = re.compile(
    r"(?:(?:what is|write|convert|express|turn|change) )?(?P<decimal>\S+(?: (?:repeating|recurring))?)"
    r" (?:as|to|into|in) (?:an? )?(?:exact |simple |common |reduced )?(?:fraction|rational number|quotient)(?: form)?",
    re.IGNORECASE,
)
_SIGNS = {"=": "=", "<": "<", ">": ">", "less than": "<", "smaller than": "<", "greater than": ">", "is less than": "<"}


def _repeating(asked: str) -> AlgebraOutcome:
    match = _DECIMAL.search(asked)
    if match is None:
        return None
    asked = without_ending(asked) if not asked.endswith(("...", "…")) else asked
    wanted = _AS_FRACTION.fullmatch(asked)
    if wanted is not None:
        decimal = _DECIMAL.fullmatch(wanted["decimal"])
        return None if decimal is None else _as_fraction(decimal)
    compared = _COMPARED.fullmatch(asked)
    if compared is None:
        return None
    return _compared(compared)


def _value(match: re.Match[str]) -> tuple[Fraction, str, str]:
    """The value of a decimal, how it is written, and its block."""
    block = match["block"] or match["longer"] or match["inside"] or match["over"] or match["last"]
    first = match["first"] or match["plain"] or match["before"] or match["ahead"] or ""
    whole = match["whole"] or "0"
    below = 10 ** len(first)
    value = (
        int(whole)
        + (Fraction(int(first), below) if first else 0)
        + Fraction(int(block), below * (10 ** len(block) - 1))
    )
    return value, f"{whole}.{first}{block * (3 if len(block) == 1 else 2)}…", block


def _as_fraction(match: re.Match[str]) -> AlgebraOutcome:
    value, shown, block = _value(match)
    how = _shift(match, value, shown)
    sentence = f"{shown} (with {block} repeating for ever) is {plain(literal(value))}: {how}."
    return numeric(
        literal(value), None, sentence, expression=shown, checked="by shifting the decimal", lines=(WorkingLine(how),)
    )


def _shift(match: re.Match[str], value: Fraction, shown: str) -> str:
    """How many times the number a shift by one block is, less the number itself."""
    block = match["block"] or match["longer"] or match["inside"] or match["over"] or match["last"]
    factor = 10 ** len(block)
    rest = (factor - 1) * value
    if rest.denominator == 1:
        written = str(rest.numerator)
    else:
        written = f"{float(rest):g}" if Fraction(str(float(rest))) == rest else plain(literal(rest))
    return f"with x = {shown}, {factor} x − x = {written}, so x = {written}/{factor - 1} = {plain(literal(value))}"


def _compared(found: re.Match[str]) -> AlgebraOutcome:
    sign = _SIGNS.get(found["sign"].lower(), "=")
    sides: list[tuple[Fraction, str]] = []
    how = ""
    for text in (found["left"].strip(), found["right"].strip(" ?")):
        decimal = _DECIMAL.fullmatch(text)
        if decimal is not None:
            value, shown, _ = _value(decimal)
            how = how or _shift(decimal, value, shown)
            sides.append((value, shown))
            continue
        statement = read_mathematics(task_text(text))
        number = constant_of(tidied(statement.sides[0])) if not statement.signs else None
        if number is None:
            return None
        sides.append((number, plain(statement.sides[0])))
    (left, left_text), (right, right_text) = sides
    is_so = left == right if sign == "=" else left < right if sign == "<" else left > right
    relation = "=" if left == right else "<" if left < right else ">"
    verdict = "True" if is_so else "False"
    limit = f"A decimal that repeats for ever is a limit: {how}."
    text = f"{verdict}: {left_text} {relation} {right_text}, exactly. {limit}"
    return DirectStatement(text, f"{left_text} {sign} {right_text}", (WorkingLine(how),))
