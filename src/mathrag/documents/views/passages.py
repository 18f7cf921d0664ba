"""Passages of 512 tokens without overlap, none over the end of a page: the pieces that published systems search.

A token is a run of letters, digits and underscores, or any other sign that is no space. This says the same in every
language and needs no model; a passage is cut at a space wherever it has one. Knows texts only, no blocks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mathrag.documents.views.records import PageView, PassageView, SectionView
from mathrag.types.document import Place

PASSAGE_TOKENS = 512
_TOKEN = re.compile(r"\w+|[^\w\s]")


def make_passages(pages: Sequence[PageView], sections: Sequence[SectionView]) -> tuple[PassageView, ...]:
    """The passages of every page in order; of every section where the document has no pages."""
    passages: list[PassageView] = []
    for page in pages:
        for text, tokens in cut_passages(page.text):
            passages.append(PassageView(len(passages), text, tokens, Place(page=page.number)))
    if pages:
        return tuple(passages)
    for section in sections:
        for text, tokens in cut_passages(section.text):
            passages.append(PassageView(len(passages), text, tokens, section.place, section.ordinal))
    return tuple(passages)


def cut_passages(text: str, *, limit: int = PASSAGE_TOKENS) -> Iterator[tuple[str, int]]:
    """The parts of a text with at most so many tokens, each with how many it has."""
    start = count = 0
    # Where the last word ended at a space, and how many tokens stood before that.
    space = before_space = end = 0
    for found in _TOKEN.finditer(text):
        if count and found.start() > end:
            space, before_space = end, count
        if count == limit:
            cut, tokens = (space, before_space) if before_space else (found.start(), count)
            yield text[start:cut].strip(), tokens
            start, count, before_space = cut, count - tokens, 0
        count += 1
        end = found.end()
    if count:
        yield text[start:].strip(), count


def count_tokens(text: str) -> int:
    """How many words and signs a text has."""
    return sum(1 for _ in _TOKEN.finditer(text))
