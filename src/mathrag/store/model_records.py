"""What the store keeps of what language models said, beside findings: plain values, no SQL, no model."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from mathrag.types.document import Place

SummaryKind: TypeAlias = Literal["document", "page", "section", "table", "image"]
SUMMARY_KINDS: tuple[SummaryKind, ...] = ("document", "page", "section", "table", "image")
# The code of a piece that was not asked about, because the run ended before.
LEFT = "left"
Judgement: TypeAlias = Literal["same", "different", "unknown"]


@dataclass(frozen=True, slots=True)
class FailedPiece:
    """A piece of a document for which no reply could be had or used: its id, a stable code and a sentence."""

    source: str
    code: str
    reason: str


@dataclass(frozen=True, slots=True)
class ModelReading:
    """That a document was read with a model, and how far. `prompt` is the version of what the model is asked.

    Tokens and money are those of the run that finished it; replies that were kept from before cost nothing. `extras`
    names what was asked for beside the records of the chunks, such as `summaries`.
    """

    document: str
    model: str
    prompt: str
    time: str
    chunks: int
    chunks_done: int
    accepted: int = 0
    rejected: int = 0
    failures: tuple[FailedPiece, ...] = ()
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None
    extras: tuple[str, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether every chunk has its reply."""
        return self.chunks_done >= self.chunks and not self.failures


@dataclass(frozen=True, slots=True)
class RejectedProposal:
    """What a model proposed and a check refused. `source` is the id of the chunk or picture it was asked about.

    `record` is what it said, as JSON text; `quote` the words it pointed at.
    """

    document: str
    source: str
    kind: str
    code: str
    reason: str
    quote: str
    record: str
    model: str
    place: Place = field(default_factory=Place)


@dataclass(frozen=True, slots=True)
class Summary:
    """What a model says a part of a document is about. Never evidence for anything."""

    document: str
    kind: SummaryKind
    source: str
    text: str
    model: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was said about two formulas that read alike. `proof` says how arithmetic shows it, empty where it cannot."""

    first: str
    second: str
    verdict: Judgement
    proof: str
    similarity: float
    model: str
    time: str
