"""The corpus of formulas in words: what a model proposes of ten documents, and what becomes of each proposal.

Run as a program to see it formula by formula.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import golden_cases

from mathrag.extract.proposals import Proposal, apply_proposals, read_proposals
from mathrag.extract.proposals.quotes import holds
from mathrag.types.library import PROPOSED

read = cache(golden_cases.read)
CORPUS = Path(__file__).parent / "formulas_in_words.toml"


@dataclass(frozen=True, slots=True)
class Case:
    """A proposal about a document; `why` says what is wrong with it, empty where it is right."""

    title: str
    text: str
    quote: str
    equation: str
    symbols: tuple[str, ...]
    again: str = ""
    again_symbols: tuple[str, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a proposal: `executable`, `quarantined` or `rejected`, with the reason and the marks it bears."""

    status: str
    reason: str = ""
    flags: tuple[str, ...] = ()
    latex: str = ""
    quote: str = ""


def cases() -> tuple[list[Case], list[Case]]:
    """The right proposals and the wrong ones."""
    documents = tomllib.loads(CORPUS.read_text(encoding="utf-8"))["documents"]
    right = [_case(document, one, one) for document in documents for one in document["formulas"]]
    wrong = [
        _case(document, document["formulas"][one["of"] - 1], one)
        for document in documents
        for one in document.get("wrong", ())
    ]
    return right, wrong


def _case(document: Mapping[str, Any], formula: Mapping[str, Any], proposal: Mapping[str, Any]) -> Case:
    return Case(
        document["title"],
        f"# {document['title']}\n\n{document['text'].strip()}\n",
        formula["quote"],
        proposal["equation"],
        tuple(formula["symbols"]),
        proposal.get("again", ""),
        tuple(proposal.get("again_symbols", ())),
        proposal.get("why", ""),
    )


def fate(case: Case, *, again: tuple[str, Sequence[str]] | None = None) -> Fate:
    """What the checks make of a proposal; `again` is the equation that a second asking gives, with its symbols."""
    known = read(case.text)
    document, chunks = known.document, known.chunks
    place = next(chunk.ordinal for chunk in chunks if holds(chunk.text, case.quote))
    proposals = _proposals(case.quote, case.equation, case.symbols, place)
    seconds = _proposals(case.quote, *again, place) if again is not None else ()
    found, rejected = apply_proposals(
        known.extraction, chunks, proposals, model_name="m", document=document, again=seconds
    )
    made = [one for one in found.findings if one.notation == PROPOSED]
    if not made:
        return Fate("rejected", "; ".join(f"{one.code}: {one.reason}" for one in rejected))
    reason = f"{made[0].reason_code}: {made[0].reason}" if made[0].reason else ""
    return Fate(made[0].status, reason, tuple(flag.code for flag in made[0].flags), made[0].latex, made[0].span.quote)


def _proposals(quote: str, equation: str, symbols: Sequence[str], chunk: int) -> tuple[Proposal, ...]:
    record = {"quote": quote, "latex": "", "python": equation, "parameters": list(map(_parameter, symbols))}
    return read_proposals({"formulas": [record]}, chunk=chunk)


def _parameter(symbol: str) -> dict[str, str]:
    name, _, said = symbol.partition(": ")
    description, _, unit = said.partition(" [")
    return {"symbol": name, "description": description, "unit": unit.rstrip("]")}


def asked_twice(case: Case) -> Fate:
    """What becomes of a right proposal with what the second asking says, of a wrong one that is said twice."""
    again = (case.equation, case.symbols) if case.why or not case.again else (case.again, case.again_symbols)
    return fate(case, again=again)


def report() -> Iterator[str]:
    """A line a proposal, and the figures: by our own reading of the words alone, and with a second asking."""
    right, wrong = cases()
    executable: dict[str, int] = {}
    for case in (*right, *wrong):
        once, twice = fate(case), asked_twice(case)
        for asked, one in (("once", once), ("twice", twice)):
            key = f"{'wrong' if case.why else 'right'} {asked}"
            executable[key] = executable.get(key, 0) + (one.status == "executable")
        yield f"{'WRONG ' if case.why else ''}{once.status:12} {twice.status:12} {case.equation:28} {twice.reason}"
    yield json.dumps({"executable": executable, "right": len(right), "wrong": len(wrong)})


if __name__ == "__main__":
    print("\n".join(report()))
