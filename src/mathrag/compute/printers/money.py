"""Sums of money as people write them: in full and to the cent. Nobody rounds a bill to three figures."""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Context, Decimal

from mathrag.types.quantity import Dimension, Quantity

_MONEY = Dimension.of({"currency": 1})
# Less than a cent is a price of something small, and beyond these nobody counts cents.
_LEAST, _MOST = 0.01, 1e15
_WIDE = Context(prec=40, rounding=ROUND_HALF_UP)


def money_text(quantity: Quantity) -> str | None:
    """The number of a sum of money: `1230000`, `12.50`; None for everything else, such as a price per kilogram."""
    value = quantity.value
    if quantity.dimension != _MONEY or quantity.uncertainty is not None or not (value == 0 or _is_told(value)):
        return None
    number = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
    return f"{_WIDE.quantize(number, Decimal('0.01')):f}".removesuffix(".00")


def _is_told(value: float | int) -> bool:
    return _LEAST <= abs(value) < _MOST and math.isfinite(value)
