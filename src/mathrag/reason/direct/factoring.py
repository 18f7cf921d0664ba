"""Primes and factors of whole numbers, proven and within limits: what would take long is refused, not guessed."""

from __future__ import annotations

import math

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
