"""Functions of one whole number that number theory has names for: Euler's totient, the sum and the number of divisors,
the Möbius function, Fibonacci numbers, double factorials, how many primes there are up to a number. Exact.

Also whether a value is as said: `is gcd(8, 12) = 4`, `is φ(9) = 6`; both sides are computed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from fractions import Fraction

from mathrag.language.quantities.numbers import ONES
from mathrag.language.word_classes import any_of, word_pairs
from mathrag.reason.direct.arithmetic import Computed, compute_read
from mathrag.reason.direct.arithmetic_text import read_arithmetic
from mathrag.reason.direct.number_theory import TooHardError, factor_text, is_prime, prime_factors
from mathrag.reason.direct.question_text import core_of, tidy, without_ending
from mathrag.reason.direct.result import AlgebraOutcome, DirectFailure, DirectResult, DirectStatement
from mathrag.types.answer import Provenance, WorkingLine
from mathrag.types.quantity import Quantity

_LONGEST = 160
_FIGURES = 10
_MOST_FIBONACCI = 2_000
_MOST_DOUBLE = 2_000
_MOST_SIEVED = 2_000_000
_LARGEST = 10**18
_NUMBER = r"[0-9]{1,19}"
_WORDS = "|".join(word for word, value in ONES.items() if 1 <= value <= 20)
_CALLED = re.compile(
    rf"(?:the )?(?P<name>{any_of('direct.number_functions')})"
    rf"(?:(?: of| for)? ?\( ?(?P<inside>{_NUMBER}) ?\)|(?: of| for) (?P<number>{_NUMBER}))",
    re.IGNORECASE,
)
_NTH = re.compile(
    r"(?:the )?(?P<place>[0-9]{1,6})(?:st|nd|rd|th) fibonacci number|(?:the )?fibonacci number (?P<behind>[0-9]{1,6})",
    re.IGNORECASE,
)
_DOUBLE = re.compile(r"(?P<number>[0-9]{1,6})!!")
_PRIMES = re.compile(
    r"(?:how many primes|how many prime numbers|number of primes|number of prime numbers)(?: are there| are| exist)? "
    r"(?P<bound>below|less than|under|smaller than|up to|not exceeding|at most) (?P<number>[0-9]{1,9})",
    re.IGNORECASE,
)
_COMPARED = re.compile(
    rf"(?:{any_of('direct.is_it')})[ :,]+(?P<left>.+?) ?(?<![<>!])(?:{any_of('direct.is_equal')}) ?(?P<right>[^=]+)",
    re.IGNORECASE,
)
_FUNCTION = re.compile(r"\b(?:gcd|gcf|hcf|lcm|binom|comb|choose|ncr|npr|perm|max|min|floor|ceil|abs)|[0-9]!|C ?\(")


def answer_number_functions(text: str) -> AlgebraOutcome:
    """The value of such a function, or whether it is as said; None for any other question."""
    if len(text) > _LONGEST:
        return None
    asked = without_ending(tidy(text))
    compared = _COMPARED.fullmatch(asked)
    if compared is not None:
        return _judged(compared["left"].strip(), compared["right"].strip())
    core = core_of(asked)
    primes = _PRIMES.fullmatch(core)
    if primes is not None:
        return _primes(int(primes["number"]), is_strict=primes["bound"].lower() not in _INCLUSIVE)
    return _rounded(core) or _of_function(core) or _of_written_number(core)


_OF_EXPRESSION = re.compile(
    rf"(?:the )?(?P<name>{any_of('direct.number_functions')}) ?\((?P<inside>[0-9 +*·×^!()−-]{{1,60}})\)", re.IGNORECASE
)


def _of_written_number(core: str) -> AlgebraOutcome:
    """The function of a whole number that is written as a calculation: `isprime(2^13 - 1)`."""
    found = _OF_EXPRESSION.fullmatch(core)
    source = None if found is None else read_arithmetic(found["inside"])
    computed = None if source is None or source.slots or source.has_percent else compute_read(source)
    if found is None or not isinstance(computed, Computed) or not isinstance(computed.exact, int):
        return None
    return _of_function(f"{found['name']}({computed.exact})") if 0 <= computed.exact <= _LARGEST else None


_INCLUSIVE = ("up to", "not exceeding", "at most")


_ROUNDED = re.compile(
    r"(?P<name>trunc|truncate|sign|sgn|signum|round) ?\( ?(?P<number>[-−]?[0-9]{1,15}(?:\.[0-9]{1,15})?) ?\)"
)


def _rounded(core: str) -> AlgebraOutcome:
    """The sign of a number, or the number without its decimals."""
    found = _ROUNDED.fullmatch(core)
    if found is None:
        return None
    number = Fraction(found["number"].replace("−", "-"))
    toward = -1 if number < 0 else 1
    match found["name"]:
        case "trunc" | "truncate":
            value, why = math.trunc(number), "the decimals are left out"
        case "round":
            value, why = toward * math.floor(abs(number) + Fraction(1, 2)), "halves are rounded away from 0"
        case _:
            value, why = (0 if not number else toward), "the sign: 1, 0 or −1"
    shown = f"{found['name']}({found['number']})"
    return _result(value, shown, why, found["number"])


def _read(core: str) -> tuple[str, int] | None:
    """The function and the number that a text is."""
    found = _CALLED.fullmatch(core)
    if found is not None:
        return word_pairs("direct.number_functions")[found["name"].lower()], int(found["inside"] or found["number"])
    nth = _NTH.fullmatch(core)
    if nth is not None:
        return "fibonacci", int(nth["place"] or nth["behind"])
    double = _DOUBLE.fullmatch(core)
    return None if double is None else ("double factorial", int(double["number"]))


def _of_function(core: str) -> AlgebraOutcome:
    read = _read(core)
    if read is None:
        return None
    name, number = read
    if number > _LARGEST:
        return DirectFailure("too_large", f"{number} is too large for this function here", "number_theory")
    try:
        if name == "prime":
            return _primality(number)
        value, shown, why = _VALUES[name](number)
    except TooHardError:
        return DirectFailure("too_large", f"{number} is too large for this function here", "number_theory")
    return _result(value, shown, why, str(number))


def _result(value: int, shown: str, why: str, written: str) -> DirectResult:
    return DirectResult(
        "number_theory",
        Quantity(value),
        _FIGURES,
        shown,
        exact=str(value),
        text=f"{shown} = {value} ({why}).".replace("-", "−"),
        working=(why, f"{shown} = {value}"),
        provenance=(Provenance("question", written),),
    )


def _primality(number: int) -> DirectStatement:
    if is_prime(number):
        text = f"Yes: {number} is prime."
    else:
        why = f": it is {factor_text(prime_factors(number))}" if number > 1 else ": primes are whole numbers above 1"
        text = f"No: {number} is not prime{why}."
    return DirectStatement(text, f"is {number} prime", (WorkingLine(text),), kind="number_theory")


def _factored(number: int) -> dict[int, int]:
    if number < 1:
        raise TooHardError
    return prime_factors(number) if number > 1 else {}


def _totient(number: int) -> tuple[int, str, str]:
    value = number
    for prime in _factored(number):
        value -= value // prime
    why = f"Euler's totient: how many of 1, …, {number} have no common divisor with {number} but 1"
    return value, f"φ({number})", why


def _sigma(number: int) -> tuple[int, str, str]:
    value = math.prod((prime ** (power + 1) - 1) // (prime - 1) for prime, power in _factored(number).items())
    return value, f"σ({number})", f"the sum of all divisors of {number}, 1 and {number} included"


def _tau(number: int) -> tuple[int, str, str]:
    return (
        math.prod(power + 1 for power in _factored(number).values()),
        f"τ({number})",
        f"how many divisors {number} has",
    )


def _mobius(number: int) -> tuple[int, str, str]:
    powers = list(_factored(number).values())
    if any(power > 1 for power in powers):
        return 0, f"μ({number})", f"Möbius function: the square of a prime divides {number}"
    return (
        (-1) ** len(powers),
        f"μ({number})",
        f"Möbius function: {number} is a product of {len(powers)} different primes",
    )


def _fibonacci(number: int) -> tuple[int, str, str]:
    if number > _MOST_FIBONACCI:
        raise TooHardError
    one, other = 0, 1
    for _ in range(number):
        one, other = other, one + other
    return one, f"F({number})", "Fibonacci numbers, counted so that F(1) = F(2) = 1"


def _double_factorial(number: int) -> tuple[int, str, str]:
    if number > _MOST_DOUBLE:
        raise TooHardError
    last = 2 - number % 2
    why = (
        f"double factorial: the product of every second number from {number} down to {last}"
        if number
        else "by definition"
    )
    return math.prod(range(number, 0, -2)), f"{number}!!", why


_VALUES: dict[str, Callable[[int], tuple[int, str, str]]] = {
    "totient": _totient,
    "sigma": _sigma,
    "tau": _tau,
    "mobius": _mobius,
    "fibonacci": _fibonacci,
    "double factorial": _double_factorial,
}


def _primes(number: int, *, is_strict: bool) -> AlgebraOutcome:
    last = number - 1 if is_strict else number
    if last > _MOST_SIEVED:
        return DirectFailure("too_large", f"primes are counted here up to {_MOST_SIEVED}", "number_theory")
    sieve = bytearray([1]) * (last + 1) if last >= 0 else bytearray()
    sieve[:2] = bytes(min(2, len(sieve)))
    for each in range(2, math.isqrt(max(last, 0)) + 1):
        if sieve[each]:
            sieve[each * each :: each] = bytes(len(range(each * each, last + 1, each)))
    value = sum(sieve)
    bound = "below" if is_strict else "up to"
    return DirectResult(
        "number_theory",
        Quantity(value),
        _FIGURES,
        f"number of primes {bound} {number}",
        exact=str(value),
        text=f"There are {value} primes {bound} {number}.",
        working=(f"every number {bound} {number} was sieved",),
        provenance=(Provenance("question", str(number)),),
    )


# Whether a value is as said.


def _judged(left: str, right: str) -> AlgebraOutcome:
    """Of two sides one of which has a function of whole numbers; both must come out exactly."""
    if not any(_read(side) is not None or _FUNCTION.search(side) for side in (left, right)):
        return None
    values = [_exactly(side) for side in (left, right)]
    if values[0] is None or values[1] is None:
        return None
    (one, shown), (other, other_shown) = values[0], values[1]
    is_plain = str(other) == other_shown
    said = f"{shown} = {one}" if is_plain else f"{shown} = {one} and {other_shown} = {other}"
    refused = f", not {other_shown}" if is_plain and one != other else ""
    text = f"{'True' if one == other else 'False'}: {said}{refused} (computed exactly).".replace("-", "−")
    lines = (WorkingLine(f"{shown} = {one}"), WorkingLine(f"{other_shown} = {other}"))
    return DirectStatement(text, f"{shown} = {other_shown}", lines[: 1 if is_plain else 2], kind="number_theory")


def _exactly(side: str) -> tuple[Fraction, str] | None:
    """The exact value of one side, and how it is shown."""
    read = _read(side)
    if read is not None and read[0] in _VALUES:
        found = _of_function(side)
        return (Fraction(found.exact), found.expression) if isinstance(found, DirectResult) else None
    source = read_arithmetic(side)
    computed = None if source is None or source.slots or source.has_percent else compute_read(source)
    if not isinstance(computed, Computed) or computed.exact is None:
        return None
    return Fraction(computed.exact), computed.shown
