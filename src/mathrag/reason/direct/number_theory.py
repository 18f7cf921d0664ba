"""Whole numbers: remainders, last digits, common divisors and multiples, primes and factors. Exact, within limits."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace

from mathrag.compute.evaluate import Failure, evaluate
from mathrag.language.quantities.numbers import ONES
from mathrag.reason.direct.arithmetic import Computed, compute_read, stated_in_question, tree_of
from mathrag.reason.direct.arithmetic_text import Arithmetic, read_arithmetic
from mathrag.reason.direct.result import (
    AlgebraOutcome,
    DirectFailure,
    DirectKind,
    DirectOutcome,
    DirectResult,
    DirectStatement,
    number_text,
)
from mathrag.types.answer import WorkingLine
from mathrag.types.expression import Expression, call, number
from mathrag.types.quantity import Quantity

# Primes and factors of whole numbers, proven and within limits: what would take long is refused, not guessed.

# With these bases the Miller-Rabin test is a proof below the bound (Sorenson and Webster, 2015).
_BASES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)
PROVEN_BELOW = 3_317_044_064_679_887_385_961_981
MAXIMUM_BITS = 4_400
_TRIAL_LIMIT = 20_000
_RHO_STEPS = 120_000


class TooHardError(Exception):
    """Deciding it would take longer than an answer may."""


def is_prime(number: int) -> bool:
    """Whether a number is prime; `TooHardError` where it seems so but is too large for a proof."""
    if number < 2:
        return False
    for small in _BASES:
        if number % small == 0:
            return number == small
    if number.bit_length() > MAXIMUM_BITS:
        raise TooHardError
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in _BASES:
        if _is_witness(number, base, odd, twos):
            return False
    if number >= PROVEN_BELOW:
        raise TooHardError
    return True


def _is_witness(number: int, base: int, odd: int, twos: int) -> bool:
    value = pow(base, odd, number)
    if value in (1, number - 1):
        return False
    for _ in range(twos - 1):
        value = value * value % number
        if value == number - 1:
            return False
    return True


def prime_factors(number: int) -> dict[int, int]:
    """The prime factors of a number above 1 with their powers; `TooHardError` where they are too large to find."""
    found: dict[int, int] = {}
    for divisor in (2, *range(3, _TRIAL_LIMIT, 2)):
        if divisor * divisor > number:
            break
        while number % divisor == 0:
            number //= divisor
            found[divisor] = found.get(divisor, 0) + 1
    pending = [number] if number > 1 else []
    steps = _RHO_STEPS
    while pending:
        part = pending.pop()
        if part < _TRIAL_LIMIT**2 or is_prime(part):
            found[part] = found.get(part, 0) + 1
            continue
        divisor, steps = _divisor(part, steps)
        pending.extend((divisor, part // divisor))
    return dict(sorted(found.items()))


def _divisor(number: int, steps: int) -> tuple[int, int]:
    """A proper divisor of a composite number by Pollard's rho, and the steps that remain."""
    root = math.isqrt(number)
    if root * root == number:
        return root, steps
    if number.bit_length() > 200:
        raise TooHardError
    for shift in range(1, 20):
        slow = fast = 2
        common = 1
        while common == 1:
            steps -= 1
            if steps < 0:
                raise TooHardError
            slow = (slow * slow + shift) % number
            fast = (fast * fast + shift) % number
            fast = (fast * fast + shift) % number
            common = math.gcd(abs(slow - fast), number)
        if common != number:
            return common, steps
    raise TooHardError


def divisors(factors: dict[int, int]) -> list[int]:
    """All divisors, in order."""
    found = [1]
    for prime, count in factors.items():
        found = [each * prime**power for each in found for power in range(count + 1)]
    return sorted(found)


def factor_text(factors: dict[int, int]) -> str:
    """`2^3 * 3^2 * 5`."""
    return " * ".join(str(prime) if count == 1 else f"{prime}^{count}" for prime, count in factors.items())


_FIGURES = 10
_COUNTS = {word: int(value) for word, value in ONES.items() if 1 <= value <= 9}
_MOST_LAST_DIGITS = 200
_MOST_DIVISORS = 2_000
_MOST_LISTED = 50

_DIVIDED = r"(?:when|if|on)(?: it is| being)? (?:divided|division) by"
_REMAINDER = re.compile(
    rf"remainder (?:does|do|will) (?P<e>.+?) (?:leave|have|give)s? {_DIVIDED} (?P<f>[^,]+)"
    r"|remainder (?:when|if|of|after|on|from) (?:dividing |you divide |we divide )?(?P<a>.+?)"
    r"(?: is| gets| are)?,? ?(?:divided )?by (?P<b>[^,]+)"
    rf"|remainder (?:that )?(?P<c>.+?) leaves? {_DIVIDED} (?P<d>[^,]+)",
    re.IGNORECASE,
)
_WHAT_REMAINDER = re.compile(r"^(?:what|which) (?=remainder)", re.IGNORECASE)
_MODULO = re.compile(r"\bmod(?:ulo)?\b", re.IGNORECASE)
_LAST = re.compile(
    rf"(?:(?:last|final|units?|ones)(?: (?P<count>[0-9]{{1,4}}|{'|'.join(_COUNTS)}))?"
    r"[ -]?(?:digits?|place)|(?:digit in the )?(?:units?|ones) (?:digit|place)) (?:of|in) (?P<a>.+)",
    re.IGNORECASE,
)
_COMMON = re.compile(
    r"(?P<name>gcd|gcf|hcf|greatest common (?:divisor|factor)|highest common (?:factor|divisor)"
    r"|lcm|(?:least|lowest|smallest) common multiple)s?(?: of| between| for)?(?P<list>[ (].+)",
    re.IGNORECASE,
)
_PRIME = re.compile(
    r"(?:(?:is|are) )?(?:the number )?(?P<a>.+?) (?:a )?(?P<word>prime|composite)(?: number)?"
    r"(?: or (?:not|composite|prime))?",
    re.IGNORECASE,
)
_FACTORS = re.compile(
    r"(?:(?:all )?(?:the )?(?:prime factors|prime factori[sz]ation|prime decomposition|factori[sz]ation) (?:of|for)"
    r"|factori[sz]e|factor|decompose into primes:?) (?:the number )?(?P<a>[^,]+?)"
    r"(?: into (?:its )?primes?(?: factors)?)?",
    re.IGNORECASE,
)
_DIVISORS = re.compile(
    r"(?:(?:(?:list|name|write down|find) )?(?:all )?(?:of )?(?:the )?(?:positive )?(?P<list>divisors|"
    r"factors) of|(?P<count>number of (?:divisors|factors) of"
    r"|how many (?:divisors|factors) (?:does|has|are there of|of))) (?P<a>.+?)(?: have)?",
    re.IGNORECASE,
)
_DIGITS = re.compile(
    r"(?:how many digits (?:does|do|are (?:there )?in|has|in|are there in) (?P<a>.+?)(?: have| has)?"
    r"|number of (?:decimal )?digits (?:of|in) (?P<b>.+))",
    re.IGNORECASE,
)
_INVERSE = re.compile(
    r"(?:(?:modular |multiplicative )*inverse of (?P<a>.+?),? (?:mod|modulo) (?P<b>.+))", re.IGNORECASE
)


def answer_number_theory(core: str) -> AlgebraOutcome:
    """The first kind of question about whole numbers that the text is."""
    core = _WHAT_REMAINDER.sub("", core)
    for pattern, answer in _RULES:
        match = pattern.fullmatch(core)
        if match is not None:
            found = answer(match)
            if found is not None:
                return found
    return _modulo(core)


def _read(text: str) -> tuple[Arithmetic, Expression] | DirectFailure | None:
    """Arithmetic without units, as a tree that is not computed yet."""
    source = read_arithmetic(text.strip(" ,."))
    if source is None or source.slots or source.has_percent:
        return None
    tree = tree_of(source, ())
    return tree if tree is None or isinstance(tree, DirectFailure) else (source, tree)


def _whole(text: str, kind: DirectKind = "number_theory") -> tuple[int, Arithmetic] | DirectFailure | None:
    """The whole number that the text computes to."""
    source = read_arithmetic(text.strip(" ,."))
    if source is None or source.slots or source.has_percent:
        return None
    found = compute_read(source)
    if not isinstance(found, Computed):
        return found
    if not isinstance(found.exact, int):
        return DirectFailure("not_whole", f"{found.shown} is not a whole number", kind)
    return found.exact, source


def _remainder(dividend: str, divisor: str, *, title: str = "") -> DirectOutcome:
    left, right = _read(dividend), _read(divisor)
    for side in (left, right):
        if side is None or isinstance(side, DirectFailure):
            return side
    assert isinstance(left, tuple)
    assert isinstance(right, tuple)
    value = evaluate(call("mod", left[1], right[1]), {})
    shown = f"{left[0].shown(())} mod {right[0].shown(())}"
    found = _residue(value, shown, (left[0], right[0]), title)
    if not isinstance(found, DirectResult) or not left[0].shown(()).startswith(("-", "−")):
        return found
    return replace(found, notes=(*found.notes, *_sign_note(left[1], right[1])))


def _sign_note(dividend: Expression, divisor: Expression) -> tuple[str, ...]:
    """What the remainder is by the other custom, where a negative number is divided."""
    above, below = evaluate(dividend, {}), evaluate(divisor, {})
    if not isinstance(above, int) or not isinstance(below, int) or above >= 0 or not below or above % below == 0:
        return ()
    rest = -(-above % abs(below))
    return (
        f"by the other custom, a remainder with the sign of the dividend (truncated division, as in C and Java), it is "
        f"{rest}: {above} = {abs(below)} × {(above - rest) // abs(below)} + ({rest})".replace("-", "−"),
    )


def _residue(
    value: object, shown: str, sources: tuple[Arithmetic, ...], title: str, *, width: int = 0
) -> DirectResult | DirectFailure:
    if isinstance(value, Failure):
        message = "there is no remainder modulo zero" if value.code == "division_by_zero" else value.message
        return DirectFailure(value.code, message, "modular")
    if not isinstance(value, int):
        return DirectFailure("not_whole", f"{shown}: a remainder needs whole numbers", "modular")
    digits = str(value).rjust(width, "0")
    lines = [shown]
    if "^" in shown:
        lines.append("powers are reduced at every squaring, so the power itself is never written out")
    lines.append(f"= {digits}")
    numbers = [each for source in sources for each in source.numbers]
    notes = tuple(note for source in sources for note in source.notes)
    return DirectResult(
        "modular",
        Quantity(value),
        _FIGURES,
        shown,
        exact=digits,
        text=f"{title} {digits}" if title else "",
        working=tuple(lines),
        provenance=stated_in_question(numbers),
        notes=notes,
    )


def _asked_remainder(match: re.Match[str]) -> DirectOutcome:
    parts = [part for part in match.groups() if part is not None]
    return _remainder(parts[0], parts[1])


def _modulo(core: str) -> DirectOutcome:
    """`7^222 mod 13` and `7^222 (mod 13)`: the remainder is of everything on the left."""
    found = list(_MODULO.finditer(core))
    if not found:
        return None
    last = found[-1]
    left, right = core[: last.start()].rstrip(), core[last.end() :].strip()
    if left.endswith("(") and right.endswith(")"):
        left, right = left[:-1].rstrip(), right[:-1]
    return _remainder(left.rstrip(" ,"), right)


def _last_digits(match: re.Match[str]) -> DirectOutcome:
    written = (match.group("count") or "").lower()
    count = int(written) if written.isdecimal() else _COUNTS.get(written, 1)
    found = _read(match.group("a"))
    if found is None or isinstance(found, DirectFailure):
        return found
    if not 1 <= count <= _MOST_LAST_DIGITS:
        return DirectFailure("too_large", f"at most {_MOST_LAST_DIGITS} last digits are given", "modular")
    value = evaluate(call("mod", found[1], number(10**count)), {})
    return _residue(value, f"{found[0].shown(())} mod 10^{count}", (found[0],), "", width=count)


def _common(match: re.Match[str]) -> DirectOutcome:
    name = match.group("name").lower()
    is_divisor = not (name == "lcm" or name.endswith("multiple"))
    written = match.group("list").strip()
    if written.startswith("(") and written.endswith(")"):
        written = written[1:-1]
    parts = [part for part in re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+", written) if part]
    if not 2 <= len(parts) <= 200:
        return None
    found: list[int] = []
    sources: list[Arithmetic] = []
    for part in parts:
        one = _whole(part)
        if one is None or isinstance(one, DirectFailure):
            return one
        found.append(one[0])
        sources.append(one[1])
    value = math.gcd(*found) if is_divisor else _multiple(found)
    if value is None:
        return DirectFailure("too_large", "the common multiple is too long to be written out", "number_theory")
    title = "gcd" if is_divisor else "lcm"
    shown = f"{title}({', '.join(number_text(each, _FIGURES) for each in found)})"
    return _answer(value, shown, sources, (shown, f"= {value}"))


def _multiple(numbers: list[int]) -> int | None:
    return math.lcm(*numbers) if sum(each.bit_length() for each in numbers) < 14_000 else None


def _answer(value: int, shown: str, sources: list[Arithmetic], working: tuple[str, ...]) -> DirectResult:
    numbers = [each for source in sources for each in source.numbers]
    return DirectResult(
        "number_theory",
        Quantity(value),
        _FIGURES,
        shown,
        exact=str(value),
        working=working,
        provenance=stated_in_question(numbers),
    )


def _too_hard(value: int, what: str) -> DirectFailure:
    digits = len(str(value))
    return DirectFailure("too_large", f"a number of {digits} digits is too large to {what} here", "number_theory")


def _said(text: str, expression: str, line: str) -> DirectStatement:
    """A sentence about a number: the number itself is no result."""
    return DirectStatement(text, expression, (WorkingLine(line),), kind="number_theory")


def _prime(match: re.Match[str]) -> AlgebraOutcome:
    one = _whole(match.group("a"))
    if one is None or isinstance(one, DirectFailure):
        return one
    value, _ = one
    shown = number_text(value, _FIGURES)
    try:
        prime = is_prime(value)
    except TooHardError:
        return _too_hard(value, "prove prime")
    is_composite_asked = match.group("word").lower() == "composite"
    verdict = "Yes" if prime != is_composite_asked and (prime or value > 1) else "No"
    expression = f"is {shown} {match.group('word').lower()}"
    if prime:
        line = (
            f"no prime up to its square root divides {shown}"
            if value < 10**8
            else f"{shown} passes a test that proves primes of this size"
        )
        return _said(f"{verdict}: {shown} is prime", expression, line)
    if value < 2:
        both = "neither prime nor composite" if is_composite_asked else "not prime"
        return _said(f"{verdict}: {shown} is {both}", expression, "primes are whole numbers above 1")
    try:
        line = f"{shown} = {factor_text(prime_factors(value))}"
        why = f": it is {factor_text(prime_factors(value))}"
    except TooHardError:
        line, why = f"{shown} fails a test that every prime passes", ""
    return _said(f"{verdict}: {shown} is {'composite' if is_composite_asked else 'not prime'}{why}", expression, line)


def _factors(match: re.Match[str]) -> AlgebraOutcome:
    one = _whole(match.group("a"))
    if one is None or isinstance(one, DirectFailure):
        return one
    value, _ = one
    if value < 2:
        return DirectFailure("domain", f"only whole numbers above 1 have prime factors, not {value}", "number_theory")
    try:
        text = f"{number_text(value, _FIGURES)} = {factor_text(prime_factors(value))}"
    except TooHardError:
        return _too_hard(value, "factor")
    return _said(text, f"prime factors of {number_text(value, _FIGURES)}", text)


def _divisors(match: re.Match[str]) -> AlgebraOutcome:
    one = _whole(match.group("a"))
    if one is None or isinstance(one, DirectFailure):
        return one
    value, source = one
    if value < 1:
        return DirectFailure("domain", f"divisors are listed for whole numbers above 0, not {value}", "number_theory")
    try:
        factors = prime_factors(value) if value > 1 else {}
    except TooHardError:
        return _too_hard(value, "factor")
    count = math.prod(power + 1 for power in factors.values())
    line = f"{number_text(value, _FIGURES)} = {factor_text(factors) or 1}"
    if match.group("list") is None:
        return _answer(count, f"number of divisors of {value}", [source], (line, f"{count} divisors"))
    if count > _MOST_DIVISORS:
        return DirectFailure("too_large", f"it has {count} divisors, which are too many to list", "number_theory")
    found = divisors(factors)
    listed = ", ".join(map(str, found[:_MOST_LISTED])) + (", …" if count > _MOST_LISTED else "")
    return _said(f"{value} has {count} divisors: {listed}", f"divisors of {value}", line)


def _digit_count(match: re.Match[str]) -> DirectOutcome:
    one = _whole(match.group("a") or match.group("b"))
    if one is None or isinstance(one, DirectFailure):
        return one
    value, source = one
    count = len(str(abs(value)))
    shown = f"number of digits of {source.shown(())}"
    return _answer(count, shown, [source], (f"{source.shown(())} = {number_text(value, _FIGURES)}", f"{count} digits"))


def _inverse(match: re.Match[str]) -> DirectOutcome:
    left, right = _whole(match.group("a"), "modular"), _whole(match.group("b"), "modular")
    for side in (left, right):
        if side is None or isinstance(side, DirectFailure):
            return side
    assert isinstance(left, tuple)
    assert isinstance(right, tuple)
    (value, source), (modulus, other) = left, right
    if modulus < 2 or math.gcd(value, modulus) != 1:
        return DirectFailure("undefined", f"{value} has no inverse modulo {modulus}", "modular")
    result = pow(value, -1, modulus)
    return _residue(result, f"{value}^(-1) mod {modulus}", (source, other), "")


_RULES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], AlgebraOutcome]], ...] = (
    (_INVERSE, _inverse),
    (_REMAINDER, _asked_remainder),
    (_LAST, _last_digits),
    (_COMMON, _common),
    (_DIGITS, _digit_count),
    (_FACTORS, _factors),
    (_DIVISORS, _divisors),
    (_PRIME, _prime),
)
