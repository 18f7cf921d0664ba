"""The numbers of a sentence as they are written, with unit, range, uncertainty or as a list of several, and the pieces
of the sentence around them. Knows no question and no document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from mathrag.language.quantities import find_quantities
from mathrag.language.quantities.mention import Mention
from mathrag.language.word_classes import any_of
from mathrag.reason.direct.documents.words import Word, words_of
from mathrag.types.quantity import Dimension

_DIGITS = re.compile(r"\d[\d,]*(?:\.\d+)?")
_LETTERS = re.compile(r"\W+")
_MARK = re.compile(r"[,;:()\[\]=<>≈~≤≥±/|•]|(?<=\s)[–—-](?=\s)|—")
# Between two numbers that are one value as it is written: a range, or one of a list.
_RANGE = re.compile(r"\s?(?:–|—|-|−|to|and)\s?|\s(?:to|and)\s")
_LIST = re.compile(r",? (?:and|or) |, |,? & ")
_BETWEEN = re.compile(r"\b(?:between|from)\s+(?:about\s+|approximately\s+)?$", re.IGNORECASE)
_SIGN_BEFORE = re.compile(r"[<>≤≥≈~]\s?$")
_BROKEN_BEFORE = re.compile(r"\d[\s\u00a0\u2009]$|[^\W_]$|\d\s?\w{0,3}\s?[x×]\s?$")
_BROKEN_BEHIND = re.compile(r"\s?[x×]\s?\d")


@dataclass(frozen=True, slots=True)
class Value:
    """One or several numbers as written. `numbers` are compared; `dimension` is that of the first, None without a unit;
    `is_list` where several values stand side by side. `kind` is what the numbers are in the sentence."""

    text: str
    start: int
    end: int
    numbers: tuple[tuple[float, str], ...]
    kind: str
    dimension: Dimension | None = None
    is_list: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether it can be the number of some things: whole, without a unit, no label and no date."""
        whole = all(number >= 0 and number == int(number) and not unit for number, unit in self.numbers)
        return whole and self.kind in ("number", "count", "range") and not self.is_list

    @property
    def is_approximate(self) -> bool:
        """Whether it is said to be rounded: "about 900", "more than 900"."""
        return not self.text[0].isdigit() and any(map(str.isdigit, self.text)) and len(self.numbers) == 1

    def is_about(self, exact: Value) -> bool:
        """Whether this is the exact value, rounded."""
        if not self.is_approximate or len(exact.numbers) != 1 or self.numbers[0][1] != exact.numbers[0][1]:
            return False
        digits = _DIGITS.search(self.text)
        away = abs(self.numbers[0][0] - exact.numbers[0][0])
        return digits is not None and away <= _step(digits.group()) / 2

    @property
    def core(self) -> str:
        """What two values agree by: numbers and units; of times and names their letters."""
        if self.kind in ("date", "name"):
            return _LETTERS.sub(" ", self.text.casefold()).strip()
        return " ".join(f"{number:.12g} {unit}".strip() for number, unit in self.numbers)


@dataclass(frozen=True, slots=True)
class Piece:
    """A word, a value or a mark of a sentence; `depth` is how many brackets are open around it."""

    text: str
    key: str
    start: int
    end: int
    depth: int = 0
    value: Value | None = None
    is_word: bool = False

    @property
    def lower(self) -> str:
        """Without case."""
        return self.text.casefold()


def _step(digits: str) -> float:
    """The size of the last digit that is not zero: 900 is exact to hundreds."""
    bare = digits.replace(",", "")
    if "." in bare:
        return float(10 ** -len(bare.partition(".")[2]))
    return float(10 ** (len(bare) - len(bare.rstrip("0"))))


def pieces_of(text: str) -> tuple[Piece, ...]:
    """A readable sentence cut into words, values and marks, in order."""
    values = list(_values(text))
    found = [Piece(each.text, "", each.start, each.end, value=each) for each in values]
    taken = [(each.start, each.end) for each in values]
    found += [
        Piece(word.text, word.key, word.start, word.end, is_word=True)
        for word in words_of(text)
        if not _is_inside(word, taken)
    ]
    found += [
        Piece(mark.group(), mark.group(), mark.start(), mark.end())
        for mark in _MARK.finditer(text)
        if not any(start <= mark.start() < end for start, end in taken)
    ]
    found.sort(key=lambda each: each.start)
    return tuple(_with_depths(found))


def _is_inside(word: Word, taken: Sequence[tuple[int, int]]) -> bool:
    return any(start < word.end and word.start < end for start, end in taken)


def _with_depths(pieces: Sequence[Piece]) -> Iterator[Piece]:
    depth = 0
    for piece in pieces:
        if piece.text in (")", "]"):
            depth = max(0, depth - 1)
        yield Piece(piece.text, piece.key, piece.start, piece.end, depth, piece.value, piece.is_word)
        if piece.text in ("(", "["):
            depth += 1


# ---- values


def _values(text: str) -> Iterator[Value]:
    """The values of a text, numbers that belong together in one."""
    mentions = [each for each in find_quantities(text) if not _is_broken(text, each)]
    group: list[Mention] = []
    for mention in mentions:
        if group and _belongs(text, group, mention):
            group.append(mention)
            continue
        if group:
            yield _value(text, group)
        group = [mention]
    if group:
        yield _value(text, group)


def _is_broken(text: str, mention: Mention) -> bool:
    """Half of a number that was written with a blank in it (12 000), one side of "30 x 30 m": better none than half."""
    before, behind = text[max(0, mention.start - 12) : mention.start], text[mention.end : mention.end + 6]
    return mention.kind == "declined" or bool(_BROKEN_BEFORE.search(before) or _BROKEN_BEHIND.match(behind))


def _belongs(text: str, group: Sequence[Mention], mention: Mention) -> bool:
    last = group[-1]
    if last.kind in ("label", "date", "ordinal") or mention.kind in ("label", "date", "ordinal") or mention.symbol:
        return False
    gap = text[last.end : mention.start]
    is_same = _units(last) == _units(mention) or not last.units
    if len(group) == 1 and _RANGE.fullmatch(gap) and is_same:
        return "and" not in gap or _BETWEEN.search(text[: last.start]) is not None or _is_listed(text, mention)
    return _LIST.fullmatch(gap) is not None and is_same and _is_listed(text, mention)


def _is_listed(text: str, mention: Mention) -> bool:
    """Whether a number behind a comma is one of a list: no thing of its own follows it."""
    return mention.kind != "count" and re.match(r"\s*(?:[.,;:)\]]|$|and\b|or\b)", text[mention.end :]) is not None


def _units(mention: Mention) -> str:
    return mention.units[0].text if mention.units else ""


def _value(text: str, group: Sequence[Mention]) -> Value:
    first, last = group[0], group[-1]
    gaps = [text[one.end : other.start] for one, other in pairwise(group)]
    is_range = len(group) == 2 and _RANGE.fullmatch(gaps[0]) is not None and (
        "and" not in gaps[0] or _BETWEEN.search(text[: first.start]) is not None
    )  # fmt: skip
    start = _with_hedge(text, first.start, is_range)
    units = [_units(each) or _units(last) for each in group]
    numbers = tuple((float(each.value), unit) for each, unit in zip(group, units, strict=True))
    unit = next((each.units[0] for each in reversed(group) if each.units), None)
    # "Three-way", "48-bit": part of another word.
    is_compound = re.match(r"-[^\W\d_]", text[last.end : last.end + 2]) is not None
    kind = "compound" if is_compound else first.kind if len(group) == 1 else "range"
    shown = text[start : last.end]
    return Value(
        shown, start, last.end, numbers, kind, unit.dimension if unit else None, len(group) > 1 and not is_range
    )


@cache
def _hedge() -> re.Pattern[str]:
    return re.compile(rf"(?:\b(?:{any_of('stated.before_values')})\.?\s+)+$", re.IGNORECASE)


def _with_hedge(text: str, start: int, is_range: bool) -> int:
    """Where the value begins with what belongs to it: "about", "<", "between"."""
    if is_range and (opened := _BETWEEN.search(text[:start])) is not None:
        return opened.start()
    if (sign := _SIGN_BEFORE.search(text[:start])) is not None:
        return sign.start()
    hedged = _hedge().search(text[:start])
    return hedged.start() if hedged is not None else start
