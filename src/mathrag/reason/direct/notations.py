"""Questions about a notation: `what does n! mean`, `what is the symbol ∇`, `how do you read ∃!`; and the other way
round, how something is written: `symbol for the union of two sets`.

Only a notation, or the name of one thing, and words that ask may stand in the question. What has a value (`what is 5!`)
is no such question.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from mathrag.knowledge.notations import Notation, notation_called, notations
from mathrag.knowledge.spelling import normal_words
from mathrag.language.quantity_names import names_exactly
from mathrag.language.word_classes import any_of
from mathrag.reason.direct.described_signs import answer_described_sign
from mathrag.reason.direct.glossary_answers import differences, entries_for, entry_text, glossary_reply
from mathrag.reason.direct.question_text import tidy
from mathrag.retrieve.glossary import glossary_called, is_its_name
from mathrag.types.answer import Reply
from mathrag.types.concept import GlossaryEntry

_LONGEST = 120


@cache
def _forms() -> tuple[re.Pattern[str], ...]:
    sign = rf"(?:(?:the )?(?:{any_of('notations.nouns')}) )?(?:of )?"
    field = any_of("concepts.fields")
    behind = rf"(?:,? (?:{any_of('notations.nouns')}))?(?:,? (?:{field}|{any_of('notations.behind')}))*"
    means = f"(?:{any_of('concepts.mean_endings')}|{any_of('notations.means')})"
    named = rf"{sign}[\"'“‘`]?(?P<written>.+?)[\"'”’`]?{behind}"
    return tuple(
        re.compile(pattern, re.IGNORECASE)
        for pattern in (
            rf"what do(?:es)? {named} {means}(?: (?:{field}))?",
            rf"(?:{any_of('notations.openers')}) {named}",
            rf"{named},? (?:{any_of('concepts.bare_behind')}|{any_of('concepts.asked_behind')})",
            rf"(?P<written>[^\s\w]\S{{0,11}}) (?:{any_of('notations.nouns')}){behind}",
            r"(?P<written>[^\x00-\x7f]\S{0,3}|\\[a-z]{2,12})",
        )
    )


@cache
def _compared() -> tuple[re.Pattern[str], ...]:
    noun = rf"(?:the )?(?:(?:{any_of('notations.nouns')})s? )?"
    differ, field = any_of("comparisons.differs_from"), rf"(?: (?:{any_of('concepts.fields')}))?"
    first, second = r"(?P<first>\S.{0,40}?)", rf"{noun}(?P<second>\S.{{0,40}}?){field}"
    means = f"{any_of('concepts.mean_endings')}|{any_of('notations.means')}"
    between, how = any_of("concepts.difference_between"), "(?:and )?how (?:is|does) (?:it|this|that)"
    return tuple(
        re.compile(pattern, re.IGNORECASE)
        for pattern in (
            rf"(?:.{{0,40}}\b)?(?:{between}) {noun}{first} (?:and|or|from|vs\.?|versus) {second}",
            rf"(?:{any_of('comparisons.ways')}) (?:is|are|does|do) {noun}{first} (?:{differ}) {second}",
            rf"what (?:does|is) {noun}{first}(?: (?:{means}))?{field},? {how} (?:{differ}) {second}",
            rf"{noun}{first} (?:{any_of('concepts.versus')}) {second}(?:,? (?:{any_of('comparisons.asked_behind')}))?",
            rf"{noun}{first} and {second}[,:]? (?:{any_of('comparisons.asked_behind')})",
            rf"(?:is|are) {noun}{first} (?:{any_of('comparisons.same')}) (?:as|to) {second}",
        )
    )


@cache
def _within() -> re.Pattern[str]:
    """A sign and where it stands: "what does the ! mean in 5!"."""
    sign = rf"(?:the )?(?:{any_of('notations.nouns')})? ?(?P<sign>\S{{1,12}})"
    means = f"(?:{any_of('notations.means')})"
    return re.compile(rf"what do(?:es)? {sign} {means} in (?P<whole>\S.{{0,40}})", re.IGNORECASE)


def answer_notation(text: str) -> Reply | None:
    """How a notation is read and what it means, with what the glossary says, or two of them; None for any other
    question."""
    if len(text) > _LONGEST:
        return None
    asked = tidy(text).strip()
    for pair in (match for each in _compared() if (match := each.fullmatch(asked.rstrip("?. ")))):
        both = [notation_called(pair[name].strip(" \"'“”‘’")) for name in ("first", "second")]
        if None not in both and both[0] != both[1]:
            return _told_apart(text, pair, both)
    within = _within().fullmatch(asked.rstrip("?. "))
    if within is not None and within["sign"] in within["whole"]:
        # What has a value is no notation; a letter for its number makes it one.
        return _answered(text, f"what does {re.sub('[0-9]+', 'n', within['whole'])} mean")
    return _answered(text, asked) or answer_described_sign(text)


def _told_apart(text: str, pair: re.Match[str], both: Sequence[Notation | None]) -> Reply:
    told: list[str] = []
    entries: list[GlossaryEntry] = []
    for written, notation in zip((pair["first"], pair["second"]), both, strict=True):
        assert notation is not None
        told.append(f"{written.strip()} is read “{notation.read}”. {notation.means}")
        entries += glossary_called(notation.see)[:1] if notation.see else ()
    apart = tuple(dict.fromkeys(differences([one.name for one in entries], entries).values()))
    return Reply(text, "\n".join((*told, *apart, *map(entry_text, entries))), glossary=tuple(entries))


def _answered(text: str, asked: str) -> Reply | None:
    shorter = asked.rstrip("?. ")
    for candidate in dict.fromkeys((shorter, shorter + "!" if asked.rstrip("? ").endswith("!") else shorter)):
        for pattern in _forms():
            found = pattern.fullmatch(candidate)
            notation = notation_called(found["written"]) if found is not None else None
            if found is None or notation is None:
                continue
            entries = glossary_called(notation.see) if notation.see else ()
            lead = f"{found['written'].strip()} is read “{notation.read}”. {notation.means}"
            told = glossary_reply(text, entries[:1]) if entries else None
            return Reply(text, lead) if told is None else replace(told, text=f"{lead}\n{told.text}")
    return None


# The other way round.


@cache
def _written_forms() -> tuple[re.Pattern[str], ...]:
    field = rf"(?:,? (?:{any_of('concepts.fields')}|{any_of('concepts.trailing')}))*"
    return tuple(
        re.compile(pattern, re.IGNORECASE)
        for pattern in (
            rf"(?:{any_of('notations.written_for')}) (?P<name>.+?){field}",
            rf"how (?:is|are|do you get) (?P<name>.+?) (?:{any_of('notations.written_behind')}){field}",
            rf"(?P<name>.+?) (?:{any_of('notations.written_nouns')}){field}",
        )
    )


def answer_writing(text: str) -> Reply | None:
    """How something is written, with what the glossary says of it; None for any other question, and where nothing is
    known of how it is written."""
    if len(text) > _LONGEST:
        return None
    asked = tidy(text).strip("?!. ")
    if any(map(str.isdigit, asked)) or glossary_called(asked):
        return None
    for pattern in _written_forms():
        found = pattern.fullmatch(asked)
        if found is not None:
            return _writing(text, found["name"])
    return None


def _writing(text: str, name: str) -> Reply | None:
    bare = re.sub(r"\A(?:an?|the) ", "", name.strip(" \"'“”‘’"), flags=re.IGNORECASE)
    bare = re.sub(r" of [A-Za-z]\Z", "", bare)
    entries = _entries(bare)
    rows = _rows((bare, *(entry.name for entry in entries[:1])))
    if rows:
        entries = entries or tuple(entry for row in rows for entry in glossary_called(row.see) if row.see)
        ways = "; or ".join(f"{row.written} (read “{row.read}”)" for row in rows)
        lead = f"Notation for {entries[0].name if entries else bare}: {ways}."
        if not entries:
            return Reply(text, f"{lead} {rows[0].means}")
        told = glossary_reply(text, entries[:1])
        return replace(told, text=f"{lead}\n{told.text}")
    shown = next((entry for entry in entries if entry.formula), None)
    # A quantity of physics has a letter of its own.
    if shown is None or names_exactly(bare):
        return None
    lead = f"Notation for {shown.name}: as in the formula below."
    told = glossary_reply(text, (shown,))
    return replace(told, text=f"{lead}\n{told.text}")


def _entries(name: str) -> tuple[GlossaryEntry, ...]:
    """The entries that are called so, of what it is said aside: "the transpose of a matrix"."""
    of_what = re.fullmatch(rf"(.+?) ((?:{any_of('concepts.generic_of')})\b.*)", name, re.IGNORECASE)
    names = [name] if of_what is None else [name, of_what[1]]
    found = entries_for(names[:1]) or entries_for(names[1:], of_what[2] if of_what is not None else "")
    return tuple(one for one in found if any(is_its_name(each, one) for each in names)) or found[:1]


def _rows(names: tuple[str, ...]) -> tuple[Notation, ...]:
    """The notations of the first of the names that has any."""
    for name in names:
        spelled = _spelled(name)
        found = tuple(one for one in notations() if any(_spelled(each) == spelled for each in one.names))
        if found:
            return found
    return ()


def _spelled(name: str) -> list[str]:
    # Stems would leave nothing of "and" and "not".
    return [word for word in normal_words(name).split() if word not in ("a", "an", "the")]
