"""The report of a run over problems of mathematics for people: Markdown with tables and charts, of figures that others
have computed. For solutions in steps, and for whole ones with and without texts put before the problem."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mathrag.evaluate.charts import Cell, Curve, curves_chart, heat_map
from mathrag.evaluate.math_arms import PLAIN
from mathrag.evaluate.metrics import share_of
from mathrag.evaluate.report import number_text, percent, share_bars, table
from mathrag.types.json_value import Json

COMPARED = (
    "Right means: the answer is the known one by what it says (1/2 is 0.5), compared exactly or with many digits; an "
    "answer that cannot be compared counts as wrong."
)
# Differences are small: half of all problems is as deep a colour as there is.
_DEEPENED = 2
_INTERVALS = (
    "Intervals are 95 % intervals: Wilson's for shares, by drawing problems anew for differences, Student's over runs."
)


def question_records(records: Sequence[Json]) -> dict[str, Any]:
    """What of a report pages show and two runs are compared by: one record a problem, and their shares."""
    tiers = sorted({record["tier"] for record in records})
    return {
        "compared": COMPARED,
        "notices": [],
        "metrics": {
            "accuracy": {"all": _right(records)},
            "tiers": {tier: _right([record for record in records if record["tier"] == tier]) for tier in tiers},
        },
        "questions": list(records),
    }


def _right(records: Sequence[Json]) -> Json:
    return share_of((record["id"], record["right"]) for record in records)


def math_report_files(report: Json) -> dict[str, str]:
    """The files of a report by their names within its folder: `report.md` and the charts it shows."""
    sections, charts = _whole_parts(report) if report["way"] == "whole" else _step_parts(report)
    shown = {name: chart for name, chart in charts.items() if chart}
    parts = [_head(report)]
    for title, body, chart in sections:
        if body:
            picture = f"![{title}]({chart})\n\n" if chart in shown else ""
            parts.append(f"## {title}\n\n{picture}{body}")
    return {"report.md": "\n".join(parts), **shown}


Section = tuple[str, str, str]


def _head(report: Json) -> str:
    options = ", ".join(f"{name} {_said(value)}" for name, value in report["options"].items())
    notes = []
    if report["failed"]:
        notes.append(f"{report['failed']} calls or problems failed.")
    if report["stopped"]:
        notes.append(f"Stopped: {report['stopped']}. The same command goes on from here.")
    lines = [
        f"# Mathematics: {_plain(report['set'])}\n",
        f"{report['solved']} of {report['problems']} problems, model {_plain(report['model'])}; {_plain(options)}.",
        *(f"\n**Note.** {_plain(note)}" for note in notes),
        f"\n{COMPARED} {_INTERVALS}\n",
    ]
    return "\n".join(lines)


def _said(value: object) -> str:
    if isinstance(value, list):
        return " ".join(map(str, value)) or "none"
    return "none" if value is None else str(value)


def _plain(text: str) -> str:
    return " ".join(str(text).split()).replace("\\", "\\\\").replace("<", "&lt;").replace("`", "'").replace("|", "\\|")


# ---- whole solutions


def _whole_parts(report: Json) -> tuple[list[Section], dict[str, str]]:
    names = list(report["arms"])
    name = report["set"]
    charts = {
        "accuracy.svg": _arm_bars(f"Right answers: {name}", report["arms"]),
        "by-level.svg": _group_bars(f"Right by level: {name}", report["levels"], names),
        "coverage.svg": _coverage_chart(f"Coverage by threshold: {name}", report),
        "heat-plain.svg": _heat(f"Right by level and type, plain: {name}", report["cells"], _share_cell(PLAIN)),
    }
    sections: list[Section] = [
        ("Right answers", _arms(report), "accuracy.svg"),
        ("What the texts change", _effects(report["effects"]), ""),
        ("Coverage by threshold", _coverage(report), "coverage.svg"),
        ("By level", _groups(report["levels"], names, "level"), "by-level.svg"),
        ("By type", _groups(report["types"], names, "type"), ""),
        ("By level and type, plain", _cell_note(report["cells"]), "heat-plain.svg"),
    ]
    for place, arm in enumerate(names[1:], 1):
        file = f"heat-difference-{place}.svg"
        charts[file] = _heat(f"Difference by level and type, {arm}: {name}", report["cells"], _difference_cell(arm))
        sections.append((f"By level and type, {arm} less plain", _cell_note(report["cells"]), file))
    sections += [
        ("Repeated runs", _repeated(report["runs"]["arms"], report["runs"]["problems"]), ""),
        ("How attempts go wrong", _errors(report["arms"]), ""),
        ("Scores of the texts", _scores(report), ""),
        ("Labelled recall", _recall(report["recall"]), ""),
        ("Time of a call", _times({arm: figures["milliseconds"] for arm, figures in report["arms"].items()}), ""),
        ("What it took", _spent(report), ""),
        ("An oracle, for comparison only", _oracle(report["oracle"], report["effects"], names), ""),
    ]
    return sections, charts


def _arms(report: Json) -> str:
    rows = [
        (name, _brief(figures["greedy"]), _brief(figures["vote"]), number_text(figures["settled"]))
        for name, figures in report["arms"].items()
    ]
    count = report["options"]["n"]
    return (
        table(("", "greedy (T = 0)", f"vote of {count} (T = 0.6)", "attempts until the vote is settled"), rows)
        + "\nThe vote is the answer that most attempts have, of equal ones the first; nobody looks at the right one.\n"
    )


def _effects(effects: Mapping[str, Json]) -> str:
    rows = []
    for name, effect in effects.items():
        for words, figures in (("all problems", effect["all"]), ("those with texts", effect["with_texts"])):
            attempts = figures["attempts"]
            rows.append(
                (
                    name,
                    f"{words} ({figures['problems']})",
                    _change(figures["greedy"]),
                    _change(figures["vote"]),
                    number_text(attempts["ratio"]),
                    number_text(attempts["difference"]),
                )
            )
    heads = ("", "over", "greedy, difference", "vote, difference", "attempts, ratio", "attempts, difference")
    return table(heads, rows) if rows else ""


def _change(paired: Json) -> str:
    if paired["difference"] is None:
        return ""
    interval = "" if paired["low"] is None else f" ({100 * paired['low']:+.1f} to {100 * paired['high']:+.1f})"
    counts = f"{paired['better']} better, {paired['worse']} worse, p = {paired['p']:.3g}"
    return f"{100 * paired['difference']:+.1f} points{interval}; {counts}"


def _coverage(report: Json) -> str:
    votes = {effect["threshold"]: report["arms"][name]["vote"] for name, effect in report["effects"].items()}
    rows = [
        (
            f"{row['threshold']:g}",
            f"{row['problems']} of {row['of']}",
            percent(row["share"]),
            str(row["unknown"]),
            number_text(row["texts"]),
            _brief(votes[row["threshold"]]) if row["threshold"] in votes else "",
        )
        for row in report["coverage"]
    ]
    heads = ("from", "problems with texts", "share", "unknown", "texts a problem", "vote over all problems")
    return (
        table(heads, rows)
        + "\nThe problems are the same at every threshold; those without texts are solved plainly. *Unknown* are "
        "problems whose texts have no score that would tell. Thresholds hold for this scorer alone: "
        f"{_plain(report['scorer'])}.\n"
    )


def _coverage_chart(title: str, report: Json) -> str:
    covered = [(row["threshold"], row["share"]) for row in report["coverage"]]
    if not any(share for _, share in covered):
        return ""
    votes = [
        (effect["threshold"], report["arms"][name]["vote"]["share"])
        for name, effect in sorted(report["effects"].items(), key=lambda pair: pair[1]["threshold"])
    ]
    spoken = "; ".join(f"from {least:g} {percent(share)}" for least, share in covered if share is not None)
    curves = (Curve("problems with texts", tuple(covered)), Curve("right by vote, all problems", tuple(votes)))
    return curves_chart(title, f"Share of the problems that have texts: {spoken}.", curves, along="threshold")


def _groups(groups: Mapping[str, Json], names: Sequence[str], head: str) -> str:
    rows = [
        (key, str(shares[names[0]]["vote"]["of"]), *(_brief(shares[name]["vote"]) for name in names))
        for key, shares in groups.items()
    ]
    return table((head, "problems", *(f"{name}, vote" for name in names)), rows) if rows else ""


def _errors(arms: Mapping[str, Json]) -> str:
    kinds = list(next(iter(arms.values()))["errors"]) if arms else []
    rows = [(kind, *(str(figures["errors"][kind]) for figures in arms.values())) for kind in kinds]
    return table(("of all attempts", *arms), rows) if any(any(map(int, row[1:])) for row in rows) else "None.\n"


def _scores(report: Json) -> str:
    scores = report["scores"]
    if not scores["texts"]:
        return ""
    switches = report["switches"]
    told = (
        f"{scores['texts']} texts were found; {scores['known']} have a score (mean {number_text(scores['mean'])}), "
        f"{scores['unknown']} are unknown, {scores['failed_calls']} of them because a call failed. Unknown is not "
        "zero: such texts are not shown, and are counted here.\n\n"
        f"Models were switched {switches} {'time' if switches == 1 else 'times'} (counted from what was asked)."
    )
    return f"{told}\n"


def _recall(figures: Json | None) -> str:
    if figures is None:
        return ""
    rows = [(f"recall at {most}", f"{value:.3f}") for most, value in figures["recall"].items()]
    rows.append(("reciprocal rank", f"{figures['reciprocal_rank']:.3f}"))
    return f"Over {figures['problems']} labelled problems.\n\n" + table(("", "value"), rows)


def _oracle(oracle: Json, effects: Mapping[str, Json], names: Sequence[str]) -> str:
    rows = []
    for name in names:
        attempts = effects[name]["all"]["oracle_attempts"] if name in effects else {}
        rows.append(
            (
                name,
                _brief(oracle[name]["any"]),
                number_text(oracle[name]["attempts"]),
                number_text(attempts.get("ratio")),
                number_text(attempts.get("difference")),
            )
        )
    heads = ("", "any attempt right", "attempts looked at", "ratio to plain", "difference")
    return f"{oracle['note']}\n\n" + table(heads, rows)


# ---- solutions in steps


def _step_parts(report: Json) -> tuple[list[Section], dict[str, str]]:
    rule, name = report["options"]["vote"], report["set"]
    charts = {
        "accuracy.svg": share_bars(f"Right answers: {name}", report["shares"]),
        "heat-votes.svg": _heat(f"Right by level and type, {rule}: {name}", report["cells"], _share_cell(rule)),
    }
    shares = report["shares"]
    heads = ("", *(key for key in shares if key != "any"))
    sections: list[Section] = [
        ("Right answers", _share_table({key: share for key, share in shares.items() if key != "any"}), "accuracy.svg"),
        ("By level", table(heads, _share_rows(report["levels"], heads[1:])) if report["levels"] else "", ""),
        ("By type", table(heads, _share_rows(report["types"], heads[1:])) if report["types"] else "", ""),
        (f"By level and type, {rule}", _cell_note(report["cells"]), "heat-votes.svg"),
        ("What the checks are worth", _share_table({f"{key} answers": s for key, s in report["checked"].items()}), ""),
        ("Repeated runs", _repeated(report["runs"]["votes"], report["runs"]["problems"]), ""),
        ("Time of a problem", _times({"kept replies included": report["milliseconds"]}), ""),
        ("What it took", _spent(report), ""),
        ("An oracle, for comparison only", _share_table({"any attempt right": shares["any"]}), ""),
    ]
    return sections, charts


def _share_rows(groups: Mapping[str, Json], rules: Sequence[str]) -> list[tuple[str, ...]]:
    return [(key, *(_brief(shares[rule]) for rule in rules)) for key, shares in groups.items()]


def _share_table(shares: Mapping[str, Json]) -> str:
    rows = [(name, str(share["right"]), str(share["of"]), _brief(share)) for name, share in shares.items()]
    return table(("", "right", "of", "share"), rows)


# ---- what both have


def _repeated(figures: Mapping[str, Json], problems: Sequence[int]) -> str:
    """One row a figure. One run has neither deviation nor interval, and is not told again."""
    if len(problems) < 2:
        return ""
    rows = []
    for name, found in figures.items():
        named = {"": found} if "mean" in found else found
        for kind, over in named.items():
            if over is not None:
                values = ", ".join(f"{100 * value:.1f}" for value in over["values"])
                interval = f"{100 * over['low']:.1f} to {100 * over['high']:.1f}"
                words = f"{name}, {kind}" if kind else name
                rows.append((words, f"{100 * over['mean']:.1f}", f"{100 * over['deviation']:.1f}", interval, values))
    sizes = " and ".join(map(str, sorted(set(problems))))
    return f"{len(problems)} runs of {sizes} problems; no problem is in two of them. In percent.\n\n" + table(
        ("", "mean", "deviation", "95 % interval", "runs"), rows
    )


def _times(figures: Mapping[str, Json | None]) -> str:
    rows = [
        (name, str(found["of"]), *(f"{found[key]['value']:.0f}" for key in ("median", "p90", "p99")))
        for name, found in figures.items()
        if found is not None
    ]
    return table(("milliseconds", "of", "median", "p90", "p99"), rows) if rows else ""


def _spent(report: Json) -> str:
    spent = report["spent"]
    cost = "cost unknown" if spent["cost"] is None else f"{spent['cost']:.6f} US dollars"
    leakage = report["leakage"]["left_out_of_the_library"]
    return (
        f"{spent['calls']} calls, {spent['cached']} replies from the cache, {spent['prompt_tokens']} tokens sent, "
        f"{spent['completion_tokens']} written, {cost} (of the last session). Left out of the library because they "
        f"stand in the file: {leakage}.\n"
    )


def _brief(share: Json) -> str:
    if not share["of"]:
        return ""
    return f"{share['right']} ({percent(share['share'])}, {100 * share['low']:.1f} to {100 * share['high']:.1f})"


def _arm_bars(title: str, arms: Mapping[str, Json]) -> str:
    return share_bars(title, {f"{name}, {kind}": figures[kind] for name, figures in arms.items() for kind in _KINDS})


_KINDS = ("greedy", "vote")


def _group_bars(title: str, groups: Mapping[str, Json], names: Sequence[str]) -> str:
    return share_bars(
        title, {f"{key}, {name}": shares[name]["vote"] for key, shares in groups.items() for name in names}
    )


Coloured = Callable[[Json], Cell]


def _heat(title: str, cells: Sequence[Json], coloured: Coloured) -> str:
    rows = list(dict.fromkeys(cell["type"] for cell in sorted(cells, key=lambda cell: cell["type"])))
    columns = list(dict.fromkeys(cell["level"] for cell in sorted(cells, key=lambda cell: cell["level"])))
    if not cells or len(rows) * len(columns) < 2:
        return ""
    made = {(cell["type"], f"level {cell['level']}"): coloured(cell) for cell in cells}
    spoken = "; ".join(f"{kind}, {level}: {cell.text} {cell.detail}" for (kind, level), cell in made.items())
    return heat_map(
        title, f"A field for each type and level. {spoken}.", made, rows=rows, columns=[f"level {c}" for c in columns]
    )


def _share_cell(name: str) -> Coloured:
    def coloured(cell: Json) -> Cell:
        right, of = cell["right"][name], cell["of"]
        return Cell(right / of, f"{100 * right / of:.0f} %", f"{right} of {of}")

    return coloured


def _difference_cell(name: str) -> Coloured:
    def coloured(cell: Json) -> Cell:
        change, of = cell["right"][name] - cell["right"][PLAIN], cell["of"]
        return Cell(_DEEPENED * change / of, f"{100 * change / of:+.0f}", f"{change:+d} of {of}")

    return coloured


def _cell_note(cells: Sequence[Json]) -> str:
    few = sum(cell["of"] < 10 for cell in cells)
    return f"{len(cells)} fields, {few} of them with fewer than ten problems, which tell little.\n" if cells else ""
