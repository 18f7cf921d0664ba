"""What reading with a language model came to, and what it would take: as text and as data. Decides nothing."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from mathrag.library import IngestReport
    from mathrag.library.model_reading.ingesting import ReadingEstimate
    from mathrag.library.model_reading.nouns import ModelDocument, ModelRun

_MOST_FAILURES = 20


def print_model_report(report: IngestReport) -> None:
    """The end of a run with a model: what was accepted and refused, what it took, what is left and how to go on."""
    run = report.model
    if run is None:
        return
    read = [one for one in run.documents if one.state not in ("unchanged", "changed")]
    if read:
        refused = _refused(run)
        codes = ", ".join(f"{count} {code.replace('_', ' ')}" for code, count in refused.most_common())
        pieces, done = sum(one.pieces for one in read), sum(one.done for one in read)
        click.echo(f"read with the model: {_counted(done, 'passage')} of {pieces} in {_counted(len(read), 'document')}")
        rejected = f"{refused.total()} refused ({codes})" if refused else "none refused"
        click.echo(f"proposals: {sum(one.accepted for one in read)} accepted, {rejected}")
        if summaries := sum(one.summaries for one in read):
            click.echo(f"summaries: {summaries}")
        if refused:
            click.echo("see what was refused with `mathrag show --rejected`")
    if run.pairs:
        said = ", ".join(f"{count} {verdict}" for verdict, count in sorted(run.pairs.items()))
        click.echo(f"formulas that read alike: {said}")
    click.echo(f"model: {run.spending.sentence()}")
    _print_troubles(run)


def _print_troubles(run: ModelRun) -> None:
    failures = [(one.name, failure) for one in run.documents for failure in one.failures]
    for name, failure in failures[:_MOST_FAILURES]:
        click.echo(f"failed: {name}: passage {failure.source.rpartition('/')[2]}: {failure.reason}", err=True)
    if len(failures) > _MOST_FAILURES:
        click.echo(f"failed: {len(failures) - _MOST_FAILURES} more passages", err=True)
    for one in run.documents:
        if one.state == "changed":
            click.echo(f"failed: {one.name} was changed by another program meanwhile; run the command again", err=True)
    if run.stopped:
        click.echo(f"stopped: {run.stopped}", err=True)
    if run.left:
        click.echo(f"left: {_counted(run.left, 'passage')}; run the same command again to go on from here", err=True)
    elif failures:
        click.echo("run the same command again, or with --retry, to ask for what failed once more", err=True)


def _refused(run: ModelRun) -> Counter[str]:
    found: Counter[str] = Counter()
    for one in run.documents:
        found.update(one.refused)
    return found


def _counted(count: int, what: str) -> str:
    return f"1 {what}" if count == 1 else f"{count} {what}s"


def document_json(one: ModelDocument) -> dict[str, Any]:
    """What the model gave for one document, as data."""
    return {
        "state": one.state,
        "passages": one.pieces,
        "done": one.done,
        "left": one.left,
        "accepted": one.accepted,
        "rejected": dict(one.refused),
        "failures": [{"source": each.source, "code": each.code, "reason": each.reason} for each in one.failures],
        "summaries": one.summaries,
        "pictures": one.pictures,
    }


def run_json(run: ModelRun) -> dict[str, Any]:
    """The whole run, as data."""
    return {
        "complete": run.is_complete,
        "stopped": run.stopped,
        "left": run.left,
        "accepted": sum(one.accepted for one in run.documents),
        "rejected": dict(_refused(run).most_common()),
        "failed": sum(len(one.failures) for one in run.documents),
        "pairs": dict(run.pairs),
        "spending": run.spending.to_json(),
    }


def print_estimate(estimate: ReadingEstimate) -> None:
    """What reading with a model would take."""
    what = f"{_counted(estimate.pieces, 'passage')} in {_counted(estimate.documents, 'document')}"
    click.echo(f"to read with {estimate.model}: {what}")
    click.echo(estimate.estimate.sentence())
    if estimate.pairs:
        pairs = _counted(estimate.pairs, "pair")
        click.echo(f"and two short calls for each of {pairs} of formulas that read alike")
    click.echo("nothing was asked; run the command without --estimate to begin, perhaps with --max-cost or --max-calls")


def estimate_json(estimate: ReadingEstimate) -> dict[str, Any]:
    """The same as data."""
    return {
        "model": estimate.model,
        "documents": estimate.documents,
        "passages": estimate.pieces,
        "pairs": estimate.pairs,
        **estimate.estimate.to_json(),
    }
