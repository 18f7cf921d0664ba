"""A question that asks for several things, as one question for each: what an earlier part says and a later one leaves
out (the document, the table, the noun that is counted) is said again."""

from __future__ import annotations

import re

from mathrag.language.word_classes import any_of, word_class
from mathrag.reason.direct.documents.asked import asked_of

_ASKING = r"(?:which|what|how|where|who|whom|when)\b"
_BETWEEN = re.compile(
    rf"(?:,? and,? (?:also )?|[?;] +(?:and )?)(?=(?:(?:{any_of('grammar.prepositions')}) )?{_ASKING})", re.IGNORECASE
)
_ASKS = re.compile(rf"\b{_ASKING}", re.IGNORECASE)
_COUNTED = re.compile(
    r"\bhow many (?P<noun>(?:[^\W\d_]+ ){1,3}?)(?=(?:are|were|is|was|do|does|did|there|have|has)\b)", re.I
)
_BARE_COUNT = re.compile(rf"\bhow many(?= (?:{any_of('grammar.prepositions')})\b)", re.IGNORECASE)
_ONE = re.compile(r"(?<=\w )one\b", re.IGNORECASE)
_MOST_PARTS = 4


def split_parts(text: str) -> tuple[str, ...]:
    """The questions in one sentence, each of them whole; one where there is but one."""
    clauses = [each.strip(" ?.,;") for each in _BETWEEN.split(text)]
    if len(clauses) < 2 or len(clauses) > _MOST_PARTS or not _ASKS.search(clauses[0]):
        return (text,)
    first = asked_of(clauses[0])
    if first is None:
        return (text,)
    later = [each for each in clauses[1:] if not _asks_the_same(each)]
    counted = _COUNTED.search(clauses[0])
    selectors = [each for each in first.selectors if not each.is_ordinal]
    made = [f"{clauses[0]}?"]
    for clause in later:
        asked = asked_of(clause)
        whole = clause
        if "author" in clauses[0].casefold():
            whole = _ONE.sub("author", whole)
        if counted is not None:
            whole = _BARE_COUNT.sub(f"how many {counted['noun'].strip()}", whole)
        if asked is not None and not asked.selectors and len(selectors) == 1:
            whole = f"{whole} in {selectors[0].kind} {selectors[0].written}"
        made.append(f"{whole}?")
    kinds = word_class("documents.kinds")
    return tuple(
        each
        if kinds.intersection(each.casefold().rstrip("?").replace(",", " ").split())
        else f"{each[:-1]} in this paper?"
        for each in made
    )


def _asks_the_same(clause: str) -> bool:
    """Whether a part asks for nothing new: "and what is it"."""
    asked = asked_of(clause)
    return asked is not None and not asked.left("documents.generic")
