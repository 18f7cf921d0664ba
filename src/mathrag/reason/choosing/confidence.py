"""How sure a choice is: a small calibrated model over features of the ranking. The margin alone is a poor signal."""

from __future__ import annotations

import math
import tomllib
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from mathrag.reason.choosing.plans import Plan
from mathrag.reason.choosing.question_view import QuestionView
from mathrag.reason.choosing.target_evidence import how_asked
from mathrag.reason.choosing.weights import GROUPS, amounts, data_text, evidence_names, thresholds, weights
from mathrag.types.quantity import Quantity
from mathrag.types.question import Given

# Numbers this near to each other, relatively, are one: formulas round their constants.
_SAME = 1e-3
_SURELY_NAMED = thresholds("target")["surely_named"]
_SAME_SYMBOL = thresholds("symbol")["same"]
_FEATURE = amounts("confidence")


@dataclass(frozen=True, slots=True)
class Promise:
    """From which confidence on a number is given, so that those given are right as often as promised; and whether the
    calibration is large enough for that to be sure."""

    least: float
    is_sure: bool


@dataclass(frozen=True, slots=True)
class Calibration:
    """What the model was worth over one kind of library, on groups of questions that it was not fitted on.

    `points` are pairs of what the model says and how often that was right; `table` are triples of a confidence, how
    many plans had that much or more, and how many of those were right.
    """

    points: tuple[tuple[float, float], ...]
    table: tuple[tuple[float, int, int], ...]


@dataclass(frozen=True, slots=True)
class ConfidenceModel:
    """A logistic model over features that count within their ranges, calibrated apart for collections of formulas, in
    which little competes, and for books. A proposal is shown from `show` on. Where the checks that bind one hand find
    nothing (every value taken up, every qualifier), `checked` keeps the usual promise."""

    weights: Mapping[str, float]
    ranges: Mapping[str, tuple[float, float]]
    collection: Calibration
    book: Calibration
    largest_collection: int
    usual_promise: float
    doubt: float
    show: float
    checked: float

    @property
    def answer(self) -> float:
        """From which confidence on a number is given under the usual promise, whatever the library."""
        return max(self.promise(None, formulas).least for formulas in (0, self.largest_collection + 1))

    def calibration(self, formulas: int) -> Calibration:
        """The calibration for a library of so many formulas."""
        return self.collection if formulas <= self.largest_collection else self.book

    def promise(self, precision: float | None, formulas: int) -> Promise:
        """From which confidence on numbers are right so often in a library of so many formulas; None stands for the
        usual promise."""
        wanted = self.usual_promise if precision is None else precision
        table = self.calibration(formulas).table
        return _promise(table, min(max(wanted, 0.0), _MOST_PROMISED), self.doubt, self.show)

    def least(self, precision: float | None, formulas: int) -> float:
        """From which confidence on numbers are given under a promise."""
        return self.promise(precision, formulas).least

    def least_checked(self, precision: float | None, formulas: int) -> float:
        """The same for numbers of the handbook, beside so many formulas of documents: what was asked over a book is
        held to what holds for books."""
        least = self.least(precision, formulas)
        is_usual = precision in (None, self.usual_promise) and formulas <= self.largest_collection
        return min(least, self.checked) if is_usual else least

    def sure(self, found: Mapping[str, float], formulas: int) -> float:
        """The probability of being right that the features stand for in a library of so many formulas."""
        return calibrated(self.raw(found), self.calibration(formulas).points)

    def raw(self, found: Mapping[str, float]) -> float:
        """What the weights alone say, as a probability."""
        total = self.weights["intercept"]
        for name, weight in self.weights.items():
            if name != "intercept":
                low, high = self.ranges[name]
                total += weight * min(max(found.get(name, 0.0), low), high)
        return 1.0 / (1.0 + math.exp(-max(min(total, 30.0), -30.0)))


def calibrated(raw: float, points: Sequence[tuple[float, float]]) -> float:
    """What a probability was worth: linear between the points, which rise."""
    place = bisect_right(points, (raw, math.inf))
    if place == 0:
        return points[0][1] * (raw / points[0][0] if points[0][0] else 1.0)
    if place == len(points):
        return points[-1][1]
    (low, first), (high, second) = points[place - 1], points[place]
    return first + (second - first) * (raw - low) / (high - low)


@cache
def confidence_model() -> ConfidenceModel:
    """The fitted model."""
    return read_model(data_text("confidence"))


def read_model(text: str) -> ConfidenceModel:
    """A model from the text of a file such as `data/confidence.toml`."""
    data = tomllib.loads(text)
    features = data["features"]
    return ConfidenceModel(
        weights={
            "intercept": float(data["model"]["intercept"]),
            **{name: float(each["weight"]) for name, each in features.items()},
        },
        ranges={name: (float(each["range"][0]), float(each["range"][1])) for name, each in features.items()},
        collection=_calibration(data["collection"]),
        book=_calibration(data["book"]),
        largest_collection=int(data["model"]["largest_collection"]),
        usual_promise=float(data["model"]["promise"]),
        doubt=float(data["model"]["doubt"]),
        show=float(data["model"]["show"]),
        checked=float(data["model"]["checked"]),
    )


def _calibration(data: Mapping[str, Any]) -> Calibration:
    return Calibration(
        points=tuple((float(raw), float(sure)) for raw, sure in data["points"]),
        table=tuple((float(sure), int(given), int(right)) for sure, given, right in data["table"]),
    )


# From which confidence on the numbers given are right as often as promised: learn-then-test. For each confidence of the
# table the hypothesis "fewer are right than promised" is tested with the exact binomial tail. The tests go from the
# surest answers down and end with the first that fails, which keeps the error of all of them at that of one; they begin
# where there are enough answers for a few errors to be forgiven, which is known before anybody looks at the errors.

_MOST_PROMISED = 0.999
_FORGIVEN = 2
# Promises that are tried where the one that is wanted cannot be kept for sure.
_LESSER = (0.98, 0.97, 0.96, 0.95, 0.93, 0.9, 0.85, 0.8, 0.7, 0.6, 0.5)


@lru_cache(maxsize=64)
def _promise(table: tuple[tuple[float, int, int], ...], precision: float, doubt: float, show: float) -> Promise:
    if not precision:
        return Promise(show, is_sure=True)
    found = _tested(table, precision, doubt)
    if found is not None:
        return Promise(max(found, show), is_sure=True)
    # So often they were right there, but on too few answers to be sure of it; never below what a lesser promise needs.
    reached = [sure for sure, given, right in table if given and right / given >= precision]
    careful = min(reached, default=max((sure for sure, _, _ in table), default=1.0))
    lesser = (_tested(table, each, doubt) for each in _LESSER if each < precision)
    return Promise(max(careful, next((each for each in lesser if each is not None), 0.0)), is_sure=False)


def _tested(table: Sequence[tuple[float, int, int]], precision: float, doubt: float) -> float | None:
    """The lowest confidence that the tests reach; None where the first fails."""
    least = None
    for sure, given, right in table:
        if chance_of_so_few_errors(given, _FORGIVEN, precision) > doubt:
            continue
        if chance_of_so_few_errors(given, given - right, precision) > doubt:
            break
        least = sure
    return least


def chance_of_so_few_errors(given: int, errors: int, precision: float) -> float:
    """The probability of at most so many errors among so many numbers, were they right with this precision."""
    if precision >= 1.0 or not given:
        return 1.0
    wrong = math.log1p(-precision)
    total = 0.0
    for count in range(min(errors, given) + 1):
        ways = math.lgamma(given + 1) - math.lgamma(count + 1) - math.lgamma(given - count + 1)
        total += math.exp(ways + count * wrong + (given - count) * math.log(precision))
    return min(total, 1.0)


# What tells right choices from wrong ones. Everything that the evidence of the best plan names is a feature too, by its
# own name; which of all these count stands in [features] of `data/confidence.toml`.


def ranking_features(
    plans: Sequence[Plan],
    values: Sequence[Quantity | None],
    *,
    view: QuestionView | None = None,
    flags: Mapping[str, float] | None = None,
) -> dict[str, float]:
    """The features of the best of some plans. `values` are the numbers of the plans, None where there is none; `flags`
    are what else is known of the best."""
    best, value = plans[0], values[0]
    evidence = best.evidence
    rivals = [plan for plan, other in zip(plans, values, strict=True) if other is not None and _differ(other, value)]
    lacking = [plan for plan in plans if not plan.is_complete]
    return {
        **evidence,
        "score": best.score,
        **{f"{group}_worth": _worth(evidence, group) for group in GROUPS},
        "margin": _gap(best, rivals),
        "gap": _gap(best, lacking),
        "hops": float(best.hops),
        "unused": evidence.get("unused", 0.0) + _FEATURE["unused_number"] * evidence.get("unused_number", 0.0),
        "asked": how_asked(evidence),
        "implausible": evidence.get("range", 0.0) + evidence.get("regime", 0.0) + _implausible(best, value),
        "unlike": evidence.get("target_conflict", 0.0) + evidence.get("separated", 0.0),
        "negative": float(value is not None and value.si_value < 0),
        "doubt": -min(part.step.candidate.prior for part in best.steps()),
        "witness": _witness(best),
        "dimension_broken": _dimension_broken(best, value),
        **_agreement(plans, values),
        **({} if view is None else _accounted(best, value, view)),
        **(flags or {}),
    }


def _worth(evidence: Mapping[str, float], group: str) -> float:
    """What the evidence of one group is worth: what comes to a group counts here without being listed again."""
    names, table = evidence_names(group), weights()
    return sum(table[name] * amount for name, amount in evidence.items() if name in names)


def _witness(best: Plan) -> float:
    """Whether worked examples of the document agree with the formulas of the plan (1) or not (-1)."""
    verdicts = {each.verdict for part in best.steps() for each in part.step.candidate.formula.instances}
    return float("agrees" in verdicts) - float("disagrees" in verdicts)


def _dimension_broken(best: Plan, value: Quantity | None) -> float:
    """Whether the result has another dimension than the slot it stands in: then the formula was misread."""
    dimension = best.step.slot.dimension
    return float(value is not None and dimension is not None and str(value.dimension) != dimension)


def _agreement(plans: Sequence[Plan], values: Sequence[Quantity | None]) -> dict[str, float]:
    """Who else gives the number: the share of the plans near the best that do, other formulas that do, and how many
    plans give another."""
    best, value = plans[0], values[0]
    near = [
        (plan, math.exp(plan.score - best.score), other is None or _differ(other, value))
        for plan, other in zip(plans, values, strict=True)
        if other is not None and best.score - plan.score <= _FEATURE["near"]
    ]
    same = [(plan, weight) for plan, weight, is_other in near if not is_other]
    formulas = {plan.step.candidate.formula.id for plan, _ in same} - {best.step.candidate.formula.id}
    total = sum(weight for _, weight, _ in near)
    return {
        "agreement": sum(weight for _, weight in same) / total if total else 0.0,
        "agreeing": float(len(formulas)),
        "rivals": float(len(near) - len(same)),
    }


def _accounted(best: Plan, value: Quantity | None, view: QuestionView) -> dict[str, float]:
    """How much of the question the plan accounts for, and how much of the plan the question."""
    taken = best.taken()
    stated = [one.index in taken for one in view.values if not one.given.implied]
    parts = [part.step.candidate for part in best.steps()]
    headed = frozenset().union(*(one.heading_stems for one in parts))
    known = headed.union(*(one.own_words for one in parts))
    beside = frozenset().union(*(view.values[index].near for index in taken))
    words, said = view.stems, view.stems | view.told
    return {
        "used_share": sum(stated) / max(len(stated), 1),
        "explained": len(words & known) / max(len(words), 1),
        "free_words": math.log(1 + len(words - beside - known)),
        "label_absent": float(len(best.step.candidate.label_stems - said)),
        "heading_said": len(headed & said) / max(len(headed), 1),
        "unit_asked": float(bool(view.units)),
        "asked_dimension": _asked_dimension(best, value, view),
        "echo": float(any(_is_echo(one.given, value) for one in view.values)),
    }


def _asked_dimension(best: Plan, value: Quantity | None, view: QuestionView) -> float:
    """Whether the result can be what is asked for: 1 where a kind or unit of its dimension is asked, -1 where only
    others are; where it bears the very name that is asked for, a kind of that name says nothing against it."""
    dimensions = {dimension for one in view.asked for dimension in one.dimensions} | view.units
    if value is None or not dimensions:
        return 0.0
    if str(value.dimension) in dimensions:
        return 1.0
    is_named = best.evidence.get("target_words", 0.0) >= _SURELY_NAMED
    is_named = is_named or best.evidence.get("target_symbol", 0.0) >= _SAME_SYMBOL
    return 0.0 if best.step.slot.is_open and is_named and not view.units else -1.0


def _is_echo(given: Given, value: Quantity | None) -> bool:
    """Whether the result is what the question gives: nobody asks for that."""
    return value is not None and any(not _differ(reading, value) for reading in given.readings)


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
