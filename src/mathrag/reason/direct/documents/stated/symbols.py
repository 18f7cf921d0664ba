"""Values that a sentence gives to symbols: "were set with r = 8 and α = 32" answers which values of r and α were used.
Every other word of the question must stand in the sentence, or above it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mathrag.language.word_classes import word_class
from mathrag.reason.direct.documents.asked import Asked
from mathrag.reason.direct.documents.facts import Desk
from mathrag.reason.direct.documents.seams import Found, Looked, Source, Unclear, exact_place
from mathrag.reason.direct.documents.stated.sentences import Sentence, laid_passages, sentences_with
from mathrag.reason.direct.documents.words import key_of

_ASKS = re.compile(r"\b(?:values?|settings?|choices?) (?:of|for)\b|\bwhat (?:is|was|are|were)\b", re.IGNORECASE)
_NUMBER = r"[-+−]?\d[\d,]*(?:\.\d+)?(?:\s?[×x]\s?10\s?\^?\s?\{?[-−]?\d+\}?|e[-+]?\d+)?(?:\s?%)?"
_MOST_SYMBOLS = 4


def look_up_symbols(desk: Desk) -> Looked:
    """The values of the symbols that a question names, where one sentence has all of them."""
    places = _symbols(desk.asked)
    if not places:
        return None
    symbols = _written(desk.asked, places)
    idle = word_class("stated.settings") | word_class("stated.empty_verbs") | word_class("documents.generic")
    rest = [place for place in desk.asked.left("documents.published") if place not in places]
    keys = frozenset(desk.asked.words[place].key for place in rest if desk.asked.words[place].lower not in idle)
    found = list(_stated(desk, symbols, keys))
    cores = {core for core, _ in found}
    if not found:
        return None
    if len(cores) > 1:
        listed = "; ".join(sorted(cores))
        return Unclear(f"different values are stated in {desk.name}: {listed}", ("say which of them is meant",))
    core, sentence = found[0]
    place = exact_place(desk.parts, desk.card.id, sentence.quote, sentence.passage.place)
    text = f"{core}: {desk.name} says “{' '.join(sentence.quote.split())}” ({place})."
    return Found(text, core, (Source(place, sentence.quote, "", sentence.passage.headings),))


def _symbols(asked: Asked) -> tuple[int, ...]:
    """The places of the letters behind "values of", with the digits below them."""
    match = _ASKS.search(asked.text)
    if match is None or asked.selectors:
        return ()
    found: list[int] = []
    for place in asked.open_places():
        word = asked.words[place]
        if word.start < match.end() or (word.lower in ("the", "and") or word.lower.startswith("parameter")):
            continue
        is_index = bool(found) and word.text.isdigit() and asked.words[found[-1]].end == word.start
        if not is_index and (len(word.text) != 1 or not word.text.isalpha()):
            break
        found.append(place)
    return tuple(found) if len(found) <= 2 * _MOST_SYMBOLS else ()


def _written(asked: Asked, places: Sequence[int]) -> list[str]:
    symbols: list[str] = []
    for place in places:
        text = asked.words[place].text
        if text.isdigit():
            symbols[-1] += text
        else:
            symbols.append(text)
    return symbols


def _pattern(symbol: str) -> re.Pattern[str]:
    letter, index = symbol[0], symbol[1:]
    below = rf"_?\s?\{{?\s?{index}\s?\}}?" if index else ""
    return re.compile(
        rf"(?<![\w\\])(?:{re.escape(letter)}|\\?{re.escape(key_of(letter))}){below}\s?(?:=|≈)\s?({_NUMBER})"
    )


def _stated(desk: Desk, symbols: list[str], keys: frozenset[str]) -> Iterator[tuple[str, Sentence]]:
    patterns = [_pattern(each) for each in symbols]
    passages = laid_passages(desk.parts, desk.card.id)
    for sentence in sentences_with(passages, [], with_number=True):
        said = [pattern.findall(sentence.text) for pattern in patterns]
        if not all(len(set(each)) == 1 for each in said):
            continue
        if keys <= sentence.keys | sentence.headings | sentence.before:
            yield ", ".join(f"{symbol} = {each[0]}" for symbol, each in zip(symbols, said, strict=True)), sentence
