"""Find the final answer in a written solution: the last box, a line of hashes, or the words that announce it.

What is found is text as it was written; `reading` says what it is.
"""

from __future__ import annotations

import re

from mathrag.compute.answers.writing import closing_brace
from mathrag.language.word_classes import any_of

_LONGEST_TEXT = 200_000
# Where an announcement is looked for, counted from the end: answers stand at the end of solutions.
_END_OF_TEXT = 4_000
_BOX = re.compile(r"\\(?:boxed|fbox)\s*(?=\{|[0-9A-Za-z])")
_HASHES = re.compile(r"^####[ \t]*(\S[^\n]*)$", re.MULTILINE)
_LEAD = re.compile(rf"\b(?:{any_of('answers.answer_leads')})(?:\s*:)?\s*", re.IGNORECASE)
# Words that announce the end of a solution, also where a box was drawn before.
_FINAL_LEAD = re.compile(rf"\b(?:{any_of('answers.final_leads')})(?:\s*:)?\s*", re.IGNORECASE)
_JOINT = re.compile(rf"(?:\b(?:{any_of('answers.between_answers')})\b|,|;)", re.IGNORECASE)
_BEING = re.compile(rf"\s(?:{any_of('answers.being')})\s", re.IGNORECASE)
# An answer holds a digit, a formula, or the letter of a choice.
_SAYS_SOMETHING = re.compile(r"[\d\\$]|(?<![A-Za-z])[A-Za-z](?![A-Za-z])")
_SEVERAL_WORDS = re.compile(r"\s?[A-Za-z]{2,} (?:[A-Za-z]{1,20} ){1,40}")
_MOST_LEADS = 8
_LONGEST_SENTENCE = 2_500
_LONGEST_JOINT = 40
_WORD = re.compile(r"(?<![A-Za-z\\])[A-Za-z]+")
_MOST_WORDS_BETWEEN = 2
# Each box costs a look at the rest of the text.
_MOST_BOXES = 32
# A sentence ends at a full stop before a blank or the end, or at the end of the line.
_SENTENCE_END = re.compile(r"[.!?](?=\s|$|\*|<)|\n")
_FORMULA = re.compile(
    r"\$\$([^$]{1,2000})\$\$|\$([^$\n]{1,2000})\$|\\\(((?:[^\\]|\\(?!\))){1,2000})\\\)|\\\[((?:[^\\]|\\(?!\])){1,2000})\\\]"
)
_NUMBER = re.compile(r"(?<![A-Za-z\d])[$€£]?-?\d[\d,]*(?:\.\d+)?(?:/\d+)?(?:\s?%)?")


def final_answer(text: str, *, guess: bool = False) -> str | None:
    """The final answer as it is written; None where nothing marks one. Of several marks the last one counts.

    With `guess`, the last formula or number of the text is taken where nothing marks an answer.
    """
    text = text[-_LONGEST_TEXT:]
    marked = [found for mark in (_boxed, _hashed, _finally_announced) if (found := mark(text)) is not None]
    if marked:
        return max(marked, key=lambda found: found[0])[1]
    announced = _announced(text, _LEAD)
    if announced:
        return announced[1]
    return _last_resort(text) if guess else None


def _boxed(text: str) -> tuple[int, str] | None:
    """What the last box holds; several boxes that only "and" or a comma parts are one answer, in their order."""
    starts = list(_BOX.finditer(text))[-_MOST_BOXES:]
    closed = [(match.start(), *box) for match in starts if (box := _inside(text, match.end())) is not None]
    if not closed:
        return None
    found = [closed[-1][1]]
    for place in range(len(closed) - 2, -1, -1):
        if closed[place][2] > closed[place + 1][0] or not _joins(text[closed[place][2] : closed[place + 1][0]]):
            break
        found.insert(0, closed[place][1])
    content = ", ".join(found).strip()
    return (closed[-1][2], content) if content else None


def _joins(between: str) -> bool:
    """Whether a text between two boxes makes one answer of them."""
    if len(between) > _LONGEST_JOINT or _SENTENCE_END.search(between):
        return False
    words = _WORD.findall(between)
    return not between.strip() or (_JOINT.search(between) is not None and len(words) <= _MOST_WORDS_BETWEEN)


def _inside(text: str, start: int) -> tuple[str, int] | None:
    """The content of a box and the place behind it; a box without braces holds one sign."""
    if text[start : start + 1] != "{":
        return text[start : start + 1], start + 1
    end = closing_brace(text, start)
    return None if end is None else (text[start + 1 : end], end + 1)


def _hashed(text: str) -> tuple[int, str] | None:
    found = list(_HASHES.finditer(text))
    return (found[-1].start(), found[-1].group(1).strip()) if found else None


def _finally_announced(text: str) -> tuple[int, str] | None:
    return _announced(text, _FINAL_LEAD)


def _announced(text: str, leads: re.Pattern[str]) -> tuple[int, str] | None:
    """What follows the last announcement, up to the end of its sentence; "the answer is correct" announces nothing."""
    offset = max(len(text) - _END_OF_TEXT, 0)
    for lead in list(leads.finditer(text, offset))[: -_MOST_LEADS - 1 : -1]:
        rest = text[lead.end() : lead.end() + _LONGEST_SENTENCE]
        rest = rest.lstrip("* \t\n")
        formula = _FORMULA.match(rest)
        end = _SENTENCE_END.search(rest, formula.end() if formula else 0)
        answer = _stated(rest[: end.start()] if end else rest)
        if _SAYS_SOMETHING.search(answer):
            return lead.end(), answer
    return None


def _stated(sentence: str) -> str:
    """ "The length is 5": what the sentence says of it; or the only number or formula among its words."""
    sentence = sentence.strip().rstrip("*").strip()
    being = list(_BEING.finditer(sentence))
    if being and _NUMBER.search(sentence, being[-1].end()):
        return sentence[being[-1].end() :].strip()
    values = [*_FORMULA.finditer(sentence)] or [*_NUMBER.finditer(sentence)]
    if len(values) == 1 and _SEVERAL_WORDS.match(sentence[: values[0].start()]):
        return values[0].group()
    return sentence


def _last_resort(text: str) -> str | None:
    """The last formula or the last number outside formulas, whichever comes later."""
    text = text[-_END_OF_TEXT:]
    formulas = list(_FORMULA.finditer(text))
    start = formulas[-1].end() if formulas else 0
    numbers = _NUMBER.findall(text, start)
    if numbers:
        return str(numbers[-1]).strip(" ,")
    return next((group.strip() for group in formulas[-1].groups() if group), None) if formulas else None
