"""Values from files that may hold anything: each comes out as what it should be, or as nothing. Knows no report."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, TypeAlias

Object: TypeAlias = dict[str, Any]
_LARGEST = 1e300
_MOST = 2**53


def text_of(value: object, *, longest: int = 2_000) -> str:
    """A text, cut where it is too long; empty for anything else."""
    if not isinstance(value, str):
        return ""
    # Half a surrogate pair can be in JSON but not in a reply.
    clean = value[:longest].encode("utf-8", "replace").decode("utf-8")
    return clean if len(value) <= longest else f"{clean}…"


def number_of(value: object) -> float | None:
    """A finite number, or None."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < _LARGEST:
        return None
    return float(value) if math.isfinite(value) else None


def count_of(value: object) -> int:
    """A number of things; 0 for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _MOST else 0


def object_of(value: object) -> Mapping[str, Any]:
    """An object; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def list_of(value: object, *, most: int = 1_000) -> list[Any]:
    """The first elements of a list; none for anything else."""
    return value[:most] if isinstance(value, list) else []


def texts_of(value: object, *, most: int = 100, longest: int = 1_000) -> list[str]:
    """The texts of a list."""
    return [text_of(each, longest=longest) for each in list_of(value, most=most) if isinstance(each, str)]


def share_of(value: object) -> Object | None:
    """A share with its interval; None where it is no share, or of nothing."""
    given = object_of(value)
    right, of = count_of(given.get("right")), count_of(given.get("of"))
    if not of or right > of:
        return None
    low, high = number_of(given.get("low")), number_of(given.get("high"))
    is_known = low is not None and high is not None and 0 <= low <= high <= 1
    return {
        "right": right,
        "of": of,
        "share": right / of,
        "low": low if is_known else None,
        "high": high if is_known else None,
    }


def shares_of(value: object, *, most: int = 60) -> list[Object]:
    """Shares by name, as rows."""
    found = []
    for name, given in list(object_of(value).items())[:most]:
        share = share_of(given)
        if share is not None:
            found.append({"name": text_of(name, longest=80), **share})
    return found
