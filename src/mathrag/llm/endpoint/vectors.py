"""Vectors as a server sends them, checked: one for every text, finite, all of one length."""

from __future__ import annotations

import math

from mathrag.llm.endpoint.faults import Unreadable
from mathrag.llm.nouns import Json

_MOST_DIMENSIONS = 16_384
BYTES_OF_A_VECTOR = 1 << 18


def read_vectors(value: Json, *, count: int) -> list[tuple[float, ...]]:
    """The vectors in the order of the texts, which need not be the order they came in."""
    data = value.get("data") if isinstance(value, dict) else None
    if not isinstance(data, list) or len(data) != count:
        raise Unreadable(f"it has not one vector for each of {count} texts")
    vectors: dict[int, tuple[float, ...]] = {}
    for position, entry in enumerate(data):
        if not isinstance(entry, dict):
            raise Unreadable("one of its vectors is no object")
        index = entry.get("index", position)
        if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < count or index in vectors:
            raise Unreadable("its vectors are numbered wrongly")
        vectors[index] = _vector(entry.get("embedding"))
    if len({len(vector) for vector in vectors.values()}) > 1:
        raise Unreadable("its vectors have different lengths")
    return [vectors[index] for index in range(count)]


def _vector(value: Json) -> tuple[float, ...]:
    # llama.cpp wraps the vector of a pooled text into a list of one.
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], list):
        value = value[0]
    if not isinstance(value, list) or not 0 < len(value) <= _MOST_DIMENSIONS:
        raise Unreadable("one of its vectors is no list of numbers")
    try:
        numbers = tuple(float(number) for number in value if isinstance(number, int | float))
    except OverflowError as error:
        raise Unreadable("one of its vectors has a number that is none") from error
    if len(numbers) != len(value) or not all(map(math.isfinite, numbers)):
        raise Unreadable("one of its vectors has a number that is none")
    return numbers
