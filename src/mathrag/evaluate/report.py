"""The report of a run for people: Markdown with tables and charts, made from the figures of `metrics`, none its own but
what language models took: calls, tokens, money."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from mathrag.evaluate.charts import Bar, Point, bar_chart, histogram, reliability_chart, risk_coverage_chart
from mathrag.types.json_value import Json

# What language models took in a run: calls, tokens, money, context, and on how many questions. Sums and words only.

_COUNTS = ("calls", "cached", "failed", "prompt_tokens", "completion_tokens")
_CONTEXT = ("replies", "context_tokens", "largest_prompt")


def no_spending() -> Json:
    """Nothing spent yet."""
    return {**dict.fromkeys((*_COUNTS, *_CONTEXT), 0), "cost": 0.0}


def add_spending(first: Json, second: Json | None) -> Json:
    """Two sums as one. `second` is the spending of one question as it came from its process, or None."""
    more = _total(second)
    made = {name: first[name] + more[name] for name in (*_COUNTS, *_CONTEXT) if name != "largest_prompt"}
    made["largest_prompt"] = max(first["largest_prompt"], more["largest_prompt"])
    is_unknown = first["cost"] is None or more["cost"] is None
    made["cost"] = None if is_unknown else first["cost"] + more["cost"]
    return made


def _total(spending: Json | None) -> Json:
    """The total of a spending that may come from anywhere: what is no number counts as none."""
    given = spending.get("total") if isinstance(spending, Mapping) else None
    given = given if isinstance(given, Mapping) else {}
    made = {name: value if isinstance(value := given.get(name), int) else 0 for name in (*_COUNTS, *_CONTEXT)}
    cost = given.get("cost", 0.0)
    return {**made, "cost": float(cost) if isinstance(cost, int | float) else None}


def model_figures(predictions: Sequence[Json], spent: Json, *, model: str, stopped: int) -> Json:
    """The figures of a run.

    `spent` is all that was spent over the sessions of the run, questions that were given up included; `stopped` are
    the questions that the budget left unasked.
    """
    each = [_total(one.get("spending")) for one in predictions]
    asked = [one for one in each if one["replies"] or one["failed"]]
    sums = no_spending()
    for one in predictions:
        sums = add_spending(sums, one.get("spending"))
    planners = Counter(
        str(usage.get("planner") or "unknown") for one in predictions if isinstance(usage := one.get("usage"), Mapping)
    )
    return {
        "model": model,
        "questions": len(each),
        "questions_with_model": len(asked),
        "share_with_model": len(asked) / len(each) if each else None,
        "stopped_by_budget": stopped,
        "spent": {**{name: spent[name] for name in _COUNTS}, "cost": spent["cost"]},
        "replies": sums["replies"],
        "replies_a_question": sums["replies"] / len(asked) if asked else None,
        "context_mean": sums["context_tokens"] / sums["replies"] if sums["replies"] else None,
        "context_largest": sums["largest_prompt"],
        "planned_by": dict(sorted(planners.items())),
    }


def model_text(figures: Json | None, *, planner: str) -> str:
    """The figures as Markdown; empty where no model took part."""
    if figures is None:
        return ""
    spent = figures["spent"]
    cost = "unknown (no prices are set)" if spent["cost"] is None else f"{spent['cost']:.6f}"
    share = "" if figures["share_with_model"] is None else f" ({100 * figures['share_with_model']:.1f} %)"
    rows = [
        ("model", figures["model"].replace("|", " ").replace("`", "'")),
        ("planner", planner),
        ("questions for which it was asked", f"{figures['questions_with_model']} of {figures['questions']}{share}"),
        ("calls", f"{spent['calls']} ({spent['failed']} failed)"),
        ("replies from the cache", str(spent["cached"])),
        ("tokens sent", str(spent["prompt_tokens"])),
        ("tokens written", str(spent["completion_tokens"])),
        ("cost in US dollars", cost),
        ("replies a question, where it was asked", _rounded(figures["replies_a_question"])),
        ("context in tokens, mean", _rounded(figures["context_mean"])),
        ("context in tokens, largest", str(figures["context_largest"])),
    ]
    rows += [(f"planned by {name} in the end", str(count)) for name, count in figures["planned_by"].items()]
    if figures["stopped_by_budget"]:
        rows.append(("left unasked by the budget", str(figures["stopped_by_budget"])))
    lines = ["| | |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows)]
    return "\n".join(lines) + "\n"


def _rounded(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"


# A cell of a table on a page.
_LONGEST_CELL = 140


def report_files(report: Json) -> dict[str, str]:
    """The files of a report by their names within its folder: `report.md` and the charts it shows."""
    metrics, name = report["metrics"], report["set"]
    charts = {
        "accuracy-by-tier.svg": share_bars(f"Accuracy by tier: {name}", metrics["tiers"]),
        "accuracy-by-wording.svg": share_bars(f"Accuracy by wording: {name}", metrics["wordings"]),
        "failure-stages.svg": share_bars(
            f"Misses by stage: {name}", {key: value for key, value in metrics["stages"].items() if value["right"]}
        ),
        "calibration.svg": _reliability(f"Calibration: {name}", metrics["calibration"]),
        "risk-coverage.svg": _curve(f"Risk and coverage: {name}", metrics["risk_coverage"]),
        "latency.svg": _latency(f"Time to an answer: {name}", report["questions"]),
    }
    shown = {file: text for file, text in charts.items() if text}
    return {"report.md": report_text(report, frozenset(shown)), **shown}


def report_text(report: Json, charts: frozenset[str]) -> str:
    """The report as Markdown."""
    metrics = report["metrics"]
    parts = [
        _head(report),
        _section("Accuracy by tier", _shares(metrics["tiers"], "tier"), "accuracy-by-tier.svg", charts),
        _section("Accuracy by wording", _shares(metrics["wordings"], "wording"), "accuracy-by-wording.svg", charts)
        if metrics["wordings"]
        else "",
        _section("Formula recognition", _tools(metrics["tools"]), "", charts),
        _section("Where it goes wrong", _stages(metrics["stages"]), "failure-stages.svg", charts),
        _section("What spoke against plans", _findings(metrics.get("findings", {})), "", charts),
        _section("Where numbers come from", _origins(metrics.get("origins", {})), "", charts),
        _section("Confidence", _calibration(metrics["calibration"]), "calibration.svg", charts),
        _section("Risk and coverage", _coverage(metrics["risk_coverage"]), "risk-coverage.svg", charts),
        _section("Time", _times(metrics["milliseconds"]), "latency.svg", charts),
        _section("Language model", model_text(report.get("language_model"), planner=report["planner"]), "", charts),
        _section("Halves of the formulas", _halves(metrics["halves"]), "", charts),
        _section("Misses", _misses(report["questions"]), "", charts),
        _section("Right, but otherwise", _notes(report["questions"]), "", charts),
    ]
    return "\n".join(part for part in parts if part)


def _head(report: Json) -> str:
    metrics = report["metrics"]
    rows = [
        ("right, of all questions", metrics["accuracy"]["all"]),
        ("right, of those with an answer", metrics["accuracy"]["answerable"]),
        ("refused, of those without", metrics["accuracy"]["refusals"]),
        ("precision when it gives a number", metrics["precision"]),
        ("chat taken for a computation", metrics["chat_taken_for_computation"]),
    ]
    library = report["library"]
    documents = ", ".join(f"`{name}`" for name in library["documents"]) or "no document"
    described = (
        f"{len(report['questions'])} questions, planner `{report['planner']}`, "
        f"{library['formulas']} formulas ({library['executable']} executable) from {documents}."
    )
    explained = (
        "Intervals are Wilson's; *by formula* resamples whole formulas, whose questions tend to fail together.\n"
    )
    return "\n".join(
        [
            f"# Evaluation: {_cell(report['set'])}\n",
            described,
            *(f"\n**Note.** {_cell(notice)}" for notice in report["notices"]),
            f"\n{report['compared']}\n",
            table(
                ("", "right", "of", "share", "95 % interval", "by formula"),
                [(name, *_share_cells(share)) for name, share in rows if share["of"]],
            ),
            explained,
        ]
    )


def _section(title: str, body: str, chart: str, charts: frozenset[str]) -> str:
    if not body:
        return ""
    picture = f"![{title}]({chart})\n\n" if chart in charts else ""
    return f"## {title}\n\n{picture}{body}"


def _shares(shares: Mapping[str, Json], head: str) -> str:
    rows = [(name, *_share_cells(share)) for name, share in shares.items()]
    return table((head, "right", "of", "share", "95 % interval", "by formula"), rows)


def _share_cells(share: Json) -> tuple[str, ...]:
    return (
        str(share["right"]),
        str(share["of"]),
        percent(share["share"]),
        _interval(share["low"], share["high"]),
        _interval(share["clustered_low"], share["clustered_high"]),
    )


def _tools(tools: Mapping[str, Json | None]) -> str:
    told = {name: figures for name, figures in tools.items() if figures is not None}
    if not told:
        return ""
    rows = [
        (
            name,
            *(_brief(figures[key]) for key in ("correct", "wrong", "none", "accuracy", "conditional_accuracy")),
            _brief(figures["correct_or_right_by_another_route"]),
        )
        for name, figures in told.items()
    ]
    heads = ("tier", "correct tool", "wrong tool", "no tool", "right", "right given the tool", "or by another route")
    failures = [(name, *map(str, figures["failures"].values())) for name, figures in told.items()]
    equivalent = told.get("answerable", {}).get("correct_by_an_equivalent_formula", 0)
    return (
        table(heads, rows)
        + f"\nOf the correct tools, {equivalent} are an equivalent formula of another place.\n\n"
        + "Where the tool is not the correct one:\n\n"
        + table(("tier", "not in library", "retrieved but not used", "not retrieved", "in library"), failures)
        + "\n*In library* counts those whose candidates were not told.\n"
    )


def _stages(stages: Mapping[str, Json]) -> str:
    rows = [
        (
            stage,
            str(figures["right"]),
            percent(figures["share"]),
            _interval(figures["low"], figures["high"]),
            ", ".join(f"{tier} {count}" for tier, count in figures["tiers"].items()),
        )
        for stage, figures in stages.items()
        if figures["right"]
    ]
    return table(("stage", "misses", "of all", "95 % interval", "tiers"), rows) if rows else "No miss.\n"


def _origins(found: Mapping[str, Json]) -> str:
    """Nothing where all numbers are of the documents."""
    if not {"handbook", "assumed"} & set(found):
        return ""
    rows = [(name, str(counts["numbers"]), str(counts["right"])) for name, counts in sorted(found.items())]
    return table(("origin", "numbers", "right"), rows)


def _findings(found: Mapping[str, Json]) -> str:
    rows = [(code, str(counts["answerable"]), str(counts["unanswerable"])) for code, counts in found.items()]
    heads = ("finding", "refused, though there is an answer", "refused, and there is none")
    return table(heads, rows) if rows else ""


def _calibration(figures: Json) -> str:
    if not figures["of"]:
        return ""
    names = {
        "brier": "Brier score",
        "expected_calibration_error": "expected calibration error",
        "area_under_curve": "area under the curve",
    }
    rows = [
        (text, number_text(figures[key]["value"]), _range(figures[key]["low"], figures[key]["high"]))
        for key, text in names.items()
    ]
    steps = [
        (f"{row['confidence']:.2f}", str(row["answered"]), percent(row["coverage"]), percent(row["precision"]))
        for row in figures["thresholds"]
    ]
    return (
        f"Over the {figures['of']} answers that give a number and a confidence.\n\n"
        + table(("measure", "value", "95 % interval"), rows)
        + "\n"
        + table(("answering from", "answers kept", "share kept", "precision"), steps)
    )


def _coverage(figures: Json) -> str:
    rows = [
        (
            percent(row["precision"]),
            number_text(row["confidence"]),
            str(row["answered"]),
            str(row["right"]),
            percent(row["share"]),
        )
        for row in figures["at_precision"]
    ]
    if not rows:
        return ""
    heads = ("precision of at least", "answering from", "numbers given", "right", "of all with an answer")
    return "If only the surest of these numbers were given: how many still are right at which precision.\n\n" + table(
        heads, rows
    )


def _times(figures: Json | None) -> str:
    if figures is None:
        return ""
    rows = [
        (name, f"{figures[name]['value']:.1f}", f"{figures[name]['low']:.1f} to {figures[name]['high']:.1f}")
        for name in ("median", "p90", "p95", "p99")
    ]
    return (
        table(("milliseconds", "value", "95 % interval"), rows)
        + f"\nMean {figures['mean']:.1f}, largest {figures['largest']:.1f}, over {figures['of']} questions. "
        "Every process is warm: what loading costs is not in these times.\n"
    )


def _halves(halves: Mapping[str, Json]) -> str:
    rows = []
    for half, figures in halves.items():
        rows += [(half, tier, *_share_cells(share)) for tier, share in figures["tiers"].items()]
        if figures["precision"]["of"]:
            rows.append((half, "*precision*", *_share_cells(figures["precision"])))
        if figures["tools"] is not None:
            rows.append((half, "*correct tool*", *_share_cells(figures["tools"]["correct"])))
    return table(("formulas", "tier", "right", "of", "share", "95 % interval", "by formula"), rows)


def _misses(questions: Sequence[Json]) -> str:
    rows = [
        (one["id"], one["stage"], one["expected"], one["found"], one["detail"], one["question"])
        for one in questions
        if not one["right"]
    ]
    return table(("id", "stage", "expected", "found", "what", "question"), rows) if rows else "None.\n"


def _notes(questions: Sequence[Json]) -> str:
    rows = [(one["id"], one["note"], one["question"]) for one in questions if one["right"] and one["note"]]
    return table(("id", "how", "question"), rows) if rows else ""


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; what documents and questions say cannot break it."""
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    lines += [f"| {' | '.join(map(_cell, row))} |" for row in rows]
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    line = " ".join(text.split())
    line = line if len(line) <= _LONGEST_CELL else f"{line[: _LONGEST_CELL - 1]}…"
    return line.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("`", "'")


def percent(share: float | None) -> str:
    """A share for people."""
    return "" if share is None else f"{100 * share:.1f} %"


def _interval(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f"{100 * low:.1f} to {100 * high:.1f}"


def _range(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f"{low:.3f} to {high:.3f}"


def number_text(value: float | None) -> str:
    """A number for people."""
    return "" if value is None else f"{value:.3f}"


def _brief(share: Json) -> str:
    return f"{percent(share['share'])} ({_interval(share['low'], share['high'])})" if share["of"] else ""


def share_bars(title: str, shares: Mapping[str, Json]) -> str:
    """Shares with their intervals as a chart; nothing where none could be told."""
    told = {name: share for name, share in shares.items() if share["share"] is not None}
    if not told:
        return ""
    bars = [
        Bar(name, share["share"], share["low"], share["high"], f"{share['right']} of {share['of']}")
        for name, share in told.items()
    ]
    spoken = "; ".join(f"{bar.label} {percent(bar.share)}, {bar.text}" for bar in bars)
    return bar_chart(title, f"Bars with 95 % intervals. {spoken}.", bars)


def _reliability(title: str, figures: Json) -> str:
    points = [
        Point(one["confidence"], one["share"], one["low"], one["high"], one["of"])
        for one in figures["bins"]
        if one["of"]
    ]
    if not points:
        return ""
    spoken = "; ".join(f"at {point.confidence:.2f} {percent(point.share)} of {point.count}" for point in points)
    return reliability_chart(title, f"Share of right answers over stated confidence: {spoken}.", points)


def _curve(title: str, figures: Json) -> str:
    places = [(one["share"], one["precision"]) for one in figures["curve"] if one["share"] is not None]
    if not places:
        return ""
    spoken = "; ".join(
        f"at {percent(row['precision'])} precision {percent(row['share'])}" for row in figures["at_precision"]
    )
    return risk_coverage_chart(title, f"Precision over the share that is answered rightly: {spoken}.", places)


def _latency(title: str, questions: Sequence[Json]) -> str:
    values = [one["milliseconds"] for one in questions if one["milliseconds"] is not None]
    if not values:
        return ""
    spoken = f"From {min(values):.1f} to {max(values):.1f} milliseconds over {len(values)} questions."
    return histogram(title, spoken, values, unit="milliseconds, each bin wider by the same factor")
