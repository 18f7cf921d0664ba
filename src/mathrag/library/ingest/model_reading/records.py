"""What a run with a language model is told and what it tells. Plain values; they ask nobody."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from mathrag.store.truth.model_records import FailedPiece, ModelReading, RejectedProposal, Summary, Verdict

if TYPE_CHECKING:
    from mathrag.llm.accounts import Spending

__all__ = [
    "PAGES",
    "PICTURES",
    "SUMMARIES",
    "FailedPiece",
    "ModelDocument",
    "ModelReading",
    "ModelRun",
    "ModelState",
    "PieceProgress",
    "RejectedProposal",
    "Summary",
    "Verdict",
]

ModelState: TypeAlias = Literal["read", "unchanged", "partly", "left", "failed", "changed"]
SUMMARIES = "summaries"
PICTURES = "pictures"
PAGES = "pages"


@dataclass(frozen=True, slots=True)
class ModelDocument:
    """What became of one document. `left` pieces were not asked for, because the run stopped before; `refused` counts
    what was refused by the code of the reason.

    `state` is `read` where all is done, `partly` where something is, `left` where nothing was asked, `failed` where
    nothing came back, `unchanged` where it was read so before, `changed` where another program replaced it meanwhile.
    """

    document: str
    name: str
    state: ModelState
    pieces: int = 0
    done: int = 0
    left: int = 0
    accepted: int = 0
    refused: Mapping[str, int] = field(default_factory=dict)
    failures: tuple[FailedPiece, ...] = ()
    summaries: int = 0
    pictures: int = 0

    @property
    def rejected(self) -> int:
        """How many proposals were refused."""
        return sum(self.refused.values())


@dataclass(frozen=True, slots=True)
class ModelRun:
    """What became of a run. `stopped` is the sentence that says why it stopped before its end, empty where it did not;
    `pairs` counts the formulas that read alike and were compared, by verdict."""

    documents: tuple[ModelDocument, ...]
    spending: Spending
    stopped: str = ""
    pairs: Mapping[str, int] = field(default_factory=dict)

    @property
    def left(self) -> int:
        """How many pieces were not asked for."""
        return sum(document.left for document in self.documents)

    @property
    def is_complete(self) -> bool:
        """Whether everything was asked for and answered."""
        return not self.stopped and all(one.state in ("read", "unchanged") for one in self.documents)


# Called with the document's id and name, how many of its pieces are done, and how many it has.
PieceProgress: TypeAlias = Callable[[str, str, int, int], None]
