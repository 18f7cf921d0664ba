"""Does a score of quality tell right solutions from wrong ones? Reads labelled solutions, measures scores on them, asks
the gate about pairs of scores, and tunes the final rank. Asks no model and writes nothing.

Scores are fitted on the odd half of each set, by the place in the file from 0; what they are worth is told by the even
half, from which the problems of the odd half are left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

from mathrag.answer.quality_cards import decision_object, estimate_object
from mathrag.errors import UsageError
from mathrag.evaluate.metrics import mcnemar
from mathrag.evaluate.questions import parse_object, read_limited
from mathrag.evaluate.steps import read_labelled_solutions
from mathrag.reason.steps.checking import check_solution
from mathrag.retrieve.agreement import chance_ahead, difference, pearson, spearman, together
from mathrag.retrieve.final_rank import final_rank
from mathrag.retrieve.gate import GatedText, decide
from mathrag.retrieve.quality import (
    CHECKED,
    RULES,
    SHORTNESS,
    checked_score,
    features,
    rule_score,
    shortness,
    standing_of,
    text_of,
)
from mathrag.types.json_value import Json
from mathrag.types.quality import Estimate
from mathrag.types.solution import Problem, Solution, SolutionStep

# odd: fitted on; even: held out; shared: stands in the even places, but its problem in the odd ones too.
Half: TypeAlias = Literal["odd", "even", "shared"]
SCORES = (RULES, SHORTNESS, CHECKED)
# The published row of the final rank, and the grid it is looked for on.
PUBLISHED_WEIGHT = 0.9
GRID = tuple(step / 20 for step in range(21))
_TEXTS, _LABELS, _PROBLEM = ("code", "solutions"), ("score", "labels", "correct"), ("question", "problem")
_MOST_SOLUTIONS = 1_000
_PARAGRAPHS = re.compile(r"\n{2,}")
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class LabelledText:
    """A solution as text and in steps, with whether it is right; `half` says what it may be used for."""

    id: str
    set: str
    problem: str
    steps: tuple[str, ...]
    text: str
    is_right: bool
    half: Half


@dataclass(frozen=True, slots=True)
class ScoredText:
    """A labelled solution with its scores by name, and the features of the fitted one."""

    labelled: LabelledText
    scores: Mapping[str, float]
    features: Mapping[str, float] = field(default_factory=dict)


# ---- labelled solutions


def read_labelled_texts(file: Path) -> tuple[LabelledText, ...]:
    """The solutions of a file: several for each problem (best of n), ProcessBench or PRMBench."""
    name = file.stem
    made = _sampled(file, name)
    if made is None:
        made = list(_in_steps(file, name))
    odd = {one.problem for one in made if one.half == "odd"}
    return tuple(_with_half(one, "shared") if one.half == "even" and one.problem in odd else one for one in made)


def _with_half(one: LabelledText, half: Half) -> LabelledText:
    return LabelledText(one.id, one.set, one.problem, one.steps, one.text, one.is_right, half)


def _sampled(file: Path, name: str) -> list[LabelledText] | None:
    """The solutions of a file with several for each problem, one JSON object a line; None where it has another form."""
    lines = [line for line in read_limited(file).decode("utf-8", "replace").splitlines() if line.strip()]
    if not lines or lines[0].lstrip().startswith("["):
        return None
    rows = [parse_object(line, f"{file.name}, line {number}") for number, line in enumerate(lines, 1)]
    if not any(key in rows[0] for key in _TEXTS):
        return None
    made: list[LabelledText] = []
    for place, row in enumerate(rows):
        texts, labels = _listed(row, _TEXTS), _listed(row, _LABELS)
        problem = next((row[key] for key in _PROBLEM if key in row), "")
        are_texts = 0 < len(texts) <= _MOST_SOLUTIONS and all(isinstance(text, str) for text in texts)
        if not are_texts or len(labels) != len(texts):
            raise UsageError(f"{file.name}, line {place + 1}: give a label (score) for each solution (code)")
        for number, (text, label) in enumerate(zip(texts, labels, strict=True)):
            steps = tuple(part for part in _PARAGRAPHS.split(text) if part.strip())
            identifier = f"{name}-{place}-{number}"
            made.append(LabelledText(identifier, name, str(problem), steps, text, label is True, _half(place)))
    return made


def _listed(row: Mapping[str, Any], names: Sequence[str]) -> list[Any]:
    found = next((row[name] for name in names if name in row), None)
    return found if isinstance(found, list) else []


def _in_steps(file: Path, name: str) -> Iterator[LabelledText]:
    for place, one in enumerate(read_labelled_solutions(file)):
        identifier = one.id or f"{name}-{place}"
        yield LabelledText(
            identifier, name, one.problem, one.steps, text_of(one.steps), not one.wrong_steps, _half(place)
        )
        if one.original:
            yield LabelledText(
                f"{identifier}-original",
                name,
                one.original_problem or one.problem,
                one.original,
                text_of(one.original),
                is_right=True,
                half=_half(place),
            )


def _half(place: int) -> Half:
    return "odd" if place % 2 else "even"


# ---- what a score is worth


def score_text(labelled: LabelledText) -> ScoredText:
    """All scores of a solution; calculation checks it once."""
    solution = Solution(tuple(map(SolutionStep, labelled.steps)), Problem(labelled.problem))
    check = check_solution(solution)
    scores = {
        RULES: rule_score(labelled.text).value,
        SHORTNESS: shortness(labelled.text).value,
        CHECKED: checked_score(check).value,
    }
    return ScoredText(labelled, scores, features(check))


def measure_scores(texts: Sequence[ScoredText]) -> Json:
    """For every set and half: how likely a right solution scores higher than a wrong one by each score, and by how much
    more than by shortness; over all sets, what each score is about."""
    sets = list(dict.fromkeys(one.labelled.set for one in texts))
    report: dict[str, Any] = {"sets": {name: _set(_of(texts, name)) for name in sets}}
    held_out = {
        score: [gain for name in sets if (gain := gain_of(_of(texts, name, "even"), score)) is not None]
        for score in SCORES
        if score != SHORTNESS
    }
    report["held_out"] = {
        score: {"gain": estimate_object(together(gains)), "is_about": standing_of(gains)}
        for score, gains in held_out.items()
    }
    return report


def _of(texts: Sequence[ScoredText], name: str, half: Half | None = None) -> list[ScoredText]:
    return [one for one in texts if one.labelled.set == name and half in (None, one.labelled.half)]


def _set(texts: Sequence[ScoredText]) -> Json:
    parts: dict[str, Sequence[ScoredText]] = {"all": texts}
    for half in ("odd", "even"):
        parts[half] = [one for one in texts if one.labelled.half == half]
    return {
        "solutions": len(texts),
        "right": sum(one.labelled.is_right for one in texts),
        "left_out_of_the_even_half": sum(one.labelled.half == "shared" for one in texts),
        **{name: _part(part) for name, part in parts.items()},
    }


def _part(texts: Sequence[ScoredText]) -> Json:
    found: dict[str, Any] = {
        "solutions": len(texts),
        "right": sum(one.labelled.is_right for one in texts),
        "problems": len({one.labelled.problem for one in texts}),
    }
    for score in SCORES:
        found[score] = {"right_ahead": estimate_object(ahead_of(texts, score))}
        if score != SHORTNESS:
            found[score]["gain_over_shortness"] = estimate_object(gain_of(texts, score))
    return found


def ahead_of(texts: Sequence[ScoredText], score: str) -> Estimate | None:
    """How likely a right solution scores higher; problems are what is drawn."""
    return chance_ahead(*_labelled(texts, score))


def gain_of(texts: Sequence[ScoredText], score: str) -> Estimate | None:
    """By how much a score is better than shortness."""
    scores, is_right, groups = _labelled(texts, score)
    return difference(scores, [one.scores[SHORTNESS] for one in texts], is_right, groups)


def _labelled(texts: Sequence[ScoredText], score: str) -> tuple[list[float], list[bool], list[str]]:
    return (
        [one.scores[score] for one in texts],
        [one.labelled.is_right for one in texts],
        [one.labelled.problem for one in texts],
    )


# ---- the gate


def read_score_pairs(file: Path) -> tuple[list[float], list[float]]:
    """Pairs of scores by rules and by a model: an object with the lists rule_scores and llm_scores."""
    row = parse_object(read_limited(file).decode("utf-8", "replace"), file.name)
    rules, model = _scores(row.get("rule_scores"), file), _scores(row.get("llm_scores"), file)
    if len(rules) != len(model):
        raise UsageError(f"{file.name}: rule_scores and llm_scores must have the same length")
    return rules, model


def _scores(listed: object, file: Path) -> list[float]:
    if not isinstance(listed, list) or not all(_is_number(one) for one in listed):
        raise UsageError(f"{file.name}: give rule_scores and llm_scores, each a list of numbers from 0 to 1")
    return [float(one) for one in listed]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def gate_of_pairs(rules: Sequence[float], model: Sequence[float]) -> Json:
    """What the gate says of pairs of scores, with both correlations."""
    decision = decide([GatedText(one, other) for one, other in zip(rules, model, strict=True)])
    return {
        "pairs": len(rules),
        "pearson": estimate_object(pearson(rules, model)),
        "spearman": estimate_object(spearman(rules, model)),
        **decision_object(decision),
    }


# ---- the weights of the final rank


@dataclass(frozen=True, slots=True)
class RankTrial:
    """A problem that was looked for: for each solution found, how well it fits, its scores, and whether it is a right
    solution of this very problem."""

    problem: str
    fits: tuple[float, ...]
    scores: tuple[Mapping[str, float], ...]
    is_wanted: tuple[bool, ...]


def tuning_curve(trials: Sequence[RankTrial], score: str, weights: Sequence[float] = GRID) -> list[Json]:
    """For each weight of quality: how often the first one shown is a right solution of the problem, and the mean of one
    over the place of the first such."""
    curve = []
    for weight in weights:
        places = _places(trials, score, weight)
        curve.append(
            {
                "weight": weight,
                "first": sum(place == 1 for place in places),
                "of": len(trials),
                "reciprocal_rank": round(sum(1 / place for place in places if place) / max(1, len(trials)), _DIGITS),
            }
        )
    return curve


def against_fit_alone(trials: Sequence[RankTrial], score: str, weight: float) -> Json:
    """How many problems a weight gains and loses the first place for, and how likely as much happens by chance."""
    pairs = list(zip(_places(trials, score, weight), _places(trials, score, 0.0), strict=True))
    better = sum(mixed == 1 != alone for mixed, alone in pairs)
    worse = sum(alone == 1 != mixed for mixed, alone in pairs)
    return {"better": better, "worse": worse, "p": round(mcnemar(better, worse), _DIGITS)}


def _places(trials: Sequence[RankTrial], score: str, weight: float) -> list[int]:
    """For each problem the place of the first right solution of it, from 1 on; 0 where none was found."""
    orders = (final_rank(one.fits, [each[score] for each in one.scores], weight=weight) for one in trials)
    return [_first(trial, [each.place for each in order]) for trial, order in zip(trials, orders, strict=True)]


def _first(trial: RankTrial, order: Sequence[int]) -> int:
    return next((number for number, place in enumerate(order, 1) if trial.is_wanted[place]), 0)


def best_weight(curve: Sequence[Json]) -> float:
    """The weight with the best reciprocal rank; of several, the one in the middle, which is the least chance."""
    best = max(point["reciprocal_rank"] for point in curve)
    same = [point["weight"] for point in curve if point["reciprocal_rank"] == best]
    return float(same[len(same) // 2])


def score_lines(texts: Sequence[ScoredText], line: Callable[[str, Mapping[str, Any]], str]) -> str:
    """One line for every solution: its set, half, label and scores; not its text."""
    made = Counter[str]()
    lines = []
    for one in texts:
        made[one.labelled.id] += 1
        suffix = "" if made[one.labelled.id] == 1 else f"-{made[one.labelled.id]}"
        lines.append(
            line(
                f"{one.labelled.id}{suffix}",
                {
                    "set": one.labelled.set,
                    "half": one.labelled.half,
                    "is_right": one.labelled.is_right,
                    "scores": {name: round(value, 6) for name, value in one.scores.items()},
                },
            )
        )
    return "".join(f"{line}\n" for line in lines)
