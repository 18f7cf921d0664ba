"""Values that do not exist, and why: a logarithm to base 1, the cotangent of 0, an even root of a negative number; and
what convention gives those that mathematicians settle by one (0^0, the greatest common divisor of 0 and 0).

Says why there is no value; computes none. What has a value is left to those who compute.
"""

from __future__ import annotations

import re
from fractions import Fraction

from mathrag.language.word_classes import any_of, word_pairs
from mathrag.reason.direct.result import DirectFailure

_LONGEST = 120
_NUMBER = r"(?P<{0}>[-−]?[0-9]+(?:\.[0-9]+)?(?:/[0-9]+)?)"
_LOG_BASE = re.compile(
    rf"(?:the )?log(?:arithm)?(?: to)?(?: the)? base {_NUMBER.format('base')} (?:of )?\(?{_NUMBER.format('of')}\)?"
    rf"|(?:the )?log(?:arithm)?_?\{{?{_NUMBER.format('base_')}\}}? ?\({_NUMBER.format('of_')}\)"
    rf"|(?:the )?log(?:arithm)? of {_NUMBER.format('of__')} (?:to|with|in)(?: the)? base {_NUMBER.format('base__')}",
    re.IGNORECASE,
)
_ROOT = re.compile(
    rf"(?:the )?(?:(?P<degree>{any_of('direct.root_degrees')})|(?P<nth>[0-9]{{1,3}})(?:st|nd|rd|th)) root of "
    rf"\(?{_NUMBER.format('of')}\)?",
    re.IGNORECASE,
)
_FUNCTION = re.compile(
    rf"(?:the )?(?P<name>{any_of('direct.functions_with_gaps')})(?: of)? ?\(?{_NUMBER.format('of')}?"
    r"(?P<pi> ?\*? ?(?:pi|π))?(?: ?/ ?(?P<below>[0-9]{1,4}))?(?P<degrees> ?(?:degrees?|deg|°))?\)?",
    re.IGNORECASE,
)
_INFINITE = re.compile(
    r"(?:infinity|∞) ?(?:-|−|minus) ?(?:infinity|∞)|(?:infinity|∞) ?(?:/|divided by|over) ?(?:infinity|∞)"
    r"|0 ?(?:\*|·|×|times) ?(?:infinity|∞)|(?:infinity|∞) ?(?:\*|·|×|times) ?0|1 ?\^ ?(?:infinity|∞)"
    r"|(?:infinity|∞) ?\^ ?0",
    re.IGNORECASE,
)
_POWER_OF_ZERO = re.compile(
    r"0 ?(?:\^|\*\*|to the power(?: of)?|raised to(?: the power(?: of)?)?) ?\(?0\)?", re.IGNORECASE
)
_IN_REALS = re.compile(rf",? (?:{any_of('direct.in_the_reals')})$", re.IGNORECASE)


def without_domain(core: str) -> str:
    """A question without the words that ask for a real value, which is what is computed anyway."""
    return _IN_REALS.sub("", core)


def answer_undefined(core: str) -> DirectFailure | None:
    """Why what is asked has no value; None where it has one, and for any other question."""
    if len(core) > _LONGEST:
        return None
    text = without_domain(core)
    reason = _of_logarithm(text) or _of_root(text) or _of_function(text)
    if reason is None and _INFINITE.fullmatch(text):
        reason = (
            f"{text} is undefined: infinity is no number, and limits of this form may come to anything "
            "(an indeterminate form)"
        )
    return None if reason is None else DirectFailure("undefined", reason)


def convention_note(core: str) -> str:
    """What is to be said beside a value that is one by convention only; empty for all others."""
    if _POWER_OF_ZERO.fullmatch(core):
        return (
            "0^0 is 1 by the convention of algebra and counting (an empty product); as a limit the form 0^0 is "
            "indeterminate, and some leave it undefined"
        )
    if re.fullmatch(
        r"(?:the )?(?:gcd|hcf|gcf|greatest common divisor|highest common factor)[ (of]*0(?:,| and) ?0\)?", core
    ):
        return (
            "every whole number divides 0, so there is no greatest common divisor of 0 and 0 by size; it is 0 by "
            "convention (the one that all common divisors divide)"
        )
    return ""


def _number(text: str) -> Fraction | None:
    try:
        return Fraction(text.replace("−", "-"))
    except (ValueError, ZeroDivisionError):
        return None


def _of_logarithm(text: str) -> str | None:
    found = _LOG_BASE.fullmatch(text)
    if found is None:
        return None
    said = {name.rstrip("_"): value for name, value in found.groupdict().items() if value is not None}
    base, of = _number(said["base"]), _number(said["of"])
    if base is None or of is None:
        return None
    shown = f"the logarithm of {said['of']} to base {said['base']} is undefined"
    if base == 1:
        more = "so no power is another number" if of != 1 else "so any exponent would do"
        return f"{shown}: every power of 1 is 1, {more}"
    if base <= 0:
        return f"{shown}: the base of a logarithm must be positive and not 1"
    if of <= 0:
        return f"{shown}: powers of {said['base']} are positive, so only positive numbers have a real logarithm"
    return None


def _of_root(text: str) -> str | None:
    found = _ROOT.fullmatch(text)
    of = None if found is None else _number(found["of"])
    if found is None or of is None:
        return None
    degree = int(found["nth"] or word_pairs("direct.root_degrees")[found["degree"].lower()])
    if degree == 0:
        return f"there is no zeroth root of {found['of']}: every number but 0 to the power 0 is 1"
    if degree % 2 == 0 and of < 0:
        return f"{text.removeprefix('the ')} has no real value: no real number has a negative even power"
    return None


def _of_function(text: str) -> str | None:
    found = _FUNCTION.fullmatch(text)
    if found is None or (found["of"] is None and not found["pi"]):
        return None
    kind = word_pairs("direct.functions_with_gaps")[found["name"].lower()]
    value = Fraction(1) if found["of"] is None else _number(found["of"])
    if value is None or found["below"] == "0":
        return None
    value /= int(found["below"] or 1)
    shown = text.removeprefix("the ")
    if kind in ("sec", "csc", "cot"):
        # In quarter turns.
        turns = value * 2 if found["pi"] else value / 90 if found["degrees"] else (Fraction(0) if not value else None)
        if turns is None or turns.denominator != 1 or (turns % 2 == 1) != (kind == "sec"):
            return None
        below = "cosine" if kind == "sec" else "sine"
        return f"{shown} is undefined: the {below} is 0 there, and it is what is divided by"
    if found["pi"] or found["degrees"]:
        return None
    outside = {
        "asec": (abs(value) < 1, "secants and cosecants of real angles are never between −1 and 1"),
        "acosh": (value < 1, "the hyperbolic cosine of a real number is at least 1"),
        "atanh": (abs(value) >= 1, "the hyperbolic tangent of a real number lies between −1 and 1"),
        "asin": (abs(value) > 1, "sines and cosines of real angles lie between −1 and 1"),
        "gamma": (
            value <= 0 and value.denominator == 1,
            "the gamma function has poles at 0 and the negative whole numbers",
        ),
        "arg": (value == 0, "the number 0 has no direction"),
    }
    is_outside, why = outside[kind]
    return f"{shown} has no real value: {why}" if is_outside else None
