"""`mathrag import`: read a library back from Turtle, or take in worked solutions."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mathrag.cli.evaluate_options import progress_bar
from mathrag.cli.options import ModelOptions, library_option, model_options, open_library, opened_models
from mathrag.cli.output import json_option, print_json
from mathrag.cli.paths import ExistingPath
from mathrag.errors import UsageError, readable

if TYPE_CHECKING:
    from mathrag.library import Library
    from mathrag.library.ask.models import Models
    from mathrag.library.ingest.solution_labels import LabelRun
    from mathrag.library.ingest.solutions import SolutionImport

EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag import library.ttl --library another-library
  mathrag import --solutions solutions.jsonl --library my-library
  mathrag import --solutions --format processbench math.json --library my-library
  mathrag import --solutions solutions.jsonl --llm --max-calls 200 --library my-library
"""
)
_MOST_SHOWN = 5


@click.command("import", epilog=EXAMPLE)
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=ExistingPath(dir_okay=False))
@click.option("--solutions", is_flag=True, help="The files hold worked solutions: JSON lines, or JSON.")
@click.option(
    "--format",
    "form",
    metavar="NAME",
    help="Format of the solutions: prm800k, prmbench, processbench, gsm8k or math. Told by their fields if missing.",
)
@click.option("--llm", is_flag=True, help="Then have the language model that is set label what no record states.")
@model_options(estimate=True)
@library_option
@json_option
def command(
    files: tuple[Path, ...],
    solutions: bool,
    form: str | None,
    llm: bool,
    models: ModelOptions,
    folder: Path | None,
    as_json: bool,
) -> int:
    """Read the Turtle FILE that `mathrag export` wrote into the library. Every record is checked first.

    A worksheet whose name the library already has is not replaced.

    A record that was changed, added or taken out after the export is named, and nothing is imported. To import a file
    that was changed on purpose, take all its `mathrag:digest` and `mathrag:seal` statements out.

    With --solutions the files hold problems with solutions in steps. Each becomes a document of the library, which
    `mathrag remove` takes out again. A record that cannot be read is named and left out; the exit code is 1 where none
    could be read.

    With --llm a language model then says of which type each problem is that has none in the records, and which pattern
    of error each wrong step shows. What it says is kept under its name and never in place of what a record states. The
    same file can be imported again so; what this model was asked before is not asked again, and another model's labels
    take the place of the earlier ones. The exit code is 1 when the budget ended or a question failed: the same command
    goes on from there. --estimate reads the records, which are kept, and asks no model.
    """
    if form is not None and not solutions:
        raise UsageError("--format says how solutions are written; it goes with --solutions")
    if llm and not solutions:
        raise UsageError("--llm is about worked solutions; it goes with --solutions")
    if not llm and models != ModelOptions():
        raise UsageError("--estimate, --max-cost and --max-calls are about a language model; add --llm")
    if solutions:
        with ExitStack() as stack:
            asked = stack.enter_context(opened_models(folder, models)) if llm else None
            library = stack.enter_context(open_library(folder, create=True))
            if asked is not None and models.estimate:
                return _estimate(library, files, form, asked, as_json=as_json)
            return _import_solutions(library, files, form, asked, as_json=as_json)
    reports = []
    with open_library(folder, create=True) as library:
        for file in files:
            report = library.import_turtle(file)
            reports.append(report)
            if not as_json:
                click.echo(", ".join(f"{count} {name.replace('_', ' ')}" for name, count in report.items()))
            if not report["digests_compared"]:
                click.echo(
                    "the file has no digests: whether it was changed after it was exported cannot be told", err=True
                )
    if as_json:
        print_json(reports[0] if len(reports) == 1 else {"files": reports})
    return 0


def _estimate(library: Library, files: tuple[Path, ...], form: str | None, models: Models, *, as_json: bool) -> int:
    found = [library.estimate_labels(file, models=models, form=form) for file in files]
    whole = replace(found[0], pieces=0)
    for one in found[1:]:
        whole = replace(whole, estimate=whole.estimate + one.estimate)
    pieces = sum(one.pieces for one in found)
    if as_json:
        print_json({"model": whole.model, "files": len(files), "questions": pieces, **whole.estimate.to_json()})
        return 0
    click.echo(f"to label with {readable(whole.model)}: {pieces} problems and wrong steps")
    click.echo(whole.estimate.sentence())
    click.echo("nothing was asked; run the command without --estimate to begin, perhaps with --max-cost or --max-calls")
    return 0


def _import_solutions(
    library: Library, files: tuple[Path, ...], form: str | None, models: Models | None, *, as_json: bool
) -> int:
    reports = []
    for file in files:
        with progress_bar(quiet=as_json or models is None) as told:
            watch = None if told is None else partial(told, file.name)
            report = library.import_solutions(file, form=form, models=models, progress=watch)
        reports.append(report)
        if not as_json:
            _print_report(report)
    if as_json:
        print_json({"files": [_json(report) for report in reports]})
    has_failed = any(report.bad and not report.problems for report in reports)
    is_whole = all(report.labels is None or report.labels.is_complete for report in reports)
    return 1 if has_failed or not is_whole else 0


def _print_report(report: SolutionImport) -> None:
    change = "" if report.is_changed else "; nothing changed"
    click.echo(
        f"{report.file} ({report.format}): {report.problems} problems, {report.solutions} solutions, "
        f"{report.steps} steps{change}"
    )
    for one in report.bad[:_MOST_SHOWN]:
        click.echo(f"{report.file}: record {one.line} was left out: {one.reason}", err=True)
    if len(report.bad) > _MOST_SHOWN:
        click.echo(f"{report.file}: {len(report.bad) - _MOST_SHOWN} more records were left out", err=True)
    if report.labels is not None:
        _print_labels(report.file, report.labels)


def _print_labels(file: str, run: LabelRun) -> None:
    """What a model gave, what it took, what is left and how to go on."""
    types = _counted(run.types, "type of a problem", "types of problems")
    patterns = _counted(run.patterns, "pattern of a wrong step", "patterns of wrong steps")
    click.echo(f"labelled by the model {readable(run.model)}: {types}, {patterns}")
    unknown = f"; to {run.unknown} it gave no name" if run.unknown else ""
    click.echo(f"replies: {run.done} to {_counted(run.pieces, 'question')}{unknown}")
    if run.refused:
        codes = ", ".join(f"{count} {code.replace('_', ' ')}" for code, count in run.refused.items())
        click.echo(f"replies that were refused: {sum(run.refused.values())} ({codes}); see `mathrag show --rejected`")
    click.echo(f"model: {run.spending.sentence()}")
    for failure in run.failures[:_MOST_SHOWN]:
        click.echo(f"failed: {file}: {failure.source.partition('/')[2]}: {failure.reason}", err=True)
    if len(run.failures) > _MOST_SHOWN:
        click.echo(f"failed: {file}: {len(run.failures) - _MOST_SHOWN} more questions", err=True)
    if run.stopped:
        click.echo(f"stopped: {run.stopped}", err=True)
    if run.left or run.failures:
        left = run.left + len(run.failures)
        click.echo(f"left: {_counted(left, 'question')}; run the same command again to go on from here", err=True)


def _json(report: SolutionImport) -> dict[str, Any]:
    run = report.labels
    plain = asdict(replace(report, labels=None))
    if run is None:
        del plain["labels"]
        return plain
    plain["labels"] = {
        "model": run.model,
        "complete": run.is_complete,
        "questions": run.pieces,
        "done": run.done,
        "left": run.left,
        "types": run.types,
        "patterns": run.patterns,
        "unknown": run.unknown,
        "rejected": dict(run.refused),
        "failures": [asdict(failure) for failure in run.failures],
        "stopped": run.stopped,
        "spending": run.spending.to_json(),
    }
    return plain


def _counted(count: int, one: str, more: str = "") -> str:
    return f"{count} {one}" if count == 1 else f"{count} {more or f'{one}s'}"
