"""`Models`: a model for each role, with one account, one budget, one limit of calls at once and one store of replies.

Everything that asks a model asks a view of this. A view looks whether the reply is there, sets the worst case aside in
the budget, asks, counts, keeps the reply and only then hands it out. It knows neither servers nor what is asked.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import NoReturn, cast

from mathrag.errors import ModelError
from mathrag.llm.accounts import (
    Account,
    Estimate,
    Price,
    estimate_requests,
    largest_usage,
    most_tokens,
    usual_tokens,
    usual_usage,
)
from mathrag.llm.budgets import Budget, Purse, Reservation, make_purse
from mathrag.llm.concurrency import Slots, Turns
from mathrag.llm.kept_replies import (
    cached_reply,
    embedding_digest,
    read_vector,
    request_digest,
    stream_whole,
    write_reply,
    write_vector,
)
from mathrag.llm.messages import ROLES, ChatReply, ChatRequest, Embeddings, ReplyPiece, Role, Usage
from mathrag.llm.seams import Beneath, ChatModel, EmbeddingModel, EndableStream, ReplyStore, close_part

# Found out before anything is sent, so they are no calls.
_NEVER_SENT = frozenset({"not_installed", "not_configured"})
# As many as a server on a machine at home serves without one waiting for the other.
_CONCURRENCY = 4
# No call has so many; a server that says so is wrong.
_MOST_TOKENS = 10**9


@dataclass(frozen=True, slots=True)
class Meter:
    """What all roles share."""

    account: Account
    purse: Purse
    slots: Slots
    turns: Turns
    store: ReplyStore | None
    # Told of every new call before it is made: the model and what it is asked for.
    watchers: list[Callable[[str, Role], None]] = field(default_factory=list)

    @contextlib.contextmanager
    def turn(self, digest: str) -> Iterator[None]:
        """One thread at a time for one request; the next finds the reply of the first. Idle where none are kept."""
        taken = self.store is not None and self.turns.take(digest)
        try:
            yield
        finally:
            if taken:
                self.turns.leave(digest)

    @contextlib.contextmanager
    def call(self, role: Role, largest: Usage) -> Iterator[Call]:
        """A slot and the money for one call; what it took is booked at the end, however it ends."""
        holder = self.slots.take()
        try:
            call = Call(self, role, largest=largest, reservation=self.purse.reserve(largest))
            try:
                yield call
            except BaseException as error:
                call.fail(error)
                raise
        finally:
            self.slots.leave(holder)


class Call:
    """One call under way. Booked once: by what it used, or as failed."""

    def __init__(self, meter: Meter, role: Role, *, largest: Usage, reservation: Reservation) -> None:
        self._meter = meter
        self._role = role
        self._largest = largest
        self._reservation = reservation
        self._is_booked = False

    def succeed(self, used: Usage) -> None:
        """Book the tokens of a reply."""
        self._book(used)

    def fail(self, error: BaseException, *, used: Usage | None = None) -> None:
        """Book a failure. What may have been charged counts as its worst case, or as `used` where more is known."""
        if isinstance(error, ModelError) and error.code in _NEVER_SENT:
            self._is_booked = True
            self._meter.purse.settle(self._reservation, None, was_sent=False)
            return
        # Nobody knows what a call cost that was interrupted here; a hard limit has to assume the worst.
        may_be_charged = not isinstance(error, ModelError) or error.was_charged or used is not None
        self._book((used or self._largest) if may_be_charged else None, has_failed=True)

    def _book(self, used: Usage | None, *, has_failed: bool = False) -> None:
        if self._is_booked:
            return
        self._is_booked = True
        purse = self._meter.purse
        purse.settle(self._reservation, used)
        amount = None if used is None else purse.picodollars(used)
        self._meter.account.add_call(self._role, used, picodollars=amount, has_failed=has_failed)


class MeteredModel:
    """The view of a chat model that one role has."""

    def __init__(self, model: ChatModel, role: Role, *, meter: Meter) -> None:
        self._model = model
        self._role: Role = role
        self._meter = meter

    @property
    def name(self) -> str:
        """What the server calls the model."""
        return self._model.name

    def chat(self, request: ChatRequest) -> ChatReply:
        """The kept reply, or a new one."""
        digest = request_digest(request, model=self.name)
        with self._meter.turn(digest):
            kept = self._kept(digest)
            if kept is not None:
                return kept
            with self._meter.call(self._role, largest_usage(request)) as call:
                self._tell()
                reply = _with_usage(self._model.chat(request), request)
                call.succeed(reply.usage)
                self._keep(digest, reply, request)
            return reply

    def stream(self, request: ChatRequest) -> EndableStream:
        """The kept reply in pieces, or a new one as it comes. One that breaks off is counted but not kept.

        Nothing is asked before the first piece is wanted. `close` may be called from any thread.
        """
        return EndableStream(partial(self._pieces, request))

    def _pieces(self, request: ChatRequest, beneath: Beneath) -> Generator[ReplyPiece, None, None]:
        digest = request_digest(request, model=self.name)
        with self._meter.turn(digest):
            kept = self._kept(digest)
            if kept is None:
                yield from self._new_pieces(request, beneath, digest=digest)
                return
        yield from stream_whole(kept)

    def _new_pieces(self, request: ChatRequest, beneath: Beneath, *, digest: str) -> Generator[ReplyPiece, None, None]:
        said: list[str] = []
        with self._meter.call(self._role, largest_usage(request)) as call:
            self._tell()
            pieces = self._model.stream(request)
            try:
                beneath.attach(pieces)
                for piece in pieces:
                    if piece.reply is not None:
                        reply = _with_usage(piece.reply, request)
                        call.succeed(reply.usage)
                        self._keep(digest, reply, request)
                        yield ReplyPiece(piece.text, reply)
                        return
                    said.append(piece.text)
                    yield piece
                _break_off()
            except BaseException as error:
                # Without a word received it stays open how much was written; after some, these are what is known.
                written = usual_tokens("".join(said))
                call.fail(error, used=replace(usual_usage(request), completion_tokens=written) if said else None)
                raise
            finally:
                close_part(pieces)

    def _tell(self) -> None:
        for told in self._meter.watchers:
            told(self.name, self._role)

    def _kept(self, digest: str) -> ChatReply | None:
        kept = cached_reply(self._meter.store, digest)
        if kept is not None:
            self._meter.account.add_cached(self._role, kept.usage)
        return kept

    def _keep(self, digest: str, reply: ChatReply, request: ChatRequest) -> None:
        is_useful = request.is_worth_keeping is None or request.is_worth_keeping(reply)
        if self._meter.store is not None and is_useful:
            self._meter.store.put(digest, write_reply(reply), model=self.name, role=self._role)


class Models:
    """A chat model for each role and perhaps an embedding model, metered together. Close it when done."""

    def __init__(
        self,
        chats: Mapping[Role, ChatModel],
        *,
        embedder: EmbeddingModel | None = None,
        store: ReplyStore | None = None,
        budget: Budget | None = None,
        price: Price | None = None,
        concurrency: int = _CONCURRENCY,
        record: Path | None = None,
    ) -> None:
        self._chats = dict(chats)
        self._embedder = embedder
        self._price = price
        self._record = record
        self.account = Account()
        self.concurrency = max(1, concurrency)
        self.meter = Meter(self.account, make_purse(budget, price=price), Slots(self.concurrency), Turns(), store)

    @classmethod
    def of(
        cls,
        model: ChatModel,
        *,
        store: ReplyStore | None = None,
        budget: Budget | None = None,
        price: Price | None = None,
        concurrency: int = _CONCURRENCY,
    ) -> Models:
        """One model for all roles; for embedding too, where it can do that."""
        embedder = cast("EmbeddingModel", model) if hasattr(model, "embed") else None
        chats: dict[Role, ChatModel] = dict.fromkeys(ROLES, model)
        return cls(chats, embedder=embedder, store=store, budget=budget, price=price, concurrency=concurrency)

    def has(self, role: Role) -> bool:
        """Whether a role has a model."""
        return self._embedder is not None if role == "embed" else role in self._chats

    def chat(self, role: Role) -> ChatModel:
        """The model of a role; `ModelError` where it has none."""
        model = self._chats.get(role)
        if model is None:
            raise _not_configured(role)
        metered = MeteredModel(model, role, meter=self.meter)
        if self._record is None:
            return metered
        from mathrag.llm.recording import RecordingModel

        return RecordingModel(metered, self._record)

    def embedding(self) -> EmbeddingModel:
        """The model that turns texts into vectors; `ModelError` where there is none."""
        if self._embedder is None:
            raise _not_configured("embed")
        return MeteredEmbedding(self._embedder, self.meter)

    def watch(self, told: Callable[[str, Role], None]) -> None:
        """Have every new call told before it is made, with the model and the role that asks. Kept replies are none."""
        self.meter.watchers.append(told)

    def estimate(self, role: Role, requests: Iterable[ChatRequest]) -> Estimate:
        """What these requests would take now, before the first call."""
        model = self._chats.get(role)
        if model is None:
            raise _not_configured(role)
        return estimate_requests(requests, model=model.name, store=self.meter.store, price=self._price)

    def close(self) -> None:
        """Let go of connections and files."""
        parts: Sequence[object] = [*self._chats.values(), self._embedder, self.meter.store]
        for part in {id(one): one for one in parts}.values():
            close_part(part)

    def __enter__(self) -> Models:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _not_configured(role: Role) -> ModelError:
    own = f"MATHRAG_LLM_MODEL_{role.upper()}"
    # Not every model can see or give vectors, so that the common one is no choice there.
    which = own if role in ("embed", "vision") else f"MATHRAG_LLM_MODEL (or {own} for this alone)"
    return ModelError("not_configured", f"no language model is set for this ({role}): set MATHRAG_LLM_URL and {which}")


def _break_off() -> NoReturn:
    raise ModelError("bad_reply", "the reply broke off before its end; ask again", was_charged=True)


def _with_usage(reply: ChatReply, request: ChatRequest) -> ChatReply:
    """The reply with its tokens counted, by us where the server did not say or cannot be right."""
    usage = reply.usage
    written = reply.text + "".join(one.name + one.arguments for one in reply.tool_calls)
    prompt, completion = min(usage.prompt_tokens, _MOST_TOKENS), min(usage.completion_tokens, _MOST_TOKENS)
    if prompt <= 0:
        prompt = usual_usage(request).prompt_tokens
    if completion < 0 or (completion == 0 and written):
        completion = usual_tokens(written)
    if (prompt, completion) == (usage.prompt_tokens, usage.completion_tokens):
        return reply
    return replace(reply, usage=Usage(prompt, completion, is_estimated=True))


# The view of an embedding model: vectors kept text by text, calls counted and paid for like all others.

# Small enough that a run that is killed loses little, large enough that the way to the server does not count.
_TEXTS_A_CALL = 64


class MeteredEmbedding:
    """An embedding model that asks only for what is not kept."""

    def __init__(self, model: EmbeddingModel, meter: Meter) -> None:
        self._model = model
        self._meter = meter

    @property
    def name(self) -> str:
        """What the server calls the model."""
        return self._model.name

    def embed(self, texts: Sequence[str]) -> Embeddings:
        """A vector for every text."""
        known = {text: vector for text in dict.fromkeys(texts) if (vector := self._kept(text)) is not None}
        missing = [text for text in dict.fromkeys(texts) if text not in known]
        used = Usage()
        for start in range(0, len(missing), _TEXTS_A_CALL):
            asked = missing[start : start + _TEXTS_A_CALL]
            made = self._ask(asked)
            known.update(zip(asked, made.vectors, strict=True))
            used = Usage(
                used.prompt_tokens + made.usage.prompt_tokens,
                is_estimated=used.is_estimated or made.usage.is_estimated,
            )
        if len({len(vector) for vector in known.values()}) > 1:
            raise ModelError(
                "bad_reply",
                f"the vectors of {self.name} differ in length; clear those kept with "
                f"`mathrag cache clear --model {self.name}`",
            )
        return Embeddings(
            tuple(known[text] for text in texts), used, model=self.name, from_cache=not missing and bool(texts)
        )

    def _ask(self, texts: list[str]) -> Embeddings:
        largest = Usage(sum(most_tokens(text) + 8 for text in texts), 0, is_estimated=True)
        with self._meter.call("embed", largest) as call:
            made = self._model.embed(texts)
            usage = made.usage
            if usage.prompt_tokens <= 0:
                usage = Usage(sum(usual_tokens(text) for text in texts), is_estimated=True)
            call.succeed(usage)
            if len(made.vectors) != len(texts):
                raise ModelError(
                    "bad_reply",
                    f"asked for {len(texts)} vectors, the server gave {len(made.vectors)}",
                    was_charged=True,
                )
            if self._meter.store is not None:
                for text, vector in zip(texts, made.vectors, strict=True):
                    digest = embedding_digest(text, model=self.name)
                    self._meter.store.put(digest, write_vector(vector), model=self.name, role="embed")
        return Embeddings(made.vectors, usage, model=made.model)

    def _kept(self, text: str) -> tuple[float, ...] | None:
        store = self._meter.store
        kept = None if store is None else store.get(embedding_digest(text, model=self.name))
        vector = None if kept is None else read_vector(kept)
        if vector is not None:
            self._meter.account.add_cached("embed", Usage(usual_tokens(text)))
        return vector
