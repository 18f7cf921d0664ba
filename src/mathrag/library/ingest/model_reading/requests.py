"""Ask many questions about many documents at once, and hand each document back when all of its own are settled.

Threads wait for replies; everything else happens in the thread that iterates. Knows when going on makes no sense:
after an error that every other question would meet too, or after many failures in a row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from threading import Lock

from mathrag.documents.views.records import ChunkView
from mathrag.errors import BudgetError, ModelError
from mathrag.llm.messages import ChatReply, ChatRequest, Role
from mathrag.llm.metered import Models
from mathrag.llm.structured import ask_json
from mathrag.store.truth.codec import place_of_columns
from mathrag.store.truth.database import Database
from mathrag.types.document import Place
from mathrag.types.json_codec import from_json, to_json
from mathrag.types.json_value import Json

# Every other question would meet these too.
_HOPELESS = frozenset(("not_configured", "not_installed", "key_refused", "not_found", "cancelled"))
# Not the fault of one question: a server that fails so often in a row is not there.
_SERVER_FAULTS = frozenset(("unreachable", "timeout", "busy", "server"))
_MOST_FAULTS = 8
# Enough to keep every connection busy while a document is being stored.
_AHEAD = 4


@dataclass(frozen=True, slots=True)
class Question:
    """One thing to be asked about a piece of a document; `source` is the id of the piece, `kind` what it is for."""

    source: str
    kind: str
    role: Role
    request: ChatRequest


@dataclass(frozen=True, slots=True)
class Settled:
    """What became of a question: a value under its schema, or a `problem` with what was said, or an error.

    `was_asked` is False where the run had stopped or the budget did not allow the call.
    """

    question: Question
    value: Json = None
    problem: str = ""
    said: str = ""
    error: ModelError | None = None
    was_asked: bool = True
    replies: tuple[ChatReply, ...] = ()


@dataclass(slots=True)
class Work:
    """The questions about one document and what became of them, by their place in the list."""

    questions: Sequence[Question]
    settled: dict[int, Settled] = field(default_factory=dict)

    @property
    def is_settled(self) -> bool:
        """Whether nothing is open any more."""
        return len(self.settled) == len(self.questions)

    def in_order(self) -> list[Settled]:
        """What became of the questions, in their order."""
        return [self.settled[index] for index in sorted(self.settled)]


class Asking:
    """Asks the models. `stopped` is the error after which nothing more is sent, None as long as there is none."""

    def __init__(self, models: Models) -> None:
        self.models = models
        self.stopped: ModelError | None = None
        self.budget: BudgetError | None = None
        self._faults = 0
        self._lock = Lock()

    def run(self, works: Iterable[Work]) -> Iterator[tuple[Work, bool]]:
        """Every piece of work as something of it is settled; True with the last one of a work. Works are taken from the
        iterable only when there is room for their questions."""
        pool = ThreadPoolExecutor(self.models.concurrency, thread_name_prefix="asking a model")
        try:
            yield from self._run(pool, works)
        finally:
            # Those not yet begun are dropped; a request under way ends by itself, and its reply is kept.
            pool.shutdown(wait=True, cancel_futures=True)

    def _run(self, pool: ThreadPoolExecutor, works: Iterable[Work]) -> Iterator[tuple[Work, bool]]:
        waiting = _questions(works)
        pending: dict[Future[Settled], tuple[Work, int]] = {}
        has_more = True
        while has_more or pending:
            while has_more and len(pending) < _AHEAD * self.models.concurrency:
                following = next(waiting, None)
                if following is None:
                    has_more = False
                    break
                work, index = following
                if index is None:
                    yield work, True
                else:
                    pending[pool.submit(self._settle, work.questions[index])] = (work, index)
            done, _ = wait(pending, return_when=FIRST_COMPLETED) if pending else (set(), set())
            # In the order they were given out, so that what is told does not depend on the order of a set.
            for future in [one for one in pending if one in done]:
                work, index = pending.pop(future)
                work.settled[index] = future.result()
                yield work, work.is_settled

    def _settle(self, question: Question) -> Settled:
        """Runs in a thread. What it learns counts at once for those that come after it."""
        settled = self._ask(question)
        with self._lock:
            self._learn(settled)
        return settled

    def _ask(self, question: Question) -> Settled:
        if self.stopped is not None:
            return Settled(question, error=self.stopped, was_asked=False)
        try:
            model = self.models.chat(question.role)
            assert question.request.schema is not None
            found = ask_json(model, question.request, question.request.schema)
        except BudgetError as error:
            return Settled(question, error=error, was_asked=False)
        except ModelError as error:
            return Settled(question, error=error)
        said = found.replies[-1].text if found.replies else ""
        return Settled(question, found.value, found.problem, said, replies=tuple(found.replies))

    def _learn(self, settled: Settled) -> None:
        """Whether to go on. The budget is no reason to stop looking: a reply that is kept already costs nothing."""
        error = settled.error
        if error is None:
            self._faults = 0
        elif isinstance(error, BudgetError):
            self.budget = self.budget or error
        elif settled.was_asked and self.stopped is None:
            self._faults = self._faults + 1 if error.code in _SERVER_FAULTS else 0
            if error.code in _HOPELESS or self._faults >= _MOST_FAULTS:
                self.stopped = error


def _questions(works: Iterable[Work]) -> Iterator[tuple[Work, int | None]]:
    for work in works:
        if not work.questions:
            yield work, None
        for index in range(len(work.questions)):
            yield work, index


# The chunks of a stored document, as a model is asked about them and as the checking process gets them.

_BETWEEN_HEADINGS = " > "


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """A chunk with the id it has in the library."""

    id: str
    view: ChunkView


def chunks_of(database: Database, document: str) -> list[StoredChunk]:
    """The chunks of a document, in its order."""
    with database.reading() as connection:
        rows = connection.execute(
            "SELECT id, position, text, headings, first_block, last_block, repeated_characters, is_oversized, "
            "page, line, end_line, path, file, box FROM chunks WHERE document = ? ORDER BY position",
            (document,),
        ).fetchall()
    return [
        StoredChunk(
            identifier,
            ChunkView(
                position,
                text,
                tuple(headings.split(_BETWEEN_HEADINGS)) if headings else (),
                first_block,
                last_block,
                place_of_columns(*place),
                repeated_characters=repeated,
                is_oversized=bool(is_oversized),
            ),
        )
        for identifier, position, text, headings, first_block, last_block, repeated, is_oversized, *place in rows
    ]


def chunk_json(chunk: StoredChunk) -> Json:
    """A chunk as a JSON object."""
    view = chunk.view
    return {
        "id": chunk.id,
        "ordinal": view.ordinal,
        "text": view.text,
        "headings": list(view.heading_path),
        "blocks": [view.first_block, view.last_block],
        "place": to_json(view.place),
        "repeated": view.repeated_characters,
    }


def chunk_of_json(value: Json) -> StoredChunk:
    """Back from `chunk_json`."""
    place = from_json(value["place"])
    assert isinstance(place, Place)
    first, last = value["blocks"]
    view = ChunkView(
        value["ordinal"],
        value["text"],
        tuple(value["headings"]),
        first,
        last,
        place,
        repeated_characters=value["repeated"],
    )
    return StoredChunk(value["id"], view)
