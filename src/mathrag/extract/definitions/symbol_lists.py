"""The symbols at the start of a statement: one, or several joined by commas and "and"; with a value to step over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from mathrag.extract.definitions.symbol_reading import SymbolSeen, target_of
from mathrag.extract.definitions.tokens import Token
from mathrag.extract.definitions.vocabulary import COPULAS, NAMING_VERBS, TWO_WORD_VERBS
from mathrag.extract.unit_text import reads_as_unit

_MOST_SYMBOLS = 6


@dataclass(frozen=True, slots=True)
class Head:
    """The start of a statement: its symbols, where it and its phrase begin, how it is said, a unit beside it."""

    symbols: tuple[SymbolSeen, ...]
    start: int
    phrase: int
    manner: str
    unit_text: str | None = None
    is_certain: bool = True


@dataclass(slots=True)
class Clause:
    """One sentence under reading. `where` is the place from which "where" governs; a list item is governed whole."""

    tokens: Sequence[Token]
    where: int | None
    is_item: bool
    heads: list[Head] = field(default_factory=list)

    def governed(self, place: int) -> bool:
        """Whether "where" or a list of symbols governs this place."""
        return self.is_item or (self.where is not None and place > self.where)


def symbol_list(clause: Clause, place: int) -> tuple[tuple[SymbolSeen, ...], int, bool] | None:
    """Symbols joined by commas and "and", the place behind them, and whether all are marked as mathematics."""
    tokens = clause.tokens
    symbols: list[SymbolSeen] = []
    are_marked = True
    after = place
    while len(symbols) < _MOST_SYMBOLS:
        one = _symbols_at(clause, after, is_first=not symbols)
        if one is None:
            break
        seen, is_marked = one
        symbols.extend(seen)
        are_marked = are_marked and is_marked
        after += 1
        joint = after
        while joint < len(tokens) and joint < after + 2 and tokens[joint].lower in (",", "and", "or", "&", "…"):
            joint += 1
        if joint == after or joint >= len(tokens) or _symbols_at(clause, joint, is_first=False) is None:
            break
        after = joint
    return (tuple(symbols), after, are_marked) if symbols else None


def _symbols_at(clause: Clause, place: int, *, is_first: bool) -> tuple[tuple[SymbolSeen, ...], bool] | None:
    if place >= len(clause.tokens):
        return None
    token = clause.tokens[place]
    if token.kind == "math":
        seen = token.symbols()
        if not seen and token.math is not None and not token.math.is_display and "=" in token.math.source:
            target = target_of(token.math) if is_first else None
            seen = (target,) if target else ()
        return (seen, True) if seen else None
    styled = token.styled_symbol()
    if styled:
        return (styled,), True
    plain = token.plain_symbol()
    if plain is None or not (clause.governed(place) or _in_parenthesis(clause.tokens, place)):
        return None
    if token.lower in ("a", "i") and not _verb_follows(clause.tokens, place + 1):
        return None
    return (plain,), False


def _verb_follows(tokens: Sequence[Token], place: int) -> bool:
    if place >= len(tokens):
        return False
    lower = tokens[place].lower
    return (
        lower in COPULAS
        or lower in NAMING_VERBS
        or lower in TWO_WORD_VERBS
        or lower in ("=", ":", ",", "and", "–", "—")
    )


def _in_parenthesis(tokens: Sequence[Token], place: int) -> bool:
    """`(T = temperature in K)`: a symbol right after a bracket with an equals sign behind it."""
    return (
        place > 0
        and tokens[place - 1].text in ("(", ",", ";")
        and place + 1 < len(tokens)
        and tokens[place + 1].text in ("=", ":")
        and any(token.text == "(" for token in tokens[max(0, place - 25) : place])
    )


def past_value(tokens: Sequence[Token], place: int) -> int:
    """Step over `= 9.8 m/s²` when a verb or an apposition follows: `where g = 9.8 m/s² is the acceleration`."""
    is_equation = place > 0 and tokens[place - 1].math is not None and "=" in (tokens[place - 1].text or "")
    if not is_equation and not (
        place + 1 < len(tokens) and tokens[place].text in ("=", "≈") and tokens[place + 1].kind in ("number", "math")
    ):
        return place
    for index in range(place, min(len(tokens), place + 14)):
        token = tokens[index]
        if token.lower in COPULAS or token.lower in NAMING_VERBS:
            return index
        if token.text == "," and index + 1 < len(tokens) and tokens[index + 1].lower == "the":
            return index + 1
        if token.text in (",", ";", ":") or (token.kind == "word" and not reads_as_unit(token.text)):
            return place
    return place
