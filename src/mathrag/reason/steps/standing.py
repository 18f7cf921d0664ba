"""How far the answer of an attempt is checked: is it what a calculation gives that was checked, with numbers that the
problem or calculations before it give? Arithmetic that is right is not yet the right arithmetic: nothing here says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from mathrag.compute.answers import read_answer
from mathrag.language.spoken_numbers import digits_as_seen
from mathrag.reason.agent.quoted_values import numbers_said
from mathrag.reason.steps.seams import SameAnswer
from mathrag.types.math_answer import SeveralAnswer
from mathrag.types.solution import Claim, StepVerdict
from mathrag.types.solving import Standing

_NUMERAL = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?|\.\d+")
_EQUALS = re.compile(r"(?<![<>!:=])=(?!=)|\\(?:approx|doteq)(?![A-Za-z])|≈")
_PERCENTAGE = re.compile(r"(\d[\d,]*(?:\.\d+)?)\s?(?:\\?%|per\s?cent\b)", re.IGNORECASE)
_SMALLEST_GROUP = re.compile(r"\{,\}|\\,(?=\d{3})")
# A side without any of these states a value; it does not compute one.
_OPERATIONS = re.compile(r"[+*/^×·÷−√!-]|\\(?:d?frac|tfrac|sqrt|times|cdot|div|binom|pi|sin|cos|tan|log|ln)|[A-Za-z]")
_MOST_PARTS = 6
# Numbers that count, raise and combine rather than say how much there is of something: from nowhere they may stand
# beside numbers of the problem, never alone. A hundred is the whole of percentages.
_STRUCTURAL = frozenset(f"{value:.9e}" for value in (*range(11), 12, 100))
_NEUTRAL = frozenset(f"{value:.9e}" for value in (0, 1))


@dataclass(frozen=True, slots=True)
class AnswerStanding:
    """Whether the answer is checked, why, and the side of the calculation that gives it, as written there."""

    standing: Standing
    reason: str
    value: str = ""


def standing_of(
    answer: str, steps: Sequence[str], verdicts: Sequence[StepVerdict], *, problem: str, same: SameAnswer
) -> AnswerStanding:
    """How far an answer is checked, given the steps before it and what calculation says of them."""
    if not answer:
        return AnswerStanding("none", "no answer was stated")
    false = next((verdict for verdict in verdicts if verdict.outcome == "refuted"), None)
    if false is not None:
        return AnswerStanding("unverified", f"a calculation in step {false.step + 1} is false")
    parts = _parts(answer)
    found = [_part_standing(part, steps, verdicts, problem=problem, same=same) for part in parts]
    unverified = next((one for one in found if one.standing != "checked"), None)
    if unverified is not None or len(found) == 1:
        return unverified or found[0]
    return replace(found[-1], value=f"({', '.join(one.value for one in found)})")


def _parts(answer: str) -> list[str]:
    """The values of a tuple, each of which a calculation must give; else the answer itself."""
    read = read_answer(answer)
    if read is None or not isinstance(read.body, SeveralAnswer) or read.body.arrangement != "tuple":
        return [answer]
    return [item.written for item in read.body.items[:_MOST_PARTS]] if _are_written(read.body) else [answer]


def _are_written(body: SeveralAnswer) -> bool:
    return len(body.items) <= _MOST_PARTS and all(item.written for item in body.items)


def _part_standing(
    answer: str, steps: Sequence[str], verdicts: Sequence[StepVerdict], *, problem: str, same: SameAnswer
) -> AnswerStanding:
    sources = _Sources(problem, steps)
    found: AnswerStanding | None = None
    for step, claim in _checked(verdicts):
        strange = sources.strange(claim, step)
        if strange is None:
            sources.learn(claim)
        if not _is_answer(answer, claim, same):
            continue
        if strange is not None:
            found = AnswerStanding("unverified", strange)
        elif gives := _result(claim):
            found = AnswerStanding("checked", f"the calculation that gives it (step {step + 1}) was checked", gives)
    return found or AnswerStanding("unverified", "no calculation that gives it could be checked")


def _checked(verdicts: Sequence[StepVerdict]) -> Iterator[tuple[int, Claim]]:
    for verdict in verdicts:
        for judged in verdict.claims:
            if judged.outcome == "verified":
                yield verdict.step, judged.claim


def _sides(claim: Claim) -> list[str]:
    return [side.strip(" .,;:$") for side in _EQUALS.split(claim.text)]


def _result(claim: Claim) -> str:
    """What a claim gives at its end; empty where nothing before it computes anything."""
    *before, last = _sides(claim)
    is_computed = any(_OPERATIONS.search(side) and _plain(side) != _plain(last) for side in before)
    return last if is_computed and not _gives_back(before, last) else ""


def _gives_back(before: Sequence[str], last: str) -> bool:
    """Whether nothing but ones and noughts stand beside the number that comes out: 12 + 0 is no calculation."""
    used = [key for side in before for _, key in _pairs(side)]
    given = {key for _, key in _pairs(last)}
    others = {key for key in used if key not in given}
    is_plain_number = _NUMERAL.fullmatch(_plain(last).lstrip("-")) is not None
    return is_plain_number and any(key in given for key in used) and others <= _NEUTRAL


def _plain(text: str) -> str:
    """A text without blanks and dollars, to be compared."""
    return re.sub(r"[\s$]", "", text)


def _is_answer(answer: str, claim: Claim, same: SameAnswer) -> bool:
    sides = _sides(claim)
    return len(sides) > 1 and bool(sides[-1]) and same(answer, sides[-1]) is True


def _numerals(text: str) -> list[str]:
    return _NUMERAL.findall(_SMALLEST_GROUP.sub("", digits_as_seen(text)))


def _key(value: float) -> str:
    """One text for one number, whatever its last digits as a float."""
    return f"{value:.9e}"


def _pairs(text: str) -> list[tuple[str, str]]:
    """The numbers of a text as they are written, each with its key."""
    return [(each, _key(float(each.replace(",", "")))) for each in _numerals(text)]


class _Sources:
    """The numbers that may be computed with: those of the problem, and what checked calculations have given."""

    def __init__(self, problem: str, steps: Sequence[str]) -> None:
        self._steps = [_pairs(step) for step in steps]
        self._problem = _plain(problem)
        self._given: set[str] = set()
        # 15 % is written as 15, as 15/100 and as 0.15; what is left and what it grows to are 0.85 and 1.15.
        parts = [float(each.replace(",", "")) / 100 for each in _PERCENTAGE.findall(problem)]
        said = (*numbers_said(problem), *(each for part in parts for each in (part, 1 - part, 1 + part)))
        self._known = {_key(each) for each in said} | {key for _, key in _pairs(problem)}

    def strange(self, claim: Claim, step: int) -> str | None:
        """Why a claim computes with numbers from nowhere, in words; None where it does not.

        What a consequence follows from stands in the steps before it, so that all their numbers count.
        """
        *computed, given = _sides(claim)
        if claim.kind == "consequence":
            own = {key for _, key in _pairs(given)}
            used = [pair for pairs in self._steps[: step + 1] for pair in pairs if pair[1] not in own]
        else:
            used = [pair for side in computed for pair in _pairs(side)]
        nowhere = next((each for each, key in used if key not in self._known and key not in _STRUCTURAL), None)
        if nowhere is not None:
            return (
                f"the number {nowhere} in the calculation that gives it stands neither in the problem nor in a checked "
                "calculation before it"
            )
        if not any(key in self._known for _, key in used) and not any(self._is_posed(side) for side in computed):
            return "the calculation that gives it uses no number of the problem"
        return None

    def _is_posed(self, side: str) -> bool:
        """Whether the problem itself writes this side, or a checked calculation gave it."""
        plain = _plain(side)
        return len(plain) > 1 and (plain in self._problem or plain in self._given)

    def learn(self, claim: Claim) -> None:
        """What the claim gives may be computed with from now on."""
        given = _sides(claim)[-1]
        self._known |= {key for _, key in _pairs(given)}
        self._given.add(_plain(given))
