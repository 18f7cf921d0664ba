"""Formulas in words without a command for text (`Net Profit = Revenue - Costs`): each run of words is one name.

Blanks of the source separate words there. Looks at letters and blanks only, before anything is read, and leaves every
formula without a word of some length as it is: `m g h` and `PV = nRT` are products.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from mathrag.compute.grammar.context import Context
from mathrag.compute.grammar.lexicon import OPERATOR_WORDS
from mathrag.compute.grammar.word_names import is_spelled_word
from mathrag.compute.notation import (
    Accent,
    Digits,
    Fence,
    Grid,
    Mark,
    Name,
    Root,
    Row,
    Script,
    Sign,
    Space,
    Stack,
    Words,
)
from mathrag.knowledge.units import is_unit_text
from mathrag.language.abbreviations import abbreviates
from mathrag.language.word_classes import word_class
from mathrag.types.expression import Ambiguity
from mathrag.types.symbol_names import GREEK_NAMES, safe_identifier

_MOST_WORDS = 9
_LONG_RUN = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{4}")
_WORD = re.compile(r"[A-Z]?[a-z]+")
_VOWEL = re.compile(r"[aeiouyAEIOUY]")
# Where one word ends inside `NetProfit` or `ARPeriod`.
_SEAM = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
# Functions only before arguments in parentheses.
_ALSO_WORDS = frozenset(("floor", "max", "min", "rank", "sign"))
_ARTICLES = frozenset("aA")
_CROSS = frozenset("xX")
# Beside a name of several words these are names as well: Tax, tax, Eq.
_SHORT_NAME = re.compile(r"[A-Z][a-z]{1,2}|[a-z]{3}")


@dataclass(frozen=True, slots=True)
class _Piece:
    """Letters without a blank between them: where they stand among the marks, and the script of the last."""

    text: str
    start: int
    stop: int
    script: Script | None = None


def with_words(row: Row, context: Context) -> Row:
    """The row with each run of words as running text; as it was where no run of letters is a word."""
    if not context.source.startswith("<") and _LONG_RUN.search(context.source) is None:
        return row
    reader = _Words(context)
    found = reader.row(row)
    if reader.joined:
        context.in_words = True
        beside = {text for text in reader.alone if _SHORT_NAME.fullmatch(text) and _VOWEL.search(text)}
        capitals = {word for word in reader.joined if word.isupper() and len(word) > 1}
        context.known |= (beside - OPERATOR_WORDS - GREEK_NAMES) | capitals
        context.known -= context.choices.products
    return found


class _Words:
    """Finds the runs of one formula, row by row; keeps what stands `alone` and the words that were `joined`."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.alone: set[str] = set()
        self.joined: set[str] = set()

    def row(self, row: Row) -> Row:
        """A row and all below it."""
        items = [self._mark(item) for item in row.items]
        pieces = _pieces(items, self.context)
        if any(is_spelled_word(word) for piece in pieces for word in _SEAM.split(piece.text)):
            for run in reversed(_runs(pieces, items, self.context)):
                self._join(run, items)
        elif pieces:
            self.alone.update(piece.text for piece in pieces)
        return Row(tuple(_with_abbreviations(items)), row.position)

    def _mark(self, mark: Mark) -> Mark:
        match mark:
            case Row():
                return self.row(mark)
            case Fence(_, _, body, _) | Accent(_, body, _):
                return replace(mark, body=self.row(body))
            case Script(base, _, sup, _):
                # A subscript is a label whatever it spells.
                return replace(mark, base=self._mark(base), sup=None if sup is None else self.row(sup))
            case Stack(above, below, _):
                return replace(mark, above=self.row(above), below=self.row(below))
            case Root(body, _, _):
                return replace(mark, body=self.row(body))
            case Grid(_, lines, _):
                return replace(mark, lines=tuple(tuple(map(self.row, line)) for line in lines))
            case _:
                return mark

    def _join(self, run: list[_Piece], items: list[Mark]) -> None:
        """Put one mark in place of a run that is a name; a cross typed as a letter between two names is a sign."""
        cross = next((place for place in range(1, len(run) - 1) if _is_cross(run, place)), None)
        if cross is not None:
            self._join(run[cross + 1 :], items)
            piece = run[cross]
            position = items[piece.start].position
            items[piece.start : piece.stop] = [Sign("×", position)]
            reading = "the letter x between two words is read as a multiplication sign"
            self.context.flag("typed_cross", reading, position)
            self._join(run[:cross], items)
            return
        words = [word for piece in run for word in _SEAM.split(piece.text)]
        text = " ".join(words)
        if _is_unit_of_number(run[0], items):
            # "3 litres per day": behind a number these words are its unit.
            items[run[0].start : run[-1].stop] = [Words(text, items[run[0].start].position)]
            return
        if not _is_name(words) or text in self.context.choices.products:
            self.alone.update(piece.text for piece in run)
            return
        if self._may_be_factors(words):
            # What the caller knows as symbols of their own are factors unless somebody says otherwise.
            is_product = self.context.known.issuperset(words) and text not in self.context.choices.names
            self.context.note(Ambiguity("letters", text, "product" if is_product else "name"))
            if is_product:
                self.alone.update(piece.text for piece in run)
                return
        self.joined.update(words)
        start, script = run[0].start, run[-1].script
        named = Words(text, items[start].position)
        mark = named if script is None else replace(script, base=named, position=named.position)
        items[start : run[-1].stop] = [mark]

    def _may_be_factors(self, words: Sequence[str]) -> bool:
        """Whether each word names a quantity by itself, so that they may be multiplied."""
        known = self.context.known
        quantities = word_class("formula_words.quantity_names")
        if safe_identifier("_".join(words)) in known:
            return False
        return all(word in known or word.lower() in quantities for word in words)


# Letters to pieces, and pieces to runs.


def _pieces(items: Sequence[Mark], context: Context) -> list[_Piece]:
    is_tagged = context.source.startswith("<")
    pieces: list[_Piece] = []
    index = 0
    while index < len(items):
        text = _letters(items[index], is_tagged=is_tagged)
        stop = index + 1
        is_token = len(text) > 1
        while text and not is_token and not isinstance(items[stop - 1], Script) and stop < len(items):
            # Converters set a sign for the product between any two letters.
            place = stop + (is_tagged and _is_sign(items[stop], "\u2062") and stop + 1 < len(items))
            letter = _letters(items[place], is_tagged=is_tagged)
            if len(letter) != 1 or not (is_tagged or items[place].position == items[stop - 1].position + 1):
                break
            text += letter
            stop = place + 1
        if text:
            last = items[stop - 1]
            pieces.append(_Piece(text, index, stop, last if isinstance(last, Script) else None))
        index = stop
    return pieces


def _letters(mark: Mark, *, is_tagged: bool) -> str:
    """The letter that a mark is, or the letters that a tag sets as one; upright LaTeX is joined by its author."""
    base = mark.base if isinstance(mark, Script) else mark
    if not isinstance(base, Name) or not (base.text.isascii() and base.text.isalpha()) or base.text in GREEK_NAMES:
        return ""
    if len(base.text) == 1:
        return base.text if base.style == "italic" else ""
    return base.text if is_tagged and base.style in ("italic", "upright") and base.text not in OPERATOR_WORDS else ""


def _runs(pieces: Sequence[_Piece], items: Sequence[Mark], context: Context) -> list[list[_Piece]]:
    """Pieces with nothing but blanks between them, as far as they may be words of one name."""
    runs: list[list[_Piece]] = []
    for piece in pieces:
        before = runs[-1][-1] if runs else None
        if before is not None and before.script is None and _follows(before, piece, items, context):
            runs[-1].append(piece)
        else:
            runs.append([piece])
    return [part for run in runs for part in _parts(run, items)]


def _follows(before: _Piece, piece: _Piece, items: Sequence[Mark], context: Context) -> bool:
    between = items[before.stop : piece.start]
    if not all(_is_blank(mark) for mark in between):
        return False
    source = context.source[items[before.stop - 1].position + 1 : items[piece.start].position]
    return context.source.startswith("<") or bool(between) or source.isspace()


def _is_blank(mark: Mark) -> bool:
    if isinstance(mark, Words):
        return not mark.text.strip()
    return (isinstance(mark, Space) and not mark.wide) or _is_sign(mark, "\u200b")


def _is_sign(mark: Mark, text: str) -> bool:
    return isinstance(mark, Sign) and mark.text == text


def _parts(run: list[_Piece], items: Sequence[Mark]) -> list[list[_Piece]]:
    """A run as far as it goes; nothing where a connective stands in it or a number before it has it as its unit."""
    connectives = word_class("formula_words.spelled")
    if any(piece.text in connectives for piece in run):
        return []
    is_unit = is_unit_text(" ".join(piece.text for piece in run)) and len(run) > 1
    return [run] if is_unit or not _is_unit_of_number(run[0], items) else []


def _is_unit_of_number(piece: _Piece, items: Sequence[Mark]) -> bool:
    before = next((mark for mark in reversed(items[: piece.start]) if not _is_blank(mark)), None)
    return isinstance(before, Digits) and is_unit_text(piece.text)


# Runs to names.


def _is_name(words: Sequence[str]) -> bool:
    if not 1 < len(words) <= _MOST_WORDS or not any(map(is_spelled_word, words)):
        return False
    return all(_may_be_in_name(word, place, len(words)) for place, word in enumerate(words))


def _is_cross(run: Sequence[_Piece], place: int) -> bool:
    beside = (_SEAM.split(run[place - 1].text)[-1], _SEAM.split(run[place + 1].text)[0])
    return run[place].text in _CROSS and run[place].script is None and all(map(is_spelled_word, beside))


def _may_be_in_name(word: str, place: int, count: int) -> bool:
    """Whether letters may be one of the words of a name: a word, capitals, a small word, an article in the middle."""
    if len(word) == 1:
        return word in _ARTICLES and 0 < place < count - 1
    if word in OPERATOR_WORDS:
        return word in _ALSO_WORDS
    if word in GREEK_NAMES:
        return False
    if word.isupper():
        return True
    is_short = len(word) == 2 and word.islower()
    if is_short:
        return word in word_class("formula_sets.small_words")
    return _WORD.fullmatch(word) is not None and _VOWEL.search(word) is not None


def _with_abbreviations(items: list[Mark]) -> list[Mark]:
    """`FCF (Free Cash Flow)`: capitals with the words that they stand for in parentheses are one name."""
    for index in range(len(items) - 1, 0, -1):
        fence = items[index]
        inside = fence.body.items if isinstance(fence, Fence) and fence.opening == "(" else ()
        if len(inside) != 1 or not isinstance(inside[0], Words):
            continue
        start = index
        letters = ""
        while start > 0 and (letter := _letters(items[start - 1], is_tagged=True)) and letter.isupper():
            start, letters = start - 1, letter + letters
            if isinstance(items[start], Script):
                break
        words = inside[0].text.strip()
        if abbreviates(letters, words) and not any(isinstance(mark, Script) for mark in items[start:index]):
            items[start : index + 1] = [Words(f"{words} ({letters})", items[start].position)]
    return items
