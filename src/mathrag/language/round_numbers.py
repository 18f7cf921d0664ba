"""How many of so many: "8 per 1000", "12 per 100,000 person-years". The round number below the line is a unit."""

from __future__ import annotations

import re

# One by each round number, as the unit table calls it.
_SHARES = {"100": "percent", "1000": "permille", "10000": "basis_point", "100000": "pcm", "1000000": "ppm"}
_IN_WORDS = {"hundred": "100", "thousand": "1000", "million": "1000000"}
ROUND = (
    r"(?:(?:a |one )?(?:hundred |ten )?(?:thousand|million)|10{0,2}[, ]000(?:[, ]000)?|10{2,6}|10\^[3-6])"
    r"(?![,.]?[0-9])\b"
)


def share_of(written: str) -> str | None:
    """The unit in which a number by this round number counts; None where it has no name."""
    words = re.sub(r"^(?:a|one) ", "", written.casefold().strip())
    if words in ("ten thousand", "hundred thousand"):
        words = {"ten thousand": "10000", "hundred thousand": "100000"}[words]
    power = re.fullmatch(r"10\^([3-6])", words)
    digits = "1" + "0" * int(power[1]) if power else _IN_WORDS.get(words, re.sub("[, ]", "", words))
    return _SHARES.get(digits)
