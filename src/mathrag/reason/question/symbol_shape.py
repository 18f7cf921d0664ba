"""Whether a word is typed like a symbol (`v_rms`, `KE`, `ΔG`, `T2`). Knows shapes only, no formulas."""

from __future__ import annotations

import re

from mathrag.compute.kinds import kinds_for_symbol
from mathrag.compute.symbol_names import GREEK, GREEK_NAMES

_SUBSCRIPTED = re.compile(
    r"[^\W\d_]{1,6}_\w{1,12}['’′]?|[^\W\d_]{1,3}(?:°\w{0,8}|['′])|[^\W\d_][0-9₀-₉]{1,2}|[Δ∆][^\W\d_]\w{0,4}°?|p[HK][a-z]?|pOH"
)
_LETTERS = re.compile(r"[^\W\d_]")
_CAPITALS = re.compile(r"[A-Z]{2,4}")
_ROMAN = frozenset({"I", "II", "III", "IV", "AC", "DC", "US", "UK", "USD", "SI", "TV", "CO", "OK"})


def looks_like_symbol(written: str, *, alone: bool) -> bool:
    """Whether it can only be a symbol; a bare letter or word counts only where nothing else is asked (`alone`)."""
    if _SUBSCRIPTED.fullmatch(written) or (written[:1] == "[" and "]" in written):
        return written not in _ROMAN
    if written in GREEK_NAMES or (len(written) == 1 and written in GREEK):
        return True
    if not alone:
        return False
    if _LETTERS.fullmatch(written):
        return written not in ("a", "I", "i", "s")
    if _CAPITALS.fullmatch(written) and written not in _ROMAN:
        return True
    return len(written) <= 3 and bool(kinds_for_symbol(written, exact=True))
