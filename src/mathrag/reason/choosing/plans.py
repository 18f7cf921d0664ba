"""A plan: formulas solved one after the other, the results of inner steps standing in slots of outer ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from mathrag.reason.choosing.scoring import Scored


@dataclass(frozen=True, slots=True)
class Plan:
    """One step with the plans that derive some of its slots. `score` and `evidence` are those of the whole."""

    step: Scored
    derived: tuple[tuple[int, Plan], ...] = ()
    score: float = 0.0
    evidence: Mapping[str, float] = field(default_factory=dict, repr=False)

    @property
    def hops(self) -> int:
        """How many steps feed the last one."""
        return sum(1 + inner.hops for _, inner in self.derived)

    @property
    def is_complete(self) -> bool:
        """Whether every symbol of every step has a value."""
        return not self.step.missing and all(inner.is_complete for _, inner in self.derived)

    def steps(self) -> Iterator[Plan]:
        """Every step, inner ones before those that need them."""
        for _, inner in self.derived:
            yield from inner.steps()
        yield self

    def taken(self) -> set[int]:
        """The values used anywhere in the plan."""
        return {value for plan in self.steps() for _, value in plan.step.pairs}


def single(step: Scored) -> Plan:
    """The plan of one step."""
    return Plan(step, (), step.score, step.evidence)
