"""`mathrag evaluate quality`: whether scores of quality tell right solutions from wrong ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mathrag.cli.evaluate_options import progress_bar
from mathrag.cli.output import json_option, print_json, table_console
from mathrag.cli.paths import ExistingPath

EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag evaluate quality processbench/math.json prmbench/confidence.jsonl
  mathrag evaluate quality processbench/math.json --no-tune --out results/quality --json
"""
)


@click.command("quality", epilog=EXAMPLE)
@click.argument("files", metavar="[FILE]...", nargs=-1, type=ExistingPath(dir_okay=False))
@click.option(
    "--pairs",
    metavar="FILE",
    type=ExistingPath(dir_okay=False),
    help="Also ask the gate about pairs of scores: a JSON object with the lists rule_scores and llm_scores.",
)
@click.option("--tune/--no-tune", default=True, show_default=True, help="Also tune the weights of the final rank.")
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="Also write report.json, scores.jsonl and tuning.svg into DIR, which must not hold those of another run.",
)
@json_option
def command(files: tuple[Path, ...], pairs: Path | None, tune: bool, out: Path | None, as_json: bool) -> int:
    """Score the solutions of each FILE, and tell how likely a right one scores higher than a wrong one.

    FILE has several solutions for each problem (question, code and score, one JSON object a line), or is ProcessBench
    or PRMBench. The scores: the published rule on the form of a text (rules), being short (shortness), and what
    calculation finds (checked), which was fitted on the odd places of such files: the even ones tell what it is worth.
    A score that is not better than shortness there is about style, not about correctness. No model is asked.
    """
    from mathrag.library.evaluate.quality import evaluate_quality

    with progress_bar(quiet=as_json) as watch:
        report = evaluate_quality(files, pairs=pairs, tune=tune, out=out, watch=watch)
    if as_json:
        print_json(report)
        return 0
    if "sets" in report:
        _print_scores(report)
    if "final_rank" in report:
        _print_rank(report["final_rank"])
    if "gate" in report:
        print_gate(report["gate"])
    if out is not None:
        click.echo(f"report: {out / 'report.json'}")
    return 0


def _print_scores(report: dict[str, Any]) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("set", "half", "score", "right ahead", "95 % interval", "gain over shortness", "95 % interval"):
        table.add_column(name, justify="left" if name in ("set", "half", "score") else "right")
    for name, found in report["sets"].items():
        for half in ("all", "odd", "even"):
            for score in report["sets"][name][half]:
                cell = found[half][score]
                if isinstance(cell, dict) and cell["right_ahead"] is not None:
                    table.add_row(
                        name, half, score, *_cells(cell["right_ahead"]), *_cells(cell.get("gain_over_shortness"))
                    )
    table_console().print(table)
    click.echo("the odd half, and so all, holds what “checked” was fitted on; the even half does not")
    for score, found in report["held_out"].items():
        value, interval = _cells(found["gain"])
        if value:
            click.echo(f"{score}: {value} over shortness on the even halves ({interval}): about {found['is_about']}")


def _cells(found: dict[str, Any] | None) -> tuple[str, str]:
    return ("", "") if found is None else (f"{found['value']:.3f}", f"{found['low']:.3f} to {found['high']:.3f}")


def _print_rank(found: dict[str, Any]) -> None:
    click.echo("\nfirst in the final rank is a right solution of the problem, even half:")
    for score, figures in found["scores"].items():
        shown = figures["held_out"]
        chosen, published = shown["chosen_against_fit_alone"], shown["published_against_fit_alone"]
        click.echo(
            f"  {score}: fit alone {_first(shown['fit_alone'])}; weight {figures['chosen_weight']:g}, the best on the "
            f"odd half, {_first(shown['chosen'])} ({_chance(chosen)}); the published {found['published_weight']:g} "
            f"{_first(shown['published'])} ({_chance(published)})"
        )
    click.echo(f"  weight in use: {found['shipped_weight']:g}")


def _chance(found: dict[str, Any]) -> str:
    return "p < 0.0001" if found["p"] < 0.0001 else f"p = {found['p']:.2g}"


def _first(point: dict[str, Any]) -> str:
    return f"{point['first']} of {point['of']}"


def print_gate(found: dict[str, Any]) -> None:
    """What the gate says, in lines."""
    click.echo(f"gate: {found['choice']} ({found['reason']})")
    for name in ("pearson", "spearman"):
        if found.get(name) is not None:
            one = found[name]
            click.echo(f"  {name}: {one['value']:.4f} (95 % interval {one['low']:.4f} to {one['high']:.4f})")
    if found["unknown"]:
        click.echo(f"  texts without a score of the model: {found['unknown']} of {found['sample']}")
