"""One phrase for several symbols: "the initial and final velocities, respectively", "the masses of A and B"."""

from __future__ import annotations

from collections.abc import Sequence

from mathrag.compute.wording import normal_words
from mathrag.extract.definitions.meaning import names_quantity
from mathrag.extract.definitions.phrases import Phrase, read_phrase
from mathrag.extract.definitions.tokens import Token
from mathrag.extract.definitions.vocabulary import RESPECTIVE_HINTS

_PREPOSITIONS = frozenset("of in at between from on per for to with by through across under within into".split())
_PLURALS = {
    "indices": "index",
    "radii": "radius",
    "moduli": "modulus",
    "axes": "axis",
    "foci": "focus",
    "vertices": "vertex",
}
COUNT_WORDS = frozenset(
    "two three four five six both various different individual respective corresponding several".split()
)


def read_shared(tokens: Sequence[Token], count: int) -> tuple[Phrase, ...]:
    """A phrase for each of so many symbols."""
    whole = read_phrase(tokens)
    if count == 1:
        return (whole,)
    respectively = next((place for place, token in enumerate(tokens) if token.lower in RESPECTIVE_HINTS), None)
    if respectively is not None:
        parts = _parts(tokens[:respectively], count)
        if parts:
            return parts
    parts = _parts(tokens, count)
    if parts and (all(names_quantity(part.words) for part in parts) or _is_pair(parts)):
        return parts
    return (Phrase(singular(whole.words), whole.unit_text, whole.length),) * count


def _is_pair(parts: Sequence[Phrase]) -> bool:
    ends = {part.words.split()[-1] for part in parts if part.words}
    return len(ends) == 1 and len({part.words for part in parts}) == len(parts) and names_quantity(parts[-1].words)


def _parts(tokens: Sequence[Token], count: int) -> tuple[Phrase, ...]:
    segments: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token.text in "([") - (token.text in ")]") if token.kind == "mark" else 0
        if depth == 0 and (token.lower in ("and", ",", "or", "&")):
            if segments[-1]:
                segments.append([])
            continue
        segments[-1].append(token)
    segments = [segment for segment in segments if segment]
    if len(segments) < count:
        return ()
    phrases = [read_phrase(segment) for segment in segments[:count]]
    if not all(phrase.words for phrase in phrases):
        return ()
    if len(segments) > count and any(len(phrase.words.split()) > 5 for phrase in phrases):
        return ()
    return tuple(_completed(phrases))


def _completed(phrases: Sequence[Phrase]) -> list[Phrase]:
    """Give every part the words it shares with the first or the last one."""
    first, last = phrases[0].words.split(), phrases[-1].words.split()
    tail = _tail(last)
    unit = phrases[-1].unit_text
    done: list[Phrase] = []
    for place, phrase in enumerate(phrases):
        words = phrase.words.split()
        if place < len(phrases) - 1 and not names_quantity(phrase.words) and len(words) <= 2 and len(last) > 1:
            words = words + last[1:]
        elif place and "of" in first and "of" not in words and (not names_quantity(phrase.words) or _is_plural(first)):
            link = first.index("of")
            article = first[link + 1 : link + 2] if first[link + 1 : link + 2] == ["the"] else []
            words = [*first[: link + 1], *article, *words]
        elif tail and not any(word in _PREPOSITIONS for word in words):
            words = words + tail
        done.append(Phrase(singular(" ".join(words)), phrase.unit_text or unit, phrase.length))
    return done


def _is_plural(words: Sequence[str]) -> bool:
    """`magnitudes of the tension and weight`: one of each."""
    head = words[words.index("of") - 1] if "of" in words[1:] else ""
    return head.endswith("s") and not head.endswith("ss")


def _tail(words: Sequence[str]) -> list[str]:
    for place, word in enumerate(words):
        if word == "of" and place:
            return list(words[place:])
    return []


def singular(text: str) -> str:
    """The head noun in the singular: each symbol stands for one of them."""
    words = text.split()
    while len(words) > 1 and words[0].casefold() in COUNT_WORDS:
        del words[0]
    head = next((place - 1 for place, word in enumerate(words) if word in _PREPOSITIONS and place), len(words) - 1)
    if head >= 0 and words and words[head] in _PLURALS:
        words[head] = _PLURALS[words[head]]
    elif head >= 0 and words and words[head].endswith("s") and words[head].islower():
        words[head] = normal_words(words[head])
    return " ".join(words)
