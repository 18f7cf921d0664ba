"""How well problems and steps are found: what each trial gave, counted. Searches nothing.

A trial of types asks for the type of a problem by its neighbours, without the problem itself and its near duplicates. A
trial of steps asks for a step of another solution within the problems found, and whether it lands on its own problem.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

Half: TypeAlias = Literal["odd", "even", "all"]
HALVES: tuple[Half, ...] = ("odd", "even", "all")
FIRST, AMONG = 1, 3
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class TypeTrial:
    """The type of one problem and the types that its neighbours give, most likely first; `index` is its place.

    `left_out` counts the problems that were left out because they are the same or nearly; `nearest` is the likeness of
    the most alike of the others, and `nearest_is_same` whether that has the type.
    """

    index: int
    type: str
    ranked: tuple[str, ...]
    left_out: int = 0
    nearest: float = 0.0
    nearest_is_same: bool = False


@dataclass(frozen=True, slots=True)
class StepTrial:
    """Whether a step of another solution lands on its own problem: within the problems found, and among all steps."""

    index: int
    is_found: bool
    is_found_flat: bool


def is_of_half(index: int, half: Half) -> bool:
    """Odd places were used to choose the numbers; even ones tell how good they are."""
    return half == "all" or (index % 2 == 1) == (half == "odd")


def type_figures(trials: Sequence[TypeTrial]) -> Mapping[str, Mapping[str, float | int]]:
    """For each half: how often the type is the first, and among the first three."""
    return {
        half: _shares(
            [one for one in trials if is_of_half(one.index, half)],
            first=lambda one: one.type in one.ranked[:FIRST],
            among_three=lambda one: one.type in one.ranked[:AMONG],
        )
        for half in HALVES
    }


def step_figures(trials: Sequence[StepTrial]) -> Mapping[str, Mapping[str, float | int]]:
    """For each half: how often a step lands on its own problem, within the problems found and among all steps."""
    return {
        half: _shares(
            [one for one in trials if is_of_half(one.index, half)],
            within=lambda one: one.is_found,
            flat=lambda one: one.is_found_flat,
        )
        for half in HALVES
    }


def same_type_by_likeness(trials: Iterable[TypeTrial], edges: Sequence[float]) -> list[dict[str, float | int]]:
    """How often the nearest problem has the type, by how alike it is: what the least likeness is chosen by."""
    listed = list(trials)
    found: list[dict[str, float | int]] = []
    for low, high in zip((0.0, *edges), (*edges, float("inf")), strict=True):
        within = [one for one in listed if low <= one.nearest < high]
        same = sum(one.nearest_is_same for one in within)
        share = round(same / len(within), _DIGITS) if within else 0.0
        found.append({"from": low, "problems": len(within), "same_type": same, "share": share})
    return found


def _shares(trials: Sequence[object], **counted: Callable[..., bool]) -> Mapping[str, float | int]:
    figures: dict[str, float | int] = {"trials": len(trials)}
    for name, is_so in counted.items():
        number = sum(map(is_so, trials))
        figures[name] = number
        figures[f"{name}_share"] = round(number / len(trials), _DIGITS) if trials else 0.0
    return figures
