"""How many figures of a result mean something, and numbers written with that many. Knows nothing of formulas."""

from __future__ import annotations

import math
from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Context, Decimal

from mathrag.types.answer import Bound
from mathrag.types.quantity import Quantity

FEWEST, MOST = 3, 12
_UNLIMITED = 4
# Constants of nature have more digits than any question; what is assumed or follows from words has none.
_LIMITING = frozenset(("question", "pinned", "document", "derived"))
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_PLAIN_FROM, _PLAIN_TO = -4, 6


def significant_figures(bindings: Iterable[Bound], result: Quantity) -> int:
    """The fewest figures among the inputs, between 3 and 12. Counts and constants do not limit; an exact whole number
    keeps all its digits."""
    limits = [
        bound.significant_figures
        for bound in bindings
        if bound.significant_figures is not None and bound.provenance.origin in _LIMITING and not _is_count(bound)
    ]
    if limits:
        return max(FEWEST, min(MOST, *limits, MOST))
    if isinstance(result.value, int):
        return max(FEWEST, min(len(str(abs(result.value))), MOST)) if abs(result.value) < 10**MOST else MOST
    return _UNLIMITED


def _is_count(bound: Bound) -> bool:
    quantity = bound.quantity
    return quantity is not None and isinstance(quantity.value, int) and not quantity.unit.text


def number_parts(value: float, figures: int) -> tuple[str, int]:
    """A number with so many figures as mantissa and power of ten; the power is 0 where plain digits read better."""
    if isinstance(value, int) and abs(value) < 10 ** (_PLAIN_TO + 1):
        return str(value), 0
    value = float(value)
    if value == 0 or not math.isfinite(value):
        return ("0" if value == 0 else repr(value)), 0
    # From the shortest digits and half up, as the result is rounded where it is shown.
    rounded = Context(prec=figures, rounding=ROUND_HALF_UP).plus(Decimal(repr(value)))
    exponent = rounded.adjusted()
    if _PLAIN_FROM <= exponent < max(_PLAIN_TO, figures):
        return f"{rounded:.{max(0, figures - 1 - exponent)}f}", 0
    return f"{rounded.scaleb(-exponent):.{figures - 1}f}", exponent


def stated_figures(bound: Bound) -> int:
    """How many figures to show of an input: those it was stated with, or enough to tell it apart."""
    if bound.significant_figures is not None and bound.provenance.origin != "derived":
        return max(1, min(bound.significant_figures, MOST))
    value = 0.0 if bound.quantity is None else float(bound.quantity.value)
    most = 6 if bound.provenance.origin == "derived" else 10
    text = f"{value:.{most - 1}e}".partition("e")[0].rstrip("0").lstrip("-").replace(".", "")
    return max(1, len(text))


def plain_number(value: float, figures: int) -> str:
    """As plain text: 1.60×10⁻¹⁹."""
    mantissa, power = number_parts(value, figures)
    text = mantissa.replace("-", "−")
    return text if not power else f"{text}×10{str(power).translate(_SUPERSCRIPTS)}"


def latex_number(value: float, figures: int) -> str:
    """As LaTeX: 1.60 \\times 10^{-19}."""
    mantissa, power = number_parts(value, figures)
    return mantissa if not power else f"{mantissa} \\times 10^{{{power}}}"
