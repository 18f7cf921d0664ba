"""Fit the quality score `checked` and the weight of the final rank on labelled solutions, and measure both.

    python tools/fit_quality.py FILE... --write

reads files of labelled solutions (several for each problem with labels, ProcessBench, PRMBench), fits on their odd
halves, measures every score on the even halves, prints the figures and, with --write, writes
`retrieve/data/quality_fit.toml`. Files after --apart are measured only: nothing is fitted on them, and both of their
halves count as held out. Whether a score is called correctness or style follows from the figures that are written.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy

from mathrag.evaluate.quality import ScoredText, ahead_of, best_weight, gain_of, tuning_curve
from mathrag.library.evaluate.quality import rank_trials, score_files
from mathrag.retrieve.quality import CHECKED, RULES, SHORTNESS
from mathrag.store.embedders import load_embedder

FILE = Path(__file__).parent.parent / "src/mathrag/retrieve/data/quality_fit.toml"
# How strongly weights are held near nothing; each sort of each set counts as a hundred solutions.
PENALTY, OF_EACH_SORT = 3.0, 100.0
# The sign that a weight may have, and what is said of the feature in the file. One that would turn is left out.
FEATURES = {
    "length": (-1, "logarithm of the characters"),
    "false_calculations": (-1, "calculations that are false"),
    "answer_calculated": (1, "the answer is the last value that is calculated"),
    "no_answer": (-1, "no answer is stated"),
    "second_thoughts": (-1, "logarithm of the words of doubt"),
    "suppositions": (-1, "logarithm of the suppositions"),
    "longest_number": (-1, "digits of the longest number"),
    "unused_numbers": (-1, "share of the problem's numbers that do not occur"),
    "loose_numbers": (-1, "numbers from nowhere"),
}


@dataclass(frozen=True)
class Fitted:
    """Weights by the name of the feature, and its usual amount."""

    weights: Mapping[str, float]
    usual: Mapping[str, float]

    def score(self, features: Mapping[str, float]) -> float:
        total = sum(weight * (features[name] - self.usual[name]) for name, weight in self.weights.items())
        return float(1 / (1 + numpy.exp(-total)))


def fit(texts: Sequence[ScoredText]) -> Fitted:
    """A logistic model with an intercept a set, so that sets of other lengths do not stand for right and wrong."""
    right = numpy.array([one.labelled.is_right for one in texts], dtype=float)
    sets = numpy.array([one.labelled.set for one in texts])
    counts = numpy.zeros(len(texts))
    for name in dict.fromkeys(sets.tolist()):
        for sort in (0.0, 1.0):
            chosen = (sets == name) & (right == sort)
            if chosen.any():
                counts[chosen] = OF_EACH_SORT / chosen.sum()
    usual = {name: float(numpy.average([one.features[name] for one in texts], weights=counts)) for name in FEATURES}
    names = list(FEATURES)
    while True:
        weights = _logistic([[one.features[name] for name in names] for one in texts], right, counts, sets)
        turned = [name for name, weight in zip(names, weights, strict=True) if weight * FEATURES[name][0] <= 0]
        if not turned:
            return Fitted(dict(zip(names, map(float, weights), strict=True)), usual)
        names.remove(turned[0])


def _logistic(
    rows: Sequence[Sequence[float]], right: numpy.ndarray, counts: numpy.ndarray, sets: numpy.ndarray
) -> numpy.ndarray:
    amounts = numpy.asarray(rows, dtype=float)
    spread = amounts.std(axis=0) + 1e-9
    own = numpy.stack([(sets == name).astype(float) for name in dict.fromkeys(sets.tolist())], axis=1)
    design = numpy.hstack([(amounts - amounts.mean(axis=0)) / spread, own])
    held = numpy.r_[numpy.full(amounts.shape[1], PENALTY), numpy.full(own.shape[1], 1e-3)]
    weights = numpy.zeros(design.shape[1])
    for _ in range(100):
        chance = 1 / (1 + numpy.exp(-design @ weights))
        slope = design.T @ (counts * (chance - right)) + held * weights
        curvature = (design * (counts * chance * (1 - chance))[:, None]).T @ design + numpy.diag(held)
        step = numpy.linalg.solve(curvature, slope)
        weights -= step
        if numpy.abs(step).max() < 1e-9:
            break
    return numpy.asarray(weights[: amounts.shape[1]] / spread)


def measured_lines(texts: Sequence[ScoredText], apart: set[str]) -> list[str]:
    """The figures of every score on every set, held out, as tables of the data file; printed too."""
    lines: list[str] = []
    for name in dict.fromkeys(one.labelled.set for one in texts):
        chosen = [one for one in texts if one.labelled.set == name and (name in apart or one.labelled.half == "even")]
        short = ahead_of(chosen, SHORTNESS)
        for score in (RULES, CHECKED):
            ahead, gain = ahead_of(chosen, score), gain_of(chosen, score)
            if ahead is None or gain is None or short is None:
                continue
            figures = {
                "solutions": len(chosen),
                "right": sum(one.labelled.is_right for one in chosen),
                "value": ahead.value,
                "low": ahead.low,
                "high": ahead.high,
                "shortness": short.value,
                "gain": gain.value,
                "gain_low": gain.low,
                "gain_high": gain.high,
            }
            shown = {key: f"{value:.4f}" if isinstance(value, float) else str(value) for key, value in figures.items()}
            print(f"{score:8} {name:30} " + " ".join(f"{key} {value}" for key, value in shown.items()))
            lines += ["", "[[measured]]", f'score = "{score}"', f'set = "{name}"']
            lines += [f"{key} = {value}" for key, value in shown.items()]
    return lines


HEAD = """\
# The quality score `checked` and the weight of quality in the final rank, made by tools/fit_quality.py from solutions
# known to be right or wrong. Fitted on the odd places of each set; [[measured]] has what every score is worth on the
# even places, but for problems that stand in the odd ones too: `value` is the probability that a right solution scores
# higher than a wrong one, `shortness` the same for the shorter solution, `gain` the difference. A score whose gains are
# not surely above nothing over all sets, or below nothing on one, is about style and is called so.
# Sets that nothing was fitted on count with both halves. Of PRMBench, `redundency` is not among them: its labels are of
# needless steps, not of wrong ones, and the shorter solution is the better one there by how it was made.
"""


def main() -> None:
    """Fit, measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--apart", nargs="*", default=[], type=Path)
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args()
    texts = score_files(chosen.files)
    fitted = fit([one for one in texts if one.labelled.half == "odd"])
    apart = score_files(chosen.apart) if chosen.apart else []
    rescored = [replace(one, scores={**one.scores, CHECKED: fitted.score(one.features)}) for one in (*texts, *apart)]
    own = rescored[: len(texts)]
    curve = tuning_curve(rank_trials(own, "odd", load_embedder()), CHECKED)
    for point in curve:
        print(point)
    lines = [HEAD, "[checked]", "intercept = 0.0", "", "[checked.features]"]
    lines += [
        f"{name} = {{ weight = {weight:.4f}, usual = {fitted.usual[name]:.4f} }}  # {FEATURES[name][1]}"
        for name, weight in fitted.weights.items()
    ]
    lines += ["", "[rank]", f"quality_weight = {best_weight(curve)}  # of the final rank; the rest is how well it fits"]
    lines += measured_lines(rescored, {one.labelled.set for one in apart})
    text = "\n".join(lines) + "\n"
    if chosen.write:
        FILE.write_text(text, encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
