"""Polygons by the number of their corners: angles of a regular one, the sum of all angles, the number of diagonals.

Strict: what is asked, and the polygon by its name or the number of its sides; nothing else.
"""

from __future__ import annotations

import re
from fractions import Fraction

from mathrag.knowledge.units import read_canonical_unit
from mathrag.language.quantities.numbers import Scan, read_words
from mathrag.language.word_classes import any_of, word_pairs
from mathrag.reason.direct.algebra.outcomes import failure
from mathrag.reason.direct.algebra.questions import task_text
from mathrag.reason.direct.result import WHOLE_FIGURES, AlgebraOutcome, as_number, result_by_steps, with_unit
from mathrag.types.quantity import NO_UNIT, Quantity

_LONGEST = 200
_FEWEST, _MOST = 3, 1_000_000
_SIDED = r"(?:(?P<sides>[0-9]{1,7}|[a-z]+(?:-[a-z]+)?)[- ]sided (?:polygon|figure)|(?P<gon>[0-9]{1,7})[- ]gon)"
_WITH = r"(?:polygon (?:with|of|that has|having) (?P<count>[0-9]{1,7}|[a-z]+(?:-[a-z]+)?) (?:sides|corners|vertices))"
_POLYGON = (
    rf"(?:an? |the |any |every )?(?P<regular>regular )?(?:convex )?"
    rf"(?:(?P<name>{any_of('polygons.corners')})|{_SIDED}|{_WITH})"
)
_ASKED = {
    name.removeprefix("asks_"): rf"(?:the )?(?:{any_of(f'polygons.{name}')})"
    for name in ("asks_sum", "asks_interior", "asks_exterior", "asks_diagonals")
}
_FORMS = tuple(
    (name, re.compile(form, re.IGNORECASE))
    for name, asked in _ASKED.items()
    for form in (
        rf"{asked} (?:of|in|for|inside) {_POLYGON}",
        rf"{asked} (?:does|are (?:there )?in|has|are there for) {_POLYGON}(?: have)?",
    )
)


def answer_polygons(text: str) -> AlgebraOutcome:
    """An angle or a number of a polygon; None for any other question."""
    if len(text) > _LONGEST:
        return None
    asked = task_text(text)
    for name, form in _FORMS:
        found = form.fullmatch(asked)
        corners = None if found is None else _corners(found)
        if found is not None and corners is not None:
            return _told(name, corners, is_regular=found["regular"] is not None or found["name"] == "square")
    return None


def _corners(found: re.Match[str]) -> int | None:
    if found["name"]:
        return int(word_pairs("polygons.corners")[found["name"].lower()])
    written = found["sides"] or found["gon"] or found["count"]
    if written.isdecimal():
        return int(written)
    read = read_words(Scan(written.lower()), 0)
    return int(read.value) if read is not None and isinstance(read.value, int) else None


def _told(asked: str, corners: int, *, is_regular: bool) -> AlgebraOutcome:
    if not _FEWEST <= corners <= _MOST:
        return failure("domain", f"a polygon has at least three corners, not {corners}")
    if asked in ("interior", "exterior") and not is_regular:
        # Only in a regular polygon are all angles alike.
        return None
    value, rule = {
        "sum": (Fraction((corners - 2) * 180), "(n − 2) × 180°"),
        "interior": (Fraction((corners - 2) * 180, corners), "(n − 2) × 180°/n"),
        "exterior": (Fraction(360, corners), "360°/n"),
        "diagonals": (Fraction(corners * (corners - 3), 2), "n (n − 3)/2"),
    }[asked]
    name = {
        "sum": "sum of the interior angles",
        "interior": "interior angle of the regular polygon",
        "exterior": "exterior angle of the regular polygon",
        "diagonals": "number of diagonals",
    }[asked]
    unit = NO_UNIT if asked == "diagonals" else read_canonical_unit("deg")
    number = as_number(value)
    assert number is not None
    said = with_unit(number, unit, WHOLE_FIGURES)
    steps = (f"{rule}, n = {corners}",)
    return result_by_steps("algebra", Quantity(number, unit), name=name, said=said, steps=steps, figures=WHOLE_FIGURES)
