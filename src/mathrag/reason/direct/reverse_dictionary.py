"""The name of something that is described: `what do you call a quadrilateral with four equal sides`, `how is called a
positive integer that equals the sum of its proper divisors`.

The description is held against the definitions of the glossary and against other descriptions of its concepts. A name
is given only where nearly all words agree, both ways, and no other concept comes near; the definition is quoted, so
that the reader can check it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from mathrag.knowledge.glossary import glossary_entries
from mathrag.language.stems import stem
from mathrag.language.word_classes import any_of, word_class, word_pairs
from mathrag.reason.direct.glossary_answers import entry_text
from mathrag.reason.direct.question_text import tidy
from mathrag.types.answer import Reply
from mathrag.types.concept import GlossaryEntry

_LONGEST, _LEAST_WORDS = 200, 2
_WORD = re.compile(r"[^\W\d_]{2,}|(?<![\w.])[0-9]{1,3}(?![\w.])")
# So much of the weight of the words of both must be shared, and the next concept stay so far behind.
_LEAST_SHARED, _AHEAD = 0.92, 0.04
_LEAD = "By its words this describes"


@dataclass(frozen=True, slots=True)
class _Meaning:
    entry: GlossaryEntry
    words: frozenset[str]


@cache
def _forms() -> tuple[re.Pattern[str], ...]:
    called = any_of("concepts.called_behind")
    return tuple(
        re.compile(pattern, re.IGNORECASE)
        for pattern in (
            rf"(?:{any_of('concepts.name_of')}|{any_of('descriptions.name_of')}) (?P<said>.+)",
            rf"(?:what|how) (?:is|are) (?:{called}) (?P<said>.+ .+)",
            rf"(?:what|how)(?:'?s| is| are| do you call| do we call) (?P<said>.+ .+?) (?:{called})",
            r"(?P<said>an? .+ .+?) is (?:called|known as|named)(?: an?| the)?(?: what)?[ _.…]*",
            r"(?:which|what) (?:sort|kind|type) of (?P<said>.+ .+)",
        )
    )


def answer_description(text: str) -> Reply | None:
    """The one concept of the glossary that a description fits, with its definition; None where none or several do."""
    if len(text) > _LONGEST:
        return None
    # "… with all sides equal" ends with a word that elsewhere only ends a question.
    asked = re.sub(r"[ ,]*(?:please|pls|plz|thanks)?[ ?.!]*\Z", "", tidy(text), flags=re.IGNORECASE)
    for pattern in _forms():
        found = pattern.fullmatch(asked)
        entry = _fitting(found["said"]) if found is not None else None
        if entry is not None:
            also = f" (also: {', '.join(entry.also[:2])})" if entry.also else ""
            return Reply(text, f"{_LEAD} “{entry.name}”{also}.\n{entry_text(entry)}", glossary=(entry,))
    return None


def _fitting(description: str) -> GlossaryEntry | None:
    asked = frozenset(_words(description))
    if len(asked) < _LEAST_WORDS:
        return None
    telling = asked & _telling()
    best: dict[str, tuple[float, GlossaryEntry]] = {}
    for one in _meanings():
        # What denies and what counts must agree: "no", "two", "less".
        if one.words & _telling() == telling:
            score = _shared(asked, one.words)
            if score > best.get(one.entry.name, (0.0, one.entry))[0]:
                best[one.entry.name] = (score, one.entry)
    ranked = sorted(best.values(), key=lambda each: -each[0])
    if not ranked or ranked[0][0] < _LEAST_SHARED:
        return None
    is_ahead = len(ranked) == 1 or ranked[0][0] - ranked[1][0] >= _AHEAD
    return ranked[0][1] if is_ahead else None


def _shared(asked: frozenset[str], words: frozenset[str]) -> float:
    return 2 * _weight(asked & words) / (_weight(asked) + _weight(words))


def _words(text: str) -> tuple[str, ...]:
    grammar, alike = word_class("descriptions.grammar"), _alike()
    found = (word.lower() for word in _WORD.findall(text))
    stems = (alike.get(stem(word), stem(word)) for word in found if word not in grammar)
    return tuple(each for each in stems if each)


@cache
def _alike() -> Mapping[str, str]:
    pairs = {**word_pairs("concepts.description_alike"), **word_pairs("descriptions.alike")}
    return {stem(word): stem(meant) for word, meant in pairs.items()}


@cache
def _telling() -> frozenset[str]:
    return frozenset(_alike().get(stem(word), stem(word)) for word in word_class("descriptions.telling"))


@cache
def _meanings() -> tuple[_Meaning, ...]:
    """The first sentence of each definition, its part before a colon, and the other descriptions."""
    source = resources.files("mathrag.retrieve").joinpath("data", "glossary_descriptions.toml").read_text("utf-8")
    given = tomllib.loads(source)["descriptions"]
    found = []
    for one in glossary_entries():
        first = re.split(r"\. |; ", one.definition)[0]
        parts = dict.fromkeys((first, re.split(r"[:;]|, that is|, such as", first)[0], *given.get(one.name, ())))
        found += [_Meaning(one, words) for each in parts if len(words := frozenset(_words(each))) >= _LEAST_WORDS]
    return tuple(found)


@cache
def _weights() -> Mapping[str, float]:
    counted: dict[str, int] = {}
    for one in glossary_entries():
        for word in frozenset(_words(one.definition)):
            counted[word] = counted.get(word, 0) + 1
    return {word: 1.0 / (1.0 + count) ** 0.3 for word, count in counted.items()}


def _weight(words: frozenset[str]) -> float:
    weights = _weights()
    return sum(weights.get(word, 1.0) for word in words)
