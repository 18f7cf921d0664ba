"""What language models took in a run: calls, tokens, money, context, and on how many questions. Sums and words only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

Json: TypeAlias = Any
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
