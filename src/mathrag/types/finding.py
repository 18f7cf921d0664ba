"""What speaks against a plan: a code for programs, a sentence for people, and where it was found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

# What becomes of a question whose plan has such a finding.
Consequence: TypeAlias = Literal["contradiction", "missing", "impossible", "unit", "unsure"]
# `hard`: nature, mathematics or the question itself forbids the plan, and no planner can talk it away. `doubt`: only a
# careful reader who has an answer to it may go on. `open`: the question leaves it open, and whoever reads it may settle
# it.
Weight: TypeAlias = Literal["hard", "doubt", "open"]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that speaks against computing a plan. `values` are places among the values of the question, `symbols`
    those of the formulas, `spans` places in the question's text."""

    code: str
    reason: str
    consequence: Consequence
    weight: Weight
    values: tuple[int, ...] = ()
    symbols: tuple[str, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()
