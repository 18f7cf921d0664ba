"""Numbers from nowhere: operands of a calculation that neither the problem nor anything before them gives.

A false accusation is worse than silence. So only numbers that are calculated with are looked at, only where the problem
is known and has numbers, and whatever one operation makes of known numbers counts as known.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from mathrag.knowledge.constants import all_constants
from mathrag.language.quantities import find_quantities
from mathrag.types.solution import ClaimVerdict, LooseNumber, StepVerdict

_NUMBER = re.compile(r"\d{1,3}(?:(?:,|\{,\}|\\,)\d{3}){1,8}(?:\.\d{1,30})?(?!\d)|\d{1,30}(?:\.\d{1,30})?|\.\d{1,30}")
RELATION = re.compile(r"=|≈|≃|≡|≤|≥|<|>|\\(?:approx|simeq|equiv|leq?|geq?)\b")
_SEPARATORS = re.compile(r",|\{|\}|\\")
# Digits behind one of these belong to a name, an exponent or an index.
_PART_OF = re.compile(r"(?:[A-Za-z_^\\]|\^\{[-+]?|_\{|\*\*[-+]?\(?)$")
_LONGEST_PROBLEM = 20_000


@dataclass(frozen=True, slots=True)
class WrittenNumber:
    """A number as it stands in a text; `half` is half a unit of its last written place."""

    text: str
    start: int
    end: int
    value: float
    half: float


def numbers_in(text: str, start: int = 0, end: int | None = None) -> Iterator[WrittenNumber]:
    """The numbers of a text or a part of it, but for exponents, indices and digits of names."""
    for found in _NUMBER.finditer(text, start, len(text) if end is None else end):
        if _PART_OF.search(text[max(0, found.start() - 5) : found.start()]):
            continue
        digits = _SEPARATORS.sub("", found.group())
        places = len(digits.partition(".")[2])
        yield WrittenNumber(found.group(), found.start(), found.end(), float(digits), 0.5 * 10.0**-places)


class KnownNumbers:
    """What was given or computed up to some place. `explains` says whether a number may come from there."""

    def __init__(self, problem: str) -> None:
        self._values: dict[float, None] = {}
        self._explained: set[str] = set()
        self._problem: str | None = problem
        self.take(problem)

    @property
    def are_too_many(self) -> bool:
        """Whether so much is known that nothing could come from nowhere; nothing more should be asked then."""
        return len(self._values) > int(_data()["most_known"])

    def take(self, text: str) -> None:
        """Count every number of a text as known from now on."""
        for number in numbers_in(text):
            self._add(number.value)

    def _add(self, value: float) -> None:
        if math.isfinite(value) and not self.are_too_many:
            # The order of the last mention is what counts when only some are combined.
            self._values.pop(value, None)
            self._values[value] = None

    def explains(self, number: WrittenNumber) -> bool:
        """Whether a number is known, known to everyone, or one operation away from known ones."""
        # What is explained once stays so, for nothing is forgotten.
        if self.are_too_many or number.text in self._explained:
            return True
        is_explained = _is_common(number) or self._gives(number)
        if not is_explained and self._problem is not None:
            # Numbers in words; most numbers need no look at them.
            for mention in find_quantities(self._problem[:_LONGEST_PROBLEM]):
                self._add(float(mention.value))
            self._problem = None
            is_explained = self._gives(number)
        if is_explained:
            self._explained.add(number.text)
        return is_explained

    def _gives(self, number: WrittenNumber) -> bool:
        if any(_fits(number, made) for value in self._values for made in _alone(value)):
            return True
        latest = list(self._values)[-_data()["most_combined"] :]
        known = [*latest, *_known()]
        return any(_fits(number, made) for first in latest for second in known for made in _together(first, second))


def loose_numbers(steps: Sequence[str], problem: str, verdicts: Sequence[StepVerdict]) -> tuple[LooseNumber, ...]:
    """The numbers that a calculation of a step begins with and that nothing before it gives, each once."""
    if not any(True for _ in numbers_in(problem)):
        return ()
    known = KnownNumbers(problem)
    found: list[LooseNumber] = []
    by_step = {verdict.step: verdict for verdict in verdicts}
    for place, text in enumerate(steps):
        for verdict in by_step[place].claims if place in by_step else ():
            found += [
                LooseNumber(number.text, place, number.start, number.end)
                for number in _operands(text, verdict)
                if not known.explains(number)
            ]
            known.take(text[verdict.claim.start : verdict.claim.end])
            if len(found) > _data()["most_loose"]:
                return ()
        known.take(text)
    return tuple(_each_once(found))


def _operands(text: str, verdict: ClaimVerdict) -> Iterator[WrittenNumber]:
    """The numbers before the first relation of a claim between numbers: what is computed with, not what comes of it."""
    claim = verdict.claim
    if claim.kind != "value" or verdict.outcome == "unchecked":
        return
    relation = RELATION.search(text, claim.start, claim.end)
    numbers = list(numbers_in(text, claim.start, relation.start() if relation else claim.end))
    # A lone number on the left is what comes of the rest: 96 = 12 * 8.
    if len(numbers) > 1:
        yield from numbers


def _each_once(found: Sequence[LooseNumber]) -> Iterator[LooseNumber]:
    seen: set[str] = set()
    for number in found:
        if number.text not in seen:
            seen.add(number.text)
            yield number


# ---- where a number may come from


def _fits(number: WrittenNumber, value: float) -> bool:
    """Whether a value, rounded as the number is written, is that number."""
    is_whole = number.half == 0.5
    margin = 1e-9 * max(1.0, abs(value)) if is_whole else number.half * (1 + 1e-9)
    return abs(number.value - abs(value)) <= margin


def _is_common(number: WrittenNumber) -> bool:
    value = number.value
    if value <= _data()["largest_small"] and (value.is_integer() or (2 * value).is_integer()):
        return True
    if value > 0 and math.isclose(math.log10(value) % 1, 0, abs_tol=1e-12):
        return True
    if any(_fits(number, known) for known in _known()):
        return True
    return any(_is_constant(number, constant) for constant in _constants())


def _is_constant(number: WrittenNumber, constant: float) -> bool:
    """Whether a number is a constant as written: 343, or 6.02 of 6.022e23. Two figures would fit too many."""
    if number.half == 0.5:
        return number.value >= 100 and number.value == round(constant)
    figures = len(_SEPARATORS.sub("", number.text).replace(".", "").lstrip("0"))
    return (
        figures >= 3
        and f"{number.value:.{figures - 1}e}"[: figures + 1] == f"{constant:.{figures - 1}e}"[: figures + 1]
    )


def _alone(value: float) -> Iterator[float]:
    """What people make of one number in the head: shares of a hundred, complements, neighbours, doubles, squares."""
    yield from (value, value * 100, value / 100, 100 - value, 100 + value, 1 - value, 1 + value, value - 1)
    yield from (1 - value / 100, 1 + value / 100, value * 2, value / 2, value * value, value * 1000, value / 1000)
    if value > 0:
        yield from (1 / value, math.sqrt(value))


def _together(first: float, second: float) -> Iterator[float]:
    yield from (first + second, first - second, first * second)
    if second:
        yield first / second
    if first:
        yield second / first


@cache
def _data() -> dict[str, Any]:
    source = resources.files("mathrag.reason.steps").joinpath("data", "loose_numbers.toml").read_text("utf-8")
    return tomllib.loads(source)


@cache
def _known() -> tuple[float, ...]:
    return tuple(float(text) for text in _data()["known"])


@cache
def _constants() -> tuple[float, ...]:
    return tuple(abs(float(constant.value)) for constant in all_constants() if constant.value)
