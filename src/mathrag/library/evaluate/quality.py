"""Measure scores of quality on files of labelled solutions, and tune the final rank. Needs no library on disk."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from mathrag.errors import LibraryError, UsageError
from mathrag.evaluate.charts import tuning_chart
from mathrag.evaluate.quality import (
    PUBLISHED_WEIGHT,
    SCORES,
    Half,
    RankTrial,
    ScoredText,
    against_fit_alone,
    best_weight,
    gate_of_pairs,
    measure_scores,
    read_labelled_texts,
    read_score_pairs,
    score_lines,
    score_text,
    tuning_curve,
)
from mathrag.evaluate.run_files import prediction_line, write_whole
from mathrag.retrieve.final_rank import quality_weight
from mathrag.retrieve.text_shelf import TextShelf
from mathrag.store.embedders import Embedder, load_embedder

Watcher = Callable[[str, int, int], None]
REPORT, LINES, CURVES = "report.json", "scores.jsonl", "tuning.svg"


def score_files(files: Sequence[Path], *, watch: Watcher | None = None) -> list[ScoredText]:
    """All solutions of the files with their scores."""
    labelled = [one for file in files for one in read_labelled_texts(file)]
    if not labelled:
        raise UsageError("the files hold no labelled solution")
    scored = []
    for done, one in enumerate(labelled, 1):
        scored.append(score_text(one))
        if watch is not None:
            watch("scoring", done, len(labelled))
    return scored


def evaluate_quality(
    files: Sequence[Path],
    *,
    pairs: Path | None = None,
    tune: bool = True,
    out: Path | None = None,
    embedder: Embedder | None = None,
    watch: Watcher | None = None,
) -> dict[str, Any]:
    """Figures of every score on every set, the gate over `pairs`, and the tuning of the final rank; with `out`, also
    written there, where nothing of another run is touched."""
    if out is not None:
        check_folder(out)
    report: dict[str, Any] = {}
    texts: list[ScoredText] = []
    if files:
        texts = score_files(files, watch=watch)
        report |= measure_scores(texts)
        if tune:
            report["final_rank"] = tune_rank(texts, embedder or load_embedder())
    if pairs is not None:
        report["gate"] = gate_of_pairs(*read_score_pairs(pairs))
    if not report:
        raise UsageError("name a file of labelled solutions, or pairs of scores with --pairs")
    if out is not None:
        _write(report, texts, out)
    return report


def check_folder(out: Path) -> None:
    """Refuse a folder that holds the results of another run."""
    if any((out / name).exists() for name in (REPORT, LINES, CURVES)):
        raise UsageError(f"{out} holds the results of another run; name another folder with --out")


def _write(report: dict[str, Any], texts: Sequence[ScoredText], out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LibraryError(f"{out} cannot be made: {error.strerror or error}") from error
    write_whole(out / REPORT, json.dumps(report, ensure_ascii=False, indent=1) + "\n")
    write_whole(out / LINES, score_lines(texts, prediction_line))
    if "final_rank" in report:
        write_whole(out / CURVES, _chart(report["final_rank"]))


def tune_rank(texts: Sequence[ScoredText], embedder: Embedder) -> dict[str, Any]:
    """The weight of quality chosen on the odd half, by every score, and what it gives on the even half beside the fit
    alone and the published weight."""
    trials = {half: rank_trials(texts, half, embedder) for half in ("odd", "even")}
    found: dict[str, Any] = {"shipped_weight": quality_weight(), "published_weight": PUBLISHED_WEIGHT, "scores": {}}
    for score in SCORES:
        curves = {half: tuning_curve(trials[half], score) for half in ("odd", "even")}
        chosen = best_weight(curves["odd"])
        held_out = {point["weight"]: point for point in curves["even"]}
        found["scores"][score] = {
            "chosen_weight": chosen,
            "held_out": {
                "fit_alone": held_out[0.0],
                "chosen": held_out[chosen],
                "published": held_out[PUBLISHED_WEIGHT],
                "chosen_against_fit_alone": against_fit_alone(trials["even"], score, chosen),
                "published_against_fit_alone": against_fit_alone(trials["even"], score, PUBLISHED_WEIGHT),
            },
            "curves": curves,
        }
    return found


def rank_trials(texts: Sequence[ScoredText], half: Half, embedder: Embedder) -> list[RankTrial]:
    """Every problem of a half that has a right solution, looked for among all solutions of its set and half."""
    made: list[RankTrial] = []
    for name in dict.fromkeys(one.labelled.set for one in texts):
        pool = [one for one in texts if one.labelled.set == name and one.labelled.half == half]
        made += _trials_of(pool, embedder)
    return made


def _trials_of(pool: Sequence[ScoredText], embedder: Embedder) -> Iterator[RankTrial]:
    if not pool:
        return
    shelf = TextShelf([one.labelled.text for one in pool], embedder)
    for problem in dict.fromkeys(one.labelled.problem for one in pool if one.labelled.is_right):
        found = [(pool[int(hit.id)], hit.score) for hit in shelf.nearest(problem)]
        yield RankTrial(
            problem,
            tuple(score for _, score in found),
            tuple(one.scores for one, _ in found),
            tuple(one.labelled.is_right and one.labelled.problem == problem for one, _ in found),
        )


def _chart(figures: dict[str, Any]) -> str:
    curves = {
        f"{score}, {half} half": [(point["weight"], point["first"] / max(1, point["of"])) for point in curve]
        for score, found in figures["scores"].items()
        for half, curve in found["curves"].items()
    }
    return tuning_chart(
        "The first one shown is a right solution of the problem",
        "Shares over the weight of quality in the final rank, for every score; chosen on the odd half.",
        curves,
    )
