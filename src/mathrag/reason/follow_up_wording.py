"""What the words of a follow-up ask for: another unit, a value scaled or shifted, a value replaced. Knows no answer."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mathrag.compute.quantity_text import Mention, find_quantities
from mathrag.compute.units import unit_readings
from mathrag.compute.wording import normal_words
from mathrag.errors import MathragError
from mathrag.types.quantity import Quantity, Unit

LONGEST = 300
# Words that say "the same question again, but": without one of them, only bare values are a follow-up.
_CUE = re.compile(
    r"(?:(?:and|or|so|ok|okay|now|then|but|also|again|instead|same|the same|this time)\b[ ,]*)*"
    r"(?:what if|what about|what happens (?:if|when)|how about|suppose|supposing|if|assume|with|for|at|use|using|take|"
    r"try|make|set|let|when|thing|question|calculation|in|to|into|as)?\b",
    re.IGNORECASE,
)
_UNIT_ONLY = re.compile(
    r"(?:(?:and|or|so|ok|now|then|but|what is|what's|how much is|show|give|say|tell me|convert|express|it|that|this|"
    r"the (?:answer|result)|me)[ ,]+)*(?:in|to|into|as)\s+(?P<unit>[^?!]{1,40}?)"
    r"(?:\s+(?:please|then|instead))?\s*[?.!]*",
    re.IGNORECASE,
)
_TIMES = {"twice": 2, "thrice": 3, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "eight": 8, "ten": 10}
_VERBS = {"doubl": 2.0, "tripl": 3.0, "trebl": 3.0, "quadrupl": 4.0, "halv": 0.5}
_VERB = re.compile(r"\b(doubl|tripl|trebl|quadrupl|halv)(?:e|es|ed|ing)\b")
_MULTIPLE = re.compile(
    r"\b(?:(twice|thrice)|(two|three|four|five|six|eight|ten|\d{1,6}(?:\.\d{1,6})?) times|"
    r"(half|a third|a quarter)(?= (?:the|as|of)\b))"
)
_PARTS = {"half": 0.5, "a third": 1 / 3, "a quarter": 0.25}
_UP = (
    r"increas\w*|rais\w*|grow\w*|rise\w*|go(?:es)? up|add\w*|larger|bigger|higher|greater|longer|heavier|faster|more|"
    r"hotter"
)
_DOWN = (
    r"decreas\w*|reduc\w*|drop\w*|fall\w*|lower\w*|shrink\w*|go(?:es)? down|cut\w*|smaller|shorter|lighter|slower|"
    r"less|colder|cooler"
)
_DIRECTION = re.compile(rf"\b(?:(?P<up>{_UP})|(?P<down>{_DOWN}))\b")
_FACTOR = re.compile(r"\bby a factor of (\d{1,6}(?:\.\d{1,6})?|two|three|four|five|six|eight|ten)\b")
_EMPTY = frozenset(
    """
    a about again also an and are as assume at be become becomes been being big but by change changes decrease decreases
    does down equal equals factor for from gets go goes half happen happens has have high how i if in increase increases
    instead is it its just large let long lower made make many
    me much my now of ok on one only or please question raise reduce same set so start suppose take than that the then
    there thing this thrice time times to try twice up use using value was we were what when with would you
    """.split()
)


@dataclass(frozen=True, slots=True)
class Scaling:
    """A value multiplied by `factor`, or shifted by `shift`; `phrase` are the words that name which value."""

    phrase: str
    factor: float | None = None
    shift: Mention | None = None
    is_down: bool = False


def has_cue(text: str) -> bool:
    """Whether the text begins like something said after an answer."""
    found = _CUE.match(text.strip())
    return found is not None and found.end() > 0


def content_words(text: str) -> tuple[str, ...]:
    """The words that could name a quantity, in the normal form that descriptions have too."""
    words = re.findall(r"[^\W\d_][\w']*", text)
    return tuple(word for word in normal_words(" ".join(words)).split() if word not in _EMPTY)


def read_unit_wish(text: str) -> tuple[str, tuple[Unit, ...]] | None:
    """The unit where the text asks for nothing but another unit: "and in kPa?"."""
    found = _UNIT_ONLY.fullmatch(text.strip())
    if found is None:
        return None
    try:
        readings = unit_readings(found["unit"].strip())
    except MathragError:
        return None
    return (found["unit"].strip(), tuple(readings)) if readings else None


def read_trailing_unit(text: str, *, after: int) -> tuple[str, tuple[Unit, ...]] | None:
    """The unit asked for after the last value of the text: "and at 77 K in km/s?"."""
    return read_unit_wish(text[after:])


def read_scaling(text: str) -> Scaling | None:
    """A value doubled, halved, made 10 % larger, raised by 5 K; None where nothing of that is said."""
    lowered = text.lower()
    verb = _VERB.search(lowered)
    if verb is not None:
        return Scaling(_without(text, verb.span()), _VERBS[verb[1]])
    direction = _DIRECTION.search(lowered)
    if direction is not None:
        found = _directed(text, lowered, direction)
        if found is not None:
            return found
    multiple = _MULTIPLE.search(lowered)
    if multiple is None:
        return None
    word = multiple[1] or multiple[2] or ""
    factor = _PARTS[multiple[3]] if multiple[3] else float(_TIMES.get(word, 0) or word)
    return Scaling(_without(text, multiple.span()), factor)


def _directed(text: str, lowered: str, direction: re.Match[str]) -> Scaling | None:
    is_down = direction["down"] is not None
    by_factor = _FACTOR.search(lowered)
    if by_factor is not None:
        size = float(_TIMES.get(by_factor[1], 0) or by_factor[1])
        phrase = _without(text, direction.span(), by_factor.span())
        return Scaling(phrase, 1 / size if is_down else size) if size else None
    mentions = [mention for mention in find_quantities(text) if mention.kind in ("quantity", "number")]
    if len(mentions) != 1 or re.search(r"\bto\s+$", lowered[: mentions[0].start]):
        return None  # "increase the mass to 5 kg" replaces; it does not add
    mention = mentions[0]
    phrase = _without(text, direction.span(), (mention.start, mention.end))
    if mention.units and mention.units[0].text == "percent":
        change = mention.value / 100
        return Scaling(phrase, 1 - change if is_down else 1 + change)
    return Scaling(phrase, shift=mention, is_down=is_down) if mention.units else None


def _without(text: str, *spans: tuple[int, int]) -> str:
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]} {text[end:]}"
    return text


def quantity_words(quantity: Quantity) -> str:
    """A quantity as a question writes it, with every digit it has."""
    number = str(quantity.value) if isinstance(quantity.value, int) else f"{quantity.value:.12g}"
    return f"{number} {quantity.unit.text}".strip()
