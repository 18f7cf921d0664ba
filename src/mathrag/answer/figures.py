"""Numbers and quantities rounded to what they deserve, as plain text and as LaTeX. What is kept is never rounded."""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Context, Decimal

from mathrag.compute.printers.money import money_text
from mathrag.compute.printers.units import joined, latex_unit
from mathrag.types.quantity import Quantity

_SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
# Outside these powers of ten a number is easier to read with its power written out.
_SMALLEST_PLAIN, _LARGEST_PLAIN = -4, 6
# What a float can hold.
_MOST_FIGURES = 15
_LONGEST_WHOLE = 30
_WIDE = Context(prec=400, rounding=ROUND_HALF_UP, Emax=10**15, Emin=-(10**15))
# Digits beyond these are dirt of binary fractions, not something that anybody stated.
_STATED_FIGURES = 12


def number_text(value: float | int, figures: int) -> str:
    """A number rounded to so many significant figures, as people write it: `517`, `0.0043`, `6.67×10⁻¹¹`."""
    return _plain(*rounded(value, figures))


def number_latex(value: float | int, figures: int) -> str:
    """The same in LaTeX."""
    return _latex(*rounded(value, figures))


def _plain(digits: str, exponent: int | None) -> str:
    text = digits.replace("-", "−")
    return text if exponent is None else f"{text}×10{str(exponent).translate(_SUPERSCRIPTS)}"


def _latex(digits: str, exponent: int | None) -> str:
    return digits if exponent is None else f"{digits} \\times 10^{{{exponent}}}"


def rounded(value: float | int, figures: int) -> tuple[str, int | None]:
    """Digits, and a power of ten where they need one. A whole number of modest length keeps all its digits."""
    if isinstance(value, int) and value.bit_length() <= 3 * _LONGEST_WHOLE:
        return str(value), None
    if isinstance(value, float) and not math.isfinite(value):
        return "undefined", None
    shown = max(1, min(figures, _MOST_FIGURES))
    return _split(_with_figures(_decimal(value), shown), shown)


def _decimal(value: float | int) -> Decimal:
    """From the shortest digits of a float, so that 2.675 is rounded as written, not as stored."""
    if isinstance(value, float):
        return Decimal(repr(value))
    # The first bits of a huge whole number say all that is shown of it; writing it out would take for ever.
    excess = max(0, value.bit_length() - 1_200)
    return _WIDE.multiply(_WIDE.create_decimal(value >> excess), _WIDE.power(Decimal(2), Decimal(excess)))


def _with_figures(number: Decimal, figures: int) -> Decimal:
    """Rounded, and with zeros at the end where it has fewer figures than it deserves."""
    short = Context(prec=figures, rounding=ROUND_HALF_UP, Emax=10**15, Emin=-(10**15)).plus(number)
    if not short:
        return Decimal(0)
    return _WIDE.quantize(short, Decimal((0, (1,), short.adjusted() - figures + 1)))


def _split(number: Decimal, figures: int) -> tuple[str, int | None]:
    if not number:
        return "0", None
    exponent = number.adjusted()
    if _SMALLEST_PLAIN <= exponent < max(_LARGEST_PLAIN, figures):
        return format(number, "f"), None
    return format(_WIDE.scaleb(number, Decimal(-exponent)), "f"), exponent


def _stated(value: float | int, figures: int | None) -> tuple[str, int | None]:
    """The digits a value was given with, as far as they are known."""
    if figures is not None or isinstance(value, int) or not math.isfinite(value):
        return rounded(value, figures or _STATED_FIGURES)
    mantissa, _, exponent = f"{value:.{_STATED_FIGURES}g}".partition("e")
    return mantissa, int(exponent) if exponent else None


def has_all_digits(quantity: Quantity, figures: int) -> bool:
    """Whether nothing is lost when the number is rounded to so many figures: then zeros behind it say nothing."""
    value = quantity.value
    is_float = isinstance(value, float) and math.isfinite(value)
    return quantity.uncertainty is None and is_float and float(f"{value:.{min(figures, _STATED_FIGURES)}g}") == value


def quantity_text(quantity: Quantity, figures: int) -> str:
    """A quantity with its unit, and its uncertainty where it has one: `517 m/s`, `(2.69 ± 0.06) g/cm³`."""
    if (money := money_text(quantity)) is not None:
        return joined(money.replace("-", "−"), quantity.unit)
    return joined(_with_uncertainty(quantity, figures, latex=False), quantity.unit)


def quantity_latex(quantity: Quantity, figures: int) -> str:
    """The same as LaTeX for math mode."""
    if (money := money_text(quantity)) is not None:
        return money + latex_unit(quantity.unit.text)
    return _with_uncertainty(quantity, figures, latex=True) + latex_unit(quantity.unit.text)


def stated_quantity_text(quantity: Quantity, figures: int | None = None) -> str:
    """A given quantity, with the digits it was given with."""
    if quantity.uncertainty is not None:
        return quantity_text(quantity, figures or _STATED_FIGURES)
    return joined(_plain(*_stated(quantity.value, figures)), quantity.unit)


def stated_quantity_latex(quantity: Quantity, figures: int | None = None) -> str:
    """The same as LaTeX for math mode."""
    if quantity.uncertainty is not None:
        return quantity_latex(quantity, figures or _STATED_FIGURES)
    return _latex(*_stated(quantity.value, figures)) + latex_unit(quantity.unit.text)


def _with_uncertainty(quantity: Quantity, figures: int, *, latex: bool) -> str:
    write = number_latex if latex else number_text
    spread = quantity.uncertainty
    if spread is None or not math.isfinite(spread) or not math.isfinite(float_or_huge(quantity.value)):
        return write(quantity.value, figures)
    sign = " \\pm " if latex else " ± "
    if not spread:
        return f"({write(quantity.value, figures)}{sign}0)"
    # Two figures of the uncertainty are all that it deserves, and the value ends where they do.
    short = _with_figures(Decimal(repr(float(spread))), 2)
    exponent = short.as_tuple().exponent
    assert isinstance(exponent, int)
    exact = _decimal(quantity.value)
    if exact.adjusted() - exponent > _MOST_FIGURES:
        return f"({write(quantity.value, _MOST_FIGURES)}{sign}{write(spread, 2)})"
    value = _WIDE.quantize(exact, Decimal((0, (1,), exponent)))
    power = value.adjusted() if value else short.adjusted()
    write_both = _latex if latex else _plain
    if _SMALLEST_PLAIN <= power < _LARGEST_PLAIN and exponent > -_MOST_FIGURES:
        return f"({write_both(f'{value:f}', None)}{sign}{short:f})"
    first, second = (format(_WIDE.scaleb(each, Decimal(-power)), "f") for each in (value, short))
    return write_both(f"({write_both(first, None)}{sign}{second})", power)


def float_or_huge(value: float | int) -> float:
    """The number as a float; infinity for a whole number beyond any float."""
    return float(value) if isinstance(value, float) or value.bit_length() < 1_020 else math.inf
