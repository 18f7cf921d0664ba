"""Derivatives of the functions of the tree at a point, for linear propagation of uncertainties. Numbers only."""

from __future__ import annotations

import math
from collections.abc import Callable

_LOG_10 = math.log(10.0)
_LOG_2 = math.log(2.0)
_TWO_OVER_ROOT_PI = 2.0 / math.sqrt(math.pi)

DERIVATIVES: dict[str, Callable[[float], float]] = {
    "sin": math.cos,
    "cos": lambda x: -math.sin(x),
    "tan": lambda x: 1.0 / math.cos(x) ** 2,
    "asin": lambda x: 1.0 / math.sqrt(1.0 - x * x),
    "acos": lambda x: -1.0 / math.sqrt(1.0 - x * x),
    "atan": lambda x: 1.0 / (1.0 + x * x),
    "sinh": math.cosh,
    "cosh": math.sinh,
    "tanh": lambda x: 1.0 / math.cosh(x) ** 2,
    "asinh": lambda x: 1.0 / math.sqrt(x * x + 1.0),
    "acosh": lambda x: 1.0 / math.sqrt(x * x - 1.0),
    "atanh": lambda x: 1.0 / (1.0 - x * x),
    "exp": math.exp,
    "log": lambda x: 1.0 / x,
    "log10": lambda x: 1.0 / (x * _LOG_10),
    "log2": lambda x: 1.0 / (x * _LOG_2),
    "sqrt": lambda x: 0.5 / math.sqrt(x),
    "cbrt": lambda x: 1.0 / (3.0 * math.cbrt(x) ** 2),
    "abs": lambda x: math.copysign(1.0, x),
    "erf": lambda x: _TWO_OVER_ROOT_PI * math.exp(-x * x),
    "erfc": lambda x: -_TWO_OVER_ROOT_PI * math.exp(-x * x),
    "gamma": lambda x: _central_difference(math.gamma, x),
    "lgamma": lambda x: _central_difference(math.lgamma, x),
}


def _central_difference(function: Callable[[float], float], x: float) -> float:
    step = 1e-5 * max(1.0, abs(x))
    return (function(x + step) - function(x - step)) / (2.0 * step)
