"""What stands alone before a value, from the beginning of its clause to its number: `sd 10`, `Na 140`, `HR 75`.

People who fill in a form write so. Nothing else in such a clause could say what the value is, so that its words name
it, known to us or not; whether any formula has a place of that name is for choosing to see.
"""

from __future__ import annotations

from collections.abc import Sequence

from mathrag.knowledge.kinds import kinds_for_symbol
from mathrag.language.noun_phrases import run_start
from mathrag.language.tokens import Token, joined
from mathrag.language.typed_symbols import looks_like_symbol, symbol_identifier
from mathrag.language.word_classes import word_class, word_pairs
from mathrag.reason.question.names import ValueName

# What a clause may begin and end with; all of these are no part of a label.
_BOUNDS = word_class("grammar.prepositions") | word_class("grammar.conjunctions") | word_class("grammar.subordinators")
_GOES_ON = word_class("grammar.prepositions") - frozenset(("with", "for", "at"))
# Whose name has an article is a thing, and no entry of a form.
_NO_LABELS = (
    word_class("grammar.determiners")
    | word_class("questions.stop_words")
    | word_class("questions.asking_verbs")
    | word_class("grammar.auxiliaries")
    | word_class("questions.vague")
    | word_class("questions.doing")
    | word_class("questions.linking_verbs")
    | frozenset(word_pairs("questions.measuring_verbs"))
)
_LONGEST = 4
# A word of so many letters may be an abbreviation.
_LONGEST_ABBREVIATION = 4


def read_labels(tokens: Sequence[Token], places: Sequence[int]) -> dict[int, ValueName]:
    """The labels of the values at these places. What opens the text names a value only where others are named alike:
    it is what is asked for in `MAP 92`, and a value in `HR 75, SV 70 mL`."""
    found = {place: label for place in places if (label := _label(tokens, place)) is not None}
    opening = [place for place, label in found.items() if label.start == 0]
    return {place: label for place, label in found.items() if place not in opening or len(found) > 1}


def abbreviation(tokens: Sequence[Token], label: ValueName) -> str:
    """The symbol that a label is, as it is usually written: `SD` for `sd`; empty where it is a word."""
    if label.end - label.start > 1:
        whole = joined(tokens[label.start : label.end])
        return whole if "-" in whole and looks_like_symbol(whole, alone=False) else ""
    written = tokens[label.start].text
    if looks_like_symbol(written, alone=True) or len(written) == 1:
        return written
    capitals = written.upper()
    is_short = written.islower() and 2 <= len(written) <= _LONGEST_ABBREVIATION
    return capitals if is_short and kinds_for_symbol(symbol_identifier(capitals), exact=True) else ""


def _label(tokens: Sequence[Token], place: int) -> ValueName | None:
    if place + 1 < len(tokens) and not _closes(tokens[place + 1]):
        return None
    first = run_start(place - 1, longest=_LONGEST + 1, ends=lambda index: _ends(tokens, index))
    if place - first > 1 and _is_sign(tokens[place - 1].text) and tokens[place - 2].text.islower():
        # `anion gap Na 140`: what is asked for stands before the first of them.
        return ValueName(tokens[place - 1].normal, place - 1, place)
    is_led = first == 0 or _is_bound(tokens[first - 1])
    if not is_led or not 1 <= place - first <= _LONGEST:
        return None
    words = [token for token in tokens[first:place] if token.kind in ("word", "symbol")]
    if not words or any(word.lower in _NO_LABELS and len(word.text) > 1 for word in words):
        return None
    return ValueName(" ".join(word.normal for word in words), first, place)


def _is_sign(written: str) -> bool:
    """Whether it is written as symbols and abbreviations are, with capitals or digits."""
    return len(written) <= _LONGEST_ABBREVIATION and not written.islower()


def _ends(tokens: Sequence[Token], index: int) -> bool:
    token = tokens[index]
    if token.kind == "mark" and token.text in "-–":
        return index == 0 or tokens[index - 1].end != token.start
    return token.kind not in ("word", "symbol") or token.lower in _BOUNDS


def _closes(token: Token) -> bool:
    """Whether an entry ends before it; what stands behind "in", "of" or "to" would still belong to the value."""
    return _is_bound(token) and token.lower not in _GOES_ON


def _is_bound(token: Token) -> bool:
    return token.is_stop or (token.kind == "mark" and token.text in ",;:()?×=") or token.lower in _BOUNDS
