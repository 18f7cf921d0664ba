"""Golden files of proposals: a document, what a model says about it, what is kept and what is rejected, in words.

Run as a program to write what the code says now into the files; look at the difference before keeping it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mathrag.documents.markdown import read_markdown
from mathrag.documents.seams import Source
from mathrag.documents.views import make_views
from mathrag.documents.views.records import ChunkView
from mathrag.extract.pipeline import extract
from mathrag.extract.proposals import Proposal, RejectedProposal, apply_proposals, findings_in_chunk, read_proposals
from mathrag.types.document import Document
from mathrag.types.library import PROPOSED, Extraction, Finding, SymbolMeaning

GOLDEN = Path(__file__).parent / "golden"
NAMES = sorted(path.stem for path in GOLDEN.glob("*.txt"))
MODEL = "a small model"


@dataclass(frozen=True, slots=True)
class Read:
    """A document as the rules read it."""

    document: Document
    chunks: tuple[ChunkView, ...]
    extraction: Extraction


def read(text: str) -> Read:
    """Read Markdown by the rules."""
    document = read_markdown(Source(name="doc.md", data=text.encode("utf-8")))
    return Read(document, make_views(document).chunks, extract(document, document_id="doc"))


def propose(known: Read, replies: Any) -> tuple[Proposal, ...]:
    """One reply for the first chunk, or a list of one reply a chunk."""
    listed = replies if isinstance(replies, list) else [replies]
    return tuple(proposal for ordinal, reply in enumerate(listed) for proposal in read_proposals(reply, chunk=ordinal))


def applied(known: Read, replies: Any) -> tuple[Extraction, tuple[RejectedProposal, ...]]:
    """What the rules and the replies give together."""
    proposals = propose(known, replies)
    return apply_proposals(known.extraction, known.chunks, proposals, model_name=MODEL, document=known.document)


def parts_of(name: str) -> dict[str, str]:
    """The parts of a golden file by their titles."""
    parts: dict[str, str] = {}
    title = "about"
    lines: list[str] = []
    for line in (GOLDEN / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("=====") and line.endswith("====="):
            parts[title] = "\n".join(lines).strip("\n")
            title, lines = line.strip("= "), []
        else:
            lines.append(line)
    parts[title] = "\n".join(lines).strip("\n")
    return parts


def outcome(document: str, reply: str) -> tuple[str, str]:
    """What is kept and what is rejected, in words."""
    known = read(document)
    found, rejected = applied(known, json.loads(reply))
    return kept_text(known, found), rejected_text(rejected)


def kept_text(known: Read, found: Extraction) -> str:
    """Everything that the proposals changed."""
    before = {one.position: one for one in known.extraction.findings}
    names = {
        finding.position: f"F{number}"
        for chunk in reversed(known.chunks)
        for number, finding in enumerate(findings_in_chunk(known.extraction, chunk), 1)
    }
    lines: list[str] = []
    for finding in found.findings:
        if finding != before.get(finding.position):
            lines.extend(_finding_lines(finding, before.get(finding.position), names.get(finding.position, "new")))
    for constant in found.constants:
        if constant not in known.extraction.constants:
            is_known = f", the standard {constant.standard}" if constant.standard else ""
            lines.append(f"constant {constant.symbol} = {constant.value} {constant.unit}: {constant.name}{is_known}")
    for relation in found.relations:
        if relation not in known.extraction.relations:
            ends = " -> ".join(found.findings[at].latex for at in (relation.source, relation.target))
            lines.append(f"relation {relation.kind} ({relation.confidence}): {ends}; {relation.evidence}")
    return "\n".join(lines) or "nothing"


def _finding_lines(finding: Finding, old: Finding | None, name: str) -> list[str]:
    what = f"{name}: {finding.latex}   [{finding.status}]"
    lines = [what]
    if finding.notation == PROPOSED or (old is not None and old.equation is None and finding.equation is not None):
        lines.append(f"    quote: {finding.span.quote}")
    if finding.reason:
        lines.append(f"    {finding.reason_code}: {finding.reason}")
    for field in ("label", "description", "intent"):
        value = getattr(finding, field)
        if value and (old is None or value != getattr(old, field)):
            lines.append(f"    {field}: {value}")
    added = [word for word in finding.keywords if old is None or word not in old.keywords]
    if added and old is not None:
        lines.append(f"    keywords: {', '.join(added)}")
    known = {one.name: one for one in old.symbols} if old is not None else {}
    lines.extend(f"    {_symbol(one)}" for one in finding.symbols if one != known.get(one.name))
    lines.extend(f"    holds: {one.text}" for one in finding.conditions if old is None or one not in old.conditions)
    return lines


def _symbol(symbol: SymbolMeaning) -> str:
    unit = "?" if symbol.unit is None else symbol.unit or "1"
    constant = f", constant {symbol.constant or ''}".rstrip() if symbol.role == "constant" else ""
    return f"{symbol.name} = {symbol.description or '?'} [{unit}] ({symbol.origin}{constant})"


def rejected_text(rejected: tuple[RejectedProposal, ...]) -> str:
    """Every rejection with its reason."""
    lines = []
    for one in rejected:
        lines.append(f"{one.kind} {one.code}: {one.reason}")
        lines.append(f"    {_said(one)}")
    return "\n".join(lines) or "nothing"


def _said(one: RejectedProposal) -> str:
    try:
        record = json.loads(one.record)
    except ValueError:
        return one.record[:160]
    shown = record if isinstance(record, dict) else {"": record}
    short = {
        key: value for key, value in shown.items() if value not in ("", [], None) and key not in ("quote", "keywords")
    }
    return "; ".join(f"{key} {value}" for key, value in short.items())[:160]


def write(name: str) -> None:
    """Put what the code says now into a golden file."""
    parts = parts_of(name)
    kept, rejected = outcome(parts["the document"], parts["the model says"])
    text = (
        f"{parts['about']}\n\n===== the document =====\n{parts['the document']}\n\n===== the model says =====\n"
        f"{parts['the model says']}\n\n===== kept =====\n{kept}\n\n===== rejected =====\n{rejected}\n"
    )
    (GOLDEN / f"{name}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    for each in NAMES:
        write(each)
