"""How alike two texts are, from 0 to 100, as the published graders count it. Knows letters and words, no meaning.

The ratio of two texts is twice the length of their longest common subsequence over the sum of their lengths, in whole
percent. The subsequence is found with whole rows of bits at once, so that long texts cost little.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias, get_args

FuzzMethod: TypeAlias = Literal["ratio", "partial_ratio", "token_sort_ratio", "token_set_ratio"]
FUZZ_METHODS: tuple[FuzzMethod, ...] = get_args(FuzzMethod)

# Longer texts are not compared: nobody answers with a book.
_LONGEST = 20_000
# Steps of the search for the best window; a fraction of a second.
_MOST_STEPS = 1_000_000
_WORD = re.compile(r"[^\W_]+")


def likeness(first: str, second: str, method: FuzzMethod = "ratio") -> int | None:
    """How alike two texts are in whole percent; None where they are too long to be compared."""
    if first == second:
        return 100
    if max(len(first), len(second)) > _LONGEST:
        return None
    return _METHODS[method](first, second)


def is_like(first: str, second: str, *, threshold: float, method: FuzzMethod = "ratio") -> bool | None:
    """Whether two texts are alike to so many percent; None where they are too long to be compared."""
    total = len(first) + len(second)
    if method == "ratio" and total and round(200 * min(len(first), len(second)) / total) < threshold:
        return False
    found = likeness(first, second, method)
    return None if found is None else found >= threshold


def ratio(first: str, second: str) -> int:
    """Of whole texts."""
    total = len(first) + len(second)
    return round(200 * _common(_places(first), len(first), second) / total) if total else 100


def partial_ratio(first: str, second: str) -> int | None:
    """Of the shorter text and that part of the longer one, of the same length, which is most like it."""
    short, long = sorted((first, second), key=len)
    if not short:
        return 100 if not long else 0
    if short in long:
        return 100
    size = len(short)
    windows = len(long) - size + 1
    if windows * size > _MOST_STEPS:
        return None
    places = _places(short)
    most = max(_common(places, size, long[start : start + size]) for start in range(windows))
    return round(100 * most / size)


def token_sort_ratio(first: str, second: str) -> int:
    """Of the words of both in order, whatever their case and the signs between them."""
    return ratio(" ".join(sorted(_words(first))), " ".join(sorted(_words(second))))


def token_set_ratio(first: str, second: str) -> int:
    """Of the words that both have, and of these with the others of each; the most alike pair counts."""
    one, other = set(_words(first)), set(_words(second))
    both = " ".join(sorted(one & other))
    texts = [f"{both} {' '.join(sorted(words - (one & other)))}".strip() for words in (one, other)]
    if not one or not other:
        return 0
    return max(ratio(both, texts[0]) if both else 0, ratio(both, texts[1]) if both else 0, ratio(*texts))


_METHODS: Mapping[FuzzMethod, Callable[[str, str], int | None]] = {
    "ratio": ratio,
    "partial_ratio": partial_ratio,
    "token_sort_ratio": token_sort_ratio,
    "token_set_ratio": token_set_ratio,
}


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _places(text: str) -> dict[str, int]:
    """For each letter a row of bits: those of the places where it stands."""
    found: dict[str, int] = {}
    for place, letter in enumerate(text):
        found[letter] = found.get(letter, 0) | 1 << place
    return found


def _common(places: Mapping[str, int], size: int, second: str) -> int:
    """The length of the longest common subsequence of a text, given by its places, and a second (after Hyyrö)."""
    whole = (1 << size) - 1
    row = whole
    for letter in second:
        met = row & places.get(letter, 0)
        row = (row + met | row - met) & whole
    return size - row.bit_count()
