"""How good a worked solution or a passage is to show: a score with its parts, and which score a corpus is ranked by.

Nothing here computes. A score says `correctness` only where it told right from wrong better than shortness did on data
it was not made from; else it is about `style`, and every text that shows it says so.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Standing: TypeAlias = Literal["correctness", "style"]
# Solutions in steps, or passages of documents.
Corpus: TypeAlias = Literal["solutions", "passages"]
CORPORA: tuple[Corpus, ...] = ("solutions", "passages")
GateChoice: TypeAlias = Literal["rules", "model", "undecided"]
# labels: by what is known to be right or wrong; agreement: by how the two scores go together; nothing: too few data.
GateBasis: TypeAlias = Literal["labels", "agreement", "nothing"]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A measured number with its 95 % interval, and how many things it was measured on."""

    value: float
    low: float
    high: float
    count: int = 0

    def __post_init__(self) -> None:
        if not all(map(math.isfinite, (self.value, self.low, self.high))):
            raise ValueError("an estimate is a finite number with a finite interval")


@dataclass(frozen=True, slots=True)
class QualityPart:
    """What one feature of a text adds to its score: how much of it there is, what that counts, and both in words."""

    name: str
    amount: float
    points: float
    said: str


@dataclass(frozen=True, slots=True)
class Quality:
    """A score from 0 to 1 under its name, with the parts it is made of."""

    score: str
    value: float
    standing: Standing
    parts: tuple[QualityPart, ...] = ()

    def __post_init__(self) -> None:
        if not 0.0 <= self.value <= 1.0:
            raise ValueError(f"a quality is between 0 and 1, not {self.value}")


@dataclass(frozen=True, slots=True)
class GateDecision:
    """Which score a corpus is ranked by, why, and what that was measured on.

    `agreement` is the correlation of the two scores; `rules` and `model` are the probabilities that a right text scores
    higher than a wrong one, where labels are known. `unknown` counts the texts that the model gave no score for.
    `scores` names the score by rules and the model; `fingerprint` tells whether the corpus is still the same.
    """

    choice: GateChoice
    basis: GateBasis
    reason: str
    sample: int = 0
    unknown: int = 0
    agreement: Estimate | None = None
    rules: Estimate | None = None
    model: Estimate | None = None
    scores: tuple[str, str] = field(default=("", ""))
    fingerprint: str = ""
    time: str = ""
