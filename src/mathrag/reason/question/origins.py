"""Where a value of a question comes from, and whether an origin is that of a value: by the place where it stands, since
"5 m" stands in "15 m" too."""

from __future__ import annotations

import re
from collections.abc import Iterable

from mathrag.types.answer import Provenance
from mathrag.types.question import Given

_PART_OF_NUMBER = r"[\w.,]"


def origin_of(given: Given) -> Provenance:
    """The origin of a value of the question."""
    place = (given.start, given.end) if given.start < given.end and not given.is_pinned else None
    if given.assumption:
        return Provenance("assumed", given.assumption, span=given.span, place=place)
    if given.is_pinned:
        return Provenance("pinned", given.text)
    return Provenance("implied" if given.implied else "question", given.text, place=place)


def is_from(origin: Provenance, given: Given) -> bool:
    """Whether an origin is a value of the question. One that nobody placed quotes the value where the whole of it
    stands in the quote."""
    own = origin_of(given)
    if origin.place is not None and own.place is not None:
        # Of one name several properties may be known: they stand in one place.
        return origin.place == own.place and origin.text == own.text
    if not given.text:
        return False
    whole = rf"(?<!{_PART_OF_NUMBER}){re.escape(given.text)}(?!\w|[.,]\d)"
    return re.search(whole, origin.text) is not None


def is_said(origin: Provenance, question: str) -> bool:
    """Whether the words of an origin stand in a question, where it says that they do."""
    if origin.place is not None:
        return question[slice(*origin.place)] == origin.text
    return bool(origin.text) and origin.text in question


def is_taken_up(given: Given, origins: Iterable[Provenance]) -> bool:
    """Whether any of some origins is a value of the question."""
    return any(is_from(each, given) for each in origins)
