"""The words and signs of spoken arithmetic as a table: operators, functions, powers. Finds them; builds nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mathrag.compute.quantity_text.vocabulary import ORDINAL_POWERS

_DIGIT_WORDS = "one|two|three|four|five|six|seven|eight|nine|ten"
_OPERATORS: tuple[tuple[str, str], ...] = (
    (r"multiplied (?:by|with)\b", "*"),
    (r"times\b", "*"),
    (r"divided by\b", "/"),
    (r"over\b", "/"),
    (r"plus\b", "+"),
    (r"added to\b", "+"),
    (r"minus\b", "-"),
    (r"negative\b", "-"),
    (r"(?:raised )?to the power(?: of)?\b", "^"),
    (r"raised to(?: the)?\b", "^"),
    (rf"to the(?= (?:minus |negative |[-−])?(?:[0-9]+(?![0-9a-z])|{_DIGIT_WORDS})\b)", "^"),
    (r"squared\b", "^2"),
    (r"cubed\b", "^3"),
    (r"factorial\b(?! of)", "!"),
    (r"mod(?:ulo)?\b", "%"),
    (r"\*\*", "^"),
    (r"[×✕⨯∗·⋅∙*]", "*"),
    (r"[÷∕⁄/]", "/"),
    (r"[-−–—]", "-"),
    (r"\+", "+"),
    (r"\^", "^"),
    (r"!", "!"),
)
_OPERATOR = [(re.compile(pattern, re.IGNORECASE), sign) for pattern, sign in _OPERATORS]
_NTH_POWER = re.compile(r"to the ([0-9]{1,6})(?:st|nd|rd|th)(?: power)?\b", re.IGNORECASE)
_NAMED_POWER = re.compile(r"to the ([a-z]+) power\b", re.IGNORECASE)

_FUNCTIONS: tuple[tuple[str, str], ...] = (
    (r"(?:square root|sqrt|root)(?: of)?\b", "sqrt"),
    (r"√", "sqrt"),
    (r"(?:cube root|cubic root|cbrt)(?: of)?\b", "cbrt"),
    (r"∛", "cbrt"),
    (r"arc ?sin(?:e)?(?: of)?\b|asin\b|inverse sin(?:e)?(?: of)?\b", "asin"),
    (r"arc ?cos(?:ine)?(?: of)?\b|acos\b|inverse cos(?:ine)?(?: of)?\b", "acos"),
    (r"arc ?tan(?:gent)?(?: of)?\b|atan\b|inverse tan(?:gent)?(?: of)?\b", "atan"),
    (r"sinh\b", "sinh"),
    (r"cosh\b", "cosh"),
    (r"tanh\b", "tanh"),
    (r"sin(?:e)?(?: of)?\b", "sin"),
    (r"cos(?:ine)?(?: of)?\b", "cos"),
    (r"tan(?:gent)?(?: of)?\b", "tan"),
    (r"(?:natural log(?:arithm)?|ln)(?: of)?\b", "ln"),
    (r"(?:common log(?:arithm)?|log(?:arithm)? base (?:10|ten)|log_?10)(?: of)?(?![0-9a-z_])", "log10"),
    (r"(?:log(?:arithm)? base (?:2|two)|log_?2)(?: of)?(?![0-9a-z_])", "log2"),
    (r"log(?:arithm)?(?: of)?\b(?! base)", "log10?"),
    (r"exp(?:onential)?(?: of)?\b", "exp"),
    (r"(?:absolute value of|abs)\b", "abs"),
    (r"factorial of\b", "factorial"),
    (r"(?:gcd|hcf|gcf)(?= ?\()", "gcd"),
    (r"lcm(?= ?\()", "lcm"),
    (r"max(?= ?\()", "max"),
    (r"min(?= ?\()", "min"),
    (r"floor(?: of)?\b", "floor"),
    (r"ceil(?:ing)?(?: of)?\b", "ceil"),
)
_FUNCTION = [(re.compile(pattern, re.IGNORECASE), name) for pattern, name in _FUNCTIONS]
_MULTIPLE = re.compile(r"(half|twice|double|triple|thrice)(?: of)?\b", re.IGNORECASE)
_MULTIPLES = {"half": "(1/2)", "twice": "2", "double": "2", "triple": "3", "thrice": "3"}


@dataclass(frozen=True, slots=True)
class Match:
    """A sign or function found, and where it ends."""

    sign: str
    end: int


def operator_at(text: str, place: int) -> Match | None:
    """An operator here: `times`, `to the power of`, `×`; a power may bring its exponent along (`^2`)."""
    if found := _NTH_POWER.match(text, place):
        return Match(f"^{found.group(1)}", found.end())
    if (found := _NAMED_POWER.match(text, place)) and found.group(1).lower() in ORDINAL_POWERS:
        return Match(f"^{ORDINAL_POWERS[found.group(1).lower()]}", found.end())
    for pattern, sign in _OPERATOR:
        if found := pattern.match(text, place):
            return Match(sign, found.end())
    return None


def function_at(text: str, place: int) -> Match | None:
    """A function here; `log10?` where the text says just `log`."""
    for pattern, name in _FUNCTION:
        if found := pattern.match(text, place):
            return Match(name, found.end())
    return None


def multiple_at(text: str, place: int) -> Match | None:
    """`half of`, `twice`: the factor."""
    found = _MULTIPLE.match(text, place)
    return Match(_MULTIPLES[found.group(1).lower()], found.end()) if found else None
