"""Fit the weights of choosing on question sets, and report how they do on formulas they were not fitted on.

    python tools/fit_choosing.py --work FOLDER SET… [--documents SET=FILE] [--rounds 2] [--write]

Each question gives a list of plans, some of them right; the weights maximise the probability of the right ones under a
softmax over the plans, held near where they were by a penalty. Cross-validation: fitted on the formulas with odd
numbers, counted on those with even numbers, and the other way round.
"""

from __future__ import annotations

import argparse
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import numpy
from choosing_samples import Sample, library_of, samples

from mathrag.reason.choosing.confidence import confidence_model, probability
from mathrag.reason.choosing.weights import weights

DATA = Path(__file__).parent.parent / "src/mathrag/reason/choosing/data"
WEIGHTS, CONFIDENCE = DATA / "weights.toml", DATA / "confidence.toml"
Vector = numpy.ndarray


def fit(items: Sequence[Sample], start: Mapping[str, float], *, penalty: float, steps: int = 400) -> dict[str, float]:
    """Weights that make right plans likely, by gradient descent with momentum-free adaptive steps (Adam)."""
    names = sorted(start)
    origin = numpy.array([start[name] for name in names])
    scale = numpy.maximum(numpy.abs(origin), 0.3)
    data = []
    for item in items:
        right = numpy.array([plan.is_right for plan in item.plans])
        if right.any() and not right.all():
            matrix = numpy.array([[plan.evidence.get(name, 0.0) for name in names] for plan in item.plans])
            data.append((matrix, right))
    current = origin.copy()
    mean, square = numpy.zeros_like(current), numpy.zeros_like(current)
    for step in range(1, steps + 1):
        gradient = penalty * len(data) * (current - origin) / scale**2
        for matrix, right in data:
            scores = matrix @ current
            everything = numpy.exp(scores - scores.max())
            chosen = everything * right
            gradient += matrix.T @ (everything / everything.sum() - chosen / max(chosen.sum(), 1e-300))
        gradient /= max(len(data), 1)
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.999 * square + 0.001 * gradient**2
        current -= 0.02 * (mean / (1 - 0.9**step)) / (numpy.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return dict(zip(names, current.tolist(), strict=True))


def accuracy(items: Sequence[Sample], table: Mapping[str, float]) -> dict[tuple[str, str], tuple[int, int]]:
    """Right first plans among all questions, by set and tier. The plans are those given, only ordered anew."""
    counts: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    for item in items:
        if item.tier in ("unanswerable", "chat"):
            continue
        best = max(
            item.plans,
            key=lambda plan: sum(table[name] * value for name, value in plan.evidence.items()),
            default=None,
        )
        counts[item.set, item.tier][0] += bool(best and best.is_right)
        counts[item.set, item.tier][1] += 1
    return {key: (right, total) for key, (right, total) in counts.items()}


def fit_confidence(items: Sequence[Sample], names: Sequence[str], *, penalty: float = 0.003) -> dict[str, float]:
    """A logistic model of whether the number of the best plan is right, by gradient descent on scaled features."""
    judged = [item for item in items if item.features is not None]
    matrix = numpy.array([[1.0, *(item.features[name] for name in names)] for item in judged])
    right = numpy.array([float(item.is_right) for item in judged])
    scale = numpy.maximum(matrix.std(axis=0), 1e-6)
    scale[0] = 1.0
    scaled = matrix / scale
    current = numpy.zeros(matrix.shape[1])
    for _ in range(4000):
        guess = 1 / (1 + numpy.exp(-scaled @ current))
        gradient = scaled.T @ (guess - right) / len(judged) + penalty * current * (numpy.arange(len(current)) > 0)
        current -= 0.3 * gradient
    return dict(zip(("intercept", *names), (current / scale).tolist(), strict=True))


def show_confidence(title: str, items: Sequence[Sample], table: Mapping[str, float]) -> None:
    """How well the model tells right from wrong: rank statistic, and precision and coverage at some thresholds."""
    judged = [(probability(item.features, table), item.is_right) for item in items if item.features is not None]
    right = [sure for sure, is_right in judged if is_right]
    wrong = [sure for sure, is_right in judged if not is_right]
    wins = sum((one > other) + 0.5 * (one == other) for one in right for other in wrong)
    print(f"{title}: {len(right)} right, {len(wrong)} wrong, AUC {wins / max(len(right) * len(wrong), 1):.3f}")
    for limit in (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9):
        kept = sum(sure >= limit for sure in right)
        bad = sum(sure >= limit for sure in wrong)
        precision, share = kept / max(kept + bad, 1), kept / max(len(right), 1)
        print(f"    from {limit}: precision {precision:.3f}, right kept {share:.3f}, wrong let through {bad}")


def collect(
    sets: Sequence[Path], work: Path, documents: Mapping[str, Path], table: Mapping[str, float] | None
) -> list[Sample]:
    """The samples of all sets, each set in a process of its own."""
    with ProcessPoolExecutor() as pool:
        found = pool.map(partial(_samples_of, work=work, documents=documents, table=table), sets)
        return [sample for group in found for sample in group]


def _samples_of(
    folder: Path, *, work: Path, documents: Mapping[str, Path], table: Mapping[str, float] | None
) -> list[Sample]:
    extra = [documents[folder.name]] if folder.name in documents else []
    with library_of(folder, work, extra) as library:
        return list(samples(folder, library, table=table))


def show(title: str, rows: Mapping[tuple[str, str], tuple[int, int]]) -> None:
    print(title)
    for (name, tier), (right, total) in sorted(rows.items()):
        print(f"  {name:15} {tier:13} {right:4}/{total:<4} {100 * right / total:5.1f} %")


def write(file: Path, table: Mapping[str, float]) -> None:
    """Put the numbers into the file, keeping its comments."""
    lines = []
    for line in file.read_text(encoding="utf-8").splitlines():
        match = re.match(r"(\w+)( *)= (-?[\d.]+)( *)(#.*)?$", line)
        if match:
            name, _, _, _, comment = match.groups()
            line = f"{name} = {table[name]:.2f}" + (f"  {comment}" if comment else "")
        lines.append(line)
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--documents", action="append", default=[], metavar="SET=FILE")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--penalty", type=float, default=0.01)
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args()
    documents = {name: Path(file) for name, _, file in (each.partition("=") for each in chosen.documents)}
    table = dict(weights())
    for _ in range(chosen.rounds):
        items = collect(chosen.sets, chosen.work, documents, table)
        odd = [item for item in items if item.half == "odd"]
        even = [item for item in items if item.half == "even"]
        show("as they are", accuracy(items, table))
        show("fitted on odd, counted on even", accuracy(even, fit(odd, table, penalty=chosen.penalty)))
        show("fitted on even, counted on odd", accuracy(odd, fit(even, table, penalty=chosen.penalty)))
        table = fit(items, table, penalty=chosen.penalty)
        show("fitted on all, counted on all", accuracy(items, table))
        for name in sorted(table):
            print(f"    {name:18} {table[name]:6.2f}")
    if chosen.write:
        write(WEIGHTS, table)
    items = collect(chosen.sets, chosen.work, documents, table)
    show("with these weights", accuracy(items, table))
    names = [name for name in confidence_model().weights if name != "intercept"]
    odd = [item for item in items if item.half == "odd"]
    even = [item for item in items if item.half == "even"]
    show_confidence("fitted on odd, counted on even", even, fit_confidence(odd, names))
    show_confidence("fitted on even, counted on odd", odd, fit_confidence(even, names))
    sure = fit_confidence(items, names)
    show_confidence("fitted on all, counted on all", items, sure)
    for name, value in sure.items():
        print(f"    {name:18} {value:6.2f}")
    if chosen.write:
        write(CONFIDENCE, {**sure, "answer": confidence_model().answer, "show": confidence_model().show})


if __name__ == "__main__":
    main()
