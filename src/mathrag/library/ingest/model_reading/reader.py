"""Read stored documents with a model: which need it, what is asked about each, and storing what came of it.

A document is stored again only when the whole of it is better known than before, so a run that stops early never takes
away what an earlier one gave. What the model says is put on top of what the rules found, never on top of what a model
said before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial

from mathrag.documents.views.records import ChunkView
from mathrag.extract.merger import RuleMerger
from mathrag.extract.proposals import OPEN_TO_AGREEMENT, constants_in_chunk, findings_in_chunk, request_for_chunk
from mathrag.extract.proposals.quotes import holds
from mathrag.isolation.pool import WorkerPool
from mathrag.library.ingest.model_reading import pictures, summaries
from mathrag.library.ingest.model_reading.check_task import CHECK, LIMITS, Applied, applied_replies
from mathrag.library.ingest.model_reading.page_pictures import VERSION as PAGES_VERSION
from mathrag.library.ingest.model_reading.page_pictures import ShownPage, pages_to_show
from mathrag.library.ingest.model_reading.page_pictures import questions_about as questions_about_page
from mathrag.library.ingest.model_reading.pictures import Guess, guesses_of
from mathrag.library.ingest.model_reading.pictures import question_about as question_about_picture
from mathrag.library.ingest.model_reading.records import (
    PAGES,
    PICTURES,
    SUMMARIES,
    ModelDocument,
    ModelRun,
    ModelState,
    PieceProgress,
)
from mathrag.library.ingest.model_reading.requests import Asking, Question, Settled, StoredChunk, Work, chunks_of
from mathrag.library.ingest.model_reading.summaries import (
    Part,
    checked_summaries,
    parts_to_summarise,
)
from mathrag.library.ingest.model_reading.summaries import (
    question_about as question_about_part,
)
from mathrag.llm.accounts import Spending, dollars
from mathrag.llm.kept_replies import request_digest
from mathrag.llm.messages import Usage
from mathrag.llm.metered import Models
from mathrag.store.embedders import Embedder
from mathrag.store.truth.database import Database
from mathrag.store.truth.model_records import (
    LEFT,
    FailedPiece,
    ModelReading,
    RejectedProposal,
    Summary,
    has_rule_extraction,
    reading_of,
    rule_extraction,
    stored_extraction,
)
from mathrag.store.truth.records import DocumentInfo
from mathrag.store.truth.times import time_now
from mathrag.store.truth.writer import replace_extraction
from mathrag.types.document import Place
from mathrag.types.library import PROPOSED, Extraction

# The question about one chunk, and the version of all that is asked: a fingerprint, so that nobody has to count.

CHUNK = "chunk"
# The same chunk once more, in other words: where the first reply left open how quantities in words are combined.
CHUNK_AGAIN = "chunk_again"
# A heading alone, a page number: nothing that could state a formula.
_SHORTEST_TEXT = 30


def is_worth_asking(chunk: StoredChunk) -> bool:
    """Whether a chunk has words enough to say anything."""
    return sum(not character.isspace() for character in chunk.view.text) >= _SHORTEST_TEXT


def question_about_chunk(chunk: StoredChunk, rules: Extraction, *, title: str, is_again: bool = False) -> Question:
    """What a model is asked about a chunk, given what the rules found there."""
    request = request_for_chunk(
        chunk.view,
        findings_in_chunk(rules, chunk.view),
        constants=constants_in_chunk(rules, chunk.view),
        title=title,
        is_again=is_again,
    )
    return Question(chunk.id, CHUNK_AGAIN if is_again else CHUNK, "extract", request)


def left_open(extraction: Extraction, chunks: Sequence[StoredChunk]) -> list[StoredChunk]:
    """The chunks with a formula in words that is kept apart only because one asking does not decide how it combines."""
    quotes = [
        one.span.quote
        for one in extraction.findings
        if one.notation == PROPOSED and one.reason_code in OPEN_TO_AGREEMENT
    ]
    return [chunk for chunk in chunks if any(holds(chunk.view.text, quote) for quote in quotes)]


@cache
def prompt_version() -> str:
    """Changes whenever a model would be asked otherwise: then documents are read with it again."""
    empty = ChunkView(0, "", (), 0, 0, Place())
    first, second = (request_for_chunk(empty, (), is_again=is_again) for is_again in (False, True))
    asked = f"{request_digest(first, model='')[:12]}.{request_digest(second, model='')[:6]}"
    return f"{asked}.{pictures.VERSION}.{summaries.VERSION}"


@dataclass(slots=True)
class DocumentWork(Work):
    """A document under way: what is asked about it, and what it is asked of."""

    info: DocumentInfo = field(kw_only=True)
    rules: Extraction = field(kw_only=True)
    before: ModelReading | None = field(kw_only=True)
    chunks: Sequence[StoredChunk] = field(kw_only=True)
    guesses: Sequence[Guess] = field(kw_only=True)
    pages: Sequence[ShownPage] = field(kw_only=True)
    parts: Sequence[Part] = field(kw_only=True)


@dataclass(slots=True)
class ModelReader:
    """One run over stored documents. `with_summaries` also asks for summaries of their parts."""

    database: Database
    embedder: Embedder | None
    models: Models
    with_summaries: bool = False
    progress: PieceProgress | None = None
    _earlier: Spending | None = None

    @property
    def model(self) -> str:
        """The model that reads."""
        return self.models.chat("extract").name

    @property
    def extras(self) -> tuple[str, ...]:
        """What is asked for beside the chunks, and of whom."""
        eyes = self.models.chat("vision").name if self.models.has("vision") else ""
        seeing = (f"{PICTURES}:{eyes}", f"{PAGES}{PAGES_VERSION}:{eyes}") if eyes else ()
        return (*seeing, *((SUMMARIES,) if self.with_summaries else ()))

    def is_current(self, document: str) -> bool:
        """Whether a document has been read just so, to its end."""
        known = reading_of(self.database, document)
        return (
            known is not None
            and known.is_complete
            and (known.model, known.prompt) == (self.model, prompt_version())
            and set(self.extras) <= set(known.extras)
        )

    def needs_rules(self, document: str) -> bool:
        """Whether the rules have to read the file again first: an imported library has not kept what they found."""
        return (
            reading_of(self.database, document) is not None
            and not has_rule_extraction(self.database, document)
            and not self.is_current(document)
        )

    def run(self, documents: Sequence[DocumentInfo]) -> ModelRun:
        """Read these documents; one after the other is stored as its replies are complete."""
        asking = Asking(self.models)
        self._earlier = self.models.account.snapshot()
        reports: dict[str, ModelDocument] = {}
        waiting: list[DocumentInfo] = []
        for info in documents:
            if self.is_current(info.id):
                reports[info.id] = ModelDocument(info.id, info.name, "unchanged")
            else:
                waiting.append(info)
        if waiting:
            with WorkerPool([CHECK], workers=1, limits=LIMITS, keeps_spares=True) as pool:
                for work, is_settled in asking.run(self.works(waiting)):
                    assert isinstance(work, DocumentWork)
                    self._tell(work)
                    if is_settled:
                        reports[work.info.id] = self._finish(work, pool, asking)
        stop = asking.stopped or asking.budget
        return ModelRun(
            tuple(reports[info.id] for info in documents),
            self.spent(),
            "" if stop is None else stop.reason,
        )

    def spent(self) -> Spending:
        """What was spent since the run began."""
        now = self.models.account.snapshot()
        return now if self._earlier is None else now - self._earlier

    def works(self, documents: Sequence[DocumentInfo]) -> Iterator[DocumentWork]:
        """What is to be asked about each document; made one at a time, when there is room for its questions."""
        for info in documents:
            with self.database.reading():
                before = reading_of(self.database, info.id)
                rules = rule_extraction(self.database, info.id) or stored_extraction(self.database, info.id)
                chunks = [chunk for chunk in chunks_of(self.database, info.id) if is_worth_asking(chunk)]
                guesses = guesses_of(self.database, rules) if self.models.has("vision") else []
                parts = (
                    parts_to_summarise(self.database, info, chunks, with_pictures=self.models.has("vision"))
                    if self.with_summaries
                    else []
                )
            pages = pages_to_show(self.database, info) if self.models.has("vision") else []
            questions: list[Question] = [question_about_chunk(chunk, rules, title=info.title) for chunk in chunks]
            questions += map(question_about_picture, guesses)
            questions += [question for page in pages for question in questions_about_page(page)]
            questions += map(question_about_part, parts)
            yield DocumentWork(
                questions,
                info=info,
                rules=rules,
                before=before,
                chunks=chunks,
                guesses=guesses,
                pages=pages,
                parts=parts,
            )

    def _tell(self, work: DocumentWork) -> None:
        if self.progress is not None:
            self.progress(work.info.id, work.info.name, len(work.settled), len(work.questions))

    def _finish(self, work: DocumentWork, pool: WorkerPool, asking: Asking) -> ModelDocument:
        """Check what came back and store it, where it is more than was known."""
        settled = work.in_order()
        check = partial(
            applied_replies,
            pool,
            work.rules,
            settled,
            chunks=work.chunks,
            guesses=work.guesses,
            pages=work.pages,
            model=self.model,
        )
        applied = check()
        if again := self._asked_again(work, applied, asking):
            checked = check(again=again)
            # What a second asking confirms is worth having; that it cannot be checked takes nothing away.
            applied = applied if checked.failures else checked
        parts = {part.source: part for part in work.parts}
        summaries, refused = checked_summaries(work.info.id, parts, settled, model=self.model)
        rejected = [*applied.rejected, *refused]
        reading = self._reading(work, [*settled, *again], applied, rejected)
        is_stored = self._store(work, reading, applied, rejected, summaries)
        left = sum(not one.was_asked for one in settled)
        return ModelDocument(
            work.info.id,
            work.info.name,
            _state(reading, left) if is_stored else "changed",
            pieces=len(work.questions),
            done=sum(one.error is None for one in settled),
            left=left,
            accepted=applied.accepted,
            refused=dict(Counter(one.code for one in rejected).most_common()),
            failures=tuple(one for one in reading.failures if one.code != LEFT),
            summaries=len(summaries),
            pictures=applied.pictures,
        )

    def _asked_again(self, work: DocumentWork, applied: Applied, asking: Asking) -> list[Settled]:
        """What the model says when it is asked once more about what one asking left open."""
        questions = [
            question_about_chunk(chunk, work.rules, title=work.info.title, is_again=True)
            for chunk in left_open(applied.extraction, work.chunks)
        ]
        again = Work(questions)
        for _ in asking.run([again] if questions else []):
            pass
        return again.in_order()

    def _reading(
        self, work: DocumentWork, settled: Sequence[Settled], applied: Applied, rejected: Sequence[RejectedProposal]
    ) -> ModelReading:
        replies = [reply for one in settled for reply in one.replies if not reply.from_cache]
        used = [reply.usage for reply in replies]
        asked = [one for one in settled if one.question.kind == CHUNK]
        failures = [*_failures(settled), *applied.failures]
        unchecked = {one.source for one in applied.failures}
        kept = work.before.extras if work.before is not None else ()
        return ModelReading(
            work.info.id,
            self.model,
            prompt_version(),
            time_now(),
            chunks=len(asked),
            chunks_done=sum(one.error is None and one.question.source not in unchecked for one in asked),
            accepted=applied.accepted,
            rejected=len(rejected),
            failures=tuple(failures),
            calls=len(replies),
            prompt_tokens=sum(one.prompt_tokens for one in used),
            completion_tokens=sum(one.completion_tokens for one in used),
            cost=self._cost(used),
            # Summaries of an earlier run stay where this one did not ask for any.
            extras=tuple(sorted({*self.extras, *(one for one in kept if one == SUMMARIES)})),
        )

    def _cost(self, used: Sequence[Usage]) -> float | None:
        amounts = [self.models.meter.purse.picodollars(one) for one in used]
        known = [one for one in amounts if one is not None]
        return dollars(sum(known)) if len(known) == len(amounts) else None

    def _store(
        self,
        work: DocumentWork,
        reading: ModelReading,
        applied: Applied,
        rejected: Sequence[RejectedProposal],
        summaries: Sequence[Summary],
    ) -> bool:
        before = work.before
        # What an earlier run gave is worth more than a part of what this one would; the replies are kept all the same.
        is_less = before is not None and (before.is_complete or before.chunks_done > reading.chunks_done)
        if is_less and not reading.is_complete:
            return True
        return replace_extraction(
            self.database,
            applied.extraction,
            info=work.info,
            reading=reading,
            rules=work.rules,
            rejected=rejected,
            summaries=summaries if self.with_summaries else None,
            merger=RuleMerger(),
            embedder=self.embedder,
        )


def _failures(settled: Sequence[Settled]) -> Iterator[FailedPiece]:
    for one in settled:
        if one.error is not None and one.was_asked:
            yield FailedPiece(one.question.source, one.error.code, one.error.reason)
        elif one.error is not None:
            yield FailedPiece(one.question.source, LEFT, "it was not asked yet, because the run had stopped")


def _state(reading: ModelReading, left: int) -> ModelState:
    if reading.is_complete:
        return "read"
    if reading.chunks_done:
        return "partly"
    return "left" if left == len(reading.failures) else "failed"
