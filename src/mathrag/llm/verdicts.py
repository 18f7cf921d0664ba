"""Read a verdict of few possible words out of a reply: from its log-probabilities, or from its text. Never guesses."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from mathrag.llm.json_text import without_thoughts
from mathrag.llm.nouns import TokenChance

# Below this the model was about to say something else, and the rest says nothing about its verdict.
_LEAST_MASS = 0.1
_AROUND = " \t\r\n.,;:!?\"'`*_#()[]{}<>“”‘’«»▁Ġ\u010a\u2581-–—=>"
_LONGEST = 4_000
_WORD = re.compile(r"[^\W\d_]+|\d+(?:[.,/]\d+)*")
_NEGATIVE = re.compile(r"\W{0,8}[-−]\d")
# Possessive, so that a long row of marks is looked at once.
_SET_OFF = re.compile(r"[\W_]*+[^\W_]++[\"'*_)]*+(?:[.,;:!\n]|$)")
_ANNOUNCED = re.compile(
    r"(?:answer|verdict|grade|score|rating|judgement|judgment)\W{0,8}(?:is\W{1,4})?(\w+(?:[.,]\d+)?)"
)


def chances(tokens: Sequence[TokenChance], words: Mapping[str, str]) -> dict[str, float] | None:
    """The probability of each verdict at the first token that says something, over all spellings, summing to 1.

    `words` gives the verdict of each word. None where no probabilities are told or hardly any are of a verdict.
    """
    token = next((one for one in tokens if one.text.strip(_AROUND)), None)
    if token is None:
        return None
    # The chosen token usually stands among the others too; it counts once.
    spellings = dict(token.others)
    spellings.setdefault(token.text, token.log_probability)
    sums = dict.fromkeys(words.values(), 0.0)
    for spelling, chance in spellings.items():
        verdict = words.get(spelling.strip(_AROUND).casefold())
        if verdict is not None and math.isfinite(chance) and chance < 0.01:
            sums[verdict] += math.exp(min(chance, 0.0))
    mass = sum(sums.values())
    return {verdict: part / mass for verdict, part in sums.items()} if mass >= _LEAST_MASS else None


def word_verdict(text: str, words: Mapping[str, str]) -> str | None:
    """The verdict that a text gives with its first word or after "Answer:"; None where it gives none or several."""
    said = without_thoughts(text)[:_LONGEST].casefold()
    found = _WORD.findall(said)
    if not found:
        return None
    announced = {words[word] for word in _ANNOUNCED.findall(said) if word in words}
    if announced:
        return announced.pop() if len(announced) == 1 else None
    first = words.get(found[0])
    others = {words[word] for word in found[1:] if word in words} - {first}
    # "Yes. There is no doubt" gives one verdict; "yes and no" gives none.
    is_set_off = _SET_OFF.match(said) is not None
    return first if is_set_off or not others else None


def number_verdict(text: str, *, least: int, most: int) -> int | None:
    """The whole number between two bounds that a text gives, alone, first, or after "Score:"; "4/5" is 4."""
    said = without_thoughts(text)[:_LONGEST].casefold()
    words = _WORD.findall(said)
    if _NEGATIVE.match(said):
        return None
    announced = [one for one in _ANNOUNCED.findall(said) if one[:1].isdigit()]
    for candidates in (set(announced), {word.partition("/")[0] for word in words[:1]}):
        numbers = {one for one in candidates if one[:1].isdigit()}
        if len(numbers) == 1:
            return _whole(numbers.pop(), least, most)
    return None


def _whole(digits: str, least: int, most: int) -> int | None:
    try:
        value = float(digits[:12].replace(",", "."))
    except ValueError:
        return None
    return int(value) if value.is_integer() and least <= value <= most else None
