"""Two or more concepts of the glossary compared: `difference between a chord and a secant of a circle`, `X vs Y in a
poset, what's the difference`, `what is X and how does it differ from Y`, `are X and Y the same?`

Told are the definitions, and where the glossary has it the sentence that tells them apart. What is left over besides
the names must speak of things of the glossary in general (`named_concepts`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from mathrag.language.quantity_names import names_exactly
from mathrag.language.word_classes import any_of, word_class
from mathrag.reason.direct.concept_wordings import mended_frame
from mathrag.reason.direct.glossary_answers import entry_text, only_told_apart
from mathrag.reason.direct.named_concepts import Named, named_concept
from mathrag.reason.direct.question_text import tidy, without_ending
from mathrag.retrieve.concept_names import names_among, spelled_name
from mathrag.retrieve.glossary import glossary_called, glossary_keys, is_its_name, telling_apart
from mathrag.types.answer import Reply
from mathrag.types.concept import GlossaryEntry

_LONGEST, _MOST_COMPARED, _MOST_SENTENCES = 300, 5, 4
APART = "How they differ:"
_SAME = "Two names of one thing:"
_PRONOUN = re.compile(
    r"(?:it|they|them|this|that|these|those|one|each|both|the two|my|your|our|his|her)(?![\w-])", re.I
)
_NUMBER = re.compile(r"(?<![\w×^-])[0-9]+(?![\w×-])")
_JOINT = re.compile(r",? (?:and|or|from|to|with|vs\.?|versus|&|as opposed to|than) ", re.IGNORECASE)
_LIST = re.compile(r",? and (?:an? |the )?|,? or (?:an? |the )?|, |,? (?:vs\.?|versus) ", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=\S)")
_QUOTED = re.compile(r"[\"“„]([^\"“”„]{2,60})[\"”“]")


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is compared: two phrases that are parted, or one that holds both."""

    first: str = ""
    second: str = ""
    both: str = ""
    same: str = ""


@cache
def _forms() -> tuple[re.Pattern[str], ...]:
    between, differ = any_of("comparisons.between"), any_of("comparisons.differs_from")
    apart, asked = any_of("comparisons.differ"), any_of("comparisons.asked_behind")
    same, way = any_of("comparisons.same"), any_of("comparisons.ways")
    what = any_of("concepts.what_is")
    then = rf"(?: means?)?[,?.]*(?: and| but|,)? (?:{way}) (?:is|are|does|do) (?:it|this|that|they|these)"
    return tuple(
        re.compile(pattern, re.IGNORECASE)
        for pattern in (
            rf"(?:(?:{between}):?|differences?:) (?P<both>.+)",
            r"[^\d?.]{0,50}\b(?:differences?|distinction) between (?P<both>.+)",
            rf"(?:(?:{what}) )?(?P<first>.+?),? (?:{any_of('concepts.versus')}) (?P<second>.+)",
            rf"(?:{way}) (?:do|does|is|are) (?P<first>.+?) (?:{differ}) (?P<second>.+)",
            rf"(?:{way}) (?:do|does|is|are) (?P<both>.+? (?:and|or) .+?) (?:{apart})",
            rf"(?:{way}) (?P<first>.+?) (?:is |are )?(?:{differ}) (?P<second>.+)",
            rf"(?:{any_of('comparisons.distinguishes')}) (?P<first>.+?) (?:from|different from|unlike) (?P<second>.+)",
            rf"(?:(?:{what}) )?(?P<both>.+?) ?[,:;.–—-]* (?:{asked})",
            rf"(?:is|are) (?P<first>.+?) (?P<same>{same}) (?:as|to|with|from) (?P<second>.+)",
            rf"(?:is|are) (?P<both>.+? (?:and|or) .+?) (?:{same})(?: (?:thing|things|concept|notion|meaning))?",
            rf"(?:{what}|define|explain|what does|what do) (?P<first>.+?){then} (?:{differ}) (?P<second>.+)",
        )
    )


@cache
def _cue() -> re.Pattern[str]:
    """What no comparison lacks; most questions end here."""
    return re.compile(rf"\b(?:{any_of('comparisons.cues')})\b", re.IGNORECASE)


def answer_comparison(text: str) -> Reply | None:
    """What the glossary says of the things compared, and what tells them apart; None where nothing is compared, or one
    of them is unknown."""
    if len(text) > _LONGEST or _cue().search(mended_frame(text)) is None:
        return None
    for sentence, before in _sentences(text):
        several = _several(sentence)
        if several:
            return _told(text, several)
        for asked in _asked(sentence):
            pair = _pair(asked)
            # "Is the transpose of a product the same as …" states a law.
            if pair is not None and not (asked.same and any(each.tail for each in pair)):
                return _told(text, pair)
        spoken = _spoken_of(sentence, before) or _referred_to(sentence, before)
        if spoken:
            return _told(text, spoken)
    return None


# Reading.


def _sentences(text: str) -> Iterator[tuple[str, str]]:
    """The question as a whole, then each sentence that compares, with what stands before it."""
    whole = mended_frame(tidy(text))
    yield _opened(whole), ""
    yield _stripped(whole), ""
    parts = _SENTENCE.split(whole)
    if 1 < len(parts) <= _MOST_SENTENCES:
        for place, part in enumerate(parts):
            if _cue().search(part) is not None and _says_no_number(parts[place + 1 :]):
                yield _stripped(part), " ".join(parts[:place])


def _says_no_number(parts: Sequence[str]) -> bool:
    """What follows may be a courtesy or a story, but no task with numbers and no further question."""
    return not any(_NUMBER.search(part) or part.rstrip().endswith("?") for part in parts)


@cache
def _openings() -> re.Pattern[str]:
    return re.compile(
        rf"(?:(?:{any_of('comparisons.openings')}|{any_of('direct.greetings')}|{any_of('direct.demands')}"
        rf"|(?:{any_of('direct.may_you')}) you(?: please| kindly)?)[ ,:!.]+)+",
        re.IGNORECASE,
    )


def _opened(text: str) -> str:
    """A text without courtesies before it."""
    asked = without_ending(text)
    opening = _openings().match(asked)
    return asked[opening.end() :] if opening is not None else asked


def _stripped(text: str) -> str:
    """The same without what may follow it: "in probability" is a field, or a part of a name."""
    asked = _opened(text)
    for _ in range(3):
        shorter = re.sub(rf"[ ,;:–—-]+(?:{any_of('comparisons.endings')})\Z", "", asked, flags=re.IGNORECASE)
        if shorter == asked:
            break
        asked = without_ending(shorter)
    return asked


def _asked(sentence: str) -> Iterator[_Asked]:
    for pattern in _forms():
        found = pattern.fullmatch(sentence)
        if found is not None:
            said = {key: value for key, value in found.groupdict().items() if value}
            yield _Asked(**said)


def _pair(asked: _Asked) -> tuple[Named, ...] | None:
    if not asked.both:
        return _both_named(asked.first, asked.second)
    for cut in _JOINT.finditer(asked.both):
        pair = _both_named(asked.both[: cut.start()], asked.both[cut.end() :])
        if pair is not None:
            return pair
    return None


def _both_named(first: str, second: str) -> tuple[Named, ...] | None:
    """The two things, where both are known; what follows the second may be meant of the first, too."""
    second = _without_aside(second)
    if any(_PRONOUN.match(each.strip()) or _NUMBER.search(each) for each in (first, second)):
        return None
    later = _with_tail_of(first, second) or named_concept(second, may_be_misspelt=True)
    if later is None:
        return _untold_other(first, second)
    tail = later.tail or _own_tail(later.name)
    for each in dict.fromkeys(_as_said_of(first, later.name, tail)):
        former = named_concept(each)
        # "median and median of a triangle": what only the second has makes two of them one.
        if former is not None and (former.entries != later.entries or each == first):
            return former, later
    misspelt = named_concept(first, may_be_misspelt=True)
    return _untold_other(first, second) if misspelt is None else (misspelt, later)


def _with_tail_of(first: str, second: str) -> Named | None:
    """The second thing, said of what the first is said of: "the codomain of a function and the range"."""
    former = named_concept(first)
    tail = "" if former is None else former.tail or _own_tail(former.name)
    found = named_concept(f"{second} {tail}") if tail and not _own_tail(second) else None
    return None if former is None or found is None or found.entries == former.entries else found


def _as_said_of(first: str, other: str, tail: str) -> Iterator[str]:
    """The first phrase with what the second one says for both: "absolute and conditional convergence", "chord and
    secant of a circle"."""
    if tail and tail not in first:
        yield f"{first} {tail}"
    own = re.sub(rf" (?:{any_of('concepts.tail_openings')}) .*", "", other).split()
    alone = named_concept(first)
    if alone is not None and any(is_its_name(alone.name, one) for one in alone.entries):
        yield first
    for count in (1, 2):
        if len(own) > count:
            yield f"{first} {' '.join(own[-count:])} {tail}".strip()
            yield f"{first} {' '.join(own[-count:])}"
    yield first


def _own_tail(name: str) -> str:
    """ "of a triangle" within the name "altitude of a triangle"."""
    found = re.search(rf" ((?:{any_of('concepts.tail_openings')}) .+)\Z", name, re.IGNORECASE)
    return found[1] if found is not None else ""


def _untold_other(first: str, second: str) -> tuple[Named, ...] | None:
    """One thing that tells itself from another which has no entry: correlation and causation."""
    for one, other in ((first, second), (second, first)):
        named = named_concept(one)
        if named is not None and any(telling_apart(entry, other.strip()) for entry in named.entries):
            return (named, Named(other.strip(), ()))
    return None


def _without_aside(phrase: str) -> str:
    return re.sub(rf",? (?:{any_of('comparisons.asides')})\b.*\Z", "", phrase, flags=re.IGNORECASE)


def _several(sentence: str) -> tuple[Named, ...]:
    """Three things or more, each of them known."""
    for asked in _asked(sentence):
        whole = asked.both or f"{asked.first} vs {asked.second}"
        parts = [each for each in _LIST.split(whole) if each.strip()]
        if not 2 < len(parts) <= _MOST_COMPARED:
            continue
        last = named_concept(parts[-1])
        tail = "" if last is None else last.tail or _own_tail(last.name)
        named = [named_concept(f"{each} {tail}") or named_concept(each) for each in parts[:-1]]
        found = tuple(each for each in (*named, last) if each is not None)
        if len(found) == len(parts) and len({each.entries for each in found}) == len(parts):
            return found
    return ()


@cache
def _of_those() -> re.Pattern[str]:
    asked = f"{any_of('comparisons.asked_behind')}|{any_of('several_parts.asked_again')}"
    two, aside = any_of("comparisons.the_two"), any_of("comparisons.asides")
    return re.compile(
        rf"(?:and |but |so )?(?:(?:{asked})(?: (?:between|of) (?:{two}))?)(?:,? (?:{aside}) .{{0,40}})?", re.IGNORECASE
    )


def _spoken_of(sentence: str, before: str) -> tuple[Named, ...]:
    """The two things that a sentence before spoke of, and no third."""
    if not before or _of_those().fullmatch(sentence) is None:
        return ()
    for quoted in (_QUOTED.findall(before), _joined(before)):
        named = [each for each in map(named_concept, quoted) if each is not None]
        if len(named) == len(quoted) == 2 and named[0].entries != named[1].entries:
            return tuple(named)
    return ()


@cache
def _of_that() -> re.Pattern[str]:
    pronoun, verb = "(?:it|this|that|they|these)", "(?:is|are|does|do)"
    return re.compile(
        rf"(?:.{{0,40}}?\b)?(?:{any_of('comparisons.ways')}) {verb} {pronoun} (?:{any_of('comparisons.differs_from')}) "
        r"(?P<second>.+)",
        re.IGNORECASE,
    )


def _referred_to(sentence: str, before: str) -> tuple[Named, ...]:
    """What a sentence before spoke of, alone or in quotation marks, and the other thing."""
    found = _of_that().fullmatch(sentence) if before else None
    spoken = spoken_name(before) if found is not None else None
    pair = _both_named(spoken.name, found["second"]) if found is not None and spoken is not None else None
    return pair or ()


def spoken_name(before: str) -> Named | None:
    """The one thing that a sentence speaks of: what stands in quotation marks, or the only name in it."""
    quoted = _QUOTED.findall(before) or _joined(before)
    named = [each for each in map(named_concept, quoted) if each is not None]
    return named[0] if len(named) == len(quoted) == 1 else None


def _joined(before: str) -> list[str]:
    """The two names in a sentence, where it has two."""
    found = list(dict.fromkeys(names_among(before, glossary_keys())))
    ordinary = word_class("concepts.grammar") | word_class("concepts.kind_words") | word_class("comparisons.ordinary")
    return [each for each in found if not ordinary.issuperset(spelled_name(each)) and glossary_called(each)]


# Telling.


def _told(text: str, named: Sequence[Named]) -> Reply | None:
    topics = {each.name: each.entries for each in named}
    if len(topics) < len(named):
        return None
    chosen = only_told_apart(topics)
    entries = tuple(dict.fromkeys(one for each in chosen.values() for one in each))
    lines = list(map(entry_text, entries))
    if len(entries) == 1 and all(topics.values()):
        names = " and ".join(f"“{each.name}”" for each in named)
        lines = [f"{_SAME} {names}.", *lines]
    apart = tuple(dict.fromkeys(_apart(entries, tuple(topics))))
    # Two quantities of physics that mathematics tells nothing about are asked of the formulas.
    if not apart and all(names_exactly(each.name) for each in named):
        return None
    return Reply(text, "\n".join((*lines, *(f"{APART} {each}" for each in apart))), glossary=entries)


def _apart(entries: Sequence[GlossaryEntry], topics: Sequence[str]) -> Iterator[str]:
    """Each sentence with which one of the things tells itself from another; of each two things one is enough."""
    names = [*topics, *(one.name for one in entries)]
    told: set[frozenset[str]] = set()
    for one in entries:
        for other in names:
            said = telling_apart(one, other)
            meant = frozenset((one.name, *(each.name for each in entries if each in glossary_called(other))))
            if said and not (len(meant) > 1 and meant in told):
                told.add(meant)
                yield said
