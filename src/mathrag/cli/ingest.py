"""`mathrag ingest`: read documents into the library, with progress and a summary of what was found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mathrag.cli.model_cards import document_json, estimate_json, print_estimate, print_model_report, run_json
from mathrag.cli.options import ModelOptions, library_option, model_options, open_library, opened_models
from mathrag.cli.output import is_watched, json_option, print_json, progress_option, screen_width, table_console
from mathrag.cli.paths import is_missing, missing_path
from mathrag.errors import UsageError, readable

if TYPE_CHECKING:
    from mathrag.library import FileReport, IngestReport, Library
    from mathrag.library.ask.models import Models

EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag ingest notes.md handbook/ --library my-library
  mathrag ingest 'papers/**/*.tex' --library my-library --json
  mathrag ingest --starter --library my-library
  mathrag ingest --openmath --library my-library
  mathrag ingest --retry --library my-library
  mathrag ingest notes.md --llm --estimate --library my-library
  mathrag ingest notes.md --llm --max-cost 0.50 --library my-library
"""
)
# A book may contradict another one on many pages.
_MOST_CONFLICTS = 10
COLUMNS = ("formulas", "executable", "declined", "quarantined", "constants", "relations")


@click.command("ingest", epilog=EXAMPLE)
@click.argument("paths", nargs=-1, type=click.Path())
@click.option("--starter", is_flag=True, help="Also read the documents on physics and chemistry that come along.")
@click.option("--openmath", is_flag=True, help="Also read the dictionaries of mathematical concepts that come along.")
@click.option("--retry", is_flag=True, help="Also try the files again that failed before.")
@click.option("--force", is_flag=True, help="Read files again though they have not changed.")
@click.option("--workers", type=click.IntRange(1, 64), help="How many processes read. Default: one a core.")
@click.option("--password", help="Opens encrypted PDF files; never stored. Default: the setting MATHRAG_PDF_PASSWORD.")
@click.option(
    "--reader",
    metavar="NAME",
    help="Who reads PDF files, office files and pictures: built-in (default), marker, mineru, docling or a plugin.",
)
@click.option("--llm", is_flag=True, help="Then also read with the language model that is set; it only proposes.")
@click.option("--summaries", is_flag=True, help="With --llm: also have the parts of documents summarised.")
@model_options(estimate=True)
@progress_option
@library_option
@json_option
def command(
    paths: tuple[str, ...],
    starter: bool,
    openmath: bool,
    retry: bool,
    force: bool,
    workers: int | None,
    password: str | None,
    reader: str | None,
    llm: bool,
    summaries: bool,
    models: ModelOptions,
    progress: bool | None,
    folder: Path | None,
    as_json: bool,
) -> int:
    """Read PATHS (files, folders, globs) into the library.

    Read are Markdown, text, LaTeX, HTML, Jupyter notebooks, PDF, EPUB and OpenMath dictionaries; with pandoc also
    Word, OpenDocument and Rich Text; with the extra `mathrag[ocr]` also scans and pictures of text. Pictures in folders
    are passed over; name them.

    Pages of a PDF are read on all cores; a page that cannot be read is named and the rest is taken. A file
    that has not changed is left alone, a changed one replaces what it had. The exit code is 1 when a file could not be
    read; the others are in the library all the same, and `mathrag status` lists the reasons.

    With --llm the rules read first, as always; then the model is asked about every passage. What it proposes is kept
    only where the document bears it out (`mathrag show --rejected` lists the rest). Replies are kept, so a run that
    stopped goes on where it was and costs nothing twice; documents that were read so already are left alone. The exit
    code is 1 when the budget ended or a passage could not be read. --estimate reads by the rules, which is kept and
    costs nothing, and asks no model.
    """
    if not (paths or retry or starter or openmath):
        raise UsageError("name the files or folders to read; see mathrag ingest --help")
    if not llm and (summaries or models != ModelOptions()):
        raise UsageError("--summaries, --estimate, --max-cost and --max-calls are about a language model; add --llm")
    missing = [path for path in paths if is_missing(path)]
    if missing and len(missing) == len(paths) and not (starter or openmath or retry):
        # Nothing that was named is there: no library is made for it.
        raise UsageError(missing_path(missing[0]))
    how: dict[str, Any] = {
        "retry": retry, "force": force, "workers": workers, "password": password, "reader": reader
    }  # fmt: skip
    with ExitStack() as stack:
        asked = stack.enter_context(opened_models(folder, models)) if llm else None
        library = stack.enter_context(open_library(folder, create=True))
        how["progress"] = stack.enter_context(_progress(progress, quiet=as_json))
        wanted = [*paths, *([str(library.starter_folder())] if starter else [])]
        wanted += [str(library.openmath_folder())] if openmath else []
        if asked is not None and models.estimate:
            return _estimate(library, wanted, asked, summaries=summaries, how=how, as_json=as_json)
        report = library.ingest(wanted, models=asked, summaries=summaries, **how)
    if as_json:
        _print_json(report)
    else:
        print_report(report)
        print_model_report(report)
    is_whole = report.model is None or report.model.is_complete
    return 1 if report.failed or not is_whole else 0


def _estimate(
    library: Library, paths: list[str], models: Models, *, summaries: bool, how: dict[str, Any], as_json: bool
) -> int:
    estimate = library.estimate_reading(paths, models=models, summaries=summaries, **how)
    if as_json:
        print_json(estimate_json(estimate))
    else:
        print_estimate(estimate)
    return 0


@contextmanager
def _progress(progress: bool | None, *, quiet: bool) -> Iterator[Any]:
    """A bar with rate and time left on a terminal; lines where they are asked for; nothing where nobody watches."""
    import sys

    if (quiet and progress is None) or not is_watched(progress):
        yield None
        return
    if not sys.stderr.isatty():
        yield _tell_in_lines
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    formulas = 0
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task("reading", total=None, rate="")

        def told(report: FileReport, done: int, total: int) -> None:
            nonlocal formulas
            formulas += report.counts.formulas if report.counts is not None else 0
            elapsed = bars.tasks[0].elapsed or 0.0
            rate = f"{formulas / elapsed:.0f} formulas/s" if elapsed > 0.5 else ""
            bars.update(task, completed=done, total=total, description=progress_text(report), rate=rate)

        yield told


def _tell_in_lines(report: FileReport, done: int, total: int) -> None:
    click.echo(f"{done} of {total}: {report.state}: {progress_text(report)}", err=True)


def progress_text(report: FileReport) -> str:
    """What a bar says about the file that was last heard of: its name, and how far its pages are."""
    # Half of a narrow terminal; the end of a path says more than its beginning.
    longest = min(40, screen_width() // 2)
    name = report.name if len(report.name) <= longest else f"…{report.name[1 - longest :]}"
    what = {"reading": "page", "asking": "passage"}.get(report.state)
    if what is None or not report.pages:
        return name
    return f"{name} {what} {report.pages_done} of {report.pages}"


def _print_json(report: IngestReport) -> None:
    for file in report.files:
        counts = file.counts
        print_json(
            {
                "file": file.name,
                "key": file.key,
                "state": file.state,
                **{name: getattr(counts, name) if counts is not None else 0 for name in COLUMNS},
                "definitions": counts.definitions if counts is not None else 0,
                "seconds": round(file.seconds, 3),
                "code": file.code,
                "reason": file.reason,
                "pages": counts.pages if counts is not None else 0,
                "warnings": list(file.warnings),
                "conflicts": [conflict.message for conflict in file.conflicts],
                **({} if file.model is None else {"model": document_json(file.model)}),
            }
        )
    print_json(
        {
            "files": len(report.files),
            "failed": len(report.failed),
            "unchanged": sum(file.state == "unchanged" for file in report.files),
            "passed_over": report.passed_over,
            **{
                name: sum(getattr(file.counts, name) for file in report.files if file.counts is not None)
                for name in COLUMNS
            },
            "conflicts": len(report.conflicts),
            "seconds": round(report.seconds, 3),
            **({} if report.model is None else {"model": run_json(report.model)}),
        }
    )


def print_report(report: IngestReport) -> None:
    """The summary of a run as a table, and what went wrong below it."""
    if report.files:
        _print_table(report)
    for file in report.files:
        if file.state in ("failed", "skipped"):
            is_mistyped = file.code == "not_found" and is_missing(file.key)
            reason = readable(missing_path(file.key)) if is_mistyped else file.reason
            click.echo(f"{file.state}: {file.name}: {reason}", err=True)
        for warning in file.warnings:
            click.echo(f"warning: {file.name}: {warning}", err=True)
    conflicts = report.conflicts
    for conflict in conflicts[:_MOST_CONFLICTS]:
        click.echo(f"conflict: {conflict.message}")
    if len(conflicts) > _MOST_CONFLICTS:
        more = len(conflicts) - _MOST_CONFLICTS
        click.echo(f"and {more} more of these; `mathrag conflicts` lists all")
    if not report.files:
        click.echo("no file to read was found")
    elif report.passed_over:
        others = "one other file was" if report.passed_over == 1 else f"{report.passed_over} other files were"
        click.echo(f"{others} passed over: of a kind that is not read, or pictures, which are read when named")


def _print_table(report: IngestReport) -> None:
    """A row for each file, and the totals where there are several. Where a table is too wide, lines."""
    from rich.table import Table

    longest = max(len(file.name) for file in report.files)
    if longest + sum(len(name) + 2 for name in ("unchanged", *COLUMNS)) > screen_width():
        _print_lines(report)
        return

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("file", no_wrap=True)
    table.add_column("state")
    for name in COLUMNS:
        table.add_column(name, justify="right")
    for file in report.files:
        counts = [str(getattr(file.counts, name)) if file.counts is not None else "" for name in COLUMNS]
        table.add_row(file.name, file.state, *counts)
    stored = [file.counts for file in report.files if file.counts is not None]
    if len(stored) > 1:
        totals = [str(sum(getattr(counts, name) for counts in stored)) for name in COLUMNS]
        table.add_row("total", "", *totals, style="bold")
    table_console().print(table)


def _print_lines(report: IngestReport) -> None:
    """The same for narrow terminals: a line for each file, and below it what was found."""
    from dataclasses import asdict

    width = screen_width()
    totals: Counter[str] = Counter()
    for file in report.files:
        room = width - len(file.state) - 2
        click.echo(f"{file.name if len(file.name) <= room else '…' + file.name[1 - room :]}  {file.state}")
        if file.counts is not None:
            counts = {name: count for name, count in asdict(file.counts).items() if name in COLUMNS}
            totals.update(counts)
            click.echo(_counts_text(counts, width))
    if sum(file.counts is not None for file in report.files) > 1:
        click.echo("total")
        click.echo(_counts_text(totals, width))


def _counts_text(counts: Mapping[str, int], width: int) -> str:
    found = ", ".join(f"{counts[name]} {name}" for name in COLUMNS if counts.get(name))
    return click.wrap_text(found or "no formulas or constants", width, initial_indent="  ", subsequent_indent="  ")
