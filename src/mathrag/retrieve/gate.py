"""The gate: whether a corpus is ranked by the score of the rules, by a model's, or (undecided) by neither.

Where labels are known, what decides is which score tells right from wrong; else whether the two go together, because
then the cheap one stands for the dear one. Low agreement does not show that the model is right: the published gate
picks the model there, and so does this one, saying that nothing tells that it is better. Where the interval does not
decide, nobody is picked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mathrag.retrieve.agreement import chance_ahead, difference, pearson
from mathrag.retrieve.quality import quality_numbers
from mathrag.types.quality import Estimate, GateChoice, GateDecision


@dataclass(frozen=True, slots=True)
class GatedText:
    """A text of the sample with its scores from 0 to 1 (None where the model gave none), whether it is right where that
    is known, and what it belongs to, as the problem of a solution."""

    rules: float
    model: float | None = None
    is_right: bool | None = None
    group: str = ""


def decide(texts: Sequence[GatedText]) -> GateDecision:
    """By labels where there are enough of both sorts, else by agreement."""
    labelled = [one for one in texts if one.is_right is not None]
    fewest = quality_numbers("gate")["fewest_of_a_sort"]
    right = sum(bool(one.is_right) for one in labelled)
    unknown = sum(one.model is None for one in texts)
    if min(right, len(labelled) - right) >= fewest:
        return _by_labels(labelled, len(texts), unknown)
    return _by_agreement(texts, unknown)


def _by_labels(texts: Sequence[GatedText], sample: int, unknown: int) -> GateDecision:
    """The score that is surely better than chance; of two, the one that is surely better than the other, else the
    rules, because they cost nothing and say what they count."""
    asked = [one for one in texts if one.model is not None]
    given = [one.model for one in asked if one.model is not None]
    is_right, groups = [bool(one.is_right) for one in asked], _groups(asked)
    rules = chance_ahead([one.rules for one in texts], [bool(one.is_right) for one in texts], _groups(texts))
    model = chance_ahead(given, is_right, groups)
    gain = difference(given, [one.rules for one in asked], is_right, groups)
    shown = f"on {len(texts)} labelled texts a right one is ahead of a wrong one by the rules in {_shown(rules)}"
    if model is not None:
        shown += f", by the model in {_shown(model)}"
    is_rules_good, is_model_good = _beats_chance(rules), _beats_chance(model)
    choice: GateChoice = "undecided"
    reason = f"{shown}: neither is surely better than chance"
    if is_model_good and (not is_rules_good or (gain is not None and gain.low > 0)):
        choice, reason = "model", f"{shown}: the model is surely better"
    elif is_rules_good:
        choice = "rules"
        reason = shown if model is None else f"{shown}: the model is not surely better"
    return GateDecision(choice, "labels", reason, sample, unknown, rules=rules, model=model)


def _beats_chance(found: Estimate | None) -> bool:
    return found is not None and found.low > 0.5


def _groups(texts: Sequence[GatedText]) -> list[str]:
    """What the texts belong to; nothing where none belongs to anything."""
    return [one.group for one in texts] if any(one.group for one in texts) else []


def _by_agreement(texts: Sequence[GatedText], unknown: int) -> GateDecision:
    numbers = quality_numbers("gate")
    pairs = [(one.rules, one.model) for one in texts if one.model is not None]
    sample = len(texts)
    if len(pairs) < numbers["fewest_pairs"]:
        reason = f"only {len(pairs)} texts have both scores, and {numbers['fewest_pairs']} are needed"
        return GateDecision("undecided", "nothing", reason, sample, unknown)
    found = pearson([rules for rules, _ in pairs], [model for _, model in pairs])
    if found is None:
        reason = f"one of the scores is the same for all of {len(pairs)} texts, so nothing goes together with it"
        return GateDecision("undecided", "nothing", reason, sample, unknown)
    threshold = numbers["threshold"]
    shown = (
        f"over {len(pairs)} texts the scores correlate by {found.value:.4f} "
        f"(95 % interval {found.low:.4f} to {found.high:.4f})"
    )
    if found.low >= threshold:
        reason = f"{shown}, at least {threshold}: the rules stand for the model"
        return GateDecision("rules", "agreement", reason, sample, unknown, found)
    if found.high < threshold:
        reason = f"{shown}, below {threshold}: the rules do not stand for the model; that it is right is not shown"
        return GateDecision("model", "agreement", reason, sample, unknown, found)
    reason = f"{shown}, and {threshold} lies within: more texts would have to be looked at"
    return GateDecision("undecided", "agreement", reason, sample, unknown, found)


def _shown(found: Estimate | None) -> str:
    return "no case" if found is None else f"{found.value:.1%} of pairs ({found.low:.1%} to {found.high:.1%})"
