"""Whether a whole number is of a kind that has a name (`is 496 a perfect number`, `are 8 and 15 coprime`), and the
number that gives 0 or 1 together with another one (`the reciprocal of 5/3`). Exact; sorts that are decided elsewhere
(primes, squares, odd and even numbers) are not read here."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from fractions import Fraction
from functools import cache

from mathrag.language.word_classes import any_of, word_pairs
from mathrag.reason.direct.number_theory import TooHardError, divisors, factor_text, is_prime, prime_factors
from mathrag.reason.direct.question_text import core_of, tidy, without_ending
from mathrag.reason.direct.result import AlgebraOutcome, DirectResult, DirectStatement
from mathrag.types.answer import Provenance, WorkingLine
from mathrag.types.quantity import Quantity

_LONGEST = 120
_LARGEST = 10**15
_FIGURES = 10
_MOST_TOLD = 12
_SEARCHED = 40
_NUMBER = r"[0-9]{1,15}"


@cache
def _forms() -> tuple[re.Pattern[str], ...]:
    is_it = r"(?:is|is it true that|true or false:?|check (?:if|whether))"
    are_they = r"(?:are|is it true that|check (?:if|whether))(?: the numbers)?"
    one, other = rf"(?P<one>{_NUMBER})", rf"(?P<other>{_NUMBER})"
    kind, coprime = any_of("named_numbers.kinds"), any_of("named_numbers.coprime")
    forms = (
        rf"{is_it} (?:the number )?(?P<number>{_NUMBER}) (?:is )?(?:an? )?(?P<kind>{kind})(?: (?:number|integer))?",
        rf"{are_they} {one} and {other} (?:are )?(?:{coprime})",
        rf"{is_it} {one} (?:is )?(?:coprime|co-prime|relatively prime|prime) (?:to|with) {other}",
    )
    return tuple(re.compile(rf"{form}(?: or not)?", re.IGNORECASE) for form in forms)


@cache
def _opposite() -> re.Pattern[str]:
    return re.compile(
        rf"(?:the )?(?P<name>{any_of('named_numbers.opposites')}) (?:of|for) "
        r"(?P<sign>[-−–]?) ?(?P<above>[0-9]{1,15}(?:\.[0-9]{1,15})?)(?: ?/ ?(?P<below>[0-9]{1,15}))?",
        re.IGNORECASE,
    )


def answer_named_numbers(text: str) -> AlgebraOutcome:
    """Whether a number is of such a kind, or its opposite; None for any other question."""
    if len(text) > _LONGEST:
        return None
    asked = without_ending(tidy(text))
    both = _both().fullmatch(asked)
    if both is not None:
        return _coprime_pair(word_pairs("named_numbers.both_kinds")[both["kind"].lower()])
    if not any(map(str.isdigit, text)):
        return None
    for pattern in _forms():
        found = pattern.fullmatch(asked)
        if found is not None:
            said = found.groupdict()
            return _kind(int(said["number"]), said["kind"]) if "kind" in said else _coprime(found)
    opposite = _opposite().fullmatch(core_of(asked))
    return None if opposite is None else _opposed(opposite)


def _said(text: str, expression: str) -> DirectStatement:
    return DirectStatement(text, expression, (WorkingLine(text),), kind="number_theory")


def _coprime(found: re.Match[str]) -> AlgebraOutcome:
    one, other = int(found["one"]), int(found["other"])
    common = math.gcd(one, other)
    if common == 1:
        return _said(f"Yes: {one} and {other} are coprime: their greatest common divisor is 1.", f"gcd({one}, {other})")
    why = f"both are divisible by {common}" if common else "every number divides 0"
    return _said(f"No: {one} and {other} are not coprime: {why}.", f"gcd({one}, {other})")


@cache
def _both() -> re.Pattern[str]:
    return re.compile(
        r"(?:can|could|may|is it possible (?:that|for)) (?:two )?(?:coprime|co-prime|relatively prime) "
        r"(?:numbers|integers|whole numbers) "
        rf"(?:to |can )?(?:both (?:be|are)|be both|are both) (?P<kind>{any_of('named_numbers.both_kinds')})",
        re.IGNORECASE,
    )


def _coprime_pair(kind: str) -> AlgebraOutcome:
    """The first two coprime numbers of a kind; that two even ones have a common divisor needs no search."""
    if kind == "even":
        return _said("No: two even numbers are both divisible by 2, so they are not coprime.", "coprime and even")
    is_of_kind: dict[str, Callable[[int], bool]] = {
        "composite": lambda number: number > 3 and not is_prime(number),
        "prime": is_prime,
        "odd": lambda number: number % 2 == 1,
        "square": lambda number: math.isqrt(number) ** 2 == number,
    }
    some = [number for number in range(2, _SEARCHED) if is_of_kind[kind](number)]
    for place, other in enumerate(some):
        for one in some[:place]:
            if math.gcd(one, other) == 1:
                of_kind = {"square": "squares"}.get(kind, kind)
                text = f"Yes: {one} and {other} are both {of_kind}, and their greatest common divisor is 1 (computed)."
                return _said(text, f"gcd({one}, {other})")
    return None


def _kind(number: int, name: str) -> AlgebraOutcome:
    if not 1 <= number <= _LARGEST:
        return None
    kind = word_pairs("named_numbers.kinds")[name.lower()]
    try:
        is_so, why = _KINDS[kind](number)
    except TooHardError:
        return None
    called = {
        "squarefree": "squarefree",
        "palindrome": "a palindrome",
        "semiprime": "a semiprime",
        "mersenne": "a Mersenne prime",
    }
    said = called.get(kind, f"a{'n' if kind[0] in 'aeiou' else ''} {kind.replace('fib', 'Fib')} number")
    return _said(f"{'Yes' if is_so else 'No'}: {number} is {'' if is_so else 'not '}{said}: {why}.", str(number))


def _factored(number: int) -> dict[int, int]:
    return prime_factors(number) if number > 1 else {}


def _of_divisors(number: int, sign: int) -> tuple[bool, str]:
    """Whether the sum of the proper divisors is less than (−1), equal to (0) or more than (1) the number."""
    proper = [each for each in sorted(divisors(_factored(number))) if each < number] if number > 1 else []
    total = sum(proper)
    listed = f"{' + '.join(map(str, proper))} = {total}" if 1 < len(proper) <= _MOST_TOLD else str(total)
    compared = "equal to" if total == number else ("more than" if total > number else "less than")
    why = f"its positive divisors other than itself add up to {listed}, {compared} {number}"
    return (total > number) - (total < number) == sign, why


def _squarefree(number: int) -> tuple[bool, str]:
    factors = _factored(number)
    square = next((prime for prime, power in sorted(factors.items()) if power > 1), None)
    if square is not None:
        return False, f"it is divisible by {square}² = {square * square}"
    if number == 1:
        return True, "no square but 1 divides it"
    return True, f"it is {factor_text(factors)}, with no prime twice"


def _triangular(number: int) -> tuple[bool, str]:
    place = (math.isqrt(8 * number + 1) - 1) // 2
    below, above = place * (place + 1) // 2, (place + 1) * (place + 2) // 2
    if below == number:
        return True, f"it is 1 + 2 + … + {place} = {place} · {place + 1} / 2"
    return False, f"it lies between the triangular numbers {below} and {above}"


def _fibonacci(number: int) -> tuple[bool, str]:
    before, last = 1, 1
    while last < number:
        before, last = last, before + last
    if last == number:
        return True, "it is in the sequence 1, 1, 2, 3, 5, … in which each is the sum of the two before"
    return False, f"it lies between the Fibonacci numbers {before} and {last}"


def _semiprime(number: int) -> tuple[bool, str]:
    factors = _factored(number)
    shown = factor_text(factors) if factors else "1, with no prime factor"
    return sum(factors.values()) == 2, f"a semiprime is a product of exactly two primes, and it is {shown}"


def _palindrome(number: int) -> tuple[bool, str]:
    turned = str(number)[::-1]
    return turned == str(number), f"read backwards its decimal digits are {turned}"


def _mersenne(number: int) -> tuple[bool, str]:
    exponent = (number + 1).bit_length() - 1
    if number + 1 != 1 << exponent or number < 3:
        return False, f"{number} + 1 is no power of 2 above 2"
    if not is_prime(number):
        return False, f"it is 2^{exponent} − 1, which is {factor_text(_factored(number))}"
    return True, f"it is prime, and it is 2^{exponent} − 1"


_KINDS: dict[str, Callable[[int], tuple[bool, str]]] = {
    "perfect": lambda number: _of_divisors(number, 0),
    "abundant": lambda number: _of_divisors(number, 1),
    "deficient": lambda number: _of_divisors(number, -1),
    "squarefree": _squarefree,
    "triangular": _triangular,
    "fibonacci": _fibonacci,
    "semiprime": _semiprime,
    "palindrome": _palindrome,
    "mersenne": _mersenne,
}


def _opposed(found: re.Match[str]) -> AlgebraOutcome:
    above, below = Fraction(found["above"]), int(found["below"] or 1)
    if not below:
        return None
    number = -above / below if found["sign"] else above / below
    name = found["name"].lower()
    written = f"{found['sign']}{found['above']}{'/' + found['below'] if found['below'] else ''}".replace("-", "−")
    if word_pairs("named_numbers.opposites")[name] == "sum":
        value, why = -number, "the sum of the two is 0"
    elif not number:
        return _said(f"0 has no {name}: no number times 0 is 1.", f"{name} of 0")
    else:
        value, why = 1 / number, "the product of the two is 1"
    return DirectResult(
        "number_theory",
        Quantity(int(value) if value.denominator == 1 else float(value)),
        _FIGURES,
        f"{name} of {written}",
        exact=str(value),
        text=f"The {name} of {written} is {value}: {why}.".replace("-", "−"),
        working=(why,),
        provenance=(Provenance("question", f"{found['above']}{'/' + found['below'] if found['below'] else ''}"),),
    )
