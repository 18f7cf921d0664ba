"""Numbers of as many digits as are wanted; the one place that knows the library for them."""

from __future__ import annotations

import threading
from typing import Any

import mpmath

_contexts = threading.local()


def numbers_of(digits: int) -> Any:
    """The arithmetic of so many digits; one for each thread, since functions change the precision while they work."""
    kept: dict[int, Any] = getattr(_contexts, "kept", {})
    if digits not in kept:
        kept[digits] = mpmath.MPContext()
        kept[digits].dps = digits
        _contexts.kept = kept
    return kept[digits]
