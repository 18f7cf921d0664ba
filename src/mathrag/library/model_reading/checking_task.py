"""What goes to the process that checks a model's replies, and what comes back. The work itself is `checking.py`.

Apart from it, because that module imports every rule there is, which the process that asks has no need of.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from mathrag.documents.isolation import Task, WorkerLimits
from mathrag.library.model_reading.asking import Settled
from mathrag.library.model_reading.picturing import Guess
from mathrag.library.model_reading.pieces import StoredChunk, chunk_json
from mathrag.types.json_codec import to_json
from mathrag.types.library import Extraction

Json: TypeAlias = Any
CHECK = "mathrag.library.model_reading.checking:check_replies"
LIMITS = WorkerLimits(seconds=300.0)
_SECONDS, _SECONDS_A_REPLY = 60.0, 4.0
_LONGEST_SAID = 2_000


def checking_task(
    rules: Extraction,
    *,
    chunks: Sequence[StoredChunk],
    replies: Sequence[tuple[int, Settled]],
    pictures: Sequence[tuple[Guess, Settled]],
    model: str,
) -> Task:
    """The task of checking some replies; each has the place of its chunk in `chunks`."""
    payload = {
        "model": model,
        "extraction": to_json(rules),
        "chunks": [chunk_json(chunk) for chunk in chunks],
        "replies": [{"chunk": place, **_reply(one)} for place, one in replies],
        "pictures": [
            {"finding": guess.finding.position, "picture": guess.picture, "model": _name(one, model), **_reply(one)}
            for guess, one in pictures
        ],
    }
    seconds = _SECONDS + _SECONDS_A_REPLY * (len(replies) + len(pictures))
    return Task(rules.document, CHECK, payload, seconds=min(seconds, LIMITS.seconds))


def _reply(settled: Settled) -> Json:
    return {"value": settled.value, "problem": settled.problem, "said": settled.said[:_LONGEST_SAID]}


def _name(settled: Settled, model: str) -> str:
    return settled.replies[-1].model if settled.replies and settled.replies[-1].model else model
