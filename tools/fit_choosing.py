"""Fit how sure a choice is, and with --weights how the evidence counts, on questions with known answers.

    python tools/fit_choosing.py --sets QUESTION_SETS --work FOLDER --write

does everything on the current tree: reads the libraries that are not in FOLDER/libraries yet, asks every question over
them (FOLDER/samples), examines the fit on groups that were left out, and writes `data/confidence.toml`. Options:

    --library NAME=FOLDER   a library that was ingested already (college, algebra, dev-book, ...); may be repeated
    --documents NAME=PATH   the documents of a library, where they are not in its question set; may be repeated
    --fields FOLDER         a folder with a folder of documents for each name in dev-fields
    --keep                  keep the samples of an earlier run (only the fit is new: seconds)
    --weights               fit the weights of the evidence as well, and write them with --write
    --even                  ask the even half too, and count it; nothing is ever fitted on it
    --report FILE           put the figures and curves into a Markdown page (docs/reports/wild.md)

Question sets and documents that are not there are left out with a word. Only the odd half is fitted on. To let new
evidence count, name it in [features] of `data/confidence.toml`, with the sign it may have, and fit again.
"""

from __future__ import annotations

import argparse
import os
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

# One thread a process: the processes are the parallel part.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import tomllib

import numpy
from choosing_samples import SOURCES, Sample, Source, read_samples, records_of, samples_of, write_samples

from mathrag.evaluate.metrics import area_under_curve, calibration_error, risk_coverage
from mathrag.reason.choosing.confidence import Calibration, ConfidenceModel, calibrated, read_model
from mathrag.reason.choosing.weights import weights
from mathrag.reason.judge import RULES

ROOT = Path(__file__).parent.parent
DATA = ROOT / "src/mathrag/reason/choosing/data"
WEIGHTS, CONFIDENCE = DATA / "weights.toml", DATA / "confidence.toml"
# How strongly weights are held near nothing: chosen on left-out groups.
PENALTY = 0.03
# Answers a step of the calibration rests on, at least.
STEP = 40
# Places of the committed table.
PLACES = 60
Vector = numpy.ndarray


# The questions.


@dataclass(frozen=True)
class Places:
    """Where question sets, documents and libraries are."""

    sets: Path
    work: Path
    fields: Path | None
    libraries: Mapping[str, Path]
    documents: Mapping[str, Path]

    def questions(self, source: Source) -> Path:
        """The folder of the questions of a source."""
        return ROOT / "tests/questions/starter" if source.questions == "starter" else self.sets / source.questions

    def has_questions(self, source: Source) -> bool:
        """Whether they are there, or can be made."""
        if source.words_of:
            return self.has_library(source.words_of)
        return (self.questions(source) / "questions.jsonl").is_file()

    def has_library(self, name: str) -> bool:
        """Whether a library is there, or can be read."""
        from mathrag.library import Library

        return Library.exists(self.library(name)) or self.read_from(name) is not None

    def size(self, source: Source) -> int:
        """How much there is to ask, in bytes of questions; what is made has as much as a small set."""
        return 0 if source.words_of else (self.questions(source) / "questions.jsonl").stat().st_size

    def library(self, name: str) -> Path:
        """The folder of a library."""
        return self.libraries.get(name, self.work / "libraries" / name)

    def read_from(self, name: str) -> Path | None:
        """The documents of a library; None where there are none."""
        own = {
            "starter": ROOT / "src/mathrag/data/starter",
            "college": self.sets / "dev-exercises/documents",
            "algebra": self.sets / "dev-everyday/documents",
            "dev-book": self.sets.parent / "documents/openstax-physics",
        }
        found = self.documents.get(name) or own.get(name)
        if found is None:
            found = self.sets / name / "documents" if name.startswith("dev-") else (self.fields or self.sets) / name
        return found if found.is_file() or (found.is_dir() and any(found.iterdir())) else None


def collect(places: Places, *, keep: bool, with_even: bool, with_plans: bool, processes: int) -> list[Sample]:
    """The samples of all sources that are there, each source asked in a process of its own."""
    from mathrag.library import Library

    chosen = []
    for source in SOURCES:
        if not places.has_questions(source):
            print(f"left out: {source.name} (no questions)")
        elif not places.has_library(source.library):
            print(f"left out: {source.name} (no documents of {source.library})")
        else:
            chosen.append(source)
    folder = places.work / "samples"
    folder.mkdir(parents=True, exist_ok=True)
    wanted = [one for one in chosen if not keep or not (folder / f"{one.name}.jsonl").is_file()]
    for name in dict.fromkeys(name for one in wanted for name in (one.library, one.words_of) if name):
        documents = places.read_from(name)
        if documents is not None and not Library.exists(places.library(name)):
            start = time.monotonic()
            with Library(places.library(name)) as library:
                library.ingest([documents])
            print(f"read {name} in {time.monotonic() - start:.0f} s", flush=True)
    with ProcessPoolExecutor(processes) as pool:
        # The longest first, so that the last process does not stay alone with it.
        ordered = sorted(wanted, key=lambda one: -places.size(one))
        for said in pool.map(_ask, [(one, places, with_even, with_plans) for one in ordered]):
            print(said, flush=True)
    return [sample for one in chosen for sample in read_samples(folder / f"{one.name}.jsonl")]


def _ask(task: tuple[Source, Places, bool, bool]) -> str:
    source, places, with_even, with_plans = task
    start = time.monotonic()
    records = records_of(source, sets=places.questions(source), libraries=places.library)
    found = samples_of(source, records, places.library(source.library), with_even=with_even, with_plans=with_plans)
    write_samples(places.work / "samples" / f"{source.name}.jsonl", found)
    right = sum(one.is_right for one in found)
    return f"asked {source.name}: {len(found)} questions, {right} right, {time.monotonic() - start:.0f} s"


# The confidence: a logistic model whose weights may only have the sign that makes sense.


@dataclass(frozen=True)
class Fitted:
    """Weights of the features within their ranges."""

    names: tuple[str, ...]
    ranges: tuple[tuple[float, float], ...]
    weights: tuple[float, ...]
    intercept: float

    def raw(self, items: Sequence[Sample]) -> Vector:
        """What the model says of each sample."""
        matrix = numpy.clip(_matrix(items, self.names), *numpy.array(self.ranges).T)
        sums = numpy.clip(matrix @ numpy.array(self.weights) + self.intercept, -30, 30)
        return numpy.asarray(1 / (1 + numpy.exp(-sums)))


def _matrix(items: Sequence[Sample], names: Sequence[str]) -> Vector:
    return numpy.array([[(item.features or {}).get(name, 0.0) for name in names] for item in items])


def _counts(items: Sequence[Sample]) -> Vector:
    """How much each sample counts: a large set more than a small one, but not in proportion."""
    sizes = Counter(item.set for item in items)
    found = numpy.array([sizes[item.set] ** -0.5 for item in items])
    return numpy.asarray(found / found.sum())


def fit_confidence(items: Sequence[Sample], signs: Mapping[str, int], *, penalty: float = PENALTY) -> Fitted:
    """The model, by accelerated projected gradient descent."""
    names = tuple(signs)
    matrix, right, share = _matrix(items, names), numpy.array([float(item.is_right) for item in items]), _counts(items)
    low, high = numpy.percentile(matrix, 1, axis=0), numpy.percentile(matrix, 99, axis=0)
    # What is rare is a range of its own.
    low, high = (
        numpy.where(low == high, end(matrix, axis=0), each) for each, end in ((low, numpy.min), (high, numpy.max))
    )
    matrix = numpy.clip(matrix, low, high)
    middle, scale = matrix.mean(axis=0), matrix.std(axis=0)
    scale[scale < 1e-9] = numpy.inf
    scaled = numpy.c_[numpy.ones(len(items)), (matrix - middle) / scale]
    sign = numpy.array([0, *signs.values()])
    step = 1 / (numpy.linalg.norm(scaled * numpy.sqrt(share)[:, None], 2) ** 2 / 4 + penalty)
    held = numpy.r_[0.0, numpy.full(len(names), penalty)]
    current = ahead = numpy.zeros(len(names) + 1)
    speed = 1.0
    for _ in range(1500):
        guess = 1 / (1 + numpy.exp(-numpy.clip(scaled @ ahead, -30, 30)))
        moved = ahead - step * (scaled.T @ (share * (guess - right)) + held * ahead)
        moved = numpy.where(sign * moved < 0, 0.0, moved)
        faster = (1 + (1 + 4 * speed * speed) ** 0.5) / 2
        ahead, current, speed = moved + (speed - 1) / faster * (moved - current), moved, faster
    found = current[1:] / scale
    ranges = tuple(zip(low.tolist(), high.tolist(), strict=True))
    return Fitted(names, ranges, tuple(found.tolist()), float(current[0] - found @ middle))


def left_out(items: Sequence[Sample], fitted: Callable[[Sequence[Sample]], Fitted]) -> Vector:
    """What models say of the samples of the group that they were not fitted on."""
    found = numpy.zeros(len(items))
    for group in sorted({item.group for item in items}):
        inside = [place for place, item in enumerate(items) if item.group == group]
        others = [item for item in items if item.group != group]
        if others and any(item.is_right for item in others):
            found[inside] = fitted(others).raw([items[place] for place in inside])
    return found


def calibration_points(raw: Vector, right: Vector, share: Vector) -> list[tuple[float, float]]:
    """How often what the model says is right: steps that only rise (pool adjacent violators), each of enough samples,
    as points between which one can draw lines. The surest are halfway to certain at the very end, so that they can be
    told apart."""
    order = numpy.argsort(raw, kind="stable")
    blocks: list[list[float]] = []
    for start in range(0, len(order), STEP):
        inside = order[start : start + STEP]
        weight = share[inside].sum()
        blocks.append([float(raw[inside] @ share[inside]), float(right[inside] @ share[inside]), float(weight)])
        while len(blocks) > 1 and blocks[-2][1] / blocks[-2][2] >= blocks[-1][1] / blocks[-1][2]:
            last = blocks.pop()
            blocks[-1] = [one + other for one, other in zip(blocks[-1], last, strict=True)]
    points = [(said / weight, min(max(good / weight, 0.005), 0.995)) for said, good, weight in blocks]
    points = [(0.0, points[0][1] / 2), *points, (1.0, (1 + points[-1][1]) / 2)]
    return [point for place, point in enumerate(points) if not place or point[0] > points[place - 1][0] + 1e-4]


def promise_table(sure: Vector, right: Vector) -> list[tuple[float, int, int]]:
    """How many plans had so much confidence or more, and how many of those were right."""
    order = numpy.argsort(-sure, kind="stable")
    sums = numpy.cumsum(right[order])
    places = sorted({round(len(order) * (place / PLACES) ** 1.5) for place in range(1, PLACES + 1)} - {0})
    rows: dict[float, tuple[float, int, int]] = {}
    for count in places:
        confidence = float(f"{sure[order[count - 1]]:.4f}")
        total = int((sure >= confidence - 5e-5).sum())
        rows[confidence] = (confidence, total, int(sums[total - 1]))
    return sorted(rows.values(), reverse=True)


def fit(items: Sequence[Sample], start: Mapping[str, float], *, penalty: float, steps: int = 400) -> dict[str, float]:
    """Weights of the evidence that make right plans likely, by gradient descent with adaptive steps (Adam)."""
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


def first_right(items: Sequence[Sample], table: Mapping[str, float]) -> dict[str, tuple[int, int]]:
    """Right first plans among the questions with an answer, by set. The plans are those given, only ordered anew."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for item in items:
        best = max(
            item.plans,
            key=lambda plan: sum(table.get(name, 0.0) * value for name, value in plan.evidence.items()),
            default=None,
        )
        counts[item.set][0] += bool(best and best.is_right)
        counts[item.set][1] += item.is_answerable
    return {key: (right, total) for key, (right, total) in counts.items()}


# What it is worth.


@dataclass(frozen=True)
class Figures:
    """A set under one way of being sure: how much is right at which precision, and how honest the confidence is."""

    name: str
    asked: int
    given: int
    right: int
    area: float | None
    error: float | None
    at: Mapping[float, tuple[int, int]]
    kept: tuple[int, int]
    curve: Sequence[tuple[float, float]]


def figures(name: str, items: Sequence[Sample], sure: Mapping[int, float], model: ConfidenceModel) -> Figures:
    """The figures of samples; `sure` is by identity. What is answered without a plan counts as quite sure. Numbers
    would be given where the model promises what it usually does."""
    planned = [(sure[id(item)], item.is_right) for item in items if id(item) in sure]
    direct = [(item.sure, item.is_right) for item in items if item.way == "direct"]
    given = [item.is_right for item in items if id(item) in sure and _is_given(item, sure[id(item)], model)]
    given += [right for _, right in direct]
    pairs = planned + direct
    asked = sum(item.is_answerable for item in items)
    found = risk_coverage(pairs, asked)
    return Figures(
        name,
        asked,
        len(pairs),
        sum(right for _, right in pairs),
        area_under_curve(planned),
        calibration_error(planned),
        {row["precision"]: (row["right"], row["answered"]) for row in found["at_precision"]},
        (sum(given), len(given)),
        [(row["share"] or 0.0, row["precision"]) for row in found["curve"]],
    )


def _is_given(item: Sample, sure: float, model: ConfidenceModel) -> bool:
    return sure >= model.promise(None, item.formulas).least


def shown(rows: Sequence[Figures]) -> str:
    """Figures as a Markdown table."""
    heads = (
        "set",
        "asked",
        "plans",
        "right",
        "AUC",
        "calibration error",
        "right at 90 %",
        "at 95 %",
        "at 97 %",
        "right of given",
    )
    lines = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    for row in rows:
        cells = [f"{row.at[least][0]}" if least in row.at else "" for least in (0.9, 0.95, 0.97)]
        numbers = ["" if value is None else f"{value:.3f}" for value in (row.area, row.error)]
        kept = f"{row.kept[0]} of {row.kept[1]}"
        counts = map(str, (row.asked, row.given, row.right))
        lines.append(f"| {' | '.join((row.name, *counts, *numbers, *cells, kept))} |")
    return "\n".join(lines) + "\n"


def is_planned(item: Sample) -> bool:
    """Whether the confidence decides on the sample."""
    return item.features is not None and not item.refused


def by_set(items: Sequence[Sample], sure: Mapping[int, float], model: ConfidenceModel) -> list[Figures]:
    """The figures of every set; the small ones of one group together."""
    names: dict[str, list[Sample]] = defaultdict(list)
    for item in items:
        names["fields" if item.set.startswith("field-") else item.set].append(item)
    return [figures(name, inside, sure, model) for name, inside in names.items()]


# The files.


def write_weights(file: Path, table: Mapping[str, float]) -> None:
    """Put the weights into the file, keeping its comments."""
    lines = []
    for line in file.read_text(encoding="utf-8").splitlines():
        match = re.match(r"(\w+)( *)= (-?[\d.]+)( *)(#.*)?$", line)
        if match and match[1] in table:
            line = f"{match[1]} = {table[match[1]]:.2f}" + (f"  {match[5]}" if match[5] else "")
        lines.append(line)
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def confidence_text(old: str, model: Fitted, kinds: Mapping[str, Calibration]) -> str:
    """The file of the confidence with new numbers, its comments kept."""
    found = dict(zip(model.names, zip(model.weights, model.ranges, strict=True), strict=True))
    lines, is_skipped, kind = [], False, ""
    for line in old.splitlines():
        kind = line[1 : line.index("]")] if line.startswith("[") and "]" in line else kind
        match = re.match(r"(\w+) = \{ *sign = (-?\d)", line)
        if is_skipped:
            is_skipped = line != "]"
            continue
        if match and match[1] in found:
            weight, (low, high) = found[match[1]]
            comment = line.partition("#")[2].strip()
            numbers = f"sign = {match[2]}, weight = {weight:.4f}, range = [{low:.4g}, {high:.4g}]"
            line = f"{match[1]} = {{ {numbers} }}" + (f"  # {comment}" if comment else "")
        elif line.startswith("intercept = "):
            line = f"intercept = {model.intercept:.4f}"
        elif line.startswith(("points = [", "table = [")) and kind in kinds:
            is_skipped = True
            rows = kinds[kind].points if line.startswith("points") else kinds[kind].table
            line = "\n".join([line, *(f"  {_row(row)}," for row in rows), "]"])
        lines.append(line)
    return "\n".join(lines) + "\n"


def _row(row: Sequence[float]) -> str:
    return f"[{', '.join(str(each) if isinstance(each, int) else f'{each:.4f}' for each in row)}]"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--fields", type=Path)
    parser.add_argument("--library", action="append", default=[], metavar="NAME=FOLDER")
    parser.add_argument("--documents", action="append", default=[], metavar="NAME=PATH")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--penalty", type=float, default=PENALTY)
    for name in ("keep", "weights", "even", "write"):
        parser.add_argument(f"--{name}", action="store_true")
    parser.add_argument("--report", type=Path)
    chosen = parser.parse_args()
    libraries, documents = (
        {name: Path(folder) for name, _, folder in (each.partition("=") for each in given)}
        for given in (chosen.library, chosen.documents)
    )
    places = Places(chosen.sets, chosen.work, chosen.fields, libraries, documents)
    items = collect(
        places, keep=chosen.keep, with_even=chosen.even, with_plans=chosen.weights, processes=chosen.processes
    )
    odd = [item for item in items if item.half == "odd"]
    if chosen.weights:
        fit_weights(odd, write=chosen.write)
    text = fit_and_show(odd, items, penalty=chosen.penalty, write=chosen.write)
    if chosen.report:
        put_between(chosen.report, text)


def fit_weights(odd: Sequence[Sample], *, write: bool) -> None:
    """Fit the weights of the evidence; what other groups make of a group is shown first."""
    table = dict(weights())
    print("\nright first plans: as they are, fitted on the other groups, fitted on all")
    before, all_of_them = first_right(odd, table), fit(odd, table, penalty=0.01)
    after = first_right(odd, all_of_them)
    apart: dict[str, tuple[int, int]] = {}
    for group in sorted({item.group for item in odd}):
        others = fit([item for item in odd if item.group != group], table, penalty=0.01)
        apart |= first_right([item for item in odd if item.group == group], others)
    for name, (right, total) in before.items():
        print(f"  {name:26} {right:4} {apart[name][0]:4} {after[name][0]:4} of {total}")
    if write:
        write_weights(WEIGHTS, all_of_them)


def fit_and_show(odd: Sequence[Sample], items: Sequence[Sample], *, penalty: float, write: bool) -> str:
    """Fit the confidence, say what it is worth, and write it where asked."""
    old = CONFIDENCE.read_text(encoding="utf-8")
    signs = {name: int(each["sign"]) for name, each in tomllib.loads(old)["features"].items()}
    before = read_model(old)
    largest = before.largest_collection
    planned = [item for item in odd if is_planned(item)]
    raw = left_out(planned, lambda group: fit_confidence(group, signs, penalty=penalty))
    model = fit_confidence(planned, signs, penalty=penalty)
    is_small = numpy.array([item.formulas <= largest for item in planned])
    kinds = {
        # A kind of library that nothing was asked over stays as it was.
        name: calibrate(planned, raw, inside) if inside.any() else before.calibration(formulas)
        for name, inside, formulas in (("collection", is_small, largest), ("book", ~is_small, largest + 1))
    }
    new = confidence_text(old, model, kinds)

    def sure(inside: Sequence[Sample], said: Vector) -> dict[int, float]:
        return {
            id(item): calibrated(float(each), kinds["collection" if item.formulas <= largest else "book"].points)
            for item, each in zip(inside, said, strict=True)
        }

    after = read_model(new)
    parts = [
        "Before: the confidence of the tree as it is, on the odd half.\n\n",
        shown(by_set(odd, {id(item): item.sure for item in planned}, before)),
        "\nAfter: fitted on the other groups, counted on each (odd half).\n\n",
        shown(by_set(odd, sure(planned, raw), after)),
    ]
    even = [item for item in items if item.half == "even"]
    if even:
        ready = [item for item in even if is_planned(item)]
        parts += [
            "\nBefore, on the even half.\n\n",
            shown(by_set(even, {id(item): item.sure for item in ready}, before)),
            "\nAfter: fitted on the odd half, counted on the even.\n\n",
            shown(by_set(even, sure(ready, model.raw(ready)), after)),
        ]
    parts += promises(after)
    parts += findings_told(items)
    print("".join(parts))
    for weight, name in sorted(zip(model.weights, model.names, strict=True), key=lambda one: -abs(one[0])):
        print(f"    {name:20} {weight:8.3f}")
    if write:
        CONFIDENCE.write_text(new, encoding="utf-8")
    return "".join(parts)


def calibrate(planned: Sequence[Sample], raw: Vector, inside: Vector) -> Calibration:
    """What left-out groups say of the samples of one kind of library."""
    right = numpy.array([float(item.is_right) for item in planned])
    points = calibration_points(raw[inside], right[inside], _counts(planned)[inside])
    sure = numpy.array([calibrated(float(each), points) for each in raw[inside]])
    return Calibration(tuple(points), tuple(promise_table(sure, right[inside])))


def promises(model: ConfidenceModel) -> list[str]:
    """What is promised from where on, as a Markdown table."""
    rows = ["\n| library | promise | answering from | given | right | sure |\n|---|---|---|---|---|---|\n"]
    for name, formulas in (("collection", 0), ("book", model.largest_collection + 1)):
        for precision in (0.8, 0.9, 0.95, 0.97, 0.99):
            made = model.promise(precision, formulas)
            table = model.calibration(formulas).table
            _, given, right = next((row for row in reversed(table) if row[0] >= made.least), (0.0, 0, 0))
            word = "yes" if made.is_sure else "no"
            rows.append(f"| {name} | {precision} | {made.least:.3f} | {given} | {right} | {word} |\n")
    return rows


def findings_told(items: Sequence[Sample]) -> list[str]:
    """How often each finding spoke against a first plan that has a number, by whether that was right: alone, and beside
    others. What speaks against right plans as often as against wrong ones does not earn its place."""
    rows = ["\n| finding | weight | against right plans | against wrong ones | alone, right | alone, wrong |\n"]
    rows.append("|---|---|---|---|---|---|\n")
    fired: Counter[tuple[str, bool]] = Counter()
    alone: Counter[tuple[str, bool]] = Counter()
    for item in items:
        fired.update((code, item.is_right) for code in item.findings)
        alone.update((code, item.is_right) for code in item.findings if len(item.findings) == 1)
    for rule in RULES:
        counts = (each[rule.code, is_right] for each in (fired, alone) for is_right in (True, False))
        rows.append(f"| {rule.code} | {rule.weight} | {' | '.join(map(str, counts))} |\n")
    return rows


def put_between(file: Path, text: str) -> None:
    """Put the figures between the marks of a page."""
    start, end = "<!-- figures: made by tools/fit_choosing.py -->", "<!-- end of figures -->"
    page = file.read_text(encoding="utf-8")
    head, _, rest = page.partition(start)
    file.write_text(f"{head}{start}\n\n{text}\n{end}{rest.partition(end)[2]}", encoding="utf-8")


if __name__ == "__main__":
    main()
