"""The negation of a sentence with "all", "every", "some", "no" or "there is": `negate: all swans are white`.

Only the word that counts is changed, or "not" put behind a form of to be; a sentence that could be read in two ways is
left alone.
"""

from __future__ import annotations

import re

from mathrag.language.word_classes import any_of, word_class
from mathrag.reason.direct.question_text import tidy, without_ending
from mathrag.reason.direct.result import DirectStatement
from mathrag.types.answer import WorkingLine

_LONGEST = 240
_ASKED = re.compile(
    rf"(?:(?:{any_of('logic.task_openings')})\b[ :,]*)*(?:negate|negation|denial|logical negation|opposite)(?: "
    rf"of)?(?: the)?"
    r"(?: (?:following|statement|sentence|proposition|claim))*[ :]+[\"“'‘«]*(?P<it>[^\"”’»]+?)[\"”’»'.]*",
    re.IGNORECASE,
)
_ALL = re.compile(r"(?P<all>all|every|each|any)(?: of)?(?: the)? (?P<rest>.+)", re.IGNORECASE)
_SOME = re.compile(r"(?:some|at least one)(?: of)?(?: the)? (?P<rest>.+)", re.IGNORECASE)
_NO = re.compile(r"no (?P<rest>[a-z].+)", re.IGNORECASE)
_NOT_ALL = re.compile(r"not (?P<all>all|every) (?P<rest>.+)", re.IGNORECASE)
_THERE_IS = re.compile(
    r"(?:there (?:is|are|exists?)) (?P<no>no )?(?:an? |some |at least one )?(?P<rest>[a-z].+)", re.IGNORECASE
)
_COPULA = re.compile(r" (?P<verb>is|are|was|were|can|will)(?P<not> not)? (?P<end>[^,]+)$", re.IGNORECASE)


def answer_worded_negation(text: str) -> DirectStatement | None:
    """The negation of a sentence in words; None for any other question."""
    if len(text) > _LONGEST or re.search("negat|denial|opposite", text, re.IGNORECASE) is None:
        return None
    asked = _ASKED.fullmatch(without_ending(tidy(text)))
    if asked is None:
        return None
    sentence = asked["it"].strip(" .,:")
    words = re.findall("[a-z]+", sentence.lower())
    # Two words that count, or two sentences in one, leave open what "not" belongs to.
    counting, joining = word_class("logic.counting_words"), word_class("logic.joining_words")
    if sum(word in counting for word in words) > 1 or not joining.isdisjoint(words):
        return None
    made = _negated(sentence)
    if made is None:
        return None
    shown = made[:1].upper() + made[1:]
    text = (
        f"The negation of “{sentence}” is: “{shown}.” One of the two is true and the other false, whatever is the case."
    )
    return DirectStatement(text, sentence, (WorkingLine(shown),))


def _negated(sentence: str) -> str | None:
    for pattern, change in ((_NOT_ALL, _of_not_all), (_ALL, _of_all), (_NO, _of_no), (_SOME, _of_some),
                            (_THERE_IS, _of_there_is)):  # fmt: skip
        found = pattern.fullmatch(sentence)
        if found is not None:
            return change(found)
    return None


def _of_not_all(found: re.Match[str]) -> str:
    return f"{found['all'].lower()} {found['rest']}"


def _of_all(found: re.Match[str]) -> str | None:
    rest, every = found["rest"], found["all"].lower()
    copula = _COPULA.search(rest)
    plain = f"not {'every' if every in ('each', 'any') else every} {rest}"
    if copula is None or not rest[: copula.start()].strip():
        return None if " not " in f" {rest} " else f"{plain} (there is at least one exception)"
    things = rest[: copula.start()]
    verb, end = copula["verb"].lower(), copula["end"]
    # "All are not" may deny that all are, or that any is.
    if copula["not"]:
        return None
    return f"some {things} {'cannot' if verb == 'can' else f'{verb} not'} {end} (at least one); in other words, {plain}"


def _of_no(found: re.Match[str]) -> str | None:
    rest = found["rest"]
    return None if " not " in f" {rest} " or rest.startswith("one ") else f"some {rest} (at least one)"


def _of_some(found: re.Match[str]) -> str | None:
    rest = found["rest"]
    copula = _COPULA.search(rest)
    if copula is not None and copula["not"]:
        return f"all {rest[: copula.start()]} {copula['verb'].lower()} {copula['end']}"
    return None if " not " in f" {rest} " else f"no {rest}"


def _of_there_is(found: re.Match[str]) -> str:
    return f"there is {found['rest']} (at least one)" if found["no"] else f"there is no {found['rest']}"
