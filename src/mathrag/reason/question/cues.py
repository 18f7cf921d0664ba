"""Where a question asks: "how", "what", "which", "where", and verbs such as "find". Finds places, reads no phrase."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from mathrag.reason.question import words as english
from mathrag.reason.question.tokens import Token

_SKIPPED_AFTER_WHAT = english.AUXILIARIES | frozenset({"then", "now", "about", "s", "the", "be"})
_SKIPPED_AFTER_VERB = frozenset(
    "out me for us the a an also then please to know that now myself i find compute calculate".split()
)
# Verbs that hardly ever tell a story in this form.
_PLAIN_VERBS = frozenset({"find", "compute", "calculate", "determine", "evaluate"})
_PLACES = frozenset({"where", "when"})


@dataclass(frozen=True, slots=True)
class Cue:
    """An asking word: tokens `start` to `end`, with what is asked behind them."""

    form: Literal["how", "what", "where", "verb"]
    start: int
    end: int
    text: str


def find_cues(tokens: Sequence[Token]) -> list[Cue]:
    """All cues, the questions proper first, then the verbs that ask; of two of one form the first comes first."""
    questions: list[Cue] = []
    verbs: list[Cue] = []
    for index, token in enumerate(tokens):
        if token.kind != "word":
            continue
        word = token.normal if token.normal in ("what", "how", "where") else token.lower
        if word == "how":
            questions.append(_how(tokens, index))
        elif word in ("what", "which"):
            cue = _what(tokens, index)
            if cue is not None:
                questions.append(cue)
        elif word in _PLACES and _is_asked_place(tokens, index):
            questions.append(Cue("where", index, index, word))
        elif word in english.ASKING_VERBS and _opens(tokens, index):
            end = index + 1
            while end < len(tokens) and tokens[end].lower in _SKIPPED_AFTER_VERB:
                end += 1
            verbs.append(Cue("verb", index, end, word))
    return [*questions, *verbs]


def _how(tokens: Sequence[Token], index: int) -> Cue:
    words = [token.lower for token in tokens[index : index + 3]]
    if len(words) > 1 and words[1] in ("much", "many"):
        return Cue("how", index, index + 2, f"how {words[1]}")
    if len(words) > 1 and words[1] in english.SIZES:
        end = index + 2
        while end < len(tokens) and tokens[end].lower in english.AUXILIARIES:
            end += 1
        return Cue("how", index, end, f"how {words[1]}")
    return Cue("how", index, index + 1, "how")


def _what(tokens: Sequence[Token], index: int) -> Cue | None:
    if tokens[index].lower == "which" and not _is_asking_which(tokens, index):
        return None
    end = index + 1
    while end < len(tokens) and tokens[end].lower in _SKIPPED_AFTER_WHAT:
        end += 1
    first = tokens[index + 1].lower if index + 1 < len(tokens) else ""
    text = f"{tokens[index].normal} {first}" if first in english.AUXILIARIES else tokens[index].normal
    return Cue("what", index, end, text)


def _is_asking_which(tokens: Sequence[Token], index: int) -> bool:
    """`which` asks at the start of a clause or after a preposition of its own; elsewhere it relates."""
    if index == 0 or tokens[index - 1].is_stop:
        return True
    sentence = tokens[index].sentence
    asked = any(token.text == "?" for token in tokens[index:] if token.sentence == sentence)
    before = tokens[index - 1]
    starts = index >= 2 and (tokens[index - 2].is_stop or tokens[index - 2].text == ",")
    if index == 1 or starts:
        return asked or before.lower in english.ASKING_VERBS
    return before.lower in english.ASKING_VERBS


def _is_asked_place(tokens: Sequence[Token], index: int) -> bool:
    following = tokens[index + 1].lower if index + 1 < len(tokens) else ""
    before = tokens[index - 1] if index else None
    opens = before is None or before.is_stop or before.text == "," or before.lower in ("and", "then", "so")
    if before is not None and before.lower in english.ASKING_VERBS | {"out", "me"}:
        return True
    if not opens or following not in english.AUXILIARIES:
        return False
    if tokens[index].lower == "when":
        return following in ("will", "does", "did", "do", "would")
    return True


def _opens(tokens: Sequence[Token], index: int) -> bool:
    if index == 0:
        return True
    before = tokens[index - 1]
    if before.kind == "mark":
        return before.text not in "-/"
    if before.kind != "word" or before.lower in english.BEFORE_ASKING:
        return True
    return tokens[index].lower in _PLAIN_VERBS and before.lower not in english.AUXILIARIES | english.ARTICLES
