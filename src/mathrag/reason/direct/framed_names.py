"""A concept's name with more around it than `definitions.py` reads: `what is meant by the quotient set A/~ when ~ is an
equivalence relation on A`, `kernel of a linear map?`, `Lipschitz continuous, what does that mean exactly`, `what does
it mean that the interquartile range of a data set is 12`, and a sentence about the asker before.

Each is put back as the name alone, and only where the glossary has what is then asked for (`named_concepts`).
"""

from __future__ import annotations

import re
from functools import cache

from mathrag.language.quantity_names import names_exactly
from mathrag.language.word_classes import any_of
from mathrag.reason.direct.comparisons import spoken_name
from mathrag.reason.direct.named_concepts import Named, is_general, named_concept
from mathrag.reason.direct.question_text import tidy, without_ending
from mathrag.retrieve.glossary import is_its_name

_LONGEST, _MOST_SENTENCES, _LEAST_SENTENCE = 300, 4, 3
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=\S)|(?<=[^\W\d_]{3}), but (?=what|how|which)", re.IGNORECASE)
_SETTING = re.compile(
    r"(?:given|if|let|suppose|when|for|assume|with) (?P<said>[^?.]{3,90}?)[,.;] (?=\w)", re.IGNORECASE
)
_VALUE = r"[-−]?[0-9]+(?:[.,/][0-9]+)*(?: ?%)?"


@cache
def _forms() -> tuple[tuple[re.Pattern[str], bool], ...]:
    """Patterns for a whole question, and whether each asks for a meaning in so many words."""
    asks = "|".join(any_of(f"concepts.{each}") for each in ("define", "asked_before"))
    may_ask = "|".join(any_of(f"concepts.{each}") for each in ("what_is", "explain"))
    means = f"{any_of('concepts.mean_endings')}|{any_of('concepts.represents')}"
    behind = f"{any_of('concepts.asked_behind')}|{any_of('concepts.bare_behind')}"
    return tuple(
        (re.compile(pattern, re.IGNORECASE), is_plain)
        for pattern, is_plain in (
            (rf"what do(?:es)? (?P<name>.+?) (?:{means})(?: here| exactly| precisely)?", True),
            (rf"(?:{any_of('concepts.clause_openers')}) (?P<name>.+?) (?:is|are|equals|to be|was|=) {_VALUE}", True),
            (
                rf"what do(?:es)? (?P<name>.+?) (?:{any_of('concepts.mean_endings')}) (?P<tail>(?:for|of|in|with) .+)",
                True,
            ),
            (rf"(?:explain )?what (?P<name>(?!is\b|are\b|do\b|does\b).+?) (?:is|are|{means})", True),
            (rf"(?:{asks}) (?P<name>.+?)(?: is| are)?", True),
            (rf"(?P<name>.+?)[,:;–—. -]+(?:{behind})(?: exactly| precisely| again| here)?", True),
            (rf"(?:{may_ask}) (?P<name>.+)", False),
            (r"(?P<name>.+)", False),
        )
    )


@cache
def _courtesy() -> re.Pattern[str]:
    return re.compile(
        rf"(?:(?:{any_of('comparisons.openings')}|{any_of('direct.greetings')}|{any_of('direct.demands')}"
        rf"|{any_of('direct.wishes')}|(?:{any_of('direct.may_you')}) you(?: please| kindly)?)[ ,:!.]+)+",
        re.IGNORECASE,
    )


def framed_name(text: str) -> Named | None:
    """What a question names and asks the meaning of; None for any other question. What a quantity of physics is called
    counts only where its meaning is asked for."""
    if len(text) > _LONGEST:
        return None
    whole = tidy(text)
    sentences = [each for each in _SENTENCE.split(whole) if len(each) >= _LEAST_SENTENCE]
    found = _of_sentence(whole) or asked_of_it(whole)
    if found is not None or not 1 < len(sentences) <= _MOST_SENTENCES:
        return found
    # A story may come before or behind: one sentence asks, and no other does.
    asking = [each for each in sentences if each.endswith("?") or each is sentences[-1]]
    if len([each for each in sentences if each.endswith("?")]) > 1 or any(map(str.isdigit, whole)):
        return None
    return next((named for each in asking if (named := _of_sentence(each, is_bare_too=False)) is not None), None)


def said_of_value(text: str) -> str:
    """The name of what a clause gives a value to and asks the meaning of; empty for any other question."""
    found = _forms()[1][0].fullmatch(without_ending(tidy(text))) if len(text) <= _LONGEST else None
    named = named_concept(found["name"]) if found is not None else None
    return named.entries[0].name if named is not None and len(named.entries) == 1 else ""


@cache
def _of_it() -> re.Pattern[str]:
    """A sentence that asks what something means that was named before."""
    what = r"what (?:does|do) (?:it|that|this|they) mean|what (?:it|that|this|they) (?:means?|is|are|stands? for)"
    asked = rf"(?:{what}|what (?:is|are) (?:it|that|this|they)|what (?:is|does) (?:it|that|this) stand for)"
    return re.compile(rf"{asked}(?: exactly| precisely| please| in plain words| in simple words)*", re.IGNORECASE)


def asked_of_it(text: str) -> Named | None:
    """What one sentence speaks of and the last one asks the meaning of, by a pronoun; None for any other text."""
    sentences = _SENTENCE.split(tidy(text)) if len(text) <= _LONGEST else []
    if not 1 < len(sentences) <= _MOST_SENTENCES or _of_it().fullmatch(_stripped(sentences[-1])) is None:
        return None
    return spoken_name(" ".join(sentences[:-1]))


def _stripped(sentence: str) -> str:
    asked = without_ending(sentence)
    courtesy = _courtesy().match(asked)
    return asked[courtesy.end() :] if courtesy is not None else asked


def _of_sentence(sentence: str, *, is_bare_too: bool = True) -> Named | None:
    asked = _stripped(sentence)
    setting = _SETTING.match(asked)
    if setting is not None and is_general(setting["said"]):
        asked = asked[setting.end() :]
    asked = re.sub(rf"[ ,]+(?:{any_of('concepts.trailing')}|{any_of('concepts.fields')})\Z", "", asked, flags=re.I)
    for pattern, is_plain in _forms() if is_bare_too else _forms()[:-1]:
        match = pattern.fullmatch(asked)
        said = match.groupdict() if match is not None else {}
        phrase = f"{said['name']} {said.get('tail', '')}".strip() if said else ""
        named = named_concept(phrase, may_be_misspelt=is_plain) if phrase else None
        if named is not None and (is_plain or _is_no_quantity(named)):
            return named
    return None


def _is_no_quantity(named: Named) -> bool:
    """Whether nothing but a definition can be asked for: "volume of a sphere" asks for a formula."""
    # "difference between a cat and a dog" is about two things.
    is_of_one = bool(named.tail) and re.search(r"\b(?:and|or|between)\b", named.tail, re.IGNORECASE) is None
    is_exact = is_of_one or any(is_its_name(named.name, one) for one in named.entries)
    return is_exact and not names_exactly(named.name)
