"""Symbols in brackets and symbols named in words: "pressure (p)", "denoted by W", "the symbol for torque is"."""

from __future__ import annotations

from collections.abc import Sequence

from mathrag.extract.definitions.beside import Apposition
from mathrag.extract.definitions.meaning import kind_groups, lists_symbol, names_quantity
from mathrag.extract.definitions.nouns import Noun, noun_before, noun_before_clause
from mathrag.extract.definitions.phrases import clean, closing_place, read_phrase, unit_run
from mathrag.extract.definitions.symbol_reading import SymbolSeen, is_acronym, is_upright
from mathrag.extract.definitions.tokens import Token
from mathrag.extract.definitions.vocabulary import AUXILIARIES, PASSIVE_NAMING
from mathrag.extract.unit_text import unit_of_text


def in_bracket(tokens: Sequence[Token], place: int, symbol: SymbolSeen, *, is_marked: bool) -> Apposition | None:
    """`pressure (p)`, `the mass ($m$, in kg)`."""
    end = closing_place(tokens, place - 1)
    if end is None or place < 2:
        return None
    unit_text = None
    if end != place + 1:
        if tokens[place + 1].lower not in (",", "in", ";"):
            return None
        lead = place + 2 if tokens[place + 1].lower != "in" else place + 1
        lead += int(lead < end and tokens[lead].lower == "in")
        run = unit_run(tokens[:end], lead)
        if run is None or run[1] != end:
            return None
        unit_text = run[0]
    spelled = _spelled_out(tokens, place)
    if spelled is not None:
        return Apposition(symbol, spelled.words, unit_text, 0.75, "parenthesis", spelled.start, end + 1)
    noun = noun_before(tokens, place - 1)
    if noun is None or len(noun.words) < 3 or not names_quantity(noun.words):
        return None
    if not is_marked and not lists_symbol(noun.words, symbol.name) and not _abbreviates(tokens[place].text, noun.words):
        return None
    if unit_text is None and not is_marked and _is_unit_of(tokens[place].text, noun.words):
        return None
    math = tokens[place].math
    if unit_text is None and is_marked and math is not None and is_upright(math):
        return None
    return Apposition(symbol, noun.words, unit_text, 0.75, "parenthesis", noun.start, end + 1)


def _spelled_out(tokens: Sequence[Token], place: int) -> Noun | None:
    """`direct manufacturing costs (DMC)`: as many words before the bracket as it has letters, with these initials."""
    text = (
        tokens[place].text
        if tokens[place].kind == "word"
        else "".join(symbol.name for symbol in tokens[place].symbols())
    )
    if not is_acronym(text) or not text.isalpha():
        return None
    words: list[str] = []
    index = place - 2
    initials = ""
    while index >= 0 and tokens[index].kind == "word" and len(initials) < len(text):
        words.insert(0, tokens[index].text)
        initials = (
            tokens[index].text[0].upper() if tokens[index].lower not in ("of", "the", "and", "in", "to") else ""
        ) + initials
        index -= 1
    if initials != text.upper() or not names_quantity(clean(words)):
        return None
    return Noun(clean(words), index + 1, True)


def _is_unit_of(text: str, words: str) -> bool:
    unit = unit_of_text(text)
    return unit is not None and any(kind.dimension == unit.dimension for group in kind_groups(words) for kind in group)


def _abbreviates(text: str, words: str) -> bool:
    """`kinetic energy (KE)`."""
    letters = "".join(character for character in text if character.isupper())
    initials = "".join(
        word[0].upper() for word in words.replace("-", " ").split() if word.casefold() not in ("of", "the", "and", "in")
    )
    return is_acronym(text) and len(letters) > 1 and initials.startswith(letters)


def denoted(tokens: Sequence[Token], place: int, symbol: SymbolSeen, *, is_marked: bool) -> Apposition | None:
    """`Work is denoted by $W$`, `the impulse, represented by the symbol J`, `the symbol for torque is $\\tau$`."""
    index = place - 1
    while index > 0 and tokens[index].lower in (
        "by",
        "as",
        "with",
        "the",
        "symbol",
        "letter",
        "greek",
        "variable",
        "using",
    ):
        index -= 1
    is_clear = is_marked or len(tokens[place].text) > 1 or not tokens[place].text.isascii()
    if tokens[index].lower not in PASSIVE_NAMING or (index == place - 1 and not is_clear):
        return _symbol_for(tokens, place, symbol)
    index -= 1
    while index >= 0 and (
        tokens[index].lower in AUXILIARIES
        or tokens[index].lower in (",", "(", "and", "which", "that", "can", "will", "may")
    ):
        index -= 1
    if index < 0 or tokens[index].kind != "word":
        return None
    noun = noun_before(tokens, index + 1)
    if noun is None or len(noun.words) < 3:
        return None
    return Apposition(symbol, noun.words, None, 0.88, "denoted", noun.start, place + 1)


def _symbol_for(tokens: Sequence[Token], place: int, symbol: SymbolSeen) -> Apposition | None:
    """`The symbol for torque is $\\tau$`, `we write $P$ for power`."""
    if tokens[place - 1].lower in ("write", "use", "using", "writing") and place + 2 < len(tokens):
        phrase = read_phrase(tokens[place + 2 :]) if tokens[place + 1].lower == "for" else None
        return (
            Apposition(symbol, phrase.words, phrase.unit_text, 0.85, "denoted", place, place + 2 + phrase.length)
            if phrase and phrase.words
            else None
        )
    if tokens[place - 1].lower == "be" and any(token.lower in ("let", "be") for token in tokens[: place - 1]):
        noun = noun_before_clause(tokens, place - 1)
        return Apposition(symbol, noun.words, None, 0.88, "let", noun.start, place + 1) if noun else None
    if place < 4 or tokens[place - 1].lower != "is":
        return None
    for index in range(place - 2, max(-1, place - 8), -1):
        if tokens[index].lower == "for" and index and tokens[index - 1].lower in ("symbol", "letter", "abbreviation"):
            words = clean([token.text for token in tokens[index + 1 : place - 1]])
            return Apposition(symbol, words, None, 0.9, "denoted", index, place + 1) if words else None
    return None
