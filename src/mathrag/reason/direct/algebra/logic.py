"""Whether two propositions are the same, or one is always true: `is not (p and q) the same as (not p) or (not q)?`"""

from __future__ import annotations

import re

from mathrag.compute.logic import (
    MOST_LETTERS,
    Joined,
    Not,
    Proposition,
    UnreadLogicError,
    cases,
    letters_of,
    read_proposition,
    truth,
)
from mathrag.language.enumeration import listed
from mathrag.language.word_classes import any_of
from mathrag.reason.direct.question_text import tidy, without_ending
from mathrag.reason.direct.result import DirectStatement
from mathrag.types.answer import WorkingLine

_LONGEST = 300
_OPENING = re.compile(rf"(?:(?:{any_of('algebra.whether_true')})\b[ :,]*)+", re.IGNORECASE)
_ENDING = re.compile(rf",? (?:{any_of('algebra.truth')}|{any_of('algebra.tautology')})$", re.IGNORECASE)
_ALIKE = re.compile(
    rf" (?:is |are )?(?:always |logically )?(?:{any_of('algebra.equals')}) | ?(?:≡|==|=(?!>)) ?",
    re.IGNORECASE,
)

_FEW_LETTERS = 3
_WHEN = re.compile(
    r"(?:when|in which cases?|for which (?:truth )?values) (?:is|are) (?P<statement>.+?) true", re.IGNORECASE
)
_ARE_ALIKE = re.compile(
    rf"(?:are|is it true that|show that)?(?: the statements)? ?(?P<both>.+?) (?:are )?"
    rf"(?:logically )?(?:{any_of('algebra.sides_alike')})",
    re.IGNORECASE,
)


def answer_logic(text: str) -> DirectStatement | None:
    """What trying every case says of a statement of logic; None for any other question."""
    if len(text) > _LONGEST:
        return None
    asked = without_ending(tidy(text))
    when = _WHEN.fullmatch(asked)
    if when is not None:
        return _true_cases(when["statement"].strip("'\"“”‘’ "))
    parts = _two_named(asked) or _parts(asked)
    if not 1 <= len(parts) <= 2:
        return None
    try:
        sides = [read_proposition(part) for part in parts]
    except UnreadLogicError:
        return None
    names = letters_of(*sides)
    if not names or len(names) > MOST_LETTERS or not any(isinstance(side, Not | Joined) for side in sides):
        return None
    return _judged(sides, [part.strip() for part in parts], names)


def _true_cases(text: str) -> DirectStatement | None:
    """In which cases a statement is true."""
    try:
        statement = read_proposition(text)
    except UnreadLogicError:
        return None
    names = letters_of(statement)
    if not isinstance(statement, Not | Joined) or not 1 <= len(names) <= _FEW_LETTERS:
        return None
    true = [case for case in cases(names) if truth(statement, case)]
    told = [listed([f"{name} {_word(case[name])}" for name in names]) for case in true]
    if len(true) in (0, 2 ** len(names)):
        return DirectStatement(f"{text} is {'always' if true else 'never'} true: all cases were tried.", text)
    lines = tuple(WorkingLine(f"true with {one}") for one in told)
    shown = "; ".join(f"with {one}" for one in told)
    return DirectStatement(
        f"{text} is true {shown}; in the other {2 ** len(names) - len(true)} cases it is false.", text, lines
    )


def without_opening(asked: str) -> str:
    """A statement without the words in front of it that ask whether it is true."""
    opening = _OPENING.match(asked)
    return asked if opening is None else asked[opening.end() :]


def _parts(asked: str) -> list[str]:
    """What is compared, or the one statement; none where nothing is asked of it."""
    body = _ENDING.sub("", without_opening(asked))
    if body == asked and not _ALIKE.search(asked):
        return []
    return [part for part in _ALIKE.split(body) if part.strip()]


def _two_named(asked: str) -> list[str]:
    """`are A and B equivalent`: parted at the one "and" that leaves a statement on each side."""
    named = _ARE_ALIKE.fullmatch(asked)
    if named is None:
        return []
    found = []
    for cut in re.finditer(r",? and ", named["both"]):
        pair = [named["both"][: cut.start()], named["both"][cut.end() :]]
        if all(map(_is_proposition, pair)):
            found.append(pair)
    return found[0] if len(found) == 1 else []


def _is_proposition(text: str) -> bool:
    try:
        return isinstance(read_proposition(text), Not | Joined)
    except UnreadLogicError:
        return False


def _judged(sides: list[Proposition], parts: list[str], names: tuple[str, ...]) -> DirectStatement:
    whole = " is the same as ".join(parts) if len(parts) == 2 else f"{parts[0]} is always true"
    tried = list(cases(names))
    for case in tried:
        values = [truth(side, case) for side in sides]
        if values[0] != (values[1] if len(values) == 2 else True):
            at = ", ".join(f"{name} {_word(case[name])}" for name in names)
            told = (
                f"the first is {_word(values[0])} and the second {_word(values[1])}"
                if len(values) == 2
                else "it is false"
            )
            line = WorkingLine(f"with {at}: {' / '.join(map(_word, values))}")
            return DirectStatement(f"False: with {at}, {told}.", whole, (line,))
    count = len(tried)
    return DirectStatement(f"True: {whole}. All {count} cases of true and false were tried, which proves it.", whole)


def _word(value: bool) -> str:
    return "true" if value else "false"
