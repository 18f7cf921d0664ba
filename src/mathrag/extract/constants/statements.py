"""What a stated value is of and which case it holds for: the nouns that rules for text, lists and tables hand over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mathrag.extract.constants.values import Value
from mathrag.extract.definitions.outline import Section
from mathrag.extract.definitions.prose import prose_of
from mathrag.extract.definitions.symbols import symbol_of_word
from mathrag.language.noun_phrases import clean
from mathrag.language.tokens import Token, joined, sentences
from mathrag.language.word_classes import word_class
from mathrag.types.document import Content, Place, plain_text

_LONGEST_CASE = 80
_MOST_TOKENS = 4_000
_MOST_SYMBOLS = 12
_LEADING = word_class("constants.case_leads")
_BEFORE_NAMES = word_class("constants.values_of")


@dataclass(frozen=True, slots=True)
class Subject:
    """What a value is of: the symbols that may be meant, the likeliest last, or a quantity by its name."""

    symbols: tuple[str, ...]
    words: str = ""


# The result of the formula beside it, which is multiplied by the value.
OF_RESULT = Subject((), "*")


@dataclass(frozen=True, slots=True)
class Stated:
    """A value with what it is of, the names of the case that it holds for, and where it stands."""

    subject: Subject
    value: Value
    cases: tuple[str, ...]
    block: int
    place: Place
    quote: str
    section: Section


def case_words(tokens: Sequence[Token]) -> str:
    """The name of a case as people write it, without what leads to it; empty for what is no name."""
    words = list(tokens)
    while words and (words[0].lower in _LEADING or words[0].kind == "mark"):
        del words[0]
    while words and words[-1].kind == "mark" and words[-1].text not in ("%", ")"):
        words.pop()
    text = " ".join(joined(words).split())
    return text if 0 < len(text) <= _LONGEST_CASE and any(sign.isalnum() for sign in text) else ""


def subjects_before(content: Content) -> tuple[Subject, ...]:
    """What a paragraph announces values of, where it ends with a colon: "Values of k_b:", "The coefficient C is:"."""
    if not plain_text(content[-1:]).rstrip().endswith(":"):
        return ()
    prose = prose_of([(0, content, Place())])
    tokens = [token for token in prose.tokens if token.kind != "break"][-_MOST_TOKENS:]
    if not tokens or not tokens[-1].text.endswith(":"):
        return ()
    first = list(sentences(tokens))[-1][0]
    last = tokens[first:-1]
    symbols = [name for place, token in enumerate(last) if not _is_in_unit(last, place) for name in _names(token)]
    found = [Subject(tuple(symbols[-_MOST_SYMBOLS:]))] if symbols else []
    place = next((place for place, token in enumerate(last) if token.lower in _BEFORE_NAMES), None)
    words = [token for token in last[0 if place is None else place + 1 :] if token.kind == "word" and not _names(token)]
    name = clean([token.text for token in words if token.lower != "of"]) if words and len(words) <= 7 else ""
    if name:
        found.append(Subject((), name))
    return tuple(found)


def _names(token: Token) -> tuple[str, ...]:
    if token.symbols:
        return tuple(symbol.name for symbol in token.symbols)
    symbol = symbol_of_word(token.text) if token.kind == "word" else None
    return () if symbol is None else (symbol.name,)


def _is_in_unit(tokens: Sequence[Token], place: int) -> bool:
    return place > 0 and (tokens[place - 1].text in ("/", "·", "⋅") or tokens[place - 1].lower == "in")
