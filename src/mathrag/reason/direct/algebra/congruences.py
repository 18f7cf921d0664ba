"""Congruences for one unknown, one or several: the Chinese remainder theorem, also where moduli share divisors."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from mathrag.language.enumeration import listed
from mathrag.language.word_classes import any_of
from mathrag.reason.direct.question_text import tidy, without_ending
from mathrag.reason.direct.result import AlgebraOutcome, DirectStatement
from mathrag.types.answer import WorkingLine

_LONGEST = 300
_MOST, _MOST_LISTED, _LARGEST = 8, 12, 10**9
_OPENING = re.compile(
    rf"\A(?:(?:{any_of('direct.greetings')}|{any_of('solving.seeking')}|{any_of('solving.congruence_words')}"
    r"|[a-z](?= (?:such|with|satisf|if|given|for)))\b[ ,:.]*)+",
    re.IGNORECASE,
)
_ENDING = re.compile(
    rf"[ ,;:.]+(?:(?:{any_of('solving.seeking')}|{any_of('solving.congruence_words')}|for|[a-z])(?![A-Za-z])"
    r"[ ,:.]*)+\Z",
    re.IGNORECASE,
)
_ONE = re.compile(
    r"(?P<factor>-?[0-9]{0,6}) ?\*? ?(?P<letter>[a-z]) ?(?:≡|===?|=|\\equiv|is congruent to|congruent to) ?"
    r"(?P<rest>[-−]?[0-9]{1,9}) ?\(?,? ?\\?[pb]?(?:mod(?:ulo)?) ?\{? ?(?P<modulus>[0-9]{1,9}) ?\}? ?\)?",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(r" ?(?:[,;]|\\\\| and | & )(?: ?and )? ?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Congruence:
    factor: int
    rest: int
    modulus: int
    letter: str

    def shown(self) -> str:
        factor = "" if self.factor == 1 else f"{self.factor} "
        return f"{factor}{self.letter} ≡ {self.rest} (mod {self.modulus})".replace("-", "−")


def answer_congruences(text: str) -> AlgebraOutcome:
    """All numbers that fulfil the congruences; None for any other question."""
    if len(text) > _LONGEST or "mod" not in text.lower():
        return None
    asked = re.sub(
        r"\$|\\[()\[\]](?!\\)|\\quad|\\,|\\begin\{cases\}|\\end\{cases\}|\\left|\\right|\\\{", " ", tidy(text)
    )
    asked = without_ending(" ".join(asked.split()))
    body = _OPENING.sub("", asked)
    if not _ONE.search(body):
        return None
    last = list(_ONE.finditer(body))[-1]
    behind = body[last.end() :]
    if behind.strip() and not _ENDING.fullmatch(behind if behind[:1] in " ,;:." else f" {behind}"):
        return None
    parts = [part.strip() for part in _SEPARATOR.split(body[: last.end()]) if part.strip()]
    found = [_ONE.fullmatch(part) for part in parts]
    if not 1 <= len(found) <= _MOST or None in found:
        return None
    given = [_read(each) for each in found if each is not None]
    # Solved already: a statement about a number, not a question for it.
    is_solved = len(given) == 1 and body == asked and not behind.strip() and given[0].factor == 1
    return None if is_solved or not _are_alike(given) else _told(given)


def _are_alike(given: list[_Congruence]) -> bool:
    """Whether all speak of one unknown, with moduli that can be computed with."""
    return len({each.letter for each in given}) == 1 and all(2 <= each.modulus <= _LARGEST for each in given)


def _read(found: re.Match[str]) -> _Congruence:
    written = found["factor"].replace("−", "-")
    factor = int(written) if written.strip("-") else -1 if written else 1
    return _Congruence(factor, int(found["rest"].replace("−", "-")), int(found["modulus"]), found["letter"])


def _told(given: list[_Congruence]) -> DirectStatement:
    whole = ", ".join(each.shown() for each in given)
    letter = given[0].letter
    rest, modulus = 0, 1
    lines = [WorkingLine(each.shown()) for each in given]
    for each in given:
        single = _single(each)
        joined = None if single is None else _joined((rest, modulus), single)
        if joined is None:
            why = each.shown() if single is None else f"{each.shown()} contradicts the congruences before it"
            text = f"{whole}: there is no solution: {why}{'' if single else ' has none'}."
            return DirectStatement(text, whole, tuple(lines))
        rest, modulus = joined
        lines.append(WorkingLine(f"{letter} ≡ {rest} (mod {modulus})"))
    if len(given) == 1:
        return _told_alone(given[0], rest, modulus, tuple(lines))
    values = [(each.factor * rest, each.modulus) for each in given]
    checked = listed([f"{value} leaves {value % modulo} modulo {modulo}" for value, modulo in values])
    text = (
        f"{whole}: {letter} ≡ {rest} (mod {modulus}); the smallest solution from 0 on is {rest}, and all solutions are "
        f"{rest} + {modulus} k for whole numbers k (Chinese remainder theorem; checked: {checked})."
    )
    return DirectStatement(text, whole, tuple(lines))


def _told_alone(given: _Congruence, rest: int, modulus: int, lines: tuple[WorkingLine, ...]) -> DirectStatement:
    """All solutions of one congruence, also as remainders of the modulus that was given."""
    letter, common = given.letter, math.gcd(given.factor, given.modulus)
    how = f"gcd({abs(given.factor)}, {given.modulus}) = {common} divides {given.rest}, so there are {common} solutions"
    how = how.replace("-", "−") if common > 1 else f"{abs(given.factor)} has an inverse modulo {given.modulus}"
    text = f"{given.shown()}: {letter} ≡ {rest} (mod {modulus})"
    if 1 < common <= _MOST_LISTED:
        each = listed([str(rest + n * modulus) for n in range(common)])
        text += f", that is {letter} ≡ {each} (mod {given.modulus})"
    value = given.factor * rest
    checked = f"checked: {value} leaves {value % given.modulus} modulo {given.modulus}".replace("-", "−")
    return DirectStatement(f"{text} ({how}; {checked}).", given.shown(), lines)


def _single(each: _Congruence) -> tuple[int, int] | None:
    """The remainder of the unknown, and modulo what."""
    common = math.gcd(each.factor, each.modulus)
    if each.rest % common:
        return None
    modulus = each.modulus // common
    return (each.rest // common * pow(each.factor // common, -1, modulus) % modulus, modulus) if modulus > 1 else (0, 1)


def _joined(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int] | None:
    common = math.gcd(one[1], other[1])
    if (other[0] - one[0]) % common:
        return None
    modulus = one[1] // common * other[1]
    reduced = other[1] // common
    steps = (other[0] - one[0]) // common * pow(one[1] // common, -1, reduced) % reduced if reduced > 1 else 0
    return (one[0] + one[1] * steps) % modulus, modulus
