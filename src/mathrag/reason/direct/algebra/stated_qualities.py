"""Claims that letters have qualities: `if f and g are injective, is g∘f injective?`, `R symmetric ⇒ R^-1 symmetric`.

Reads such a text as a whole into premises and conclusions; knows nothing of what the qualities mean.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from mathrag.language.word_classes import any_of, word_class, word_pairs

_MOST_TOKENS = 60
_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")


@dataclass(slots=True)
class QualityStatement:
    """That each of some terms has all of some qualities; `is_denied`: has them not."""

    terms: list[str] = field(default_factory=list)
    qualities: list[str] = field(default_factory=list)
    is_denied: bool = False


@dataclass(frozen=True, slots=True)
class QualityClaim:
    """What follows from what."""

    premises: tuple[QualityStatement, ...]
    conclusions: tuple[QualityStatement, ...]


@cache
def _tokens_of(name: str) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    ends = r"(?![\w-])"
    return (
        re.compile(rf"(?:{any_of(name)}){ends}", re.IGNORECASE),
        re.compile(rf"(?:{any_of('relations.quality_words')})(?:(?<=\W)|{ends})", re.IGNORECASE),
        re.compile(rf"(?:{any_of('relations.quality_fillers')}){ends}", re.IGNORECASE),
    )


def read_qualities(text: str, name: str, term: re.Pattern[str]) -> QualityClaim | None:
    """The claim that a text is, on terms of a pattern and the qualities of a class of words; None for other texts."""
    tokens = _tokens(text, name, term)
    return None if tokens is None else _claim(tokens)


def _tokens(text: str, name: str, term: re.Pattern[str]) -> list[tuple[str, str]] | None:
    quality, word, filler = _tokens_of(name)
    meaning, roles = word_pairs(name), word_pairs("relations.quality_words")
    found: list[tuple[str, str]] = []
    place = 0
    while place < len(text):
        if text[place] in ' "“”':
            place += 1
            continue
        if len(found) > _MOST_TOKENS:
            return None
        # The longest wins: "so" opens no "some", and f is no beginning of "function".
        matches = [(pattern.match(text, place), kind) for pattern, kind in
                   ((term, "term"), (quality, "quality"), (word, "word"), (filler, "filler"))]  # fmt: skip
        best = max(((match.end(), -order, kind, match.group()) for order, (match, kind) in enumerate(matches) if match),
                   default=None)  # fmt: skip
        if best is None:
            return None
        place = best[0]
        said = best[3].lower()
        if best[2] == "term":
            found.append(("term", best[3]))
        elif best[2] == "quality":
            found.append(("quality", meaning[said]))
        elif best[2] == "word":
            found.append((roles[said], said))
    return found


@dataclass(slots=True)
class _Reading:
    statements: list[tuple[int, QualityStatement]] = field(default_factory=list)
    marks: list[tuple[str, int]] = field(default_factory=list)


def _claim(tokens: Sequence[tuple[str, str]]) -> QualityClaim | None:
    reading = _statements(tokens)
    if reading is None or len(reading.statements) < 2:
        return None
    count = len(reading.statements)
    opened = [place for kind, place in reading.marks if kind == "if"]
    turned = [place for kind, place in reading.marks if kind == "then"]
    made = [one for _, one in reading.statements]
    if opened and opened[0] > 0:
        # "… if …": what follows comes first.
        cut = opened[0]
        return _filled(made[cut:], made[:cut]) if len(opened) == 1 and not [one for one in turned if one > 0] else None
    turned = [place for place in turned if 0 < place < count]
    if len(set(turned)) > 1 or (not opened and not turned):
        return None
    cut = turned[0] if turned else count - 1
    return _filled(made[:cut], made[cut:])


def _statements(tokens: Sequence[tuple[str, str]]) -> _Reading | None:
    """The statements in their order: letters, then their qualities; a letter behind a quality begins another."""
    reading = _Reading()
    now = QualityStatement()
    awaits_quality = False
    for place, (kind, said) in enumerate(tokens):
        match kind:
            case "term" | "it" | "they":
                if awaits_quality:
                    return None
                if now.qualities:
                    reading.statements.append((place, now))
                    now = QualityStatement()
                now.terms.append(said if kind == "term" else kind)
            case "quality":
                if not now.terms:
                    return None
                now.qualities.extend(said.split())
                awaits_quality = False
            case "not":
                if now.qualities and not _follows_letter(tokens, place):
                    return None
                now.is_denied = True
            case "if" | "then":
                if now.terms and not now.qualities:
                    # "f must be injective": no further letter before its quality.
                    if kind == "if":
                        return None
                    awaits_quality = True
                if now.qualities:
                    reading.statements.append((place, now))
                    now = QualityStatement()
                reading.marks.append((kind, len(reading.statements)))
    if not now.qualities:
        return None
    reading.statements.append((len(tokens), now))
    return reading


def _follows_letter(tokens: Sequence[tuple[str, str]], place: int) -> bool:
    return place > 0 and tokens[place - 1][0] in ("term", "it", "they", "is", "then")


def _filled(premises: Sequence[QualityStatement], conclusions: Sequence[QualityStatement]) -> QualityClaim | None:
    """With the letters that "it" and "they" stand for."""
    if not premises or not conclusions:
        return None
    before = list(dict.fromkeys(term for one in premises for term in one.terms))
    if "it" in before or "they" in before or any(one.is_denied for one in conclusions):
        return None
    meant: Mapping[str, list[str]] = {
        "it": before if len(before) == 1 else [],
        "they": before if len(before) > 1 else [],
    }
    made = []
    for one in conclusions:
        terms = [each for term in one.terms for each in meant.get(term, [term])]
        if not terms:
            return None
        made.append(QualityStatement(terms, one.qualities))
    return QualityClaim(tuple(premises), tuple(made))


def has_quality_word(text: str, name: str) -> bool:
    """Whether a word of a class of qualities stands in a text: the cheap test before reading."""
    lowered = text.lower()
    return any(word in lowered for word in (*word_pairs(name), *word_class(name)))
