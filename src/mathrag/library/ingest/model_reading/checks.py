"""Check what a model proposed and unite it with what the rules found: the work of a process of its own.

The text of a model is as hostile as that of a document, so it is read where time and memory are limited and a crash
costs one answer. Pure: takes and gives back JSON, touches no library, asks nobody.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from mathrag.extract.page_pictures import formulas_said, page_reading
from mathrag.extract.pictures import understood_picture
from mathrag.extract.proposals import (
    MalformedProposal,
    Problem,
    Proposal,
    RejectedProposal,
    apply_proposals,
    read_proposals,
)
from mathrag.extract.proposals.meanings import definitions_near
from mathrag.extract.proposals.quotes import holds
from mathrag.library.ingest.model_reading.page_pictures import KIND as PAGE
from mathrag.library.ingest.model_reading.pictures import KIND as PICTURE
from mathrag.library.ingest.model_reading.pictures import recognised
from mathrag.library.ingest.model_reading.requests import StoredChunk, chunk_of_json
from mathrag.types.document import Place
from mathrag.types.json_codec import from_json, to_json
from mathrag.types.json_value import Json
from mathrag.types.library import Extraction, Finding


def check_replies(payload: Json) -> Json:
    """Runs in the worker: what `checking_task` describes.

    Gives what the rules and the model say together, how much of it is the model's, and what was refused.
    """
    rules = from_json(payload["extraction"])
    assert isinstance(rules, Extraction)
    chunks = [chunk_of_json(each) for each in payload["chunks"]]
    proposals: list[Proposal] = []
    for reply in payload["replies"]:
        proposals.extend(_proposals(reply, chunks[reply["chunk"]]))
    again = [one for reply in payload["again"] for one in _proposals(reply, chunks[reply["chunk"]])]
    seen, pictures, refused = _with_pictures(rules, payload["pictures"], chunks)
    views = [chunk.view for chunk in chunks]
    extraction, rejected = apply_proposals(seen, views, proposals, model_name=payload["model"], again=again)
    extraction, pages, unseen = _with_pages(extraction, payload["pages"])
    return {
        "extraction": to_json(extraction),
        "accepted": pictures + pages + _accepted(proposals, rejected),
        "pictures": pictures,
        "rejected": [*(_rejected(each, chunks, payload["model"]) for each in rejected), *refused, *unseen],
    }


def _accepted(proposals: Sequence[Proposal], rejected: Sequence[RejectedProposal]) -> int:
    """How many records were kept, if not with all of their fields."""
    refused = {(one.chunk, one.record) for one in rejected}
    return sum(
        not isinstance(one, MalformedProposal) and (one.chunk, one.record) not in refused
        for one in dict.fromkeys(proposals)
    )


def _proposals(reply: Json, chunk: StoredChunk) -> Sequence[Proposal]:
    if reply["problem"]:
        said = json.dumps(reply["said"], ensure_ascii=False)
        return [MalformedProposal(chunk.view.ordinal, "reply", said, "not_json", reply["problem"])]
    return read_proposals(reply["value"], chunk=chunk.view.ordinal)


def _with_pictures(
    rules: Extraction, readings: Sequence[Json], chunks: Sequence[StoredChunk]
) -> tuple[Extraction, int, list[Json]]:
    """The extraction with those uncertain formulas read whose pictures a model reads as the page does; how many, and
    why not the others."""
    findings = {finding.position: finding for finding in rules.findings}
    count = 0
    refused: list[Json] = []
    for reading in readings:
        finding = findings[reading["finding"]]
        problem = Problem("not_json", reading["problem"]) if reading["problem"] else None
        latex = problem or recognised(reading["value"], model=reading["model"])
        home = next((chunk.view for chunk in chunks if holds(chunk.view.text, finding.span.quote)), None)
        definitions = {} if home is None else definitions_near(rules, home)
        read = (
            latex
            if isinstance(latex, Problem)
            else understood_picture(finding, latex, definitions, model=reading["model"])
        )
        if isinstance(read, Problem):
            refused.append(_refused_picture(reading, finding, read))
        else:
            findings[finding.position] = read
            count += 1
    return replace(rules, findings=tuple(findings[one.position] for one in rules.findings)), count, refused


def _with_pages(extraction: Extraction, readings: Sequence[Json]) -> tuple[Extraction, int, list[Json]]:
    """The extraction with what was read in pictures of whole pages; how much, and why not the rest."""
    findings = list(extraction.findings)
    known = {finding.form for finding in findings}
    refused: list[Json] = []
    for reading in readings:
        place = Place(page=reading["page"])
        problems = [reading[one]["problem"] for one in ("first", "second") if reading[one]["problem"]]
        if problems:
            problem = Problem("not_json", problems[0])
            said = json.dumps(reading["first"]["said"])
            refused.append(_refused_page(extraction.document, reading, said, problem, place=place))
            continue
        first, second = (formulas_said(reading[one]["value"]) for one in ("first", "second"))
        read = page_reading(extraction.document, reading["page"], first, second, model=reading["model"])
        for finding in read.findings:
            if finding.form not in known:
                known.add(finding.form)
                findings.append(replace(finding, position=max((one.position for one in findings), default=-1) + 1))
        for record, problem in read.refused:
            refused.append(_refused_page(extraction.document, reading, record, problem, place=place))
    count = len(findings) - len(extraction.findings)
    return replace(extraction, findings=tuple(findings)), count, refused


def _refused_page(document: str, reading: Json, record: str, problem: Problem, *, place: Place) -> Json:
    return {
        "document": document,
        "source": reading["source"],
        "kind": PAGE,
        "code": problem.code,
        "reason": problem.reason,
        "quote": "",
        "record": record,
        "model": reading["model"],
        "place": to_json(place),
    }


def _refused_picture(reading: Json, finding: Finding, problem: Problem) -> Json:
    return {
        "document": finding.document,
        "source": reading["picture"],
        "kind": PICTURE,
        "code": problem.code,
        "reason": problem.reason,
        "quote": finding.span.quote,
        "record": _shown(reading["value"]) if not reading["problem"] else json.dumps(reading["said"]),
        "model": reading["model"],
        "place": to_json(finding.span.place),
    }


def _rejected(rejected: RejectedProposal, chunks: Sequence[StoredChunk], model: str) -> Json:
    source = next((chunk.id for chunk in chunks if chunk.view.ordinal == rejected.chunk), rejected.document)
    return {
        "document": rejected.document,
        "source": source,
        "kind": rejected.kind,
        "code": rejected.code,
        "reason": rejected.reason,
        "quote": rejected.quote,
        "record": rejected.record,
        "model": model,
        "place": to_json(rejected.place),
    }


def _shown(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)[:2_000]
