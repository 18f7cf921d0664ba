"""What language models said about documents and formulas, for people and as data: always marked as theirs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from mathrag.cli.output import print_json, table_console
from mathrag.errors import LibraryError

if TYPE_CHECKING:
    from mathrag.library import Library
    from mathrag.library.ingest.model_reading.records import ModelReading, RejectedProposal, Summary, Verdict
    from mathrag.types.library import Formula

_LONGEST_CELL = 70
_MOST_SUMMARIES = 40


def print_rejected(library: Library, name: str | None, names: Mapping[str, str], *, as_json: bool) -> None:
    """What was proposed and refused, with the reason, the words it pointed at and the place."""
    documents = [None] if name is None else [info.id for info in library.find_documents(name)]
    if not documents:
        raise LibraryError(f"the library has no document called {name!r}; `mathrag show` lists them")
    found = [one for document in documents for one in library.rejected(document)]
    if as_json:
        for one in found:
            print_json(rejected_json(one, names))
        return
    if not found:
        click.echo("nothing was refused" if library.model_readings() else "no document was read with a language model")
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("document", "place", "kind", "why", "quote", "proposed"):
        table.add_column(column)
    for one in found:
        place = str(one.place) or one.source.rpartition("/")[2]
        cells = (names.get(one.document, one.document), place, one.kind, one.reason, one.quote, _proposed(one.record))
        table.add_row(*(_cell(each) for each in cells))
    table_console().print(table)
    click.echo(f"{len(found)} proposals were refused; --json shows them in full")


def _cell(text: str) -> str:
    line = " ".join("".join(each if each.isprintable() or each.isspace() else "\ufffd" for each in text).split())
    return line if len(line) <= _LONGEST_CELL else f"{line[: _LONGEST_CELL - 1]}…"


def _proposed(record: str) -> str:
    """What of a record tells most about it."""
    value = _value(record)
    if not isinstance(value, dict):
        return str(value)
    for field in ("latex", "python", "symbol", "source", "finding", "formula", "summary"):
        if said := value.get(field):
            label = value.get("label") or value.get("value") or value.get("target") or ""
            return f"{said} {label}".strip()
    return record


def _value(record: str) -> Any:
    try:
        return json.loads(record)
    except (ValueError, RecursionError):
        return record


def rejected_json(one: RejectedProposal, names: Mapping[str, str]) -> dict[str, Any]:
    """A refused proposal as data."""
    return {
        "document": names.get(one.document, one.document),
        "document_id": one.document,
        "source": one.source,
        "page": one.place.page,
        "line": one.place.line,
        "kind": one.kind,
        "code": one.code,
        "reason": one.reason,
        "quote": one.quote,
        "proposed": _value(one.record),
        "model": one.model,
    }


def print_readings(readings: Sequence[ModelReading], refused: Mapping[str, int], names: Mapping[str, str]) -> None:
    """How documents were read with models; those that are not finished one by one."""
    if not readings:
        return
    models = ", ".join(sorted({one.model for one in readings}))
    accepted = sum(one.accepted for one in readings)
    click.echo(f"read with a language model ({models}): {len(readings)} documents, {accepted} proposals accepted")
    if refused:
        click.echo(f"proposals that were refused (`mathrag show --rejected` lists them): {sum(refused.values())}")
        for code, count in refused.items():
            click.echo(f"  {code.replace('_', ' '):<24} {count:>8}")
    for one in readings:
        if not one.is_complete:
            name = names.get(one.document, one.document)
            failed = next((each for each in one.failures if each.code != "left"), None)
            reason = f": {failed.reason}" if failed is not None else ""
            click.echo(f"not finished with the model: {name}: {one.chunks_done} of {one.chunks} passages{reason}")
    if any(not one.is_complete for one in readings):
        click.echo("  go on with `mathrag ingest --llm --retry`")


def reading_json(one: ModelReading, names: Mapping[str, str]) -> dict[str, Any]:
    """A reading with a model as data."""
    return {
        "document": names.get(one.document, one.document),
        "document_id": one.document,
        "model": one.model,
        "prompt": one.prompt,
        "time": one.time,
        "complete": one.is_complete,
        "passages": one.chunks,
        "done": one.chunks_done,
        "accepted": one.accepted,
        "rejected": one.rejected,
        "failures": [{"source": each.source, "code": each.code, "reason": each.reason} for each in one.failures],
        "calls": one.calls,
        "prompt_tokens": one.prompt_tokens,
        "completion_tokens": one.completion_tokens,
        "cost": one.cost,
        "extras": list(one.extras),
    }


def print_summaries(library: Library, document: str) -> None:
    """The summaries of a document, under the name of whoever made them."""
    found = library.summaries(document)
    for one in found[:_MOST_SUMMARIES]:
        part = "" if one.kind == "document" else f" {one.source.rpartition('/')[2]}"
        click.echo(f"  summary of {one.kind}{part} (by the model {one.model}): {one.text}")
    if len(found) > _MOST_SUMMARIES:
        click.echo(f"  {len(found) - _MOST_SUMMARIES} more summaries; --json lists them")


def summary_json(one: Summary) -> dict[str, Any]:
    """A summary as data."""
    return {"kind": one.kind, "source": one.source, "text": one.text, "model": one.model}


def print_picture_readings(library: Library, formula: Formula) -> None:
    """What models read in the picture of an uncertain formula, and why that is not enough."""
    for one in _picture_readings(library, formula):
        click.echo(f"  {one.model} reads in the picture: {_cell(_proposed(one.record))} (not enough: {one.reason})")


def _picture_readings(library: Library, formula: Formula) -> list[RejectedProposal]:
    places = {(span.document, span.place) for span in formula.spans}
    documents = dict.fromkeys(span.document for span in formula.spans)
    return [
        one
        for document in documents
        for one in library.rejected(document)
        if one.kind == "pictures" and (one.document, one.place) in places
    ]


def print_verdicts(library: Library, formula: Formula) -> None:
    """Formulas that this one is said to be, beside what arithmetic says."""
    for one in verdicts_json(library, formula):
        click.echo(f"  {one['message']}")


def verdicts_json(library: Library, formula: Formula) -> list[dict[str, Any]]:
    """The same as data."""
    return [_said(library, one, formula.id) for one in library.verdicts(formula.id) if one.verdict == "same"]


def same_pairs(library: Library) -> list[dict[str, Any]]:
    """Every pair of formulas that is said to be one and is not one by arithmetic alone."""
    return [_said(library, one, None) for one in library.verdicts() if one.verdict == "same"]


def _said(library: Library, verdict: Verdict, seen_from: str | None) -> dict[str, Any]:
    names = {one: _name(library, one) for one in (verdict.first, verdict.second)}
    how = f"said by {verdict.model}" if verdict.model else "shown by arithmetic"
    shown = f", and arithmetic agrees ({verdict.proof})" if verdict.proof and verdict.model else ""
    doubt = "" if verdict.proof else ", which arithmetic does not show; both are kept"
    if seen_from is None:
        what = f"{names[verdict.first]} and {names[verdict.second]}: said to be the same"
    else:
        what = f"said to be the same as {names[verdict.second if seen_from == verdict.first else verdict.first]}"
    return {
        "entries": [verdict.first, verdict.second],
        "proof": verdict.proof,
        "model": verdict.model,
        "similarity": verdict.similarity,
        "message": f"{what} ({how}{shown}{doubt})",
    }


def _name(library: Library, identifier: str) -> str:
    found = library.find_formulas(identifier)
    return f"{found[0].label or found[0].latex} [{identifier}]" if found else identifier


# What reading with a language model came to, and what it would take: as text and as data. Decides nothing.

if TYPE_CHECKING:
    from mathrag.library import IngestReport
    from mathrag.library.ingest.model_reading.records import ModelDocument, ModelRun
    from mathrag.library.ingest.model_reading.run import ReadingEstimate

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
