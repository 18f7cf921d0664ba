"""The noun phrase behind an asking word, and the kinds that its head names. Knows nothing of asking words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mathrag.reason.question import words as english
from mathrag.reason.question.asked_unit import AskedUnit
from mathrag.reason.question.lexicon import all_names, asking_kinds, kinds_named
from mathrag.reason.question.tokens import Token
from mathrag.types.question import Given

_LONGEST_PHRASE = 24
_MAXIMAL_KINDS = 12
_PHRASE_STOPS = english.AUXILIARIES | english.SUBORDINATORS
_LEADING = english.PREPOSITIONS | english.PRONOUNS | english.SUBORDINATORS
_LEADING |= frozenset("just actually exactly approximately roughly now also please really simply basically".split())
_LEADING |= {"find", "compute", "calculate", "determine"}


@dataclass(frozen=True, slots=True)
class Context:
    """What target reading needs to know of the question.

    `taken` are tokens that name given values, `equations` left-hand sides of the equations written out.
    """

    text: str
    tokens: Sequence[Token]
    symbols: frozenset[str]
    unit: AskedUnit | None
    taken: frozenset[int]
    equations: tuple[str, ...]
    givens: tuple[Given, ...]
    is_terse: bool = False


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase as places of word tokens: `core` before the first preposition, `rest` behind it."""

    core: tuple[int, ...]
    rest: tuple[int, ...]


def noun_phrase(context: Context, start: int) -> Phrase:
    """Words from here to the end of the noun phrase and of what qualifies it, up to the next value or its name."""
    tokens = context.tokens
    core: list[int] = []
    rest: list[int] = []
    index = start
    in_core = True
    while index < len(tokens) and len(core) + len(rest) < _LONGEST_PHRASE:
        token = tokens[index]
        if context.unit is not None and _opens_unit(context, index):
            index = context.unit.end
            continue
        if token.text == "(" and (core or index > start):
            index = _behind_bracket(tokens, index)
            continue
        if _ends_phrase(context, index, has_core=bool(core)):
            break
        if token.kind in ("word", "symbol"):
            if core and token.lower in english.PREPOSITIONS | english.CONJUNCTIONS:
                in_core = False
            elif in_core and core and token.lower in english.DOING and _names_kind(tokens, core):
                # In "what heat raises its temperature" the heat is asked for.
                in_core = False
                index += 1
                continue
            if not in_core or token.lower not in english.ARTICLES | english.AUXILIARIES:
                (core if in_core else rest).append(index)
        index += 1
    while core and tokens[core[0]].lower in _LEADING and tokens[core[0]].kind == "word":
        core.pop(0)
    return Phrase(tuple(core), tuple(rest))


def _names_kind(tokens: Sequence[Token], places: Sequence[int]) -> bool:
    """Whether these words end with the name of a kind."""
    words = [tokens[place].normal for place in places]
    return any(kinds_named(words[start:]) for start in range(len(words)))


def _opens_unit(context: Context, index: int) -> bool:
    unit = context.unit
    if unit is None:
        return False
    word = context.tokens[index].lower
    return unit.start == index or (unit.start == index + 1 and word in ("in", "into", "to", "as"))


def _ends_phrase(context: Context, index: int, *, has_core: bool) -> bool:
    token = context.tokens[index]
    if token.is_stop or token.kind == "value" or index in context.taken:
        return True
    if token.kind == "mark":
        return token.text not in "-'’\"“”/–" and (has_core or token.text not in ",:")
    return has_core and token.lower in _PHRASE_STOPS


def _behind_bracket(tokens: Sequence[Token], index: int) -> int:
    for ahead in range(index + 1, min(len(tokens), index + 12)):
        if tokens[ahead].text == ")":
            return ahead + 1
    return len(tokens)


def sentence_rest(context: Context, start: int) -> Phrase:
    """Words behind `how fast`, to the end of the sentence or the next value."""
    places: list[int] = []
    for index in range(start, min(len(context.tokens), start + _LONGEST_PHRASE)):
        token = context.tokens[index]
        if token.is_stop or token.kind == "value" or token.lower in english.SUBORDINATORS or index in context.taken:
            break
        unit = context.unit
        if unit is not None and unit.start - 1 <= index < unit.end:
            continue
        if token.kind == "word":
            places.append(index)
    while places and context.tokens[places[0]].lower in english.AUXILIARIES | english.PRONOUNS:
        places.pop(0)
    return Phrase((), tuple(places))


def bracket_kinds(context: Context, phrase: Phrase) -> tuple[str, ...]:
    """Kinds named in a bracket behind the phrase, where a person says what is meant: `the pull (as a force)`."""
    tokens = context.tokens
    if not phrase.core:
        return ()
    for opening in range(phrase.core[-1] + 1, min(len(tokens), phrase.core[-1] + 7)):
        if tokens[opening].is_stop or tokens[opening].kind == "value":
            return ()
        if tokens[opening].text == "(":
            inside = tokens[opening + 1 : _behind_bracket(tokens, opening) - 1]
            if any(token.kind == "value" for token in inside):
                return ()
            words = [token.normal for token in inside if token.kind == "word"]
            whole = [named for named in all_names(words) if named.end == len(words)]
            return max(whole, key=lambda named: named.end - named.start).kinds if whole else ()
    return ()


def phrase_kinds(tokens: Sequence[Token], phrase: Phrase, *, has_symbol: bool = False) -> tuple[str, ...]:
    """The kinds of the longest name that the head of the phrase takes part in, then of shorter ones."""
    places = [*phrase.core, *phrase.rest]
    words = [tokens[place].normal for place in places]
    head = len(phrase.core) - 1
    if head >= 1 and has_symbol and not asking_kinds(words[head : head + 1])[0]:
        # In `position x` the head is the word before the symbol.
        head -= int(len(words[head]) <= 2)
    ranked: list[tuple[tuple[int, int, int], tuple[str, ...]]] = []
    for named in all_names(words):
        if named.start <= head < named.end:
            rank = (0, named.start - named.end, named.start)
        elif named.end <= head + 1:
            rank = (1, -named.end, named.start - named.end)
        else:
            rank = (2, named.start, named.start - named.end)
        ranked.append((rank, named.kinds))
    if not ranked:
        return ()
    ranked.sort(key=lambda pair: pair[0])
    if head >= 0 and words[head] in english.GENERIC_HEADS and ranked[0][0][:2] >= (0, -1):
        ranked.sort(key=lambda pair: pair[0][0] != 2)
    level = ranked[0][0][0]
    if level == 2 and has_symbol:
        return ()
    kept = [ids for rank, ids in ranked if rank[0] == level]
    if level == 2:
        kept = [ids for rank, ids in ranked if rank[0] == 2 and rank[1] == ranked[0][0][1]]
    return tuple(dict.fromkeys(item for ids in kept for item in ids))[:_MAXIMAL_KINDS]
