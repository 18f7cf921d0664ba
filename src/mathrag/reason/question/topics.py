"""Laws, effects and equations that a question names ("Bragg's law", "the Nernst equation"). Looks nothing up."""

from __future__ import annotations

from collections.abc import Sequence

from mathrag.reason.question import words as english
from mathrag.reason.question.tokens import Token

MAXIMAL_TOPICS = 6
_LONGEST = 5
_BARE = frozenset(
    "this that same following right correct appropriate usual given basic simple well known standard".split()
)
_LINKS = frozenset({"of", "for"})


def read_topics(text: str, tokens: Sequence[Token]) -> tuple[str, ...]:
    """Noun phrases that end in law, equation, effect and the like, or follow it with "of" or "for"."""
    found: dict[str, None] = {}
    for index, token in enumerate(tokens):
        if token.kind != "word" or token.normal not in english.TOPIC_NOUNS:
            continue
        start = index
        while start > 0 and index - start < _LONGEST and _qualifies(tokens[start - 1], tokens[start - 2 : start - 1]):
            start -= 1
        end = index + 1
        if end + 1 < len(tokens) and tokens[end].lower in _LINKS:
            end = _owner_end(tokens, end + 1)
        if start == index and end == index + 1:
            continue
        found[" ".join(text[tokens[start].start : tokens[end - 1].end].split())] = None
    for index, token in enumerate(tokens):
        if _is_named_pair(tokens, index):
            found[token.text + text[token.end : tokens[index + 2].end]] = None
    return tuple(found)[:MAXIMAL_TOPICS]


def _qualifies(token: Token, before: Sequence[Token]) -> bool:
    if token.kind == "mark":
        return token.text in "-–" and bool(before) and before[0].kind == "word"
    if token.kind != "word" or token.lower in _BARE or token.lower in english.ASKING_VERBS:
        return False
    return token.lower not in english.STOP_WORDS or (token.lower == "of" and bool(before) and before[0].kind == "word")


def _owner_end(tokens: Sequence[Token], start: int) -> int:
    end = start
    while end < len(tokens) and end - start < _LONGEST:
        token = tokens[end]
        if token.kind != "word" or (token.lower in english.STOP_WORDS and token.lower not in english.ARTICLES):
            break
        end += 1
    return end


def _is_named_pair(tokens: Sequence[Token], index: int) -> bool:
    """`Stefan–Boltzmann`, `Clausius-Clapeyron`: two names joined by a dash."""
    if index + 2 >= len(tokens) or tokens[index + 1].text not in "-–":
        return False
    first, second = tokens[index], tokens[index + 2]
    if first.kind != "word" or second.kind != "word" or first.end != tokens[index + 1].start:
        return False
    return all(len(item.text) > 3 and item.text[0].isupper() and item.text[1:].islower() for item in (first, second))
