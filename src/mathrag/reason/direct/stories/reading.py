"""A word problem as plain lower-case words in which every value is one word, and what it asks. Solves nothing.

The words of `Story.words` are separated by blanks. A value is written as its sort and its number in `values`, so that
rules can be read: `a coat costs money0 and is pct1 off`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from mathrag.knowledge.units import read_canonical_unit
from mathrag.language.quantities import find_quantities
from mathrag.language.quantities.mention import Mention
from mathrag.language.word_classes import any_of, word_class, word_pairs
from mathrag.reason.direct.result import exact_fraction
from mathrag.types.quantity import NO_UNIT, Dimension, Quantity, Unit

_LENGTH = Dimension.of({"length": 1})
_SORTS = {
    Dimension.of({"currency": 1}): "money",
    _LENGTH: "len",
    Dimension.of({"length": 2}): "area",
    Dimension.of({"length": 3}): "vol",
    Dimension.of({"time": 1}): "time",
    Dimension.of({"length": 1, "time": -1}): "speed",
    Dimension.of({"mass": 1}): "mass",
    Dimension.of({"temperature": 1}): "temp",
}
_ANGLES = frozenset(("deg", "°", "degree"))
_PIECE = re.compile(r"[^\W\d_]+|'s|’s|[.,;:?!()=+]|\S")
_VALUE = re.compile(r"([a-z]+)([0-9]+)")
# "Price before tax if …", "total with …": what comes first is asked.
_FIRST_NAMED = re.compile(
    rf"(?P<asked>(?:(?:the|new|final) )?(?:{any_of('stories.prices_before')}|{any_of('stories.prices_after')}"
    rf"|{any_of('stories.asks_price')})(?: before [a-z]+| without [a-z]+| after [a-z]+)?)"
    r" (?P<told>(?:with|on|of|for|if|when|after|at)\b.*)"
)
_VALUE_WORD = re.compile(r"\b[a-z]+[0-9]+\b")
_ASKING = re.compile(rf"\b(?:{any_of('stories.asking')})\b")
_IMPROPER = re.compile(r"(?<![\d/.])(?P<whole>\d{1,3})(?P<above>\d)/(?P<below>\d)(?![\d/.])")
_REWRITTEN = (
    (re.compile(r"\bper cent\b", re.IGNORECASE), "percent"),
    (re.compile(r"\b(miles|kilometers|feet|meters|yards) an hour\b", re.IGNORECASE), r"\1 per hour"),
    (re.compile(r"\b(miles|kilometers|feet|meters|yards) (?:a|each) (minute|second)\b", re.IGNORECASE), r"\1 per \2"),
    (re.compile(r"(?<!half )\ban hour (?=later|after|earlier|longer|less|more|before)", re.IGNORECASE), "1 hour "),
    (re.compile(rf"(?:^|(?<=[.?!] ))(?:{any_of('stories.instructions')})[.:](?= )", re.IGNORECASE), " "),
)
_ASIDE = re.compile(r"\([^()0-9]{1,80}\)")
# An aside may change what is told: "(without the largest)".
_CHANGING = re.compile(rf"\b(?:{any_of('cancelling.changed')}|{any_of('stories.negations')})\b", re.IGNORECASE)
_PERIODIC = re.compile(r"([$] ?[0-9][0-9,.]*[0-9]) (?:per|a|each|every) (month|week|year|day)\b")
_ROUNDING = re.compile(
    rf"[(]?(?:, )?\b(?:(?:please )?round(?:ed)?(?: off)?(?: (?:your|the|all) (?:final )?(?:answers?|results?))? )?"
    rf"to the nearest (?P<place>{any_of('stories.rounding')})\b[^.,;?)]*[.]?[)]?,?",
    re.IGNORECASE,
)
_WRITTEN_IN = re.compile(
    r"\b(?:write|give|express) (?:the|your) (?:answer|result) in (?P<unit>[a-z]+(?: [a-z]+)?)[.]?", re.IGNORECASE
)
_LONGEST = 900


@dataclass(frozen=True, slots=True)
class Value:
    """A number of the question: its sort, its exact value and its unit as stated; `text` are its words."""

    index: int
    sort: str
    value: Fraction
    unit: Unit
    text: str
    is_count: bool

    @property
    def word(self) -> str:
        """How it stands among the words of the story."""
        return f"{self.sort}{self.index}"

    @property
    def dollars(self) -> Fraction:
        """An amount of money in dollars."""
        return self.value / 100 if self.unit.text == "US_cent" else self.value

    def in_unit(self, unit: Unit) -> Fraction:
        """The number in another unit of the same dimension."""
        if unit == self.unit:
            return self.value
        return self.value * exact_fraction(self.unit.scale / unit.scale)


@dataclass(frozen=True, slots=True)
class Story:
    """A question in words and values; `asked` are the words from the one that asks to the end of its sentence."""

    words: str
    values: tuple[Value, ...]
    asked: str
    told: str
    wanted: Unit | None = None
    decimals: int | None = None

    def of_sort(self, *sorts: str) -> list[Value]:
        """The values of some sorts, in order."""
        return [value for value in self.values if value.sort in sorts]

    def value(self, word: str) -> Value | None:
        """The value that a word stands for."""
        match = _VALUE.fullmatch(word)
        if match is None or int(match[2]) >= len(self.values):
            return None
        found = self.values[int(match[2])]
        return found if found.word == word else None

    def has(self, name: str) -> bool:
        """Whether a word or phrase of the class occurs."""
        return re.search(rf"\b(?:{any_of(name)})\b", self.words) is not None

    def asks(self, name: str) -> bool:
        """Whether a word or phrase of the class stands in what is asked."""
        return re.search(rf"\b(?:{any_of(name)})\b", self.asked) is not None

    @property
    def telling(self) -> list[Value]:
        """The values without those that only say how many things are spoken of."""
        return [value for value in self.values if not is_idle(self, value)]

    @property
    def sentences(self) -> list[str]:
        """The sentences, without their full stops."""
        return [part.strip() for part in re.split(r" [.?!;] ", f"{self.words} ") if part.strip()]


def read_story(text: str) -> Story | None:
    """The question as a story; None where it asks nothing, asks twice, or is too long."""
    return _read(text, _asked)


def read_fragment(text: str) -> Story | None:
    """The same of a text without a word that asks; asked is its last clause, where that has words and no values."""
    return _read(text, _left_to_ask)


def _read(text: str, asked_in: Callable[[str], tuple[str, str] | None]) -> Story | None:
    if len(text) > _LONGEST:
        return None
    text, wanted, decimals = _plain_text(text)
    mentions = [mention for mention in find_quantities(text) if mention.kind not in ("ordinal", "date")]
    if any(mention.kind in ("declined", "range") or mention.symbol for mention in mentions):
        return None
    if any(mention.kind == "label" and not _is_road(text, mention) for mention in mentions) or doubtful_fraction(text):
        return None
    mentions = [mention for mention in mentions if mention.kind != "label"]
    if any(_stands_for_things(text, mention) for mention in mentions):
        return None
    values: list[Value] = []
    words: list[str] = []
    place = 0
    for mention in mentions:
        words += _words(text[place : mention.start])
        words.append(_spoken(mention, values, is_known=bool(words) and words[-1] == "the"))
        place = mention.end
        if mention.text.endswith(".") and re.match(r"\s+[A-Z]", text[place:]):
            words.append(".")
    words += _words(text[place:])
    joined = " ".join(words)
    asked = asked_in(joined)
    if asked is None:
        return None
    return Story(joined, tuple(values), asked[0], asked[1], wanted, decimals)


def _plain_text(text: str) -> tuple[str, Unit | None, int | None]:
    """The text without instructions on how to write the answer, the unit and the decimals these ask for."""
    text = text.replace("\u2019", "'").replace("\u2212", "-").replace("\u2013", "-")
    decimals = asked_decimals(text)
    text = _ROUNDING.sub(" ", text)
    written = _WRITTEN_IN.search(text)
    wanted = None if written is None else unit_named(written["unit"].lower())
    if wanted is not None:
        text = _WRITTEN_IN.sub(" ", text)
    text = _ASIDE.sub(lambda aside: aside[0] if _CHANGING.search(aside[0]) else " ", text)
    for pattern, replacement in _REWRITTEN:
        text = pattern.sub(replacement, text)
    periods = _PERIODIC.findall(text)
    if len(periods) > 1 and len({period for _, period in periods}) == 1:
        # So much a month of so much a month: the month says nothing.
        text = _PERIODIC.sub(r"\1", text)
    return " ".join(text.split()), wanted, decimals


def asked_decimals(text: str) -> int | None:
    """How many decimals the answer shall have, where the question says so."""
    rounded = _ROUNDING.search(text)
    return None if rounded is None else int(word_pairs("stories.rounding")[rounded["place"].lower()])


def doubtful_fraction(text: str) -> str:
    """A fraction before a unit that may be a mixed number which lost its blank: 21/2 hours, meant as 2 1/2 hours."""
    for match in _IMPROPER.finditer(text):
        word = re.match(r" ?(?P<unit>[A-Za-z]+)", text[match.end() :])
        if (
            int(match["above"]) < int(match["below"])
            and word is not None
            and unit_named(word["unit"].lower()) is not None
        ):
            return f"{match[0]} {word['unit']}"
    return ""


def _is_road(text: str, mention: Mention) -> bool:
    """The number of a road (`I-70`, `Route 9`) says nothing."""
    return re.search(r"\b(?:[A-Z]{1,2}-|(?:[Rr]oute|[Hh]ighway|[Ii]nterstate) )$", text[: mention.start]) is not None


_BEFORE_PRONOUN = re.compile(rf"\b(?:{any_of('stories.before_pronoun_numbers')})\s+\Z", re.IGNORECASE)
_BEHIND_PRONOUN = re.compile(
    rf"\s*(?:[?!.,;:)]|\Z)|\s+(?:{any_of('grammar.auxiliaries')}|{any_of('grammar.prepositions')}|{any_of('grammar.conjunctions')}"
    r"|differ|apart|together|say|have)\b",
    re.IGNORECASE,
)


def _stands_for_things(text: str, mention: Mention) -> bool:
    """Whether a number in words is no value but stands for things named before: the two, the other three of them."""
    if mention.units or not mention.text.strip().isalpha():
        return False
    before, behind = text[: mention.start], text[mention.end :]
    return _BEFORE_PRONOUN.search(before) is not None and _BEHIND_PRONOUN.match(behind) is not None


def _words(text: str) -> list[str]:
    return [piece.lower().replace("’", "'") for piece in _PIECE.findall(text)]


def _spoken(mention: Mention, values: list[Value], *, is_known: bool) -> str:
    """The word that stands for a number; `one` stays a word, it mostly means `a certain`.

    A measure with the article that was told before (`the $500`) is the same one.
    """
    if mention.text.lower() in ("one", "a", "an"):
        return mention.text.lower()
    unit = _unit(mention)
    sort = _sort(unit)
    told = [
        value for value in values if value.unit == unit and unit.text and float(value.value) == float(mention.value)
    ]
    if is_known and len(told) == 1:
        return told[0].word
    value = Value(
        len(values), sort, exact_fraction(float(mention.value)), unit, mention.text.strip(), mention.kind == "count"
    )
    values.append(value)
    return value.word


def _unit(mention: Mention) -> Unit:
    if not mention.units:
        return NO_UNIT
    return mention.units[0]


def _sort(unit: Unit) -> str:
    if unit.text in ("percent", "%"):
        return "pct"
    if unit.text in word_class("stories.counted_units"):
        return "counted"
    if unit.text in _ANGLES:
        return "ang"
    if unit.dimension.is_dimensionless:
        return "other" if unit.text else "num"
    return _SORTS.get(unit.dimension, "other")


def _asked(words: str) -> tuple[str, str] | None:
    """What is asked and what is told: the words from the one that asks to the end of its sentence, and all others."""
    parts = re.split(r"(?<= [.?!;]) ", f"{words} ")
    asking = [(place, _ASKING.search(part)) for place, part in enumerate(parts)]
    found = [(place, match) for place, match in asking if match is not None and _opens(parts[place], match)]
    if len(found) != 1:
        return None
    place, match = found[0]
    sentence = parts[place].strip()
    asked = sentence[match.start() :].rstrip(" .?!;")
    if len(_ASKING.findall(asked)) > 1 and re.search(rf"\band (?:{any_of('stories.asking')})\b", asked):
        return None
    told = " ".join([*parts[:place], sentence[: match.start()], *parts[place + 1 :]])
    return asked, told


def _left_to_ask(words: str) -> tuple[str, str] | None:
    """What a text without a word that asks leaves to be asked ("total?"), and what it tells."""
    if _ASKING.search(words):
        return None
    for told, last in (words.rstrip(" .?!;").rpartition(mark)[::2] for mark in (" . ", " , ", " : ")):
        if told and last and _VALUE_WORD.search(last) is None:
            return last, told
    first = _FIRST_NAMED.match(words)
    return ("", words) if first is None else (first["asked"], first["told"])


def _opens(sentence: str, match: re.Match[str]) -> bool:
    """Whether the asking word opens its sentence or a clause of it."""
    before = sentence[: match.start()].split()
    if match[0] in ("which", "when"):
        return not before and len(_ASKING.findall(sentence)) == 1 and "?" in sentence
    return not before or before[-1] in word_class("stories.before_asking") or "?" in sentence


def everyday(story: Story) -> bool:
    """Whether all values are of sorts that everyday stories have, and no word is one of the sciences."""
    if any(
        value.sort == "other" and value.unit.text not in word_class("stories.other_units") for value in story.values
    ):
        return False
    return not story.has("stories.science")


def unit_named(word: str) -> Unit | None:
    """The unit that a word of the question is (`feet`, `hours`), where it has one usual reading."""
    mentions = find_quantities(f"5 {word}")
    if len(mentions) != 1 or not mentions[0].units or mentions[0].end != len(word) + 2:
        return None
    return mentions[0].units[0]


def product_unit(text: str) -> Unit:
    """A unit by its canonical text."""
    return read_canonical_unit(text)


def quantity(value: Fraction, unit: Unit) -> Quantity:
    """An exact value with a unit, whole where it is whole."""
    if value.denominator == 1:
        return Quantity(int(value), unit)
    return Quantity(value.numerator / value.denominator, unit)


def covered(story: Story, used: Sequence[Value]) -> bool:
    """Whether every value of the question is used; one that only sets the scene may stay."""
    indices = {value.index for value in used}
    return all(value.index in indices or is_idle(story, value) for value in story.values)


def is_idle(story: Story, value: Value) -> bool:
    """Whether a number only says how many things are spoken of: two numbers, three friends."""
    if value.sort == "time" and value.value == 1:
        # `In one month …` only sets the scene.
        return re.search(rf"(?:^|[.?!;] )(?:in )?{value.word}\b", story.words) is not None
    if value.sort != "num" or not value.text.isalpha() or value.value > 12:
        return False
    match = re.search(rf"\b{value.word} (?:[a-z]+ )?(?:{any_of('stories.idle_nouns')})\b", story.words)
    return match is not None
