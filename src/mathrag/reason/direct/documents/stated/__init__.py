"""A fact that a sentence of a document states: how many there were, what a quantity was. The value is given as it is
written, with the sentence and its place; where sentences that fit alike state different values, both are shown and none
is chosen. Nothing is added up and nothing concluded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from textwrap import shorten

from mathrag.reason.direct.documents.facts import Desk
from mathrag.reason.direct.documents.seams import Found, Looked, Source, Unclear, exact_place
from mathrag.reason.direct.documents.stated.attached import P_VALUE, Attached, attached_values, numbers_beside
from mathrag.reason.direct.documents.stated.sentences import LaidPassage, laid_passages, sentences_with
from mathrag.reason.direct.documents.stated.wanted import Wanted, people_keys, wanted_of
from mathrag.types.document import Place

__all__ = ["look_up_value"]

# In a longer book the same words are said of many things, and its examples are no facts.
_MOST_PASSAGES = 1_000
_MOST_SHOWN, _SHORT = 4, 90


def look_up_value(desk: Desk) -> Looked:
    """The value that the sentences of a document agree on; None where none states it, unclear where they differ."""
    wanted = wanted_of(desk.asked)
    if wanted is None:
        return None
    passages = laid_passages(desk.parts, desk.card.id)
    if len(passages) > _MOST_PASSAGES:
        return None
    found = _stated(wanted, passages)
    if not found and wanted.sort == "quantity" and not wanted.dimensions and len(wanted.narrowing) > 0:
        # What has no number may have a name: the software, the optimizer.
        wanted = replace(wanted, sort="name")
        found = _stated(wanted, passages)
    if not found:
        return None
    # A rounded value gives way to the exact one, however that is said.
    found = _without_rounded(found)
    nearest = min(one.distance for one in found)
    chosen = [one for one in found if one.distance == nearest]
    by_value = {one.value.core: one for one in reversed(chosen)}
    if len(by_value) > 1:
        return _differing(desk, wanted, list(reversed(by_value.values())))
    if wanted.sort == "count" and nearest and not _is_confirmed(wanted, passages, chosen[0]):
        return None
    return _agreed(desk, wanted, chosen)


def _is_confirmed(wanted: Wanted, passages: Sequence[LaidPassage], one: Attached) -> bool:
    """Whether another sentence has the same number of the same things: where one is named in passing only, it may be
    that of one case among several."""
    others = sentences_with(passages, _needed(wanted), with_number=True)
    return any(
        value.core == one.value.core
        for each in others
        if each.quote != one.sentence.quote
        for value in numbers_beside(wanted, each)
    )


def _stated(wanted: Wanted, passages: Sequence[LaidPassage]) -> list[Attached]:
    sentences = sentences_with(passages, _needed(wanted), with_number=wanted.sort != "name")
    return [one for each in sentences for one in attached_values(wanted, each)]


def _needed(wanted: Wanted) -> list[frozenset[str]]:
    """What every sentence must have of the question: the noun, or a verb of it where a value may stand without."""
    if wanted.name == P_VALUE:
        return [frozenset("p")]
    if wanted.sort == "time":
        return [frozenset((key,)) for key in (wanted.predicate, *wanted.narrowing)]
    if wanted.dimensions:
        return [wanted.all_keys]
    head = people_keys() if wanted.head in people_keys() else frozenset((wanted.head,))
    needed = [head, *(frozenset((key,)) for key in wanted.name[:-1])]
    return [*needed, frozenset((wanted.predicate,))] if wanted.predicate else needed


def _agreed(desk: Desk, wanted: Wanted, found: Sequence[Attached]) -> Found:
    first = found[0]
    shown = first.value.text
    said = f"{shown} {wanted.shown}" if wanted.sort == "count" else shown
    sources = tuple(_sources(desk, found))
    quoted = f"“{' '.join(first.sentence.quote.split())}”{_where(first, sources[0].place)}"
    text = f"{said}: {desk.name} says {quoted}."
    number = shown if len(first.value.numbers) == 1 else ""
    return Found(text, first.value.core, sources, number=number)


def _sources(desk: Desk, found: Iterable[Attached]) -> Iterable[Source]:
    shown = {one.sentence.quote: one for one in found}
    for one in list(shown.values())[:_MOST_SHOWN]:
        passage = one.sentence.passage
        place = exact_place(desk.parts, desk.card.id, one.sentence.quote, passage.place)
        yield Source(place, one.sentence.quote, "", passage.headings)


def _where(one: Attached, place: Place) -> str:
    headings = one.sentence.passage.headings
    where = ", ".join(part for part in (f"“{headings[-1]}”" if headings else "", str(place)) if part)
    return f" ({where})" if where else ""


def _differing(desk: Desk, wanted: Wanted, found: Sequence[Attached]) -> Unclear:
    sources = tuple(next(iter(_sources(desk, [one]))) for one in found[:_MOST_SHOWN])
    listed = [f"{one.value.text} ({source.place})" for one, source in zip(found, sources, strict=False)]
    more = f" and {len(found) - _MOST_SHOWN} more" if len(found) > _MOST_SHOWN else ""
    quoted = "; ".join(f"“{shorten(source.quote, _SHORT, placeholder='…')}”" for source in sources)
    return Unclear(
        f"different values are stated for “{wanted.shown}”: {', '.join(listed)}{more}: {quoted}",
        ("say which of them is meant",),
        sources,
    )


def _without_rounded(found: Sequence[Attached]) -> list[Attached]:
    """The values without those that are said to be about the same as an exact one: "about 900" beside 928."""
    exact = [one.value for one in found if not one.value.is_approximate]
    return [one for one in found if not any(one.value.is_about(each) for each in exact)]
