"""How well concepts are found for problems: labelled recall, reciprocal ranks and coverage by thresholds, counted.

A label is a pair of a problem and a concept that it is about. Every threshold is counted over the same problems, so
that two of them differ by what they let through and not by what they are asked about. Searches nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from mathrag.evaluate.charts import Bar, bar_chart
from mathrag.evaluate.metrics import latency, rounded, share_of
from mathrag.evaluate.problem_retrieval import HALVES, is_of_half
from mathrag.types.json_value import Json

DEPTHS = (3, 10, 50)
CHART_FILE = "recall.svg"
THRESHOLDS = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9)


@dataclass(frozen=True, slots=True)
class RetrievalTrial:
    """One problem: what it is labelled with, what was found, best first, and how long that took.

    `scores` are those of a reranker, in the order of `ranked`; empty where there is none. `stored` are the scores that
    came with the labels.
    """

    index: int
    id: str
    level: str
    type: str
    wanted: tuple[str, ...]
    stored: tuple[float, ...] = ()
    ranked: tuple[str, ...] = ()
    scores: tuple[float | None, ...] = ()
    selected: tuple[str, ...] = ()
    milliseconds: float = 0.0


def recall_figures(trials: Sequence[RetrievalTrial]) -> Json:
    """Over pairs: how many wanted concepts stand among the first few; over problems: how high the first one stands."""
    labelled = [one for one in trials if one.wanted]
    pairs = [(one, _rank(one, wanted)) for one in labelled for wanted in one.wanted]
    first = [
        min((_rank(one, wanted) or 0 for wanted in one.wanted if _rank(one, wanted)), default=0) for one in labelled
    ]
    return {
        "problems": len(labelled),
        "pairs": len(pairs),
        **{
            f"at_{depth}": share_of((one.id, rank is not None and rank <= depth) for one, rank in pairs)
            for depth in DEPTHS
        },
        "reciprocal_rank": rounded(sum(1 / rank for rank in first if rank) / len(first)) if first else None,
    }


def _rank(trial: RetrievalTrial, wanted: str) -> int | None:
    return trial.ranked.index(wanted) + 1 if wanted in trial.ranked else None


def coverage_figures(
    best: Sequence[float | None], *, poor: float, high: float, thresholds: Sequence[float] = THRESHOLDS
) -> Json:
    """How many problems have a concept at each threshold, given the best score of each; an unknown score is none."""
    known = [score for score in best if score is not None]
    return {
        "problems": len(best),
        "unknown": len(best) - len(known),
        "thresholds": [{"from": least, "problems": sum(score >= least for score in known)} for least in thresholds],
        "mean": rounded(sum(known) / len(known)) if known else None,
        "high": sum(score >= high for score in known),
        "poor": sum(score < poor for score in known),
    }


def retrieval_figures(trials: Sequence[RetrievalTrial], *, poor: float = 0.2, high: float = 0.5) -> Json:
    """All figures of a run. `poor` and `high` are the thresholds of the reranker that gave `scores`."""
    figures: dict[str, Json] = {"problems": len(trials)}
    if any(one.ranked for one in trials):
        figures["recall"] = {half: recall_figures(_half(trials, half)) for half in HALVES}
        figures["recall_by_level"] = _by(trials, lambda one: one.level, recall_figures)
        figures["recall_by_type"] = _by(trials, lambda one: one.type, recall_figures)
        figures["milliseconds"] = latency([one.milliseconds for one in trials])
    # The scores that came with the labels have thresholds of their own: those of the rule they were published with.
    figures["stored_scores"] = _coverage(trials, lambda one: max(one.stored, default=None), poor=0.2, high=0.5)
    if any(one.scores for one in trials):
        figures["own_scores"] = _coverage(trials, _best_score, poor=poor, high=high)
        figures["selected"] = _selected(trials)
    return figures


def _selected(trials: Sequence[RetrievalTrial]) -> Json:
    """What the rule of selection adds: to how many problems, how much, and how much of it is labelled."""
    labelled = [one for one in trials if one.wanted]
    right = sum(len(set(one.selected) & set(one.wanted)) for one in labelled)
    return {
        "problems": sum(bool(one.selected) for one in trials),
        "concepts": sum(len(one.selected) for one in trials),
        "labelled_found": right,
        "labelled": sum(len(one.wanted) for one in labelled),
    }


def _best_score(trial: RetrievalTrial) -> float | None:
    return max((score for score in trial.scores if score is not None), default=None)


def _coverage(
    trials: Sequence[RetrievalTrial], best: Callable[[RetrievalTrial], float | None], *, poor: float, high: float
) -> Json:
    def counted(some: Sequence[RetrievalTrial]) -> Json:
        return coverage_figures([best(one) for one in some], poor=poor, high=high)

    return {
        **counted(trials),
        "by_half": {half: counted(_half(trials, half)) for half in HALVES if half != "all"},
        "by_level": _by(trials, lambda one: one.level, counted),
        "by_type": _by(trials, lambda one: one.type, counted),
    }


def _half(trials: Sequence[RetrievalTrial], half: str) -> list[RetrievalTrial]:
    return [one for one in trials if half == "all" or is_of_half(one.index, "odd" if half == "odd" else "even")]


def _by(
    trials: Sequence[RetrievalTrial],
    group: Callable[[RetrievalTrial], str],
    counted: Callable[[Sequence[RetrievalTrial]], Json],
) -> Json:
    names = sorted({group(one) for one in trials if group(one)})
    return {name: counted([one for one in trials if group(one) == name]) for name in names}


# ---- the report for people


def retrieval_report(figures: Mapping[str, Json]) -> str:
    """The figures as Markdown."""
    lines = [f"# Retrieval of concepts: {figures['config']}", ""]
    lines += [
        f"- {name}: {figures[name]}"
        for name in ("names", "reranker", "embedder", "concepts", "problems")
        if figures.get(name)
    ]
    for half, decided in figures.get("gate", {}).items():
        lines.append(f"- gate for the {half} problems, by the labels of the others: {_gate_words(decided)}")
    if "recall" in figures:
        lines += ["", "## Recall of labelled concepts", "", *_recall_table(figures["recall"], "half")]
        lines += [
            "",
            *_recall_table(figures["recall_by_level"], "level"),
            "",
            *_recall_table(figures["recall_by_type"], "type"),
        ]
        lines += ["", f"![Recall at 50 by type]({CHART_FILE})"]
        times = figures["milliseconds"]
        if times is not None:
            lines += ["", f"Milliseconds: median {times['median']['value']:.1f}, p95 {times['p95']['value']:.1f}."]
    for name, title in (
        ("stored_scores", "Scores that came with the labels"),
        ("own_scores", "Scores of the reranker"),
    ):
        if name in figures:
            lines += ["", f"## {title}", "", *_coverage_lines(figures[name])]
    if "selected" in figures:
        chosen = figures["selected"]
        added = f"{chosen['concepts']} concepts for {chosen['problems']} problems"
        lines += ["", f"Selected: {added}, with {chosen['labelled_found']} of the {chosen['labelled']} labelled ones."]
    return "\n".join(lines) + "\n"


def _gate_words(decided: Mapping[str, Json]) -> str:
    return f"{decided['choice']} ({decided['reason']})"


def _recall_table(groups: Mapping[str, Json], title: str) -> list[str]:
    heads = (title, "problems", "pairs", *(f"recall at {depth}" for depth in DEPTHS), "reciprocal rank")
    rows = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    for name, found in groups.items():
        if not found["pairs"]:
            continue
        shares = [_share(found[f"at_{depth}"]) for depth in DEPTHS]
        cells = (name, found["problems"], found["pairs"], *shares, f"{found['reciprocal_rank']:.3f}")
        rows.append(f"| {' | '.join(map(str, cells))} |")
    return rows


def _share(share: Mapping[str, Json]) -> str:
    low, high = share["clustered_low"], share["clustered_high"]
    interval = f" ({low:.3f} to {high:.3f})" if low is not None and high is not None else ""
    return f"{share['share']:.3f}{interval}"


def recall_chart(figures: Mapping[str, Json]) -> str:
    """Recall at 50 by type as a picture (SVG)."""
    bars = [
        Bar(name, share["share"], share["low"], share["high"], f"{share['right']} of {share['of']}")
        for name, found in figures["recall_by_type"].items()
        if found["pairs"] and (share := found["at_50"])
    ]
    described = "The share of labelled concepts among the first 50, by type of problem"
    return bar_chart("Recall at 50 by type", described, bars)


def _coverage_lines(coverage: Mapping[str, Json]) -> list[str]:
    steps = [str(one["from"]) for one in coverage["thresholds"]]
    groups = {"all": coverage, **coverage["by_half"], **coverage["by_level"], **coverage["by_type"]}
    heads = ("problems", "of", *(f"from {step}" for step in steps), "mean", "high", "poor", "unknown")
    rows = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    for name, found in groups.items():
        counts = [one["problems"] for one in found["thresholds"]]
        mean = "" if found["mean"] is None else f"{found['mean']:.4f}"
        cells = (name, found["problems"], *counts, mean, found["high"], found["poor"], found["unknown"])
        rows.append(f"| {' | '.join(map(str, cells))} |")
    return rows
