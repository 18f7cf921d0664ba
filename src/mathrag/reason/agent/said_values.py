"""Sentences of documents that speak of what is looked up and state a number: a planner may take that by its words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from mathrag.errors import UnitError
from mathrag.extract.phrases import content_words
from mathrag.language.quantities import find_quantities
from mathrag.language.stems import stems
from mathrag.language.tokens import SENTENCE_BREAK
from mathrag.types.library import Span

# What names one thing has few words; of more, one may be missing.
_ALL_OF = 2
_LONGEST = 320
_MOST = 4


def sentences_with_values(words: str, passages: Sequence[Span]) -> tuple[Span, ...]:
    """The sentences of passages that share the words and state a value, those with most of the words first."""
    wanted = frozenset(stems(" ".join(content_words(words))))
    if len(wanted) < _ALL_OF:
        return ()
    least = max(_ALL_OF, len(wanted) - 1)
    found = []
    for passage in passages:
        for text in _sentences(passage.quote):
            shared = len(wanted.intersection(stems(text)))
            if shared >= least and _states_value(text):
                found.append((shared, replace(passage, quote=text)))
    best = sorted(found, key=lambda pair: -pair[0])
    return tuple({span.quote: span for _, span in best}.values())[:_MOST]


def _sentences(text: str) -> Iterator[str]:
    """Sentences as they stand there; of a long one, such as a table that became a line, the beginning."""
    for sentence in SENTENCE_BREAK.split(text):
        if sentence.strip():
            yield sentence.strip()[:_LONGEST].rsplit(" ", 1)[0] if len(sentence) > _LONGEST else sentence.strip()


def _states_value(text: str) -> bool:
    try:
        return any(mention.units for mention in find_quantities(text) if mention.kind != "declined")
    except UnitError:
        return False
