"""Numbers from nowhere: named only where nothing before them, and nothing that everyone knows, gives them."""

from __future__ import annotations

import pytest

from mathrag.reason.steps.loose_numbers import loose_numbers, numbers_in
from mathrag.types.solution import Claim, ClaimKind, ClaimVerdict, StepVerdict

PROBLEM = "A shop has 37 boxes of 18 pens, three dozen pencils, and gives 20% off."


def _verdicts(steps: list[str], *, kind: ClaimKind = "value") -> list[StepVerdict]:
    """Every step is one claim, and true."""
    return [
        StepVerdict(place, (ClaimVerdict(Claim(text, kind, 0, len(text)), "verified"),))
        for place, text in enumerate(steps)
    ]


def _loose(*steps: str, problem: str = PROBLEM) -> list[str]:
    return [number.text for number in loose_numbers(list(steps), problem, _verdicts(list(steps)))]


def test_an_operand_that_nothing_gives_is_named_with_its_place() -> None:
    steps = ["37 * 18 = 666", "666 - 413 = 253"]
    (found,) = loose_numbers(steps, PROBLEM, _verdicts(steps))
    assert (found.text, found.step) == ("413", 1)
    assert steps[1][found.start : found.end] == "413"


@pytest.mark.parametrize(
    "steps",
    [
        ["37 * 18 = 666"],
        ["666 = 37 * 18"],
        ["37 * 18 = 666", "666 * 2 = 1332", "1332 - 666 = 666"],
        ["37 * 18 = 666", "666 * 0.8 = 532.8"],
        ["666 * 80 / 100 = 532.8"],
        ["37 + 36 = 73"],
        ["37 * 60 = 2220", "2220 * 24 = 53280"],
        ["37 * 3.14 = 116.18", "18 * 9.81 = 176.58"],
        ["37^{413} - 37^{413} = 0", "x_{413} + 18 = 20"],
        ["18 * 1{,}000 = 18000"],
        [r"\frac37 + 1 = 2"],
    ],
)
def test_what_is_given_known_or_computed_is_not_named(steps: list[str]) -> None:
    assert _loose(*steps) == []


def test_it_is_named_once() -> None:
    assert _loose("37 + 413 = 450", "450 + 413 = 863") == ["413"]


@pytest.mark.parametrize("problem", ["", "How many pens are there?"])
def test_without_numbers_to_come_from_nothing_is_named(problem: str) -> None:
    assert _loose("413 + 719 = 1132", problem=problem) == []


def test_words_and_equations_with_symbols_are_left_alone() -> None:
    text = "There are 413 pens"
    assert loose_numbers([text], PROBLEM, [StepVerdict(0)]) == ()
    steps = ["413 x = 719"]
    assert loose_numbers(steps, PROBLEM, _verdicts(steps, kind="consequence")) == ()


def test_too_many_are_none() -> None:
    steps = [f"{4001 + 97 * place} + {90001 + 1013 * place} = 0" for place in range(30)]
    assert _loose(*steps, problem="There are 17 things.") == []


def test_numbers_are_read_as_written() -> None:
    found = [number.value for number in numbers_in(r"1,200 + 3{,}400.5 - .25 + x1 + y^2 + a_{3}")]
    assert found == [1200.0, 3400.5, 0.25]


def test_very_many_numbers_take_no_time() -> None:
    steps = [
        " + ".join(str(10_000 + 7 * (place * 90 + number)) for number in range(90)) + " = 1" for place in range(90)
    ]
    assert _loose(*steps, problem=" ".join(map(str, range(13, 9_000, 3)))) == []
    assert _loose(*steps, problem="There are 17 things.") == []
