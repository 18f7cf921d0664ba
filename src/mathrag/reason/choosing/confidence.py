"""How sure a choice is: a small calibrated model over features of the ranking. The margin alone is a poor signal."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from mathrag.reason.choosing.plans import Plan
from mathrag.reason.choosing.target_evidence import how_asked
from mathrag.reason.choosing.weights import amounts, data_text
from mathrag.types.quantity import Quantity

# Numbers this near to each other, relatively, are one: formulas round their constants.
_SAME = 1e-3
_FEATURE = amounts("confidence")
_PLACING = ("symbol", "phrase", "near", "state")


@dataclass(frozen=True, slots=True)
class ConfidenceModel:
    """Weights of the features, and from which probability on a number is given or a proposal shown."""

    weights: Mapping[str, float]
    answer: float
    show: float


@cache
def confidence_model() -> ConfidenceModel:
    """The fitted model."""
    data = tomllib.loads(data_text("confidence"))
    thresholds = data["thresholds"]
    weights = {name: float(value) for name, value in data["weights"].items()}
    return ConfidenceModel(weights, thresholds["answer"], thresholds["show"])


def ranking_features(plans: Sequence[Plan], values: Sequence[Quantity | None]) -> dict[str, float]:
    """What tells right choices from wrong ones. `values` are the numbers of the plans, None where there is none."""
    best, value = plans[0], values[0]
    evidence = best.evidence
    rivals = [plan for plan, other in zip(plans, values, strict=True) if other is not None and _differ(other, value)]
    lacking = [plan for plan in plans if not plan.is_complete]
    pairs = max(sum(len(part.step.pairs) for part in best.steps()), 1)
    return {
        "score": best.score,
        "margin": _gap(best, rivals),
        "gap": _gap(best, lacking),
        "hops": float(best.hops),
        "unused": evidence.get("unused", 0.0) + _FEATURE["unused_number"] * evidence.get("unused_number", 0.0),
        "asked": how_asked(evidence),
        "other": evidence.get("target_other", 0.0),
        "bound": sum(evidence.get(name, 0.0) for name in _PLACING) / pairs,
        "label": evidence.get("label", 0.0),
        "words": evidence.get("words", 0.0),
        "conflict": evidence.get("conflict", 0.0),
        "absent": evidence.get("target_absent", 0.0),
        "unlike": evidence.get("target_conflict", 0.0) + evidence.get("separated", 0.0),
        "implausible": evidence.get("range", 0.0) + evidence.get("regime", 0.0) + _implausible(best, value),
    }


def probability(found: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """The probability of being right that the features stand for."""
    total = weights["intercept"] + sum(weights[name] * value for name, value in found.items())
    return 1.0 / (1.0 + math.exp(-max(min(total, 30.0), -30.0)))


def _gap(best: Plan, others: Sequence[Plan]) -> float:
    return min((best.score - other.score for other in others), default=_FEATURE["furthest"])


def _differ(one: Quantity, other: Quantity | None) -> bool:
    if other is None or one.dimension != other.dimension:
        return True
    first, second = one.si_value, other.si_value
    return abs(first - second) > _SAME * max(abs(first), abs(second))


def _implausible(plan: Plan, value: Quantity | None) -> float:
    kind = plan.step.slot.kind
    return 1.0 if value is not None and kind is not None and not kind.admits(value.si_value) else 0.0
