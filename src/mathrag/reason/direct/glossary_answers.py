"""What the glossary of the package says, as replies: one thing, or two with what tells them apart. Reads no questions
and decides nothing: which entries are asked for, `definitions.py` says."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from mathrag.language.enumeration import listed
from mathrag.language.stems import stems
from mathrag.language.word_classes import any_of
from mathrag.retrieve.concept_names import NameKey, name_key
from mathrag.retrieve.glossary import (
    confused_keys,
    glossary_called,
    glossary_keys,
    has_one_meaning,
    is_its_name,
    telling_apart,
)
from mathrag.types.answer import Reply
from mathrag.types.concept import GlossaryEntry
from mathrag.types.library import Span

_MOST_PASSAGES = 3


class KnownNames(Collection[NameKey]):
    """The names that the glossary has, tells something apart from, or that `others` have. Gathered when first needed,
    which takes longer than most questions: only some wordings need them."""

    def __init__(self, others: Callable[[], Collection[NameKey]]) -> None:
        self._others = others

    @cached_property
    def _keys(self) -> frozenset[NameKey]:
        return frozenset((*glossary_keys(), *confused_keys(), *self._others()))

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def __iter__(self) -> Iterator[NameKey]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)


def entries_for(names: Sequence[str], generic: str = "") -> tuple[GlossaryEntry, ...]:
    """The entries of the first name that has any, the most particular name first. `generic` is of what it is asked
    ("of a matrix"): where a name has several meanings, an entry that says nothing of that is about another one."""
    further = set(stems(re.sub(rf"\A(?:{any_of('concepts.generic_of')})\b", "", generic, flags=re.IGNORECASE)))
    for name in names:
        found = glossary_called(name)
        if further and not has_one_meaning(name):
            found = tuple(
                one for one in found if further & {*stems(one.definition), *stems(one.name), *stems(one.field)}
            )
        if found:
            return found
    return ()


def glossary_reply(text: str, entries: Sequence[GlossaryEntry], then: Reply | None = None, *, lead: str = "") -> Reply:
    """The entries word for word, and behind them what dictionaries say. `lead` tells how the question was taken."""
    said = f"{lead} ".lstrip() + "\n".join(map(entry_text, entries))
    if then is None:
        return Reply(text, said, glossary=tuple(entries))
    return replace(then, text=f"{said}\n{then.text}", glossary=tuple(entries))


def taken_as(names: Sequence[str], topic: str, entries: Sequence[GlossaryEntry]) -> str:
    """What a topic is taken as, where it is only the beginning of a name or its initials."""
    if any(is_its_name(name, one) for name in names for one in entries):
        return ""
    return f"“{topic}” is taken as {listed([one.name for one in entries], 'or')}."


def entry_text(entry: GlossaryEntry) -> str:
    """An entry as a line, with its source."""
    return f"{entry.name}: {entry.definition} ({entry.source})"


def differences(topics: Sequence[str], entries: Sequence[GlossaryEntry]) -> dict[GlossaryEntry, str]:
    """The entries that tell themselves from one of the things asked about, with the sentence that does."""
    said = ((one, next(filter(None, (telling_apart(one, other) for other in topics)), "")) for one in entries)
    return {one: sentence for one, sentence in said if sentence}


def only_told_apart(entries: Mapping[str, tuple[GlossaryEntry, ...]]) -> dict[str, tuple[GlossaryEntry, ...]]:
    """The entries of each topic; of several of one name those alone that are told from another topic, where any is."""
    apart = differences(tuple(entries), [one for each in entries.values() for one in each])
    return {topic: tuple(one for one in found if one in apart) or found for topic, found in entries.items()}


def with_shared_noun(pair: tuple[str, str], known: Collection[NameKey]) -> tuple[str, str]:
    """Two names of which the first leaves out the noun of the second: "absolute" and "relative maximum"."""
    first, second = pair
    whole = f"{first} {second.split()[-1]}"
    is_known = name_key(first) in known and any(is_its_name(first, one) for one in glossary_called(first))
    is_short = name_key(whole) in known and len(second.split()) > 1 and not is_known
    return (whole, second) if is_short else pair


def defines(passages: Sequence[Span], topic: str) -> bool:
    """Whether a passage of a document says what something is: "a topic is …", "… is called a topic"."""
    name = r"\s+".join(map(re.escape, topic.split())) + r"(?:e?s)?"
    said = re.compile(
        rf"(?:\A|[.:;!?]\s+|\n\s*)(?:an?\s+|the\s+)?{name}\s+(?:is|are|means|denotes|is\s+defined\s+as)\s+\w"
        rf"|\b(?:called|termed|known\s+as)\s+(?:an?\s+|the\s+)?[\"“]?{name}\b",
        re.IGNORECASE,
    )
    return any(said.search(one.quote) for one in passages[:_MOST_PASSAGES])
