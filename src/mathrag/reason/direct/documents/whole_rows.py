"""Rows of a table that were printed on two lines, as one again: texts that go on, intervals and errors in brackets
below their values, names that were too long for their column.

Where a number itself seems to go on in the next line, the row is told to be broken: none of its numbers is sure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from mathrag.reason.direct.documents.cell_numbers import RAISED, STYLE, cell_number, runs_together

_IN_BRACKETS = re.compile(r"[(\[][^()\[\]]{1,40}[)\]]\s?[*∗†‡]{0,3}")
_GOES_ON_WITH = re.compile(r"\d{1,6}\s?[(\[][^()\[\]]{1,40}[)\]]")


def whole_rows(rows: Sequence[Sequence[str]]) -> tuple[list[tuple[str, ...]], frozenset[int]]:
    """The rows without those that go on with one above, and the places of those whose numbers are broken."""
    made: list[list[str]] = []
    broken: set[int] = set()
    for row in rows:
        filled = [place for place, text in enumerate(row) if text.strip()]
        above = made[-1] if made else None
        if above is not None and _is_below(above, row, filled):
            if _goes_on(above, row, filled) or _is_spread(above, row, filled):
                _join(above, row, filled)
                continue
            if _is_broken(above, row, filled):
                broken.update((len(made) - 1, len(made)))
        made.append(list(row))
    if broken:
        return [tuple(row) for row in made], frozenset(broken)
    return _with_whole_names(made), frozenset()


def _is_below(above: Sequence[str], row: Sequence[str], filled: Sequence[int]) -> bool:
    return bool(filled) and not row[0].strip() and bool(above[0].strip()) and len(above) == len(row)


def _join(above: list[str], row: Sequence[str], filled: Sequence[int]) -> None:
    for place in filled:
        text = above[place]
        above[place] = text[:-1] + row[place] if text.endswith("-") else f"{text} {row[place]}".strip()


def _goes_on(above: Sequence[str], row: Sequence[str], filled: Sequence[int]) -> bool:
    """Whether texts without numbers go on with those above."""
    if any(cell_number(text) is not None for text in (*above, *row)) or any(map(runs_together, row)):
        return False
    # Names of a second column are no texts that go on: nothing stands beside them then.
    return all(above[place].strip() for place in filled)


def _is_spread(above: Sequence[str], row: Sequence[str], filled: Sequence[int]) -> bool:
    """Whether a row holds nothing but what stands in brackets beside the values above."""
    return all(_IN_BRACKETS.fullmatch(_plain(row[place])) and _is_bare(above[place]) for place in filled)


def _is_broken(above: Sequence[str], row: Sequence[str], filled: Sequence[int]) -> bool:
    """Whether some numbers above may go on below, before the brackets that all of them have there."""
    texts = [_plain(row[place]) for place in filled]
    is_like = all(_IN_BRACKETS.fullmatch(text) or _GOES_ON_WITH.fullmatch(text) for text in texts)
    return is_like and all(_is_bare(above[place]) for place in filled)


def _is_bare(text: str) -> bool:
    number = cell_number(text)
    return number is not None and not number.beside


def _plain(text: str) -> str:
    return STYLE.sub("", RAISED.sub("", text)).strip()


def _with_whole_names(rows: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """The rows with names that go on in a line of their own. In a table where rows begin with capitals, a small letter
    goes on with the name above."""
    later = [place for place, row in enumerate(rows) if place and row and row[0][:1].islower()]
    is_title = [len(row) > 1 and bool(row[0].strip()) and not any(text.strip() for text in row[1:]) for row in rows]
    if not later or any(is_title[place] == is_title[place - 1] for place in later) or 2 * len(later) > len(rows):
        return [tuple(row) for row in rows]
    made: list[tuple[str, ...]] = []
    joined = frozenset(later)
    for place, row in enumerate(rows):
        if place in joined:
            above = made.pop()
            values = above[1:] if is_title[place] else row[1:]
            made.append((f"{above[0]} {row[0]}", *values))
        else:
            made.append(tuple(row))
    return made
