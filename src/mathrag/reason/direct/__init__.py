"""Questions that need no formula: arithmetic, remainders, percentages, conversions, constants. Strict: else None."""

from __future__ import annotations

from mathrag.reason.direct.constants import find_constant
from mathrag.reason.direct.dispatch import compute_directly
from mathrag.reason.direct.result import DirectFailure, DirectKind, DirectResult

__all__ = ["DirectFailure", "DirectKind", "DirectResult", "compute_directly", "find_constant"]
