"""Formulas typed inside a sentence without any mark-up: `The current is I = V/R, where R is the resistance.`

Letters alone show where such a formula begins and ends, so much must agree: one symbol on the left, behind a word or a
mark; a right side that computes something, up to a word or a mark; and a sentence around it, which no program has.
What is a value (`t = 5 s`), a setting or a comparison is left to the words. Reads no meaning.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from mathrag.documents.math_in_text.finder import is_well_formed
from mathrag.documents.math_in_text.tokens import TextToken, closing_bracket, is_unit
from mathrag.documents.math_in_text.typed_lines import (
    GRAMMAR,
    VALUE_ENDS,
    VALUE_STARTS,
    TextFormula,
    computes,
    is_amount,
    is_word,
    juxtaposes,
    roles_of,
    symbols_of,
    tokenise,
    write_latex,
)
from mathrag.language.word_classes import word_class
from mathrag.types.symbol_names import GREEK_NAMES

# Longer texts than any paragraph are no prose.
_LONGEST = 6_000
_LEAST_WORDS = 3
_LONGEST_NAME = 4
_MOST_RELATIONS = 40
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z(“\"])|\n\s*\n")
# What only programs, settings, reactions and mark-up have.
_NO_PROSE = re.compile(r"==|!=|:=|=>|->|<-|[-+*/%|&]=|<=|>=|<>|&&|\|\||\+\+|--|://|[→⇌←↔\\`{}#@|~$<>]")
_ENDS = frozenset(".,;:)!?\"'”’…—")
_OPENS = frozenset(",;:(\"'“‘—")
_ATTACHED = frozenset(("subscript", "superscript", "mark", "number", "label", "fraction"))
# Letters that are words of their own as well.
_ALSO_WORDS = frozenset(("a", "A", "I"))
_GREEK = frozenset(GREEK_NAMES)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a text, and where it begins there."""

    text: str
    start: int


def sentences_with_equations(text: str) -> Iterator[Sentence]:
    """The sentences of a text in which something may equal something."""
    if len(text) > _LONGEST or ("=" not in text and "≈" not in text):
        return
    start = 0
    for end in (*(match.start() for match in _SENTENCE_END.finditer(text)), len(text)):
        sentence = text[start:end]
        if ("=" in sentence or "≈" in sentence) and not _NO_PROSE.search(sentence):
            yield Sentence(sentence, start)
        start = end


def is_prose(text: str) -> bool:
    """Whether a text has so many words that it is a sentence."""
    tokens = tokenise(text, with_others=True) or []
    return sum(_is_prose(tokens, place) for place in range(len(tokens))) >= _LEAST_WORDS


def formulas_in_prose(text: str) -> list[TextFormula]:
    """The formulas that stand in the sentences of a text, from left to right."""
    letters = Counter(re.findall(r"(?<![^\W\d_])([^\W\d_]\d?)(?![^\W_])", text))
    return [
        one.moved(sentence.start)
        for sentence in sentences_with_equations(text)
        for one in _in_sentence(sentence.text, letters)
    ]


def _in_sentence(sentence: str, letters: Counter[str]) -> list[TextFormula]:
    tokens = tokenise(sentence, with_others=True) or []
    if sum(_is_prose(tokens, place) for place in range(len(tokens))) < _LEAST_WORDS:
        return []
    found: list[TextFormula] = []
    after = 0
    relations = [place for place, token in enumerate(tokens) if token.kind == "relation"]
    for place in relations[:_MOST_RELATIONS]:
        if place < after:
            continue
        first, last = _left_start(tokens, place), _right_end(tokens, place + 1)
        if first is None or last is None or first < after:
            continue
        after = last
        if _says_something(tokens[first:place], tokens[place + 1 : last], letters):
            source = _source(tokens[first:place], tokens[place:last])
            if source:
                found.append(TextFormula(tokens[first].start, tokens[last - 1].end, source, "latex"))
    return found


def _source(left: Sequence[TextToken], right: Sequence[TextToken]) -> str | None:
    """LaTeX of both sides; a half beside the letter on the left is an index, as in the half-life."""
    index = "".join(token.text for token in left[1:]).replace("½", "1/2")
    shown = f"{left[0].text}_{{1/2}}" if index == "1/2" else write_latex(left)
    written = write_latex(right)
    return f"{shown} {written}" if shown and written else None


def _is_prose(tokens: Sequence[TextToken], place: int) -> bool:
    """Whether a word of the sentence stands here; letters glued to a value or behind a sign belong to a formula."""
    token = tokens[place]
    if token.kind != "name" or len(token.text) == 1 or token.text.lower() in _GREEK:
        return False
    if is_word(token):
        return True
    if token.text.lower() not in word_class("text_formulas.in_tagged_text"):
        return False
    before = tokens[place - 1] if place else None
    is_glued = not token.gap and before is not None and before.kind in VALUE_ENDS
    return not is_glued and (before is None or before.kind not in ("operator", "open"))


def _left_start(tokens: Sequence[TextToken], relation: int) -> int | None:
    """Where the one symbol on the left begins; None where more than a symbol stands there, or half of something."""
    first = relation - 1
    if first > 2 and [token.kind for token in tokens[first - 2 : relation]] == ["open", "name", "close"]:
        # `C(t)`: a quantity and what it depends on.
        first -= 3
        if tokens[first + 1].gap or len(tokens[first + 2].text) > 1:
            return None
    while first > 0 and not tokens[first].gap and _hangs_on(tokens, first):
        first -= 1
    if first < 0 or tokens[first].kind != "name" or _is_prose(tokens, first):
        return None
    if len(tokens[first].text) > _LONGEST_NAME and tokens[first].text.lower() not in _GREEK:
        return None
    if first and tokens[first - 1].kind == "function":
        first -= 1
    if first == 0:
        return first
    before = tokens[first - 1]
    is_apart = before.kind in ("comma", "open") or (before.kind == "other" and before.text in _OPENS)
    return first if is_apart or (_is_prose(tokens, first - 1) and tokens[first].gap) else None


def _hangs_on(tokens: Sequence[TextToken], place: int) -> bool:
    """An index, a power or a mark of the name before; `c1V1` is a product, whose digits are indexes."""
    token = tokens[place]
    if token.text == "/" and [each.text for each in tokens[place - 1 : place + 2]] == ["1", "/", "2"]:
        return True
    is_next_factor = token.kind == "name" and len(token.text) == 1 and tokens[place - 1].kind in ("number", "subscript")
    return token.kind in _ATTACHED or token.text == "_" or is_next_factor


def _right_end(tokens: Sequence[TextToken], start: int) -> int | None:
    """Where the right side is over; None where that cannot be told."""
    place, depth = start, 0
    while place < len(tokens):
        token = tokens[place]
        goes_beside = place > start and tokens[place - 1].kind in VALUE_ENDS and token.kind in VALUE_STARTS
        if token.kind in ("other", "relation") or _is_prose(tokens, place) or (token.kind == "comma" and not depth):
            break
        if goes_beside and token.gap and not _goes_on(tokens, place):
            break
        depth += {"open": 1, "close": -1}.get(token.kind, 0)
        if depth < 0:
            break
        place += 1
    side = tokens[start:place]
    if not side or not is_well_formed(side, roles_of(side), GRAMMAR):
        return None
    return place if _ends_well(tokens, place) else None


def _goes_on(tokens: Sequence[TextToken], place: int) -> bool:
    """Whether what stands beside a value, with white between, is one more factor."""
    token = tokens[place]
    following = tokens[place + 1] if place + 1 < len(tokens) else None
    if token.kind == "open":
        closing = closing_bracket(tokens, place)
        inside = () if closing is None else tokens[place + 1 : closing]
        is_number = len(inside) == 1 and inside[0].kind == "number"
        return (
            bool(inside)
            and not is_number
            and not any(
                _is_prose(tokens, place + 1 + number) or each.kind == "other" for number, each in enumerate(inside)
            )
        )
    if token.kind == "name":
        is_article = token.text in _ALSO_WORDS and following is not None and _is_prose(tokens, place + 1)
        leads_on = (
            is_article and following is not None and following.text.lower() in word_class("text_formulas.opens_remark")
        )
        return len(token.text) == 1 and (not is_article or leads_on)
    return token.kind in ("function", "species")


def _ends_well(tokens: Sequence[TextToken], place: int) -> bool:
    if place >= len(tokens):
        return True
    token = tokens[place]
    if token.kind == "relation":
        # What follows is worked out with numbers; the formula is over before.
        return place + 1 < len(tokens) and tokens[place + 1].kind == "number"
    if token.kind == "other":
        is_glued = place + 1 < len(tokens) and not tokens[place + 1].gap and tokens[place + 1].kind != "other"
        return token.text in _ENDS and not token.gap and not (token.text == "." and is_glued)
    if token.kind in ("comma", "close"):
        return not token.gap
    return token.gap > 0 and (_is_prose(tokens, place) or token.kind in ("open", "name"))


def _says_something(left: Sequence[TextToken], right: Sequence[TextToken], letters: Counter[str]) -> bool:
    """Whether the right side computes the left one from other symbols."""
    names = [token for token in right if token.kind == "name"]
    if not names or is_amount(right) or symbols_of(left) & symbols_of(right):
        return False
    if any(_is_unclear(before, token, letters) for before, token in pairwise(right)):
        return False
    if any(len(token.text) > _LONGEST_NAME for token in names):
        return False
    if len(right) > 1:
        return computes(right) or juxtaposes(right)
    return _is_product(names[0].text, letters)


def _is_unclear(name: TextToken, number: TextToken, letters: Counter[str]) -> bool:
    """`mc2`, `πr2`: a digit that may have been raised before the text was copied."""
    if name.kind != "name" or number.kind != "number" or number.gap:
        return False
    is_power = number.text in ("2", "3") and not letters[f"{name.text}{number.text}"] > 1
    return is_power and (len(name.text) > 1 or letters[name.text] > 0)


def _is_product(run: str, letters: Counter[str]) -> bool:
    """Whether letters written together can be several symbols: each is spoken of, or they are nothing else."""
    if not 2 <= len(run) <= _LONGEST_NAME:
        return False
    if all(letters[letter] for letter in run):
        return True
    is_short_word = run.islower() and run.isascii()
    return not is_short_word and not is_unit(run) and not (len(run) > 2 and run.isupper())
