"""Have the replies about a document checked, in a process that may be killed. One reply that it cannot bear is set
aside by halving; the others count all the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from mathrag.isolation.pool import WorkerPool
from mathrag.isolation.tasks import Failed, Task, WorkerLimits
from mathrag.library.ingest.model_reading.page_pictures import KIND as PAGE
from mathrag.library.ingest.model_reading.page_pictures import KIND_AGAIN as PAGE_AGAIN
from mathrag.library.ingest.model_reading.page_pictures import ShownPage
from mathrag.library.ingest.model_reading.pictures import KIND as PICTURE
from mathrag.library.ingest.model_reading.pictures import Guess
from mathrag.library.ingest.model_reading.requests import Settled, StoredChunk, chunk_json
from mathrag.store.truth.model_records import FailedPiece, RejectedProposal
from mathrag.types.document import Place
from mathrag.types.json_codec import from_json, to_json
from mathrag.types.json_value import Json
from mathrag.types.library import Extraction

# What goes to the process that checks a model's replies, and what comes back. The work itself is `checks.py`.
#
# Apart from it, because that module imports every rule there is, which the process that asks has no need of.

CHECK = "mathrag.library.ingest.model_reading.checks:check_replies"
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
    again: Sequence[tuple[int, Settled]] = (),
    pages: Sequence[tuple[ShownPage, Settled, Settled]] = (),
) -> Task:
    """The task of checking some replies; each has the place of its chunk in `chunks`, as have those of a second asking
    (`again`)."""
    payload = {
        "model": model,
        "extraction": to_json(rules),
        "chunks": [chunk_json(chunk) for chunk in chunks],
        "replies": [{"chunk": place, **_reply(one)} for place, one in replies],
        "again": [{"chunk": place, **_reply(one)} for place, one in again],
        "pictures": [
            {"finding": guess.finding.position, "picture": guess.picture, "model": _name(one, model), **_reply(one)}
            for guess, one in pictures
        ],
        "pages": [
            {
                "page": page.number,
                "source": page.source,
                "model": _name(first, model),
                "first": _reply(first),
                "second": _reply(second),
            }
            for page, first, second in pages
        ],
    }
    seconds = _SECONDS + _SECONDS_A_REPLY * (len(replies) + len(pictures) + 2 * len(pages) + len(again))
    return Task(rules.document, CHECK, payload, seconds=min(seconds, LIMITS.seconds))


def _reply(settled: Settled) -> Json:
    return {"value": settled.value, "problem": settled.problem, "said": settled.said[:_LONGEST_SAID]}


def _name(settled: Settled, model: str) -> str:
    return settled.replies[-1].model if settled.replies and settled.replies[-1].model else model


Answer: TypeAlias = tuple[int, Settled]
Check: TypeAlias = Callable[[Sequence[Answer]], Json | Failed]
_NAMES = ("document", "source", "kind", "code", "reason", "quote", "record", "model")


@dataclass(frozen=True, slots=True)
class Applied:
    """What a document says, the model's proposals included; `failures` are replies whose check did not end."""

    extraction: Extraction
    accepted: int = 0
    pictures: int = 0
    rejected: tuple[RejectedProposal, ...] = ()
    failures: tuple[FailedPiece, ...] = field(default=())


def applied_replies(
    pool: WorkerPool,
    rules: Extraction,
    settled: Sequence[Settled],
    *,
    chunks: Sequence[StoredChunk],
    guesses: Sequence[Guess],
    model: str,
    again: Sequence[Settled] = (),
    pages: Sequence[ShownPage] = (),
) -> Applied:
    """What the rules and the replies say together; `again` are replies that only confirm or contradict others."""
    places = {chunk.id: place for place, chunk in enumerate(chunks)}
    shown = {guess.picture: guess for guess in guesses}
    answered = [one for one in settled if one.error is None]
    replies = _answers(answered, places)
    seconds = _answers(again, places)
    pictures = [(shown[one.question.source], one) for one in answered if one.question.kind == PICTURE]
    seen = _both_readings(answered, pages)
    if not replies and not pictures and not seen:
        return Applied(rules)

    def check(some: Sequence[Answer]) -> Json | Failed:
        task = checking_task(
            rules, chunks=chunks, replies=some, pictures=pictures, model=model, again=seconds, pages=seen
        )
        outcome = pool.run_one(task)
        return outcome if isinstance(outcome, Failed) else outcome.result

    failures: list[FailedPiece] = []
    result = check(replies)
    if isinstance(result, Failed) and (pictures or seen):
        failures += [_failure(guess.picture, result) for guess, _ in pictures]
        failures += [_failure(page.source, result) for page, _, _ in seen]
        pictures.clear()
        seen.clear()
        result = check(replies)
    if isinstance(result, Failed):
        unbearable = dict(_unbearable(replies, check))
        replies = [reply for reply in replies if reply[0] not in unbearable]
        failures += [_failure(chunks[place].id, failed) for place, failed in sorted(unbearable.items())]
        result = check(replies)
    if isinstance(result, Failed):
        # Each alone can be borne and all together cannot; the document keeps what the rules found.
        return Applied(rules, failures=tuple(_failure(chunks[place].id, result) for place, _ in replies))
    return _applied(result, failures)


def _both_readings(answered: Sequence[Settled], pages: Sequence[ShownPage]) -> list[tuple[ShownPage, Settled, Settled]]:
    """The pages of which both readings came: one alone decides nothing."""
    said = {(one.question.source, one.question.kind): one for one in answered}
    pairs = ((page, said.get((page.source, PAGE)), said.get((page.source, PAGE_AGAIN))) for page in pages)
    return [(page, one, other) for page, one, other in pairs if one is not None and other is not None]


def _answers(settled: Sequence[Settled], places: Mapping[str, int]) -> list[Answer]:
    """The replies about chunks that came, each with the place of its chunk."""
    return [
        (places[one.question.source], one) for one in settled if one.error is None and one.question.source in places
    ]


def _unbearable(
    replies: Sequence[Answer], check: Callable[[Sequence[Answer]], Json | Failed]
) -> Iterator[tuple[int, Failed]]:
    """The replies that cannot be checked, each found by trying halves."""
    if not replies:
        return
    result = check(replies)
    if not isinstance(result, Failed):
        return
    if len(replies) == 1:
        yield replies[0][0], result
        return
    middle = len(replies) // 2
    yield from _unbearable(replies[:middle], check)
    yield from _unbearable(replies[middle:], check)


def _failure(source: str, failed: Failed) -> FailedPiece:
    return FailedPiece(source, failed.code, f"what the model said could not be checked: {failed.reason}")


def _applied(result: Json, failures: Sequence[FailedPiece]) -> Applied:
    extraction = from_json(result["extraction"])
    assert isinstance(extraction, Extraction)
    return Applied(
        extraction,
        int(result["accepted"]),
        int(result["pictures"]),
        tuple(_rejected(each) for each in result["rejected"]),
        tuple(failures),
    )


def _rejected(value: Json) -> RejectedProposal:
    place = from_json(value["place"])
    assert isinstance(place, Place)
    document, source, kind, code, reason, quote, record, model = (str(value[name]) for name in _NAMES)
    return RejectedProposal(document, source, kind, code, reason, quote, record, model, place)
